"""The manner and the tone of a conversation in what is said: a sentence here and there, and the register's words."""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalogue import Line
from generator.registers import in_register
from generator.scene import GOODBYES, QUESTIONS, TELLING, Scene, side
from generator.wording import word
from seed_engine.seed import FlowStep

# What carries a manner, how often in a conversation at most, and how likely in a turn that may carry it.
_MOST = {"tone": 2, "persona": 1, "difficulty_medium": 1, "difficulty_hard": 2, "more": 3}
_CHANCE = 0.5
# What is offered or asked at the end is still open, and no place to say how it ended.
_ENDING = frozenset({"inform", "promise", "acceptRequest", "thanking", "acceptThanking"})
# After these what was wanted can be done; a fact that is told ("the account was locked") settles nothing.
_DONE_AFTER = frozenset({"acceptOffer", "acceptSuggest", "agreement", "thanking"})
# Something can have been settled, or not, once somebody wanted it.
_WANTS = frozenset({"request", "instruct", "suggest", "offer", "promise", "acceptRequest", "acceptOffer"})


def voiced(scene: Scene, index: int, act: str, text: str) -> str:
    """A turn's text with at most one sentence of manner, in the conversation's register.

    Args:
        scene: so far, this turn not among what was said.
        index: of the step.
        act: as it is realised.
        text: the turn's wording.
    """
    added = next(_additions(scene, index, act), "")
    if added and added not in text:
        scene.given.add(added)
        # Nobody goes on after a goodbye.
        text = f"{added} {text}" if act in GOODBYES else f"{text} {added}"
    return in_tone_of(scene, scene.seed.flow[index].role, text)


def in_tone_of(scene: Scene, role: str, text: str) -> str:
    """A text in the conversation's register; who serves is never casual."""
    register = scene.manner.register
    if register == "casual" and side(role) == "serves":
        return text
    return in_register(text, scene.seed.language, register)


def _additions(scene: Scene, index: int, act: str) -> Iterator[str]:
    """Sentences that this turn could bear, the first one best."""
    step, manner, seed = scene.seed.flow[index], scene.manner, scene.seed
    if side(step.role) == "serves":
        if index == _ending(scene) and _settles(scene, index, act):
            yield from _drawn(scene, f"outcome_{manner.outcome}")
        if manner.length == "long" and act in TELLING and _may(scene, "more"):
            yield from _more(scene, index)
        return
    if act == "inform" and _may(scene, "tone"):
        yield from _drawn(scene, seed.tone)
    # What was asked is answered and no more: the next turn says something to the answer.
    if act == "inform" and _may(scene, f"difficulty_{manner.difficulty}"):
        yield from _drawn(scene, f"difficulty_{manner.difficulty}")
    if act == "inform" and manner.length != "short" and _may(scene, "persona"):
        yield from _drawn(scene, f"persona_{manner.persona}")
    if act in TELLING and manner.length == "long" and _may(scene, "more"):
        yield from _more(scene, index)


def _may(scene: Scene, name: str) -> bool:
    most = _MOST.get(name, 0)
    return scene.used[f"voice/{name}"] < most and scene.rng.random() < _CHANCE


def _drawn(scene: Scene, mood: str) -> Iterator[str]:
    lines = [line for line in scene.known.moods.get(mood, ()) if not scene.used[line.text]]
    if lines:
        line = scene.rng.choice(lines)
        scene.used[line.text] += 1
        name = "tone" if mood == scene.seed.tone else "persona" if mood.startswith("persona") else mood
        scene.used[f"voice/{name}"] += 1
        yield word(line, scene.values, (), scene.seed.language, scene.rng)


def _more(scene: Scene, index: int) -> Iterator[str]:
    """Another sentence about the same, as its speaker would say it."""
    step = scene.seed.flow[index]
    lines = scene.known.lines.get(("inform", step.topic, step.role), ())
    fresh = [line for line in lines if not line.kinds and not scene.used[line.text] and not _known(scene, step, line)]
    if fresh:
        line = scene.rng.choice(fresh)
        scene.used[line.text] += 1
        scene.given |= line.slots
        scene.memory.note(step.role, line)
        scene.used["voice/more"] += 1
        yield word(line, scene.values, (), scene.seed.language, scene.rng)


def _known(scene: Scene, step: FlowStep, line: Line) -> bool:
    """Whether a line tells a value again, or what its speaker has said in other words."""
    return bool(line.slots & scene.given) or scene.memory.repeats(step.role, line, asks=False) > 0.0


def _endings(outcome: str) -> frozenset[str]:
    """Acts that can say how it ended; who has just promised to settle it does not regret that it is not settled."""
    return _ENDING - {"promise", "acceptRequest"} | GOODBYES if outcome == "unresolved" else _ENDING


def _settles(scene: Scene, index: int, act: str) -> bool:
    """Whether something was wanted, and this turn is no answer to a question that somebody has just asked."""
    flow = scene.seed.flow
    if act == "inform" and (index == 0 or flow[index - 1].act not in _DONE_AFTER):
        return False
    free = act in ("promise", "acceptRequest") or not scene.pending.get(flow[index].role)
    return free and any(step.act in _WANTS for step in flow[:index])


def _ending(scene: Scene) -> int:
    """Where the outcome is said: the serving side's last turn that can bear it, unless more is asked later; else -1."""
    flow = scene.seed.flow
    for index in range(len(flow) - 1, max(-1, len(flow) - 6), -1):
        step = flow[index]
        if side(step.role) == "serves" and step.act in _endings(scene.manner.outcome):
            return index
        if step.act in QUESTIONS:
            break
    return -1
