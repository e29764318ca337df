"""Using what users add: a file by name, and whether everything in it can be used.

The catalogues are imported only if a file offers something for them.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from plyground import extensions
from plyground.extensions import LISTS, Extension

if TYPE_CHECKING:
    from plyground.games.position import BasePosition

CATALOGUES = {
    "game": "plyground.games.catalogue",
    "evaluator": "plyground.evaluation.catalogue",
    "algorithm": "plyground.search.catalogue",
    "player": "plyground.players.catalogue",
    "level": "plyground.players.catalogue",
    "solver": "plyground.solvers.catalogue",
    "format": "plyground.formats.catalogue",
    "experiment": "plyground.lab.catalogue",
}
AnyPosition = TypeVar("AnyPosition", bound="BasePosition")


def use(file: str | os.PathLike[str]) -> Extension:
    """Have all that a Python file or module offers: games, evaluators, algorithms, players.

    What is in it is then found by name, here and by all that works for this program. Raises
    PlygroundError if it cannot be imported, or if a name in it is taken.
    """
    extensions.refresh()
    return demand_sound(extensions.name(os.fspath(file)))


def demand_sound(extension: Extension) -> Extension:
    """The extension itself. Raises what is wrong with anything that it offers."""
    for kind in LISTS:
        if extension.offers(kind):
            import_module(CATALOGUES[kind]).register.all()
    if extension.error:
        raise extension.error
    return extension


def current(position: AnyPosition) -> AnyPosition:
    """The position under the rules as they are now: those of a user's file may have been edited."""
    from plyground.games.catalogue import register

    extensions.refresh()
    game = position.game
    if any(game is each for each in register.all()) or game.name not in register.by_name():
        return position
    now = register.demand_sound(register.by_name()[game.name])
    if register.origin(now) is None or type(position.start).__module__ == "__main__":
        return position
    return type(position).begin(now, position.settings, position.origin, position.moves)
