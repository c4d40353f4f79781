"""From a candidate to a label: two models must agree with confidence, then a strong one is asked; a person overrides.

A text whose two opinions differ, or are not sure enough, gets no label: it is left to people, not decided by a third
model that would break every tie. `none` needs no strong model; nothing is claimed of anybody there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from seed_engine.sensitive.build_config import BuildConfig
from seed_engine.sensitive.build_prompt import Question, question
from seed_engine.sensitive.build_records import Labelling, Opinion, Stage, text_digest
from seed_engine.sensitive.cues import find_cues
from seed_engine.sensitive.persons import candidates
from seed_engine.sensitive.records import Place

Role = Literal["labeller 1", "labeller 2", "verifier"]
ROLES: tuple[Role, ...] = ("labeller 1", "labeller 2", "verifier")


class Ask(Protocol):
    """Asks one of the three models."""

    def __call__(self, role: Role, asked: Question, /) -> Opinion | None:
        """Its opinion; None where no reply keeps to the form, or none comes."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text with a person in it.

    Attributes:
        id: as the source gives it.
        text: to be judged.
        source: name of its file.
        line: 1-based, in the file.
        person: first mention of a person.
    """

    id: str
    text: str
    source: str
    line: int
    person: Place


def candidate(id: str, text: str, source: str, line: int) -> Candidate | None:
    """The text as a candidate; None where nobody is spoken of."""
    found = candidates(text)
    return Candidate(id, text, source, line, (found[0].start, found[0].end)) if found else None


def label_text(item: Candidate, ask: Ask, config: BuildConfig) -> Labelling:
    """Label one text, its added categories included.

    Args:
        item: a candidate.
        ask: the models.
        config: categories and least confidence.
    """
    labelling = _start(item).model_copy(update=_consensus(item, ask, config, config.categories))
    cued = {cue.category for cue in find_cues(item.text)} if config.added else set()
    for added in config.added:
        if added in cued:
            labelling = _with_added(labelling, _consensus(item, ask, config, (added,)), added)
    return labelling


def corrected(labelling: Labelling, decision: Opinion) -> Labelling:
    """The labelling with a person's decision in place of the models'."""
    return labelling.model_copy(
        update={
            "stage": "corrected",
            "label": decision.label,
            "category": decision.category,
            "evidence": decision.evidence,
            "correction": decision,
            "refined": (),
        }
    )


def merged(labelling: Labelling, into: dict[str, str]) -> Labelling:
    """The labelling with its category merged into another; opinions keep what was said."""
    target = into.get(labelling.category or "")
    if target is None:
        return labelling
    return labelling.model_copy(update={"category": target, "refined": (*labelling.refined, f"merged:{target}")})


def _start(item: Candidate) -> Labelling:
    return Labelling(
        id=item.id,
        digest=text_digest(item.text),
        source=item.source,
        line=item.line,
        stage="unanswered",
        person=item.person,
    )


def _consensus(item: Candidate, ask: Ask, config: BuildConfig, categories: Sequence[str]) -> dict[str, object]:
    """Stage, label and opinions after the models have been asked, as fields of a labelling."""
    asked = question(item.text, categories, item.person, config.max_chars)
    pair = ask("labeller 1", asked), ask("labeller 2", asked)
    stage = _stage_of(pair, config.min_confidence)
    if stage != "agreed":
        return {"stage": stage, "labellers": pair}
    first = pair[0]
    assert first is not None
    found: dict[str, object] = {"labellers": pair, "label": first.label, "category": first.category}
    if first.label == "none":
        return found | {"stage": "agreed"}
    strong = ask("verifier", asked)
    if strong is None or strong.verdict != first.verdict:
        stage = "unanswered" if strong is None else "rejected"
        return {"stage": stage, "labellers": pair, "verifier": strong}
    return found | {"stage": "verified", "verifier": strong, "evidence": strong.evidence or first.evidence}


def _stage_of(pair: tuple[Opinion | None, Opinion | None], least: float) -> Stage:
    first, second = pair
    if first is None or second is None:
        return "unanswered"
    sure = min(first.confidence, second.confidence) >= least
    return "agreed" if sure and first.verdict == second.verdict else "disputed"


def _with_added(labelling: Labelling, found: dict[str, object], added: str) -> Labelling:
    """The labelling with what was found of an added category, where that says more than what it has."""
    stronger = found.get("label") == "scpi" or (found.get("label") == "related" and labelling.label == "none")
    if found["stage"] != "verified" or not stronger:
        return labelling
    taken = {name: found[name] for name in ("stage", "label", "category", "evidence")}
    pair = found["labellers"]
    opinions = (*(pair if isinstance(pair, tuple) else ()), found["verifier"])
    return labelling.model_copy(
        update=taken | {"refined": (*labelling.refined, f"added:{added}"), "added_opinions": opinions}
    )
