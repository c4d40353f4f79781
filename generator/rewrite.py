"""Rewriting a draft with a small model: ask, hold the answer against the draft, keep the draft when in doubt.

The reply is decoded under a grammar in which brackets occur only as markers of the turn, and letters are those of the
language. What comes back is accepted only if every marker survives, no number or capitalised word was added, the
length is sane, question stays question, and enough of the meaning survives. Similarity is the character trigram Dice
coefficient: it costs microseconds, where an embedding model costs seconds to load and milliseconds a turn, and it errs
on the strict side, which is the right side with a model of 135M parameters.
"""

from __future__ import annotations

import re
from itertools import pairwise

from generator.completion import Complete, CompletionRequest
from generator.draft import Draft
from generator.errors import ProviderError
from generator.scene import GOODBYES, GREETINGS
from seed_engine.markers import iter_markers

_SYSTEM = {
    "en": "Say the same thing in slightly different words. Keep every detail.",
    "es": "Di lo mismo con otras palabras. Conserva todos los detalles.",
}
_EXAMPLES = {
    "en": (
        ("My parcel still hasn't arrived, it's been a week now.", "It's been a week and my parcel still isn't here."),
        ("Could you give me your email, please?", "Could I have your email, please?"),
    ),
    "es": (
        ("Mi paquete todavía no ha llegado, ya va una semana.", "Ya va una semana y mi paquete sigue sin llegar."),
        ("¿Me puede dar su correo, por favor?", "¿Podría darme su correo, por favor?"),
    ),
}
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<![.!?…¿¡:]\s)(?<!^)(?<![¿¡])\b[A-ZÁÉÍÓÚÑ][\wáéíóúñ]*")
_NEGATION = re.compile(r"\b(?:no|not|never|nothing|nobody|none|nunca|nada|nadie)\b|n['’]t\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def rewrite(item: Draft, language: str, complete: Complete, seed: int, min_similarity: float) -> tuple[str, str]:
    """The turn's text and the label of how it came about.

    Args:
        item: the draft.
        language: ISO 639-1.
        complete: the language model.
        seed: sampling seed.
        min_similarity: least similarity to the draft, in [0, 1].

    Returns:
        `(text, "rewritten")`, or the draft with the reason why it was kept.
    """
    request = CompletionRequest(
        system=_SYSTEM[language],
        prompt=item.text,
        max_tokens=12 + len(item.text) // 2,
        seed=seed,
        grammar=grammar(item.markers),
        examples=_EXAMPLES[language],
    )
    try:
        reply = complete(request).strip()
    except ProviderError as error:
        return item.text, error.reason
    fault = objection(item, reply, min_similarity)
    return (item.text, fault) if fault else (reply, "rewritten")


def eligible(item: Draft) -> bool:
    """Whether a rewrite can gain anything: greetings and turns of a few words are as good as they get."""
    return item.act not in GREETINGS | GOODBYES and 5 <= len(item.text.split()) <= 30


def grammar(markers: frozenset[str]) -> str:
    """GBNF of one line of chat in which only these markers can be written."""
    allowed = "".join(f' | "{marker}"' for marker in sorted(markers))
    return f"root ::= (plain{allowed}){{4,240}}\nplain ::= [A-Za-z0-9áéíóúüñÁÉÍÓÚÜÑ¿¡ ,.;:!?'()%$€+=*/^-]"


def objection(item: Draft, reply: str, min_similarity: float) -> str | None:
    """Why a rewrite cannot stand in for its draft; None when it can."""
    if sorted(str(m) for _, _, m in iter_markers(reply)) != sorted(str(m) for _, _, m in iter_markers(item.text)):
        return "markers_changed"
    if reply == item.text:
        return "unchanged"
    if set(_NUMBER.findall(_bare(reply))) != set(_NUMBER.findall(_bare(item.text))):
        return "numbers_changed"
    if set(_NAME.findall(_bare(reply))) - set(_NAME.findall(_bare(item.text))) - {"I"}:
        return "name_added"
    if not 0.6 <= len(reply) / len(item.text) <= 1.6:
        return "length_changed"
    if reply[-1] not in ".!?…)" or reply.count("?") != item.text.count("?"):
        return "form_changed"
    if len(_NEGATION.findall(reply)) != len(_NEGATION.findall(item.text)):
        return "negation_changed"
    if _repeats(reply):
        return "repeats"
    if similarity(item.text, reply) < min_similarity:
        return "meaning_changed"
    return None


def similarity(one: str, other: str) -> float:
    """Dice coefficient of the sets of character trigrams, case-folded: 0 nothing shared, 1 equal."""
    left, right = _trigrams(one), _trigrams(other)
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _trigrams(text: str) -> set[str]:
    folded = f"  {' '.join(_WORD.findall(text.casefold()))} "
    return {folded[i : i + 3] for i in range(len(folded) - 2)}


def _bare(text: str) -> str:
    return re.sub(r"\[[A-Z_]+_\d+\]", " ", text)


def _repeats(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    pairs = list(pairwise(words))
    return len(set(pairs)) < len(pairs) or any(one == two for one, two in pairs)
