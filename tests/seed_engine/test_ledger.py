"""The ledger: releases add up, the last of the budget goes to one, and nothing in the file names anything."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from seed_engine.errors import BudgetError, InputError
from seed_engine.ledger import book, fingerprint, read_ledger
from seed_engine.release import mechanism_for
from seed_engine.release_accounting import composed_epsilon

DELTA, KEY = 1e-5, b"k" * 32
NAMED = fingerprint(b"/data/maria.jsonl", KEY)
OTHER = fingerprint(b"/data/other.jsonl", KEY)


def spend(
    path: Path, epsilon: float = 3.0, ceiling: float = 8.0, delta: float = DELTA, inputs: tuple[str, ...] = ()
) -> float:
    """One release; of certain inputs, then what shares none does not count."""
    mechanism = mechanism_for(epsilon, delta)
    every = not inputs
    return book(path, inputs or (NAMED,), mechanism.noise_multiplier, mechanism.epsilon, delta, ceiling, every)


def test_releases_add_up_to_less_than_their_sum_and_more_than_each(tmp_path: Path) -> None:
    totals = [spend(tmp_path / "ledger.json") for _ in range(3)]
    assert totals[0] == pytest.approx(3.0, abs=0.01)
    assert totals[0] < totals[1] < totals[2] < 9.0
    multiplier = mechanism_for(3.0, DELTA).noise_multiplier
    # Three Gaussian releases are one with the noise of sqrt(3) less (Dong et al. 2022, Corollary 3.3).
    assert totals[2] == pytest.approx(composed_epsilon((multiplier / 3**0.5,), DELTA), rel=1e-6)


def test_a_release_that_would_overspend_is_refused_and_not_booked(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    spent = spend(path)
    before = path.read_bytes()
    with pytest.raises(BudgetError, match=r"spent epsilon 3, asked 3, together 4\.\d+, ceiling 4$") as refused:
        spend(path, ceiling=4.0)
    assert (refused.value.spent, refused.value.ceiling) == (spent, 4.0)
    assert refused.value.asked == mechanism_for(3.0, DELTA).epsilon
    assert path.read_bytes() == before
    assert spend(path, epsilon=0.5, ceiling=4.0) <= 4.0


def test_the_first_release_is_held_against_the_ceiling_too(tmp_path: Path) -> None:
    with pytest.raises(BudgetError):
        spend(tmp_path / "ledger.json", epsilon=3.0, ceiling=2.0)
    assert not (tmp_path / "ledger.json").exists()


def test_of_many_at_once_only_as_many_as_the_budget_holds_get_through(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"

    def attempt(_: int) -> bool:
        try:
            spend(path, ceiling=6.0)
        except BudgetError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        through = sum(pool.map(attempt, range(8)))
    assert through == len(read_ledger(path).entries) == 3


def test_a_ledger_has_one_lock_and_one_file_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    spend(Path("~/ledger.json"))
    (tmp_path / "link.json").symlink_to(tmp_path / "home/ledger.json")
    spend(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert len(read_ledger(tmp_path / "home/ledger.json").entries) == 2
    assert [file.name for file in tmp_path.rglob("*.lock")] == [".ledger.json.lock"]


def test_the_smallest_delta_of_all_releases_is_the_one_that_counts(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    spend(path, epsilon=1.0, delta=1e-9)
    multipliers = [entry.noise_multiplier for entry in read_ledger(path).entries]
    total = spend(path, epsilon=1.0, delta=1e-3)
    multipliers = [entry.noise_multiplier for entry in read_ledger(path).entries]
    assert total == composed_epsilon(multipliers, 1e-9)


def test_the_file_holds_figures_and_a_keyed_fingerprint_and_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    spend(path)
    assert b"maria" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    assert set(json.loads(path.read_bytes())["entries"][0]) == {
        "at", "inputs", "noise_multiplier", "epsilon", "delta",
    }  # fmt: skip
    assert fingerprint(b"/data/maria.jsonl", b"j" * 32) != NAMED


def test_a_release_is_charged_to_every_input_and_to_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    alone = spend(path, inputs=(NAMED,))
    assert spend(path, inputs=(OTHER,)) == alone
    both = spend(path, inputs=(NAMED, OTHER))
    assert spend(path, inputs=(NAMED,), ceiling=20) == pytest.approx(spend(path, inputs=(OTHER,), ceiling=20))
    assert both > alone
    assert len(read_ledger(path).entries) == 5


def _entry(**changed: object) -> str:
    entry = {"at": "t", "inputs": [NAMED], "noise_multiplier": 1.0, "epsilon": 1.0, "delta": 1e-5} | changed
    return json.dumps({"entries": [entry]})


@pytest.mark.parametrize(
    "content",
    [
        *("", "{}x", '{"schema_version": "2"}', '{"entries": [{"epsilon": 0}]}'),
        '{"entries": [], "entries": []}',
        *(_entry(noise_multiplier=value) for value in (float("inf"), 1e300, 1e-320, 0)),
    ],
)
def test_a_ledger_that_cannot_be_read_allows_nothing(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(content)
    with pytest.raises(InputError, match="not a privacy ledger"):
        spend(path)
    assert path.read_text() == content
