"""Words of 64 bits, and pairs of words used as one of 128: the arithmetic under every bitboard.

The plain-Python bodies are exact and slow; compiled code uses one machine instruction for each of
the `native` ones.
"""

from __future__ import annotations

import numpy as np

from plyground.kernel import compilable, native

U64 = np.uint64
ZERO = U64(0)
ONE = U64(1)
WORD_BITS = 64
ALL_ONES = U64(0xFFFF_FFFF_FFFF_FFFF)


@native("count_ones")
def popcount(word: U64) -> int:
    """How many bits are set."""
    return int(word).bit_count()


@native("count_trailing_zeros")
def lowest_index(word: U64) -> int:
    """The index of the lowest set bit; 64 if there is none."""
    return (int(word) & -int(word)).bit_length() - 1 if word else WORD_BITS


@native("as_signed")
def signed(word: U64) -> int:
    """The word as a signed number, in two's complement."""
    return int(word) - (int(word) >> 63 << 64)


@native("as_unsigned")
def unsigned(number: int) -> U64:
    """The word of a signed number, in two's complement."""
    return U64(int(number) & 0xFFFF_FFFF_FFFF_FFFF)


@native("add")
def wrapping_add(a: U64, b: U64) -> U64:
    """The sum modulo 2**64, without NumPy's warning."""
    return U64((int(a) + int(b)) & 0xFFFF_FFFF_FFFF_FFFF)


@native("multiply")
def wrapping_multiply(a: U64, b: U64) -> U64:
    """The product modulo 2**64."""
    return U64((int(a) * int(b)) & 0xFFFF_FFFF_FFFF_FFFF)


@compilable
def bit(index: int) -> U64:
    """The word with one bit set."""
    return ONE << U64(index)


@compilable
def without_lowest(word: U64) -> U64:
    """The word with its lowest set bit cleared; the word must not be zero."""
    return word & (word - ONE)


@compilable
def bit_length(number: int) -> int:
    """How many binary digits a number has; 0 has none."""
    word = U64(number)
    word |= word >> U64(1)
    word |= word >> U64(2)
    word |= word >> U64(4)
    word |= word >> U64(8)
    word |= word >> U64(16)
    word |= word >> U64(32)
    return popcount(word)


@native("fields_as_words")
def words(fields: tuple[int, ...]) -> tuple[U64, ...]:
    """The fields of a state as words, negative ones in two's complement."""
    return tuple(U64(int(field) & 0xFFFF_FFFF_FFFF_FFFF) for field in fields)


# ------------------------------------------------------------------ hashing and randomness

# The increment and the mixer of SplitMix64 (Steele, Lea & Flood 2014, "Fast Splittable
# Pseudorandom Number Generators").
GOLDEN_GAMMA = U64(0x9E37_79B9_7F4A_7C15)
MIX_FIRST = U64(0xBF58_476D_1CE4_E5B9)
MIX_SECOND = U64(0x94D0_49BB_1331_11EB)


@compilable
def mix(word: U64) -> U64:
    """A bijection of words in which every input bit moves about half of the output bits."""
    word = wrapping_multiply(word ^ (word >> U64(30)), MIX_FIRST)
    word = wrapping_multiply(word ^ (word >> U64(27)), MIX_SECOND)
    return word ^ (word >> U64(31))


@compilable
def combine(digest: U64, word: U64) -> U64:
    """The digest of a sequence, extended by one word; the order matters."""
    return mix(wrapping_add(digest, GOLDEN_GAMMA) ^ word)


@compilable
def next_random(generator: np.ndarray) -> U64:
    """The next word of SplitMix64; `generator` is an array of one word, its state."""
    generator[0] = wrapping_add(generator[0], GOLDEN_GAMMA)
    return mix(generator[0])


@compilable
def random_below(generator: np.ndarray, bound: int) -> int:
    """A number from 0 to bound - 1, for bounds below 2**31 (bias below bound / 2**32)."""
    return signed(((next_random(generator) >> U64(32)) * U64(bound)) >> U64(32))


# ------------------------------------------------------------------ pairs: (low word, high word)

Pair = tuple[U64, U64]


@compilable
def both(a: Pair, b: Pair) -> Pair:
    """The bits that are set in both pairs."""
    return a[0] & b[0], a[1] & b[1]


@compilable
def either(a: Pair, b: Pair) -> Pair:
    """The bits that are set in at least one."""
    return a[0] | b[0], a[1] | b[1]


@compilable
def without(a: Pair, b: Pair) -> Pair:
    """The bits of the first that are not set in the second."""
    return a[0] & ~b[0], a[1] & ~b[1]


@compilable
def differ(a: Pair, b: Pair) -> Pair:
    """The bits that are set in exactly one."""
    return a[0] ^ b[0], a[1] ^ b[1]


@compilable
def pair_popcount(a: Pair) -> int:
    """How many bits of a pair are set."""
    return popcount(a[0]) + popcount(a[1])


@compilable
def pair_left(low: U64, high: U64, shift: int) -> tuple[U64, U64]:
    """The pair shifted towards higher bits, for shifts from 1 to 63."""
    up, down = U64(shift), U64(WORD_BITS - shift)
    return low << up, (high << up) | (low >> down)


@compilable
def pair_right(low: U64, high: U64, shift: int) -> tuple[U64, U64]:
    """The pair shifted towards lower bits, for shifts from 1 to 63."""
    up, down = U64(WORD_BITS - shift), U64(shift)
    return (low >> down) | (high << up), high >> down


@compilable
def pair_bit(index: int) -> tuple[U64, U64]:
    """The pair with one bit set."""
    if index < WORD_BITS:
        return bit(index), ZERO
    return ZERO, bit(index - WORD_BITS)


def pair_of(bits: int) -> tuple[U64, U64]:
    """A number below 2**128 as a pair."""
    return U64(bits & int(ALL_ONES)), U64(bits >> WORD_BITS)


def int_of(low: U64, high: U64) -> int:
    """The pair as one number."""
    return int(low) | int(high) << WORD_BITS
