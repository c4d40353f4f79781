"""The paper's experiment: the same documents from the same seed, gold where it is said to be, and full grids."""

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Any, cast

import pytest

from seed_engine.paper_bench import SYSTEMS, THRESHOLDS, WEIGHTS, PaperTable, _compare, run_paper_bench
from seed_engine.paper_documents import DOMAINS, paper_documents
from seed_engine.paper_values import TYPES


@pytest.fixture(scope="module")
def table() -> PaperTable:
    return run_paper_bench(count=16, measured=8)


def test_documents_repeat_and_their_gold_is_in_the_text() -> None:
    made = paper_documents(40, 3)
    assert made == paper_documents(40, 3)
    assert made != paper_documents(40, 4)
    assert [domain for domain, _, _ in made] == [*DOMAINS] * 10
    for _, text, gold in made:
        assert any(not span.ignore for span in gold)
        for span in gold:
            value = text[span.start : span.end]
            assert value.strip() == value != ""
        assert not set("{}") & set(text)
        assert "[[" not in text


def test_gold_starts_and_ends_where_words_do_and_never_overlaps() -> None:
    for _, text, gold in paper_documents(60, 9):
        spans = sorted((span.start, span.end) for span in gold)
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        for start, end in spans:
            assert not re.fullmatch(r"\w\w", text[max(0, start - 1) : start + 1]) or text[start] == "-"
            assert not re.fullmatch(r"\w\w", text[end - 1 : end + 1])


def test_documents_are_varied() -> None:
    made = paper_documents(200, 5)
    kinds = Counter(span.entity_type for _, _, gold in made for span in gold if not span.ignore)
    assert set(kinds) == set(TYPES.values()) - {"ORGANIZATION"}
    assert min(kinds.values()) >= 5
    lower = sum(text == text.lower() for _, text, _ in made)
    assert 10 <= lower <= 60  # 15% of 200 expected; outside this band with a chance below 1e-6
    assert any("\n" in text[s.start : s.end] for _, text, gold in made for s in gold), "values are wrapped"
    bare = sum(
        not re.search(
            r"(?:phone|tel|mobile|mob|call|ring|fax|ext|[:M])\W*$", text[max(0, s.start - 12) : s.start], re.I
        )
        for _, text, gold in made
        for s in gold
        if s.entity_type == "PHONE_NUMBER"
    )
    assert bare >= 0.3 * kinds["PHONE_NUMBER"], "numbers without a word that announces them"


def test_the_table_holds_every_system_and_every_cell(table: PaperTable) -> None:
    assert set(table.systems) == set(SYSTEMS)
    cells = {(threshold, *weights) for threshold in THRESHOLDS for weights in WEIGHTS}
    assert set(table.grid) == set(table.own_grid) == cells
    assert table.tuned in cells
    assert table.systems["fusion"] == table.grid[table.tuned]
    assert {item.other for item in table.comparisons} == set(SYSTEMS) - {"hybrid"}
    assert table.systems["hybrid"].recall >= table.systems["regex"].recall
    assert len({score.gold for score in table.systems.values()}) == 1
    for grid in (table.grid, table.own_grid):
        for weights in WEIGHTS:
            covered = [grid[threshold, *weights].covered for threshold in THRESHOLDS]
            assert covered == sorted(covered, reverse=True)
    for item in table.comparisons:
        assert 0 <= item.p <= 1
        assert -1 <= item.difference <= 1


def test_risk_is_given_for_each_domain_in_the_order_of_the_paper(table: PaperTable) -> None:
    assert [risk.domain for risk in table.risks] == list(DOMAINS)
    assert [risk.documents for risk in table.risks] == [4, 4, 4, 4]
    assert all(0 < risk.found <= 100 and 0 < risk.gold <= 100 for risk in table.risks)


class Scored:
    """F1 by document, as it is given."""

    def f1(self, found: Any, at: int) -> float:
        return float(found[at])


@pytest.mark.parametrize(
    ("ours", "theirs", "figures"),
    [
        ((0.5, 0.75), (0.5, 0.75), (0.0, 0.0, 1.0, 0.0)),
        ((0.5, 0.75), (0.25, 0.5), (0.25, math.nan, math.nan, math.nan)),
    ],
)
def test_a_difference_without_variance_has_no_test(ours: Any, theirs: Any, figures: Any) -> None:
    found = _compare("regex", cast(Any, Scored()), {"hybrid": ours, "regex": theirs}, range(2))
    assert (found.difference, found.t, found.p, found.cohens_d) == pytest.approx(figures, nan_ok=True)
