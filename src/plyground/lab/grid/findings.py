"""What a grid measured, as a frame, and sums over it.

A row is what was seen of one player in one cell, beside the game, the point of the grid and the
position to which the cell belongs; a cell that a point does not change is there at each. Sums are
over positions or openings, never over points; comparisons are position by position. Knows no
report.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import fmean
from statistics import median as middle
from typing import Any

import polars as pl

from plyground.core.records import ON_THE_BOARD
from plyground.games.position import BasePosition
from plyground.lab.frames import Measurements, Row, by, frame_of
from plyground.lab.grid.design import COUNTED, INSIDE, Design, column_of
from plyground.lab.grid.schema import Average
from plyground.lab.spec import Measured, Parameters
from plyground.lab.statistics import Estimate, mean, mean_share, median, ratio
from plyground.lab.tasks import play_games
from plyground.search.parts import COUNTERS

COSTS = (*(name for name in COUNTERS if name not in ("cutoffs", "first_cutoffs", "hits")), "time")
"""What one wants less of, and compares as a ratio."""
MS = 1000.0


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
    numbers = _numbers_of_search if design.measure == "search" else _numbers_of_pair
    seen = {cell.key: numbers(cell.arguments, found) for cell, found in run}
    asked = ((row, cell.key) for cell, row in design.asked(parameters))
    return frame_of(
        [row | {"cell": key} | seen[key][row["seat"]] for row, key in asked if key in seen]
    )


def _numbers_of_search(given: Mapping[str, Any], found: Measured) -> list[Row]:
    time_s = middle(found.times_s["search"])
    return [
        {
            "value": found.answer["value"],
            "reached": found.answer["depth"],
            **{name: found.answer[name] for name in COUNTED},
            "time": MS * time_s,
            "seconds": time_s,
        }
    ]


def _numbers_of_pair(given: Mapping[str, Any], found: Measured) -> list[Row]:
    """What both players made of two games; moves of the opening are nobody's."""
    begun = len(given["opening"].split(";")) if given["opening"] else 0
    begin = BasePosition.begin(given["game"], given["settings"], given["position"])
    games = found.answer["games"]
    spent: list[tuple[int, int, float]] = []  # by whom, nodes, seconds
    for number, (game, times_s) in enumerate(zip(games, found.times_s.values(), strict=True)):
        # Some games let a side move twice.
        movers = [each.mover ^ number for each in begin.play_all(game["moves"]).path[:-1]]
        spent += list(zip(movers, game["nodes"], times_s, strict=True))[begun:]
    first = sum(found.answer["points"]) / 2
    rows = []
    for seat, points in enumerate((first, 1 - first)):
        own = [(nodes, time_s) for mover, nodes, time_s in spent if mover == seat] or [(0, 0.0)]
        nodes, seconds = map(fmean, zip(*own, strict=True))
        plies = fmean(len(game["moves"]) for game in games)
        effort = {"nodes": nodes, "time": MS * seconds, "seconds": seconds}
        rows.append({"points": points, "plies": plies, **effort})
    return rows


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


def factors(rows: pl.DataFrame, quantity: str, first: str, *names: str) -> pl.DataFrame:
    """How many times as much as the first each other player needed, position by position."""

    def factor(pairs: pl.DataFrame) -> Estimate | None:
        known = ratio(pairs.select(quantity, "found").iter_rows())
        return None if math.isnan(known.value) else known

    beside = [*names, "number"]
    theirs = rows.filter(player=first).select(*beside, found=quantity)
    others = rows.filter(pl.col("player") != first)
    pairs = others.join(theirs, on=beside, maintain_order="left")
    return by(pairs, *names, "place", "player", found=factor)


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
