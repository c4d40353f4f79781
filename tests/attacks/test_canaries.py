"""Canaries: a file that is not usable is refused by position, and quoted nowhere."""

from __future__ import annotations

import pytest

from attacks.canaries import Canary, parse_canaries
from attacks.errors import AttackInputError

GOOD = {"prefix": "The code of Ada is", "secret": " 90125"}


def test_reads_both_sides_and_ignores_notes() -> None:
    record = {"members": [GOOD | {"id": 3}], "nonmembers": [{"prefix": "", "secret": "x"}], "schema_version": "1"}
    found = parse_canaries(record)
    assert found.members == (Canary("The code of Ada is", " 90125"),)
    assert found.nonmembers == (Canary("", "x"),)


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("text", "not an object"),
        ({"prefix": "Ada"}, "must be strings"),
        ({"prefix": None, "secret": "90125"}, "must be strings"),
        ({"prefix": "Ada", "secret": " \n"}, "no letter"),
        ({"prefix": "Ada", "secret": " -- "}, "no letter"),
        ({"prefix": "Ada 901-25 is", "secret": " 90125"}, "already tells"),
    ],
)
def test_bad_entries(entry: object, rule: str) -> None:
    with pytest.raises(AttackInputError, match=rule) as caught:
        parse_canaries({"members": [GOOD, entry], "nonmembers": []})
    assert "members[1]" in str(caught.value)
    assert "90125" not in str(caught.value)


@pytest.mark.parametrize("record", [{}, {"members": []}, {"members": {}, "nonmembers": []}])
def test_missing_sides(record: dict[str, object]) -> None:
    with pytest.raises(AttackInputError, match="is not a list"):
        parse_canaries(record)


def test_a_text_on_both_sides_is_refused() -> None:
    with pytest.raises(AttackInputError, match="among the non-members"):
        parse_canaries({"members": [GOOD], "nonmembers": [GOOD]})


def test_no_repr_shows_a_text() -> None:
    found = parse_canaries({"members": [GOOD], "nonmembers": []})
    assert "90125" not in repr(found) + repr(found.members[0])
    assert "Ada" not in repr(found) + repr(found.members[0])
