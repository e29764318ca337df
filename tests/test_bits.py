"""Words and pairs of words: exact in plain Python, one instruction in machine code."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import bits
from plyground.kernel import kernel, plain_python

U64 = np.uint64
MODULUS = 2**64
WORDS = [0, 1, 2, 0x8000_0000_0000_0000, MODULUS - 1, 0x0123_4567_89AB_CDEF, 0xF0F0_F0F0_0000_0001]


@kernel
def every_answer(word, other, shift):
    low, high = bits.pair_left(word, other, shift)
    back_low, back_high = bits.pair_right(word, other, shift)
    one_low, one_high = bits.pair_bit(2 * shift)
    return (
        bits.popcount(word),
        bits.lowest_index(word),
        bits.wrapping_add(word, other),
        bits.wrapping_multiply(word, other),
        bits.bit(shift),
        bits.mix(word),
        bits.combine(word, other),
        low,
        high,
        back_low,
        back_high,
        one_low,
        one_high,
    )


@kernel
def words_of(fields):
    return bits.words(fields)


@kernel
def roll(generator, bound):
    return bits.random_below(generator, bound)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("other", WORDS)
@pytest.mark.parametrize("shift", [1, 16, 63])
def test_compiled_words_are_those_of_plain_python(word, other, shift):
    arguments = U64(word), U64(other), shift
    with plain_python():
        expected = every_answer(*arguments)
    assert [int(value) for value in every_answer(*arguments)] == [int(value) for value in expected]


@pytest.mark.parametrize("word", WORDS)
def test_popcount_and_lowest_index_are_what_python_says(word):
    assert bits.popcount(U64(word)) == bin(word).count("1")
    lowest = bin(word)[::-1].find("1") if word else 64
    assert bits.lowest_index(U64(word)) == lowest


@pytest.mark.parametrize("a", WORDS)
@pytest.mark.parametrize("b", WORDS)
def test_sums_and_products_wrap_without_a_warning(a, b):
    assert int(bits.wrapping_add(U64(a), U64(b))) == (a + b) % MODULUS
    assert int(bits.wrapping_multiply(U64(a), U64(b))) == (a * b) % MODULUS


def test_without_lowest_clears_one_bit_after_the_other():
    word, seen = U64(0b1010_0001), []
    while word:
        seen.append(bits.lowest_index(word))
        word = bits.without_lowest(word)
    assert seen == [0, 5, 7]


@pytest.mark.parametrize("shift", [1, 5, 63])
@pytest.mark.parametrize("number", [1, 2**63, 2**64, 2**127, 2**128 - 1, 0x1234_5678 << 50])
def test_a_pair_shifts_as_one_number_of_128_bits(number, shift):
    low, high = bits.pair_of(number)
    assert bits.int_of(*bits.pair_left(low, high, shift)) == (number << shift) % 2**128
    assert bits.int_of(*bits.pair_right(low, high, shift)) == number >> shift


@pytest.mark.parametrize("index", range(128))
def test_pair_of_and_int_of_are_inverse_on_every_bit(index):
    assert bits.int_of(*bits.pair_of(1 << index)) == 1 << index
    assert bits.pair_bit(index) == bits.pair_of(1 << index)


def test_negative_fields_become_twos_complement_words():
    expected = (MODULUS - 1, 7, 0)
    assert tuple(int(word) for word in bits.words((-1, 7, 0))) == expected
    assert tuple(int(word) for word in words_of((-1, np.int8(7), U64(0)))) == expected


def test_next_random_is_splitmix64():
    """The words that Rosetta Code lists for seed 1234567 ("Pseudo-random numbers/Splitmix64")."""
    generator = np.array([1234567], U64)
    assert [int(bits.next_random(generator)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_random_below_reaches_every_number_and_no_other():
    generator = np.array([1], U64)
    rolled = [int(roll(generator, 6)) for _ in range(300)]
    assert set(rolled) == set(range(6))
    with plain_python():
        generator = np.array([1], U64)
        assert [int(roll(generator, 6)) for _ in range(300)] == rolled
