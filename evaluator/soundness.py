"""Soundness: how likely a conversation is one that was held, and not one of the ways to spoil one.

A small network reads the features of every turn (`evaluator.turn_features`), pools them over the conversation, and
tells seven outcomes apart: sound, or spoilt as each of `evaluator.corruptions.CORRUPTIONS` does. What each speaker says
is read by a second network that knows no labels; it guesses who serves and who is served, and the labels must agree.
Trained by `scripts/train_coherence.py` on public dialogues; the card beside the weights says on which, and how well it
does on dialogues that it never saw.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np

from evaluator.errors import ModelFileError
from evaluator.metrics.metric import Embed
from evaluator.metrics.repetition import repetition
from evaluator.sides import side
from evaluator.turn_features import STRETCH, Components, Floats, read_aloud, turn_features
from evaluator.word_order import WordOrder
from seed_engine.conversation import Conversation

FOLDER = "coherence_data"
# A feature further from its mean than this says no more.
FARTHEST = 5.0
# One turn's speaker is never surer than this, in nats.
SUREST = 4.0


@dataclass(frozen=True, slots=True)
class Soundness:
    """What the network says of one conversation.

    Attributes:
        sound: probability that it is sound, when half of all are, and each way to spoil one is as frequent, [0, 1].
        against: by corruption, the probability that it is sound and not spoilt that way, when half are, [0, 1].
    """

    sound: float
    against: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CoherenceModel:
    """The trained numbers; see `coherence_model`.

    Attributes:
        components: axes of meaning.
        word_order: the table of neighbouring words.
        acts: dialogue acts in the order of their features.
        outcomes: names of the ways to spoil, in the order of the network's outputs after "sound".
        weights: arrays by name.
    """

    components: Components
    word_order: WordOrder
    acts: tuple[str, ...]
    outcomes: tuple[str, ...]
    weights: Mapping[str, Floats]


def soundness(
    conversations: Sequence[Conversation], embed: Embed, model: CoherenceModel | None = None
) -> list[Soundness]:
    """Judge conversations, each from itself alone; the first 64 turns of each are read.

    Args:
        conversations: any number; a document, or one of a single turn, is judged as what it is: hardly a conversation.
        embed: sentence embedding (`evaluator.embedding.embed`).
        model: the shipped one unless given.

    Raises:
        ModelFileError: the shipped numbers are not the ones that were measured.
    """
    if not conversations:
        return []
    model = model or coherence_model()
    turns = [conversation.turns[:STRETCH] for conversation in conversations]
    vectors = embed([read_aloud(turn.text) for part in turns for turn in part])
    cuts = np.cumsum([len(part) for part in turns])[:-1]
    parts = np.split(vectors, cuts)
    return [_judge(talk, part, model) for talk, part in zip(conversations, parts, strict=True)]


def _judge(conversation: Conversation, vectors: Floats, model: CoherenceModel) -> Soundness:
    features = turn_features(conversation, vectors, model.components, model.word_order, model.acts)
    sides = np.array([side(turn.role) for turn in conversation.turns[:STRETCH]], dtype=np.float32)
    logits = conversation_logits(features, sides, repetition(conversation), model.weights)
    spoilt = logits[1:]
    high = float(spoilt.max())
    odds = float(logits[0]) - high - float(np.log(np.exp(spoilt - high).mean()))
    against = {name: _sigmoid(float(logits[0] - logit)) for name, logit in zip(model.outcomes, spoilt, strict=True)}
    return Soundness(_sigmoid(odds), against)


def conversation_logits(features: Floats, sides: Floats, repeated: float, weights: Mapping[str, Floats]) -> Floats:
    """Logits of the outcomes for one conversation, all as likely beforehand; float32[7], sound first.

    Args:
        features: float32[turns, features].
        sides: of each turn's speaker, as `evaluator.sides.side`.
        repeated: share of repeating turns.
        weights: of the network.
    """
    values = np.clip((features - weights["mean"]) / weights["scale"], -FARTHEST, FARTHEST)
    turns = _gelu(values @ weights["turn_1"] + weights["turn_1_bias"]) @ weights["turn_2"] + weights["turn_2_bias"]
    speaker = _gelu(values @ weights["side_1"] + weights["side_1_bias"]) @ weights["side_2"] + weights["side_2_bias"]
    agrees = np.clip(speaker[:, 0], -SUREST, SUREST) * sides
    length = np.log(len(features))
    highest = turns.max(axis=0)
    pooled = np.concatenate(
        [
            turns.mean(axis=0),
            highest + np.log(np.exp(turns - highest).mean(axis=0)),
            [agrees.mean(), np.maximum(-agrees, 0).mean(), repeated, length, agrees.mean() * length],
            [np.abs(sides).mean()],
        ]
    )
    logits: Floats = np.asarray(pooled @ weights["outcome"] + weights["outcome_bias"], dtype=np.float32)
    return logits


def _gelu(values: Floats) -> Floats:
    # The tanh form of Hendrycks and Gimpel 2016, which needs no error function.
    found: Floats = values / 2 * (1 + np.tanh(0.7978845608 * (values + 0.044715 * values**3)))
    return found


def _sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -60, 60))))


@cache
def coherence_model() -> CoherenceModel:
    """The numbers that ship with the project, after their digest was checked (once per process)."""
    folder = files("evaluator") / FOLDER
    card = json.loads((folder / "coherence.json").read_text("utf-8"))
    raw = (folder / "coherence.npz").read_bytes()
    if hashlib.sha256(raw).hexdigest() != card["sha256"]:
        raise ModelFileError("evaluator/coherence_data/coherence.npz is not the measured file (SHA-256 differs)")
    arrays = {name: array.astype(np.float32) for name, array in np.load(BytesIO(raw), allow_pickle=False).items()}
    components = Components(arrays.pop("component_mean"), arrays.pop("component_axes"))
    order = WordOrder(
        {name: number for number, name in enumerate(card["classes"])},
        arrays.pop("word_order") * card["word_order_step"],
        frozenset(card["classes"][: card["frequent"]]),
    )
    return CoherenceModel(components, order, tuple(card["acts"]), tuple(card["outcomes"]), arrays)
