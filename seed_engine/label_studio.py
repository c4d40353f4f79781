"""Label Studio's forms: a task with its finds marked, the labelling configuration, and what a reviewer made of it.

A task holds the whole conversation as one text. Label Studio counts code points in a text; older versions counted
UTF-16 units, so on the way back a region must hold the text that it says it holds, counted the one way or the other.
"""

from __future__ import annotations

import colorsys
import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from xml.sax.saxutils import quoteattr

from seed_engine.conversation import Conversation
from seed_engine.seed import Seed
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]
RECOGNIZER = "review"
# What a reviewer may call what nobody marked, besides the types that were found.
TYPES = (
    *("PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "AGE", "EMAIL_ADDRESS", "PHONE_NUMBER", "URL", "USERNAME"),
    *("CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "MEDICAL_RECORD", "ORDER_ID", "ID_OTHER", "NRP", "OCCUPATION"),
)
# What Presidio's default engine may say besides.
_PRESIDIO = frozenset(
    ("US_BANK_NUMBER", "US_DRIVER_LICENSE", "US_ITIN", "US_PASSPORT", "UK_NHS", "MAC_ADDRESS", "US_MBI")
)
_GOLDEN = 0.618034


def task(conversation: Conversation, spans: Sequence[Spans], seed: Seed | None = None) -> dict[str, Any]:
    """One task: the text to read, the seed beside it, and the detector's finds as a prediction.

    Args:
        conversation: the source; the task is as private as it is.
        spans: one tuple a turn.
        seed: what became of the conversation, shown to the reviewer.
    """
    text, starts = rendered(conversation)
    regions = [
        _region(f"{i}-{k}", text, starts[i], span) for i, found in enumerate(spans) for k, span in enumerate(found)
    ]
    scores = [span.score for found in spans for span in found]
    data = {"text": text, "conversation": conversation.id, "seed": _outline(seed) if seed is not None else ""}
    prediction = {
        "model_version": "semilla",
        "score": round(sum(scores) / len(scores), 4) if scores else 1.0,
        "result": regions,
    }
    return {"data": data, "predictions": [prediction]}


def labelling_config(types: Iterable[str]) -> str:
    """The labelling interface: one label a type, each in a colour of its own, the same in every project."""
    names = dict.fromkeys((*TYPES, *sorted(types)))
    labels = "\n".join(
        f"    <Label value={quoteattr(name)} background={quoteattr(_colour(i))}/>" for i, name in enumerate(names)
    )
    return (
        '<View>\n  <Labels name="label" toName="text">\n'
        f"{labels}\n  </Labels>\n"
        '  <Text name="text" value="$text" granularity="word"/>\n'
        '  <Header value="Seed"/>\n  <Text name="seed" value="$seed"/>\n</View>\n'
    )


@cache
def entity_types() -> frozenset[str]:
    """Every label that a review may hold: a label is printed and counted, so that none may be a word of a source."""
    from seed_engine.classifier import Classifier
    from seed_engine.kinds import MARKER_KINDS
    from seed_engine.recognizers.registry import RECOGNIZERS

    ours = (pattern.entity_type for pattern in RECOGNIZERS)
    return frozenset((*TYPES, *MARKER_KINDS, *ours, *Classifier().entity_types)) | _PRESIDIO


def rendered(conversation: Conversation) -> tuple[str, tuple[int, ...]]:
    """The text of a task, a turn a line after its speaker, and where in it each turn starts, in code points."""
    pieces, starts, at = [], [], 0
    for turn in conversation.turns:
        # Line ends of one kind: what Label Studio shows must be as long as what it was given.
        piece = f"{turn.role}: {turn.text}\n".replace("\r", " ")
        starts.append(at + len(piece) - len(turn.text) - 1)
        pieces.append(piece)
        at += len(piece)
    return "".join(pieces), tuple(starts)


def digest(conversation: Conversation) -> str:
    """What a review is bound to: SHA-256 of the text that was reviewed, hexadecimal."""
    return hashlib.sha256(rendered(conversation)[0].encode("utf-8", "surrogatepass")).hexdigest()


def regions(record: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The regions that a reviewer left in a task, of the newest annotation; None when nobody has reviewed it.

    Takes Label Studio's JSON and its JSON-MIN.
    """
    if "annotations" in record:
        done = [item for item in record["annotations"] if not item.get("was_cancelled")]
        if not done:
            return None
        newest = max(done, key=lambda item: str(item.get("updated_at") or item.get("created_at") or ""))
        results = [item for item in newest.get("result", ()) if item.get("type") == "labels"]
        return [item["value"] for item in results]
    if "annotation_id" in record or "label" in record:
        return list(record.get("label") or ())
    return None


def reviewed_text(record: dict[str, Any]) -> Any:
    """The text that a task showed its reviewer, in Label Studio's JSON or its JSON-MIN; None where it holds none."""
    return record.get("data", record).get("text")


def spans_of(values: Iterable[dict[str, Any]], conversation: Conversation) -> list[list[EntitySpan]]:
    """Reviewed regions as spans, one list a turn; what reaches over a turn's end is cut there.

    Raises:
        ValueError: a region holds another text than it says, or its label is no entity type.
    """
    text, starts = rendered(conversation)
    found: list[list[EntitySpan]] = [[] for _ in conversation.turns]
    for value in values:
        kind = next(iter(value.get("labels") or ()), "")
        if not isinstance(kind, str) or kind not in entity_types():
            raise ValueError("a label is no entity type")
        start, end = _place(text, value)
        for i, (turn, begin) in enumerate(zip(conversation.turns, starts, strict=True)):
            a, b = max(start - begin, 0), min(end - begin, len(turn.text))
            if a < b:
                found[i].append(EntitySpan(a, b, kind, 1.0, RECOGNIZER))
    return [sorted(spans) for spans in found]


def _place(text: str, value: dict[str, Any]) -> tuple[int, int]:
    start, end, said = value.get("start"), value.get("end"), value.get("text")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end:
        raise ValueError("a region has no place")
    if said is None or text[start:end] == said:
        if end > len(text):
            raise ValueError("a region ends after the text")
        return start, end
    wide = text.encode("utf-16-le", "surrogatepass")
    a, b = (wide[: 2 * offset].decode("utf-16-le", "surrogatepass") for offset in (start, end))
    if text[len(a) : len(b)] != said:
        raise ValueError("a region holds another text than the source has there")
    return len(a), len(b)


def _region(name: str, text: str, begin: int, span: EntitySpan) -> dict[str, Any]:
    start, end = begin + span.start, begin + span.end
    value = {"start": start, "end": end, "text": text[start:end], "labels": [span.entity_type]}
    return {
        "id": name,
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": value,
        "score": round(span.score, 4),
    }


def _outline(seed: Seed) -> str:
    """The seed for a person to read: its labels, a line a step."""
    head = f"{seed.domain} | {seed.objective} | {seed.tone} | {seed.turn_range} turns"
    steps = (f"{step.role}: {step.act} | {step.topic} | {' '.join(step.slots)}".rstrip(" |") for step in seed.flow)
    return "\n".join((head, *steps))


def _colour(place: int) -> str:
    """Colours far apart in hue: each a golden section of the circle after the last."""
    red, green, blue = colorsys.hls_to_rgb(place * _GOLDEN % 1, 0.62, 0.65)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
