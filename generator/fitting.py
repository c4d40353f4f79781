"""Fitting: which templates suit a turn best: by what was asked, is mentioned, comes next and was used before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue import ANY, ASKS, LEAVING, REPLY, TO_ONE_KIND, Line
from generator.exchanges import LEAVES, SAYS
from generator.scene import ANSWERS, QUESTIONS, TELLING, Scene, side
from generator.wording import kind_of
from seed_engine.seed import FlowStep
from seed_engine.vocabulary import vocabulary

_OPTIONS = 4
_BRIEF = 0.3
# A bare yes or no is said to a question; a request, an offer or a proposal is met by what was written for it.
_SAID_BRIEFLY = frozenset({"confirm", "disconfirm"})
# Templates whose scores differ by less than the weight of one slot are equally fitting.
_MARGIN = 1.5
# What was said in other words weighs less than what was said in these.
_SAID_BEFORE = 3.0
# Lines of a topic that say what it is about, before its details: the first in their file.
_OPENING = 3


@dataclass(frozen=True, slots=True)
class Aim:
    """What a sentence is to do.

    Attributes:
        role: who says it.
        act: as it is realised.
        topic: what it is about.
        slots: labels and markers that it may mention.
        following: the step that reacts to it, if any.
    """

    role: str
    act: str
    topic: str
    slots: tuple[str, ...] = ()
    following: FlowStep | None = None

    @property
    def markers(self) -> list[str]:
        """The markers among the slots."""
        return [slot for slot in self.slots if slot.startswith("[")]


def fitting(scene: Scene, aim: Aim) -> list[Line]:
    """The templates that fit best and about equally well, best first."""
    have = Counter(kind_of(marker) for marker in aim.markers)
    rated = [
        (_score(scene, aim, line) + bonus + scene.rng.random() * 1.5, line)
        for bonus, line in _candidates(scene, aim)
        if not Counter(line.kinds) - have
    ]
    rated.sort(key=lambda pair: -pair[0])
    return [line for score, line in rated[:_OPTIONS] if score > rated[0][0] - _MARGIN]


def replies_to(scene: Scene, pending: frozenset[str], act: str) -> Iterator[Line]:
    """What can be said, as an act, to the exchanges that somebody has just begun."""
    for key in sorted(pending):
        signs = scene.known.replies.get(key.removeprefix(REPLY), {})
        for sign in SAYS.get(act, ""):
            yield from signs.get(sign, ())


def _candidates(scene: Scene, aim: Aim) -> Iterator[tuple[float, Line]]:
    # Who agrees or refuses often says no more than that; who answers says what.
    brief = aim.act in _SAID_BRIEFLY and scene.rng.random() < _BRIEF
    for line in replies_to(scene, scene.pending.get(aim.role, frozenset()), aim.act):
        yield -6.0 if brief else 2.0, line
    # What only one side would say comes before what anybody would.
    anybody = -1.0 if aim.act in TELLING | QUESTIONS else -0.5
    own = ((ANY, aim.role, 0.5), (ANY, side(aim.role), 0.5))
    places = [(aim.topic, aim.role, 2.0), (aim.topic, side(aim.role), 2.0), (aim.topic, ANY, 1.5), *own]
    main = _stands_in_for(scene, aim.role)
    places += [(aim.topic, main, 1.2), (ANY, main, 0.3)] if main else []
    fresh = aim.act == "inform" and (aim.topic, aim.role) not in scene.opened
    for topic, role, bonus in (*places, (ANY, ANY, anybody)):
        for place, line in enumerate(scene.known.lines.get((aim.act, topic, role), ())):
            if topic == ANY and _unasked(aim, line):
                yield bonus - 1.5, line
            else:
                yield bonus + (1.0 if fresh and topic != ANY and place < _OPENING else 0.0), line


def is_of_topic(scene: Scene, step: FlowStep, act: str, line: Line) -> bool:
    """Whether a template says something of the step's topic, and would not do for any other."""
    roles = (step.role, side(step.role), ANY, _stands_in_for(scene, step.role))
    return any(line in scene.known.lines.get((act, step.topic, role), ()) for role in roles)


def _stands_in_for(scene: Scene, role: str) -> str:
    """Who usually serves in the domain, for somebody else who does: a manager sells as a seller does."""
    profile = vocabulary().domains[scene.seed.domain]
    main = next((other for other in profile.roles if side(other) == "serves"), "")
    return main if side(role) == "serves" and role != main else ""


def _unasked(aim: Aim, line: Line) -> bool:
    """Whether a line of no topic brings up a day or a price that nobody asked for."""
    return aim.act == "inform" and bool((line.slots & set(vocabulary().slots)) - set(aim.slots))


def _score(scene: Scene, aim: Aim, line: Line) -> float:
    wanted = {slot for slot in aim.slots if not slot.startswith("[")}
    score = 2.5 * len(line.kinds) + 2.0 * len(line.slots & wanted)
    score -= 0.8 * len((line.slots & set(vocabulary().slots)) - wanted)
    score -= 4.0 * scene.used[line.text]
    score -= _SAID_BEFORE * scene.memory.repeats(aim.role, line, asks=aim.act in QUESTIONS)
    pending = scene.pending.get(aim.role, frozenset())
    if LEAVING in line.keys:
        score += 1.0 if scene.ending else -6.0  # "thanks, that's everything" is said once nothing else is
    if TO_ONE_KIND & line.keys - pending:
        score -= 4.0  # nobody says "that's right" to "do you smoke?", nor "that works" to what is so
    if pending & line.keys and (aim.act in ANSWERS or aim.act in SAYS):
        score += 3.0
    elif aim.act == "answer":
        # An answer that none fits says something about the topic rather than "yes".
        score -= 0.5 if "open" in line.keys or line.slots & wanted or line.kinds else 4.0
    if aim.act in QUESTIONS:
        score += _question_score(scene, aim, line)
    elif aim.act in ("offer", "suggest", "instruct"):
        score += _exchange_score(scene, aim, line)
    if scene.manner.length != "medium":
        words = len(line.text.split())
        score += 0.08 * (10 - words if scene.manner.length == "short" else words - 10)
    return score


def _question_score(scene: Scene, aim: Aim, line: Line) -> float:
    """A question is good when the next turn can answer it and nobody has answered it yet."""
    slots = aim.following.slots if aim.following is not None else ()
    coming = {kind_of(slot) if slot.startswith("[") else slot for slot in slots}
    asked = line.keys - line.slots - set(line.kinds)
    score = 2.5 if asked & coming else 0.0
    things = {key for key in asked if key.isupper()}
    if things:
        # A name or a number is seldom told unasked: when it comes next, this is the moment to ask for it.
        score += 2.5 if things & coming else -3.5
        # Who names somebody does not ask who it is.
        score -= 4.0 if things & {kind_of(marker) for marker in aim.markers} and not line.kinds else 0.0
    foreign = set(vocabulary().slots) - scene.known.fits.get(aim.topic, frozenset())
    if asked & foreign and not asked & coming:
        score -= 2.5
    if any(key.removeprefix(ASKS) in scene.given for key in asked):
        score -= 2.0
    return score + _exchange_score(scene, aim, line)


def _exchange_score(scene: Scene, aim: Aim, line: Line) -> float:
    """What begins an exchange is good when the next turn says what is written for it."""
    signs = next((scene.known.replies[key] for key in line.keys if key in scene.known.replies), None)
    if aim.following is None or aim.following.role == aim.role:
        return 0.0
    says = SAYS.get(aim.following.act)
    if signs is None:
        # Only an offer of more help is met by taking leave.
        return -3.0 if says == LEAVES and aim.act == "offer" else 0.0
    if says is None:
        return 0.0
    return 2.0 if any(sign in signs for sign in says) else -1.0 - 2.0 * (says == LEAVES)
