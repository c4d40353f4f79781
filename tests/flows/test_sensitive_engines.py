"""Scans that are killed, and scans on a cluster: no line lost, none doubled, the same hits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.errors import RunExistsError, UsageError
from flows.sensitive_blocks import blocks
from flows.sensitive_cluster import scan_cluster
from flows.sensitive_inputs import numbered, piece_lines, pieces_of, whole_files
from flows.sensitive_local import scan_local
from flows.sensitive_resume import ResumableFile
from flows.sensitive_work import ScanSpec, documents_of
from seed_engine.errors import InputError
from tests.flows.sensitive_double import Load, write

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys
from pathlib import Path
from flows.sensitive_inputs import fingerprint, whole_files
from flows.sensitive_local import scan_local
from flows.sensitive_work import ScanSpec
from tests.flows.sensitive_double import Load

if __name__ == "__main__":
    files, spec = whole_files([sys.argv[1]]), ScanSpec(load=Load(0.0004), all=True)
    print(*scan_local(files, spec, Path(sys.argv[2]), fingerprint(files, ""), 2, lambda texts, read: None))
"""


def started(source: Path, output: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, str(source), str(output)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)


def children(pid: int) -> list[int]:
    return [int(name) for name in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def waited(until: Callable[[], Any], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)


WEIGHED = (
    SCRIPT
    + """
    import resource
    own, judging = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(own.ru_maxrss, judging.ru_maxrss, own.ru_utime + own.ru_stime, judging.ru_utime + judging.ru_stime)
"""
)


def weighed(source: Path, output: Path) -> list[float]:
    command = [sys.executable, "-c", WEIGHED, str(source), str(output)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [float(figure) for figure in done.stdout.splitlines()[-1].split()]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz"])
def test_memory_does_not_grow_and_the_reader_leaves_the_cores_to_the_judges(name: str, tmp_path: Path) -> None:
    """On an idle machine two cores would then do 1.9 times the work of one: reading is less than a twentieth."""
    # Both fill more blocks than are under way at once.
    few = weighed(write(tmp_path / name, 25_000), tmp_path / "few")
    many = weighed(write(tmp_path / name, 75_000), tmp_path / "many")
    assert many[0] < few[0] + 30_000  # KiB
    assert many[1] < few[1] + 30_000
    assert many[2] - few[2] < 0.05 * (many[3] - few[3])


# Not `ru_maxrss`: a child's begins at what its parent held when it was started.
READING = """
import sys
from pathlib import Path
from flows.sensitive_blocks import blocks
from flows.sensitive_inputs import whole_files
print(sum(1 for _ in blocks(*whole_files(sys.argv[1:]))))
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.slow
def test_row_groups_that_were_read_do_not_stay_in_memory(tmp_path: Path) -> None:
    """30 MiB are left for what an allocator keeps; read ahead, 300,000 rows more held 260 MiB more."""
    import pyarrow
    import pyarrow.parquet

    peaks = []
    for count in (100_000, 400_000):
        texts = [f"{number}{chr(0x3042 + number % 80) * 300}" for number in range(count)]
        path = tmp_path / f"{count}.parquet"
        pyarrow.parquet.write_table(
            pyarrow.table({"text": texts}), path, row_group_size=50_000, compression="none", use_dictionary=False
        )
        command = [sys.executable, "-c", READING, str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout.split()[1]))
    assert peaks[1] < peaks[0] + 30_000  # KiB


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.parquet"])
def test_a_killed_scan_goes_on_and_ends_as_if_it_had_not_been(name: str, tmp_path: Path) -> None:
    count = 30_000
    source, output, state = write(tmp_path / name, count), tmp_path / "hits.jsonl", tmp_path / ".hits.jsonl.state"
    run = started(source, output)
    waited(state.exists)
    judging = children(run.pid)
    os.kill(run.pid, signal.SIGKILL)  # the writer alone: its processes must notice by themselves
    run.communicate()
    assert not output.exists()
    waited(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in judging))
    part = tmp_path / ".hits.jsonl.part"
    with part.open("ab") as file:
        file.write(b'{"id": "half a li')  # as if a block had been under way to the disk
    done = started(source, output).communicate(timeout=120)[0]
    resumed = int(done.rsplit(maxsplit=1)[1])
    assert 0 < resumed < count
    assert [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()] == [
        f"t{number}" for number in range(count)
    ]
    assert sorted(tmp_path.iterdir()) == sorted([source, output])


def test_another_corpus_or_setting_starts_anew(tmp_path: Path) -> None:
    output = tmp_path / "o.jsonl"
    with ResumableFile(output, "a") as out:
        out.append(b"1\n", {"at": 1})
    with ResumableFile(output, "a") as out:
        assert out.state == {"at": 1}
    with ResumableFile(output, "b") as out:
        assert out.state is None
        out.append(b"2\n", {"at": 1})
        out.publish()
    assert output.read_bytes() == b"2\n"


def test_two_scans_do_not_write_to_one_output(tmp_path: Path) -> None:
    output = tmp_path / "o.jsonl"
    with ResumableFile(output, "a"), pytest.raises(RunExistsError), ResumableFile(output, "a"):
        pass


@pytest.mark.parametrize("spoiled", ["{}", "[", '{"fingerprint": "a", "written": 99, "state": {}}', '{"written": "x"}'])
def test_a_spoiled_state_starts_anew(spoiled: str, tmp_path: Path) -> None:
    (tmp_path / ".o.state").write_text(spoiled)
    (tmp_path / ".o.part").write_bytes(b"1\n")
    with ResumableFile(tmp_path / "o", "a") as out:
        assert out.state is None
        out.publish()
    assert (tmp_path / "o").read_bytes() == b""


def in_turn(work: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[Any]:
    """An engine that runs tasks here, the last first: they come in no order."""
    return (work(job) for job in reversed(list(jobs)))


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 1 << 20])
def test_pieces_hold_every_line_once_with_its_number(size: int, tmp_path: Path) -> None:
    source = tmp_path / "c.jsonl"
    source.write_bytes(b"\n".join(b'{"text": "%d"}' % number for number in range(50)) + b"\n\n" + b'{"text": "last"}')
    pieces = list(pieces_of(whole_files([str(source)]), size))
    found = []
    for piece in numbered(pieces, [piece_lines(piece) for piece in pieces]):
        for block in blocks(piece, size=13):
            found += [(item.line, item.id) for item in documents_of(block)]
    lines = [*range(1, 51), 52]
    assert found == [(line, f"line-{line}") for line in lines]


def test_partitions_are_the_lines_of_the_local_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl.gz", "c.parquet"):
        write(folder / name, 500)
    monkeypatch.setattr("flows.sensitive_inputs.PIECE_BYTES", 5000)
    files, spec = whole_files([str(folder)]), ScanSpec(load=Load(), all=True)
    scan_local(files, spec, tmp_path / "hits.jsonl", "x", 1, lambda texts, read: None)
    output = tmp_path / "out"
    tally, resumed = scan_cluster(files, spec, str(output), "x", in_turn, lambda done, total: None)
    assert (tally.texts, resumed) == (1500, 0)
    parts = sorted(output.glob("part-*.jsonl"))
    assert len(parts) > 10
    assert b"".join(part.read_bytes() for part in parts) == (tmp_path / "hits.jsonl").read_bytes()
    parts[3].with_suffix(".done").unlink()
    kept = {part: part.stat().st_ino for part in parts}
    again, resumed = scan_cluster(files, spec, str(output), "x", in_turn, lambda done, total: None)
    assert (again, again.texts > resumed > 0) == (tally, True)
    assert [part for part in parts if part.stat().st_ino != kept[part]] == [parts[3]]
    with pytest.raises(UsageError, match="another folder"):
        scan_cluster(files, spec, str(output), "y", in_turn, lambda done, total: None)


def test_partitions_go_to_an_object_store(tmp_path: Path) -> None:
    source = write(tmp_path / "c.jsonl", 300)
    files, spec = whole_files([str(source)]), ScanSpec(load=Load(), all=True)
    tally, _ = scan_cluster(files, spec, "memory://hits", "x", in_turn, lambda done, total: None)
    import fsspec

    system = fsspec.filesystem("memory")
    assert system.cat_file("/hits/part-000001.jsonl").count(b"\n") == tally.texts == 300
    assert json.loads(system.cat_file("/hits/scan.json"))["texts"] == 300


def test_a_broken_line_of_a_cluster_has_its_number_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "c.jsonl", 400)
    with source.open("ab") as file:
        file.write(b"{broken\n" + b'{"text": "x"}\n' * 10)
    monkeypatch.setattr("flows.sensitive_inputs.PIECE_BYTES", 3000)
    files, spec = whole_files([str(source)]), ScanSpec(load=Load())
    with pytest.raises(InputError, match=r"c.jsonl:401: not a whole JSON value"):
        scan_cluster(files, spec, str(tmp_path / "out"), "x", in_turn, lambda done, total: None)
    assert not list((tmp_path / "out").glob("*.part"))


@pytest.mark.slow
@pytest.mark.parametrize(("engine_name", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_a_cluster_gives_the_same_hits(
    engine_name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(package)
    from flows.clusters import CLUSTERS

    source = write(tmp_path / "c.jsonl", 3000)
    monkeypatch.setattr("flows.sensitive_inputs.PIECE_BYTES", 40_000)
    files, spec = whole_files([str(source)]), ScanSpec(load=Load(), all=True)
    scan_local(files, spec, tmp_path / "hits.jsonl", "x", 1, lambda texts, read: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with CLUSTERS[engine_name](2, None) as engine:
            tally, _ = scan_cluster(files, spec, str(tmp_path / "out"), "x", engine, lambda done, total: None)
    parts = sorted((tmp_path / "out").glob("part-*.jsonl"))
    assert tally.texts == 3000
    assert b"".join(part.read_bytes() for part in parts) == (tmp_path / "hits.jsonl").read_bytes()
