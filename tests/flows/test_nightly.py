"""The scheduled flows: verdicts become states, and Prefect is told names of runs and figures alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.client.orchestration import get_client
from prefect.states import Completed
from prefect.testing.utilities import prefect_test_harness
from prefect.utilities.importtools import import_object

from flows import nightly as module
from flows import recheck
from flows.certificate import certify
from flows.nightly import nightly, weekly_attack
from flows.signing import SigningKey, load_or_create_key
from flows.verify import verify
from tests.flows.staged import SOURCE, attacks, run_record, stage

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True, scope="module")
def server() -> Iterator[None]:
    with prefect_test_harness(server_startup_timeout=180):
        yield


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return load_or_create_key(None)


def stored() -> bytes:
    with get_client(sync_client=True) as client:
        items = [*client.read_flow_runs(), *client.request("POST", "/artifacts/filter", json={}).json()]
    return json.dumps([item if isinstance(item, dict) else item.model_dump(mode="json") for item in items]).encode()


def test_a_night_decides_on_each_drop_and_the_next_on_none(
    tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    drops, runs = tmp_path / "drops", tmp_path / "runs"
    drops.mkdir()
    for number, verdict in enumerate(("certified", "halted", "certified")):
        (drops / f"{number}.jsonl").write_text(f"{number} {verdict}")
    seen: list[tuple[str, bool]] = []

    def run(directory: str, inputs: list[str], config_path: str | None, resume: bool, return_state: bool) -> Any:
        verdict = Path(inputs[0]).read_text().split()[1]
        seen.append((verdict, resume))
        Path(directory).mkdir()
        record = {"status": verdict, "exit_code": int(verdict == "halted"), "halted_at": None, "gates": [1, 2]}
        (Path(directory) / "run.json").write_text(json.dumps(record))
        return Completed()

    monkeypatch.setattr(module, "pipeline", run)
    state = nightly(str(drops), str(runs), settle_s=0, return_state=True)
    # The name is what an automation for failed runs waits for: Prefect's event is called after it.
    assert state.name == "Failed"
    assert str(state.message).startswith("Halted: 1 of 3; see run.json of drop-")
    assert seen == [("certified", False), ("halted", False), ("certified", False)]
    assert nightly(str(drops), str(runs), settle_s=0, return_state=True).is_completed()
    assert len(seen) == 3
    told = stored()
    assert b"0.jsonl" not in told
    assert all(run.name.encode() in told for run in runs.iterdir())


@pytest.mark.parametrize(("successes", "status"), [(0, "holds"), (40, "revoked")])
def test_an_attack_that_succeeds_later_revokes(
    tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch, successes: int, status: str
) -> None:
    run = stage(tmp_path / "runs/one")
    certify(run, run_record(), SOURCE, key)
    (tmp_path / "runs/halted").mkdir()
    monkeypatch.setattr(recheck, "attack_adapter", lambda *_: attacks(successes))
    state = weekly_attack(str(tmp_path / "runs"), return_state=True)
    assert state.is_completed() == (status == "holds")
    assert verify(run).ok == (status == "holds")
    rules = [fault.rule for fault in verify(run).faults]
    assert all("attacked again, and it failed: membership" in rule for rule in rules)


def test_a_run_that_was_changed_is_told_and_not_attacked(
    tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = stage(tmp_path / "runs/one")
    certify(run, run_record(), SOURCE, key)
    (run / "seeds.jsonl").write_text("")
    monkeypatch.setattr(recheck, "attack_adapter", lambda *_: pytest.fail("attacked"))
    state = weekly_attack(str(tmp_path / "runs"), return_state=True)
    assert state.name == "Failed"
    assert state.message == "Halted: 1 of 1; see run.json of one"


def test_prefect_yaml_names_flows_that_exist_and_their_parameters() -> None:
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    assert {item["name"] for item in deployments} == {"nightly", "weekly-attack", "on-demand"}
    for item in deployments:
        path, name = item["entrypoint"].split(":")
        flow = import_object(f"{path.removesuffix('.py').replace('/', '.')}.{name}")
        assert set(item.get("parameters", {})) <= set(flow.parameters.properties)
