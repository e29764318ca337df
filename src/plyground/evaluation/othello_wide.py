"""Evaluators for Othello on 10x10: the weights of the smaller boards, counted on pairs of words.

Each class takes its fields from its parent, so that a weight has one home, and says only how the
counting is done; names and sources are the parent's too. All of `othello.py` but `Factors` is here.
Knows nothing of search, and nothing of finished games.
"""

from __future__ import annotations

from dataclasses import replace

from plyground.bits import U64, ZERO, int_of, pair_left, pair_of, pair_right, popcount
from plyground.evaluation.othello import (
    DISCS,
    MOBILITY,
    MOBILITY_NAMES,
    POSITIONAL,
    Discs,
    Mobility,
    Positional,
    listed,
)
from plyground.evaluation.othello_squares import KIND_NAMES, KINDS, kind_masks
from plyground.evaluation.othello_stages import (
    STAGES,
    Stages,
    stage_factors,
    stage_of,
    weighted,
)
from plyground.evaluation.pictures import Amounts, balance_on, bits_of
from plyground.evaluation.spec import Factor
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

Pair = tuple[U64, U64]  # low word, high word

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
def both(a: Pair, b: Pair) -> Pair:
    """The squares in both."""
    return a[0] & b[0], a[1] & b[1]


@compilable
def either(a: Pair, b: Pair) -> Pair:
    """The squares in at least one."""
    return a[0] | b[0], a[1] | b[1]


@compilable
def beside(squares: Pair, step: int) -> Pair:
    """The squares one step away, both ways; what steps off a side comes back on the other."""
    up = pair_left(squares[0], squares[1], step)
    return either(up, pair_right(squares[0], squares[1], step))


@compilable
def wide_balance(mine: Pair, theirs: Pair) -> int:
    """The squares of one pair less those of the other."""
    return popcount(mine[0]) + popcount(mine[1]) - popcount(theirs[0]) - popcount(theirs[1])


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
    return BOARD[0] & ~(me[0] | opp[0]), BOARD[1] & ~(me[1] | opp[1])


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
    """As `anchored_discs`; why steps round a side do no harm, `grown_discs` tells."""
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
def wide_mobility_values(me: Pair, opp: Pair) -> tuple[int, int, int]:
    """Three balances: legal moves, potential moves, corners held."""
    empty = empty_squares(me, opp)
    mine, theirs = wide_with_neighbours(opp), wide_with_neighbours(me)
    return (
        wide_move_balance(me, opp),
        wide_balance(both(empty, mine), both(empty, theirs)),
        wide_balance(both(me, CORNERS), both(opp, CORNERS)),
    )


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
    return stage_of(wide_balance(either(me, opp), (ZERO, ZERO)), SQUARES)


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
        actual, potential, corner = wide_mobility_values(me, opp)
        return self.actual * actual + self.potential * potential + self.corner * corner


class WideStages(Stages):
    """`Stages` on 10x10."""

    def evaluate(self, state: State) -> int:
        me, opp = sides_of(state)
        return weighted(self, wide_stage(me, opp), wide_stage_values(self, me, opp))


# ------------------------------------------------------------------ factor by factor


def _wide_on(mine: Pair, theirs: Pair, amount: float = 1) -> Amounts:
    """Squares that count for me, and squares that count for the opponent."""
    return balance_on(bits_of(int_of(*mine)), bits_of(int_of(*theirs)), amount)


def _moves_on(me: Pair, opp: Pair) -> Amounts:
    return _wide_on(wide_legal_squares(*me, *opp), wide_legal_squares(*opp, *me))


def _disc_factors(evaluator: WideDiscs, state: State) -> list[Factor]:
    me, opp = sides_of(state)
    return [Factor("disc difference", wide_balance(me, opp), evaluator.disc, _wide_on(me, opp))]


def _positional_factors(evaluator: WidePositional, state: State) -> list[Factor]:
    me, opp = sides_of(state)
    pairs = [(both(me, squares), both(opp, squares)) for squares in SQUARE_KINDS]
    balances = [wide_balance(*pair) for pair in pairs]
    return listed(KIND_NAMES, balances, evaluator, [_wide_on(*pair) for pair in pairs])


def _mobility_factors(evaluator: WideMobility, state: State) -> list[Factor]:
    me, opp = sides_of(state)
    empty = empty_squares(me, opp)
    near_them, near_me = wide_with_neighbours(opp), wide_with_neighbours(me)
    pictures = (
        _moves_on(me, opp),
        _wide_on(both(empty, near_them), both(empty, near_me)),
        _wide_on(both(me, CORNERS), both(opp, CORNERS)),
    )
    return listed(MOBILITY_NAMES, wide_mobility_values(me, opp), evaluator, pictures)


def _stages_factors(evaluator: WideStages, state: State) -> list[Factor]:
    me, opp = sides_of(state)
    frontier = both(wide_with_neighbours(empty_squares(me, opp)), INSIDE)
    worth: Amounts = ()
    for squares, weight in zip(SQUARE_KINDS, evaluator, strict=False):
        worth += _wide_on(both(me, squares), both(opp, squares), weight)
    pictures = (
        _wide_on(me, opp),
        _moves_on(me, opp),
        _wide_on(wide_anchored_discs(me), wide_anchored_discs(opp)),
        worth,
        _wide_on(both(opp, frontier), both(me, frontier)),
    )
    values = wide_stage_values(evaluator, me, opp)
    return stage_factors(evaluator, wide_stage(me, opp), values, pictures)


EVALUATORS = (
    replace(DISCS, games=(WideOthello,), make=lambda start: WideDiscs(), factors=_disc_factors),
    replace(
        POSITIONAL,
        games=(WideOthello,),
        make=lambda start: WidePositional(),
        factors=_positional_factors,
    ),
    replace(
        MOBILITY,
        games=(WideOthello,),
        make=lambda start: WideMobility(),
        factors=_mobility_factors,
    ),
    replace(STAGES, games=(WideOthello,), make=lambda start: WideStages(), factors=_stages_factors),
)
