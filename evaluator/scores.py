"""Scores: the record of what the evaluator found in a data set, as scores.json holds it.

Contract module: fields are added, never removed and never given another meaning.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from seed_engine.conversation import Boundary

Verdict = Literal["pass", "fail", "inconclusive"]
FindingKind = Literal["personal_data", "known_secret", "verbatim_copy"]


class Finding(Boundary):
    """Where something stands that must not; never what stands there.

    Attributes:
        kind: which gate found it.
        entity_type: Presidio's spelling; None for a verbatim copy.
        conversation: 0-based ordinal in the evaluated file.
        turn: 0-based turn in which it begins; None when it stands in a field of the record (`id`, `name`).
        start: offset of its first code point in `turn`.
        end_turn: turn in which it ends; None as `turn`.
        end: one past its last code point, an offset in `end_turn`.
    """

    kind: FindingKind
    entity_type: str | None
    conversation: int
    turn: int | None
    start: int
    end_turn: int | None
    end: int


class Leaks(Boundary):
    """Known values and passages of the source that stand in the set. Every count is 0 in a set that may pass.

    Attributes:
        exact: known values letter by letter.
        normalised: known values but for case, accents, spacing or punctuation.
        digits: known values by their digits alone.
        split: known values split over turns.
        near: long known values with one letter or digit changed, missing, too many or moved.
        verbatim_copies: conversations of which at least half is copied from a source.
        by_type: known values by entity type.
        searched: forms that were searched for; 0 with `unsearchable` 0 when no secrets were given.
        unsearchable: known values too short or too ordinary to be searched for, by reason.
        not_near: long forms of `searched` that were not searched for one edit away, because there are too many.
    """

    exact: int = 0
    normalised: int = 0
    digits: int = 0
    split: int = 0
    near: int = 0
    verbatim_copies: int = 0
    by_type: dict[str, int] = Field(default_factory=dict)
    searched: int = 0
    unsearchable: dict[str, int] = Field(default_factory=dict)
    not_near: int = 0

    @property
    def total(self) -> int:
        """All leaks."""
        return self.exact + self.normalised + self.digits + self.split + self.near + self.verbatim_copies


class MetricValue(Boundary):
    """One quality measure.

    Attributes:
        value: inside `range`; None when there was nothing to measure it on.
        range: lowest and highest possible value.
        better: which end is good.
        threshold: the configured bound, if any.
    """

    value: float | None
    range: tuple[float, float]
    better: Literal["higher", "lower"]
    threshold: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the value is on the good side of its threshold; a value that is missing is not."""
        if self.threshold is None:
            return True
        if self.value is None:
            return False
        return self.value >= self.threshold if self.better == "higher" else self.value <= self.threshold


class Counts(Boundary):
    """Size of the set: conversations, turns, and letters and digits outside role markers."""

    conversations: int
    turns: int
    letters_and_digits: int


class FalseAlarms(Boundary):
    """What the detector finds in sentences that hold nobody; every find of the privacy score may be such a one.

    Attributes:
        turns: sentences of the project's own templates, one a turn; none has a place where a value goes.
        finds: spans that cover a letter or digit.
        per_1000: finds per 1,000 turns, >= 0, lower is better.
        by_type: finds by entity type.
    """

    turns: int
    finds: int
    per_1000: float
    by_type: dict[str, int]


class SourceCopies(Boundary):
    """Of how many people of a source a long stretch stands in the set: of those it was made from, and of strangers.

    Counted by person and not by conversation of the set, so that it does not matter how many were held back.

    Attributes:
        used: people whose conversations were seeded.
        used_copied: of them, those of whom the set holds a stretch of `EvaluatorConfig.copied_words` words.
        held_back: people who were held back from seeding; what the set shares with them is chance.
        held_back_copied: of them, the same.
        low: lower end of the interval of `used_copied / used - held_back_copied / held_back`, [-1, 1].
        high: its upper end; an interval without 0 below it says that the set repeats those it was made from.
        confidence: of the interval, (0, 1).
    """

    used: int
    used_copied: int
    held_back: int
    held_back_copied: int
    low: float
    high: float
    confidence: float


class Scores(Boundary):
    """Everything the evaluator says about one set.

    Attributes:
        privacy_score: share of letters and digits that a detector calls personal data, [0, 1]; exactly 0 passes;
            None when no detector was given.
        false_alarms: of the detector behind the privacy score, by language of the set; empty where it is not known.
        memorization_rate: share of conversations with a long copied stretch, [0, 1], lower is better; None when no
            sources were given.
        memorization_control: the same against sources that were held back: what chance does; None without them.
        memorization_sources: people whose words stand in the set, of those used and those held back; None where
            nobody was held back.
        leaks: known secrets and verbatim copies.
        quality: by metric name.
        verdict: fail when a gate failed, else inconclusive when a gate could not see, else pass.
        reasons: the gates that decided, as `gate: figure`; empty on pass.
        unchecked: gates that were not asked for, as no detector or no sources were given; a certificate needs none.
        counts: size of the set.
        findings: where; at most `EvaluatorConfig.max_findings`, in order.
    """

    schema_version: Literal["1"] = "1"
    privacy_score: float | None
    false_alarms: dict[str, FalseAlarms] = Field(default_factory=dict)
    memorization_rate: float | None
    memorization_control: float | None = None
    memorization_sources: SourceCopies | None = None
    leaks: Leaks
    quality: dict[str, MetricValue]
    verdict: Verdict
    reasons: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    counts: Counts
    findings: tuple[Finding, ...] = ()
