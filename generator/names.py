"""Signs of a name that a model made up: a capital inside a sentence, a title, a listed first name at its start."""

from __future__ import annotations

import re
from collections.abc import Iterable

from seed_engine.fold import fold
from seed_engine.name_lexicon import is_first_name
from seed_engine.ordinary import is_ordinary

_MIDDLE = re.compile(r"(?<=[\w,;'’)\]] )[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+")
_FIRST = re.compile(r"(?:^|[.!?…]\s+|[¿¡])([A-ZÁÉÍÓÚÑ][a-záéíóúñ]{2,})(?![\w'’])")
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
        found += sum(_is_name(word) for word in _FIRST.findall(text))
    return found


def _is_name(word: str) -> bool:
    """A first name that is not a word of everyday language as well, as Will, May and Mark are."""
    return is_first_name(fold(word)) and not is_ordinary(fold(word))
