"""Whether an algorithm keeps the promises that its entry in the catalogue makes.

At positions of a random game, to small depths: a line of legal moves, the value of minimax and a
move that is worth it if it promises them, counters that fit together and are the same in plain
Python and in machine code, a trace that is a tree with every node it counted, and an end soon after
it was told to stop. Of searches that are not called with a depth, UCT and blind choices, all that
can be said is that their moves are legal and the same in both ways.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from plyground.bits import random_below
from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.check import demand
from plyground.games.rules import FIRST, State, is_over, play, side, turn
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, plain_python
from plyground.search.catalogue import Algorithm, find_algorithm
from plyground.search.clock import STOP
from plyground.search.minimax import minimax
from plyground.search.run import Workshop, search
from plyground.search.setup import FINISHES, MOST_NODES, Limits, SearchResult, Setup
from plyground.search.trace import (
    CURRENT,
    DROPPED,
    HEADER,
    MOVE,
    NO_NODE,
    NOT_VISITED,
    ORDER,
    PARENT,
    ROW,
    USED,
    VALUE,
    Trace,
    make_trace,
)

DEPTHS = (1, 2, 3)
MOST_POSITIONS = 30  # of the game
MOST_LEAVES = 3000  # of a tree that is searched in plain Python
PATIENCE_S = 60.0  # for such a search
STOPPED_DEPTH = 6  # so deep that nobody gets there by chance
STOP_AFTER = 20  # nodes
STOP_PATIENCE_S = 10.0
SIMULATIONS = 50
MEMORY = 2**16
ROOM = 100_000
WITHOUT_DEPTH = ("uct", "move")
KNOW_THE_FIRST_MOVE_ONLY = ("guess", "best-first")  # `Workshop` completes their lines


def check_algorithm(
    algorithm: Algorithm, game: GameSpec, start: State, evaluator: Evaluator, seed: int
) -> int:
    """Check an algorithm at some positions; returns how many searches. Raises BrokenPromise."""
    finish = FINISHES["scored" if game.is_scored else "margin"]
    setup = Setup(algorithm, evaluator, finish, memory_bytes=MEMORY, simulations=SIMULATIONS)
    generator, state, count = np.array([seed], np.uint64), start, 0
    for _ in range(MOST_POSITIONS):
        if is_over(state):
            break
        moves = game.legal(state)
        if algorithm.call in WITHOUT_DEPTH:
            _check_choice(replace(setup, seed=seed), game, state)
            count += 1
        else:
            depths = [depth for depth in DEPTHS if len(moves) ** depth <= MOST_LEAVES]
            for depth in depths:
                _check_search(setup, game, state, depth)
            _check_stopping(setup, game, state)
            count += len(depths)
        state = play(state, moves[random_below(generator, len(moves))])
    return count


def _check_choice(setup: Setup, game: GameSpec, state: State) -> None:
    claim = functools.partial(demand, game, state)
    with plain_python():
        plain = search(game, state, setup, Limits())
    compiled = search(game, state, setup, Limits())
    said = f"searched by {setup.algorithm.name}"
    claim(plain.move in game.legal(state), f"{said} gives {plain.move}, which is illegal")
    claim(compiled.move == plain.move, f"{said} gives another move when it is compiled")


def _check_search(setup: Setup, game: GameSpec, state: State, depth: int) -> None:
    algorithm, claim = setup.algorithm, functools.partial(demand, game, state)
    said = f"searched by {algorithm.name} to depth {depth}"
    bare = replace(
        setup, algorithm=replace(algorithm, equals_minimax=False)
    )  # as it ends by itself
    trace = make_trace(ROOM, 0)
    try:
        with plain_python(seconds=PATIENCE_S):
            plain = _search(bare, game, state, depth, trace)
    except TimeoutError:
        claim(False, f"{said} takes more than {PATIENCE_S:g} s in plain Python")
    counters = plain.counters
    claim(counters["nodes"] >= 1, f"{said} visits no node; call visit() at each")
    claim(
        counters["leaves"] + counters["inner"] <= counters["nodes"]
        and counters["first_cutoffs"] <= counters["cutoffs"] <= counters["inner"],
        f"{said} counts {_listed(counters)}, which do not fit together",
    )
    if algorithm.equals_minimax:
        value = _minimax(setup, game, state, depth)
        claim(plain.value == value, f"{said} is worth {plain.value}; minimax says {value}")
    _check_line(setup, game, state, plain)
    compiled = _search(setup, game, state, depth)
    claim(
        (compiled.value, compiled.counters) == (plain.value, counters),
        f"{said} is worth {compiled.value} after {_listed(compiled.counters)} when it is compiled, "
        f"and {plain.value} after {_listed(counters)} in plain Python",
    )
    _check_trace(setup, game, state, plain, trace)


def _search(
    setup: Setup, game: GameSpec, state: State, depth: int, trace: Trace | None = None
) -> SearchResult:
    with Workshop(game, setup, None, trace) as workshop:
        return workshop.run(state, depth, 0, MOST_NODES)


def _listed(counters: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counters.items() if number)


def _minimax(setup: Setup, game: GameSpec, state: State, depth: int) -> int:
    """The reference: every node, nothing left out, for the side to move."""
    bare = replace(setup, algorithm=find_algorithm("minimax"))
    with plain_python(), Workshop(game, bare, None, None) as workshop:
        parts = workshop.parts(state, depth, MOST_NODES)
        value = int(minimax(state, setup.evaluator, depth, parts))
    return value if side(state) == FIRST else -value


def _check_line(setup: Setup, game: GameSpec, state: State, found: SearchResult) -> None:
    """Every move of its line is legal, and worth the value if it promises that of minimax."""
    algorithm, claim = setup.algorithm, functools.partial(demand, game, state)
    said, at, sign = f"searched by {algorithm.name} to depth {found.depth} gives", state, 1
    is_exact = algorithm.equals_minimax and algorithm.call not in KNOW_THE_FIRST_MOVE_ONLY
    for left, move in zip(reversed(range(found.depth)), found.line, strict=False):
        is_legal = move in game.legal(at)
        said += f" {game.format_move(at, move) if is_legal else move}"
        claim(is_legal, f"{said}, which is illegal")
        child = play(at, move)
        at, sign = child, sign * turn(at, child)
        worth = sign * _minimax(setup, game, at, left) if is_exact else found.value
        claim(worth == found.value, f"{said}, which is worth {worth} of {found.value}")


def _check_trace(
    setup: Setup, game: GameSpec, state: State, found: SearchResult, trace: Trace
) -> None:
    """It is a tree of legal moves; only inexact searches may count nodes that it does not show."""
    claim = functools.partial(demand, game, state)
    said = f"searched by {setup.algorithm.name} to depth {found.depth}"
    rows = trace.rows.array[HEADER : HEADER + trace.rows[USED] * ROW].reshape(-1, ROW)
    traced = int((rows[:, ORDER] != NOT_VISITED).sum()) + trace.rows[DROPPED]
    claim(
        traced == found.nodes or (0 < traced < found.nodes and not setup.algorithm.equals_minimax),
        f"{said} counts {found.nodes} nodes and traces {traced}; call visit() at each",
    )
    claim(
        trace.rows[CURRENT] == NO_NODE,
        f"{said} does not leave each node once; end with leaf(), cut() or leave()",
    )
    claim(bool((np.abs(rows[:, VALUE]) <= INFINITY).all()), f"{said} traces values beyond INFINITY")
    states: list[State] = []
    for parent, move in rows[:, [PARENT, MOVE]].tolist():
        above = None if parent == NO_NODE else states[parent]
        claim(
            above is None or move in game.legal(above),
            f"{said} traces the move {move} where it is illegal; call follow() for each move",
        )
        states.append(state if above is None else play(above, move))


def _check_stopping(setup: Setup, game: GameSpec, state: State) -> None:
    """Told to stop at once, and after a few nodes, it returns before it has searched it all."""
    flag = Slab(1)
    flag[STOP] = 1
    for stop, most, allowed in ((flag, MOST_NODES, 1), (None, STOP_AFTER, STOP_AFTER)):
        with plain_python(seconds=STOP_PATIENCE_S), Workshop(game, setup, stop, None) as workshop:
            try:
                nodes = workshop.run(state, STOPPED_DEPTH, 0, most).nodes
            except TimeoutError:
                nodes = MOST_NODES
        demand(
            game,
            state,
            nodes <= allowed + STOPPED_DEPTH * (game.max_moves + 1),
            f"is searched on by {setup.algorithm.name} after it was told to stop; "
            "ask stopped(parts) after each move",
        )
