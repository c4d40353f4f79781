"""The house's own texts: what the templates may say, which is therefore nobody's secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

# A shorter one is a word to be put into a sentence.
_SENTENCE_WORDS = 4
_PLACES = re.compile(r"\{\w+\}|~\w+|[(|)]")


def house_texts() -> Iterator[str]:
    """Yield every sentence and value of every template file, places and marks taken out."""
    for file in (files("generator") / "templates").iterdir():
        if file.name.endswith(".json"):
            for text in _strings(json.loads(file.read_text("utf-8"))):
                yield _PLACES.sub(" ", text)


def house_sentences(language: str) -> list[str]:
    """Whole sentences of the templates of a language, once each; none has a place to fill, so none names anybody."""
    known: dict[str, None] = {}
    for file in sorted((files("generator") / "templates").iterdir(), key=lambda file: file.name):
        if file.name.endswith(f".{language}.json"):
            known.update(dict.fromkeys(_strings(json.loads(file.read_text("utf-8")))))
    return [text for text in known if not _PLACES.search(text) and len(text.split()) >= _SENTENCE_WORDS]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
