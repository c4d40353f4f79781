from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import evaluator.metrics
from evaluator.config import EvaluatorConfig
from evaluator.errors import UnknownMetricError
from evaluator.lcs import lcs_length
from evaluator.metrics.acts import FAMILY, acts_realised
from evaluator.metrics.adherence import adherence, role_order
from evaluator.metrics.continuity import continuity
from evaluator.metrics.distinct import distinct
from evaluator.metrics.markers import marker_consistency
from evaluator.metrics.mattr import mattr
from evaluator.metrics.mauve import area, mauve
from evaluator.metrics.metric import Evidence
from evaluator.metrics.near_duplicates import near_duplicates
from evaluator.metrics.readability import lix
from evaluator.metrics.reference import TWO_SAMPLE, frechet_distance, two_sample_auc
from evaluator.metrics.repetition import repetition
from evaluator.metrics.rouge_l import rouge_l
from evaluator.metrics.self_bleu import self_bleu
from evaluator.quality import METRICS, quality
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary
from tests.evaluator.doubles import CLEAN, talk

TOKENS = st.lists(st.sampled_from("abcdef"), max_size=30)
NOT_METRICS = {"__init__", "metric"}


@given(TOKENS, st.integers(1, 12))
def test_mattr_agrees_with_its_definition(tokens: list[str], window: int) -> None:
    size = min(window, len(tokens))
    naive = [len(set(tokens[i : i + size])) / size for i in range(len(tokens) - size + 1)] if tokens else []
    value = mattr(tokens, window)
    assert value is None if not tokens else value == pytest.approx(sum(naive) / len(naive))


@given(st.lists(TOKENS, max_size=5), st.integers(1, 3))
def test_distinct_agrees_with_its_definition(texts: list[list[str]], n: int) -> None:
    grams = [tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1)]
    assert distinct(texts, n) == (len(set(grams)) / len(grams) if grams else None)


def test_self_bleu_is_one_for_copies_and_low_for_strangers() -> None:
    same = [list("abcdefgh")] * 4
    assert self_bleu(same) == pytest.approx(1.0)
    assert self_bleu([list("abcdefgh"), list("ijklmnop")]) == 0.0
    stream = random.Random(1)
    mixed = [stream.choices("abcdefghijklmnop", k=40) for _ in range(10)]
    value = self_bleu(mixed)
    assert value is not None
    assert 0.0 < value < 0.6
    assert self_bleu([["a"]]) is None


def test_near_duplicates_agree_with_all_pairs() -> None:
    stream = random.Random(2)
    texts = [stream.choices("abcdefghijklmnopqrstuvwxyz", k=60) for _ in range(40)]
    for i in range(10):
        twin = list(texts[i])
        twin[stream.randrange(60)] = "?"
        texts.append(twin)

    def jaccard(one: list[str], two: list[str]) -> float:
        a, b = (set(zip(text, text[1:], text[2:], strict=False)) for text in (one, two))
        return len(a & b) / len(a | b)

    naive = [(i, j) for j in range(50) for i in range(j) if jaccard(texts[i], texts[j]) >= 0.7]
    assert near_duplicates(texts, 0.7) == naive
    assert len(naive) == 10


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        (CLEAN, 0.0),
        (("Yes, please.", "Good.", "Yes, please."), 0.0),
        (("I would like a blue kettle", "Why?", "I would like a BLUE kettle!"), 0.5),
        (("I would like a blue kettle", "Why is that so?", "I would like a red lamp"), 0.0),
        (("one two three four five", "five four three two one", "five one two three six"), 2 / 3),
    ],
)
def test_repetition(texts: tuple[str, ...], share: float) -> None:
    assert repetition(talk(*texts)) == share


SEED = Seed(
    id="seed-000001",
    domain="medical",
    language="en",
    roles=("patient", "doctor"),
    objective="describe_symptoms",
    tone="neutral",
    flow=(
        FlowStep(role="patient", act="inform", topic="symptoms", slots=("[PATIENT_1]", "symptom", "[DATE_1]")),
        FlowStep(role="doctor", act="setQuestion", topic="symptoms"),
        FlowStep(role="patient", act="answer", topic="symptoms", slots=("[RELATIVE_1]",)),
        FlowStep(role="doctor", act="instruct", topic="appointment"),
    ),
    turn_range="1-4",
)


@pytest.mark.parametrize(
    ("texts", "roles", "adhering", "ordered"),
    [
        (CLEAN, ("patient", "doctor"), 1.0, 1.0),
        (CLEAN[:2], ("patient", "doctor"), 0.5, 0.5),
        ((*CLEAN, "one", "more", "turn", "yet"), ("patient", "doctor"), 0.5, 0.5),
        (CLEAN, ("doctor", "patient"), 0.0, 0.0),
        (CLEAN[::-1], ("patient", "doctor"), 0.5, 1.0),
        ((CLEAN[0], CLEAN[1], CLEAN[2], "See [DOCTOR_7]"), ("patient", "doctor"), 0.75, 1.0),
        ((CLEAN[0], " ", CLEAN[2], CLEAN[3]), ("patient", "doctor"), 0.75, 1.0),
    ],
)
def test_adherence(texts: tuple[str, ...], roles: tuple[str, ...], adhering: float, ordered: float) -> None:
    conversation = talk(*texts, roles=roles)
    assert (adherence(conversation, SEED), role_order(conversation, SEED)) == (adhering, ordered)


def test_continuity_is_high_for_topics_and_chance_for_noise() -> None:
    stream = np.random.default_rng(3)
    topics = [stream.normal(size=16) * 4 for _ in range(20)]

    def unit(rows: np.ndarray) -> np.ndarray:
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    on_topic = continuity([unit(topic + stream.normal(size=(8, 16))) for topic in topics])
    noise = continuity([unit(stream.normal(size=(8, 16))) for _ in topics])
    assert min(on_topic) > 0.8
    assert abs(float(np.mean(noise)) - 0.5) < 0.05
    assert continuity([unit(stream.normal(size=(1, 16)))] * 2) == [0.5, 0.5]


def random_embed(texts: Sequence[str]) -> NDArray[np.float32]:
    rows = np.stack([np.random.default_rng(crc32(text.encode())).normal(size=384) for text in texts])
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def by_letters(texts: Sequence[str]) -> list[tuple[float, int]]:
    """A reader to whom every letter is one of 26, and a digit is sheer noise."""
    return [
        (-sum(1e9 if character.isdigit() else math.log(26) for character in text), max(1, len(text))) for text in texts
    ]


def test_values_lie_in_their_range_and_are_repeatable() -> None:
    conversations = [talk(*(f"{text} {i}" for text in CLEAN), ordinal=i) for i in range(1, 40)]
    evidence = Evidence(conversations, EvaluatorConfig(), {SEED.id: SEED}, random_embed, conversations[:38], by_letters)
    values = quality(evidence)
    assert list(values) == [metric.name for metric in METRICS]
    assert values == quality(evidence)
    for value in values.values():
        assert value.value is not None
        assert value.range[0] <= value.value <= value.range[1]


def test_each_text_is_embedded_once_for_all_measures() -> None:
    asked: list[str] = []

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.extend(texts)
        return random_embed(texts)

    conversations = [talk(*(f"{text} {i}" for text in CLEAN), ordinal=i) for i in range(5)]
    quality(Evidence(conversations, EvaluatorConfig(), embed=counting))
    assert len(asked) == len(set(asked))


def test_no_more_are_judged_than_asked_for_and_they_are_spread() -> None:
    conversations = [talk(*CLEAN, ordinal=i) for i in range(100)]
    sample = Evidence(conversations, EvaluatorConfig(judged=10)).judged_sample
    assert [one.id for one in sample] == [f"syn-{i:06d}" for i in range(0, 100, 10)]


def test_nothing_to_measure_is_none_not_zero() -> None:
    values = quality(Evidence([], EvaluatorConfig()))
    assert {value.value for value in values.values()} == {None}


def test_list_and_folder_are_equal() -> None:
    folder = Path(evaluator.metrics.__file__).parent
    files = {file.stem for file in folder.glob("*.py")} - NOT_METRICS
    listed = {metric.measure.__module__.rpartition(".")[2] for metric in METRICS}
    assert files == listed
    assert len({metric.name for metric in METRICS}) == len(METRICS)


def test_unknown_threshold_lists_the_known_metrics() -> None:
    with pytest.raises(UnknownMetricError, match="mattr"):
        quality(Evidence([], EvaluatorConfig(thresholds={"nonsense": 0.5})))


@given(TOKENS, TOKENS)
def test_longest_common_subsequence_agrees_with_the_table(one: list[str], two: list[str]) -> None:
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    assert lcs_length(one, two) == lcs_length(two, one) == table[-1][-1]


@pytest.mark.parametrize(
    ("one", "two", "value"),
    [("a b c d", "a b c d", 1.0), ("a b c d", "e f", 0.0), ("a b c d", "a c", 2 * 2 / 6), ("", "a", 0.0)],
)
def test_rouge_l(one: str, two: str, value: float) -> None:
    assert rouge_l(one.split(), two.split()) == pytest.approx(value)


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (["The cat sat."], 3.0),
        (["The cat sat. The dog ran."], 3.0),
        (["The cat sat", "The dog ran"], 3.0),
        (["Extraordinary circumstances happened."], 3 + 100.0),
        (["1 2 3 !"], None),
    ],
)
def test_lix(texts: list[str], value: float | None) -> None:
    assert lix(texts) == value


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        (("I am [PATIENT_1].", "Hello [PATIENT_1], see [DOCTOR_1]."), 1.0),
        (("I am [PATIENT_2].", "Hello."), 0.5),
        (("I am [Patient Name].", "Hello {{name}}."), 0.0),
        (("I am [PROCESSED_COMMENT].", "Hello <NAME>."), 0.0),
        (("I am [WIZARD_1].", "a [b] c < d > e"), 0.0),
        (("x[2] is in [0, 1]", "if a < B then"), 1.0),
    ],
)
def test_marker_consistency(texts: tuple[str, ...], share: float) -> None:
    assert marker_consistency(talk(*texts)) == share


def test_acts_realised_is_high_for_the_seed_and_lower_for_another_order() -> None:
    assert acts_realised(talk(*CLEAN), SEED) > acts_realised(talk("Goodbye!", "Bye.", "See you.", "Bye!"), SEED)
    assert acts_realised(talk(*CLEAN, *CLEAN), SEED) <= 0.5


def test_every_act_of_the_vocabulary_has_a_family() -> None:
    assert set(FAMILY) == set(vocabulary().dialogue_acts)


def test_frechet_distance_has_its_closed_form() -> None:
    stream = np.random.default_rng(5)
    one = stream.normal(size=(20_000, 3))
    assert frechet_distance(one, one) == pytest.approx(0.0, abs=1e-9)
    # Shifted by (1, 0, 0) and twice as wide: 1 + 3 * (2 - 1)^2.
    assert frechet_distance(one, 2 * stream.normal(size=(20_000, 3)) + [1, 0, 0]) == pytest.approx(4.0, rel=0.05)


def test_two_sample_auc_is_chance_for_one_distribution_and_high_for_two() -> None:
    """Of 40 pairs of equal samples, |AUC - 0.5| beyond 0.1 (5 deviations at 400 and 400) has a chance under 1e-4."""
    stream = np.random.default_rng(6)
    same = [two_sample_auc(halves(stream), halves(stream)) for _ in range(40)]
    assert max(abs(value - 0.5) for value in same) < 0.1
    assert two_sample_auc(halves(stream), halves(stream, 0.8)) > 0.9


def halves(stream: np.random.Generator, shift: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return stream.normal(size=(400, 8)) + shift, stream.normal(size=(400, 8)) + shift


def test_two_sets_alike_are_not_told_apart_by_the_conversations_that_they_hold() -> None:
    """Turns that say little but of which conversation they are; split singly, they are told apart at 0.78.

    Halves of 20 conversations: an AUC deviates by 0.09, and the mean of eight, raised to 0.5 each, by under 0.02 from
    0.54; beyond 0.62 has a chance under 1e-4.
    """

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        rows = []
        for text in texts:
            own = np.random.default_rng(crc32(text.split()[0].encode())).normal(size=48)
            rows.append(own + 0.1 * np.random.default_rng(crc32(text.encode())).normal(size=48))
        return np.array(rows, dtype=np.float32)

    words = ("apple", "river", "lantern", "window", "candle", "meadow", "pillow", "harbour")
    values = []
    for trial in range(8):
        ours, theirs = (
            [talk(*[f"{side}{trial}talk{number} {word}" for word in words], ordinal=number) for number in range(40)]
            for side in ("our", "their")
        )
        value = TWO_SAMPLE.measure(Evidence(ours, EvaluatorConfig(), embed=embed, reference=theirs))
        assert value is not None
        values.append(value)
    assert sum(values) / len(values) < 0.62


def test_mauve_of_two_distributions_is_the_authors_figure() -> None:
    """Values of `mauve-text` 0.4.0 for the same distributions, with its default constants."""
    one, two, three = np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.2, 0.7]), np.array([0.6, 0.25, 0.15])
    assert area(one, one) == pytest.approx(1.0)
    assert area(one, two) == pytest.approx(0.219062, abs=1e-6)
    assert area(one, three) == pytest.approx(0.997823, abs=1e-6)
    assert area(one, two) == pytest.approx(area(two, one))


def test_mauve_is_high_for_one_distribution_falls_with_distance_and_sees_what_is_missing() -> None:
    stream = np.random.default_rng(8)
    one = stream.normal(size=(600, 4))
    same, near, far = (mauve(one, stream.normal(size=(600, 4)) + shift) for shift in (0.0, 0.7, 6.0))
    assert same > 0.9 > near > 0.2 > 0.05 > far
    modes = np.concatenate([one, one + 20])
    assert mauve(one, modes) < 0.8 * mauve(modes, np.concatenate([stream.normal(size=(600, 4)), one[::-1] + 20]))


def test_perplexity_is_of_all_tokens_together_and_of_a_spread_sample() -> None:
    read: list[str] = []

    def likelihood(texts: Sequence[str]) -> list[tuple[float, int]]:
        read.extend(texts)
        return [(-2.0, 1), (-1.0, 2)]

    conversations = [talk(f"see [ORDER_1] number {i}") for i in range(10)]
    evidence = Evidence(conversations, EvaluatorConfig(read=2), likelihood=likelihood)
    values = quality(evidence)
    assert values["perplexity"].value == pytest.approx(math.e)  # 3 nats for 3 tokens
    assert read == ["see order number 0", "see order number 5"]
    assert values["reference_perplexity"].value is None
