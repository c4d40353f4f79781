"""The house's own texts: what the templates may say, which is therefore nobody's secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

_PLACES = re.compile(r"\{\w+\}|~\w+|[(|)]")


def house_texts() -> Iterator[str]:
    """Yield every sentence and value of every template file, places and marks taken out."""
    for file in (files("generator") / "templates").iterdir():
        if file.name.endswith(".json"):
            for text in _strings(json.loads(file.read_text("utf-8"))):
                yield _PLACES.sub(" ", text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
