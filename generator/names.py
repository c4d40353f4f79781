"""Capitalised words in the middle of a sentence: the cheap sign of a name that a model made up."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MIDDLE = re.compile(r"(?<=[\w,;'’)\]] )[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+")
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Miss|Sr|Sra|Dra|Don|Doña)\.? [A-ZÁÉÍÓÚÑ][a-záéíóúñ]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FINE = {
    "en": _words(
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday English Spanish Internet Wi OK Okay "
        "Hi Hello Thanks Thank Yes No Please Sorry Good"
    ),
    "es": _words("Internet Wi Hola Gracias Sí No Buenos Buenas Perdón Perdone"),
}


def names_added(texts: Iterable[str], language: str) -> int:
    """How many words look like names, outside markers and the language's ordinary capitals."""
    fine = _FINE.get(language, frozenset())
    found = 0
    for text in texts:
        found += sum(match[0] not in fine for match in _MIDDLE.finditer(text))
        found += len(_TITLED.findall(text))
    return found
