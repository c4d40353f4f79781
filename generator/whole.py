"""A whole conversation asked for at once, for models that can hold one: prompt from the seed, strict reading back."""

from __future__ import annotations

import json
import re
from typing import Any

from generator.completion import CompletionRequest
from generator.manner import PLAIN, Manner
from seed_engine.markers import MARKER_PATTERN, iter_markers
from seed_engine.seed import Seed

_LANGUAGES = {"en": "English", "es": "Spanish"}
_CONTACT = re.compile(r"\S+@\S+|https?://|www\.|(?:\d[ .()-]?){7,}")
_BRACKET = re.compile(r"\[[^\]]*\]")

_SYSTEM = (
    "You write realistic chat conversations from a plan. One message for each step of the plan, in order, by the "
    "step's speaker, doing the step's dialogue act (ISO 24617-2) about its topic and mentioning its slots. Values of "
    "slots are yours to invent, the same ones all through. Where a step lists a marker such as [PATIENT_1], write the "
    "marker itself in place of the name, date or number; use no other marker. Never write a name, date, address, phone "
    "number, e-mail address or other personal detail. Reply with JSON only."
)


def conversation_request(seed: Seed, sampling_seed: int, manner: Manner = PLAIN) -> CompletionRequest:
    """The request for a seed; nothing but labels and markers of the seed goes into it."""
    steps = [
        f"{i}. {step.role}: {step.act}, topic {step.topic}" + (f", slots {' '.join(step.slots)}" if step.slots else "")
        for i, step in enumerate(seed.flow, 1)
    ]
    head = [
        f"Language: {_LANGUAGES[seed.language]}",
        f"Domain: {seed.domain}",
        f"Objective: {seed.objective}",
        f"Tone of the {seed.roles[0]}: {seed.tone}",
        *_manner_lines(manner),
        *(f"{name}: {band}" for name, band in sorted(seed.facts.items())),
        f"Plan ({len(steps)} messages):",
    ]
    return CompletionRequest(
        system=_SYSTEM,
        prompt="\n".join([*head, *steps]),
        max_tokens=60 * len(steps) + 100,
        seed=sampling_seed,
        json_schema=reply_schema(seed),
    )


def _manner_lines(manner: Manner) -> list[str]:
    told = {"Persona": manner.persona, "Register": manner.register, "Length of messages": manner.length}
    told |= {"Outcome": manner.outcome.replace("_", " "), "Difficulty": manner.difficulty}
    return [f"{name}: {label}" for name, label in told.items() if label]


def reply_schema(seed: Seed) -> dict[str, Any]:
    """JSON Schema of the reply: exactly one turn a step, roles of the seed."""
    turn = {
        "type": "object",
        "properties": {"role": {"enum": list(seed.roles)}, "text": {"type": "string", "minLength": 1}},
        "required": ["role", "text"],
        "additionalProperties": False,
    }
    turns = {"type": "array", "items": turn, "minItems": len(seed.flow), "maxItems": len(seed.flow)}
    return {"type": "object", "properties": {"turns": turns}, "required": ["turns"], "additionalProperties": False}


def parse_reply(reply: str, seed: Seed) -> tuple[tuple[str, ...] | None, str | None]:
    """The texts of a reply in the order of the flow, or the label of its first fault."""
    texts, fault = _texts(reply, seed)
    if fault is None:
        fault = next(
            (found for text, i in zip(texts, range(len(texts)), strict=True) if (found := _fault(text, seed, i))), None
        )
    # The same sentence with another marker in it says nothing new.
    if fault is None and len({MARKER_PATTERN.sub("", text).casefold() for text in texts}) < 0.8 * len(texts):
        fault = "repeats"
    return (None, fault) if fault else (texts, None)


def _texts(reply: str, seed: Seed) -> tuple[tuple[str, ...], str | None]:
    body = reply.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        raw = json.loads(body)
    except ValueError:
        return (), "not_json"
    turns = raw.get("turns") if isinstance(raw, dict) else None
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return (), "wrong_shape"
    if len(turns) != len(seed.flow):
        return (), "turn_count"
    if [turn.get("role") for turn in turns] != [step.role for step in seed.flow]:
        return (), "role_order"
    texts = [turn.get("text") for turn in turns]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        return (), "empty_turn"
    return tuple(str(text).strip() for text in texts), None


def _fault(text: str, seed: Seed, index: int) -> str | None:
    markers = {str(marker) for _, _, marker in iter_markers(text)}
    known = {slot for step in seed.flow for slot in step.slots if slot.startswith("[")}
    if set(_BRACKET.findall(text)) - known or markers - known:
        return "invented_marker"
    if {slot for slot in seed.flow[index].slots if slot.startswith("[")} - markers:
        return "missing_marker"
    if _CONTACT.search(text):
        return "personal_value"
    if len(text) > 1200:
        return "too_long"
    return None
