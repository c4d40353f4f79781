"""Labelled turns for `semilla bench utility`: what a turn does, from a seed's flow or from a set with marked acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from evaluator.metrics.acts import FAMILY
from evaluator.utility import LabelledTurn
from flows.errors import UsageError
from flows.records_io import read_objects, read_records
from seed_engine.seed import Seed

# Acts of Schema-Guided Dialogue (Rastogi et al. 2020) as families of ISO 24617-2 functions. Of a turn with several, the
# last one counts: it is what the other speaker reacts to.
SGD_FAMILIES = {
    "INFORM": "tell",
    "INFORM_COUNT": "tell",
    "NOTIFY_SUCCESS": "tell",
    "NOTIFY_FAILURE": "tell",
    "REQUEST": "ask",
    "CONFIRM": "ask",
    "INFORM_INTENT": "want",
    "OFFER": "want",
    "OFFER_INTENT": "want",
    "REQ_MORE": "want",
    "REQUEST_ALTS": "want",
    "SELECT": "yes",
    "AFFIRM": "yes",
    "AFFIRM_INTENT": "yes",
    "NEGATE": "no",
    "NEGATE_INTENT": "no",
    "THANK_YOU": "close",
    "GOODBYE": "close",
}


def synthetic_turns(synthetic: Path, seeds: Path) -> list[LabelledTurn]:
    """Turns of a synthetic set, rendered or not, each with the family of the act that its seed asked of it."""
    from generator.render import Rendered

    by_id = {seed.id: seed for seed in read_records(seeds, Seed)}
    found: list[LabelledTurn] = []
    for talk in read_records(synthetic, Rendered):
        seed = by_id.get(talk.seed_id or "")
        if seed is not None:
            labels = [FAMILY.get(step.act, step.act) for step in seed.flow]
            found += _turns([turn.text for turn in talk.turns], labels)
    return found


def real_turns(path: Path) -> list[LabelledTurn]:
    """Turns of a JSONL set whose turns carry `acts`, as data/acts/sgd_acts.*.jsonl.

    Raises:
        UsageError: a turn carries no list of acts.
    """
    found: list[LabelledTurn] = []
    for line, record in read_objects(path):
        turns = record.get("turns", []) if isinstance(record, dict) else []
        if not turns or not all(isinstance(turn.get("acts"), list) for turn in turns):
            raise UsageError(f"{path}:{line}: turns carry no acts")
        labels = [_family(turn["acts"]) for turn in turns]
        found += (turn for turn in _turns([turn["text"] for turn in turns], labels) if turn.label)
    return found


def _family(acts: list[dict[str, Any]]) -> str:
    known = [SGD_FAMILIES[act["act"]] for act in acts if act.get("act") in SGD_FAMILIES]
    return known[-1] if known else ""


def _turns(texts: Iterable[str], labels: Iterable[str]) -> Iterator[LabelledTurn]:
    before = ""
    for text, label in zip(texts, labels, strict=False):
        yield LabelledTurn(text, before, label)
        before = text
