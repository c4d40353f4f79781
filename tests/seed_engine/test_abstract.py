"""The same thing gets the same marker, people get their role, and a source's own markers are never ours."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.abstract import abstract
from seed_engine.conversation import Conversation, Turn
from seed_engine.markers import Marker, iter_markers
from seed_engine.readers import read_conversations
from seed_engine.spans import EntitySpan

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MARKED = re.compile(r"<([A-Z_]+)\|([^<>|]*)>")


def tagged(turns: list[tuple[str, str]], **more: str) -> tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]]:
    """A conversation and its spans from texts with `<TYPE|value>` in them; `<value|>` stands for a person."""
    built, spans = [], []
    for role, marked in turns:
        text, found, at = "", [], 0
        for match in MARKED.finditer(marked):
            text += marked[at : match.start()]
            found.append(EntitySpan(len(text), len(text) + len(match[2]), match[1], 1.0, "test"))
            text, at = text + match[2], match.end()
        built.append(Turn(role=role, text=text + marked[at:]))
        spans.append(tuple(found))
    return Conversation(id="c", turns=tuple(built), **{"language": "en"} | more), tuple(spans)


def markers(turns: list[tuple[str, str]], **more: str) -> list[str]:
    return [str(span.marker) for found in abstract(*tagged(turns, **more)).marked for span in found]


@pytest.mark.parametrize(
    "other",
    [
        "Ana Ruiz",
        "Ana",
        "Ruiz",
        "ana",
        "ANA RUIZ",
        "ruiz",
        "Ana Ruiz's",
        "A. Ruiz",
        "A.R.",
        "AR",
        "Mrs. Ruiz",
        "Aña Ruíz",
        "ana.ruiz",
        "aruiz",
        "Anna Ruiz",
        "Ana María Ruiz",
    ],
)
def test_every_way_of_naming_one_person_is_one_marker(other: str) -> None:
    turns = [("patient", "my name is <PERSON|Ana Ruiz>"), ("doctor", f"I have <PERSON|{other}> here")]
    assert markers(turns, domain="medical") == ["[PATIENT_1]", "[PATIENT_1]"]


@pytest.mark.parametrize("other", ["Bob Smith", "Bobby", "Robert", "Rob Smith", "Robret Smith"])
def test_nicknames_and_slips(other: str) -> None:
    turns = [("customer", "I'm <PERSON|Robert Smith>"), ("agent", f"I see <PERSON|{other}> called before")]
    assert markers(turns, domain="support") == ["[CUSTOMER_1]", "[CUSTOMER_1]"]


@pytest.mark.parametrize("other", ["Ana Soto", "Berta", "Anabel", "B. Ruiz", "Daniela", "Maria"])
def test_other_people_are_other_markers(other: str) -> None:
    turns = [("patient", "my name is <PERSON|Ana Ruiz>"), ("doctor", f"I saw <PERSON|{other}> yesterday")]
    first, second = markers(turns, domain="medical")
    assert first == "[PATIENT_1]"
    assert second != first


ROLES: list[tuple[str, list[tuple[str, str]], list[str]]] = [
    ("medical", [("patient", "Hello Dr. <PERSON|Ruiz>"), ("doctor", "Hi <PERSON|Ana>,")], ["DOCTOR", "PATIENT"]),
    ("medical", [("patient", "my daughter <PERSON|Ana> drove me"), ("doctor", "ok")], ["RELATIVE"]),
    ("medical", [("patient", "mi hija <PERSON|Ana> me trajo"), ("doctor", "vale")], ["RELATIVE"]),
    ("medical", [("patient", "<PERSON|Ana>, my wife, is outside"), ("doctor", "ok")], ["RELATIVE"]),
    (
        "medical",
        [("relative", "my son <PERSON|Leo> has a fever"), ("doctor", "how old is <PERSON|Leo>?")],
        ["PATIENT"] * 2,
    ),
    (
        "medical",
        [("doctor", "soy la doctora <PERSON|Blanco>"), ("patient", "gracias, <PERSON|Blanco>")],
        ["DOCTOR"] * 2,
    ),
    ("medical", [("nurse", "Your name please?"), ("patient", "<PERSON|Leo Paz>, born in May")], ["PATIENT"]),
    ("support", [("agent", "Support, <PERSON|Leo> speaking."), ("customer", "thx <PERSON|leo>")], ["AGENT"] * 2),
    ("support", [("agent", "am I speaking with <PERSON|Leo Paz>?"), ("customer", "yes")], ["CUSTOMER"]),
    ("support", [("customer", "your technician <PERSON|Leo> was late"), ("agent", "sorry")], ["AGENT"]),
    ("support", [("customer", "its <PERSON|leo paz>"), ("agent", "Thanks <PERSON|Leo>!")], ["CUSTOMER"] * 2),
    ("support", [("customer", "I met <PERSON|Leo Paz> in a bar"), ("agent", "ok")], ["PERSON"]),
    ("tutoring", [("student", "hi mr <PERSON|paz>"), ("tutor", "Well done, <PERSON|Eva>!")], ["TUTOR", "STUDENT"]),
    ("tutoring", [("student", "my mom is <PERSON|Eva>"), ("tutor", "ok")], ["PARENT"]),
    ("tutoring", [("parent", "my daughter <PERSON|Eva> needs help"), ("tutor", "sure")], ["STUDENT"]),
    ("tutoring", [("tutor", "<PERSON|Maya> has 3 apples, <PERSON|Leo> has 2"), ("student", "5")], ["PERSON", "PERSON"]),
]


@pytest.mark.parametrize(("domain", "turns", "kinds"), ROLES)
def test_roles_come_from_speakers_and_cues(domain: str, turns: list[tuple[str, str]], kinds: list[str]) -> None:
    assert [marker[1:].rsplit("_", 1)[0] for marker in markers(turns, domain=domain)] == kinds


def test_a_span_that_took_cue_words_along_is_still_read() -> None:
    turns = [("agent", "Hola, <PERSON|soy Marcia>"), ("customer", "Vale, gracias <PERSON|Marcia>")]
    assert markers(turns, domain="support", language="es") == ["[AGENT_1]", "[AGENT_1]"]


def test_two_people_of_one_first_name_stay_apart() -> None:
    turns = [("patient", "I'm <PERSON|Ana>"), ("doctor", "Hi"), ("patient", "my daughter <PERSON|Ana> is outside")]
    assert markers(turns, domain="medical") == ["[PATIENT_1]", "[RELATIVE_1: daughter]"]


THINGS = [
    ("DATE_TIME", "March 3rd, 1985", "03/03/1985"),
    ("DATE_TIME", "3 March 1985", "1985-03-03"),
    ("DATE_TIME", "April 5", "4/5"),
    ("PHONE_NUMBER", "(555) 010-2030", "+1 555 010 2030"),
    ("EMAIL_ADDRESS", "a.b@x.org", "A.B@X.ORG"),
    ("LOCATION", "São Paulo", "sao paulo"),
    ("CREDIT_CARD", "4111 1111 1111 1234", "4111111111111234"),
    ("CREDIT_CARD", "4111111111111234", "1234"),
    ("CREDIT_CARD", "1234", "4111111111111234"),
    ("URL", "https://www.x.org/a/", "x.org/a"),
    ("US_SSN", "123-45-6789", "123456789"),
]


@pytest.mark.parametrize(("entity_type", "one", "other"), THINGS)
def test_one_thing_in_two_spellings_is_one_marker(entity_type: str, one: str, other: str) -> None:
    first, second = markers([("a", f"it is <{entity_type}|{one}>"), ("b", f"<{entity_type}|{other}>?")])
    assert first == second


@pytest.mark.parametrize(
    ("entity_type", "one", "other"),
    [
        ("DATE_TIME", "March 3, 1985", "March 3, 1986"),
        ("DATE_TIME", "3/4", "4/3"),
        ("PHONE_NUMBER", "555 010 2030", "555 010 2031"),
        ("PASSWORD", "Abc123", "abc123"),
        ("AGE", "34", "35"),
    ],
)
def test_different_things_are_different_markers(entity_type: str, one: str, other: str) -> None:
    first, second = markers([("a", f"it is <{entity_type}|{one}>"), ("b", f"<{entity_type}|{other}>?")])
    assert first != second


def test_spanish_dates_put_the_day_first() -> None:
    turns = [("a", "el <DATE_TIME|3 de abril>"), ("b", "el <DATE_TIME|3/4>?")]
    assert len(set(markers(turns, language="es"))) == 1


def test_an_email_belongs_to_whom_it_names() -> None:
    turns = [("customer", "I'm <PERSON|Ana Ruiz>, <EMAIL_ADDRESS|aruiz84@mail.org>"), ("agent", "ok")]
    abstraction = abstract(*tagged(turns, domain="support"))
    assert abstraction.owners == {Marker("EMAIL", 1): Marker("CUSTOMER", 1)}


def test_a_marker_in_the_source_is_kept_and_its_number_skipped() -> None:
    turns = [
        ("patient", "the form says [PATIENT_1], but my name is <PERSON|Ana>"),
        ("doctor", "[DATE_1]? <DATE_TIME|May 3>"),
    ]
    abstraction = abstract(*tagged(turns, domain="medical"))
    assert abstraction.texts == ("the form says [PATIENT_1], but my name is [PATIENT_2]", "[DATE_1]? [DATE_2]")


def test_a_span_on_a_marker_of_the_source_is_dropped() -> None:
    conversation = Conversation(id="c", language="en", turns=(Turn(role="a", text="I am [PATIENT_1]"),))
    spans = ((EntitySpan(6, 15, "PERSON", 1.0, "test"),),)
    assert abstract(conversation, spans).texts == ("I am [PATIENT_1]",)


def test_overlapping_and_outlying_spans_leave_nothing_behind() -> None:
    conversation = Conversation(id="c", language="en", turns=(Turn(role="a", text="call Ana Ruiz now"),))
    spans = tuple(
        EntitySpan(a, b, kind, 1.0, "t") for a, b, kind in [(5, 8, "PERSON"), (7, 13, "LOCATION"), (16, 99, "AGE")]
    )
    assert abstract(conversation, (spans,)).texts == ("call [LOCATION_1: city] no[AGE_1]",)


def test_repr_tells_no_text() -> None:
    assert "Ana" not in repr(abstract(*tagged([("patient", "I'm <PERSON|Ana Ruiz>"), ("doctor", "ok")])))


def test_display_names_tell_who_speaks() -> None:
    turns = (
        Turn(role="speaker_1", text="hola", name="Ana Ruiz"),
        Turn(role="speaker_2", text="see you Ana", name="Bot"),
    )
    conversation = Conversation(id="c", language="en", domain="support", turns=turns)
    (span,) = abstract(conversation, ((), (EntitySpan(8, 11, "PERSON", 1.0, "t"),))).marked[1]
    assert str(span.marker) == "[CUSTOMER_1]"


def test_samples_gold_markers() -> None:
    people = role_right = marker_right = 0
    for file in sorted(SAMPLES.glob("*.jsonl")):
        golds = [json.loads(line) for line in (SAMPLES / "gold" / file.name).read_text("utf-8").splitlines()]
        for conversation, gold in zip(read_conversations(file), golds, strict=True):
            for turn, wanted in zip(conversation.turns, gold["turns"], strict=True):
                assert all(turn.text[span["start"] : span["end"]].strip() for span in wanted["spans"])
            spans = tuple(
                tuple(EntitySpan(s["start"], s["end"], s["entity_type"], 1.0, "gold") for s in turn["spans"])
                for turn in gold["turns"]
            )
            for wanted, found in zip(gold["turns"], abstract(conversation, spans).marked, strict=True):
                for span, got in zip(wanted["spans"], found, strict=True):
                    if span["entity_type"] == "PERSON":
                        people += 1
                        role_right += span["marker"].startswith(f"[{got.marker.kind}_")
                        marker_right += span["marker"] == f"[{got.marker.kind}_{got.marker.number}]"
    assert people > 300
    assert role_right / people >= 0.95
    assert marker_right / people >= 0.95


_pieces = st.sampled_from(
    ["Ana", "Ruiz", "[PATIENT_1]", "[DATE_9999]", " ", ", ", "Dr. ", "my son ", "3/4", "😊", "\u202e", "'s"]
)
_texts = st.lists(_pieces, max_size=8).map("".join)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]]:
    """Turns made of names, markers and signs, with any spans on them."""
    texts = draw(st.lists(_texts, min_size=1, max_size=6))
    types = st.sampled_from(["PERSON", "DATE_TIME", "EMAIL_ADDRESS", "CREDIT_CARD", "WHATEVER"])
    spans = []
    for text in texts:
        ends = st.integers(0, max(1, len(text)))
        drawn = draw(st.lists(st.tuples(ends, ends, types), max_size=4))
        spans.append(tuple(EntitySpan(min(a, b), max(a, b) + 1, kind, 1.0, "t") for a, b, kind in drawn))
    roles = draw(st.lists(st.sampled_from(["patient", "doctor", "x"]), min_size=len(texts), max_size=len(texts)))
    turns = tuple(Turn(role=role, text=text) for role, text in zip(roles, texts, strict=True))
    return Conversation(id="c", language="en", domain="medical", turns=turns), tuple(spans)


@settings(max_examples=300, deadline=None)
@given(conversations())
def test_marked_spans_are_apart_and_never_equal_to_a_marker_of_the_source(
    case: tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]],
) -> None:
    conversation, spans = case
    abstraction = abstract(conversation, spans)
    foreign = {marker for turn in conversation.turns for _, _, marker in iter_markers(turn.text)}
    for turn, marked in zip(conversation.turns, abstraction.marked, strict=True):
        assert all(one.end <= other.start for one, other in pairwise(marked))
        assert all(0 <= span.start < span.end <= len(turn.text) for span in marked)
        assert not foreign & {span.marker for span in marked}
    # Restoring what the markers stand for gives the source back: nothing else was touched.
    for turn, text, marked in zip(conversation.turns, abstraction.texts, abstraction.marked, strict=True):
        rest, kept, at = text, "", 0
        for span in marked:
            kept += turn.text[at : span.start] + str(span.marker)
            at = span.end
        assert rest == kept + turn.text[at:]
