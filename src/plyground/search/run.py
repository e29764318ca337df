"""Run a search: from what a person asks for to an answer that can be shown.

`search` prepares the parts, calls an algorithm's kernel, once or depth by depth, keeps the time,
and turns the number that comes back into a `SearchResult`. Knows no algorithm's inside and no game.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plyground.bits import U64, random_below
from plyground.core.errors import Unsupported, unknown
from plyground.core.scores import INFINITY, WIN, Score
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import FIRST, State, is_over, play, side, turn
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.search import sss, uct
from plyground.search.abdada import PLACES, abdada
from plyground.search.abmemory import abmemory
from plyground.search.catalogue import Algorithm
from plyground.search.clock import STOP, Clock
from plyground.search.finish import AsScored, ByDistance, ByMargin, Finish
from plyground.search.ordering import (
    HISTORY_SIZE,
    History,
    Killers,
    Order,
    Shallow,
    Shuffled,
    Weights,
)
from plyground.search.parts import COUNTERS, MOST_NOISY, NODES, Parts, seen_from
from plyground.search.pruning import Pruning
from plyground.search.table import BUCKET, BYTES_PER_BUCKET, Table
from plyground.search.trace import Trace

MOST_PLIES = 200
UCT_SCALE = 100  # the value that an evaluator must give for half a win
MOST_NODES = 2**62
DEFAULT_MEMORY = 64 * 2**20
ORDERS = ("natural", "weights", "shallow", "worst", "killers", "history", "random", "all")
SHALLOW_SIGNS = {"shallow": 1, "worst": -1}
FINISHES: dict[str, Finish] = {"margin": ByMargin(), "distance": ByDistance(), "scored": AsScored()}


@dataclass(frozen=True)
class Limits:
    """When to stop; None is no limit. With only a depth, that depth is searched and no other."""

    depth: int | None = None
    time_s: float | None = None
    nodes: int | None = None
    iterate: bool = False
    """Search depth 1, 2, 3 ... up to the limit, even without a limit of time or nodes."""

    @property
    def iterates(self) -> bool:
        return self.iterate or self.time_s is not None or self.nodes is not None


@dataclass(frozen=True)
class Setup:
    """What to search with."""

    algorithm: Algorithm
    evaluator: Evaluator
    finish: Finish = field(default_factory=ByMargin)
    order: str = "natural"
    memory_bytes: int = DEFAULT_MEMORY
    """For the table of algorithms that use one, or the open nodes of SSS*; 0 is no table."""
    symmetric: bool = False
    """Whether mirrored and turned positions share an entry of the table."""
    seed: int | None = None
    """Choose among equally good moves at random, from this seed; None takes the first."""
    threads: int = 1
    """Threads that share the table; only for alpha-beta with memory."""
    pruning: Pruning | None = None
    """An unsound part: what is found is no longer the minimax value."""
    simulations: int = 20_000
    """Of UCT, where nodes and time set no other limit."""
    playouts: bool = True
    """UCT values positions by random games; otherwise by the evaluator."""


@dataclass(frozen=True)
class SearchResult:
    """The answer of a search; counters follow the definitions of `search/parts.py`."""

    move: int | None
    value: int
    """As searched, for the side to move."""
    score: Score
    line: tuple[int, ...]
    depth: int
    counters: dict[str, int]
    time_s: float
    completed: bool = True
    """Whether the depth was searched to its end."""

    @property
    def nodes(self) -> int:
        return self.counters["nodes"]


Listener = Callable[[SearchResult], None]


def search(
    game: GameSpec,
    state: State,
    setup: Setup,
    limits: Limits,
    listener: Listener | None = None,
    trace: Trace | None = None,
    stop: Slab | None = None,
) -> SearchResult:
    """The best move that the algorithm finds within the limits.

    `listener` hears of every completed depth. A search that is stopped, by a limit or by writing 1
    to `stop[0]`, returns the last completed depth, or the first legal move if there is none.
    """
    if is_over(state):
        raise Unsupported("the game is over: there is nothing to search")
    stop = stop or Slab(1)
    if setup.algorithm.call == "move":
        return _choose_blindly(game, state, setup)
    if setup.algorithm.call == "uct":
        return _simulate(game, state, setup, limits, stop)
    if setup.algorithm.name == "greedy":
        limits = Limits(depth=1)
    if limits.depth is None and not limits.iterates:
        raise Unsupported("give a limit: a depth, a time or a number of nodes")
    deepest = min(limits.depth or MOST_PLIES, MOST_PLIES)
    _compile(game, state, setup, limits, trace)
    workshop = Workshop(game, setup, deepest, limits, stop, trace)
    started = time.perf_counter()
    answer: SearchResult | None = None
    with _timer(limits.time_s, stop):
        for depth in range(1 if limits.iterates else deepest, deepest + 1):
            guess = answer.value if answer else 0
            result = workshop.run(state, depth, guess, started)
            if not result.completed:
                answer = replace(answer, counters=result.counters) if answer else result
                break
            answer = result
            if listener:
                listener(answer)
            if abs(answer.value) >= WIN and isinstance(setup.finish, ByDistance):
                break  # proven: deeper searches cannot change it
    assert answer is not None
    return replace(answer, time_s=time.perf_counter() - started)


def _compile(
    game: GameSpec, state: State, setup: Setup, limits: Limits, trace: Trace | None
) -> None:
    """Search one ply with parts of the same types: compiling takes no time from a search."""
    small = replace(setup, memory_bytes=min(setup.memory_bytes, 4096), seed=None)
    spare = Trace(Slab(len(trace.rows)), 0) if trace else None
    Workshop(game, small, 1, limits, Slab(1), spare).run(state, 1, 0, 0.0)


def _choose_blindly(game: GameSpec, state: State, setup: Setup) -> SearchResult:
    """The baselines that do not look: the first legal move, or a random one."""
    legal = game.legal(state)
    generator = np.array([setup.seed or 0], np.uint64)
    place = random_below(generator, len(legal)) if setup.algorithm.name == "random" else 0
    counters = dict.fromkeys(COUNTERS, 0)
    return SearchResult(legal[place], 0, Score(0, "heuristic"), (legal[place],), 0, counters, 0.0)


def _simulate(
    game: GameSpec, state: State, setup: Setup, limits: Limits, stop: Slab
) -> SearchResult:
    """UCT: the most visited move, with its mean reward in thousandths."""
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
    with _timer(limits.time_s, stop):
        uct.uct(*arguments, wanted, tree, room, generator, parts)
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
    counters = {name: parts.counts[i] for i, name in enumerate(COUNTERS)}
    return SearchResult(
        move=line[0],
        value=value,
        score=Score(value, "heuristic"),
        line=tuple(line),
        depth=len(line),
        counters=counters,
        time_s=time.perf_counter() - started,
    )


@contextlib.contextmanager
def _timer(seconds: float | None, stop: Slab) -> Iterator[None]:
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, lambda: stop.__setitem__(STOP, 1))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def make_table(memory_bytes: int, symmetric: bool) -> Table:
    """A table in at most so many bytes."""
    buckets = 1 << max(0, (memory_bytes // BYTES_PER_BUCKET).bit_length() - 1)
    return Table(Slab(buckets * BUCKET), buckets - 1, int(symmetric), 1)


def make_order(name: str, game: GameSpec, state: State, depth: int, seed: int) -> Order | None:
    """The order of that name."""
    if name not in ORDERS:
        raise unknown("order", name, ORDERS)
    if name == "natural":
        return None
    weights = game.place_weights(state) if game.place_weights else None
    if name == "weights" and weights is None:
        raise Unsupported(f"{game.name} has no weights for its places; try shallow or history")
    slab = Slab(len(weights) if weights else 1)
    for move, weight in enumerate(weights or ()):
        slab[move] = weight
    return Order(
        weights=Weights(slab, len(slab)) if name in ("weights", "all") and weights else None,
        killers=Killers(Slab(2 * (depth + 2))) if name in ("killers", "all") else None,
        history=History(Slab(HISTORY_SIZE)) if name in ("history", "all") else None,
        shallow=Shallow(SHALLOW_SIGNS[name]) if name in SHALLOW_SIGNS else None,
        shuffled=Shuffled(U64(seed)) if name == "random" else None,
    )


class Workshop:
    """The parts of one search, and how each kind of kernel is called with them."""

    def __init__(
        self,
        game: GameSpec,
        setup: Setup,
        deepest: int,
        limits: Limits,
        stop: Slab,
        trace: Trace | None,
    ) -> None:
        self.game, self.setup, self.limits = game, setup, limits
        algorithm = setup.algorithm
        if algorithm.needs_table and not setup.memory_bytes:
            raise Unsupported(f"{algorithm.name} cannot work without memory; give it some")
        self.table = None
        if algorithm.uses_table and setup.memory_bytes:
            self.table = make_table(setup.memory_bytes, setup.symmetric)
        has_limits = limits.time_s is not None or limits.nodes is not None
        self.clock = Clock(stop, limits.nodes or MOST_NODES) if has_limits else None
        if setup.threads > 1 and (algorithm.name != "abmemory" or self.table is None):
            raise Unsupported(f"{algorithm.name} runs on one thread; abmemory with a table on more")
        self.trace, self.deepest = trace, deepest
        self.nodes_before = 0

    def parts(self, state: State, depth: int) -> Parts:
        rows, width, setup = depth + 2, self.game.max_moves, self.setup
        order = make_order(setup.order, self.game, state, depth, setup.seed or 0)
        needs_ranks = rows * width if order else 1
        return Parts(
            moves=Slab((rows + MOST_NOISY + 1) * width),
            ranks=Slab(needs_ranks),
            line=Slab(rows * rows),
            counts=Slab(len(COUNTERS) + 6),
            width=width,
            stride=rows,
            finish=setup.finish,
            order=order,
            table=self.table,
            clock=self.clock,
            trace=self.trace,
            pruning=setup.pruning,
        )

    def run(self, state: State, depth: int, guess: int, started: float) -> SearchResult:
        """Search one depth."""
        parts = self.parts(state, depth)
        if self.clock:
            parts.counts[NODES] = self.nodes_before
        value = self._call(state, depth, guess, parts)
        counters = {name: parts.counts[i] for i, name in enumerate(COUNTERS)}
        stopped = self.clock is not None and self.clock.is_stopped(parts.counts[NODES])
        if self.clock:
            self.nodes_before = parts.counts[NODES]
        row = depth * parts.stride
        line = [parts.line[row + i] for i in range(1, parts.line[row] + 1)]
        if not stopped and self.setup.algorithm.equals_minimax and not self.setup.pruning:
            line = self._complete(state, depth, value, line)
            line = self._choose_among_equals(state, depth, value, line)
        return SearchResult(
            move=line[0] if line else self.game.legal(state)[0],
            value=value,
            score=score_of(value, depth, self.setup.finish),
            line=tuple(line),
            depth=depth,
            counters=counters,
            time_s=time.perf_counter() - started,
            completed=not stopped,
        )

    def _call(self, state: State, depth: int, guess: int, parts: Parts) -> int:
        algorithm, evaluator = self.setup.algorithm, self.setup.evaluator
        kernel: Any = algorithm.kernel
        if self.setup.threads > 1:
            return self._call_threads(state, depth, parts)
        if algorithm.call == "window":
            return int(kernel(state, evaluator, depth, -INFINITY, INFINITY, parts))
        if algorithm.call == "guess":
            return int(kernel(state, evaluator, depth, guess, parts))
        if algorithm.call == "plain":
            return int(kernel(state, evaluator, depth, parts))
        if algorithm.call == "first":
            value = int(kernel(state, evaluator, depth, parts))
            return value if side(state) == FIRST else -value
        room = max(1024, self.setup.memory_bytes // (8 * sss.NUMBERS_PER_NODE))
        memory = Slab(sss.HEADER + room * sss.NUMBERS_PER_NODE)
        memory[sss.ROOM] = room
        value = int(kernel(state, evaluator, depth, algorithm.maximise, memory, parts))
        if value == sss.OUT_OF_MEMORY:
            raise Unsupported(
                f"{algorithm.name} needs more memory for depth {depth}; "
                "give it more with --memory, or search less deep"
            )
        return value

    def _call_threads(self, state: State, depth: int, parts: Parts) -> int:
        """The same search on all threads; the first to finish stops the others."""
        busy, values = Slab(PLACES), []
        most_nodes = self.limits.nodes or MOST_NODES
        own = [Clock(Slab(1), most_nodes) for _ in range(self.setup.threads)]
        workers = [self.parts(state, depth)._replace(clock=clock, trace=None) for clock in own]

        def work(index: int) -> None:
            mine = workers[index]
            value = int(abdada(state, self.setup.evaluator, depth, -INFINITY, INFINITY, busy, mine))
            if not own[index].is_stopped(mine.counts[NODES]):
                values.append((value, index))
                for clock in own:
                    clock.flags[STOP] = 1

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(workers))]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            threads[0].join(0.01)
            for thread in threads:
                thread.join(0.001)
            if self.clock and self.clock.flags[STOP]:
                for clock in own:
                    clock.flags[STOP] = 1
        parts.counts.array[:] += np.sum([worker.counts.array for worker in workers], axis=0)
        if not values:
            parts.counts[NODES] = max(parts.counts[NODES], most_nodes + 1)
            return 0
        value, index = values[0]
        parts.line.array[:] = workers[index].line.array
        return value

    def _reaches(self, state: State, depth: int, value: int, move: int, parts: Parts) -> bool:
        """Whether a move is worth the value, by a minimal window just below it."""
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, value - 1, value)
        below = int(abmemory(child, self.setup.evaluator, depth - 1, low, high, parts))
        return sign * below >= value

    def _complete(self, state: State, depth: int, value: int, line: list[int]) -> list[int]:
        """The line to its end: drivers of minimal windows know only how it begins."""
        parts = self.parts(state, depth)._replace(clock=None, trace=None)
        whole: list[int] = []
        while depth and not is_over(state):
            known = line[len(whole) :] if len(whole) < len(line) else []
            if self.setup.algorithm.call not in ("guess", "best-first") and known:
                move = known[0]
            else:
                candidates = [*known[:1], *self.game.legal(state)]
                move = next(m for m in candidates if self._reaches(state, depth, value, m, parts))
            child = play(state, move)
            value *= turn(state, child)
            state, depth = child, depth - 1
            whole.append(move)
        return whole

    def _choose_among_equals(
        self, state: State, depth: int, value: int, line: list[int]
    ) -> list[int]:
        if self.setup.seed is None or not line:
            return line
        parts = self.parts(state, depth)._replace(clock=None, trace=None)
        legal = self.game.legal(state)
        equal = [move for move in legal if self._reaches(state, depth, value, move, parts)]
        generator = np.array([self.setup.seed], np.uint64)
        move = equal[random_below(generator, len(equal))]
        return line if move == line[0] else self._complete_from(state, depth, value, move)

    def _complete_from(self, state: State, depth: int, value: int, move: int) -> list[int]:
        child = play(state, move)
        return [move, *self._complete(child, depth - 1, value * turn(state, child), [])]


def score_of(value: int, depth: int, finish: Finish) -> Score:
    """What a value at the root of a search of this depth means."""
    if abs(value) < WIN or isinstance(finish, AsScored):
        return Score(value, "heuristic")
    sign = 1 if value > 0 else -1
    if isinstance(finish, ByMargin):
        return Score(sign * (abs(value) - WIN), "proven")
    return Score(depth - (abs(value) - WIN), "win" if value > 0 else "loss")
