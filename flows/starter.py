"""Writes a project to start from: every setting, two invented chats to try it on, and folders for the schedule."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from flows.config import RunConfig
from flows.errors import UsageError
from seed_engine.atomic import atomic_text

_ATTRIBUTE = re.compile(r"^    (\w+): (.*)$")
_HEAD = """\
# Semilla. Every setting is here with its default; take the `#` away to change one.
# Raw text goes to no provider unless one is named; by default the model is embedded and nothing leaves this machine.
"""
_IGNORED = "# Private data, and what is made of it, does not belong in a repository.\ndrops/\nruns/\n"


def write_project(folder: Path) -> tuple[Path, ...]:
    """Write semilla.toml, .gitignore, two WhatsApp exports of invented people, and the folders `drops` and `runs`.

    Args:
        folder: made where there is none; files in it are never written over.

    Returns:
        What was made, folders too.

    Raises:
        UsageError: a file that would be written is there already; nothing is written then.
    """
    texts = {folder / "semilla.toml": configuration(RunConfig()), folder / ".gitignore": _IGNORED}
    for example in sorted(files("flows").joinpath("templates/example").iterdir(), key=lambda item: item.name):
        texts[folder / "example" / example.name] = example.read_text("utf-8")
    taken = next((path for path in texts if path.exists()), None)
    if taken is not None:
        raise UsageError(f"{taken} exists; it is left as it is")
    folders = (folder / "drops", folder / "runs")
    for path in (*folders, folder / "example"):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path, text in texts.items():
        atomic_text(path, text)
    return (*texts, *folders)


def configuration(config: RunConfig) -> str:
    """A TOML text with every setting commented out; each with what its class says of it."""
    parts = [_HEAD]
    purposes = _attributes(RunConfig)
    for name in RunConfig.model_fields:
        section = getattr(config, name)
        parts.append(f"\n# {purposes[name]}\n[{name}]\n" + "\n".join(_settings(section)) + "\n")
    return "".join(parts)


def _settings(section: BaseModel) -> list[str]:
    lines = []
    told = _attributes(type(section))
    values = section.model_dump(mode="json", by_alias=True)
    for key, field in type(section).model_fields.items():
        name = field.alias or key
        value = _toml(values[name])
        about = told.get(key) or field.description or ""
        lines += textwrap.wrap(about, 108, initial_indent="# ", subsequent_indent="# ")
        lines.append(f"# {name} = {value}" if value else f"# {name} =   # not set")
    return lines


def _toml(value: Any) -> str:
    """A value of JSON as TOML spells it; empty for what is not set."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _attributes(kind: type[BaseModel]) -> dict[str, str]:
    """What the docstring of a class says of each attribute, on one line."""
    _, _, listed = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    told: dict[str, str] = {}
    name = ""
    for line in listed.splitlines():
        match = _ATTRIBUTE.match(line)
        if match:
            name, text = match.groups()
            told[name] = text
        elif name and line.strip():
            told[name] += " " + line.strip()
    return told
