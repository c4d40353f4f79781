"""The scorers of the text-only attack: adding one is a file here, a line below and a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attacks.target import Float64
from attacks.text_scorers.longest_run import longest_run
from attacks.text_scorers.nearest import nearest
from attacks.text_scorers.shared_ngrams import shared_ngrams

TextScorer = Callable[[Sequence[str], Sequence[str]], Float64]
"""(n texts, published texts) to Float64[n], higher = the text more likely stands behind the published set."""

TEXT_SCORERS: dict[str, TextScorer] = {
    "shared_ngrams": shared_ngrams,
    "longest_run": longest_run,
    "nearest": nearest,
}
