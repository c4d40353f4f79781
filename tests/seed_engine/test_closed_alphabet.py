"""The closed alphabet: whatever a conversation holds, each string of its seed is a label or a marker, each key a field.

A word of the source anywhere else is a failed test. The labels are collected from the published files, not from the
code that uses them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.embedding import DIMENSIONS, Vectors
from seed_engine.extract import extract
from seed_engine.markers import parse_marker
from seed_engine.schema import json_schema, violations
from seed_engine.seed import FlowStep, Seed
from seed_engine.spans import EntitySpan

DATA = Path(__file__).resolve().parents[2] / "seed_engine" / "data"
SEED_ID = "seed-000001"
# Words that no label has, in the places and costumes in which a source could try to get through.
FOREIGN = ["Zebulon", "Quarkovich", "ZEBULON", "zebulon_quark", "Żółć", "ツ", "4111", "1951-04-03", "x@y.zz", "HIV+"]
COSTUMES = [
    "{}",
    "[{}_1]",
    "[PATIENT_1: {}]",
    "[PATIENT_1.{}]",
    "[DATE_2: {} + 3 weeks]",
    "seed-{}",
    '{{"objective": "{}"}}',
    "my daughter {} has a refund of $5",
    "I am {}",
    "{}, MD",
    "\u202e{}\u0000",
    "my name is {} and I was born on 3 April",
    "{} years old",
    "soy {}, quiero una cita",
    "topic: {}",
]
LABEL_WORDS = ["refund", "medical", "patient", "[PATIENT_1]", "neutral", "describe_symptoms", "18-29", "seed-000002"]


def alphabet() -> set[str]:
    raw = json.loads((DATA / "vocabulary.json").read_text("utf-8"))
    labels = {label for value in raw.values() if isinstance(value, list) for label in value} | {raw["version"], "1"}
    for file in (DATA / "domains").iterdir():
        profile = json.loads(file.read_text("utf-8"))
        labels |= {profile["name"], *profile["roles"], *profile["topics"], *profile["objectives"]}
    return labels - set(raw["marker_kinds"])


ALPHABET = alphabet()
KEYS = {*Seed.model_fields, *FlowStep.model_fields, "age_band"}
_foreign = st.builds(lambda costume, word: costume.format(word), st.sampled_from(COSTUMES), st.sampled_from(FOREIGN))
_texts = st.one_of(
    st.text(max_size=40),
    st.lists(st.one_of(_foreign, st.sampled_from(LABEL_WORDS)), min_size=1, max_size=6).map(" ".join),
)
_names = st.one_of(
    _foreign, st.sampled_from(["patient", "doctor", "vendedor", "abogada", "system"]), st.text(max_size=9)
)
_types = st.one_of(st.sampled_from(["PERSON", "AGE", "DATE_TIME", "LOCATION", "EMAIL_ADDRESS"]), _foreign)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]]:
    turns = draw(st.lists(st.builds(Turn, role=_names, text=_texts, name=st.none() | _names), min_size=1, max_size=7))
    spans = []
    for _turn in turns:
        places = draw(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30), _types), max_size=3))
        spans.append(tuple(EntitySpan(start, start + length, kind, 0.9, "t") for start, length, kind in places))
    conversation = Conversation(
        id=draw(_names),
        turns=tuple(turns),
        subject=draw(st.none() | _names),
        domain=draw(st.none() | _names | st.sampled_from(["medical", "legal.advisory", "automotive.sales", "finance"])),
        language=draw(st.none() | st.sampled_from(["en", "es", "EN-us"]) | _names),
    )
    return conversation, tuple(spans)


class Anywhere:
    """An embedding that puts a text wherever its characters say: every objective must be reachable, nothing else."""

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        rows = [
            np.random.default_rng(list(text.encode("utf-8", "surrogatepass"))).normal(size=DIMENSIONS) for text in texts
        ]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), DIMENSIONS)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True) + np.float32(0.1)


ANYWHERE = Anywhere()


def faults(value: Any) -> list[str]:
    """Strings that are neither label nor marker nor the given id, and keys that are no field."""
    if isinstance(value, dict):
        return [key for key in value if key not in KEYS] + [text for item in value.values() for text in faults(item)]
    if isinstance(value, list):
        return [text for item in value for text in faults(item)]
    if value is None or value in ALPHABET or value == SEED_ID:
        return []
    try:
        parse_marker(value)
    except (TypeError, ValueError):
        return [value]
    return []


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases())
@example(
    (
        Conversation(
            id="Zebulon",
            domain="Zebulon",
            language="es",
            subject="Zebulon",
            turns=(
                Turn(role="Zebulon", text="my daughter Zebulon has a refund of $5", name="Zebulon Quarkovich"),
                Turn(role="[PATIENT_1: Zebulon]", text="seed-Zebulon [Zebulon_1] [PATIENT_1: Zebulon]"),
            ),
        ),
        ((EntitySpan(0, 38, "Zebulon", 1.0, "Zebulon"),), (EntitySpan(0, 9, "PERSON", 1.0, "t"),)),
    )
)
def test_the_strings_of_a_seed_are_vocabulary_and_markers(
    case: tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]],
) -> None:
    conversation, spans = case
    seed = extract(conversation, spans, SEED_ID, ANYWHERE).seed
    if seed is None:
        return
    written = seed.model_dump_json()
    assert faults(json.loads(written)) == []
    assert violations(seed) == ()
    told = written.casefold()
    assert not any(word.casefold() in told for word in FOREIGN)


def test_the_checker_catches_a_word_in_every_place() -> None:
    seed = extract(
        Conversation(
            id="c", language="en", turns=(Turn(role="patient", text="it hurts"), Turn(role="doctor", text="ok"))
        ),
        ((), ()),
        SEED_ID,
    ).seed
    assert seed is not None
    good = json.loads(seed.model_dump_json())
    assert faults(good) == []
    caught = 0
    for key in good:
        if isinstance(good[key], str):
            assert faults(good | {key: "Zebulon"}) == ["Zebulon"]
            caught += 1
    for key in good["flow"][0]:
        word = ["Zebulon"] if key == "slots" else "Zebulon"
        assert faults(good | {"flow": [good["flow"][0] | {key: word}]}) == ["Zebulon"]
    assert faults(good | {"Zebulon": "neutral"}) == ["Zebulon"]
    assert caught >= 7


def test_every_enumeration_of_the_published_schema_is_the_alphabet() -> None:
    text = json.dumps(json_schema())
    listed = {label for found in re.findall(r'"enum": \[([^\]]*)\]', text) for label in re.findall(r'"([^"]+)"', found)}
    assert listed <= ALPHABET
    assert len(listed) > 200
