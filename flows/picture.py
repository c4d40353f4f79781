"""The pipeline as a picture: a box a stage, what passed through it, and where it stopped if it did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from flows.language import ENGLISH, Language
from flows.plots import number
from flows.records import RunRecord

# A stage, what it does, and which of its counts stand in its box, in the words of a reader. A key that ends in `_` is
# the sum of all counts that begin with it.
STEPS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("extract", "Find and abstract", (("conversations", "conversations"), ("seeds", "seeds"))),
    ("validate", "Check the seeds", (("seeds", "seeds"), ("violations", "violations"))),
    ("generate", "Write anew", (("conversations", "conversations"), ("dropped_", "dropped"))),
    ("evaluate", "Judge the text", (("conversations", "conversations"),)),
    ("attack_text", "Attack the text", (("attacks", "attacks"),)),
    ("render", "Fill in surrogates", (("conversations", "conversations"),)),
    ("train", "Train with privacy", (("records", "records"), ("steps", "steps"))),
    ("attack", "Attack the model", (("attacks", "attacks"),)),
)
_WORDS = {"pass": "passed", "fail": "stopped here", "inconclusive": "could not tell", "waiting": "not reached"}


@dataclass(frozen=True, slots=True)
class Step:
    """One box.

    Attributes:
        title: what happens there.
        note: counts, or empty.
        state: `pass`, `fail`, `inconclusive` or `waiting`.
    """

    title: str
    note: str
    state: str


def steps(run: RunRecord, words: Language = ENGLISH) -> tuple[Step, ...]:
    """The boxes of a run: every stage, then the certificate; in the language of `words`."""
    done = {stage.name: stage.counts for stage in run.stages}
    boxes = []
    for name, title, shown in STEPS:
        note = _note(done.get(name, {}), shown, words)
        boxes.append(Step(words.say(title), note, _state(run, name, tuple(done))))
    certified = run.status == "certified"
    note = words.say("{count} gates", count=len(run.gates)) if certified else ""
    return (*boxes, Step(words.say("Certificate"), note, "pass" if certified else "waiting"))


def pipeline_picture(boxes: Sequence[Step], columns: int, style: str, words: Language = ENGLISH) -> Markup:
    """Boxes in reading order, joined by arrows.

    Args:
        boxes: at least one.
        columns: boxes a row, >= 1.
        style: class of the picture; the page shows the one that fits its width.
        words: language of the label.
    """
    width, height, gap = (232, 84, 24) if columns > 1 else (340, 62, 18)
    body = Markup()
    for place, box in enumerate(boxes):
        row, column = divmod(place, columns)
        left, top = column * (width + gap), row * (height + gap + 10 * (columns > 1))
        body += _box(box, words.say(_WORDS[box.state]), left, top, width, height)
        if place + 1 < len(boxes):
            body += _arrow(left, top, width, height, gap, columns, last=column + 1 == columns)
    rows = -(-len(boxes) // columns)
    total_width, total_height = columns * (width + gap) - gap, rows * (height + gap + 10 * (columns > 1))
    told = "; ".join(
        f"{box.title}: {words.say(_WORDS[box.state])}" + (f" ({box.note})" if box.note else "") for box in boxes
    )
    return Markup('<svg viewBox="-1 -1 {} {}" class="picture {}" role="img" aria-label="{}">{}</svg>').format(
        total_width + 2, total_height - gap + 2, style, f"{words.say('The pipeline')}. {told}.", body
    )


def _note(counts: Mapping[str, float], shown: Sequence[tuple[str, str]], words: Language) -> str:
    parts = []
    for key, word in shown:
        if key.endswith("_"):
            found = [count for name, count in counts.items() if name.startswith(key)]
        else:
            found = [counts[key]] if key in counts else []
        if found:
            parts.append(f"{number(sum(found))} {words.say(word)}")
    return ", ".join(parts)


def _state(run: RunRecord, name: str, done: tuple[str, ...]) -> str:
    stopped = run.status in ("halted", "inconclusive")
    verdict = "inconclusive" if run.status == "inconclusive" else "fail"
    if name == run.halted_at:
        return verdict
    if name not in done:
        return "waiting"
    # A gate that does not pass belongs to the last stage that ran; a fault names its stage, which then never ended.
    by_gate = run.halted_at in {gate.name for gate in run.gates}
    return verdict if stopped and by_gate and name == done[-1] else "pass"


def _box(box: Step, state: str, left: int, top: int, width: int, height: int) -> Markup:
    note = box.note or state
    # A wide picture has narrow boxes: two counts stand one under the other there.
    lines = note.split(", ", 1) if width < 300 else [note]
    middle = top + height / 2 - 8 * (len(lines) - 1)
    drawn = Markup().join(
        Markup('<text x="{}" y="{}" class="note">{}</text>').format(left + 32, middle + 15 + 17 * place, line)
        for place, line in enumerate(lines)
    )
    return Markup(
        '<g class="step {}"><rect x="{}" y="{}" width="{}" height="{}" rx="6"/>'
        '<circle cx="{}" cy="{}" r="5"/><text x="{}" y="{}" class="title">{}</text>{}</g>'
    ).format(
        box.state, left, top, width, height, left + 18, middle - 9, left + 32, middle - 4, box.title, drawn,
    )  # fmt: skip


def _arrow(left: int, top: int, width: int, height: int, gap: int, columns: int, *, last: bool) -> Markup:
    if columns == 1:
        x, y = left + 18, top + height
        path = f"M{x} {y} v{gap - 3} m-4 -4 l4 4 l4 -4"
    elif not last:
        x, y = left + width, top + height // 2
        path = f"M{x} {y} h{gap - 3} m-4 -4 l4 4 l-4 4"
    else:
        below = top + height + (gap + 10) // 2
        path = f"M{left + width // 2} {top + height} V{below} H{width // 2} V{top + height + gap + 7} m-4 -4 l4 4 l4 -4"
    return Markup('<path d="{}" class="arrow"/>').format(path)
