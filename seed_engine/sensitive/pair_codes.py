"""Every two neighbouring characters of a text as one small number, so that a table tells at once what a pair is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Codes lie below this; two pairs may share one, so a table that must be exact asks again.
CODES = 2**16


def pair_codes(text: str) -> NDArray[np.uint32]:
    """A code in [0, CODES) of every two neighbouring characters, in order; none for one character."""
    signs = character_codes(text)
    return np.asarray((signs[:-1] * 31 + signs[1:]) & (CODES - 1))


def character_codes(text: str) -> NDArray[np.uint32]:
    """The code point of every character."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
