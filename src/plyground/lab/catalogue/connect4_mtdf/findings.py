"""What was measured, brought together: one record that tables, charts and claims are made from.

Knows no sentence and no layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from plyground.lab.catalogue.connect4_mtdf import cells as asked
from plyground.lab.catalogue.connect4_mtdf.cells import BETTER, Parameters
from plyground.lab.spec import Results


@dataclass(frozen=True)
class Game:
    """One of the study's games."""

    depth: int
    first: str
    """Who moved first, X (alpha-beta) or O (MTD(f))."""
    result: str
    """X, O or draw."""
    moves: str
    x: Mapping[str, int]
    o: Mapping[str, int]
    """Counts of each player, over all its moves."""
    x_times_s: Sequence[float] = ()
    o_times_s: Sequence[float] = ()
    """Mean time of a move, for each repetition."""


@dataclass(frozen=True)
class Depth:
    """The two games of a depth, averaged as in the study's table."""

    depth: int
    x_leaves: float
    o_leaves: float
    passes: float
    results: Mapping[str, int]
    """How many games X won, O won and were drawn."""
    first_mover_won: int = 0
    second_mover_won: int = 0
    x_times_s: Sequence[float] = ()
    o_times_s: Sequence[float] = ()
    x_moves: float = 0.0

    @property
    def fewer(self) -> float:
        """The share of leaves that MTD(f) saves."""
        return 1 - self.o_leaves / self.x_leaves

    @property
    def faster(self) -> float:
        """The share of time that MTD(f) saves."""
        return 1 - median(self.o_times_s) / median(self.x_times_s)


@dataclass(frozen=True)
class Searches:
    """The same positions, searched in one way."""

    values: Sequence[int]
    leaves: Sequence[int]
    nodes: Sequence[int]
    passes: Sequence[int]
    moves: Sequence[int] = ()
    times_s: Sequence[float] = ()
    """Of all positions together, for each repetition."""
    alphabeta_times_s: Sequence[float] = ()
    """Of alpha-beta on the same positions, taken in turns."""

    @property
    def all_leaves(self) -> int:
        return sum(self.leaves)


@dataclass(frozen=True)
class Findings:
    """All that was measured."""

    games: Sequence[Game]
    depths: Mapping[int, Depth]
    better: Mapping[int, Depth] = field(default_factory=dict)
    """The same games with the better evaluator."""
    readings: Mapping[str, Mapping[int, Depth]] = field(default_factory=dict)
    searches: Mapping[int, Mapping[str, Searches]] = field(default_factory=dict)
    """By depth and by what searched; what ran out of memory is missing."""
    deepened: Mapping[int, Searches] = field(default_factory=dict)
    openings: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """By depth: games that the first and the second to move won, and draws."""
    duels: Mapping[int, Sequence[float]] = field(default_factory=dict)
    """By depth: points of the better evaluator in each pair of games."""
    judged: Mapping[int, int] = field(default_factory=dict)
    """By depth: solved positions where the move matters and no forced win or loss is in sight."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """By evaluator and depth, as in `threats 5`: how often the outcome was kept."""
    compiled_s: Mapping[str, Sequence[float]] = field(default_factory=dict)
    interpreted_s: Mapping[str, Sequence[float]] = field(default_factory=dict)
    searching_s: Mapping[str, Sequence[float]] = field(default_factory=dict)
    searching_depth: int = 0
    same_values: bool = True
    """Whether all ways to evaluate gave the same values."""

    @property
    def deepest_compared(self) -> int:
        return max(self.searches)


def gather(p: Parameters, results: Results) -> Findings:
    """Everything, from the cells that were measured."""
    games = _games(asked.game_cells(p), results)
    judged = [results[cell].answer for cell in asked.judgement_cells(p)]
    speeds = {name: results[cell] for name, cell in asked.speed_cells(p).items()}
    sums = [set(each.answer["sums"].values()) for each in speeds.values()]
    return Findings(
        games=games,
        depths=by_depth(games),
        better=by_depth(_games(asked.game_cells(p, BETTER), results)),
        readings=_readings(p, results),
        searches=_searches(p, results),
        deepened={d: _search(results[cell]) for d, cell in asked.deepening_cells(p).items()},
        openings=_openings(p, results),
        duels=_duels(p, results),
        judged={d: sum(each["judged"][str(d)] for each in judged) for d in p.judged_depths},
        kept={name: sum(each["kept"][name] for each in judged) for name in judged[0]["kept"]},
        compiled_s=speeds["compiled"].times_s,
        interpreted_s=speeds["interpreted"].times_s,
        searching_s=speeds["searching"].times_s if "searching" in speeds else {},
        searching_depth=p.searching_depth,
        same_values=all(len(each) == 1 for each in sums),
    )


def by_depth(games: Sequence[Game]) -> dict[int, Depth]:
    """The average of the two games of each depth."""
    return {
        depth: _averaged(depth, [game for game in games if game.depth == depth])
        for depth in sorted({game.depth for game in games})
    }


def _averaged(depth: int, games: Sequence[Game]) -> Depth:
    count = len(games)
    return Depth(
        depth,
        x_leaves=sum(game.x["leaves"] for game in games) / count,
        o_leaves=sum(game.o["leaves"] for game in games) / count,
        passes=sum(game.o["passes"] for game in games) / count,
        results={who: sum(game.result == who for game in games) for who in ("X", "O", "draw")},
        first_mover_won=sum(game.result == game.first for game in games),
        second_mover_won=sum(game.result not in (game.first, "draw") for game in games),
        x_times_s=[
            sum(each) / count for each in zip(*[game.x_times_s for game in games], strict=True)
        ],
        o_times_s=[
            sum(each) / count for each in zip(*[game.o_times_s for game in games], strict=True)
        ],
        x_moves=sum(game.x["moves"] for game in games) / count,
    )


def _games(cells: Mapping[tuple[int, str], Any], results: Results) -> list[Game]:
    found = []
    for (depth, first), cell in cells.items():
        measured = results[cell]
        answer, times = measured.answer, measured.times_s
        found.append(
            Game(
                depth,
                first,
                answer["result"],
                answer["moves"],
                answer["X"],
                answer["O"],
                times.get("X", ()),
                times.get("O", ()),
            )
        )
    return found


def _readings(p: Parameters, results: Results) -> dict[str, dict[int, Depth]]:
    found: dict[str, dict[tuple[int, str], Any]] = {}
    for (name, depth, first), cell in asked.reading_cells(p).items():
        found.setdefault(name, {})[depth, first] = cell
    return {name: by_depth(_games(cells, results)) for name, cells in found.items()}


def _searches(p: Parameters, results: Results) -> dict[int, dict[str, Searches]]:
    found: dict[int, dict[str, Searches]] = {}
    for (depth, name), cell in asked.comparison_cells(p).items():
        if not results[cell].answer["out_of_memory"]:
            found.setdefault(depth, {})[name] = _search(results[cell])
    return found


def _search(measured: Any) -> Searches:
    answer, times = measured.answer, measured.times_s
    return Searches(
        answer["values"],
        answer["leaves"],
        answer["nodes"],
        answer["passes"],
        answer.get("moves", ()),
        times.get("search", ()),
        times.get("alphabeta", ()),
    )


def _openings(p: Parameters, results: Results) -> dict[int, dict[str, int]]:
    found = {depth: {"first": 0, "second": 0, "draw": 0} for depth in p.compared_depths}
    for (depth, _), cell in asked.opening_cells(p).items():
        for winner in results[cell].answer["results"].values():
            found[depth][winner] += 1
    return found


def _duels(p: Parameters, results: Results) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {depth: [] for depth in p.judged_depths}
    for (depth, _), cell in asked.duel_cells(p).items():
        found[depth] += results[cell].answer["points"]
    return found
