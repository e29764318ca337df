"""Which move to try first: the one that makes threats, through cells where most is still possible.

A move counts the threats that it leaves its side with: most if the cell is playable at once after
the reply, less one row higher, least anywhere else; a threat above a threat of the opponent's is
worth nothing, for the game never gets there. Near the root the lines through the cell that can
still become fours are counted too, for both sides, by the stones they hold already.

The lesson of many trials (docs/experiments/LOG.md): ties are to be broken towards the middle, where
play transposes; what looks tactical, or learns from cut-offs, makes the tree larger.
"""

from __future__ import annotations

from plyground.bits import ONE, U64, popcount
from plyground.kernel import compilable
from plyground.solvers.connect_four.board import Board, all_cells, playable, rows, upwards

NEXT, NEXT_BUT_ONE, ANY = 47, 27, 24  # a threat playable after the reply, one row higher, any other
OWN = (4, 12, 25)  # a line without their stones, with none, one or two of mine
OTHER = (3, 8, 12)  # a line without my stones, with none, one or two of theirs
LIVE_LINES_FROM = 20  # empty cells: below, lines cost more than they save


@compilable
def threat_score(board: Board, stones: U64, mine: U64, theirs: U64) -> int:
    """The worth of threats, seen by the side that has just moved."""
    open_cells = playable(board, stones)
    useful = mine & ~(upwards(board, theirs) << ONE)
    now = popcount(useful & open_cells)
    soon = popcount(useful & (open_cells << ONE))
    return NEXT * now + NEXT_BUT_ONE * soon + ANY * popcount(useful)


@compilable
def live_lines(board: Board, me: U64, them: U64, cell: U64) -> int:
    """The worth of all lines through a cell that can still become fours."""
    step = rows(board) + 1
    score = 0
    for direction in (1, step - 1, step, step + 1):
        score += lines_along(board, me, them, cell, direction)
    return score


@compilable
def lines_along(board: Board, me: U64, them: U64, cell: U64, direction: int) -> int:
    """The same in one direction. Lines are named by their first cell, and all counted at once."""
    near = U64(direction)
    through = cell | (cell >> near)
    through |= (through >> near) >> near
    cells = all_cells(board)
    return counted(through & whole(cells & ~them, near), me, near, OWN) + counted(
        through & whole(cells & ~me, near), them, near, OTHER
    )


@compilable
def whole(cells: U64, near: U64) -> U64:
    """The lines that lie within these cells."""
    pairs = cells & (cells >> near)
    return pairs & ((pairs >> near) >> near)


@compilable
def counted(lines: U64, stones: U64, near: U64, worth: tuple[int, int, int]) -> int:
    """The worth of lines by the number of stones they hold: none, one, or two."""
    a, b = stones, stones >> near
    c, d = b >> near, (b >> near) >> near
    odd = a ^ b ^ c ^ d
    any_of_them = a | b | c | d
    none, one = lines & ~any_of_them, lines & odd
    two = lines & any_of_them & ~odd
    return worth[0] * popcount(none) + worth[1] * popcount(one) + worth[2] * popcount(two)
