"""From a seed to a synthetic conversation; the seed is all that is known here."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from generator.choose import choose_wording
from generator.completion import Complete
from generator.config import GeneratorConfig
from generator.draft import draft
from generator.errors import ProviderError, SeedRejected
from generator.manner import Manner, draw_manner
from generator.names import names_added
from generator.outcome import Generation, is_silence
from generator.rewrite import eligible, rewrite
from generator.selection import Judge, Selection
from generator.silence import Held
from generator.whole import conversation_request, parse_reply
from generator.workers import in_order
from seed_engine.conversation import Conversation, Turn
from seed_engine.schema import violations
from seed_engine.seed import Seed


def generate(
    seed: Seed, config: GeneratorConfig, complete: Complete, *, variant: int = 0, redraw: int = 0
) -> Generation:
    """One synthetic conversation that follows a seed.

    Args:
        seed: a valid seed.
        config: strategy, bounds and random seed.
        complete: the language model; not called by strategy `template`. Once it has failed, strategies that go turn
            by turn keep the drafts of the conversation's other turns, and count the failure.
        variant: 0, 1, ... for several conversations of the same seed.
        redraw: 0, 1, ... for another draw of the same variant, in place of the one before.

    Guarantees:
        Every marker of the conversation is a marker of the seed; roles come in the seed's order.

    Raises:
        SeedRejected: the seed breaks the schema.
        BudgetSpent: the run's budget does not hold the next request.
    """
    faults = len(violations(seed))
    if faults:
        raise SeedRejected(f"a seed breaks the schema in {faults} places")
    rng = random.Random(f"{config.seed}/{seed.id}/{variant}" + (f"/{redraw}" if redraw else ""))
    # The same for every redraw: what is drawn again because it was not good must not bend the declared distributions.
    manner = draw_manner(config.diversity, seed.tone, random.Random(f"{config.seed}/{seed.id}/{variant}/manner"))
    if config.plan == "conversation":
        return _whole(seed, config, complete, variant, rng, manner)
    texts, turns = _turn_by_turn(seed, config, complete, rng, manner)
    return Generation(seed.id, _conversation(seed, variant, texts), 1, turns=dict(turns), manner=manner)


def generate_many(
    jobs: Sequence[tuple[Seed, int]],
    config: GeneratorConfig,
    complete: Complete,
    already: Iterable[Conversation] = (),
    judge: Judge | None = None,
) -> Iterator[Generation]:
    """One conversation a job, in order, at most `concurrency` at once.

    What a provider left without an answer is held back until it answers again and is then asked once more, so that
    nothing is taken for the model's work that is not, and nothing is missing because nobody was there; see
    `generator.silence`. What turned out like an earlier conversation, or badly, is drawn again; see
    `generator.selection`.

    Args:
        jobs: seed and variant.
        config: see `generate`.
        complete: see `generate`; called from several threads.
        already: conversations that the new ones must differ from as they must from each other.
        judge: tells good from bad; without it the first draw is as good as any.

    Raises:
        BudgetSpent: what was generated before it was spent has been yielded.
        ProviderDown: nobody answers any more; what was generated before has been yielded.
    """

    def draw(seed: Seed, variant: int, redraw: int) -> Generation:
        return generate(seed, config, complete, variant=variant, redraw=redraw)

    def work(job: tuple[Seed, int]) -> tuple[Seed, int, Generation]:
        return *job, draw(*job, 0)

    earlier = tuple(already)
    held = Held(len(jobs), draw, complete, ever=bool(earlier))
    selection = Selection(judge, config, earlier)
    for first in in_order(jobs, config.concurrency, work):
        if held.add(*first):
            yield from held.settled(selection)
    yield from held.settled(selection)


def _whole(
    seed: Seed, config: GeneratorConfig, complete: Complete, variant: int, rng: random.Random, manner: Manner
) -> Generation:
    faults: Counter[str] = Counter()
    fault = "bad_reply"
    for attempt in range(1, config.max_attempts + 1):
        try:
            texts, found = parse_reply(complete(conversation_request(seed, rng.getrandbits(31), manner)), seed)
        except ProviderError as error:
            texts, found = None, error.reason
        if texts is not None and names_added(texts, seed.language):
            texts, found = None, "name_added"
        if texts is not None:
            made = _conversation(seed, variant, texts)
            return Generation(seed.id, made, attempt, faults=dict(faults), turns={"model": len(texts)}, manner=manner)
        fault = found or fault
        faults[fault] += 1
    return Generation(seed.id, None, config.max_attempts, fault, dict(faults), manner=manner)


def _turn_by_turn(
    seed: Seed, config: GeneratorConfig, complete: Complete, rng: random.Random, manner: Manner
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
    for item in draft(seed, rng, choose, manner):
        text, asked, sampling_seed = item.text, dice.random() < config.model_share, dice.getrandbits(31)
        if config.plan == "rewrite" and asked and eligible(item) and not _failed(turns):
            text, label = rewrite(item, seed.language, complete, sampling_seed, config.min_similarity)
            turns[label] += 1
        texts.append(text)
    turns["template"] = len(texts) - sum(turns.values())
    return tuple(texts), turns


def _failed(turns: Counter[str]) -> bool:
    """Whether the provider has failed in this conversation: a stalled one would else cost its time at every turn."""
    return any(map(is_silence, turns))


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
