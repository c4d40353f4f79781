"""The scores of chains are those of the papers: worked examples, slow twins, and properties."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.chain_scores import Chain, conll_scores

Chains = list[Chain]


def chains(*groups: str) -> Chains:
    return [frozenset(group) for group in groups]


# Bagga and Baldwin 1998, table 1: twelve mentions, two of three chains joined; Luo 2005 scores the same systems.
KEY = chains("12345", "67", "89ABC")
ONE = chains("12345", "6789ABC")
TWO = chains("1234589ABC", "67")


@pytest.mark.parametrize(
    ("response", "muc_precision", "b3_precision"),
    [(ONE, 9 / 10, 16 / 21), (TWO, 9 / 10, 7 / 12)],
)
def test_the_papers_example(response: Chains, muc_precision: float, b3_precision: float) -> None:
    scores = conll_scores([(KEY, response)])
    assert scores["muc"] == pytest.approx(2 * muc_precision / (1 + muc_precision))
    assert scores["b3"] == pytest.approx(2 * b3_precision / (1 + b3_precision))


def partitions(draw: st.DrawFn, size: int) -> Chains:
    labels = draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))
    groups: dict[int, set[int]] = {}
    for mention, label in enumerate(labels):
        if label >= 0:
            groups.setdefault(label, set()).add(mention)
    return [frozenset(group) for group in groups.values()]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Chains, Chains]:
    size = draw(st.integers(1, 9))
    return partitions(draw, size), partitions(draw, size)


def f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def naive_muc(key: Chains, response: Chains) -> float:
    """Links that a chain lacks when it is cut along the other side, one chain at a time."""

    def kept(one: Chains, other: Chains) -> float:
        found = total = 0
        for chain in one:
            pieces = [chain & rest for rest in other if chain & rest]
            pieces += [frozenset([m]) for m in chain if not any(m in rest for rest in other)]
            found += len(chain) - len(pieces)
            total += len(chain) - 1
        return ratio(found, total)

    return f1(kept(key, response), kept(response, key))


def naive_b3(key: Chains, response: Chains) -> float:
    def share(one: Chains, other: Chains) -> float:
        shares = []
        for chain in one:
            for mention in chain:
                mine = next((rest for rest in other if mention in rest), frozenset())
                shares.append(len(chain & mine) / len(chain))
        return ratio(sum(shares), len(shares))

    return f1(share(key, response), share(response, key))


def naive_ceaf(key: Chains, response: Chains) -> float:
    """Every way of pairing the chains is tried."""

    def alike(a: Chain, b: Chain) -> float:
        return 2 * len(a & b) / (len(a) + len(b))

    few, many = sorted((key, response), key=len)
    best = max(
        (sum(alike(a, b) for a, b in zip(few, order, strict=True)) for order in permutations(many, len(few))),
        default=0.0,
    )
    return f1(ratio(best, len(key)), ratio(best, len(response)))


@settings(max_examples=300, deadline=None)
@given(pairs())
def test_slow_twins(pair: tuple[Chains, Chains]) -> None:
    scores = conll_scores([pair])
    assert scores["muc"] == pytest.approx(naive_muc(*pair))
    assert scores["b3"] == pytest.approx(naive_b3(*pair))
    assert scores["ceaf_e"] == pytest.approx(naive_ceaf(*pair))
    assert scores["conll"] == pytest.approx(sum(scores[name] for name in ("muc", "b3", "ceaf_e")) / 3)


@given(pairs())
def test_agreement_is_one_and_sides_are_alike(pair: tuple[Chains, Chains]) -> None:
    key, response = pair
    assert conll_scores([(key, key)])["conll"] == pytest.approx(1.0)
    assert conll_scores([(key, response)]) == pytest.approx(conll_scores([(response, key)]))


def test_conversations_are_summed_not_averaged() -> None:
    long, short = (chains("abcdefgh"), chains("abcdefgh")), (chains("xy"), chains("x", "y"))
    assert conll_scores([long, short])["muc"] == pytest.approx(f1(7 / 8, 1.0))


def test_merging_and_splitting_are_punished() -> None:
    whole = chains(*("".join(pair) for pair in combinations("ab", 2)), "cd", "ef")
    assert conll_scores([(whole, chains("abcdef"))])["conll"] < 0.8
    assert conll_scores([(whole, chains(*"abcdef"))])["conll"] < 0.7
