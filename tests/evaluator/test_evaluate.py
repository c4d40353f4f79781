from __future__ import annotations

import json
import subprocess
import sys

import pytest

from evaluator.config import EvaluatorConfig
from evaluator.evaluate import evaluate
from evaluator.scores import MetricValue, Scores
from seed_engine.fingerprints import Fingerprints
from seed_engine.secrets import SecretIndex
from tests.evaluator.doubles import CLEAN, detect_capitals, detect_nothing, talk

KEY = b"a key that only this test knows."
CONFIG = EvaluatorConfig()
SOURCE = [
    "The parcel lay for two weeks behind the blue shed of my neighbour Martha Quillfeather, and nobody told me of it.",
    "That should not have happened, I will write to the driver who was on that round and ask what he was thinking of.",
]
SECRETS = SecretIndex.build([("Martha Quillfeather", "PERSON")], KEY)
PRINTS = Fingerprints.build([("a", SOURCE)], KEY)
CLEAN_SET = [talk(*CLEAN, ordinal=i) for i in range(1, 4)]


def test_clean_set_passes_twice_with_exactly_zero() -> None:
    one, two = (
        evaluate(CLEAN_SET, CONFIG, secrets=SECRETS, fingerprints=PRINTS, detect=detect_capitals) for _ in range(2)
    )
    assert (one.verdict, one.privacy_score, one.memorization_rate, one.leaks.total) == ("pass", 0.0, 0.0, 0)
    assert (one.reasons, one.unchecked, one.findings) == ((), (), ())
    assert one == two


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("I am ANNA",), "privacy_score"),
        (("i am martha  quillfeather",), "leaks"),
        (tuple(text.replace("Martha Quillfeather", "[PERSON_1]") for text in SOURCE), "leaks"),
        (
            ("well, " + SOURCE[1], *["then the talk went on about some other thing for a good while"] * 6),
            "memorization",
        ),
    ],
)
def test_each_gate_fails_alone(texts: tuple[str, ...], reason: str) -> None:
    scores = evaluate([*CLEAN_SET, talk(*texts)], CONFIG, secrets=SECRETS, fingerprints=PRINTS, detect=detect_capitals)
    assert scores.verdict == "fail"
    assert any(text.startswith(reason) for text in scores.reasons)
    assert {finding.conversation for finding in scores.findings} == {3}


def test_a_gate_that_cannot_see_is_inconclusive() -> None:
    blind = SecretIndex.build([("May", "PERSON"), ("42", "AGE")], KEY)
    assert evaluate(CLEAN_SET, CONFIG, secrets=SECRETS, fingerprints=PRINTS).verdict == "inconclusive"
    assert evaluate(CLEAN_SET, CONFIG, secrets=blind, detect=detect_nothing).verdict == "inconclusive"
    assert evaluate([], CONFIG, secrets=SECRETS, detect=detect_nothing).verdict == "inconclusive"


def test_a_gate_that_was_not_asked_for_is_listed() -> None:
    scores = evaluate(CLEAN_SET, CONFIG, detect=detect_nothing)
    assert (scores.verdict, scores.unchecked) == ("pass", ("leaks", "memorization_rate"))


def test_what_was_not_searched_one_edit_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seed_engine.near.MOST", 1)
    names = ("Martha Quillfeather", "Roderick Ashdownham", "Zebulon Harrowgate")
    secrets = SecretIndex.build([(name, "LOCATION") for name in names], KEY)
    assert evaluate(CLEAN_SET, CONFIG, secrets=secrets, detect=detect_nothing).leaks.not_near == 2


def test_failing_wins_over_blindness() -> None:
    scores = evaluate([talk("martha quillfeather")], CONFIG, secrets=SECRETS)
    assert (scores.verdict, scores.leaks.normalised) == ("fail", 1)


def test_what_unseen_sources_share_too_is_chance() -> None:
    synthetic = [talk("well, " + SOURCE[1], *["then the talk went on about some other thing for a good while"] * 6)]
    control = Fingerprints.build([("b", SOURCE)], KEY)
    scores = evaluate(synthetic, CONFIG, fingerprints=PRINTS, control=control, detect=detect_nothing)
    assert (scores.memorization_rate, scores.memorization_control, scores.verdict) == (1.0, 1.0, "pass")


def test_quality_thresholds_decide_when_they_are_set() -> None:
    config = EvaluatorConfig(thresholds={"near_duplicates": 0.1, "seed_adherence": 0.9})
    scores = evaluate(CLEAN_SET, config, detect=detect_nothing)
    assert scores.verdict == "fail"
    assert [reason.split(":")[0] for reason in scores.reasons] == ["quality near_duplicates", "quality seed_adherence"]


def test_scores_round_trip_and_hold_the_contracts_fields() -> None:
    scores = evaluate([*CLEAN_SET, talk("MARTHA quillfeather")], CONFIG, secrets=SECRETS, detect=detect_capitals)
    written = scores.model_dump_json()
    assert Scores.model_validate_json(written) == scores
    raw = json.loads(written)
    assert {"privacy_score", "memorization_rate", "leaks", "quality", "verdict", "schema_version"} <= set(raw)
    assert set(raw["quality"]["mattr"]) >= {"value", "range", "better"}
    assert "quill" not in written.lower()


@pytest.mark.parametrize(
    ("value", "better", "threshold", "holds"),
    [(0.5, "higher", 0.5, True), (0.4, "higher", 0.5, False), (0.6, "lower", 0.5, False), (None, "lower", 0.5, False)],
)
def test_thresholds(value: float | None, better: str, threshold: float, holds: bool) -> None:
    record = {"value": value, "range": (0.0, 1.0), "better": better, "threshold": threshold}
    assert MetricValue.model_validate(record).holds is holds


def test_findings_are_bounded_and_counts_are_not() -> None:
    config = EvaluatorConfig(max_findings=2)
    scores = evaluate([talk("martha quillfeather")] * 5, config, secrets=SECRETS, detect=detect_nothing)
    assert (len(scores.findings), scores.leaks.normalised) == (2, 5)


def test_importing_the_evaluator_loads_no_engine() -> None:
    code = "import sys, evaluator.evaluate, evaluator.embedding; print({'torch', 'transformers'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
