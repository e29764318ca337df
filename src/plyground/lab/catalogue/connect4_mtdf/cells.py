"""What is asked and what is measured: the parameters of the experiment, and its cells.

Each group of cells is a dictionary, so that the report finds a cell by the name it was made under.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import Field, field_validator

from plyground.lab import spec
from plyground.lab.catalogue.connect4_mtdf import precomputed, tasks
from plyground.lab.spec import Cell
from plyground.lab.tasks import openings

STUDY_DEPTHS = range(5, 11)
Name = Literal[
    "alphabeta",
    "falphabeta",
    "palphabeta",
    "scout",
    "negascout",
    "aspiration",
    "abmemory",
    "mtdf",
    "mtd-bi",
    "mtd-step",
    "mt-sss",
    "mt-dual",
    "sss",
    "dual",
]
ALGORITHMS: tuple[Name, ...] = get_args(Name)
NEEDED: tuple[Name, ...] = ("alphabeta", "negascout", "abmemory", "mtdf")
BETTER = "threats"
"""The evaluator that answers the study's second recommendation."""

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "abmemory, no reflection": {"algorithm": "abmemory", "reflection": False},
    "mtdf, no reflection": {"algorithm": "mtdf", "reflection": False},
    "alphabeta, left to right": {"algorithm": "alphabeta", "order": "natural"},
    "mtdf, left to right": {"algorithm": "mtdf", "order": "natural"},
    "mtdf, f = its last value": {"algorithm": "mtdf", "guess": "last"},
    "mtdf, f = the value": {"algorithm": "mtdf", "guess": "value"},
    "alphabeta, better evaluator": {"algorithm": "alphabeta", "evaluator": BETTER},
    "mtdf, better evaluator": {"algorithm": "mtdf", "evaluator": BETTER},
}
READINGS: Mapping[str, Mapping[str, Any]] = {
    "cells by their lines, not columns": {"order": "cells"},
    "searching on after a win": {"wins": "equal"},
    "the nearest win first": {"wins": "nearest"},
    "f = the last value": {"guess": "last"},
    "f = the value one ply shallower": {"guess": "deepening"},
    "no reflection": {"reflection": False},
    "the table's move first": {"table_move": True},
}

BEYOND_REPETITIONS = 3  # of times at depths that the study did not reach
COMPARED_REPETITIONS = 5  # of times of other algorithms, over all positions of a game
SLOW = ("sss", "dual")
DUELS_IN_A_CELL, POSITIONS_IN_A_CELL = 10, 15
MIDDLE_COLUMN = 3
SOLVED_PLIES = 18  # fewer take minutes to solve without a better solver
EVALUATED, ROUNDS, INTERPRETED = 400, 200, 40
SEED = 2017


class Parameters(spec.Parameters):
    """What can be set."""

    shallowest: int = Field(5, ge=2, le=10, description="the least depth; the study's is 5")
    deepest: int = Field(12, ge=2, le=13, description="of the games; the study ends at 10")
    compared: int = Field(10, ge=2, le=12, description="deepest search of all the algorithms")
    repetitions: int = Field(10, ge=2, le=1000, description="of each timed search in a game")
    algorithms: tuple[Name, ...] = Field(ALGORITHMS, description="what takes MTD(f)'s place")
    readings: bool = Field(True, description="also play under other readings of the study")
    pairs: int = Field(100, ge=1, le=2000, description="of games between evaluators, per depth")
    solved: int = Field(300, ge=1, le=5000, description="positions to judge evaluators by")
    speeds: bool = Field(True, description="also time evaluators inside whole searches")

    @field_validator("algorithms")
    @classmethod
    def _with_those_needed(cls, names: tuple[Name, ...]) -> tuple[Name, ...]:
        """The report compares with these; each is asked once."""
        return tuple(name for name in ALGORITHMS if name in (*NEEDED, *names))

    @property
    def depths(self) -> range:
        return range(self.shallowest, max(self.shallowest, self.deepest) + 1)

    @property
    def compared_depths(self) -> range:
        return range(self.shallowest, max(self.shallowest, self.compared) + 1)

    @property
    def searching_depth(self) -> int:
        """At which evaluators are timed inside searches; one less, since there are five of them."""
        return max(self.shallowest, self.compared - 1)

    @property
    def judged_depths(self) -> list[int]:
        """The depths at which evaluators meet: the study's first four, as far as they go."""
        return [depth for depth in self.compared_depths if depth <= self.shallowest + 3]


QUICK = {
    "deepest": 8,
    "compared": 8,
    "algorithms": NEEDED,
    "repetitions": 3,
    "readings": False,
    "pairs": 6,
    "solved": 6,
    "speeds": False,
}


def game_cells(p: Parameters, evaluator: str = "segments") -> dict[tuple[int, str], Cell]:
    """The study's games, by depth and who moves first."""
    last = p.deepest if evaluator == "segments" else p.compared
    return {
        (depth, first): Cell.of(
            tasks.play_game,
            depth=depth,
            first=first,
            evaluator=evaluator,
            repetitions=p.repetitions
            if depth in STUDY_DEPTHS
            else min(p.repetitions, BEYOND_REPETITIONS),
        )
        for depth in p.depths
        for first in ("X", "O")
        if depth <= last
    }


def reading_cells(p: Parameters) -> dict[tuple[str, int, str], Cell]:
    """The same games under other readings, by reading, depth and who moves first."""
    if not p.readings:
        return {}
    return {
        (name, depth, first): Cell.of(tasks.play_game, depth=depth, first=first, reading=reading)
        for name, reading in READINGS.items()
        for depth in p.compared_depths
        if depth in STUDY_DEPTHS and depth in p.depths
        for first in ("X", "O")
    }


def comparison_cells(p: Parameters) -> dict[tuple[int, str], Cell]:
    """All positions of the games, by depth and what searches them."""
    searches = {name: {"algorithm": name} for name in p.algorithms} | dict(VARIANTS)
    return {
        (depth, name): Cell.of(
            tasks.search_positions,
            depth=depth,
            repetitions=_comparison_repetitions(p, depth, name),
            **arguments,
        )
        for depth in p.compared_depths
        for name, arguments in searches.items()
    }


def _comparison_repetitions(p: Parameters, depth: int, name: str) -> int:
    """Only the deepest searches of algorithms are timed: calls would blur the times of others."""
    if depth != p.compared_depths[-1] or name not in p.algorithms:
        return 0
    return 1 if name in SLOW else min(p.repetitions, COMPARED_REPETITIONS)


def deepening_cells(p: Parameters) -> dict[int, Cell]:
    return {depth: Cell.of(tasks.deepen_positions, depth=depth) for depth in p.compared_depths}


def opening_cells(p: Parameters) -> dict[tuple[int, int], Cell]:
    """Games after each opening of two moves, by depth and first column."""
    return {
        (depth, column): Cell.of(tasks.play_openings, depth=depth, column=column)
        for depth in p.compared_depths
        for column in range(MIDDLE_COLUMN + 1)
    }


def duel_cells(p: Parameters) -> dict[tuple[int, int], Cell]:
    """Games between two evaluators, by depth and number."""
    chosen = openings("connect4", 4, p.pairs, SEED)
    return {
        (depth, number): Cell.of(
            tasks.duels,
            depth=depth,
            chosen=chosen[number : number + DUELS_IN_A_CELL],
            evaluators=[BETTER, "segments"],
        )
        for depth in p.judged_depths
        for number in range(0, len(chosen), DUELS_IN_A_CELL)
    }


def judgement_cells(p: Parameters) -> list[Cell]:
    """Solved positions, in batches; each batch has its own random numbers."""
    return [
        Cell.of(
            tasks.judge_moves,
            plies=SOLVED_PLIES,
            count=min(POSITIONS_IN_A_CELL, p.solved - number),
            seed=SEED + number,
            depths=p.judged_depths,
            evaluators=[BETTER, "segments"],
        )
        for number in range(0, p.solved, POSITIONS_IN_A_CELL)
    ]


def speed_cells(p: Parameters) -> dict[str, Cell]:
    """How fast each way to evaluate is: compiled, interpreted, and inside searches."""
    times = {"repetitions": p.repetitions, "seed": SEED}
    cells = {
        "compiled": Cell.of(tasks.time_evaluations, count=EVALUATED, rounds=ROUNDS, **times),
        "interpreted": Cell.of(tasks.time_interpreted, count=INTERPRETED, **times),
    }
    if p.speeds:
        cells["searching"] = Cell.of(
            tasks.time_searches,
            depth=p.searching_depth,
            ways=list(precomputed.COMPILED),
            repetitions=min(p.repetitions, COMPARED_REPETITIONS),
        )
    return cells


def all_cells(p: Parameters) -> Sequence[Cell]:
    """All of them, those that take longest first."""
    groups: list[Mapping[Any, Cell]] = [
        game_cells(p),
        game_cells(p, BETTER),
        comparison_cells(p),
        opening_cells(p),
        deepening_cells(p),
        reading_cells(p),
        duel_cells(p),
    ]
    found = [cell for group in groups for cell in group.values()]
    found.sort(key=lambda cell: (cell.arguments.get("algorithm") in SLOW, cell.arguments["depth"]))
    return [*speed_cells(p).values(), *reversed(found), *judgement_cells(p)]
