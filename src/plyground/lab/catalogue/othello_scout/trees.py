"""Two kernels: the smallest tree that proves a value, and the study's EVAL and TEST as printed.

**The smallest tree.** Whoever knows the value v of a position has seen a tree that proves "at least
v" (one move of mine everywhere, all replies) and a tree that proves "at most v" (all my moves, one
reply everywhere). The two share one line and nothing else. So the nodes of the smallest of each
kind, less those of a line, are the fewest that any search without a table can visit, in any order.
With a bound that every leaf meets, that holds for any heuristic whatever.

**EVAL and TEST.** As printed, TEST has no bound on depth, hands the player it was given down
unchanged, and ends with its answers exchanged; a side without a move ends the game. The board's
side to move is not mentioned: it may change with every move, or be the player handed down. A
`Reading` says which of this holds; with all four answered rightly, it is SCOUT.

In a file of their own, so that the compiled code outlives an edit of the experiment.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.scores import INFINITY
from plyground.evaluation.general import Zero
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.othello import PASS, Othello
from plyground.games.rules import FIRST, State, is_over, legal_moves, play
from plyground.kernel import Slab, compilable, kernel
from plyground.search.finish import ByMargin, final_score

WIDTH = 64  # room for the moves of a position
LONGEST = 128  # plies of a game, passes included
ENOUGH = 20_000  # nodes of a tree; what is larger is not counted to its end
FINISH, ANY = ByMargin(), Zero()
MAX, MIN = 1, 0
EVALS, TESTS, BETTER, LIMIT = range(4)


@compilable
def worth(state: State, evaluator: Evaluator) -> int:
    """The value of a leaf to the side to move."""
    if is_over(state):
        return final_score(FINISH, state, 0)
    return evaluate(evaluator, state)


# ------------------------------------------------------------------ the smallest tree


@kernel
def smallest_proof(
    state: State, judge: Evaluator, depth: int, bound: int, is_mine: int, budget: int, moves: Slab
) -> int:
    """The nodes of the smallest tree that proves "at least the bound" or, if not mine, "at most".

    The budget itself if there is none with fewer.
    """
    if depth == 0 or is_over(state):
        value = worth(state, judge)
        is_met = value >= bound if is_mine else value <= bound
        return 1 if is_met else budget
    start, other = depth * WIDTH, 1 - is_mine
    end = legal_moves(state, moves, start)
    total = 1
    for i in range(start, end):
        child, left = play(state, moves[i]), end - i - 1
        if is_mine:
            below = smallest_proof(child, judge, depth - 1, -bound, other, budget - 1, moves)
            budget = min(budget, 1 + below)
        else:
            room = budget - total - left  # each of those left takes a node at least
            total += smallest_proof(child, judge, depth - 1, -bound, other, room, moves)
            if total + left >= budget:
                return budget
    return budget if is_mine else total


def fewest_nodes(
    state: State,
    depth: int,
    evaluator: Evaluator = ANY,
    least: int = -INFINITY,
    most: int = INFINITY,
) -> int:
    """What no search can do without that proves a value to lie between two bounds.

    Without them it is that of the most helpful heuristic. Each of the two trees up to ENOUGH.
    """
    moves = Slab(WIDTH * (depth + 2))
    bounds = (least, 1), (most, 0)
    nodes = [int(smallest_proof(state, evaluator, depth, *each, ENOUGH, moves)) for each in bounds]
    return sum(nodes) - (depth + 1)  # a line that ends early is shorter, which leaves a bound


# ------------------------------------------------------------------ EVAL and TEST


class Reading(NamedTuple):
    """How EVAL and TEST are understood: 1 is the right way, 0 as printed."""

    has_bound: int = 0  # TEST stops at the depth too
    changes_player: int = 0  # the player handed down alternates
    answers_right: int = 0  # at the end of TEST, and EVAL asks the right question for min
    takes_turns: int = 0  # on the board; otherwise one side moves until it has no move
    root: int = FIRST  # whose values are compared


class Walk(NamedTuple):
    """What all calls share: a reading, room for the moves of a line, and what was visited."""

    evaluator: Evaluator
    reading: Reading
    moves: Slab
    counts: Slab


@compilable
def after(state: Othello, move: int, reading: Reading) -> Othello:
    child = play(state, move)
    if reading.takes_turns:
        return child
    return Othello(child.opp, child.me, child.cells, state.side)


@compilable
def is_end(state: Othello, only: int, reading: Reading) -> bool:
    """Whether there is no move; as printed, a side that must pass has none."""
    if reading.answers_right:
        return is_over(state)
    return only == PASS


@compilable
def value_to_root(state: Othello, walk: Walk) -> int:
    value = worth(state, walk.evaluator)
    return value if state.side == walk.reading.root else -value


@compilable
def is_enough(counts: Slab) -> bool:
    return counts[EVALS] + counts[TESTS] > counts[LIMIT]


@kernel
def printed_test(
    state: Othello, walk: Walk, player: int, score: int, depth: int, start: int
) -> bool:
    """TEST: whether the position is worth more than the score."""
    reading, moves, counts = walk.reading, walk.moves, walk.counts
    counts[TESTS] = counts[TESTS] + 1
    end = legal_moves(state, moves, start)
    if (reading.has_bound and depth == 0) or is_end(state, moves[start], reading):
        return value_to_root(state, walk) > score
    below = 1 - player if reading.changes_player else player
    for i in range(start, end):
        child = after(state, moves[i], reading)
        greater = printed_test(child, walk, below, score, depth - 1, end)
        if is_enough(counts):
            return False
        if greater == (player == MAX):
            return greater
    return (player == MIN) if reading.answers_right else (player == MAX)


@kernel
def printed_eval(state: Othello, walk: Walk, player: int, depth: int, start: int) -> int:
    """EVAL: the value, with TEST asked before each move but the first."""
    reading, moves, counts = walk.reading, walk.moves, walk.counts
    counts[EVALS] = counts[EVALS] + 1
    end = legal_moves(state, moves, start)
    if depth == 0 or is_end(state, moves[start], reading):
        return value_to_root(state, walk)
    below = 1 - player if reading.changes_player else player
    asks_for_less = reading.answers_right and player == MIN
    best = 0
    for i in range(start, end):
        child, better = after(state, moves[i], reading), True
        if i > start:
            bound = best - 1 if asks_for_less else best
            better = printed_test(child, walk, below, bound, depth - 1, end) != asks_for_less
        if is_enough(counts):
            return best
        if better:
            best = printed_eval(child, walk, below, depth - 1, end)
            counts[BETTER] = counts[BETTER] + (1 if start == 0 and i > 0 else 0)
    return best


def visits_of(
    state: Othello, evaluator: Evaluator, reading: Reading, player: int, depth: int, limit: int
) -> dict[str, int]:
    """What an evaluation visits: EVALs, TESTs, and how often a later move of the root was better.

    Nothing if there are more visits than the limit.
    """
    counts, moves = Slab(LIMIT + 1), Slab(LONGEST * WIDTH)
    counts[LIMIT] = limit
    own = reading._replace(root=int(state.side))
    printed_eval(state, Walk(evaluator, own, moves, counts), player, depth, 0)
    found = {"evals": counts[EVALS], "tests": counts[TESTS], "better": counts[BETTER]}
    return {} if is_enough(counts) else found
