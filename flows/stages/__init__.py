"""The stages of a run, in order: each reads and writes files of the workspace and tells counts and gates.

Plain functions `(Workspace, Advance) -> StageResult`; `flows.pipeline` makes a Prefect task of each. Heavy engines are
imported inside, by the stage that needs them. What takes long and leaves figures is `Finishing`: done once on the same
things, however often the run is ended. Extraction keeps its shards, generation its conversations, training its adapter.
"""

from __future__ import annotations

from flows.finished import Finishing, Stage
from flows.stages.attack_text import attack_text
from flows.stages.extract import extract
from flows.stages.generate import generate
from flows.stages.judge import evaluate, validate
from flows.stages.model import attack, train
from flows.stages.render import render

_SET = ("seeds.jsonl", "synthetic.jsonl")

STAGES: dict[str, Stage] = {
    "extract": extract,
    "validate": validate,
    "generate": generate,
    "evaluate": Finishing("evaluate", evaluate, _SET, "scores.json"),
    "attack_text": Finishing("attack_text", attack_text, _SET, "attacks.json"),
    "render": Finishing("render", render, _SET, "rendered.jsonl"),
    "train": train,
    "attack": Finishing("attack", attack, (*_SET, "attacks.json", "adapter"), "attacks.json"),
}
