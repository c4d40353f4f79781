"""The attack on the published text in a run: who is held back, what is planted, and what halts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from attacks.config import AttackConfig
from attacks.echo import attack_echo
from attacks.source_canaries import make_source_canaries
from attacks.verdict import GateReport
from evaluator.scores import Scores
from flows.config import RunConfig
from flows.errors import StageError
from flows.holding import held_back
from flows.planting import released_with
from flows.records_io import write_records
from flows.stages.attack_text import attack_text
from flows.stages.extract import extract
from flows.stages.judge import evaluate
from flows.workspace import Workspace
from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector

CONFIG = AttackConfig()
SMALL = AttackConfig(source_canaries=310, held_back=120, text_people=100)
ORDERS = ("parcel", "invoice", "router", "refund", "screen", "coffee", "ticket", "garden chair", "keyboard", "lamp")


def silent(done: int, total: int) -> None:
    pass


def source(count: int) -> list[Conversation]:
    rng = np.random.default_rng(0)
    return [
        Conversation(
            id=f"c{i}",
            domain="support",
            language="en",
            turns=(
                Turn(role="customer", text=f"Hello, my {rng.choice(ORDERS)} {i} is late, it was due on day {i % 28}."),
                Turn(role="agent", text="Sorry to hear that. When did you order?"),
                Turn(role="customer", text=f"About {rng.integers(2, 90)} days ago, in the {rng.choice(ORDERS)} shop."),
                Turn(role="agent", text="Thank you, I will look into it."),
            ),
        )
        for i in range(count)
    ]


def workspace(tmp_path: Path, count: int, config: AttackConfig) -> Workspace:
    path = tmp_path / "in.jsonl"
    records = [
        json.loads(item.model_dump_json(include={"id", "domain", "language", "turns"})) for item in source(count)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    staging = tmp_path / "staging"
    staging.mkdir()
    run = RunConfig(detector=DetectorConfig(engine="regex"), attacks=config)
    return Workspace(staging, (path,), run, None, False)


def published(work: Workspace, texts: list[str]) -> None:
    talks = [
        Conversation(id=f"seed-{i:06d}-0", turns=(Turn(role="agent", text=text),), provenance="synthetic")
        for i, text in enumerate(texts)
    ]
    write_records(work.directory / "synthetic.jsonl", talks)


@pytest.mark.parametrize(("people", "count"), [(60, 0), (499, 0), (500, 100), (600, 200), (800, 400), (5000, 400)])
def test_who_has_people_to_spare_holds_some_back(people: int, count: int) -> None:
    units = [f"person {i // 2}" for i in range(2 * people)]
    held = held_back(units, CONFIG)
    assert len({units[i] for i in held}) == count
    assert len(held) == 2 * count  # nobody stands on both sides
    assert held == held_back(units, CONFIG)
    assert not held_back(units, AttackConfig(held_back=0))


def test_planted_values_are_in_no_seed_and_no_draft() -> None:
    canaries = make_source_canaries(24, 0)
    kept, released = released_with(canaries, source(5), Detector(DetectorConfig(engine="regex")), 0, silent)
    assert kept == canaries
    assert all('"flow"' in text and "\n" in text for text in released)
    assert attack_echo(kept, released, [], CONFIG).successes == 0
    said = [f"{text}\n{canary.said('en')}" for text, canary in zip(released, kept, strict=True)]
    assert attack_echo(kept, said, [], CONFIG).successes == 24


def test_a_small_source_is_watched_and_seeding_is_proven(tmp_path: Path) -> None:
    work = workspace(tmp_path, 30, SMALL)
    extract(work, silent)
    published(work, ["How can I help?", "Your order is on its way."])
    result = attack_text(work, silent)
    assert [(gate.name, gate.verdict) for gate in result.gates] == [("attacks.source_canaries", "pass")]
    report = GateReport.model_validate_json((work.directory / "attacks.json").read_text())
    rows = {row.name: (row.bearing, row.trials, row.verdict) for row in report.attacks}
    assert rows == {"source_canaries": ("gate", 310, "pass"), "text_only": ("watch", 30, "inconclusive")}
    assert report.verdict == "pass"


def test_people_are_held_back_and_a_copied_source_halts(tmp_path: Path) -> None:
    work = workspace(tmp_path, 240, SMALL.model_copy(update={"source_canaries": 6}))
    counts = extract(work, silent).counts
    assert (counts["held_back"], counts["seeds"]) == (120, 120)
    talks = source(240)
    # Who is held back is drawn by a random key. Beside 70 controls 8 leaked people are the least that can be
    # told from chance, and no longer once a control stands above; 24 are told whatever the draw.
    leaked = [" ".join(turn.text for turn in talks[i].turns) for i in range(240) if i not in work.held_back][:24]
    published(work, ["How can I help?", *leaked])
    gates = {gate.name: gate.verdict for gate in attack_text(work, silent).gates}
    assert gates["attacks.text_only"] == "fail"


def test_memorisation_of_a_run_stands_beside_those_held_back(tmp_path: Path) -> None:
    """What a set shares with people who were seeded, and with as random a part that was not."""
    work = workspace(tmp_path, 240, SMALL.model_copy(update={"source_canaries": 6}))
    records = [json.loads(line) for line in work.inputs[0].read_text().splitlines()]
    for number, record in enumerate(records):
        record["turns"][2]["text"] = " ".join(f"word{number}x{place}" for place in range(20))
    work.inputs[0].write_text("".join(json.dumps(record) + "\n" for record in records))
    extract(work, silent)
    told = [record["turns"][2]["text"] for i, record in enumerate(records) if i not in work.held_back]
    published(work, told[:12])
    evaluate(work, silent)
    scores = Scores.model_validate_json((work.directory / "scores.json").read_text())
    people = scores.memorization_sources
    assert people is not None
    assert (people.used, people.held_back, people.held_back_copied) == (120, 120, 0)
    assert people.used_copied == 12
    assert people.low > 0
    assert (scores.memorization_rate, scores.memorization_control) == (1.0, 0.0)


def test_an_input_that_changed_meanwhile_stops_the_stage(tmp_path: Path) -> None:
    work = workspace(tmp_path, 3, SMALL)
    extract(work, silent)
    published(work, ["How can I help?"])
    work.inputs[0].write_text(work.inputs[0].read_text().replace("Sorry", "Oh dear"))
    with pytest.raises(StageError, match="changed"):
        attack_text(work, silent)
