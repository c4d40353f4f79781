"""Evaluate: all gates and measures over one set, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaluator.config import EvaluatorConfig
from evaluator.leak import LeakResult, find_leaks
from evaluator.memorisation import MemorisationResult, memorisation
from evaluator.metrics.metric import Embed, Evidence, Likelihood
from evaluator.privacy import Detect, PrivacyResult, countable, privacy_score
from evaluator.quality import quality
from evaluator.scores import Counts, Leaks, MetricValue, Scores
from seed_engine.conversation import Conversation
from seed_engine.fingerprints import Fingerprints
from seed_engine.secrets import SecretIndex
from seed_engine.seed import Seed


def evaluate(
    synthetic: Sequence[Conversation],
    config: EvaluatorConfig,
    *,
    seeds: Iterable[Seed] = (),
    secrets: SecretIndex | None = None,
    fingerprints: Fingerprints | None = None,
    control: Fingerprints | None = None,
    detect: Detect | None = None,
    embed: Embed | None = None,
    likelihood: Likelihood | None = None,
    reference: Sequence[Conversation] = (),
) -> Scores:
    """Judge a set.

    Args:
        synthetic: the set.
        config: thresholds and sizes.
        seeds: what the set was generated from; without them, role order and seed adherence are None.
        secrets: every original value of the sources; without it, the leak check is listed as unchecked.
        fingerprints: every passage of the sources; without it, memorisation is listed as unchecked.
        control: passages of about as many sources from which no seed was made: what chance shares.
        detect: finds personal data; without it, the set cannot pass.
        embed: sentence embedding (`evaluator.embedding.embed`); without it, measures of meaning are None.
        likelihood: by a reference language model; without it, perplexity is None.
        reference: real conversations that the set should be close to; without them, closeness is None.

    Raises:
        EvaluatorError: the detector broke its contract, or a threshold names no metric.
    """
    privacy = None if detect is None else privacy_score(synthetic, detect)
    leaks = None if secrets is None else find_leaks(synthetic, secrets)
    copies = None if fingerprints is None else memorisation(synthetic, fingerprints, config)
    chance = None if control is None else memorisation(synthetic, control, config)
    measured = quality(Evidence(synthetic, config, {seed.id: seed for seed in seeds}, embed, reference, likelihood))
    counted = _leaks(secrets, leaks, copies)
    failed = (*_failures(privacy, counted, copies, chance, config), *_low(measured))
    blind = tuple(_blind(synthetic, privacy, secrets))
    gates = {"privacy_score": privacy, "leaks": leaks, "memorization_rate": copies}
    return Scores(
        privacy_score=None if privacy is None else privacy.score,
        memorization_rate=None if copies is None else copies.rate,
        memorization_control=None if chance is None else chance.rate,
        leaks=counted,
        quality=measured,
        verdict="fail" if failed else "inconclusive" if blind else "pass",
        reasons=failed or blind,
        unchecked=tuple(name for name, result in gates.items() if result is None),
        counts=_counts(synthetic),
        findings=tuple(finding for gate in gates.values() if gate for finding in gate.findings)[: config.max_findings],
    )


def _leaks(secrets: SecretIndex | None, leaks: LeakResult | None, copies: MemorisationResult | None) -> Leaks:
    verbatim = copies.verbatim_copies if copies is not None else 0
    if secrets is None or leaks is None:
        return Leaks(verbatim_copies=verbatim)
    return Leaks(
        **leaks.by_how,
        verbatim_copies=verbatim,
        by_type=leaks.by_type,
        searched=secrets.searched,
        unsearchable={str(reason): count for reason, count in secrets.unsearchable.items()},
        not_near=secrets.not_near,
    )


def _failures(
    privacy: PrivacyResult | None,
    leaks: Leaks,
    copies: MemorisationResult | None,
    control: MemorisationResult | None,
    config: EvaluatorConfig,
) -> Iterator[str]:
    if privacy is not None and privacy.covered:
        yield f"privacy_score: {privacy.score:.6f}, {len(privacy.findings)} spans"
    if leaks.total:
        yield f"leaks: {leaks.total}"
    if copies is not None:
        chance = control.rate if control is not None else 0.0
        if copies.rate - chance > config.max_memorization_rate:
            yield f"memorization_rate: {copies.rate:.4f}, control {chance:.4f}"


def _low(measured: dict[str, MetricValue]) -> Iterator[str]:
    for name, metric in measured.items():
        if not metric.holds:
            yield f"quality {name}: {metric.value}, threshold {metric.threshold}"


def _blind(
    synthetic: Sequence[Conversation], privacy: PrivacyResult | None, secrets: SecretIndex | None
) -> Iterator[str]:
    """Gates that could not see, and so must not let a set pass."""
    if not synthetic:
        yield "set: empty"
    if privacy is None:
        yield "privacy_score: no detector"
    if secrets is not None and len(secrets) and not secrets.searched:
        yield f"leaks: none of {len(secrets)} known values can be searched"


def _counts(synthetic: Sequence[Conversation]) -> Counts:
    turns = [turn for conversation in synthetic for turn in conversation.turns]
    return Counts(
        conversations=len(synthetic),
        turns=len(turns),
        letters_and_digits=sum(len(countable(turn.text)) for turn in turns),
    )
