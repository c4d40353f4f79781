"""What a reviewer decided, applied to the source that was reviewed, and to no other.

In a conversation that was reviewed the reviewer's spans stand in place of the detector's. In the rest of the source,
the values that the reviewer marked are found wherever they are said again, word by word and whatever stands between
the words; in scripts that write no spaces, letter by letter. No model, no list and no other source learns anything.
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

_KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f"
_IDEOGRAPHS = r"\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Hiragana; Thai and Lao, Burmese, Khmer.
_UNSPACED = rf"{_KATAKANA}{_IDEOGRAPHS}\u3041-\u309f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# Where words are not set off a letter stands for one.
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_DENSE = re.compile(rf"[{_KATAKANA}{_IDEOGRAPHS}]")
_TWO_KATAKANA = re.compile(rf"[{_KATAKANA}]{{2}}")
# One or two letters stand everywhere; a reviewer's "J" is hers alone. Two of a denser script are a whole name.
_SHORTEST, _SHORTEST_DENSE = 3, 2


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
    """The decisions on the sources of one run, by conversation id in that run, and the values that they mark.

    Attributes:
        spread: find the values in other conversations too; without it each decision holds in its own alone.
    """

    spread: bool = True
    _decisions: dict[str, Decision] = field(default_factory=dict, repr=False)
    _values: dict[tuple[str, ...], tuple[str, str]] = field(default_factory=dict, repr=False)
    _lengths: dict[str, set[int]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """Conversations that were reviewed."""
        return len(self._decisions)

    def learn(self, conversation: Conversation, decision: Decision) -> None:
        """Take a decision, and the values that it marks.

        Args:
            conversation: that was reviewed, under the id that it has in this run.
            decision: on it.

        Raises:
            StaleReviewError: it has changed since.
        """
        if decision.digest != digest(conversation) or len(decision.turns) != len(conversation.turns):
            raise StaleReviewError("a conversation has changed since it was reviewed")
        if any(
            span.end > len(turn.text)
            for turn, spans in zip(conversation.turns, decision.turns, strict=True)
            for span in spans
        ):
            raise StaleReviewError("a decision points outside its turn")
        self._decisions[conversation.id] = decision
        for turn, spans in zip(conversation.turns, decision.turns, strict=True):
            for span in spans:
                self._add(turn.text[span.start : span.end], span.entity_type)

    def apply(self, conversation: Conversation, found: tuple[Spans, ...]) -> tuple[Spans, ...]:
        """The spans that stand: the reviewer's in a reviewed conversation, else the detector's and the values again.

        Args:
            conversation: of the source that was learned.
            found: the detector's spans, one tuple a turn.
        """
        decision = self._decisions.get(conversation.id)
        if decision is not None:
            return tuple(_joined(spans) for spans in decision.turns)
        if not self._values or not self.spread:
            return found
        turns = zip(conversation.turns, found, strict=True)
        return tuple(_joined((*spans, *self._again(turn.text))) for turn, spans in turns)

    def _add(self, value: str, kind: str) -> None:
        words = tuple(_WORD.findall(fold(value)))
        if sum(map(len, words)) >= (_SHORTEST_DENSE if _DENSE.search(value) else _SHORTEST):
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
                start, end = words[at].start(), words[min(at + length, len(words)) - 1].end()
                # "May" was marked as a name: "may" is none.
                plain = length == 1 and is_ordinary(folded[at]) and words[at][0] != value
                if kind and not plain and _is_set_off(text, start, end):
                    yield EntitySpan(start, end, kind, 1.0, RECOGNIZER)
                    step = length
                    break
            at += step


def _is_set_off(text: str, start: int, end: int) -> bool:
    # Katakana write names from abroad, and other words from there: the "ken" of "token" is none.
    return not any(_TWO_KATAKANA.fullmatch(text[max(0, at - 1) : at + 1]) for at in (start, end))


def _joined(spans: Iterable[EntitySpan]) -> Spans:
    """Spans of one turn, none over another: of two the one that holds the other, or one over both as reviewed."""
    apart: list[EntitySpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not apart or apart[-1].end <= span.start:
            apart.append(span)
        elif apart[-1].end < span.end:
            last = apart.pop()
            kind = span.entity_type if span.recognizer == RECOGNIZER else last.entity_type
            apart.append(EntitySpan(last.start, span.end, kind, 1.0, RECOGNIZER))
    return tuple(apart)
