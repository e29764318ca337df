"""Which games of which store a command is about: its options, and what these mean in a store."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from plyground.core.errors import MalformedText, Unsupported, shorten, unknown
from plyground.games.catalogue import name_game
from plyground.store import shelter
from plyground.store.queries import EVERYTHING, RESULTS, Filter, nearest
from plyground.store.store import Store

MOST = 2**63 - 1  # what a database can count to

Game = Annotated[str | None, typer.Option("--game", "-g", help="Of this game only.")]
Player = Annotated[
    str | None, typer.Option("--player", help="With this in a player's name, on either side.")
]
Result = Annotated[
    str | None, typer.Option("--result", help="first or second won, draw, or unfinished.")
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="On or after YYYY, YYYY-MM or a day.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Up to the end of it.")]
Event = Annotated[str | None, typer.Option("--event", help="With this in the event's name.")]


def open_store(name: str | None) -> Store:
    """The store that an option names, which must be there, or the usual one."""
    if name is not None:
        demand_store(name)
    return shelter.open_store(name)


def demand_store(name: str) -> None:
    """Raises Unsupported if a file is named that does not exist: opening would make one."""
    path = name.removeprefix("sqlite:///")
    if "://" in path:
        return
    try:
        is_there = Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # a name that no file can have
        is_there = False
    if not is_there:
        raise Unsupported(f"there is no store at {shorten(path, 300)}; `store import` makes one")


# ------------------------------------------------------------------ filters


def make_filter(
    store: Store,
    game: str | None,
    player: str | None,
    result: str | None,
    since: str | None,
    until: str | None,
    event: str | None,
) -> Filter:
    """The filter that the options describe. Raises InputError."""
    if result is not None and result not in RESULTS:
        raise unknown("result", result, RESULTS)
    for text in (since, until):
        if text is not None:
            _demand_date(text)
    if since and until and since[: len(until)] > until:
        raise Unsupported(f"--since {since} is after --until {until}")
    return Filter(_game(store, game), player, result, _first_day(since), until, event)


def _game(store: Store, name: str | None) -> str | None:
    """The name of a game that is known here, or that some stored games have."""
    if name is None or store.count(Filter(game=name)):
        return name
    return name_game(name).name


def _demand_date(text: str) -> None:
    if not re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", text, re.ASCII):
        raise MalformedText(f"date {shorten(text)!r}: expected YYYY, YYYY-MM or YYYY-MM-DD")
    try:
        date.fromisoformat(text + "-01" * ((10 - len(text)) // 3))
    except ValueError:
        raise MalformedText(f"date {text}: there is no such day") from None


def _first_day(text: str | None) -> str | None:
    """Where only the year or month of a game is known, its first day counts."""
    while text and text.endswith("-01"):
        text = text.removesuffix("-01")
    return text


# ------------------------------------------------------------------ nothing found


def why_none(store: Store, which: Filter) -> str:
    """Why no game was found, for people. Raises Unsupported if a name is nobody's."""
    _demand_known("player", which.player, store.player_names)
    _demand_known("event", which.event, store.event_names)
    if which == EVERYTHING or not store.count():
        return "the store is empty; let somebody play, or use `plyground store import`"
    return "no game in the store is like that"


def _demand_known(kind: str, text: str | None, names: Callable[[], list[str]]) -> None:
    if text is None:
        return
    known = names()
    if any(text.lower() in name.lower() for name in known):
        return
    near = nearest(text, known)
    hint = f"; did you mean {shorten(near, 60)}?" if near else ""
    raise Unsupported(f"no {kind}'s name has {shorten(text)!r} in it{hint}")
