"""Plain text: what no other format claims is one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from seed_engine.conversation import Conversation
from seed_engine.readers.record import Fault, Line, Read, TextFormat, build


def plain(_: str) -> TextFormat:
    """Every text is plain text, so this stands last in the list of formats."""
    return TextFormat("text", _parse, _write)


def _parse(lines: Iterable[Line], stem: str) -> Iterator[Read | Fault]:
    collected: list[str] = []
    for line in lines:
        if line.text is None:
            yield Fault(line.number, line.fault)
            return
        collected.append(line.text)
    text = "\n".join(collected)
    turns = ({"role": "document", "text": text},) if text.strip() else ()
    yield build(1, {"id": stem, "form": "document", "turns": turns}, made_id=True)


def _write(conversations: Iterable[Conversation], out: TextIO) -> None:
    for conversation in conversations:
        out.writelines(turn.text + "\n" for turn in conversation.turns)
