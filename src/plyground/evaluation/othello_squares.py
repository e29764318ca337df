"""The geometry that Othello evaluators share: ten kinds of squares, edges, neighbours.

The symmetries of the 8x8 board leave ten squares that differ; all others are images of these:

        a       b       c           d
    1   corner  C       A           B            the letters are the usual ones (B. Rose);
    2   .       X       inside_a    inside_b     of the squares without one, those inside
    3   .       .       box_corner  box_edge     A and B lie next to the edge squares A and B,
    4   .       .       .           centre       and the box is the 4x4 block in the middle

A square's distances to its two nearest edges make its kind, so that other boards have kinds too:
6x6 those of a1-c3 in the picture, 4x4 those of a1-b2 (its centre is made of X squares), and on
10x10 a distance of four counts as three.
"""

from __future__ import annotations

from plyground.bits import ONE, U64, popcount
from plyground.games.othello import STRIDE
from plyground.kernel import compilable

DEEPEST = 3  # distances from the edge that differ: 0, 1, 2 and 3 or more
KINDS = tuple((near, far) for near in range(DEEPEST + 1) for far in range(near, DEEPEST + 1))
KIND_NAMES = (
    "corner",
    "C square",
    "A square",
    "B square",
    "X square",
    "inside A",
    "inside B",
    "corner of the box",
    "edge of the box",
    "centre",
)

FIRST_ROW = U64(0xFF)
FIRST_COLUMN = U64(0x0101_0101_0101_0101)
NOT_FIRST_COLUMN = U64(0xFEFE_FEFE_FEFE_FEFE)
NOT_LAST_COLUMN = U64(0x7F7F_7F7F_7F7F_7F7F)

# ------------------------------------------------------------------ kinds of squares


def kind_of(row: int, column: int, size: int) -> int:
    """Which of the KINDS a square is."""
    distances = [min(line, size - 1 - line, DEEPEST) for line in (row, column)]
    return KINDS.index((min(distances), max(distances)))


def kind_masks(size: int, stride: int) -> tuple[int, ...]:
    """The squares of each kind on a board whose rows are `stride` bits apart."""
    masks = [0] * len(KINDS)
    for row in range(size):
        for column in range(size):
            masks[kind_of(row, column, size)] |= 1 << stride * row + column
    return tuple(masks)


def _word_masks(size: int) -> tuple[U64, ...]:
    return tuple(U64(mask) for mask in kind_masks(size, STRIDE))


KINDS_4, KINDS_6, KINDS_8 = _word_masks(4), _word_masks(6), _word_masks(8)
CELLS_4, CELLS_6 = U64(sum(kind_masks(4, STRIDE))), U64(sum(kind_masks(6, STRIDE)))


@compilable
def square_kinds(cells: U64) -> tuple[U64, ...]:
    """The squares of each kind, precomputed: making them would cost more than using them."""
    if cells == CELLS_4:
        return KINDS_4
    if cells == CELLS_6:
        return KINDS_6
    return KINDS_8


@compilable
def table_balance(weights: tuple[int, ...], me: U64, opp: U64, cells: U64) -> int:
    """What my squares are worth, less the opponent's; weights begin with the worth of each kind."""
    kinds, balance = square_kinds(cells), 0
    for kind in range(len(KINDS)):
        squares = kinds[kind]
        balance += weights[kind] * (popcount(me & squares) - popcount(opp & squares))
    return balance


# ------------------------------------------------------------------ edges and neighbours


@compilable
def side_columns(cells: U64) -> U64:
    """The leftmost and the rightmost column of the board."""
    return cells & (FIRST_COLUMN | ~((cells & NOT_FIRST_COLUMN) >> ONE))


@compilable
def end_rows(cells: U64) -> U64:
    """The top and the bottom row of the board."""
    return cells & (FIRST_ROW | ~(cells >> U64(STRIDE)))


@compilable
def corner_squares(cells: U64) -> U64:
    """The four corners."""
    return end_rows(cells) & side_columns(cells)


@compilable
def edge_squares(cells: U64) -> U64:
    """The squares along the edge, the corners among them."""
    return end_rows(cells) | side_columns(cells)


@compilable
def with_neighbours(word: U64) -> U64:
    """The squares of a word and those that touch them, perhaps beyond the board's edge."""
    row = word | ((word << ONE) & NOT_FIRST_COLUMN) | ((word >> ONE) & NOT_LAST_COLUMN)
    return row | (row << U64(STRIDE)) | (row >> U64(STRIDE))
