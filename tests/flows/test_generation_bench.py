"""Seeds are told everywhere as they were, and the bench counts first draws and kept ones apart."""

from __future__ import annotations

from itertools import product

import pytest

from evaluator.config import EvaluatorConfig
from flows.everywhere import everywhere
from flows.generation_bench import bench_generation, released_seeds
from generator.config import GeneratorConfig
from generator.scene import side
from seed_engine.conversation import Conversation
from seed_engine.markers import parse_marker
from seed_engine.schema import violations
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary
from tests.generator.seeds import domain_seed, support_seed

MEDICAL = (
    ("patient", "inform", "symptoms", ("[PATIENT_1]", "symptom", "[PATIENT_1.spouse]")),
    ("doctor", "setQuestion", "symptoms", ("duration", "[DATE_1]")),
    ("relative", "answer", "family_history", ("[DATE_2: DATE_1 + 3 weeks]",)),
    ("nurse", "initialGoodbye", "closing", ()),
)


def medical() -> Seed:
    flow = tuple(FlowStep(role=r, act=a, topic=t, slots=s) for r, a, t, s in MEDICAL)
    roles = tuple(step.role for step in flow)
    changed = {"domain": "medical", "objective": "describe_symptoms", "flow": flow, "roles": roles}
    return support_seed().model_copy(update=changed)


def test_a_seed_is_told_in_every_cell_with_its_acts_and_its_sides() -> None:
    told = list(everywhere([medical()]))
    known = vocabulary()
    assert {(s.domain, s.language) for s in told} == set(product(known.domains, known.languages))
    for seed in told:
        assert violations(seed) == ()
        assert [step.act for step in seed.flow] == [act for _, act, _, _ in MEDICAL]
        assert [side(step.role) for step in seed.flow] == ["asks", "serves", "asks", "serves"]
        assert seed.flow[3].topic == "closing"
        assert len({seed.flow[0].topic, seed.flow[2].topic}) == 2
        if seed.domain != "medical":
            assert "symptom" not in seed.flow[0].slots
            assert parse_marker(seed.flow[0].slots[0]).kind == seed.flow[0].role.upper()
            assert "[DATE_2]" in seed.flow[2].slots
    assert len({seed.id for seed in told}) == len(told)


def test_at_most_so_many_seeds_of_a_cell_leave_and_no_two_have_one_number() -> None:
    source = [*everywhere([medical(), domain_seed("support", "en")])] * 3
    seeds = list(released_seeds(source, "none", 4))
    assert len(seeds) == 14 * 4
    assert len({seed.id for seed in seeds}) == len(seeds)


def test_first_draws_and_kept_ones_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that lets every third draw pass: no first draw of three redraws, and all in the end."""
    calls = 0

    def judge(_: Conversation, __: Seed) -> tuple[float, bool]:
        nonlocal calls
        calls += 1
        return calls % 3 / 3, calls % 3 == 0

    monkeypatch.setattr("flows.quality_judge.quality_judge", lambda _: judge)
    monkeypatch.setattr("seed_engine.models.model_path", lambda _: None)
    seeds = [domain_seed("support", "en", i, i) for i in range(1, 5)]
    config = GeneratorConfig(strategy="template", redraws=3)
    (row,) = bench_generation(seeds, config, EvaluatorConfig())
    assert (row.domain, row.language, row.seeds) == ("support", "en", 4)
    assert (row.first, row.passing, row.draws) == (0.0, 1.0, 3.0)
    assert row.turns == 12
    calls = 1
    (row,) = bench_generation(seeds, config.model_copy(update={"redraws": 0}), EvaluatorConfig())
    assert row.passing == row.first == 0.25
