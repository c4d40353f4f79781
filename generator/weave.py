"""Weaving in: what a step mentions and its template does not hold becomes part of the turn.

Every marker of a step must stand in its turn. A speaker says their own name before anything else and not twice in the
same words; several markers of a kind share a sentence; a question is not followed by a second one, but comes after what
it is about. A plain slot is mentioned where the topic knows it and something is told, once: a diagnosis has no place
in a thank-you, nor in a question about a bill.
"""

from __future__ import annotations

from collections import Counter

from generator.catalogue import REPLY, Line
from generator.scene import QUESTIONS, SHORT, TELLING, Scene, side
from generator.wording import address, after, join, kind_of, tidy, word
from seed_engine.markers import parse_marker
from seed_engine.seed import FlowStep
from seed_engine.vocabulary import vocabulary

_MAX_SLOTS = 1
# How often one thing that was named before leads to the sentence, rather than following it.
_LED = 0.9
# What a question is about, said before it in one breath.
_DETAILS = frozenset({"DATE", "LOCATION", "ORGANIZATION"})


def weave(scene: Scene, step: FlowStep, act: str, line: Line, text: str) -> str:
    """The turn with every marker of its step, and the slots that it can bear."""
    left, kinds = [], Counter(line.kinds)
    for slot in step.slots:
        name = kind_of(slot) if slot.startswith("[") else slot
        if kinds[name] > 0:
            kinds[name] -= 1
        elif name not in line.slots:
            left.append(slot)
    groups: dict[str, list[str]] = {}
    for slot in left:
        if slot.startswith("["):
            groups.setdefault(kind_of(slot), []).append(slot)
    if act in QUESTIONS:
        text = _with_details(scene, step, line, groups, text)
    text = _led_by_known(scene, step, act, line, groups, text)
    for kind, markers in groups.items():
        text = _with_markers(scene, step, act, line, kind, markers, text)
    # What was asked is answered and no more.
    answers = any(key.startswith(REPLY) for key in line.keys)
    fitting = [slot for slot in left if slot[0] != "[" and not answers and _fits(scene, step, act, slot)]
    for slot in fitting[:_MAX_SLOTS]:
        text = tidy(f"{text} {_clause(scene, step, slot, 'state', slot)}", scene.seed.language)
    return text


def _fits(scene: Scene, step: FlowStep, act: str, slot: str) -> bool:
    known = scene.known.fits.get(step.topic, frozenset())
    # A value that stands somewhere already was told, whoever told it.
    told = any(scene.values[slot] in text for text in scene.said) if slot in scene.values else False
    return act in TELLING and slot not in scene.given and slot in known and not told


def _with_details(scene: Scene, step: FlowStep, line: Line, groups: dict[str, list[str]], text: str) -> str:
    """Days and places that a question does not ask for, said at once before it; they leave `groups`."""
    kinds = [kind for kind in groups if kind in _DETAILS and not _asks(line, kind)]
    told = [marker for kind in kinds for marker in groups[kind]]
    if len(kinds) < 2 or all(marker in scene.named for marker in told):
        return text
    for kind in kinds:
        del groups[kind]
    clause = _clause(scene, step, "many", "context", join(told, scene.seed.language))
    return tidy(f"{clause} {text}", scene.seed.language)


def _led_by_known(scene: Scene, step: FlowStep, act: str, line: Line, groups: dict[str, list[str]], text: str) -> str:
    """A day or a place that was named before leads to what is said of it (`For [DATE_1]: ...`); it leaves `groups`."""
    kinds = [
        kind
        for kind, markers in groups.items()
        if not _is_person(kind) and not _asks(line, kind) and all(marker in scene.named for marker in markers)
    ]
    known = [marker for kind in kinds for marker in groups[kind]]
    if not known or act in SHORT or ":" in text or (len(known) == 1 and scene.rng.random() > _LED):
        return text
    for kind in kinds:
        del groups[kind]
    opening = _clause(scene, step, "again", "lead", join(known, scene.seed.language))
    return tidy(after(opening, text), scene.seed.language)


def _asks(line: Line, kind: str) -> bool:
    """Whether a template asks for a marker of a kind, and does not hold one itself."""
    return kind in line.keys and kind not in line.kinds


def _with_markers(scene: Scene, step: FlowStep, act: str, line: Line, kind: str, markers: list[str], text: str) -> str:
    said, role, language = join(markers, scene.seed.language), kind.lower(), scene.seed.language
    if len(markers) == 1 and role == step.role:
        return _with_own_name(scene, step, act, kind, said, text)
    if len(markers) == 1 and f"[{kind}" not in text and _spoken_to(scene, role, said):
        return address(text, said, scene.rng)
    asked = _asks(line, kind) and act in QUESTIONS
    mood = "ask" if asked else "context" if act in QUESTIONS else "state"
    name = kind
    if len(markers) > 1:
        name, mood = "many/person" if _is_person(kind) else "many", mood
    elif said in scene.named:
        name, mood = "again/person" if _is_person(kind) else "again", "ask" if asked else "state"
    clause = _clause(scene, step, name, mood, said)
    before = act in QUESTIONS and not asked
    return tidy(f"{clause} {text}" if before else f"{text} {clause}", language)


def _spoken_to(scene: Scene, role: str, marker: str) -> bool:
    """Whether a marker names who has just spoken or speaks next, and not somebody of their family."""
    index = len(scene.said)
    around = scene.seed.flow[max(0, index - 1) : index + 2]
    return any(step.role == role for step in around) and not parse_marker(marker).relation


def _with_own_name(scene: Scene, step: FlowStep, act: str, kind: str, marker: str, text: str) -> str:
    again = marker in scene.named
    clause = _clause(scene, step, f"again/{side(step.role)}" if again else kind, "self", marker)
    after = again or act in SHORT
    return tidy(f"{text} {clause}" if after else f"{clause} {text}", scene.seed.language)


def _is_person(kind: str) -> bool:
    return kind in ("PERSON", "RELATIVE") or kind.lower() in vocabulary().roles


def _clause(scene: Scene, step: FlowStep, name: str, mood: str, slot: str) -> str:
    """A short sentence for a slot or marker, the topic's own where there is one, and not one used before."""
    clauses = scene.known.clauses
    names = (f"{name}/{step.topic}", f"{name}/{side(step.role)}", name)
    wanted = ((item, at) for at in dict.fromkeys((mood, "state")) for item in names)
    lines = next(clauses[key] for key in wanted if key in clauses)
    fewest = min(scene.used[item.text] for item in lines)
    clause = scene.rng.choice([item for item in lines if scene.used[item.text] == fewest])
    scene.used[clause.text] += 1
    return word(clause, scene.values | {"name": slot}, [slot], scene.seed.language, scene.rng)
