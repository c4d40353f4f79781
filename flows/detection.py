"""What the detecting verbs share: a detector from settings, readers with overrides, and the spans record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.config import load_config, override
from flows.errors import UsageError
from seed_engine.conversation import Conversation
from seed_engine.language import LANGUAGES
from seed_engine.spans import EntitySpan
from seed_engine.vocabulary import vocabulary

if TYPE_CHECKING:
    from seed_engine.detect import Detector


def detector_for(config: Path | None, **settings: object) -> Detector:
    """A detector from the configuration, with the settings that are not None in place."""
    from seed_engine.detect import Detector

    return Detector(override(load_config(config).detector, **settings))


def read_as(
    path: Path, language: str | None, domain: str | None, *, skip_bad: bool, unique_ids: bool = False
) -> Iterator[Conversation]:
    """Read conversations, the given language and domain in place of the file's own; the rest as `read_conversations`.

    Raises:
        UsageError: at once, for a language that the detector does not know or a domain without a profile.
    """
    _require_known("language", language, LANGUAGES)
    require_domain(domain)
    given = {"language": language, "domain": domain}
    changes = {name: value for name, value in given.items() if value is not None}
    return _read_as(path, changes, skip_bad=skip_bad, unique_ids=unique_ids)


def require_domain(domain: str | None) -> None:
    """Refuse a domain without a profile.

    Raises:
        UsageError: it has none; those that have are listed.
    """
    _require_known("domain", domain, vocabulary().domains)


def id_prefixes(count: int) -> tuple[str, ...]:
    """What is put before ids that a reader makes of line numbers, one for each input of a run: they would meet."""
    return tuple(f"{number}/" for number in range(1, count + 1)) if count > 1 else ("",) * count


def _read_as(path: Path, changes: dict[str, str], *, skip_bad: bool, unique_ids: bool) -> Iterator[Conversation]:
    from seed_engine.readers import read_conversations

    for conversation in read_conversations(path, skip_bad=skip_bad, unique_ids=unique_ids):
        yield conversation.model_copy(update=changes)


def _require_known(kind: str, name: str | None, known: Iterable[str]) -> None:
    if name is not None and name not in known:
        raise UsageError(f"unknown {kind}; known: {', '.join(sorted(known))}")


def spans_record(conversation: Conversation, spans: tuple[tuple[EntitySpan, ...], ...]) -> dict[str, Any]:
    """One line of spans.jsonl: a document's spans, or a conversation's by turn; offsets and types, no text."""
    turns = [[_span(span) for span in turn] for turn in spans]
    if conversation.form == "document":
        return {"id": conversation.id, "spans": turns[0]}
    return {"id": conversation.id, "turns": [{"spans": turn} for turn in turns]}


def _span(span: EntitySpan) -> dict[str, Any]:
    return {
        "start": span.start,
        "end": span.end,
        "entity_type": span.entity_type,
        "score": round(span.score, 4),
        "recognizer": span.recognizer,
    }
