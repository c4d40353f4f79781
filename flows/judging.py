"""Judges a synthetic set on disk against its seeds and sources; `semilla evaluate`."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.scores import Scores
from flows.config import RunConfig
from flows.known import KnownValues
from flows.records_io import read_records
from flows.reviewing import reviewed
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

if TYPE_CHECKING:
    from seed_engine.detect import Detector
    from seed_engine.fingerprints import Fingerprints
    from seed_engine.secrets import SecretIndex


def judge_file(
    synthetic: Path, config: RunConfig, *, seeds: Path | None, sources: Path | None, controls: Path | None = None
) -> Scores:
    """Evaluate a file of synthetic conversations.

    Args:
        synthetic: JSONL of conversations.
        config: the detector's and the evaluator's sections are used.
        seeds: what it was generated from, for adherence.
        sources: the source conversations, for leaks and memorisation, and as what the set should be close to.
        controls: conversations of the same origin that no seed was made of; used with `sources`.
    """
    from evaluator.embedding import embed
    from evaluator.evaluate import evaluate
    from seed_engine.detect import Detector
    from seed_engine.readers import read_conversations

    detector = Detector(config.detector)
    real = tuple(read_conversations(sources)) if sources else ()
    secrets, fingerprints, sees = _known(real, reviewed(detector, sources)) if sources else (None, None, True)
    held_back = _held_back(tuple(read_conversations(controls)), real) if sources and controls else ()
    scores = evaluate(
        tuple(read_records(synthetic, Conversation)),
        config.evaluator,
        seeds=read_records(seeds, Seed) if seeds else (),
        secrets=secrets,
        fingerprints=fingerprints,
        control=_passages(held_back, os.urandom(32)) if held_back else None,
        detect=detector.detect_conversation,
        embed=embed,
        reference=real,
    )
    if sees or scores.verdict != "pass":
        return scores
    blind = "leaks: the detector found nothing in the sources that can be searched for"
    return scores.model_copy(update={"verdict": "inconclusive", "reasons": (blind,)})


def _known(sources: tuple[Conversation, ...], detector: Detector) -> tuple[SecretIndex, Fingerprints, bool]:
    from generator.house import house_texts
    from seed_engine.extract import extract
    from seed_engine.secrets import SecretIndex

    key = os.urandom(32)
    known = KnownValues()
    for item in sources:
        known.add(item, extract(item, detector.detect_conversation(item), "seed-000000").secrets)
    house = tuple(house_texts())
    return SecretIndex.build(known, key, allowed=house), _passages(sources, key), known.sees(house)


def _held_back(controls: tuple[Conversation, ...], sources: tuple[Conversation, ...]) -> tuple[Conversation, ...]:
    """The controls that excuse nothing: no source is among them, and they are no more than the sources."""
    known = {tuple(turn.text for turn in item.turns) for item in sources}
    others = (item for item in controls if tuple(turn.text for turn in item.turns) not in known)
    return tuple(islice(others, len(sources)))


def _passages(sources: tuple[Conversation, ...], key: bytes) -> Fingerprints:
    from generator.house import house_texts
    from seed_engine.fingerprints import Fingerprints

    passages = ((item.unit, [turn.text for turn in item.turns]) for item in sources)
    return Fingerprints.build(passages, key, allowed=tuple(house_texts()))
