"""Recorded games, wherever they come from: a file, a paste, a match, the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.drawing.pictures import picture
from plyground.games.catalogue import find_game
from plyground.public.frames import Row, Rows, html_table
from plyground.public.position import Position


@dataclass(frozen=True, repr=False)
class RecordedGame:
    """A recorded game, or a recorded position, which is a game without moves."""

    record: GameRecord | PositionRecord
    """The full record: settings, times, scores, tags and whatever else is known."""
    id: int | None = None
    """Its number in the store, if it comes from one."""

    @property
    def _played(self) -> GameRecord | None:
        return self.record if isinstance(self.record, GameRecord) else None

    @property
    def game(self) -> str:
        """The name of the game, as in `pg.games`."""
        return self.record.game

    @property
    def players(self) -> tuple[str, str]:
        """The names of the first and the second player; empty if they are not known."""
        return self._played.players if self._played else ("", "")

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves as people write them."""
        return tuple(move.move for move in self._played.moves) if self._played else ()

    @property
    def points(self) -> float | None:
        """The points of the first player: 1, 0.5 or 0; None if the result is not known."""
        return self._played.points if self._played else None

    @property
    def outcome(self) -> int | None:
        """The final score for the first player; None if it is not known."""
        return self._played.outcome if self._played else None

    @property
    def start(self) -> Position:
        """The first position. Raises InputError if the record cannot be read."""
        record = self.record
        return Position.begin(find_game(record.game), record.settings, record.position)

    @property
    def position(self) -> Position:
        """The last position. Raises InputError if the moves cannot be played."""
        return self.start.play_all(self.moves)

    @property
    def positions(self) -> list[Position]:
        """All positions, from the first to the last."""
        return self.position.path

    def row(self) -> Row:
        """The game as a row of a table."""
        game = self._played
        return {
            "id": self.id,
            "game": self.game,
            "first": self.players[0],
            "second": self.players[1],
            "points": self.points,
            "outcome": self.outcome,
            "ended": game.ended if game else "",
            "plies": len(self.moves),
            "date": game.date if game else "",
            "event": game.event if game else "",
            "moves": "; ".join(self.moves),
        }

    def __repr__(self) -> str:
        result = "" if self.points is None else f", {self.points:g}-{1 - self.points:g}"
        names = " - ".join(name or "?" for name in self.players)
        return f"{self.game}: {names}{result}, {len(self.moves)} moves"

    def _repr_html_(self) -> str:
        return picture(self.position.svg()) + html_table([self.row()])


class Games(Sequence[RecordedGame], Rows):
    """A sequence of recorded games; its display and `frame()` have a row for each.

    A slice is `Games` too.
    """

    columns = (
        *("id", "game", "first", "second", "points", "outcome"),
        *("ended", "plies", "date", "event", "moves"),
    )

    def __init__(self, games: Iterable[RecordedGame], caption: str = "") -> None:
        self._games, self._title = tuple(games), caption

    @overload
    def __getitem__(self, place: int) -> RecordedGame: ...
    @overload
    def __getitem__(self, place: slice) -> Games: ...
    def __getitem__(self, place: int | slice) -> RecordedGame | Games:
        if isinstance(place, slice):
            return Games(self._games[place], self._title)
        return self._games[place]

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[RecordedGame]:
        return iter(self._games)

    @property
    def one(self) -> RecordedGame:
        """The only game. Raises Unsupported if there are none or several."""
        if len(self) != 1:
            raise Unsupported(f"there are {len(self)} games, not one")
        return self._games[0]

    def rows(self) -> Sequence[Row]:
        """A row for each game."""
        return [each.row() for each in self._games]

    @property
    def _caption(self) -> str:
        return self._title or f"{len(self):,} games"

    def _shown(self) -> Sequence[Row]:
        names = ("id", "game", "first", "second", "points", "outcome", "plies", "date")
        rows = self.rows()
        used = [name for name in names if any(row[name] not in (None, "") for row in rows)]
        return [{name: row[name] for name in used} for row in rows]
