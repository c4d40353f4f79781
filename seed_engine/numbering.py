"""Marker numbers of a seed: counted from 1 per kind in order of mention, whatever they were before.

The numbers of an abstraction may skip those that the source uses itself, and a seed whose flow was cut, generalised or
sampled has lost some. Counting anew leaves nothing in a number but the order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from seed_engine.markers import Marker, parse_marker
from seed_engine.seed import FlowStep


def renumbered(flow: Iterable[FlowStep]) -> tuple[FlowStep, ...]:
    """The same steps with their markers counted anew.

    Raises:
        ValueError: a slot in brackets is no marker.
    """
    numbers: dict[tuple[str, int], int] = {}
    counts: dict[str, int] = {}
    steps = []
    for step in flow:
        slots = (_counted(slot, numbers, counts) for slot in step.slots)
        steps.append(step.model_copy(update={"slots": tuple(dict.fromkeys(slots))}))
    return tuple(steps)


def _counted(slot: str, numbers: dict[tuple[str, int], int], counts: dict[str, int]) -> str:
    if not slot.startswith("["):
        return slot
    marker: Marker = parse_marker(slot)
    key = (marker.kind, marker.number)
    if key not in numbers:
        counts[marker.kind] = numbers[key] = counts.get(marker.kind, 0) + 1
    return str(replace(marker, number=numbers[key]))
