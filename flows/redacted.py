"""Review of transcripts that another tool redacted: proposals out to people, round by round, and their decisions back.

Decisions stand beside the source, as private as it is, in `SOURCE.redactions.jsonl`. What a reviewer marks in one
transcript is proposed in the others in the next round, and what a reviewer takes away is not proposed again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.errors import UsageError
from flows.locked import write_locked
from flows.records_io import read_objects, write_lines
from flows.reviewing import named_once
from seed_engine.conversation import Conversation
from seed_engine.fold import fold
from seed_engine.label_studio import RECOGNIZER, digest, entity_types, rendered, reviewed_text
from seed_engine.redaction_review import NOT_PERSONAL, Decision, Proposal, Resolution, propose, resolution
from seed_engine.redaction_tasks import decisions_of, redaction_config, redaction_task
from seed_engine.review import Decision as Marked
from seed_engine.review import Review
from seed_engine.spans import EntitySpan

if TYPE_CHECKING:
    from seed_engine.detect import Detector

SUFFIX = ".redactions.jsonl"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One transcript in a review.

    Attributes:
        conversation: as the other tool left it.
        proposals: on it, those of this round.
        decisions: of a reviewer; None while nobody has reviewed it.
    """

    conversation: Conversation
    proposals: tuple[Proposal, ...]
    decisions: tuple[Decision, ...] | None


def decided_path(source: Path) -> Path:
    """Where the decisions on a source stand."""
    source = source.resolve()
    return source.with_name(source.name + SUFFIX)


def read_round(source: Path, detector: Detector, conversations: Iterable[Conversation]) -> list[Reviewed]:
    """Every transcript with this round's proposals and what was decided so far.

    Raises:
        UsageError: a transcript has changed since it was reviewed, or the file of decisions is none.
    """
    talks = list(conversations)
    stored = _stored(decided_path(source))
    for talk in talks:
        if talk.id in stored and stored[talk.id][0] != digest(talk):
            raise UsageError(f"{source}: a transcript has changed since it was reviewed; take {SUFFIX} away")
    decided = {talk.id: stored[talk.id][1] for talk in talks if talk.id in stored}
    learned, refused = _learned(talks, decided, detector)
    rounds = []
    for talk, found in zip(talks, detector.detect_conversations(talks), strict=True):
        own = decided.get(talk.id)
        spans = found if own is not None else _less(talk, learned.apply(talk, found), refused)
        rounds.append(Reviewed(talk, propose(talk, spans), own))
    return rounds


def sampled(rounds: Sequence[Reviewed], sample: int | None, seed: int) -> list[Reviewed]:
    """Whole transcripts with problems, in an order of their ids' digests, until the sample's problems are full."""
    ranked = sorted(rounds, key=lambda one: hashlib.sha256(f"{seed}:{one.conversation.id}".encode()).digest())
    taken, problems = [], 0
    for one in ranked:
        own = resolution(one.proposals, None).problems
        if own and (sample is None or problems < sample):
            taken.append(one)
            problems += own
    return taken


def reached(taken: Sequence[Reviewed]) -> Resolution:
    """How far the review of a sample has come."""
    return sum((resolution(one.proposals, one.decisions) for one in taken), Resolution(0, 0, 0))


def export_round(taken: Sequence[Reviewed], output: Path, key: Path | None = None) -> dict[str, Any]:
    """Write tasks on the sampled transcripts that are not resolved, encrypted with a key, and the configuration."""
    config = output.with_suffix(".xml")
    if config == output or (config.exists() and not config.read_bytes().startswith(b"<View>")):
        raise UsageError(f"{config}: the labelling configuration goes there; name the tasks otherwise")
    open_ones = [one for one in taken if reached([one]).resolved < reached([one]).problems]
    tasks = [redaction_task(one.conversation, one.proposals) for one in open_ones]
    write_locked(output, [json.dumps(tasks, ensure_ascii=False)], key)
    write_lines(config, redaction_config().splitlines())
    return {"tasks": len(tasks), "config": str(config), **figures(reached(taken))}


def import_round(
    tasks: Path, source: Path, conversations: Iterable[Conversation], key: Path | None = None
) -> dict[str, Any]:
    """Take reviewed tasks in; decisions of earlier rounds stay.

    Raises:
        UsageError: a task is of no transcript of the source, or not of its text, or is none of Label Studio's.
    """
    by_id = {talk.id: talk for talk in conversations}
    kept = {name: _line(name, *stored) for name, stored in _stored(decided_path(source)).items()}
    new: dict[str, dict[str, Any]] = {}
    records = named_once(tasks, key)
    for name, (place, record) in records.items():
        fault, decisions = "", None
        if name not in by_id:
            raise UsageError(f"{tasks}: task {place}: no such conversation in the source")
        try:
            decisions = decisions_of(record, by_id[name])
            if decisions is not None and reviewed_text(record) != rendered(by_id[name])[0]:
                fault = "its text is not the source's any more"
        except ValueError as error:
            fault = str(error)
        except (AttributeError, KeyError, TypeError):
            fault = "its regions are not Label Studio's"
        if fault:
            raise UsageError(f"{tasks}: task {place}: {fault}")
        if decisions is not None:
            new[name] = _line(name, digest(by_id[name]), decisions)
    if new:
        write_lines(decided_path(source), (json.dumps(line, ensure_ascii=False) for line in (kept | new).values()))
    return {"output": str(decided_path(source)), "reviewed": len(new), "unreviewed": len(records) - len(new)}


def figures(found: Resolution) -> dict[str, Any]:
    """A resolution by name."""
    return {**asdict(found), "share": round(found.share, 4)}


def _learned(
    talks: Sequence[Conversation], decided: dict[str, tuple[Decision, ...]], detector: Detector
) -> tuple[Review, set[str]]:
    """What reviewers marked in plain text, and the folded values that they took away and marked nowhere."""
    review, kept, refused = Review(), set(), set()
    for talk in (talk for talk in talks if talk.id in decided):
        proposals = propose(talk, detector.detect_conversation(talk))
        marks = {(item.turn, item.start, item.end) for item in proposals if item.reason != "missed"}
        plain = [item for item in decided[talk.id] if (item.turn, item.start, item.end) not in marks]
        plain = [item for item in plain if item.label != NOT_PERSONAL]
        review.learn(talk, Marked(digest(talk), _by_turn(talk, plain)))
        kept |= {_value(talk, item) for item in plain}
        refused |= {_value(talk, item) for item in proposals if item.reason == "missed"}
    return review, refused - kept


def _by_turn(talk: Conversation, items: Sequence[Decision]) -> tuple[tuple[EntitySpan, ...], ...]:
    return tuple(
        tuple(EntitySpan(item.start, item.end, item.label, 1.0, RECOGNIZER) for item in items if item.turn == i)
        for i in range(len(talk.turns))
    )


def _less(
    talk: Conversation, found: tuple[tuple[EntitySpan, ...], ...], refused: set[str]
) -> tuple[tuple[EntitySpan, ...], ...]:
    return tuple(
        tuple(span for span in spans if fold(turn.text[span.start : span.end]) not in refused)
        for turn, spans in zip(talk.turns, found, strict=True)
    )


def _value(talk: Conversation, item: Decision | Proposal) -> str:
    return fold(talk.turns[item.turn].text[item.start : item.end])


def _line(name: str, bound: str, decisions: Iterable[Decision]) -> dict[str, Any]:
    return {"id": name, "digest": bound, "decisions": [asdict(item) for item in decisions]}


def _stored(path: Path) -> dict[str, tuple[str, tuple[Decision, ...]]]:
    return dict(_read(path)) if path.is_file() else {}


def _read(path: Path) -> Iterator[tuple[str, tuple[str, tuple[Decision, ...]]]]:
    for number, record in read_objects(path):
        decided = None
        try:
            items = tuple(Decision(**item) for item in record["decisions"])
            if all(map(_is_decision, items)):
                decided = str(record["id"]), (str(record["digest"]), items)
        except (TypeError, KeyError):
            pass
        if decided is None:
            raise UsageError(f"{path}:{number}: not a decision of a review")
        yield decided


def _is_decision(item: Decision) -> bool:
    placed = all(type(at) is int for at in (item.turn, item.start, item.end)) and 0 <= item.start < item.end
    known = item.label == NOT_PERSONAL or item.label in entity_types()
    return placed and item.turn >= 0 and known and isinstance(item.original, str)
