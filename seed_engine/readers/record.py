"""What a reader yields: a conversation, or a fault that quotes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, TextIO

from pydantic import ValidationError

from seed_engine.conversation import Conversation, Turn
from seed_engine.fold import fold
from seed_engine.ordinary import is_ordinary

# Words of which field names are made and no list of ordinary words tells.
_WORDS = """
annotated annotation annotations annotator annotators api args assistant channel chat chatbot config contenido csat
csv dataset dialog dialogs dialogue dialogues dict domain domains dominio dst embedding embeddings emotion emotions
entities entity enum etiqueta etiquetas fecha gpt guid header headers html http https idioma idx intent intents json
kwargs lang llm locale logprobs meta metadata ner node nps offset offsets ordinal params payload persona personas pii
prioridad priority prompt prompts resumen rol roles schema sentiment sku sla slot slots spans src status subject
subjects timestamp timestamps timezone token tokens transcript transcripts turno turnos uid uri url urls usage usuario
utc utterance utterances uuid uuids version
"""
_FIELD_WORDS = frozenset(_WORDS.split())
# Shorter words name nobody that could be searched for, where words are written in letters.
_SHORTEST = 3
_JOINT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_KNOWN_KEYS = frozenset(Conversation.model_fields) | frozenset(Turn.model_fields)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file.

    Attributes:
        number: 1-based.
        text: without its line end; None where the bytes are not UTF-8 or the line is too long.
        fault: the rule that `text` breaks when it is None.
    """

    number: int
    text: str | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """One conversation.

    Attributes:
        line: 1-based line that it starts on.
        conversation: what was read.
        made_id: whether its id is not the file's, but the reader's: of a line number or the file's name.
    """

    line: int
    conversation: Conversation
    made_id: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record cannot be read: 1-based line, or None for the whole file; the rule quotes no value."""

    line: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A format that is read line by line.

    Attributes:
        name: what messages and tests call it.
        parse: turns lines into records; the second argument is an id for formats that carry none.
        write: writes conversations back in the same format.
    """

    name: str
    parse: Callable[[Iterable[Line], str], Iterator[Read | Fault]]
    write: Callable[[Iterable[Conversation], TextIO], None]


def build(line: int, fields: dict[str, Any], *, made_id: bool = False) -> Read | Fault:
    """A conversation from checked parts, or the first fault of its fields."""
    if not fields["turns"]:
        return Fault(line, "a conversation with no turn")
    try:
        conversation = Conversation(**fields)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False)[0]
    else:
        return (
            Read(line, conversation, made_id)
            if _is_unicode(conversation)
            else Fault(line, "a lone surrogate, not text")
        )
    path = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part in _KNOWN_KEYS)
    return Fault(line, f"{path or 'record'}: {first['type']}")


def _is_unicode(conversation: Conversation) -> bool:
    # JSON can spell half a character (`\\ud83d`), which no file could hold again.
    named = (conversation.id, conversation.language, conversation.domain, conversation.subject)
    said = (part for turn in conversation.turns for part in (turn.role, turn.text, turn.name))
    try:
        for part in (*named, *said):
            if part is not None and not part.isascii():
                part.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def other_strings(value: Any) -> Iterator[str]:
    """Every string and date below a value, numbers of four digits and more, and keys that are not plain field names.

    Floats are measurements and embeddings, too many and too common to tell of anybody.
    """
    rest = [value]
    while rest:
        item = rest.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, int) and not isinstance(item, bool) and abs(item) >= 1000:
            yield str(abs(item))
        elif isinstance(item, date):
            yield item.isoformat()
        elif isinstance(item, list):
            rest += reversed(item)
        elif isinstance(item, dict):
            yield from (key for key in item if not _is_field_name(key))
            rest += reversed(item.values())


@lru_cache(maxsize=4096)
def _is_field_name(key: str) -> bool:
    """Whether a key is made of ordinary words only: `created_at` is, `Maria` and `MariaQuill` are somebody."""
    if not key.isidentifier():
        return False
    words = fold(_JOINT.sub("_", key)).split("_")
    return all(
        (len(word) < _SHORTEST and word.isascii()) or word in _FIELD_WORDS or is_ordinary(word) for word in words
    )
