"""What the report says, in English or Spanish: a catalogue from the English sentence to its translation.

Sentences are ours and hold `{name}` where a figure goes. Words that a run recorded (a gate's detail, the reason of a
halt) are looked up with their figures taken out; what the catalogue does not know stays English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from flows.errors import UsageError

LANGUAGES = ("en", "es")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*(?:e-?\d+)?%?")


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the report.

    Attributes:
        code: `en` or `es`.
        catalogue: translation by English sentence; empty for English itself.
    """

    code: str = "en"
    catalogue: Mapping[str, str] = field(default_factory=dict)

    def say(self, sentence: str, /, **figures: Any) -> str:
        """A sentence of ours with its figures filled in."""
        return self.catalogue.get(sentence, sentence).format(**figures)

    def markup(self, sentence: str, /, **figures: Any) -> Markup:
        """A sentence of ours that holds markup; figures are escaped."""
        return Markup(self.catalogue.get(sentence, sentence)).format(**figures)

    def plain(self, sentence: str, /) -> str:
        """A sentence that somebody signed or wrote: translated where it is ours, never filled in."""
        return self.catalogue.get(sentence, sentence)

    def recorded(self, words: str) -> str:
        """What a run recorded; its own words where the catalogue has none."""
        figures = _FIGURE.findall(words)
        known = self.catalogue.get(_FIGURE.sub("#", words))
        if known is None or known.count("#") != len(figures):
            return words
        rest = iter(figures)
        return re.sub("#", lambda _: next(rest), known)

    def name(self, name: str) -> str:
        """The name of a gate, measure or label, with its lines and dots taken out."""
        plain = name.replace("_", " ")
        return self.catalogue.get(plain, plain)


ENGLISH = Language()


def language_of(code: str) -> Language:
    """The language of a code.

    Raises:
        UsageError: the report does not speak it.
    """
    if code not in LANGUAGES:
        raise UsageError(f"language {code!r}: the report is written in {' or '.join(LANGUAGES)}")
    if code == "en":
        return ENGLISH
    path = Path(__file__).parent / "templates" / f"{code}.json"
    return Language(code, json.loads(path.read_text("utf-8")))
