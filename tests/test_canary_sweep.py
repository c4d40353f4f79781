"""The canary sweep: 200 identities go in; no byte written and no byte sent holds one of them.

The whole pipeline runs as a user runs it, in a process of its own whose home, temp, cache and Prefect folders are all
below one directory. Afterwards every file there is searched, as it is and with everything that can be unpacked
unpacked: gzip, base64 (Prefect stores results as base64 of a pickle), JSON escapes, percent and UTF-16 spellings.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provider import Provider, follow_plan

SYLLABLES = ("zor", "quim", "vel", "drax", "plon", "wix", "yub", "kref", "gost", "jund")

CONFIG = """
[generator]
model = "openai/double"
api_base = "{base}"
timeout_s = 20

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


def planted() -> Iterator[dict[str, object]]:
    """50 conversations of four identities each: as speaker, third person, e-mail and marker-like string."""
    for number in range(50):
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
        turns = [{"role": ("customer", "agent")[i % 2], "text": text} for i, text in enumerate(texts)]
        yield {"id": f"{one}-{number}", "subject": two, "domain": "support", "turns": turns}


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes], str]:
    """Run the pipeline; returns the folder of everything written, what was sent, and what was printed."""
    private, world = tmp_path_factory.mktemp("private"), tmp_path_factory.mktemp("world")
    source = private / "in.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in planted()))
    names = ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "PREFECT_HOME")
    environment = {**os.environ, **{name: str(world / name.lower()) for name in names}, "OPENAI_API_KEY": "none"}
    for name in names:
        (world / name.lower()).mkdir()
    with Provider(follow_plan) as provider:
        (private / "semilla.toml").write_text(CONFIG.format(base=provider.base))
        command = [
            "run",
            "--input",
            str(source),
            "--out",
            str(world / "out"),
            "--config",
            str(private / "semilla.toml"),
        ]
        result = subprocess.run(
            [sys.executable, "-X", "dev", "-m", "flows", *command, "--json"],
            env=environment,
            cwd=world,
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return world, provider.sent, result.stdout + result.stderr


def needles() -> Iterator[bytes]:
    for name in IDENTITIES:
        first, last = name.lower().split()
        yield first.encode()
        yield last.encode()


def unpacked(data: bytes, depth: int = 2) -> Iterator[bytes]:
    """The bytes, and what they hold packed, in lower case."""
    yield data.lower()
    yield data.replace(b"\x00", b"").lower()  # UTF-16 of ASCII
    if depth == 0:
        return
    if data[:2] == b"\x1f\x8b":
        yield from unpacked(gzip.decompress(data), depth - 1)
    for match in re.finditer(rb"[A-Za-z0-9+/_-]{24,}={0,2}", data):
        text = match[0].replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
        for offset in range(4):
            piece = text[offset:]
            yield base64.b64decode(piece[: len(piece) // 4 * 4]).lower()


def holds_any(data: bytes, patterns: re.Pattern[bytes]) -> bool:
    return any(patterns.search(piece) for piece in unpacked(data))


PATTERN = re.compile(b"|".join(re.escape(needle) for needle in sorted(set(needles()))))


def test_no_byte_written_holds_an_identity(swept: tuple[Path, list[bytes], str]) -> None:
    world, _, _ = swept
    files = [path for path in world.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert any("prefect" in str(path) and path.suffix == ".db" for path in files), (
        "Prefect's database was not looked at"
    )
    leaks = [str(path.relative_to(world)) for path in files if holds_any(path.read_bytes(), PATTERN)]
    assert leaks == []
    assert not any(PATTERN.search(str(path).lower().encode()) for path in world.rglob("*"))


def test_no_byte_sent_holds_an_identity(swept: tuple[Path, list[bytes], str]) -> None:
    _, sent, _ = swept
    assert len(sent) >= 50
    assert not any(holds_any(body, PATTERN) for body in sent)


def test_nothing_printed_holds_an_identity(swept: tuple[Path, list[bytes], str]) -> None:
    assert not PATTERN.search(swept[2].lower().encode())


def test_the_run_was_whole(swept: tuple[Path, list[bytes], str]) -> None:
    world, _, printed = swept
    record = json.loads(printed[: printed.rindex("}") + 1].splitlines()[-1])
    assert record["status"] == "certified"
    published = {path.name for path in (world / "out").iterdir()}
    assert published >= {
        "seeds.jsonl",
        "synthetic.jsonl",
        "rendered.jsonl",
        "adapter",
        "certificate.json",
        "report.html",
    }


@pytest.mark.parametrize("disguise", ["plain", "upper", "base64", "gzip", "utf16", "pickle"])
def test_the_search_itself_can_see(disguise: str) -> None:
    name = IDENTITIES[7]
    data = {
        "plain": name.encode(),
        "upper": name.upper().encode(),
        "base64": b'{"data": "' + base64.b64encode(b"\x80\x04" + name.encode() + b".") + b'"}',
        "gzip": gzip.compress(name.encode()),
        "utf16": name.encode("utf-16"),
        "pickle": base64.b64encode(b"abc" + name.encode()),
    }[disguise]
    assert holds_any(data, PATTERN)
    assert not holds_any(b"nobody stands here", PATTERN)
