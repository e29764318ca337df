"""The charts of a user's own experiment, made from what the file asks for.

Whatever varies and is not along the axis tells lines, bars or points apart: players, and the other
names of the grid as far as they change a player. Several games stand beside each other. Knows no
numbers but those it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyground.lab import charts
from plyground.lab.rendering.names import short_name
from plyground.lab.report import Chart
from plyground.lab.user.design import Design, written
from plyground.lab.user.numbers import (
    QUANTITIES,
    Findings,
    Observation,
    Summed,
    sum_up,
    title_of,
)
from plyground.lab.user.schema import ChartEntry

# Names of fields of the data; those of a grid have no spaces, so that none is the same.
WHO, WHERE, LOW, HIGH = "which one", "which game", "low (95 %)", "high (95 %)"
PLAYER, GAME = "player", "game"
EVERYWHERE = "at every point of the grid"


class Canvas:
    """Draws what was found."""

    def __init__(self, findings: Findings) -> None:
        self.findings, self.design = findings, findings.design

    def draw(self, wish: ChartEntry) -> Chart:
        """One chart."""
        title = wish.title or capitalised(f"{self._title(wish.y)} by {self._title(wish.x)}")
        return Chart(
            short_name(title),
            title,
            self._points(wish) if wish.kind == "points" else self._sums(wish),
            self._note(wish),
            is_timed=self.findings.is_timed(wish.x, wish.y),
        )

    def _points(self, wish: ChartEntry) -> charts.Spec:
        """A point for each observation, those that belong to several points of the grid once."""
        x, y = self._field(wish.x), f"{wish.y} of each"
        rows = {
            (str(across), who, each.unit): {
                x: across,
                y: each.numbers[wish.y],
                WHO: who,
                WHERE: each.ground.label,
            }
            for each in self._shown(wish)
            for across, who in [(self._across(wish.x, each), self._label(wish, each))]
        }
        return charts.points(
            list(rows.values()),
            x,
            y,
            WHO,
            log=wish.log,
            log_x=wish.log_x,
            facet=self._facet(wish),
            x_title=self._title(wish.x),
            y_title=self._title(wish.y),
        )

    def _sums(self, wish: ChartEntry) -> charts.Spec:
        x, y = self._field(wish.x), f"{wish.average} {wish.y}"
        summed = self._summed(wish)
        rows = [
            {x: across, y: found.value, WHO: who, LOW: found.low, HIGH: found.high, WHERE: where}
            for (where, across, who), found in summed.items()
        ]
        have_bars = any(found.low is not None for found in summed.values())
        common: dict[str, Any] = {
            "log": wish.log,
            "low": LOW if have_bars else None,
            "high": HIGH if have_bars else None,
            "facet": self._facet(wish),
            "x_title": self._title(wish.x),
            "y_title": self._title(wish.y),
        }
        if wish.kind == "bars":
            is_own = wish.x == PLAYER and all(row[WHO] == row[x] for row in rows)
            return charts.bars(rows, x, y, x if is_own else WHO, **common)
        return charts.lines(rows, x, y, WHO, log_x=wish.log_x, **common)

    def _summed(self, wish: ChartEntry) -> dict[tuple[str, Any, str], Summed]:
        """By game, place on the axis and label; over positions or pairs of games, each once."""
        groups: dict[tuple[str, Any, str], dict[str, float]] = {}
        for each in self._shown(wish):
            key = each.ground.label, self._across(wish.x, each), self._label(wish, each)
            groups.setdefault(key, {})[each.unit] = each.numbers[wish.y]
        return {
            key: sum_up(wish.y, list(values.values()), wish.average)
            for key, values in groups.items()
        }

    # ------------------------------------------------------------------ places and labels

    def _shown(self, wish: ChartEntry) -> Iterator[Observation]:
        """All but those that have no place on the axis."""
        for each in self.findings.numbers.all:
            if wish.x in self.design.grid and wish.x not in each.point:
                continue  # nothing of it changes this game
            across = self._across(wish.x, each)
            if not wish.log_x or isinstance(across, str) or across > 0:
                yield each

    def _across(self, x: str, each: Observation) -> Any:
        if x in self.design.grid:
            value = each.point[x]
            return written(value) if isinstance(value, bool) else value
        if x in (PLAYER, GAME):
            return each.contender.label if x == PLAYER else each.ground.label
        return each.numbers[x]

    def _label(self, wish: ChartEntry, each: Observation) -> str:
        """Whatever else varies, what the file names first."""
        names = [name for name in (PLAYER, *self.design.grid) if name != wish.x]
        names.sort(key=lambda name: name != wish.series)
        changing = {*each.contender.blanks, *each.ground.blanks}
        if self.design.measure == "match":  # what changes opponents changes results
            changing = {*each.point}
        words = []
        for name in names:
            if name == PLAYER and len(self.design.contenders) > 1:
                words.append(each.contender.label)
            elif name in changing and len(getattr(self.findings.parameters, name)) > 1:
                words.append(f"{name}={written(each.point[name])}")
        if not words and wish.x == PLAYER and self.design.grid:
            return EVERYWHERE
        return ", ".join(words) or each.contender.label

    def _field(self, x: str) -> str:
        return x if x in (PLAYER, GAME, *self.design.grid) else f"{x} of each"

    def _title(self, name: str) -> str:
        return name if name in (PLAYER, GAME, *self.design.grid) else self._quantity(name)

    def _quantity(self, name: str) -> str:
        return title_of(self.design.measure, name)

    def _facet(self, wish: ChartEntry) -> str | None:
        return WHERE if len(self.design.grounds) > 1 and wish.x != GAME else None

    def _note(self, wish: ChartEntry) -> str:
        what = "search" if self.design.measure == "search" else "pair of games"
        if wish.kind == "points":
            return f"A point for each {what}."
        if wish.y == "points":
            return "Shares of the points with intervals of 95 %, by pairs of games."
        over = "positions" if self.design.measure == "search" else "pairs of games"
        return f"{capitalised(wish.average)}s over {over}, with intervals of 95 %."


def axes(design: Design, kind: str) -> list[str]:
    """What the axis of a chart may be: of points, also what was measured."""
    quantities = QUANTITIES[design.measure] if kind == "points" else ()
    return list(dict.fromkeys((*design.grid, PLAYER, GAME, *quantities)))


def capitalised(text: str) -> str:
    """The text with a large first letter, and the others as they are."""
    return text[:1].upper() + text[1:]
