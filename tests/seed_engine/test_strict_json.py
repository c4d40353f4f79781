"""JSON that means one thing: what Python's reader forgives is refused, and nothing of it is quoted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.strict_json import DEEPEST, strict_json

_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(_values)
def test_what_json_writes_is_read(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert strict_json(text) == strict_json(("\ufeff" + text).encode("utf-8")) == json.loads(text)


REFUSED = {
    "a key stands twice in an object": ['{"tone": "Zebulon", "tone": "neutral"}', '[{"a": {"b": 1, "b": 1}}]'],
    "nested too deeply": [
        "[" * 200_000,
        '{"a":' * 5_000 + "1" + "}" * 5_000,
        "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
    ],
    "not JSON": ["", "{", "NaN", '{"a": Infinity}', "[1] [2]", "'a'", "9" * 5_000],
    "not UTF-8": [b"\xff\xfe", '"\\ud800"', '{"\\udfff": 1}'],
}


@pytest.mark.parametrize(("rule", "raw"), [(rule, raw) for rule, raws in REFUSED.items() for raw in raws])
def test_what_is_refused_is_named_and_not_quoted(rule: str, raw: bytes | str) -> None:
    with pytest.raises(ValueError, match=f"^{rule}$") as caught:
        strict_json(raw)
    assert caught.value.__context__ is None


def test_brackets_inside_strings_do_not_nest() -> None:
    value = {"a": "[" * 500 + '"\\' + "{" * 500}
    assert strict_json(json.dumps(value)) == value
    deepest = "[" * DEEPEST + "]" * DEEPEST
    assert strict_json(deepest) is not None
