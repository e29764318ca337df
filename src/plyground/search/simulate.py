"""Run UCT: the counterpart of `run.py` for the search that counts simulations, not plies."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from plyground.core.interrupts import stopped_by_interrupt
from plyground.core.scores import Score
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.search import uct
from plyground.search.clock import STOP, Clock, timer
from plyground.search.parts import Parts, counters_of
from plyground.search.setup import MOST_NODES, Interrupted, Limits, SearchResult, Setup

UCT_SCALE = 100  # the value that an evaluator must give for half a win


def simulate(
    game: GameSpec,
    state: State,
    setup: Setup,
    limits: Limits,
    stop: Slab,
    keep: Callable[[Slab], None] = lambda tree: None,
) -> SearchResult:
    """UCT: the most visited move, with its mean reward in thousandths; `keep` receives the tree."""
    width, most = game.max_moves, uct.LONGEST_GAME
    room = max(1024, setup.memory_bytes // (8 * uct.NODE))
    tree, generator = Slab(room * uct.NODE), np.array([setup.seed or 0], np.uint64)
    clock = Clock(stop, limits.nodes or MOST_NODES)
    parts = Parts(Slab(width), Slab(1), Slab(most), Slab(16), width, 1, setup.finish, clock=clock)
    evaluator = None if setup.playouts else setup.evaluator
    unlimited = limits.nodes is not None or limits.time_s is not None
    wanted = MOST_NODES if unlimited else setup.simulations
    arguments = (state, evaluator, UCT_SCALE, uct.EXPLORATION)
    uct.uct(*arguments, 1, tree, room, generator.copy(), parts)  # compiles; takes no time away
    parts.counts.array[:] = 0
    started = time.perf_counter()
    is_interrupted = False
    try:
        with timer(limits.time_s, stop), stopped_by_interrupt(lambda: stop.__setitem__(STOP, 1)):
            uct.uct(*arguments, wanted, tree, room, generator, parts)
    except KeyboardInterrupt:
        is_interrupted = True
    inside_s = time.perf_counter() - started
    keep(tree)
    line, node = [], uct.ROOT
    while children := tree[node * uct.NODE + uct.CHILDREN]:
        first = tree[node * uct.NODE + uct.FIRST_CHILD]
        node = max(range(first, first + children), key=lambda n: tree[n * uct.NODE + uct.VISITS])
        if not tree[node * uct.NODE + uct.VISITS]:
            break
        line.append(tree[node * uct.NODE + uct.MOVE])
    best = tree[uct.FIRST_CHILD] + game.legal(state).index(line[0])
    visits = tree[best * uct.NODE + uct.VISITS]
    value = tree[best * uct.NODE + uct.REWARD] // max(1, visits)
    counters = counters_of(parts.counts) | {"deepest": len(line)}
    result = SearchResult(
        move=line[0],
        value=value,
        score=Score(value, "heuristic"),
        line=tuple(line),
        depth=len(line),
        counters=counters,
        time_s=time.perf_counter() - started,
        completed=not is_interrupted,
        inside_s=inside_s,
    )
    if is_interrupted:
        raise Interrupted(result)
    return result
