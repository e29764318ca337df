"""What is measured: four tasks, in each of which all algorithms search the same positions.

Leaves and nodes are those of `docs/counting.md`. In `deepen` the values of leaves are remembered,
as a table that also holds leaves would do: "evaluated" counts only those that were asked for anew.
Finished games are valued by the rules, and are not among them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from plyground.core.scores import INFINITY
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.general import Zero
from plyground.evaluation.remembered import Remembered, remembered
from plyground.games.catalogue import find_game
from plyground.games.rules import FIRST, State, side
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.lab.catalogue.family.aspns import ASPNS
from plyground.lab.catalogue.family.counting import Marks, Tallied, fewest_leaves
from plyground.lab.catalogue.family.setting import (
    ALPHABETA,
    ASPIRATION,
    AT_KALAH,
    BRANCHING,
    GAMES,
    RIVALS,
    TREES,
    TWINS,
    FamilyParameters,
    Position,
    in_parts,
    positions_of,
    windowed,
)
from plyground.lab.spec import Answer, Cell, Measured
from plyground.search import sss
from plyground.search.catalogue import Algorithm, find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.parts import LEAVES, NODES, PASSES, Parts
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES, Setup

MEGABYTE = 2**20
OPEN_BYTES = 256 * MEGABYTE  # for the open nodes of SSS*; what is not used is never touched
REMEMBERED_BYTES = 32 * MEGABYTE  # for the values of leaves
TREE_BYTES = 256 * MEGABYTE  # so large for a small tree that nothing known is lost
POSITIONS_IN_A_CELL, TREES_IN_A_CELL = 5, 25

# ------------------------------------------------------------------ the portrait, and Kalah


def portray(
    game: str,
    depth: int,
    positions: Sequence[Position],
    algorithms: Sequence[str],
    order: str,
    evaluator: str | None = None,
    memory_mb: int = 32,
    repetitions: int = 1,
    with_fewest: bool = False,
) -> Measured:
    """Search every position with every algorithm: value, leaves, nodes; one depth, one search."""
    spec, found = find_game(game), []
    times: dict[str, list[float]] = {name: [] for name in algorithms}
    for position in positions:
        state = _state(spec, position)
        setup = replace(_setup(spec, state, evaluator, order), memory_bytes=memory_mb * MEGABYTE)
        each: dict[str, Answer] = {}
        for name in algorithms:
            mine = replace(setup, algorithm=find_algorithm(name))
            _searched(spec, state, mine, 1)  # compiled before it is timed
            runs = [_searched(spec, state, mine, depth) for _ in range(repetitions)]
            each[name] = runs[0][0]
            times[name].append(median(seconds for _, seconds in runs))
        answer: Answer = {"found": each}
        if with_fewest:
            value = each[ALPHABETA]["value"]
            answer["fewest"] = fewest_leaves(spec, state, setup, depth, value)
        found.append(answer)
    return Measured({"positions": found}, times)


def _searched(game: GameSpec, state: State, setup: Setup, depth: int) -> tuple[Answer, float]:
    """What one search found, and the seconds it took."""
    with Workshop(game, setup, None, None) as workshop:
        parts = workshop.parts(state, depth, MOST_NODES)
        started = time.perf_counter()
        value = _value(Rival(setup.algorithm), state, setup.evaluator, depth, 0, parts)
        seconds = time.perf_counter() - started
    return {"value": value, "leaves": parts.counts[LEAVES], "nodes": parts.counts[NODES]}, seconds


def portrait_cells(p: FamilyParameters) -> list[Cell]:
    """Every game at every depth; only the deepest is timed with care."""
    found = []
    for game in p.games:
        chosen = positions_of(game, p.positions, p.seed)
        for depth in p.depths(game):
            is_deepest = depth == p.depths(game)[-1]
            for part in in_parts(chosen, POSITIONS_IN_A_CELL if is_deepest else len(chosen)):
                found.append(
                    Cell.of(
                        portray,
                        game=game,
                        depth=depth,
                        positions=part,
                        algorithms=p.chosen,
                        order=GAMES[game].order,
                        memory_mb=p.memory_mb,
                        repetitions=p.repetitions if is_deepest else 1,
                        with_fewest=True,
                    )
                )
    return found


def kalah_cells(p: FamilyParameters) -> list[Cell]:
    """SCOUT and alpha-beta, by evaluator, order and depth."""
    chosen = positions_of("kalah", p.kalah_positions, p.seed)
    return [
        Cell.of(
            portray,
            game="kalah",
            depth=depth,
            positions=chosen,
            algorithms=AT_KALAH,
            order=order,
            evaluator=evaluator,
        )
        for evaluator in p.kalah_evaluators
        for order in p.kalah_orders
        for depth in p.kalah_depths
    ]


# ------------------------------------------------------------------ Plaat's comparison


@dataclass(frozen=True)
class Rival:
    """An algorithm, and how wide it opens its window round a guess, if it does."""

    algorithm: Algorithm
    half_window: int = 0


def rivals(half_windows: Sequence[int]) -> dict[str, Rival]:
    """By name; aspiration NegaScout with each of the windows."""
    found = {name: Rival(find_algorithm(name)) for name in RIVALS if name != ASPIRATION}
    return found | {windowed(half): Rival(ASPNS, half) for half in half_windows}


def deepen(
    game: str,
    depth: int,
    positions: Sequence[Position],
    back: int,
    half_windows: Sequence[int],
    memory_mb: int,
    repetitions: int,
) -> Measured:
    """Search depth 1, 2, 3 ... with each rival; counts are sums over all depths so far.

    A guess is the value found so many plies `back`, where there is one.
    """
    spec, found, named = find_game(game), [], rivals(half_windows)
    times: dict[str, list[float]] = {name: [] for name in named}
    memory = remembered(Zero(), REMEMBERED_BYTES)
    for position in positions:
        state = _state(spec, position)
        setup = _setup(spec, state, None, GAMES[game].order)
        setup = replace(setup, memory_bytes=memory_mb * MEGABYTE)
        each: dict[str, Answer] = {}
        for name, rival in named.items():
            _deepened(spec, state, setup, rival, 1, back, memory)  # compiled before it is timed
            runs = [
                _deepened(spec, state, setup, rival, depth, back, memory)
                for _ in range(repetitions)
            ]
            each[name] = runs[0][0]
            times[name].append(median(seconds for _, seconds in runs))
        found.append({"found": each})
    return Measured({"positions": found}, times)


def _deepened(
    game: GameSpec,
    state: State,
    setup: Setup,
    rival: Rival,
    deepest: int,
    back: int,
    memory: Remembered,
) -> tuple[Answer, float]:
    """What one rival found at each depth, and the seconds it took in all."""
    tally = Slab(1)
    judge = memory._replace(inner=Tallied(setup.evaluator, tally))
    memory.slots.array.fill(0)
    values: list[int] = []
    answer: Answer = {what: [] for what in ("leaves", "evaluated", "nodes", "passes")}
    leaves, nodes, passes, seconds = 0, 0, 0, 0.0
    with Workshop(game, replace(setup, algorithm=rival.algorithm), None, None) as workshop:
        for depth in range(1, deepest + 1):
            guess = values[-min(back, len(values))] if values else 0
            parts = workshop.parts(state, depth, MOST_NODES)
            started = time.perf_counter()
            value = _value(rival, state, judge, depth, guess, parts)
            seconds += time.perf_counter() - started
            values.append(value)
            leaves, nodes = leaves + parts.counts[LEAVES], nodes + parts.counts[NODES]
            passes += parts.counts[PASSES]
            for what, count in zip(answer, (leaves, tally[0], nodes, passes), strict=True):
                answer[what].append(count)
    return {"value": values, **answer}, seconds


def deepening_cells(p: FamilyParameters) -> list[Cell]:
    return [
        Cell.of(
            deepen,
            game=game,
            depth=p.compared_depth(game),
            positions=part,
            back=back,
            half_windows=p.half_windows,
            memory_mb=p.memory_mb,
            repetitions=p.repetitions,
        )
        for game in p.compared_games
        for back in p.guesses
        for part in in_parts(positions_of(game, p.compared_positions, p.seed), POSITIONS_IN_A_CELL)
    ]


# ------------------------------------------------------------------ SSS* and DUAL* on trees


def compare_leaves(kind: str, branching: int, depth: int, seeds: Sequence[int]) -> Measured:
    """Which leaves SSS* and DUAL* see, and which their rebuilt forms: on the same trees."""
    game, found = find_game("synthetic"), []
    shape = {"branching": branching, "depth": depth}
    for seed in seeds:
        state = game.initial(**game.settings(_texts({**TREES[kind], **shape, "seed": seed})))
        seen = {
            name: _leaves_seen(game, state, find_algorithm(name), branching, depth)
            for name in (ALPHABETA, *TWINS, *TWINS.values())
        }
        found.append(
            {
                "value": {name: value for name, (value, _) in seen.items()},
                "visits": {name: sum(each.values()) for name, (_, each) in seen.items()},
                "distinct": {name: len(each) for name, (_, each) in seen.items()},
                "same": {
                    one: seen[one][1].keys() == seen[two][1].keys() for one, two in TWINS.items()
                },
                "within alphabeta": {
                    one: seen[one][1].keys() <= seen[ALPHABETA][1].keys() for one in TWINS
                },
            }
        )
    return Measured({"trees": found})


def _leaves_seen(
    game: GameSpec, state: State, algorithm: Algorithm, branching: int, depth: int
) -> tuple[int, dict[int, int]]:
    """The value, and how often each leaf was visited, by its place from left to right."""
    marks = Marks(Slab(branching**depth))
    setup = Setup(algorithm, Zero(), marks, memory_bytes=TREE_BYTES)  # type: ignore[arg-type]
    with Workshop(game, setup, None, None) as workshop:
        parts = workshop.parts(state, depth, MOST_NODES)
        value = _value(Rival(algorithm), state, setup.evaluator, depth, 0, parts)
    return value, {place: times for place, times in enumerate(marks.visits.array.tolist()) if times}


def tree_cells(p: FamilyParameters) -> list[Cell]:
    seeds = range(p.seed, p.seed + p.trees)
    return [
        Cell.of(
            compare_leaves, kind=kind, branching=branching, depth=p.tree_depth, seeds=list(part)
        )
        for kind in TREES
        for branching in (2, BRANCHING - 1)
        for part in in_parts(seeds, TREES_IN_A_CELL)
    ]


# ------------------------------------------------------------------ all


def all_cells(p: FamilyParameters) -> list[Cell]:
    """Those that take longest first: comparisons, then the deepest portraits."""
    portraits = [*portrait_cells(p), *kalah_cells(p)]
    portraits.sort(key=lambda cell: cell.arguments["depth"], reverse=True)
    return [*deepening_cells(p), *portraits, *tree_cells(p)]


# ------------------------------------------------------------------ common to the tasks


def _value(rival: Rival, state: State, judge: Any, depth: int, guess: int, parts: Parts) -> int:
    """Call the algorithm itself: completing its line of moves would visit more leaves."""
    algorithm = rival.algorithm
    kernel: Any = algorithm.kernel
    if algorithm is ASPNS:
        return int(kernel(state, judge, depth, guess, rival.half_window, parts))
    if algorithm.call == "window":
        return int(kernel(state, judge, depth, -INFINITY, INFINITY, parts))
    if algorithm.call == "guess":
        return int(kernel(state, judge, depth, guess, parts))
    if algorithm.call == "plain":
        return int(kernel(state, judge, depth, parts))
    if algorithm.call == "first":
        value = int(kernel(state, judge, depth, parts))
        return value if side(state) == FIRST else -value
    room = OPEN_BYTES // (8 * sss.NUMBERS_PER_NODE)
    memory = Slab(sss.HEADER + room * sss.NUMBERS_PER_NODE)
    memory[sss.ROOM] = room
    value = int(kernel(state, judge, depth, algorithm.maximise, memory, parts))
    assert value != sss.OUT_OF_MEMORY
    return value


def _state(game: GameSpec, position: Position) -> State:
    start = game.initial(**game.settings(_texts(position["settings"])))
    return game.replay(start, game.parse_moves(start, position["moves"]))


def _texts(settings: Position) -> dict[str, str]:
    return {name: str(value) for name, value in settings.items()}


def _setup(game: GameSpec, state: State, evaluator: str | None, order: str) -> Setup:
    judge = find_evaluator(evaluator, state).make()
    finish = AsScored() if game.is_scored else ByMargin()
    return Setup(find_algorithm(ALPHABETA), judge, finish, order)
