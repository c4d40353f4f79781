"""Memorisation of a set on disk beside its control: what excuses a shared stretch, and what must not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from evaluator.scores import Scores
from flows.config import RunConfig
from flows.holding import against_strangers
from flows.judging import judge_file
from seed_engine.conversation import Conversation, Turn
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


def people(texts: Iterable[str]) -> list[Conversation]:
    return [
        Conversation(id=f"c{n}", turns=(Turn(role="customer", text=text), Turn(role="agent", text="All right.")))
        for n, text in enumerate(texts)
    ]


def sentence(number: int) -> str:
    """A long sentence that nobody else says."""
    return " ".join(f"w{number}x{word}" for word in range(20))


def test_people_used_stand_beside_strangers_whatever_their_numbers() -> None:
    """A tenth of 200 used and a tenth of 100 held back are alike."""
    used, held = people(map(sentence, range(200))), people(map(sentence, range(1000, 1100)))
    config = RunConfig().evaluator
    honest = against_strangers(people([sentence(5000)]), used, held, config)
    assert (honest.used, honest.used_copied, honest.held_back, honest.held_back_copied) == (200, 0, 100, 0)
    assert honest.low < 0 < honest.high
    chance = people(sentence(n) for n in (*range(20), *range(1000, 1010)))  # a tenth of both
    alike = against_strangers(chance, used, held, config)
    assert (alike.used_copied, alike.held_back_copied) == (20, 10)
    assert alike.low < 0 < alike.high
    copied = against_strangers(people(map(sentence, range(20))), used, held, config)
    assert (copied.used_copied, copied.held_back_copied) == (20, 0)
    assert 0 < copied.low < 0.1 < copied.high


def test_one_persons_words_copied_all_over_are_no_common_property() -> None:
    used, held = people(map(sentence, range(200))), people(map(sentence, range(1000, 1100)))
    found = against_strangers(people([sentence(7)] * 50), used, held, RunConfig().evaluator)
    assert (found.used_copied, found.held_back_copied) == (1, 0)


def test_a_person_of_many_conversations_is_one_trial() -> None:
    used = [item.model_copy(update={"subject": f"p{n // 4}"}) for n, item in enumerate(people(map(sentence, range(8))))]
    found = against_strangers(people([sentence(0), sentence(1)]), used, people([sentence(99)]), RunConfig().evaluator)
    assert (found.used, found.used_copied) == (2, 1)


def test_false_alarms_are_told_by_language_of_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Everybody(Nobody):
        def detect_conversation(self, conversation: Conversation) -> tuple[tuple[EntitySpan, ...], ...]:
            return tuple((EntitySpan(0, 2, "PERSON", 1.0, "x"),) for _ in conversation.turns)

    for detector, per_1000 in ((Nobody, 0.0), (Everybody, 1000.0)):
        monkeypatch.setattr("seed_engine.detect.Detector", lambda config, made=detector: made())
        scores = judge_file(write(tmp_path / "s.jsonl", [PHRASE]), RunConfig(), seeds=None, sources=None)
        assert list(scores.false_alarms) == ["en"]
        assert scores.false_alarms["en"].per_1000 == per_1000
        assert scores.false_alarms["en"].turns > 300
