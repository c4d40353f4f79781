"""Leak check: whether a known value of the source stands anywhere in a set, in a turn or in a field of a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.scores import Finding
from seed_engine.conversation import Conversation
from seed_engine.secrets import How, Leak, SecretIndex
from seed_engine.streams import Transcript


@dataclass(frozen=True, slots=True)
class LeakResult:
    """Known values found.

    Attributes:
        by_how: count by how the value is written.
        by_type: count by entity type.
        findings: where, in order.
    """

    by_how: dict[How, int]
    by_type: dict[str, int]
    findings: tuple[Finding, ...]


def find_leaks(conversations: Sequence[Conversation], secrets: SecretIndex) -> LeakResult:
    """Search a set for known values; linear in its length.

    Args:
        conversations: the set; turns, each speaker's turns alone, and ids, subjects and names are searched.
        secrets: the run's index.
    """
    talks = [Transcript(tuple(t.text for t in c.turns), tuple(t.role for t in c.turns)) for c in conversations]
    records = [Transcript(_fields(conversation)) for conversation in conversations]
    by_how: Counter[How] = Counter()
    by_type: Counter[str] = Counter()
    findings: list[Finding] = []
    in_talks, in_records = secrets.find_all(talks), secrets.find_all(records)
    for ordinal, (talk, record) in enumerate(zip(in_talks, in_records, strict=True)):
        for leak in (*talk, *record):
            by_how[leak.how] += 1
            by_type[leak.entity_type] += 1
        findings += (_finding(leak, ordinal, in_turn=True) for leak in talk)
        findings += (_finding(leak, ordinal, in_turn=False) for leak in record)
    return LeakResult(dict(by_how), dict(by_type), tuple(findings))


def _fields(conversation: Conversation) -> tuple[str, ...]:
    texts = [conversation.id, conversation.subject, conversation.domain, conversation.seed_id]
    texts += [text for turn in conversation.turns for text in (turn.name, turn.role)]
    return tuple(dict.fromkeys(text for text in texts if text))


def _finding(leak: Leak, conversation: int, *, in_turn: bool) -> Finding:
    return Finding(
        kind="known_secret",
        entity_type=leak.entity_type,
        conversation=conversation,
        turn=leak.turn if in_turn else None,
        start=leak.start,
        end_turn=leak.end_turn if in_turn else None,
        end=leak.end,
    )
