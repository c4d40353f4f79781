"""Memorisation: how much of a set stands word by word in the sources, and how much of that is chance.

Measured against the sources, never against the seeds. The control is a set of sources from which no seed was made: what
is found there was not memorised, so only what goes beyond it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.config import EvaluatorConfig
from evaluator.scores import Finding
from seed_engine.conversation import Conversation
from seed_engine.fingerprints import Copy, Fingerprints, Overlap

# A conversation with fewer can share half of its passages by sharing one phrase.
FEWEST_COPIED = 3


@dataclass(frozen=True, slots=True)
class MemorisationResult:
    """Copies of the sources in a set.

    Attributes:
        rate: share of conversations with a copied stretch of `copied_words`, [0, 1], lower is better.
        passage_rate: share of all passages that a source has, [0, 1].
        longest_words: words in the longest copied stretch.
        verbatim_copies: conversations of which `copied_share` of the passages is copied.
        findings: long stretches, and every stretch of a verbatim copy.
        memorised: ordinals of the conversations with a copied stretch.
    """

    rate: float
    passage_rate: float
    longest_words: int
    verbatim_copies: int
    findings: tuple[Finding, ...]
    memorised: frozenset[int] = frozenset()


def memorisation(
    conversations: Sequence[Conversation], fingerprints: Fingerprints, config: EvaluatorConfig
) -> MemorisationResult:
    """Compare a set with fingerprinted sources.

    Args:
        conversations: the set.
        fingerprints: of the sources, or of the held-back control.
        config: `copied_words` and `copied_share`.
    """
    verbatim = copied = passages = longest = 0
    memorised: set[int] = set()
    findings: list[Finding] = []
    for ordinal, conversation in enumerate(conversations):
        overlap = fingerprints.overlap([turn.text for turn in conversation.turns])
        whole = _is_verbatim(overlap, config)
        long = [copy for copy in overlap.copies if whole or copy.words >= config.copied_words]
        findings += (_finding(copy, ordinal) for copy in long)
        if long:
            memorised.add(ordinal)
        verbatim += whole
        copied += overlap.copied
        passages += overlap.passages
        longest = max([longest, *(copy.words for copy in overlap.copies)])
    rate = len(memorised) / len(conversations) if conversations else 0.0
    share = copied / passages if passages else 0.0
    return MemorisationResult(rate, share, longest, verbatim, tuple(findings), frozenset(memorised))


def copied_people(sources: Iterable[Conversation], published: Fingerprints, config: EvaluatorConfig) -> tuple[int, int]:
    """Of how many people a long stretch stands in a published set, and how many people there are.

    Args:
        sources: conversations of a source, or of its held-back part.
        published: of the set; nothing of it may be left out as common.
        config: `copied_words`.
    """
    copied: dict[str, bool] = {}
    for source in sources:
        copies = published.overlap([turn.text for turn in source.turns]).copies
        long = any(copy.words >= config.copied_words for copy in copies)
        copied[source.unit] = copied.get(source.unit, False) or long
    return sum(copied.values()), len(copied)


def _is_verbatim(overlap: Overlap, config: EvaluatorConfig) -> bool:
    return overlap.copied >= FEWEST_COPIED and overlap.copied >= config.copied_share * overlap.passages


def _finding(copy: Copy, conversation: int) -> Finding:
    return Finding(
        kind="verbatim_copy",
        entity_type=None,
        conversation=conversation,
        turn=copy.turn,
        start=copy.start,
        end_turn=copy.turn,
        end=copy.end,
    )
