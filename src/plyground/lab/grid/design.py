"""All that a grid measures for some parameters.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, unknown
from plyground.games.position import BasePosition
from plyground.games.spec import Value
from plyground.lab.frames import Row
from plyground.lab.grid.players import Checked, check_player
from plyground.lab.grid.schema import BLANK, GameEntry, PlayerEntry
from plyground.lab.spec import Cell, Parameters
from plyground.lab.tasks import play_games, search_position
from plyground.matches.openings import OpeningFile, OpeningText, parse_openings, read_openings
from plyground.search.parts import COUNTERS

MOST_CELLS = 100_000

Scalar = bool | int | float | str
Point = Mapping[str, Scalar]
"""A value for each name of the grid."""
Measure = Literal["search", "match"]


# ---------------------------------------------------------------------- columns

COUNTED = (*COUNTERS, "deepest")
QUANTITIES: dict[Measure, tuple[str, ...]] = {
    "search": (*COUNTED, "reached", "value", "time"),
    "match": ("points", "nodes", "time", "plies"),
}
INSIDE = ("cell", "place", "seat", "promise", "changes", "time")
TAKEN = {"game", "games", "player", "against", "number", "seconds", "found", "low", "high"}
TAKEN |= {"position", "moves", *INSIDE}
TAKEN |= {name for names in QUANTITIES.values() for name in names}


def column_of(name: str) -> str:
    """The column of a name of the grid: `depth`, but `{nodes}` beside the nodes that were found."""
    return f"{{{name}}}" if name in TAKEN else name


# ---------------------------------------------------------------------- blanks


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
    """Complaints begin with what they are about, if that is to be said."""
    try:
        yield
    except InputError as error:
        raise type(error)(f"{place}: {error}" if place else str(error)) from None


# ---------------------------------------------------------------------- what is measured


class Place(NamedTuple):
    """A game at a point, its blanks filled, and where searches or games begin."""

    game: GameEntry
    point: Point
    begin: BasePosition
    openings: Sequence[OpeningText]

    @property
    def settings(self) -> dict[str, Value]:
        return dict(self.begin.settings)


@dataclass(frozen=True)
class Design:
    """Games, players and a grid."""

    measure: Measure
    games: Sequence[GameEntry]
    players: Sequence[PlayerEntry]
    """Both have names."""
    grid: Sequence[str]
    """The names of the blanks; their values are parameters."""
    _places: dict[Any, Place] = field(default_factory=dict, repr=False, compare=False)
    _checked: dict[Any, Checked] = field(default_factory=dict, repr=False, compare=False)

    def check_blanks(self) -> None:
        """Every blank has values, and all values have a blank. Raises InputError."""
        games, players = enumerate(self.games, start=1), enumerate(self.players, start=1)
        blanks = [
            (f"games, number {n}, settings", name) for n, each in games for name in each.blanks
        ]
        blanks += [(f"players, number {n}", name) for n, each in players for name in each.blanks]
        for place, name in blanks:
            with blamed_on(place):
                if not self.grid:
                    raise Unsupported(f"{{{name}}} has no values; expected them in a table [grid]")
                if name not in self.grid:
                    raise unknown("blank", name, self.grid)
        used = {name for _, name in blanks}
        for name in self.grid:
            if name not in used:
                raise Unsupported(f"grid {name}: no player and no setting of a game has {{{name}}}")

    def check_players(self, parameters: Parameters) -> None:
        """No two are the same at all points. Raises InputError."""
        known: dict[tuple[str, ...], int] = {}
        for number, player in enumerate(self.players, start=1):
            texts = tuple(self.checked(player, each).text for each in self.everywhere(parameters))
            if texts in known:
                raise Unsupported(f"players, number {number}: the same as number {known[texts]}")
            known[texts] = number

    def names_of(self, game: GameEntry) -> list[str]:
        """The names of the grid that change something there."""
        blanks = {*game.blanks, *(name for each in self.players for name in each.blanks)}
        return [name for name in self.grid if name in blanks]

    def points(self, game: GameEntry, parameters: Parameters) -> list[Point]:
        """All points of these names, the first name changing least."""
        names = self.names_of(game)
        values = [getattr(parameters, name) for name in names]
        return [dict(zip(names, each, strict=True)) for each in itertools.product(*values)]

    def everywhere(self, parameters: Parameters) -> list[Place]:
        """Every game at each of its points, points that are as far on beside each other."""
        found = [
            (number / len(points), game, point)
            for game in self.games
            for points in [self.points(game, parameters)]
            for number, point in enumerate(points)
        ]
        ordered = sorted(found, key=lambda each: each[0])
        return [self.place(game, point, parameters) for _, game, point in ordered]

    # ------------------------------------------------------------------ cells

    def cells(self, parameters: Parameters) -> list[Cell]:
        """All that is measured. Raises InputError if something of it cannot be."""
        self._check_size(parameters)
        by_key = {cell.key: cell for cell, _ in self.asked(parameters)}
        return list(by_key.values())[::-1]  # the last values of a grid mostly take longest

    def asked(self, parameters: Parameters) -> Iterator[tuple[Cell, Row]]:
        """A cell for each player at each point and in each position, and who is asked there.

        What a point does not change is the same cell.
        """
        make, seats = (_search, 1) if self.measure == "search" else (_pairs, 2)
        for place in self.everywhere(parameters):
            known = [self.checked(each, place) for each in self.players]
            for who in itertools.permutations(range(len(known)), seats):
                players = [known[each] for each in sorted(who)]
                row = {**self._row(place, who), "promise": known[who[0]].same_value}
                for number, opening in enumerate(place.openings, start=1):
                    begun = {"position": opening.position or "", "moves": opening.moves}
                    for cell in make(place, players, opening, parameters):
                        yield cell, {**row, "number": number, **begun}

    def _row(self, place: Place, who: Sequence[int]) -> Row:
        """Who is asked there, and against whom if there are two."""
        players = [self.players[each] for each in who]
        values = {name: place.point.get(name) for name in self.grid}
        return {
            "game": place.game.label,
            **{
                column_of(name): written(value) if isinstance(value, bool) else value
                for name, value in values.items()
            },
            **dict(zip(("player", "against"), (each.label for each in players), strict=False)),
            "place": str(who[0]),
            "seat": int(who[0] > who[-1]),
            "changes": [*place.game.blanks, *(name for each in players for name in each.blanks)],
        }

    def _check_size(self, parameters: Any) -> None:
        places = sum(
            math.prod(len(getattr(parameters, name)) for name in self.names_of(game))
            for game in self.games
        )
        if places > MOST_CELLS:  # before any of them is made
            raise _too_many(places)
        openings = sum(len(place.openings) for place in self.everywhere(parameters))
        players = len(self.players)
        if self.measure == "match":
            players = players * (players - 1) // 2 * parameters.repetitions
        if openings * players > MOST_CELLS:
            raise _too_many(openings * players)

    # ------------------------------------------------------------------ blanks filled

    def place(self, game: GameEntry, point: Point, parameters: Parameters) -> Place:
        """A game at a point. Raises InputError if there is none, or nothing begins there."""
        settings = {
            name: fill(value, point) if isinstance(value, str) else written(value)
            for name, value in game.settings.items()
        }
        count, seed = getattr(parameters, "count", 0), getattr(parameters, "seed", 0)
        key = game.label, tuple(settings.items()), count, seed
        if key not in self._places:
            words = in_words(point, game.blanks)
            where = f"games, number {self.games.index(game) + 1}"
            where += f", with {words}" if words else ""
            with blamed_on(where):
                begin = BasePosition.begin(game.game, settings)
            with blamed_on(where if words or len(self.games) > 1 else ""):
                openings = map(OpeningText.of, _openings(game, begin, count, seed))
                self._places[key] = Place(game, point, begin, list(dict.fromkeys(openings)))
        return self._places[key]._replace(point=point)

    def checked(self, player: PlayerEntry, place: Place) -> Checked:
        """A player there. Raises InputError if it cannot play there."""
        text = fill(player.player, place.point)
        key = place.game.label, tuple(place.settings.items()), text
        if key not in self._checked:
            where = f"players, number {self.players.index(player) + 1}"
            where += f", in {place.game.label}" if len(self.games) > 1 else ""
            if words := in_words(place.point, player.blanks):
                where += f", with {words}"
            with blamed_on(where):
                self._checked[key] = check_player(
                    text, place.begin.game, place.begin.start, self.measure == "search"
                )
        return self._checked[key]


def _search(
    place: Place, players: Sequence[Checked], opening: OpeningText, parameters: Any
) -> Iterator[Cell]:
    yield Cell.of(
        search_position,
        game=place.game.game,
        player=players[0].text,
        position=opening.position,
        moves=opening.moves,
        settings=place.settings,
        repetitions=parameters.repetitions,
    )


def _pairs(
    place: Place, players: Sequence[Checked], opening: OpeningText, parameters: Any
) -> Iterator[Cell]:
    """Without chance or a clock two players meet only once from an opening."""
    for number in range(parameters.repetitions if any(each.varies for each in players) else 1):
        yield Cell.of(
            play_games,
            game=place.game.game,
            players=[each.text for each in players],
            opening=opening.moves,
            position=opening.position,
            settings=place.settings,
            number=number,
            seed=parameters.seed,
        )


def _too_many(number: int) -> Unsupported:
    return Unsupported(
        f"{number:,} searches or pairs of games are too many, {MOST_CELLS:,} the most; "
        "expected fewer values in the grid, players, openings or repetitions"
    )


def _openings(
    game: GameEntry, begin: BasePosition, count: int, seed: int
) -> Sequence[BasePosition]:
    if game.openings is None:
        texts = enumerate(game.positions or [""], start=1)
        return [_position(begin, number, text) for number, text in texts]
    found = parse_openings(game.openings)
    if isinstance(found, OpeningFile):
        return read_openings(begin, found.path)[:count]
    with blamed_on("openings"):
        return found.take(begin, count, seed)


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
