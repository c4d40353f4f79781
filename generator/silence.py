"""Silence: what a provider does not answer is asked again, and given up only where the provider is shown to be there.

A conversation without an answer means one of two things. The provider has gone away: then nothing of the set may be
missing for it, and generation stops, to go on later. Or it never answers this one question (a filter, a reply that
always takes too long): then the conversation is counted as lost, or one question would hold up every night. A provider
that has answered nothing of a set yet is gone or set up wrongly, whatever it says to another question.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from generator.completion import Complete, CompletionRequest
from generator.errors import ProviderDown, ProviderError
from generator.outcome import Generation, is_silence
from generator.selection import Draw, Selection
from seed_engine.seed import Seed

# So many conversations without any answer in a row: the provider is down, and asking on is waste.
PATIENCE = 8
# A provider that fails now and then is not taken for one that is gone.
KNOCKS = 3


class Held:
    """First draws in the order of their jobs, from when they are made until they are settled.

    Args:
        total: jobs in all.
        draw: makes a draw of a job.
        complete: the language model that draws ask.
        ever: whether it has answered something of this set before.
    """

    def __init__(self, total: int, draw: Draw, complete: Complete, *, ever: bool) -> None:
        self._owed, self._draw, self._complete, self._ever = total, draw, complete, ever
        self._waiting: list[tuple[Seed, int, Generation]] = []
        self._silent = 0

    def add(self, seed: Seed, variant: int, first: Generation) -> bool:
        """Hold a first draw; whether all that are held may be settled, since the provider answers.

        Raises:
            ProviderDown: no answer for `PATIENCE` conversations in a row.
        """
        self._waiting.append((seed, variant, first))
        if first.answered:
            self._silent, self._ever = 0, True
        elif first.failures:
            self._silent += 1
        if self._silent >= PATIENCE:
            raise self._down(first)
        return not self._silent

    def settled(self, selection: Selection) -> Iterator[Generation]:
        """Settle what is held, in order, each as if the provider had never been silent if it answers now.

        Raises:
            ProviderDown: silent once more, and to a simple question too, or to all of this set.
        """
        while self._waiting:
            seed, variant, first = self._waiting[0]
            result = selection.settle(seed, variant, self._heard(seed, variant, 0, first), self._heard)
            del self._waiting[0]
            self._owed -= 1
            yield result

    def _heard(self, seed: Seed, variant: int, redraw: int, first: Generation | None = None) -> Generation:
        result = first or self._draw(seed, variant, redraw)
        if not result.silenced:
            return result
        # What it did answer the first time is found in the journal, so that only the rest is asked for.
        again = self._draw(seed, variant, redraw)
        again = replace(again, faults=dict(Counter(again.faults) + result.failures))
        self._ever = self._ever or again.answered
        if again.silenced and not (self._ever and is_there(self._complete)):
            raise self._down(again)
        return again

    def _down(self, last: Generation) -> ProviderDown:
        lost = [first for *_, first in self._waiting if first.silenced] or [last]
        failures = sum((item.failures for item in lost), Counter[str]())
        return ProviderDown(len(lost), failures, self._owed)


def is_there(complete: Complete) -> bool:
    """Whether a language model answers a question that holds nothing of a seed."""
    for _ in range(KNOCKS):
        # A new sampling seed each time: else the journal would answer for the model.
        fresh = random.SystemRandom().getrandbits(31)
        question = CompletionRequest("Answer with one word.", "Are you there?", max_tokens=32, seed=fresh)
        try:
            complete(question)
        except ProviderError as error:
            if is_silence(error.reason):
                continue
        return True
    return False
