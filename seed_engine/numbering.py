"""Marker numbers of a seed: counted from 1 per kind in order of mention, whatever they were before.

The numbers of an abstraction may skip those that the source uses itself, and a seed whose flow was cut, generalised or
sampled has lost some. Counting anew leaves nothing in a number but the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from seed_engine.markers import Marker, parse_marker
from seed_engine.seed import FlowStep

Numbers = dict[tuple[str, int], int]


def renumbered(flow: Iterable[FlowStep]) -> tuple[FlowStep, ...]:
    """The same steps with their markers counted anew.

    A date that counts from one which is no longer mentioned before it loses its distance.

    Raises:
        ValueError: a slot in brackets is no marker.
    """
    numbers: Numbers = {}
    counts: Counter[str] = Counter()
    notes: dict[Marker, str] = {}
    steps = []
    for step in flow:
        slots = (_counted(slot, numbers, counts, notes) for slot in step.slots)
        steps.append(step.model_copy(update={"slots": tuple(dict.fromkeys(slots))}))
    return tuple(steps)


def _counted(slot: str, numbers: Numbers, counts: Counter[str], notes: dict[Marker, str]) -> str:
    if not slot.startswith("["):
        return slot
    marker = parse_marker(slot)
    note, origin = marker.note, marker.reference
    if origin is not None:
        known = numbers.get((origin.kind, origin.number))
        note = f"{origin.kind}_{known} {marker.distance}" if known is not None else ""
    key = (marker.kind, marker.number)
    if key not in numbers:
        counts[marker.kind] += 1
        numbers[key] = counts[marker.kind]
    # The same thing is written the same all through, even if its origin is mentioned after all.
    note = notes.setdefault(marker, note)
    return str(replace(marker, number=numbers[key], note=note))
