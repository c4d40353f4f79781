"""Verbs that measure what judges and what is made: `bench quality` by corruptions, `bench utility` on real turns."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console import ConfigPath, Json, finish, guarded, require_file

if TYPE_CHECKING:
    from evaluator.bench import QualityBench
    from seed_engine.conversation import Conversation


class Half(StrEnum):
    """Which conversations are taken."""

    all = "all"
    seen = "seen"
    unseen = "unseen"


class Strangers(StrEnum):
    """Whose turns are mixed in."""

    same = "same"
    any = "any"


@guarded
def quality(
    data: Annotated[Path, typer.Option(help="Folder of good conversations, or one file; each file is a set.")],
    half: Annotated[
        Half, typer.Option(help="unseen: what the shipped network never saw (by id); seen; all.")
    ] = Half.unseen,
    strangers: Annotated[
        Strangers, typer.Option(help="same: from the same set, the harder test; any: from all sets.")
    ] = Strangers.same,
    limit: Annotated[int, typer.Option(min=2, help="Most conversations of each set.")] = 500,
    seed: Annotated[int, typer.Option(help="Of the corruptions.")] = 0,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Which measure sees which corruption: AUC with 95% intervals, by set; and how many good ones pass."""
    from evaluator.bench import half_of, quality_bench
    from evaluator.embedding import embed
    from flows.config import load_config
    from flows.progress import progress_bar

    settings = load_config(config).evaluator
    sets = {name: half_of(talks, half.value)[:limit] for name, talks in _sets(data).items()}
    pool = [talk for talks in sets.values() for talk in talks] if strangers is Strangers.any else []
    results: dict[str, QualityBench] = {}
    with progress_bar("bench") as advance:
        for name, talks in sets.items():
            if sum(len(talk.turns) >= 4 for talk in talks) >= 2:
                results[name] = quality_bench(talks, embed, config=settings, strangers=pool, seed=seed)
            advance(len(results), len(sets))
    payload = {name: _payload(result) for name, result in results.items()}
    lines = [line for name, result in results.items() for line in _lines(name, result)]
    finish({"half": half.value, "strangers": strangers.value, "sets": payload}, lines, as_json=as_json)


@guarded
def utility(
    synthetic: Annotated[Path, typer.Argument(metavar="SYNTHETIC", help="synthetic.jsonl or rendered.jsonl")],
    seeds: Annotated[Path, typer.Option(help="The seeds it was made from; they say what each turn does.")],
    train: Annotated[Path, typer.Option(help="Real turns with acts to train on.")],
    test: Annotated[Path, typer.Option(help="Real turns with acts to test on.")],
    seed: Annotated[int, typer.Option(help="Of the draw of training turns.")] = 0,
    as_json: Json = False,
) -> None:
    """Train on synthetic, test on real: accuracy in naming what a turn does, beside training on as many real turns."""
    from dataclasses import asdict

    from evaluator.embedding import embed
    from evaluator.utility import utility as compare
    from flows.errors import UsageError
    from flows.labelled import real_turns, synthetic_turns

    turns = synthetic_turns(require_file(synthetic), require_file(seeds))
    learnt, asked = real_turns(require_file(train)), real_turns(require_file(test))
    if not turns or not learnt or not asked:
        raise UsageError("no turn of the synthetic set has a seed, or a real set is empty")
    result = compare(turns, learnt, asked, embed, seed=seed)
    lines = [
        f"trained on synthetic  {_figure(result.synthetic.value, result.synthetic.low, result.synthetic.high)}",
        f"trained on real       {_figure(result.real.value, result.real.low, result.real.high)}",
        f"most frequent label   {result.guess:.3f}",
        f"ratio                 {result.ratio:.3f}   ({result.trained} turns trained, {result.tested} tested)",
    ]
    finish(asdict(result), lines, as_json=as_json)


def _sets(data: Path) -> dict[str, list[Conversation]]:
    from flows.errors import UsageError
    from seed_engine.readers import read_conversations

    files = sorted(data.glob("*.jsonl")) if data.is_dir() else [require_file(data)]
    if not files:
        raise UsageError(f"{data}: no *.jsonl in it")
    return {file.stem: list(read_conversations(file)) for file in files}


def _payload(result: QualityBench) -> dict[str, object]:
    auc = {
        measure: {name: {"auc": found.value, "low": found.low, "high": found.high} for name, found in row.items()}
        for measure, row in result.table.items()
    }
    return {"conversations": result.conversations, "passing": result.passing, "auc": auc}


def _lines(name: str, result: QualityBench) -> list[str]:
    columns = list(next(iter(result.table.values())))
    lines = [f"{name}: {result.conversations} conversations, {result.passing:.3f} pass"]
    lines.append(" " * 17 + "".join(f"{column:>23}" for column in columns))
    for measure, row in result.table.items():
        lines.append(f"{measure:<17}" + "".join(f"{_figure(a.value, a.low, a.high):>23}" for a in row.values()))
    return lines


def _figure(value: float, low: float, high: float) -> str:
    return f"{value:.3f} ({low:.3f}-{high:.3f})"
