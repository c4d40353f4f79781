"""Inclusion proofs: the tree of RFC 9162, and what a proof shows and hides."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from flows.certificate import certify
from flows.cli import app
from flows.errors import CertificateError, UsageError
from flows.inclusion import included, prove, source_root
from flows.inputs import read_inputs
from flows.merkle import climb, path_of, root_of
from flows.signing import load_or_create_key
from flows.verify import verify
from tests.flows.staged import SOURCE, run_record, stage

SALT = bytes(range(16))


def naive_root(leaves: list[bytes]) -> bytes:
    """Level by level, an odd one out climbing as it is: the same tree, built the other way."""
    level = [hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [hashlib.sha256(b"\1" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0]


@given(st.lists(st.binary(max_size=8), min_size=1, max_size=40), st.data())
def test_proofs_lead_to_the_root_and_to_no_other(leaves: list[bytes], data: st.DataObject) -> None:
    root = root_of(leaves)
    assert root == naive_root(leaves)
    index = data.draw(st.integers(0, len(leaves) - 1))
    path = path_of(leaves, index)
    assert climb(leaves[index], index, len(leaves), path) == root
    assert climb(leaves[index] + b"x", index, len(leaves), path) != root
    assert climb(leaves[index], index, len(leaves), (*path, root)) is None
    if path:
        assert climb(leaves[index], index, len(leaves), path[:-1]) != root
    for other in {index - 1, index + 1, len(leaves)}:
        assert climb(leaves[index], other, len(leaves), path) != root or leaves[other] == leaves[index]


def test_a_known_root() -> None:
    assert root_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert root_of([b""]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"


def conversation(number: int) -> dict[str, Any]:
    turns = [{"role": "customer", "text": f"It is me, Zebulon Quark {number}."}, {"role": "agent", "text": "Yes?"}]
    return {"id": f"c{number}", "turns": turns, "subject": f"s{number}"}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(conversation(n)) + "\n" for n in range(5)))
    read = read_inputs([source], Counter(), limit=None, skip_bad=False, unique_ids=False)
    committed = SOURCE.model_copy(update={"salt": SALT.hex(), "root": source_root(read, SALT)})
    directory = stage(tmp_path / "run")
    certify(directory, run_record(), committed, load_or_create_key(None))
    return directory


def test_an_input_is_shown_to_be_one_by_the_verbs(run: Path, tmp_path: Path) -> None:
    proof, one = tmp_path / "proof.json", tmp_path / "one.jsonl"
    made = CliRunner().invoke(
        app, ["prove", str(run), "--input", str(tmp_path / "in.jsonl"), "--id", "c3", "-o", str(proof)]
    )
    assert made.exit_code == 0, made.output
    assert b"Quark" not in proof.read_bytes()
    assert SALT.hex() not in proof.read_text()
    # The id and the format are not what is proven.
    one.write_text(
        json.dumps({"messages": [{"role": t["role"], "content": t["text"]} for t in conversation(3)["turns"]]})
    )
    shown = ["verify", str(run), "--proof", str(proof), "--conversation", str(one)]
    assert CliRunner().invoke(app, shown).exit_code == 0
    one.write_text(json.dumps(conversation(2)))
    refused = CliRunner().invoke(app, shown)
    assert refused.exit_code == 1
    assert "proof.json: the proof does not show this conversation among the inputs" in refused.stdout
    assert CliRunner().invoke(app, shown[:4]).exit_code == 2


def test_no_proof_without_the_salt_or_for_other_inputs(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(conversation(9)) + "\n")
    with pytest.raises(CertificateError, match="not the inputs of the run"):
        prove(run, [other], "c9")
    with pytest.raises(UsageError, match="no conversation"):
        prove(run, [tmp_path / "in.jsonl"], "c9")
    (tmp_path / "config/semilla/salts" / run_record().id).unlink()
    with pytest.raises(CertificateError, match="salt"):
        prove(run, [tmp_path / "in.jsonl"], "c1")


def test_a_proof_of_another_run_and_nonsense_are_told(run: Path, tmp_path: Path) -> None:
    proof, one = tmp_path / "proof.json", tmp_path / "one.jsonl"
    one.write_text(json.dumps(conversation(1)))
    shown = prove(run, [tmp_path / "in.jsonl"], "c1")
    proof.write_text(shown.model_copy(update={"run": "f" * 32}).model_dump_json())
    assert "another run" in {fault.rule for fault in verify(run, inclusion=(proof, one)).faults}.pop()
    proof.write_text(shown.model_copy(update={"index": 0}).model_dump_json())
    assert not verify(run, inclusion=(proof, one)).ok
    proof.write_text("{}")
    with pytest.raises(CertificateError, match="not an inclusion proof"):
        included({}, proof, one)
    proof.write_text(shown.model_dump_json())
    one.write_text("".join(json.dumps(conversation(n)) + "\n" for n in (1, 2)))
    with pytest.raises(UsageError, match="not exactly one"):
        verify(run, inclusion=(proof, one))
