from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.config import CompositeProfile, EvaluatorConfig
from evaluator.corruptions import CORRUPTIONS
from evaluator.errors import UnknownMetricError
from evaluator.metrics.composite import PARTS, composite, passes
from evaluator.soundness import Soundness
from seed_engine.seed import Floors, FlowStep, Seed
from tests.evaluator.doubles import CLEAN, talk

SEED = Seed(
    id="seed-000001",
    domain="medical",
    language="en",
    roles=("patient", "doctor"),
    objective="describe_symptoms",
    tone="neutral",
    flow=tuple(
        FlowStep(role=role, act=act, topic="symptoms", slots=slots)
        for role, act, slots in (
            ("patient", "inform", ("[PATIENT_1]", "[DATE_1]")),
            ("doctor", "setQuestion", ()),
            ("patient", "answer", ("[RELATIVE_1]",)),
            ("doctor", "instruct", ()),
        )
    ),
    turn_range="1-4",
)


def judged(sound: float) -> Soundness:
    return Soundness(sound, dict.fromkeys(CORRUPTIONS, sound))


@given(st.floats(0.01, 1), st.floats(0.1, 5), st.floats(0.1, 5))
def test_composite_is_the_product_of_its_parts_to_their_powers(sound: float, one: float, two: float) -> None:
    profile = CompositeProfile(weights={"soundness": one, "seed_adherence": two})
    half = talk(CLEAN[0], CLEAN[1])  # two of four steps
    assert composite(half, SEED, judged(sound), profile) == pytest.approx(sound**one * 0.5**two)
    assert composite(half, None, judged(sound), profile) == pytest.approx(sound**one)


def test_one_fault_is_enough() -> None:
    profile = CompositeProfile()
    assert composite(talk(*CLEAN), SEED, judged(0.9), profile) == pytest.approx(0.9)
    assert composite(talk(*CLEAN), SEED, judged(0.0), profile) == 0.0
    assert composite(talk(*CLEAN[::-1]), SEED, judged(0.9), profile) < 0.5
    assert composite(talk(*(text for text in CLEAN for _ in range(2))), None, judged(0.9), profile) < 0.5
    assert composite(talk(*CLEAN[:3], "See the [WIZARD_1]."), None, judged(0.9), profile) < 0.7


def test_an_unknown_part_lists_the_known_ones() -> None:
    with pytest.raises(UnknownMetricError, match="soundness"):
        composite(talk(*CLEAN), None, judged(0.9), CompositeProfile(weights={"beauty": 1.0}))
    assert set(CompositeProfile().weights) <= set(PARTS)


@pytest.mark.parametrize(
    ("sound", "floors", "passed"),
    [
        (0.6, None, True),
        (0.1, None, False),
        (0.6, Floors(composite=90), False),
        (0.1, Floors(composite=10), True),
        (0.6, Floors(soundness=61), False),
        (0.6, Floors(soundness=60), True),
        (0.9, Floors(seed_adherence=100), True),
        (0.9, Floors(mattr=99), False),
        (0.1, Floors(mattr=10), False),
    ],
)
def test_floors_that_a_seed_carries_are_the_ones_applied(sound: float, floors: Floors | None, passed: bool) -> None:
    seed = SEED.model_copy(update={"floors": floors})
    assert passes(talk(*CLEAN), seed, judged(sound), EvaluatorConfig())[1] is passed


def test_a_domain_has_its_own_parts_and_threshold() -> None:
    strict = CompositeProfile(weights={"soundness": 1.0}, threshold=0.95)
    config = EvaluatorConfig(composites={"medical": strict})
    other = SEED.model_copy(update={"domain": "support"})
    assert passes(talk(*CLEAN), SEED, judged(0.9), config) == (pytest.approx(0.9), False)
    assert passes(talk(*CLEAN), other, judged(0.9), config)[1]
    # Without a seed, the text says which domain it is.
    assert not passes(talk(*CLEAN), None, judged(0.9), config)[1]
