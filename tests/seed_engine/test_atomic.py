"""Whole or not at all, whatever interrupts; one writer in the house, and no other."""

from __future__ import annotations

import ast
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from seed_engine.atomic import atomic_folder, atomic_path, atomic_text

ROOT = Path(__file__).resolve().parents[2]


class Stop(BaseException):
    """As Ctrl-C and a signal are: no `Exception`."""


@pytest.mark.parametrize("fault", [ValueError, Stop, KeyboardInterrupt])
@pytest.mark.parametrize("old", [None, "old"])
def test_a_fault_or_interrupt_leaves_what_was_there(
    tmp_path: Path, fault: type[BaseException], old: str | None
) -> None:
    target = tmp_path / "a.jsonl"
    if old is not None:
        target.write_text(old)

    def write() -> None:
        with atomic_path(target) as path:
            path.write_text("half")
            assert target.exists() == (old is not None)
            raise fault

    with pytest.raises(fault):
        write()
    assert [item.read_text() for item in tmp_path.iterdir()] == ([] if old is None else [old])


def test_the_file_is_private_and_its_temporary_says_nothing_of_it(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "quenvarius.txt") as path:
        assert "quenvarius" not in path.name
        assert path.name.startswith(".")
        assert path.suffix == ".part"
        path.write_text("x")
    assert stat.S_IMODE((tmp_path / "quenvarius.txt").stat().st_mode) == 0o600


def test_the_first_of_two_makers_wins_where_asked(tmp_path: Path) -> None:
    for text in ("first", "second"):
        with atomic_path(tmp_path / "key", replace=False) as path:
            path.write_text(text)
    assert (tmp_path / "key").read_text() == "first"
    assert [item.name for item in tmp_path.iterdir()] == ["key"]


def test_a_link_is_followed_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    atomic_text(tmp_path / "link", "new\r\n")
    assert (tmp_path / "real").read_bytes() == b"new\r\n"
    assert (tmp_path / "link").is_symlink()
    with atomic_path(Path("/dev/null")) as path:
        assert path == Path("/dev/null")


def test_the_longest_name_that_a_file_can_have(tmp_path: Path) -> None:
    atomic_text(tmp_path / ("x" * 255), "whole")
    assert (tmp_path / ("x" * 255)).read_text() == "whole"


@pytest.mark.parametrize("fault", [ValueError, Stop])
def test_a_folder_is_published_in_one_rename_or_not_at_all(tmp_path: Path, fault: type[BaseException]) -> None:
    def fill(*, fail: bool) -> None:
        with atomic_folder(tmp_path / "adapter") as folder:
            (folder / "sub").mkdir()
            (folder / "sub" / "weights").write_text("w")
            assert not (tmp_path / "adapter").exists()
            if fail:
                raise fault

    with pytest.raises(fault):
        fill(fail=True)
    assert list(tmp_path.iterdir()) == []
    fill(fail=False)
    assert (tmp_path / "adapter" / "sub" / "weights").read_text() == "w"
    assert [item.name for item in tmp_path.iterdir()] == ["adapter"]


def test_a_folder_that_holds_something_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter" / "mine").write_text("keep")

    def fill() -> None:
        with atomic_folder(tmp_path / "adapter") as folder:
            (folder / "weights").write_text("w")

    with pytest.raises(OSError, match="not empty"):
        fill()
    assert [item.name for item in (tmp_path / "adapter").iterdir()] == ["mine"]
    assert [item.name for item in tmp_path.iterdir()] == ["adapter"]


def _renames(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        # Not fsync: a journal that is appended to flushes as well.
        if not isinstance(node, ast.Attribute) or node.attr not in {"mkstemp", "NamedTemporaryFile", "replace"}:
            continue
        if isinstance(node.value, ast.Name) and node.value.id in {"os", "tempfile"}:
            yield f"{path.relative_to(ROOT)}: {node.value.id}.{node.attr}"


def test_nobody_else_in_the_house_writes_around_it() -> None:
    """Moving a figure out of staging, appending to a journal, publishing what grew for hours: no file written whole."""
    packages = ("seed_engine", "generator", "evaluator", "training", "attacks", "flows")
    rooms = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    found = {line for path in rooms for line in _renames(path)} - {
        "seed_engine/atomic.py: os.fsync",
        "seed_engine/atomic.py: os.replace",
        "flows/rundir.py: os.replace",
        "flows/sensitive_resume.py: os.replace",
        "flows/stages/generate.py: os.fsync",
    }
    assert found == set()
