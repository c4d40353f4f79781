"""`python -m flows` is the `semilla` command."""

from flows.cli import app

app(prog_name="semilla")
