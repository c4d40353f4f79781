"""Writes labelled texts from the project's grammar: frames, facts and names, each family of its own split.

A text is a frame whose slots are filled, padded with sentences about other things. Every label but `none` comes
in every category; related texts hold persons too, so that a person beside a cue proves nothing.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, cast

from seed_engine.sensitive.categories import japanese_categories
from seed_engine.sensitive.names import load_names
from seed_engine.sensitive.records import Label

Split = Literal["train", "dev"]
# Every so many-th frame of a section belongs to the development split.
_DEV_EVERY = 5
_SLOT = re.compile(r"\{(\w)\}")
# A fact in the plain form ends in a copula that changes before a noun.
_BEFORE_NOUN = re.compile(r"こと|とい|人|[{一-鿿]")
_TITLE_FOLLOWS = re.compile(
    r"さん|様|氏|くん|君|先生|大臣|知事|市長|弁護士|議員|裁判長|医師|容疑者|被告|選手|投手|監督|社長|（"
)
_HONOURED = re.compile(r"(?:さん|氏|君|ちゃん|様)$")
_PAD_CHANCE = 0.35
_MOST_PADDING = 7
# Parts of the stories, a file each; the last three by three writers who saw no evaluation set.
STORIES = "abcdefg"


@dataclass(frozen=True, slots=True)
class Written:
    """A labelled text.

    Attributes:
        text: the text.
        label: what it is.
        category: the category's id; None with the label `none`.
        source: kind of writing (news, blog, fiction).
        template: the frame it was made from; texts of one frame belong to one split.
    """

    text: str
    label: Label
    category: str | None
    source: str
    template: str


def written_texts(split: Split, per_cell: int, seed: int = 0) -> list[Written]:
    """Texts of a split, in an order that the seed alone decides.

    Args:
        split: `train` or `dev`; their frames are disjoint.
        per_cell: positives of each category; as many related texts and half as many without a cue are written, >= 1.
        seed: of all draws.
    """
    draw = random.Random(f"{split}-{seed}")
    writer = _Writer(draw, split)
    texts: list[Written] = []
    for category in japanese_categories():
        for _ in range(per_cell):
            texts += [writer.story("scpi", category.id), writer.story("related", category.id)]
            texts += [writer.positive(category.id), writer.related(category.id)]
        texts += [writer.plain() for _ in range(max(1, per_cell // 2))]
    draw.shuffle(texts)
    return texts


def evaluation_texts(copies: int = 1, seed: int = 0, name: str = "test_ja.txt") -> list[Written]:
    """The evaluation texts, names filled in; they share no frame and no name with the grammar.

    Args:
        copies: of each, with other names and other padding, >= 1.
        seed: of all draws.
        name: of the file: `test_ja.txt` or `blind_ja.txt`.
    """
    draw = random.Random(f"{name}-{seed}")
    names = load_names("test_")
    lines = [line.split("\t") for line in _lines(name)]
    pads = [text for label, _, _, text in lines if label == "pad"]
    texts = []
    for number, (label, category, source, text) in enumerate(lines):
        for copy in range(copies if label != "pad" else 0):
            # The first copy stands alone; others stand among sentences about other things.
            around = [draw.choice(pads) for _ in range(draw.choice((1, 2, 4, 8)) if copy and pads else 0)]
            around.insert(draw.randint(0, len(around)), text)
            filled = "".join(
                _SLOT.sub(lambda match: _named(names.fill(match[1], draw), match), part) for part in around
            )
            template, of = f"{name}-{number}", None if category == "-" else category
            texts.append(Written(filled, cast(Label, label), of, source, template))
    return texts


class _Writer:
    def __init__(self, draw: random.Random, split: Split) -> None:
        self._draw, self._names = draw, load_names("")
        self._frames = {name: _of_split(lines, split) for name, lines in _sections("frames.txt").items()}
        self._grammar = _sections("grammar.txt")
        self._stories = {name: _of_split(lines, split) for name, lines in _stories().items()}

    def positive(self, category: str) -> Written:
        section, number, frame = self._pick("positive:")
        return Written(self._compose(frame, category, "scpi"), "scpi", category, section, f"{section}-{number}")

    def related(self, category: str) -> Written:
        if self._draw.random() < 0.2:
            general = self._grammar[f"general:{category}"]
            number = self._draw.randrange(len(general))
            frame = f"{self._pad(person=True)}|{general[number]}|{self._pad(person=self._draw.random() < 0.7)}"
            section, label = "general", f"general-{category}-{number}"
        else:
            section, index, frame = self._pick("related:")
            label = f"{section}-{index}"
        return Written(self._compose(frame, category, "related"), "related", category, section, label)

    def story(self, label: Label, category: str) -> Written:
        number, line = self._draw.choice(self._stories[f"{label}:{category}"])
        _, _, source, text = line.split("\t")
        return Written(
            self._compose(text, category, label), label, category, source, f"story-{label}-{category}-{number}"
        )

    def plain(self) -> Written:
        pads = [self._pad(person=self._draw.random() < 0.5) for _ in range(self._draw.randint(1, 8))]
        return Written("".join(self._fill(pad, "", {}) for pad in pads), "none", None, "neutral", "neutral")

    def _pick(self, kind: str) -> tuple[str, int, str]:
        section = self._draw.choice([name for name in self._frames if name.startswith(kind)])
        number, frame = self._draw.choice(self._frames[section])
        return section, number, frame

    def _pad(self, *, person: bool) -> str:
        return self._draw.choice(self._frames["neutral:person" if person else "neutral:plain"])[1]

    def _compose(self, frame: str, category: str, label: Label) -> str:
        draw, held = self._draw, {}  # type: random.Random, dict[str, str]
        parts: list[str] = []
        for part in frame.split("|"):
            if parts and draw.random() < _PAD_CHANCE:
                parts.append(self._fill(self._pad(person=False), category, {}))
            parts.append(self._fill(part, category, held))
        for _ in range(draw.choice((0, 0, 1, 2, 3, _MOST_PADDING))):
            kind = draw.random()
            if kind < 0.12:
                extra = self._fill(draw.choice(self._grammar[f"general:{category}"]), category, {})
            else:
                extra = self._fill(self._pad(person=kind < 0.5), category, {})
            parts.insert(0 if draw.random() < 0.4 else len(parts), extra)
        return "".join(parts)

    def _fill(self, text: str, category: str, held: dict[str, str]) -> str:
        def slot(match: re.Match[str]) -> str:
            key = match[1]
            if key == "F":
                fact = self._fill(self._draw.choice(self._grammar[f"facts:{category}"]), category, {})
                return joined(fact, text[match.end() :])
            if key == "N":
                return self._draw.choice(" ".join(self._grammar[f"nouns:{category}"]).split())
            if key == "d":
                return self._draw.choice(self._words(category))
            if key not in "PQKIST" or key not in held:
                held[key] = self._names.fill(key, self._draw)
            return _named(held[key], match)

        return _SLOT.sub(slot, text)

    def _words(self, category: str) -> list[str]:
        return " ".join(self._grammar[f"words:{category}"]).split()


def joined(fact: str, following: str) -> str:
    """A fact in the form that what follows asks for.

    Examples:
        >>> joined("信者だ", "ことを"), joined("診断された", "らどう"), joined("信者である", "ら")
        ('信者である', '診断された', '信者であった')
    """
    if following.startswith("ら") and not following.startswith("らし"):
        if fact.endswith(("ている", "である")):
            return fact[:-1] + ("った" if fact.endswith("である") else "た")
        if fact.endswith("だ"):
            return fact + "った"
        return fact if fact.endswith("た") else f"{fact}とした"
    if fact.endswith("だ") and not fact.endswith("んだ"):
        if following.startswith(("ん", "の")):
            return fact[:-1] + "な"
        if following.startswith(("らし", "と「")):
            return fact[:-1]
        if _BEFORE_NOUN.match(following):
            return fact[:-1] + "である"
    return fact


def _named(value: str, slot: re.Match[str]) -> str:
    """A name as its place asks for: a title behind it takes the honorific's place and the occupation's."""
    if not _TITLE_FOLLOWS.match(slot.string, slot.end()):
        return value
    return _HONOURED.sub("", value).rpartition("の")[2]


def _of_split(lines: Sequence[str], split: Split) -> list[tuple[int, str]]:
    numbered = list(enumerate(lines))
    return [(k, line) for k, line in numbered if (k % _DEV_EVERY == _DEV_EVERY - 1) == (split == "dev")]


@cache
def _sections(name: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    heading = ""
    for line in _lines(name):
        if line.startswith("["):
            heading = line.strip("[]")
        else:
            found[heading].append(line)
    return dict(found)


@cache
def _stories() -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for part in STORIES:
        for line in _lines(f"stories_{part}.txt"):
            label, category, _ = line.split("\t", 2)
            found[f"{label}:{category}"].append(line)
    return dict(found)


def _lines(name: str) -> Iterator[str]:
    text = (files("seed_engine.sensitive") / "data" / name).read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))
