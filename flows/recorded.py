"""Recorded replies: what a model said about labelled text and what that cost, on disk, and asked once.

The file is a journal (`generator.journal`) whose replies carry their tokens, price and time, so that a table made from
it alone tells the cost of the recording. It holds what a model wrote about the text, so it is as private as the text.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from flows.errors import UsageError
from generator.completion import Complete, CompletionRequest
from generator.errors import BudgetSpent, ProviderError
from generator.journal import Journal
from generator.spending import Spending, Usage


@dataclass(frozen=True, slots=True)
class Recorded:
    """A reply, what it cost, and the seconds that it took when it was asked for."""

    reply: str
    usage: Usage
    seconds: float


class Recorder:
    """Asks one model, one request after the other, and none that the file already answers.

    Args:
        model: its name, part of the key under which a reply is kept.
        file: the replies; None keeps none.
        door: makes the completer, booking in the account it is given; called at the first request that must be sent.
        spending: that account.
    """

    def __init__(self, model: str, file: Path | None, door: Callable[[], Complete], spending: Spending) -> None:
        self._model, self._door, self._spending = model, door, spending
        self._journal = Journal(file) if file is not None else None
        self._complete: Complete | None = None

    def __call__(self, request: CompletionRequest) -> Recorded:
        """The reply.

        Raises:
            UsageError: the model may not see the text, did not answer, or the budget is spent; replies until then stay.
        """
        kept = self._journal.find(self._model, request) if self._journal is not None else None
        if kept is not None:
            return _read(kept)
        answer = self._asked(request)
        if self._journal is not None:
            self._journal.add(self._model, request, json.dumps(asdict(answer), ensure_ascii=False))
        return answer

    def _asked(self, request: CompletionRequest) -> Recorded:
        fault = ""
        self._complete = self._complete or self._door()
        before, start = self._spending.usage, time.perf_counter()
        try:
            reply = self._complete(request)
        except (BudgetSpent, ProviderError) as error:
            fault = str(error)
        if fault:
            raise UsageError(f"{self._model}: {fault}; what it has answered is kept in the file of --replies")
        return Recorded(reply, _less(self._spending.usage, before), time.perf_counter() - start)


def _read(kept: str) -> Recorded:
    fields = None
    try:
        fields = json.loads(kept)
        return Recorded(str(fields["reply"]), Usage(**fields["usage"]), float(fields["seconds"]))
    except (ValueError, TypeError, KeyError):
        pass
    raise UsageError("the file of --replies holds an entry that is no recorded reply")


def _less(after: Usage, before: Usage) -> Usage:
    return Usage(
        after.requests - before.requests,
        after.prompt_tokens - before.prompt_tokens,
        after.completion_tokens - before.completion_tokens,
        after.cost_usd - before.cost_usd,
        after.unpriced - before.unpriced,
    )
