"""Quality: every metric of the list, measured on one set."""

from __future__ import annotations

from dataclasses import replace

from evaluator.embedding import remembering
from evaluator.errors import UnknownMetricError
from evaluator.metrics.acts import ACTS_REALISED
from evaluator.metrics.adherence import ROLE_ORDER, SEED_ADHERENCE
from evaluator.metrics.composite import COMPOSITE, PASSING
from evaluator.metrics.continuity import CONTINUITY
from evaluator.metrics.distinct import DISTINCT_2, DISTINCT_3
from evaluator.metrics.markers import MARKER_CONSISTENCY
from evaluator.metrics.mattr import MATTR
from evaluator.metrics.mauve import MAUVE
from evaluator.metrics.metric import Evidence, Metric
from evaluator.metrics.near_duplicates import NEAR_DUPLICATES
from evaluator.metrics.perplexity import PERPLEXITY, REFERENCE_PERPLEXITY
from evaluator.metrics.readability import READABILITY
from evaluator.metrics.reference import FRECHET, TWO_SAMPLE
from evaluator.metrics.repetition import REPETITION
from evaluator.metrics.rouge_l import ROUGE_L
from evaluator.metrics.self_bleu import SELF_BLEU
from evaluator.metrics.soundness import FLUENCY, NEXT_TURN, PROGRESS, SOUNDNESS, SPEAKER_FIT, TURN_ORDER
from evaluator.scores import MetricValue
from evaluator.soundness import soundness

METRICS: tuple[Metric, ...] = (
    COMPOSITE,
    PASSING,
    SOUNDNESS,
    TURN_ORDER,
    SPEAKER_FIT,
    NEXT_TURN,
    PROGRESS,
    FLUENCY,
    MATTR,
    DISTINCT_2,
    DISTINCT_3,
    SELF_BLEU,
    NEAR_DUPLICATES,
    REPETITION,
    ROLE_ORDER,
    SEED_ADHERENCE,
    ACTS_REALISED,
    MARKER_CONSISTENCY,
    CONTINUITY,
    READABILITY,
    ROUGE_L,
    FRECHET,
    TWO_SAMPLE,
    MAUVE,
    PERPLEXITY,
    REFERENCE_PERPLEXITY,
)


def quality(evidence: Evidence) -> dict[str, MetricValue]:
    """Measure a set.

    Returns:
        A value for every metric of `METRICS`, in that order; None where the evidence has nothing to measure it on.

    Raises:
        UnknownMetricError: a configured threshold names no metric.
    """
    names = {metric.name for metric in METRICS}
    if not names.issuperset(evidence.config.thresholds):
        raise UnknownMetricError(names)
    if evidence.embed is not None:
        evidence = replace(evidence, embed=remembering(evidence.embed))
    if evidence.embed is not None and evidence.conversations:
        evidence = replace(evidence, judged=soundness(evidence.judged_sample, evidence.embed))
    return {
        metric.name: MetricValue(
            value=metric.measure(evidence),
            range=metric.range,
            better=metric.better,
            threshold=evidence.config.thresholds.get(metric.name),
        )
        for metric in METRICS
    }
