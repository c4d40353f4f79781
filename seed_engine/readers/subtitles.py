"""WebVTT and SRT subtitles whose cues name their speaker (`<v Name>` or `Name: text`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from seed_engine.readers.record import Fault, Line, Read, TextFormat, build
from seed_engine.readers.speakers import SpeakerLabels, merged, write_transcript
from seed_engine.readers.transcript import SPOKEN

_CUE = re.compile(r"\s*(?:\d{1,3}:)?\d{2}:\d{2}[.,]\d{3}\s+-->\s+(?:\d{1,3}:)?\d{2}:\d{2}[.,]\d{3}.*")
_VOICE = re.compile(r"<v(?:\.[^ >]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?[a-z0-9:.][^>]*>")
_UNNAMED = "speaker"


def subtitles(head: str) -> TextFormat | None:
    """WebVTT opens with its name, SRT with a number and a cue's times."""
    lines = [line for line in head.splitlines() if line.strip()][:3]
    is_srt = len(lines) > 1 and ((lines[0].strip().isdigit() and _CUE.fullmatch(lines[1])) or _CUE.fullmatch(lines[0]))
    if lines and (lines[0].startswith("WEBVTT") or is_srt):
        return TextFormat("subtitles", _parse, write_transcript)
    return None


def _parse(lines: Iterable[Line], stem: str) -> Iterator[Read | Fault]:
    said: list[tuple[int, str, str]] = []
    notes: list[str] = []
    speaker, in_cue = _UNNAMED, False
    for line in lines:
        if line.text is None:
            yield Fault(line.number, line.fault)
        elif _CUE.fullmatch(line.text):
            in_cue = True
        elif not line.text.strip():
            in_cue = False
        elif in_cue:
            for name, text in _voices(line.text):
                speaker = name or speaker
                said.append((line.number, speaker, text))
        elif not line.text.strip().isdigit():
            notes.append(line.text)
    labels = SpeakerLabels()
    spoken = tuple(labels.turn(name, text) for _, name, text in merged(said))
    yield build(1, {"id": stem, "turns": spoken, "metadata": tuple(dict.fromkeys(notes))}, made_id=True)


def _voices(text: str) -> Iterator[tuple[str, str]]:
    pieces = _VOICE.split(text)
    if len(pieces) > 1:
        pairs = zip(["", *pieces[1::2]], pieces[::2], strict=True)
        yield from ((name.strip(), clean) for name, piece in pairs if (clean := _TAG.sub("", piece).strip()))
        return
    plain = _TAG.sub("", text).strip().removeprefix("- ")
    named = SPOKEN.fullmatch(plain)
    yield (named[1], named[2]) if named else ("", plain)
