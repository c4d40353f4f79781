"""Nothing of a source crosses into a seed but labels and markers, whatever the conversation and whatever was missed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.extract import MAX_STEPS, Secret, extract
from seed_engine.markers import MARKER_PATTERN
from seed_engine.readers import read_conversations
from seed_engine.schema import violations
from seed_engine.seed import Seed
from seed_engine.spans import EntitySpan
from seed_engine.vocabulary import vocabulary

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SEED_ID = "seed-000001"


def talk(*texts: str, roles: tuple[str, ...] = ("customer", "agent"), **more: Any) -> Conversation:
    turns = tuple(Turn(role=roles[i % len(roles)], text=text) for i, text in enumerate(texts))
    return Conversation(id="c", turns=turns, **{"language": "en"} | more)


def unspanned(conversation: Conversation) -> tuple[tuple[EntitySpan, ...], ...]:
    return tuple(() for _ in conversation.turns)


def seed_of(conversation: Conversation) -> Seed:
    seed = extract(conversation, unspanned(conversation), SEED_ID).seed
    assert seed is not None
    return seed


def alphabet() -> set[str]:
    """Every label of the vocabulary, collected from its files rather than from the code that uses them."""
    folder = Path(__file__).resolve().parents[2] / "seed_engine" / "data"
    raw = json.loads((folder / "vocabulary.json").read_text("utf-8"))
    labels = {label for value in raw.values() if isinstance(value, list) for label in value} | {"1"}
    for file in (folder / "domains").iterdir():
        profile = json.loads(file.read_text("utf-8"))
        labels |= {profile["name"], *profile["roles"], *profile["topics"], *profile["objectives"]}
    return labels


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


ALPHABET = alphabet()

_names = [
    "Ana",
    "Dr. Ruiz",
    "refund",
    "[PATIENT_1]",
    "[HACKED_7]",
    "order 12-34",
    "seed-000009",
    "bye",
    "?",
    "\u202e",
    "😊",
    "\x00",
    "$5",
]
_texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_names), max_size=8).map(" ".join))
_roles = st.one_of(
    st.sampled_from(["customer", "agent", "patient", "system", "Ana Ruiz", "student"]), st.text(min_size=1, max_size=8)
)
_domains = st.one_of(
    st.none(), st.sampled_from(["medical", "math-tutoring", "task-oriented/homes", "Ana Ruiz"]), st.text(max_size=8)
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]]:
    turns = draw(
        st.lists(st.builds(Turn, role=_roles, text=_texts, name=st.one_of(st.none(), _texts)), min_size=1, max_size=8)
    )
    spans = []
    for turn in turns:
        place = st.integers(0, len(turn.text) + 1)
        types = st.one_of(st.sampled_from(["PERSON", "AGE", "DATE_TIME", "EMAIL_ADDRESS"]), st.text(max_size=6))
        drawn = draw(st.lists(st.tuples(place, place, types), max_size=3))
        spans.append(tuple(EntitySpan(min(a, b), max(a, b), kind, 0.5, "t") for a, b, kind in drawn))
    language = draw(st.sampled_from([None, "en", "es", "es-MX", "EN"]))
    return Conversation(id="x", turns=tuple(turns), language=language, domain=draw(_domains)), tuple(spans)


@settings(max_examples=200, deadline=None)
@given(cases())
def test_every_string_of_a_seed_is_a_label_or_a_marker(
    case: tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]],
) -> None:
    conversation, spans = case
    extraction = extract(conversation, spans, SEED_ID)
    assert (extraction.seed is None) != (extraction.skipped is None)
    if extraction.seed is None:
        return
    assert violations(extraction.seed) == ()
    for text in strings(extraction.seed.model_dump(mode="json")):
        marker = MARKER_PATTERN.fullmatch(text)
        assert text in ALPHABET or text == SEED_ID or (marker and marker[1] in vocabulary().marker_kinds)


def test_a_detector_that_finds_nothing_leaks_nothing() -> None:
    text = "I am Zebulon Quark, born 03/04/1951, 12 Elm Street, HIV positive, record 998877"
    written = seed_of(talk(text, "Thanks Zebulon, noted.", roles=("Zebulon Quark", "Dr. Elm"))).model_dump_json()
    for word in ("Zebulon", "Quark", "1951", "Elm", "HIV", "998877"):
        assert word not in written


def test_markers_of_the_source_do_not_reach_the_seed() -> None:
    conversation = talk("I am [PATIENT_7] and [CUSTOMER_1] is Ana", "ok")
    extraction = extract(conversation, ((EntitySpan(37, 40, "PERSON", 1.0, "t"),), ()), SEED_ID)
    assert extraction.seed is not None
    assert extraction.seed.flow[0].slots == ("[PERSON_1]",)
    clash = talk("[PERSON_1] says hi to Ana", "ok")
    extraction = extract(clash, ((EntitySpan(22, 25, "PERSON", 1.0, "t"),), ()), SEED_ID)
    assert extraction.abstraction.texts[0] == "[PERSON_1] says hi to [PERSON_2]"
    assert extraction.seed is not None
    assert extraction.seed.flow[0].slots == ("[PERSON_1]",)


SKIPPED = {
    "too_few_turns": talk("hello"),
    "too_few_turns ": talk("hello", "are you there?", roles=("customer",)),
    "too_few_turns  ": talk("hello", "  "),
    "unsupported_language": talk("bonjour", "oui", language="fr"),
    "document": Conversation(id="d", form="document", turns=(Turn(role="document", text="x"),)),
}


@pytest.mark.parametrize("reason", SKIPPED)
def test_what_cannot_be_seeded_says_why(reason: str) -> None:
    conversation = SKIPPED[reason]
    extraction = extract(conversation, unspanned(conversation), SEED_ID)
    assert (extraction.seed, extraction.skipped) == (None, reason.strip())


@pytest.mark.parametrize(
    ("given_domain", "roles", "expected", "seed_roles"),
    [
        ("math-tutoring", ("tutor", "student"), "tutoring", ("tutor", "student")),
        ("task-oriented/homes", ("user", "system"), "general", ("user", "assistant")),
        ("medical", ("doctor", "patient"), "medical", ("doctor", "patient")),
        ("medical.consultation", ("guest_family", "doctor"), "medical", ("relative", "doctor")),
        ("support", ("Ana Ruiz", "Leo Paz"), "support", ("customer", "agent")),
        ("support", ("agent", "Leo Paz"), "support", ("agent", "customer")),
        (None, ("patient", "doctor"), "medical", ("patient", "doctor")),
        (None, ("student", "tutor"), "tutoring", ("student", "tutor")),
        ("no such thing", ("speaker_1", "speaker_2"), "general", ("user", "assistant")),
    ],
)
def test_domain_and_roles(
    given_domain: str | None, roles: tuple[str, ...], expected: str, seed_roles: tuple[str, ...]
) -> None:
    seed = seed_of(talk("hello there", "hi", domain=given_domain, roles=roles))
    assert (seed.domain, seed.roles) == (expected, seed_roles)


def test_the_domain_is_told_from_the_words_when_the_input_is_silent() -> None:
    support = talk(
        "my parcel was not delivered and I want a refund for the order", "what's the tracking?", roles=("a", "b")
    )
    assert seed_of(support).domain == "support"
    medical = talk("i have had a headache and fever", "any medication or allergies?", roles=("a", "b"))
    assert seed_of(medical).domain == "medical"


def test_language_is_told_from_the_words_when_the_input_is_silent() -> None:
    spanish = talk("hola, mi pedido no ha llegado todavía", "¿me dice su nombre, por favor?", language=None)
    assert seed_of(spanish).language == "es"


def test_neighbouring_turns_of_a_role_are_one_step() -> None:
    seed = seed_of(talk("hi", "my parcel is late", "sorry to hear", roles=("customer", "customer", "agent")))
    assert [step.role for step in seed.flow] == ["customer", "agent"]


def test_turn_and_age_bands() -> None:
    conversation = talk(*["hello there"] * 14)
    assert seed_of(conversation).turn_range == "13-16"
    aged = talk("I am 71 years old", "ok")
    seed = extract(aged, ((EntitySpan(5, 7, "AGE", 1.0, "t"),), ()), SEED_ID).seed
    assert seed is not None
    assert seed.facts == {"age_band": "65-79"}


@pytest.mark.parametrize("age", ["8 months", "48 months", "3 weeks", "71", "47 years", "119", "forty"])
def test_the_fact_and_the_marker_of_an_age_say_the_same(age: str) -> None:
    spans = ((EntitySpan(5, 5 + len(age), "AGE", 1.0, "t"),), ())
    seed = extract(talk(f"I am {age}", "ok"), spans, SEED_ID).seed
    assert seed is not None
    noted = [
        slot.partition(": ")[2].rstrip("]") for step in seed.flow for slot in step.slots if slot.startswith("[AGE")
    ]
    assert len(noted) == 1
    assert seed.facts == ({"age_band": noted[0]} if noted[0] else {})


@pytest.mark.parametrize("digits", ["²", "٣", "999", "one", "12/34", ""])
def test_odd_ages_give_no_fact(digits: str) -> None:
    conversation = talk(f"I am {digits} years", "ok")
    spans = ((EntitySpan(5, 5 + len(digits), "AGE", 1.0, "t"),), ())
    seed = extract(conversation, spans, SEED_ID).seed
    assert seed is not None
    assert seed.facts == {}


def test_secrets_are_the_spans_and_names_and_hide_in_repr() -> None:
    turns = (Turn(role="a", text="I'm Ana", name="Ana Ruiz"), Turn(role="tutor", text="ok", name="Teacher"))
    conversation = Conversation(id="c", language="en", turns=turns)
    secrets = extract(conversation, ((EntitySpan(4, 7, "PERSON", 1.0, "t"),), ()), SEED_ID).secrets
    assert secrets == (Secret("Ana", "PERSON"), Secret("Ana Ruiz", "PERSON"))
    assert "Ana" not in repr(secrets)


def test_10_000_turns_and_a_turn_of_5_mb() -> None:
    many = talk(*[f"my name is Person{i} and I need help?" for i in range(10_000)])
    spans = tuple((EntitySpan(11, text.text.index(" and"), "PERSON", 1.0, "t"),) for text in many.turns)
    start = time.perf_counter()
    seed = extract(many, spans, SEED_ID).seed
    long = talk("refund my order, " * 320_000, "ok")
    assert violations(seed_of(long)) == ()
    # Generous: about 2 s here; a quadratic step would take minutes.
    assert time.perf_counter() - start < 30
    assert seed is not None
    assert (len(seed.flow), seed.turn_range) == (MAX_STEPS, "81+")
    assert violations(seed) == ()


def test_samples_give_varied_seeds() -> None:
    seeds = [seed_of(item) for file in sorted(SAMPLES.glob("*.jsonl")) for item in read_conversations(file)]
    assert len(seeds) == 60
    assert sum(seed.language == "es" for seed in seeds) == 15
    assert all(8 <= sum(1 for _ in seed.flow) <= 16 for seed in seeds)
    assert len({seed.objective for seed in seeds}) >= 12
    assert len({step.act for seed in seeds for step in seed.flow}) >= 18
    assert len({step.topic for seed in seeds for step in seed.flow}) >= 18
    assert len({seed.flow for seed in seeds}) >= 50


def test_extraction_is_a_function_of_its_arguments() -> None:
    for item in read_conversations(SAMPLES / "support.jsonl"):
        assert seed_of(item) == seed_of(item)
