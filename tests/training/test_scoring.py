from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.training.tiny import tiny_base
from training.adapter import attach_lora
from training.config import TrainingConfig
from training.scoring import AdapterModel

PREFIXES = ["ab:", "a long prefix with words:", "", "x", "ab:"]
TAILS = [" 12", " 9", "abc", " 1234567890", " 77"]


@pytest.fixture
def adapter() -> AdapterModel:
    base, tokenizer = tiny_base()
    made = attach_lora(base, TrainingConfig(r=4))
    torch.manual_seed(1)
    for name, parameter in made.named_parameters():
        if "lora_B" in name:
            parameter.data.normal_(std=0.3)
    return AdapterModel(made, tokenizer, "float32")


def naive(adapter: AdapterModel, prefix: str, tail: str) -> np.ndarray:
    """One text at a time, the whole softmax, no padding."""
    ids = [1, *adapter._encode(prefix), *adapter._encode(tail)]
    with torch.no_grad():
        log_p = torch.log_softmax(adapter._model(input_ids=torch.tensor([ids])).logits[0].double(), dim=-1)
    first = len(ids) - len(adapter._encode(tail))
    rows = []
    for place in range(first, len(ids)):
        row = log_p[place - 1]
        mean = (row.exp() * row).sum()
        spread = (row.exp() * (row - mean) ** 2).sum().sqrt()
        rank = 1 + (row > row[ids[place]]).sum()
        rows.append([row[ids[place]].item(), mean.item(), spread.item(), rank.item()])
    return np.array(rows)


def test_batched_answers_are_those_of_one_at_a_time(adapter: AdapterModel) -> None:
    tokens = adapter.token_log_probabilities(PREFIXES, TAILS)
    moments = adapter.token_statistics(PREFIXES, TAILS)
    sums = adapter.log_likelihoods(PREFIXES, TAILS)
    for i, (prefix, tail) in enumerate(zip(PREFIXES, TAILS, strict=True)):
        expected = naive(adapter, prefix, tail)
        np.testing.assert_allclose(tokens[i], expected[:, 0], atol=1e-4)
        np.testing.assert_allclose(moments[i], expected, atol=1e-3)
        assert sums[i] == pytest.approx(expected[:, 0].sum(), abs=1e-3)


def test_reference_is_the_base_and_leaves_the_adapter_on(adapter: AdapterModel) -> None:
    before = adapter.log_likelihoods(PREFIXES, TAILS)
    base, tokenizer = tiny_base()
    plain = AdapterModel(attach_lora(base, TrainingConfig(r=4)), tokenizer, "float32")
    reference = adapter.log_likelihoods(PREFIXES, TAILS, reference=True)
    np.testing.assert_allclose(reference, plain.log_likelihoods(PREFIXES, TAILS), atol=1e-4)
    assert np.abs(reference - before).max() > 0.1
    np.testing.assert_array_equal(adapter.log_likelihoods(PREFIXES, TAILS), before)


def test_completions_are_greedy_one_token_at_a_time(adapter: AdapterModel) -> None:
    found = adapter.complete(PREFIXES, 6)
    for prefix, text in zip(PREFIXES, found, strict=True):
        ids, own = [1, *adapter._encode(prefix)], []
        for _ in range(6):
            with torch.no_grad():
                best = int(adapter._model(input_ids=torch.tensor([ids])).logits[0, -1].argmax())
            if best == 2:
                break
            ids.append(best)
            own.append(best)
        assert text == adapter._tokenizer.decode(own, skip_special_tokens=True)


def naive_beams(adapter: AdapterModel, prefix: str, new: int, width: int) -> list[str]:
    """All extensions of all beams at every step, one sequence at a time, without a cache."""
    start = [1, *adapter._encode(prefix)]
    beams: list[tuple[float, list[int]]] = [(0.0, [])]
    for _ in range(new):
        grown: list[tuple[float, list[int]]] = []
        for score, own in beams:
            if own and own[-1] == 2:
                grown.append((score, own))
                continue
            with torch.no_grad():
                log_p = adapter._model(input_ids=torch.tensor([start + own])).logits[0, -1].log_softmax(-1)
            grown += [(score + float(p), [*own, token]) for token, p in enumerate(log_p)]
        beams = sorted(grown, key=lambda beam: -beam[0])[:width]
    return [adapter._tokenizer.decode([t for t in own if t != 2], skip_special_tokens=True) for _, own in beams]


def test_beams_equal_the_slow_twin(adapter: AdapterModel) -> None:
    found = adapter.beams(PREFIXES, 4, 3)
    assert found == [naive_beams(adapter, prefix, 4, 3) for prefix in PREFIXES]


def test_samples_follow_the_model_and_their_seed(adapter: AdapterModel) -> None:
    """First tokens of 4,000 draws against the model's own distribution; chi-square over the ten likeliest, p > 1e-4."""
    said = adapter.samples(["ab:"] * 4000, 1, seed=1)
    assert said[:50] == adapter.samples(["ab:"] * 4000, 1, seed=1)[:50]
    assert said != adapter.samples(["ab:"] * 4000, 1, seed=2)
    with torch.no_grad():
        p = adapter._model(input_ids=torch.tensor([[1, *adapter._encode("ab:")]])).logits[0, -1].softmax(-1)
    best = p.topk(10).indices.tolist()
    counts = {token: said.count(adapter._tokenizer.decode([token], skip_special_tokens=True)) for token in best}
    chi = sum((counts[t] - 4000 * float(p[t])) ** 2 / (4000 * float(p[t])) for t in best if t > 2)
    assert chi < 37.4  # the 1 - 1e-4 quantile at 11 degrees of freedom


def test_nothing_asked_nothing_answered(adapter: AdapterModel) -> None:
    assert len(adapter.log_likelihoods([], [])) == 0
    assert adapter.complete([], 4) == []


def test_prefixes_of_many_lengths_share_their_passes(adapter: AdapterModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty lengths, four tokens each: four passes, not eighty."""
    causal, passes = adapter._model.get_base_model(), []
    causal.model.register_forward_pre_hook(lambda module, given: passes.append(1))
    prefixes = ["a" * length for length in range(20)]
    assert len(adapter.beams(prefixes, 4, 3)) == 20
    assert 1 <= len(passes) <= 4
    monkeypatch.setattr("training.scoring.TOKENS_AT_ONCE", 60)
    before = len(passes)
    assert adapter.beams(prefixes, 4, 3) == [adapter.beams([prefix], 4, 3)[0] for prefix in prefixes]
    assert len(passes) - before > 20
