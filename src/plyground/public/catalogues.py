"""The catalogues: what there is to choose from, by name.

Each is a mapping from names to descriptions, which are looked up when they are first asked for. A
name that does not exist raises `Unsupported` with the nearest one that does; aliases count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from plyground.core.errors import InputError
from plyground.public.frames import Row, Rows, html_table, text_table

if TYPE_CHECKING:
    from plyground.evaluation.spec import EvaluatorSpec
    from plyground.formats.spec import Format
    from plyground.games.spec import GameSpec
    from plyground.lab.spec import Experiment
    from plyground.players.catalogue import PlayerKind
    from plyground.search.catalogue import Algorithm

Entry = TypeVar("Entry")


class Catalogue(Mapping[str, Entry], Rows, Generic[Entry]):
    """Entries by name; `catalogue["name"]`, iteration, completion, and a table as its display."""

    def __init__(
        self,
        what: str,
        entries: Callable[[], Mapping[str, Entry]],
        find: Callable[[str], Entry],
        row: Callable[[str, Entry], Row],
        folder: str = "",
    ) -> None:
        self._what, self._entries, self._find, self._row = what, entries, find, row
        self._folder = folder

    def __getitem__(self, name: str) -> Entry:
        return self._find(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries())

    def __len__(self) -> int:
        return len(self._entries())

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self._find(name) is not None
        except InputError:
            return False

    def get(self, name: str, default: Any = None) -> Any:
        """The entry, or the default if there is none."""
        return self._find(name) if name in self else default

    def rows(self) -> Sequence[Row]:
        return [self._row(name, entry) for name, entry in self._entries().items()]

    def __repr__(self) -> str:
        return text_table(self.rows())

    def _repr_html_(self) -> str:
        return html_table(self.rows(), f"{len(self)} {self._what}")

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __getattr__(self, name: str) -> Any:
        """Of a catalogue that is named like a folder of the package: what is in the folder."""
        folder = self.__dict__.get("_folder")
        if not folder or (name.startswith("__") and name not in ("__path__", "__spec__")):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(sys.modules[folder], name)


def _lazily(module: str, name: str) -> Callable[..., Any]:
    """A function of the package, imported when it is first called."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"plyground.{module}"), name)(*arguments)

    return call


def _game_row(name: str, game: GameSpec) -> Row:
    settings = ", ".join(f"{each.name}={each.default}" for each in game.parameters)
    return {"name": name, "title": game.title, "summary": game.summary, "settings": settings}


def _algorithm_row(name: str, each: Algorithm) -> Row:
    return {"name": name, "summary": each.summary, "paper": each.paper}


def _evaluator_row(name: str, each: EvaluatorSpec) -> Row:
    games = ", ".join(sorted({game.__name__ for game in each.games})) or "any"
    return {"name": name, "games": games, "summary": each.summary, "unit": each.scale}


def _player_row(name: str, kind: PlayerKind) -> Row:
    options = ", ".join(option.name for option in kind.options)
    return {"name": name, "kind": kind.group, "summary": kind.summary, "options": options}


def _format_row(name: str, each: Format) -> Row:
    files = " ".join(each.suffixes)
    games = ", ".join(each.games) or "any"
    is_written = each.write is not None
    return {"name": name, "games": games, "summary": each.summary, "files": files} | {
        "written": is_written
    }


def _experiment_row(name: str, each: Experiment[Any]) -> Row:
    return {"name": name, "title": each.title, "question": each.question}


games: Catalogue[GameSpec] = Catalogue(
    "games",
    _lazily("games.catalogue", "games"),
    _lazily("games.catalogue", "find_game"),
    _game_row,
    folder="plyground.games",
)
algorithms: Catalogue[Algorithm] = Catalogue(
    "algorithms",
    _lazily("search.catalogue", "algorithms"),
    _lazily("search.catalogue", "find_algorithm"),
    _algorithm_row,
)
evaluators: Catalogue[EvaluatorSpec] = Catalogue(
    "evaluators",
    _lazily("evaluation.catalogue", "by_name"),
    _lazily("evaluation.catalogue", "find_any"),
    _evaluator_row,
)
players: Catalogue[PlayerKind] = Catalogue(
    "kinds of players",
    _lazily("players.catalogue", "player_kinds"),
    _lazily("players.catalogue", "find_kind"),
    _player_row,
    folder="plyground.players",
)
formats: Catalogue[Format] = Catalogue(
    "formats",
    _lazily("formats.catalogue", "formats"),
    _lazily("formats.catalogue", "find_format"),
    _format_row,
    folder="plyground.formats",
)
experiments: Catalogue[Experiment[Any]] = Catalogue(
    "experiments",
    _lazily("lab.catalogue", "by_name"),
    _lazily("lab.catalogue", "find_experiment"),
    _experiment_row,
)
