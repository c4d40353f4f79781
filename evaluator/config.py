"""Configuration of the evaluator: thresholds, sizes, and what makes a conversation good in each domain."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from seed_engine.conversation import Boundary


class CompositeProfile(Boundary):
    """What makes up a conversation's composite score, and from which score on it passes.

    Attributes:
        weights: power of each part, > 0; parts are named in `evaluator.metrics.composite.PARTS`. The composite is the
            product of the parts, so one fault is enough; a part that cannot be measured is left out.
        threshold: lowest composite that passes, [0, 1]. 0.5: more likely held than spoilt.
    """

    weights: dict[str, Annotated[float, Field(gt=0)]] = Field(
        default_factory=lambda: dict.fromkeys(
            ("soundness", "no_repetition", "seed_adherence", "marker_consistency"), 1.0
        ),
        min_length=1,
    )
    threshold: float = Field(default=0.5, ge=0, le=1)


class EvaluatorConfig(Boundary):
    """Thresholds of the gates and sizes of the measures.

    The privacy score and the count of leaks have no threshold here: only zero passes.

    Attributes:
        copied_words: words of one stretch from which on it counts as memorised. 16: few unrelated real dialogues share
            so much by chance (SGD 1.0%, Taskmaster 0.8%, MTS-Dialog 0.3%), 8 words by a half. Where speakers read from
            one page it is more (MathDial, whose pupils repeat the exercise, 12%): compare with a held-back control.
        copied_share: share of a conversation's passages from which on the whole is a verbatim copy, (0, 1].
        max_memorization_rate: highest memorisation rate that passes, beyond the held-back control, [0, 1]. 0.01 is what
            the project promises for its models, too.
        window: words in the moving window of lexical diversity, >= 2. 50 is Covington and McFall's short window.
        duplicate_similarity: Jaccard similarity of word triples from which on two conversations are near-duplicates.
            0.7: templates with other slots stay under it, the same conversation with a changed line is above.
        sample: most conversations used by measures that compare all pairs, >= 2. 500 keeps them under ten seconds.
        judged: most conversations that are judged one by one, evenly spread over the set, >= 1. 2000 take two minutes.
        read: most conversations that a reference language model reads, where it was asked for, evenly spread, >= 1. 50
            take it about a minute a set.
        composite: what makes up a conversation's composite where its domain has no profile of its own.
        composites: the same by domain profile. The floors that a seed carries go before both.
        thresholds: bound by metric name, on the metric's good side; a metric without one is only reported.
        max_findings: most findings written out, >= 0; counts are always whole.
    """

    copied_words: int = Field(default=16, ge=8)
    copied_share: float = Field(default=0.5, gt=0, le=1)
    max_memorization_rate: float = Field(default=0.01, ge=0, le=1)
    window: int = Field(default=50, ge=2)
    duplicate_similarity: float = Field(default=0.7, gt=0, le=1)
    sample: int = Field(default=500, ge=2)
    judged: int = Field(default=2000, ge=1)
    read: int = Field(default=50, ge=1)
    composite: CompositeProfile = CompositeProfile()
    composites: dict[str, CompositeProfile] = Field(default_factory=dict)
    thresholds: dict[str, float] = Field(default_factory=dict)
    max_findings: int = Field(default=1000, ge=0)
