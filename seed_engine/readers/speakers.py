"""Speaker labels of transcripts: a known role stays, anything else may be a name and becomes `speaker_N`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from seed_engine.conversation import Conversation
from seed_engine.fold import fold
from seed_engine.vocabulary import speaker_labels


class SpeakerLabels:
    """Labels of one conversation, numbered in order of first turn."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def turn(self, label: str, text: str) -> dict[str, str | None]:
        """A turn's fields: its role, and its display name where the label is not a role."""
        if self.knows(label):
            return {"role": label.strip().casefold(), "text": text, "name": None}
        return {"role": self.numbered(label), "text": text, "name": label.strip()}

    def knows(self, label: str) -> bool:
        """Whether a label is a role, and so says nothing about who it is."""
        return fold(label.strip()) in speaker_labels()

    def numbered(self, label: str) -> str:
        """`speaker_N`, the same for the same label."""
        return f"speaker_{self._numbers.setdefault(label.strip().casefold(), len(self._numbers) + 1)}"


def merged(said: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    """Join neighbouring `(line, speaker, text)` of one speaker; subtitles break sentences over cues."""
    held: tuple[int, str, list[str]] | None = None
    for line, speaker, text in said:
        if held is not None and held[1] == speaker:
            held[2].append(text)
            continue
        if held is not None:
            yield held[0], held[1], " ".join(held[2])
        held = (line, speaker, [text])
    if held is not None:
        yield held[0], held[1], " ".join(held[2])


def write_transcript(conversations: Iterable[Conversation], out: TextIO) -> None:
    """Write `role: text` lines, conversations parted by a line of `---`; display names are left out."""
    for i, conversation in enumerate(conversations):
        out.write("---\n" if i else "")
        for turn in conversation.turns:
            out.write(f"{turn.role}: {turn.text}\n")
