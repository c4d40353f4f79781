"""What left the house, drawn: markers that stand for people and things, seeds beside the texts made of them, quality.

Everything here is read from files that are published or hold figures alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.charts import mean_of, pairs, radar, steps_over_time
from flows.language import ENGLISH, Language
from flows.plots import bars, number
from seed_engine.markers import MARKER_PATTERN

_MOST_KINDS = 12
_BASELINES = Path(__file__).parent / "templates/quality_baselines.json"
# Numbers of turns as people compare them; the last is open.
_LENGTHS = ((1, 7), (8, 11), (12, 15), (16, 23), (24, None))


def set_figures(directory: Path, words: Language = ENGLISH) -> dict[str, Any]:
    """Markers by kind, and how domains, languages and lengths of the seeds stand beside the published set.

    Args:
        directory: holds seeds.jsonl and synthetic.jsonl.
        words: language of the captions.

    Returns:
        `markers`, `markers_words`, and `shares`: a title and a plot for each distribution; empty without the files.
    """
    kinds: Counter[str] = Counter()
    seeds, made = (_empty(), _empty())
    for seed in _lines(directory / "seeds.jsonl"):
        kinds.update(_kinds(seed))
        _count(seed, len(seed.get("flow") or ()), seeds)
    for talk in _lines(directory / "synthetic.jsonl"):
        _count(talk, len(talk.get("turns") or ()), made)
    found: dict[str, Any] = {"markers": None, "shares": []}
    if kinds:
        rows = sorted(kinds.items(), key=lambda row: (-row[1], row[0]))
        told = ", ".join(f"{name} {number(count)}" for name, count in rows)
        found["markers"] = bars(rows[:_MOST_KINDS], f"{words.say('Markers by kind')}: {told}.")
        found["markers_words"] = words.say(
            "{count} markers of {kinds} kinds; a marker is counted once in each seed.",
            count=number(sum(kinds.values())), kinds=len(kinds),
        )  # fmt: skip
    if all(seeds.values()) and all(made.values()):
        found["shares"] = [_share(title, seeds[title], made[title], words) for title in seeds]
    return found


def quality_radar(scores: Mapping[str, Any], words: Language = ENGLISH) -> dict[str, Any]:
    """The set's quality beside the bundled sample, whole and spoilt; empty where the measures are not all there.

    Args:
        scores: scores.json.
        words: language of the captions.
    """
    sets: dict[str, dict[str, float]] = json.loads(_BASELINES.read_text("utf-8"))["sets"]
    whole = sets.pop("whole")
    measured = {name: (entry or {}).get("value") for name, entry in (scores.get("quality") or {}).items()}
    own = {name: float(value) for name in whole if isinstance(value := measured.get(name), int | float)}
    if len(own) < len(whole):
        return {}
    axes = list(whole)
    spoilt = mean_of(sets, axes)
    told = "; ".join(
        words.say(
            "{measure}: {own}, whole sample {whole}, spoilt {spoilt}",
            measure=words.name(axis), own=number(own[axis]), whole=number(whole[axis]), spoilt=number(round(low, 3)),
        )
        for axis, low in zip(axes, spoilt, strict=True)
    )  # fmt: skip
    shapes = [("spoilt", spoilt), ("whole", [whole[a] for a in axes]), ("own", [own[a] for a in axes])]
    rows = [
        (words.name(name), [number(values[axis]) for axis in axes])
        for name, values in ({"whole": whole} | sets).items()
    ]
    names = [words.name(axis) for axis in axes]
    return {
        "plot": radar(names, shapes, f"{words.say('Quality beside spoilt conversations')}. {told}."),
        "axes": names,
        "own": [number(own[axis]) for axis in axes],
        "rows": rows,
    }


def ledger_figures(entries: Sequence[tuple[str, float]], words: Language = ENGLISH) -> dict[str, Any]:
    """Privacy loss over time.

    Args:
        entries: (ISO 8601 moment, composed epsilon so far), in order; may be empty.
        words: language of the captions.
    """
    if not entries:
        return {}
    told = words.say(
        "{count} entries; together epsilon {total} since {first}.",
        count=len(entries), total=number(entries[-1][1]), first=entries[0][0][:10],
    )  # fmt: skip
    plot = steps_over_time([(at[:10], total) for at, total in entries], f"{words.say('Epsilon over time')}. {told}")
    return {"plot": plot, "words": told}


def _kinds(seed: Mapping[str, Any]) -> list[str]:
    slots = {str(slot) for step in seed.get("flow") or () for slot in step.get("slots") or ()}
    things = {(match[1], match[2]) for slot in slots if (match := MARKER_PATTERN.fullmatch(slot))}
    return [kind for kind, _ in things]


def _empty() -> dict[str, Counter[str]]:
    return {"Domains": Counter(), "Languages": Counter(), "Turns": Counter()}


def _count(record: Mapping[str, Any], turns: int, into: Mapping[str, Counter[str]]) -> None:
    if record.get("domain"):
        into["Domains"][str(record["domain"])] += 1
    if record.get("language"):
        into["Languages"][str(record["language"])] += 1
    for low, high in _LENGTHS if turns else ():
        if turns >= low and (high is None or turns <= high):
            into["Turns"][f"{low}\u2013{high}" if high else f"{low}+"] += 1


def _share(title: str, seeds: Counter[str], made: Counter[str], words: Language) -> dict[str, Any]:
    names = sorted({*seeds, *made}, key=lambda name: (-seeds[name], name))[:_MOST_KINDS]
    if title == "Turns":
        names = sorted({*seeds, *made}, key=lambda name: int(name.rstrip("+").split("\u2013")[0]))
    rows = [(words.name(name), seeds[name] / seeds.total(), made[name] / made.total()) for name in names]
    told = "; ".join(
        words.say("{name}: seeds {seeds}, published {made}", name=name, seeds=f"{one:.0%}", made=f"{two:.0%}")
        for name, one, two in rows
    )
    return {"title": words.say(title), "plot": pairs(rows, f"{words.say(title)}. {told}.")}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line) if line.strip() else None
            if isinstance(record, dict):
                yield record
