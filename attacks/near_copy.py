"""Near copies: how far a secret is from the closest stretch of a text."""

from __future__ import annotations


def letters(text: str) -> str:
    """The letters and digits of a text, case folded: what an adversary needs of it."""
    return "".join(character for character in text.casefold() if character.isalnum())


def distance_within(needle: str, text: str) -> int:
    """Least Levenshtein distance between `needle` and any substring of `text` (Sellers 1980); 0 = contained.

    >>> distance_within("4711", "is 4 7 1 1"), distance_within("4711", "is 4211"), distance_within("4711", "")
    (2, 1, 4)
    """
    if needle in text:
        return 0
    # One column per character of the text; row 0 stays 0, so a match may begin anywhere.
    column = list(range(len(needle) + 1))
    best = column[-1]
    for character in text:
        diagonal = 0
        for row, wanted in enumerate(needle, start=1):
            replaced = diagonal + (wanted != character)
            diagonal = column[row]
            column[row] = min(replaced, diagonal + 1, column[row - 1] + 1)
        best = min(best, column[-1])
    return best
