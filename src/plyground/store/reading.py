"""Games read back from a store: listed, counted, and found by a position."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, Select, func, select

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.records import MoveRecord
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.store import schema
from plyground.store.database import Database
from plyground.store.positions import NO_MOVE, moves_by_canonical, stored_key
from plyground.store.queries import (
    EVERYTHING,
    GAMES,
    JOINED,
    NEWEST_FIRST,
    Filter,
    Order,
    moves_of,
)
from plyground.store.rows import StoredGame, move_of

CHUNK = 500  # games in one step of reading them all


@dataclass(frozen=True)
class Continuation:
    """What was played from a position, and how those games ended for the first player."""

    moves: tuple[int, ...]
    """Moves that are the same up to symmetry; none where games ended."""
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Stats:
    """How much there is."""

    games: Mapping[str, int]
    unfinished: int
    moves: int
    positions: int
    players: int
    events: int


class StoreReader(Database):
    """The half of a store that only reads."""

    def select_games(self, which: Filter) -> Select[Any]:
        """A query for the rows of games, in no order."""
        return which.apply(GAMES, self.engine.dialect.name)

    def games(
        self,
        which: Filter = EVERYTHING,
        limit: int | None = None,
        skip: int = 0,
        order: Order = NEWEST_FIRST,
    ) -> Iterator[StoredGame]:
        """Games with the names of their moves, the newest first; `game` has the rest."""
        query = order.apply(self.select_games(which)).limit(limit).offset(skip or None)
        with self._chunks(query) as chunks:
            for rows in chunks:
                # A game that is being played has its moves in their own table only.
                moves = self._moves([int(row["id"]) for row in rows if row["result"] is None])
                for row in rows:
                    yield StoredGame.of(row).with_moves(moves.get(row["id"]))

    def whole(self, which: Filter = EVERYTHING) -> Iterator[StoredGame]:
        """Games with all that is known of their moves, in the order they came; none damaged."""
        with self._chunks(self.select_games(which).order_by(schema.games.c.id)) as chunks:
            for rows in chunks:
                moves = self._moves([int(row["id"]) for row in rows])
                for stored in map(StoredGame.of, rows):
                    if not stored.problem:
                        yield stored.with_moves(moves.get(stored.id))

    @contextlib.contextmanager
    def _chunks(self, query: Select[Any]) -> Iterator[Iterator[Sequence[RowMapping]]]:
        with (
            self.engine.connect() as connection,
            connection.execution_options(yield_per=CHUNK).execute(query) as result,
        ):
            yield result.mappings().partitions(CHUNK)

    def game(self, number: int, even_removed: bool = False) -> StoredGame:
        """One game, with all that is known of its moves. Raises Unsupported if there is none."""
        query = GAMES.where(schema.games.c.id == number)
        if not even_removed:
            query = query.where(schema.games.c.removed.is_(None))
        if (found := self._first(query)) is None:
            raise Unsupported(f"no game has number {number}; `plyground store games` lists them")
        return found

    def _first(self, query: Select[Any]) -> StoredGame | None:
        for row in self.read(query):
            return StoredGame.of(row).with_moves(self._moves([row["id"]]).get(row["id"]))
        return None

    def _moves(self, numbers: Sequence[int]) -> dict[int, list[MoveRecord]]:
        """What is known of the moves of games, where there is more than their names."""
        found: dict[int, list[MoveRecord]] = {}
        damaged: set[int] = set()  # of which the list of names is enough
        for row in self.read(moves_of(numbers)):
            try:
                found.setdefault(int(row["game_id"]), []).append(move_of(row))
            except MalformedText:
                damaged.add(int(row["game_id"]))
        return {number: moves for number, moves in found.items() if number not in damaged}

    # ------------------------------------------------------------------ counts and names

    def count(self, which: Filter = EVERYTHING) -> int:
        """How many games there are."""
        query = select(func.count().label("games")).select_from(JOINED)
        [row] = self.read(which.apply(query, self.engine.dialect.name))
        return int(row["games"])

    def stats(self) -> Stats:
        """How much there is."""
        games, count = schema.games.c, func.count()
        is_there = games.removed.is_(None)
        being_played = (games.ended == "unfinished") & (games.plies == 0) & is_there
        amounts = {
            "unfinished": select(count).where(games.result.is_(None), is_there),
            "listed": select(func.coalesce(func.sum(games.plies), 0)).where(is_there),
            "live": select(count).select_from(schema.games.join(schema.moves)).where(being_played),
            "positions": select(count).select_from(schema.positions),
            "players": select(count).select_from(schema.players),
            "events": select(count).select_from(schema.events),
        }
        [row] = self.read(select(*(q.scalar_subquery().label(name) for name, q in amounts.items())))
        found = {name: int(row[name]) for name in amounts}
        moves = found.pop("listed") + found.pop("live")
        kinds = select(games.game, count.label("games")).where(is_there).group_by(games.game)
        by_game = {each["game"]: int(each["games"]) for each in self.read(kinds)}
        return Stats(by_game, moves=moves, **found)

    def player_names(self) -> list[str]:
        """All players, those without a name left out."""
        return self._names("players")

    def event_names(self) -> list[str]:
        """All matches, tournaments and whatever else games belong to."""
        return self._names("events")

    def _names(self, table: str) -> list[str]:
        column = schema.metadata.tables[table].c.name
        return [row["name"] for row in self.read(select(column).where(column != ""))]

    # ------------------------------------------------------------------ by a position

    def explore(self, game: GameSpec, state: State) -> list[Continuation]:
        """What was played from a position, or from one symmetric to it, the most frequent first."""
        table = schema.positions.c
        query = (
            select(
                table.move,
                func.count().label("games"),
                func.count().filter(table.result == 2).label("wins"),
                func.count().filter(table.result == 1).label("draws"),
            )
            .where(table.key == stored_key(state))
            .group_by(table.move)
        )
        by_canonical = moves_by_canonical(state, game.legal(state))
        found = []
        for row in self.read(query):
            move, games, wins, draws = (row[name] for name in ("move", "games", "wins", "draws"))
            if move == NO_MOVE or move in by_canonical:
                moves = tuple(by_canonical.get(move, ()))
                found.append(Continuation(moves, games, wins, draws, games - wins - draws))
        return sorted(found, key=lambda each: -each.games)

    def games_with(self, state: State, limit: int) -> list[StoredGame]:
        """Games that reached a position, or one symmetric to it, the newest first."""
        table = schema.positions.c
        reached = select(table.game_id).where(table.key == stored_key(state))
        reached = reached.order_by(table.game_id.desc()).limit(limit)
        games = schema.games.c
        query = GAMES.where(games.id.in_(reached), games.removed.is_(None))
        return [StoredGame.of(row) for row in self.read(query.order_by(games.id.desc()))]
