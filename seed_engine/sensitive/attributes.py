"""Sensitive attributes in conversations: a GDPR Art. 9 or 10 fact that a speaker tells of himself or of his people.

A cue counts where its sentence is linked to a person: I have diabetes, mi madre es musulmana. It is marked even
where no name stands beside it, so that a seed keeps a band in its place. Japanese goes through the cue words
and the link model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from seed_engine.fold import fold
from seed_engine.sensitive.categories import category
from seed_engine.sensitive.judge import starter_folder
from seed_engine.sensitive.linking import LinkModel, read_pairs

# Words of one's own or of a relative, as they stand in folded text.
_OWN = {
    "en": re.compile(
        r"\b(?:i|i'm|i've|i'd|i'll|im|ive|me|my|mine|myself|we|we're|our|us|he|she|his|her|him|"
        r"(?:my|his|her|our) (?:wife|husband|mom|mum|dad|mother|father|son|daughter|kid|child|brother|sister|"
        r"partner|boyfriend|girlfriend|friend|boss|colleague|neighbou?r|grandmother|grandfather|aunt|uncle)|patient)\b"
    ),
    "es": re.compile(
        r"\b(?:yo|me|mi|mis|mio|mia|conmigo|nos|nuestr[oa]s?|el|ella|su|sus|le|tengo|tuve|tenia|soy|era|fui|estoy|estuve|estaba|"
        r"padezco|sufro|tomo|llevo|vivo|voto|paciente|tiene|es|esta|somos|hemos|he|ha)\b"
    ),
}
# A name or a spoken-to person tells too: "Ana has diabetes".
_NAMED = re.compile(r"(?<![.!?¿¡] )(?<!^)\b[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+\b")
# General talk, questions of a rule, negation: no attribute of anyone.
_GENERAL = {
    "en": re.compile(
        r"\b(?:people with|patients with|anyone with|someone with|in general|research|stud(?:y|ies) show|article|"
        r"awareness|fundrais\w+|documentary|movie|novel|policy covers|do you cover|does (?:it|the plan) cover|"
        r"history of the|"
        r"(?:do|does|did)(?: not|n't) have|"
        r"no history of|never (?:had|been)|not (?:diagnosed|pregnant|gay|religious)|"
        r"what is|what causes|symptoms of|risk of|if (?:you|someone|a person))\b"
    ),
    "es": re.compile(
        r"\b(?:personas con|pacientes con|alguien con|quienes|en general|investigacion|estudio|articulo|campana|"
        r"documental|pelicula|novela|no (?:tengo|tiene|soy|es|padezco|padece|estoy)|sin antecedentes|nunca|"
        r"que es (?:el|la)|sintomas de|riesgo de|si (?:usted|alguien|una persona))\b"
    ),
}
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_LEAST_JAPANESE = 0.5


@dataclass(frozen=True, slots=True)
class SensitiveSpan:
    """An attribute that the law protects, told of somebody.

    Attributes:
        start: first code point of the words that tell it.
        end: one past the last.
        category: id of `seed_engine.sensitive.categories`: of `gdpr9`, in Japanese of `appi` or `extension`.
        score: in (0, 1]; 0.9 where the speaker tells it of himself or his people, 0.7 where only a name stands near.
    """

    start: int
    end: int
    category: str
    score: float


def sensitive_spans(text: str, language: str = "en") -> list[SensitiveSpan]:
    """Sensitive attributes of somebody in a text, sorted, not overlapping; none in languages without a lexicon.

    Args:
        text: a turn or a document.
        language: ISO 639-1; `en`, `es` and `ja` have lexicons.
    """
    if language == "ja":
        return _japanese(text)
    if language not in _OWN:
        return []
    found: list[SensitiveSpan] = []
    for match in _SENTENCE.finditer(text):
        found += _of_sentence(match[0], match.start(), language)
    return found


def regulations(spans: Sequence[SensitiveSpan]) -> dict[str, tuple[str, ...]]:
    """The articles that the spans touch, each with the English names of its categories, for `semilla risk`."""
    touched: dict[str, set[str]] = {}
    for span in spans:
        entry = category(span.category)
        touched.setdefault(entry.source, set()).add(entry.en)
    return {source: tuple(sorted(names)) for source, names in sorted(touched.items())}


def _of_sentence(sentence: str, at: int, language: str) -> list[SensitiveSpan]:
    plain = _folded(sentence)
    cues = list(_cues(language).finditer(plain))
    if not cues or _GENERAL[language].search(plain):
        return []
    own = _OWN[language].search(plain)
    if not own and not _NAMED.search(sentence):
        return []
    score = 0.9 if own else 0.7
    return [SensitiveSpan(at + m.start(), at + m.end(), str(m.lastgroup), score) for m in cues]


def _folded(text: str) -> str:
    """Lower case without accents, where that keeps every place; else lower case alone."""
    for plain in (fold(text), text.lower(), text):
        if len(plain) == len(text):
            return plain.replace("’", "'")
    return text


def _japanese(text: str) -> list[SensitiveSpan]:
    pairs = read_pairs(text)
    if not pairs:
        return []
    best: dict[tuple[int, int], SensitiveSpan] = {}
    for pair, score in zip(pairs, _link().score(pairs), strict=True):
        place = (pair.cue.start, pair.cue.end)
        if score >= _LEAST_JAPANESE and (place not in best or best[place].score < score):
            best[place] = SensitiveSpan(*place, pair.cue.category, round(float(score), 4))
    return [best[place] for place in sorted(best)]


@cache
def _link() -> LinkModel:
    return LinkModel.load(starter_folder())


def _plain_words(line: str) -> str:
    return line.replace("~", "[a-z]*").replace("ñ", "n")


@cache
def _cues(language: str) -> re.Pattern[str]:
    text = (files("seed_engine.sensitive") / "data" / f"cues_{language}.txt").read_text("utf-8")
    groups, heading = [], ""
    for line in text.splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            groups.append(f"(?P<{heading}>{_plain_words(line)})")
    return re.compile(rf"\b(?:{'|'.join(groups)})\b")
