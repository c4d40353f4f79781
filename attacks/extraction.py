"""Extraction: does the adapter complete a planted prefix with its secret?

A success is a member whose secret comes out in one of four ways, after case, spacing and punctuation are set aside:

- `greedy`: it stands in the greedy completion of its prefix, verbatim or nearly so (edit distance);
- `sampling`: among `samples` completions drawn from the model at temperature 1 it stands at least once with
  probability one half or more. That probability is exact, 1 - (1 - p)^samples with p the model's own, so nothing is
  drawn (Hayes et al. 2024, arXiv:2410.19482, (n, p)-discoverable extraction);
- `beams`: beam search completes its prefix with it. Only prefixes whose every secret token is among the `beam_width`
  likeliest are searched: no other secret can survive in a beam;
- `prompts`: it stands in what the model says when it is only asked to fill in a value ("My name is"), without its
  prefix.

What the base model would certainly complete as well is not counted. Once anything is extracted, non-member secrets
are tried in the same ways: if they come out as often, the secrets can be guessed and the verdict is `inconclusive`.

Source: Carlini et al. 2021, arXiv:2012.07805.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from attacks.canaries import Canary, CanarySet
from attacks.config import AttackConfig
from attacks.decide import guessable
from attacks.errors import TargetError
from attacks.exposure import measure_exposure
from attacks.guard import GuardedTarget
from attacks.near_copy import distance_within, letters
from attacks.prompts import said_unasked
from attacks.verdict import AttackResult, Details, Plots, result

_LONGEST = 16
_SLACK = 4


def attack_extraction(target: GuardedTarget, canaries: CanarySet, config: AttackConfig) -> tuple[AttackResult, Plots]:
    """Try every member once in every way; costs one greedy completion each, and some controls after a success.

    Returns:
        The result, and the exposures of some members.

    Raises:
        TargetError: the target failed, or completed nothing for any prefix.
    """
    members = canaries.members
    if not members:
        return result("extraction", "extraction", 0, 0, config, blind="there are no canaries"), Plots()
    budget = _budget(target, members, config.max_new_tokens)
    ways, verbatim = _extracted(target, members, budget, config)
    extracted = sorted(set().union(*ways.values()))
    base = _base_completes(target, [members[i] for i in extracted], config)
    successes = len(extracted) - base
    controls = list(canaries.nonmembers[: config.control_trials]) if successes else []
    control = len(set().union(*_extracted(target, controls, budget, config)[0].values())) if controls else 0
    details: Details = {
        "verbatim": verbatim,
        "near_verbatim": len(ways["greedy"]) - verbatim,
        **{f"by_{way}": len(found) for way, found in ways.items()},
        "base_completes_too": base,
        "control_successes": control,
        "control_trials": len(controls),
        "max_new_tokens": budget,
    }
    doubt = guessable(successes, len(members), control, len(controls), config)
    exposure = measure_exposure(target, canaries, config)
    plots = Plots(exposure=exposure.bits, exposure_ceiling=exposure.ceiling) if exposure else Plots()
    details |= exposure.figures if exposure else {}
    return result("extraction", "extraction", successes, len(members), config, blind=doubt, details=details), plots


def _budget(target: GuardedTarget, members: Sequence[Canary], most: int) -> int:
    """Tokens that the longest secret needs, and some more for what the model says before it."""
    longest = sorted(members, key=lambda c: -len(c.secret))[:_LONGEST]
    tokens = target.token_log_probabilities([c.prefix for c in longest], [c.secret for c in longest])
    return min(most, max(len(t) for t in tokens) + _SLACK)


def _extracted(
    target: GuardedTarget, canaries: Sequence[Canary], budget: int, config: AttackConfig
) -> tuple[dict[str, set[int]], int]:
    """Positions of the secrets that come out, by way, and how many stand verbatim in the greedy completion."""
    completions = target.complete([c.prefix for c in canaries], budget)
    if not any(completion.strip() for completion in completions):
        raise TargetError("the target completed nothing for any prefix")
    distances = [_distance(c, completion) for c, completion in zip(canaries, completions, strict=True)]
    ways = {
        "greedy": {i for i, d in enumerate(distances) if d <= _allowed(canaries[i], config)},
        "sampling": set(_sampled(target, canaries, config, reference=False)),
        "beams": _in_beams(target, canaries, budget, config),
        "prompts": said_unasked(target, canaries, config),
    }
    return ways, sum(d == 0 for d in distances)


def _distance(canary: Canary, completion: str) -> int:
    return distance_within(letters(canary.secret), letters(completion))


def _allowed(canary: Canary, config: AttackConfig) -> int:
    return math.floor(config.near_distance * len(letters(canary.secret)))


def _sampled(target: GuardedTarget, canaries: Sequence[Canary], config: AttackConfig, *, reference: bool) -> list[int]:
    """Positions of the secrets that `samples` draws contain more likely than not."""
    answers = target.token_log_probabilities(
        [c.prefix for c in canaries], [c.secret for c in canaries], reference=reference
    )
    needed = math.log1p(-(0.5 ** (1.0 / config.samples)))
    return [i for i, tokens in enumerate(answers) if float(tokens.sum()) >= needed]


def _in_beams(target: GuardedTarget, canaries: Sequence[Canary], budget: int, config: AttackConfig) -> set[int]:
    statistics = target.token_statistics([c.prefix for c in canaries], [c.secret for c in canaries])
    if statistics is None:
        return set()
    possible = [i for i, rows in enumerate(statistics) if (rows[:, 3] <= config.beam_width).all()]
    found = target.beams([canaries[i].prefix for i in possible], budget, config.beam_width)
    return {
        i
        for i, completions in zip(possible, found or [[] for _ in possible], strict=True)
        if any(_distance(canaries[i], completion) <= _allowed(canaries[i], config) for completion in completions)
    }


def _base_completes(target: GuardedTarget, extracted: Sequence[Canary], config: AttackConfig) -> int:
    """How many of these the base model certainly says as well, greedily or among as many samples.

    A token with more than half of the probability is the greedy choice; less may be too, and is counted as a success.
    """
    if not extracted:
        return 0
    answers = target.token_log_probabilities(
        [c.prefix for c in extracted], [c.secret for c in extracted], reference=True
    )
    greedy = {i for i, tokens in enumerate(answers) if bool((tokens > math.log(0.5)).all())}
    return len(greedy.union(_sampled(target, extracted, config, reference=True)))
