"""Evaluators for Othello on 10x10: the weights of the smaller boards, counted on pairs of words.

Each class takes its fields from its parent, so that a weight is defined once, and defines only how
to count; names, sources and explanations are the parent's too. `Factors` has no wide form.
"""

from __future__ import annotations

from dataclasses import replace

from plyground.bits import (
    ZERO,
    Pair,
    both,
    either,
    pair_left,
    pair_of,
    pair_popcount,
    pair_right,
    without,
)
from plyground.evaluation.othello import (
    DISCS,
    MOBILITY,
    POSITIONAL,
    Discs,
    Mobility,
    Positional,
)
from plyground.evaluation.othello_squares import KINDS, kind_masks
from plyground.evaluation.othello_stages import STAGES, Stages, stage_of, weighted
from plyground.games.othello_wide import (
    EAST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    SQUARES,
    WIDE_SIZE,
    WideOthello,
    wide_legal_squares,
)
from plyground.games.rules import State
from plyground.kernel import compilable

_MASKS = kind_masks(WIDE_SIZE, WIDE_SIZE)
_FIRST_COLUMN = sum(1 << WIDE_SIZE * row for row in range(WIDE_SIZE))
_LAST_COLUMN = _FIRST_COLUMN << WIDE_SIZE - 1
_FIRST_ROW = (1 << WIDE_SIZE) - 1
_SIDES, _ENDS = _FIRST_COLUMN | _LAST_COLUMN, _FIRST_ROW | _FIRST_ROW << SQUARES - WIDE_SIZE

SQUARE_KINDS = tuple(pair_of(mask) for mask in _MASKS)
BOARD = pair_of(sum(_MASKS))
NOT_FIRST_COLUMN = pair_of(sum(_MASKS) ^ _FIRST_COLUMN)
NOT_LAST_COLUMN = pair_of(sum(_MASKS) ^ _LAST_COLUMN)
SIDE_COLUMNS, END_ROWS = pair_of(_SIDES), pair_of(_ENDS)
EDGE, CORNERS = pair_of(_SIDES | _ENDS), pair_of(_SIDES & _ENDS)
INSIDE = pair_of(sum(_MASKS) & ~(_SIDES | _ENDS))

# ------------------------------------------------------------------ pairs as sets of squares


@compilable
def beside(squares: Pair, step: int) -> Pair:
    """The squares one step away, both ways; what steps off a side comes back on the other."""
    up = pair_left(squares[0], squares[1], step)
    return either(up, pair_right(squares[0], squares[1], step))


@compilable
def wide_balance(mine: Pair, theirs: Pair) -> int:
    """The squares of one pair less those of the other."""
    return pair_popcount(mine) - pair_popcount(theirs)


@compilable
def wide_with_neighbours(squares: Pair) -> Pair:
    """The squares and those that touch them, perhaps beyond the last row."""
    right = both(pair_left(squares[0], squares[1], EAST), NOT_FIRST_COLUMN)
    left = both(pair_right(squares[0], squares[1], EAST), NOT_LAST_COLUMN)
    row = either(squares, either(left, right))
    return either(row, beside(row, SOUTH))


# ------------------------------------------------------------------ what is counted


@compilable
def sides_of(state: WideOthello) -> tuple[Pair, Pair]:
    """My discs and the opponent's."""
    return (state.me_low, state.me_high), (state.opp_low, state.opp_high)


@compilable
def empty_squares(me: Pair, opp: Pair) -> Pair:
    """The squares without a disc."""
    return without(BOARD, either(me, opp))


@compilable
def wide_move_balance(me: Pair, opp: Pair) -> int:
    """My legal moves less the opponent's."""
    mine = wide_legal_squares(me[0], me[1], opp[0], opp[1])
    return wide_balance(mine, wide_legal_squares(opp[0], opp[1], me[0], me[1]))


@compilable
def wide_table_balance(weights: tuple[int, ...], me: Pair, opp: Pair) -> int:
    """As `table_balance` of smaller boards."""
    balance = 0
    for kind in range(len(KINDS)):
        squares = SQUARE_KINDS[kind]
        balance += weights[kind] * wide_balance(both(me, squares), both(opp, squares))
    return balance


@compilable
def wide_anchored_discs(me: Pair) -> Pair:
    """As `anchored_discs`; `grown_discs` explains why steps round a side do no harm."""
    stable = (ZERO, ZERO)
    while True:
        more = both(me, either(SIDE_COLUMNS, beside(stable, EAST)))
        more = both(more, either(END_ROWS, beside(stable, SOUTH)))
        more = both(more, either(EDGE, beside(stable, SOUTH_WEST)))
        more = both(more, either(EDGE, beside(stable, SOUTH_EAST)))
        if more == stable:
            return stable
        stable = more


@compilable
def wide_stage_values(weights: Stages, me: Pair, opp: Pair) -> tuple[int, ...]:
    """The five heuristics: as `stage_values`."""
    frontier = both(wide_with_neighbours(empty_squares(me, opp)), INSIDE)
    return (
        wide_balance(me, opp),
        wide_move_balance(me, opp),
        wide_balance(wide_anchored_discs(me), wide_anchored_discs(opp)),
        wide_table_balance(weights, me, opp),
        wide_balance(both(opp, frontier), both(me, frontier)),
    )


@compilable
def wide_stage(me: Pair, opp: Pair) -> int:
    """The stage of the game."""
    return stage_of(pair_popcount(either(me, opp)), SQUARES)


# ------------------------------------------------------------------ the evaluators


class WideDiscs(Discs):
    """`Discs` on 10x10."""

    def evaluate(self, state: State) -> int:
        me, opp = sides_of(state)
        return self.disc * wide_balance(me, opp)


class WidePositional(Positional):
    """`Positional` on 10x10."""

    def evaluate(self, state: State) -> int:
        me, opp = sides_of(state)
        return wide_table_balance(self, me, opp)


class WideMobility(Mobility):
    """`Mobility` on 10x10."""

    def evaluate(self, state: State) -> int:
        me, opp = sides_of(state)
        empty = empty_squares(me, opp)
        mine, theirs = wide_with_neighbours(opp), wide_with_neighbours(me)
        value = self.actual * wide_move_balance(me, opp)
        value += self.potential * wide_balance(both(empty, mine), both(empty, theirs))
        return value + self.corner * wide_balance(both(me, CORNERS), both(opp, CORNERS))


class WideStages(Stages):
    """`Stages` on 10x10."""

    def evaluate(self, state: State) -> int:
        me, opp = sides_of(state)
        return weighted(self, wide_stage(me, opp), wide_stage_values(self, me, opp))


EVALUATORS = (
    replace(DISCS, games=(WideOthello,), make=WideDiscs),
    replace(POSITIONAL, games=(WideOthello,), make=WidePositional),
    replace(MOBILITY, games=(WideOthello,), make=WideMobility),
    replace(STAGES, games=(WideOthello,), make=WideStages),
)
