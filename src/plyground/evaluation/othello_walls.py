"""Walls: every factor that Neudeck's study of Reversi names, those among them that it left out.

Source: Neudeck 2019, "Reversi: Advanced Computer Player", sections 2.1.3 to 2.1.5, where these are
in words alone ("it would make sense to create a heuristic for walls as well, but this was not done
in this implementation"). The words are those of Rose, "Othello: A Minute to Learn... A Lifetime to
Master", which the study cites. Printed:

* a **wall** is a connected group of frontier discs of one colour; a long one leaves its owner
  nothing to turn, and the opponent a wide range of choices;
* a move that makes many new frontier discs is **loud**, one that makes few is **quiet**;
* C and X squares are bad moves while the corner beside them is empty: they give it up. One wants
  the opponent to have no other moves;
* discs in lines that are full in all four directions are stable too, away from any corner.

Chosen where the words leave a choice:

* squares are connected in all eight directions, and a single disc is no wall;
* a wall counts in three ways, each with a weight of its own: that it is there, its discs, and for
  the longest of a side its discs once more;
* quiet is at most one new frontier disc, so that a disc placed inside may be one itself, and loud
  at least five; a frontier disc is new if it was none of mine before;
* a **safe** move is to no C or X square beside an empty corner;
* every factor is mine less the opponent's, moves as if the opponent were to move on this board.

The study weighs five of the factors by stages of the game, and prints no weights of others. Here
the five have its weights for the middle game, that of the squares within the worth of each square,
and the others 0, so that with these weights the value is that of `stages` in its middle game. They
are meant to be fitted, `learning/calibrating.py`. A factor of weight 0 is not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plyground.bits import ONE, U64, lowest_index, popcount, without_lowest
from plyground.evaluation.othello import balance
from plyground.evaluation.othello_pictures import DiscSets, listed, squares_on
from plyground.evaluation.othello_squares import (
    KIND_NAMES,
    KINDS,
    corner_squares,
    edge_squares,
    square_kinds,
    table_balance,
    with_neighbours,
)
from plyground.evaluation.othello_stability import anchored_discs, stable_discs
from plyground.evaluation.pictures import Amounts, bits_of, negated
from plyground.evaluation.spec import EvaluatorSpec, Factor
from plyground.games.othello import STRIDE, Othello, flipped_discs, legal_squares
from plyground.games.rules import State
from plyground.kernel import compilable

SHORTEST_WALL = 2  # discs
MOST_QUIET, LEAST_LOUD = 1, 5  # new frontier discs
C_KIND, X_KIND = KINDS.index((0, 1)), KINDS.index((1, 1))
NAMES = (
    *KIND_NAMES,
    "score",
    "mobility",
    "stability",
    "stability in full lines",
    "frontier",
    "walls",
    "discs in walls",
    "longest wall",
    "quiet moves",
    "loud moves",
    "safe moves",
    "C squares by empty corners",
    "X squares by empty corners",
)


class Walls(NamedTuple):
    """The worth of the ten kinds of squares, then the weights of the other factors."""

    corner: int = 80
    c_square: int = -12
    a_square: int = 44
    b_square: int = 32
    x_square: int = -28
    inside_a: int = -16
    inside_b: int = 4
    box_corner: int = 8
    box_edge: int = 8
    centre: int = -12
    score: int = 3
    mobility: int = 2
    stability: int = 10
    full_lines: int = 0
    frontier: int = 3
    walls: int = 0
    wall_discs: int = 0
    longest_wall: int = 0
    quiet_moves: int = 0
    loud_moves: int = 0
    safe_moves: int = 0
    open_c: int = 0
    open_x: int = 0

    def evaluate(self, state: State) -> int:
        me, opp, cells = state.me, state.opp, state.cells
        moves, replies = legal_squares(me, opp, cells), legal_squares(opp, me, cells)
        value = table_balance(self, me, opp, cells)
        value += self.score * balance(me, opp) + self.mobility * balance(moves, replies)
        value += self.frontier * balance(
            frontier_discs(opp, me, cells), frontier_discs(me, opp, cells)
        )
        if self.stability or self.full_lines:
            value += stability_value(self, me, opp, cells)
        if self.walls or self.wall_discs or self.longest_wall:
            value += wall_value(self, me, opp, cells) - wall_value(self, opp, me, cells)
        if self.quiet_moves or self.loud_moves:
            value += noise_value(self, me, opp, cells, moves)
            value -= noise_value(self, opp, me, cells, replies)
        if self.safe_moves or self.open_c or self.open_x:
            value += danger_value(self, me, opp, cells, moves, replies)
        return value


# ------------------------------------------------------------------ what is counted


@compilable
def frontier_discs(me: U64, opp: U64, cells: U64) -> U64:
    """My discs that touch an empty square, but for those on the edge."""
    return me & with_neighbours(cells & ~(me | opp)) & ~edge_squares(cells)


@compilable
def group_at(disc: U64, among: U64) -> U64:
    """All squares of a set that are connected with one of them."""
    group = disc
    while True:
        more = with_neighbours(group) & among
        if more == group:
            return group
        group = more


@compilable
def walls_of(me: U64, opp: U64, cells: U64) -> tuple[int, int, int]:
    """How many walls I have, how many discs are in them, and how many in the longest."""
    left, walls, discs, longest = frontier_discs(me, opp, cells), 0, 0, 0
    while left:
        wall = group_at(left & ~without_lowest(left), left)
        left &= ~wall
        length = popcount(wall)
        if length >= SHORTEST_WALL:
            walls, discs, longest = walls + 1, discs + length, max(longest, length)
    return walls, discs, longest


@compilable
def new_frontier(square: int, me: U64, opp: U64, cells: U64) -> int:
    """How many frontier discs I get by placing a disc, of those that were none of mine."""
    flipped = flipped_discs(square, me, opp)
    placed = ONE << U64(square)
    gained = flipped | placed
    return popcount(frontier_discs(me | gained, opp & ~flipped, cells) & gained)


@compilable
def quiet_and_loud(me: U64, opp: U64, cells: U64, moves: U64) -> tuple[int, int]:
    """How many of my moves make few new frontier discs, and how many make many."""
    quiet, loud = 0, 0
    while moves:
        new = new_frontier(lowest_index(moves), me, opp, cells)
        moves = without_lowest(moves)
        if new <= MOST_QUIET:
            quiet += 1
        elif new >= LEAST_LOUD:
            loud += 1
    return quiet, loud


@compilable
def beside_open_corners(me: U64, opp: U64, cells: U64) -> tuple[U64, U64]:
    """The C squares, and the X squares, whose corner is empty."""
    kinds = square_kinds(cells)
    near = with_neighbours(corner_squares(cells) & ~(me | opp))
    return near & kinds[C_KIND], near & kinds[X_KIND]


# ------------------------------------------------------------------ what it is worth


@compilable
def stability_value(weights: Walls, me: U64, opp: U64, cells: U64) -> int:
    """Discs that are stable by corners, and those that only full lines make so."""
    anchored, theirs = anchored_discs(me, cells), anchored_discs(opp, cells)
    value = weights.stability * balance(anchored, theirs)
    if weights.full_lines:
        mine = stable_discs(me, opp, cells) & ~anchored
        value += weights.full_lines * balance(mine, stable_discs(opp, me, cells) & ~theirs)
    return value


@compilable
def wall_value(weights: Walls, me: U64, opp: U64, cells: U64) -> int:
    """What the walls of one side are worth."""
    walls, discs, longest = walls_of(me, opp, cells)
    return weights.walls * walls + weights.wall_discs * discs + weights.longest_wall * longest


@compilable
def noise_value(weights: Walls, me: U64, opp: U64, cells: U64, moves: U64) -> int:
    """What the quiet and the loud moves of one side are worth."""
    quiet, loud = quiet_and_loud(me, opp, cells, moves)
    return weights.quiet_moves * quiet + weights.loud_moves * loud


@compilable
def danger_value(weights: Walls, me: U64, opp: U64, cells: U64, moves: U64, replies: U64) -> int:
    """What it is worth to have other moves than beside empty corners, and discs there."""
    open_c, open_x = beside_open_corners(me, opp, cells)
    unsafe = open_c | open_x
    value = weights.safe_moves * balance(moves & ~unsafe, replies & ~unsafe)
    value += weights.open_c * balance(me & open_c, opp & open_c)
    return value + weights.open_x * balance(me & open_x, opp & open_x)


# ------------------------------------------------------------------ factor by factor


def _walls_factors(evaluator: Walls, state: State) -> list[Factor]:
    discs, me, opp, cells = DiscSets(state), state.me, state.opp, state.cells
    moves, replies = discs.moves
    anchored = discs.anchored(discs.me), discs.anchored(discs.opp)
    stable = (
        discs.of_word(stable_discs(me, opp, cells)) & ~anchored[0],
        discs.of_word(stable_discs(opp, me, cells)) & ~anchored[1],
    )
    frontier = discs.near(discs.empty) & ~discs.edge
    mine = [*_walls_in(discs, discs.me & frontier)]
    theirs = [*_walls_in(discs, discs.opp & frontier)]
    noise = _noise(discs, state.me, state.opp, cells, moves)
    their_noise = _noise(discs, state.opp, state.me, cells, replies)
    near = discs.near(discs.corners & discs.empty)
    open_c, open_x = near & discs.kinds[C_KIND], near & discs.kinds[X_KIND]
    safe = ~(open_c | open_x)
    pictures = (
        *(squares_on(discs.me & kind, discs.opp & kind) for kind in discs.kinds),
        squares_on(discs.me, discs.opp),
        squares_on(moves, replies),
        squares_on(*anchored),
        squares_on(*stable),
        squares_on(discs.opp & frontier, discs.me & frontier),
        _spread_over(mine) + negated(_spread_over(theirs)),
        squares_on(sum(mine), sum(theirs)),
        _longest(mine) + negated(_longest(theirs)),
        squares_on(noise[0], their_noise[0]),
        squares_on(noise[1], their_noise[1]),
        squares_on(moves & safe, replies & safe),
        squares_on(discs.me & open_c, discs.opp & open_c),
        squares_on(discs.me & open_x, discs.opp & open_x),
    )
    values = [round(sum(amount for _, amount in picture)) for picture in pictures]
    return listed(NAMES, evaluator, pictures, values)


def _walls_in(discs: DiscSets, frontier: int) -> Iterator[int]:
    """The walls among the frontier discs of one side."""
    while frontier:
        wall, more = 0, frontier & -frontier
        while more != wall:
            wall, more = more, discs.near(more) & frontier
        frontier &= ~wall
        if wall.bit_count() >= SHORTEST_WALL:
            yield wall


def _spread_over(walls: list[int]) -> Amounts:
    """Each wall counts 1, in equal parts on its discs."""
    return tuple((cell, 1 / wall.bit_count()) for wall in walls for cell in bits_of(wall))


def _longest(walls: list[int]) -> Amounts:
    """The length of the longest wall; of several, in equal parts on all their discs."""
    length = max((wall.bit_count() for wall in walls), default=0)
    longest = [wall for wall in walls if wall.bit_count() == length]
    return tuple((cell, 1 / len(longest)) for wall in longest for cell in bits_of(wall))


def _noise(discs: DiscSets, me: U64, opp: U64, cells: U64, moves: int) -> tuple[int, int]:
    """The quiet and the loud moves of one side."""
    quiet, loud = 0, 0
    for square in bits_of(moves):
        row, column = divmod(square, discs.size)
        new = new_frontier(STRIDE * row + column, me, opp, cells)
        quiet |= (new <= MOST_QUIET) << square
        loud |= (new >= LEAST_LOUD) << square
    return quiet, loud


WALLS = EvaluatorSpec(
    name="walls",
    games=(Othello,),
    summary="All factors that a study names, walls and quiet and safe moves too; to be fitted.",
    source="Neudeck 2019, sections 2.1.3 to 2.1.5; weights of its middle game, others 0",
    scale="3 is a disc",
    make=Walls,
    factors=_walls_factors,
)
EVALUATORS = (WALLS,)
