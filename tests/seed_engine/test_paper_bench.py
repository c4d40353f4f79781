"""The paper's experiment: the same documents from the same seed, gold where it is said to be, and a full grid."""

from seed_engine.paper_bench import SYSTEMS, THRESHOLDS, WEIGHTS, run_paper_bench
from seed_engine.paper_documents import DOMAINS, paper_documents


def test_documents_repeat_and_their_gold_is_in_the_text() -> None:
    made = paper_documents(8, 3)
    assert made == paper_documents(8, 3)
    assert made != paper_documents(8, 4)
    assert [domain for domain, _, _ in made] == [*DOMAINS, *DOMAINS]
    for _, text, gold in made:
        assert gold
        assert all(text[span.start : span.end].strip() == text[span.start : span.end] != "" for span in gold)
        assert "{" not in text


def test_the_table_holds_every_system_and_every_cell() -> None:
    table = run_paper_bench(count=12, measured=8)
    assert set(table.systems) == set(SYSTEMS)
    assert set(table.grid) == {(threshold, *weights) for threshold in THRESHOLDS for weights in WEIGHTS}
    assert {item.other for item in table.comparisons} == set(SYSTEMS) - {"hybrid"}
    assert table.systems["hybrid"].recall >= table.systems["regex"].recall
    for weights in WEIGHTS:
        recalls = [table.grid[threshold, *weights].recall for threshold in THRESHOLDS]
        assert recalls == sorted(recalls, reverse=True)
    for item in table.comparisons:
        assert 0 <= item.p <= 1
        assert -1 <= item.difference <= 1
