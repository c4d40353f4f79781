"""From a seed to a synthetic conversation; the seed is all that is known here."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from time import monotonic

from generator.choose import choose_wording
from generator.completion import Complete
from generator.config import GeneratorConfig
from generator.draft import draft
from generator.errors import ProviderDown, ProviderError, SeedRejected
from generator.names import names_added
from generator.rewrite import eligible, rewrite
from generator.whole import conversation_request, parse_reply
from seed_engine.conversation import Conversation, Turn
from seed_engine.schema import violations
from seed_engine.seed import Seed

# So many conversations without any answer in a row: the provider is down, and asking on is waste.
PATIENCE = 8
_FAREWELL_S = 2.0


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

    @property
    def failures(self) -> Counter[str]:
        """How often the provider gave no reply, by label."""
        met = (Counter(self.faults) + Counter(self.turns)).items()
        return Counter({label: count for label, count in met if label.startswith("provider_")})

    @property
    def answered(self) -> bool:
        """Whether the provider replied at all, usable or not."""
        return bool((set(self.faults) | set(self.turns)) - {"template"} - set(self.failures))


def generate(seed: Seed, config: GeneratorConfig, complete: Complete, *, variant: int = 0) -> Generation:
    """One synthetic conversation that follows a seed.

    Args:
        seed: a valid seed.
        config: strategy, bounds and random seed.
        complete: the language model; not called by strategy `template`. Once it has failed, strategies that go turn
            by turn keep the drafts of the conversation's other turns, and count the failure.
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

    What a provider left without any answer is held back until it answers again, so that nothing is taken for the
    model's work that is not.

    Args:
        jobs: seed and variant, read lazily.
        config: see `generate`.
        complete: see `generate`; called from several threads.

    Raises:
        ProviderDown: no answer for `PATIENCE` conversations in a row, or for any.
    """
    held: list[Generation] = []
    silent, failures, ever = 0, Counter[str](), False
    for result in _in_order(jobs, config, complete):
        held.append(result)
        if result.answered:
            silent, failures, ever = 0, Counter(), True
        elif result.failures:
            silent, failures = silent + 1, failures + result.failures
        if silent >= PATIENCE:
            break
        if not silent:
            yield from held
            held.clear()
    if silent >= PATIENCE or (silent and not ever):
        raise ProviderDown(silent, failures)
    yield from held


def _in_order(jobs: Iterable[tuple[Seed, int]], config: GeneratorConfig, complete: Complete) -> Iterator[Generation]:
    """Results in the order of the jobs, by `concurrency` threads that no ending process waits for."""
    todo: SimpleQueue[_Task | None] = SimpleQueue()
    workers = [Thread(target=_serve, args=(todo, config, complete), daemon=True) for _ in range(config.concurrency)]
    tasks = (_Task(seed, variant) for seed, variant in jobs)
    waiting: list[_Task] = []

    def submit(count: int) -> None:
        for task in islice(tasks, count):
            waiting.append(task)
            todo.put(task)

    try:
        for worker in workers:
            worker.start()
        submit(2 * config.concurrency)
        while waiting:
            result = waiting.pop(0).done.result()
            submit(1)
            yield result
    finally:
        for task in waiting:
            task.done.cancel()
        for _ in workers:
            todo.put(None)
        # Whoever waits for a dead provider is left behind; whoever is about to finish is not torn from its work.
        until = monotonic() + _FAREWELL_S
        for worker in workers:
            worker.join(max(0.0, until - monotonic()))


@dataclass(frozen=True, slots=True)
class _Task:
    seed: Seed
    variant: int
    done: Future[Generation] = field(default_factory=Future)


def _serve(todo: SimpleQueue[_Task | None], config: GeneratorConfig, complete: Complete) -> None:
    while (task := todo.get()) is not None:
        if not task.done.set_running_or_notify_cancel():
            continue
        try:
            task.done.set_result(generate(task.seed, config, complete, variant=task.variant))
        except BaseException as error:
            task.done.set_exception(error)


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
        if config.plan != "choose" or not asked or _failed(turns):
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
        if config.plan == "rewrite" and asked and eligible(item) and not _failed(turns):
            text, label = rewrite(item, seed.language, complete, sampling_seed, config.min_similarity)
            turns[label] += 1
        texts.append(text)
    turns["template"] = len(texts) - sum(turns.values())
    return tuple(texts), turns


def _failed(turns: Counter[str]) -> bool:
    """Whether the provider has failed in this conversation: a stalled one would else cost its time at every turn."""
    return any(label.startswith("provider_") for label in turns)


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
