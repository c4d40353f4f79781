"""Reads a run's inputs a second time, so that no text of theirs has to be held in memory between stages."""

from __future__ import annotations

from collections import Counter

from flows.errors import StageError
from flows.inputs import read_inputs, settled
from flows.stages.extract import commit
from flows.workspace import Workspace
from seed_engine.conversation import Conversation


def read_again(work: Workspace, stage: str) -> tuple[list[Conversation], list[Conversation]]:
    """The conversations that seeds were made of, and those that were held back.

    Args:
        work: the run's, after `extract`.
        stage: who asks, for the error.

    Raises:
        StageError: an input is no longer the file that was seeded.
    """
    private = work.config.seeds.private
    inputs = read_inputs(work.inputs, Counter(), limit=work.limit, skip_bad=work.skip_bad, unique_ids=private)
    conversations = tuple(inputs)
    assert work.source is not None
    salt = bytes.fromhex(work.source.salt or "")
    if commit(work.inputs, conversations, private=private, salt=salt) != work.source:
        raise StageError(stage, "an input changed while the run was going on")
    talks = [settled(item, work.config.seeds.domain) for item in conversations]
    seeded = [item for position, item in enumerate(talks) if position not in work.left_out]
    return seeded, [item for position, item in enumerate(talks) if position in work.held_back]
