"""The pipeline halts on a leak planted at any of its points, says where, and publishes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from prefect.client.schemas.objects import State
from prefect.testing.utilities import prefect_test_harness

from flows import pipeline as pipeline_module
from flows.pipeline import pipeline
from flows.progress import Advance
from flows.stages import STAGES
from flows.workspace import StageResult, Workspace
from tests.provider import Answer, Provider, as_reply, follow_plan, plan

NAME = "Quenvarius Ploddington"

SOURCE = [
    {
        "id": f"c{number}",
        "domain": "support",
        "turns": [
            {"role": "customer", "text": f"Hello, my name is {NAME}. My parcel is late."},
            {"role": "agent", "text": "Sorry to hear that, Quenvarius. When did you order?"},
            {"role": "customer", "text": "Last week. Write to ploddington@example.org please."},
            {"role": "agent", "text": "Will do. Goodbye."},
        ],
    }
    for number in range(3)
]


@pytest.fixture(autouse=True, scope="module")
def server() -> Iterator[None]:
    with prefect_test_harness(server_startup_timeout=180):
        yield


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[State[Any], dict[str, Any]]]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in SOURCE))

    def call(answer: Answer = follow_plan, *, resume: bool = False, **server: Any) -> tuple[State[Any], dict[str, Any]]:
        with Provider(answer, **server) as provider:
            config = tmp_path / "semilla.toml"
            config.write_text(
                f'[generator]\nmodel = "openai/double"\napi_base = "{provider.base}"\ntimeout_s = 60\n'
                "[training]\ncanaries = 20\ncanary_controls = 20\nepochs = 1.0\n"
            )
            state = pipeline(
                str(tmp_path / "out"), [str(source)], config_path=str(config), resume=resume, return_state=True
            )
        record = tmp_path / "out" / "run.json"
        return state, json.loads(record.read_text()) if record.exists() else {}

    return call


def files(tmp_path: Path) -> set[str]:
    """Everything below the run's directory and its staging folder."""
    roots = (tmp_path / "out", tmp_path / ".out.staging")
    return {path.relative_to(root).as_posix() for root in roots if root.exists() for path in root.rglob("*")}


def replace_stage(
    monkeypatch: pytest.MonkeyPatch, name: str, stage: Callable[[Workspace, Advance], StageResult]
) -> None:
    monkeypatch.setitem(STAGES, name, stage)


def test_a_leak_in_a_seed_halts(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extract = STAGES["extract"]

    def leaky(work: Workspace, advance: Advance) -> StageResult:
        result = extract(work, advance)
        path = work.directory / "seeds.jsonl"
        seeds = [json.loads(line) for line in path.read_text().splitlines()]
        seeds[1]["objective"] = f"help {NAME}"
        path.write_text("".join(json.dumps(seed) + "\n" for seed in seeds))
        return result

    replace_stage(monkeypatch, "extract", leaky)
    state, record = run()
    assert state.name == "Halted: schema"
    assert state.is_failed()
    assert (record["status"], record["halted_at"], record["exit_code"]) == ("halted", "schema", 1)
    assert files(tmp_path) == {"run.json", "report.html"}


@pytest.mark.parametrize(
    "leak",
    [NAME, NAME.upper(), "ploddington @ example . org", "quenvarius"],
    ids=["as it stood", "upper case", "spaced", "first name"],
)
def test_a_known_secret_in_generated_text_halts(
    leak: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate = STAGES["generate"]

    def leaky(work: Workspace, advance: Advance) -> StageResult:
        result = generate(work, advance)
        path = work.directory / "synthetic.jsonl"
        first, *rest = (json.loads(line) for line in path.read_text().splitlines())
        first["turns"][1]["text"] += f" {leak}"
        path.write_text("".join(json.dumps(item) + "\n" for item in (first, *rest)))
        return result

    replace_stage(monkeypatch, "generate", leaky)
    state, record = run()
    assert state.name in {"Halted: leak", "Halted: privacy_score"}
    assert record["exit_code"] == 1
    assert next(gate["figure"] for gate in record["gates"] if gate["name"] == "leak") > 0
    assert files(tmp_path) == {"run.json", "report.html", "scores.json"}
    written = b"".join((tmp_path / "out" / name).read_bytes() for name in files(tmp_path))
    assert b"quenvarius" not in written.lower()


@pytest.mark.parametrize("leak", [NAME, "quenvarius"])
def test_a_provider_that_tells_a_secret_never_gets_it_published(leak: str, run: Any, tmp_path: Path) -> None:
    def answer(messages: list[dict[str, str]]) -> str:
        turns = json.loads(follow_plan(messages))["turns"]
        return as_reply([f"{turn['text']} {leak}" for turn in turns], messages)

    _, record = run(answer)
    assert record["exit_code"] in {1, 3}
    assert files(tmp_path) <= {"run.json", "report.html", "scores.json"}


def test_an_adapter_that_tells_its_canaries_halts(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real gates against a target that knows every member; a slow test trains such an adapter for real."""
    secrets = [f"{number:06d}" for number in np.random.default_rng(0).permutation(1_000_000)[:1200]]
    sides = {"members": secrets[:400], "nonmembers": secrets[400:]}
    known = set(sides["members"])

    class Memorising:
        def log_likelihoods(
            self, prefixes: list[str], continuations: list[str], *, reference: bool = False
        ) -> NDArray[np.float64]:
            noise = np.random.default_rng(0).normal(-20, 1, len(continuations))
            return noise + [15.0 * (c in known and not reference) for c in continuations]

        def token_log_probabilities(
            self, prefixes: list[str], continuations: list[str], *, reference: bool = False
        ) -> Any:
            scores = self.log_likelihoods(prefixes, continuations, reference=reference)
            return [np.full(8, score / 8) for score in scores]

        def complete(self, prefixes: list[str], max_new_tokens: int) -> list[str]:
            return [prefix.split()[1] for prefix in prefixes]

    def overfit(work: Workspace, advance: Advance) -> StageResult:
        (work.directory / "adapter").mkdir()
        canaries = {
            side: [{"prefix": "the access code is ", "secret": secret} for secret in own] for side, own in sides.items()
        }
        (work.directory / "adapter" / "canaries.json").write_text(json.dumps(canaries))
        return StageResult()

    replace_stage(monkeypatch, "train", overfit)
    monkeypatch.setattr("training.scoring.load_adapter", lambda folder: Memorising())
    state, record = run()
    assert state.name == "Halted: attacks.membership"
    assert record["exit_code"] == 1
    assert files(tmp_path) == {"run.json", "report.html", "scores.json", "attacks.json"}


def test_too_few_trials_are_inconclusive(run: Any, tmp_path: Path) -> None:
    state, record = run()
    assert state.name == "Inconclusive: attacks.membership"
    assert (record["status"], record["exit_code"]) == ("inconclusive", 3)
    assert files(tmp_path) == {"run.json", "report.html", "scores.json", "attacks.json"}


def test_a_provider_that_is_down_stops_and_can_be_resumed(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline_module, "RETRIES", {})
    state, record = run(status=500)
    assert state.name == "Stopped: generate"
    assert (record["status"], record["halted_at"], record["exit_code"]) == ("halted", "generate", 2)
    assert "seeds.jsonl" in files(tmp_path)
    assert "synthetic.jsonl" not in files(tmp_path)
    state, record = run(resume=True)
    assert record["halted_at"] != "generate"


def test_rubbish_is_dropped_by_reason_and_is_no_pass(run: Any) -> None:
    state, record = run(lambda messages: "I would rather not.")
    assert state.name == "Inconclusive: generation"
    assert record["exit_code"] == 3
    counts = next(stage["counts"] for stage in record["stages"] if stage["name"] == "generate")
    assert counts["dropped_not_json"] == 3


def test_a_made_up_name_is_tried_again_then_dropped(run: Any) -> None:
    def answer(messages: list[dict[str, str]]) -> str:
        return as_reply([f"my name is Margaret Thornbury, number {i}" for i, _ in enumerate(plan(messages))], messages)

    _, record = run(answer)
    assert record["exit_code"] == 3
    counts = next(stage["counts"] for stage in record["stages"] if stage["name"] == "generate")
    assert sum(value for name, value in counts.items() if name.startswith("dropped")) == 3


def test_bad_input_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "in2.jsonl").write_text('{"id": "c1", "turns": [')
    run_state = pipeline(str(tmp_path / "out"), [str(tmp_path / "in2.jsonl")], return_state=True)
    assert run_state.name == "Stopped: extract"
    assert "in2.jsonl:1" in (run_state.message or "")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / ".out.staging").exists()
