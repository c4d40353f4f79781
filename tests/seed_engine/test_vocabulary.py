"""The closed alphabet and the rules that choose from it fit together."""

from __future__ import annotations

import re

import pytest

from seed_engine.errors import UnknownNameError
from seed_engine.kinds import MARKER_KINDS, marker_kind
from seed_engine.rules import domain_rules, hits
from seed_engine.vocabulary import vocabulary

KNOWN = vocabulary()


def test_labels_are_plain_and_stand_once() -> None:
    for labels in (KNOWN.roles, KNOWN.tones, KNOWN.dialogue_acts, KNOWN.slots, KNOWN.marker_kinds, KNOWN.turn_bands):
        assert len(set(labels)) == len(labels)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", slot) for slot in KNOWN.slots)
    assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", kind) for kind in KNOWN.marker_kinds)


@pytest.mark.parametrize("name", KNOWN.domains)
def test_a_domain_names_known_roles_once(name: str) -> None:
    profile = KNOWN.domain(name)
    assert set(profile.roles) == set(profile.speakers) <= set(KNOWN.roles)
    spelled = [label for labels in profile.speakers.values() for label in labels]
    assert len(set(spelled)) == len(spelled)
    assert all(label == label.casefold() for label in spelled)
    assert {role.upper() for role in profile.roles} <= set(KNOWN.marker_kinds)


def test_every_domain_has_rules_over_its_own_labels() -> None:
    assert set(domain_rules()) == set(KNOWN.domains)
    for name, rules in domain_rules().items():
        profile = KNOWN.domain(name)
        assert set(rules.topics) == set(profile.topics) - {"closing"}
        assert set(rules.objectives) == set(profile.objectives[:-1])
        assert set(rules.slots) <= set(KNOWN.slots)


def test_rules_match_words_and_stems_not_parts_of_words() -> None:
    topics = domain_rules()["support"].topics
    assert hits(topics, "i want my refunds") == {"refund": 1}
    assert hits(topics, "prefund and billboards") == {}


def test_bands_cover_every_count_once() -> None:
    for bands, top in ((KNOWN.turn_bands, 200), (KNOWN.age_bands, 120)):
        ranges = []
        for band in bands:
            low, _, high = band.rstrip("+").partition("-")
            ranges.append(range(int(low), int(high or top) + 1))
        covered = [count for numbers in ranges for count in numbers]
        assert covered == list(range(covered[0], top + 1))


def test_marker_kinds_are_in_the_vocabulary() -> None:
    assert set(MARKER_KINDS.values()) <= set(KNOWN.marker_kinds)
    for entity_type in (
        "US_PASSPORT",
        "UK_NHS",
        "IBAN_CODE",
        "US_DRIVER_LICENSE",
        "ES_NIF",
        "VEHICLE_ID",
        "X",
        "",
        "MEDICAL_RECORD",
    ):
        assert marker_kind(entity_type) in KNOWN.marker_kinds
    assert marker_kind("US_PASSPORT") == "PASSPORT"
    assert marker_kind("NOBODY_KNOWS") == "ID"


def test_an_unknown_domain_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="automotive, finance, general, legal, medical, support, tutoring"):
        KNOWN.domain("Zebulon")
