"""On conversations with gold entity chains, markers follow people and have the right role."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from seed_engine.abstract import Abstraction, abstract
from seed_engine.markers import iter_markers
from seed_engine.vocabulary import vocabulary

ROOT = Path(__file__).resolve().parents[2]
CHAINS = ROOT / "tests" / "seed_engine" / "chains"
FILES = ("dev", "dev_more", "held_out")


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_chains", ROOT / "scripts" / "measure_chains.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["measure_chains"] = module
    spec.loader.exec_module(module)
    return module


MEASURE = script()
CASES = {name: list(MEASURE.read_cases(CHAINS / f"{name}.jsonl")) for name in FILES}


def abstractions(name: str) -> list[Abstraction]:
    return [abstract(case.conversation, MEASURE.gold_spans(case)) for case in CASES[name]]


def test_there_are_enough_in_both_languages() -> None:
    languages = [case.conversation.language for cases in CASES.values() for case in cases]
    assert len(languages) >= 60
    assert min(languages.count("en"), languages.count("es")) >= 30


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kin", [False, True])
def test_chains_and_roles(name: str, kin: bool) -> None:
    found = [MEASURE.mentions(abstraction, kin=kin) for abstraction in abstractions(name)]
    scores = MEASURE.measure(CASES[name], found, kin=kin)
    assert scores["conll"] >= 0.80
    assert scores["role_right"] >= 0.90


def test_the_measure_sees_a_shuffle_of_people() -> None:
    """Everybody one person, or every mention another: both fail the threshold that the markers pass."""
    cases = CASES["dev"]
    found = [MEASURE.mentions(abstraction, kin=True) for abstraction in abstractions("dev")]
    one = [dict.fromkeys(markers, next(iter(markers.values()))) for markers in found]
    assert MEASURE.measure(cases, one, kin=True)["conll"] < 0.8
    each = [
        {place: type(marker)(marker.kind, i + 1) for i, (place, marker) in enumerate(markers.items())}
        for markers in found
    ]
    assert MEASURE.measure(cases, each, kin=True)["conll"] < 0.8


@pytest.mark.parametrize("name", FILES)
def test_markers_fit_the_grammar_and_one_thing_is_written_one_way(name: str) -> None:
    for case, abstraction in zip(CASES[name], abstractions(name), strict=True):
        written: dict[object, str] = {}
        for span in (span for turn in abstraction.mentioned for span in turn):
            assert span.marker.fits
            assert span.marker.kind in vocabulary().marker_kinds
            assert written.setdefault(span.marker, str(span.marker)) == str(span.marker)
        assert all(
            abstraction.texts[i].count("[") >= len(marked) == len(list(iter_markers(abstraction.texts[i])))
            for i, marked in enumerate(abstraction.marked)
        ), case.conversation.id


@pytest.mark.parametrize("name", FILES)
def test_an_abstraction_is_left_as_it_is_by_the_next(name: str) -> None:
    for case, abstraction in zip(CASES[name], abstractions(name), strict=True):
        turns = tuple(
            turn.model_copy(update={"text": text})
            for turn, text in zip(case.conversation.turns, abstraction.texts, strict=True)
        )
        again = case.conversation.model_copy(update={"turns": turns})
        assert abstract(again, tuple(() for _ in turns)).texts == abstraction.texts
