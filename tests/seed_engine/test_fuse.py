"""Fusion: one list without overlap, confidence as the families say it together."""

import itertools
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.fuse import fuse
from seed_engine.spans import EntitySpan

WEIGHTS = {"pattern": 0.7, "ner": 0.3, "classifier": 0.7}

spans = st.builds(
    lambda start, length, kind, score: EntitySpan(start, start + length, kind, score, "test"),
    st.integers(0, 40),
    st.integers(1, 12),
    st.sampled_from(["PERSON", "LOCATION", "PHONE_NUMBER", "ID_OTHER"]),
    st.floats(0.05, 1.0),
)
families = st.dictionaries(st.sampled_from(sorted(WEIGHTS)), st.lists(spans, max_size=6))


@given(families, st.floats(0, 1))
def test_sorted_and_without_overlap(found: dict[str, list[EntitySpan]], threshold: float) -> None:
    merged = fuse(found, WEIGHTS, threshold)
    assert list(merged) == sorted(merged)
    assert all(a.end <= b.start for a, b in itertools.pairwise(merged))
    assert all(threshold <= span.score <= 1 for span in merged)


@given(families)
def test_without_threshold_nothing_found_is_lost(found: dict[str, list[EntitySpan]]) -> None:
    covered = {i for span in fuse(found, WEIGHTS, 0.0) for i in range(span.start, span.end)}
    wanted = {i for items in found.values() for span in items for i in range(span.start, span.end)}
    assert covered <= wanted
    # A rest of one letter is cut off on purpose.
    assert len(wanted - covered) <= sum(map(len, found.values()))


@given(families, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_never_covers_more_than_it_keeps(
    found: dict[str, list[EntitySpan]], one: float, other: float
) -> None:
    low, high = sorted((one, other))
    covers = lambda t: {i for span in fuse(found, WEIGHTS, t) for i in range(span.start, span.end)}  # noqa: E731
    assert len(covers(high) - covers(low)) <= sum(map(len, found.values()))


@given(st.dictionaries(st.sampled_from(sorted(WEIGHTS)), st.floats(0.05, 1), min_size=1))
def test_confidence_equals_the_plain_formula(scores: dict[str, float]) -> None:
    found = {name: [EntitySpan(3, 9, "PERSON", score, name)] for name, score in scores.items()}
    (span,) = fuse(found, WEIGHTS, 0.0)
    assert span.score == pytest.approx(1 - prod(1 - WEIGHTS[name] * score for name, score in scores.items()))


def test_two_half_sure_families_agree_above_the_threshold() -> None:
    one = {"pattern": [EntitySpan(0, 5, "PERSON", 0.45, "a")]}
    both = {**one, "classifier": [EntitySpan(0, 5, "PERSON", 0.3, "b")]}
    assert fuse(one, WEIGHTS, 0.35) == ()
    assert len(fuse(both, WEIGHTS, 0.35)) == 1


def test_a_family_speaks_once() -> None:
    found = {"ner": [EntitySpan(0, 5, "PERSON", 0.8, "a"), EntitySpan(0, 5, "LOCATION", 0.8, "b")]}
    assert fuse(found, WEIGHTS, 0.3) == ()


def test_the_closer_type_names_the_span() -> None:
    found = {
        "classifier": [EntitySpan(0, 9, "ID_OTHER", 0.9, "classifier")],
        "pattern": [EntitySpan(0, 9, "PASSPORT", 0.85, "passport")],
    }
    (span,) = fuse(found, WEIGHTS, 0.35)
    assert (span.entity_type, span.recognizer) == ("PASSPORT", "passport")
