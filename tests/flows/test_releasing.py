"""Releases in commands and runs: booked before anything is read, told in release.json, nothing exact beside dp."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from evaluator.scores import Counts, Leaks, Scores
from flows import cli
from flows.certificate import build_certificate, certify
from flows.config import RunConfig
from flows.errors import UsageError
from flows.models_used import detector_models, pinned
from flows.records_io import read_records
from flows.releasing import plan_release, release_seeds
from flows.reviewing import reviewed_path
from flows.runlog import RunLog
from flows.seed_bench import anonymity_row, private_rows
from flows.seeding import seed_file
from flows.signing import load_or_create_key
from flows.stages.extract import extract
from flows.stages.judge import _OF_SOURCE, _gates
from flows.statements import read_certificate
from flows.workspace import Workspace
from seed_engine.config import DetectorConfig, SeedConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.errors import BudgetError, InputError
from seed_engine.label_studio import digest
from seed_engine.ledger import read_ledger
from seed_engine.readers import read_conversations
from seed_engine.seed import Seed
from seed_engine.seed_population import population
from tests.flows.staged import SOURCE, run_record, stage

SECRET = "Quenvarius Ploddington"
TURNS = [
    {"role": "customer", "text": f"Hello, my name is {SECRET}. My parcel is late."},
    {"role": "agent", "text": "Sorry to hear that. When did you order?"},
]


def source(folder: Path, count: int, unnamed: tuple[int, ...] = ()) -> Path:
    path = folder / "in.jsonl"
    records = [
        {"id": f"c{number}", "domain": "support", "turns": TURNS}
        | ({} if number in unnamed else {"subject": f"s{number}"})
        for number in range(count)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def settings(folder: Path, **seeds: object) -> Path:
    path = folder / "semilla.toml"
    lines = [f"{name} = {json.dumps(value)}" for name, value in seeds.items()]
    path.write_text("\n".join(['[detector]\nengine = "regex"\n[seeds]', *lines]))
    return path


def silent(done: int, total: int) -> None:
    pass


def workspace(folder: Path, count: int, **seeds: object) -> Workspace:
    staging = folder / "staging"
    staging.mkdir()
    config = RunConfig(detector=DetectorConfig(engine="regex"), seeds=SeedConfig(**seeds))  # type: ignore[arg-type]
    return Workspace(staging, (source(folder, count),), config, None, False)


def test_a_run_that_would_overspend_halts_before_it_reads(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    work = workspace(tmp_path, 3, release="dp", ledger=ledger, ceiling=3.0)
    plan_release(work.config.seeds, work.inputs)
    # A file that cannot be read would be a fault of its own: the ledger speaks first.
    work.inputs[0].write_text("{ this is no JSON")
    with pytest.raises(BudgetError, match=r"spent epsilon .* asked .* ceiling 3"):
        extract(work, silent)
    assert list(work.directory.iterdir()) == []
    assert len(read_ledger(ledger).entries) == 1


def test_a_private_release_with_a_limit_is_refused_before_it_is_booked(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    work = workspace(tmp_path, 3, release="dp", ledger=ledger)
    work.limit = 2
    with pytest.raises(UsageError, match="leave the limit out"):
        extract(work, silent)
    assert not ledger.exists()


def test_nobodys_record_is_dropped_for_anothers_in_a_private_release(tmp_path: Path) -> None:
    work = workspace(tmp_path, 3, release="dp", ledger=tmp_path / "ledger.json")
    work.skip_bad = True
    with work.inputs[0].open("a") as file:
        file.write(json.dumps({"id": "c1", "domain": "support", "subject": "another", "turns": TURNS}) + "\n")
    with pytest.raises(InputError, match=":4: an id that stands in the file before"):
        extract(work, silent)
    config = settings(tmp_path, release="dp", ledger=str(tmp_path / "ledger.json"))
    with pytest.raises(InputError, match=":4: an id that stands in the file before"):
        seed_file(work.inputs[0], tmp_path / "o", config, language=None, domain=None, skip_bad=True)
    config = settings(tmp_path, release="none")
    assert seed_file(work.inputs[0], tmp_path / "o", config, language=None, domain=None, skip_bad=True)["seeds"] == 3


@pytest.mark.parametrize(("release", "spread"), [("dp", False), ("kanonymous", True)])
def test_a_reviewers_mark_stays_in_its_conversation_in_a_private_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str, spread: bool
) -> None:
    path, ledger = source(tmp_path, 2), tmp_path / "ledger.json"
    first = next(iter(read_conversations(path)))
    at = TURNS[0]["text"].index("parcel")
    spans = [{"start": at, "end": at + 6, "entity_type": "PERSON", "score": 1.0, "recognizer": "review"}]
    decided = {"id": "c0", "digest": digest(first), "turns": [{"spans": spans}, {"spans": []}]}
    reviewed_path(path).write_text(json.dumps(decided) + "\n")
    seen: dict[str, list[str]] = {}

    def watching(items: Iterable[tuple[str, Seed]], *args: object, **how: object) -> Iterator[Seed]:
        seen.update({f"c{unit[1:]}": [slot for step in seed.flow for slot in step.slots] for unit, seed in items})
        yield from ()

    monkeypatch.setattr("seed_engine.release.release_private", watching)
    monkeypatch.setattr("seed_engine.anonymity.anonymise", watching)
    config = settings(tmp_path, release=release, ledger=str(ledger))
    seed_file(path, tmp_path / "o", config, language=None, domain=None, skip_bad=False)
    assert "[PERSON_1]" in seen["c0"]
    assert ("[PERSON_1]" in seen["c1"]) == spread


def test_nothing_is_read_when_the_ledger_refuses(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text("{ this is no JSON")
    reviewed_path(path).write_text("{ nor this")
    config = settings(tmp_path, release="dp", ledger=str(tmp_path / "ledger.json"), ceiling=0.1)
    with pytest.raises(BudgetError):
        seed_file(path, tmp_path / "o", config, language=None, domain=None, skip_bad=False)


def test_data_under_another_name_or_in_company_spends_the_same_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.releasing.config_home", lambda: tmp_path)
    config = SeedConfig(release="dp", epsilon=3.0, ceiling=20.0)  # type: ignore[arg-type]
    first = source(tmp_path, 3)
    copy, other = tmp_path / "copy.jsonl", tmp_path / "other.jsonl"
    copy.write_bytes(first.read_bytes())
    other.write_text("{}")
    alone = plan_release(config, (first,)).spent
    assert plan_release(config, (other,)).spent == alone
    renamed = plan_release(config, (copy,)).spent
    assert renamed > alone
    assert plan_release(config, (first, other)).spent > renamed
    first.write_text("{} ")
    assert plan_release(config, (first,)).spent > renamed


def test_a_ledger_is_not_overwritten_by_what_it_allowed(tmp_path: Path) -> None:
    config = settings(tmp_path, release="dp", ledger=str(tmp_path / "o"))
    with pytest.raises(UsageError, match="one file"):
        seed_file(source(tmp_path, 3), tmp_path / "o", config, language=None, domain=None, skip_bad=False)
    assert not (tmp_path / "o").exists()


def test_a_refused_setting_spends_nothing(tmp_path: Path) -> None:
    ledger, config = tmp_path / "ledger.json", settings(tmp_path, ledger=str(tmp_path / "ledger.json"))
    given = {"language": None, "domain": None, "skip_bad": False, "release": "dp"}
    with pytest.raises(UsageError, match="epsilon"):
        seed_file(source(tmp_path, 3), tmp_path / "o", config, **given, epsilon=-1.0)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown domain"):
        seed_file(source(tmp_path, 3), tmp_path / "o", config, **(given | {"domain": "no"}))  # type: ignore[arg-type]
    assert not ledger.exists()


def test_a_private_release_tells_nothing_exact_about_its_source(tmp_path: Path) -> None:
    work = workspace(tmp_path, 217, release="dp", epsilon=8.0, ceiling=9.0, ledger=tmp_path / "ledger.json")
    told = extract(work, silent)
    seeds = list(read_records(work.directory / "seeds.jsonl", Seed))
    assert seeds
    assert {seed.privacy.delta for seed in seeds if seed.privacy} == {1e-5}
    assert told.counts == {"seeds": len(seeds)}
    assert told.models == pinned("minilm")
    log = RunLog(work.config)
    log.add("extract", told.timed(12.5, 3.5))
    assert (log.record.stages[0].seconds, log.record.stages[0].cpu_seconds) == (None, None)
    assert work.source is not None
    assert (work.source.conversations, work.source.subjects) == (None, None)
    work.drop_kept()  # as before publication
    written = b"".join(file.read_bytes() for file in work.directory.iterdir())
    assert SECRET.encode() not in written
    record = json.loads((work.directory / "release.json").read_bytes())
    # The noisy count of seeds may be the true count by chance; nothing else may.
    assert 217 not in {value for name, value in record.items() if name != "seeds"}
    assert (record["release"], record["unit"], record["delta"]) == ("dp", "subject", 1e-5)
    assert 7.9 < record["epsilon"] <= 8.0
    assert record["epsilon_spent"] == record["epsilon"]


def test_a_resumed_run_keeps_its_private_release_and_pays_once(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    work = workspace(tmp_path, 60, release="dp", epsilon=8.0, ceiling=9.0, ledger=ledger)
    first = extract(work, silent)
    seeds, record = ((work.directory / name).read_bytes() for name in ("seeds.jsonl", "release.json"))
    again = Workspace(work.directory, work.inputs, work.config, None, False)
    assert extract(again, silent).counts == first.counts
    assert [(work.directory / name).read_bytes() for name in ("seeds.jsonl", "release.json")] == [seeds, record]
    assert again.sees
    assert len(read_ledger(ledger).entries) == 1


@pytest.mark.parametrize("what", ["seeds", "epsilon", "source", "settings"])
def test_a_private_release_that_differs_in_anything_is_booked_again(tmp_path: Path, what: str) -> None:
    ledger = tmp_path / "ledger.json"
    config = {"release": "dp", "epsilon": 2.0, "ceiling": 9.0, "ledger": ledger}
    work = workspace(tmp_path, 60, **config)
    extract(work, silent)
    if what == "seeds":
        with (work.directory / "seeds.jsonl").open("a") as file:
            file.write("\n")
    elif what == "epsilon":
        path = work.directory / "release.json"
        path.write_text(json.dumps(json.loads(path.read_bytes()) | {"epsilon": 0.1}))
    elif what == "source":
        work.inputs[0].write_bytes(work.inputs[0].read_bytes() + b"\n")
    else:
        work = Workspace(
            work.directory, work.inputs, work.config.model_copy(update={"seeds": SeedConfig(**config | {"count": 7})}),
            None, False,
        )  # type: ignore[arg-type]  # fmt: skip
    extract(Workspace(work.directory, work.inputs, work.config, None, False), silent)
    assert len(read_ledger(ledger).entries) == 2


def test_models_are_those_of_the_engine_whatever_language_was_met() -> None:
    quiet, met = Detector(DetectorConfig()), Detector(DetectorConfig())
    vars(met)["_tagger"] = object()
    assert detector_models(quiet) != detector_models(met)
    assert detector_models(quiet, private=True) == detector_models(met, private=True)
    assert any(name.startswith("tagger/") for name in detector_models(quiet, private=True))


def test_the_leak_gate_of_a_private_release_tells_nothing_of_what_it_searched_for() -> None:
    scores = Scores(
        privacy_score=0.0, memorization_rate=0.0, leaks=Leaks(searched=217), quality={}, verdict="pass", reasons=(),
        counts=Counts(conversations=1, turns=1, letters_and_digits=1),
    )  # fmt: skip
    for private in (True, False):
        details = [gate.detail for gate in _gates(scores, sees=True, private=private)]
        assert any("217" in detail for detail in details) != private
    assert set(_OF_SOURCE) == {"searched", "unsearchable", "not_near"} & set(Leaks.model_fields)


def test_small_sources_pass_as_they_are_by_default_and_it_is_said(tmp_path: Path) -> None:
    work = workspace(tmp_path, 6)
    told = extract(work, silent)
    record = json.loads((work.directory / "release.json").read_bytes())
    assert record == {"schema_version": "1", "release": "none", "unit": "subject", "seeds": 6}
    assert told.counts["conversations"] == 6
    assert all(seed.privacy is None for seed in read_records(work.directory / "seeds.jsonl", Seed))


def test_larger_sources_are_k_anonymous_by_default(tmp_path: Path) -> None:
    work = workspace(tmp_path, 100)
    extract(work, silent)
    record = json.loads((work.directory / "release.json").read_bytes())
    assert (record["release"], record["k"], record["suppressed"]) == ("kanonymous", 5, 0)
    assert all(seed.privacy and seed.privacy.k == 5 for seed in read_records(work.directory / "seeds.jsonl", Seed))
    # In another order, what a run had generated before it was interrupted would be thrown away.
    written = (work.directory / "seeds.jsonl").read_bytes()
    extract(Workspace(work.directory, work.inputs, work.config, None, False), silent)
    assert (work.directory / "seeds.jsonl").read_bytes() == written
    orders = {plan_release(work.config.seeds, inputs).order for inputs in (work.inputs, (), work.inputs * 2)}
    assert len(orders) == 3


RELEASED = [((), "none"), (("--k", "2"), "kanonymous"), (("--k", "2", "--release", "none"), "none")]


@pytest.mark.parametrize(("flags", "release"), RELEASED)
def test_a_k_that_was_asked_for_is_kept_and_the_release_is_always_said(
    tmp_path: Path, flags: tuple[str, ...], release: str
) -> None:
    given = ["seed", str(source(tmp_path, 6)), "-o", str(tmp_path / "o"), "--config", str(settings(tmp_path)), *flags]
    done = CliRunner().invoke(cli.app, given)
    assert done.exit_code == 0
    assert f"release: {release}\n" in done.stdout
    assert {seed.privacy.k if seed.privacy else None for seed in read_records(tmp_path / "o", Seed)} == {
        2 if release == "kanonymous" else None
    }


@pytest.mark.parametrize("count", [6, 120])
def test_what_is_promised_is_promised_to_conversations_where_one_names_nobody(tmp_path: Path, count: int) -> None:
    for unnamed, unit in (((), "subject"), ((3,), "conversation")):
        path = source(tmp_path, count, unnamed)
        record = seed_file(path, tmp_path / "o", settings(tmp_path), language=None, domain=None, skip_bad=False)
        assert record["unit"] == unit
        assert record.get("without_subject", 0) == (len(unnamed) if count > 100 else 0)


def test_a_private_release_is_told_whom_it_protects(tmp_path: Path) -> None:
    path, given = source(tmp_path, 6, (3,)), {"language": None, "domain": None, "skip_bad": False}
    dp = {"release": "dp", "ledger": str(tmp_path / "l.json")}
    with pytest.raises(InputError, match="names no subject"):
        seed_file(path, tmp_path / "o", settings(tmp_path, **dp), **given)  # type: ignore[arg-type]
    assert not (tmp_path / "o").exists()
    for unit in ("conversation", "subject"):
        source(tmp_path, 6)
        record = seed_file(path, tmp_path / "o", settings(tmp_path, **dp, unit=unit), **given)  # type: ignore[arg-type]
        assert (record["unit"], record["neighbours"]) == (unit, f"one {unit} added or removed")


def test_a_release_reads_its_source_once_and_lazily_after_booking(tmp_path: Path) -> None:
    read: list[str] = []

    def items() -> Iterator[tuple[Conversation, Seed]]:
        for unit, seed in population(60, np.random.default_rng(0), ("support",)):
            read.append(unit)
            yield Conversation(id=unit, turns=(Turn(role="agent", text="x"),)), seed

    plan = plan_release(SeedConfig(release="kanonymous", k=5), (tmp_path / "x",))
    seeds = release_seeds(plan, items(), Counter())
    assert read == []
    assert len(list(seeds)) <= len(read) == len(set(read)) == 60


def test_the_bench_prints_what_was_promised_and_finds_no_rare_combination() -> None:
    people = tuple(population(600, np.random.default_rng(0), ("medical", "support")))
    rows, cost = private_rows(people, epsilon=60.0, delta=1e-5)
    by_name = {row["feature"]: row for row in rows}
    assert {"lengths", "acts", "topics"} <= set(by_name)
    assert by_name["acts"]["released"] < 0.15
    assert by_name["acts"]["chance"] < by_name["acts"]["released"] + 0.1
    assert abs(cost["seeds"] - 600) < 30
    classes = anonymity_row(people, 5)
    assert classes["unique_before"] > 100
    assert classes["unique_after"] == 0


def test_the_certificate_and_the_report_state_a_private_release(tmp_path: Path) -> None:
    directory, run = stage(tmp_path / "run"), run_record()
    work = workspace(tmp_path, 60, release="dp", epsilon=8.0, ceiling=9.0, ledger=tmp_path / "ledger.json")
    told = extract(work, silent)
    (work.directory / "release.json").rename(directory / "release.json")
    first = run.stages[0].model_copy(update={"counts": told.counts})
    run = run.model_copy(update={"stages": (first, *run.stages[1:])})
    assert work.source is not None
    path = certify(directory, run, work.source, load_or_create_key(tmp_path / "signing.key"))
    certificate = read_certificate(path)[1]
    assert certificate["release"] == json.loads((directory / "release.json").read_bytes())
    assert (certificate["source"]["conversations"], certificate["source"]["subjects"]) == (None, None)
    assert "differentially private, epsilon" in (directory / "report.html").read_text("utf-8")


def test_a_run_from_before_there_were_releases_is_certified_as_none(tmp_path: Path) -> None:
    assert build_certificate(stage(tmp_path / "run"), run_record(), SOURCE)["release"] == {"release": "none"}
