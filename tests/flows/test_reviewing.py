"""The review round trip through files: what was corrected holds in its source, in no other, and is told when stale."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from flows import cli, detection
from flows.config import RunConfig
from flows.detection import id_prefixes
from flows.errors import UsageError
from flows.judging import judge_file
from flows.reviewing import export_tasks, import_tasks, reviewed, reviewed_path
from seed_engine.conversation import Conversation
from seed_engine.detect import Detector
from seed_engine.readers import read_conversations
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]
TEXTS = {"a1": ("I'm Zebulon, hi", "hello"), "a2": ("zebulon's order", "ok"), "a3": ("hello", "hello")}
LINES = [
    {
        "id": name,
        "language": "en",
        "turns": [{"role": role, "text": text} for role, text in zip(("customer", "agent"), texts, strict=True)],
    }
    for name, texts in TEXTS.items()
]


class Blind:
    """A detector that takes every "hello" for a person and sees nothing else."""

    def detect_conversation(self, conversation: Conversation) -> tuple[Spans, ...]:
        return tuple(
            (EntitySpan(0, 5, "PERSON", 0.5, "blind"),) if turn.text.startswith("hello") else ()
            for turn in conversation.turns
        )

    def detect_conversations(self, conversations: Iterable[Conversation]) -> Iterator[tuple[Spans, ...]]:
        for conversation in conversations:
            yield self.detect_conversation(conversation)


BLIND = cast(Detector, Blind())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    return path


def exported(source: Path) -> tuple[Path, list[dict[str, Any]]]:
    path = source.with_name("tasks.json")
    export_tasks(source, path, BLIND, read_conversations(source))
    return path, json.loads(path.read_text("utf-8"))


def correct(tasks: list[dict[str, Any]], path: Path, *, of: str = "Zebulon", minimal: bool = False) -> Path:
    """A reviewer marks a name in the first task, takes the greeting out of it, and looks at no other."""
    data = tasks[0]["data"]
    start = data["text"].index(of)
    value = {"start": start, "end": start + len(of), "text": of, "labels": ["PERSON"]}
    if minimal:
        tasks = [data | {"annotation_id": 1, "label": [value]}, *(task["data"] for task in tasks[1:])]
    else:
        tasks[0]["annotations"] = [{"result": [{"type": "labels", "from_name": "label", "value": value}]}]
    done = path.with_name("done.json")
    done.write_text(json.dumps(tasks), "utf-8")
    return done


def found(detector: Detector, source: Path) -> dict[str, list[str]]:
    return {
        item.id: [
            turn.text[span.start : span.end]
            for turn, spans in zip(item.turns, detector.detect_conversation(item), strict=True)
            for span in spans
        ]
        for item in read_conversations(source)
    }


@pytest.mark.parametrize("minimal", [False, True])
def test_a_corrected_span_is_found_from_then_on_in_that_source(source: Path, minimal: bool) -> None:
    path, tasks = exported(source)
    assert path.with_suffix(".xml").is_file()
    assert found(reviewed(BLIND, source), source) == {"a1": ["hello"], "a2": [], "a3": ["hello", "hello"]}
    record = import_tasks(correct(tasks, path, minimal=minimal), source)
    assert (record["reviewed"], record["unreviewed"]) == (1, 2)
    if not minimal:
        assert (record["added"], record["removed"]) == (1, 1)
    detector = reviewed(BLIND, source)
    wanted = {"a1": ["Zebulon"], "a2": ["zebulon"], "a3": ["hello", "hello"]}
    assert found(detector, source) == wanted
    streamed = list(detector.detect_conversations(read_conversations(source)))
    assert streamed == [detector.detect_conversation(item) for item in read_conversations(source)]


def test_no_other_source_learns_it(source: Path) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    other = source.with_name("other.jsonl")
    other.write_text(json.dumps(LINES[1]) + "\n", "utf-8")
    assert reviewed(BLIND, other) is BLIND
    assert found(reviewed(BLIND, other), other) == {"a2": []}


def test_the_decisions_hold_no_text(source: Path) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    assert "ebulon" not in reviewed_path(source).read_text("utf-8")


def test_a_second_review_adds_to_the_first(source: Path) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    assert import_tasks(correct([tasks[1]], path, of="order"), source)["reviewed"] == 1
    assert found(reviewed(BLIND, source), source) == {"a1": ["Zebulon"], "a2": ["order"], "a3": ["hello", "hello"]}


def test_a_source_that_changed_stops_and_quotes_nothing(source: Path) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    source.write_text(source.read_text("utf-8").replace("I'm Zebulon", "It's Zebulon"), "utf-8")
    with pytest.raises(UsageError, match="changed since it was reviewed") as caught:
        reviewed(BLIND, source)
    assert "Zebulon" not in str(caught.value)


def test_inputs_without_ids_keep_their_own_decisions(tmp_path: Path) -> None:
    """Both files' talks are `line-1` to a reviewer, `1/line-1` and `2/line-1` in a run."""
    sources = []
    for number, text in enumerate(("I'm Zebulon, hi", "ask Quentin now"), 1):
        path = tmp_path / f"in{number}.jsonl"
        turns = [{"role": "customer", "text": text}, {"role": "agent", "text": "hello"}]
        path.write_text(json.dumps({"language": "en", "turns": turns}) + "\n", "utf-8")
        tasks, made = exported(path)
        import_tasks(correct(made, tasks, of=text.split()[1].strip(",")), path)
        sources.append(path)
    detector = reviewed(BLIND, *sources)
    prefixes = id_prefixes(len(sources))
    for path, prefix, marked in zip(sources, prefixes, ("Zebulon", "Quentin"), strict=True):
        (talk,) = read_conversations(path, prefix=prefix)
        first, second = detector.detect_conversation(talk)
        assert [talk.turns[0].text[span.start : span.end] for span in first] == [marked]
        assert second == ()


def test_two_reviews_of_one_conversation_are_told_and_change_nothing(source: Path) -> None:
    path, tasks = exported(source)
    done = correct([*tasks, tasks[0]], path)
    with pytest.raises(UsageError, match="task 4: of the same conversation as task 1"):
        import_tasks(done, source)
    assert not reviewed_path(source).exists()


def test_what_a_reviewer_marked_is_a_leak_and_a_risk(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    synthetic = source.with_name("synthetic.jsonl")
    turns = [{"role": "customer", "text": "this is Zebulon"}, {"role": "agent", "text": "good day"}]
    synthetic.write_text(json.dumps({"id": "s", "language": "en", "turns": turns}) + "\n", "utf-8")
    monkeypatch.setattr("seed_engine.detect.Detector", lambda config: BLIND)
    scores = judge_file(synthetic, RunConfig(), seeds=None, sources=source)
    assert (scores.leaks.by_type, scores.verdict) == ({"PERSON": 1}, "fail")
    monkeypatch.setattr(detection, "detector_for", lambda *_, **__: BLIND)
    done = CliRunner().invoke(cli.app, ["risk", str(source), "-o", str(source.with_name("risk.jsonl"))])
    assert done.exit_code == 0
    first, second, _ = map(json.loads, source.with_name("risk.jsonl").read_text("utf-8").splitlines())
    assert (first["types"], second["types"]) == ({"PERSON": 1}, {"PERSON": 1})


BROKEN = {
    "not a JSON array": "{}",
    "names no conversation": '[{"data": {"text": "Zebulon"}}]',
    "no such conversation": '[{"data": {"conversation": "b"}, "annotations": [{"result": []}]}]',
    "annotations are not": '[{"data": {"conversation": "a1"}, "annotations": [7]}]',
    "not the source's": json.dumps(
        [{"data": {"conversation": "a1"}, "annotations": [{"result": [{"type": "labels", "value": {
            "start": 0, "end": 7, "text": "Zebulon", "labels": ["PERSON"]}}]}]}]
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", BROKEN)
def test_tasks_that_are_not_of_this_source_change_nothing(rule: str, source: Path) -> None:
    tasks = source.with_name("t.json")
    tasks.write_text(BROKEN[rule], "utf-8")
    with pytest.raises(UsageError, match=rule) as caught:
        import_tasks(tasks, source)
    assert "Zebulon" not in str(caught.value)
    assert not reviewed_path(source).exists()


def test_a_source_that_changed_after_the_export_is_not_taken_for_reviewed(source: Path) -> None:
    path, tasks = exported(source)
    done = correct(tasks, path)
    source.write_text(source.read_text("utf-8").replace("hello", "hello Oleander"), "utf-8")
    with pytest.raises(UsageError, match="not the source's") as caught:
        import_tasks(done, source)
    assert "Oleander" not in str(caught.value)
    assert not reviewed_path(source).exists()


def test_labels_come_from_a_closed_list(source: Path) -> None:
    path, tasks = exported(source)
    done = correct(tasks, path)
    done.write_text(done.read_text("utf-8").replace('"PERSON"', '"JOHN_SMITH"'), "utf-8")
    with pytest.raises(UsageError, match="no entity type") as caught:
        import_tasks(done, source)
    assert "SMITH" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"start": 4', '"start": -4'),
        ('"start": 4', '"start": "4"'),
        ('"start": 4', '"start": 11'),
        ('"end": 11', '"end": 99'),
        ('"PERSON"', '"John Smith called"'),
    ],
)
def test_a_decision_that_cannot_be_right_stops(source: Path, old: str, new: str) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    decisions = reviewed_path(source)
    assert old in decisions.read_text("utf-8")
    decisions.write_text(decisions.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(UsageError) as caught:
        reviewed(BLIND, source)
    assert "Smith" not in str(caught.value)


def test_decisions_hold_through_a_link(source: Path, tmp_path: Path) -> None:
    path, tasks = exported(source)
    import_tasks(correct(tasks, path), source)
    link = tmp_path / "link.jsonl"
    link.symlink_to(source)
    assert found(reviewed(BLIND, link), link) == found(reviewed(BLIND, source), source)


def test_the_configuration_overwrites_nothing(source: Path) -> None:
    for name, there in (("t.xml", None), ("t.json", "<mine/>")):
        output = source.with_name(name)
        if there:
            output.with_suffix(".xml").write_text(there, "utf-8")
        with pytest.raises(UsageError, match="configuration"):
            export_tasks(source, output, BLIND, read_conversations(source))
        assert not output.exists()


def test_the_verbs(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection, "detector_for", lambda *_, **__: BLIND)
    run = CliRunner().invoke
    path = source.with_name("tasks.json")
    done = run(cli.app, ["review", "export", str(source), "-o", str(path), "--json"])
    assert (done.exit_code, json.loads(done.stdout)["tasks"]) == (0, 3)
    assert run(cli.app, ["review", "import", str(path), "--source", str(source)]).exit_code == 3
    corrected = correct(json.loads(path.read_text("utf-8")), path)
    assert run(cli.app, ["review", "import", str(corrected), "--source", str(source)]).exit_code == 0
    spans = source.with_name("spans.jsonl")
    assert run(cli.app, ["detect", str(source), "-o", str(spans)]).exit_code == 0
    second = json.loads(spans.read_text("utf-8").splitlines()[1])
    assert second["turns"][0]["spans"][0]["recognizer"] == "review"
    masked = source.with_name("masked.jsonl")
    assert run(cli.app, ["deidentify", str(source), "-o", str(masked)]).exit_code == 0
    assert "ebulon" not in masked.read_text("utf-8")
    seeds = source.with_name("seeds.jsonl")
    assert run(cli.app, ["seed", str(source), "-o", str(seeds)]).exit_code == 0
    assert "[" in json.loads(seeds.read_text("utf-8").splitlines()[1])["flow"][0]["slots"][0]
