"""Privacy score: the share of a set's letters and digits that a detector calls personal data. Only 0 passes.

Role markers never count, whatever the detector says of them, and a conversation is judged from its text alone, so a
second run over the same text gives the same score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluator.errors import DetectorError
from evaluator.scores import FalseAlarms, Finding
from seed_engine.conversation import Conversation, Turn
from seed_engine.markers import iter_markers
from seed_engine.spans import EntitySpan


class Detect(Protocol):
    """What the score needs of a detector: spans of every turn of a conversation, in turn order."""

    def __call__(self, conversation: Conversation, /) -> Sequence[Sequence[EntitySpan]]:
        """Spans of each turn."""
        ...


@dataclass(frozen=True, slots=True)
class PrivacyResult:
    """What a detector found.

    Attributes:
        score: covered / letters_and_digits, [0, 1]; 0.0 exactly when nothing is covered.
        covered: letters and digits inside spans and outside role markers.
        letters_and_digits: all of them outside role markers.
        by_type: spans that cover at least one letter or digit, by entity type.
        findings: the same spans, in order.
    """

    score: float
    covered: int
    letters_and_digits: int
    by_type: dict[str, int]
    findings: tuple[Finding, ...]


def privacy_score(conversations: Iterable[Conversation], detect: Detect) -> PrivacyResult:
    """Score a set.

    Args:
        conversations: the set.
        detect: finds spans; must answer with one sequence a turn.

    Raises:
        DetectorError: the detector answered for another number of turns.
    """
    covered = total = 0
    findings: list[Finding] = []
    for ordinal, conversation in enumerate(conversations):
        spans_by_turn = detect(conversation)
        if len(spans_by_turn) != len(conversation.turns):
            raise DetectorError(f"detector answered for {len(spans_by_turn)} of {len(conversation.turns)} turns")
        for number, (turn, spans) in enumerate(zip(conversation.turns, spans_by_turn, strict=True)):
            counted = countable(turn.text)
            total += len(counted)
            inside: set[int] = set()
            for span in sorted(spans):
                hit = counted.intersection(range(span.start, span.end))
                if hit:
                    inside |= hit
                    findings.append(_finding(span, ordinal, number))
            covered += len(inside)
    by_type = Counter(finding.entity_type or "" for finding in findings)
    return PrivacyResult(covered / total if total else 0.0, covered, total, dict(by_type), tuple(findings))


def false_alarms(texts: Sequence[str], language: str, detect: Detect) -> FalseAlarms:
    """What a detector finds in texts that hold nobody.

    Args:
        texts: at least one; each is a conversation of one turn.
        language: of them.
        detect: as `privacy_score`.

    Raises:
        DetectorError: the detector answered for another number of turns.
    """
    alone = (
        Conversation(id=f"text-{number}", language=language, turns=(Turn(role="agent", text=text),))
        for number, text in enumerate(texts)
    )
    found = privacy_score(alone, detect)
    finds = len(found.findings)
    return FalseAlarms(turns=len(texts), finds=finds, per_1000=1000 * finds / len(texts), by_type=found.by_type)


def countable(text: str) -> set[int]:
    """Offsets of the letters and digits of a text that do not belong to a role marker."""
    offsets = {offset for offset, character in enumerate(text) if character.isalnum()}
    for start, end, _ in iter_markers(text):
        offsets.difference_update(range(start, end))
    return offsets


def _finding(span: EntitySpan, conversation: int, turn: int) -> Finding:
    return Finding(
        kind="personal_data",
        entity_type=span.entity_type,
        conversation=conversation,
        turn=turn,
        start=span.start,
        end_turn=turn,
        end=span.end,
    )
