"""SCOUT as a study of Othello prints it, with the slips of its TEST: wrong almost everywhere.

Computes the value of one line of moves. Unless the game is over, TEST says true to max and false to
min, whatever the position; so EVAL takes the last move of every node for max, the first for min. It
is right one ply before the end of the game, for max.
Returns that number, for the first player.
Source: Hernandez, Daza & Florez 2019, "Alpha-Beta vs Scout Algorithms for the Othello Game",
algorithms 1 (TEST) and 2 (EVAL).
Needs: two players, zero sum, no chance.
Differs: in nothing that is printed. The slips: TEST has no bound on depth and plays on to the end
of the game, both procedures hand the player they were given down unchanged, and TEST ends with its
two answers exchanged. Not printed: whose turn it is, which changes here with every move; a pass is
a move. `scout_eval` in `scout.py` is the algorithm without the slips.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import FIRST, State, generate, is_over, play, side
from plyground.kernel import kernel
from plyground.search.finish import final_score
from plyground.search.parts import (
    INNER,
    LEAVES,
    NO_MOVE,
    NODES,
    RESEARCHES,
    SEARCHED,
    Parts,
    count,
    expand,
    follow,
    keep_line,
    leaf,
    leave,
    stopped,
    visit,
)


@kernel
def scout_printed(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    return eval_printed(state, evaluator, depth, side(state) == FIRST, parts)


@kernel
def eval_printed(
    state: State, evaluator: Evaluator, depth: int, player_is_max: bool, parts: Parts
) -> int:
    """EVAL: the first move's value, replaced by that of each move for which TEST says true."""
    visit(parts, depth, -INFINITY, INFINITY)
    if depth == 0 or is_over(state):
        value = leaf(state, evaluator, depth, parts)
        return value if side(state) == FIRST else -value
    score = 0
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        better = True
        if i > start:
            visit(parts, depth - 1, score, score + 1)
            better = test_printed(child, player_is_max, score, parts)
            leave(parts, depth - 1, score + 1 if better else score, SEARCHED)
        if better and not stopped(parts):
            if i > start:
                count(parts, RESEARCHES)
                follow(parts, i)
            score = eval_printed(child, evaluator, depth - 1, player_is_max, parts)
            keep_line(parts, depth, move)
        if stopped(parts):
            break
    return leave(parts, depth, score, SEARCHED)


@kernel
def test_printed(state: State, player_is_max: bool, score: int, parts: Parts) -> bool:
    """TEST. Nodes below the one that is asked about are counted, not traced."""
    if is_over(state):
        count(parts, LEAVES)
        value = final_score(parts.finish, state, 0)
        return (value if side(state) == FIRST else -value) > score
    count(parts, INNER)
    # The game may be long: all plies share the row of depth 0, and list their moves again.
    for i in range(generate(state, parts.moves, 0, parts.width)):
        generate(state, parts.moves, 0, parts.width)
        count(parts, NODES)
        greater = test_printed(play(state, parts.moves[i]), player_is_max, score, parts)
        if greater == player_is_max or stopped(parts):
            return greater
    return player_is_max  # the slip: this is "no" to max, "yes" to min
