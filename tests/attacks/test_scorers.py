"""Scorers: the list equals the folder, and each follows its formula."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

import attacks.scorers
import attacks.text_scorers
from attacks.scorers import SCORERS
from attacks.scorers.evidence import Evidence
from attacks.text_scorers import TEXT_SCORERS

OWN = [np.array([-1.0, -4.0, -2.0, -3.0, -5.0]), np.array([-2.0])]
BASE = [np.array([-2.0, -4.0, -4.0, -3.0, -7.0]), np.array([-1.0])]
STATISTICS = [np.column_stack([o, o - 3.0, np.full(len(o), 1.5)]) for o in OWN]
EVIDENCE = Evidence(["one two three", "one"], OWN, BASE, STATISTICS, 0.4)


def modules(package: object) -> set[str]:
    return {p.stem for p in Path(package.__file__).parent.glob("*.py")}  # type: ignore[attr-defined]


def test_lists_equal_folders() -> None:
    assert modules(attacks.scorers) - {"__init__", "evidence"} == set(SCORERS)
    assert modules(attacks.text_scorers) - {"__init__", "words"} == set(TEXT_SCORERS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("loss", [-3.0, -2.0]),
        ("reference", [1.0, -1.0]),
        ("zlib_ratio", [-15 / len(zlib.compress(b"one two three")), -2 / len(zlib.compress(b"one"))]),
        ("min_k", [-4.5, -2.0]),
        ("min_k_plus_plus", [2.0, 2.0]),
    ],
)
def test_formulas(name: str, expected: list[float]) -> None:
    assert SCORERS[name](EVIDENCE) == pytest.approx(expected)


def test_without_statistics_only_min_k_plus_plus_is_missing() -> None:
    evidence = Evidence(EVIDENCE.texts, OWN, BASE, None, 0.4)
    assert [name for name, scorer in SCORERS.items() if scorer(evidence) is None] == ["min_k_plus_plus"]
