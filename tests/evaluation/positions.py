"""What the tests of evaluators share: random positions, and what they run as machine code.

In a file of its own, so that the compiled code outlives an edit of the tests.
"""

import numpy as np

from plyground.evaluation.spec import evaluate
from plyground.games.playout import playout
from plyground.games.rules import legal_moves, play, side
from plyground.kernel import kernel


@kernel
def value_of(evaluator, state):
    """The value of a state for its side to move."""
    return evaluate(evaluator, state)


@kernel
def level_two(evaluator, state, moves, values):
    """The value of each move against its best reply; how many moves, and how many evaluations.

    As in the course's traces, won and lost positions are evaluated like any other.
    """
    me, evaluations = side(state), 0
    end = legal_moves(state, moves, 0)
    for index in range(end):
        after = play(state, moves[index])
        replies = legal_moves(after, moves, end)
        for reply in range(end, replies):
            leaf = play(after, moves[reply])
            value = evaluate(evaluator, leaf)
            value = value if side(leaf) == me else -value
            if reply == end or value < values[index]:
                values[index] = value
        evaluations += replies - end
    return end, evaluations


def two_ply(game, evaluator, state):
    """The moves with their values, in the order of the game, and the number of evaluations."""
    moves, values = np.empty(2 * game.max_moves, np.int32), np.empty(game.max_moves, np.int64)
    count, evaluations = level_two(evaluator, state, moves, values)
    texts = [game.format_move(state, int(move)) for move in moves[:count]]
    return dict(zip(texts, values[:count].tolist(), strict=True)), evaluations


def best_moves(values):
    """The moves of the highest value, in order."""
    return [move for move, value in values.items() if value == max(values.values())]


def random_state(game, plies, seed, **settings):
    """The position after so many random moves, or at the end of the game if that comes before."""
    state = game.initial(**settings)
    moves, record = np.empty(game.max_moves, np.int32), np.empty(plies, np.int32)
    made = playout(state, np.array([seed], np.uint64), moves, record)
    for move in record[:made]:
        state = play(state, int(move))
    return state
