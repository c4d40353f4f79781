"""Propagation: a value found once is found everywhere, and a verb is not a name."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.propagate import propagate
from seed_engine.spans import EntitySpan
from tests.clock import growth


def again(value: str, kind: str, other: str) -> list[str]:
    found = (EntitySpan(0, len(value), kind, 0.9, "test"),)
    spans = propagate([value, other], [found, ()])[1]
    return [other[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("value", "kind", "other", "expected"),
    [
        ("Jennifer Castellanos", "PERSON", "ok jennifer, bye", ["jennifer"]),
        ("Jennifer Castellanos", "PERSON", "JENNIFER CASTELLANOS", ["JENNIFER CASTELLANOS"]),
        ("Jennifer Castellanos", "PERSON", "castellanos's file", ["castellanos"]),
        ("Jennifer Castellanos", "PERSON", "signed J.C. today", ["J.C"]),
        ("Jennifer Castellanos", "PERSON", "user jcastellanos", ["jcastellanos"]),
        ("Jennifer Castellanos", "PERSON", "dear jenifer", ["jenifer"]),
        ("José Núñez", "PERSON", "gracias jose nunez", ["jose nunez"]),
        ("Mr. Will Gray", "PERSON", "it will be gray", []),
        ("Mr. Will Gray", "PERSON", "thanks Will", ["Will"]),
        ("ana.perez@mail.example", "EMAIL_ADDRESS", "log in as ana.perez", ["ana.perez"]),
        ("info@mail.example", "EMAIL_ADDRESS", "for info see below", []),
        ("(415) 555-0132", "PHONE_NUMBER", "415.555.0132 or 415 555 0132", ["415.555.0132", "415 555 0132"]),
        ("3 May 1987", "DATE_TIME", "3 may 1987", ["3 may 1987"]),
        ("42", "AGE", "it is 42", []),
        ("Reading", "LOCATION", "i am reading", []),
    ],
)
def test_forms_of_a_value(value: str, kind: str, other: str, expected: list[str]) -> None:
    assert again(value, kind, other) == expected


def test_a_found_span_is_kept_and_not_overlapped() -> None:
    text = "Ann Lee and Ann Lee"
    found = (EntitySpan(12, 19, "PERSON", 0.9, "test"),)
    spans = propagate([text], [found])[0]
    assert [(span.start, span.end) for span in spans] == [(0, 7), (12, 19)]


@given(st.lists(st.text(st.sampled_from("abAB 1.@"), max_size=30), min_size=1, max_size=4), st.data())
def test_spans_stay_sorted_inside_and_apart(texts: list[str], data: st.DataObject) -> None:
    found = []
    for text in texts:
        end = data.draw(st.integers(0, len(text)))
        found.append((EntitySpan(0, end, "PERSON", 0.9, "test"),) if end else ())
    for text, before, spans in zip(texts, found, propagate(texts, found), strict=True):
        assert set(before) <= set(spans)
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


def test_cost_is_linear_in_values_and_text() -> None:
    def work(count: int) -> Callable[[], object]:
        texts = [f"555 {i:07} Maria Quillfeather{i}" for i in range(count)]
        found = [(EntitySpan(0, 11, "PHONE_NUMBER", 0.9, "test"),) for _ in texts]
        return lambda: propagate(texts, found)

    # Four times as much; a quadratic step would take sixteen times as long.
    assert growth(work(4000), work(1000)) < 9
