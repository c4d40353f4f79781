"""Spending: what a run has asked for, in requests, tokens and money, and the budget at which it stops.

A request reserves what it can cost at most before it is sent, so that several at once stay within the tokens allowed;
what it did cost replaces the reservation. Money is known afterwards only, so a budget of money may be passed by the
requests that are under way when it is reached, `concurrency` at most.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from generator.completion import CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BudgetSpent

# Letters a token at least, over the languages that are generated; fewer tokens are reserved than this never.
_LETTERS_PER_TOKEN = 2


@dataclass(frozen=True, slots=True)
class Usage:
    """What requests have cost.

    Attributes:
        requests: answered and paid for, >= 0.
        prompt_tokens: >= 0.
        completion_tokens: >= 0.
        cost_usd: by the price list that LiteLLM ships; 0 for the embedded model and for unknown ones.
        unpriced: answers whose price nobody knows.
    """

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """Of prompts and completions together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_usd + other.cost_usd,
            self.unpriced + other.unpriced,
        )


class Spending:
    """The account of one run; safe to use from several threads."""

    def __init__(self, config: GeneratorConfig) -> None:
        self._lock = threading.Lock()
        self._max_tokens, self._max_cost = config.max_tokens, config.max_cost_usd
        self._used, self._reserved = Usage(), 0

    @property
    def usage(self) -> Usage:
        """What was spent so far."""
        with self._lock:
            return self._used

    def reserve(self, request: CompletionRequest) -> int:
        """Set aside the tokens that a request may take; returns how many, for `settle`.

        Raises:
            BudgetSpent: the budget does not hold them.
        """
        most = request.max_tokens + (_letters(request) + _LETTERS_PER_TOKEN - 1) // _LETTERS_PER_TOKEN
        with self._lock:
            tokens = self._used.tokens + self._reserved + most
            over = self._max_tokens is not None and tokens > self._max_tokens
            over = over or (self._max_cost is not None and self._used.cost_usd >= self._max_cost)
            if not over:
                self._reserved += most
        if over:
            raise BudgetSpent
        return most

    def settle(self, reserved: int, usage: Usage) -> None:
        """Book what a request did cost in the place of what was set aside."""
        with self._lock:
            self._reserved -= reserved
            self._used += usage


def _letters(request: CompletionRequest) -> int:
    shown = (request.system, request.prompt, *(text for pair in request.examples for text in pair))
    return sum(map(len, shown))
