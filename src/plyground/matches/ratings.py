"""What the result of a match of two players means: Elo, error bars, and when to stop playing.

Read from top to bottom, the file is a short course.

1. A match is counted. `Games` counts wins, draws and losses: the trinomial. `Pairs` counts what
   became of two games from one opening with sides exchanged: the pentanomial. An opening that
   favours a side favours each player once, so the two results are not independent. Only pairs give
   honest error bars, and mostly narrower ones: within a pair the luck of the opening cancels.
2. The share of points, the score, is turned into a difference of ratings: `elo`.
3. The spread of the results gives its error bar, and the chance that the better score belongs to
   the better player: `likelihood_of_superiority`.
4. `normalised_elo` measures the score in units of that spread: the effort a proof would take.
5. `Sprt` asks after every result whether it can decide between two hypotheses, and on average needs
   about half the games of a match of fixed length. It decides, it does not measure: of a match that
   stopped because it went well, the Elo is too high.

Every number is the first player's, and its mirror image the second's. The numbers are those that
fastchess prints, and the test is that of fishtest, with answers added where these have none:

- Without results the score is one half, Elo is 0, and error bars are infinite.
- A perfect score has infinite Elo; the low end of its interval is finite.
- Results that are all alike show no spread, which is no proof that there is none. Their spread is
  taken with one imagined result of each kind added (Laplace's rule of succession).

For more than two players see `bradley_terry.py`.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import add
from statistics import NormalDist
from typing import Literal, Self

from plyground.core.errors import Unsupported, unknown

LOSS, DRAW, WIN = 0.0, 0.5, 1.0
NORMAL = NormalDist()
SURE = NORMAL.inv_cdf(0.975)  # 95 % of a normal distribution lie within 1.96 deviations
ELO_PER_NAT = 400 / math.log(10)  # Elo are logarithms of odds: 400 of them are a factor of ten
ALMOST_NONE = 1e-3  # stands for a count of zero where a logarithm is needed, as in fishtest
MOST_ELO = 1000.0  # the hypotheses of a test lie within; beyond, every test ends at once


# ---------------------------------------------------------------------- 1. counting results


class Tally(ABC):
    """Results counted by their worth, with their mean and spread."""

    games_each: int
    """How many games make one result."""

    @property
    @abstractmethod
    def counts(self) -> tuple[int, ...]:
        """How often each result was seen, from the worst to the best in equal steps of points."""

    @property
    def number(self) -> int:
        """How many results there are."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The share of the points that the first player took, from 0 to 1."""
        return _mean(self.counts) if self.number else DRAW

    @property
    def deviation(self) -> float:
        """How far one result typically lies from the score."""
        are_all_alike = sum(count > 0 for count in self.counts) <= 1
        return math.sqrt(_variance([count + are_all_alike for count in self.counts]))

    @property
    def standard_error(self) -> float:
        """How far the score typically lies from that of an endless match."""
        return self.deviation / math.sqrt(self.number) if self.number else math.inf

    def __post_init__(self) -> None:
        if min(self.counts) < 0:
            raise Unsupported(f"{self}: a count cannot be negative")

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, vars(self).values(), vars(other).values()))


@dataclass(frozen=True)
class Games(Tally):
    """Single games, counted from the first player's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    games_each = 1

    @classmethod
    def of(cls, results: Iterable[float]) -> Games:
        """Count games given by the first player's points."""
        count = Counter(_checked(points) for points in results)
        return cls(count[WIN], count[DRAW], count[LOSS])

    @property
    def counts(self) -> tuple[int, ...]:
        return self.losses, self.draws, self.wins

    def swapped(self) -> Games:
        """The same games, seen by the second player."""
        return Games(self.losses, self.draws, self.wins)


@dataclass(frozen=True)
class Pairs(Tally):
    """Pairs of games with sides exchanged, by what the first player made of the two.

    A win and a loss are worth as much as two draws, and no formula tells them apart; they are
    counted separately because the first kind shows an opening that decides the game.
    """

    ll: int = 0
    ld: int = 0
    wl: int = 0
    dd: int = 0
    wd: int = 0
    ww: int = 0
    games_each = 2

    @classmethod
    def of(cls, results: Iterable[tuple[float, float]]) -> Pairs:
        """Count pairs given by the first player's points in the two games, in either order."""
        count = Counter(tuple(sorted((_checked(a), _checked(b)))) for a, b in results)
        worst_to_best = itertools.combinations_with_replacement((LOSS, DRAW, WIN), 2)
        return cls(*[count[pair] for pair in worst_to_best])

    @property
    def counts(self) -> tuple[int, ...]:
        """The pentanomial: pairs that brought 0, half a point, 1, one and a half, 2."""
        return self.ll, self.ld, self.wl + self.dd, self.wd, self.ww

    @property
    def games(self) -> Games:
        """The single games, their pairing forgotten."""
        wins = 2 * self.ww + self.wd + self.wl
        losses = 2 * self.ll + self.ld + self.wl
        return Games(wins, 2 * self.number - wins - losses, losses)

    def swapped(self) -> Pairs:
        """The same pairs, seen by the second player."""
        return Pairs(self.ww, self.wd, self.wl, self.dd, self.ld, self.ll)


def _checked(points: float) -> float:
    if points not in (LOSS, DRAW, WIN):
        raise Unsupported(f"{points} points for a game: expected 0, 0.5 or 1")
    return float(points)


# Below, `weights` are counts or probabilities of all kinds of result, from the worst to the best.


def _values(weights: Sequence[float]) -> list[float]:
    """What each kind of result is worth: from 0 to 1 in equal steps."""
    return [kind / (len(weights) - 1) for kind in range(len(weights))]


def _mean(weights: Sequence[float]) -> float:
    steps = sum(kind * weight for kind, weight in enumerate(weights))
    return steps / ((len(weights) - 1) * sum(weights))


def _variance(weights: Sequence[float]) -> float:
    mean, values = _mean(weights), _values(weights)
    squares = sum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True))
    return squares / sum(weights)


# ---------------------------------------------------------------------- 2. from scores to Elo


def elo_from_score(score: float) -> float:
    """The difference of ratings that explains a score; infinite for 0 and 1.

    >>> round(elo_from_score(0.75), 2)
    190.85
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_PER_NAT * math.log(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """The score that a difference of ratings promises: the inverse of `elo_from_score`.

    >>> round(score_from_elo(100), 3)
    0.64
    """
    odds = math.exp(-abs(elo) / ELO_PER_NAT)  # of the weaker player: never overflows
    return (odds if elo < 0 else 1) / (1 + odds)


# ---------------------------------------------------------------------- 3. how sure it is


@dataclass(frozen=True)
class Estimate:
    """A number, and an interval that holds the truth in 95 of 100 matches."""

    value: float
    low: float
    high: float
    """The upper end; infinite where results set no limit."""

    @property
    def error(self) -> float:
        """Half the interval: the number after the plus-minus."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:.2f} +/- {self.error:.2f}"


def elo(tally: Tally) -> Estimate:
    """The logistic Elo difference.

    The interval of the score is carried over to Elo, where it is lopsided for scores far from one
    half; if it reaches a perfect score it has no end there, and no finite error.

    >>> print(elo(Games(wins=136, draws=111, losses=96)))
    40.70 +/- 30.43
    >>> print(elo(Pairs(ll=34, ld=54, wl=31, dd=32, wd=64, ww=75)))
    55.58 +/- 27.65
    """
    score, error = tally.score, SURE * tally.standard_error
    ends = elo_from_score(score - error), elo_from_score(score + error)
    return Estimate(elo_from_score(score), *ends)


def likelihood_of_superiority(tally: Tally) -> float:
    """The chance that the first player is the better one, if nothing else is known of the two.

    >>> round(likelihood_of_superiority(Games(wins=136, draws=111, losses=96)), 3)
    0.996
    """
    return NORMAL.cdf((tally.score - DRAW) / tally.standard_error)


# ---------------------------------------------------------------------- 4. Elo per spread


def normalised_elo(tally: Tally) -> Estimate:
    """The lead over an even score in deviations of one game, on a scale that resembles Elo.

    Draws bring players closer in Elo, but they also make results steadier. What decides how many
    games a proof takes is the ratio t = (score - 1/2) / deviation: its error is 1 / sqrt(games),
    whatever the players. The factor makes it equal to logistic Elo between near equals who never
    draw. In a pair of independent games the deviation would be that of a game over sqrt(2).

    Source: Van den Bergh, "Normalized Elo".

    >>> print(normalised_elo(Pairs(ll=34, ld=54, wl=31, dd=32, wd=64, ww=75)))
    57.94 +/- 28.28
    """
    if not tally.number:
        return Estimate(0.0, -math.inf, math.inf)
    of_game = tally.deviation * math.sqrt(tally.games_each)
    lead = 2 * ELO_PER_NAT * (tally.score - DRAW) / of_game
    error = 2 * ELO_PER_NAT * SURE / math.sqrt(tally.number * tally.games_each)
    return Estimate(lead, lead - error, lead + error)


# ---------------------------------------------------------------------- 5. when to stop


class Verdict(StrEnum):
    """What a sequential test says after a game."""

    H0 = "H0"
    """Stop: the lead is `elo0`, or less."""
    H1 = "H1"
    """Stop: the lead is `elo1`, or more."""
    CONTINUE = "continue"
    """Not decided yet: play on."""


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential probability ratio test of two leads, `elo0` and `elo1`.

    The test ends when the logarithm of the likelihood ratio (`llr`) of the two hypotheses leaves
    the interval between `lower` and `upper`. If the true lead is `elo0`, a share `alpha` of all
    tests wrongly accepts H1; if it is `elo1`, a share `beta` H0.

    The hypotheses fix the lead but not, for instance, the share of draws. What they leave open is
    chosen so as to make the results as likely as possible: the generalised likelihood ratio, as in
    fishtest (Van den Bergh).

    >>> test = Sprt(elo0=0, elo1=2, model="normalised")
    >>> pairs = Pairs(ll=365, ld=16618, wl=36029, dd=200, wd=16974, ww=390)
    >>> print(f"{test.lower:.2f} < {test.llr(pairs):.2f} < {test.upper:.2f}: {test.verdict(pairs)}")
    -2.94 < 2.25 < 2.94: continue
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["logistic", "normalised"] = "logistic"

    def __post_init__(self) -> None:
        if self.model not in ("logistic", "normalised"):
            raise unknown("model of a test", self.model, ("logistic", "normalised"))
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            legal = f"elo0 below elo1, both from {-MOST_ELO:.0f} to {MOST_ELO:.0f}"
            raise Unsupported(f"a test of {self.elo0} against {self.elo1} Elo: expected {legal}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            legal = "both above 0, and less than 1 together"
            raise Unsupported(f"alpha {self.alpha} and beta {self.beta}: expected {legal}")

    @property
    def lower(self) -> float:
        """At this `llr` or below, H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this `llr` or above, H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """The logarithm of how many times likelier the results are under H1 than under H0."""
        if not tally.number:
            return 0.0
        counts = [count or ALMOST_NONE for count in tally.counts]
        total = sum(counts)
        seen = [count / total for count in counts]
        under0 = self._likeliest(seen, self.elo0, tally.games_each)
        under1 = self._likeliest(seen, self.elo1, tally.games_each)
        return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(counts, under0, under1, strict=True))

    def verdict(self, tally: Tally) -> Verdict:
        """Whether to stop, and in whose favour."""
        llr = self.llr(tally)
        if llr >= self.upper:
            return Verdict.H1
        return Verdict.H0 if llr <= self.lower else Verdict.CONTINUE

    def _likeliest(self, seen: list[float], lead: float, games_each: int) -> list[float]:
        if self.model == "logistic":
            mean = score_from_elo(lead)
            return _likeliest_balanced(seen, [value - mean for value in _values(seen)])
        return _likeliest_with_t_value(seen, lead / (2 * ELO_PER_NAT) * math.sqrt(games_each))


# The rest is mathematics: distributions that make what was seen as likely as a hypothesis allows.


def _likeliest_balanced(seen: list[float], tilt: list[float]) -> list[float]:
    """Maximise sum(seen * log p) over distributions p with sum(p * tilt) = 0.

    Lagrange's condition is seen / p = 1 + x * tilt: multiply it by p and add up, and the multiplier
    of the first condition is 1. The other one, x, has to balance the tilt, so it needs both signs.

    On the side that is too light, the probability of the extreme tilt will grow the most. We solve
    for its z = seen / p, which lies between `seen` and 1; x would lose digits where `seen` is tiny.
    With r = tilt / (that extreme tilt), which is 1 there and less elsewhere,

        seen / p = 1 - r + z * r,

    and sum(p * r) falls as z grows. Takes Newton's step, or the geometric middle if that leads out.
    """
    is_heavy = sum(p * t for p, t in zip(seen, tilt, strict=True)) > 0
    extreme = min(tilt) if is_heavy else max(tilt)
    ratios = [t / extreme for t in tilt]
    low, high = seen[tilt.index(extreme)], 1.0
    z = high
    for _ in range(100):  # rarely more than ten; beyond, only rounding is left
        p = [s / (1 - r + z * r) for s, r in zip(seen, ratios, strict=True)]
        parts = [q * r for q, r in zip(p, ratios, strict=True)]
        excess, slope = sum(parts), sum(q * q / s for q, s in zip(parts, seen, strict=True))
        if abs(excess) <= 1e-14 * z * slope:
            break
        low, high = (z, high) if excess > 0 else (low, z)
        z += excess / slope
        if not low < z < high:
            z = math.sqrt(low * high)
    return p


def _likeliest_with_t_value(seen: list[float], t: float) -> list[float]:
    """Among distributions p with mean - 1/2 = t * deviation, the one that makes `seen` likeliest.

    At the solution only the slope of the condition matters, as a function of p, and it is that of

        tilt = value - 1/2 - t * (deviation + (value - mean)^2 / deviation) / 2.

    So we guess mean and deviation, find the likeliest p whose tilt is balanced, take its mean and
    deviation for the next guess, and repeat until p stays: a fixed point solves the problem.

    Each step has a tilt of both signs. Let t >= 0, for t < 0 is the mirror image; the value 0 has a
    negative tilt. Averaged under p, the last term is t * deviation if mean and deviation are p's
    own, and not less if they are not (arithmetic and geometric mean). Hence a p that any such tilt
    balances has mean - 1/2 >= t * deviation: under p, its own tilt is not negative on average, and
    some value has a positive tilt. It remains to begin with a p of which the same is true.
    """
    if t < 0:
        return _likeliest_with_t_value(seen[::-1], -t)[::-1]
    p = _with_enough_wins(seen, t)
    for _ in range(100):  # rarely more than five; beyond, only rounding is left
        mean, deviation = _mean(p), math.sqrt(_variance(p))
        spread = [deviation + (v - mean) ** 2 / deviation for v in _values(p)]
        tilt = [v - DRAW - t * s / 2 for v, s in zip(_values(p), spread, strict=True)]
        p, before = _likeliest_balanced(seen, tilt), p
        if max(abs(new - old) for new, old in zip(p, before, strict=True)) < 1e-12:
            break
    return p


def _with_enough_wins(seen: list[float], t: float) -> list[float]:
    """`seen`, mixed with just so many best results that mean - 1/2 >= t * deviation."""

    def mixed(part: float) -> list[float]:
        return [*[(1 - part) * p for p in seen[:-1]], (1 - part) * seen[-1] + part]

    def is_enough(p: list[float]) -> bool:
        return _mean(p) - DRAW >= t * math.sqrt(_variance(p))

    if is_enough(seen):
        return seen
    low, high = 0.0, 1.0
    while high - low > 1e-3 * (1 - high):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(mixed(middle)) else (middle, high)
    return mixed(high)
