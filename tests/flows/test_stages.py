"""Stages on small files: resume asks for nothing twice, surrogates are told from leaks, nothing is read half."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.config import RunConfig
from flows.stages.extract import extract
from flows.stages.generate import _part, generate
from flows.stages.render import _inside_surrogate
from flows.workspace import Workspace
from generator.config import GeneratorConfig
from generator.render import Rendered, Surrogate
from seed_engine.config import DetectorConfig
from seed_engine.conversation import Turn
from seed_engine.errors import InputError
from seed_engine.secrets import Leak
from tests.provider import Provider, follow_plan


def silent(done: int, total: int) -> None:
    pass


def workspace(tmp_path: Path, *, conversations: int = 3, **generator: object) -> Workspace:
    source = tmp_path / "in.jsonl"
    turns = [
        {"role": "customer", "text": "Hello, my name is Quenvarius Ploddington. My parcel is late."},
        {"role": "agent", "text": "Sorry to hear that. When did you order?"},
    ]
    records = [{"id": f"c{number}", "domain": "support", "turns": turns} for number in range(conversations)]
    source.write_text("".join(json.dumps(record) + "\n" for record in records))
    staging = tmp_path / "staging"
    staging.mkdir(exist_ok=True)
    config = RunConfig(detector=DetectorConfig(engine="regex"), generator=GeneratorConfig(**generator))  # type: ignore[arg-type]
    return Workspace(staging, (source,), config, None, False)


def test_a_resumed_generation_asks_only_for_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Provider(follow_plan) as provider:
        work = workspace(tmp_path, model="openai/double", api_base=provider.base, timeout_s=10)
        extract(work, silent)
        generate(work, silent)
        whole = (work.directory / "synthetic.jsonl").read_bytes()
        assert len(provider.sent) == 3
        lines = whole.splitlines(keepends=True)
        _part(work).write_bytes(lines[0] + lines[1] + lines[2][:40])  # killed while writing
        result = generate(work, silent)
        assert len(provider.sent) == 4
    assert (work.directory / "synthetic.jsonl").read_bytes() == whole
    assert result.counts["resumed"] == 2
    assert not list(work.directory.glob("*.part.jsonl"))


def test_what_another_input_left_is_not_resumed(tmp_path: Path) -> None:
    work = workspace(tmp_path, strategy="template")
    extract(work, silent)
    generate(work, silent)
    left = _part(work)
    left.write_bytes((work.directory / "synthetic.jsonl").read_bytes())
    other = workspace(tmp_path, conversations=1, strategy="template")
    extract(other, silent)
    result = generate(other, silent)
    assert result.counts["resumed"] == 0
    assert result.counts["conversations"] == 1
    assert not left.exists()


def test_the_same_seed_gives_the_same_set(tmp_path: Path) -> None:
    work = workspace(tmp_path, strategy="template", per_seed=2)
    extract(work, silent)
    sets = []
    for _ in range(2):
        generate(work, silent)
        sets.append((work.directory / "synthetic.jsonl").read_bytes())
    assert sets[0] == sets[1]
    assert len(set(sets[0].splitlines())) == 6


def test_an_id_in_two_inputs_is_refused(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    work.inputs = (work.inputs[0], work.inputs[0])
    with pytest.raises(InputError, match="stands in another input"):
        extract(work, silent)
    assert list(work.directory.iterdir()) == []


def test_seeds_and_commitment_say_nothing_of_the_source(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    extract(work, silent)
    assert b"uenvarius" not in (work.directory / "seeds.jsonl").read_bytes()
    assert work.source is not None
    assert work.source.conversations == 3
    assert "uenvarius" not in repr(work) + repr(vars(work))
    work.forget()
    assert work.secrets is None
    assert work.key == b""


@pytest.mark.parametrize(
    ("start", "end", "inside"),
    [(3, 8, True), (0, 8, False), (3, 12, False), (9, 12, False)],
    ids=["surname in a full name", "the whole surrogate", "reaches beyond", "elsewhere"],
)
def test_only_a_part_of_a_surrogate_is_a_coincidence(start: int, end: int, inside: bool) -> None:
    place = Surrogate(turn=0, start=0, end=8, marker="[CUSTOMER_1]")
    item = Rendered(id="x", turns=(Turn(role="agent", text="Jo Smith said so"),), surrogates=(place,))
    assert _inside_surrogate(item, Leak(0, start, 0, end, "PERSON", "exact")) is inside
