"""ROC curves: how well a score tells members from non-members at every false-positive rate."""

from __future__ import annotations

import numpy as np

from attacks.target import Float64


def auc(members: Float64, nonmembers: Float64) -> float:
    """Chance that a member scores above a non-member, ties counting half; in [0, 1], 0.5 = guessing.

    >>> auc(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    0.875
    """
    ordered = np.sort(nonmembers)
    below = np.searchsorted(ordered, members, side="left")
    not_above = np.searchsorted(ordered, members, side="right")
    return float((below + not_above).mean() / (2 * len(nonmembers)))


def tpr_at_fpr(members: Float64, nonmembers: Float64, fpr: float) -> float:
    """Share of members above the threshold that at most a share `fpr` of the non-members exceeds, in [0, 1]."""
    allowed = int(np.floor(fpr * len(nonmembers)))
    threshold = np.sort(nonmembers)[::-1][min(allowed, len(nonmembers) - 1)]
    return float((members > threshold).mean())


def low_fpr_tpr(members: Float64, nonmembers: Float64, fpr: float = 0.05) -> float:
    """True-positive rate, averaged over the false-positive rates 0, 1/n, 2/n, ... below `fpr`; in [0, 1].

    Chooses scorers better than the AUC, which hardly sees a model that remembers a tenth of its members perfectly, and
    better than the rate at a single point, which is noise.
    """
    points = max(1, round(fpr * len(nonmembers)))
    thresholds = np.sort(nonmembers)[::-1][:points]
    return float((members[:, None] > thresholds[None, :]).mean())


def roc_points(members: Float64, nonmembers: Float64, count: int = 60) -> tuple[tuple[float, float], ...]:
    """At most `count` + 1 points (fpr, tpr), evenly spread in log fpr from 1/len(nonmembers) to 1, plus fpr 0."""
    rates = np.geomspace(1.0 / len(nonmembers), 1.0, count)
    allowed = sorted({0, *(round(float(rate) * len(nonmembers)) for rate in rates)})
    total = len(nonmembers)
    return tuple((a / total, tpr_at_fpr(members, nonmembers, a / total) if a < total else 1.0) for a in allowed)
