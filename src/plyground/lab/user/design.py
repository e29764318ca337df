"""A user's own experiment as data, and all that is measured for some parameters.

Players are texts with blanks, as in `alphabeta:depth={depth}`; the grid has the values of each
blank. A point of the grid fills all of them, in players and in settings of games:

    search    every player searches every position of every game, at every point
    match     every two players play pairs of games from every opening, at every point

What a point does not change is measured once. Everything is checked before anything is measured;
complaints name the field. Knows no file and no report.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, unknown
from plyground.games.position import BasePosition
from plyground.games.spec import Value
from plyground.lab.spec import Cell, Parameters
from plyground.lab.tasks import play_games, search_position
from plyground.lab.user.players import Checked, check_player
from plyground.matches.openings import (
    OpeningFile,
    OpeningText,
    RandomOpenings,
    read_openings,
)

MOST_CELLS = 100_000
BLANK = re.compile(r"\{([A-Za-z_]\w*)\}", re.ASCII)

Scalar = bool | int | float | str
Point = Mapping[str, Scalar]
"""A value for each name of the grid."""
Measure = Literal["search", "match"]
Begins = RandomOpenings | OpeningFile | tuple[str, ...]
"""Openings, or positions as in a line of a file of openings; an empty one is the beginning."""


# ---------------------------------------------------------------------- blanks


def blanks_in(*texts: object) -> list[str]:
    """The names of all blanks, in their order; only texts have some."""
    found = (name for text in texts if isinstance(text, str) for name in BLANK.findall(text))
    return list(dict.fromkeys(found))


def fill(text: str, point: Point) -> str:
    """The text with the values of a point in its blanks."""
    return BLANK.sub(lambda blank: written(point[blank[1]]), text)


def written(value: Scalar) -> str:
    """A value as it would be typed in a player's text."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def in_words(point: Point, names: Iterable[str] | None = None) -> str:
    """A point, or some of it, as in `depth=4, memory=1MB`."""
    chosen = point if names is None else [name for name in point if name in set(names)]
    return ", ".join(f"{name}={shorten(written(point[name]))}" for name in chosen)


@contextlib.contextmanager
def blamed_on(place: str) -> Iterator[None]:
    """Complaints begin with what they are about."""
    try:
        yield
    except InputError as error:
        raise type(error)(f"{place}: {error}") from None


# ---------------------------------------------------------------------- what there is


@dataclass(frozen=True)
class Ground:
    """A game, and where searches or games begin."""

    label: str
    game: str
    """A name, or the path of a file."""
    settings: Mapping[str, Scalar]
    """Texts may have blanks."""
    begins: Begins
    is_shared: bool = False
    """Whether this is said of all games, not of this one."""

    @property
    def blanks(self) -> list[str]:
        return blanks_in(*self.settings.values())


@dataclass(frozen=True)
class Contender:
    """A player with blanks."""

    label: str
    text: str

    @property
    def blanks(self) -> list[str]:
        return blanks_in(self.text)


@dataclass(frozen=True)
class Place:
    """A ground with its blanks filled."""

    begin: BasePosition
    openings: Sequence[OpeningText]

    @property
    def settings(self) -> dict[str, Value]:
        return dict(self.begin.settings)


@dataclass(frozen=True)
class Search:
    """A player, a position and a point of the grid."""

    ground: Ground
    contender: Contender
    point: Point
    number: int
    """Of the position, from 1."""
    player: Checked
    cell: Cell


@dataclass(frozen=True)
class Meeting:
    """Two games of two players from one opening."""

    ground: Ground
    contenders: tuple[Contender, Contender]
    point: Point
    number: int
    """Of the opening, from 1."""
    players: tuple[Checked, Checked]
    cell: Cell


# ---------------------------------------------------------------------- what is measured


@dataclass(frozen=True)
class Design:
    """Games, players and a grid."""

    measure: Measure
    grounds: Sequence[Ground]
    contenders: Sequence[Contender]
    grid: Sequence[str]
    """The names of the blanks; their values are parameters."""
    _places: dict[Any, Place] = field(default_factory=dict, repr=False, compare=False)
    _players: dict[Any, Checked] = field(default_factory=dict, repr=False, compare=False)

    def check_blanks(self) -> None:
        """Every blank has values, and all values have a blank. Raises InputError."""
        for number, ground in enumerate(self.grounds, start=1):
            self._check_known(f"games, number {number}, settings", ground.blanks)
        for number, contender in enumerate(self.contenders, start=1):
            self._check_known(f"players, number {number}", contender.blanks)
        used = {name for ground in self.grounds for name in ground.blanks}
        used |= {name for contender in self.contenders for name in contender.blanks}
        for name in self.grid:
            if name not in used:
                raise Unsupported(f"grid {name}: no player and no setting of a game has {{{name}}}")

    def _check_known(self, place: str, blanks: Iterable[str]) -> None:
        for name in blanks:
            if name not in self.grid:
                with blamed_on(place):
                    if self.grid:
                        raise unknown("blank", name, self.grid)
                    raise Unsupported(f"{{{name}}} has no values; expected them in a table [grid]")

    def check_players(self, parameters: Parameters) -> None:
        """No two are the same at all points. Raises InputError."""
        known: dict[tuple[str, ...], int] = {}
        everywhere = self.everywhere(parameters)
        for number, contender in enumerate(self.contenders, start=1):
            texts = tuple(
                self.player(contender, ground, point, self.place(ground, point, parameters)).text
                for ground, point in everywhere
            )
            if texts in known:
                raise Unsupported(f"players, number {number}: the same as number {known[texts]}")
            known[texts] = number

    def cells(self, parameters: Parameters) -> list[Cell]:
        """All that is measured. Raises InputError if something of it cannot be."""
        self._check_size(parameters)
        units: Iterable[Search | Meeting] = (
            self.searches(parameters) if self.measure == "search" else self.meetings(parameters)
        )
        by_key = {unit.cell.key: unit.cell for unit in units}
        return list(by_key.values())[::-1]  # the last values of a grid mostly take longest

    def names_of(self, ground: Ground) -> list[str]:
        """The names of the grid that change something there."""
        blanks = {*ground.blanks, *(name for each in self.contenders for name in each.blanks)}
        return [name for name in self.grid if name in blanks]

    def points(self, ground: Ground, parameters: Parameters) -> list[Point]:
        """All points of these names, the first name changing least."""
        names = self.names_of(ground)
        values = [getattr(parameters, name) for name in names]
        return [dict(zip(names, each, strict=True)) for each in itertools.product(*values)]

    def everywhere(self, parameters: Parameters) -> list[tuple[Ground, Point]]:
        """Every game at each of its points, points that are as far on beside each other."""
        found = [
            (number / len(points), ground, point)
            for ground in self.grounds
            for points in [self.points(ground, parameters)]
            for number, point in enumerate(points)
        ]
        return [(ground, point) for _, ground, point in sorted(found, key=lambda each: each[0])]

    def searches(self, parameters: Parameters) -> Iterator[Search]:
        """Point by point; a player that a point does not change is there again, its cell too."""
        repetitions = getattr(parameters, "repetitions", 1)
        for ground, point in self.everywhere(parameters):
            place = self.place(ground, point, parameters)
            for contender in self.contenders:
                player = self.player(contender, ground, point, place)
                for number, opening in enumerate(place.openings, start=1):
                    cell = Cell.of(
                        search_position,
                        game=ground.game,
                        player=player.text,
                        position=opening.position,
                        moves=opening.moves,
                        settings=place.settings,
                        repetitions=repetitions,
                    )
                    yield Search(ground, contender, point, number, player, cell)

    def meetings(self, parameters: Parameters) -> Iterator[Meeting]:
        """Point by point, every two players; without chance or a clock they meet once only."""
        for ground, point in self.everywhere(parameters):
            place = self.place(ground, point, parameters)
            for pair in itertools.combinations(self.contenders, 2):
                first, second = (self.player(each, ground, point, place) for each in pair)
                can_differ = first.varies or second.varies
                times = getattr(parameters, "repetitions", 1) if can_differ else 1
                for (number, opening), again in itertools.product(
                    enumerate(place.openings, start=1), range(times)
                ):
                    cell = Cell.of(
                        play_games,
                        game=ground.game,
                        players=[first.text, second.text],
                        opening=opening.moves,
                        position=opening.position,
                        settings=place.settings,
                        number=again,
                        seed=getattr(parameters, "seed", 0),
                    )
                    yield Meeting(ground, pair, point, number, (first, second), cell)

    def _check_size(self, parameters: Parameters) -> None:
        places = sum(
            math.prod(len(getattr(parameters, name)) for name in self.names_of(ground))
            for ground in self.grounds
        )
        if places > MOST_CELLS:  # before any of them is made
            raise _too_many(places)
        openings = sum(
            len(self.place(ground, point, parameters).openings)
            for ground, point in self.everywhere(parameters)
        )
        players = len(self.contenders)
        if self.measure == "match":
            players = players * (players - 1) // 2 * getattr(parameters, "repetitions", 1)
        if openings * players > MOST_CELLS:
            raise _too_many(openings * players)

    # ------------------------------------------------------------------ blanks filled

    def place(self, ground: Ground, point: Point, parameters: Parameters) -> Place:
        """A ground at a point. Raises InputError if there is no such game."""
        filled = {
            name: fill(value, point) if isinstance(value, str) else written(value)
            for name, value in ground.settings.items()
        }
        count, seed = getattr(parameters, "count", 0), getattr(parameters, "seed", 0)
        key = ground.label, tuple(filled.items()), count, seed
        if key not in self._places:
            self._places[key] = self._place(ground, point, filled, count, seed)
        return self._places[key]

    def _place(
        self, ground: Ground, point: Point, settings: Mapping[str, str], count: int, seed: int
    ) -> Place:
        words = in_words(point, ground.blanks)
        where = f"games, number {self.grounds.index(ground) + 1}"
        where += f", with {words}" if words else ""
        with blamed_on(where):
            begin = BasePosition.begin(ground.game, settings)
        is_clear = ground.is_shared and len(self.grounds) == 1 and not words
        with contextlib.nullcontext() if is_clear else blamed_on(where):
            openings = _openings(ground, begin, count, seed)
        texts = [OpeningText.of(each) for each in openings]
        return Place(begin, list(dict.fromkeys(texts)))

    def player(self, contender: Contender, ground: Ground, point: Point, place: Place) -> Checked:
        """A player at a point. Raises InputError if it cannot play there."""
        text = fill(contender.text, point)
        key = ground.label, tuple(place.settings.items()), text
        if key not in self._players:
            where = f"players, number {self.contenders.index(contender) + 1}"
            if len(self.grounds) > 1:
                where += f", in {ground.label}"
            if words := in_words(point, contender.blanks):
                where += f", with {words}"
            with blamed_on(where):
                self._players[key] = check_player(
                    text, place.begin.game, place.begin.start, self.measure == "search"
                )
        return self._players[key]


def _too_many(number: int) -> Unsupported:
    return Unsupported(
        f"{number:,} searches or pairs of games are too many, {MOST_CELLS:,} the most; "
        "expected fewer values in the grid, players, openings or repetitions"
    )


def _openings(ground: Ground, begin: BasePosition, count: int, seed: int) -> Sequence[BasePosition]:
    match ground.begins:
        case RandomOpenings():
            with blamed_on("openings"):
                return ground.begins.take(begin, count, seed)
        case OpeningFile(path=path):
            return read_openings(begin, path)[:count]
        case texts:
            return [_position(begin, *each) for each in enumerate(texts, start=1)]


def _position(begin: BasePosition, number: int, text: str) -> BasePosition:
    if not text.strip():
        if begin.is_over:
            raise Unsupported(f"{begin.game.name}: the game is over where it begins")
        return begin
    if text.lstrip().startswith("#"):  # which a file of openings would pass over
        raise MalformedText(
            f"positions, number {number}: {shorten(text)!r} is a comment; expected moves, "
            "or position: P"
        )
    try:
        return read_openings(begin, [text])[0]
    except InputError as error:
        reason = str(error).removeprefix("openings, line 1: ")
        raise type(error)(f"positions, number {number}: {reason}") from None
