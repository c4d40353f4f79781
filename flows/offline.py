"""Switches that keep every library at home, set before any of them is imported.

Nothing is phoned home and nothing is downloaded unless the user's own environment says otherwise: each switch is a
default (`setdefault`), so that a team with its own Prefect server or model hub keeps it.
"""

from __future__ import annotations

import contextlib
import os
import resource

_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    # What went wrong is told once, by the command; Prefect would add a traceback.
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    # The default is too short for a machine that is busy with models.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
}


def stay_offline() -> None:
    """Set the switches; importing `flows` does, so that they stand before any engine is imported."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)


def keep_private() -> None:
    """Make every file that this process creates readable by its owner alone, and let a crash leave no core dump.

    A core dump is the process's memory, texts of the input among it; children inherit both.
    """
    os.umask(0o077)
    with contextlib.suppress(OSError, ValueError):
        # One byte is too little for a file, as none would be. And Linux hands a dump to a handler whatever the limit
        # (`core_pattern` with a pipe: systemd-coredump, apport), except at exactly one (fs/coredump.c, coredump_pipe).
        # Both limits: a library could raise the soft one again.
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
