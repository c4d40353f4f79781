"""Measure the domain profiles on text without planted data, and what they cost.

    python -m scripts.measure_lessons untouched SHARED_DATA [--out FILE]
    python -m scripts.measure_lessons numbers SHARED_DATA [--engine hybrid]
    python -m scripts.measure_lessons cost SHARED_DATA

`untouched` counts finds in lessons nothing was planted in, less those that name a participant, as the planted copy of
the same lessons marks them. That copy forgets many ("Claire, how many people ..."), so the finds that name no student
of the whole set are counted too: no name that it marks in three lessons. FILE lists the first kind with text around,
and is as private as the lessons; the second kind is marked in it. `numbers`
counts false finds in clean consultations and support chats with the profile and without. `cost` takes CPU-seconds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation
from seed_engine.detect import Detector
from seed_engine.domain_profiles import apply_profile, setting_of
from seed_engine.gold import read_gold
from seed_engine.names import name_tokens
from seed_engine.readers import read_conversations
from seed_engine.segments import math_segments
from seed_engine.spans import EntitySpan
from seed_engine.word_vectors import WordVectors

LESSONS, CLEAN = "dialogues/mathdial.jsonl", "clean/tutoring.jsonl"
MESSAGES = 100_000
AROUND = 45
# Lessons in which a name must be marked to be that of one of the set's students.
OFTEN = 3
Spans = tuple[EntitySpan, ...]


def main() -> None:
    """Run one measurement and print it as JSON, an object a line."""
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("what", choices=("untouched", "numbers", "cost"))
    cli.add_argument("data", type=Path)
    cli.add_argument("--engine", default="hybrid")
    cli.add_argument("--out", type=Path)
    args = cli.parse_args()
    run = {
        "untouched": lambda: untouched(args.data, args.engine, args.out),
        "numbers": lambda: numbers(args.data, args.engine),
        "cost": lambda: cost(args.data, args.engine),
    }
    for row in run[args.what]():
        print(json.dumps(row, ensure_ascii=False))


def untouched(data: Path, engine: str, out: Path | None) -> Iterator[dict[str, object]]:
    """Finds a thousand messages that name no participant, by set and type."""
    participants = _participants(data / "tutoring/mathdial_planted.dev.jsonl")
    rest: list[dict[str, object]] = []
    for name in (LESSONS, CLEAN):
        talks = [_as(talk, "tutoring") for talk in read_conversations(data / name)]
        found = list(_detector(engine, profiles=True).detect_conversations(talks))
        own = [item for talk, spans in zip(talks, found, strict=True) for item in _others(talk, spans, participants)]
        messages = sum(len(talk.turns) for talk in talks)
        kinds = Counter(str(item["entity_type"]) for item in own)
        finds = sum(len(spans) for turns in found for spans in turns)
        strangers = sum(not item["student"] for item in own)
        row = {"set": name, "messages": messages, "finds": finds, "no_participant": len(own), "by_type": kinds}
        shares = {"per_1000": round(1000 * len(own) / messages, 2), "no_student": strangers}
        yield row | shares | {"no_student_per_1000": round(1000 * strangers / messages, 2)}
        rest += own
    if out is not None:
        out.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in rest), "utf-8")


def numbers(data: Path, engine: str) -> Iterator[dict[str, object]]:
    """False finds in text without personal data, with the domain's profile and without."""
    for domain in ("medical", "support"):
        talks = [_as(talk, domain) for talk in read_conversations(data / f"clean/{domain}.jsonl")]
        counts = {}
        for profiles in (False, True):
            found = _detector(engine, profiles=profiles).detect_conversations(talks)
            counts[profiles] = sum(len(spans) for turns in found for spans in turns)
        yield {"domain": domain, "engine": engine, "off": counts[False], "on": counts[True]}


def cost(data: Path, engine: str) -> Iterator[dict[str, object]]:
    """CPU-seconds of the profile beside those of detection, and of segmenting 100,000 messages in one process."""
    talks = [_as(talk, "tutoring") for talk in islice(read_conversations(data / LESSONS), 150)]
    detector = _detector(engine, profiles=False)
    list(detector.detect_conversations(talks[:5]))
    start = time.process_time()
    found = list(detector.detect_conversations(talks))
    plain = time.process_time() - start
    vectors = WordVectors()
    _profiled(talks[:5], found[:5], vectors)
    start = time.process_time()
    _profiled(talks, found, vectors)
    added = time.process_time() - start
    yield {
        "engine": engine,
        "detection_s": round(plain, 2),
        "profile_s": round(added, 2),
        "added": round(added / plain, 3),
    }
    sessions = [[turn.text for turn in talk.turns] for talk in read_conversations(data / LESSONS)]
    start, done = time.process_time(), 0
    for session in cycle(sessions):
        if done >= MESSAGES:
            break
        math_segments(session, vectors)
        done += len(session)
    yield {"messages": done, "segmentation_s": round(time.process_time() - start, 1), "processes": 1}


def _profiled(talks: Sequence[Conversation], found: Sequence[tuple[Spans, ...]], vectors: WordVectors) -> None:
    for talk, spans in zip(talks, found, strict=True):
        setting = setting_of(talk)
        if setting is not None:
            apply_profile(setting, [turn.text for turn in talk.turns], spans, vectors)


def _participants(planted: Path) -> dict[str, frozenset[str]]:
    """By lesson the words of its people's names, as the planted copy marks them."""
    gold = read_gold(planted)
    return {
        talk.id: frozenset(
            token
            for turn, spans in zip(talk.turns, marked, strict=True)
            for span in spans
            if span.entity_type == "PERSON"
            for token in name_tokens(turn.text[span.start : span.end])
        )
        for talk, marked in zip(gold.documents, gold.gold, strict=True)
    }


def _others(
    talk: Conversation, found: tuple[Spans, ...], participants: dict[str, frozenset[str]]
) -> Iterator[dict[str, object]]:
    names = participants.get(talk.id, frozenset())
    lessons = Counter(name for own in participants.values() for name in own)
    for i, (turn, spans) in enumerate(zip(talk.turns, found, strict=True)):
        for span in spans:
            value = turn.text[span.start : span.end]
            tokens = name_tokens(value)
            if span.entity_type != "PERSON" or not tokens or not names.issuperset(tokens):
                around = turn.text[max(0, span.start - AROUND) : span.end + AROUND]
                student = span.entity_type == "PERSON" and all(lessons[token] >= OFTEN for token in tokens)
                told = {"id": talk.id, "turn": i, "entity_type": span.entity_type, "value": value, "around": around}
                yield told | {"student": bool(tokens) and student}


def _detector(engine: str, *, profiles: bool) -> Detector:
    return Detector(DetectorConfig(engine=engine, profiles=profiles))  # type: ignore[arg-type]


def _as(talk: Conversation, domain: str) -> Conversation:
    return talk.model_copy(update={"domain": domain})


if __name__ == "__main__":
    main()
