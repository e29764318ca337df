"""Evaluators for Othello on boards of one word: discs, positional, mobility, and all factors.

Every factor is a **balance**: what I have less what the opponent has. So every value changes its
sign when the two sides are exchanged, and none depends on how the board is turned. The stages of a
game are in `othello_stages.py`, the 10x10 board in `othello_wide.py`. Only `Factors` tells finished
games from others, as its study asks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from plyground.bits import ALL_ONES, U64, ZERO, popcount
from plyground.evaluation.othello_pictures import DiscSets, listed, squares_on
from plyground.evaluation.othello_squares import (
    KIND_NAMES,
    KINDS,
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    corner_squares,
    edge_squares,
    table_balance,
    with_neighbours,
)
from plyground.evaluation.othello_stability import exposed_discs, stable_discs
from plyground.evaluation.spec import EvaluatorSpec, Factor
from plyground.games.othello import (
    EAST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    STRIDE,
    Othello,
    legal_squares,
)
from plyground.games.rules import State
from plyground.kernel import compilable

# ------------------------------------------------------------------ what is counted


@compilable
def balance(mine: U64, theirs: U64) -> int:
    """The squares of one word less those of the other."""
    return popcount(mine) - popcount(theirs)


@compilable
def move_balance(me: U64, opp: U64, cells: U64) -> int:
    """My legal moves less those that the opponent would have if it were to move."""
    return balance(legal_squares(me, opp, cells), legal_squares(opp, me, cells))


@compilable
def potential_balance(me: U64, opp: U64, cells: U64) -> int:
    """My potential moves, the empty squares next to the opponent's discs, less the opponent's."""
    empty = cells & ~(me | opp)
    return balance(empty & with_neighbours(opp), empty & with_neighbours(me))


@compilable
def between_along(me: U64, opp: U64, step: U64, above: U64, below: U64) -> int:
    """For each disc of `opp`, the discs between it and the next of `me`, both ways of one line.

    Only unbroken lines count, so all the discs between have the disc's own colour. `above` and
    `below` are where a step may land without wrapping round the board.
    """
    above, below = above & opp, below & opp
    up, down, count = (me << step) & above, (me >> step) & below, 0
    for between in range(1, STRIDE - 1):
        up, down = (up << step) & above, (down >> step) & below
        count += between * (popcount(up) + popcount(down))
    return count


@compilable
def discs_between(me: U64, opp: U64) -> int:
    """For each disc of `opp`, the discs between it and the next of `me`, in eight directions."""
    count = between_along(me, opp, EAST, NOT_FIRST_COLUMN, NOT_LAST_COLUMN)
    count += between_along(me, opp, SOUTH, ALL_ONES, ALL_ONES)
    count += between_along(me, opp, SOUTH_WEST, NOT_LAST_COLUMN, NOT_FIRST_COLUMN)
    return count + between_along(me, opp, SOUTH_EAST, NOT_FIRST_COLUMN, NOT_LAST_COLUMN)


# ------------------------------------------------------------------ one idea each


class Discs(NamedTuple):
    """The disc difference."""

    disc: int = 1

    def evaluate(self, state: State) -> int:
        return self.disc * balance(state.me, state.opp)


class Positional(NamedTuple):
    """The worth of the squares that are held, by their kind (`othello_squares.py`).

    The numbers are the printed table, which is 8x8; the study says nothing of other boards. There
    a square is worth what the 8x8 square of its kind is.
    """

    corner: int = 99
    c_square: int = -18
    a_square: int = 8
    b_square: int = 6
    x_square: int = -24
    inside_a: int = -14
    inside_b: int = -12
    box_corner: int = 15
    box_edge: int = 15
    centre: int = 10

    def evaluate(self, state: State) -> int:
        return table_balance(self, state.me, state.opp, state.cells)


class Mobility(NamedTuple):
    """Moves there are, moves there may come to be, and corners held."""

    actual: int = 8
    potential: int = 5
    corner: int = 60

    def evaluate(self, state: State) -> int:
        me, opp, cells = state.me, state.opp, state.cells
        corners = corner_squares(cells)
        value = self.actual * move_balance(me, opp, cells)
        value += self.potential * potential_balance(me, opp, cells)
        return value + self.corner * balance(me & corners, opp & corners)


# ------------------------------------------------------------------ all factors of the study


class Factors(NamedTuple):
    """Every factor of Hernandez, Daza & Florez, section 5.1; a weight of 0 removes its factor.

    Printed: the factors in words, the table of squares (the first ten fields), the quadratic mean
    (equation 1), and that the score is the sum of weight times value (equation 2). Not printed: any
    weight. Those here were chosen by hand, then by short matches against their neighbours.

    Chosen where the words leave a choice:

    * every factor is mine less the opponent's, also where the study names one player only;
    * a potential move is an empty square next to a disc of the opponent;
    * a disc is stable by the full rule, unstable if a move of the opponent could turn it now, and
      semi-stable otherwise;
    * a drawn end counts 0; the study gives every end that is not won negative points;
    * the most representative moves are those to corners, and those to other edge squares; the
      difference of all moves, which the study adds here once more, is left to `mobility`;
    * intermediate "tabs" (*fichas*, discs): for each disc of the opponent and each direction, the
      discs between it and the next of mine, on unbroken lines;
    * the parity is the quadratic mean of the weights in use, where a weight counts as 0 unless its
      factor speaks for me, less the same for the opponent. Each mean is rounded down; all else is
      exact.
    """

    corner: int = 99
    c_square: int = -18
    a_square: int = 8
    b_square: int = 6
    x_square: int = -24
    inside_a: int = -14
    inside_b: int = -12
    box_corner: int = 15
    box_edge: int = 15
    centre: int = 10
    discs: int = 1
    mobility: int = 10
    potential: int = 5
    positions: int = 1
    stable: int = 30
    semi_stable: int = 0
    unstable: int = -10
    won: int = 10_000
    corner_moves: int = 80
    edge_moves: int = 4
    between: int = 1
    parity: int = 4

    def evaluate(self, state: State) -> int:
        values = factor_values(self, state.me, state.opp, state.cells)
        value = self.parity * parity_of(self, values)
        for factor in range(len(values)):
            value += self[len(KINDS) + factor] * values[factor]
        return value


@compilable
def factor_values(weights: Factors, me: U64, opp: U64, cells: U64) -> tuple[int, ...]:
    """The values of all factors but the parity, in the order of the fields of `Factors`."""
    corners = corner_squares(cells)
    edges = edge_squares(cells) ^ corners
    moves, replies = legal_squares(me, opp, cells), legal_squares(opp, me, cells)
    stable, their_stable = stable_discs(me, opp, cells), stable_discs(opp, me, cells)
    exposed, their_exposed = exposed_discs(me, opp, cells), exposed_discs(opp, me, cells)
    discs, won = balance(me, opp), 0
    if moves | replies == ZERO:
        won = min(max(discs, -1), 1)
    return (
        discs,
        balance(moves, replies),
        potential_balance(me, opp, cells),
        table_balance(weights, me, opp, cells),
        balance(stable, their_stable),
        balance(me & ~(stable | exposed), opp & ~(their_stable | their_exposed)),
        balance(exposed, their_exposed),
        won,
        balance(moves & corners, replies & corners),
        balance(moves & edges, replies & edges),
        discs_between(me, opp) - discs_between(opp, me),
    )


@compilable
def parity_of(weights: Factors, values: tuple[int, ...]) -> int:
    """How heavy the factors are that speak for me, less those that speak for the opponent."""
    return quadratic_mean(weights, values, 1) - quadratic_mean(weights, values, -1)


@compilable
def quadratic_mean(weights: Factors, values: tuple[int, ...], sign: int) -> int:
    """Equation 1, rounded down; only factors count whose share of the value has this sign."""
    squares, in_use = 0, 0
    for factor in range(len(values)):
        weight = weights[len(KINDS) + factor]
        if weight != 0:
            in_use += 1
        if sign * weight * values[factor] > 0:
            squares += weight * weight
    return int(math.sqrt(squares // max(in_use, 1)))


# ------------------------------------------------------------------ factor by factor

MOBILITY_NAMES = ("legal moves", "potential moves", "corners held")
FACTOR_NAMES = (
    "disc difference",
    "legal moves",
    "potential moves",
    "worth of squares",
    "stable discs",
    "semi-stable discs",
    "unstable discs",
    "won game",
    "moves to corners",
    "moves to edges",
    "discs in between",
    "parity",
)


def _disc_factors(evaluator: Discs, state: State) -> list[Factor]:
    discs = DiscSets(state)
    return listed(["disc difference"], evaluator, [squares_on(discs.me, discs.opp)])


def _positional_factors(evaluator: Positional, state: State) -> list[Factor]:
    discs = DiscSets(state)
    held = [squares_on(discs.me & kind, discs.opp & kind) for kind in discs.kinds]
    return listed(KIND_NAMES, evaluator, held)


def _mobility_factors(evaluator: Mobility, state: State) -> list[Factor]:
    discs = DiscSets(state)
    corners = squares_on(discs.me & discs.corners, discs.opp & discs.corners)
    return listed(MOBILITY_NAMES, evaluator, [squares_on(*discs.moves), discs.potential(), corners])


def _all_factors(evaluator: Factors, state: State) -> list[Factor]:
    me, opp, cells = state.me, state.opp, state.cells
    values = factor_values(evaluator, me, opp, cells)
    stable, their_stable = stable_discs(me, opp, cells), stable_discs(opp, me, cells)
    exposed, their_exposed = exposed_discs(me, opp, cells), exposed_discs(opp, me, cells)
    others, their_others = me & ~(stable | exposed), opp & ~(their_stable | their_exposed)
    discs, nowhere = DiscSets(state), ()
    moves, replies = discs.moves
    edges = discs.edge ^ discs.corners
    places = (
        squares_on(discs.me, discs.opp),
        squares_on(moves, replies),
        discs.potential(),
        discs.worth(evaluator),
        squares_on(discs.of_word(stable), discs.of_word(their_stable)),
        squares_on(discs.of_word(others), discs.of_word(their_others)),
        squares_on(discs.of_word(exposed), discs.of_word(their_exposed)),
        nowhere,  # a won game
        squares_on(moves & discs.corners, replies & discs.corners),
        squares_on(moves & edges, replies & edges),
        discs.between(),
        nowhere,  # the parity
    )
    weights = evaluator[len(KINDS) :]
    return listed(FACTOR_NAMES, weights, places, (*values, parity_of(evaluator, values)))


DISCS = EvaluatorSpec(
    name="discs",
    games=(Othello,),
    summary="My discs less the opponent's: what counts at the end, and misleads before.",
    source="Neudeck 2019, section 2.1.1; Hernandez, Daza & Florez, section 5.1 (parity of pieces)",
    scale="1 is a disc",
    make=Discs,
    factors=_disc_factors,
)
POSITIONAL = EvaluatorSpec(
    name="positional",
    games=(Othello,),
    summary="The worth of the squares held, from 99 for a corner to -24 next to it.",
    source="Hernandez, Daza & Florez, section 5.1 (positions in the game)",
    scale="99 is a corner",
    make=Positional,
    factors=_positional_factors,
)
MOBILITY = EvaluatorSpec(
    name="mobility",
    games=(Othello,),
    summary="Moves there are, moves there may come to be, and corners held.",
    source="Hernandez, Daza & Florez, section 5.1 (legal movements); the weights are ours",
    scale="8 is a legal move",
    make=Mobility,
    factors=_mobility_factors,
)
FACTORS = EvaluatorSpec(
    name="factors",
    games=(Othello,),
    summary="Discs, moves, squares, stability, the end, and a quadratic mean of what is in play.",
    source="Hernandez, Daza & Florez, section 5.1; the weights are ours, but for the squares",
    scale="99 is the square of a corner",
    make=Factors,
    factors=_all_factors,
    is_default=True,
)
EVALUATORS = (DISCS, POSITIONAL, MOBILITY, FACTORS)
