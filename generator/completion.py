"""What the generator asks of a language model, whichever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One question to a language model, made from a seed and the project's own templates only.

    Attributes:
        system: instructions, the same for many requests so that a prompt cache can hold them.
        prompt: the question.
        max_tokens: most tokens of the reply, >= 1.
        seed: sampling seed where the provider takes one.
        json_schema: the reply must be JSON of this schema; providers that cannot enforce it are only told to.
        grammar: GBNF grammar of the reply; the embedded model enforces it, other providers ignore it.
        examples: question and reply pairs shown before the prompt.
    """

    system: str
    prompt: str
    max_tokens: int
    seed: int
    json_schema: dict[str, Any] | None = None
    grammar: str | None = None
    examples: tuple[tuple[str, str], ...] = ()


class Complete(Protocol):
    """Anything that answers a request; safe to call from several threads.

    Raises:
        ProviderError: no usable reply (a leaf of it).
    """

    def __call__(self, request: CompletionRequest) -> str:
        """The reply's text."""
