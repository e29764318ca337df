"""Error bars that hold what they promise: against printed tables, by hand, and by simulation."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.lab.statistics import Estimate, mean, median, ratio, share, student

# Student's t at 97.5 %, as printed in any table of it.
PRINTED = {
    **{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306},
    **{9: 2.262, 10: 2.228, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980},
}
SAMPLES = 2000


@pytest.mark.parametrize(("freedom", "printed"), PRINTED.items())
def test_students_quantile_is_that_of_the_tables(freedom, printed):
    assert student(freedom) == pytest.approx(printed, abs=6e-4)


def held(estimate: Callable[[Sequence[float]], Estimate], truth: float, size: int) -> float:
    """In which part of samples of lognormal numbers the interval holds the truth."""
    chance = random.Random(size)
    samples = ([chance.lognormvariate(0, 0.3) for _ in range(size)] for _ in range(SAMPLES))
    found = [estimate(sample) for sample in samples]
    return sum(each.low <= truth <= each.high for each in found) / SAMPLES


@pytest.mark.parametrize("size", [8, 15, 40])
def test_intervals_hold_the_truth_as_often_as_they_say(size):
    assert held(median, 1.0, size) >= 0.94
    assert 0.92 <= held(mean, math.exp(0.045), size) <= 0.97  # numbers so skewed cost a little
    assert 0.935 <= held(lambda some: ratio((one, 1.0) for one in some), 1.0, size) <= 0.965


@pytest.mark.parametrize("truth", [0.02, 0.3, 0.9])
def test_the_interval_of_a_share_holds_it(truth):
    chance = random.Random(3)
    counts = [sum(chance.random() < truth for _ in range(80)) for _ in range(SAMPLES)]
    found = [share(count, 80) for count in counts]
    assert sum(each.low <= truth <= each.high for each in found) / SAMPLES >= 0.92


def test_shares_of_none_of_all_and_of_nothing():
    none, every = share(0, 10), share(10, 10)
    assert (none.low, every.high) == pytest.approx((0, 1))
    assert none.high == pytest.approx(1 - every.low) == pytest.approx(0.2775, abs=1e-4)
    assert share(0, 0) == Estimate(0.5, 0.0, 1.0)
    assert all(share(0, n).low == 0 and share(n, n).high == 1 for n in range(1, 200))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60))
def test_one_disturbance_does_not_move_a_median_out_of_its_values(values):
    found = median(values)
    assert min(values) <= found.low <= found.value <= found.high <= max(values)
    disturbed = median([*values, 1e12])
    assert disturbed.value <= max(values) or len(values) == 1


def test_pairs_are_compared_pair_by_pair():
    """Each pair says exactly two, however far apart the pairs are."""
    found = ratio((2 * size, size) for size in (1.0, 10.0, 1e6))
    assert found.value == pytest.approx(2)
    assert (found.low, found.high) == pytest.approx((2, 2))
    assert ratio([(3, 1), (0, 5), (5, 0)]).value == pytest.approx(3)  # zeros say nothing
    assert ratio([(3, 1)]) == Estimate(pytest.approx(3), 0.0, math.inf)
    assert math.isnan(ratio([]).value)
