"""The scan: the same hits whatever the engine, the format and the number of processes; killed, it loses no line."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows import cli
from flows.errors import UsageError
from flows.sensitive_blocks import blocks
from flows.sensitive_inputs import fingerprint, whole_files
from flows.sensitive_local import scan_local
from flows.sensitive_training import labelled_texts
from flows.sensitive_work import JudgeFolder, ScanSpec, Tally, scan_block
from seed_engine.errors import InputError
from seed_engine.sensitive.build_records import Labelling, text_digest
from tests.flows.sensitive_double import POISON, DoubleJudge, Load, text, write

COUNT = 3000


def wanted(count: int, *, every: bool = False) -> list[str]:
    """Ids of the lines to come, by a naive loop."""
    judged = DoubleJudge().judge([text(number) for number in range(count)])
    return [f"t{number}" for number, said in enumerate(judged) if every or said.label == "scpi"]


def scanned(source: Path, output: Path, workers: int = 1, **settings: Any) -> tuple[Tally, int]:
    spec = ScanSpec(load=Load(), **settings)
    files = whole_files([str(source)])
    return scan_local(files, spec, output, fingerprint(files, repr(spec)), workers, lambda texts, read: None)


def ids(output: Path) -> list[str]:
    return [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.parquet"])
def test_every_format_gives_the_hits_of_the_naive_loop_in_order(name: str, tmp_path: Path) -> None:
    source, output = write(tmp_path / name, COUNT), tmp_path / "hits.jsonl"
    tally, resumed = scanned(source, output, workers=2)
    assert ids(output) == wanted(COUNT)
    assert (tally.texts, tally.skipped, resumed) == (COUNT, 0, 0)
    assert tally.labels["scpi"] == len(wanted(COUNT)) == sum(tally.categories.values())
    assert sorted(tmp_path.iterdir()) == sorted([source, output])


def test_more_processes_change_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "c.jsonl", COUNT)
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert scanned(source, first, 1, all=True) == scanned(source, second, 2, all=True)
    assert first.read_bytes() == second.read_bytes()
    assert ids(first) == wanted(COUNT, every=True)


def test_a_line_of_the_output_has_places_and_no_text(tmp_path: Path) -> None:
    source, output = write(tmp_path / "c.jsonl", 40), tmp_path / "hits.jsonl"
    scanned(source, output)
    for line in output.read_text("utf-8").splitlines():
        record = json.loads(line)
        said = text(int(record["id"][1:]))
        (cue,) = record["evidence"]
        assert said[cue["start"] : cue["end"]] in ("糖尿病", "前科", "障害者手帳")
        assert said[record["person"]["start"] : record["person"]["end"]] in ("田中", "佐藤", "鈴木", "高橋")
        assert not any(word in line for word in ("田中", "糖尿病", "話した"))
        assert {"id", "score", "label", "category", "stage"} <= set(record)


def test_a_conversation_is_judged_as_one_text_and_told_by_turn(tmp_path: Path) -> None:
    source, output = tmp_path / "c.jsonl", tmp_path / "hits.jsonl"
    turns = [{"role": "a", "text": "田中さんの件です"}, {"role": "b", "text": "😀糖尿病だそうで"}]
    source.write_text(json.dumps({"turns": turns}) + "\n", "utf-8")
    scanned(source, output)
    (record,) = map(json.loads, output.read_text("utf-8").splitlines())
    assert record["id"] == "line-1"
    assert record["evidence"] == [{"turn": 1, "start": 1, "end": 4}]
    assert record["person"] == {"turn": 0, "start": 0, "end": 2}


def test_a_threshold_moves_texts_of_a_topic_only(tmp_path: Path) -> None:
    source, output = write(tmp_path / "c.jsonl", 200), tmp_path / "hits.jsonl"
    said = DoubleJudge().judge([text(number) for number in range(200)])
    tally, _ = scanned(source, output, threshold=0.95)
    assert (tally.labels.get("scpi", 0), output.read_bytes()) == (0, b"")
    tally, _ = scanned(source, output, threshold=0.0)
    assert tally.labels["scpi"] == sum(item.label != "none" for item in said)


BROKEN: dict[str, tuple[bytes, str]] = {
    "not UTF-8": ('{"text": "田中さん"}'.encode("shift_jis"), "not UTF-8"),
    "UTF-16": ('{"text": "田中さん"}'.encode("utf-16-le").replace(b"\n", b""), "not a whole JSON value|not UTF-8"),
    "half a line": ('{"text": "田中さん'.encode(), "not a whole JSON value"),
    "too deep": (b'{"text": ' + b"[" * 100_000, "not a whole JSON value"),
    "half a character": (b'{"text": "\\ud83d"}', "a lone surrogate"),
    "a number": (b'{"text": 5}', "text: not a string"),
    "a list for an id": (b'{"id": [], "text": "x"}', "id: not a string"),
    "no text": (b'{"id": "a"}', "none of"),
    "a number with too many digits": (b'{"text": "x", "n": ' + b"9" * 5000 + b"}", "not a whole JSON value"),
    "where the judge falls": (json.dumps({"text": POISON}).encode(), "the judge fails"),
}
ODD = {
    "one character": "病",
    "a megabyte": "田中さんは糖尿病です。" * 32_000,
    "mixed scripts": "Tanaka さんと 田中さん и 糖尿病 مرحبا",
    "half-width kana": "ﾀﾅｶさん 糖尿病",
    "old characters": "田邊さんは糖尿病と聯絡した。國體、學校",
    "emoji": "👩‍👩‍👧‍👦😀田中さん🏳️‍🌈糖尿病",
    "HTML remains": "<p>田中さん&nbsp;は<br/>糖尿病&#12290;</p>",
    "NUL": "田中さん\x00糖尿病",
    "line separators": "田中さん\u2028糖尿病\x85\x0b",
    "nothing": "",
}


def odd_corpus(folder: Path) -> tuple[Path, dict[int, str]]:
    """Odd and broken lines in turn, and what is wrong by line."""
    lines, faults = [], {}
    for name, content in ODD.items():
        lines.append(json.dumps({"id": name, "text": content}, ensure_ascii=False).encode())
    for raw, rule in BROKEN.values():
        lines += [raw, b"", json.dumps({"text": "x"}).encode()]
        faults[len(lines) - 2] = rule
    path = folder / "odd.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    return path, faults


def test_odd_texts_are_judged_and_broken_lines_counted(tmp_path: Path) -> None:
    source, faults = odd_corpus(tmp_path)
    output = tmp_path / "hits.jsonl"
    tally, _ = scanned(source, output, 2, skip_bad=True, all=True)
    assert tally.skipped == len(BROKEN)
    assert tally.texts == len(ODD) + len(BROKEN)
    assert ids(output) == [*ODD, *(f"line-{line + 2}" for line in faults)]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_line_stops_the_scan_by_number_and_quotes_nothing(name: str, tmp_path: Path) -> None:
    raw, rule = BROKEN[name]
    source = tmp_path / "c.jsonl"
    source.write_bytes(json.dumps({"text": "fine"}).encode() + b"\n\n" + raw + b"\n")
    (block,) = blocks(*whole_files([str(source)]))
    ((line, told),) = scan_block(block, ScanSpec(load=Load())).faults
    assert line == 3
    assert re.match(rule, told)


def test_a_broken_line_keeps_what_was_scanned_for_the_next_run(tmp_path: Path) -> None:
    source, output = write(tmp_path / "c.jsonl", 30_000), tmp_path / "hits.jsonl"
    with source.open("ab") as file:
        file.write(b"{broken\n")
    with pytest.raises(InputError, match=r"c.jsonl:30001: not a whole JSON value"):
        scanned(source, output)
    assert not output.exists()
    files, spec = whole_files([str(source)]), ScanSpec(load=Load())
    mark = fingerprint(files, repr(spec))
    again = ScanSpec(load=Load(), skip_bad=True)
    tally, resumed = scan_local(files, again, output, mark, 1, lambda texts, read: None)
    assert (tally.texts, tally.skipped) == (30_000, 1)
    assert resumed > 10_000
    assert ids(output) == wanted(30_000)


WHOLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "an empty file"),
    "cut-off gzip": (gzip.compress(b'{"text": "x"}\n' * 5000)[:-9], "gzip"),
    "cut-off Parquet": (b"PAR1" + b"\0" * 50, "Parquet"),
    "a JSON array": (b'[{"text": "x"}]', "JSON array"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    content, rule = WHOLE[name]
    source = tmp_path / "c.jsonl"
    source.write_bytes(content)
    with pytest.raises(InputError, match=rule):
        scanned(source, tmp_path / "hits.jsonl")
    assert not (tmp_path / "hits.jsonl").exists()


def test_parquet_tells_broken_rows(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    texts = pyarrow.array(["田中さんは糖尿病".encode(), b"\xff\xfe", None, b"x"])
    table = pyarrow.table({"text": texts.view(pyarrow.string()), "id": [7, 8, 9, None]})
    pyarrow.parquet.write_table(table, tmp_path / "c.parquet")
    tally, _ = scanned(tmp_path / "c.parquet", tmp_path / "hits.jsonl", skip_bad=True, all=True)
    assert (tally.texts, tally.skipped) == (2, 2)
    assert ids(tmp_path / "hits.jsonl") == ["7", "line-4"]


def test_a_folder_is_scanned_by_name_and_made_ids_do_not_meet(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    (folder / "sub").mkdir(parents=True)
    for name in ("b.jsonl", "a.jsonl", "sub/c.jsonl"):
        (folder / name).write_text(json.dumps({"text": "田中さんは糖尿病"}) + "\n", "utf-8")
    (folder / "notes.md").write_text("no corpus", "utf-8")
    scanned(folder, tmp_path / "hits.jsonl")
    assert ids(tmp_path / "hits.jsonl") == ["1/line-1", "2/line-1", "3/line-1"]


def test_the_verb_scans_with_the_starter_model_and_tells_what_it_costs(tmp_path: Path) -> None:
    source, output = tmp_path / "c.jsonl", tmp_path / "hits.jsonl"
    lines = [
        {"id": "a", "text": "田中一郎さんは糖尿病と診断され、入院している。"},
        {"id": "b", "text": "晴れた。"},
    ] * 30
    source.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    run = CliRunner().invoke
    done = run(cli.app, ["sensitive", "scan", str(source), "-o", str(output), "--workers", "1", "--all", "--json"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout.splitlines()[-1])
    assert (record["texts"], record["skipped"], record["labels"]["none"] >= 30) == (60, 0, True)
    assert ids(output) == ["a", "b"] * 30
    assert "田中" not in done.output + output.read_text("utf-8")
    told = run(cli.app, ["sensitive", "scan", str(source), "--estimate", "--json"])
    assert json.loads(told.stdout.splitlines()[-1])["texts"] == pytest.approx(60, abs=6)
    assert "184 million" in run(cli.app, ["sensitive", "scan", str(source), "--estimate"]).stdout


@pytest.mark.parametrize(
    "more", [[], ["-o", "OUT", "--engine", "abacus"], ["-o", "OUT", "--model", "/nowhere"], ["-o", "/dev/null"]]
)
def test_misuse_is_told_in_one_line(more: list[str], tmp_path: Path) -> None:
    source = write(tmp_path / "c.jsonl", 3)
    arguments = [str(tmp_path / "o") if item == "OUT" else item for item in more]
    done = CliRunner().invoke(cli.app, ["sensitive", "scan", str(source), *arguments])
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.jsonl"]


def test_a_judge_has_another_mark_when_a_file_of_it_changes(tmp_path: Path) -> None:
    (tmp_path / "judge.json").write_text("{}")
    before = JudgeFolder(str(tmp_path)).mark
    assert JudgeFolder(str(tmp_path)).mark == before
    (tmp_path / "judge.json").write_text("{ }")
    assert JudgeFolder(str(tmp_path)).mark != before


def test_a_built_set_is_joined_with_its_source(tmp_path: Path) -> None:
    source, chosen = write(tmp_path / "c.jsonl", 5), tmp_path / "dataset.jsonl"
    record = Labelling(
        id="t3", digest=text_digest(text(3)), source="c.jsonl", line=4, stage="agreed", label="none", person=(0, 1)
    )
    chosen.write_text(record.model_dump_json() + "\n", "utf-8")
    (found,) = labelled_texts(chosen, [str(source)])
    assert (found.text, found.label, found.group) == (text(3), "none", "c.jsonl")
    with pytest.raises(UsageError, match="needs its --source"):
        labelled_texts(chosen, [])
    source.write_text('{"text": "x"}\n', "utf-8")
    with pytest.raises(UsageError, match="1 of its texts"):
        labelled_texts(chosen, [str(source)])
