"""A judge that works by two patterns, for tests of what stands around a judge; and corpora for it."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seed_engine.sensitive.records import Judge, Judgement

_PERSON = re.compile(r"[一-龠]{2}(?=さん)")
_CUE = re.compile(r"糖尿病|前科|障害者手帳")
_OF = {"糖尿病": "medical_history", "前科": "criminal_record", "障害者手帳": "disability"}
POISON = "この行で転ぶ"


@dataclass(frozen=True)
class DoubleJudge:
    """Says `scpi` where a person and a cue stand, `related` for a cue alone; falls over `POISON`.

    Attributes:
        seconds: that a text takes, spent in computing.
    """

    seconds: float = 0.0
    name: str = "double 1"

    def judge(self, texts: Sequence[str]) -> list[Judgement]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Judgement:
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        if POISON in text:
            raise ValueError(text)
        cue, person = _CUE.search(text), _PERSON.search(text)
        if cue is None:
            return Judgement("none", 0.01, 0.02, None, "prefilter")
        category, place = _OF[cue[0]], cue.span()
        if person is None:
            return Judgement("related", 0.2, 0.9, category, "document", place)
        return Judgement("scpi", 0.9, 0.95, category, "link", place, person.span())


@dataclass(frozen=True)
class Load:
    """Loads the judge in any process."""

    seconds: float = 0.0
    mark: str = "double"

    def __call__(self) -> Judge:
        return DoubleJudge(self.seconds)


def text(number: int) -> str:
    """One of 40 texts, made different by its number."""
    names, cues = ("田中", "佐藤", "鈴木", "高橋"), ("糖尿病", "前科", "障害者手帳", "旅行")
    who = f"{names[number % 4]}さんは" if number % 5 < 3 else "一般に人は"
    return f"{who}{cues[number // 4 % 4]}のことで{number}回も話した。" + "天気の話が続いた。" * (number % 7)


def write(path: Path, count: int, **first: Any) -> Path:
    """A corpus of numbered texts in the format that the file's name ends on."""
    records = [{"id": f"t{number}", "text": text(number)} for number in range(count)]
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), path, row_group_size=max(1, count // 3))
        return path
    content = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path
