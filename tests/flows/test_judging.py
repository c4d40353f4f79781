"""Memorisation of a set on disk beside its control: what excuses a shared stretch, and what must not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from evaluator.scores import Scores
from flows.config import RunConfig
from flows.judging import judge_file
from seed_engine.conversation import Conversation
from seed_engine.spans import EntitySpan

PHRASE = "the kettle that you sent in march hums on low heat while the lid drips over my blue shelf every evening"
OTHER = (
    "our garden gate squeaks loudly whenever a heavy lorry passes along this narrow lane before the bakery has opened"
)
THIRD = "seven brass buttons rolled under that old piano so we moved it slowly across both rugs without waking anyone"


class Nobody:
    """A detector that finds nothing."""

    def detect_conversation(self, conversation: Conversation) -> tuple[tuple[EntitySpan, ...], ...]:
        return tuple(() for _ in conversation.turns)


def write(path: Path, texts: Iterable[str]) -> Path:
    turns = ({"role": "customer", "text": text} for text in texts)
    lines = [json.dumps({"id": f"c{n}", "language": "en", "turns": [turn]}) for n, turn in enumerate(turns)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def judged(folder: Path, monkeypatch: pytest.MonkeyPatch, sources: list[str], controls: list[str] | None) -> Scores:
    monkeypatch.setattr("seed_engine.detect.Detector", lambda config: Nobody())
    synthetic = write(folder / "synthetic.jsonl", [PHRASE])
    source = write(folder / "source.jsonl", sources)
    control = None if controls is None else write(folder / "control.jsonl", controls)
    return judge_file(synthetic, RunConfig(), seeds=None, sources=source, controls=control)


@pytest.mark.parametrize(
    ("sources", "controls", "rates"),
    [
        ([PHRASE], None, (1.0, None)),
        ([PHRASE], [OTHER], (1.0, 0.0)),
        ([OTHER], [PHRASE + " indeed"], (0.0, 1.0)),  # ids are the same in both files: texts tell them apart
        ([PHRASE], [PHRASE + " indeed"], (1.0, 1.0)),  # what a stranger says too is chance
        ([PHRASE], [PHRASE], (1.0, None)),  # a source excuses no copy of itself
        ([PHRASE], [OTHER, PHRASE + " indeed"], (1.0, 0.0)),  # more controls than sources excuse no more
        ([PHRASE, THIRD], [OTHER, PHRASE + " indeed"], (1.0, 1.0)),
    ],
)
def test_memorisation_stands_beside_its_control(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sources: list[str],
    controls: list[str] | None,
    rates: tuple[float, float | None],
) -> None:
    scores = judged(tmp_path, monkeypatch, sources, controls)
    assert (scores.memorization_rate, scores.memorization_control) == rates
    told = any(reason.startswith("memorization_rate") for reason in scores.reasons)
    assert told == (rates[0] - (rates[1] or 0.0) > RunConfig().evaluator.max_memorization_rate)
