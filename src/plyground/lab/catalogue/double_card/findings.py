"""What the cells say, put together position by position. Knows no verdict and no layout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from plyground.core.scores import WIN
from plyground.lab.catalogue.double_card.plan import TABLES, table_cell
from plyground.lab.catalogue.double_card.tasks import (
    CARDS,
    MINIMAX,
    PLIES,
    order_position,
    play_match,
    search_games,
    time_heuristics,
)
from plyground.lab.spec import Results


@dataclass(frozen=True)
class Searched:
    """A position of a game and what each searcher needed for it."""

    game: int
    made: int
    nodes: Mapping[str, int]
    leaves: Mapping[str, int]
    value: Mapping[str, int]
    time_s: Mapping[str, float]
    call_s: Mapping[str, float]
    """What a call of each heuristic takes."""

    @property
    def laid(self) -> int:
        """Cards that the side to move has laid."""
        return min(self.made, CARDS) // 2

    @property
    def meets_moving(self) -> bool:
        """Whether the search meets moves of laid cards: the report's critical point, or beyond."""
        return self.made + PLIES > CARDS


def searched(results: Results) -> list[Searched]:
    """All positions of the games, in their order."""
    found = []
    both = zip(results.of(search_games), results.of(time_heuristics), strict=True)
    for (_, one), (_, other) in both:
        by_name = {kind: one.answer[kind] for kind in ("nodes", "leaves", "value")}
        for place, made in enumerate(one.answer["made"]):
            counts = {kind: _at(columns, place) for kind, columns in by_name.items()}
            found.append(
                Searched(
                    one.answer["game"][place],
                    made,
                    **counts,
                    time_s=_at(one.times_s, place),
                    call_s=_at(other.times_s, place),
                )
            )
    return found


def _at(columns: Mapping[str, Sequence[Any]], place: int) -> dict[str, Any]:
    return {name: column[place] for name, column in columns.items()}


def by_laid(positions: Iterable[Searched]) -> dict[int, list[Searched]]:
    """Positions whose searches only lay cards, by those that the side to move has laid."""
    groups = defaultdict(list)
    for position in positions:
        if not position.meets_moving:
            groups[position.laid].append(position)
    return dict(sorted(groups.items()))


@dataclass(frozen=True)
class Ordered:
    """A position searched to one depth, by minimax and in every order."""

    position: str
    depth: int
    value: int
    nodes: Mapping[str, int]
    leaves: Mapping[str, int]
    cutoffs: Mapping[str, int]
    first_cutoffs: Mapping[str, int]
    time_s: Mapping[str, float]

    @property
    def is_open(self) -> bool:
        """Whether neither side wins within the depth."""
        return abs(self.value) < WIN

    @property
    def least_leaves(self) -> float:
        """What no search can do without on a uniform tree with as many leaves (Knuth & Moore)."""
        breadth = float(self.leaves[MINIMAX] ** (1 / self.depth))
        half = self.depth // 2
        return breadth ** (self.depth - half) + breadth**half - 1


def ordered(results: Results) -> list[Ordered]:
    """All positions searched in every order, at every depth."""
    found = []
    for _, measured in results.of(order_position):
        searches = measured.answer["searches"]
        for depth in sorted({one["depth"] for one in searches}):
            here = {one["name"]: one for one in searches if one["depth"] == depth}
            counts: dict[str, dict[str, int]] = {
                kind: {name: one[kind] for name, one in here.items()}
                for kind in ("nodes", "leaves", "cutoffs", "first_cutoffs")
            }
            times = {name: median(measured.times_s[f"{name} {depth}"]) for name in here}
            value = here[MINIMAX]["value"]
            found.append(Ordered(measured.answer["moves"], depth, value, **counts, time_s=times))
    return found


@dataclass(frozen=True)
class Match:
    """The games of heuristic 1 against heuristic 2 at one depth."""

    depth: int
    points: Sequence[tuple[float, float]]
    """Of heuristic 1, in both games of a pair."""
    plies: Sequence[int]
    """Of each game."""


def matches(results: Results) -> list[Match]:
    """One for each depth."""
    depths = sorted({given["depth"] for given, _ in results.of(play_match)})
    found = []
    for depth in depths:
        answers = [one.answer for _, one in results.of(play_match, depth=depth)]
        points = [(first, second) for each in answers for first, second in each["points"]]
        plies = [number for each in answers for pair in each["plies"] for number in pair]
        found.append(Match(depth, points, plies))
    return found


@dataclass(frozen=True)
class Replay:
    """A printed game and what the heuristic of our making does in it."""

    table: str
    heuristic: str
    decisions: Sequence[Mapping[str, Any]]
    listed: Sequence[str]
    as_listed: Sequence[int]
    exact: Sequence[int]

    def decision(self, step: int) -> Mapping[str, Any]:
        """That of a step, as the report numbers them."""
        return next(one for one in self.decisions if one["step"] == step)


def replays(results: Results) -> dict[str, Replay]:
    """One for each printed table."""
    found = {}
    for table in TABLES:
        cell = table_cell(table)
        answer, given = results[cell].answer, cell.arguments
        found[table] = Replay(
            table,
            given["heuristic"],
            answer["decisions"],
            given["listed"],
            answer["as listed"],
            answer["exact"],
        )
    return found
