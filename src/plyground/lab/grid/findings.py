"""What a grid measured, as a frame, and sums over it.

A row is what was seen of one player in one cell, beside the game, the point of the grid and the
position to which the cell belongs; a cell that a point does not change is there at each. Sums are
over positions or openings, never over points; comparisons are position by position. Knows no
report.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from statistics import median as middle
from typing import Any, Literal

import polars as pl

from plyground.core.records import ON_THE_BOARD
from plyground.games.position import BasePosition
from plyground.lab.frames import Measurements, Row, frame_of
from plyground.lab.grid.design import Design, Measure, written
from plyground.lab.spec import Measured, Parameters, digest_of
from plyground.lab.statistics import Estimate, mean, mean_share, median, ratio
from plyground.lab.tasks import play_games, search_position
from plyground.search.parts import COUNTERS

COUNTED = (*COUNTERS, "deepest")
QUANTITIES: dict[Measure, tuple[str, ...]] = {
    "search": (*COUNTED, "reached", "value", "time"),
    "match": ("points", "nodes", "time", "plies"),
}
COSTS = (*(name for name in COUNTERS if name not in ("cutoffs", "first_cutoffs", "hits")), "time")
"""What one wants less of, and compares as a ratio."""
KEYS = ("place", "texts", "position", "moves", "seat")
"""By which a cell is found."""
INSIDE = ("cell", "place", "texts", "seat", "promise", "changes", "time")
TAKEN = {"game", "games", "player", "against", "number", "seconds", "found", "low", "high"}
TAKEN |= {*KEYS, *INSIDE}
TAKEN |= {name for names in QUANTITIES.values() for name in names}
MS = 1000.0

Average = Literal["median", "mean"]


def column_of(name: str) -> str:
    """The column of a name of the grid: `depth`, but `{nodes}` beside the nodes that were found."""
    return f"{{{name}}}" if name in TAKEN else name


# ---------------------------------------------------------------------- frames


def measured_frame(design: Design, parameters: Parameters, run: Measurements) -> pl.DataFrame:
    """A row for each search, or for each player of a pair of games, as users see it.

    Values of the grid that did not change what was measured are empty.
    """
    rows = observed(design, parameters, run)
    if rows.is_empty():
        return rows
    values = [
        pl.when(pl.col("changes").list.contains(name)).then(pl.col(column_of(name)))
        for name in design.grid
    ]
    who = [name for name in ("player", "against", "game") if name in rows.columns]
    rows = rows.with_columns(values).unique([*who, "number", "cell"], maintain_order=True)
    return rows.select(*who, pl.exclude(*who, *INSIDE))


def observed(design: Design, parameters: Parameters, run: Measurements) -> pl.DataFrame:
    """What was seen of each player at each point of the grid, in the order of the design."""
    seen = frame_of(list(_searched(run) if design.measure == "search" else _played(run)))
    if seen.is_empty():
        return seen
    return frame_of(list(_asked(design, parameters))).join(
        seen, on=KEYS, how="inner", maintain_order="left"
    )


def _asked(design: Design, parameters: Parameters) -> Iterator[Row]:
    """Who was asked at which point, from which position, and against whom."""
    seats = 1 if design.measure == "search" else 2
    for game, point, place in design.everywhere(parameters):
        players = [design.checked(each, game, point, place) for each in design.players]
        values = {
            column_of(name): written(value) if isinstance(value, bool) else value
            for name in design.grid
            for value in [point.get(name)]
        }
        key = digest_of([game.game, place.settings])
        for who in itertools.permutations(range(len(players)), seats):
            asked = [design.players[each] for each in who]
            seat = {
                "game": game.label,
                **values,
                **dict(zip(("player", "against"), (each.label for each in asked), strict=False)),
                "place": key,
                "texts": "\n".join(players[each].text for each in sorted(who)),
                "seat": int(who[0] > who[-1]),
                "promise": players[who[0]].same_value,
                "changes": [*game.blanks, *(name for each in asked for name in each.blanks)],
            }
            for number, opening in enumerate(place.openings, start=1):
                begin = {"position": opening.position or "", "moves": opening.moves}
                yield {**seat, "number": number, **begin}


def _searched(run: Measurements) -> Iterator[Row]:
    for cell, (given, found) in enumerate(run.of(search_position)):
        time_s = middle(found.times_s["search"])
        yield {
            **_keys(given, [given["player"]], given["moves"], 0),
            "cell": cell,
            "value": found.answer["value"],
            "reached": found.answer["depth"],
            **{name: found.answer[name] for name in COUNTED},
            "time": MS * time_s,
            "seconds": time_s,
        }


def _played(run: Measurements) -> Iterator[Row]:
    for cell, (given, found) in enumerate(run.of(play_games)):
        for seat, numbers in enumerate(numbers_of_pair(given, found)):
            keys = _keys(given, given["players"], given["opening"], seat)
            yield {**keys, "cell": cell, **numbers}


def _keys(given: Mapping[str, Any], players: Sequence[str], moves: str, seat: int) -> Row:
    place = digest_of([given["game"], given["settings"]])
    return dict(
        zip(KEYS, (place, "\n".join(players), given["position"] or "", moves, seat), strict=True)
    )


def numbers_of_pair(given: Mapping[str, Any], found: Measured) -> list[dict[str, float]]:
    """What both players made of two games; moves of the opening are nobody's."""
    begun = len(given["opening"].split(";")) if given["opening"] else 0
    nodes: tuple[list[float], list[float]] = ([], [])
    times: tuple[list[float], list[float]] = ([], [])
    for number, (game, spent) in enumerate(
        zip(found.answer["games"], found.times_s.values(), strict=True)
    ):
        begin = BasePosition.begin(given["game"], given["settings"], given["position"])
        # Some games let a side move twice.
        movers = [each.mover for each in begin.play_all(game["moves"]).path[:-1]]
        told = list(zip(movers, game["nodes"], spent, strict=True))
        for mover, visited, time_s in told[begun:]:
            nodes[mover ^ number].append(visited)
            times[mover ^ number].append(time_s)
    first = sum(found.answer["points"]) / 2
    plies = fmean(len(game["moves"]) for game in found.answer["games"])
    seconds = [fmean(each) if each else 0.0 for each in times]
    return [
        {
            "points": points,
            "plies": plies,
            "nodes": fmean(nodes[seat]) if nodes[seat] else 0.0,
            "time": MS * seconds[seat],
            "seconds": seconds[seat],
        }
        for seat, points in enumerate((first, 1 - first))
    ]


def forfeits(run: Measurements) -> list[str]:
    """Why games were lost other than on the board."""
    games = [game for _, found in run.of(play_games) for game in found.answer["games"]]
    return [game["reason"] for game in games if game["ended"] not in ON_THE_BOARD]


# ---------------------------------------------------------------------- sums


def sum_up(rows: pl.DataFrame, quantity: str, average: Average = "median") -> Estimate:
    """The median or mean of a quantity; of points, their share."""
    values = rows[quantity].to_list()
    if quantity == "points":
        return mean_share(values)
    found = (mean if average == "mean" or len(values) < 2 else median)(values)
    return Estimate(float(found.value), float(found.low), float(found.high))


def factor(rows: pl.DataFrame, quantity: str, one: str, other: str) -> Estimate | None:
    """How many times as much the first of two players needed, position by position."""
    mine, theirs = (
        rows.filter(pl.col("player") == player).select("number", quantity)
        for player in (one, other)
    )
    pairs = mine.join(theirs, on="number").drop("number")
    found = ratio(pairs.iter_rows())
    return None if math.isnan(found.value) else found


def compared_values(rows: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Where exact searches could be compared: the players with their values, and if they differ."""
    if "value" not in rows.columns:  # of games
        rows = rows.clear().with_columns(value=pl.lit(0))
    together = rows.filter(pl.col("promise").is_not_null()).group_by(
        "game", *names, "number", "promise", maintain_order=True
    )
    return (
        together.agg(
            "player",
            "value",
            cells=pl.col("cell").n_unique(),
            differ=pl.col("value").n_unique() > 1,
        )
        .filter(pl.col("cells") > 1)
        .drop("promise", "cells")
    )
