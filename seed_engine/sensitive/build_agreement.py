"""How far two judges agree beyond chance: Cohen's kappa."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from pydantic import Field

from seed_engine.conversation import Boundary


class Agreement(Boundary):
    """Agreement of two judges on the same texts.

    Attributes:
        texts: that both judged, >= 0.
        observed: share on which they say the same, in [0, 1]; None without texts.
        expected: share on which they would by chance, each keeping to how often it says what; None without texts.
        kappa: (observed - expected) / (1 - expected), in [-1, 1], higher is better; None where it is not defined: no
            texts, or both say one and the same thing of all.
        standard_error: of kappa, after Cohen (1960), equation 7; None where kappa is.
        confusion: texts by what the first and the second said, `first|second`.
    """

    texts: int = Field(ge=0)
    observed: float | None = None
    expected: float | None = None
    kappa: float | None = None
    standard_error: float | None = None
    confusion: dict[str, int] = Field(default_factory=dict)


def agreement(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """Cohen's kappa of pairs of labels (Cohen 1960, A coefficient of agreement for nominal scales).

    Args:
        pairs: what the first and the second judge said of each text.

    Examples:
        >>> agreement([("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15).kappa
        0.4
    """
    cells = Counter(pairs)
    total = cells.total()
    confusion = {f"{first}|{second}": count for (first, second), count in sorted(cells.items())}
    if not total:
        return Agreement(texts=0)
    first, second = Counter[str](), Counter[str]()
    for (one, other), count in cells.items():
        first[one] += count
        second[other] += count
    observed = sum(count for (one, other), count in cells.items() if one == other) / total
    expected = sum(first[label] * second[label] for label in first) / total**2
    known = {"texts": total, "observed": round(observed, 6), "expected": round(expected, 6), "confusion": confusion}
    if expected == 1:
        return Agreement(**known)
    error = math.sqrt(observed * (1 - observed) / (total * (1 - expected) ** 2))
    kappa = (observed - expected) / (1 - expected)
    return Agreement(**known, kappa=round(kappa, 6), standard_error=round(error, 6))
