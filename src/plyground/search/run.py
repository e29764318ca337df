"""Run a search: from a setup and limits to a result.

`search` prepares the parts, calls an algorithm's kernel, once or depth by depth, watches the time,
and turns the number that comes back into a `SearchResult`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from plyground.bits import random_below
from plyground.core.errors import Unsupported
from plyground.core.interrupts import stopped_by_interrupt
from plyground.core.scores import INFINITY, WIN, Score
from plyground.games.rules import (
    FIRST,
    State,
    cells_left,
    is_isolated,
    is_over,
    noisy_moves,
    play,
    side,
    turn,
)
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.search import sss
from plyground.search.abdada import PLACES, abdada
from plyground.search.abmemory import abmemory
from plyground.search.clock import STOP, Clock, timer
from plyground.search.finish import ByDistance, ByMargin
from plyground.search.parts import (
    COUNTERS,
    MOST_NOISY,
    NODES,
    SHALLOWEST,
    Parts,
    counters_of,
    seen_from,
)
from plyground.search.setup import (
    MOST_NODES,
    MOST_PLIES,
    SPARE_TABLES,
    Interrupted,
    Limits,
    Listener,
    SearchResult,
    Setup,
    make_order,
    score_of,
)
from plyground.search.simulate import simulate
from plyground.search.trace import Trace

LOOK_UP_S = 0.02  # how often a search on several threads checks whether it should stop


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

    `listener` is called with the result of every completed depth. A search that is stopped, by a
    limit or by writing 1 to `stop[0]`, returns the last completed depth, or the first legal move if
    there is none. Ctrl-C raises `Interrupted`, a KeyboardInterrupt that carries the same.
    """
    if is_over(state):
        raise Unsupported("the game is over: there is nothing to search")
    _demand_fit(game, state, setup)
    stop = stop or Slab(1)
    if setup.algorithm.call == "move":
        return _choose_blindly(game, state, setup)
    if setup.algorithm.call == "uct":
        return simulate(game, state, setup, limits, stop)
    if setup.algorithm.name == "greedy":
        limits = Limits(depth=1)
    left = int(cells_left(state))
    if 0 <= left <= limits.endgame:
        limits = replace(limits, depth=2 * left + 2)  # room for a pass after each move
    if limits.depth is None and not limits.iterates:
        raise Unsupported("give a limit: a depth, a time or a number of nodes")
    deepest = min(limits.depth or MOST_PLIES, MOST_PLIES)
    _compile(game, state, setup, trace)
    workshop = Workshop(game, setup, stop, trace)
    started = time.perf_counter()
    answer = _no_answer(game, state)
    with workshop, timer(limits.time_s, stop), workshop.reporting(lambda: answer):
        for depth in range(1 if limits.iterates else deepest, deepest + 1):
            room = (limits.nodes or MOST_NODES) - answer.nodes
            result = workshop.run(state, depth, answer.value, room)
            counters = _added(answer.counters, result.counters)
            inside_s = answer.inside_s + result.inside_s
            if not result.completed:
                answer = replace(answer, counters=counters, completed=False, inside_s=inside_s)
                break
            elapsed = time.perf_counter() - started
            answer = replace(result, counters=counters, time_s=elapsed, inside_s=inside_s)
            if listener:
                listener(answer)
            if abs(answer.value) >= WIN and isinstance(setup.finish, ByDistance):
                break  # proven: deeper searches cannot change it
            if result.counters["deepest"] < depth:
                break  # every line was searched to the end of the game
    return replace(answer, time_s=time.perf_counter() - started)


def prepare(game: GameSpec, state: State, setup: Setup) -> None:
    """Compile what `search` would need with the same arguments, and nothing else."""
    if setup.algorithm.call == "uct":
        simulate(game, state, replace(setup, simulations=1), Limits(nodes=1), Slab(1))
    elif setup.algorithm.call != "move":
        _compile(game, state, setup, None)


def check(game: GameSpec, state: State, setup: Setup) -> None:
    """Raise Unsupported for parts that do not fit together, before anything is searched."""
    _demand_fit(game, state, setup)
    if setup.algorithm.call not in ("uct", "move"):
        small = replace(setup, memory_bytes=min(setup.memory_bytes, 4096))
        Workshop(game, small, None, None)
        make_order(setup.order, game, state, 1, 0)


def _demand_fit(game: GameSpec, state: State, setup: Setup) -> None:
    """Raise Unsupported for what this game does not have, and would be left out in silence."""
    algorithm, kind = setup.algorithm, type(state)
    is_quiet = noisy_moves.implementation(kind) is noisy_moves.default
    if algorithm.name == "quiescence" and is_quiet:
        raise Unsupported(f"{game.name} has no noisy moves to play out; try falphabeta")
    if setup.pruning and is_isolated.implementation(kind) is is_isolated.default:
        raise Unsupported(f"{game.name} has no isolated moves to leave out; search without prune")
    if setup.first_win and not algorithm.equals_minimax:
        raise Unsupported(f"{algorithm.name} cannot stop at a win: a later move may be worth more")
    all_equal = isinstance(setup.finish, ByMargin) and not game.has_margin
    if setup.first_win and not all_equal and not isinstance(setup.finish, ByDistance):
        raise Unsupported(
            f"in {game.name} a later move may be worth more; stop at a win with finish distance"
        )


def _no_answer(game: GameSpec, state: State) -> SearchResult:
    """The result before anything is searched: a legal move."""
    move, counters = game.legal(state)[0], dict.fromkeys((*COUNTERS, "deepest"), 0)
    return SearchResult(move, 0, Score(0, "heuristic"), (), 0, counters, 0.0)


def _added(before: dict[str, int], now: dict[str, int]) -> dict[str, int]:
    """The counters of all depths searched so far."""
    total = {name: before[name] + now[name] for name in COUNTERS}
    return total | {"deepest": max(before["deepest"], now.get("deepest", 0))}


def _compile(game: GameSpec, state: State, setup: Setup, trace: Trace | None) -> None:
    """Search one ply with parts of the same types: compiling takes no time from a search."""
    small = replace(setup, memory_bytes=min(setup.memory_bytes, 4096), seed=None)
    spare = Trace(Slab(len(trace.rows)), 0) if trace else None
    workshop = Workshop(game, small, Slab(1), spare)
    workshop.run(state, 1, 0, MOST_NODES)
    algorithm = setup.algorithm
    if algorithm.equals_minimax and (algorithm.uses_table or setup.seed is not None):
        # Completing a line, or choosing among equals, calls alpha-beta with memory and no trace.
        workshop._reaches(state, 1, 0, game.legal(state)[0], workshop._parts_after(state, 1))


def _choose_blindly(game: GameSpec, state: State, setup: Setup) -> SearchResult:
    """The baselines that do not search: the first legal move, or a random one."""
    legal = game.legal(state)
    generator = np.array([setup.seed or 0], np.uint64)
    place = random_below(generator, len(legal)) if setup.algorithm.name == "random" else 0
    return replace(_no_answer(game, state), move=legal[place], line=(legal[place],))


class Workshop:
    """The parts of one search, and how each kind of kernel is called with them."""

    def __init__(
        self, game: GameSpec, setup: Setup, stop: Slab | None, trace: Trace | None
    ) -> None:
        self.game, self.setup, self.stop, self.trace = game, setup, stop or Slab(1), trace
        self.interrupted = Slab(1)
        """Set by Ctrl-C alone: a depth that was searched in time may complete its line."""
        self._under_way: Slab | None = None
        algorithm = setup.algorithm
        if algorithm.needs_table and not setup.memory_bytes:
            raise Unsupported(f"{algorithm.name} cannot work without memory; give it some")
        self.table = None
        if algorithm.uses_table and setup.memory_bytes:
            self.table = SPARE_TABLES.take(setup.memory_bytes, setup.symmetric)
        if setup.threads > 1 and (algorithm.name != "abmemory" or self.table is None):
            raise Unsupported(f"{algorithm.name} runs on one thread; abmemory with a table on more")

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        """Give the memory back; nothing may be searched after."""
        if self.table is not None:
            SPARE_TABLES.give_back(self.table)
            self.table = None

    @contextlib.contextmanager
    def reporting(self, answer: Callable[[], SearchResult]) -> Iterator[None]:
        """Let Ctrl-C stop the search, and report what it had found by then."""

        def stop() -> None:
            self.stop[STOP] = self.interrupted[STOP] = 1

        try:
            with stopped_by_interrupt(stop):
                yield
        except KeyboardInterrupt:
            found, counts = answer(), self._under_way
            counters = _added(found.counters, counters_of(counts)) if counts else found.counters
            raise Interrupted(replace(found, counters=counters, completed=False)) from None

    def parts(self, state: State, depth: int, most_nodes: int) -> Parts:
        """New parts for a search of this depth; only the table is shared."""
        rows, width, setup = depth + 2, self.game.max_moves, self.setup
        counts = Slab(len(COUNTERS) + 1)
        counts[SHALLOWEST] = depth
        order = make_order(setup.order, self.game, state, depth, setup.seed or 0)
        needs_ranks = rows * width if order else 1
        return Parts(
            moves=Slab((rows + MOST_NOISY + 1) * width),
            ranks=Slab(needs_ranks),
            line=Slab(rows * rows),
            counts=counts,
            width=width,
            stride=rows,
            finish=setup.finish,
            order=order,
            table=self.table,
            clock=Clock(self.stop, most_nodes),
            trace=self.trace,
            pruning=setup.pruning,
            first_win=setup.first_win,
        )

    def run(self, state: State, depth: int, guess: int, most_nodes: int) -> SearchResult:
        """Search one depth."""
        parts = self.parts(state, depth, most_nodes)
        self._under_way = parts.counts
        started = time.perf_counter()
        value = self.value(state, depth, guess, parts)
        inside_s = time.perf_counter() - started
        stopped = Clock(self.stop, most_nodes).is_stopped(parts.counts[NODES])
        row = depth * parts.stride
        line = [parts.line[row + i] for i in range(1, parts.line[row] + 1)]
        if not stopped and self.setup.algorithm.equals_minimax and not self.setup.pruning:
            line = self._complete(state, depth, value, line)
            line = self._choose_among_equals(state, depth, value, line)
        self._under_way = None
        return SearchResult(
            move=line[0] if line else self.game.legal(state)[0],
            value=value,
            score=score_of(value, depth, self.setup.finish),
            line=tuple(line),
            depth=depth,
            counters=counters_of(parts.counts) | {"deepest": depth - parts.counts[SHALLOWEST]},
            time_s=0.0,
            completed=not stopped,
            inside_s=inside_s,
        )

    def value(self, state: State, depth: int, guess: int, parts: Parts) -> int:
        """The value by the algorithm alone; `run` also completes its line, which visits more."""
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
        least = 1024 + 2 * self.game.max_moves  # a single ply fits, however many moves there are
        room = max(least, self.setup.memory_bytes // (8 * sss.NUMBERS_PER_NODE))
        memory = Slab(sss.HEADER + room * sss.NUMBERS_PER_NODE)
        memory[sss.ROOM] = room
        value = int(kernel(state, evaluator, depth, algorithm.maximise, memory, parts))
        if value == sss.OUT_OF_MEMORY:
            raise Unsupported(
                f"{algorithm.name} needs more memory for depth {depth}; "
                "give it more memory, or search less deep"
            )
        return value

    def _call_threads(self, state: State, depth: int, parts: Parts) -> int:
        """The same search on all threads; the first to finish stops the others."""
        busy, finished = Slab(PLACES), list[tuple[int, Parts]]()
        assert parts.clock is not None
        threads, most_nodes = self.setup.threads, parts.clock.most_nodes
        clocks = [Clock(Slab(1), most_nodes // threads) for _ in range(threads)]
        workers = [
            self.parts(state, depth, most_nodes)._replace(clock=clock, trace=None)
            for clock in clocks
        ]

        def work(clock: Clock, mine: Parts) -> None:
            value = int(abdada(state, self.setup.evaluator, depth, -INFINITY, INFINITY, busy, mine))
            if not clock.is_stopped(mine.counts[NODES]):
                finished.append((value, mine))

        with ThreadPoolExecutor(threads) as pool:
            try:
                tasks = [pool.submit(work, *each) for each in zip(clocks, workers, strict=True)]
                while not wait(tasks, LOOK_UP_S, FIRST_COMPLETED).done and not self.stop[STOP]:
                    pass
            finally:
                for clock in clocks:
                    clock.flags[STOP] = 1
        for task in tasks:
            task.result()  # raises what a thread raised
        parts.counts.array[:SHALLOWEST] = sum(w.counts.array[:SHALLOWEST] for w in workers)
        parts.counts[SHALLOWEST] = min(worker.counts[SHALLOWEST] for worker in workers)
        if not finished:
            parts.counts[NODES] = max(parts.counts[NODES], most_nodes + 1)
            return 0
        value, first = finished[0]
        parts.line.array[:] = first.line.array
        return value

    def _parts_after(self, state: State, depth: int) -> Parts:
        """Parts for what is searched after a depth is complete, whatever the time."""
        clock = Clock(self.interrupted, MOST_NODES)
        return self.parts(state, depth, MOST_NODES)._replace(clock=clock, trace=None)

    def _reaches(self, state: State, depth: int, value: int, move: int, parts: Parts) -> bool:
        """Whether a move is worth the value, by a search with a minimal window just below it."""
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, value - 1, value)
        below = int(abmemory(child, self.setup.evaluator, depth - 1, low, high, parts))
        return sign * below >= value

    def _complete(self, state: State, depth: int, value: int, line: list[int]) -> list[int]:
        """The line to its end: drivers of minimal windows know only its first moves."""
        parts = self._parts_after(state, depth)
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
            if known[:1] != [move]:
                line = []  # the rest belongs to another position
        return whole

    def _choose_among_equals(
        self, state: State, depth: int, value: int, line: list[int]
    ) -> list[int]:
        if self.setup.seed is None or not line:
            return line
        parts = self._parts_after(state, depth)
        legal = self.game.legal(state)
        equal = [move for move in legal if self._reaches(state, depth, value, move, parts)]
        generator = np.array([self.setup.seed], np.uint64)
        move = equal[random_below(generator, len(equal))]
        if move == line[0]:
            return line
        child = play(state, move)
        return [move, *self._complete(child, depth - 1, value * turn(state, child), [])]
