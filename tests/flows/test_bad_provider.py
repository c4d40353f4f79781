"""A provider that crashes, stalls, repeats, breaks its JSON off or tells a name it remembers: counted, never published.

Every bad answer bears a stamp; what is published must not. An answer that is bad costs its conversation, one that does
not come is asked for again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.records_io import read_records, write_records
from seed_engine.seed import Seed
from tests.generator.seeds import support_seed
from tests.provider import Answer, Provider, as_reply, follow_plan, plan

RUNNER = CliRunner()
SEEDS = 12
STAMP = "zorquim"
NAME = "Margaret Thornbury"


def crashes(messages: list[dict[str, str]]) -> str:
    raise ConnectionAbortedError  # the connection breaks off without a reply


def stalls(messages: list[dict[str, str]]) -> str:
    time.sleep(40)  # far beyond the patience of `generated`; nobody waits for the end of it
    return stamped(messages)


def repeats(messages: list[dict[str, str]]) -> str:
    again = f"you must wait a little while longer for the {STAMP}"
    return as_reply([" ".join([again, *slots]) for *_, slots in plan(messages)], messages)


def half(messages: list[dict[str, str]]) -> str:
    whole = stamped(messages)
    return whole[: len(whole) // 2]


def remembers(messages: list[dict[str, str]]) -> str:
    return stamped(messages, f"{STAMP}, as {NAME} of 12 Gladstone Road said")


def stamped(messages: list[dict[str, str]], said: str = STAMP) -> str:
    turns = json.loads(follow_plan(messages))["turns"]
    return as_reply([f"{turn['text']} {said}." for turn in turns], messages)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    seeds = [support_seed(4).model_copy(update={"id": f"seed-{number:06d}"}) for number in range(1, SEEDS + 1)]
    write_records(tmp_path / "seeds.jsonl", seeds)
    return tmp_path


def every_third(bad: Answer) -> Answer:
    numbers: Iterator[int] = count()
    return lambda messages: (bad if next(numbers) % 3 == 2 else follow_plan)(messages)


def once(bad: Answer) -> Answer:
    numbers: Iterator[int] = count()
    return lambda messages: (bad if next(numbers) == 2 else follow_plan)(messages)


def generated(folder: Path, answer: Answer, timeout_s: int = 120) -> dict[str, Any]:
    with Provider(answer) as provider:
        (folder / "semilla.toml").write_text(
            f'[generator]\nmodel = "openai/double"\napi_base = "{provider.base}"\nstrategy = "conversation"\n'
            f"timeout_s = {timeout_s}\nmax_attempts = 1\nmodel_share = 1.0\n"
        )
        done = RUNNER.invoke(app, arguments(folder, "generate", "seeds.jsonl", "-o", "synthetic.jsonl"))
    assert STAMP not in done.output.lower()
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def arguments(folder: Path, verb: str, *rest: str) -> list[str]:
    files = [str(folder / part) if "." in part else part for part in rest]
    return [verb, *files, "--config", str(folder / "semilla.toml"), "--json"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("bad", "reason"),
    [(repeats, "repeats"), (half, "not_json"), (remembers, "name_added")],
)
def test_what_it_says_is_counted_and_never_published(bad: Answer, reason: str, folder: Path) -> None:
    told = generated(folder, every_third(bad))
    written = (folder / "synthetic.jsonl").read_text("utf-8").splitlines()
    assert told[f"dropped_{reason}"] == SEEDS - len(written) == SEEDS - told["conversations"] == SEEDS // 3
    for path in folder.rglob("*"):
        assert STAMP not in path.read_text("utf-8").lower(), path.name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("bad", "reason"), [(crashes, "provider_unavailable"), (stalls, "provider_timeout")])
def test_what_it_does_not_say_is_counted_and_asked_for_again(bad: Answer, reason: str, folder: Path) -> None:
    told = generated(folder, once(bad), timeout_s=8 if bad is stalls else 120)
    written = (folder / "synthetic.jsonl").read_text("utf-8").splitlines()
    assert len(written) == told["conversations"] == SEEDS
    # On a machine that is busy enough, a good answer may come too late as well, and is asked for again too.
    assert told[f"fault_{reason}"] >= 1
    for path in folder.rglob("*"):
        assert STAMP not in path.read_text("utf-8").lower(), path.name


@pytest.mark.filterwarnings("ignore")
def test_a_question_that_is_never_answered_is_dropped_and_named(folder: Path) -> None:
    """The provider answers eleven others, and whether it is there: a night must not wait for the twelfth for ever."""
    odd = support_seed(5).model_copy(update={"id": "seed-000000"})
    write_records(folder / "seeds.jsonl", [odd, *read_records(folder / "seeds.jsonl", Seed)][:SEEDS])

    def answer(messages: list[dict[str, str]]) -> str:
        return (crashes if len(plan(messages)) == 5 else follow_plan)(messages)

    told = generated(folder, answer)
    assert (told["conversations"], told["dropped_provider_unavailable"], told["exit_code"]) == (SEEDS - 1, 1, 0)
    assert not list(folder.glob(".*.replies"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("said", ["my name is margaret thornbury", "i am calling for thornbury"])
def test_a_name_that_hides_from_the_writer_is_seen_by_the_second_opinion(said: str, folder: Path) -> None:
    """In lower case no sign of a name is left; no source knows it either, so no search for known values finds it."""
    generated(folder, every_third(lambda messages: stamped(messages, said)))
    done = RUNNER.invoke(app, arguments(folder, "evaluate", "synthetic.jsonl", "-o", "scores.json"))
    scores = json.loads((folder / "scores.json").read_text("utf-8"))
    assert (done.exit_code, scores["verdict"]) == (1, "fail")
    assert any(reason.startswith("privacy_score") for reason in scores["reasons"])
    assert "thornbury" not in (done.output + json.dumps(scores)).lower()
