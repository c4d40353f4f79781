"""The bad-input table: each row ends with the contract's exit code and one clear line, and nothing half-done."""

from __future__ import annotations

import json
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
