"""`semilla bench seeds`: what a private release keeps of its source, what it costs, and what k-anonymity leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console import FAILED, INCONCLUSIVE, PASSED, Json, finish, guarded

if TYPE_CHECKING:
    from seed_engine.seed import Seed

# What is promised at epsilon 3 with 5,000 subjects; the other features are printed beside.
PROMISED, LIMIT = ("lengths", "acts", "topics"), 0.10


@guarded
def seeds(
    source: Annotated[
        Path | None, typer.Option("--seeds", help="seeds.jsonl, each seed a subject; invented people without it.")
    ] = None,
    subjects: Annotated[int, typer.Option(min=2, max=999_999, help="How many to invent.")] = 5000,
    epsilon: Annotated[float, typer.Option(min=0.01, max=100, help="Privacy loss of the release.")] = 3.0,
    delta: Annotated[float, typer.Option(min=1e-12, max=0.1)] = 1e-5,
    k: Annotated[int, typer.Option(min=2, help="For the k-anonymous release.")] = 5,
    as_json: Json = False,
) -> None:
    """Total variation between source seeds and a differentially private release; classes of a k-anonymous one."""
    from flows.seed_bench import anonymity_row, private_rows

    people = tuple(_people(source, subjects))
    if not people:
        finish({"subjects": 0}, ("no seeds: nothing was compared",), as_json=as_json, exit_code=INCONCLUSIVE)
        return
    rows, cost = private_rows(people, epsilon, delta)
    classes = anonymity_row(people, k)
    kept = all(row["released"] <= LIMIT for row in rows if row["feature"] in PROMISED)
    lines = [
        f"{len(people)} subjects, epsilon {epsilon:g}, delta {delta:g}: {cost['seeds']} seeds in {cost['seconds']} s",
        f"{'total variation':18} released  chance",
        *(f"{row['feature']:18} {row['released']:8.4f}  {row['chance']:6.4f}" for row in rows),
        f"promised: {', '.join(PROMISED)} within {LIMIT:g}: {'yes' if kept else 'no'}",
        f"k = {k}: {classes['unique_before']} combinations shared by fewer than {k} subjects, "
        f"{classes['unique_after']} afterwards; {classes['suppressed']} seeds suppressed, {classes['classes']} classes",
    ]
    passed = kept and not classes["unique_after"]
    payload = {"epsilon": epsilon, "delta": delta, "subjects": len(people), "features": rows, "cost": cost}
    payload |= {"anonymity": classes, "limit": LIMIT}
    finish(payload, lines, as_json=as_json, exit_code=PASSED if passed else FAILED)


def _people(source: Path | None, subjects: int) -> tuple[tuple[str, Seed], ...]:
    import numpy as np

    from flows.console import require_file
    from flows.records_io import read_records
    from seed_engine.errors import InputError
    from seed_engine.schema import violations
    from seed_engine.seed import Seed as SeedRecord
    from seed_engine.seed_population import population

    if source is None:
        return tuple(population(subjects, np.random.default_rng(0)))
    people = tuple((seed.id, seed) for seed in read_records(require_file(source), SeedRecord))
    # A label outside the vocabulary has no place in the vector that noise is added to.
    for number, (_, seed) in enumerate(people, 1):
        if violations(seed):
            raise InputError(str(source), number, "not a valid seed; `semilla validate` says why")
    return people
