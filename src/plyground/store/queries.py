"""Which games are meant, and in which order: filters and orders as SQL."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Select,
    any_,
    case,
    func,
    literal,
    or_,
    select,
)

from plyground.store import schema

LIKE_ENOUGH = 0.6  # of 1
RESULTS = {"first": 2, "second": 0, "draw": 1, "unfinished": None}
"""What a filter may ask for, and the number in the database."""

_FIRST, _SECOND = schema.players.alias("first"), schema.players.alias("second")
JOINED = (
    schema.games.join(_FIRST, schema.games.c.first_id == _FIRST.c.id)
    .join(_SECOND, schema.games.c.second_id == _SECOND.c.id)
    .outerjoin(schema.events, schema.games.c.event_id == schema.events.c.id)
)
GAMES = select(
    schema.games,
    _FIRST.c.name.label("first"),
    _SECOND.c.name.label("second"),
    schema.events.c.name.label("event"),
).select_from(JOINED)
"""The rows of games, with the names of players and event."""

# A game that is being played has its moves in their own table only.
_LIVE = select(func.count()).where(schema.moves.c.game_id == schema.games.c.id).scalar_subquery()
PLIES = case(
    (schema.games.c.result.is_(None) & (schema.games.c.plies == 0), _LIVE),
    else_=schema.games.c.plies,
)


@dataclass(frozen=True)
class Filter:
    """Which games; a field that is None does not matter."""

    game: str | None = None
    player: str | None = None
    """On either side; a part of the name will do."""
    result: str | None = None
    """One of `RESULTS`."""
    since: str | None = None
    until: str | None = None
    event: str | None = None
    numbers: Collection[int] | None = field(default=None, compare=False)
    """Only these ids."""

    def apply(self, query: Select[Any], dialect: str) -> Select[Any]:
        games = schema.games.c
        query = query.where(games.removed.is_(None))
        if self.numbers is not None:
            query = query.where(_is_among(games.id, self.numbers, dialect))
        if self.game:
            query = query.where(games.game == self.game)
        if self.player:
            names = (_FIRST.c.name, _SECOND.c.name)
            query = query.where(or_(*(_contains(name, self.player) for name in names)))
        if self.result:
            query = query.where(games.result == RESULTS[self.result])
        if self.since:
            query = query.where(games.date >= self.since)
        if self.until:  # the whole of that day or year
            start = func.substr(games.date, 1, len(self.until))
            query = query.where(games.date != "", start <= self.until)
        if self.event:
            query = query.where(_contains(schema.events.c.name, self.event))
        return query


EVERYTHING = Filter()


def _contains(name: ColumnElement[str], part: str) -> ColumnElement[bool]:
    return name.icontains(part, autoescape=True)


def _is_among(number: ColumnElement[int], numbers: Collection[int], dialect: str) -> Any:
    """In one parameter, however many there are: databases take only so many."""
    if dialect == "postgresql":
        return number == any_(literal(list(numbers), ARRAY(BigInteger)))
    listed = json.dumps(list(numbers))
    return number.in_(select(func.json_each(listed).table_valued("value").c.value))


ORDERS: Mapping[str, ColumnElement[Any]] = {
    "date": schema.games.c.date,
    "game": schema.games.c.game,
    "first": func.lower(_FIRST.c.name),
    "second": func.lower(_SECOND.c.name),
    "result": func.coalesce(schema.games.c.result, -1),
    "moves": PLIES,
    "event": func.lower(func.coalesce(schema.events.c.name, "")),
    "number": schema.games.c.id,
}


@dataclass(frozen=True)
class Order:
    """How a list of games is sorted; games that are equal in it come newest first."""

    by: str = "date"
    """One of ORDERS."""
    descending: bool = True

    def apply(self, query: Select[Any]) -> Select[Any]:
        chosen = ORDERS[self.by]
        newest = (schema.games.c.date.desc(), schema.games.c.id.desc())
        return query.order_by(chosen.desc() if self.descending else chosen.asc(), *newest)


NEWEST_FIRST = Order()


def moves_of(numbers: Sequence[int]) -> Select[Any]:
    """The rows of moves of some games."""
    table = schema.moves
    return select(table).where(table.c.game_id.in_(numbers)).order_by(table.c.game_id, table.c.ply)


def nearest(text: str, names: Sequence[str]) -> str | None:
    """The name that is most like a text, as a whole or in one of its words."""
    whole_of: dict[str, str] = {}
    for name in names:
        for part in (name, *name.split()):
            whole_of.setdefault(part.lower(), name)
    found = difflib.get_close_matches(text.lower(), list(whole_of), 1, LIKE_ENOUGH)
    return whole_of[found[0]] if found else None
