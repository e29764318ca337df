"""Double Card: lay, then move, cards of two halves; four in a row of one colour or one dot win.

Each half is red or white and has a filled (X) or hollow (O) dot; a card shows one of each. One
player wants a line of one colour, the other a line of one kind of dot. Eight columns of twelve
rows, stacked from below; after 24 cards nobody has any left and cards on the board are moved.

A board is a pair of 64-bit words, bit 16*column + row, row 0 at the bottom, four columns in each
word; what a column does not use of its 16 bits stays empty and keeps lines from wrapping.

    word     low                    high
    column    A     B    C    D     E    F    G    H
    row 11   11    27   43   59     11   27   43   59
     ...
    row 0     0    16   32   48      0   16   32   48

A card is placed by its rotation, 1 to 8 as in the rules, and its anchor, the lower left cell:

    1 RX WO   3 WO RX   5 RO WX   7 WX RO     lying: the anchor and its right neighbour
    2 RX      4 WO      6 RO      8 WX        standing: the anchor (lower line) and the cell above
      WO        RX        WX        RO
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plyground.bits import (
    U64,
    WORD_BITS,
    ZERO,
    int_of,
    lowest_index,
    pair_bit,
    pair_right,
    popcount,
    without_lowest,
)
from plyground.core.board import Board
from plyground.core.errors import IllegalMove, MalformedText, Unsupported, shorten
from plyground.games import squares
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable, compilable_call

COLUMN = 16  # bits per column
ABOVE, RIGHT = 1, COLUMN  # from a cell to its neighbours
COLUMNS_PER_WORD = WORD_BITS // COLUMN
MOST_COLUMNS, MOST_ROWS, MOST_CARDS = 8, 15, 60
ROTATIONS = 8
NO_CARD = -1
CODES = 5  # what may be on a cell

# Rotation r (0 to 7) shows a red, and a filled, anchor if bit r is set; the other half shows the
# opposite colour and dot. Odd r stands.
RED_ANCHOR = 0b1001_1001
FILLED_ANCHOR = 0b0110_1001
LAST_OF_FACE_ONE = 3

# A move is PASS, or target cell and rotation, with the anchor of the card that is moved on top.
PASS = 1 << 20
CELL_AT, SOURCE_AT = 3, 10
MOST_MOVES = MOST_COLUMNS * ROTATIONS * MOST_COLUMNS + MOST_CARDS * ROTATIONS

# The rules in one number: (lowest bit, number of bits) of each choice.
WIDTH, HEIGHT, LINE, CARDS, LIMIT = (0, 4), (4, 4), (8, 4), (12, 6), (18, 10)
DOTS_FIRST, SAME_CELLS, OVERLAP, BURIED, FLIP = (28, 1), (29, 1), (30, 1), (31, 1), (32, 1)
NO_MOVE = (33, 2)
DRAW_IF_STUCK, PASS_IF_STUCK, LOSE_IF_STUCK = range(3)


@compilable
def rule(rules: int, choice: tuple[int, int]) -> int:
    """One choice out of the packed rules."""
    return (rules >> choice[0]) & ((1 << choice[1]) - 1)


class DoubleCard(NamedTuple):
    """A position. The side to move follows from the number of moves made."""

    taken_low: U64
    taken_high: U64
    red_low: U64
    red_high: U64
    filled_low: U64
    filled_high: U64
    lying_low: U64  # anchors of lying cards
    lying_high: U64
    standing_low: U64  # anchors of standing cards
    standing_high: U64
    last: int  # anchor of the card that may not be moved; before the last card is laid, none
    made: int  # moves made so far
    winner: int  # 0 nobody yet, 1 the first player, 2 the second
    rules: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        if self.made < rule(self.rules, CARDS):
            end = regular_moves(self, moves, start)
        else:
            end = recycling_moves(self, moves, start)
        if end == start:
            moves[end] = PASS
            end += 1
        return end

    def play(self, move: int) -> DoubleCard:
        if move == PASS:
            return remember(self, NO_CARD, self.winner)
        source, anchor, rotation = (move >> SOURCE_AT) - 1, move_cell(move), move % ROTATIONS
        after = laid(self if source < 0 else lifted(self, source), anchor, rotation)
        winner = winner_after(after, self.made & 1)
        return remember(after, anchor, winner)

    def is_over(self) -> bool:
        if self.winner or self.made >= rule(self.rules, LIMIT):
            return True
        return rule(self.rules, NO_MOVE) != PASS_IF_STUCK and is_stuck(self)

    def outcome(self) -> int:
        if self.winner:
            return 1 if self.winner - 1 == self.made & 1 else -1
        if self.made < rule(self.rules, LIMIT) and rule(self.rules, NO_MOVE) == LOSE_IF_STUCK:
            return -1
        return 0

    def side(self) -> int:
        return self.made & 1

    def turn(self, child: DoubleCard) -> int:
        return -1

    def code(self, cell: int) -> int:
        """0 for nothing, and for half a card 1; and more for the marks that it shows.

        1 more for red or filled if that is the mover's mark, 2 more if it is the other side's.
        """
        width, height = rule(self.rules, WIDTH), rule(self.rules, HEIGHT)
        at = COLUMN * (cell % width) + height - 1 - cell // width
        if not has(self.taken_low, self.taken_high, at):
            return 0
        red = 1 if has(self.red_low, self.red_high, at) else 0
        filled = 1 if has(self.filled_low, self.filled_high, at) else 0
        if self.made & 1 == rule(self.rules, DOTS_FIRST):  # the mover wants a line of one colour
            return 1 + red + 2 * filled
        return 1 + filled + 2 * red

    def is_isolated(self, move: int) -> bool:
        source, anchor, rotation = (move >> SOURCE_AT) - 1, move_cell(move), move % ROTATIONS
        if move == PASS:
            return False
        board = self if source < 0 else lifted(self, source)
        other = anchor + (ABOVE if rotation & 1 else RIGHT)
        return not has_neighbour(board, anchor) and not has_neighbour(board, other)

    def count_symmetries(self) -> int:
        return 16

    def transform(self, symmetry: int) -> DoubleCard:
        return transformed(self, symmetry)

    def transform_move(self, move: int, symmetry: int) -> int:
        if move == PASS:
            return move
        source, anchor, rotation = (move >> SOURCE_AT) - 1, move_cell(move), move % ROTATIONS
        width = rule(self.rules, WIDTH)
        if symmetry & SWAP_COLOURS:
            rotation ^= 6
        if symmetry & SWAP_DOTS:
            rotation ^= 4
        if symmetry & MIRROR:
            anchor = mirrored_anchor(anchor, rotation & 1 == 0, width)
            rotation ^= 0 if rotation & 1 else 2
            if source >= 0:
                source = mirrored_anchor(source, is_lying(self, source), width)
        if symmetry & SWAP_GOALS and rotation > LAST_OF_FACE_ONE:
            rotation ^= 2
        return ((source + 1) << SOURCE_AT) | (anchor << CELL_AT) | rotation


# ------------------------------------------------------------------ cells and cards


@compilable
def move_cell(move: int) -> int:
    """The anchor a move lays its card at."""
    return (move >> CELL_AT) & ((1 << (SOURCE_AT - CELL_AT)) - 1)


@compilable
def has(low: U64, high: U64, cell: int) -> bool:
    """Whether a cell is marked."""
    word = low if cell < WORD_BITS else high
    return (word >> U64(cell % WORD_BITS)) & U64(1) != ZERO


@compilable
def has_neighbour(state: DoubleCard, cell: int) -> bool:
    """Whether any of the eight cells around a cell is taken."""
    for across in (-RIGHT, 0, RIGHT):
        for up in (-ABOVE, 0, ABOVE):
            near = cell + across + up
            inside = 0 <= near < 2 * WORD_BITS and near != cell
            if inside and has(state.taken_low, state.taken_high, near):
                return True
    return False


@compilable
def is_lying(state: DoubleCard, anchor: int) -> bool:
    """Whether the card at an anchor lies; otherwise it stands."""
    return has(state.lying_low, state.lying_high, anchor)


@compilable
def column_height(state: DoubleCard, column: int) -> int:
    """How many cells of a column are taken; columns have no holes."""
    word = state.taken_low if column < COLUMNS_PER_WORD else state.taken_high
    return popcount((word >> U64(COLUMN * (column % COLUMNS_PER_WORD))) & U64(0xFFFF))


@compilable
def resting_cell(state: DoubleCard, column: int, rotation: int) -> int:
    """The anchor of a card put on top of a column, or -1 where it would stick out or hang."""
    level, top = column_height(state, column), rule(state.rules, HEIGHT)
    if rotation & 1:
        return COLUMN * column + level if level + 2 <= top else -1
    if column + 1 >= rule(state.rules, WIDTH) or level >= top:
        return -1
    return COLUMN * column + level if column_height(state, column + 1) == level else -1


@compilable_call
def rotation_at(state: DoubleCard, anchor: int) -> int:
    """The rotation, 0 to 7, of the card at an anchor."""
    red = has(state.red_low, state.red_high, anchor)
    filled = has(state.filled_low, state.filled_high, anchor)
    for rotation in range(ROTATIONS):
        if (
            (rotation & 1 == 0) == is_lying(state, anchor)
            and ((RED_ANCHOR >> rotation) & 1 == 1) == red
            and ((FILLED_ANCHOR >> rotation) & 1 == 1) == filled
        ):
            return rotation
    return -1


@compilable
def is_covered(state: DoubleCard, anchor: int) -> bool:
    """Whether something lies on top of a card."""
    if is_lying(state, anchor):
        left = has(state.taken_low, state.taken_high, anchor + ABOVE)
        return left or has(state.taken_low, state.taken_high, anchor + RIGHT + ABOVE)
    return has(state.taken_low, state.taken_high, anchor + 2 * ABOVE)


@compilable
def lifted(state: DoubleCard, anchor: int) -> DoubleCard:
    """The board without the card at an anchor."""
    low, high = pair_bit(anchor)
    other_low, other_high = pair_bit(anchor + (RIGHT if is_lying(state, anchor) else ABOVE))
    low, high = ~(low | other_low), ~(high | other_high)
    return DoubleCard(
        state.taken_low & low,
        state.taken_high & high,
        state.red_low & low,
        state.red_high & high,
        state.filled_low & low,
        state.filled_high & high,
        state.lying_low & low,
        state.lying_high & high,
        state.standing_low & low,
        state.standing_high & high,
        state.last,
        state.made,
        state.winner,
        state.rules,
    )


@compilable
def laid(state: DoubleCard, anchor: int, rotation: int) -> DoubleCard:
    """The board with one more card."""
    low, high = pair_bit(anchor)
    other_low, other_high = pair_bit(anchor + (ABOVE if rotation & 1 else RIGHT))
    red_low, red_high = other_low, other_high
    if (RED_ANCHOR >> rotation) & 1:
        red_low, red_high = low, high
    filled_low, filled_high = other_low, other_high
    if (FILLED_ANCHOR >> rotation) & 1:
        filled_low, filled_high = low, high
    lying_low, lying_high, standing_low, standing_high = low, high, ZERO, ZERO
    if rotation & 1:
        lying_low, lying_high, standing_low, standing_high = ZERO, ZERO, low, high
    return DoubleCard(
        state.taken_low | low | other_low,
        state.taken_high | high | other_high,
        state.red_low | red_low,
        state.red_high | red_high,
        state.filled_low | filled_low,
        state.filled_high | filled_high,
        state.lying_low | lying_low,
        state.lying_high | lying_high,
        state.standing_low | standing_low,
        state.standing_high | standing_high,
        state.last,
        state.made,
        state.winner,
        state.rules,
    )


@compilable
def remember(state: DoubleCard, anchor: int, winner: int) -> DoubleCard:
    """The board after a move is completed: whose card it was, and that it was made.

    While cards are laid no card is barred, so boards reached in another order stay equal.
    """
    made = state.made + 1
    return DoubleCard(
        state.taken_low,
        state.taken_high,
        state.red_low,
        state.red_high,
        state.filled_low,
        state.filled_high,
        state.lying_low,
        state.lying_high,
        state.standing_low,
        state.standing_high,
        anchor if made >= rule(state.rules, CARDS) else NO_CARD,
        made,
        winner,
        state.rules,
    )


# ------------------------------------------------------------------ winning


@compilable_call
def has_line(low: U64, high: U64, length: int) -> bool:
    """Whether `length` marked cells stand in a row, in any of the four directions."""
    for step in (ABOVE, RIGHT, RIGHT + ABOVE, RIGHT - ABOVE):
        run_low, run_high = low, high
        for _ in range(length - 1):
            next_low, next_high = pair_right(run_low, run_high, step)
            run_low, run_high = run_low & next_low, run_high & next_high
        if run_low | run_high:
            return True
    return False


@compilable_call
def winner_after(state: DoubleCard, mover: int) -> int:
    """Who has won after a move of `mover`: 0 nobody, 1 or 2. If both goals are met, the mover."""
    length, low, high = rule(state.rules, LINE), state.taken_low, state.taken_high
    colour = has_line(state.red_low, state.red_high, length)
    colour = colour or has_line(low & ~state.red_low, high & ~state.red_high, length)
    dots = has_line(state.filled_low, state.filled_high, length)
    dots = dots or has_line(low & ~state.filled_low, high & ~state.filled_high, length)
    colour_player = rule(state.rules, DOTS_FIRST)
    if colour and dots:
        return mover + 1
    if colour:
        return colour_player + 1
    if dots:
        return 2 - colour_player
    return 0


# ------------------------------------------------------------------ moves


@compilable_call
def regular_moves(state: DoubleCard, moves: Buffer, end: int) -> int:
    """All placements of a new card, by column, then rotation."""
    for column in range(rule(state.rules, WIDTH)):
        for rotation in range(ROTATIONS):
            cell = resting_cell(state, column, rotation)
            if cell >= 0:
                moves[end] = (cell << CELL_AT) | rotation
                end += 1
    return end


@compilable_call
def recycling_moves(state: DoubleCard, moves: Buffer, end: int) -> int:
    """All moves of a card on the board, by its anchor, then target column, then rotation."""
    low = state.lying_low | state.standing_low
    high = state.lying_high | state.standing_high
    while low | high:
        if low:
            anchor = lowest_index(low)
            low = without_lowest(low)
        else:
            anchor = WORD_BITS + lowest_index(high)
            high = without_lowest(high)
        if not may_be_touched(state, anchor):
            continue
        now, rest = rotation_at(state, anchor), lifted(state, anchor)
        for column in range(rule(state.rules, WIDTH)):
            for rotation in range(ROTATIONS):
                cell = recycled_cell(state, rest, anchor, now, column, rotation)
                if cell >= 0:
                    moves[end] = ((anchor + 1) << SOURCE_AT) | (cell << CELL_AT) | rotation
                    end += 1
    return end


@compilable
def may_be_touched(state: DoubleCard, anchor: int) -> bool:
    """Whether a card may be moved at all: not the last one; a covered one only if it may turn."""
    return anchor != state.last and (
        rule(state.rules, BURIED) == 1 or not is_covered(state, anchor)
    )


@compilable_call
def recycled_cell(
    state: DoubleCard, rest: DoubleCard, anchor: int, now: int, column: int, rotation: int
) -> int:
    """Where a card comes to rest that is moved to a column, or -1 where the rules forbid it."""
    if is_covered(state, anchor):  # may only turn where it is
        cell = anchor if column == anchor // COLUMN and rotation & 1 == now & 1 else -1
    else:
        cell = resting_cell(rest, column, rotation)
    return cell if cell >= 0 and may_recycle(state.rules, anchor, now, cell, rotation) else -1


@compilable
def may_recycle(rules: int, anchor: int, now: int, cell: int, rotation: int) -> bool:
    """Whether the rule options let a card go from where it is to a place where it fits."""
    if not rule(rules, FLIP) and (now > LAST_OF_FACE_ONE) != (rotation > LAST_OF_FACE_ONE):
        return False
    old_other = anchor + (ABOVE if now & 1 else RIGHT)
    new_other = cell + (ABOVE if rotation & 1 else RIGHT)
    if cell == anchor and new_other == old_other:
        return rotation != now and rule(rules, SAME_CELLS) == 1 and rule(rules, OVERLAP) == 1
    if rule(rules, OVERLAP):
        return True
    return cell not in (anchor, old_other) and new_other not in (anchor, old_other)


@compilable_call
def is_stuck(state: DoubleCard) -> bool:
    """Whether the side to move has no move; the first one found, mostly an early one, decides."""
    if state.made < rule(state.rules, CARDS):
        for column in range(rule(state.rules, WIDTH)):
            if resting_cell(state, column, 0) >= 0 or resting_cell(state, column, 1) >= 0:
                return False
        return True
    for anchor in range(COLUMN * rule(state.rules, WIDTH)):
        if has_card(state, anchor) and may_be_touched(state, anchor) and has_target(state, anchor):
            return False
    return True


@compilable
def has_card(state: DoubleCard, anchor: int) -> bool:
    """Whether a cell is the anchor of a card."""
    return is_lying(state, anchor) or has(state.standing_low, state.standing_high, anchor)


@compilable_call
def has_target(state: DoubleCard, anchor: int) -> bool:
    """Whether a card that may be moved has somewhere to go."""
    now, rest = rotation_at(state, anchor), lifted(state, anchor)
    for column in range(rule(state.rules, WIDTH)):
        for rotation in range(ROTATIONS):
            if recycled_cell(state, rest, anchor, now, column, rotation) >= 0:
                return True
    return False


# ------------------------------------------------------------------ symmetries

SWAP_COLOURS, SWAP_DOTS, MIRROR, SWAP_GOALS = 1, 2, 4, 8


@compilable
def mirrored_anchor(anchor: int, lying: bool, width: int) -> int:
    """Where the anchor of a card is seen in a mirror: of a lying card, the other half's place."""
    column, row = anchor // COLUMN, anchor % COLUMN
    return COLUMN * (width - 1 - column - (1 if lying else 0)) + row


@compilable
def mirrored_pair(low: U64, high: U64, width: int) -> tuple[U64, U64]:
    """A pair of words with the columns in reverse."""
    new_low, new_high = ZERO, ZERO
    for column in range(width):
        word = low if column < COLUMNS_PER_WORD else high
        bits = (word >> U64(COLUMN * (column % COLUMNS_PER_WORD))) & U64(0xFFFF)
        there = width - 1 - column
        shifted = bits << U64(COLUMN * (there % COLUMNS_PER_WORD))
        if there < COLUMNS_PER_WORD:
            new_low |= shifted
        else:
            new_high |= shifted
    return new_low, new_high


@compilable_call
def transformed(state: DoubleCard, symmetry: int) -> DoubleCard:
    """The state under any of 16 symmetries: swap colours, swap dots, mirror, swap the goals."""
    low, high = state.taken_low, state.taken_high
    red_low, red_high = state.red_low, state.red_high
    filled_low, filled_high = state.filled_low, state.filled_high
    lying_low, lying_high = state.lying_low, state.lying_high
    standing_low, standing_high = state.standing_low, state.standing_high
    last, rules, width = state.last, state.rules, rule(state.rules, WIDTH)
    if symmetry & SWAP_COLOURS:
        red_low, red_high = low & ~red_low, high & ~red_high
    if symmetry & SWAP_DOTS:
        filled_low, filled_high = low & ~filled_low, high & ~filled_high
    if symmetry & MIRROR:
        low, high = mirrored_pair(low, high, width)
        red_low, red_high = mirrored_pair(red_low, red_high, width)
        filled_low, filled_high = mirrored_pair(filled_low, filled_high, width)
        standing_low, standing_high = mirrored_pair(standing_low, standing_high, width)
        lying_low, lying_high = mirrored_pair(lying_low, lying_high, width)
        lying_low, lying_high = pair_right(lying_low, lying_high, RIGHT)
        if last != NO_CARD:
            last = mirrored_anchor(last, is_lying(state, last), width)
    if symmetry & SWAP_GOALS:
        red_low, red_high, filled_low, filled_high = filled_low, filled_high, red_low, red_high
        rules ^= 1 << DOTS_FIRST[0]
    return DoubleCard(
        low,
        high,
        red_low,
        red_high,
        filled_low,
        filled_high,
        lying_low,
        lying_high,
        standing_low,
        standing_high,
        last,
        state.made,
        state.winner,
        rules,
    )


# ------------------------------------------------------------------ text and board


def start(
    width: int,
    height: int,
    cards: int,
    line: int,
    max_moves: int,
    first_goal: str,
    same_cells: str,
    overlap: bool,
    buried: bool,
    flip: bool,
    on_no_move: str,
) -> DoubleCard:
    """The empty board under these rules."""
    if 2 * cards > width * height:
        raise Unsupported(
            f"{cards} cards do not fit on a board of {width}x{height}; "
            f"expected at most {width * height // 2}"
        )
    if line > max(width, height):
        raise Unsupported(f"line={line} does not fit on a board of {width}x{height}")
    choices = (
        (WIDTH, width),
        (HEIGHT, height),
        (LINE, line),
        (CARDS, cards),
        (LIMIT, max_moves),
        (DOTS_FIRST, first_goal == "dots"),
        (SAME_CELLS, same_cells == "turned"),
        (OVERLAP, overlap),
        (BURIED, buried),
        (FLIP, flip),
        (NO_MOVE, ("draw", "pass", "loss").index(on_no_move)),
    )
    rules = sum(int(value) << at for (at, _), value in choices)
    return DoubleCard(
        ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, NO_CARD, 0, 0, rules
    )


def _shape(state: State) -> tuple[int, int]:
    """Columns and rows."""
    return rule(state.rules, WIDTH), rule(state.rules, HEIGHT)


def _cell_name(cell: int, between: str = "") -> str:
    return f"{squares.LETTERS[cell // COLUMN].upper()}{between}{cell % COLUMN + 1}"


def _other_half(anchor: int, rotation: int) -> int:
    return anchor + (ABOVE if rotation & 1 else RIGHT)


def _parts(move: int) -> tuple[int, int, int]:
    """The source anchor or -1, the target anchor, the rotation from 0."""
    return (move >> SOURCE_AT) - 1, int(move_cell(move)), move % ROTATIONS


def _anchors(state: State) -> list[int]:
    cards = int_of(state.lying_low | state.standing_low, state.lying_high | state.standing_high)
    return [cell for cell in range(2 * WORD_BITS) if cards >> cell & 1]


def _is_taken(state: State, cell: int) -> bool:
    return bool(has(state.taken_low, state.taken_high, cell))


def read_move(state: State, text: str) -> int:
    """`0 R C N` lays a card, `C N C N R C N` moves one; blanks may be missing, case is free."""
    if squares.is_pass(text):
        return PASS
    words = squares.plain_text(text)
    if wrong := re.search(r"[^0-9a-z\s,]", words, re.ASCII):
        raise MalformedText(f"unexpected {wrong[0]!r} in {shorten(text)!r}; {_FORM}")
    tokens = re.findall(r"[a-z]|[0-9]+", words, re.ASCII)
    shape = "".join("n" if token[0].isdigit() else "c" for token in tokens)
    if shape == "nncn" and tokens[0] == "0":
        return _read_cell(state, *tokens[2:]) << CELL_AT | _read_rotation(tokens[1])
    if shape == "cncnncn":
        source = _card_at(state, _read_cell(state, *tokens[:2]), _read_cell(state, *tokens[2:4]))
        target = _read_cell(state, *tokens[5:]) << CELL_AT
        return (source + 1) << SOURCE_AT | target | _read_rotation(tokens[4])
    raise MalformedText(f"{shorten(text)!r} is not a move; {_FORM}")


_FORM = "expected 0 R C N to lay a card, as in 0 5 A 2, or C N C N R C N to move one"


def _read_rotation(text: str) -> int:
    if text not in tuple("12345678"):
        raise MalformedText(f"rotation {shorten(text)} does not exist; expected 1 to 8")
    return int(text) - 1


def _read_cell(state: State, letter: str, number: str) -> int:
    width, height = _shape(state)
    column = squares.LETTERS.index(letter)
    if column >= width:
        last = squares.LETTERS[width - 1].upper()
        raise MalformedText(f"column {letter.upper()} is off the board; expected A to {last}")
    if len(number) > 2 or not 1 <= int(number) <= height:
        raise MalformedText(f"row {shorten(number)} is off the board; expected 1 to {height}")
    return COLUMN * column + int(number) - 1


def _card_at(state: State, cell: int, other: int) -> int:
    """The anchor of the card with these two halves, in either order."""
    anchor = min(cell, other)
    if anchor not in _anchors(state) or max(cell, other) != _other_half(
        anchor, rotation_at(state, anchor)
    ):
        names = f"{_cell_name(cell)} and {_cell_name(other)}"
        raise IllegalMove(f"{names} are not the two halves of one card")
    return anchor


def write_move(state: State, move: int) -> str:
    if move == PASS:
        return "pass"
    source, anchor, rotation = _parts(move)
    target = f"{rotation + 1} {_cell_name(anchor, ' ')}"
    if source < 0:
        return f"0 {target}"
    # The card that is moved is on the board; where it is not, any orientation will do.
    other = source + (RIGHT if is_lying(state, source) else ABOVE)
    return f"{_cell_name(source, ' ')} {_cell_name(other, ' ')} {target}"


def why_illegal(state: State, move: int) -> str:
    if move == PASS:
        return "a side that has a move may not pass"
    source, anchor, rotation = _parts(move)
    cards = rule(state.rules, CARDS)
    if source < 0 and state.made >= cards:
        return f"all {cards} cards are on the board, so one of them must be moved"
    if source >= 0 and state.made < cards:
        return f"cards are moved only when all {cards} are on the board"
    board = state
    if source >= 0:
        if source == state.last:
            return "the opponent has just put that card there"
        if is_covered(state, source) and not (rule(state.rules, BURIED) and source == anchor):
            return "another card lies on top of it"
        board = lifted(state, source)
    return _why_not_there(board, anchor, rotation) or "the rules forbid that place for this card"


def _why_not_there(state: State, anchor: int, rotation: int) -> str:
    width, height = _shape(state)
    cells = (anchor, _other_half(anchor, rotation))
    for cell in cells:
        if cell // COLUMN >= width or cell % COLUMN >= height:
            return "it sticks out of the board"
        if _is_taken(state, cell):
            return f"{_cell_name(cell)} is taken"
    for cell in cells[: 1 if rotation & 1 else 2]:
        if cell % COLUMN and not _is_taken(state, cell - ABOVE):
            return f"{_cell_name(cell)} hangs: there is nothing below it"
    return ""


def split_moves(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;\n]+", text) if part.strip()]


def read_position(start: State, text: str) -> State:
    """Cards as rotation and anchor, `2A1 6B1`; later `moves=24 last=G6` (see write_position)."""
    state, words, notes = start, squares.plain_text(text).split(), {}
    if not words:
        raise MalformedText("the position is empty; expected cards such as 2A1 6B1, or empty")
    cards: list[tuple[int, int]] = []
    for word in words:
        if match := re.fullmatch(r"([1-8])([a-z])([0-9]+)", word, re.ASCII):
            cards.append((_read_cell(start, match[2], match[3]), int(match[1]) - 1))
        elif match := re.fullmatch(r"(moves|last)=([a-z0-9]+)", word, re.ASCII):
            notes[match[1]] = match[2]
        elif word != "empty":
            raise MalformedText(
                f"{shorten(word)!r} is not a card; expected rotation and cell, as in 2A1"
            )
    for anchor, rotation in sorted(cards, key=lambda card: (card[0] % COLUMN, card[0])):
        if why := _why_not_there(state, anchor, rotation):
            raise MalformedText(f"card {rotation + 1}{_cell_name(anchor)} cannot lie there: {why}")
        state = laid(state, anchor, rotation)
    made = _read_made(start, notes.get("moves"), len(cards))
    last = _read_last(state, notes.get("last"), made)
    winner = winner_after(state, (made - 1) & 1) if made else 0
    return state._replace(made=made, last=last, winner=winner)


def _read_made(start: State, text: str | None, cards: int) -> int:
    all_cards, limit = rule(start.rules, CARDS), rule(start.rules, LIMIT)
    if cards > all_cards:
        raise MalformedText(f"{cards} cards on the board; expected at most {all_cards}")
    if text is None:
        return cards
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) or not cards <= int(text) <= limit:
        raise MalformedText(f"moves={shorten(text)}: expected a number from {cards} to {limit}")
    return int(text)


def _read_last(state: State, text: str | None, made: int) -> int:
    if text is None:
        return NO_CARD
    match = re.fullmatch(r"([a-z])([0-9]+)", text, re.ASCII)
    cell = _read_cell(state, match[1], match[2]) if match else NO_CARD
    if cell not in _anchors(state) or made < rule(state.rules, CARDS):
        raise MalformedText(
            f"last={shorten(text)}: expected the lower left cell of the card moved last, "
            "once all cards are on the board"
        )
    return cell


def write_position(state: State) -> str:
    anchors = sorted(_anchors(state), key=lambda cell: (cell % COLUMN, cell))
    words = [f"{rotation_at(state, anchor) + 1}{_cell_name(anchor)}" for anchor in anchors]
    words = words or ["empty"]
    if state.made != len(anchors) or state.last != NO_CARD:
        words.append(f"moves={state.made}")
    if state.last != NO_CARD:
        words.append(f"last={_cell_name(state.last)}")
    return " ".join(words)


def _board_cell(state: State, cell: int) -> int:
    width, height = _shape(state)
    return (height - 1 - cell % COLUMN) * width + cell // COLUMN


def board(state: State) -> Board:
    width, height = _shape(state)
    cells = [""] * (width * height)
    anchors = _anchors(state)
    cards = [(anchor, _other_half(anchor, rotation_at(state, anchor))) for anchor in anchors]
    for cell in (half for card in cards for half in card):
        colour = "R" if has(state.red_low, state.red_high, cell) else "W"
        dot = "X" if has(state.filled_low, state.filled_high, cell) else "O"
        cells[_board_cell(state, cell)] = colour + dot
    return Board(
        "cards",
        rows=height,
        columns=width,
        cells=tuple(cells),
        row_labels=tuple(str(height - row) for row in range(height)),
        column_labels=tuple(squares.LETTERS[:width].upper()),
        links=tuple((_board_cell(state, low), _board_cell(state, high)) for low, high in cards),
        line=_winning_line(state, cells),
        text=_caption(state),
    )


def _winning_line(state: State, cells: list[str]) -> tuple[int, ...]:
    """The halves that won: of one colour or of one kind of dot, as the winner wanted."""
    if not state.winner:
        return ()
    is_colour = state.winner - 1 == rule(state.rules, DOTS_FIRST)
    marks = [half[:1] if is_colour else half[1:] for half in cells]
    return squares.line_of(marks, _shape(state)[0], rule(state.rules, LINE))


def _caption(state: State) -> str:
    goals = ("dots", "colour") if rule(state.rules, DOTS_FIRST) else ("colour", "dots")
    cards, limit = rule(state.rules, CARDS), rule(state.rules, LIMIT)
    phase = f"card {state.made + 1} of {cards}" if state.made < cards else "cards are moved"
    move = f"move {min(state.made + 1, limit)} of at most {limit}"
    return f"Player 1 wants {goals[0]}, player 2 {goals[1]}; {move}, {phase}."


def move_cells(state: State, move: int) -> tuple[int, ...]:
    if move == PASS:
        return ()
    _, anchor, rotation = _parts(move)
    cells = (anchor, _other_half(anchor, rotation))
    return tuple(_board_cell(state, cell) for cell in cells)


GAME = GameSpec(
    name="double-card",
    title="Double Card",
    summary="Stack two-coloured, two-dotted cards; four of your goal in a row win.",
    aliases=("doublecard", "double_card"),
    players=("Player 1", "Player 2"),
    parameters=(
        Parameter("width", 8, "columns", low=2, high=MOST_COLUMNS),
        Parameter("height", 12, "rows", low=2, high=MOST_ROWS),
        Parameter("cards", 24, "cards of both players together", low=1, high=MOST_CARDS),
        Parameter("line", 4, "halves in a row that win", low=2, high=MOST_ROWS),
        Parameter("max_moves", 60, "moves of both players, then a draw", low=1, high=1023),
        Parameter("first_goal", "colour", "player 1's goal", choices=("colour", "dots")),
        Parameter(
            "same_cells",
            "turned",
            "may a moved card return to its cells",
            choices=("turned", "never"),
        ),
        Parameter("overlap", True, "may a moved card's new cells include an old one"),
        Parameter("buried", False, "may a covered card be turned in its place"),
        Parameter("flip", True, "may a moved card show its other face"),
        Parameter(
            "on_no_move", "draw", "a side that cannot move", choices=("draw", "pass", "loss")
        ),
    ),
    presets={"tournament": {"max_moves": 40}},
    start=start,
    states=(DoubleCard,),
    max_moves=MOST_MOVES,
    sample="0 5 A 1",
    ready_positions=(
        ReadyPosition(
            "A line of one colour",
            "0 5 E 1; 0 4 C 1; 0 6 A 1; 0 6 D 1; 0 4 A 3; "
            "0 2 E 2; 0 6 E 4; 0 4 F 2; 0 8 D 3; 0 4 H 1",
        ),
        ReadyPosition(
            "A line of dots",
            "0 6 C 1; 0 8 C 3; 0 5 A 1; 0 6 G 1; 0 5 D 1; 0 2 C 5; 0 6 F 1; 0 2 C 7; 0 7 D 2",
        ),
        ReadyPosition(
            "All cards are laid",
            "0 6 D 1; 0 1 B 1; 0 4 F 1; 0 8 E 1; 0 2 A 1; 0 4 H 1",
            settings={"cards": 6},
        ),
    ),
    read_move=read_move,
    write_move=write_move,
    why_illegal=why_illegal,
    split_moves=split_moves,
    read_position=read_position,
    write_position=write_position,
    board=board,
    codes=lambda start: [CODES] * (rule(start.rules, WIDTH) * rule(start.rules, HEIGHT)),
    move_cells=move_cells,
    levels={
        "amateur": "alphabeta:depth=1,eval=naive,noise=20%",
        "medium": "alphabeta:depth=1,eval=danger,ties=random,noise=5%",
        "expert": "abmemory:depth=3,eval=patterns,order=all",
    },
)
