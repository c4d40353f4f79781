"""Print how well markers follow people: CoNLL-F1 of their chains and how often a marker's role is right.

Run `python scripts/measure_chains.py [FILE.jsonl ...] [--detector] [--errors]`; without files, those of
`tests/seed_engine/chains`. A line holds `people` by key (`role`, `relation`) and turns in whose text a mention is
written `{key|surface}`, `{key=kin|my wife}` or `{key=mail|a@b.example}`. `dev` was looked at while the rules were
written, `held_out` was not.

With gold spans the names and e-mail addresses are given, never the kinship words: those have to be found. With
`--detector` everything has to be found; a find counts for the gold mention that it overlaps most.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seed_engine.abstract import Abstraction, abstract
from seed_engine.chain_scores import Chain, conll_scores
from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.markers import Marker
from seed_engine.spans import EntitySpan

CHAINS = Path(__file__).resolve().parent.parent / "tests" / "seed_engine" / "chains"
MENTION = re.compile(r"\{(\w+)(?:=(kin|mail))?\|([^{}]*)\}")
# What a gold role may be called; the customer of a lawyer is a client.
ROLES = {
    "CLIENT": {"CLIENT", "CUSTOMER"},
    "CUSTOMER": {"CUSTOMER", "CLIENT", "BUYER"},
    "LAWYER": {"LAWYER"},
    "ADVISOR": {"ADVISOR", "AGENT"},
    "SELLER": {"SELLER", "SALESPERSON", "AGENT"},
    "FRIEND": {"RELATIVE", "PERSON"},
}
Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation and its gold: for each place of a mention the person's key and the kind of mention."""

    conversation: Conversation
    gold: dict[Place, tuple[str, str]]
    roles: dict[str, str]


def read_cases(file: Path) -> Iterator[Case]:
    """The cases of a file, markup taken out of the texts."""
    for line in file.read_text("utf-8").splitlines():
        raw = json.loads(line)
        turns, gold = [], {}
        for i, turn in enumerate(raw["turns"]):
            text, at = "", 0
            for match in MENTION.finditer(turn["text"]):
                text += turn["text"][at : match.start()]
                gold[i, len(text), len(text) + len(match[3])] = (match[1], match[2] or "name")
                text, at = text + match[3], match.end()
            turns.append(Turn(role=turn["role"], text=text + turn["text"][at:]))
        conversation = Conversation(id=raw["id"], turns=tuple(turns), language=raw["language"], domain=raw["domain"])
        yield Case(conversation, gold, {key: person["role"] for key, person in raw["people"].items()})


def gold_spans(case: Case) -> tuple[tuple[EntitySpan, ...], ...]:
    """Names and addresses as a perfect detector would find them."""
    spans: list[list[EntitySpan]] = [[] for _ in case.conversation.turns]
    for (turn, start, end), (_, kind) in case.gold.items():
        if kind != "kin":
            spans[turn].append(EntitySpan(start, end, "PERSON" if kind == "name" else "EMAIL_ADDRESS", 1.0, "gold"))
    return tuple(map(tuple, spans))


def mentions(abstraction: Abstraction, *, kin: bool) -> dict[Place, Marker]:
    """Every mention of a person, by a name, an address or (if `kin`) kinship, and the person's marker."""
    found = {}
    for i, marked in enumerate(abstraction.mentioned if kin else abstraction.marked):
        for span in marked:
            marker = abstraction.owners.get(span.marker, span.marker)
            if marker.is_person:
                found[i, span.start, span.end] = marker
    return found


def aligned(found: dict[Place, Marker], gold: dict[Place, tuple[str, str]]) -> dict[Place, Marker]:
    """Finds under the place of the gold mention that they overlap most, the others under their own."""
    moved: dict[Place, Marker] = {}
    for place, marker in found.items():
        rivals = [(min(place[2], g[2]) - max(place[1], g[1]), g) for g in gold if g[0] == place[0]]
        overlap, target = max(rivals, default=(0, place))
        moved.setdefault(target if overlap > 0 else place, marker)
    return moved


def chains(of: dict[Place, object]) -> list[Chain]:
    """Places by what they belong to."""
    groups: dict[object, set[Place]] = defaultdict(set)
    for place, key in of.items():
        groups[key].add(place)
    return [frozenset(group) for group in groups.values()]


def role_right(gold: str, marker: Marker) -> bool:
    """Whether a marker's role is the gold one, or another word for it."""
    return marker.role in ROLES.get(gold, {gold})


def measure(cases: list[Case], found: list[dict[Place, Marker]], *, kin: bool) -> dict[str, float]:
    """CoNLL scores over people and the share of name mentions whose marker has the right role.

    Args:
        cases: conversations with gold.
        found: for each of them the places and markers found.
        kin: whether mentions by kinship alone count.
    """
    pairs, roles = [], Counter[bool]()
    for case, markers in zip(cases, found, strict=True):
        gold = {place: key for place, (key, kind) in case.gold.items() if kin or kind != "kin"}
        seen = {place: str(marker) for place, marker in markers.items()}
        pairs.append((chains(dict(gold)), chains(dict(seen))))
        for place, key in gold.items():
            if place in markers:
                roles[role_right(case.roles[key], markers[place])] += 1
    return conll_scores(pairs) | {"role_right": roles[True] / roles.total()}


def print_errors(case: Case, found: dict[Place, Marker]) -> None:
    """One line a mention whose person or role differs from gold."""
    best = {}
    for key in case.roles:
        mine = Counter(str(found[p]) for p, (k, _) in case.gold.items() if k == key and p in found)
        best[key] = mine.most_common(1)[0][0] if mine else "-"
    for place in sorted(case.gold.keys() | found.keys()):
        key, _ = case.gold.get(place, ("spurious", ""))
        got = found.get(place)
        text = case.conversation.turns[place[0]].text[place[1] : place[2]]
        if got is None or key == "spurious" or str(got) != best[key] or not role_right(case.roles[key], got):
            print(
                f"  {case.conversation.id} {place[0]:2} {text!r}: {key} {case.roles.get(key)} / {best.get(key)}: {got}"
            )


def main(arguments: list[str]) -> None:
    """Print the figures of every file."""
    files = [Path(a) for a in arguments if not a.startswith("--")] or sorted(CHAINS.glob("*.jsonl"))
    for file in files:
        cases = list(read_cases(file))
        spans = [gold_spans(case) for case in cases]
        if "--detector" in arguments:
            from seed_engine.detect import Detector

            spans = list(Detector(DetectorConfig()).detect_conversations(case.conversation for case in cases))
        made = [abstract(case.conversation, each) for case, each in zip(cases, spans, strict=True)]
        for kin in (False, True):
            found = [mentions(each, kin=kin) for each in made]
            if "--detector" in arguments:
                found = [aligned(each, case.gold) for case, each in zip(cases, found, strict=True)]
            for language in ("en", "es", "all"):
                chosen = [i for i, case in enumerate(cases) if language in ("all", case.conversation.language)]
                scores = measure([cases[i] for i in chosen], [found[i] for i in chosen], kin=kin)
                figures = " ".join(f"{name} {value:.3f}" for name, value in scores.items())
                print(f"{file.stem} {language} {'names and kinship' if kin else 'names'}: {figures}")
        if "--errors" in arguments:
            for case, each in zip(cases, found, strict=True):
                print_errors(case, each)


if __name__ == "__main__":
    main(sys.argv[1:])
