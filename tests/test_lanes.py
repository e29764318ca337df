"""Four words at once: the same in plain Python and in vector instructions."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from plyground.bits import U64
from plyground.kernel import kernel, plain_python
from plyground.lanes import Lanes, above, below, four_from, highest, joined, lowest, spread

WORDS = st.integers(0, 2**64 - 1)
FOURS = st.lists(WORDS, min_size=4, max_size=4)
SHIFTS = Lanes(0, 1, 17, 63)


@kernel
def every_answer(table, word):
    """All that lanes can do; each lane apart, by a mask that leaves no other."""
    lanes, other = four_from(table, 1), spread(word)
    changed = lanes
    changed |= other
    kept = lanes
    kept &= other
    results = (
        lanes & other,
        lanes | other,
        lanes - other,
        ~lanes,
        lanes << SHIFTS,
        lanes >> SHIFTS,
        lowest(lanes),
        highest(lanes),
        below(lanes),
        above(lanes),
        changed,
        kept,
    )
    found = np.zeros(4 * 12, U64)
    for i in range(12):
        found[4 * i] = joined(results[i] & FIRST)
        found[4 * i + 1] = joined(results[i] & SECOND)
        found[4 * i + 2] = joined(results[i] & THIRD)
        found[4 * i + 3] = joined(results[i] & FOURTH)
    return found


ALL = 2**64 - 1
FIRST, SECOND = Lanes(ALL, 0, 0, 0), Lanes(0, ALL, 0, 0)
THIRD, FOURTH = Lanes(0, 0, ALL, 0), Lanes(0, 0, 0, ALL)


@given(FOURS, WORDS)
@example([0, 1, 1 << 63, ALL], 0)
@example([ALL, 0, 2, 3], ALL)
def test_compiled_and_plain_lanes_agree(numbers, word):
    table = np.array([7, *numbers], U64)
    compiled = every_answer(table, U64(word))
    with plain_python():
        plain = every_answer(table, U64(word))
    assert compiled.tolist() == plain.tolist()


@given(FOURS)
def test_what_the_words_mean(numbers):
    lanes = Lanes(*numbers)
    for number, low, high in zip(
        numbers, lowest(lanes).numbers, highest(lanes).numbers, strict=True
    ):
        assert low == (number & -number if number else 0)
        assert high == (1 << number.bit_length() - 1 if number else 0)
    single = highest(lanes)
    for bit, under, over in zip(
        single.numbers, below(single).numbers, above(single).numbers, strict=True
    ):
        assert under == (bit - 1 if bit else 0)
        assert over == (ALL - (2 * bit - 1) if bit else 0)
    assert joined(lanes) == numbers[0] | numbers[1] | numbers[2] | numbers[3]
