"""Scoring: by hand on small cases, equal to a slow twin always, and equal to the published scorer where it is."""

import importlib.util
import math
import random
from pathlib import Path

import pytest

from seed_engine.scoring import Document, GoldSpan, TypeScore, pool, score

PUBLISHED = Path("/work/shared/bin/score_pii.py")
TYPES = ["PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "NRP"]
MEASURES = ["docs", "gold", "recall", "exact_recall", "precision", "f1", "leaked", "zero_leak", "over", "false"]
MEASURES += ["false_per_1000_words"]


def test_a_small_case_by_hand() -> None:
    text = "Ann Lee lives in Rome, Italy"
    gold = [GoldSpan(0, 7, "PERSON"), GoldSpan(17, 21, "LOCATION")]
    result = score([Document([text], [gold], [[(0, 3, "PERSON"), (23, 28, "LOCATION")]])])
    assert (result.gold, result.hit, result.exact, result.true, result.false) == (2, 1, 0, 1, 1)
    assert (result.characters, result.covered) == (10, 3)
    assert result.leaked == pytest.approx(0.7)
    assert (result.with_gold, result.clean) == (1, 0)
    assert (result.outside, result.over_covered) == (12, 5)
    assert result.by_type == {"PERSON": TypeScore(1, 1, 6, 3), "LOCATION": TypeScore(1, 0, 4, 0)}


def test_organisations_are_neither_right_nor_wrong_in_the_core_view() -> None:
    document = Document(
        ["Acme hired Ann"], [[GoldSpan(0, 4, "ORGANIZATION"), GoldSpan(11, 14, "PERSON")]], [[(0, 4, "PERSON")]]
    )
    assert (score([document]).gold, score([document]).false) == (1, 0)
    assert score([document], "all").gold == 2


@pytest.mark.parametrize(
    ("marked", "precision", "over_marked"),
    [
        (["PERSON", "OTHER"], 1 / 2, 1.0),  # names alone: the handle and the date may be real
        (["PERSON", "DATE_TIME"], 1 / 2, 1 / 2),  # dates are marked, so this set marks more than names
        (["PERSON", "LOCATION"], 1.0, 1.0),  # the published scorer forgives here already
    ],
)
def test_precision_over_marked_types(marked: list[str], precision: float, over_marked: float) -> None:
    text = "Ann Lee wrote @zed and Bob"
    gold = [GoldSpan(0, 7, "PERSON"), GoldSpan(23, 26, marked[1])]
    result = score([Document([text], [gold], [[(0, 7, "PERSON"), (14, 18, "USERNAME")]])])
    assert result.precision == pytest.approx(precision)
    assert result.precision_marked == pytest.approx(over_marked)


def test_a_find_of_an_unmarked_type_that_is_right_is_left_out_too() -> None:
    gold = [GoldSpan(0, 3, "PERSON"), GoldSpan(8, 12, "OTHER")]
    result = score([Document(["Ann saw Acme"], [gold], [[(0, 3, "USERNAME")]])])
    assert (result.true, result.true_marked) == (1, 0)


@pytest.mark.parametrize("view", ["core", "all", "strict"])
def test_equals_a_slow_twin(view: str) -> None:
    for seed in range(60):
        documents = _random_documents(random.Random(seed), TYPES[: 1 + seed % 5])
        result, expected = score(documents, view), _twin(documents, view)
        for name in MEASURES:
            assert getattr(result, name) == pytest.approx(expected[name], nan_ok=True), (seed, name)


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published scorer is not on this machine")
@pytest.mark.parametrize("view", ["core", "all", "strict"])
def test_equals_the_published_scorer(view: str) -> None:
    spec = importlib.util.spec_from_file_location("score_pii", PUBLISHED)
    published = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(published)
    for seed in range(20):
        ours = _random_documents(random.Random(seed), TYPES[: 1 + seed % 5])
        gold = [
            {"id": i, "turns": [_turn(*pair) for pair in zip(d.texts, d.gold, strict=True)]} for i, d in enumerate(ours)
        ]
        pred = [{"id": i, "turns": [{"spans": list(map(_found, t))} for t in d.found]} for i, d in enumerate(ours)]
        expected, result = published.score(gold, pred, view), score(ours, view)
        for name in MEASURES:
            assert getattr(result, name) == pytest.approx(expected[name], nan_ok=True), (seed, name)
        for kind, row in expected["by_type"].items():
            mine = result.by_type[kind]
            assert (mine.gold, mine.recall, mine.leaked) == pytest.approx((row["gold"], row["recall"], row["leaked"]))


def test_pooling_adds_counts() -> None:
    # Both sets mark the same types, so the pool of the two is the score of their union.
    rng = random.Random(11)
    sets = [_random_documents(rng, TYPES, least=30) for _ in range(3)]
    assert pool(map(score, sets)) == score([document for documents in sets for document in documents])


def _random_documents(rng: random.Random, types: list[str], least: int = 8) -> list[Document]:
    return [_random_document(rng, types) for _ in range(least)]


def _random_document(rng: random.Random, types: list[str]) -> Document:
    texts = ["".join(rng.choice("ab1 .") for _ in range(60)) for _ in range(rng.randrange(1, 4))]
    gold = [[GoldSpan(*_span(rng, types), rng.random() < 0.2) for _ in range(rng.randrange(4))] for _ in texts]
    return Document(texts, gold, [[_span(rng, TYPES) for _ in range(rng.randrange(4))] for _ in texts])


def _span(rng: random.Random, types: list[str]) -> tuple[int, int, str]:
    start = rng.randrange(50)
    return start, start + rng.randrange(1, 10), rng.choice(types)


def _turn(text: str, spans: list[GoldSpan]) -> dict:
    names = ("start", "end", "entity_type", "ignore")
    return {"text": text, "spans": [{name: getattr(span, name) for name in names} for span in spans]}


def _found(span: tuple[int, int, str]) -> dict:
    return dict(zip(("start", "end", "entity_type"), span, strict=True))


def _twin(documents: list[Document], view: str) -> dict[str, float]:
    """The measures' definitions read literally: sets of positions, one question at a time."""
    not_core = {"ORGANIZATION", "NRP", "QUANTITY", "OCCUPATION", "OTHER"}
    annotated = {span.entity_type for d in documents for turn in d.gold for span in turn}
    rows, hits, exact, true, false, words, outside, over = [], 0, 0, 0, 0, 0, 0, 0
    left_by_document: list[list[bool]] = []
    for document in documents:
        left_by_document.append([])
        for text, spans, found in zip(document.texts, document.gold, document.found, strict=True):
            gold = [s for s in spans if not s.ignore and not (view == "core" and s.entity_type in not_core)]
            care = [] if view == "strict" else [s for s in spans if s not in gold]
            here = [set(range(a, min(b, len(text)))) for a, b, _ in found]
            in_found = set().union(*here)
            in_gold = {i for s in gold for i in range(s.start, min(s.end, len(text)))}
            in_care = {i for s in care for i in range(s.start, min(s.end, len(text)))}
            for span in gold:
                place = set(range(span.start, span.end))
                letters = {i for i in place if text[i].isalnum()} or place
                rows.append((len(letters), len(letters & in_found)))
                hits += bool(place & in_found)
                exact += (span.start, span.end) in {(a, b) for a, b, _ in found}
                left_by_document[-1].append(not letters <= in_found)
            for a, b, kind in set(found):
                place = set(range(a, b))
                forgiven = kind in not_core or (
                    kind not in annotated and annotated <= {"PERSON", "LOCATION", "ORGANIZATION", "USERNAME"}
                )
                if place & in_gold:
                    true += 1
                elif view == "strict" or not (place & in_care or (view == "core" and forgiven)):
                    false += 1
            free = {i for i, sign in enumerate(text) if sign.isalnum()} - in_gold - in_care
            outside, over, words = outside + len(free), over + len(free & in_found), words + len(text.split())
    with_gold = [left for left in left_by_document if left]
    recall, precision = _share(hits, len(rows)), _share(true, true + false)
    return {
        "docs": len(documents),
        "gold": len(rows),
        "recall": recall,
        "exact_recall": _share(exact, len(rows)),
        "precision": precision,
        "f1": 2 * recall * precision / (recall + precision) if recall + precision else 0.0,
        "leaked": 1 - _share(sum(covered for _, covered in rows), sum(size for size, _ in rows)),
        "zero_leak": _share(sum(not any(left) for left in with_gold), len(with_gold)),
        "over": _share(over, outside),
        "false": false,
        "false_per_1000_words": _share(1000 * false, words),
    }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
