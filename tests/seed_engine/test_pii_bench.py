"""The bench: counts are the scorer's, pooling leaves out what is no marked English set, Presidio is Presidio."""

import math
import time
from collections.abc import Sequence

import pytest

from seed_engine.conversation import Conversation, Turn
from seed_engine.gold import GoldSet
from seed_engine.peers import PEERS
from seed_engine.pii_bench import Found, everyday, pooled, run_bench
from seed_engine.scoring import GoldSpan, View
from seed_engine.spans import EntitySpan


def gold_set(name: str, language: str, *texts: str, marked: bool = True) -> GoldSet:
    documents = tuple(
        Conversation(id=f"{name}-{i}", turns=(Turn(role="text", text=text),), language=language, form="document")
        for i, text in enumerate(texts)
    )
    gold = tuple(((GoldSpan(0, 3, "PERSON"),),) if marked else ((),) for _ in texts)
    return GoldSet(name, documents, gold)


def first_word(documents: Sequence[Conversation]) -> Found:
    return [
        tuple((EntitySpan(0, turn.text.index(" "), "PERSON", 1.0, "t"),) for turn in document.turns)
        for document in documents
    ]


def nothing(documents: Sequence[Conversation]) -> Found:
    return [tuple(() for _ in document.turns) for document in documents]


def test_each_system_is_scored_on_each_set() -> None:
    sets = [gold_set("a", "en", "Zoe sings", "Ann Lee sings"), gold_set("b", "es", "Eva canta")]
    rows = list(run_bench(sets, {"first": first_word, "none": nothing}))
    assert [(row.name, row.language, row.view) for row in rows] == [("a", "en", "core"), ("b", "es", "core")]
    assert [row.results["first"].score.recall for row in rows] == [1, 1]
    assert [row.results["none"].score.leaked for row in rows] == [1, 1]
    assert rows[0].results["first"].characters == len("Zoe singsAnn Lee sings")


def test_pooled_is_by_counts_over_the_marked_english_sets() -> None:
    sets = [
        gold_set("a", "en", "Zoe sings"),
        gold_set("b", "en", *["Jo sings"] * 3),
        gold_set("c", "es", "Eva canta"),
        gold_set("d", "en", "it rains", marked=False),
    ]
    whole = pooled(run_bench(sets, {"first": first_word}))
    assert whole is not None
    result = whole.results["first"]
    assert (result.score.gold, result.score.true, result.score.false) == (4, 4, 0)
    assert (result.score.characters, result.score.covered) == (3 + 3 * 2, 3 + 3 * 2)
    assert result.characters == 9 + 3 * 8
    assert pooled(run_bench(sets[2:], {"first": first_word})) is None


def test_sets_without_marks_are_pooled_apart() -> None:
    sets = [gold_set(name, "en", "it rains", marked=False) for name in "ab"] + [gold_set("c", "en", "Zoe sings")]
    whole = everyday(run_bench(sets, {"first": first_word}))
    assert whole is not None
    assert (whole.results["first"].score.docs, whole.results["first"].score.false) == (2, 2)
    assert everyday(run_bench(sets[2:], {"first": first_word}, "strict")) is None


@pytest.mark.parametrize("view", ["core", "all"])
def test_in_everyday_text_every_find_is_a_mistake(view: View) -> None:
    (row,) = run_bench([gold_set("d", "en", "it rains", marked=False)], {"first": first_word}, view)
    assert (row.view, row.results["first"].score.false_per_1000_words) == ("strict", 500)
    assert math.isnan(row.results["first"].score.recall)


def test_the_clock_is_of_the_cpu_and_leaves_out_the_first_use() -> None:
    used = []

    def slow_at_first(documents: Sequence[Conversation]) -> Found:
        end = time.process_time() + (0.2 if not used else 0.0)
        while time.process_time() < end:
            pass
        time.sleep(0.2 if used else 0.0)
        used.append(1)
        return nothing(documents)

    (row,) = run_bench([gold_set("a", "en", "Zoe sings")], {"slow": slow_at_first})
    assert row.results["slow"].cpu_seconds < 0.1


def test_presidio_is_the_default_engine_as_it_ships() -> None:
    text = "Dr. John Smith of Siemens will call tomorrow from 202-555-0143 or john@example.com."
    document = Conversation(id="a", turns=(Turn(role="text", text=text), Turn(role="text", text=" ")))
    ((spans, blank),) = PEERS["presidio"]()([document])
    found = {(text[span.start : span.end], span.entity_type) for span in spans}
    assert {("John Smith", "PERSON"), ("john@example.com", "EMAIL_ADDRESS"), ("tomorrow", "DATE_TIME")} <= found
    assert not any(kind == "ORGANIZATION" for _, kind in found)
    assert blank == ()
