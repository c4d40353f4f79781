"""Rendering draws again where a draw has no free value, and dates leave the years whose days are the source's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.config import RunConfig
from flows.records_io import write_records
from flows.stages.render import render
from generator.errors import SurrogateError
from seed_engine.conversation import Conversation, Turn
from seed_engine.secrets import Leak


def silent(done: int, total: int | None) -> None:
    """A progress bar that shows nothing."""


class Everything:
    """An index that knows every value it is asked about, so many times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def contains(self, value: str) -> bool:
        self.times -= 1
        return self.times >= 0

    def find(self, texts: list[str]) -> tuple[Leak, ...]:
        return ()


def test_a_conversation_without_a_free_value_in_one_draw_is_drawn_again(tmp_path: Path) -> None:
    item = Conversation(id="x", language="en", turns=(Turn(role="agent", text="It comes on [DATE_1]."),))
    for times, found in ((0, True), (1000, True), (10**6, False)):
        work: Any = SimpleNamespace(directory=tmp_path, secrets=Everything(times), config=RunConfig())
        write_records(tmp_path / "synthetic.jsonl", [item])
        if found:
            assert render(work, silent).gates[0].verdict == "pass"
        else:
            with pytest.raises(SurrogateError, match="DATE"):
                render(work, silent)


def test_where_every_day_of_years_is_the_sources_dates_are_of_others(tmp_path: Path) -> None:
    item = Conversation(id="x", language="en", turns=(Turn(role="agent", text="It comes on [DATE_1]."),))
    days = SimpleNamespace(contains=lambda value: value[-5:-1] in {" 202", " 203"}, find=lambda texts: ())
    work: Any = SimpleNamespace(directory=tmp_path, secrets=days, config=RunConfig())
    write_records(tmp_path / "synthetic.jsonl", [item])
    assert render(work, silent).gates[0].verdict == "pass"
    assert ", 204" in (tmp_path / "rendered.jsonl").read_text()
