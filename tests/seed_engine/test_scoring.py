"""Scoring: by hand on a small case, and equal to the published scorer on random ones."""

import importlib.util
import random
from pathlib import Path

import pytest

from seed_engine.scoring import Document, GoldSpan, TypeScore, pool, score

PUBLISHED = Path("/work/shared/bin/score_pii.py")
TYPES = ["PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "NRP"]


def test_a_small_case_by_hand() -> None:
    text = "Ann Lee lives in Rome, Italy"
    gold = [GoldSpan(0, 7, "PERSON"), GoldSpan(17, 21, "LOCATION")]
    result = score([Document([text], [gold], [[(0, 3, "PERSON"), (23, 28, "LOCATION")]])])
    assert (result.gold, result.hit, result.exact, result.true, result.false) == (2, 1, 0, 1, 1)
    assert (result.characters, result.covered) == (10, 3)
    assert result.leaked == pytest.approx(0.7)
    assert (result.with_gold, result.clean) == (1, 0)
    assert result.by_type == {"PERSON": TypeScore(1, 1, 6, 3), "LOCATION": TypeScore(1, 0, 4, 0)}


def test_organisations_are_neither_right_nor_wrong_in_the_core_view() -> None:
    document = Document(
        ["Acme hired Ann"], [[GoldSpan(0, 4, "ORGANIZATION"), GoldSpan(11, 14, "PERSON")]], [[(0, 4, "PERSON")]]
    )
    assert (score([document]).gold, score([document]).false) == (1, 0)
    assert score([document], "all").gold == 2


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published scorer is not on this machine")
@pytest.mark.parametrize("view", ["core", "all", "strict"])
def test_equals_the_published_scorer(view: str) -> None:
    spec = importlib.util.spec_from_file_location("score_pii", PUBLISHED)
    published = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(published)
    rng = random.Random(5)
    for types in (TYPES, TYPES[:3], TYPES[:1]):
        gold, pred, ours = [], [], []
        for number in range(40):
            text = "".join(rng.choice("ab1 .") for _ in range(60))
            spans = [_span(rng, types) for _ in range(rng.randrange(4))]
            found = [_span(rng, TYPES) for _ in range(rng.randrange(4))]
            gold.append({"id": number, "text": text, "spans": [{**s, "ignore": rng.random() < 0.2} for s in spans]})
            pred.append({"id": number, "spans": found})
            ours.append(
                Document(
                    [text],
                    [[GoldSpan(**span) for span in gold[-1]["spans"]]],
                    [[(s["start"], s["end"], s["entity_type"]) for s in found]],
                )
            )
        expected, result = published.score(gold, pred, view), score(ours, view)
        assert (result.gold, result.false) == (expected["gold"], expected["false"])
        for name in ("recall", "precision", "leaked", "false_per_1000_words"):
            assert getattr(result, name) == pytest.approx(expected[name])


def _span(rng: random.Random, types: list[str]) -> dict:
    start = rng.randrange(50)
    return {"start": start, "end": start + rng.randrange(1, 10), "entity_type": rng.choice(types)}
