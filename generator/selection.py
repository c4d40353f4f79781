"""Selection: which of several draws of a conversation is kept.

A draw that is a near-duplicate of an earlier conversation is never kept. A draw that the judge lets pass is kept at
once; when none passes, the best one is, and whoever evaluates the set will say the same of it. Where a language model
writes the whole, a draw is a request that somebody pays for: then only near-duplicates are drawn again, as often as the
configuration lets a conversation be asked for, and quality is the evaluator's to judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from generator.config import GeneratorConfig
from generator.duplicates import SeenConversations
from generator.outcome import Generation
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

# The score of a conversation, higher is better, and whether it is good enough; wired to the evaluator in `flows`.
Judge = Callable[[Conversation, Seed], tuple[float, bool]]
Draw = Callable[[Seed, int, int], Generation]


class Selection:
    """Keeps one draw a seed; remembers what was kept, so not for several threads."""

    def __init__(self, judge: Judge | None, config: GeneratorConfig, already: Iterable[Conversation] = ()) -> None:
        self._judge = judge if config.plan != "conversation" else None
        self._redraws = (
            min(config.redraws, config.max_attempts - 1) if config.plan == "conversation" else config.redraws
        )
        self._seen = SeenConversations()
        for conversation in already:
            self._seen.add(conversation)

    def settle(self, seed: Seed, variant: int, first: Generation, draw: Draw) -> Generation:
        """The draw that is kept.

        Args:
            seed: what was followed.
            variant: which conversation of the seed.
            first: its first draw.
            draw: makes draw 1, 2, ...

        Returns:
            The draw, with the faults of all that were made; `near_duplicate` and `low_quality` are counted as faults,
            and a conversation of which every draw is a near-duplicate is dropped.
        """
        faults, best, best_score = Counter(first.faults), None, -1.0
        result = first
        for number in range(self._redraws + 1):
            if number:
                result = draw(seed, variant, number)
                faults.update(result.faults)
            if result.conversation is None:
                break
            if not self._seen.is_new(result.conversation):
                faults["near_duplicate"] += 1
                continue
            score, good = self._judge(result.conversation, seed) if self._judge else (1.0, True)
            if score > best_score:
                best, best_score = result, score
            if good:
                break
            faults["low_quality"] += 1
        if best is None or best.conversation is None:
            dropped = result.dropped or "near_duplicate"
            return replace(result, conversation=None, dropped=dropped, faults=dict(faults))
        self._seen.add(best.conversation)
        return replace(best, faults=dict(faults))
