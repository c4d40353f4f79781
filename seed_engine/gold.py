"""Gold sets: documents and conversations whose personal data people have marked, read from JSONL.

A line is `{"id", "text", "spans"}` or `{"id", "turns": [{"text", "spans"}]}`, a span `{"start", "end", "entity_type",
"ignore"?}`, half-open in code points. Sources, licences and other keys are passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seed_engine.conversation import Conversation, Turn
from seed_engine.errors import InputError
from seed_engine.scoring import GoldSpan


@dataclass(frozen=True, slots=True)
class GoldSet:
    """One file of marked documents.

    Attributes:
        name: the file's, without `.jsonl`.
        documents: in the file's order.
        gold: for each document the gold spans of each turn.
    """

    name: str
    documents: tuple[Conversation, ...]
    gold: tuple[tuple[tuple[GoldSpan, ...], ...], ...]

    @property
    def language(self) -> str:
        """The language that most of its documents say they are in; `en` where none says."""
        said = Counter(document.language for document in self.documents if document.language)
        return said.most_common(1)[0][0] if said else "en"

    @property
    def is_marked(self) -> bool:
        """Whether anything is marked; a set without is everyday text, where every find is a mistake."""
        return any(spans for turns in self.gold for spans in turns)


def read_gold(path: Path) -> GoldSet:
    """Read one set whole.

    Raises:
        InputError: a line is no such document, or a span lies outside its text; gives the line, not its content.
    """
    documents, gold = [], []
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            read = _document(_parsed(raw))
            if read is None:
                raise InputError(str(path), number, "not a document with text and spans, or a span outside its text")
            documents.append(read[0])
            gold.append(read[1])
    if not documents:
        raise InputError(str(path), None, "no document in it")
    return GoldSet(path.name.removesuffix(".jsonl"), tuple(documents), tuple(gold))


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _document(record: Any) -> tuple[Conversation, tuple[tuple[GoldSpan, ...], ...]] | None:
    if not isinstance(record, Mapping) or not isinstance(record.get("id"), str | int):
        return None
    turns = record.get("turns", [record])
    if not isinstance(turns, Sequence) or not turns or not all(map(_is_turn, turns)):
        return None
    language, domain = (record.get(name) if isinstance(record.get(name), str) else None for name in _SAID)
    conversation = Conversation(
        id=str(record["id"]),
        turns=tuple(Turn(role=str(turn.get("role", "text")), text=turn["text"]) for turn in turns),
        language=language,
        domain=domain,
        form="conversation" if "turns" in record else "document",
    )
    return conversation, tuple(tuple(map(_span, turn.get("spans") or ())) for turn in turns)


_SAID = ("language", "domain")


def _is_turn(turn: Any) -> bool:
    if not isinstance(turn, Mapping) or not isinstance(turn.get("text"), str):
        return False
    spans = turn.get("spans") or []
    return isinstance(spans, Sequence) and all(_is_span(span, len(turn["text"])) for span in spans)


def _is_span(span: Any, length: int) -> bool:
    if not isinstance(span, Mapping) or not isinstance(span.get("entity_type"), str):
        return False
    start, end = span.get("start"), span.get("end")
    return isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= length


def _span(span: Mapping[str, Any]) -> GoldSpan:
    return GoldSpan(span["start"], span["end"], span["entity_type"], bool(span.get("ignore")))
