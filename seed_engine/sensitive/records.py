"""What a judge says of a text: a label, scores, the category, and where fact and person stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Label = Literal["scpi", "related", "none"]
# Half-open [start, end) in Unicode code points.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one text.

    Attributes:
        label: `scpi`: a special-care fact about an identifiable person; `related`: the topic, but of nobody in
            particular; `none`: neither.
        score: of `scpi`, in [0, 1], higher = more likely; ranks texts, and a scan's threshold is on it.
        topic: score of `scpi` or `related` against `none`, in [0, 1].
        category: id of the category (`seed_engine.sensitive.categories`), or None with the label `none` and
            where no cue tells it.
        stage: which stage decided: `prefilter` (no cue), `link` (person and cue), `meaning` (no cue, but such words),
            `document` (a model of whole texts), `llm`.
        evidence: where the decisive cue stands, without one the stretch that told it, or None.
        person: where the person stands whom the fact is said of, or None.
        flags: of `borderline` (near the threshold) and `deceased`, those that hold.
    """

    label: Label
    score: float
    topic: float
    category: str | None
    stage: str
    evidence: Place | None = None
    person: Place | None = None
    flags: tuple[str, ...] = ()


class Judge(Protocol):
    """Anything that judges texts; built once per process, reused for every batch."""

    @property
    def name(self) -> str:
        """Name and version, for provenance."""
        ...

    def judge(self, texts: Sequence[str]) -> list[Judgement]:
        """One judgement a text, in order; the same text gets the same one in any company."""
        ...
