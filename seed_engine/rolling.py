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


class WindowHasher:
    """Hashes windows of one key; two hashers of the same key agree.

    Args:
        key: secret bytes, at least 16.
    """

    __slots__ = ("_base", "_inverse", "_mix", "_table")

    def __init__(self, key: bytes) -> None:
        seed = hashlib.blake2b(b"window hasher", key=key, digest_size=32).digest()
        stream = np.random.Generator(np.random.Philox(int.from_bytes(seed, "little") % 2**128))
        self._table = stream.integers(0, 2**64, size=_TABLE, dtype=np.uint64)
        base, self._mix = (stream.integers(0, 2**64, size=count, dtype=np.uint64) | np.uint64(1) for count in (1, 2))
        # A base of 3 or 5 modulo 8 has the longest period that powers modulo 2^64 can have.
        base = (base & ~np.uint64(7)) | np.uint64(5)
        self._base = base
        self._inverse = np.array([pow(int(base[0]), -1, 2**64)], dtype=np.uint64)

    def __repr__(self) -> str:
        return "WindowHasher()"

    def read(self, symbols: NDArray[np.uint32]) -> Windows:
        """Prepare a text's symbols (`seed_engine.fold.symbols`); linear time, 16 bytes a symbol."""
        count = len(symbols)
        prefix = np.zeros(count + 1, dtype=np.uint64)
        np.cumsum(self._table[symbols & (_TABLE - 1)] * _powers(self._base, count), out=prefix[1:])
        return Windows(prefix, _powers(self._inverse, count + 1), self._mix)


class Windows:
    """The windows of one text; see `WindowHasher.read`."""

    __slots__ = ("_inverse", "_mix", "_prefix")

    def __init__(self, prefix: Hashes, inverse: Hashes, mix: Hashes) -> None:
        self._prefix, self._inverse, self._mix = prefix, inverse, mix

    def every(self, length: int) -> Hashes:
        """Hash of the window of `length` symbols at every position that has one."""
        count = len(self._prefix) - length
        if count <= 0:
            return np.zeros(0, dtype=np.uint64)
        return self._mixed((self._prefix[length:] - self._prefix[:count]) * self._inverse[:count], length)

    def at(self, starts: Positions, lengths: Positions | int) -> Hashes:
        """Hash of the windows `[start, start + length)`, which must lie inside the text."""
        return self._mixed((self._prefix[starts + lengths] - self._prefix[starts]) * self._inverse[starts], lengths)

    def _mixed(self, hashes: Hashes, lengths: Positions | int) -> Hashes:
        hashes ^= np.asarray(lengths, dtype=np.uint64)
        hashes *= self._mix[0]
        hashes ^= hashes >> np.uint64(32)
        hashes *= self._mix[1]
        hashes ^= hashes >> np.uint64(29)
        return hashes


class BitSet:
    """A Bloom filter over 64-bit hashes: never misses a member; `probes` bits a member.

    Args:
        hashes: the members.
        probes: bits set a member, 1 to 3; more probes, fewer false members.
    """

    __slots__ = ("_bits", "_mask", "_probes")

    def __init__(self, hashes: Hashes, probes: int) -> None:
        # 32 bits a member and probe keep false members under 1/32 for one probe and 1/30,000 for three.
        exponent = max(16, int(32 * probes * max(1, len(hashes)) - 1).bit_length())
        self._mask, self._probes = np.uint64(2**exponent - 1), probes
        self._bits = np.zeros(2**exponent // 8, dtype=np.uint8)
        for probe in range(probes):
            bit = self._probe(hashes, probe)
            np.bitwise_or.at(self._bits, bit >> np.uint64(3), _bit_of(bit))

    def __contains__(self, value: int) -> bool:
        return bool(self.member(np.array([value], dtype=np.uint64))[0])

    def member(self, hashes: Hashes) -> NDArray[np.bool_]:
        """For each hash, whether it may be a member."""
        found = np.ones(len(hashes), dtype=np.bool_)
        for probe in range(self._probes):
            bit = self._probe(hashes, probe)
            found &= (self._bits[bit >> np.uint64(3)] & _bit_of(bit)) != 0
        return found

    def _probe(self, hashes: Hashes, probe: int) -> Hashes:
        return (hashes >> np.uint64(17 * probe)) & self._mask


def _bit_of(bit: Hashes) -> NDArray[np.uint8]:
    return np.left_shift(np.uint8(1), (bit & np.uint64(7)).astype(np.uint8)).astype(np.uint8)


def _powers(base: Hashes, count: int) -> Hashes:
    powers = np.full(count, base[0], dtype=np.uint64)
    if count:
        powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)
