"""From a seed to a synthetic conversation; the seed is all that is known here."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice

from generator.choose import choose_wording
from generator.completion import Complete
from generator.config import GeneratorConfig
from generator.draft import draft
from generator.errors import ProviderError, SeedRejected
from generator.names import names_added
from generator.rewrite import eligible, rewrite
from generator.whole import conversation_request, parse_reply
from seed_engine.conversation import Conversation, Turn
from seed_engine.schema import violations
from seed_engine.seed import Seed


@dataclass(frozen=True, slots=True)
class Generation:
    """What became of one seed.

    Attributes:
        seed_id: the seed.
        conversation: the synthetic conversation, or None when it was dropped.
        attempts: requests for the conversation as a whole, >= 1.
        dropped: label of the last fault when dropped.
        faults: how often each fault was met, by label; also with a conversation in the end.
        turns: how the turns came about, by label: `template`, `chosen`, `rewritten`, `model`, or why the
            best draft was kept (a provider's failure, or what spoke against a rewrite).
    """

    seed_id: str
    conversation: Conversation | None
    attempts: int
    dropped: str | None = None
    faults: dict[str, int] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)


def generate(seed: Seed, config: GeneratorConfig, complete: Complete, *, variant: int = 0) -> Generation:
    """One synthetic conversation that follows a seed.

    Args:
        seed: a valid seed.
        config: strategy, bounds and random seed.
        complete: the language model; not called by strategy `template`. While it fails, strategies that go turn by
            turn keep the drafts.
        variant: 0, 1, ... for several conversations of the same seed.

    Guarantees:
        Every marker of the conversation is a marker of the seed; roles come in the seed's order.

    Raises:
        SeedRejected: the seed breaks the schema.
    """
    faults = len(violations(seed))
    if faults:
        raise SeedRejected(f"a seed breaks the schema in {faults} places")
    rng = random.Random(f"{config.seed}/{seed.id}/{variant}")
    if config.plan == "conversation":
        return _whole(seed, config, complete, variant, rng)
    texts, turns = _turn_by_turn(seed, config, complete, rng)
    return Generation(seed.id, _conversation(seed, variant, texts), 1, turns=dict(turns))


def generate_many(
    jobs: Iterable[tuple[Seed, int]], config: GeneratorConfig, complete: Complete
) -> Iterator[Generation]:
    """One conversation a job, in order, at most `concurrency` at once.

    Args:
        jobs: seed and variant, read lazily.
        config: see `generate`.
        complete: see `generate`; called from several threads.
    """
    waiting_jobs = iter(jobs)
    with ThreadPoolExecutor(config.concurrency, "generate") as pool:

        def submit(count: int) -> list[Future[Generation]]:
            return [
                pool.submit(generate, seed, config, complete, variant=variant)
                for seed, variant in islice(waiting_jobs, count)
            ]

        waiting = submit(2 * config.concurrency)
        while waiting:
            result = waiting.pop(0).result()
            waiting += submit(1)
            yield result


def _whole(seed: Seed, config: GeneratorConfig, complete: Complete, variant: int, rng: random.Random) -> Generation:
    faults: Counter[str] = Counter()
    fault = "bad_reply"
    for attempt in range(1, config.max_attempts + 1):
        try:
            texts, found = parse_reply(complete(conversation_request(seed, rng.getrandbits(31))), seed)
        except ProviderError as error:
            texts, found = None, error.reason
        if texts is not None and names_added(texts, seed.language):
            texts, found = None, "name_added"
        if texts is not None:
            made = _conversation(seed, variant, texts)
            return Generation(seed.id, made, attempt, faults=dict(faults), turns={"model": len(texts)})
        fault = found or fault
        faults[fault] += 1
    return Generation(seed.id, None, config.max_attempts, fault, dict(faults))


def _turn_by_turn(
    seed: Seed, config: GeneratorConfig, complete: Complete, rng: random.Random
) -> tuple[tuple[str, ...], Counter[str]]:
    # The model's dice are apart from the drafts', so that the drafts do not depend on what a provider answers.
    dice, turns = random.Random(rng.getrandbits(64)), Counter[str]()

    def choose(said: tuple[str, ...], options: tuple[str, ...]) -> int:
        sampling_seed, asked = dice.getrandbits(31), dice.random() < config.model_share
        if config.plan != "choose" or not asked:
            return 0
        try:
            index = choose_wording(said, options, seed.language, complete, sampling_seed)
        except ProviderError as error:
            turns[error.reason] += 1
            return 0
        turns["chosen"] += 1
        return index

    texts = []
    for item in draft(seed, rng, choose):
        text, asked, sampling_seed = item.text, dice.random() < config.model_share, dice.getrandbits(31)
        if config.plan == "rewrite" and asked and eligible(item):
            text, label = rewrite(item, seed.language, complete, sampling_seed, config.min_similarity)
            turns[label] += 1
        texts.append(text)
    turns["template"] = len(texts) - sum(turns.values())
    return tuple(texts), turns


def _conversation(seed: Seed, variant: int, texts: tuple[str, ...]) -> Conversation:
    turns = tuple(Turn(role=step.role, text=text) for step, text in zip(seed.flow, texts, strict=True))
    return Conversation(
        id=f"{seed.id}-{variant}",
        turns=turns,
        language=seed.language,
        domain=seed.domain,
        provenance="synthetic",
        seed_id=seed.id,
    )
