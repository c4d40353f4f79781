"""WhatsApp chat exports, of Android and of iOS, in any date order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from seed_engine.readers.record import Fault, Line, Read, TextFormat, build
from seed_engine.readers.speakers import SpeakerLabels, write_transcript

_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?"
_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s*[apAP]\.?\s?[mM]\.?)?"
_STAMP = re.compile(rf"(?:\[{_DATE}\s+{_TIME}\]\s*|{_DATE}\s+{_TIME}\s+[-–]\s+)(.*)", re.DOTALL)
_SAID = re.compile(r"([^:]{1,60}):\s(.*)", re.DOTALL)
# Exports carry direction marks and narrow spaces around stamps and names.
_MARKS = {ord(mark): None for mark in "\u200e\u200f\u202a\u202b\u202c\ufeff"} | {0x202F: " ", 0xA0: " "}


def whatsapp(head: str) -> TextFormat | None:
    """An export opens with a dated message."""
    first = next((line for line in head.splitlines() if line.strip()), "").translate(_MARKS)
    return TextFormat("whatsapp", _parse, write_transcript) if _STAMP.fullmatch(first.strip()) else None


def _parse(lines: Iterable[Line], stem: str) -> Iterator[Read | Fault]:
    turns: list[list[str]] = []
    notices: list[str] = []
    for line in lines:
        if line.text is None:
            yield Fault(line.number, line.fault)
            continue
        text = line.text.translate(_MARKS)
        stamped = _STAMP.fullmatch(text.strip())
        said = _SAID.fullmatch(stamped[1]) if stamped else None
        if said:
            turns.append([said[1], said[2]])
        elif stamped is None and turns and text.strip():
            turns[-1][1] += "\n" + text.strip()
        elif stamped is not None:
            notices.append(stamped[1])  # the service's own: "Messages are encrypted", "Ana added Luis"
    labels = SpeakerLabels()
    spoken = tuple(labels.turn(label, text) for label, text in turns)
    yield build(1, {"id": stem, "turns": spoken, "metadata": tuple(dict.fromkeys(notices))}, made_id=True)
