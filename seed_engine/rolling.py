"""Rolling hashes under a secret key: the hash of every window of a text for a few operations a character.

A window's hash is a polynomial in the per-symbol numbers of a keyed table, modulo 2^64 (Karp and Rabin 1987), mixed by
secret odd multipliers. It is fast, not cryptographic: it chooses what `seed_engine.secrets` looks at more closely.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]

_TABLE = 0x10000
# Steele and Vigna 2021, a multiplier with good spectral properties.
_ODD = np.uint64(0xD1342543DE82EF95)
_BITS = np.left_shift(np.uint8(1), np.arange(8, dtype=np.uint8))


class WindowHasher:
    """Hashes windows of one key; two hashers of the same key agree.

    Args:
        key: secret bytes, at least 16.
    """

    __slots__ = ("_bases", "_down", "_mix", "_table", "_up")

    def __init__(self, key: bytes) -> None:
        seed = hashlib.blake2b(b"window hasher", key=key, digest_size=32).digest()
        stream = np.random.Generator(np.random.Philox(int.from_bytes(seed, "little") % 2**128))
        self._table = stream.integers(0, 2**64, size=_TABLE, dtype=np.uint64)
        base, self._mix = (stream.integers(0, 2**64, size=1, dtype=np.uint64) | np.uint64(1) for _ in range(2))
        # A base of 3 or 5 modulo 8 has the longest period that powers modulo 2^64 can have.
        base = (base & ~np.uint64(7)) | np.uint64(5)
        self._up, self._down = _powers(int(base[0]), 1), _powers(pow(int(base[0]), -1, 2**64), 1)
        self._bases = int(base[0]), pow(int(base[0]), -1, 2**64)

    def __repr__(self) -> str:
        return "WindowHasher()"

    def read(self, symbols: NDArray[np.uint32]) -> Windows:
        """Prepare a text's symbols (`seed_engine.fold.symbols`); linear time, 16 bytes a symbol."""
        count = len(symbols)
        if len(self._down) <= count:
            self._up, self._down = (_powers(base, 2 * count + 2) for base in self._bases)
        prefix = np.zeros(count + 1, dtype=np.uint64)
        np.cumsum(self._table[symbols & (_TABLE - 1)] * self._up[:count], out=prefix[1:])
        return Windows(prefix, self._down[: count + 1], self._mix)


class Windows:
    """The windows of one text; see `WindowHasher.read`."""

    __slots__ = ("_inverse", "_mix", "_prefix")

    def __init__(self, prefix: Hashes, inverse: Hashes, mix: Hashes) -> None:
        self._prefix, self._inverse, self._mix = prefix, inverse, mix

    def every(self, length: int, within: int) -> Hashes:
        """Hash of the window of `length` symbols at every position that has one within the first `within` symbols."""
        count = min(within + 1, len(self._prefix)) - length
        if count <= 0:
            return np.zeros(0, dtype=np.uint64)
        return self._mixed(
            (self._prefix[length : length + count] - self._prefix[:count]) * self._inverse[:count], length
        )

    def at(self, starts: Positions, lengths: Positions | int) -> Hashes:
        """Hash of the windows `[start, start + length)`, which must lie inside the text."""
        return self._mixed((self._prefix[starts + lengths] - self._prefix[starts]) * self._inverse[starts], lengths)

    def without(self, starts: Positions, lengths: Positions, at: Positions) -> Hashes:
        """Hash of the windows `[start, start + length)` as they are without their character `at`, 0-based."""
        cut = starts + at
        head = (self._prefix[cut] - self._prefix[starts]) * self._inverse[starts]
        tail = (self._prefix[starts + lengths] - self._prefix[cut + 1]) * self._inverse[starts + 1]
        return self._mixed(head + tail, lengths - 1)

    def _mixed(self, hashes: Hashes, lengths: Positions | int) -> Hashes:
        # Multiply-shift (Dietzfelbinger et al. 1997): the upper bits are good, which is where `MemberSet` looks.
        hashes ^= np.asarray(lengths, dtype=np.uint64)
        hashes *= self._mix[0]
        return hashes


class MemberSet:
    """A Bloom filter over 64-bit hashes with good upper bits: never misses a member.

    The first probe looks into a table of bytes, which takes two operations a hash; the few that pass are looked up in
    a table of bits twice more. About one stranger in a thousand passes both.

    Args:
        hashes: the members.
    """

    __slots__ = ("_bits", "_bytes", "_mask", "_shift")

    def __init__(self, hashes: Hashes) -> None:
        # 8 to 16 bytes and 32 to 64 bits a member.
        exponent = max(12, int(8 * len(hashes)).bit_length())
        self._shift = np.uint64(64 - exponent)
        self._bytes = np.zeros(2**exponent, dtype=np.bool_)
        self._bytes[hashes >> self._shift] = True
        self._mask = np.uint64(2 ** (exponent + 2) - 1)
        self._bits = np.zeros(2 ** (exponent + 2) // 8, dtype=np.uint8)
        for bit in self._probes(hashes):
            np.bitwise_or.at(self._bits, bit >> np.uint64(3), _bit_of(bit))

    def __contains__(self, value: int) -> bool:
        return bool(len(self.members(np.array([value], dtype=np.uint64))))

    def members(self, hashes: Hashes) -> Positions:
        """Positions of the hashes that may be members."""
        # Signed indices are not copied before they are used.
        found: Positions = np.flatnonzero(self._bytes[(hashes >> self._shift).view(np.int64)])
        if not len(found):
            return found
        one, two = self._probes(hashes[found])
        hit = (self._bits[one >> np.uint64(3)] & _bit_of(one)) != 0
        hit &= (self._bits[two >> np.uint64(3)] & _bit_of(two)) != 0
        found = found[hit]
        return found

    def _probes(self, hashes: Hashes) -> tuple[Hashes, Hashes]:
        mixed = (hashes ^ (hashes >> np.uint64(29))) * _ODD
        mixed ^= mixed >> np.uint64(32)
        return mixed & self._mask, (mixed >> np.uint64(23)) & self._mask


def _bit_of(bit: Hashes) -> NDArray[np.uint8]:
    return _BITS[(bit & np.uint64(7)).astype(np.uint8)]


def _powers(base: int, count: int) -> Hashes:
    powers = np.full(count, base, dtype=np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)
