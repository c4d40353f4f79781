"""The building of a set end to end, with a language model's double on loopback: killed, stalled, answering rubbish."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows import cli
from flows.errors import UsageError
from flows.sensitive_building import Build, build_set
from flows.sensitive_models import Models
from generator.config import GeneratorConfig
from seed_engine.sensitive.build_config import BuildConfig, ModelChoice
from seed_engine.sensitive.build_records import Labelling
from tests.provider import Provider

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("田中", "佐藤", "鈴木", "高橋")
KINDS = (
    ("さんは糖尿病で通院している。", "scpi", "medical_history"),
    ("さんは前科があると述べた。", "scpi", "criminal_record"),
    ("さんは糖尿病の予防法を講演した。", "related", "medical_history"),
    ("さんは週末に山へ出かけた。", "none", "none"),
    ("さんは昼に蕎麦を食べた。", "none", "none"),
    ("さんは新しい机を買った。", "none", "none"),
)
RUBBISH = (
    "",
    "no",
    '{"label": "scpi", "category": "medical',
    '{"label": "田中さん", "category": "none", "confidence": 1}',
)


def said(number: int) -> str:
    return f"{NAMES[number % 4]}{KINDS[number % 6][0]}これは{number}番の記録です。"


def source_of(folder: Path, count: int) -> Path:
    path = folder / "source.jsonl"
    lines = [{"id": f"t{number}", "text": said(number)} for number in range(count)]
    lines.append({"id": "nobody", "text": "明日は雨が降るでしょう。"})
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path


def answer(messages: list[dict[str, str]]) -> str:
    """What a good model says of these texts."""
    text = messages[-1]["content"]
    label, kind = next((label, kind) for end, label, kind in KINDS if end[:-1] in text)
    return json.dumps({"label": label, "category": kind, "confidence": 0.9, "sentence": 1})


def asked_of(sent: list[bytes]) -> list[tuple[str, str]]:
    """Model and text of each request."""
    bodies = [json.loads(body[body.index(b"}") + 1 :]) for body in sent]
    return [(body["model"], body["messages"][-1]["content"]) for body in bodies]


def settings(base: str, **changes: Any) -> BuildConfig:
    small, other, strong = (ModelChoice(model=f"openai/{name}", api_base=base) for name in ("small", "other", "strong"))
    return BuildConfig(labellers=(small, other), verifier=strong, **({"concurrency": 2} | changes))


GENERATOR = GeneratorConfig(timeout_s=60, retries=0)


def built(
    source: Path, output: Path, config: BuildConfig, generator: GeneratorConfig = GENERATOR, **wanted: Any
) -> dict[str, Any]:
    return build_set(Build((str(source),), output, **wanted), config, generator, lambda done, total: None)


def labels(folder: Path, name: str = "labels.jsonl") -> list[Labelling]:
    return [Labelling.model_validate_json(line) for line in (folder / name).read_text("utf-8").splitlines()]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def test_from_texts_to_a_set_with_kappa_provenance_and_card(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 60), tmp_path / "set"
    with Provider(answer) as provider:
        record = built(source, output, settings(provider.base))
        # Two labellers of each text, the strong model of those that say more than `none`.
        assert Counter(model for model, _ in asked_of(provider.sent)) == {"small": 60, "other": 60, "strong": 30}
    assert (record["read"], record["candidates"], record["fault"]) == (61, 60, "")
    assert record["stages"] == {"verified": 30, "agreed": 30}
    found = labels(output)
    assert [(item.label, item.category or "none") for item in found] == [KINDS[k % 6][1:] for k in range(60)]
    assert all(item.digest == hashlib.sha256(said(k).encode()).hexdigest() for k, item in enumerate(found))
    assert [opinion.judge for opinion in found[0].labellers if opinion] == ["openai/small", "openai/other"]
    assert found[0].evidence is not None
    assert said(0)[slice(*found[0].evidence)] == said(0).partition("。")[0] + "。"
    chosen = labels(output, "dataset.jsonl")
    assert Counter(item.label for item in chosen) == {"scpi": 4, "related": 10, "none": 26}
    assert record["agreement"]["labellers"]["kappa"] == 1.0
    card = (output / "card.md").read_text("utf-8")
    assert all(word in card for word in ("kappa", "openai/strong", "APPI Art. 2(3)", "No person has looked"))


def test_nothing_written_holds_a_text(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 12), tmp_path / "set"

    def repeats(messages: list[dict[str, str]]) -> str:
        return answer(messages)[:-1] + f', "reason": {json.dumps(messages[-1]["content"], ensure_ascii=False)}}}'

    with Provider(repeats) as provider:
        built(source, output, settings(provider.base))
    written = "".join(path.read_text("utf-8") for path in output.iterdir())
    assert len(labels(output)) == 12
    assert not re.search("|".join((*NAMES, "通院", "蕎麦", "記録です")), written)


def test_a_second_run_with_another_balance_asks_for_nothing(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 24), tmp_path / "set"
    with Provider(answer) as provider:
        built(source, output, settings(provider.base))
        asked = len(provider.sent)
        record = built(source, output, settings(provider.base, positive_share=0.4))
        assert len(provider.sent) == asked
    assert record["requests"] == 0
    assert record["labels"]["scpi"] / record["set"] == pytest.approx(0.4, abs=0.05)


def test_killed_in_the_middle_it_goes_on_without_asking_twice(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 40), tmp_path / "set"
    with Provider(answer, delay_s=0.02) as provider:
        config = tmp_path / "semilla.toml"
        config.write_text(toml(provider.base), "utf-8")
        command = [sys.executable, "-m", "flows", "sensitive", "build", str(source), "-o", str(output)]
        command += ["--config", str(config), "--json"]
        run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 120
        while len(provider.sent) < 30 and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        time.sleep(0.2)
        kept = (output / "replies.jsonl").read_bytes().count(b"\n")
        before = asked_of(list(provider.sent))
        assert not (output / "dataset.jsonl").exists()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        record = json.loads(done.stdout.splitlines()[-1])
        after = asked_of(provider.sent)[len(before) :]
    assert 20 <= kept <= len(before)
    assert record["requests"] == len(after) == 40 * 2 + 21 - kept
    # Only what was under way at the kill, one question each of two texts at once, is asked again.
    assert sum((Counter(before) & Counter(after)).values()) == len(before) - kept <= 2
    assert record["stages"] == {"verified": 21, "agreed": 19}


def toml(base: str) -> str:
    models = [f'{{ model = "openai/{name}", api_base = "{base}" }}' for name in ("small", "other", "strong")]
    return f"[sensitive]\nlabellers = [{models[0]}, {models[1]}]\nverifier = {models[2]}\nconcurrency = 2\n"


def test_models_that_disagree_or_doubt_leave_a_text_to_people(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 6), tmp_path / "set"

    def divided(body_model: str) -> Callable[[list[dict[str, str]]], str]:
        def reply(messages: list[dict[str, str]]) -> str:
            value = json.loads(answer(messages))
            if "糖尿病で" in messages[-1]["content"] and body_model == "other":
                value |= {"label": "related"}
            if "前科" in messages[-1]["content"]:
                value |= {"confidence": 0.3}
            if "予防法" in messages[-1]["content"] and body_model == "strong":
                value |= {"label": "none", "category": "none"}
            return json.dumps(value)

        return reply

    with Provider(divided("small")) as a, Provider(divided("other")) as b, Provider(divided("strong")) as c:
        models = [ModelChoice(model=f"openai/{n}", api_base=one.base) for n, one in enumerate((a, b, c))]
        record = built(source, output, BuildConfig(labellers=(models[0], models[1]), verifier=models[2]))
    assert [item.stage for item in labels(output)] == ["disputed", "disputed", "rejected", *["agreed"] * 3]
    assert 0 < record["agreement"]["labellers"]["kappa"] < 1
    assert {item.label for item in labels(output, "dataset.jsonl")} <= {"none"}


def rubbish(first: int) -> Callable[[list[dict[str, str]]], str]:
    """Breaks the form in one way after another, `first` times for each question, before it answers."""
    seen: Counter[str] = Counter()

    def reply(messages: list[dict[str, str]]) -> str:
        text = messages[-1]["content"]
        seen[text] += 1
        if seen[text] > first:
            return answer(messages)
        return RUBBISH[1 + seen.total() % 3]

    return reply


def test_rubbish_is_asked_again_a_bounded_number_of_times_and_not_in_the_next_run(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 6), tmp_path / "set"
    with Provider(rubbish(10**9)) as provider:
        record = built(source, output, settings(provider.base))
        assert (record["stages"], record["faults"]) == ({"unanswered": 6}, {"bad_reply": 24})
        assert len(provider.sent) == record["faults"]["bad_reply"] == 6 * 2 * 2
        built(source, output, settings(provider.base))
        assert len(provider.sent) == 6 * 2 * 2
    assert "田中" not in (output / "replies.jsonl").read_text("utf-8")


def test_an_empty_reply_is_asked_again(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 6), tmp_path / "set"
    seen: set[str] = set()

    def silent_first(messages: list[dict[str, str]]) -> str:
        text = messages[-1]["content"]
        return answer(messages) if text in seen or seen.add(text) else RUBBISH[0]

    with Provider(silent_first) as provider:
        record = built(source, output, settings(provider.base, concurrency=1))
    assert (record["stages"], record["faults"]) == ({"verified": 3, "agreed": 3}, {"bad_reply": 6})


def test_half_a_reply_and_then_a_whole_one_is_an_opinion(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 6), tmp_path / "set"
    with Provider(rubbish(1)) as provider:
        record = built(source, output, settings(provider.base, concurrency=1))
    assert record["stages"] == {"verified": 3, "agreed": 3}


def test_a_provider_that_crashes_stops_the_build_and_it_goes_on_later(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 30), tmp_path / "set"
    count = iter(range(10**9))

    def crashing(messages: list[dict[str, str]]) -> str:
        if next(count) >= 20:
            raise ConnectionAbortedError
        return answer(messages)

    with Provider(crashing) as provider:
        record = built(source, output, settings(provider.base, give_up_after=3))
    assert record["fault"]
    assert not (output / "dataset.jsonl").exists()
    with Provider(answer) as provider:
        # The address is no part of a question: another server of the same model is not asked again.
        record = built(source, output, settings(provider.base))
        assert record["requests"] == 30 * 2 + 15 - 20
    assert (record["fault"], record["candidates"]) == ("", 30)


def test_a_provider_that_stalls_is_given_up(tmp_path: Path) -> None:
    source, output = source_of(tmp_path, 8), tmp_path / "set"
    start = time.monotonic()
    with Provider(answer, delay_s=30) as provider:
        impatient = GENERATOR.model_copy(update={"timeout_s": 0.3})
        record = built(source, output, settings(provider.base, give_up_after=2), impatient)
    assert record["fault"] == "provider_timeout"
    assert time.monotonic() - start < 25


@pytest.mark.parametrize(
    ("choice", "allowed", "fine"),
    [
        (ModelChoice(model="openai/gpt-x"), (), False),
        (ModelChoice(model="openai/gpt-x"), ("openai",), True),
        (ModelChoice(model="openai/gpt-x"), ("anthropic",), False),
        (ModelChoice(model="openai/m", api_base="http://far.example/v1"), ("openai",), False),
        (ModelChoice(model="openai/m", api_base="http://far.example/v1"), ("far.example",), True),
        (ModelChoice(model="openai/m", api_base="http://127.0.0.1:1/v1"), (), True),
        (ModelChoice(model="anthropic/m", api_base="http://127.0.0.1:1"), (), False),
    ],
)
def test_texts_leave_only_to_whom_the_user_names(
    choice: ModelChoice, allowed: tuple[str, ...], fine: bool, tmp_path: Path
) -> None:
    here = [ModelChoice(model=f"openai/{name}", api_base="http://127.0.0.1:1/v1") for name in "ab"]
    config = BuildConfig(labellers=(here[0], here[1]), verifier=choice, allow_raw_to=allowed)
    if fine:
        Models(config, GENERATOR, tmp_path / "r")
        return
    with pytest.raises(UsageError, match="verifier would see"):
        Models(config, GENERATOR, tmp_path / "r")


def decided(task: dict[str, Any], label: str, kind: str, **region: Any) -> dict[str, Any]:
    result = [
        {"from_name": name, "type": "choices", "value": {"choices": [value]}}
        for name, value in (("label", label), ("category", kind))
    ]
    result += [{"from_name": "evidence", "type": "labels", "value": region}] if region else []
    return task | {"annotations": [{"result": result}]}


@pytest.fixture
def round_trip(tmp_path: Path) -> Iterator[tuple[Path, Path, list[dict[str, Any]], BuildConfig]]:
    source, output, tasks = source_of(tmp_path, 24), tmp_path / "set", tmp_path / "tasks.json"
    with Provider(answer) as provider:
        config = settings(provider.base, review_texts=8)
        built(source, output, config, tasks=tasks)
        yield source, output, json.loads(tasks.read_text("utf-8")), config


def test_people_override_the_models(round_trip: tuple[Path, Path, list[dict[str, Any]], BuildConfig]) -> None:
    source, output, tasks, config = round_trip
    assert len(tasks) == 8
    assert (output.parent / "tasks.xml").read_text("utf-8").startswith("<View>")
    done = output.parent / "done.json"
    first = tasks[0]
    corrections = [decided(first, "related", "disability", start=0, end=2, text=first["data"]["text"][:2]), tasks[1]]
    done.write_text(json.dumps(corrections), "utf-8")
    record = built(source, output, config, corrections=done)
    assert (record["requests"], record["stages"]["corrected"]) == (0, 1)
    (item,) = (item for item in labels(output) if item.stage == "corrected")
    assert (item.id, item.label, item.category, item.evidence) == (first["data"]["id"], "related", "disability", (0, 2))
    assert record["agreement"]["person"]["texts"] == 1
    assert not re.search("|".join(NAMES), (output / "corrections.jsonl").read_text("utf-8"))
    assert built(source, output, config)["stages"]["corrected"] == 1


SPOILT: dict[str, Callable[[dict[str, Any]], Any]] = {
    "not a JSON array": lambda task: {},
    "names no text": lambda task: [{"data": {}}],
    "of no text of the source": lambda task: [task | {"data": task["data"] | {"digest": "0" * 64}}],
    "its text is not the source's": lambda task: [
        decided(task | {"data": task["data"] | {"text": "田中さん"}}, "none", "none")
    ],
    "label: one of those": lambda task: [decided(task, "田中", "none")],
    "category: one of those": lambda task: [decided(task, "scpi", "田中")],
    "without its category": lambda task: [decided(task, "scpi", "none")],
    "lies outside": lambda task: [decided(task, "none", "none", start=0, end=10**6)],
    "another text": lambda task: [decided(task, "none", "none", start=0, end=2, text="鈴木さん")],
    "not Label Studio's": lambda task: [task | {"annotations": [7]}],
}  # fmt: skip


@pytest.mark.parametrize("rule", SPOILT)
def test_corrections_that_are_not_of_this_source_change_nothing(
    rule: str, round_trip: tuple[Path, Path, list[dict[str, Any]], BuildConfig]
) -> None:
    source, output, tasks, config = round_trip
    done = output.parent / "done.json"
    done.write_text(json.dumps(SPOILT[rule](tasks[0])), "utf-8")
    with pytest.raises(UsageError, match=rule) as caught:
        built(source, output, config, corrections=done)
    assert not re.search("|".join(NAMES), str(caught.value))
    assert not (output / "corrections.jsonl").exists()


def test_the_verb(tmp_path: Path) -> None:
    source, output, config = source_of(tmp_path, 12), tmp_path / "set", tmp_path / "semilla.toml"
    with Provider(answer) as provider:
        config.write_text(toml(provider.base), "utf-8")
        arguments = ["sensitive", "build", str(source), "-o", str(output), "--config", str(config)]
        done = CliRunner().invoke(cli.app, [*arguments, "--positive-share", "0.5", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout.splitlines()[-1])["candidates"] == 12
    bare = CliRunner().invoke(cli.app, [*arguments, "--positive-share", "2"])
    assert bare.exit_code == 2
