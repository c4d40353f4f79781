"""Stages on small files: resume asks for nothing twice, surrogates are told from leaks, nothing is read half."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaluator.config import EvaluatorConfig
from evaluator.evaluate import evaluate
from flows.config import RunConfig
from flows.models_used import pinned
from flows.records_io import write_records
from flows.stages.extract import extract
from flows.stages.generate import _part, generate
from flows.stages.judge import _gates
from flows.stages.model import train
from flows.stages.render import _inside_surrogate
from flows.workspace import Workspace
from generator.config import GeneratorConfig
from generator.errors import ProviderDown
from generator.render import Rendered, Surrogate
from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
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
        work = workspace(tmp_path, model="openai/double", api_base=provider.base, timeout_s=60)
        extract(work, silent)
        generate(work, silent)
        whole = (work.directory / "synthetic.jsonl").read_bytes()
        assert len(provider.sent) == 3
        lines = whole.splitlines(keepends=True)
        work.drop_kept()
        _part(work).write_bytes(lines[0] + lines[1] + lines[2][:40])  # killed while writing
        result = generate(work, silent)
        assert len(provider.sent) == 4
    assert (work.directory / "synthetic.jsonl").read_bytes() == whole
    assert result.counts["resumed"] == 2
    assert not list(work.directory.glob("*.part.jsonl"))


def test_a_whole_set_is_not_asked_for_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Provider(follow_plan) as provider:
        work = workspace(tmp_path, model="openai/double", api_base=provider.base, timeout_s=60)
        extract(work, silent)
        first, whole = generate(work, silent), (work.directory / "synthetic.jsonl").read_bytes()
        again = workspace(tmp_path, model="openai/double", api_base=provider.base, timeout_s=60)
        extract(again, silent)
        _part(work).write_bytes(whole)  # killed before it could be removed
        assert generate(again, silent) == first
        assert (len(provider.sent), (work.directory / "synthetic.jsonl").read_bytes()) == (3, whole)
        assert not list(work.directory.glob("*.part.jsonl"))
        (work.directory / "synthetic.jsonl").write_bytes(whole[:-5])  # not what was noted
        generate(again, silent)
        assert (len(provider.sent), (work.directory / "synthetic.jsonl").read_bytes()) == (6, whole)


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
    other = tmp_path / "other.jsonl"
    other.write_bytes(work.inputs[0].read_bytes())
    for inputs, rule in (((work.inputs[0], other), "stands in another input"), ((other, other), "given twice")):
        work.inputs = inputs
        with pytest.raises(InputError, match=rule):
            extract(work, silent)
        assert list(work.directory.iterdir()) == []


def test_records_without_ids_do_not_meet_those_of_another_file(tmp_path: Path) -> None:
    """Line numbers, file names and numbers of a transcript's conversations are made by the reader in every file."""
    work = workspace(tmp_path)
    turns = [{"role": "customer", "text": "hello there"}, {"role": "agent", "text": "how can I help?"}]
    contents = {
        "a/chat.jsonl": (json.dumps({"turns": turns}) + "\n") * 2,
        "b/chat.jsonl": json.dumps({"turns": turns}) + "\n",
        "c/chat.txt": "Customer: hello there\nAgent: how can I help?\n",
        "d/chat.txt": "Customer: hello there\nAgent: how can I help?\n---\nCustomer: hi\nAgent: hello\n",
    }
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    work.inputs = tuple(tmp_path / name for name in contents)
    extract(work, silent)
    assert work.source is not None
    assert (work.source.conversations, work.source.subjects) == (6, 6)


BESIDE = {
    "id": {"id": "zorquim-velsson"},
    "subject": {"subject": "Zorquim Velsson"},
    "role": {"turns": [{"role": "Zorquim Velsson", "text": "hello"}, {"role": "agent", "text": "hi there"}]},
    "metadata": {"account": {"owner": "Zorquim Velsson"}},
}


@pytest.mark.parametrize("place", BESIDE)
def test_what_a_record_carries_beside_its_texts_is_known_and_in_no_seed(place: str, tmp_path: Path) -> None:
    work = workspace(tmp_path)
    record = json.loads(work.inputs[0].read_text().splitlines()[0]) | BESIDE[place]
    work.inputs[0].write_text(json.dumps(record) + "\n")
    result = extract(work, silent)
    assert result.counts["seeds"] == 1
    assert work.secrets is not None
    assert work.secrets.find(["so said ZORQUIM VELSSON today"])
    assert b"orquim" not in (work.directory / "seeds.jsonl").read_bytes()
    assert not [path for path in tmp_path.rglob("*") if "orquim" in path.name]
    assert "orquim" not in repr(result) + repr(work.secrets)


def test_a_blind_detector_is_no_pass_though_ids_can_be_searched(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    turns = [{"role": "customer", "text": "my order is late"}, {"role": "agent", "text": "let me look at that"}]
    work.inputs[0].write_text(json.dumps({"id": "zorquim-velsson", "domain": "support", "turns": turns}) + "\n")
    extract(work, silent)
    assert work.secrets is not None
    assert work.secrets.searched > 0
    assert not work.sees
    scores = evaluate((), EvaluatorConfig(), secrets=work.secrets)
    (gate,) = (gate for gate in _gates(scores, sees=work.sees, private=False) if gate.name == "leak")
    assert gate.verdict == "inconclusive"
    (gate,) = (gate for gate in _gates(scores, sees=True, private=False) if gate.name == "leak")
    assert gate.verdict == "pass"


def test_what_no_later_stage_needs_is_forgotten_at_once(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    extract(work, silent)
    assert work.detector
    work.forget_after("extract")
    assert work.key == b""
    assert work.secrets is not None
    assert work.fingerprints is not None
    work.forget_after("evaluate")
    assert work.fingerprints is None
    work.forget_after("attack_text")
    assert work._detector is None
    assert work.secrets is not None  # rendering still asks which surrogates are values of the source
    work.forget_after("render")
    assert work.secrets is None


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


def trained(epsilon: float, *, private: bool) -> Any:
    audit = SimpleNamespace(epsilon_lower_bound=0.0)
    return SimpleNamespace(epsilon=epsilon, private=private, audit=audit, records=3, steps=1)


@pytest.mark.parametrize(("epsilon", "verdict"), [(math.inf, "fail"), (8.5, "fail"), (7.9, "pass")])
def test_training_without_privacy_fails_its_gate_with_a_figure_that_json_can_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, epsilon: float, verdict: str
) -> None:
    work = workspace(tmp_path)
    write_records(work.directory / "synthetic.jsonl", [Conversation(id="x", turns=(Turn(role="agent", text="hi"),))])
    (work.directory / "adapter").mkdir()
    (work.directory / "adapter" / "stale").write_text("of a run that was interrupted")

    def fit(_: object, __: object, output: Path, **___: object) -> Any:
        assert not (work.directory / "adapter").exists()
        (output / "training.json").write_text("{}")
        return trained(epsilon, private=math.isfinite(epsilon))

    monkeypatch.setattr("training.train.train", fit)
    result = train(work, silent)
    assert result.gates[0].verdict == verdict
    assert all(math.isfinite(gate.figure) and math.isfinite(gate.threshold) for gate in result.gates)
    json.loads(json.dumps([gate.model_dump() for gate in result.gates], allow_nan=False))
    assert sorted(item.name for item in (work.directory / "adapter").iterdir()) == ["trained_on.json", "training.json"]
    assert set(result.models) == {"smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"}


def test_stages_name_the_models_that_they_ran_on(tmp_path: Path) -> None:
    work = workspace(tmp_path, strategy="template")
    assert extract(work, silent).models in ({}, pinned("minilm"))  # patterns alone, and meaning where no keyword tells
    assert generate(work, silent).models == {}


@pytest.mark.parametrize("strategy", ["choose", "rewrite"])
@pytest.mark.filterwarnings("ignore")
def test_a_dead_provider_stops_the_stage_and_no_draft_passes_for_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Provider(follow_plan, status=500) as provider:
        work = workspace(
            tmp_path, model="openai/double", api_base=provider.base, strategy=strategy, model_share=1, timeout_s=5
        )
        extract(work, silent)
        with pytest.raises(ProviderDown, match="provider_unavailable"):
            generate(work, silent)
    assert not (work.directory / "synthetic.jsonl").exists()
    # A resumed run asks again; what short turns left nothing to ask about is done.
    assert len(_part(work).read_bytes().splitlines()) < (1 if strategy == "choose" else 3)
