"""What can be exported: the synthetic or the rendered set of a run, or a file of such conversations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flows.errors import UsageError
from flows.records_io import read_records
from generator.render import Rendered


@dataclass(frozen=True, slots=True)
class Export:
    """A set on its way out.

    Attributes:
        name: what the data set is called; letters, digits, `-` and `_`.
        license: SPDX identifier, or `other`.
        conversations: synthetic ones, at least one; only rendered ones have surrogates.
    """

    name: str
    license: str
    conversations: tuple[Rendered, ...]

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1, each once, in alphabetical order."""
        return tuple(sorted({item.language for item in self.conversations if item.language}))

    @property
    def domains(self) -> tuple[str, ...]:
        """Each once, in alphabetical order."""
        return tuple(sorted({item.domain for item in self.conversations if item.domain}))

    @property
    def description(self) -> str:
        """One sentence for cards and metadata; counts and labels only."""
        count, turns = len(self.conversations), sum(len(item.turns) for item in self.conversations)
        filled = any(item.surrogates for item in self.conversations)
        people = "invented values" if filled else "role markers such as [CUSTOMER_1]"
        return (
            f"{count} synthetic conversations ({turns} turns; {', '.join(self.domains)}; {', '.join(self.languages)}) "
            f"generated from abstract seeds, with {people} in the place of personal data."
        )


def read_export(source: Path, *, name: str, license_id: str, rendered: bool) -> Export:
    """Read a run's folder or a file.

    Raises:
        UsageError: there is no such set, it is empty, or it holds something that is not synthetic.
        InputError: a line is not a conversation.
    """
    if source.is_dir():
        source = source / ("rendered.jsonl" if rendered else "synthetic.jsonl")
    if not source.is_file():
        raise UsageError(f"{source}: no such file; a run that was halted has no synthetic set")
    found = tuple(read_records(source, Rendered))
    if not found:
        raise UsageError(f"{source}: no conversations")
    if any(item.provenance != "synthetic" for item in found):
        raise UsageError(f"{source}: holds conversations that are not synthetic; only synthetic ones are exported")
    return Export(name, license_id, found)
