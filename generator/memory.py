"""Memory: how much of a line somebody has said before in other words, so that nobody tells or asks it twice.

"Is Friday all right?" asks again what "I can't on Friday" has told, though no template was used twice. A line's content
is its words less its places, each by its first letters, weighed by how few of the catalogue's lines hold it (inverse
document frequency, Sparck Jones 1972): `Friday` weighs, `the` does not.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

from generator.catalogue import PLACE, Line, catalogue

# Enough to tell words apart, and few enough that `works` is `working`.
_STEM = 5
_WORD = re.compile(r"[a-z]{2,}")
# A word that more than one line in twenty holds weighs nothing: everybody says it all the time.
_COMMON = 3.0
# Below it nothing is left of a line, or next to nothing.
_LEAST_WEIGHT = 2.5
# Up to it a line shares no more than its subject with what was said.
_FREE = 0.5


class Memory:
    """What each role has said so far, by content.

    Args:
        domain: of the catalogue whose lines weigh the words.
        language: of the same.
    """

    def __init__(self, domain: str, language: str) -> None:
        self._weights = _weights(domain, language)
        self._said: dict[str, set[str]] = {}
        self._last: frozenset[str] = frozenset()

    def note(self, role: str, line: Line) -> None:
        """Keep what a role says with a line."""
        self._said.setdefault(role, set()).update(content(line.text))
        self._last = content(line.text)

    def repeats(self, role: str, line: Line, *, asks: bool) -> float:
        """Share of a line's content that is not new, [0, 1]; 0 where it is no more than its subject.

        Args:
            role: who would say it.
            line: the template.
            asks: whether it asks; what anybody told is not asked for. What was said just now may always be taken up.
        """
        stems = content(line.text)
        total = sum(self._weights.get(stem, 0.0) for stem in stems)
        if total < _LEAST_WEIGHT:
            return 0.0
        roles = self._said if asks else (role,)
        old = set().union(*(self._said.get(other, set()) for other in roles))
        if asks:
            old -= self._last
        share = sum(self._weights.get(stem, 0.0) for stem in stems & old) / total
        return max(0.0, (share - _FREE) / (1.0 - _FREE))


@cache
def _weights(domain: str, language: str) -> dict[str, float]:
    """Inverse document frequency of each stem, in nats, above that of common words."""
    known = catalogue(domain, language)
    lines = [line for group in known.lines.values() for line in group]
    lines += [line for signs in known.replies.values() for group in signs.values() for line in group]
    held = Counter(stem for line in lines for stem in content(line.text))
    return {stem: max(0.0, math.log(len(lines) / times) - _COMMON) for stem, times in held.items()}


@lru_cache(maxsize=100_000)
def content(text: str) -> frozenset[str]:
    """The stems of a template's words, places left out."""
    plain = unicodedata.normalize("NFD", PLACE.sub(" ", text).casefold())
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return frozenset(word[:_STEM] for word in _WORD.findall(bare))
