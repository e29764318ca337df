"""Which games there are: the built-in ones, installed ones, and files on the command line.

A game is any module with a `GAME`. Built-in games are the modules of this folder; an installed
package adds its own through the entry-point group `plyground.games`; and wherever a user types a
name, a path to a Python file, or a dotted module name, will do. Only there: `name_game` is for
words of the user; `find_game` is for all others, and imports only what the user has named.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import pkgutil
import secrets
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from plyground.code_digest import digest_of
from plyground.core import naming
from plyground.core.errors import GameCodeError, PlygroundError, Unsupported, shorten, unknown
from plyground.core.naming import is_named, is_path, name_code, place_of
from plyground.games.spec import GameSpec
from plyground.kernel import Helper, declared
from plyground.sources import sources_digest

ENTRY_POINTS = "plyground.games"
MOST_PACKAGES = 50  # inside each other


class NotNamed(Unsupported):
    """A game in code that a file names, but not the user."""


@functools.cache
def games() -> dict[str, GameSpec]:
    """All games that have a name, by name."""
    found = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        game = getattr(importlib.import_module(f"plyground.games.{module.name}"), "GAME", None)
        if game is not None:
            found[game.name] = game
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        game = _game_of(entry.module, _import(entry.module))
        found.setdefault(game.name, game)
    return dict(sorted(found.items()))


def find_game(name: str) -> GameSpec:
    """The game with this name or alias, or in a file or module that the user has named."""
    if (made := naming.defined(name)) is not None:
        return made.game if isinstance(made, _Made) else made
    if is_path(name):
        return _load(Path(place_of(name)), name)
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    by_name = {alias: game for game in games().values() for alias in (game.name, *game.aliases)}
    if wanted in by_name:
        return by_name[wanted]
    if "." in name and _is_module_name(name):
        if name not in sys.modules:  # of one that is there nothing runs
            _demand_named(name)
        return _game_of(name, _import(name))
    raise unknown("game", name, by_name)


def name_game(name: str) -> GameSpec:
    """The game that the user means: also one in a file or module, which is imported.

    For words of a command and nothing else: whatever text comes here may run a file.
    """
    if is_code(name):
        name_code(name)
    return find_game(name)


def demand_known(name: str) -> None:
    """Raise InputError for files and modules: what comes from elsewhere must not have them run."""
    if {*name} & {*"./\\"}:
        raise unknown("game", name, games())


def is_code(name: str) -> bool:
    """Whether a text names a file or module, and no game that is known."""
    return is_path(name) or ("." in name and _is_module_name(name))


def _demand_named(name: str) -> None:
    if not is_named("code", name):
        raise NotNamed(
            f"{shorten(name, 80)} is Python code, which runs only if you name it yourself: "
            f"--with {shorten(name, 80)}"
        )


def admit(name: str) -> GameSpec:
    """The game in this file or module, which from now on is found by its name as well."""
    game = name_game(name)
    if games().setdefault(game.name, game) is not game:
        raise Unsupported(f"{shorten(name, 80)}: there is another game named {game.name}")
    if name.endswith(".py"):
        _files[game.name] = Path(name).resolve()
    return game


def define(game: GameSpec) -> str:
    """The name by which a game is found, here and by whoever works for this process.

    A game that was made in a cell or a script, not in a file of its own, travels by value; made
    anew under its name, it is the new one.
    """
    if games().get(game.name) is game:
        return game.name
    if game.name in games():
        raise Unsupported(f"there is another game named {game.name}; give yours another name")
    home = _homes.get(id(game), "")
    path = getattr(sys.modules.get(home), "__file__", None)
    if path and module_name(Path(path)) == home:
        return str(path)
    naming.define(game.name, _Made(game))
    return game.name


@dataclass(frozen=True)
class _Made:
    """A game that was made in a cell or a script, on its way to another process."""

    game: GameSpec

    def __reduce__(self) -> tuple[Any, ...]:
        """With the helpers of its rules, which compiled code finds only where they are declared."""
        helpers = [each for each in declared if isinstance(each, Helper)]
        own = [vars(each) for each in helpers if each.function.__module__ == "__main__"]
        return _arrived, (self.game, own)


def _arrived(game: GameSpec, helpers: list[dict[str, Any]]) -> GameSpec:
    for each in helpers:
        Helper(**each)
    return game


def portable_name(game: GameSpec) -> str:
    """What another process finds a game by: its name, or the file that was admitted."""
    return str(_files.get(game.name, game.name))


def code_digest_of(game: GameSpec) -> str:
    """Of a user's game, all the files it rests on; of a built-in one nothing, as it has a version.

    A game whose digest changed is another game, whose results are not those of the old one.
    """
    if getattr(naming.defined(game.name), "game", None) is game:  # a cell has no file
        return (digest_of(type(game.initial()), game.start) or secrets.token_hex(8))[:16]
    modules = {game.start.__module__, _homes.get(id(game), game.start.__module__)}
    if all(name.partition(".")[0] == "plyground" for name in modules):
        return ""
    return sources_digest(modules)[:16]


_files: dict[str, Path] = {}
_homes: dict[int, str] = {}  # the modules that games come from, by games, which live as long


def load_file(path: Path) -> GameSpec:
    """The game in a Python file that the user names."""
    return name_game(str(path.absolute()))


def _load(path: Path, name: str) -> GameSpec:
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        is_file = False
    if not is_file:
        raise Unsupported(f"no game file at {shorten(name, 80)}; expected a Python file")
    _demand_named(name)
    return _loaded(path)


@functools.cache
def _loaded(path: Path) -> GameSpec:
    """Under a module name that is the same in every process."""
    name = module_name(path)
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise Unsupported(f"{path.name} cannot be read as Python; expected a file ending in .py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # before it runs: dataclasses and pickles look it up there
    beside = str(path.parent)  # a game may import a file that lies next to it
    sys.path.insert(0, beside)
    try:
        with _blamed_on(str(path)):
            specification.loader.exec_module(module)
    except PlygroundError:
        del sys.modules[name]
        raise
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(beside)
    return _game_of(path.name, module)


def module_name(path: Path) -> str:
    """The name of the module that a file becomes."""
    path = path.resolve()
    return f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"


def _is_module_name(name: str) -> bool:
    parts = name.split(".")
    return len(parts) <= MOST_PACKAGES and all(part.isidentifier() for part in parts)


def _import(name: str) -> ModuleType:
    with _blamed_on(name):
        try:
            found = importlib.util.find_spec(name) is not None  # runs the packages it is in
        except (ImportError, ValueError):
            found = False
        if not found:
            raise Unsupported(
                f"no module named {shorten(name)}; expected a game's name, file or module"
            )
        return importlib.import_module(name)


def _game_of(origin: str, module: ModuleType) -> GameSpec:
    game = getattr(module, "GAME", None)
    if not isinstance(game, GameSpec):
        raise Unsupported(f"{origin} defines no game; expected a line GAME = GameSpec(...)")
    _homes[id(game)] = module.__name__
    return game


@contextlib.contextmanager
def _blamed_on(path: str) -> Iterator[None]:
    """Turn any failure of a game's own code into one line that says where it is."""
    try:
        yield
    except PlygroundError:
        raise
    except SyntaxError as error:
        raise GameCodeError(error.filename or path, error.lineno or 1, str(error.msg)) from error
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
        line = frames[-1].lineno if frames and frames[-1].lineno else 1
        raise GameCodeError(path, line, f"{type(error).__name__}: {error}") from error
