"""The names of players and events in a store, and which of them somebody may have meant."""

from __future__ import annotations

import difflib

from sqlalchemy import select

from plyground.store import schema
from plyground.store.store import Store

LIKE_ENOUGH = 0.6  # of 1


def player_names(store: Store) -> list[str]:
    """All players, those without a name left out."""
    return _names(store, "players")


def event_names(store: Store) -> list[str]:
    """All matches, tournaments and whatever else games belong to."""
    return _names(store, "events")


def _names(store: Store, table: str) -> list[str]:
    column = schema.metadata.tables[table].c.name
    with store.engine.connect() as connection:
        return list(connection.execute(select(column).where(column != "")).scalars())


def nearest(text: str, names: list[str]) -> str | None:
    """The name that is most like a text, as a whole or in one of its words."""
    whole_of: dict[str, str] = {}
    for name in names:
        for part in (name, *name.split()):
            whole_of.setdefault(part.lower(), name)
    found = difflib.get_close_matches(text.lower(), list(whole_of), 1, LIKE_ENOUGH)
    return whole_of[found[0]] if found else None
