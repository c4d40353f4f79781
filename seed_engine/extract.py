"""Extraction: a conversation and its spans become a seed that holds nobody.

Guarantees:
    Every string of a seed is a vocabulary label, a role marker numbered from 1 in order of mention, or the id that the
    caller gave; none is copied from the source, whatever the detector missed. `violations(seed)` is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from seed_engine.abstract import Abstraction, abstract
from seed_engine.acts import dialogue_act
from seed_engine.content import best_objective, ends, find_tone, objective_votes, turn_slots, turn_topic
from seed_engine.conversation import Conversation
from seed_engine.domain_file import VARIABLE
from seed_engine.embedding import Embed
from seed_engine.errors import InputError
from seed_engine.fold import fold, words
from seed_engine.labelling import Choose, labelled
from seed_engine.markers import Marker, without_notes
from seed_engine.numbering import renumbered
from seed_engine.objective import nearest_objective
from seed_engine.ordinary import is_ordinary
from seed_engine.rules import Rules, domain_rules, hits
from seed_engine.seed import FlowStep, Seed
from seed_engine.spans import EntitySpan
from seed_engine.vocabulary import DomainProfile, band, speaker_labels, vocabulary

# A flow longer than this keeps its first 60 and last 20 steps: how it opens and how it closes. `turn_range` still
# tells the true length.
MAX_STEPS = 80
_KEPT_AT_END = 20
# A turn that recites a list of 50 numbers is generated no better for naming them all.
_MAX_MARKERS = 12


@dataclass(frozen=True, slots=True)
class Secret:
    """One original value of the source, to be looked for in everything that is published.

    Attributes:
        value: personal data; `repr` hides it.
        entity_type: as the detector named it; `PERSON` for display names.
    """

    value: str = field(repr=False)
    entity_type: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one conversation gave.

    Attributes:
        seed: None when the conversation cannot be seeded.
        skipped: why not: `document`, `unsupported_language`, `too_few_turns`; None with a seed.
        abstraction: the conversation with markers in place; still holds what the detector missed.
        secrets: every original value that a marker stands for, each once.
    """

    seed: Seed | None
    skipped: str | None
    abstraction: Abstraction
    secrets: tuple[Secret, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    role: str
    text: str
    markers: tuple[Marker, ...]


def extract(
    conversation: Conversation,
    spans: tuple[tuple[EntitySpan, ...], ...],
    seed_id: str,
    embed: Embed | None = None,
    choose: Choose | None = None,
) -> Extraction:
    """Abstract a conversation and describe it in the closed alphabet of seeds.

    Neighbouring turns of one role become one step, so that a chat's bursts of messages read as turns.

    Args:
        conversation: the source.
        spans: the detector's, one tuple a turn.
        seed_id: `seed-` and a running number; must say nothing about the source.
        embed: the sentence embedding, asked where no keyword tells the objective; None leaves the domain's fallback.
        choose: a language model that the user lets see the text, which chooses labels instead of the rules.

    Raises:
        InputError: a label of a user's own profile is a personal value of the source.
    """
    abstraction = abstract(conversation, spans)
    places = (((s.start, s.end, s.entity_type) for s in marked) for marked in abstraction.marked)
    secrets = secrets_of(conversation, places)
    steps = tuple(_steps(abstraction))
    _refuse_telling_labels(vocabulary().domain(abstraction.domain), secrets)
    reason = _unfit(conversation, abstraction, steps)
    seed = None if reason else _seed(abstraction, steps, seed_id, embed)
    if seed is not None and choose is not None:
        seed = labelled(seed, [step.text for step in _kept(steps)], choose)
    return Extraction(seed, reason, abstraction, secrets)


def secrets_of(conversation: Conversation, marked: Iterable[Iterable[tuple[int, int, str]]]) -> tuple[Secret, ...]:
    """Every original value of a conversation, each once.

    Args:
        conversation: the source.
        marked: `(start, end, entity type)` of what markers stand for, one series a turn, see `Abstraction.marked`.
    """
    found: dict[Secret, None] = {}
    for turn, places in zip(conversation.turns, marked, strict=True):
        for start, end, entity_type in places:
            found[Secret(turn.text[start:end], entity_type)] = None
    for name in dict.fromkeys(turn.name for turn in conversation.turns):
        if name and fold(name) not in speaker_labels():
            found[Secret(name, "PERSON")] = None
    return tuple(found)


def _refuse_telling_labels(profile: DomainProfile, secrets: tuple[Secret, ...]) -> None:
    """A user's profile names nobody of the source: `smith_complaint` as a topic would carry Smith into every seed."""
    if not profile.own:
        return
    spoken = (name for named in profile.spoken.values() for names in named.values() for name in names)
    said = [" ".join(words(label.replace("_", " "))) for label in (*profile.labels, *spoken)]
    single = {word for text in said for word in text.split()}
    for secret in secrets:
        parts = words(secret.value)
        # A name tells by any of its words; of an address or a number the whole does.
        named = secret.entity_type == "PERSON" and any(word in single and not is_ordinary(word) for word in parts)
        if named or any(f" {' '.join(parts)} " in f" {text} " for text in said):
            raise InputError(VARIABLE, None, f"a label of profile {profile.name} is a personal value of the source")


def _unfit(conversation: Conversation, abstraction: Abstraction, steps: tuple[_Step, ...]) -> str | None:
    if conversation.form == "document":
        return "document"
    if abstraction.language not in vocabulary().languages:
        return "unsupported_language"
    return "too_few_turns" if len(steps) < 2 else None


def _steps(abstraction: Abstraction) -> Iterator[_Step]:
    """Turns that say something, neighbouring ones of a role joined."""
    role, texts, markers = "", list[str](), list[Marker]()
    for speaker, text, marked in zip(abstraction.roles, abstraction.texts, abstraction.mentioned, strict=True):
        if not text.strip():
            continue
        if texts and speaker != role:
            yield _Step(role, "\n".join(texts), tuple(dict.fromkeys(markers)))
            texts, markers = [], []
        role = speaker
        texts.append(without_notes(text))
        markers += [span.marker for span in marked]
    if texts:
        yield _Step(role, "\n".join(texts), tuple(dict.fromkeys(markers)))


def _kept(steps: tuple[_Step, ...]) -> tuple[_Step, ...]:
    return steps if len(steps) <= MAX_STEPS else steps[: MAX_STEPS - _KEPT_AT_END] + steps[-_KEPT_AT_END:]


def _seed(abstraction: Abstraction, steps: tuple[_Step, ...], seed_id: str, embed: Embed | None) -> Seed:
    known = vocabulary()
    profile, rules = known.domain(abstraction.domain), domain_rules()[abstraction.domain]
    kept = _kept(steps)
    folded = [ends(step.text) for step in kept]
    found = [hits(rules.topics, text) for text in folded]
    turns = tuple(zip((step.role for step in kept), folded, strict=True))
    votes = objective_votes(turns, found, profile, rules)
    objective = best_objective(votes, profile)
    if not votes and embed is not None:
        asked = (step.text for i, step in enumerate(kept[:4]) if i == 0 or step.role == profile.roles[0])
        objective = nearest_objective(" ".join(asked), profile, embed)
    return Seed(
        id=seed_id,
        vocabulary_version=known.version,
        domain=profile.name,
        language=abstraction.language,
        roles=tuple(dict.fromkeys(step.role for step in kept)),
        objective=objective,
        tone=find_tone(folded),
        flow=renumbered(_flow(kept, folded, found, profile, rules, objective)),
        turn_range=band(len(steps), known.turn_bands),
        facts=_facts(abstraction),
    )


def _flow(
    steps: tuple[_Step, ...],
    folded: list[str],
    found: list[dict[str, int]],
    profile: DomainProfile,
    rules: Rules,
    objective: str,
) -> Iterator[FlowStep]:
    # Where the opening names no topic, it is about what the conversation is for.
    aim = next((topic for topic, lead in rules.leads.items() if lead == objective), profile.topics[0])
    topic = next((turn_topic(topics, "inform", "", profile) for topics in found[:4] if topics), aim)
    act: str | None = None
    greeted = False
    for i, (step, text) in enumerate(zip(steps, folded, strict=True)):
        act = dialogue_act(step.text, act, first=i == 0, greeted=greeted, before=steps[i - 1].text if i else "")
        greeted = greeted or act in ("initialGreeting", "initialSelfIntroduction")
        topic = turn_topic(found[i], act, topic, profile)
        slots = tuple(str(marker) for marker in step.markers[:_MAX_MARKERS]) + turn_slots(text, rules)
        yield FlowStep(role=step.role, act=act, topic=topic, slots=slots)


def _facts(abstraction: Abstraction) -> dict[str, str]:
    """The age band of the first age whose marker tells one."""
    bands = [marker.note for marker in abstraction.surfaces if marker.kind == "AGE" and marker.note]
    return {"age_band": bands[0]} if bands else {}
