"""Evaluators for Connect Four: segments, windows, threats, columns.

A **segment** is a set of `connect` cells in a row; 7x6 has 69. A segment is named by its first
cell, so that all segments of one direction are one word, and a question about every one of them
(does it hold three of my stones and none of yours?) is a few operations on words.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ALL_ONES, ONE, U64, ZERO, bit, popcount
from plyground.evaluation.pictures import Amounts, balance_on, bits_of, open_lines_on
from plyground.evaluation.spec import EvaluatorSpec, Factor
from plyground.games.connect_four import ConnectFour, board
from plyground.games.rules import State, side
from plyground.kernel import compilable, compilable_call

EVERY_OTHER_BIT = U64(0x5555_5555_5555_5555)

# ------------------------------------------------------------------ counting in segments


@compilable
def board_cells(state: ConnectFour) -> U64:
    """All cells, without the guard bits."""
    return state.bottom * (bit(state.height) - ONE)


@compilable
def segments_along(board: U64, step: int, connect: int) -> U64:
    """The segments of one direction, each marked at its first cell."""
    segments = board
    for _ in range(connect - 1):
        segments = board & (segments >> U64(step))
    return segments


@compilable
def segments_touching(stones: U64, step: int, connect: int) -> U64:
    """The segments, real or not, that hold at least one of the stones."""
    segments = stones
    for _ in range(connect - 1):
        segments = stones | (segments >> U64(step))
    return segments


@compilable
def count_with(stones: U64, segments: U64, step: int, connect: int) -> tuple[int, int, int]:
    """Of these segments, how many hold one, two, and three or more of the stones.

    Adds the stones of all segments in parallel: bit i of `ones` and `twos` together is the number
    of stones, up to three, in the segment that begins at bit i; `more` marks those with four.
    """
    ones, twos, more = ZERO, ZERO, ZERO
    for _ in range(connect):
        carry = ones & stones
        ones ^= stones
        more |= twos & carry
        twos ^= carry
        stones = stones >> U64(step)
    return (
        popcount(segments & ones & ~twos & ~more),
        popcount(segments & twos & ~ones & ~more),
        popcount(segments & (more | (ones & twos))),
    )


@compilable_call
def open_segments(state: ConnectFour, mine: bool) -> tuple[int, int, int]:
    """Segments with one, two, three or more stones of one side and none of the other."""
    other = state.stones ^ state.me
    stones = state.me if mine else other
    against = other if mine else state.me
    board, column = board_cells(state), state.height + 1
    one, two, three = 0, 0, 0
    for step in (1, column - 1, column, column + 1):
        segments = segments_along(board, step, state.connect)
        segments &= ~segments_touching(against, step, state.connect)
        ones, twos, threes = count_with(stones, segments, step, state.connect)
        one, two, three = one + ones, two + twos, three + threes
    return one, two, three


@compilable_call
def winning_cells(stones: U64, state: ConnectFour) -> U64:
    """The empty cells that would complete a line of these stones."""
    cells, column = ZERO, state.height + 1
    for step in (1, column - 1, column, column + 1):
        below = ALL_ONES  # cells with so many stones in a row just below them
        for before in range(state.connect):
            above = ALL_ONES  # and the rest of the line just above
            for _ in range(state.connect - 1 - before):
                above = (stones & above) >> U64(step)
            cells |= below & above
            below = (stones & below) << U64(step)
    return cells & board_cells(state) & ~state.stones


@compilable
def middle_cells(state: ConnectFour) -> U64:
    """The middle column; even widths have two."""
    column, width = state.height + 1, popcount(state.bottom)
    columns = ONE if width % 2 else ONE | bit(column)
    return (columns * (bit(state.height) - ONE)) << U64(column * ((width - 1) // 2))


@compilable
def centre_balance(state: ConnectFour) -> int:
    """My stones in the middle column less the other side's."""
    middle = middle_cells(state)
    return popcount(state.me & middle) - popcount((state.stones ^ state.me) & middle)


# ------------------------------------------------------------------ the evaluators


class Segments(NamedTuple):
    """What an open segment with one, two or three stones is worth."""

    one: int = 1
    two: int = 10
    three: int = 100

    def evaluate(self, state: ConnectFour) -> int:
        one, two, three = open_segments(state, True)
        their_one, their_two, their_three = open_segments(state, False)
        value = self.one * (one - their_one) + self.two * (two - their_two)
        return value + self.three * (three - their_three)


class Windows(NamedTuple):
    """Stones in the centre column, and open segments with two or three stones."""

    centre: int = 3
    two: int = 2
    three: int = 9  # 5 for an own three and 4 against the other side's

    def evaluate(self, state: ConnectFour) -> int:
        _, two, three = open_segments(state, True)
        _, their_two, their_three = open_segments(state, False)
        value = self.two * (two - their_two) + self.three * (three - their_three)
        return value + self.centre * centre_balance(state)


class Threats(NamedTuple):
    """Open twos, and the cells that complete a line, by the parity of their row.

    When the board fills up, the first player gets to play on odd rows and the second on even ones,
    so a threat on a row of the own parity is worth far more than another.
    """

    centre: int = 3
    two: int = 2
    threat: int = 12
    own_parity: int = 24
    playable: int = 30

    def evaluate(self, state: ConnectFour) -> int:
        _, two, _ = open_segments(state, True)
        _, their_two, _ = open_segments(state, False)
        value = self.two * (two - their_two) + self.centre * centre_balance(state)
        first_to_move = popcount(state.stones) & 1 == 0
        mine = threat_value(self, state, state.me, first_to_move)
        return value + mine - threat_value(self, state, state.stones ^ state.me, not first_to_move)


@compilable
def threat_value(weights: Threats, state: ConnectFour, stones: U64, is_first: bool) -> int:
    """What the winning cells of one side are worth to it."""
    cells = winning_cells(stones, state)
    odd_rows = state.bottom * (EVERY_OTHER_BIT & (bit(state.height) - ONE))
    own_rows = odd_rows if is_first else ~odd_rows
    landing = (state.stones + state.bottom) & cells
    value = weights.threat * popcount(cells) + weights.own_parity * popcount(cells & own_rows)
    return value + weights.playable * popcount(landing)


class Columns(NamedTuple):
    """Each stone counts the distance of its column from the nearer edge."""

    weight: int = 1

    def evaluate(self, state: ConnectFour) -> int:
        column, width = state.height + 1, popcount(state.bottom)
        stones, other, value = state.me, state.stones ^ state.me, 0
        # A stone counts once for every inset board (without 1, 2, ... outer columns) it lies on.
        for inset in range(1, (width + 1) // 2):
            inner = (bit(column * (width - 2 * inset)) - ONE) << U64(column * inset)
            value += popcount(stones & inner) - popcount(other & inner)
        return self.weight * value


# ------------------------------------------------------------------ factor by factor


def _on(mine: U64, theirs: U64, state: State) -> Amounts:
    """Cells of two words, as the board as data numbers them."""

    def cells(word: U64) -> list[int]:
        places = [divmod(place, state.height + 1) for place in bits_of(int(word))]
        width = popcount(state.bottom)
        return [(state.height - 1 - row) * width + column for column, row in places]

    return balance_on(cells(mine), cells(theirs))


def _centre_factor(state: State, weight: int) -> Factor:
    middle = middle_cells(state)
    picture = _on(state.me & middle, (state.stones ^ state.me) & middle, state)
    return Factor("stones in the centre", centre_balance(state), weight, picture)


def _open_factor(state: State, stones: int, weight: int, name: str) -> Factor:
    """Open segments with one, two, or three or more stones."""
    mine, theirs = (open_segments(state, whose)[stones - 1] for whose in (True, False))

    def is_so_full(number: int) -> bool:
        return min(number, 3) == stones

    picture = open_lines_on(board(state), side(state), state.connect, is_so_full)
    return Factor(name, mine - theirs, weight, picture)


def _segment_factors(evaluator: Segments, state: State) -> list[Factor]:
    return [
        _open_factor(state, 1, evaluator.one, "open segments with one stone"),
        _open_factor(state, 2, evaluator.two, "with two stones"),
        _open_factor(state, 3, evaluator.three, "with three stones"),
    ]


def _window_factors(evaluator: Windows, state: State) -> list[Factor]:
    return [
        _centre_factor(state, evaluator.centre),
        _open_factor(state, 2, evaluator.two, "open segments with two stones"),
        _open_factor(state, 3, evaluator.three, "with three stones"),
    ]


def _threat_factors(evaluator: Threats, state: State) -> list[Factor]:
    first_to_move = popcount(state.stones) & 1 == 0
    mine, theirs = state.me, state.stones ^ state.me
    winning = winning_cells(mine, state), winning_cells(theirs, state)
    odd_rows = state.bottom * (EVERY_OTHER_BIT & (bit(state.height) - ONE))
    rows = (odd_rows, ~odd_rows) if first_to_move else (~odd_rows, odd_rows)
    landing = state.stones + state.bottom

    def factor(name: str, weight: int, mine: U64, theirs: U64) -> Factor:
        """The winning cells of each side in some of the cells."""
        mine, theirs = winning[0] & mine, winning[1] & theirs
        return Factor(name, popcount(mine) - popcount(theirs), weight, _on(mine, theirs, state))

    return [
        _centre_factor(state, evaluator.centre),
        _open_factor(state, 2, evaluator.two, "open segments with two stones"),
        factor("cells that complete a line", evaluator.threat, ALL_ONES, ALL_ONES),
        factor("of these on rows of the own parity", evaluator.own_parity, *rows),
        factor("of these playable at once", evaluator.playable, landing, landing),
    ]


def _column_factors(evaluator: Columns, state: State) -> list[Factor]:
    width = popcount(state.bottom)
    stones = _on(state.me, state.stones ^ state.me, state)
    picture = tuple(
        (cell, sign * min(cell % width, width - 1 - cell % width)) for cell, sign in stones
    )
    distance = Columns().evaluate(state)
    return [Factor("distance of stones from the edge", distance, evaluator.weight, picture)]


EVALUATORS = (
    EvaluatorSpec(
        name="segments",
        games=(ConnectFour,),
        summary="Open segments with one, two and three stones: 1, 10 and 100.",
        source="Tommy, Hardjianto & Agani 2017, section 3.2",
        scale="1 is an open segment with one stone",
        make=Segments,
        factors=_segment_factors,
    ),
    EvaluatorSpec(
        name="windows",
        games=(ConnectFour,),
        summary="Stones in the centre column, and open segments with two and three stones.",
        source="the weights of K. Galli's Connect4-Python, made symmetric between the sides",
        scale="3 is a stone in the centre",
        make=Windows,
        factors=_window_factors,
    ),
    EvaluatorSpec(
        name="threats",
        games=(ConnectFour,),
        summary="Cells that complete a line, by the parity of their row and whether playable.",
        source="ours",
        scale="3 is a stone in the centre",
        make=Threats,
        factors=_threat_factors,
        is_default=True,
    ),
    EvaluatorSpec(
        name="columns",
        games=(ConnectFour,),
        summary="The distance of each stone's column from the nearer edge.",
        source="a common yardstick: 0, 1, 2, 3, 2, 1, 0 on seven columns",
        scale="1 is one column nearer to the centre",
        make=Columns,
        factors=_column_factors,
    ),
)
