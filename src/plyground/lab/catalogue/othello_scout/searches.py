"""Figures 5 and 6: nodes and time of one move, with SCOUT and with alpha-beta, at depth 8.

Measured at every position: both algorithms; the smallest trees that prove a value, with the study's
heuristic and with any; and EVAL and TEST as printed, understood in several ways. Alpha-beta's first
move is also searched with other heuristics, since the study prints no weights for its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.lab.catalogue.othello_scout.setting import (
    ALPHA_BETA,
    GAME,
    JUDGE,
    NAMES,
    SCOUT,
    Position,
    ScoutParameters,
    player,
    positions,
)
from plyground.lab.catalogue.othello_scout.trees import (
    MAX,
    MIN,
    Reading,
    fewest_nodes,
    fewest_nodes_of_all,
    visits_of,
)
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.tasks import search_position
from plyground.players.catalogue import make_machine
from plyground.players.searching import SearchPlayer
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES

KEPT = ("move", "value", "nodes", "leaves")
ONE_SIDE, IN_TURN = "as printed, one side moves", "as printed, sides in turn"
BOUNDED, CORRECT = "TEST with a bound on depth", "SCOUT, corrected"
MOST_VISITS = 100_000  # of a printed procedure; the corrected one is known to end
READINGS = {
    ONE_SIDE: (Reading(), MIN),
    IN_TURN: (Reading(takes_turns=1), MIN),
    BOUNDED: (Reading(has_bound=1, takes_turns=1), MIN),
    f"{ONE_SIDE}, for max": (Reading(), MAX),
    f"{IN_TURN}, for max": (Reading(takes_turns=1), MAX),
    f"{BOUNDED}, for max": (Reading(has_bound=1, takes_turns=1), MAX),
    CORRECT: (Reading(1, 1, 1, 1), MAX),
}
POSITIONS_PER_CELL = 3
FIRST_MOVES = {"Black": "", "White": "f5"}
OTHER_JUDGES = ("factors", "stages", "positional", "discs")

Rows = list[dict[str, Any]]
Spent = Mapping[str, list[list[float]]]
"""By algorithm: the seconds of each move, of each game."""


# ------------------------------------------------------------------ tasks


def search_moves(
    pair: int, which: int, depth: int, moves: int, repetitions: int, seed: int
) -> Measured:
    """The program's moves in a game: both algorithms, one after the other."""
    rows: Rows = []
    times: dict[str, list[float]] = {SCOUT: [], ALPHA_BETA: []}
    for at in positions(pair, which, depth, moves, seed):
        row: dict[str, Any] = {"move": at.move, "legal": len(_legal(at))}
        for algorithm, spent in times.items():
            found = search_position(
                GAME, player(algorithm, depth), moves=at.moves, repetitions=repetitions
            )
            row[algorithm] = {name: found.answer[name] for name in KEPT}
            spent.append(sorted(found.times_s["search"])[repetitions // 2])
        rows.append(row)
    return Measured({"moves": rows}, times)


def read_printed(pair: int, which: int, depth: int, moves: int, seed: int) -> Measured:
    """EVAL and TEST on the same positions, by reading; None where the limit was met."""
    rows: Rows = []
    for at in positions(pair, which, depth, moves, seed):
        judge = find_evaluator(JUDGE, at.state).make()
        row: dict[str, Any] = {"move": at.move}
        for name, (reading, asked) in READINGS.items():
            limit = MOST_NODES if name == CORRECT else MOST_VISITS
            found = visits_of(at.state, judge, reading, asked, depth, limit)
            row[name] = dict(found._asdict()) if found.is_complete else None
        rows.append(row)
    return Measured({"moves": rows})


def prove(pair: int, which: int, depth: int, moves: int, seed: int, places: list[int]) -> Measured:
    """The smallest trees at some of these positions."""
    rows: Rows = []
    for at in positions(pair, which, depth, moves, seed):
        if at.move in places:
            judge = find_evaluator(JUDGE, at.state).make()
            value = search_position(GAME, player(ALPHA_BETA, depth), moves=at.moves).answer["value"]
            row = {"move": at.move, "any": fewest_nodes_of_all(at.state, depth)}
            rows.append(row | {"own": fewest_nodes(at.state, depth, judge, value)})
    return Measured({"moves": rows})


def room_needed(depth: int) -> Measured:
    """The bytes that alpha-beta works in."""
    game = find_game(GAME)
    state = game.initial()
    searcher = make_machine(player(ALPHA_BETA, depth), game, state)
    assert isinstance(searcher, SearchPlayer)
    parts = Workshop(game, searcher.setup, None, None).parts(state, depth, MOST_NODES)
    slabs = (parts.moves, parts.ranks, parts.line, parts.counts)
    return Measured({"bytes": sum(int(slab.array.nbytes) for slab in slabs)})


def _legal(at: Position) -> list[int]:
    return find_game(GAME).legal(at.state)


# ------------------------------------------------------------------ cells


def cells(parameters: ScoutParameters) -> list[Cell]:
    """The smallest trees, which take longest, first."""
    seed, depth = parameters.seed, parameters.depth
    proved, chosen = min(parameters.proved_moves, parameters.moves), parameters.moves
    found = [
        Cell.of(
            prove,
            pair=pair,
            which=which,
            depth=depth,
            moves=chosen,
            seed=seed,
            places=list(range(first, min(first + POSITIONS_PER_CELL, proved + 1))),
        )
        for pair in range(min(parameters.proved_pairs, parameters.game_pairs))
        for first in reversed(range(1, proved + 1, POSITIONS_PER_CELL))
        for which in (0, 1)
    ]
    for pair in range(parameters.game_pairs):
        for which in (0, 1):
            game = {"pair": pair, "which": which, "depth": depth, "moves": chosen, "seed": seed}
            found.append(Cell.of(search_moves, repetitions=parameters.repetitions, **game))
            found.append(Cell.of(read_printed, **game))
    found += [
        Cell.of(search_position, game=GAME, player=player(ALPHA_BETA, depth, judge), moves=moves)
        for judge in OTHER_JUDGES
        for moves in FIRST_MOVES.values()
    ]
    return [*found, Cell.of(room_needed, depth=depth), Cell.of(room_needed, depth=2 * depth)]


# ------------------------------------------------------------------ results


def searched(results: Results) -> list[Rows]:
    """The moves of each game."""
    return [found.answer["moves"] for _, found in results.of(search_moves)]


def seconds(results: Results) -> Spent:
    games = [found.times_s for _, found in results.of(search_moves)]
    return {name: [list(times[name]) for times in games] for name in NAMES}


def readings(results: Results) -> Rows:
    """All positions, of all games."""
    return [row for _, found in results.of(read_printed) for row in found.answer["moves"]]


def proofs(results: Results) -> Rows:
    return [row for _, found in results.of(prove) for row in found.answer["moves"]]


def first_moves(results: Results, depth: int) -> dict[tuple[str, str], int]:
    """Alpha-beta's nodes at its first move, by heuristic and side."""
    return {
        (judge, who): found.answer["nodes"]
        for judge in OTHER_JUDGES
        for who, moves in FIRST_MOVES.items()
        for _, found in results.of(
            search_position, player=player(ALPHA_BETA, depth, judge), moves=moves
        )
    }


def rooms(results: Results) -> dict[int, int]:
    """The bytes by depth."""
    return {given["depth"]: found.answer["bytes"] for given, found in results.of(room_needed)}
