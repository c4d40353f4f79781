"""What becomes of a text while a set is built: opinions, the stage that it reached, and where it came from."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from pydantic import Field

from seed_engine.conversation import Boundary
from seed_engine.sensitive.records import Label

Stage = Literal["unanswered", "disputed", "agreed", "rejected", "verified", "corrected"]
# Stages whose label stands.
SETTLED: tuple[Stage, ...] = ("agreed", "verified", "corrected")
Offsets = Annotated[tuple[int, int], Field(description="Half-open, in Unicode code points.")]


class Opinion(Boundary):
    """What one model, or a person, says of a text.

    Attributes:
        judge: the model's name, or `person`.
        label: see `Label`.
        category: id, or None with the label `none`.
        confidence: in [0, 1], as the judge puts it; 1 of a person.
        evidence: the sentence that shows it, where one was named.
    """

    judge: str
    label: Label
    category: str | None = None
    confidence: float = Field(ge=0, le=1)
    evidence: Offsets | None = None

    @property
    def verdict(self) -> str:
        """Label and category in one word, for agreement."""
        return self.label if self.category is None else f"{self.label}:{self.category}"


class Labelling(Boundary):
    """One text's label and how it came about: a line of labels.jsonl. Holds no text.

    Attributes:
        id: of the text, as the source gives it.
        digest: SHA-256 of the text, hexadecimal; a label is of this text and of no other.
        source: file that it came from, its name without folders.
        line: 1-based, in that file.
        stage: the last that it reached. `unanswered`: a model gave no usable reply. `disputed`: the two models disagree
            or doubt. `agreed`: both say `none`. `rejected`: the strong model says otherwise. `verified`: it says the
            same. `corrected`: a person decided.
        label: None while the stage is none of `SETTLED`.
        category: id, after refinement.
        person: first mention of a person.
        evidence: the sentence that shows it, where the judge who decided named one.
        labellers: opinions of the two models, in the order of the configuration; None where one has none.
        verifier: opinion of the strong model.
        correction: what a person decided.
        refined: refinements that changed the category: `added:ID`, `merged:ID`, with the new id.
        added_opinions: of the three models on the added category, where that decided.
    """

    schema_version: Literal["1"] = "1"
    id: str
    digest: str
    source: str
    line: int
    stage: Stage
    label: Label | None = None
    category: str | None = None
    person: Offsets | None = None
    evidence: Offsets | None = None
    labellers: tuple[Opinion | None, Opinion | None] = (None, None)
    verifier: Opinion | None = None
    correction: Opinion | None = None
    refined: tuple[str, ...] = ()
    added_opinions: tuple[Opinion, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether its label stands."""
        return self.stage in SETTLED


def text_digest(text: str) -> str:
    """What a label is bound to."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
