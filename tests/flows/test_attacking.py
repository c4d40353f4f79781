"""`semilla attack` and `evaluate --extraction-attacks`: exit codes of the contract, and files that cannot be right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tests.attacks.fakes import FakeTarget, canary_set
from tests.attacks.test_text_only import conversations, disguised

RUNNER = CliRunner()


def adapter(tmp_path: Path, members: int = 400, nonmembers: int = 800) -> Path:
    folder = tmp_path / "adapter"
    folder.mkdir()
    canaries = canary_set(members, nonmembers)
    sides = {"members": canaries.members, "nonmembers": canaries.nonmembers}
    record = {side: [{"prefix": c.prefix, "secret": c.secret} for c in own] for side, own in sides.items()}
    (folder / "canaries.json").write_text(json.dumps(record))
    return folder


def talks(path: Path, texts: list[str], subject: str | None = None) -> Path:
    records = [
        {"id": f"{path.stem}-{i}", "turns": [{"role": "user", "text": line} for line in text.split("\n")]}
        | ({"subject": f"{subject}-{i}"} if subject else {})
        for i, text in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def target(monkeypatch: pytest.MonkeyPatch, remembered: list[str] | tuple[()] = ()) -> None:
    monkeypatch.setattr("training.scoring.load_adapter", lambda folder: FakeTarget(remembered))


def run(*command: str | Path) -> tuple[int, dict[str, Any], str]:
    result = RUNNER.invoke(app, [*map(str, command), "--json"])
    return result.exit_code, json.loads(result.stdout.splitlines()[-1]), result.stderr


@pytest.mark.parametrize("verb", [("attack",), ("evaluate", "--extraction-attacks")])
def test_exit_codes_follow_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]) -> None:
    folder = adapter(tmp_path)
    target(monkeypatch)
    assert run(*verb, "--model", folder, "--threshold", "0.01")[:1] == (0,)
    known = [c.prefix + c.secret for c in canary_set(400, 800).members]
    target(monkeypatch, known)
    code, record, _ = run(*verb, "--model", folder, "--threshold", "0.01", "-o", tmp_path / "out" / "attacks.json")
    assert (code, record["verdict"]) == (1, "fail")
    written = json.loads((tmp_path / "out" / "attacks.json").read_text())
    wanted = {"name", "family", "successes", "trials", "rate", "upper_bound", "confidence", "threshold", "verdict"}
    assert all(wanted <= set(row) for row in written["attacks"])
    target(monkeypatch)
    assert run(*verb, "--model", folder, "--threshold", "0.001")[0] == 3


def test_wrong_folders_are_misuse(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    for folder, rule in (("empty", "not an adapter"), ("file", "no such folder"), ("missing", "no such folder")):
        code, record, stderr = run("attack", "--model", tmp_path / folder)
        assert (code, rule in record["error"], len(stderr.strip().splitlines())) == (2, True, 1)


def test_canaries_without_weights_are_misuse(tmp_path: Path) -> None:
    code, record, _ = run("attack", "--model", adapter(tmp_path))
    assert code == 2
    assert "is not an adapter of" in record["error"]


@pytest.mark.parametrize(
    ("members", "nonmembers", "rule"),
    [
        (["hello there"], [], "an empty file"),
        ([], ["hello there"], "an empty file"),
        (["hello there"], ["hello there", "good bye"], "1 conversations stand in both"),
        (["hello there"], None, "belong together"),
        (None, ["hello there"], "belong together"),
    ],
)
def test_records_that_cannot_be_right_are_misuse(
    tmp_path: Path, members: list[str] | None, nonmembers: list[str] | None, rule: str
) -> None:
    given: list[str | Path] = ["attack", "--model", adapter(tmp_path)]
    for name, texts in (("members", members), ("nonmembers", nonmembers)):
        if texts is not None:
            given += [f"--{name}", talks(tmp_path / f"{name}.jsonl", texts)]
    code, record, stderr = run(*given)
    assert (code, rule in record["error"]) == (2, True), record
    assert "hello" not in stderr


def test_one_file_for_both_sides_is_misuse(tmp_path: Path) -> None:
    both = talks(tmp_path / "both.jsonl", ["hello there", "good bye"])
    code, record, _ = run("attack", "--model", adapter(tmp_path), "--members", both, "--nonmembers", both)
    assert (code, "2 conversations stand in both" in record["error"]) == (2, True)


def test_records_are_attacked_beside_the_canaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    inside, outside = (talks(tmp_path / f"{n}.jsonl", conversations(330, rng)) for n in ("in", "out"))
    target(monkeypatch)
    _, record, _ = run("attack", "--model", adapter(tmp_path), "--members", inside, "--nonmembers", outside)
    rows = {row["name"]: row["trials"] for row in record["attacks"]}
    assert rows == {"membership": 400, "extraction": 400, "records": 330, "records_extraction": 330}


def published(tmp_path: Path, share: float, people: int = 320) -> tuple[Path, Path, Path]:
    rng = np.random.default_rng(5)
    sources, controls, made = conversations(people, rng), conversations(320, rng), conversations(60, rng)
    made += [disguised(text, rng) for text in sources[: round(share * people)]]
    return (
        talks(tmp_path / "made.jsonl", made),
        talks(tmp_path / "sources.jsonl", sources, "person"),
        talks(tmp_path / "controls.jsonl", controls, "stranger"),
    )


@pytest.mark.parametrize(("share", "code"), [(0.0, 0), (0.02, 1)])
def test_a_published_set_is_attacked_without_a_model(tmp_path: Path, share: float, code: int) -> None:
    made, sources, controls = published(tmp_path, share)
    found, record, _ = run("attack", "--published", made, "--sources", sources, "--controls", controls)
    assert (found, [row["name"] for row in record["attacks"]]) == (code, ["text_only"])


def test_without_controls_a_published_set_proves_nothing(tmp_path: Path) -> None:
    made, sources, _ = published(tmp_path, 0.0)
    code, record, _ = run("attack", "--published", made, "--sources", sources)
    assert (code, record["attacks"][0]["bearing"]) == (3, "watch")


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (["--published", "made.jsonl"], "belong together"),
        (["--sources", "sources.jsonl"], "belong together"),
        (["--controls", "controls.jsonl"], "belong together"),
        ([], "name an adapter"),
        (["--members", "made.jsonl", "--published", "made.jsonl", "--sources", "sources.jsonl"], "--model"),
        (["--published", "made.jsonl", "--sources", "sources.jsonl", "--controls", "sources.jsonl"], "stand in both"),
        (["--published", "none.jsonl", "--sources", "sources.jsonl"], "no such file"),
    ],
)
def test_published_sets_that_cannot_be_right_are_misuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], rule: str
) -> None:
    published(tmp_path, 0.0, people=30)
    monkeypatch.chdir(tmp_path)
    code, record, _ = run("attack", *given)
    assert (code, rule in record["error"]) == (2, True), record


def test_a_person_on_both_sides_is_misuse(tmp_path: Path) -> None:
    made, sources, _ = published(tmp_path, 0.0, people=30)
    controls = talks(tmp_path / "others.jsonl", ["something else"] * 2, "person")
    code, record, _ = run("attack", "--published", made, "--sources", sources, "--controls", controls)
    assert (code, "1 people stand in both" in record["error"]) == (2, True), record
