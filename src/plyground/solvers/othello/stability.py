"""Discs that can never turn: what they promise a side bounds the score from one end."""

from __future__ import annotations

from plyground.bits import U64, popcount
from plyground.evaluation.othello_stability import stable_discs
from plyground.kernel import compilable
from plyground.solvers.othello.board import Board, cells, count_cells


@compilable
def is_worth_a_look(alpha: int, left: int) -> bool:
    """Whether enough discs could be stable to matter: the more empty squares, the fewer are."""
    return alpha >= 2 * left - 2


@compilable
def most_by_stability(board: Board, me: U64, opp: U64) -> int:
    """A score that I cannot exceed, since the other side's stable discs stay."""
    return count_cells(board) - 2 * popcount(stable_discs(opp, me, cells(board)))
