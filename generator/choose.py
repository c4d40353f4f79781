"""The model chooses the wording: a grammar of whole project-written sentences, walked by the language model.

A model of 135M parameters asked to rewrite a sentence changes what it says (0 of 42 rewrites could be kept, measured on
support drafts), but it can tell which of four sentences follows best on the turn before. The grammar holds exactly the
candidates, so nothing else can be written, and only as many tokens are decoded as tell them apart.
"""

from __future__ import annotations

import json
from itertools import pairwise

from generator.completion import Complete, CompletionRequest

_SYSTEM = {"en": "Continue the chat with the next message.", "es": "Continúa la conversación con el siguiente mensaje."}
_HISTORY = 2


def choose_wording(
    said: tuple[str, ...], options: tuple[str, ...], language: str, complete: Complete, seed: int
) -> int:
    """Index of the option that the model would say next.

    Args:
        said: the conversation so far, oldest first; only the last turns are shown to the model.
        options: different sentences, at least two.
        language: ISO 639-1.
        complete: the language model.
        seed: sampling seed.

    Raises:
        ProviderError: the model did not answer.
    """
    request = CompletionRequest(
        system=_SYSTEM[language],
        prompt="\n".join(said[-_HISTORY:]) or "...",
        max_tokens=4 + _shared(options) // 2,
        seed=seed,
        grammar="root ::= " + " | ".join(json.dumps(option, ensure_ascii=False) for option in options),
    )
    reply = complete(request)
    # A provider without grammars may answer anything; its answer then chooses nothing and the best draft stands.
    return next((index for index, option in enumerate(options) if option.startswith(reply)), 0)


def _shared(options: tuple[str, ...]) -> int:
    """Characters of the longest beginning that two of the options share."""
    # Sorted, the two that share most stand side by side.
    return max(_common(one, other) for one, other in pairwise(sorted(options)))


def _common(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
