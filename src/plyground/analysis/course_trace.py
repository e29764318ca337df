"""The trace of Double Card's course, from searches: what they looked at, move by move.

The course's e(n) knows no wins, and neither does a line that cannot be made: `--set line=12`. Of
other evaluators a trace tells the values as the machine sees them.
"""

from __future__ import annotations

from plyground.core.errors import Unsupported
from plyground.evaluation.double_card import Naive, maximiser_moves
from plyground.formats.trace_file import TracedMove, traced_move
from plyground.games.double_card import GAME
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec
from plyground.search.catalogue import Algorithm
from plyground.search.run import search
from plyground.search.setup import Limits, Setup
from plyground.search.trace import BY_DEPTH, make_trace
from plyground.search.traced_tree import read_tree

METHODS = ("minimax", "falphabeta")  # failing soft tells the value of a node at its cut
PLIES = 2


def is_traced(algorithm: Algorithm, limits: Limits) -> bool:
    """Whether this is a search as the course's traces tell of it."""
    return algorithm.name in METHODS and limits == Limits(depth=PLIES)


def demand_traced(game: GameSpec, has_search: bool) -> None:
    """Raise Unsupported for what has no such trace."""
    if game is not GAME:
        raise Unsupported(f"--trace is the trace of Double Card's course; this is {game.title}")
    if not has_search:
        raise Unsupported(
            f"--trace tells of {' or '.join(METHODS)} to depth {PLIES}, without any other limit"
        )


def trace_move(position: BasePosition, setup: Setup) -> TracedMove:
    """What a search of a position looks at."""
    trace = make_trace(1 + GAME.max_moves, floor=1)  # of level 3 only the number is told
    search(GAME, position.state, setup, Limits(depth=PLIES), trace=trace)
    tree = read_tree(GAME, position.state, setup.algorithm, trace)
    values = [-int(value) for value in tree.value[tree.ply == 1]]
    judge, state = setup.evaluator, position.state
    if not isinstance(judge, Naive):
        return traced_move(trace.rows[BY_DEPTH], values, maximises=True, unit=1)
    is_max = maximiser_moves(judge.maximiser, state)
    return traced_move(trace.rows[BY_DEPTH], values, maximises=is_max)
