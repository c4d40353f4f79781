from __future__ import annotations

import gc
import pickle
import random
import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.errors import SeedEngineError
from seed_engine.ordinary import is_ordinary
from seed_engine.secrets import Leak, SecretIndex
from seed_engine.streams import Transcript

KEY = b"a key that only this test knows."
VALUES = [
    ("Martha Quillfeather", "PERSON"),
    ("José Núñez", "PERSON"),
    ("Ana", "PERSON"),
    ("Dr. Forrest", "PERSON"),
    ("+1 (555) 123-4567", "PHONE_NUMBER"),
    ("12/03/1985", "DATE_TIME"),
    ("martha.q@example.com", "EMAIL_ADDRESS"),
    ("28013", "LOCATION"),
    ("7 Elm Court, Springvale", "LOCATION"),
    ("MRN 0048-2913-X", "ID"),
]


def find(*turns: str, speakers: tuple[str, ...] | None = None, values: list[tuple[str, str]] = VALUES) -> list[Leak]:
    return list(SecretIndex.build(values, KEY).find(turns, speakers))


@pytest.mark.parametrize(
    ("text", "entity_type", "how", "found"),
    [
        ("ask Martha Quillfeather now", "PERSON", "exact", "Martha Quillfeather"),
        ("ask MARTHA  quill-feather.", "PERSON", "normalised", "MARTHA  quill-feather"),
        ("m a r t h a q u i l l f e a t h e r", "PERSON", "normalised", "m a r t h a q u i l l f e a t h e r"),
        ("Quillfeather, Martha", "PERSON", "normalised", "Quillfeather, Martha"),
        ("xxmarthaquillfeatheryy", "PERSON", "normalised", "marthaquillfeather"),
        ("soy jose nunez", "PERSON", "normalised", "jose nunez"),
        ("soy Jose\u0301 Nu\u0301n\u0303ez", "PERSON", "normalised", "Jose\u0301 Nu\u0301n\u0303ez"),
        ("soy 𝐉𝐨𝐬𝐞 ＮＵＮＥＺ", "PERSON", "normalised", "𝐉𝐨𝐬𝐞 ＮＵＮＥＺ"),
        ("¿ana?", "PERSON", "normalised", "ana"),
        ("Mr Forrest", "PERSON", "normalised", "Forrest"),
        ("call 5551234567", "PHONE_NUMBER", "digits", "551234567"),
        ("call 15551234567", "PHONE_NUMBER", "digits", "15551234567"),
        ("call 1-555 then 123 and 4567", "PHONE_NUMBER", "digits", "1-555 then 123 and 4567"),
        ("born 12.03.1985", "DATE_TIME", "normalised", "12.03.1985"),
        ("file 00482913", "ID", "digits", "00482913"),
        ("file ٠٠٤٨٢٩١٣", "ID", "digits", "٠٠٤٨٢٩١٣"),
        ("zip 28013!", "LOCATION", "exact", "28013"),
    ],
)
def test_finds_disguises_at_the_right_place(text: str, entity_type: str, how: str, found: str) -> None:
    (leak,) = find(text)
    assert (leak.entity_type, leak.how, text[leak.start : leak.end]) == (entity_type, how, found)
    assert (leak.turn, leak.end_turn) == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "bananas and an a and a n apple",
        "plenty for rest, carry on",
        "the number 128013 and 2801 3000",
        "a call on 5551 and 2346 and 6789",
        "[PATIENT_1] saw [DOCTOR_1] on [DATE_2]",
        "example.com",
        "",
        "🙂🙂 \u200b",
    ],
)
def test_does_not_find_what_is_not_there(text: str) -> None:
    assert find(text) == []


def test_finds_values_split_over_turns() -> None:
    (leak,) = find("I am Martha Quill", "feather, hello")
    assert leak == Leak(0, 5, 1, 7, "PERSON", "split")
    (leak,) = find("it is 1 555 123", "go on", "4567 thanks", speakers=("user", "agent", "user"))
    assert leak == Leak(0, 6, 2, 4, "PHONE_NUMBER", "split")
    (leak,) = find("7 elm", "yes?", "court springvale", speakers=("user", "agent", "user"))
    assert leak == Leak(0, 0, 2, 16, "LOCATION", "split")


def test_never_joins_two_conversations() -> None:
    index = SecretIndex.build(VALUES, KEY)
    found = index.find_all([Transcript(("I am Martha",)), Transcript(("Quillfeather",)), Transcript(("28013",))])
    assert [len(leaks) for leaks in found] == [0, 0, 1]


@pytest.mark.parametrize(
    ("value", "entity_type", "reason"),
    [
        ("May", "PERSON", "ordinary words"),
        ("Will", "PERSON", "ordinary words"),
        ("tomorrow", "DATE_TIME", "ordinary words"),
        ("next Monday", "DATE_TIME", "ordinary words"),
        ("12 March", "DATE_TIME", "ordinary words"),
        ("40 minutes", "DATE_TIME", "ordinary words"),
        ("5", "AGE", "too short"),
        ("2024", "DATE_TIME", "too short"),
        ("Li", "PERSON", "too short"),
        ("20000", "ID", "common number"),
        ("", "PERSON", "too short"),
        ("🙂", "PERSON", "too short"),
    ],
)
def test_counts_what_cannot_be_searched(value: str, entity_type: str, reason: str) -> None:
    index = SecretIndex.build([(value, entity_type)] * 3, KEY)
    assert index.unsearchable == {reason: 1}
    assert (index.searched, len(index)) == (0, 1)
    assert index.find([f"well {value} then"]) == ()


def test_words_of_house_texts_are_ordinary() -> None:
    values = [("Kettle", "PERSON"), ("Blandford", "PERSON"), ("Ms Blandford Quill", "PERSON")]
    index = SecretIndex.build(values, KEY, allowed=["Is the Blandford kettle broken?"])
    assert index.unsearchable == {"ordinary words": 2}
    assert len(index.find(["the blandford quill and the blandford kettle"])) == 1


def test_contains_answers_for_every_value() -> None:
    index = SecretIndex.build([*VALUES, ("May", "PERSON"), ("Li", "PERSON")], KEY)
    for value in ("MARTHA quillfeather", "may", "Li", "jose nunez", "1.555.123.4567", "5 5 5 1 2 3 4 5 6 7"[2:]):
        assert index.contains(value)
    for value in ("Bob Stone", "Mary", "5559876543", "Martha"):
        assert not index.contains(value)


def test_key_must_be_long() -> None:
    with pytest.raises(SeedEngineError):
        SecretIndex.build([], b"short")


# ---- any value of 12 letters and digits or more, in any listed disguise, anywhere

LETTERS = "abcdefghijklmnopqrstuvwxyzáéíóúñçABCDEFGHIJKLMNOPQRSTUVWXYZÁÉÑ"
NAMES = st.text(LETTERS, min_size=5, max_size=12)
PEOPLE = st.tuples(NAMES, st.text(LETTERS, min_size=7, max_size=14)).map(" ".join)
NUMBERS = st.text("0123456789", min_size=9, max_size=16).filter(lambda digits: len(set(digits)) > 3)


def _spaced(text: str, separator: str, step: int) -> str:
    return separator.join(text[i : i + step] for i in range(0, len(text), step))


def _plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


DISGUISES: list[Callable[[str], str]] = [
    str.upper,
    str.lower,
    str.swapcase,
    _plain,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: text.replace(" ", ""),
    lambda text: text.replace(" ", " - "),
    lambda text: _spaced(text, " ", 1),
    lambda text: _spaced(text, "-", 3),
    lambda text: _spaced(text, "·", 2).upper(),
]
AROUND = st.text(st.characters(exclude_categories=["Cs", "M"]), max_size=30)


@settings(max_examples=300, deadline=None)
@given(PEOPLE | NUMBERS, st.sampled_from(DISGUISES), AROUND, AROUND)
def test_any_long_secret_is_found_in_any_disguise_in_any_text(
    secret: str, disguise: Callable[[str], str], before: str, after: str
) -> None:
    entity_type = "PHONE_NUMBER" if secret.isdecimal() else "PERSON"
    index = SecretIndex.build([(secret, entity_type)], KEY)
    if not index.unsearchable:  # two ordinary words, or a round number: declared, and tested above
        assert index.find([before + disguise(secret) + after])


@settings(max_examples=200, deadline=None)
@given(PEOPLE | NUMBERS, st.data())
def test_any_long_secret_is_found_split_over_turns(secret: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(secret) - 1))
    turns = (f"well {secret[:cut]}", "go on", f"{secret[cut:]} that is it")
    index = SecretIndex.build([(secret, "PERSON")], KEY)
    if not index.unsearchable:
        assert index.find(turns, ("user", "agent", "user"))
        assert index.find([turns[0], turns[2]])


@settings(max_examples=200, deadline=None)
@given(st.text(LETTERS.lower()[:26], min_size=6, max_size=11), st.sampled_from(DISGUISES))
def test_a_shorter_word_is_found_where_it_stands_as_a_word(secret: str, disguise: Callable[[str], str]) -> None:
    index = SecretIndex.build([(secret, "PERSON")], KEY)
    written = disguise(secret)
    if index.unsearchable:
        return
    pieces = written.replace("-", " ").replace("·", " ").lower().split()
    ambiguous = len(pieces) > 1 and any(len(p) > 1 for p in pieces) and all(map(is_ordinary, pieces))
    assert bool(index.find([f"so, {written}!"])) is not ambiguous


TALK = """
the quick agent said that your order has been sent to our store and we will call you when it is ready so please
wait a moment can i help with anything else today no thanks my knee hurts since monday take two tablets after a
meal how much is half of twenty four add them up and an answer will come do not worry about your bill it was paid
in march see you soon
"""
WORDS = TALK.split()


def test_false_alarms_on_ten_thousand_template_sentences_stay_under_one_in_a_thousand() -> None:
    stream = random.Random(20261202)
    faker = pytest.importorskip("faker").Faker(["en_US", "es_ES"])
    faker.seed_instance(7)
    values = [(faker.name(), "PERSON") for _ in range(2000)] + [(faker.first_name(), "PERSON") for _ in range(1000)]
    values += [(faker.phone_number(), "PHONE_NUMBER") for _ in range(1000)] + [(faker.address(), "LOCATION")] * 500
    values += [(str(stream.randrange(10**4, 10**6)), "ID") for _ in range(1000)]
    index = SecretIndex.build(values, KEY)
    numbers = ["7", "12", "400", "2024", "90", "3.50"]
    sentences = [
        Transcript((" ".join(stream.choices([*WORDS, stream.choice(numbers), "[PERSON_1]"], k=15)),))
        for _ in range(10_000)
    ]
    alarms = sum(1 for leaks in index.find_all(sentences) if leaks)
    assert alarms <= 10


# ---- the index gives nothing away


def test_index_holds_no_part_of_a_value() -> None:
    secrets = [("Zyxwvut Qponmlk", "PERSON"), ("Quetzalbrook Lane", "LOCATION"), ("777-31-9042", "US_SSN")]
    index = SecretIndex.build(secrets, KEY)
    parts = [b"zyxwv", b"qponm", b"quetzal", b"77731", b"9042", b"31-90"]
    seen: set[int] = set()
    waiting: list[object] = [index]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type):
            continue
        seen.add(id(thing))
        raw = thing.tobytes() if hasattr(thing, "tobytes") else repr(thing).encode()
        flat = raw.lower() + raw.lower().replace(b"\0", b"")
        assert not any(part in flat for part in parts)
        if not callable(thing):
            waiting += gc.get_referents(thing)
    assert len(seen) > 5


def test_index_is_neither_pickled_nor_shown() -> None:
    index = SecretIndex.build(VALUES, KEY)
    with pytest.raises(SeedEngineError):
        pickle.dumps(index)
    shown = repr(index) + str(index) + repr(index.find(["ask Martha Quillfeather"]))
    assert "uillf" not in shown
    assert KEY.decode() not in shown


def test_two_keys_share_no_hash() -> None:
    one, two = (SecretIndex.build(VALUES, key) for key in (KEY, KEY[::-1]))
    assert not set(one._marks._digests.tolist()) & set(two._marks._digests.tolist())


def test_rolling_search_finds_what_a_naive_search_finds() -> None:
    stream = random.Random(3)
    values = ["".join(stream.choices("abc", k=stream.randint(12, 16))) for _ in range(30)]
    index = SecretIndex.build([(value, "ID") for value in values], KEY)
    for _ in range(50):
        text = "".join(stream.choices("abc", k=400)) + stream.choice(values) + "".join(stream.choices("abc", k=50))
        naive = {i for value in values for i in range(len(text)) if text.startswith(value, i)}
        assert {leak.start for leak in index.find([text])} <= naive
        assert len(naive) == 0 or index.find([text])


@pytest.mark.slow
def test_rate_is_at_least_four_megabytes_a_second() -> None:
    stream = random.Random(5)
    faker = pytest.importorskip("faker").Faker()
    index = SecretIndex.build([(faker.name(), "PERSON") for _ in range(20_000)], KEY)
    calls = [
        Transcript(tuple(" ".join(stream.choices(WORDS, k=14)) for _ in range(12)), ("user", "agent") * 6)
        for _ in range(5000)
    ]
    size = sum(len(turn) for call in calls for turn in call.turns)
    start = time.process_time()
    index.find_all(calls)
    assert size / 1e6 / (time.process_time() - start) > 4


def test_five_megabytes_in_one_turn() -> None:
    text = "word " * 1_000_000 + "Martha Quillfeather"
    (leak,) = find(text)
    assert leak.start == 5_000_000


# ---- read out, and one edit away

SPOKEN = {"0": "oh", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
SPOKEN |= {"8": "eight", "9": "nine"}
SPANISH = "cero uno dos tres cuatro cinco seis siete ocho nueve".split()  # noqa: SIM905


@settings(max_examples=100, deadline=None)
@given(st.text("0123456789", min_size=7, max_size=16).filter(lambda digits: len(set(digits)) > 3), st.booleans())
def test_any_number_is_found_when_it_is_read_out(digits: str, in_spanish: bool) -> None:
    index = SecretIndex.build([(digits, "ID")], KEY)
    if index.unsearchable:
        return
    said = " ".join(SPANISH[int(digit)] if in_spanish else SPOKEN[digit] for digit in digits)
    (leak,) = index.find([f"my number is {said}, thank you"])
    assert (leak.start, leak.end, leak.how) == (13, 13 + len(said), "digits")


def test_read_out_with_words_between_and_over_turns() -> None:
    values = [("482 915 736", "ID")]
    assert find("four eight two, then nine 1 five, and seven three six", values=values)[0].how == "digits"
    (leak,) = find("four eight two nine", "go on", "one five seven three six ok", values=values)
    assert (leak.turn, leak.start, leak.end_turn, leak.end) == (0, 0, 2, 24)
    assert find("call 482 one moment please 915 736", values=values)
    assert find("four eight two", "nine one five seven three", values=values) == []
    # Seven in a row are a number, seven scattered ones are not.
    values = [("4829157", "ID")]
    assert find("four, eight, two, nine, one, five, seven", values=values)
    assert find("four of eight took two of nine and one more of five for seven", values=values) == []
