"""Files and folders that appear whole or not at all: written beside their place, flushed to disk, then renamed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.part")


@contextlib.contextmanager
def atomic_path(target: Path, *, replace: bool = True) -> Iterator[Path]:
    """A path to write to; what is written there becomes `target` when the block ends without a fault.

    A link is followed. What is no regular file (`/dev/null`, a pipe) cannot be renamed onto and is written directly.

    Args:
        target: the file, in a folder that exists.
        replace: False leaves a file that is there already alone: of two processes that make it, the first wins.

    Guarantees:
        Whoever opens `target` reads the old file or the whole new one, readable by its owner alone. A fault or an
        interrupt leaves no temporary, whose name tells nothing of the target's.
    """
    target = target.resolve()
    if target.exists() and not target.is_file():
        yield target
        return
    temporary = _beside(target)
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield temporary
        _flush(temporary)
        if replace:
            os.replace(temporary, target)
        else:
            with contextlib.suppress(FileExistsError):
                os.link(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    flush_folder(target.parent)


def atomic_text(target: Path, text: str) -> None:
    """Write a UTF-8 file, as `atomic_path` does."""
    with atomic_path(target) as path:
        path.write_text(text, "utf-8", newline="")


@contextlib.contextmanager
def atomic_folder(target: Path) -> Iterator[Path]:
    """A folder to write into (0700); it becomes `target`, in one rename, when the block ends without a fault.

    Args:
        target: must not exist, or be an empty folder.

    Guarantees:
        `target` is never seen half-filled. A fault or an interrupt leaves nothing.
    """
    target = target.resolve()
    temporary = _beside(target)
    try:
        temporary.mkdir(mode=0o700)
        yield temporary
        for folder, _, files in os.walk(temporary):
            for name in files:
                _flush(Path(folder) / name)
            flush_folder(Path(folder))
        temporary.rename(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    flush_folder(target.parent)


def flush_folder(folder: Path) -> None:
    """Make a rename inside a folder survive a power cut."""
    _flush(folder)


def remove_unfinished(folder: Path) -> None:
    """Remove what a killed process was writing below a folder; nobody may be writing there now."""
    for path in folder.rglob(".*.part"):
        if _TEMPORARY.fullmatch(path.name):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _beside(target: Path) -> Path:
    return target.parent / f".{token_hex(8)}.part"


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
