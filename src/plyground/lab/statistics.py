"""Numbers with error bars: medians, means, shares, and ratios of what belongs together.

An `Estimate` is a value and an interval that holds the true one with 95 % confidence. Times are
summed up by medians, since one disturbance must not count; what is compared on the same positions
is compared pair by pair. Matches of two players have their own chapter: `matches/ratings.py`.
Knows no experiment.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from statistics import median as middle

SURE = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Estimate:
    """A value between two bounds."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return format(self, ".3g")

    def __format__(self, spec: str) -> str:
        """As `1.25 (1.20 to 1.31)`, each number by the specification."""
        ends = (self.value, self.low, self.high)
        value, low, high = (format(each, spec or ".3g") for each in ends)
        return f"{value} ({low} to {high})"


def median(values: Iterable[float]) -> Estimate:
    """The middle value; its interval needs no assumption but independence (binomial ranks)."""
    ordered = sorted(values)
    count = len(ordered)
    reach = (count - SURE * math.sqrt(count)) / 2
    low = max(0, math.floor(reach) - 1) if count > 5 else 0
    return Estimate(middle(ordered), ordered[low], ordered[count - 1 - low])


def mean(values: Iterable[float]) -> Estimate:
    """The mean with Student's interval; of a single value nothing is known."""
    known = list(values)
    if len(known) < 2:
        return Estimate(fmean(known), -math.inf, math.inf)
    reach = student(len(known) - 1) * stdev(known) / math.sqrt(len(known))
    centre = fmean(known)
    return Estimate(centre, centre - reach, centre + reach)


def mean_share(parts: Sequence[float]) -> Estimate:
    """The mean of shares; where all are equal no spread is seen, and Wilson's interval is taken."""
    if len(set(parts)) == 1:
        return share(sum(parts), len(parts))
    found = mean(parts)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))


def share(count: float, total: int) -> Estimate:
    """A share with Wilson's interval, which is right for none and for all as well."""
    if total == 0:
        return Estimate(0.5, 0.0, 1.0)
    part, square = count / total, SURE * SURE / total
    centre = (part + square / 2) / (1 + square)
    reach = SURE / (1 + square) * math.sqrt(part * (1 - part) / total + square / (4 * total))
    low = max(0.0, centre - reach) if count else 0.0  # exactly: it is compared with 0
    return Estimate(part, low, min(1.0, centre + reach) if count < total else 1.0)


def ratio(pairs: Iterable[tuple[float, float]]) -> Estimate:
    """How many times larger the first of a pair is: geometric mean over pairs, Student's interval.

    Pairs in which either is zero say nothing about a ratio, and are left out.
    """
    logs = [math.log(one / other) for one, other in pairs if one > 0 and other > 0]
    if not logs:
        return Estimate(math.nan, 0.0, math.inf)
    found = mean(logs)
    high = math.exp(found.high) if found.high < 700 else math.inf
    return Estimate(math.exp(found.value), math.exp(found.low), high)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))
