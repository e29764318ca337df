"""Positions judged without a search, in machine code: for values, and for what a call costs.

In a file of its own, so that the compiled code outlives an edit of the experiment.
"""

from __future__ import annotations

from plyground.core.scores import WIN
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import Buffer, State, is_over, legal_moves, outcome, play
from plyground.kernel import Slab, kernel


@kernel
def judge_children(
    evaluator: Evaluator, state: State, moves: Buffer, rounds: int, total: Slab
) -> int:
    """Judge all positions one move ahead, so many times over; how many calls that took.

    As in a search, each position is played anew and a finished one is not judged. `total` takes up
    the values, so that no compiler finds the work useless.
    """
    end, calls = legal_moves(state, moves, 0), 0
    for _ in range(rounds):
        for i in range(end):
            child = play(state, moves[i])
            if not is_over(child):
                total[0] = total[0] + evaluate(evaluator, child)
                calls += 1
    return calls


@kernel
def judge_replies(
    evaluator: Evaluator, state: State, knows_wins: bool, moves: Buffer, values: Slab
) -> int:
    """The value of each move against the best reply to it, for the mover; how many moves there are.

    A finished game is worth WIN or less than anything, or, if wins are not known, judged and played
    on like any other. The turn must pass with every move.
    """
    end = legal_moves(state, moves, 0)
    for i in range(end):
        after = play(state, moves[i])
        if knows_wins and is_over(after):
            values[i] = -WIN * outcome(after)
            continue
        last = legal_moves(after, moves, end)
        for reply in range(end, last):
            leaf = play(after, moves[reply])
            if knows_wins and is_over(leaf):
                value = WIN * outcome(leaf)
            else:
                value = evaluate(evaluator, leaf)
            if reply == end or value < values[i]:
                values[i] = value
    return end
