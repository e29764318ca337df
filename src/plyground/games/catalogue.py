"""Which games there are: the built-in ones, and those that users add.

A game is any module with a `GAME`. Built-in games are the modules of this folder; others come from
installed packages and from files (`extensions.py`). Wherever a user types a name, a path to a
Python file, or a dotted module name, will do. Only there: `name_game` is for words of the user;
`find_game` is for all others, and imports only what the user has named.
"""

from __future__ import annotations

import importlib
import pkgutil
import secrets
from collections.abc import Iterator
from pathlib import Path

from plyground import extensions
from plyground.code_digest import digest_of
from plyground.core.errors import Unsupported, shorten, unknown
from plyground.core.naming import is_path
from plyground.extensions import PROGRAM, Extension, NotNamed, is_code
from plyground.games.spec import GameSpec
from plyground.registers import Register, plain
from plyground.sources import sources_digest

__all__ = ["NotNamed", "is_code"]


def _built_in() -> Iterator[GameSpec]:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        game = getattr(importlib.import_module(f"plyground.games.{module.name}"), "GAME", None)
        if game is not None:
            yield game


register = Register("game", GameSpec, _built_in, "GAME = GameSpec(...)")


def games() -> dict[str, GameSpec]:
    """All games that have a name, by name."""
    return dict(sorted(register.by_name().items()))


def find_game(name: str) -> GameSpec:
    """The game with this name or alias, or in a file or module that the user has named."""
    if is_path(name):
        return game_in(extensions.load(name))
    if is_code(name) and plain(name) not in games():
        return game_in(extensions.load(name))
    return register.find(name)


def name_game(name: str) -> GameSpec:
    """The game that the user means: also one in a file or module, which is imported.

    For words of a command and nothing else: whatever text comes here may run a file.
    """
    if is_code(name):
        extensions.name(name)
    return find_game(name)


def game_in(extension: Extension) -> GameSpec:
    """The one game that a file or module offers. Raises Unsupported."""
    found = _games_of(extension)
    register.all()
    if extension.error and found:
        raise extension.error
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise Unsupported(
            f"{extension.label} holds several games: {names}; "
            f"name one of them, and the file by --with {shorten(extension.place, 80)}"
        )
    if not found:
        raise Unsupported(
            f"{extension.label} defines no game; expected a line GAME = GameSpec(...)"
        )
    return found[0]


def demand_known(name: str) -> None:
    """Raise InputError for files and modules: what comes from elsewhere must not have them run."""
    if {*name} & {*"./\\"}:
        raise unknown("game", name, games())


def define(game: GameSpec) -> str:
    """The name by which a game is found, here and by whoever works for this process.

    A game that was made in a cell or a script, not in a file of its own, travels by value; made
    anew under its name, it is the new one.
    """
    known = games().get(game.name)
    if known is game:
        return portable_name(game)
    if known is not None and getattr(register.origin(known), "place", "") != PROGRAM:
        raise Unsupported(f"there is another game named {game.name}; give yours another name")
    extensions.declare("game", game, PROGRAM, lambda each: each.name == game.name)
    return game.name


def portable_name(game: GameSpec) -> str:
    """What another process finds a game by: its file if it has one to itself, or its name."""
    origin = register.origin(game)
    is_alone = origin is not None and is_path(origin.place) and _games_of(origin) == [game]
    return origin.place if origin is not None and is_alone else game.name


def _games_of(extension: Extension) -> list[GameSpec]:
    """Its own games; those of files that it imports if it has none."""
    offered = extension.own("game") or extension.offers("game")
    return [each for each in offered if isinstance(each, GameSpec)]


def code_digest_of(game: GameSpec) -> str:
    """Of a user's game, all the files it rests on; of a built-in one nothing, as it has a version.

    A game whose digest changed is another game, whose results are not those of the old one.
    """
    origin = register.origin(game)
    if origin is None:
        home = game.start.__module__
        return "" if home.partition(".")[0] == "plyground" else sources_digest([home])[:16]
    if origin.place == PROGRAM:  # a cell has no file
        return (digest_of(type(game.initial()), game.start) or secrets.token_hex(8))[:16]
    return origin.digest


def load_file(path: Path) -> GameSpec:
    """The game in a Python file that the user names."""
    return name_game(str(path.absolute()))
