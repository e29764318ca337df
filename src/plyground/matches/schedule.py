"""Who meets whom: round robin, gauntlet and Swiss, for players known by number only.

A meeting is a whole pairing, usually several games with the colours swapped, so nobody's colours
need balancing. Schedules are lists in the order of play; a tournament that is interrupted has been
fair so far.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyground.core.errors import Unsupported

Pairing = tuple[int, int | None]  # two players, or one who has a bye

BYE_POINTS = 1.0  # as much as a win
DIGITS = 9  # sums of points that differ only beyond these are equal
PRIME = 2**61 - 1  # large, so that random numbers modulo it behave like unknowns


@dataclass(frozen=True)
class Meeting:
    """A pairing that has been played: who took which share of its points, from 0 to 1."""

    a: int
    b: int | None
    """None for a bye of `a`."""
    points_a: float
    points_b: float


@dataclass(frozen=True)
class Standing:
    """A player's place in the table."""

    player: int
    points: float
    buchholz: float
    """The points of all opponents together, once for each meeting; a bye adds nothing."""


def round_robin(players: int) -> list[tuple[int, int]]:
    """Every pairing once; each `players // 2` pairings in turn are a round of the circle method.

    The last seat stays, the others move on by one after each round. With an odd number the last
    seat is empty, and whoever would face it rests.
    """
    _check_players(players)
    seats = list(range(players + players % 2))
    pairings: list[tuple[int, int]] = []
    for _ in range(len(seats) - 1):
        for here, there in zip(seats[: len(seats) // 2], reversed(seats), strict=False):
            if max(here, there) < players:
                pairings.append((min(here, there), max(here, there)))
        seats = [seats[-2], *seats[:-2], seats[-1]]
    return pairings


def gauntlet(players: int, heroes: int = 1) -> list[tuple[int, int]]:
    """The first `heroes` players against all the others, and not against each other."""
    _check_players(players)
    if not 1 <= heroes < players:
        raise Unsupported(
            f"a gauntlet of {players} players cannot have {heroes} heroes; "
            f"expected 1 to {players - 1}"
        )
    return [(hero, other) for other in range(heroes, players) for hero in range(heroes)]


# ------------------------------------------------------------------ Swiss system


def recommended_rounds(players: int) -> int:
    """The rounds after which one player at most has won every meeting: log2, rounded up."""
    _check_players(players)
    return (players - 1).bit_length()


def swiss(
    players: int, played: Sequence[Meeting], order: Sequence[int] | None = None
) -> list[Pairing]:
    """The pairings of the next round, given all meetings of the rounds before.

    Players are ranked by points, equal ones by `order` (from the strongest; by number if None).
    From the top, each meets the nearest one it has not met; a pairing is repeated only if every
    round that could be played has as many repeats. Once all have met all, the count starts anew.

    With an odd number there is one more, the bye, ranked last. Nobody has a second one before all
    had one, whatever repeats that costs: a win for nothing is worse than a second meeting.
    """
    _check_players(players)
    bye, points = players, _points(players, played)
    ranking = sorted(order or range(players), key=lambda player: -points[player])
    ranking += [bye] * (players % 2)
    pairings = _pair(ranking, _History(players, played))
    return [(a, None if b == bye else b) for a, b in pairings]


def standings(
    players: int, played: Sequence[Meeting], order: Sequence[int] | None = None
) -> list[Standing]:
    """The table: by points, then by Buchholz, then by `order` as in `swiss`."""
    points = _points(players, played)
    faced: list[list[float]] = [[] for _ in range(players)]
    for meeting in played:
        if meeting.b is not None:
            faced[meeting.a].append(points[meeting.b])
            faced[meeting.b].append(points[meeting.a])
    table = [
        Standing(player, points[player], round(math.fsum(faced[player]), DIGITS))
        for player in order or range(players)
    ]
    return sorted(table, key=lambda standing: (-standing.points, -standing.buchholz))


class _History:
    """How often which players have met; a bye was a meeting with one more player."""

    def __init__(self, players: int, played: Sequence[Meeting]) -> None:
        self.bye = players
        self._met = [[0] * (players + 1) for _ in range(players + 1)]
        for meeting in played:
            other = self.bye if meeting.b is None else meeting.b
            self._met[meeting.a][other] += 1
            self._met[other][meeting.a] += 1
        self._fewest_byes = min(self._met[self.bye][:players])
        pairs = itertools.combinations(range(players), 2)
        self._cycles = min(self._met[a][b] for a, b in pairs)

    def repeats(self, one: int, other: int) -> int:
        """How often two have met since all had met all."""
        before = self._fewest_byes if self.bye in (one, other) else self._cycles
        return self._met[one][other] - before

    def price(self, one: int, other: int) -> int:
        """Of a pairing: nothing if it is new, 1 if not, and for a second bye more than a round."""
        if self.repeats(one, other) == 0:
            return 0
        return len(self._met) if self.bye in (one, other) else 1

    def lowest_price(self, players: Sequence[int]) -> int:
        """Of a round among these players: how many pairings must be repeats."""
        fresh = [[a != b and self.repeats(a, b) == 0 for b in players] for a in players]
        if all(2 * sum(row) >= len(players) for row in fresh):
            return 0  # Dirac's theorem: such a graph has a cycle through all, so half of its edges
        repeats = len(players) // 2 - _largest_matching(fresh)
        if self.bye in players and not any(fresh[players.index(self.bye)]):
            return repeats - 1 + len(self._met)
        return repeats


def _pair(ranking: Sequence[int], history: _History) -> list[tuple[int, int]]:
    """The whole round, from the top down, at the lowest price."""
    left, price = list(ranking), history.lowest_price(ranking)
    pairings: list[tuple[int, int]] = []
    while left:
        first = left.pop(0)
        other = _partner(first, left, price, history)
        left.remove(other)
        price -= history.price(first, other)
        pairings.append((first, other))
    return pairings


def _partner(first: int, others: Sequence[int], price: int, history: _History) -> int:
    """The nearest of those met least often with whom the round costs no more than it must."""

    def price_with(other: int) -> int:
        rest = [player for player in others if player != other]
        return history.price(first, other) + history.lowest_price(rest)

    candidates = sorted(others, key=lambda other: history.repeats(first, other))
    return next(other for other in candidates if price_with(other) <= price)


def _largest_matching(edges: list[list[bool]]) -> int:
    """The most disjoint edges that a graph has: half the rank of its Tutte matrix.

    That matrix has an unknown for each edge, x above the diagonal and -x below. With random
    numbers modulo a prime for the unknowns the rank is never too high, and too low with a chance
    below size / PRIME, so nobody will see it. Costs size**3 / 3 steps, where a search for the
    edges themselves either takes exponential time or a page of code.
    """
    size, unknowns = len(edges), random.Random(1)
    matrix = np.zeros((size, size), object)
    for row, column in itertools.combinations(range(size), 2):
        if edges[row][column]:
            matrix[row, column] = unknowns.randrange(1, PRIME)
            matrix[column, row] = PRIME - matrix[row, column]
    return _rank(matrix) // 2


def _rank(rows: np.ndarray) -> int:
    """The rank modulo PRIME, by elimination of one column after the other."""
    rank = 0
    for column in range(len(rows)):
        if not rows[:, column].any():
            continue
        rank += 1
        place = np.flatnonzero(rows[:, column])[0]
        pivot, rows = rows[place], np.delete(rows, place, axis=0)
        factors = rows[:, column] * pow(pivot[column], -1, PRIME)
        rows = (rows - np.outer(factors, pivot)) % PRIME
    return rank


# ------------------------------------------------------------------ points


def _points(players: int, played: Sequence[Meeting]) -> list[float]:
    """Each player's sum, the same in whatever order the meetings were played."""
    shares: list[list[float]] = [[] for _ in range(players)]
    for meeting in played:
        shares[meeting.a].append(meeting.points_a)
        if meeting.b is not None:
            shares[meeting.b].append(meeting.points_b)
    return [round(math.fsum(share), DIGITS) for share in shares]


def _check_players(players: int) -> None:
    if players < 2:
        raise Unsupported(f"a tournament of {players} makes no sense; expected at least 2 players")
