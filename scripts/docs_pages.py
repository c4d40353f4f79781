"""What MkDocs puts into pages when it builds them: every command with its options, and every setting with its default.

mkdocs.yml names it as a hook; a page asks for a part by a comment, `<!-- commands -->` or `<!-- settings -->`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer

from flows.cli import app
from flows.config import RunConfig
from flows.starter import configuration


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    for name, write in (("commands", _commands), ("settings", _settings)):
        mark = f"<!-- {name} -->"
        if mark in markdown:
            markdown = markdown.replace(mark, write())
    return markdown


def verbs(command: Any = None, name: str = "semilla") -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its whole name: `semilla bench pii`."""
    command = typer.main.get_command(app) if command is None else command
    inside = getattr(command, "commands", None)
    if inside is None:
        yield name, command
        return
    for verb, one in inside.items():
        yield from verbs(one, f"{name} {verb}")


def _commands() -> str:
    return "\n\n".join(_verb(name, command) for name, command in verbs())


def _verb(name: str, command: Any) -> str:
    arguments = [_metavar(param) for param in command.params if _is_argument(param)]
    lines = [f"## `{name}`", "", f"`{' '.join([name, *arguments])}`", "", inspect.cleandoc(command.help or ""), ""]
    lines += ["| option | default | |", "|---|---|---|"]
    for param in command.params:
        spelled = _metavar(param) if _is_argument(param) else ", ".join(param.opts)
        default = "required" if param.required else f"`{param.default}`" if param.default not in (None, False) else ""
        lines.append(f"| `{spelled}` | {default} | {_cell(getattr(param, 'help', '') or '')} |")
    return "\n".join(lines)


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _metavar(param: Any) -> str:
    return str(param.metavar or param.name.upper())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _settings() -> str:
    return f"```toml\n{configuration(RunConfig())}```"
