"""A balanced set out of labelled texts: a share of positives, and of hard negatives among the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from seed_engine.sensitive.build_config import BuildConfig
from seed_engine.sensitive.build_records import Labelling


def balanced(labellings: Iterable[Labelling], config: BuildConfig) -> list[Labelling]:
    """Choose from the settled texts, as many as the shares allow, in the order given.

    Of texts that are equal the first counts. Where negatives are too few for all positives, positives are left out;
    where `related` are too few for their share, `none` take their places, and the other way round.

    Args:
        labellings: of any stage.
        config: `positive_share`, `hard_negative_share` and `seed`.
    """
    first: dict[str, Labelling] = {}
    for item in labellings:
        if item.settled:
            first.setdefault(item.digest, item)
    groups = {label: _shuffled(first.values(), label, config.seed) for label in ("scpi", "related", "none")}
    negatives = len(groups["related"]) + len(groups["none"])
    share = config.positive_share
    positives = min(len(groups["scpi"]), round(negatives * share / (1 - share)))
    # At least one, where both kinds are there: a set of one label teaches nothing.
    positives = max(positives, min(1, len(groups["scpi"]), negatives))
    negatives = min(negatives, round(positives * (1 - share) / share))
    hard = min(len(groups["related"]), round(negatives * config.hard_negative_share))
    plain = min(len(groups["none"]), negatives - hard)
    hard = min(len(groups["related"]), negatives - plain)
    chosen = (*groups["scpi"][:positives], *groups["related"][:hard], *groups["none"][:plain])
    kept = {item.digest for item in chosen}
    return [item for digest, item in first.items() if digest in kept]


def review_sample(labellings: Sequence[Labelling], config: BuildConfig) -> list[Labelling]:
    """Texts for people: half of those that the models leave open, half of those that they settled.

    Args:
        labellings: of any stage; what a person decided before is not offered again.
        config: `review_texts` and `seed`.
    """
    rest = [item for item in labellings if item.correction is None]
    opened = _ordered([item for item in rest if not item.settled], config.seed)
    # Of settled texts people shall see claims about somebody first; `none` fills what is left.
    settled = _ordered([item for item in rest if item.settled], config.seed)
    settled.sort(key=lambda item: item.label == "none")
    half = config.review_texts // 2
    few = min(len(opened), config.review_texts - min(half, len(settled)))
    return [*opened[:few], *settled[: config.review_texts - few]]


def _shuffled(items: Iterable[Labelling], label: str, seed: int) -> list[Labelling]:
    return _ordered([item for item in items if item.label == label], seed)


def _ordered(items: list[Labelling], seed: int) -> list[Labelling]:
    # By a digest, not by a generator: a text that is added later does not reshuffle the others.
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed} {item.digest} {item.id}".encode()).digest())
