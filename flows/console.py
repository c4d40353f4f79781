"""What a command prints and how it ends: lines for people, one JSON object for scripts, the contract's exit codes."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import typer

from flows.errors import FlowsError, UsageError
from flows.interrupts import interruptible, signal_of
from flows.offline import keep_private
from flows.sealed import sealed

PASSED, FAILED, MISUSE, INCONCLUSIVE = 0, 1, 2, 3
EXIT_CODES = {"pass": PASSED, "fail": FAILED, "inconclusive": INCONCLUSIVE}

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line on stdout.")]
ConfigPath = Annotated[Path | None, typer.Option("--config", help="semilla.toml; the defaults without it.")]

P = ParamSpec("P")


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Make a command offline, sealed and interruptible, without a traceback.

    A fault becomes one line on stderr and exit code 2; Ctrl-C and SIGTERM clean up and become 130 and 143.
    """

    @functools.wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        keep_private()
        exit_code = MISUSE
        try:
            with interruptible():
                sealed(command.__name__, command, *args, **kwargs)
            return
        except FlowsError as error:
            fault = str(error)
        except BaseException as error:
            ended_by = signal_of(error)
            if ended_by is None:
                raise
            fault, exit_code = f"ended by {ended_by.name}", 128 + ended_by
        if kwargs.get("as_json"):
            typer.echo(json.dumps({"error": fault, "exit_code": exit_code}))
        typer.echo(f"semilla: {fault}", err=True)
        raise SystemExit(exit_code)

    return wrapper


def finish(payload: Mapping[str, Any], lines: Sequence[str], *, as_json: bool, exit_code: int = PASSED) -> None:
    """Print the outcome and leave with its exit code.

    Args:
        payload: what `--json` prints, as the last line on stdout.
        lines: what a person reads instead.
        as_json: which of the two.
        exit_code: 0 passed, 1 a gate failed, 2 misuse, 3 inconclusive.
    """
    if as_json:
        typer.echo(json.dumps({**payload, "exit_code": exit_code}, ensure_ascii=False))
    else:
        for line in lines:
            typer.echo(line)
    if exit_code:
        sys.stdout.flush()
        raise SystemExit(exit_code)


def require_file(path: Path) -> Path:
    """The path, if it is a readable file.

    Raises:
        UsageError: it is not.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    return path


def require_parent(path: Path) -> Path:
    """The path of an output, its folder made if missing."""
    path.absolute().parent.mkdir(parents=True, exist_ok=True)
    return path
