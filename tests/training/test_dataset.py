from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from tests.training.tiny import CharTokenizer
from training.canaries import Canary
from training.dataset import canary_tokens, conversation_text, conversation_windows, make_records

TOKENIZER = CharTokenizer()


def conversation(key: str, *texts: str, subject: str | None = None, seed_id: str | None = None) -> Conversation:
    turns = tuple(Turn(role="agent", text=text) for text in texts)
    return Conversation(id=key, turns=turns, subject=subject, seed_id=seed_id)


def test_conversations_of_one_person_are_one_record() -> None:
    records = make_records(
        [conversation("1", "one", subject="x"), conversation("2", "two", subject="x"), conversation("3", "three")],
        [],
        TOKENIZER,
        64,
    )
    assert sorted(len(record.windows) for record in records) == [1, 2]


def test_generations_of_one_seed_are_one_record() -> None:
    made = [conversation(str(i), "hello", seed_id="seed-000001") for i in range(5)]
    assert len(make_records(made, [], TOKENIZER, 64)) == 1


def test_a_subject_and_a_conversation_of_one_name_are_two() -> None:
    assert len(make_records([conversation("x", "a"), conversation("y", "b", subject="x")], [], TOKENIZER, 64)) == 2


def test_records_come_shortest_first() -> None:
    made = make_records([conversation(str(i), "a" * (40 - i)) for i in range(30)], [], TOKENIZER, 64)
    lengths = [record.longest for record in made]
    assert lengths == sorted(lengths)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(alphabet="abc ", max_size=60), min_size=1, max_size=6), st.integers(16, 70))
def test_windows_hold_every_token_once_and_never_too_many(texts: list[str], max_length: int) -> None:
    whole = conversation_windows(conversation("1", *texts), TOKENIZER, 10_000)
    cut = conversation_windows(conversation("1", *texts), TOKENIZER, max_length)
    assert all(2 <= len(window) <= max_length for window in cut)
    joined = [token for window in cut for token in window]
    # Windows of one token teach nothing and are left out.
    assert len(whole[0]) - len(joined) <= len(texts)
    assert TOKENIZER.decode(joined, skip_special_tokens=True).replace("\n", "") in TOKENIZER.decode(
        list(whole[0]), skip_special_tokens=True
    ).replace("\n", "") or len(joined) < len(whole[0])


def test_canary_is_its_two_parts_between_begin_and_end() -> None:
    tokens = canary_tokens("ab:", " 12", TOKENIZER)
    assert (tokens[0], tokens[-1]) == (1, 2)
    assert TOKENIZER.decode(list(tokens), skip_special_tokens=True) == "ab: 12"


def test_canaries_are_records_of_their_own() -> None:
    canary = Canary(prefix="a:", secret=" 1")
    assert len(make_records([conversation("1", "x")], [canary, canary], TOKENIZER, 64)) == 3


def test_text_is_what_windows_hold() -> None:
    made = conversation("1", "one", "two")
    [window] = conversation_windows(made, TOKENIZER, 1000)
    plain = conversation_text(made).replace("<|im_start|>", "").replace("<|im_end|>", "")
    assert TOKENIZER.decode(list(window), skip_special_tokens=True) == plain
