"""What a reviewer decided, applied to the source that was reviewed, and to no other.

In a conversation that was reviewed the reviewer's spans stand in place of the detector's. In the rest of the source,
the values that the reviewer marked are found wherever they are said again, word by word and whatever stands between
the words. No model, no list and no other source learns anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from seed_engine.conversation import Conversation
from seed_engine.fold import fold
from seed_engine.label_studio import RECOGNIZER, Spans, digest
from seed_engine.ordinary import is_ordinary
from seed_engine.spans import EntitySpan

_WORD = re.compile(r"[^\W_]+")
# One or two letters stand everywhere; a reviewer's "J" is hers alone.
_SHORTEST = 3


class StaleReviewError(ValueError):
    """A conversation is not as it was when it was reviewed; the message quotes nothing."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reviewer left in one conversation.

    Attributes:
        digest: of the text that was reviewed, see `label_studio.digest`.
        turns: the spans that stand, one tuple a turn.
    """

    digest: str
    turns: tuple[Spans, ...]


@dataclass(slots=True)
class Review:
    """The decisions on one source, by conversation id, and the values that they mark."""

    decisions: dict[str, Decision]
    _values: dict[tuple[str, ...], tuple[str, str]] = field(default_factory=dict, repr=False)
    _lengths: dict[str, set[int]] = field(default_factory=dict, repr=False)

    def learn_all(self, ids: Iterable[str], conversations: Iterable[Conversation]) -> None:
        """Take the values of a source's reviewed conversations.

        Args:
            ids: of those that were reviewed.
            conversations: the source, whole.

        Raises:
            StaleReviewError: one of them has changed since, or is not there any more.
        """
        left = set(ids)
        for conversation in conversations:
            if conversation.id in left:
                self.learn(conversation)
                left.discard(conversation.id)
        if left:
            raise StaleReviewError("a reviewed conversation is not in the source any more")

    def learn(self, conversation: Conversation) -> None:
        """Take the values of a reviewed conversation.

        Raises:
            StaleReviewError: it has changed since.
        """
        decision = self.decisions[conversation.id]
        if decision.digest != digest(conversation) or len(decision.turns) != len(conversation.turns):
            raise StaleReviewError("a conversation has changed since it was reviewed")
        for turn, spans in zip(conversation.turns, decision.turns, strict=True):
            for span in spans:
                self._add(turn.text[span.start : span.end], span.entity_type)

    def apply(self, conversation: Conversation, found: tuple[Spans, ...]) -> tuple[Spans, ...]:
        """The spans that stand: the reviewer's in a reviewed conversation, else the detector's and the values again.

        Args:
            conversation: of the source that was learned.
            found: the detector's spans, one tuple a turn.
        """
        decision = self.decisions.get(conversation.id)
        if decision is not None:
            return decision.turns
        if not self._values:
            return found
        turns = zip(conversation.turns, found, strict=True)
        return tuple(_joined(spans, tuple(self._again(turn.text))) for turn, spans in turns)

    def _add(self, value: str, kind: str) -> None:
        words = tuple(_WORD.findall(fold(value)))
        if sum(map(len, words)) >= _SHORTEST:
            self._values.setdefault(words, (kind, value))
            self._lengths.setdefault(words[0], set()).add(len(words))

    def _again(self, text: str) -> Iterator[EntitySpan]:
        """Where a marked value stands, the longest at each place."""
        words = list(_WORD.finditer(text))
        folded = [fold(word[0]) for word in words]
        at = 0
        while at < len(words):
            step = 1
            for length in sorted(self._lengths.get(folded[at], ()), reverse=True):
                kind, value = self._values.get(tuple(folded[at : at + length]), ("", ""))
                # "May" was marked as a name: "may" is none.
                if kind and (length > 1 or not is_ordinary(folded[at]) or words[at][0] == value):
                    start, end = words[at].start(), words[at + length - 1].end()
                    yield EntitySpan(start, end, kind, 1.0, RECOGNIZER)
                    step = length
                    break
            at += step


def _joined(found: Spans, again: Spans) -> Spans:
    """Both, without the detector's that lie inside a reviewed one, nor reviewed ones inside the detector's."""
    new = tuple(span for span in again if not any(_inside(span, other) for other in found))
    kept = tuple(span for span in found if not any(_inside(span, other) for other in new))
    return tuple(sorted((*kept, *new)))


def _inside(span: EntitySpan, other: EntitySpan) -> bool:
    return other.start <= span.start and span.end <= other.end
