"""Measures the attack gates: what they cost in forward passes, and whether the text-only attack sees copies."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attacks.config import AttackConfig
from attacks.paraphrase import paraphrased
from flows.attack_bench_paraphrase import retold

if TYPE_CHECKING:
    from attacks.canaries import CanarySet
    from attacks.gates import Attack
    from seed_engine.conversation import Conversation
    from training.scoring import AdapterModel

PARAPHRASERS: dict[str, Callable[[str, random.Random], str]] = {"the attack's own": paraphrased, "another": retold}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one family of attacks took.

    Attributes:
        name: of the family, or `forward` for one plain pass over the records.
        cpu_seconds: of this process.
        seconds: wall time.
        passes: CPU time in units of the plain pass; None for canaries, which are shorter.
    """

    name: str
    cpu_seconds: float
    seconds: float
    passes: float | None


@dataclass(frozen=True, slots=True)
class Seen:
    """One text-only attack on a set of which the truth is known.

    Attributes:
        copied: share of the sources whose paraphrased copy was put into the set.
        paraphraser: by whom they were told otherwise, a key of `PARAPHRASERS`.
        verdict: the attack's.
        successes: people recognised.
        trials: people attacked.
        power: share of the attack's own planted copies that it recognised.
    """

    copied: float
    paraphraser: str
    verdict: str
    successes: int
    trials: int
    power: float


def measure_costs(records: int, length: int, trials: int) -> Iterator[Cost]:
    """Time a plain forward pass over `records` texts of `length` tokens, then each family on them and on canaries.

    The adapter is a fresh one with random weights: what it knows does not change what it costs.
    """
    from attacks.canaries import CanarySet
    from attacks.extraction import attack_extraction
    from attacks.gates import first_word, of_records, second_half
    from attacks.membership import attack_membership

    model = _random_adapter()
    texts = _texts(records, length, model)
    plain = _timed("forward", lambda: _plain_pass(model, texts))
    yield plain
    half = records // 2
    sides = {split: [split(text) for text in texts] for split in (first_word, second_half)}
    families: tuple[tuple[str, Attack, Any], ...] = (
        ("membership", attack_membership, first_word),
        ("extraction", attack_extraction, second_half),
    )
    for name, attack, split in families:
        given = CanarySet(tuple(sides[split][:half]), tuple(sides[split][half:]))
        yield _in_passes(_timed(name, _run(model, name, attack, given, of_records(AttackConfig()))), plain)
    planted = _canaries(trials)
    for name, attack, _ in families:
        yield _timed(f"{name}, {trials} canary trials", _run(model, name, attack, planted, AttackConfig()))


def peak_memory_mb() -> float:
    """Largest resident set of this process so far, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_sight(
    conversations: Sequence[Conversation], copied: float, seed: int, paraphraser: str = "the attack's own"
) -> Seen:
    """Attack a set of real conversations into which some of the sources were copied, lightly paraphrased.

    Args:
        conversations: of one origin; two fifths are sources, two fifths controls, and a fifth is what is published.
        copied: share of the sources that is copied, in [0, 1].
        seed: of the split and the paraphrase.
        paraphraser: a key of `PARAPHRASERS`. The attack tells its power by copies of its own paraphraser, so a leak
            told by another shows whether that power is worth anything against one it does not know.
    """
    from attacks.resemblance import People
    from attacks.text_only import attack_published_text

    rng = random.Random(f"bench {seed}")
    texts = ["\n".join(turn.text.replace("\n", " ") for turn in item.turns) for item in conversations]
    rng.shuffle(texts)
    fifth = len(texts) // 5
    sources, controls, published = texts[: 2 * fifth], texts[2 * fifth : 4 * fifth], texts[4 * fifth :]
    published = published + [PARAPHRASERS[paraphraser](text, rng) for text in sources[: round(copied * len(sources))]]
    config = AttackConfig(seed=seed)
    found = attack_published_text(published, People.of(sources), People.of(controls), config)[0]
    power = float(found.details.get("recognised_copies", 0.0))
    return Seen(copied, paraphraser, found.verdict, found.successes, found.trials, power)


def read_origin(path: Path) -> list[Conversation]:
    """The conversations of a file, each text once."""
    from seed_engine.readers import read_conversations

    return list({tuple(turn.text for turn in item.turns): item for item in read_conversations(path)}.values())


def _random_adapter() -> AdapterModel:
    import torch

    from training.adapter import attach_lora, load_base
    from training.compute import lower_weights
    from training.config import TrainingConfig
    from training.scoring import AdapterModel

    base, tokenizer = load_base()
    model = attach_lora(base, TrainingConfig())
    drawing = torch.Generator().manual_seed(0)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(False)
        if "lora_B" in name:
            parameter.copy_(torch.randn(parameter.shape, generator=drawing) * 0.01)
    return AdapterModel(lower_weights(model, "auto"), tokenizer)


def _texts(count: int, length: int, model: AdapterModel) -> list[str]:
    from generator.house import house_texts

    rng, said = random.Random(0), [text for text in house_texts() if text.strip()]
    texts = []
    for _ in range(count):
        words = " ".join(" ".join(rng.choice(said).split()) for _ in range(length)).split()
        texts.append(model.shortened(" ".join(words), length))
    return texts


def _plain_pass(model: AdapterModel, texts: Sequence[str]) -> None:
    model.token_log_probabilities([""] * len(texts), texts)


def _canaries(trials: int) -> CanarySet:
    from attacks.canaries import Canary, CanarySet
    from training.canaries import make_canaries

    drawn = make_canaries(0, 2 * trials, 0).nonmembers
    planted = tuple(Canary(item.prefix, item.secret) for item in drawn)
    return CanarySet(planted[:trials], planted[trials:])


def _run(model: AdapterModel, name: str, attack: Attack, given: CanarySet, config: AttackConfig) -> Any:
    from attacks.guard import GuardedTarget

    return lambda: attack(GuardedTarget(model, name=name, chunk=config.chunk, progress=None), given, config)


def _timed(name: str, work: Any) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Cost(name, time.process_time() - cpu, time.perf_counter() - wall, None)


def _in_passes(cost: Cost, plain: Cost) -> Cost:
    return Cost(cost.name, cost.cpu_seconds, cost.seconds, cost.cpu_seconds / plain.cpu_seconds)
