"""Quality: every metric of the list, measured on one set."""

from __future__ import annotations

from evaluator.errors import UnknownMetricError
from evaluator.metrics.adherence import ROLE_ORDER, SEED_ADHERENCE
from evaluator.metrics.continuity import CONTINUITY
from evaluator.metrics.distinct import DISTINCT_2, DISTINCT_3
from evaluator.metrics.mattr import MATTR
from evaluator.metrics.metric import Evidence, Metric
from evaluator.metrics.near_duplicates import NEAR_DUPLICATES
from evaluator.metrics.repetition import REPETITION
from evaluator.metrics.self_bleu import SELF_BLEU
from evaluator.scores import MetricValue

METRICS: tuple[Metric, ...] = (
    MATTR,
    DISTINCT_2,
    DISTINCT_3,
    SELF_BLEU,
    NEAR_DUPLICATES,
    REPETITION,
    ROLE_ORDER,
    SEED_ADHERENCE,
    CONTINUITY,
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
    return {
        metric.name: MetricValue(
            value=metric.measure(evidence),
            range=metric.range,
            better=metric.better,
            threshold=evidence.config.thresholds.get(metric.name),
        )
        for metric in METRICS
    }
