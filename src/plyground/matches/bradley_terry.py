"""Ratings of many players at once, with draws and the advantage of moving first.

The model. Every player has a strength. When `i` moves first against `j`, let

    lead = strength[i] - strength[j] + advantage;

then a win, a draw and a loss have chances in the ratio exp(lead / 2) : exp(draws) : exp(-lead / 2).
Draws follow Davidson (1970), "On Extending the Bradley-Terry Model to Accommodate Ties in Paired
Comparison Experiments"; the order of play Davidson & Beaver (1977), "On Extending the Bradley-Terry
Model to Incorporate Within-Pair Order Effects". Differs in form only: logarithms, and the advantage
split evenly between win and loss, so that `draws` means the same for either side.

The scale. A strength counts wins per loss and forgets draws: players who mostly draw would seem far
apart. Elo speaks of points. So a rating is the Elo, as in `ratings.py`, of the score that a player
would make against the average player without an advantage on either side; and the advantage is the
Elo of the first mover's score against an equal. Without draws the difference of two ratings says
what these two would score; with draws it does so nearly, and exactly if one of them is the anchor.

The prior. Before the first game strengths are normally distributed around an average player, with
deviation 2, which is 347 Elo without draws. That is worth a single game: of a strength, it tells as
much as one game with an even score against an equal. The advantage has the same prior; of the draw
rate it is assumed that equals drew half a game and decided half a game. So a perfect score has a
finite rating, and groups that never met can be compared, with the error bars they deserve. A player
who scores 75 % in N games is pulled to the average by about 250 / N Elo, a small part of the error
bar.

Intervals come from the curvature of the likelihood at its maximum, and hold for many games. Every
game counts as independent; for pairs of games see `ratings.py`.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.errors import Unsupported, unknown
from plyground.matches.ratings import ELO_PER_NAT, NORMAL, SURE, Estimate, Games, score_from_elo

PRIOR_GAMES = 1.0  # what the prior is worth, for each number that is estimated
LEAST_PRIOR = 1e-4  # with less, rounding drowns it
OF_ONE_GAME = 0.25  # the curvature of the likelihood of one game between equals who never draw
MOST_STEPS = 100  # Newton needs about ten
ROUNDING = 1e-12  # how far a sum over all games may be off, relatively
LOG_2 = math.log(2)
CLOSE = 1e-9  # a step that promises less, in units of log likelihood, is the last one

Array = NDArray[np.float64]
Encounters = Mapping[tuple[str, str], Games]
"""For (player who moved first, player who moved second): how the games went for the former."""


def tally(results: Iterable[tuple[str, str, float]]) -> dict[tuple[str, str], Games]:
    """Add up single games: who moved first, who moved second, and the former's points."""
    points: dict[tuple[str, str], list[float]] = defaultdict(list)
    for first, second, result in results:
        points[first, second].append(result)
    return {players: Games.of(listed) for players, listed in points.items()}


# ---------------------------------------------------------------------- what comes out


@dataclass(frozen=True)
class Rating:
    """One line of the rating list."""

    player: str
    elo: Estimate
    """Against the average player."""
    games: int
    points: float
    """A win counts 1, a draw 0.5."""


@dataclass(frozen=True, eq=False)
class RatingList:
    """The players' ratings, the best first."""

    ratings: tuple[Rating, ...]
    advantage: Estimate
    """The right to move first, in Elo: that of the score it brings against an equal."""
    draw_rate: Estimate
    """The share of draws between equal players, the advantage included."""
    groups: tuple[tuple[str, ...], ...]
    """Players tied together by games, the largest group first; more than one is a warning."""
    values: Array
    """The maximum of the likelihood: strengths in the order of `ratings`, advantage, draws."""
    covariance: Array
    """Of the `values`."""

    @property
    def is_connected(self) -> bool:
        """Whether games tie all players together; between groups, only the prior compares."""
        return len(self.groups) <= 1

    @cached_property
    def _places(self) -> dict[str, int]:
        return {rating.player: place for place, rating in enumerate(self.ratings)}

    def place(self, player: str) -> int:
        """Where a player stands in the list, from 0."""
        if player not in self._places:
            raise unknown("player", player, self._places)
        return self._places[player]

    def __getitem__(self, player: str) -> Rating:
        return self.ratings[self.place(player)]

    def chances(self, first: str, second: str) -> tuple[float, float, float]:
        """How likely a win, a draw and a loss are for the player who moves first."""
        *strengths, advantage, draws = self.values
        lead = strengths[self.place(first)] - strengths[self.place(second)] + advantage
        win, draw, loss = _chances(np.array(lead), float(draws))
        return float(win), float(draw), float(loss)

    def superiority(self, a: str, b: str) -> float:
        """The chance that player `a` is better than player `b`."""
        return self._superiority(self.place(a), self.place(b))

    def superiorities(self) -> Array:
        """The chance that the player of the row is better than the player of the column."""
        places = range(len(self.ratings))
        cells = [self._superiority(a, b) for a in places for b in places]
        return np.array(cells).reshape(len(places), len(places))

    def _superiority(self, a: int, b: int) -> float:
        if a == b:
            return 0.5
        spread = self.covariance
        variance = spread[a, a] + spread[b, b] - 2 * spread[a, b]
        return NORMAL.cdf(float(self.values[a] - self.values[b]) / math.sqrt(variance))


# ---------------------------------------------------------------------- rating


def rate(
    encounters: Encounters,
    players: Iterable[str] = (),
    *,
    anchor: str | None = None,
    with_advantage: bool = True,
    prior_games: float = PRIOR_GAMES,
) -> RatingList:
    """Rate all players that have met, and those listed who have not.

    The average player, rated zero, has the mean strength of all, or is the `anchor`; an interval is
    that of the distance to it. In the mean a player weighs as much as the games it played against
    others: in most tournaments all the same, and a newcomer of whom little is known does not make
    everybody else uncertain.

    Without `with_advantage` both sides of a game count as equal. Ask for that when each player
    always had the same side: results then cannot tell advantage from strength, and only the prior
    would share it out.
    """
    names = sorted({*players, *(name for pair in encounters for name in pair)})
    if anchor is not None and anchor not in names:
        raise unknown("player", anchor, names)
    if not LEAST_PRIOR <= prior_games < math.inf:
        raise Unsupported(f"a prior of {prior_games} games: expected {LEAST_PRIOR} or more")
    results = _Results.of(encounters, names)
    values, covariance = _fit(results, prior_games, with_advantage)
    weights = results.weights() if anchor is None else np.eye(len(names))[names.index(anchor)]
    elos, advantage = _in_elo(values, covariance, weights)
    order = sorted(range(len(names)), key=lambda i: (-elos[i].value, names[i]))
    places = [*order, len(names), len(names) + 1]
    return RatingList(
        tuple(Rating(names[i], elos[i], results.played(i), results.points(i)) for i in order),
        advantage,
        _draw_rate(values, covariance),
        _groups(results.games, names),
        values[places],
        covariance[np.ix_(places, places)],
    )


class _Results(NamedTuple):
    """How often the player of the row, moving first against that of the column, won, drew, lost."""

    wins: Array
    draws: Array
    losses: Array

    @classmethod
    def of(cls, encounters: Encounters, names: Sequence[str]) -> _Results:
        index = {name: i for i, name in enumerate(names)}
        wins, draws, losses = np.zeros((3, len(names), len(names)))
        for (first, second), games in encounters.items():
            cell = index[first], index[second]
            wins[cell], draws[cell], losses[cell] = games.wins, games.draws, games.losses
        return cls(wins, draws, losses)

    @property
    def games(self) -> Array:
        return self.wins + self.draws + self.losses

    def played(self, player: int) -> int:
        return int(self.games[player].sum() + self.games[:, player].sum())

    def points(self, player: int) -> float:
        won = self.wins[player].sum() + self.losses[:, player].sum()
        return float(won + (self.draws[player].sum() + self.draws[:, player].sum()) / 2)

    def weights(self) -> Array:
        """The share of each player in the games of two different players."""
        games = self.games - np.diag(np.diag(self.games))
        played = games.sum(0) + games.sum(1)
        if not played.any():
            played = np.ones(len(games))
        return np.asarray(played / played.sum())


def _groups(games: Array, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    are_linked = np.eye(len(names)) + games + games.T > 0
    for _ in range(len(names).bit_length()):  # each step joins chains of twice the length
        are_linked = are_linked.astype(float) @ are_linked > 0
    groups = {tuple(itertools.compress(names, row)) for row in are_linked}
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


# ---------------------------------------------------------------------- the likelihood


def _chances(lead: Array, draws: float) -> tuple[Array, Array, Array]:
    total = np.logaddexp(np.logaddexp(lead / 2, -lead / 2), draws)
    return np.exp(lead / 2 - total), np.exp(draws - total), np.exp(-lead / 2 - total)


class _Point(NamedTuple):
    """The logarithm of likelihood times prior at some values, its slope and negated curvature."""

    height: float
    slope: Array
    curvature: Array


def _likelihood(results: _Results, values: Array) -> _Point:
    """The part of the games.

    A game adds half a lead for a win, minus half a lead for a loss, `draws` for a draw, and takes
    away the logarithm of the total. So the slope compares what was seen with what was expected, and
    the curvature is the variance of what is expected: concave everywhere, with a single maximum.
    """
    strengths, advantage, draws = values[:-2], values[-2], float(values[-1])
    lead = strengths[:, None] - strengths[None, :] + advantage
    total = np.logaddexp(np.logaddexp(lead / 2, -lead / 2), draws)
    win, draw, loss = _chances(lead, draws)
    games, margin, mean = results.games, (results.wins - results.losses) / 2, (win - loss) / 2

    height = float((margin * lead + results.draws * draws - games * total).sum())
    missed, missed_draws = margin - games * mean, results.draws - games * draw
    slope = np.array([*_per_player(missed), missed.sum(), missed_draws.sum()])

    of_lead, of_draw = games * ((win + loss) / 4 - mean**2), games * draw * (1 - draw)
    of_both = -games * mean * draw
    curvature = np.empty((len(values), len(values)))
    curvature[:-2, :-2] = np.diag(of_lead.sum(0) + of_lead.sum(1)) - of_lead - of_lead.T
    curvature[:-2, -2] = curvature[-2, :-2] = _per_player(of_lead)
    curvature[:-2, -1] = curvature[-1, :-2] = _per_player(of_both)
    curvature[-2:, -2:] = [[of_lead.sum(), of_both.sum()], [of_both.sum(), of_draw.sum()]]
    return _Point(height, slope, curvature)


def _per_player(cells: Array) -> Array:
    """A strength enters the lead with a plus for the first player, a minus for the second."""
    return np.asarray(cells.sum(1) - cells.sum(0))


def _prior(games: float, values: Array) -> _Point:
    """The part of the prior, worth so many games."""
    centred, draws = values[:-1], float(values[-1])
    rate = math.exp(draws - float(np.logaddexp(LOG_2, draws)))
    height = draws / 2 - np.logaddexp(LOG_2, draws) - OF_ONE_GAME * (centred @ centred) / 2
    slope = np.array([*-OF_ONE_GAME * centred, 0.5 - rate])
    curvature = np.diag([*np.full(len(centred), OF_ONE_GAME), rate * (1 - rate)])
    return _Point(games * float(height), games * slope, games * curvature)


# ---------------------------------------------------------------------- its maximum


def _fit(results: _Results, prior_games: float, with_advantage: bool) -> tuple[Array, Array]:
    """The likeliest values, and their covariance; a value that is not free is exactly zero."""

    def at(values: Array) -> _Point:
        return _Point(*map(add, _likelihood(results, values), _prior(prior_games, values)))

    advantage, number = len(results.wins), len(results.wins) + 2
    free = [i for i in range(number) if with_advantage or i != advantage]
    values = _climb(at, np.zeros(number), free)
    covariance = np.zeros((number, number))
    covariance[np.ix_(free, free)] = np.linalg.inv(at(values).curvature[np.ix_(free, free)])
    return values, covariance


def _climb(at: Callable[[Array], _Point], values: Array, free: list[int]) -> Array:
    """Newton's method; a step that leads down is halved until it leads up."""
    for _ in range(MOST_STEPS):
        here = at(values)
        step = np.zeros(len(values))
        step[free] = np.linalg.solve(here.curvature[np.ix_(free, free)], here.slope[free])
        if here.slope @ step < CLOSE:
            return values + step
        lowest = here.height - ROUNDING * abs(here.height)
        while at(values + step).height < lowest:
            step /= 2
        values = values + step
    raise ArithmeticError(f"no maximum within {MOST_STEPS} steps")  # never, if `at` is concave


# ---------------------------------------------------------------------- in units people know


def _in_elo(values: Array, covariance: Array, weights: Array) -> tuple[list[Estimate], Estimate]:
    """The ratings and the advantage.

    Strengths are only known up to a common shift, so first a weighted mean is taken away, from the
    values and from their errors. What is left are leads over the average player. A lead promises
    points in the ratio of exp(lead / 2) + exp(draws) / 2 to exp(-lead / 2) + exp(draws) / 2, which
    is Elo but for a factor. The errors follow from its slopes by lead and by `draws`.
    """
    relative = np.eye(len(weights) + 1)  # the last row is the advantage
    relative[:-1, :-1] -= weights
    leads, half_draws = relative @ values[:-1], float(values[-1]) - LOG_2
    ours, theirs = np.logaddexp(leads / 2, half_draws), np.logaddexp(-leads / 2, half_draws)
    won, lost = np.exp(leads / 2 - ours), np.exp(-leads / 2 - theirs)  # shares of these points
    slopes = np.column_stack([(won + lost)[:, None] / 2 * relative, lost - won])
    errors = SURE * np.sqrt(np.einsum("ij,jk,ik->i", slopes, covariance, slopes))
    *elos, advantage = [
        Estimate(elo, elo - error, elo + error)
        for elo, error in (ELO_PER_NAT * np.column_stack([ours - theirs, errors])).tolist()
    ]
    return elos, advantage


def _draw_rate(values: Array, covariance: Array) -> Estimate:
    """The interval is that of the logarithm of the odds, so it stays between 0 and 1."""
    advantage, draws = float(values[-2]), float(values[-1])
    odds = draws - float(np.logaddexp(advantage / 2, -advantage / 2))
    slopes = np.array([-math.tanh(advantage / 2) / 2, 1.0])
    error = SURE * math.sqrt(slopes @ covariance[-2:, -2:] @ slopes)
    return Estimate(*(score_from_elo(ELO_PER_NAT * x) for x in (odds, odds - error, odds + error)))
