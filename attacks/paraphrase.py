"""A light paraphrase: what somebody does to a copied conversation so that it does not look copied.

Synonyms, other function words, sentences and clauses in another order, words left out, names and numbers replaced by a
marker. English and Spanish have tables; in other languages words are left out and order changes. It need not read
well: it has to be about as far from its original as a careful copy is, so that the text-only attack knows its power.
"""

from __future__ import annotations

import random
import re

_SYNONYMS = {
    "want": "would like", "need": "require", "help": "assist", "please": "kindly", "order": "purchase",
    "get": "obtain", "give": "provide", "show": "display", "tell": "inform", "look": "search", "good": "fine",
    "great": "excellent", "big": "large", "small": "little", "problem": "issue", "issue": "problem",
    "start": "begin", "end": "finish", "call": "phone", "ask": "inquire", "answer": "reply", "think": "believe",
    "know": "understand", "see": "notice", "check": "verify", "make": "create", "fix": "repair", "send": "dispatch",
    "many": "numerous", "sure": "certainly", "yes": "yeah", "no": "nope", "okay": "alright", "hello": "hi",
    "hi": "hello", "thanks": "thank you", "sorry": "apologies", "also": "additionally", "but": "however",
    "because": "since", "so": "therefore", "maybe": "perhaps", "pain": "ache", "doctor": "physician",
    "number": "figure", "total": "sum", "price": "cost", "cost": "price", "cheap": "inexpensive", "car": "vehicle",
    "money": "cash", "today": "this day", "appointment": "visit", "later": "afterwards", "now": "at present",
    "correct": "right", "right": "correct", "really": "truly", "very": "quite", "just": "simply", "only": "merely",
    "try": "attempt", "use": "employ", "feel": "sense", "got": "received", "took": "had", "started": "began",
    "quiero": "deseo", "necesito": "me hace falta", "ayuda": "asistencia", "pedido": "encargo", "problema": "fallo",
    "gracias": "muchas gracias", "hola": "buenas", "bueno": "bien", "también": "además", "pero": "sin embargo",
    "porque": "ya que", "quizás": "tal vez", "dolor": "molestia", "precio": "coste", "ahora": "en este momento",
    "luego": "después", "claro": "por supuesto", "vale": "de acuerdo", "hoy": "este día", "ver": "mirar",
}  # fmt: skip
_FUNCTION = {
    "the": "that", "a": "one", "an": "one", "i": "we", "my": "our", "to": "for", "in": "within", "on": "upon",
    "for": "to", "with": "using", "can": "could", "could": "can", "will": "would", "would": "will", "this": "it",
    "that": "the", "and": "plus", "at": "by", "is": "was", "are": "were", "was": "is", "your": "the",
    "el": "un", "la": "una", "los": "unos", "las": "unas", "un": "el", "una": "la", "y": "además", "en": "dentro de",
    "mi": "nuestro", "su": "el", "para": "por", "por": "para", "con": "junto a", "es": "era", "está": "estaba",
}  # fmt: skip
_MARKER = "[DETAIL_1]"
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_PLAIN = re.compile(r"\W")


def paraphrased(text: str, rng: random.Random) -> str:
    """The same said otherwise.

    Args:
        text: a conversation, one turn a line; turns keep their order.
        rng: decides on each word.
    """
    return "\n".join(_turn(line, rng) for line in text.split("\n"))


def _turn(line: str, rng: random.Random) -> str:
    sentences = _SENTENCE.split(line)
    if len(sentences) > 1 and rng.random() < 0.4:
        rng.shuffle(sentences)
    return " ".join(_sentence(sentence, rng) for sentence in sentences)


def _sentence(sentence: str, rng: random.Random) -> str:
    clauses = sentence.split(", ")
    if len(clauses) == 2 and rng.random() < 0.4:
        clauses.reverse()
    return " ".join(filter(None, (_word(word, rng) for word in ", ".join(clauses).split())))


def _word(word: str, rng: random.Random) -> str:
    plain, dice = _PLAIN.sub("", word.casefold()), rng.random()
    if plain in _SYNONYMS:
        return _SYNONYMS[plain] if dice < 0.7 else word
    if plain in _FUNCTION:
        return _FUNCTION[plain] if dice < 0.35 else word
    if plain.isdigit() or (word[:1].isupper() and len(plain) > 3):
        # What the house would have replaced by a role marker.
        return _MARKER if dice < 0.5 else word
    return "" if dice < 0.06 else word
