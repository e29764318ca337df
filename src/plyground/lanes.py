"""Four words worked on at once: the four directions of a board, in one register.

What is done to a `Lanes` is done to each of its words alone. The plain bodies are exact and slow;
compiled code uses vector instructions or, where a processor has none, several plain ones.
Knows nothing of boards.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plyground.kernel import Slab, native

U64 = np.uint64
LANES = 4
_MASK = 2**64 - 1


class Lanes:
    """Four words; in compiled code a global of this class is a constant."""

    def __init__(self, *numbers: int) -> None:
        assert len(numbers) == LANES
        self.numbers = numbers

    def __and__(self, other: Lanes) -> Lanes:
        return self._with(other, lambda a, b: a & b)

    def __or__(self, other: Lanes) -> Lanes:
        return self._with(other, lambda a, b: a | b)

    def __sub__(self, other: Lanes) -> Lanes:
        return self._with(other, lambda a, b: a - b & _MASK)

    def __lshift__(self, other: Lanes) -> Lanes:
        return self._with(other, lambda a, b: a << b & _MASK)

    def __rshift__(self, other: Lanes) -> Lanes:
        return self._with(other, lambda a, b: a >> b)

    def __invert__(self) -> Lanes:
        return Lanes(*(~number & _MASK for number in self.numbers))

    def _with(self, other: Lanes, combine: Callable[[int, int], int]) -> Lanes:
        pairs = zip(self.numbers, other.numbers, strict=True)
        return Lanes(*(combine(a, b) for a, b in pairs))


@native("lanes_spread")
def spread(word: U64) -> Lanes:
    """The same word four times."""
    return Lanes(*[int(word)] * LANES)


@native("lanes_load")
def four_from(table: np.ndarray, at: int) -> Lanes:
    """Four neighbours in an array of words."""
    return Lanes(*(int(word) for word in table[at : at + LANES]))


@native("lanes_of_slab")
def four_at(slab: Slab, at: int) -> Lanes:
    """Four neighbours in a slab, as words."""
    return Lanes(*(slab[at + lane] & _MASK for lane in range(LANES)))


@native("lanes_add_shorts")
def added_shorts(one: Lanes, other: Lanes) -> Lanes:
    """Sixteen numbers of 16 bits, each added to its like modulo 2**16."""
    sums = []
    for a, b in zip(one.numbers, other.numbers, strict=True):
        shorts = ((a >> at) + (b >> at) & 0xFFFF for at in range(0, 64, 16))
        sums.append(sum(short << 16 * place for place, short in enumerate(shorts)))
    return Lanes(*sums)


@native("lanes_word")
def lane_of(lanes: Lanes, lane: int) -> U64:
    """One of the four words."""
    return U64(lanes.numbers[lane])


@native("lanes_join")
def joined(lanes: Lanes) -> U64:
    """The bits that any lane has."""
    first, second, third, fourth = lanes.numbers
    return U64(first | second | third | fourth)


@native("lanes_lowest")
def lowest(lanes: Lanes) -> Lanes:
    """The lowest bit of each lane; nothing of nothing."""
    return Lanes(*(number & -number for number in lanes.numbers))


@native("lanes_highest")
def highest(lanes: Lanes) -> Lanes:
    """The highest bit of each lane; nothing of nothing."""
    return Lanes(*(1 << number.bit_length() >> 1 for number in lanes.numbers))


@native("lanes_below")
def below(lanes: Lanes) -> Lanes:
    """Each lane less one: the bits below a single bit, and nothing below nothing."""
    return Lanes(*(max(number, 1) - 1 for number in lanes.numbers))


@native("lanes_above")
def above(lanes: Lanes) -> Lanes:
    """The bits above a single bit in each lane; nothing above nothing."""
    return Lanes(*(-2 * number & _MASK for number in lanes.numbers))
