"""Seeds are held against the vocabulary: all faults at once, by path and rule, without a value."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from seed_engine.schema import Violation, duplicate_ids, json_schema, violations
from seed_engine.seed import Seed

SECRET = "Zebulon Quark"
GOOD: dict[str, Any] = {
    "schema_version": "1",
    "id": "seed-000001",
    "vocabulary_version": "1",
    "domain": "medical",
    "language": "en",
    "roles": ["patient", "doctor"],
    "objective": "describe_symptoms",
    "tone": "anxious",
    "flow": [
        {"role": "patient", "act": "inform", "topic": "symptoms", "slots": ["[PATIENT_1]", "symptom"]},
        {"role": "doctor", "act": "setQuestion", "topic": "symptoms", "slots": []},
    ],
    "turn_range": "1-4",
    "facts": {"age_band": "45-64"},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    record = copy.deepcopy(GOOD)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    place: Any = record
    for part in parents:
        place = place[part]
    place[last] = value
    return record


def test_a_good_seed_has_no_fault_as_record_and_as_object() -> None:
    assert violations(GOOD) == ()
    assert violations(Seed.model_validate(GOOD)) == ()


FAULTS = [
    ("id", "seed-1", "id"),
    ("id", SECRET, "id"),
    ("id", "seed-199104051234", "id"),
    ("id", "seed-0000001", "id"),
    ("vocabulary_version", "2", "vocabulary_version"),
    ("schema_version", "2", "schema_version"),
    ("domain", SECRET, "domain"),
    ("language", "xx", "language"),
    ("objective", SECRET, "objective"),
    ("objective", "track_delivery", "objective"),
    ("tone", SECRET, "tone"),
    ("turn_range", "5", "turn_range"),
    ("roles/0", "customer", "roles[0]"),
    ("roles", [], "flow[0].role"),
    ("flow", [], "flow"),
    ("flow/0/role", "nurse", "flow[0].role"),
    ("flow/0/act", SECRET, "flow[0].act"),
    ("flow/0/topic", "delivery", "flow[0].topic"),
    ("flow/0/slots/0", SECRET, "flow[0].slots[0]"),
    ("flow/0/slots/0", "[ZEBULON_1]", "flow[0].slots[0]"),
    ("flow/0/slots/0", "[PATIENT_0]", "flow[0].slots[0]"),
    ("flow/0/slots/0", "[PATIENT_554433]", "flow[0].slots[0]"),
    ("flow/1/slots", ["[PATIENT_3]"], "flow[1].slots[0]"),
    ("roles", ["patient", "doctor", "patient"], "roles"),
    ("facts", {"age_band": {"Zebulon": 1}}, "facts.age_band"),
    ("vocabulary_version", 7, "vocabulary_version"),
    ("flow/0/slots/0", "[PATIENT_1] Zebulon", "flow[0].slots[0]"),
    ("flow/0/slots/1", "[PATIENT_1]", "flow[0].slots"),
    ("flow/0/slots/0", 7, "flow[0].slots[0]"),
    ("flow/0/text", SECRET, "flow[0].?"),
    (SECRET, 1, "?"),
    ("facts/age_band", "47", "facts"),
    ("facts/name", SECRET, "facts"),
]


@pytest.mark.parametrize(("path", "value", "expected"), FAULTS)
def test_every_fault_is_found_where_it_is_and_quotes_nothing(path: str, value: Any, expected: str) -> None:
    faults = violations(changed(path, value))
    assert expected in [fault.path for fault in faults]
    assert "Zebulon" not in repr(faults)


def test_all_faults_at_once() -> None:
    record = changed("tone", "x") | {"language": "x", "turn_range": "x"}
    assert violations(record) == tuple(
        Violation(path, "not in the vocabulary") for path in ("language", "tone", "turn_range")
    )


def test_a_fault_of_form_hides_no_fault_of_a_label() -> None:
    record = changed("flow/0/text", SECRET) | {"tone": SECRET, "id": 5, "turn_range": None}
    faults = violations(record)
    assert {fault.path for fault in faults} == {"flow[0].?", "tone", "id", "turn_range"}
    assert "Zebulon" not in repr(faults)


@pytest.mark.parametrize(
    "record", [None, [], "Zebulon", 7, {}, {"flow": [None, [], {"slots": {"a": 1}}]}, {"roles": 5}]
)
def test_what_is_no_seed_at_all_is_a_fault(record: Any) -> None:
    faults = violations(record)
    assert faults
    assert "Zebulon" not in repr(faults)


def test_an_object_too_deep_for_python_is_a_fault() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert violations({"flow": deep})


def test_two_seeds_of_one_id_are_found() -> None:
    assert duplicate_ids(["seed-000001", None, "seed-000002", "seed-000001", None, ["x"]]) == {
        3: Violation("id", "another seed of this file has it")
    }


def test_the_published_schema_lists_the_labels() -> None:
    schema = json_schema()
    assert schema["$schema"].endswith("2020-12/schema")
    assert "medical" in schema["properties"]["domain"]["enum"]
    assert "setQuestion" in schema["$defs"]["FlowStep"]["properties"]["act"]["enum"]
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(Seed.model_fields) >= set(GOOD)


@pytest.mark.parametrize(
    ("slots", "faults"),
    [
        (["[DATE_1]", "[DATE_2: DATE_1 + 1 day]", "[DATE_2: DATE_1 + 1 day]"], 0),
        (["[DATE_1]", "[DATE_2: DATE_1 + 1 day]", "[DATE_2]"], 0),
        (["[DATE_1]", "[DATE_2: DATE_1 + 1 day]", "[DATE_2: DATE_1 + 2 days]"], 1),
        (["[PATIENT_1: daughter]", "[PATIENT_1: son]", "[PATIENT_1: daughter]"], 1),
    ],
)
def test_a_thing_keeps_the_note_that_it_was_first_given(slots: list[str], faults: int) -> None:
    # One step a slot: that a step names a slot twice is another fault.
    steps = [{"role": "patient", "act": "inform", "topic": "symptoms", "slots": [slot]} for slot in slots]
    record = GOOD | {"flow": steps, "roles": ["patient"]}
    rules = [fault.rule for fault in violations(record)]
    assert rules.count("another note than an earlier mention of it has") == faults
