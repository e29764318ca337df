"""Othello (Reversi) on 4x4, 6x6 and 8x8 boards, one 64-bit word per side; 10x10 is next door.

The 8x8 layout serves every size. Bit 8*row + column, row 0 on top:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7        a 6x6 board is the corner a1-f6; `cells` marks it,
    2   8  9 10 11 12 13 14 15        and beyond it nothing can be placed, so that every
    :                                 run of discs ends there as it does at an edge
    8  56 57 58 59 60 61 62 63

A side without a move passes, and the pass is a move. The game ends when neither side can move; the
empty squares then count for the winner.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from plyground.bits import U64, ZERO, bit, int_of, lowest_index, popcount, without_lowest
from plyground.core.board import Board
from plyground.core.errors import MalformedText
from plyground.games import squares
from plyground.games.othello_openings import name_opening
from plyground.games.othello_wide import (
    WIDE_PASS,
    WIDE_SIZE,
    WideOthello,
    wide_from_discs,
    wide_start,
    winner_takes_empties,
)
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable, compiled_as
from plyground.lanes import Lanes, above, below, four_from, highest, joined, lowest, spread

STRIDE = 8  # squares per row of the layout, whatever the size of the board
MOST_COUNTED = 24  # moves of a side, as a code
PASS = 64
EAST, SOUTH_WEST, SOUTH, SOUTH_EAST = U64(1), U64(7), U64(8), U64(9)

# ------------------------------------------------------------------ all directions at once
#
# Four directions towards higher bits and the same four towards lower ones, each a lane: perft gains
# a half over one direction after the other. Without a compiler Python's own numbers are fastest.

STEPS = Lanes(1, 7, 8, 9)
TWO_STEPS = Lanes(2, 14, 16, 18)
PASSABLE = Lanes(*(0x7E7E_7E7E_7E7E_7E7E if step != 8 else 2**64 - 1 for step in STEPS.numbers))


def _rays() -> np.ndarray:
    """For each square, the squares beyond it: four rays to higher bits, then four to lower ones."""
    rays = []
    for row, column in itertools.product(range(STRIDE), repeat=2):
        for sign in (1, -1):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                places = [(row + sign * down * n, column + sign * right * n) for n in range(1, 8)]
                inside = [(r, c) for r, c in places if 0 <= r < STRIDE and 0 <= c < STRIDE]
                rays.append(sum(1 << STRIDE * r + c for r, c in inside))
    return np.array(rays, U64)


RAYS = _rays()
RAYS_AS_INTS: list[int] = RAYS.tolist()


@compilable
def runs_up(stones: Lanes, through: Lanes) -> Lanes:
    """The unbroken runs of `through` that begin next to `stones`, towards higher bits.

    Kogge-Stone: one step, one more, then twice two at once fill a run of six, the longest there is.
    A run over the side columns would wrap, so `through` leaves them out but for upright runs.
    """
    runs = (stones << STEPS) & through
    runs |= (runs << STEPS) & through
    pairs = through & (through << STEPS)
    runs |= (runs << TWO_STEPS) & pairs
    return runs | ((runs << TWO_STEPS) & pairs)


@compilable
def runs_down(stones: Lanes, through: Lanes) -> Lanes:
    """The same towards lower bits."""
    runs = (stones >> STEPS) & through
    runs |= (runs >> STEPS) & through
    pairs = through & (through >> STEPS)
    runs |= (runs >> TWO_STEPS) & pairs
    return runs | ((runs >> TWO_STEPS) & pairs)


@compilable
def legal_in_lanes(me: U64, opp: U64, cells: U64) -> U64:
    """The squares where `me` may place a disc."""
    mine, theirs = spread(me), spread(opp) & PASSABLE
    beyond = (runs_up(mine, theirs) << STEPS) | (runs_down(mine, theirs) >> STEPS)
    return joined(beyond) & cells & ~(me | opp)


@compilable
def flipped_in_lanes(square: int, me: U64, opp: U64) -> U64:
    """The discs of `opp` that turn when `me` places a disc on a square.

    Along each ray the nearest square that is not of `opp` closes a run if it is of `me`.
    """
    up, down = four_from(RAYS, 8 * square), four_from(RAYS, 8 * square + 4)
    mine, others = spread(me), spread(~opp)
    closing_up, closing_down = lowest(up & others) & mine, highest(down & others) & mine
    return joined((up & below(closing_up)) | (down & above(closing_down)))


@compiled_as(legal_in_lanes)
def legal_squares(me: U64, opp: U64, cells: U64) -> U64:
    """The squares where `me` may place a disc."""
    mine, theirs, targets = int(me), int(opp), 0
    for step, passable in zip(STEPS.numbers, PASSABLE.numbers, strict=True):
        through = theirs & passable
        up = down = mine
        while up := up << step & through:
            targets |= up << step
        while down := down >> step & through:
            targets |= down >> step
    return U64(targets & int(cells) & ~(mine | theirs))


@compiled_as(flipped_in_lanes)
def flipped_discs(square: int, me: U64, opp: U64) -> U64:
    """The discs of `opp` that turn when `me` places a disc on a square."""
    mine, others, flips = int(me), ~int(opp), 0
    rays = RAYS_AS_INTS[8 * square : 8 * square + 8]
    for ray in rays[:4]:
        ends = ray & others
        closing = ends & -ends & mine
        if closing:
            flips |= ray & (closing - 1)
    for ray in rays[4:]:
        ends = ray & others
        closing = (1 << ends.bit_length() >> 1) & mine
        if closing:
            flips |= ray & -2 * closing
    return U64(flips)


# ------------------------------------------------------------------ symmetries of a word

HALVES = (
    (U64(0x5555_5555_5555_5555), U64(1)),
    (U64(0x3333_3333_3333_3333), U64(2)),
    (U64(0x0F0F_0F0F_0F0F_0F0F), U64(4)),
)


@compilable
def mirror_columns(word: U64) -> U64:
    """Columns a..h exchanged for h..a, by swapping bits, pairs and nibbles of every row."""
    for mask, step in HALVES:
        word = ((word >> step) & mask) | ((word & mask) << step)
    return word


@compilable
def mirror_rows(word: U64) -> U64:
    """Rows 1..8 exchanged for 8..1: the eight bytes in reverse."""
    answer = ZERO
    for _ in range(8):
        answer = (answer << U64(8)) | (word & U64(0xFF))
        word = word >> U64(8)
    return answer


@compilable
def transpose(word: U64) -> U64:
    """Rows exchanged for columns, about the diagonal a1-h8: swap 1x1, 2x2, then 4x4 blocks."""
    swap = (word ^ (word >> U64(7))) & U64(0x00AA_00AA_00AA_00AA)
    word ^= swap ^ (swap << U64(7))
    swap = (word ^ (word >> U64(14))) & U64(0x0000_CCCC_0000_CCCC)
    word ^= swap ^ (swap << U64(14))
    swap = (word ^ (word >> U64(28))) & U64(0x0000_0000_F0F0_F0F0)
    return word ^ swap ^ (swap << U64(28))


@compilable
def symmetric_word(word: U64, symmetry: int, size: int) -> U64:
    """The word seen through one of the eight symmetries of a board in the corner at a1."""
    margin = STRIDE - size
    if symmetry & 1:
        word = mirror_columns(word) >> U64(margin)
    if symmetry & 2:
        word = mirror_rows(word) >> U64(STRIDE * margin)
    if symmetry & 4:
        word = transpose(word)
    return word


# ------------------------------------------------------------------ the state


@compilable
def write_squares(squares: U64, moves: Buffer, start: int) -> int:
    """Write the squares, ascending, as moves; where they end."""
    while squares:
        moves[start] = lowest_index(squares)
        squares = without_lowest(squares)
        start += 1
    return start


class Othello(NamedTuple):
    """A position: my discs, the opponent's, the squares of the board, and who I am."""

    me: U64
    opp: U64
    cells: U64
    side: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        targets = legal_squares(self.me, self.opp, self.cells)
        if targets == ZERO:
            moves[start] = PASS
            return start + 1
        return write_squares(targets, moves, start)

    def noisy_moves(self, moves: Buffer, start: int) -> int:
        """Moves to a corner, which is never turned again; a pass is none."""
        side = popcount(self.cells & U64(0xFF)) - 1
        rows = bit(0) | bit(STRIDE * side)
        targets = legal_squares(self.me, self.opp, self.cells) & (rows | rows << U64(side))
        return write_squares(targets, moves, start)

    def count_moves(self, moves: Buffer, start: int) -> int:
        return max(1, popcount(legal_squares(self.me, self.opp, self.cells)))

    def play(self, move: int) -> Othello:
        if move == PASS:
            return Othello(self.opp, self.me, self.cells, 1 - self.side)
        flips = flipped_discs(move, self.me, self.opp)
        return Othello(self.opp ^ flips, self.me ^ flips ^ bit(move), self.cells, 1 - self.side)

    def is_over(self) -> bool:
        if legal_squares(self.me, self.opp, self.cells) != ZERO:
            return False
        return legal_squares(self.opp, self.me, self.cells) == ZERO

    def outcome(self) -> int:
        return winner_takes_empties(popcount(self.me), popcount(self.opp), popcount(self.cells))

    def turn(self, child: Othello) -> int:
        return -1

    def code(self, cell: int) -> int:
        """My moves, the opponent's, then the parity of the empty squares in each quarter."""
        if cell == 0:
            return min(popcount(legal_squares(self.me, self.opp, self.cells)), MOST_COUNTED)
        if cell == 1:
            return min(popcount(legal_squares(self.opp, self.me, self.cells)), MOST_COUNTED)
        half = popcount(self.cells & U64(0xFF)) >> 1
        row = bit(half) - bit(0)
        quarter = row | row << U64(STRIDE)
        if half > 2:
            quarter |= row << U64(2 * STRIDE)
        if half > 3:
            quarter |= row << U64(3 * STRIDE)
        if cell & 1:
            quarter <<= U64(half)
        if cell & 4:
            quarter <<= U64(half * STRIDE)
        return popcount(quarter & self.cells & ~(self.me | self.opp)) & 1

    def cells_left(self) -> int:
        return popcount(self.cells & ~(self.me | self.opp))

    def count_symmetries(self) -> int:
        return 8

    def transform(self, symmetry: int) -> Othello:
        size = popcount(self.cells & U64(0xFF))
        me = symmetric_word(self.me, symmetry, size)
        opp = symmetric_word(self.opp, symmetry, size)
        return Othello(me, opp, self.cells, self.side)

    def transform_move(self, move: int, symmetry: int) -> int:
        if move == PASS:
            return PASS
        return lowest_index(symmetric_word(bit(move), symmetry, popcount(self.cells & U64(0xFF))))


# ------------------------------------------------------------------ text and board, for all sizes
#
# From here on a square is numbered row by row without gaps, whatever the layout of the state.


def start(size: int) -> Othello | WideOthello:
    """The four discs in the middle, the first player (black) to move."""
    if size == WIDE_SIZE:
        return wide_start()
    low, high = size // 2 - 1, size // 2
    row = (1 << size) - 1
    cells = sum(row << STRIDE * r for r in range(size))
    black = 1 << STRIDE * low + high | 1 << STRIDE * high + low
    white = 1 << STRIDE * low + low | 1 << STRIDE * high + high
    return Othello(U64(black), U64(white), U64(cells), 0)


def board_size(state: State) -> int:
    """Squares along an edge."""
    return WIDE_SIZE if isinstance(state, WideOthello) else popcount(state.cells & U64(0xFF))


def disc_difference(state: State) -> int:
    """My discs less the opponent's; empty squares count for nobody."""
    mine, theirs = _my_discs(state)
    return mine.bit_count() - theirs.bit_count()


def _my_discs(state: State) -> tuple[int, int]:
    """The discs of the side to move and of the other side, as bits of gapless squares."""
    if isinstance(state, WideOthello):
        return int_of(state.me_low, state.me_high), int_of(state.opp_low, state.opp_high)
    size = board_size(state)
    return _gapless(int(state.me), size), _gapless(int(state.opp), size)


def _gapless(word: int, size: int) -> int:
    return sum((word >> STRIDE * r & (1 << size) - 1) << size * r for r in range(size))


def _discs(state: State) -> tuple[int, int]:
    mine, theirs = _my_discs(state)
    return (theirs, mine) if state.side else (mine, theirs)


def _to_square(state: State, move: int) -> int:
    size = board_size(state)
    return move if isinstance(state, WideOthello) else move // STRIDE * size + move % STRIDE


def _to_move(state: State, square: int) -> int:
    size = board_size(state)
    return square if isinstance(state, WideOthello) else square // size * STRIDE + square % size


def _pass_of(state: State) -> int:
    return WIDE_PASS if isinstance(state, WideOthello) else PASS


def read_move(state: State, text: str) -> int:
    if squares.is_pass(text):
        return _pass_of(state)
    size = board_size(state)
    return _to_move(state, squares.parse_square(text, size, size))


def write_move(state: State, move: int) -> str:
    if move == _pass_of(state):
        return "pass"
    return squares.square_name(_to_square(state, move), board_size(state))


def why_illegal(state: State, move: int) -> str:
    first, second = _discs(state)
    if move == _pass_of(state):
        return "a side that has a move may not pass"
    if (first | second) >> _to_square(state, move) & 1:
        return "the square is taken"
    if GAME.legal(state) == [_pass_of(state)]:
        return "there is no move, only a pass"
    return "it turns no disc over"


def implied_move(state: State) -> int | None:
    return _pass_of(state) if GAME.legal(state) == [_pass_of(state)] else None


def read_position(start: State, text: str) -> State:
    size = board_size(start)
    board, *mover = text.split()[:3] or [""]
    if len(mover) == 1 and len(mover[0]) == 1 and len(board) != size * size:
        raise MalformedText(f"the board has {len(board)} cells; expected {size * size}")
    first, second, rest = squares.read_diagram(text, size * size)
    side = squares.read_side(rest)
    me, opp = (second, first) if side else (first, second)
    if isinstance(start, WideOthello):
        return wide_from_discs(me, opp, side)
    return Othello(U64(_with_gaps(me, size)), U64(_with_gaps(opp, size)), start.cells, side)


def _with_gaps(bits: int, size: int) -> int:
    return sum((bits >> size * r & (1 << size) - 1) << STRIDE * r for r in range(size))


def write_position(state: State) -> str:
    first, second = _discs(state)
    return f"{squares.write_diagram(first, second, board_size(state) ** 2)} {'XO'[state.side]}"


def board(state: State) -> Board:
    size = board_size(state)
    first, second = _discs(state)
    return Board(
        "grid",
        rows=size,
        columns=size,
        cells=squares.cell_owners(first, second, size * size),
        row_labels=tuple(str(row + 1) for row in range(size)),
        column_labels=tuple(squares.LETTERS[:size]),
        counts={"first": first.bit_count(), "second": second.bit_count()},
    )


def move_cells(state: State, move: int) -> tuple[int, ...]:
    return () if move == _pass_of(state) else (_to_square(state, move),)


def place_weights(state: State) -> list[int]:
    """Corners first, then what is far from them; the squares next to a corner last."""
    size, weights = board_size(state), {}
    for square in range(size * size):
        near, far = sorted(min(axis, size - 1 - axis) for axis in divmod(square, size))
        weights[_to_move(state, square)] = 9 if far == 0 else -9 if far == 1 else 3 - near
    return [weights.get(move, 0) for move in range(_pass_of(state) + 1)]


def codes(state: State) -> list[int]:
    """Both sides' moves, and the parity of the four quarters, of boards of one word."""
    if isinstance(state, WideOthello):
        return []
    return [MOST_COUNTED + 1] * 2 + [2] * 4


def tuples(state: State) -> list[tuple[int, ...]]:
    """The patterns that Logistello made usual: edges with the squares inside, corners, lines.

    After Buro 1997, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for
    Othello".
    """
    size = board_size(state)
    last = size - 1

    def block(rows: int, columns: int) -> tuple[int, ...]:
        return tuple(size * row + column for row in range(rows) for column in range(columns))

    counted = [size * size + cell for cell in range(len(codes(state)))]
    mine, theirs, *parities = counted or [0, 0]
    found = [(*block(3, 3), *parities[:1]), block(2, min(5, size))]
    edge = tuple(range(size))
    found.append(edge if size > 8 else (*edge, size + 1, size + last - 1))
    found += [tuple(size * row + column for column in edge) for row in range(1, size // 2)]
    lengths = range(size, 3, -1)
    found += [tuple((size + 1) * i + size - long for i in range(long)) for long in lengths]
    if counted:
        found += [(mine, theirs), (mine, *parities)]
    if size >= 8:
        low = size // 2 - 2
        middle = range(low, low + 4)
        near = [size + column for column in middle]
        far = [2 * size + column for column in middle[1:3]]
        triangle = [size * row + column for row in range(4) for column in range(4 - row)]
        around = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
        found += [
            (0, *middle, last, *near),
            tuple(triangle),
            tuple(size * row + column for row, column in around),
            (*middle, *near, *far),
        ]
    if size == 8:
        found.append((0, last, *range(size, 2 * size)))
    return found


GAME = GameSpec(
    name="othello",
    title="Othello",
    summary="Enclose the other side's discs to turn them over; most discs at the end win.",
    aliases=("reversi",),
    players=("Black", "White"),
    has_margin=True,
    parameters=(Parameter("size", 8, "squares along an edge", choices=(4, 6, 8, 10)),),
    start=start,
    states=(Othello, WideOthello),
    max_moves=100,  # 33 is the most ever reached in play on 8x8; diagrams may have more
    code_limit=lambda start: 1 + _pass_of(start),
    score_limit=lambda start: int(board_size(start)) ** 2,
    sample="f5",
    ready_positions=(
        ReadyPosition("Opening: Tiger", "f5d6c3d3c4"),
        ReadyPosition("Opening: Rose", "f5d6c5f4e3c6d3f6e6d7"),
        ReadyPosition(
            "Endgame: FFO 40",
            position="O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
        ),
    ),
    read_move=read_move,
    write_move=write_move,
    why_illegal=why_illegal,
    split_moves=squares.split_squares,
    implied_move=implied_move,
    read_position=read_position,
    write_position=write_position,
    board=board,
    move_cells=move_cells,
    name_opening=name_opening,
    place_weights=place_weights,
    codes=codes,
    tuples=tuples,
    levels={
        "amateur": "alphabeta:depth=1,eval=discs,noise=10%",
        "medium": "alphabeta:depth=2,eval=positional,ties=random,noise=5%",
        "expert": "abmemory:nodes=300k,order=all,perfect=14",
    },
)
