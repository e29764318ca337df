"""The options a player's text may have: what each is for, and how its value is read.

`catalogue.py` says which player takes which options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.core.errors import MalformedText, Unsupported, shorten, unknown
from plyground.core.quantities import read_bytes, read_count, read_seconds, read_share
from plyground.players.text import PlayerText, parse

MOST_NODES = 10**15
YES_OR_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}

Read = Callable[[str | PlayerText, str], Any]
"""From the value and the option's name to what the player is made with."""


@dataclass(frozen=True)
class Option:
    """One option of a player."""

    name: str
    read: Read
    help: str
    needed: bool = False


def read_options(
    player: PlayerText, known: Sequence[Option], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """The values of all options that are given, and the defaults of others."""
    by_name = {option.name: option for option in known}
    values = dict(defaults)
    for name, value in player.options.items():
        if name not in by_name:
            if not known:
                raise Unsupported(
                    f"{player.name} has no options, so {shorten(name)!r} cannot be set"
                )
            raise unknown(f"option of {player.name}", name, by_name)
        values[name] = by_name[name].read(value, f"{player.name}: {name}")
    for option in known:
        if option.needed and option.name not in values:
            raise MalformedText(f"{player.name} needs {option.name}: {option.help}")
    return values


def in_order(player: PlayerText, known: Sequence[Option]) -> PlayerText:
    """The same player with its options in the order of their declaration: its canonical text."""
    places = {option.name: place for place, option in enumerate(known)}
    names = sorted(player.options, key=lambda name: places.get(name, len(places)))
    return PlayerText(player.name, {name: player.options[name] for name in names})


# ------------------------------------------------------------------ kinds of values


def word(value: str | PlayerText, what: str) -> str:
    """A plain text."""
    if isinstance(value, PlayerText):
        raise MalformedText(
            f"{what} {shorten(str(value))!r}: expected a plain value, without options"
        )
    return value


def _amount(read: Callable[..., Any], *bounds: int) -> Read:
    """A plain text, read by one of the readers of amounts."""
    return lambda value, what: read(word(value, what), what, *bounds)


seconds = _amount(read_seconds)
size = _amount(read_bytes)
share = _amount(read_share)
nodes = _amount(read_count, 1, MOST_NODES)


def count(low: int, high: int) -> Read:
    """A whole number within bounds."""
    return _amount(read_count, low, high)


def number(kind: type[int] | type[float]) -> Read:
    """A number, of whichever sign; a part of all may be a percentage."""

    def read(value: str | PlayerText, what: str) -> float:
        text = word(value, what)
        if not re.fullmatch(r"[+-]?[0-9]{1,15}(\.[0-9]{1,9})?%?", text, re.ASCII) or (
            kind is int and not text.lstrip("+-").isdecimal()
        ):
            noun = "a whole number" if kind is int else "a number such as 0.1 or 10%"
            raise MalformedText(f"{what} {shorten(text)!r}: expected {noun}")
        return float(text[:-1]) / 100 if text.endswith("%") else kind(text)

    return read


def yes_or_no(value: str | PlayerText, what: str) -> bool:
    text = word(value, what).lower()
    if text not in YES_OR_NO:
        raise MalformedText(f"{what} {shorten(text)!r}: expected yes or no")
    return YES_OR_NO[text]


def one_of(*choices: str) -> Read:
    """One of some words."""

    def read(value: str | PlayerText, what: str) -> str:
        text = word(value, what).lower()
        if text not in choices:
            raise unknown(what, text, choices)
        return text

    return read


def with_options(value: str | PlayerText, what: str) -> PlayerText:
    """A name that may have options of its own: a player, or an evaluator with weights."""
    try:
        return value if isinstance(value, PlayerText) else parse(value)
    except MalformedText as error:
        raise MalformedText(f"{what}: {error}") from None
