"""The numbers of a user's own experiment: what each player needed or won, and how to sum them up.

An observation is one player's share in one cell. Sums are over positions or openings, never over
points of the grid; comparisons are position by position. Knows no report.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from statistics import median as middle
from typing import Literal

from plyground.core.records import ON_THE_BOARD
from plyground.games.position import BasePosition
from plyground.lab.spec import Measured, Parameters, Results
from plyground.lab.statistics import SURE, Estimate, mean, median, ratio
from plyground.lab.user.design import Contender, Design, Ground, Measure, Meeting, Place, Point
from plyground.matches.ratings import Pairs
from plyground.search.parts import COUNTERS

COUNTED = (*COUNTERS, "deepest")
QUANTITIES: dict[Measure, tuple[str, ...]] = {
    "search": (*COUNTED, "reached", "value", "time"),
    "match": ("points", "nodes", "time", "plies"),
}
USUAL: dict[Measure, tuple[str, ...]] = {"search": ("leaves", "time"), "match": ("points",)}
"""What is told if nothing is asked for."""
COSTS = (*(name for name in COUNTERS if name not in ("cutoffs", "first_cutoffs", "hits")), "time")
"""What one wants less of, and compares as a ratio."""
TITLES = {
    ("search", "reached"): "depth reached",
    ("search", "time"): "time (ms)",
    ("match", "points"): "share of the points",
    ("match", "nodes"): "nodes per move",
    ("match", "time"): "time per move (ms)",
    ("match", "plies"): "length of games (plies)",
}
MS = 1000.0

Average = Literal["median", "mean"]


def title_of(measure: Measure, quantity: str) -> str:
    """What a quantity is called in a report."""
    return TITLES.get((measure, quantity), quantity.replace("_", " "))


# ---------------------------------------------------------------------- observations


@dataclass(frozen=True)
class Observation:
    """What was seen of one player in one cell."""

    ground: Ground
    contender: Contender
    point: Point
    number: int
    """Of the position or opening, from 1."""
    unit: str
    """The same for what was measured only once, though it belongs to several points."""
    numbers: Mapping[str, float]
    same_value: str | None = None
    """See `Checked`."""
    against: Contender | None = None


def observe(design: Design, parameters: Parameters, results: Results) -> list[Observation]:
    """All that was seen, in the order of the design."""
    seen = _searched if design.measure == "search" else _played
    return list(seen(design, parameters, results))


def _searched(design: Design, parameters: Parameters, results: Results) -> Iterator[Observation]:
    for search in design.searches(parameters):
        found = results[search.cell]
        numbers = {name: found.answer[name] for name in (*COUNTED, "value")}
        numbers["reached"] = found.answer["depth"]
        numbers["time"] = MS * middle(found.times_s["search"])
        yield Observation(
            search.ground,
            search.contender,
            search.point,
            search.number,
            search.cell.key,
            numbers,
            search.player.same_value,
        )


def _played(design: Design, parameters: Parameters, results: Results) -> Iterator[Observation]:
    known: dict[str, list[dict[str, float]]] = {}
    for meeting in design.meetings(parameters):
        key = meeting.cell.key
        if key not in known:
            place = design.place(meeting.ground, meeting.point, parameters)
            known[key] = numbers_of_pair(meeting, place, results[meeting.cell])
        for seat, contender in enumerate(meeting.contenders):
            yield Observation(
                meeting.ground,
                contender,
                meeting.point,
                meeting.number,
                f"{key}-{seat}",
                known[key][seat],
                against=meeting.contenders[1 - seat],
            )


def numbers_of_pair(meeting: Meeting, place: Place, found: Measured) -> list[dict[str, float]]:
    """What both players made of two games; moves of the opening are nobody's."""
    opening: str = meeting.cell.arguments["opening"]
    begun = len(opening.split(";")) if opening else 0
    nodes: tuple[list[float], list[float]] = ([], [])
    times: tuple[list[float], list[float]] = ([], [])
    for number, (game, spent) in enumerate(
        zip(found.answer["games"], found.times_s.values(), strict=True)
    ):
        movers = _movers(place, meeting.cell.arguments["position"], game["moves"])
        told = list(zip(movers, game["nodes"], spent, strict=True))
        for mover, visited, time_s in told[begun:]:
            nodes[mover ^ number].append(visited)
            times[mover ^ number].append(MS * time_s)
    first = sum(found.answer["points"]) / 2
    plies = fmean(len(game["moves"]) for game in found.answer["games"])
    return [
        {"points": points, "plies": plies, "nodes": _mean(nodes[seat]), "time": _mean(times[seat])}
        for seat, points in enumerate((first, 1 - first))
    ]


def _movers(place: Place, position: str | None, moves: Iterable[str]) -> list[int]:
    """Whose each move was: some games let a side move twice."""
    begun = BasePosition.begin(place.begin.game, place.settings, position)
    return [each.mover for each in begun.play_all(moves).path[:-1]]


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


# ---------------------------------------------------------------------- sums


@dataclass(frozen=True)
class Summed:
    """One number for many, between bounds that are None if nothing is known of them."""

    value: float
    low: float | None
    high: float | None
    count: int

    @staticmethod
    def of(estimate: Estimate, count: int) -> Summed:
        is_known = math.isfinite(estimate.low) and estimate.high < math.inf
        return Summed(
            estimate.value,
            estimate.low if is_known else None,
            estimate.high if is_known else None,
            count,
        )


def sum_up(quantity: str, values: Sequence[float], average: Average = "median") -> Summed:
    """The median or mean of some numbers; of points, their share."""
    if quantity == "points":
        return Summed.of(share_of_points(values), len(values))
    if len(values) < 2:
        return Summed(values[0], None, None, 1)
    return Summed.of((mean if average == "mean" else median)(values), len(values))


def share_of_points(values: Iterable[float]) -> Estimate:
    """Of the points of pairs of games, each from 0 to 1 in quarters."""
    count = Counter(values)
    tally = Pairs(count[0.0], count[0.25], 0, count[0.5], count[0.75], count[1.0])
    reach = SURE * tally.standard_error
    return Estimate(tally.score, max(0.0, tally.score - reach), min(1.0, tally.score + reach))


class Numbers:
    """Observations, found by game, player and point."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self.all = list(observations)
        self._by_place: dict[tuple[str, str, str], list[Observation]] = {}
        for each in self.all:
            self._by_place.setdefault(_key(each.ground, each.contender, each.point), []).append(
                each
            )

    def at(
        self, ground: Ground, contender: Contender, point: Point, against: Contender | None = None
    ) -> list[Observation]:
        """What was seen of a player there, against anybody or one opponent."""
        found = self._by_place.get(_key(ground, contender, point), [])
        return [each for each in found if against is None or each.against == against]

    def sum_at(
        self,
        quantity: str,
        ground: Ground,
        contender: Contender,
        point: Point,
        average: Average = "median",
    ) -> Summed:
        """Over all positions, or pairs of games."""
        values = [each.numbers[quantity] for each in self.at(ground, contender, point)]
        return sum_up(quantity, values, average)

    def ratio_at(
        self, quantity: str, ground: Ground, pair: tuple[Contender, Contender], point: Point
    ) -> Summed | None:
        """How many times as much the first of two needed, position by position; None if unknown."""
        first, second = (
            {each.number: each.numbers[quantity] for each in self.at(ground, contender, point)}
            for contender in pair
        )
        pairs = [(first[number], second[number]) for number in first if number in second]
        known = [(one, other) for one, other in pairs if one > 0 and other > 0]
        if not known:
            return None
        found = ratio(known)
        if len(known) < 2:
            return Summed(found.value, None, None, 1)
        return Summed.of(found, len(known))


def _key(ground: Ground, contender: Contender, point: Point) -> tuple[str, str, str]:
    return ground.label, contender.label, repr(sorted(point.items()))


# ---------------------------------------------------------------------- values


@dataclass(frozen=True)
class Disagreement:
    """Exact searches of one position that found different values."""

    ground: Ground
    point: Point
    number: int
    values: Mapping[str, float]
    """By player."""


def compare_values(observations: Iterable[Observation]) -> tuple[int, list[Disagreement]]:
    """In how many positions exact searches could be compared, and where they differ."""
    together: dict[tuple[str, str, int, str], list[Observation]] = {}
    for each in observations:
        if each.same_value is not None:
            point = repr(sorted(each.point.items()))
            key = each.ground.label, point, each.number, each.same_value
            together.setdefault(key, []).append(each)
    compared = [group for group in together.values() if len({each.unit for each in group}) > 1]
    return len(compared), [
        Disagreement(
            group[0].ground,
            group[0].point,
            group[0].number,
            {each.contender.label: each.numbers["value"] for each in group},
        )
        for group in compared
        if len({each.numbers["value"] for each in group}) > 1
    ]


# ---------------------------------------------------------------------- all of it


class Findings:
    """All that a report is made from."""

    def __init__(self, design: Design, parameters: Parameters, results: Results) -> None:
        self.design, self.parameters = design, parameters
        self.numbers = Numbers(observe(design, parameters, results))
        self.compared, self.different = compare_values(self.numbers.all)
        self.clocked = self._clocked()
        """The players whose answers depend on how fast they could think."""
        self.forfeits = [] if design.measure == "search" else self._forfeits(results)
        """Why games were lost other than on the board."""

    def points(self, ground: Ground) -> list[Point]:
        return self.design.points(ground, self.parameters)

    def last_point(self, ground: Ground) -> Point:
        """Where a grid of depths is deepest: what a summary tells about."""
        return self.points(ground)[-1]

    def is_timed(self, *quantities: str) -> bool:
        """Whether these numbers differ from run to run."""
        return bool(self.clocked) or "time" in quantities

    def _clocked(self) -> list[str]:
        found = []
        for ground, point in self.design.everywhere(self.parameters):
            place = self.design.place(ground, point, self.parameters)
            for each in self.design.contenders:
                if self.design.player(each, ground, point, place).is_clocked:
                    found.append(each.label)
        return list(dict.fromkeys(found))

    def _forfeits(self, results: Results) -> list[str]:
        """Each once, though its cell may belong to several points."""
        cells = {each.cell.key: each.cell for each in self.design.meetings(self.parameters)}
        games = (game for cell in cells.values() for game in results[cell].answer["games"])
        return [game["reason"] for game in games if game["ended"] not in ON_THE_BOARD]
