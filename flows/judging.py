"""Judges a synthetic set on disk against its seeds and sources; `semilla evaluate`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.scores import FalseAlarms, Scores
from flows.config import RunConfig
from flows.fluency import likelihood
from flows.holding import against_strangers, excusing, passages
from flows.known import KnownValues
from flows.records_io import read_records
from flows.reviewing import reviewed
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

if TYPE_CHECKING:
    from evaluator.privacy import Detect
    from seed_engine.detect import Detector
    from seed_engine.fingerprints import Fingerprints
    from seed_engine.secrets import SecretIndex

# Sentences of a language that a detector's false alarms are counted in; they take it about a second.
_SENTENCES = 400


def judge_file(
    synthetic: Path,
    config: RunConfig,
    *,
    seeds: Path | None,
    sources: Path | None,
    controls: Path | None = None,
    reference: Path | None = None,
    perplexity: bool = False,
) -> Scores:
    """Evaluate a file of synthetic conversations.

    Args:
        synthetic: JSONL of conversations.
        config: the detector's and the evaluator's sections are used.
        seeds: what it was generated from, for adherence.
        sources: the source conversations, for leaks and memorisation.
        controls: conversations of the same origin that no seed was made of; used with `sources`.
        reference: real conversations that the set should be close to; None: the sources.
        perplexity: let the embedded language model read the set, and what it should be close to.
    """
    from evaluator.embedding import embed
    from evaluator.evaluate import evaluate
    from seed_engine.detect import Detector
    from seed_engine.readers import read_conversations

    detector = Detector(config.detector)
    real = tuple(read_conversations(sources)) if sources else ()
    secrets, fingerprints, sees = _known(real, reviewed(detector, sources)) if sources else (None, None, True)
    held_back = excusing(read_conversations(controls), real) if sources and controls else ()
    made = tuple(read_records(synthetic, Conversation))
    scores = evaluate(
        made,
        config.evaluator,
        seeds=read_records(seeds, Seed) if seeds else (),
        secrets=secrets,
        fingerprints=fingerprints,
        control=passages(held_back, os.urandom(32)) if held_back else None,
        detect=detector.detect_conversation,
        embed=embed,
        likelihood=likelihood if perplexity else None,
        reference=tuple(read_conversations(reference)) if reference else real,
    )
    scores = beside(scores, made, real, held_back, config, detector.detect_conversation)
    if sees or scores.verdict != "pass":
        return scores
    blind = "leaks: the detector found nothing in the sources that can be searched for"
    return scores.model_copy(update={"verdict": "inconclusive", "reasons": (blind,)})


def beside(
    scores: Scores,
    synthetic: tuple[Conversation, ...],
    used: Iterable[Conversation],
    held_back: tuple[Conversation, ...],
    config: RunConfig,
    detect: Detect,
) -> Scores:
    """Scores with what tells how much of them is chance: the detector's false alarms, and the people held back.

    Args:
        scores: of the set.
        synthetic: the set.
        used: the sources that seeds were made of.
        held_back: as `flows.holding.excusing` gives them; empty: nobody was.
        config: the evaluator's section is used.
        detect: the detector that the privacy score is by.
    """
    languages = dict.fromkeys(item.language for item in synthetic if item.language)
    alarms = {language: found for language in languages if (found := _false_alarms(language, detect))}
    people = against_strangers(synthetic, used, held_back, config.evaluator) if held_back else None
    return scores.model_copy(update={"false_alarms": alarms, "memorization_sources": people})


def _false_alarms(language: str, detect: Detect) -> FalseAlarms | None:
    from evaluator.privacy import false_alarms
    from generator.house import house_sentences

    texts = house_sentences(language)
    step = -(-len(texts) // _SENTENCES) or 1
    return false_alarms(texts[::step], language, detect) if texts else None


def _known(sources: tuple[Conversation, ...], detector: Detector) -> tuple[SecretIndex, Fingerprints, bool]:
    from generator.house import house_texts
    from seed_engine.extract import extract
    from seed_engine.secrets import SecretIndex

    key = os.urandom(32)
    known = KnownValues()
    for item in sources:
        known.add(item, extract(item, detector.detect_conversation(item), "seed-000000").secrets)
    house = tuple(house_texts())
    return SecretIndex.build(known, key, allowed=house), passages(sources, key), known.sees(house)
