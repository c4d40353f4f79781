"""Which language a text is written in, among those that the detector knows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LANGUAGES = ("en", "es", "ja", "fr", "de", "nl")
# Past this the answer does not change, and the cost would grow with the text.
LONGEST_LOOK = 4000


def detect_language(text: str, default: str = "en") -> str:
    """ISO 639-1 code of a text's language, one of `LANGUAGES`; `default` where there is nothing to judge by.

    Args:
        text: any text; the first 4,000 code points are looked at.
        default: answer for a text with fewer than three letters.
    """
    look = text[:LONGEST_LOOK]
    if sum(character.isalpha() for character in look[:200]) < 3:
        return default
    return str(_identifier().classify(look)[0])


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    # An identifier of our own: the module's shared one would be restricted for everybody in the process.
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(LANGUAGES))
    return identifier
