from __future__ import annotations

import random

import numpy as np
import pytest

import evaluator.soundness as module
from evaluator.corruptions import CORRUPTIONS
from evaluator.discrimination import auc
from evaluator.embedding import embed
from evaluator.errors import ModelFileError
from evaluator.sides import side
from evaluator.soundness import coherence_model, conversation_logits, soundness
from evaluator.turn_features import STRETCH, read_aloud, turn_features
from evaluator.word_order import TurnWords
from seed_engine.conversation import Conversation, Turn
from tests.evaluator.dialogues import good_conversations
from tests.evaluator.doubles import talk

GOOD = good_conversations()


@pytest.fixture(scope="module")
def sound() -> list[float]:
    return [one.sound for one in soundness(GOOD, embed)]


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_own_conversations_in_two_languages_score_above_spoilt_ones(name: str, sound: list[float]) -> None:
    """Twelve conversations that nothing was trained on, each spoilt four times by strangers of both languages."""
    stream = random.Random(4)
    spoilt = [
        CORRUPTIONS[name](one, GOOD[(number + shift) % len(GOOD)], stream)
        for shift in (1, 3, 5, 7)
        for number, one in enumerate(GOOD)
    ]
    assert auc(sound, [one.sound for one in soundness(spoilt, embed)]) >= 0.9


def test_a_conversation_is_judged_from_itself_alone_and_always_the_same(sound: list[float]) -> None:
    (alone,) = soundness(GOOD[:1], embed)
    assert alone.sound == pytest.approx(sound[0], abs=1e-3)
    assert soundness(GOOD[:3], embed) == soundness(GOOD[:3], embed)
    assert soundness([], embed) == []


def test_what_machines_write_badly_is_not_sound(sound: list[float]) -> None:
    """As SmolLM2-135M writes: a loop, and answers to nothing."""
    loop = talk(*["You have a problem with my appointment. You must wait until tomorrow."] * 8)
    drift = talk(
        "Good morning, my knee hurts.",
        "May God bless you and keep your positive spirit going.",
        "Howdy there, buddy!",
        "The weather is a wonderful thing for the whole of the family.",
        "Goodbye, goodbye. The card is gone.",
        "Is the capital of the mountains a river?",
    )
    median = float(np.median(sound))
    assert all(one.sound < 0.5 < median for one in soundness([loop, drift], embed))


def test_labels_that_say_nothing_do_not_matter_and_crossed_ones_do() -> None:
    named, crossed, plain = (
        [
            Conversation(id="x", turns=tuple(Turn(role=labels[t.role], text=t.text) for t in one.turns))
            for one in GOOD
            if {t.role for t in one.turns} == {"customer", "agent"}
        ]
        for labels in (
            {"customer": "cliente", "agent": "Agent"},
            {"customer": "agent", "agent": "customer"},
            {"customer": "speaker A", "agent": "speaker B"},
        )
    )
    fits = [[one.against["crossed_speakers"] for one in soundness(talks, embed)] for talks in (named, crossed, plain)]
    assert np.mean(fits[0]) > 0.8
    assert np.mean(fits[1]) < 0.2
    assert np.mean(fits[0]) > np.mean(fits[2]) > np.mean(fits[1])


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Doctor", 1.0),
        ("doctor_2", 1.0),
        ("guest_clinician", 1.0),
        ("guest_family", -1.0),
        ("Usuario", -1.0),
        ("asesora", 1.0),
        ("system", 1.0),
        ("Martha", 0.0),
        ("", 0.0),
        ("customer agent", 0.0),
    ],
)
def test_sides(label: str, expected: float) -> None:
    assert side(label) == expected


@pytest.mark.parametrize("texts", [("hello",), ("",), ("", " ", "🙂"), ("שלום", "مرحبا"), ("a" * 5000, "b")])
def test_odd_conversations_have_a_probability(texts: tuple[str, ...]) -> None:
    (one,) = soundness([talk(*texts)], embed)
    assert 0.0 <= one.sound <= 1.0
    assert set(one.against) == set(CORRUPTIONS)


def test_time_and_memory_do_not_grow_with_the_square_of_the_length() -> None:
    long = talk(*(f"{text} {number}" for number in range(500) for text in ("yes", "no", "why")))
    seen: list[int] = []

    def counting(texts: object) -> np.ndarray:
        seen.append(len(list(texts)))  # type: ignore[call-overload]
        return np.zeros((seen[-1], 384), dtype=np.float32)

    soundness([long], counting)
    assert seen == [STRETCH]


def test_pooling_agrees_with_its_definition() -> None:
    """The network against a slow twin that goes turn by turn."""
    weights = coherence_model().weights
    stream = np.random.default_rng(1)
    features = stream.normal(size=(7, len(weights["mean"]))).astype(np.float32)
    sides = np.array([1, -1, 0, 1, -1, -1, 1], dtype=np.float32)

    def layer(values: np.ndarray, name: str) -> np.ndarray:
        return values @ weights[name] + weights[f"{name}_bias"]

    def gelu(values: np.ndarray) -> np.ndarray:
        return 0.5 * values * (1 + np.tanh(np.sqrt(2 / np.pi) * (values + 0.044715 * values**3)))

    turns, agrees = [], []
    for row, one in zip(features, sides, strict=True):
        values = np.clip((row - weights["mean"]) / weights["scale"], -5, 5)
        turns.append(layer(gelu(layer(values, "turn_1")), "turn_2"))
        agrees.append(float(np.clip(layer(gelu(layer(values, "side_1")), "side_2")[0], -4, 4)) * one)
    agree, against = np.mean(agrees), np.mean([max(0.0, -a) for a in agrees])
    rest = [agree, against, 0.25, np.log(7), agree * np.log(7), 6 / 7]
    pooled = np.concatenate([np.mean(turns, 0), np.log(np.mean(np.exp(turns), 0)), rest])
    np.testing.assert_allclose(
        conversation_logits(features, sides, 0.25, weights), layer(pooled, "outcome"), rtol=1e-3, atol=1e-3
    )


def test_features_are_finite_and_as_many_as_the_network_reads() -> None:
    model = coherence_model()
    vectors = embed([read_aloud(turn.text) for turn in GOOD[0].turns])
    features = turn_features(GOOD[0], vectors, model.components, model.word_order, model.acts)
    assert features.shape == (len(GOOD[0].turns), len(model.weights["mean"]))
    assert np.isfinite(features).all()


def test_word_order_tells_text_from_the_same_words_at_random() -> None:
    order = coherence_model().word_order
    stream = random.Random(8)
    for one in GOOD:
        text = " ".join(turn.text for turn in one.turns)
        words = text.split()
        stream.shuffle(words)
        read, shuffled = order.read(text), order.read(" ".join(words))
        assert isinstance(read, TurnWords)
        assert read.order > shuffled.order + 0.2


def test_a_changed_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    real = module.files

    class Folder:
        def __init__(self, path: object) -> None:
            self.path = path

        def __truediv__(self, name: str) -> Folder:
            return Folder(self.path / name)  # type: ignore[operator]

        def read_text(self, encoding: str) -> str:
            return self.path.read_text(encoding)  # type: ignore[attr-defined, no-any-return]

        def read_bytes(self) -> bytes:
            return self.path.read_bytes() + b"\0"  # type: ignore[attr-defined, no-any-return]

    monkeypatch.setattr(module, "files", lambda package: Folder(real(package)))
    with pytest.raises(ModelFileError, match="SHA-256"):
        coherence_model.__wrapped__()
