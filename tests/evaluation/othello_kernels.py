"""What the tests of the Othello evaluators run as machine code.

In a file of its own, so that the compiled code outlives an edit of the tests.
"""

from plyground.bits import ZERO, random_below
from plyground.evaluation.spec import evaluate
from plyground.games.rules import is_over, legal_moves, play
from plyground.kernel import kernel


@kernel
def value_of(evaluator, state):
    """The value of a state for its side to move."""
    return evaluate(evaluator, state)


@kernel
def ever_turned(state, moves, start):
    """My discs and the opponent's that turn in at least one continuation to the end."""
    mine, theirs = ZERO, ZERO
    if is_over(state):
        return mine, theirs
    end = legal_moves(state, moves, start)
    for index in range(start, end):
        child = play(state, moves[index])
        turned, lost = ever_turned(child, moves, end)
        # The child's side to move is my opponent.
        theirs |= (state.opp & ~child.me) | (turned & state.opp)
        mine |= lost & state.me
    return mine, theirs


@kernel
def turned_in_play(state, games, generator, moves):
    """My discs and the opponent's that turned in at least one of so many random games."""
    mine, theirs = ZERO, ZERO
    for _ in range(games):
        now = state
        while not is_over(now):
            now = play(now, moves[random_below(generator, legal_moves(now, moves, 0))])
            my_discs = now.me if now.side == state.side else now.opp
            their_discs = now.opp if now.side == state.side else now.me
            mine |= state.me & ~my_discs
            theirs |= state.opp & ~their_discs
    return mine, theirs
