"""Merkle trees: one digest that commits to a list, and short proofs that an item is in it.

Source: RFC 9162 (Certificate Transparency 2.0), section 2.1, with SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The tree's root, 32 bytes (RFC 9162, 2.1.1).

    Args:
        leaves: the items, in order; of an empty list the root is SHA-256 of nothing.
    """
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return _leaf(leaves[0])
    half = _split(len(leaves))
    return _node(root_of(leaves[:half]), root_of(leaves[half:]))


def path_of(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The inclusion proof of one leaf: sibling digests from the leaf up (RFC 9162, 2.1.3.1).

    Args:
        leaves: the items, in order.
        index: of the leaf, 0-based.
    """
    if len(leaves) == 1:
        return ()
    half = _split(len(leaves))
    if index < half:
        return (*path_of(leaves[:half], index), root_of(leaves[half:]))
    return (*path_of(leaves[half:], index - half), root_of(leaves[:half]))


def climb(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a proof leads to (RFC 9162, 2.1.3.2); None where its length does not fit.

    Args:
        leaf: the item.
        index: its place, 0-based.
        size: of the tree, > index.
        path: see `path_of`.

    Examples:
        >>> items = [b"a", b"b", b"c"]
        >>> climb(b"b", 1, 3, path_of(items, 1)) == root_of(items)
        True
    """
    if not 0 <= index < size:
        return None
    place, last, digest = index, size - 1, _leaf(leaf)
    for sibling in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            digest = _node(sibling, digest)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            digest = _node(digest, sibling)
        place, last = place >> 1, last >> 1
    return digest if last == 0 else None


def _split(count: int) -> int:
    """The largest power of two below a count of two or more."""
    return 1 << (count - 1).bit_length() - 1


def _leaf(item: bytes) -> bytes:
    # Leaves and nodes hash apart, so that a node can never be shown as an item.
    return hashlib.sha256(b"\0" + item).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
