"""The bad-input table: each row ends with the contract's exit code and one clear line, and nothing half-done."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SECRET = "Quenvarius Ploddington"


def conversation(number: int = 1, text: str = f"hi, this is {SECRET}, my order is late") -> dict[str, Any]:
    turns = [{"role": "customer", "text": text}, {"role": "agent", "text": "Let me look at that for you."}]
    return {"id": f"c{number}", "turns": turns}


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def run_semilla(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "flows", *arguments], capture_output=True, text=True, timeout=300)


TABLE: dict[str, tuple[bytes, str]] = {
    "empty file": (b"", "empty"),
    "not UTF-8": (b'{"id": "c1", "turns": [{"role": "a", "text": "\xff\xfe\xfa"}]}\n', "UTF-8"),
    "half a line": (lines(conversation())[:-20], "JSON"),
    "broken second line": (lines(conversation()) + lines(conversation(2))[:-20] + b"\n", ":2:"),
    "no turn": (lines({"id": "c1", "turns": []}), "turn"),
    "duplicate ids": (lines(conversation(), conversation()), "id"),
    "nested too deeply": (b'{"turns": ' + b"[" * 100_000 + b"\n", "JSON"),
    "half a character": (lines(conversation(text="\ud83d")), "surrogate"),
    "cut-off gzip": (gzip.compress(lines(conversation()) * 50)[:-9], "gzip"),
    "text is a number": (lines({"id": "c1", "turns": [{"role": "a", "text": 5}]}), ":1:"),
}


@pytest.mark.parametrize("row", TABLE)
def test_a_fault_of_the_input_is_named_by_file_and_line(row: str, tmp_path: Path) -> None:
    content, expected = TABLE[row]
    source = tmp_path / "in.jsonl"
    source.write_bytes(content)
    result = run_semilla("seed", str(source), "-o", str(tmp_path / "out" / "seeds.jsonl"))
    assert result.returncode == 2, result.stderr
    assert "in.jsonl" in result.stderr
    assert expected in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert SECRET.split()[0] not in result.stderr + result.stdout
    assert not (tmp_path / "out" / "seeds.jsonl").exists()


ODD: dict[str, tuple[list[Any], int, int]] = {
    "one turn": ([{"id": "c1", "turns": [{"role": "customer", "text": f"hi, this is {SECRET}"}]}], 3, 0),
    "10,000 turns": ([{"id": "c1", "domain": "support", "turns": conversation()["turns"] * 5000}], 0, 1),
    "emoji and right-to-left": ([conversation(text="🙂 שלום مرحبا, hi, my order is late 🙃")], 0, 1),
    "marker-like strings": ([conversation(text="my name is [PATIENT_1], not [[X_1]] nor [PATIENT_999999]")], 0, 1),
}


@pytest.mark.parametrize("row", ODD)
def test_odd_but_readable_input_is_seeded_or_counted(row: str, tmp_path: Path) -> None:
    records, exit_code, seeds = ODD[row]
    source, output = tmp_path / "in.jsonl", tmp_path / "seeds.jsonl"
    source.write_bytes(lines(*records))
    result = run_semilla("seed", str(source), "-o", str(output), "--language", "en", "--json")
    assert result.returncode == exit_code, result.stderr
    assert json.loads(result.stdout.splitlines()[-1])["seeds"] == seeds
    assert SECRET.split()[0] not in output.read_text()
    assert run_semilla("validate", str(output)).returncode == (0 if seeds else 2)


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    """A limit on file size stands for the disk: the write fails in the middle in the same way."""
    source, output = tmp_path / "in.jsonl", tmp_path / "seeds.jsonl"
    source.write_bytes(lines(*(conversation(number) for number in range(40))))
    command = f"ulimit -f 4; exec {sys.executable} -m flows seed {source} -o {output}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300)
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr
    assert [item.name for item in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_run_over_a_broken_second_input_starts_nothing(tmp_path: Path) -> None:
    """All inputs are read before anything is written; the first one's conversations leave no trace."""
    good, bad, home = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "home"
    good.write_bytes(lines(conversation()))
    bad.write_bytes(lines(conversation(2)) + lines(conversation(3))[:-20])
    home.mkdir()
    command = [sys.executable, "-m", "flows", "run", "--input", str(good), str(bad), "--out", str(tmp_path / "out")]
    environment = os.environ | {"HOME": str(home), "PREFECT_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode == 2, result.stderr
    assert "bad.jsonl:2:" in result.stderr
    assert SECRET.split()[0] not in result.stdout + result.stderr
    assert {item.name for item in tmp_path.iterdir()} == {"good.jsonl", "bad.jsonl", "home"}


@pytest.mark.parametrize("text", ["\ufeff", ""])
def test_a_byte_order_mark_changes_nothing(tmp_path: Path, text: str) -> None:
    source, seeds = tmp_path / "in.jsonl", tmp_path / "seeds.jsonl"
    source.write_bytes(text.encode() + lines(conversation()))
    assert run_semilla("seed", str(source), "-o", str(seeds)).returncode == 0
    seeds.write_bytes(text.encode() + seeds.read_bytes())
    assert run_semilla("validate", str(seeds)).returncode == 0
