"""The detector: spans in range, sorted, apart; markers and everyday words let alone; the same text, the same finds."""

import itertools
import socket
from concurrent.futures import ThreadPoolExecutor
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.spans import EntitySpan
from tests.clock import growth

HYBRID = Detector(DetectorConfig())
REGEX = Detector(DetectorConfig(engine="regex"))

pieces = st.sampled_from(
    ["my name is ", "Ann Lee", "josé", "@", "+34 612 345 678", "a@b.example", " on ", "3 May 1987", "[PATIENT_1]",
     "[", "1_]",
     "\n", "é", "é", "日本", "👍", " ", "password: x9$kk!Q2", "4111 1111 1111 1111", "■", "‮", "mrn 123456"]
)  # fmt: skip
texts = st.lists(pieces, max_size=12).map("".join)


def values(detector: Detector, text: str) -> list[str]:
    return [text[span.start : span.end] for span in detector.detect(text)]


def assert_sound(text: str, spans: tuple[EntitySpan, ...]) -> None:
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(0 <= span.score <= 1 for span in spans)


@given(texts | st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_spans_are_in_range_sorted_and_apart(text: str) -> None:
    for detector in (HYBRID, REGEX):
        assert_sound(text, detector.detect(text))


@given(texts)
@settings(max_examples=40, deadline=None)
def test_the_written_form_of_a_letter_changes_nothing(text: str) -> None:
    composed, apart = normalize("NFC", text), normalize("NFD", text)
    for detector in (HYBRID, REGEX):
        assert [normalize("NFC", v) for v in values(detector, apart)] == values(detector, composed)


@given(texts)
@settings(max_examples=40, deadline=None)
def test_the_same_text_gives_the_same_finds(text: str) -> None:
    assert HYBRID.detect(text) == HYBRID.detect(text) == HYBRID.detect_many(["hello", text, "bye"], "en")[1]


@pytest.mark.parametrize("engine", ["hybrid", "fast", "presidio", "regex", "ner", "classifier"])
def test_every_engine_finds_a_plain_sentence(engine: str) -> None:
    detector = Detector(DetectorConfig(engine=engine))
    text = "My name is John Carpenter and my mail is john.carpenter@mail.example.com"
    found = values(detector, text)
    assert any("Carpenter" in v for v in found) or engine == "regex"
    assert "john.carpenter@mail.example.com" in found or engine == "ner"


@pytest.mark.parametrize(
    "text",
    ["Good morning", "tomorrow", "See you Monday", "in two weeks", "5 mg", "120/80", "Hi", "Thanks",
     "Hello, how can I help?",
     "Hi [PATIENT_1], this is [DOCTOR_1]. Good morning!", "[PATIENT_1]", "call [PHONE_1] tomorrow at 9:30",
     "Buenos días", "mañana", "hasta el lunes", "Hola, soy [AGENT_1]", "Gracias, [CUSTOMER_1]", "la próxima semana"],
)  # fmt: skip
def test_markers_and_everyday_words_are_never_found(text: str) -> None:
    assert values(HYBRID, text) == []


TALKS = [
    ["Hi, my name is Priscilla Quillfeather and I live at 12 Oak Street, Troy.", "Thanks Priscilla, your birthday?",
     "3 May 1987, and my mail is p.quill@mail.example"],
    ["hola, me llamo lucía peña", "gracias lucía, ¿su dni?", "12345678Z y mi móvil es 612 34 56 78"],
    ["this is dr tanaka calling about john", "john who?", "John Castellanos, mrn 884213, seen on 04/16"],
    ["my password is x9$kk!Q2 and my card is 4111 1111 1111 1111", "please never send that. your username?", "mk_77"],
]  # fmt: skip


@pytest.mark.parametrize("turns", TALKS)
def test_after_replacing_finds_by_markers_nothing_new_is_found(turns: list[str]) -> None:
    number, replaced = 0, []
    for text, spans in zip(turns, HYBRID.detect_conversation(conversation(*turns)), strict=True):
        for span in reversed(spans):
            number += 1
            text = f"{text[: span.start]}[PERSON_{number}]{text[span.end :]}"
        replaced.append(text)
    assert number >= 3
    assert HYBRID.detect_conversation(conversation(*replaced)) == ((),) * len(turns)


def conversation(*turns: str, language: str | None = None) -> Conversation:
    return Conversation(id="c", turns=tuple(Turn(role="user", text=text) for text in turns), language=language)


def test_a_value_of_one_turn_is_found_in_all() -> None:
    spans = HYBRID.detect_conversation(conversation("My name is Priscilla Quillfeather.", "ok", "thx priscilla"))
    assert [len(items) for items in spans] == [1, 0, 1]


def test_one_tuple_for_each_turn_even_where_it_is_empty() -> None:
    assert HYBRID.detect_conversation(conversation("", " ", "\n\n", "ok")) == ((), (), (), ())


def test_many_conversations_equal_one_by_one() -> None:
    talks = [conversation(f"hi, i'm Marta Ruiz{i}", "mail marta@mail.example") for i in range(40)]
    assert list(REGEX.detect_conversations(talks)) == [REGEX.detect_conversation(talk) for talk in talks]


def test_language_is_detected_where_none_is_given() -> None:
    text = "hola, me llamo lucía peña y mi dni es 12345678Z"
    assert "lucía peña" in values(REGEX, text) or "lucía peña" in [
        text[s.start : s.end] for s in HYBRID.detect(text, language=None)
    ]


def test_threads_may_share_a_detector() -> None:
    fresh = Detector(DetectorConfig())
    talk = "My name is John Carpenter, born 3 May 1987, call +44 7700 900123"
    with ThreadPoolExecutor(4) as pool:
        results = set(pool.map(fresh.detect, [talk] * 8))
    assert results == {HYBRID.detect(talk)}


def test_no_network_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for engine in ("hybrid", "presidio", "fast"):
        assert "a.b@mail.example.com" in values(
            Detector(DetectorConfig(engine=engine)), "write to a.b@mail.example.com"
        )


def test_a_long_text_costs_as_much_as_its_parts() -> None:
    line = "On 3 May 1987 Ann Lee (ann.lee@mail.example) paid 20 dollars, call 415-555-0132 and wait.\n"
    # Four times as long; a quadratic step would take sixteen times as long.
    assert growth(lambda: REGEX.detect(line * 1600), lambda: REGEX.detect(line * 400), rounds=3) < 8
