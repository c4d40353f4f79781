"""Label Studio tasks on redacted transcripts: proposals out as predictions, labels and originals back as decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from seed_engine.conversation import Conversation
from seed_engine.label_studio import TYPES, regions, rendered, spans_of
from seed_engine.redaction_review import NOT_PERSONAL, Decision, Proposal

# A longer original is no word or number that a tool hid.
LONGEST = 80


def redaction_task(conversation: Conversation, proposals: Sequence[Proposal]) -> dict[str, Any]:
    """One task; as private as the transcript.

    Args:
        conversation: as the other tool left it.
        proposals: of `redaction_review.propose`.
    """
    text, starts = rendered(conversation)
    results = [item for i, proposal in enumerate(proposals) for item in _results(str(i), text, starts, proposal)]
    data = {"text": text, "conversation": conversation.id}
    return {"data": data, "predictions": [{"model_version": "semilla", "result": results}]}


def redaction_config() -> str:
    """The labelling interface: a label a type, one for what was hidden wrongly, and a field for its original."""
    labels = "\n".join(f"    <Label value={quoteattr(name)}/>" for name in (NOT_PERSONAL, *TYPES))
    return (
        '<View>\n  <Labels name="label" toName="text">\n'
        f"{labels}\n  </Labels>\n"
        '  <Text name="text" value="$text" granularity="symbol"/>\n'
        '  <TextArea name="original" toName="text" perRegion="true" editable="true" maxSubmissions="1" '
        'placeholder="what stood here"/>\n</View>\n'
    )


def decisions_of(record: dict[str, Any], conversation: Conversation) -> tuple[Decision, ...] | None:
    """What a reviewer decided in a task; None while nobody has reviewed it.

    Raises:
        ValueError: a region holds another text than it says, its label is none of the interface, or its original is too
            long.
    """
    values = regions(record)
    if values is None:
        return None
    originals = _originals(record)
    return tuple(sorted(item for value in values for item in _decisions(value, originals, conversation)))


def _decisions(
    value: dict[str, Any], originals: dict[tuple[int, int], str], conversation: Conversation
) -> Iterator[Decision]:
    label = next(iter(value.get("labels") or ()), "")
    wrong = label == NOT_PERSONAL
    original = originals.get((value["start"], value["end"]), "") if wrong else ""
    if len(original) > LONGEST or any(char in original for char in "\r\n"):
        raise ValueError("an original is longer than what a tool hides")
    # The place is checked whatever the label; only `NOT_PERSONAL` is none of the entity types.
    for turn, spans in enumerate(spans_of([value | {"labels": ["ID_OTHER"]} if wrong else value], conversation)):
        for span in spans:
            yield Decision(turn, span.start, span.end, label, original)


def _originals(record: dict[str, Any]) -> dict[tuple[int, int], str]:
    """By place in the task's text what the reviewer wrote beside a region, of the newest annotation."""
    done = [item for item in record.get("annotations", ()) if not item.get("was_cancelled")]
    if not done:
        return {}
    newest = max(done, key=lambda item: str(item.get("updated_at") or item.get("created_at") or ""))
    found = {}
    for item in newest.get("result", ()):
        if item.get("type") == "textarea" and item.get("from_name") == "original":
            written = item["value"].get("text") or ()
            text = written if isinstance(written, str) else next(iter(written), "")
            found[item["value"]["start"], item["value"]["end"]] = str(text).strip()
    return found


def _results(name: str, text: str, starts: Sequence[int], proposal: Proposal) -> Iterable[dict[str, Any]]:
    start, end = (starts[proposal.turn] + at for at in (proposal.start, proposal.end))
    place = {"start": start, "end": end}
    head = {"id": name, "to_name": "text"}
    marked = {"text": text[start:end], "labels": [proposal.label]}
    yield {**head, "from_name": "label", "type": "labels", "value": place | marked, "score": round(proposal.score, 4)}
    if proposal.original:
        yield {**head, "from_name": "original", "type": "textarea", "value": place | {"text": [proposal.original]}}
