"""The `semilla` command: a window on the house; every verb imports what it needs when it is called."""

from __future__ import annotations

from collections.abc import Callable

import typer

from flows.commands import (
    bench,
    bench_scale,
    bench_scpi,
    bench_seeds,
    bench_training,
    data,
    export,
    init,
    model,
    proof,
    report,
    review,
    risk,
    run,
    sensitive,
    serve,
)

app = typer.Typer(
    name="semilla",
    help="Private conversations in; synthetic data that can be proven to hold nobody out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

COMMANDS: tuple[Callable[..., None], ...] = (
    init.init,
    run.run,
    data.detect,
    data.deidentify,
    risk.risk,
    data.seed,
    data.validate,
    data.generate,
    data.evaluate,
    export.export,
    model.train,
    model.attack,
    proof.certify,
    proof.verify,
    proof.publish,
    serve.serve,
    proof.prove,
    proof.revoke,
    report.report,
    proof.doctor,
)

for command in COMMANDS:
    app.command()(command)
bench.app.command()(bench_seeds.seeds)
bench.app.command()(bench_scpi.scpi)
bench.app.command()(bench_scale.scale)
bench.app.command()(bench_training.training)
app.add_typer(bench.app)
app.add_typer(review.app)
app.add_typer(sensitive.app)
