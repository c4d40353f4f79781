"""Reads the input files of a run, in order, as one stream of conversations with ids that do not meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.detection import id_prefixes
from seed_engine.errors import InputError

if TYPE_CHECKING:
    from seed_engine.conversation import Conversation


def read_inputs(
    inputs: Sequence[Path], counts: Counter[str], *, limit: int | None, skip_bad: bool, unique_ids: bool
) -> Iterator[Conversation]:
    """Yield the conversations of all files.

    Args:
        inputs: the files.
        counts: `skipped_bad_lines` is added to.
        limit: conversations read per file; None for all.
        skip_bad: count broken lines instead of stopping.
        unique_ids: refuse an id that stands twice in a file.

    Raises:
        InputError: a file is broken, or given twice, or two share an id.
    """
    from seed_engine.readers import ReadTally, read_conversations

    seen: set[str] = set()
    for number, (path, prefix) in enumerate(zip(inputs, id_prefixes(len(inputs)), strict=True)):
        if path.resolve() in {other.resolve() for other in inputs[:number]}:
            raise InputError(str(path), None, "given twice")
        tally = ReadTally()
        how: dict[str, Any] = {"limit": limit, "skip_bad": skip_bad, "unique_ids": unique_ids}
        for conversation in read_conversations(path, tally=tally, prefix=prefix, **how):
            if conversation.id in seen:
                raise InputError(str(path), None, "an id of this file stands in another input too")
            seen.add(conversation.id)
            yield conversation
        counts["skipped_bad_lines"] += tally.skipped


def settled(conversation: Conversation, domain: str | None) -> Conversation:
    """The conversation in the domain that was configured, where it names none of its own."""
    if domain is None or conversation.domain is not None:
        return conversation
    return conversation.model_copy(update={"domain": domain})
