"""Figures of sensitive attributes in English and Spanish turns, by category of GDPR Art. 9 and 10."""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files

from seed_engine.conversation import Boundary
from seed_engine.sensitive.attributes import sensitive_spans


class WestFigures(Boundary):
    """One category in one language.

    Attributes:
        language: `en` or `es`.
        category: id of `gdpr9`; HIPAA's condition and care are counted under health.
        told: turns that tell it of somebody.
        found: of these, marked with this category.
        general: turns that speak of it and tell it of nobody.
        flagged: of these, marked with any category, lower is better.
    """

    language: str
    category: str
    told: int
    found: int
    general: int
    flagged: int


def evaluate_west() -> tuple[WestFigures, ...]:
    """Figures on `data/west.txt`, in its order."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    text = (files("seed_engine.sensitive") / "data" / "west.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        language, name, told, turn = line.split("\t")
        marked = [span.category for span in sensitive_spans(turn, language)]
        row = counts[language, name]
        if told == "1":
            row[0] += 1
            row[1] += name in marked
        else:
            row[2] += 1
            row[3] += bool(marked)
    return tuple(
        WestFigures(language=language, category=name, told=row[0], found=row[1], general=row[2], flagged=row[3])
        for (language, name), row in counts.items()
    )
