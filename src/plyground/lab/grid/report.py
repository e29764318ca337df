"""What the document of a grid shows, as frames made from what was measured.

A table has a row for each point of the grid and a column for each player; without a grid, a row for
each player. In a chart, whatever varies and is not along the axis tells lines, bars or points
apart. Knows no sentences: see `grid.md.j2`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plyground.core.errors import shorten
from plyground.lab.contests import estimates
from plyground.lab.frames import Measurements, by, estimate_type, frame_of
from plyground.lab.grid import findings as found
from plyground.lab.grid.design import Design, column_of, in_words, written
from plyground.lab.grid.schema import ChartEntry, GameEntry, TableEntry, Wanted
from plyground.lab.rendering.names import short_name
from plyground.lab.spec import Parameters
from plyground.lab.statistics import Estimate

USUAL = {"search": ("leaves", "time"), "match": ("points",)}
"""What is told if nothing is asked for."""
FEWEST = "leaves"  # what a summary compares
MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")
PLAYER, GAME, WHO = "player", "game", "which one"
ONE = Estimate(1, 1, 1)
EVERYWHERE = "at every point of the grid"


def shown(
    design: Design, wanted: Wanted, parameters: Parameters, run: Measurements
) -> Mapping[str, Any]:
    """All that the document needs, by the names it has there."""
    made = _Maker(design, parameters, run)
    compared = found.compared_values(made.rows, *made.names)
    drawn = dict.fromkeys((wish.y, wish.average) for wish in wanted.charts)
    usual = drawn or dict.fromkeys((name, "median") for name in USUAL[design.measure])
    return {
        "measure": design.measure,
        "games": [made.game(game) for game in design.games],
        "charts": wanted.charts,
        "tables": wanted.tables
        or [TableEntry.model_validate({"of": of, "average": average}) for of, average in usual],
        "costs": found.COSTS,
        "grid": design.grid,
        "names": made.called,
        "values": [*made.labels, "found"],
        "compared": len(compared),
        "differing": compared.filter("differ").drop("differ"),
        "players": frame_of([{PLAYER: each.label, "text": each.player} for each in design.players]),
        "clocked": made.clocked,
        "forfeits": found.forfeits(run),
        "drawn": made.drawn,
        "summed": made.summed,
        "factors": made.factors,
        "pairings": made.pairings,
        **{each.__name__: each for each in (plain, number, counted, shorten, short_name)},
    }


class _Maker:
    """Makes frames of what was seen in one run."""

    def __init__(self, design: Design, parameters: Parameters, run: Measurements) -> None:
        self.design, self.parameters = design, parameters
        self.rows = found.observed(design, parameters, run)
        self.labels = {str(place): each.label for place, each in enumerate(design.players)}
        """By the columns of tables: a label may be the name of another column."""
        self.names = [column_of(name) for name in design.grid]
        self.called = {**dict(zip(self.names, design.grid, strict=True)), **self.labels}
        self.clocked = [
            each.label
            for each in design.players
            if any(design.checked(each, at).is_clocked for at in design.everywhere(parameters))
        ]

    def game(self, game: GameEntry) -> Mapping[str, Any]:
        """What was seen in a game, and what is told of its last point, where depths are deepest."""
        rows = self.rows.filter(pl.col(GAME) == game.label)
        point = self.design.points(game, self.parameters)[-1]
        names = [column_of(name) for name in self.design.names_of(game)]
        last = rows.filter(pl.struct(names) == rows[-1][names].to_struct()) if names else rows
        place = self.design.place(game, point, self.parameters)
        is_search = self.design.measure == "search"
        counts = rows.group_by(*names, PLAYER).len()["len"]
        return {
            "label": game.label,
            "rows": rows,
            "names": names,
            "point": in_words(point),
            "ranking": self._fewest(last) if is_search else self._shares(last),
            "units": len(last.filter(pl.col(PLAYER) == self.labels["0"])),
            "positions": last.unique("number", maintain_order=True).select(
                "number", "position", "moves"
            ),
            "least": counts.min(),
            "most": counts.max(),
            "begins_with": in_words(point, game.blanks),
            "settings": ", ".join(f"{name}={written(v)}" for name, v in place.settings.items()),
        }

    # ------------------------------------------------------------------ who is best

    def _fewest(self, rows: pl.DataFrame) -> list[tuple[str, Estimate]]:
        """Who visited the fewest leaves, and how many times as many all others did."""
        sums = by(rows, PLAYER, found=lambda group: found.sum_up(group, FEWEST))
        leaves = {who: each for who, each in estimates(sums, PLAYER, "found").items() if each.value}
        if not leaves:
            return []

        def times(other: str) -> dict[str, Estimate]:
            known = found.factors(rows, FEWEST, other).drop_nulls("found")
            told = estimates(known, PLAYER, "found")
            return {other: ONE} | {who: told[who] for who in told if who in leaves}

        compared = times(next(iter(leaves)))
        best = min(compared, key=lambda who: compared[who].value)
        rivals = [each for each in times(best).items() if each[0] != best]
        return [(best, leaves[best]), *sorted(rivals, key=lambda each: each[1].value)]

    def _shares(self, rows: pl.DataFrame) -> list[tuple[str, Estimate]]:
        """Who took which share of the points, the best first."""
        shares = by(rows, PLAYER, points=lambda group: found.sum_up(group, "points"))
        return sorted(estimates(shares, PLAYER).items(), key=lambda each: -each[1].value)

    # ------------------------------------------------------------------ tables

    def summed(self, game: Mapping[str, Any], wish: TableEntry) -> pl.DataFrame:
        """What each player needed or took at each point."""
        sums = {"found": lambda group: found.sum_up(group, wish.of, wish.average)}
        return _wide(by(game["rows"], *game["names"], "place", PLAYER, **sums), game["names"])

    def factors(self, game: Mapping[str, Any], quantity: str) -> pl.DataFrame:
        """How many times as much as the first player each other needed."""
        first, names = self.labels["0"], game["names"]
        return _wide(found.factors(game["rows"], quantity, first, *names), names)

    def pairings(self, game: Mapping[str, Any]) -> pl.DataFrame:
        """What every two players made of each other."""
        return by(
            game["rows"].filter(seat=0),
            *(*game["names"], PLAYER, "against"),
            games=lambda group: 2 * len(group),
            found=lambda group: found.sum_up(group, "points"),
        )

    # ------------------------------------------------------------------ charts

    def drawn(self, wish: ChartEntry) -> tuple[pl.DataFrame, str, str, str]:
        """What a chart is drawn of: a frame, and its columns for both axes and for the legend."""
        x = column_of(wish.x) if wish.x in self.design.grid else wish.x
        rows = self.rows.filter(pl.col(x).is_not_null()).with_columns(self._label(wish))
        if wish.log_x and rows.schema[x].is_numeric():
            rows = rows.filter(pl.col(x) > 0)
        where = dict.fromkeys((GAME, x, WHO))
        rows = rows.unique([*where, "cell", "seat"], keep="first", maintain_order=True)
        if wish.kind == "points":
            return rows.select(*dict.fromkeys((*where, wish.y))), x, wish.y, WHO
        y = f"{wish.average} {wish.y}"
        sums = {y: lambda group: found.sum_up(group, wish.y, wish.average)}
        made = bare(by(rows, *where, **sums))
        is_itself = wish.kind == "bars" and x == PLAYER and (made[x] == made[WHO]).all()
        return made, x, y, x if is_itself else WHO

    def _label(self, wish: ChartEntry) -> pl.Expr:
        """Whatever else varies, what was asked for first."""
        names = [name for name in self.design.grid if len(getattr(self.parameters, name)) > 1]
        names = [name for name in (PLAYER, *names) if name != wish.x]
        words: list[pl.Expr] = []
        for name in sorted(names, key=lambda name: name != wish.series):
            column = pl.col(name if name == PLAYER else column_of(name))
            if name == PLAYER:
                words += [column] if len(self.labels) > 1 else []
                continue
            is_changed = pl.col("changes").list.contains(name)
            if self.design.measure == "match":  # what changes opponents changes results
                is_changed = column.is_not_null()
            words.append(pl.when(is_changed).then(pl.format(f"{name}={{}}", column)))
        usual = pl.lit(EVERYWHERE) if wish.x == PLAYER and self.names else pl.col(PLAYER)
        told = pl.concat_str([*words, pl.lit(None, pl.String)], separator=", ", ignore_nulls=True)
        return pl.when(told.str.len_chars() > 0).then(told).otherwise(usual).alias(WHO)


# ---------------------------------------------------------------------- words and numbers


def _wide(long: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """A column for each player; without a grid, a row."""
    if not names:
        return bare(long.drop("place"))
    return bare(long.pivot("place", index=names, values="found"))


def bare(frame: pl.DataFrame) -> pl.DataFrame:
    """Estimates as numbers, if nothing is known of any but its value."""
    estimates = pl.col([name for name, kind in frame.schema.items() if kind == estimate_type()])
    widths = estimates.struct.field("high").name.keep() - estimates.struct.field("low").name.keep()
    if any(column.is_finite().any() for column in frame.select(widths)):
        return frame
    return frame.with_columns(estimates.struct.field("value").name.keep())


def plain(text: str) -> str:
    """A text in one line that Markdown shows as it is."""
    return MARKUP.sub(r"\\\1", shorten(text, 300))


def number(estimate: Estimate) -> str:
    """A number as a sentence has it, with its interval if there is one."""
    ends = (estimate.value, estimate.low, estimate.high)
    value, low, high = (f"{each:,.0f}" if abs(each) >= 100 else f"{each:.3g}" for each in ends)
    return f"{value} ({low} to {high})" if math.isfinite(estimate.high - estimate.low) else value


def counted(count: int, what: str) -> str:
    """`1 position`, `4 pairs of games`."""
    head, _, tail = what.partition(" ")
    noun = head if count == 1 else f"{head}s"
    return " ".join(filter(None, (f"{count:,}", noun, tail)))
