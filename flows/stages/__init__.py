"""The stages of a run, in order: each reads and writes files of the workspace and tells counts and gates.

Plain functions `(Workspace, Advance) -> StageResult`; `flows.pipeline` makes a Prefect task of each. Heavy engines are
imported inside, by the stage that needs them.
"""

from __future__ import annotations

from collections.abc import Callable

from flows.progress import Advance
from flows.stages.attack_text import attack_text
from flows.stages.extract import extract
from flows.stages.generate import generate
from flows.stages.judge import evaluate, validate
from flows.stages.model import attack, train
from flows.stages.render import render
from flows.workspace import StageResult, Workspace

Stage = Callable[[Workspace, Advance], StageResult]

STAGES: dict[str, Stage] = {
    "extract": extract,
    "validate": validate,
    "generate": generate,
    "evaluate": evaluate,
    "attack_text": attack_text,
    "render": render,
    "train": train,
    "attack": attack,
}
