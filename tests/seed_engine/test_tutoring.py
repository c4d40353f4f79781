"""Lessons: arithmetic is let alone, word problems' people are told from people in the room, in doubt names hide."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.math_text import density, expressions
from seed_engine.numeric_context import drop_numbers, numeric_profile
from seed_engine.room_people import is_in_problem, is_in_room, mention_at
from seed_engine.segments import inside, math_segments
from seed_engine.spans import EntitySpan
from seed_engine.tutoring_profile import apply_tutoring
from seed_engine.word_vectors import WordVectors

HYBRID = Detector(DetectorConfig())
VECTORS = WordVectors()


def lesson(*turns: str, domain: str | None = "tutoring", form: str = "conversation") -> Conversation:
    roles = ("tutor", "student")
    spoken = tuple(Turn(role=roles[i % 2], text=text) for i, text in enumerate(turns))
    return Conversation.model_validate({"id": "lesson", "turns": spoken, "domain": domain, "form": form})


def found(conversation: Conversation, detector: Detector = HYBRID) -> list[str]:
    turns = zip(conversation.turns, detector.detect_conversation(conversation), strict=True)
    return [turn.text[span.start : span.end] for turn, spans in turns for span in spans]


def place(text: str, name: str) -> tuple[int, int]:
    start = text.index(name)
    return start, start + len(name)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("So 9351 / 7 is it", ["9351 / 7"]),
        ("200 GB - 80 GB = 120 GB", ["200 GB - 80 GB = 120"]),
        ("y = -2x + 5 slope?", ["y = -2x + 5"]),
        ("the point (3, -2) lies there", ["(3, -2)"]),
        ("15% tip on $48", ["15%", "$48"]),
        ("shared in 3:5", ["3:5"]),
        ("call 409-788-0211", []),
        ("born 02/03/2014 or 11-01-16", []),
        ("username maria_math369", []),
        ("2 apples and 3 pears", []),
    ],
)
def test_expressions_are_operations_and_not_numbers_of_people(text: str, wanted: list[str]) -> None:
    assert [text[start:end] for start, end in expressions(text)] == wanted


@given(st.text(alphabet="0123456789+-*/=x()., $%abc\n", max_size=80))
@settings(max_examples=200, deadline=None)
def test_expressions_are_sorted_apart_and_in_range(text: str) -> None:
    places = expressions(text)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(a[1] <= b[0] for a, b in pairwise(places))
    assert density(text) >= 0


MATHS = "So 3/4 of 24 is 0.75 x 24 = 18, and how many are left in total?"


def test_a_segment_grows_to_near_messages_alone() -> None:
    texts = ["hello", MATHS, "yes, divide the sum by 4", MATHS, "my cat ran off last night and my aunt is sad", "ok"]
    flags = inside(math_segments(texts, VECTORS), len(texts))
    assert flags[1:4] == (True, True, True)
    assert not flags[4]
    assert inside(math_segments(["hi", "how was the match?"], VECTORS), 2) == (False, False)


def test_segments_without_closeness_are_the_anchors() -> None:
    texts = ["hello there", MATHS, "good", "bye", MATHS]
    segments = math_segments(texts, VECTORS, closeness=9.0)
    assert [(segment.start, segment.end) for segment in segments] == [(1, 2), (4, 5)]


IN_ROOM = [
    ("Hi Quill, can you tell me how you got 40?", "Quill"),
    ("Hi Ana and Quill, what is 3 x 4?", "Quill"),
    ("thanks Quill! 12 is right", "Quill"),
    ("quill, what does twice 5 mean?", "quill"),
    ("Can you add 3 and 4, Quill?", "Quill"),
    ("We will meet again on Monday, quill.", "quill"),
    ("my name is Quill", "Quill"),
    ("my teacher Ms. Quill said 3/4 is bigger", "Quill"),
    ("Mrs. Quill is absent today", "Quill"),
    ("Quill got 24 too", "Quill"),
    ("me and Quill got 24", "Quill"),
    ("can you call my mom Quill at 409-788-0211", "Quill"),
    ("hola Quill, ¿cuánto es 3 x 4?", "Quill"),
    ("muy bien, Quill. ahora 3 x 5", "Quill"),
    ("mi profe Quill dice que son 12", "Quill"),
]
IN_PROBLEM = [
    ("If Quill has 5 apples, how many are left?", "Quill"),
    ("How many crates did Quill sell over the weekend?", "Quill"),
    ("So Quill spent $20 on books", "Quill"),
    ("twice as many as Quill, so 12", "Quill"),
    ("Quill's age is 12", "Quill"),
    ("Quill and Tom share 24 marbles", "Quill"),
    ("Si Quill tiene 5 manzanas y compra 7", "Quill"),
    ("You were right. Quill does deposit $6", "Quill"),
    ("This is because Quill currently has 28 posters", "Quill"),
    ("so 25 is the weight of Tyler and Quill. We subtract it", "Quill"),
    ("let us give 12 to Marvin and Quill?", "Quill"),
]


@pytest.mark.parametrize(("text", "name"), IN_ROOM)
def test_people_in_the_room_are_known_by_how_they_are_spoken_of(text: str, name: str) -> None:
    assert is_in_room(mention_at(text, *place(text, name)))


@pytest.mark.parametrize(("text", "name"), IN_PROBLEM)
def test_people_of_word_problems_count_in_third_person(text: str, name: str) -> None:
    mention = mention_at(text, *place(text, name))
    assert is_in_problem(mention)
    assert not is_in_room(mention)


def judged(*texts: str, name: str, speakers: tuple[str, ...] = ()) -> list[int]:
    """How many finds of a name each turn keeps when every mention of it was found."""
    spans = []
    for text in texts:
        at = [i for i in range(len(text)) if text.startswith(name, i)]
        spans.append(tuple(EntitySpan(i, i + len(name), "PERSON", 0.9, "classifier") for i in at))
    return [len(kept) for kept in apply_tutoring(texts, spans, speakers, VECTORS)]


PROBLEM = "If Quill has 5 apples and buys 7 more, how many are there in total? 5 + 7 = 12"


def test_one_mention_in_the_room_hides_a_name_everywhere() -> None:
    assert judged(PROBLEM, "12", PROBLEM, name="Quill") == [0, 0, 0]
    assert judged(PROBLEM, "12", "well done Quill!", PROBLEM, name="Quill") == [1, 0, 1, 1]
    assert judged(PROBLEM, "12", name="Quill", speakers=("Quill P.",)) == [1, 0]


def test_in_doubt_a_name_is_hidden() -> None:
    assert judged(PROBLEM.replace("Quill", "Tom"), "Quill.", name="Quill") == [0, 1]


def test_a_login_makes_its_name_somebodys() -> None:
    texts = [PROBLEM, "log in as quill77"]
    spans = [(EntitySpan(3, 8, "PERSON", 0.9, "x"),), (EntitySpan(10, 17, "USERNAME", 0.9, "x"),)]
    assert [len(kept) for kept in apply_tutoring(texts, spans, (), VECTORS)] == [1, 1]


def test_a_lesson_keeps_its_arithmetic_and_loses_its_people() -> None:
    talk = lesson(
        "Hi Tyler! Maria has 12 apples and gives 5 to Tom. How many are left?",
        "12 - 5 = 7 so Maria has 7. my email is ty.rex@mail.example",
        "Right, 7. Now 9351 / 7, and 3/4 of 24?",
        "1335.857 and 18. my student id is 4471293",
    )
    assert found(talk) == ["Tyler", "ty.rex@mail.example", "4471293"]


@pytest.mark.parametrize(("question", "kept"), [("what's your student id?", 1), ("what is the sum?", 0)])
def test_an_answer_is_read_with_its_question(question: str, kept: int) -> None:
    value = EntitySpan(0, 4, "ID_OTHER", 0.9, "classifier")
    result = apply_tutoring([MATHS, question, "4471", MATHS], [(), (), (value,), ()], (), VECTORS)
    assert len(result[2]) == kept


@pytest.mark.parametrize(
    ("domain", "text", "value", "kind", "kept"),
    [
        ("medical", "take 5 mg twice", "5", "ID_OTHER", False),
        ("medical", "bp was 120/80 this morning", "120/80", "DATE_TIME", False),
        ("medical", "ibuprofen Q4 hours", "Q4", "ID_OTHER", False),
        ("medical", "mrn 884213", "884213", "MEDICAL_RECORD", True),
        ("medical", "she is 41 years old", "41", "AGE", True),
        ("medical", "seen on 04/16/2024", "04/16/2024", "DATE_TIME", True),
        ("support", "it was $59.99", "59.99", "ID_OTHER", False),
        ("support", "the X200 does not fit", "X200", "ID_OTHER", False),
        ("support", "my order is 4471293", "4471293", "ID_OTHER", True),
        ("support", "reach me at 667.613.6959", "667.613.6959", "PHONE_NUMBER", True),
        ("support", "only 20 Mbps here", "Mbps", "PERSON", False),
    ],
)
def test_each_domain_has_its_harmless_numbers(domain: str, text: str, value: str, kind: str, kept: bool) -> None:
    start, end = place(text, value)
    span = EntitySpan(start, end, kind, 0.9, "classifier")
    assert bool(drop_numbers(text, [span], numeric_profile(domain))) is kept


@pytest.mark.parametrize(
    ("text", "value", "kept"),
    [
        ("so he has 36865000 followers in total", "36865000", False),
        ("31 + 0.181818181 = 31.18", "181818181", False),
        ("What is 200-90-45 in total?", "200-90-45", False),
        ("this is mine 612 345 678 ok", "612 345 678", True),
        ("12 + 3 = 15 and 409-788-0211", "409-788-0211", True),
        ("Since 2/3 of 36 is 24", "ce 2/3 of 36", False),
    ],
)
def test_inside_mathematics_a_number_proves_itself_by_its_shape(text: str, value: str, kept: bool) -> None:
    span = EntitySpan(*place(text, value), "PHONE_NUMBER", 0.9, "classifier")
    assert bool(drop_numbers(text, [span], numeric_profile("tutoring"), everywhere=True)) is kept


def test_other_domains_and_documents_are_not_touched() -> None:
    off = Detector(DetectorConfig(profiles=False))
    turns = ("Hi, Maria has 12 apples and John Castellanos has 5, call 555-010-2233", "12 - 5 = 7 on 01/16")
    for talk in (lesson(*turns, domain="legal"), lesson(turns[0], form="document")):
        assert HYBRID.detect_conversation(talk) == off.detect_conversation(talk)


def test_the_same_name_twice_gives_the_same_finds() -> None:
    talk = lesson("Hi Tyler, what is 3 x 4?", "12. Maria has 12 apples")
    assert HYBRID.detect_conversation(talk) == HYBRID.detect_conversation(talk)
