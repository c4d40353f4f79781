"""Drafts: one sentence or two for every step of a seed's flow, from templates alone.

Each turn is the best-scoring template for its act, topic and role: it holds the step's slots and markers, answers what
was just asked, and was not used before in the conversation. What no template holds is added as a short clause, so that
every marker of a step stands in its turn. The scenario (product, symptom, exercise) is drawn once and kept.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue import ANY, Catalogue, Line, catalogue
from generator.manner import PLAIN, Manner
from generator.scene import ANSWERS, GOODBYES, GREETINGS, QUESTIONS, SHORT, Choose, Scene, side
from generator.voice import voiced
from generator.weave import weave
from generator.wording import kind_of, word
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary

_OPEN_KEYS = {"propositionalQuestion": "yn", "checkQuestion": "yn", "choiceQuestion": "choice", "request": "yn"}
_OPTIONS = 4
# Templates whose scores differ by less than the weight of one slot are equally fitting.
_MARGIN = 1.5


@dataclass(frozen=True, slots=True)
class Draft:
    """One turn before any model saw it.

    Attributes:
        role: who speaks.
        act: the dialogue act it realises.
        text: the sentence or sentences.
        markers: the markers it holds, all of them markers of its step.
    """

    role: str
    act: str
    text: str
    markers: frozenset[str]


def first_option(_: tuple[str, ...], __: tuple[str, ...]) -> int:
    """Choose the best-scoring template, without a model."""
    return 0


def draft(seed: Seed, rng: random.Random, choose: Choose = first_option, manner: Manner = PLAIN) -> tuple[Draft, ...]:
    """One draft a step, in order.

    Args:
        seed: a valid seed.
        rng: source of every choice; the same state gives the same drafts.
        choose: given what was said and the wordings that fit equally well, best first, the index of the one to take.
        manner: how the conversation is held.

    Raises:
        TemplateError: the seed's domain or language has no templates.
    """
    known = catalogue(seed.domain, seed.language)
    scene = Scene(seed, known, _values(seed, known, rng), rng, choose, manner)
    return tuple(_turn(scene, i) for i in range(len(seed.flow)))


def realised_act(seed: Seed, index: int) -> str:
    """The act as it can be said at that place: nobody greets in the middle or takes leave before the end."""
    act, last = seed.flow[index].act, len(seed.flow) - 1
    if act in GREETINGS and index > 2:
        return "autoPositive"
    if act in GOODBYES and index < last - 2 and any(step.act not in SHORT for step in seed.flow[index + 1 :]):
        return "autoPositive"
    return act


def _values(seed: Seed, known: Catalogue, rng: random.Random) -> dict[str, str]:
    weight = Counter(step.topic for step in seed.flow)
    best = max((max((weight[topic] for topic in item.topics), default=0) for item in known.scenarios), default=0)
    fitting = [
        item
        for item in known.scenarios
        if not item.topics or (best and max(weight[topic] for topic in item.topics) == best)
    ]
    chosen = rng.choice(fitting or list(known.scenarios))
    return {name: rng.choice(items) for name, items in known.values.items()} | chosen.values


def _turn(scene: Scene, index: int) -> Draft:
    step, act = scene.seed.flow[index], realised_act(scene.seed, index)
    markers = [slot for slot in step.slots if slot.startswith("[")]
    name = scene.rng.choice(scene.known.topics[step.topic])
    scene.values["topic"] = name.format_map(scene.values)
    lines = _fitting(scene, index, act, markers)
    options = [word(line, scene.values, markers, scene.seed.language, scene.rng) for line in lines]
    chosen = scene.choose(tuple(scene.said), tuple(options)) if len(set(options)) > 1 else 0
    line, text = lines[chosen], options[chosen]
    scene.used[line.text] += 1
    text = voiced(scene, index, act, weave(scene, step, act, line, text))
    _remember(scene, step, act, line)
    scene.said.append(text)
    return Draft(step.role, step.act, text, frozenset(markers))


def _fitting(scene: Scene, index: int, act: str, markers: list[str]) -> list[Line]:
    """The templates that fit best and about equally well, best first."""
    step = scene.seed.flow[index]
    have = Counter(kind_of(marker) for marker in markers)
    rated = [
        (_score(scene, index, act, line) + bonus + scene.rng.random() * 1.5, line)
        for bonus, line in _candidates(scene.known, act, step)
        if not Counter(line.kinds) - have
    ]
    rated.sort(key=lambda pair: -pair[0])
    return [line for score, line in rated[:_OPTIONS] if score > rated[0][0] - _MARGIN]


def _candidates(known: Catalogue, act: str, step: FlowStep) -> Iterator[tuple[float, Line]]:
    # What only one side would say comes before what anybody would.
    own = ((ANY, step.role, 0.5), (ANY, side(step.role), 0.5))
    places = ((step.topic, step.role, 2.0), (step.topic, ANY, 1.5), *own, (ANY, ANY, -0.5))
    for topic, role, bonus in places:
        for line in known.lines.get((act, topic, role), ()):
            yield bonus, line


def _score(scene: Scene, index: int, act: str, line: Line) -> float:
    step = scene.seed.flow[index]
    wanted = {slot for slot in step.slots if not slot.startswith("[")}
    score = 2.5 * len(line.kinds) + 2.0 * len(line.slots & wanted)
    score -= 0.8 * len((line.slots & set(vocabulary().slots)) - wanted)
    score -= 4.0 * scene.used[line.text]
    pending = scene.pending.get(step.role, frozenset())
    if act in ANSWERS and pending & line.keys:
        score += 3.0
    elif act == "answer":
        # An answer that nobody asked for, or that none fits, says something about the topic rather than "yes".
        score -= 0.5 if "open" in line.keys or line.slots & wanted or line.kinds else 4.0
    if act in QUESTIONS:
        score += _question_score(scene, index, line)
    if scene.manner.length != "medium":
        words = len(line.text.split())
        score += 0.08 * (10 - words if scene.manner.length == "short" else words - 10)
    return score


def _question_score(scene: Scene, index: int, line: Line) -> float:
    """A question is good when the next turn can answer it and nobody has answered it yet."""
    following = scene.seed.flow[index + 1 : index + 2]
    coming = {kind_of(slot) if slot.startswith("[") else slot for step in following for slot in step.slots}
    asked = line.keys - line.slots - set(line.kinds)
    score = 2.5 if asked & coming else 0.0
    if any(key.isupper() and key not in coming for key in asked):
        score -= 3.5
    foreign = set(vocabulary().slots) - scene.known.fits.get(scene.seed.flow[index].topic, frozenset())
    if asked & foreign and not asked & coming:
        score -= 2.5
    if any(key in scene.given for key in asked):
        score -= 2.0
    return score


def _remember(scene: Scene, step: FlowStep, act: str, line: Line) -> None:
    scene.pending.pop(step.role, None)
    scene.named |= {slot for slot in step.slots if slot.startswith("[")}
    scene.given |= set(line.kinds) | {kind_of(slot) if slot.startswith("[") else slot for slot in step.slots}
    if act not in QUESTIONS:
        return
    keys = line.keys - line.slots - set(line.kinds) or frozenset({_OPEN_KEYS.get(act, "open")})
    for role in scene.seed.roles:
        if role != step.role:
            scene.pending[role] = keys
