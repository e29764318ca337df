"""Exact scores by an alpha-beta that knows the rules of the game and nothing else.

The solvers are held against it. For each game: positions to try, and whether a score is right.
"""

from __future__ import annotations

import random

import numpy as np

from plyground.bits import U64
from plyground.games import connect_four, othello
from plyground.games.connect_four import ConnectFour
from plyground.games.othello import Othello
from plyground.games.rules import cells_left, is_over, legal_moves, outcome, play
from plyground.kernel import Slab, kernel

# ------------------------------------------------------------------ Connect Four


@kernel
def plain_stones(state, moves, at, left, alpha, beta):
    """The score in stones: a win counts the more, the sooner it comes."""
    if is_over(state):
        return outcome(state) * ((left + 2) // 2)
    best = -64
    end = legal_moves(state, moves, at)
    for i in range(at, end):
        child = play(state, moves[i])
        best = max(best, -plain_stones(child, moves, end, left - 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def is_score_in_stones(state: ConnectFour, score: int) -> bool:
    """Neither less nor more, which is much quicker to see than to find it."""
    rest = np.zeros(640, np.int32), 0, cells_left(state)
    is_less = plain_stones(state, *rest, score - 1, score) < score
    return not is_less and not plain_stones(state, *rest, score, score + 1) > score


def random_columns(chance: random.Random, stones: int, **size: int) -> ConnectFour:
    """A position with so many stones that is not over."""
    game = connect_four.GAME
    while True:
        state = game.initial(**size)
        for _ in range(stones):
            if not is_over(state):
                state = play(state, chance.choice(game.legal(state)))
        if not is_over(state):
            return state


# ------------------------------------------------------------------ Othello


@kernel
def _plain_discs(state, moves, at, alpha, beta):
    if is_over(state):
        return outcome(state)
    best = -99
    end = legal_moves(state, moves, at)
    for i in range(at, end):
        child = play(state, moves[i])
        best = max(best, -_plain_discs(child, moves, end, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def plain_discs(state: Othello) -> int:
    """The score in discs."""
    return int(_plain_discs(state, Slab(100 * 40), 0, -99, 99))


def scattered_discs(chance: random.Random, left: int, size: int = 8) -> Othello:
    """Discs thrown on a board: more passes, early ends and lost sides than games have."""
    start = othello.GAME.initial(size=size)
    assert isinstance(start, Othello)
    squares = [square for square in range(64) if int(start.cells) >> square & 1]
    chance.shuffle(squares)
    share = chance.random()
    me = sum(1 << square for square in squares[left:] if chance.random() < share)
    opp = sum(1 << square for square in squares[left:]) & ~me
    return start._replace(me=U64(me), opp=U64(opp))
