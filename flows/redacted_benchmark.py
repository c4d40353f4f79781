"""The benchmark that a review of redacted transcripts ends in: text with gold spans, and a card that says how."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from flows.errors import UsageError
from flows.records_io import write_lines
from flows.redacted import Reviewed, figures
from seed_engine.redaction_review import NOT_PERSONAL, Resolution, settled
from seed_engine.redactions import redactions
from seed_engine.unredact import Restored, unredact

_CARD = """# Benchmark from redacted transcripts

`benchmark.jsonl`: {sessions} transcripts, {messages} messages, {spans} spans of personal data, all of it surrogates.
Offsets are half-open and count Unicode code points.

## How it was made

The transcripts had been redacted by another tool. What that tool missed was proposed by a detector; what it hid wrongly
was proposed by its context (inside an expression, beside an operator, where something is counted, in a word problem),
with an original that was solved from its equation, taken from where the lesson says it again, or invented (a name of a
word problem). People decided on a sample of transcripts; where nobody decided, the proposals stand.

| | |
|---|---|
| problems in the sample | {problems} |
| decided by people | {resolved} ({share:.1%}; {wanted:.1%} were required) |
| of these, as proposed | {accepted} |
| transcripts that people decided | {reviewed} of {sessions} |
| redactions that stay, since nobody knows what they hid | {left} |
| redactions taken back | {restored} |
| missed values replaced | {missed} |

## Spans by type

{types}

## What it is not

Personal data that neither the tool, nor the detector, nor a reviewer saw is still in it: look before you share it.
Originals that were inferred are plausible, not true. Surrogates agree within a transcript and differ between them.
"""


def write_benchmark(
    rounds: Sequence[Reviewed], found: Resolution, wanted: float, output: Path, *, seed: int | None = None
) -> dict[str, Any]:
    """Write `benchmark.jsonl` and `README.md` into a new or empty folder.

    Args:
        rounds: every transcript.
        found: how far the review of the sample has come.
        wanted: the share that was required, which the card states.
        output: the folder.
        seed: of the surrogates, for tests; None draws them afresh.

    Raises:
        UsageError: the folder is not empty.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"{output}: not an empty folder")
    counts: Counter[str] = Counter()
    types: Counter[str] = Counter()
    output.mkdir(parents=True, exist_ok=True)
    write_lines(output / "benchmark.jsonl", _lines(rounds, counts, types, seed))
    rows = "\n".join(("| type | spans |", "|---|---|", *(f"| {kind} | {n} |" for kind, n in types.most_common())))
    known = {name: counts[name] for name in ("messages", "spans", "reviewed", "left", "restored", "missed")}
    record = {"sessions": len(rounds), **known, **figures(found)}
    card = _CARD.format(**record, wanted=wanted, types=rows)
    write_lines(output / "README.md", card.splitlines())
    return record


def _lines(rounds: Sequence[Reviewed], counts: Counter[str], types: Counter[str], seed: int | None) -> Iterator[str]:
    for one in rounds:
        decisions = settled(one.proposals, one.decisions)
        marks = {(i, mark.start) for i, turn in enumerate(one.conversation.turns) for mark in redactions(turn.text)}
        counts["restored"] += sum(item.label == NOT_PERSONAL for item in decisions)
        counts["missed"] += sum((item.turn, item.start) not in marks for item in decisions)
        restored = unredact(one.conversation, decisions, seed=seed)
        counts["left"] += sum(len(redactions(turn.text)) for turn in restored.conversation.turns)
        counts["messages"] += len(one.conversation.turns)
        counts["reviewed"] += one.decisions is not None
        types.update(span.entity_type for spans in restored.spans for span in spans)
        counts["spans"] += sum(map(len, restored.spans))
        yield json.dumps(_record(restored, reviewed=one.decisions is not None), ensure_ascii=False)


def _record(restored: Restored, *, reviewed: bool) -> dict[str, Any]:
    talk = restored.conversation
    turns = [
        {
            "role": turn.role,
            "text": turn.text,
            "spans": [{"start": s.start, "end": s.end, "entity_type": s.entity_type} for s in spans],
        }
        for turn, spans in zip(talk.turns, restored.spans, strict=True)
    ]
    told = {name: value for name in ("language", "domain") if (value := getattr(talk, name))}
    return {"id": talk.id, **told, "reviewed": reviewed, "turns": turns}
