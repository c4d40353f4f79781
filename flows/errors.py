"""What can go wrong in a run, and what the command line does next.

::

    FlowsError
    ├── UsageError        misuse or a bad setting; one line on stderr, exit 2
    ├── RunExistsError    the run's directory is taken or in use; exit 2
    ├── CertificateError  nothing is signed: a figure does not carry it, or the key is not usable; exit 2
    └── StageError        a stage stopped on a fault of its own; exit 2, the run can be resumed

A failed gate is not here: it is a verdict, and ends in run.json. No message quotes text of an input.
"""

from __future__ import annotations


class FlowsError(Exception):
    """Root of the errors that the command line turns into exit code 2."""


class UsageError(FlowsError):
    """Misuse of a command, or a setting out of range."""


class RunExistsError(FlowsError):
    """The run's directory already holds something, or another process works in it."""


class CertificateError(FlowsError):
    """A run may not be certified, or the key to sign or check with cannot be used."""


class StageError(FlowsError):
    """A stage stopped.

    Attributes:
        stage: the stage's name.
        kind: class name of the original fault, or a fixed label; never its message unless it is one of ours.
    """

    def __init__(self, stage: str, kind: str) -> None:
        self.stage, self.kind = stage, kind
        super().__init__(f"stage {stage} stopped: {kind}")
