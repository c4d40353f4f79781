"""Teacher moves before and after de-identification: what hiding people costs whoever studies how teachers teach.

A linear classifier (`evaluator.utility`) learns to name a tutor's move from the turn and the one before, once from the
lessons as they are and once from the lessons with markers, each tested on lessons of its own kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.utility import Accuracy, LabelledTurn, utility
from flows.errors import UsageError
from flows.records_io import read_objects
from seed_engine.conversation import Conversation, Turn
from seed_engine.deidentify import deidentify

if TYPE_CHECKING:
    from seed_engine.detect import Detector


@dataclass(frozen=True, slots=True)
class Moves:
    """Accuracy of the classifier.

    Attributes:
        before: trained and tested on the lessons as they are.
        after: trained and tested on them with markers.
        guess: of always naming the most frequent move.
        trained: turns of half 0 by id.
        tested: turns of half 1.
    """

    before: Accuracy
    after: Accuracy
    guess: float
    trained: int
    tested: int


def move_accuracy(path: Path, detector: Detector) -> Moves:
    """Measure on a JSONL set whose tutors' turns carry `acts`, split by a digest of each id.

    Raises:
        UsageError: it has no marked turns in one of its halves, or a line is no such lesson.
    """
    from evaluator.embedding import embed

    halves: tuple[list[_Lesson], list[_Lesson]] = ([], [])
    for lesson in _lessons(path):
        halves[sha256(lesson.talk.id.encode()).digest()[0] % 2].append(lesson)
    hide = _hider(detector)
    before = [list(_turns(half, lambda talk: talk)) for half in halves]
    after = [list(_turns(half, hide)) for half in halves]
    if not all(before):
        raise UsageError(f"{path}: a half of it has no turn with a move")
    plain, hidden = (utility(after[0], before[0], test[1], embed) for test in (before, after))
    return Moves(plain.real, hidden.synthetic, plain.guess, plain.trained, plain.tested)


@dataclass(frozen=True, slots=True)
class _Lesson:
    talk: Conversation
    moves: tuple[str, ...]


def _lessons(path: Path) -> Iterator[_Lesson]:
    for line, record in read_objects(path):
        lesson = None
        try:
            turns = tuple(Turn(role=turn["role"], text=turn["text"]) for turn in record["turns"])
            moves = tuple(turn["acts"][-1]["act"] if turn["acts"] else "" for turn in record["turns"])
            lesson = _Lesson(_talk(record, turns), moves)
        except (KeyError, TypeError, IndexError, ValueError):
            pass
        if lesson is None:
            raise UsageError(f"{path}:{line}: not a lesson whose turns carry acts")
        yield lesson


def _talk(record: dict[str, Any], turns: tuple[Turn, ...]) -> Conversation:
    return Conversation(id=record["id"], turns=turns, language=record.get("language"), domain="tutoring")


def _hider(detector: Detector) -> Callable[[Conversation], Conversation]:
    return lambda talk: deidentify(talk, detector.detect_conversation(talk))


def _turns(lessons: Iterable[_Lesson], change: Callable[[Conversation], Conversation]) -> Iterator[LabelledTurn]:
    for lesson in lessons:
        before = ""
        for turn, move in zip(change(lesson.talk).turns, lesson.moves, strict=True):
            if move:
                yield LabelledTurn(turn.text, before, move)
            before = turn.text
