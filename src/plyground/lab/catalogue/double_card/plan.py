"""The parameters, and what is measured for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from plyground.lab.catalogue.double_card.tasks import (
    FIRST,
    GAME,
    PLIES,
    SECOND,
    order_position,
    play_match,
    replay_table,
    search_games,
    time_heuristics,
)
from plyground.lab.published_data import published
from plyground.lab.spec import Cell, Parameters
from plyground.lab.tasks import openings

ROWS = 12
OPENING_PLIES = 2  # nobody can win with his next move yet
DIFFERENT = 150  # openings of two plies, of little more than two hundred; then they come again
PAIRS_PER_CELL = 5
TABLES = {  # of the report: the heuristic and the goal of the machine, which moves first
    "table 2": (FIRST, "dots"),
    "table 3": (SECOND, "colour"),
    "table 4": (FIRST, "colour"),
    "table 5": (SECOND, "colour"),
}


class DoubleCardParameters(Parameters):
    """What can be set."""

    searched_pairs: int = Field(
        200, ge=5, le=10_000, description="pairs of games whose positions are searched and timed"
    )
    match_pairs: int = Field(
        300, ge=2, le=100_000, description="pairs of games of the heuristics at each depth"
    )
    match_depth: int = Field(
        3, ge=PLIES, le=4, description="plies that the heuristics look ahead, from 1 to this"
    )
    ordered_positions: int = Field(
        40, ge=2, le=1000, description="positions searched in every order of moves"
    )
    order_depth: int = Field(4, ge=PLIES, le=4, description="plies of those searches, from 2")
    repetitions: int = Field(5, ge=1, le=101, description="times each search is timed")
    seed: int = Field(1, ge=0, le=2**32, description="of the random openings")


QUICK = {
    "searched_pairs": 5,
    "match_pairs": 5,
    "ordered_positions": 2,
    "order_depth": 3,
    "repetitions": 3,
}


def cells(parameters: DoubleCardParameters) -> list[Cell]:
    """The longest first: minimax to four plies takes seconds for a position."""
    most = max(parameters.searched_pairs, parameters.match_pairs, parameters.ordered_positions)
    known = openings(GAME, OPENING_PLIES, min(most, DIFFERENT), parameters.seed)
    found = [
        Cell.of(
            order_position,
            opening=known[number % len(known)],
            number=number,
            deepest=parameters.order_depth,
            repetitions=parameters.repetitions,
        )
        for number in range(parameters.ordered_positions)
    ]
    for depth in range(parameters.match_depth, 0, -1):
        for number, some in batches(known, parameters.match_pairs):
            found.append(Cell.of(play_match, depth=depth, openings=some, number=number))
    for task in (search_games, time_heuristics):
        for number, some in batches(known, parameters.searched_pairs):
            found.append(
                Cell.of(task, openings=some, number=number, repetitions=parameters.repetitions)
            )
    return found + [table_cell(name) for name in TABLES]


def batches(known: Sequence[str], count: int) -> Iterator[tuple[int, list[str]]]:
    """So many openings in a few at a time, with the number of the first."""
    for number in range(0, count, PAIRS_PER_CELL):
        last = min(count, number + PAIRS_PER_CELL)
        yield number, [known[place % len(known)] for place in range(number, last)]


def table_cell(name: str) -> Cell:
    """The decisions of a printed table."""
    heuristic, goal = TABLES[name]
    moves = [str(row[1] or row[2]) for row in published("huang_li").tables[name].rows]
    return Cell.of(
        replay_table, heuristic=heuristic, first_goal=goal, moves=moves, listed=listed(name)
    )


def listed(name: str) -> list[str]:
    """The moves whose values stand in a printed table, in their order."""
    table = published("huang_li").tables.get(f"{name}, values")
    return [
        f"0 {card} {chr(ord('A') + int(str(column)))} {ROWS - int(str(row))}"
        for _, row, column, card in (table.rows if table else ())
    ]
