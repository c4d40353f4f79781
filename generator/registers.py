"""Registers: the same sentence in formal or casual words."""

from __future__ import annotations

import re
from functools import cache

# Longer spellings first where one begins with the other.
_WORDS: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("en", "formal"): (
        (r"(It|That|What|There|Here|it|that|what|there|here)'s been", r"\1 has been"),
        (r"(It|That|What|There|Here|Where|it|that|what|there|here|where)'s", r"\1 is"),
        (r"I'm", "I am"),
        (r"(C|c)an't(?! (?:I|you|we|he|she|it|they|that|this|the|my|your|our)\b)", r"\1annot"),
        (r"(W|w)on't(?! (?:I|you|we|he|she|it|they|that|this|the|my|your|our)\b)", r"\1ill not"),
        # Not where verb and subject change places: nobody says "why does not it come".
        (
            r"(is|are|was|were|do|does|did|has|have|could|would|should)n't"
            r"(?! (?:I|you|we|he|she|it|they|that|this|there|the|my|your|our)\b)",
            r"\1 not",
        ),
        (r"(I|You|We|They|you|we|they|It|it|That|that)'ll", r"\1 will"),
        (r"(I|You|We|They|you|we|they)'ve", r"\1 have"),
        (r"(You|We|They|you|we|they)'re", r"\1 are"),
        (
            r"(I|You|We|They|you|we|they|It|it|That|that)'d(?= (?:been|had|better|never \w+ed|just \w+ed|\w+ed)\b)",
            r"\1 had",
        ),
        (r"(I|You|We|They|you|we|they|It|it|That|that)'d", r"\1 would"),
        (r"(?:Hi|Hey)(?: there)?", "Hello"),
        (r"(?:Yeah|Yep)", "Yes"),
        (r"Nope", "No"),
        (r"Thanks a lot", "Thank you very much"),
        (r"thanks a lot", "thank you very much"),
        (r"Thanks", "Thank you"),
        (r"thanks", "thank you"),
        (r"Okay", "Very well"),
    ),
    ("en", "casual"): (
        (r"Hello", "Hey"),
        (r"Thank you", "Thanks"),
        (r"thank you", "thanks"),
        (r"Yes", "Yeah"),
        (r"Could you", "Can you"),
        (r"could you", "can you"),
        (r"going to", "gonna"),
        (r"Goodbye", "Bye"),
        (r"goodbye", "bye"),
        (r"I would", "I'd"),
    ),
    ("es", "formal"): (
        (r"Hola", "Buenos días"),
        (r"Vale", "De acuerdo"),
        (r"(?:(?<=¿)|(?<=, ))vale(?=[,.?!])", "de acuerdo"),
        (r"Genial", "Perfecto"),
        (r"Perdón", "Disculpe"),
        (r"Mmm,", "Bueno,"),
    ),
    ("es", "casual"): (
        (r"De acuerdo", "Vale"),
        (r"Por supuesto", "Claro"),
        (r"por supuesto", "claro"),
        (r"Perfecto", "Genial"),
        (r"Buenos días", "Buenas"),
        (r"Hasta luego", "Nos vemos"),
    ),
}


def in_register(text: str, language: str, register: str) -> str:
    """The text in the register's words; `neutral`, and a language without a table, leave it as it is."""
    for pattern, words in _patterns(language, register):
        text = pattern.sub(words, text)
    return text


@cache
def _patterns(language: str, register: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    table = _WORDS.get((language, register), ())
    return tuple((re.compile(rf"(?<![\w\[.]){spelling}(?![\w\]])"), words) for spelling, words in table)
