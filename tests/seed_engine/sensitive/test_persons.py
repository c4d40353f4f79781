"""Person mentions: what stands for a person, what does not, and recall on marked sentences."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.sensitive.persons import candidates

MARKED = Path("/work/shared/data/pii/stockmark_ja.dev.jsonl")


@pytest.mark.parametrize(
    ("text", "mention", "kind"),
    [
        ("佐藤健一は来た", "佐藤健一", "name"),
        ("ムルダニは作戦を立てた", "ムルダニ", "name"),
        ("蔡長庚は実業家である", "蔡長庚", "name"),
        ("K氏が話した", "K氏", "name"),
        ("私は学生です", "私", "pronoun"),
        ("うちの娘が転んだ", "娘", "kin"),
        ("ジョン・スミスに会った", "ジョン・スミス", "name"),
    ],
)
def test_a_person_is_mentioned(text: str, mention: str, kind: str) -> None:
    assert (mention, kind) in [(text[item.start : item.end], item.kind) for item in candidates(text)]


@pytest.mark.parametrize("text", ["患者さんが多い", "皆さんこんにちは", "私立の学校", "テレビは高い", "雨が降った"])
def test_people_in_general_are_nobody(text: str) -> None:
    assert [item for item in candidates(text) if item.kind in ("name", "title", "pronoun")] == []


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="佐藤健一さん氏は私彼女の、。（）・アイウ娘ABc 1", max_size=40))
def test_mentions_are_sorted_and_apart(text: str) -> None:
    found = candidates(text)
    assert all(0 <= item.start < item.end <= len(text) for item in found)
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))


@pytest.mark.skipif(not MARKED.exists(), reason="the marked sentences are not on this machine")
def test_recall_of_marked_sentences() -> None:
    rows = [json.loads(line) for line in MARKED.read_text("utf-8").splitlines()]
    hits = total = 0
    for row in rows:
        gold = [span for span in row["spans"] if span["entity_type"] == "PERSON"]
        if gold:
            found = [item for item in candidates(row["text"]) if item.kind in ("name", "title")]
            total += 1
            # Not just any find in the sentence: one that overlaps a marked person.
            hits += any(f.start < span["end"] and span["start"] < f.end for f in found for span in gold)
    assert hits / total >= 0.95
