"""`Role: text` transcripts; a line of `---` or `===` starts another conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from seed_engine.readers.record import Fault, Line, Read, TextFormat, build
from seed_engine.readers.speakers import SpeakerLabels, write_transcript

# At most three words before the colon; no digit first, so that times and list items are not speakers.
SPOKEN = re.compile(r"\s*([^\W\d_][^\W_]*(?:[ ._'’-]+[^\W_]+){0,2}\.?)\s*:(?!//)\s*(.*)", re.DOTALL)
_BREAK = re.compile(r"\s*(-{3,}|={3,})\s*")


def transcript(head: str) -> TextFormat | None:
    """Transcripts open with a speaker and most of their lines name one."""
    lines = [line for line in head.splitlines() if line.strip() and not _BREAK.fullmatch(line)]
    spoken = [match[1].casefold() for line in lines if (match := SPOKEN.fullmatch(line))]
    repeated = len(spoken) - len(set(spoken))
    if len(spoken) < 2 or not SPOKEN.fullmatch(lines[0]) or (len(lines) > 4 and not repeated):
        return None
    return TextFormat("transcript", _parse, write_transcript) if 2 * len(spoken) >= len(lines) else None


def _parse(lines: Iterable[Line], stem: str) -> Iterator[Read | Fault]:
    number, start, turns = 1, 1, list[list[str]]()
    for line in lines:
        if line.text is None:
            yield Fault(line.number, line.fault)
        elif _BREAK.fullmatch(line.text):
            if turns:
                yield _conversation(turns, start, stem, number)
            number, start, turns = number + bool(turns), line.number + 1, []
        elif match := SPOKEN.fullmatch(line.text):
            turns.append([match[1], match[2]])
        elif line.text.strip():
            if not turns:
                yield Fault(line.number, "text before the first speaker")
                continue
            turns[-1][1] += "\n" + line.text.strip()
    if turns:
        yield _conversation(turns, start, stem, number)


def _conversation(turns: list[list[str]], line: int, stem: str, number: int) -> Read | Fault:
    labels = SpeakerLabels()
    spoken = tuple(labels.turn(label, text) for label, text in turns)
    return build(line, {"id": stem if number == 1 else f"{stem}-{number}", "turns": spoken}, made_id=True)
