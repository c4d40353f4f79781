"""The canary sweep: 200 identities go in; no byte written and no byte sent holds one of them.

The commands run as a user runs them, in processes of their own whose home, temp, cache and Prefect folders are all
below one directory: a run that is certified, one that a gate halts, one whose provider is down, one that is ended by a
signal, and every verb that reads a file. Afterwards every file there is searched by `tests.sweep`.

The run that a gate halts is the quick one: it passes Prefect, the provider, the record and the report, and it knows
what it must not say. The others are slow.
"""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.provider import Answer, Provider, as_reply, follow_plan, plan
from tests.sweep import Sweep

SYLLABLES = ("zor", "quim", "vel", "drax", "plon", "wix", "yub", "kref", "gost", "jund")
FOLDERS = ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "PREFECT_HOME")

CONFIG = """
[generator]
model = "openai/double"
api_base = "{base}"
timeout_s = 20
concurrency = 2

[training]
canaries = 160
canary_controls = 100
epochs = 1.0
max_length = 64

[attacks]
threshold = 0.2

[certificate]
max_attack_rate = 0.2
"""


def identity(number: int) -> str:
    """A name that stands nowhere else: two made-up words, unique per number."""
    tens, ones = divmod(number, 10)
    hundreds, tens = divmod(tens, 10)
    first = SYLLABLES[hundreds] + SYLLABLES[tens] + SYLLABLES[ones]
    return f"{first.capitalize()} {SYLLABLES[ones].capitalize()}{SYLLABLES[tens]}sson"


IDENTITIES = [identity(number) for number in range(200)]
SWEEP = Sweep(word for name in IDENTITIES for word in name.split())


def planted(count: int = 50, *, neutral_ids: bool = False) -> Iterator[dict[str, object]]:
    """Conversations of four identities each: in texts, as speaker label, id, subject, e-mail and other fields."""
    for number in range(count):
        one, two, three, four = IDENTITIES[4 * number : 4 * number + 4]
        mail = three.lower().replace(" ", ".") + "@example.com"
        texts = (
            f"Hi, my name is {one} and my order is late. [PATIENT_1]",
            f"Sorry to hear that, {one.split()[0]}. Which address do we have?",
            f"It is under my wife {two}, or write to {mail}.",
            "Thank you. Anything else?",
            f"please tell {four.lower()} that i called, thanks",
            "I will. Goodbye.",
        )
        turns: list[dict[str, object]] = [
            {"role": (one, "agent")[i % 2], "text": text, "author": {"name": four}} for i, text in enumerate(texts)
        ]
        record = {"id": f"{one}-{number}", "subject": two, "domain": "support", "turns": turns}
        if neutral_ids:  # `detect` and `risk` give ids back, as the contract says
            record["id"] = f"call-{number}"
        yield record | {"account": {"owner": one, "mails": [mail], four: "since 2019"}, "note": f"Ask {three}!"}


@dataclass(frozen=True)
class World:
    """All that commands wrote and sent.

    Attributes:
        folder: what they wrote is below it, outputs too.
        sent: requests to the provider.
        printed: stdout and stderr of all.
        exit_codes: one a command.
    """

    folder: Path
    sent: list[bytes]
    printed: str
    exit_codes: list[int]

    def assert_clean(self) -> None:
        assert SWEEP.below(self.folder) == []
        assert not any(SWEEP.holds(body) for body in self.sent)
        assert not SWEEP.holds(self.printed.encode())


class Stage:
    """Runs commands in one world."""

    def __init__(self, private: Path, world: Path) -> None:
        self.private, self.world = private, world
        self.environment = {**os.environ, **{name: str(world / name.lower()) for name in FOLDERS}}
        self.environment["OPENAI_API_KEY"] = "none"
        for name in FOLDERS:
            (world / name.lower()).mkdir()
        self.printed, self.exit_codes = "", list[int]()

    def source(self, count: int, *, neutral_ids: bool = False) -> str:
        path = self.private / ("neutral.jsonl" if neutral_ids else "in.jsonl")
        records = planted(count, neutral_ids=neutral_ids)
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(path)

    def config(self, provider: Provider, more: str = "") -> str:
        path = self.private / "semilla.toml"
        path.write_text(CONFIG.format(base=provider.base) + more)
        return str(path)

    def start(self, *command: str) -> subprocess.Popen[str]:
        arguments = [sys.executable, "-X", "dev", "-m", "flows", *command, "--json"]
        pipe = subprocess.PIPE
        return subprocess.Popen(arguments, env=self.environment, cwd=self.world, stdout=pipe, stderr=pipe, text=True)

    def finish(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        printed, told = process.communicate(timeout=3600)
        self.printed += printed + told
        self.exit_codes.append(process.returncode)
        last = printed.splitlines()[-1:] or ["{}"]
        payload: dict[str, Any] = json.loads(last[0])
        return payload

    def call(self, *command: str) -> dict[str, Any]:
        return self.finish(self.start(*command))

    def seen(self, provider: Provider) -> World:
        return World(self.world, provider.sent, self.printed, self.exit_codes)


@pytest.fixture(scope="module")
def new_stage(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return lambda: Stage(tmp_path_factory.mktemp("private"), tmp_path_factory.mktemp("world"))


def run(stage: Stage, answer: Answer = follow_plan, *, count: int = 8, **server: Any) -> tuple[World, dict[str, Any]]:
    with Provider(answer, **server) as provider:
        command = ("run", "--input", stage.source(count), "--out", str(stage.world / "out"))
        payload = stage.call(*command, "--config", stage.config(provider))
        return stage.seen(provider), payload


@pytest.fixture(scope="module")
def certified(new_stage: Any) -> tuple[World, dict[str, Any]]:
    return run(new_stage(), count=50)


@pytest.mark.slow
def test_a_certified_run_was_whole_and_tells_nobody(certified: tuple[World, dict[str, Any]]) -> None:
    world, record = certified
    assert world.exit_codes == [0], world.printed[-2000:]
    assert record["status"] == "certified"
    published = {path.name for path in (world.folder / "out").iterdir()}
    assert published >= {
        "seeds.jsonl",
        "synthetic.jsonl",
        "rendered.jsonl",
        "adapter",
        "certificate.json",
        "report.html",
    }
    assert len(world.sent) >= 50
    databases = [path for path in world.folder.rglob("*.db") if "prefect" in str(path)]
    assert databases, "Prefect's database was not looked at"
    world.assert_clean()


@pytest.mark.slow
def test_the_sweep_would_have_seen_a_leak_in_any_of_these_files(certified: tuple[World, dict[str, Any]]) -> None:
    """A control: each kind of file that was written is one in which the search finds what is put there."""
    world, _ = certified
    kinds = {path.suffix: path for path in (world.folder / "out").rglob("*") if path.is_file()}
    assert {".jsonl", ".json", ".html", ".safetensors"} <= set(kinds)
    for path in kinds.values():
        original = path.read_bytes()
        path.write_bytes(original + b" " + IDENTITIES[3].split()[1].encode())
        assert SWEEP.below(path.parent)
        path.write_bytes(original)


def telling(messages: list[dict[str, str]]) -> str:
    """A provider that knows an identity and says it."""
    texts = [turn["text"] for turn in json.loads(follow_plan(messages))["turns"]]
    # In lower case: a capital would be taken for a name that the model made up, and the reply be dropped.
    return as_reply([f"{text} ask {IDENTITIES[5].lower()}." for text in texts], messages)


def test_a_run_that_a_gate_halts_tells_nobody(new_stage: Any) -> None:
    """The provider says an identity: the leak gate sees it, and nothing that is kept may quote it."""
    world, record = run(new_stage(), telling)
    assert world.exit_codes == [1], world.printed[-2000:]
    assert record["status"] == "halted"
    leak = next(gate for gate in record["gates"] if gate["name"] == "leak")
    assert leak["figure"] > 0
    assert any("prefect" in str(path) for path in world.folder.rglob("*.db")), "Prefect's database was not looked at"
    world.assert_clean()
    # A control: what is put into any file that the run has left is found.
    report = world.folder / "out" / "report.html"
    report.write_bytes(report.read_bytes() + IDENTITIES[5].encode())
    assert SWEEP.below(world.folder) == ["out/report.html"]


@pytest.mark.slow
def test_a_run_whose_provider_is_down_tells_nobody(new_stage: Any) -> None:
    world, _ = run(new_stage(), status=500)
    assert world.exit_codes == [2]
    assert (world.folder / "out" / "run.json").exists()
    world.assert_clean()


@pytest.mark.slow
def test_a_run_that_a_signal_ends_tells_nobody(new_stage: Any) -> None:
    stage, left = new_stage(), iter(range(3))

    def slow(messages: list[dict[str, str]]) -> str:
        if next(left, None) is None:
            time.sleep(40)
        return follow_plan(messages)

    with Provider(slow) as provider:
        command = ("run", "--input", stage.source(8), "--out", str(stage.world / "out"))
        process = stage.start(*command, "--config", stage.config(provider))
        until = time.monotonic() + 600
        while len(provider.sent) < 4:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        stage.finish(process)
        world = stage.seen(provider)
    assert world.exit_codes == [143]
    record = json.loads((world.folder / "out" / "run.json").read_text())
    assert (record["status"], record["halted_at"]) == ("halted", "generate")
    assert (world.folder / ".out.staging" / "seeds.jsonl").exists()
    world.assert_clean()


@pytest.mark.slow
def test_every_verb_that_reads_a_file_tells_nobody(new_stage: Any) -> None:
    """Of `deidentify` the output itself is left out: it is the text, less what was found, and recall is not 1."""
    stage, world = new_stage(), ""
    with Provider(follow_plan) as provider:
        source, neutral, world = stage.source(8), stage.source(8, neutral_ids=True), str(stage.world)
        config = ("--config", stage.config(provider))
        calls: tuple[tuple[str, ...], ...] = (
            ("detect", neutral, "-o", f"{world}/spans.jsonl", *config),
            ("risk", neutral, "-o", f"{world}/risk.jsonl", *config),
            ("deidentify", source, "-o", str(stage.private / "deidentified.jsonl"), *config),
            ("seed", source, "-o", f"{world}/seeds.jsonl", *config),
            ("validate", f"{world}/seeds.jsonl"),
            ("generate", f"{world}/seeds.jsonl", "-o", f"{world}/synthetic.jsonl", *config),
            ("evaluate", f"{world}/synthetic.jsonl", "--seeds", f"{world}/seeds.jsonl", "--sources", source, "-o",
             f"{world}/scores.json", *config),
        )  # fmt: skip
        for call in calls:
            stage.call(*call)
        assert set(stage.exit_codes) <= {0, 3}, stage.printed[-2000:]
        seen = stage.seen(provider)
    assert {"spans.jsonl", "risk.jsonl", "seeds.jsonl", "synthetic.jsonl", "scores.json"} <= {
        path.name for path in seen.folder.iterdir()
    }
    seen.assert_clean()


@pytest.mark.slow
def test_pages_made_of_a_certified_run_tell_nobody(certified: tuple[World, dict[str, Any]], new_stage: Any) -> None:
    stage, run = new_stage(), str(certified[0].folder / "out")
    for language in ("en", "es"):
        stage.call("report", run, "--language", language, "-o", str(stage.world / f"{language}.html"))
    stage.call("report", run, run, "-o", str(stage.world / "compared.html"))
    assert stage.exit_codes == [0, 0, 0], stage.printed[-2000:]
    assert {path.name for path in stage.world.glob("*.html")} == {"en.html", "es.html", "compared.html"}
    World(stage.world, [], stage.printed, stage.exit_codes).assert_clean()


@pytest.mark.slow
def test_a_review_tells_nobody_but_who_holds_its_key(new_stage: Any) -> None:
    """Encrypted tasks may lie anywhere; in the clear they are where the user put them, and nowhere else."""
    stage = new_stage()
    source, locked, tasks = stage.source(8), stage.world / "tasks.json", stage.private / "tasks.json"
    key = ("--key", str(stage.private / "key"))
    stage.call("review", "export", source, "-o", str(locked), *key)
    stage.call("review", "unlock", str(locked), "-o", str(tasks), *key)
    assert SWEEP.holds(tasks.read_bytes()), "a control: they do hold the source's text"
    reviewed = [
        task | {"annotations": [{"result": task["predictions"][0]["result"]}]} for task in json.loads(tasks.read_text())
    ]
    tasks.write_text(json.dumps(reviewed))
    stage.call("review", "lock", str(tasks), "-o", str(stage.world / "reviewed.json"), *key)
    stage.call("review", "import", str(stage.world / "reviewed.json"), "--source", source, *key)
    assert stage.exit_codes == [0] * 4, stage.printed[-2000:]
    World(stage.world, [], stage.printed, stage.exit_codes).assert_clean()


BROKEN = ("detect", "risk", "deidentify", "seed", "validate", "generate", "evaluate", "train", "verify")


@pytest.mark.slow
def test_a_verb_that_refuses_its_input_quotes_nothing_of_it(new_stage: Any) -> None:
    """Whole records where others are expected, a record cut off in a name, and raw input where a seed should be."""
    stage = new_stage()
    bad = stage.private / "bad.jsonl"
    whole = json.dumps(next(planted(1)))
    bad.write_text(f"{whole}\n{whole[: whole.index(IDENTITIES[3].lower()) + 5]}\n")
    for verb in BROKEN:
        output = () if verb in ("validate", "verify") else ("-o", str(stage.world / "out"))
        stage.call(verb, str(bad), *output)
    assert all(code in (1, 2) for code in stage.exit_codes), dict(zip(BROKEN, stage.exit_codes, strict=True))
    assert not (stage.world / "out").exists()
    World(stage.world, [], stage.printed, stage.exit_codes).assert_clean()


NAME = IDENTITIES[7]
_ESCAPED = "".join(f"\\u{ord(char):04x}" for char in NAME)
DISGUISES: dict[str, bytes] = {
    "plain": NAME.encode(),
    "upper": NAME.upper().encode(),
    "utf16": NAME.encode("utf-16"),
    "json escapes": f'{{"a": "{_ESCAPED}"}}'.encode(),
    "json escapes twice": json.dumps(f'{{"a": "{_ESCAPED}"}}').replace("\\\\", "\\").encode(),
    "python escapes": "".join(f"\\x{ord(char):02X}" for char in NAME).encode(),
    "percent": "".join(f"%{ord(char):02x}" for char in NAME).encode(),
    "percent of base64": quote(base64.b64encode(NAME.encode() + b"??>"), safe="").encode(),
    "entities": "".join(f"&#{ord(char)};" for char in NAME).encode(),
    "hex": NAME.encode().hex().encode(),
    "base64": b'{"data": "' + base64.b64encode(b"\x80\x04" + NAME.encode() + b".") + b'"}',
    "base64 after letters": b"abc" + base64.b64encode(NAME.encode()),
    "base64 for URLs": base64.urlsafe_b64encode(b"\xfb\xff\xfe" + NAME.encode()),
    "gzip": gzip.compress(NAME.encode()),
    "gzip inside": b"head of a file" + gzip.compress(NAME.encode()) + b"tail",
    "zlib": zlib.compress(NAME.encode()),
    "gzip in base64": base64.b64encode(gzip.compress(NAME.encode() * 3)),
    "json escapes in gzip in base64": base64.b64encode(gzip.compress(_ESCAPED.encode())),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_the_search_sees_through(disguise: str) -> None:
    assert SWEEP.holds(DISGUISES[disguise])
    assert not SWEEP.holds(html.escape("nobody <stands> here %41").encode())


def test_the_search_reads_zip_archives_and_databases(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", NAME * 9)
    (tmp_path / "a.zip").write_bytes(packed.getvalue())
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (number INTEGER, data TEXT)")
    # Longer than a page, and spelt in escapes: found only row by row.
    connection.execute("INSERT INTO t VALUES (1, ?)", ("x" * 4070 + _ESCAPED * 40,))
    connection.commit()
    assert set(SWEEP.below(tmp_path)) >= {"a.db", "a.zip"}
    connection.close()
    (tmp_path / IDENTITIES[0]).mkdir()
    assert any("a name" in line for line in SWEEP.below(tmp_path))


def test_the_plan_of_a_request_is_read_at_all() -> None:
    """A control of the double itself: were `plan` empty, every reply would be empty, and every world clean."""
    assert plan([{"content": "1. customer: inform, topic delivery, slots product"}])
