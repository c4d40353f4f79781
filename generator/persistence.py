"""Asking well: from the journal first, within the budget, at the allowed rate, again after a pause, then another model.

A provider that is busy (a rate limit, an overload) is asked again after a pause that doubles each time, with jitter so
that several threads do not come back at once. When a model has failed, the next of the fallbacks is asked.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generator.completion import Complete, CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BadReply, ProviderBusy, ProviderError, ProviderUnavailable
from generator.journal import Journal
from generator.spending import Spending, Usage

_LONGEST_PAUSE_S = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply and what it cost; an empty reply is paid for as well."""

    text: str
    usage: Usage


Ask = Callable[[CompletionRequest], Answer]


def persistent(
    asks: Sequence[tuple[str, Ask]],
    config: GeneratorConfig,
    spending: Spending,
    journal: Journal | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Complete:
    """A `Complete` that keeps to the run's bounds.

    Args:
        asks: models by name, the preferred one first.
        config: `retries`, `backoff_s` and `requests_per_minute`.
        spending: the account; a request that it cannot bear is not sent.
        journal: where replies are kept; None keeps none.
        sleep: waits so many seconds.

    Raises (when called):
        BudgetSpent: nothing was sent.
        ProviderError: the last failure of the last model.
    """
    pace = _Pace(config.requests_per_minute, sleep)

    def complete(request: CompletionRequest) -> str:
        for name, _ in asks:
            kept = journal.find(name, request) if journal is not None else None
            if kept is not None:
                return kept
        failure: ProviderError = ProviderUnavailable()
        for name, ask in asks:
            answer = _asked(ask, request, config, spending, pace, sleep)
            if isinstance(answer, Answer):
                if journal is not None:
                    journal.add(name, request, answer.text)
                return answer.text
            failure = answer
        raise failure

    return complete


def _asked(
    ask: Ask,
    request: CompletionRequest,
    config: GeneratorConfig,
    spending: Spending,
    pace: _Pace,
    sleep: Callable[[float], None],
) -> Answer | ProviderError:
    failure: ProviderError = ProviderUnavailable()
    for attempt in range(config.retries + 1):
        if attempt:
            pause = min(_LONGEST_PAUSE_S, config.backoff_s * 2 ** (attempt - 1))
            sleep(pause * random.uniform(0.5, 1.0))
        pace.wait()
        reserved = spending.reserve(request)
        used = Usage()
        try:
            answer = ask(request)
            used = answer.usage
            if answer.text.strip():
                return answer
            failure = BadReply()
        except ProviderError as error:
            failure = type(error)()
        finally:
            spending.settle(reserved, used)
        if not isinstance(failure, ProviderBusy):
            break
    return failure


class _Pace:
    """Lets requests pass at even distances; safe to use from several threads."""

    def __init__(self, per_minute: int | None, sleep: Callable[[float], None]) -> None:
        self._distance = 60 / per_minute if per_minute else 0.0
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        if not self._distance:
            return
        with self._lock:
            now = time.monotonic()
            at = max(now, self._next)
            self._next = at + self._distance
        if at > now:
            self._sleep(at - now)
