"""What a search works with: room for moves and lines, counters, and optional parts.

Every algorithm takes one `Parts` and uses it through the few functions here, so that its own text
stays the text of the literature. Table, order, clock and trace are values or None; what is None
costs nothing, since its verbs do nothing and the compiler removes them.

Definitions, the same for all algorithms (`docs/counting.md`):

* a **node** is a visit to a position, the root included;
* a **leaf** is a node valued by the evaluator or, where the game is over, by the rules;
* an **inner** node is one whose moves were generated;
* a **cut-off** is an inner node left before all its moves were searched.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, generate, is_over
from plyground.kernel import Slab, compilable
from plyground.search.clock import Clock, is_stopped
from plyground.search.finish import Finish, final_score
from plyground.search.ordering import Order, arrange, reward
from plyground.search.pruning import FirstWin, Isolated, prune, stop_at_win
from plyground.search.table import Table, probe, store
from plyground.search.trace import Trace, close_node, note_move, open_node

NODES, LEAVES, INNER, CUTOFFS, FIRST_CUTOFFS = range(5)
PROBES, HITS, COLLISIONS, RESEARCHES, PASSES = range(5, 10)
SHALLOWEST = 10  # the least depth that was left at a leaf: how deep the search went
COUNTERS = (
    "nodes",
    "leaves",
    "inner",
    "cutoffs",
    "first_cutoffs",
    "probes",
    "hits",
    "collisions",
    "researches",
    "passes",
)
NO_MOVE = -1
MOST_NOISY = 16  # rows of moves behind the ordinary ones, for quiescence search

# Why a node was left, for the trace.
LEAF, OVER, FROM_TABLE, CUT, SEARCHED = range(5)


class Parts(NamedTuple):
    """The working memory of one search, and its optional parts."""

    moves: Slab
    """A row of `width` moves for each remaining depth."""
    ranks: Slab
    """How promising each of them is, where there is an order."""
    line: Slab
    """The best line found at each remaining depth: its length, then its moves."""
    counts: Slab
    width: int
    """The most moves a position can have."""
    stride: int
    """Numbers per row of `line`."""
    finish: Finish
    order: Order | None = None
    table: Table | None = None
    clock: Clock | None = None
    trace: Trace | None = None
    pruning: Isolated | None = None
    first_win: FirstWin | None = None


def counters_of(counts: Slab) -> dict[str, int]:
    """The counters of a search by name."""
    return {name: counts[i] for i, name in enumerate(COUNTERS)}


@compilable
def count(parts: Parts, what: int) -> None:
    """Add one to a counter."""
    parts.counts[what] = parts.counts[what] + 1


@compilable
def visit(parts: Parts, depth: int, alpha: int, beta: int) -> None:
    """Enter a node."""
    count(parts, NODES)
    parts.line[depth * parts.stride] = 0
    open_node(parts.trace, depth, alpha, beta)


@compilable
def judge(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> tuple[int, int]:
    """The value of a position where the search or the game ends, and which of them it is."""
    count(parts, LEAVES)
    if depth < parts.counts[SHALLOWEST]:
        parts.counts[SHALLOWEST] = depth
    if is_over(state):
        return final_score(parts.finish, state, depth), OVER
    return evaluate(evaluator, state), LEAF


@compilable
def leaf(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    """Leave a node where the search or the game ends, with its value."""
    value, reason = judge(state, evaluator, depth, parts)
    return leave(parts, depth, value, reason)


@compilable
def expand(
    state: State, evaluator: Evaluator, depth: int, hint: int, parts: Parts
) -> tuple[int, int]:
    """Generate the moves in the order to search them; where they begin and end in `parts.moves`.

    `hint` is a move to try first, from the table, or NO_MOVE.
    """
    count(parts, INNER)
    return list_moves(state, evaluator, depth, hint, parts)


@compilable
def list_moves(
    state: State, evaluator: Evaluator, depth: int, hint: int, parts: Parts
) -> tuple[int, int]:
    """The same uncounted, for searches that list the moves of a node many times."""
    start = depth * parts.width
    end = generate(state, parts.moves, start, parts.width)
    end = prune(parts.pruning, state, parts.moves, start, end)
    arrange(parts.order, state, evaluator, depth, hint, parts.moves, parts.ranks, start, end)
    return start, stop_at_win(parts.first_win, state, parts.moves, start, end)


@compilable
def follow(parts: Parts, i: int) -> int:
    """The i-th move, about to be searched."""
    move = parts.moves[i]
    note_move(parts.trace, move)
    return move


@compilable
def seen_from(sign: int, alpha: int, beta: int) -> tuple[int, int]:
    """A window as the side to move in a child sees it: turned round if the turn has passed."""
    if sign < 0:
        return -beta, -alpha
    return alpha, beta


@compilable
def keep_line(parts: Parts, depth: int, move: int) -> None:
    """Record that this move and the line below it are the best so far."""
    here, below = depth * parts.stride, (depth - 1) * parts.stride
    length = parts.line[below]
    parts.line[here] = length + 1
    parts.line[here + 1] = move
    for i in range(1, length + 1):
        parts.line[here + 1 + i] = parts.line[below + i]


@compilable
def leave(parts: Parts, depth: int, value: int, reason: int) -> int:
    """Leave a node with its value."""
    close_node(parts.trace, depth, value, reason, NO_MOVE, 0)
    return value


@compilable
def keep_hint(parts: Parts, depth: int, move: int) -> None:
    """Record the table's move as the best; the line after it is not known."""
    if move != NO_MOVE:
        parts.line[depth * parts.stride] = 1
        parts.line[depth * parts.stride + 1] = move


@compilable
def leave_with(parts: Parts, depth: int, value: int, move: int) -> int:
    """Leave a node with what the table holds: a value, and the move that reaches it."""
    keep_hint(parts, depth, move)
    return leave(parts, depth, value, FROM_TABLE)


@compilable
def cut(parts: Parts, depth: int, value: int, i: int, start: int, end: int) -> int:
    """Leave a node because move i refutes it; the moves after it stay unsearched."""
    count(parts, CUTOFFS)
    if i == start:
        count(parts, FIRST_CUTOFFS)
    reward(parts.order, parts.moves[i], depth)
    close_node(parts.trace, depth, value, CUT, parts.moves[i], end - i - 1)
    return value


@compilable
def recall(parts: Parts, state: State, depth: int) -> tuple[int, int, int]:
    """What the table holds of a state: a lower bound, an upper bound, a move to try first."""
    lower, upper, move, found = probe(parts.table, state, depth)
    if found >= 0:
        count(parts, PROBES)
    if found == 2:
        count(parts, HITS)
    return lower, upper, move


@compilable
def memorise(parts: Parts, state: State, depth: int, lower: int, upper: int, move: int) -> None:
    """Store the bounds and the move in the table."""
    if store(parts.table, state, depth, lower, upper, move):
        count(parts, COLLISIONS)


@compilable
def save_line(parts: Parts, depth: int) -> None:
    """Copy the root's line to the spare row above it."""
    for i in range(parts.stride):
        parts.line[(depth + 1) * parts.stride + i] = parts.line[depth * parts.stride + i]


@compilable
def restore_line(parts: Parts, depth: int) -> None:
    """Copy the saved line back to the root's row."""
    for i in range(parts.stride):
        parts.line[depth * parts.stride + i] = parts.line[(depth + 1) * parts.stride + i]


@compilable
def stopped(parts: Parts) -> bool:
    """Whether the search must end now; what it returns from here on is discarded."""
    return is_stopped(parts.clock, parts.counts[NODES])
