"""The catalogues: what there is to choose from, by name.

The functions behind a catalogue are imported when it is first used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from plyground import extensions
from plyground.core.errors import GameCodeError, InputError
from plyground.public.frames import Row, Rows, html_table

if TYPE_CHECKING:
    from plyground.evaluation.spec import EvaluatorSpec
    from plyground.formats.spec import Format
    from plyground.games.spec import GameSpec
    from plyground.lab.spec import Experiment
    from plyground.players.catalogue import PlayerKind
    from plyground.search.catalogue import Algorithm

Entry = TypeVar("Entry")


class Catalogue(Mapping[str, Entry], Rows, Generic[Entry]):
    """What there is to choose from: a mapping by name, with a table as its display.

    Names complete in an editor, and aliases are found too. A name that does not exist raises
    `Unsupported`, with the nearest one that does.

    >>> import plyground as pg
    >>> pg.algorithms["mtd(f)"].name, "mtdf" in pg.algorithms
    ('mtdf', True)
    """

    def __init__(
        self,
        what: str,
        module: str,
        entries: str,
        find: str,
        row: Callable[[str, Entry], Row],
        hides_folder: bool = False,
    ) -> None:
        self._what, self._module, self._row = what, f"plyground.{module}", row
        self._entries_name, self._find_name = entries, find
        self._folder = self._module.rpartition(".")[0] if hides_folder else ""

    def _entries(self) -> Mapping[str, Entry]:
        extensions.refresh()
        return getattr(import_module(self._module), self._entries_name)()

    def _find(self, name: str) -> Entry:
        extensions.refresh()
        return getattr(import_module(self._module), self._find_name)(name)

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
        except GameCodeError:  # it is there, in a file that was broken by an edit
            return True

    def get(self, name: str, default: Any = None) -> Any:
        """The entry of that name, or the default if there is none."""
        return self._find(name) if name in self else default

    def rows(self) -> Sequence[Row]:
        """A row for each entry."""
        return [self._row(name, entry) for name, entry in self._entries().items()]

    def _repr_html_(self) -> str:
        return html_table(self.rows(), f"{len(self)} {self._what}")

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __getattr__(self, name: str) -> Any:
        """For a catalogue that is named like a folder of the package: what is in the folder."""
        folder = self.__dict__.get("_folder")
        if not folder or (name.startswith("__") and name not in ("__path__", "__spec__")):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(sys.modules[folder], name)


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
    return {
        "name": name,
        "games": ", ".join(each.games) or "any",
        "summary": each.summary,
        "files": " ".join(each.suffixes),
        "written": each.write is not None,
    }


def _experiment_row(name: str, each: Experiment[Any]) -> Row:
    return {"name": name, "title": each.title, "question": each.question}


games: Catalogue[GameSpec] = Catalogue(
    "games", "games.catalogue", "games", "find_game", _game_row, hides_folder=True
)
algorithms: Catalogue[Algorithm] = Catalogue(
    "algorithms", "search.catalogue", "algorithms", "find_algorithm", _algorithm_row
)
evaluators: Catalogue[EvaluatorSpec] = Catalogue(
    "evaluators", "evaluation.catalogue", "by_name", "find_any", _evaluator_row
)
players: Catalogue[PlayerKind] = Catalogue(
    "kinds of players",
    "players.catalogue",
    "player_kinds",
    "find_kind",
    _player_row,
    hides_folder=True,
)
formats: Catalogue[Format] = Catalogue(
    "formats", "formats.catalogue", "formats", "find_format", _format_row, hides_folder=True
)
experiments: Catalogue[Experiment[Any]] = Catalogue(
    "experiments", "lab.catalogue", "by_name", "find_experiment", _experiment_row
)
