from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluator.corruptions import CORRUPTIONS
from evaluator.metrics.acts import FAMILY
from flows.cli import app
from flows.errors import UsageError
from flows.labelled import SGD_FAMILIES, real_turns, synthetic_turns
from seed_engine.conversation import Conversation, Turn
from seed_engine.seed import FlowStep, Seed
from tests.evaluator.dialogues import good_conversations

ACTS = {"Which one do you mean?": "REQUEST", "The blue one, in large.": "INFORM", "Yes, that is right.": "AFFIRM"}


def marked(path: Path) -> Path:
    turns = [{"role": "user", "text": text, "acts": [{"act": act}]} for text, act in ACTS.items()]
    path.write_text("".join(json.dumps({"id": str(n), "turns": turns}) + "\n" for n in range(8)), "utf-8")
    return path


def made(folder: Path) -> tuple[Path, Path]:
    acts = ("setQuestion", "answer", "confirm")
    flow = tuple(FlowStep(role="customer", act=act, topic="delivery") for act in acts)
    seed = Seed(
        id="seed-000001",
        domain="support",
        language="en",
        roles=("customer",),
        objective="track_delivery",
        tone="neutral",
        flow=flow,
        turn_range="1-4",
    )
    turns = tuple(Turn(role="customer", text=text) for text in ACTS)
    talk = Conversation(id="syn-1", turns=turns, seed_id=seed.id, provenance="synthetic")
    (folder / "seeds.jsonl").write_text(seed.model_dump_json() + "\n", "utf-8")
    (folder / "synthetic.jsonl").write_text((talk.model_dump_json() + "\n") * 4, "utf-8")
    return folder / "synthetic.jsonl", folder / "seeds.jsonl"


def test_quality_prints_every_auc_with_its_interval_and_no_text(tmp_path: Path) -> None:
    lines = (talk.model_dump_json(include={"id", "turns"}) for talk in good_conversations())
    (tmp_path / "own.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    done = CliRunner().invoke(app, ["bench", "quality", "--data", str(tmp_path), "--half", "all", "--json"])
    assert done.exit_code == 0
    result = json.loads(done.stdout.strip().splitlines()[-1])["sets"]["own"]
    assert result["conversations"] == 12
    assert set(result["auc"]["composite"]) == set(CORRUPTIONS)
    assert all(row["low"] <= row["auc"] <= row["high"] for row in result["auc"]["composite"].values())
    assert "kettle" not in done.output


def test_utility_is_whole_where_synthetic_turns_are_the_real_ones(tmp_path: Path) -> None:
    synthetic, seeds = made(tmp_path)
    train, test = marked(tmp_path / "train.jsonl"), marked(tmp_path / "test.jsonl")
    arguments = ["bench", "utility", str(synthetic), "--seeds", str(seeds), "--train", str(train), "--test", str(test)]
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout.strip().splitlines()[-1])["ratio"] == 1.0


def test_labels_of_both_sides_are_the_same_families(tmp_path: Path) -> None:
    assert set(SGD_FAMILIES.values()) <= set(FAMILY.values())
    found = [(turn.text, turn.before, turn.label) for turn in real_turns(marked(tmp_path / "real.jsonl"))[:3]]
    assert [label for _, _, label in found] == ["ask", "tell", "yes"]
    assert [before for _, before, _ in found] == ["", *list(ACTS)[:2]]
    assert [turn.label for turn in synthetic_turns(*made(tmp_path))[:3]] == ["ask", "tell", "yes"]


def test_a_rendered_set_is_read_as_well(tmp_path: Path) -> None:
    synthetic, seeds = made(tmp_path)
    place = {"turn": 0, "start": 0, "end": 4, "marker": "[DATE_1]"}
    lines = (json.loads(line) | {"surrogates": [place]} for line in synthetic.read_text("utf-8").splitlines())
    synthetic.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    assert [turn.label for turn in synthetic_turns(synthetic, seeds)[:3]] == ["ask", "tell", "yes"]


def test_a_set_without_acts_is_misuse(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text(json.dumps({"id": "1", "turns": [{"role": "user", "text": "hello"}]}) + "\n", "utf-8")
    with pytest.raises(UsageError, match="acts"):
        real_turns(path)
