"""Proposals on a transcript that another tool redacted: what it missed, what it hid wrongly, and what people decided.

A proposal is a question to a reviewer. A decision answers it, for exactly the text that was shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from seed_engine.conversation import Conversation
from seed_engine.redaction_context import judge
from seed_engine.redactions import redactions
from seed_engine.spans import EntitySpan

# What a reviewer calls a redaction that hid nobody.
NOT_PERSONAL = "NOT_PERSONAL"
_GENERIC = "ID_OTHER"


@dataclass(frozen=True, slots=True, order=True)
class Proposal:
    """What is thought of one place, half-open in its turn.

    Attributes:
        turn: the turn's index.
        start: first code point.
        end: one past the last.
        label: an entity type, or `NOT_PERSONAL` for a redaction that hid nobody.
        original: what plausibly stood there before it was hidden wrongly; empty otherwise, or where it is unknown.
        reason: `missed`, or as `redaction_context.Judged` has it.
        score: the detector's for what was missed, 1 for a redaction.
    """

    turn: int
    start: int
    end: int
    label: str
    original: str
    reason: str
    score: float

    @property
    def is_problem(self) -> bool:
        """Whether the other tool went wrong here, if the proposal is right."""
        return self.reason != "personal"


@dataclass(frozen=True, slots=True, order=True)
class Decision:
    """What a reviewer left at one place: a label as a proposal has it, and the original where one is restored."""

    turn: int
    start: int
    end: int
    label: str
    original: str


def propose(conversation: Conversation, found: Sequence[Sequence[EntitySpan]]) -> tuple[Proposal, ...]:
    """Proposals on one conversation, in reading order.

    Args:
        conversation: as the other tool left it.
        found: what a detector finds in it, one tuple a turn; finds over a redaction say nothing.
    """
    texts = [turn.text for turn in conversation.turns]
    proposals = []
    for i, (text, spans) in enumerate(zip(texts, found, strict=True)):
        marks = redactions(text)
        for mark in marks:
            says = judge(texts, i, mark)
            label = NOT_PERSONAL if says.is_wrong else says.entity_type or _GENERIC
            proposals.append(Proposal(i, mark.start, mark.end, label, says.original, says.reason, 1.0))
        for span in spans:
            if all(span.end <= mark.start or mark.end <= span.start for mark in marks):
                proposals.append(Proposal(i, span.start, span.end, span.entity_type, "", "missed", span.score))
    return tuple(sorted(proposals))


@dataclass(frozen=True, slots=True)
class Resolution:
    """How far a review has come.

    Attributes:
        problems: proposals that are problems, in the sample.
        resolved: of them those that a reviewer has decided so that they can be carried out.
        accepted: of the resolved those that stand as proposed.
    """

    problems: int
    resolved: int
    accepted: int

    @property
    def share(self) -> float:
        """Share of sampled problems that are resolved, in [0, 1]; 1 without any problem."""
        return self.resolved / self.problems if self.problems else 1.0

    def __add__(self, other: Resolution) -> Resolution:
        return Resolution(
            self.problems + other.problems, self.resolved + other.resolved, self.accepted + other.accepted
        )


def resolution(proposals: Iterable[Proposal], decisions: Sequence[Decision] | None) -> Resolution:
    """How far one conversation has come; `decisions` is None while nobody has reviewed it."""
    problems = [proposal for proposal in proposals if proposal.is_problem]
    verdicts = [_verdict(proposal, decisions) for proposal in problems] if decisions is not None else []
    return Resolution(len(problems), sum(one is not None for one in verdicts), sum(one is True for one in verdicts))


def settled(proposals: Iterable[Proposal], decisions: Sequence[Decision] | None) -> tuple[Decision, ...]:
    """What is carried out: the reviewer's decisions, and the proposals where there is no review.

    A redaction that nobody has decided stays one, and one that was wrong and whose original nobody knows as well.
    """
    if decisions is None:
        return tuple(
            Decision(item.turn, item.start, item.end, item.label, item.original)
            for item in proposals
            if item.label != NOT_PERSONAL or item.original
        )
    return tuple(sorted(item for item in decisions if item.label != NOT_PERSONAL or item.original))


def _verdict(proposal: Proposal, decisions: Sequence[Decision]) -> bool | None:
    """Whether a reviewer accepted a proposal; None while it is open."""
    there = list(_over(proposal, decisions))
    if proposal.reason == "missed":
        # A reviewer who took the mark away has decided too.
        return any(item.label == proposal.label for item in there)
    if not there:
        return None
    if any(item.label == NOT_PERSONAL and not item.original for item in there):
        return None
    return any(item.label == proposal.label and item.original == proposal.original for item in there)


def _over(proposal: Proposal, decisions: Sequence[Decision]) -> Iterator[Decision]:
    for item in decisions:
        if item.turn == proposal.turn and item.start < proposal.end and proposal.start < item.end:
            yield item
