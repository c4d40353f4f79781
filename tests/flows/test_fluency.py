"""The embedded language model as a reader of a set and of what it should be close to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from flows.config import RunConfig
from flows.fluency import likelihood
from flows.judging import judge_file
from tests.flows.test_judging import Nobody, write

SAID = (
    "Hello, I would like to change the address of an order that I placed yesterday.",
    "Of course. Could you tell me where it should go instead?",
    "To my office, please, because nobody is at home during the day.",
    "I have changed it, and you will get a message when the parcel is on its way.",
)


@pytest.mark.slow
def test_words_in_order_surprise_less_than_the_same_words_shuffled() -> None:
    stream = random.Random(1)
    shuffled = [" ".join(stream.sample(text.split(), len(text.split()))) for text in SAID]
    scored = likelihood([*SAID, *shuffled, ""])
    assert scored[-1] == (0.0, 0)
    rates = [nats / tokens for nats, tokens in scored[:-1]]
    assert all(rate > mixed + 0.5 for rate, mixed in zip(rates[:4], rates[4:], strict=True))
    assert likelihood(list(SAID[:1]))[0][0] == pytest.approx(scored[0][0], abs=0.01)  # company changes nothing


def test_reference_goes_before_the_sources_and_the_reader_is_asked_only_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seed_engine.detect.Detector", lambda config: Nobody())
    monkeypatch.setattr("flows.judging.likelihood", lambda texts: [(-float(len(text)), len(text)) for text in texts])
    made = write(tmp_path / "made.jsonl", SAID)
    sources, real = write(tmp_path / "sources.jsonl", ["quite another matter"]), write(tmp_path / "real.jsonl", SAID)
    found = {}
    for name, how in {"none": {}, "told": {"perplexity": True}, "real": {"reference": real}}.items():
        scores = judge_file(made, RunConfig(), seeds=None, sources=sources, **how)
        found[name] = {metric: scores.quality[metric].value for metric in ("perplexity", "rouge_l")}
    assert found["none"]["perplexity"] is None
    assert found["told"]["perplexity"] == pytest.approx(2.718, abs=0.001)
    assert found["real"]["rouge_l"] == 1.0
    assert (found["none"]["rouge_l"] or 0) < 0.5
