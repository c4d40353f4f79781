"""What every command does before it does anything: files for the owner alone, and no core dump."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

CRASH = """
import os, resource, signal
from flows.offline import keep_private
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
keep_private()
print(*resource.getrlimit(resource.RLIMIT_CORE), flush=True)
open("made", "w").close()
os.kill(os.getpid(), signal.SIGABRT)
"""


def test_a_crash_leaves_no_memory_behind_and_files_are_the_owners(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CRASH]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGABRT
    # Where nobody may have a core dump anyway, the limit cannot be raised to one.
    assert done.stdout.split() in (["1", "1"], ["0", "0"] if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0 else [])
    assert {path.name for path in tmp_path.iterdir()} == {"made"}
    assert os.stat(tmp_path / "made").st_mode & 0o077 == 0
