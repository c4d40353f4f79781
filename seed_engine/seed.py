"""Seeds: the only thing that passes from private conversations to the rest of the house.

Guarantees:
    Every string in a valid seed is a label of `seed_engine.vocabulary`, a role marker of `seed_engine.markers`, or an
    id made by `extract` that is independent of the source. No free text of a source can be written into a seed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from seed_engine.conversation import Boundary

SEED_SCHEMA_VERSION: Literal["1"] = "1"


def _short(digits: int) -> AfterValidator:
    """A number of so many significant digits: one of ten can be somebody's telephone."""

    def check(value: float) -> float:
        if float(f"{value:.{digits}g}") != value:
            raise ValueError("more digits than a promise has")
        return value

    return AfterValidator(check)


Subjects = Annotated[int, Field(ge=2, le=1000)]
Epsilon = Annotated[float, Field(gt=0, le=100)]
Delta = Annotated[float, Field(gt=0, lt=1), _short(2)]


class FlowStep(Boundary):
    """What one turn does.

    Attributes:
        role: who speaks, a role of the domain.
        act: dialogue act (ISO 24617-2 communicative function).
        topic: a topic of the domain.
        slots: what the turn mentions: slot labels (`symptom`) and role markers (`[PATIENT_1]`), each at most once.
    """

    role: str
    act: str
    topic: str
    slots: tuple[str, ...] = ()


class Guarantee(Boundary):
    """What is promised to the people of the source that a seed comes from; constants of the release, none of the data.

    Attributes:
        k: no combination of quasi-identifying labels in its file is shared by fewer subjects, 2 to 1000.
        epsilon: privacy loss of the whole file, in (0, 100], at most 6 digits, add-or-remove-one subject.
        delta: probability that epsilon does not hold, in (0, 1), at most 2 digits.
    """

    k: Subjects | None = None
    epsilon: Annotated[Epsilon, _short(6)] | None = None
    delta: Delta | None = None


class Floors(Boundary):
    """What a conversation made from this seed must reach, in percent; None leaves it to the evaluator's settings.

    Attributes:
        composite: of the evaluator's composite score, 0 to 100.
        soundness: of the probability that it is a conversation that was held, 0 to 100.
        seed_adherence: of the share of steps that are followed, 0 to 100.
        mattr: of lexical diversity, 0 to 100.
    """

    composite: int | None = Field(default=None, ge=0, le=100)
    soundness: int | None = Field(default=None, ge=0, le=100)
    seed_adherence: int | None = Field(default=None, ge=0, le=100)
    mattr: int | None = Field(default=None, ge=0, le=100)


class Seed(Boundary):
    """A conversation with everything that identifies anybody taken out.

    Attributes:
        id: `seed-` and a running number; says nothing about the source.
        vocabulary_version: the vocabulary that the labels come from.
        domain: a domain profile's name.
        language: ISO 639-1.
        roles: who takes part, in order of first turn.
        objective: what the conversation is for, an objective of the domain.
        tone: a tone of the vocabulary.
        flow: one step a turn.
        turn_range: the band of turn counts (`9-12`) that the source falls into.
        facts: bands by name; `age_band` is the only one so far.
        privacy: how the file that it stands in was released; None for seeds as they were extracted.
        floors: the quality asked of what is made from it; set by whoever runs the project, never from a source.
    """

    schema_version: Literal["1"] = SEED_SCHEMA_VERSION
    id: str
    vocabulary_version: str = "1"
    domain: str
    language: str
    roles: tuple[str, ...]
    objective: str
    tone: str
    flow: tuple[FlowStep, ...] = Field(min_length=1)
    turn_range: str
    facts: dict[str, str] = Field(default_factory=dict)
    privacy: Guarantee | None = None
    floors: Floors | None = None
