"""Label Studio's forms for special-care labels: a task with the models' proposal, and what a person made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from seed_engine.sensitive.build_prompt import LABELS
from seed_engine.sensitive.build_records import Labelling, Offsets, Opinion
from seed_engine.sensitive.categories import category

PERSON = "person"
_NONE = "none"
_EVIDENCE = "evidence"


def task(text: str, labelling: Labelling) -> dict[str, Any]:
    """One task; it holds the text and is as private as the source.

    Args:
        text: what a person reads; line ends of one kind, so that offsets agree.
        labelling: the models' proposal, shown as a prediction where there is a label.
    """
    data = {"text": shown(text), "id": labelling.id, "digest": labelling.digest, "stage": labelling.stage}
    if labelling.label is None:
        return {"data": data, "predictions": []}
    result = [_choice("label", labelling.label), _choice("category", labelling.category or _NONE)]
    if labelling.evidence is not None:
        start, end = labelling.evidence
        value = {"start": start, "end": end, "text": shown(text)[start:end], "labels": [_EVIDENCE]}
        result.append({"from_name": _EVIDENCE, "to_name": "text", "type": "labels", "value": value})
    return {"data": data, "predictions": [{"model_version": "semilla", "result": result}]}


def labelling_config(categories: Sequence[str]) -> str:
    """The labelling interface: one label, one category, and where it is said."""
    labels = "".join(f"    <Choice value={quoteattr(name)}/>\n" for name in LABELS)
    names = [(name, f"{category(name).ja} / {category(name).en}") for name in categories]
    kinds = "".join(
        f"    <Choice value={quoteattr(name)} hint={quoteattr(hint)}/>\n" for name, hint in (*names, (_NONE, "-"))
    )
    return (
        '<View>\n  <Text name="text" value="$text"/>\n'
        f'  <Choices name="label" toName="text" choice="single" required="true">\n{labels}  </Choices>\n'
        f'  <Choices name="category" toName="text" choice="single" required="true">\n{kinds}  </Choices>\n'
        f'  <Labels name="evidence" toName="text">\n    <Label value="{_EVIDENCE}"/>\n  </Labels>\n</View>\n'
    )


def shown(text: str) -> str:
    """A text as a task shows it, letter for letter."""
    return text.replace("\r", " ")


def decision(record: dict[str, Any], text: str, categories: Sequence[str]) -> Opinion | None:
    """What a person decided in a task; None where nobody has.

    Args:
        record: a task of Label Studio's JSON export.
        text: of the source.
        categories: ids that may be assigned.

    Raises:
        ValueError: the task is of another text, or a label, a category or a region is none that could be given; the
            message quotes nothing.
    """
    done = [item for item in record.get("annotations", ()) if not item.get("was_cancelled")]
    if not done:
        return None
    if record["data"].get("text") != shown(text):
        raise ValueError("its text is not the source's")
    newest = max(done, key=lambda item: str(item.get("updated_at") or item.get("created_at") or ""))
    results = list(newest.get("result", ()))
    label, kind = _chosen(results, "label", LABELS), _chosen(results, "category", (*categories, _NONE))
    if (label == _NONE) != (kind == _NONE):
        raise ValueError("a label without its category, or a category without a label")
    return Opinion(
        judge=PERSON,
        label=label,
        category=None if kind == _NONE else kind,
        confidence=1.0,
        evidence=_region(results, shown(text)),
    )


def _choice(name: str, value: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [value]}}


def _chosen(results: list[dict[str, Any]], name: str, known: Sequence[str]) -> str:
    values = [item["value"]["choices"] for item in results if item.get("from_name") == name]
    if len(values) != 1 or len(values[0]) != 1 or values[0][0] not in known:
        raise ValueError(f"{name}: one of those on offer is expected")
    return str(values[0][0])


def _region(results: list[dict[str, Any]], text: str) -> Offsets | None:
    """The first region that a person marked."""
    for item in results:
        if item.get("from_name") != _EVIDENCE:
            continue
        start, end = item["value"].get("start"), item["value"].get("end")
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
            raise ValueError("a region lies outside its text")
        if item["value"].get("text", text[start:end]) != text[start:end]:
            raise ValueError("a region holds another text than the source has there")
        return start, end
    return None
