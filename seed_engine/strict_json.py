"""JSON as the house accepts it: one value a key, no number that JSON lacks, not deeper than a record can be.

Python's reader keeps the last of two equal keys, so `{"tone": "a person's name", "tone": "neutral"}` would pass a
validator that never saw the first.
"""

from __future__ import annotations

import json
from typing import Any

# The deepest record of the house (a Label Studio task) has nine levels.
DEEPEST = 64


def strict_json(raw: bytes | str) -> Any:
    """The value that a text of JSON holds; a byte order mark at its start is read over.

    Args:
        raw: UTF-8 bytes or text.

    Raises:
        ValueError: not JSON, not UTF-8, nested deeper than `DEEPEST`, a key twice in one object, `NaN` or `Infinity`,
            or half a surrogate pair. The message quotes nothing.
    """
    fault = "not JSON"
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw.removeprefix("\ufeff")
        if _too_deep(text):
            fault = "nested too deeply"
        else:
            value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
            # Half a pair can be escaped in JSON, but no file can hold it afterwards.
            if "\\u" in text:
                json.dumps(value, ensure_ascii=False).encode("utf-8")
            return value
    except UnicodeError:
        fault = "not UTF-8"
    except _TwiceError:
        fault = "a key stands twice in an object"
    except (ValueError, RecursionError):
        pass
    raise ValueError(fault)


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _TwiceError
    return value


def _constant(_: str) -> Any:
    raise ValueError


def _too_deep(text: str) -> bool:
    """Whether brackets outside strings nest deeper than `DEEPEST`; counted before Python's reader can recurse."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth, inside, skip = 0, False, False
    for char in text:
        if skip:
            skip = False
        elif inside:
            skip = char == "\\"
            inside = char != '"'
        elif char == '"':
            inside = True
        elif char in "[{":
            depth += 1
            if depth > DEEPEST:
                return True
        elif char in "]}":
            depth -= 1
    return False
