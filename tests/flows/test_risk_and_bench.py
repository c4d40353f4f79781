"""The verbs `risk` and `bench pii`: files, figures, exit codes, and no text of the input in anything they say."""

import gzip
import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.bench_tables import pii_lines
from flows.cli import app
from seed_engine.pii_bench import Row, SetResult
from seed_engine.scoring import Document, GoldSpan, score

NAME, EMAIL = "Zebulon Quickfeather", "zebulon.quick@example.org"
PUBLISHED = Path("/work/shared/bin/score_pii.py")


def semilla(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def lines(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    turns = [
        {"role": "customer", "text": f"hi, this is {NAME}, DOB 3/4/1981"},
        {"role": "agent", "text": f"thanks, I will write to {EMAIL}"},
    ]
    return lines(tmp_path / "in.jsonl", {"id": "c1", "turns": turns}, {"id": "d1", "text": "The lid is 3 mm wide."})


def test_risk_writes_a_report_for_each_record_and_prints_counts(source: Path, tmp_path: Path) -> None:
    result = semilla("risk", source, "-o", tmp_path / "new" / "risk.jsonl")
    assert result.exit_code == 0, result.output
    written = (tmp_path / "new" / "risk.jsonl").read_text("utf-8")
    first, second = map(json.loads, written.splitlines())
    assert (first["id"], second["id"]) == ("c1", "d1")
    assert (second["score"], second["types"]) == (0, {})
    assert first["types"]["PERSON"] >= 1
    assert first["types"]["EMAIL_ADDRESS"] == 1
    assert len(first["hipaa"]) == 18
    assert first["hipaa"][5]["count"] == 1
    assert "2 documents" in result.output
    for text in (written, result.output):
        assert not any(word in text for word in ("Zebulon", "Quickfeather", "zebulon", "1981"))


def test_risk_in_json_adds_up(source: Path, tmp_path: Path) -> None:
    result = semilla("risk", source, "-o", tmp_path / "risk.jsonl", "--json")
    payload = json.loads(result.output.splitlines()[-1])
    reports = [json.loads(line) for line in (tmp_path / "risk.jsonl").read_text("utf-8").splitlines()]
    assert payload["documents"] == sum(payload["bands"].values()) == len(reports) == 2
    assert payload["highest_score"] == max(report["score"] for report in reports)
    assert payload["types"] == reports[0]["types"]
    assert payload["regulations"]["GDPR"]["Art. 4(1) personal data"]["documents"] == 1
    assert [row["count"] for row in payload["hipaa"]] == [row["count"] for row in reports[0]["hipaa"]]
    assert payload["exit_code"] == 0


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", "empty"), (b'{"id": "c1", "text": "Zebulon"}\n{"id": "c2", "te', ":2:")],
)
def test_risk_refuses_bad_input_and_leaves_nothing(tmp_path: Path, content: bytes, expected: str) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(content)
    result = semilla("risk", source, "-o", tmp_path / "out" / "risk.jsonl", "--json")
    assert result.exit_code == 2
    assert expected in result.output
    assert "Zebulon" not in result.output
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


def test_risk_reads_what_detect_reads(tmp_path: Path) -> None:
    source = tmp_path / "chat.txt.gz"
    source.write_bytes(gzip.compress(f"Customer: my name is {NAME}\nAgent: hello\n".encode()))
    result = semilla("risk", source, "-o", tmp_path / "risk.jsonl", "--engine", "regex", "--json")
    assert json.loads(result.output)["types"] == {"PERSON": 1}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    def marked(identity: str, text: str, *values: tuple[str, str]) -> dict[str, object]:
        spans = [
            {"start": text.index(value), "end": text.index(value) + len(value), "entity_type": kind}
            for value, kind in values
        ]
        return {"id": identity, "text": text, "spans": spans, "language": "en"}

    folder = tmp_path / "sets"
    lines(
        folder / "own.dev.jsonl",
        marked(
            "a",
            f"write to {EMAIL} or call 202-555-0143 soon",
            (EMAIL, "EMAIL_ADDRESS"),
            ("202-555-0143", "PHONE_NUMBER"),
        ),
        marked("b", f"{NAME} lives at 192.0.2.7", (NAME, "PERSON")),
    )
    lines(folder / "names.dev.jsonl", marked("c", f"@zedzed met {NAME}", (NAME, "PERSON"), ("met", "OTHER")))
    lines(folder / "clean.jsonl", {"id": "d", "text": "the lid is 3 mm wide", "language": "en"})
    lines(folder / "own.train.jsonl", marked("e", f"{NAME}", (NAME, "PERSON")))
    return folder


def test_bench_prints_the_measures_of_each_set_and_pooled(data: Path) -> None:
    result = semilla("bench", "pii", "--data", data, "--vs", "presidio", "--engine", "regex", "--json")
    assert result.exit_code == 0, result.output
    payload = json.loads(result.output.splitlines()[-1])
    assert set(payload["sets"]) == {"own.dev", "names.dev", "clean"}
    assert payload["sets"]["clean"]["view"] == "strict"
    own = payload["sets"]["own.dev"]["systems"]
    assert set(own) == {"regex", "presidio"}
    # Patterns find the address, the number and the IP, which nobody marked; of names they know only what a cue gives.
    assert (own["regex"]["gold"], own["regex"]["false"]) == (3, 1)
    assert own["regex"]["by_type"]["EMAIL_ADDRESS"] == {"gold": 1, "recall": 1.0, "leaked": 0.0}
    assert own["presidio"]["recall"] == 1.0
    pooled = payload["pooled"]["systems"]
    assert pooled["regex"]["gold"] == sum(
        payload["sets"][name]["systems"]["regex"]["gold"] for name in ("own.dev", "names.dev")
    )
    assert pooled["regex"]["characters_per_cpu_second"] > 0
    assert payload["speed_ratio"].keys() == {"presidio"}
    assert "Zebulon" not in result.output


def test_bench_reads_well_and_labels_the_second_precision(data: Path) -> None:
    result = semilla("bench", "pii", "--data", data, "--engine", "regex")
    assert result.exit_code == 0, result.output
    marked = [line for line in result.output.splitlines() if "precision, marked types only" in line]
    # Pooled, and of the set of names alone; the handle in it is nobody's mistake there.
    assert [line.split(":")[0] for line in marked] == ["all 2 marked sets in en", "names.dev"]
    assert "in a text without personal data is a mistake" in result.output
    assert "Zebulon" not in result.output


def test_the_ratio_of_speeds_is_characters_per_cpu_second() -> None:
    counts = score([Document(["Zoe sings"], [[GoldSpan(0, 3, "PERSON")]], [[(0, 3, "PERSON")]])])
    systems = {"ours": SetResult(counts, 9, 0.1), "peer": SetResult(counts, 9, 0.25)}
    text = "\n".join(pii_lines([Row("a", "en", "core", systems)]))
    assert "characters per CPU-second, ours over peer: 2.50x" in text


def test_bench_equals_detect_and_the_published_scorer(data: Path, tmp_path: Path) -> None:
    if not PUBLISHED.is_file():
        pytest.skip("the published scorer is not on this machine")
    spec = importlib.util.spec_from_file_location("score_pii", PUBLISHED)
    published = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(published)
    for view in ("core", "all", "strict"):
        payload = json.loads(semilla("bench", "pii", "--data", data, "--view", view, "--json").output)
        for name in ("own.dev", "names.dev"):
            found = tmp_path / f"{name}.spans.jsonl"
            assert semilla("detect", data / f"{name}.jsonl", "-o", found).exit_code == 0
            expected = published.score(published.read(data / f"{name}.jsonl"), published.read(found), view)
            ours = payload["sets"][name]["systems"]["hybrid"]
            for measure in set(expected) - {"by_type", "missed", "spurious"}:
                assert ours[measure] == pytest.approx(expected[measure]), (view, name, measure)
            assert ours["by_type"] == {kind: pytest.approx(row) for kind, row in expected["by_type"].items()}


def test_training_parts_are_measured_only_when_asked(data: Path) -> None:
    payload = json.loads(
        semilla("bench", "pii", "--data", data, "--sets", "own*", "--engine", "regex", "--json").output
    )
    assert set(payload["sets"]) == {"own.dev", "own.train"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "--data"),
        (["--data", "nowhere"], "no such folder"),
        (["--data", "{data}", "--paper", "hybrid"], "--data"),
        (["--data", "{data}", "--sets", "*.csv"], "no set"),
        (["--data", "{data}", "--engine", "magic"], "engine"),
    ],
)
def test_misuse_of_bench_ends_with_2(data: Path, arguments: list[str], expected: str) -> None:
    result = semilla("bench", "pii", *(argument.format(data=data) for argument in arguments), "--json")
    assert result.exit_code == 2
    assert expected in json.loads(result.stdout)["error"]


def test_a_broken_set_is_named_by_line_and_not_quoted(data: Path) -> None:
    lines(
        data / "bad.jsonl", {"id": "a", "text": "Zebulon", "spans": [{"start": 0, "end": 99, "entity_type": "PERSON"}]}
    )
    result = semilla("bench", "pii", "--data", data, "--engine", "regex")
    assert result.exit_code == 2
    assert "bad.jsonl:1:" in result.output
    assert "Zebulon" not in result.output
