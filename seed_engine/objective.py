"""Objectives by meaning: where no keyword speaks, the sentence embedding compares the opening with example sentences.

The examples are the project's own (`data/prototypes.json`), and a user's profile brings its own; nothing is trained. On
SGD's labelled dialogues the keywords are right more often than the embedding (0.98 against 0.86), on acts it made what
the rules say worse, so it decides only where they say nothing.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np

from seed_engine.embedding import Embed, Vectors
from seed_engine.vocabulary import DomainProfile, vocabulary

# Cosine; sentences that have nothing to do with each other stay below 0.2.
_LEAST = 0.3
_LONGEST_LOOK = 400


def nearest_objective(text: str, profile: DomainProfile, embed: Embed) -> str:
    """The objective whose examples are nearest to a text; the domain's fallback when none is near.

    Args:
        text: what the asking side opened with.
        profile: the domain's.
        embed: the sentence embedding.
    """
    labels, vectors = _examples(profile.name, embed)
    if not labels or not text.strip():
        return profile.objectives[-1]
    near = vectors @ embed([text[:_LONGEST_LOOK]])[0]
    best = int(np.argmax(near))
    return labels[best] if near[best] >= _LEAST else profile.objectives[-1]


@cache
def _examples(domain: str, embed: Embed) -> tuple[tuple[str, ...], Vectors]:
    """Label and vector of each example sentence of a domain; embedded once a process."""
    shipped = json.loads((files("seed_engine") / "data" / "prototypes.json").read_text("utf-8"))
    profile = vocabulary().domain(domain)
    sentences = {label: tuple(said) for label, said in shipped.get(domain, {}).items()} | profile.examples
    pairs = [(label, text) for label, said in sentences.items() for text in said]
    return tuple(label for label, _ in pairs), embed([text for _, text in pairs])
