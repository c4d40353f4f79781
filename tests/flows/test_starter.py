"""`semilla init` writes what can be run: every setting, each with its default and a word about it."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path

from typer.testing import CliRunner

from flows.cli import app
from flows.config import RunConfig, load_config
from flows.starter import configuration
from seed_engine.readers import read_conversations


def test_the_file_as_written_is_the_default_configuration(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["init", str(tmp_path / "new")]).exit_code == 0
    assert load_config(tmp_path / "new/semilla.toml") == RunConfig()
    assert (tmp_path / "new/drops").is_dir()


def test_with_every_setting_uncommented_it_is_still_the_default(tmp_path: Path) -> None:
    text = re.sub(r"^# (\w+ = \S)", r"\1", configuration(RunConfig()), flags=re.M)
    path = tmp_path / "semilla.toml"
    path.write_text(text)
    assert load_config(path) == RunConfig()
    sections = tomllib.loads(text)
    for name in RunConfig.model_fields:
        section = getattr(RunConfig(), name)
        unset = {key for key in type(section).model_fields if getattr(section, key) is None}
        assert set(sections[name]) == set(type(section).model_fields) - unset


def test_every_setting_is_told_in_words() -> None:
    lines = configuration(RunConfig()).splitlines()
    for before, line in itertools.pairwise(lines):
        if re.match(r"# \w+ =", line):
            assert re.match(r"# (?!\w+ =)", before), line


def test_the_example_is_what_the_next_line_reads(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["init", str(tmp_path / "new")]).stdout.splitlines()[-1]
    assert told.startswith("next: semilla run --config ")
    assert f"--domain support --input {tmp_path / 'new/example'}/*.txt " in told
    chats = [list(read_conversations(path)) for path in sorted((tmp_path / "new/example").glob("*.txt"))]
    assert [[len(chat.turns) for chat in file] for file in chats] == [[5], [6]]
    assert {turn.role for (chat,) in chats for turn in chat.turns} == {"speaker_1", "speaker_2"}


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine")
    assert CliRunner().invoke(app, ["init", str(tmp_path)]).exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]
    assert (tmp_path / ".gitignore").read_text() == "mine"
