"""Marker consistency: whether a conversation's role markers are ones that can be kept apart and filled in.

A turn is consistent when all it puts in brackets are role markers of a known kind, and each marker's number is at most
one more than the highest of its kind before: a second doctor cannot come up before the first.
"""

from __future__ import annotations

import re
from collections import Counter

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.conversation import Conversation
from seed_engine.markers import iter_markers
from seed_engine.vocabulary import vocabulary

# Looks like a marker, is none: `[Patient Name]`, `[PROCESSED_COMMENT]`, `{{name}}`, `<NAME>`.
_PRETENDED = re.compile(r"\[[A-Za-z][A-Za-z_' ]*\d*\]|\{\{?[A-Za-z_ ]+\}?\}|<[A-Z][A-Z_]+\d*>")


def marker_consistency(conversation: Conversation) -> float:
    """Consistent turns / turns, [0, 1]; 1.0 without markers."""
    known = frozenset(vocabulary().marker_kinds)
    highest: Counter[str] = Counter()
    consistent = 0
    for turn in conversation.turns:
        holds = True
        spans = set()
        for start, end, marker in iter_markers(turn.text):
            spans.add((start, end))
            holds &= marker.kind in known and marker.number <= highest[marker.kind] + 1
            highest[marker.kind] = max(highest[marker.kind], marker.number)
        consistent += holds and all(match.span() in spans for match in _PRETENDED.finditer(turn.text))
    return consistent / len(conversation.turns)


def _measure(evidence: Evidence) -> float | None:
    values = [marker_consistency(conversation) for conversation in evidence.conversations]
    return sum(values) / len(values) if values else None


MARKER_CONSISTENCY = Metric("marker_consistency", (0.0, 1.0), "higher", _measure)
