"""Drafts: one sentence or two for every step of a seed's flow, from templates alone.

Each turn is the best-scoring template for its act, topic and role: it holds the step's slots and markers, answers what
was just asked, and was not used before in the conversation. What no template holds is added as a short clause, so that
every marker of a step stands in its turn. What a seed's acts leave out between a question and what is made of it is
said along with them (`generator.pairs`). The scenario (product, symptom, exercise) is drawn once and kept.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from generator.catalogue import ANY, ASKS, REPLY, TO_ONE_KIND, Catalogue, Line, Scenario, catalogue
from generator.exchanges import LEAVES
from generator.fitting import Aim, fitting, is_of_topic, replies_to
from generator.manner import PLAIN, Manner
from generator.pairs import OWING, missing_before, opened_along, passes_over, turns_away
from generator.scene import GOODBYES, GREETINGS, QUESTIONS, SHORT, Choose, Scene, side
from generator.voice import in_tone_of, voiced
from generator.weave import weave
from generator.wording import after, kind_of, tidy, word
from seed_engine.seed import FlowStep, Seed

# What is being seen to: nothing is owed in passing to a request, nor to a proposal that something is asked about (an
# insertion sequence, Schegloff 2007).
_REQUESTED, _PROPOSED = "request", "proposal"
_OPEN_KEYS = {
    "propositionalQuestion": {"yn"},
    "checkQuestion": {"yn", "so"},
    "choiceQuestion": {"choice"},
    "request": {_REQUESTED},
    "offer": {"offer"},
    "suggest": {"suggest"},
}
# A check of what is to be arranged is met by "yes, that works"; one of what is so by "yes, that's right".
_ARRANGED = frozenset({"weekday", "time_of_day", "quantity", "appointment", "DATE"})
# How what is owed is paid in passing, where nothing was written for it.
_PAID_BY = {"yn": "confirm", "offer": "acceptOffer", "suggest": "acceptSuggest"}

# How often a yes goes on to what comes next, where it can.
_ALONG = 0.6


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
    act = seed.flow[index].act
    if act in GREETINGS | {"initialSelfIntroduction"} and index > 2:
        return "autoPositive"
    if act in GOODBYES and any(step.act not in SHORT for step in seed.flow[index + 1 :]):
        return "autoPositive"
    return act


def _values(seed: Seed, known: Catalogue, rng: random.Random) -> dict[str, dict[str, str]]:
    """The value of every place by topic: one scenario for all topics that it suits, another one for the others."""
    weight = Counter(step.topic for step in seed.flow)
    rest = {name: rng.choice(items) for name, items in known.values.items()}
    main = _best(known.scenarios, weight, rng)
    found = {}
    for topic in weight:
        suits = not main.topics or topic in main.topics or not any(topic in item.topics for item in known.scenarios)
        found[topic] = rest | (main if suits else _best(known.scenarios, Counter({topic: 1}), rng)).values
    return found


def _best(scenarios: tuple[Scenario, ...], weight: Counter[str], rng: random.Random) -> Scenario:
    best = max((max((weight[topic] for topic in item.topics), default=0) for item in scenarios), default=0)
    suiting = [item for item in scenarios if not item.topics or (best and max(weight[t] for t in item.topics) == best)]
    return rng.choice(suiting or list(scenarios))


def _turn(scene: Scene, index: int) -> Draft:
    flow = scene.seed.flow
    step, act = flow[index], realised_act(scene.seed, index)
    missing = missing_before(flow, index, act)
    if missing is None and scene.rng.random() < _ALONG:
        missing = opened_along(flow, index, act)
    pending = scene.pending.get(step.role, frozenset())
    # An answer to nothing tells something.
    said_as = "inform" if act == "answer" and not pending else act
    following = flow[index + 1] if index + 1 < len(flow) and missing is None else None
    line, text = _worded(scene, Aim(step.role, said_as, step.topic, step.slots, following))
    if turns_away(flow, index, said_as) and "topic" not in line.slots and is_of_topic(scene, step, said_as, line):
        text = _turning(scene, text)
    text = weave(scene, step, said_as, line, text)
    if missing is None:
        text = voiced(scene, index, said_as, text)
    if pending and not pending & line.keys and _leaves_open(scene, pending, act):
        text = tidy(f"{_owed(scene, step, pending)} {text}", scene.seed.language)
    _remember(scene, step, said_as, line)
    if missing is not None:
        text = f"{text} {_tail(scene, step, missing, flow[index + 1])}"
    scene.said.append(text)
    return Draft(step.role, step.act, text, frozenset(slot for slot in step.slots if slot.startswith("[")))


def _turning(scene: Scene, text: str) -> str:
    """A sentence that begins another topic says so: `About the bill: ...`."""
    lines = scene.known.clauses["turn", "state"]
    fewest = min(scene.used[line.text] for line in lines)
    line = scene.rng.choice([item for item in lines if scene.used[item.text] == fewest])
    scene.used[line.text] += 1
    return after(_sentence(scene, line, []), text)


def _worded(scene: Scene, aim: Aim) -> tuple[Line, str]:
    """The template that is taken, and its sentence."""
    scene.turn_to(aim.topic)
    lines = fitting(scene, aim)
    options = [_sentence(scene, line, aim.markers) for line in lines]
    chosen = scene.choose(tuple(scene.said), tuple(options)) if len(set(options)) > 1 else 0
    scene.used[lines[chosen].text] += 1
    scene.memory.note(aim.role, lines[chosen])
    return lines[chosen], options[chosen]


def _sentence(scene: Scene, line: Line, markers: list[str]) -> str:
    return word(line, scene.values, markers, scene.seed.language, scene.rng, scene.said)


def _tail(scene: Scene, step: FlowStep, act: str, following: FlowStep) -> str:
    """What a turn ends with, so that the next one responds to something; it mentions no marker."""
    line, text = _worded(scene, Aim(step.role, act, following.topic, (), following))
    _owe(scene, step, act, line)
    return in_tone_of(scene, step.role, text)


def _leaves_open(scene: Scene, pending: frozenset[str], act: str) -> bool:
    """Whether an act says nothing to what was asked or proposed, so that it must be answered beside it."""
    if act not in GOODBYES:
        return passes_over(act) and not _inserted(pending, act)
    # Who takes leave has heard what was proposed; an offer of more help is answered by leaving.
    begun = [scene.known.replies[name] for key in pending if (name := key.removeprefix(REPLY)) in scene.known.replies]
    return _PROPOSED in pending and (
        "suggest" in pending or (bool(begun) and not any(LEAVES in signs for signs in begun))
    )


def _inserted(pending: frozenset[str], act: str) -> bool:
    return _REQUESTED in pending or (_PROPOSED in pending and act in QUESTIONS)


def _owed(scene: Scene, step: FlowStep, pending: frozenset[str]) -> str:
    """A short answer to what was asked, for a turn that goes on to something else."""
    written = [line for act in ("answer", "acceptOffer") for line in replies_to(scene, pending, act)]
    lines = [line for line in written if not line.kinds]
    if not lines:
        answers = (
            scene.known.lines.get(("answer", *place), ()) for place in ((step.topic, step.role), (ANY, step.role))
        )
        lines = [line for items in answers for line in items if pending & line.keys and not line.kinds]
    if not lines:
        act = next((_PAID_BY[key] for key in sorted(pending) if key in _PAID_BY), None)
        sides = (scene.known.lines.get((act or "", ANY, role), ()) for role in (side(step.role), ANY))
        lines = [
            line for line in next(filter(None, sides), ()) if not line.kinds and not TO_ONE_KIND & line.keys - pending
        ]
    if not lines:
        return ""
    fewest = min(scene.used[line.text] for line in lines)
    line = scene.rng.choice([item for item in lines if scene.used[item.text] == fewest])
    scene.used[line.text] += 1
    return in_tone_of(scene, step.role, _sentence(scene, line, []))


def _remember(scene: Scene, step: FlowStep, act: str, line: Line) -> None:
    scene.pending.pop(step.role, None)
    scene.opened.add((step.topic, step.role))
    scene.named |= {slot for slot in step.slots if slot.startswith("[")}
    scene.given |= (
        set(line.kinds) | line.slots | {kind_of(slot) if slot.startswith("[") else slot for slot in step.slots}
    )
    _owe(scene, step, act, line)


def _owe(scene: Scene, step: FlowStep, act: str, line: Line) -> None:
    """Note for the others what a turn asks of them."""
    keys = frozenset(key for key in line.keys - line.slots - set(line.kinds) if not key.startswith(ASKS))
    written = frozenset(f"{REPLY}{key}" for key in keys & scene.known.replies.keys())
    if act in OWING:
        # What cannot be answered by yes or no has its written answers, or any that says something.
        bare = _OPEN_KEYS.get(act) or ({"open"} if not written else set[str]())
        keys = written | (keys - scene.known.replies.keys() or bare)
        keys |= {"so"} if act == "checkQuestion" else set()
        keys |= {"check"} if act == "checkQuestion" and line.keys & _ARRANGED else set()
        keys |= {_REQUESTED} if act == "request" else {_PROPOSED} if act in ("offer", "suggest") else set()
    elif written:
        keys = written
    else:
        return
    for role in scene.seed.roles:
        if role != step.role:
            scene.pending[role] = keys
