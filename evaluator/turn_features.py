"""Turn features: what a turn has to do with the others of its conversation, as numbers for `evaluator.soundness`.

Of every turn: its meaning and that of the two turns before it (principal components of sentence embeddings), how near
it stands to the other speaker's turns and to the speaker's own, what content words it shares with them, its dialogue
act and those before, its place, its length and its word order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.word_order import TurnWords, WordOrder
from seed_engine.acts import dialogue_act
from seed_engine.conversation import Conversation
from seed_engine.markers import MARKER_PATTERN

Floats = NDArray[np.float32]
# Principal components lie within about 0.15 of their mean.
SCALE = 0.15
# What a similarity counts for where there is no turn to compare with.
NOTHING = -0.1
# Pairs are compared within a stretch of so many turns, which bounds time and memory by the length of a conversation.
STRETCH = 64


@dataclass(frozen=True, slots=True)
class Components:
    """Principal components of sentence embeddings: mean float32[384], axes float32[384, components]."""

    mean: Floats
    axes: Floats


def turn_features(
    conversation: Conversation, vectors: Floats, components: Components, word_order: WordOrder, acts: Sequence[str]
) -> Floats:
    """Features of every turn of the first `STRETCH`, float32[turns, features].

    Args:
        conversation: its texts and speakers.
        vectors: unit sentence embeddings of its first `STRETCH` turns as `read_aloud`, float32[turns, 384].
        components: axes to project them on.
        word_order: reads the words of a turn.
        acts: dialogue acts that have a feature; another one has none.
    """
    turns = conversation.turns[:STRETCH]
    texts = [read_aloud(turn.text) for turn in turns]
    said = [word_order.read(text) for text in texts]
    near: Floats = vectors @ vectors.T
    shared = _shared(said)
    speakers = [turn.role for turn in turns]
    others = np.array([[a != b for b in speakers] for a in speakers])
    rows = [_relations(at, near, shared, others) for at in range(len(turns))]
    known = [_new_words(at, said, others[at]) for at in range(len(turns))]
    place = [_place(at, texts, said, speakers) for at in range(len(turns))]
    points: Floats = ((vectors - components.mean) @ components.axes / SCALE).astype(np.float32)
    numbers = np.array([[*row, *new, *where] for row, new, where in zip(rows, known, place, strict=True)])
    return np.concatenate([_meaning(points), _acts(texts, acts), numbers], axis=1).astype(np.float32)


def read_aloud(text: str) -> str:
    """A text with its role markers as words: what `[ORDER_1]` stands for is an order, whichever.

    Examples:
        >>> read_aloud("My order is [ORDER_1].")
        'My order is order.'
    """
    return MARKER_PATTERN.sub(lambda match: match[1].lower().replace("_", " "), text)


def _meaning(points: Floats) -> Floats:
    """The turn, the two before it, its products with them, and the mean of all before."""
    one = np.zeros_like(points)
    one[1:] = points[:-1]
    two = np.zeros_like(points)
    two[2:] = points[:-2]
    before = np.zeros_like(points)
    before[1:] = np.cumsum(points, axis=0)[:-1] / np.arange(1, len(points))[:, np.newaxis]
    return np.concatenate([points, one, two, points * one / 2, points * two / 2, before], axis=1)


def _acts(texts: Sequence[str], acts: Sequence[str]) -> Floats:
    """Which dialogue act the turn and the two before it are, one place each."""
    numbers = {act: number for number, act in enumerate(acts)}
    rows = np.zeros((len(texts), 3 * len(numbers)), dtype=np.float32)
    act: str | None = None
    greeted = False
    for at, text in enumerate(texts):
        act = dialogue_act(text, act, first=at == 0, greeted=greeted)
        greeted |= act.endswith("Greeting")
        for back in range(min(3, len(texts) - at) if act in numbers else 0):
            rows[at + back, back * len(numbers) + numbers[act]] = 1
    return rows


def _shared(said: Sequence[TurnWords]) -> Floats:
    """Share of each turn's content words that each other turn has."""
    return np.array([[len(one.content & two.content) / (1 + len(one.content)) for two in said] for one in said])


def _relations(at: int, near: Floats, shared: Floats, others: NDArray[np.bool_]) -> list[float]:
    places = np.arange(len(near))
    other, before = others[at], places < at
    own = ~other & (places != at)
    row, words = near[at], shared[at]
    return [
        *(float(row[at - back]) if at >= back else NOTHING for back in (1, 2, 3)),
        *(_mean(row, mask) for mask in (before, places != at, other, own, other & before, own & before)),
        *(_highest(row, mask) for mask in (other, own, other & before, own & before)),
        *(float(words[at - back]) if at >= back else NOTHING for back in (1, 2)),
        *(_mean(words, mask) for mask in (other, own)),
        *(_highest(words, mask) for mask in (other, own, before)),
    ]


def _mean(row: Floats, mask: NDArray[np.bool_]) -> float:
    return float(row[mask].mean()) if mask.any() else NOTHING


def _highest(row: Floats, mask: NDArray[np.bool_]) -> float:
    return float(row[mask].max()) if mask.any() else NOTHING


def _new_words(at: int, said: Sequence[TurnWords], other: NDArray[np.bool_]) -> list[float]:
    content = said[at].content
    before = frozenset[str]().union(*(words.content for words in said[:at]))
    theirs = frozenset[str]().union(*(words.content for words, is_other in zip(said, other, strict=True) if is_other))
    return [len(content - before) / (1 + len(content)), len(content & theirs) / (1 + len(content))]


def _place(at: int, texts: Sequence[str], said: Sequence[TurnWords], speakers: Sequence[str]) -> list[float]:
    count, earlier = len(texts), said[at - 1] if at else None
    return [
        at == 0,
        at == 1,
        at == count - 1,
        at == count - 2,
        min(at, 20) / 20,
        at / count,
        min(count, 40) / 20,
        min(said[at].count, 60) / 20,
        min(earlier.count, 60) / 20 if earlier else 0.0,
        said[at].order,
        said[at].unusual,
        earlier.order if earlier else 0.0,
        "?" in texts[at],
        at > 0 and "?" in texts[at - 1],
        at > 0 and speakers[at] == speakers[at - 1],
    ]
