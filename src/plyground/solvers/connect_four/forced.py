"""Forced moves: played out before a position counts as a node.

A player who can complete a four does. One whose opponent threatens to must block, and loses to two
threats at once, or to a threat right above the block. One who can only play below the opponent's
threats loses; with a single other cell there is no choice. What is left after such a chain is a
*quiet* position: nobody can win with the next stone, and the side to move has a choice of cells
that do not lose at once.

Scores are those of the side to move: half the cells that a win leaves empty, rounded up; minus that
for a loss; 0 for a draw. (On 7x6: 22 minus the winner's stones.)
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ONE, U64, ZERO, without_lowest
from plyground.kernel import compilable
from plyground.solvers.connect_four.board import Board, playable, threats


class Settled(NamedTuple):
    """Where forced moves lead: a decided score, or a quiet position."""

    is_decided: bool
    score: int
    """If decided, for the side that was to move first."""
    sign: int
    """1 if that side is to move now, -1 if it is the other."""
    me: U64
    them: U64
    mine: U64
    theirs: U64
    left: int


@compilable
def win_now(left: int) -> int:
    """The score of completing a four with the next stone, `left` cells being empty."""
    return (left + 1) >> 1


@compilable
def loss_next(left: int) -> int:
    """The score if the opponent completes a four with the stone after the next."""
    return -(left >> 1)


@compilable
def settle(board: Board, me: U64, them: U64, mine: U64, theirs: U64, left: int) -> Settled:
    """Play forced moves to the end.

    `me` are the stones of the side to move, `mine` the cells that would complete a four of them;
    so for `them`.
    """
    sign = 1
    while True:
        stones = me | them
        open_cells = playable(board, stones)
        if mine & open_cells != ZERO:
            return Settled(True, sign * win_now(left), sign, me, them, mine, theirs, left)
        move = theirs & open_cells
        if move == ZERO:
            move = open_cells & ~(theirs >> ONE)
            if move != ZERO and without_lowest(move) != ZERO:
                return Settled(False, 0, sign, me, them, mine, theirs, left)
            if open_cells == ZERO:
                return Settled(True, 0, sign, me, them, mine, theirs, left)
            if move == ZERO:
                return Settled(True, sign * loss_next(left), sign, me, them, mine, theirs, left)
        elif without_lowest(move) != ZERO or (move << ONE) & theirs != ZERO:
            return Settled(True, sign * loss_next(left), sign, me, them, mine, theirs, left)
        moved = me | move
        created = threats(board, moved, stones | move)
        me, them, mine, theirs = them, moved, theirs & ~move, created
        left -= 1
        sign = -sign
