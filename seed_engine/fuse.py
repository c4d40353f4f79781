"""Fusion: from finds of several recognizers to one list of spans that do not overlap.

Confidence is a noisy-or over families, after the HybridPII paper's weights: each family that sees something at a place
speaks once, with its best score there, and 1 - prod(1 - weight * score) is what they say together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from seed_engine.spans import EntitySpan

# Where two finds of one place disagree, the more specific type tells the reader more.
_VAGUE = frozenset({"ID_OTHER", "ORGANIZATION", "LOCATION", "DATE_TIME", "NATIONAL_ID", "URL", "NRP"})


def fuse(
    found: Mapping[str, Iterable[EntitySpan]], weights: Mapping[str, float], threshold: float
) -> tuple[EntitySpan, ...]:
    """Merge finds.

    Args:
        found: finds by family (`pattern`, `ner`, `classifier`, ...).
        weights: trust in each family, in [0, 1].
        threshold: least confidence of a cluster of overlapping finds that is kept, in [0, 1].

    Returns:
        Spans sorted by start, none overlapping another; `score` is the confidence after fusion. A find that overlaps
        one of higher confidence keeps only the part that the other leaves, if any letters of it are left.
    """
    voices = [(span, family) for family, spans in found.items() for span in spans]
    voices.sort(key=lambda voice: (voice[0].start, -voice[0].end))
    merged: list[EntitySpan] = []
    for cluster in _clusters(voices):
        merged += _settle(cluster, weights, threshold)
    return tuple(sorted(merged))


Voice = tuple[EntitySpan, str]


def _clusters(voices: list[Voice]) -> Iterable[list[Voice]]:
    cluster: list[Voice] = []
    end = -1
    for voice in voices:
        if cluster and voice[0].start >= end:
            yield cluster
            cluster = []
        cluster.append(voice)
        end = max(end, voice[0].end) if len(cluster) > 1 else voice[0].end
    if cluster:
        yield cluster


def _settle(cluster: list[Voice], weights: Mapping[str, float], threshold: float) -> list[EntitySpan]:
    if len(cluster) == 1:
        span, family = cluster[0]
        score = weights[family] * span.score
        return [replace(span, score=score)] if score >= threshold else []
    scored = []
    for span, family in cluster:
        score = _confidence(span, cluster, weights)
        if score >= threshold:
            scored.append((score, weights[family] * span.score, span))
    # Longest first among the confident: what is cut off a value would still be seen by a reader.
    scored.sort(key=lambda item: (-(item[2].end - item[2].start), item[2].entity_type in _VAGUE, -item[1]))
    kept: list[EntitySpan] = []
    for score, _, span in scored:
        if not any(span.overlaps(other) for other in kept):
            kept.append(_named(replace(span, score=score), scored))
        else:
            kept += _rest(replace(span, score=score), kept)
    return kept


def _confidence(span: EntitySpan, cluster: list[Voice], weights: Mapping[str, float]) -> float:
    best: dict[str, float] = {}
    for other, family in cluster:
        if other.overlaps(span):
            best[family] = max(best.get(family, 0.0), other.score)
    doubt = 1.0
    for family, score in best.items():
        doubt *= 1 - weights[family] * score
    return 1 - doubt


def _named(span: EntitySpan, scored: list[tuple[float, float, EntitySpan]]) -> EntitySpan:
    """The span under the most specific type that a recognizer gave to (almost) the same stretch."""
    for _, _, other in scored:
        same = min(span.end, other.end) - max(span.start, other.start) >= 0.8 * (span.end - span.start)
        if same and span.entity_type in _VAGUE and other.entity_type not in _VAGUE:
            return replace(span, entity_type=other.entity_type, recognizer=other.recognizer)
    return span


def _rest(span: EntitySpan, kept: list[EntitySpan]) -> list[EntitySpan]:
    """What of a span no kept one covers, when it hangs over one side."""
    start, end = span.start, span.end
    for other in sorted(kept):
        if other.start <= start < other.end:
            start = other.end
        elif start < other.start < end:
            end = other.start
    return [replace(span, start=start, end=end)] if end - start > 1 else []
