"""The lab from Python: a grid of players, games and values in one call, run and read as a frame."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from typing import Any

from plyground.core.errors import MalformedText
from plyground.games.catalogue import define
from plyground.games.spec import GameSpec
from plyground.lab.as_data import cell_text
from plyground.lab.catalogue import find_experiment
from plyground.lab.grid.design import Design
from plyground.lab.grid.findings import measured_frame
from plyground.lab.grid.making import make, with_blanks
from plyground.lab.grid.schema import check_fields
from plyground.lab.parameters import read_parameters
from plyground.lab.run_results import shipped_results, stored_results
from plyground.lab.runner import Plan, open_run
from plyground.lab.spec import Experiment, Parameters
from plyground.players.catalogue import name_engines
from plyground.public.contests import open_workers
from plyground.public.interrupting import Interrupted
from plyground.public.position import game_of
from plyground.public.progress import Progress
from plyground.public.runs import LabRun
from plyground.public.stored import Store
from plyground.store.shelter import open_store
from plyground.store.store import Store as GameStore

AnyGame = str | GameSpec | type


@dataclass(frozen=True, repr=False)
class Grid(Experiment[Parameters]):
    """Players on games at every point of a grid of values: an experiment that `run` measures.

    As `EXPERIMENT` in a Python file it is one for `plyground lab run FILE.py` as well.
    """

    design: Design | None = None

    def run(
        self,
        *,
        quick: bool = False,
        jobs: int = 1,
        cluster: str | None = None,
        store: Store | str | os.PathLike[str] | None = None,
        again: bool = False,
    ) -> LabRun:
        """Measure all of it, or what is missing of it, and return the run.

        What was measured before by the same programs is in the `store` and is not measured again,
        unless you want it `again`; so an interrupted call goes on where it was. `jobs` cells are
        measured at the same time, which disturbs times, or those that the Dask `cluster` at that
        address takes. Raises InputError, or `Interrupted` with the run so far.
        """
        plan = Plan(self, read_parameters(self, quick, {}), quick)
        plan.check()
        with ExitStack() as stack:
            opened = stack.enter_context(_opened(store))
            workers = stack.enter_context(open_workers(jobs, cluster))
            facts = {"workers": workers.count} | ({"cluster": "yes"} if cluster else {})
            begun = stack.enter_context(open_run(plan, opened, again, facts))
            progress = stack.enter_context(Progress(self.title, begun.info.cells))
            was_interrupted = False
            try:
                for done, cell in enumerate(begun.measure(workers), begun.info.measured + 1):
                    progress.report(cell_text(cell), done)
            except KeyboardInterrupt:
                was_interrupted = True
            found = stored_results(begun.info.number, opened)
            _ = found.cells  # read before the store is closed
        assert self.design is not None
        run = LabRun(found, self, functools.partial(measured_frame, self.design, plan.parameters))
        if was_interrupted:
            told = f"{run.info.measured} of {run.info.cells} cells are measured"
            raise Interrupted(f"{told}; the same call goes on", run)
        return run

    def __repr__(self) -> str:
        plans = [Plan(self, read_parameters(self, quick, {}), quick) for quick in (False, True)]
        full, quick = (len(plan.by_key) for plan in plans)
        return f"{self.title}: {full:,} cells to measure, {quick:,} if quick; .run() measures them"


class Lab:
    """`pg.lab`: experiments of your own in one call, and what the studies of the lab measured."""

    def grid(
        self,
        players: str | Sequence[str | Mapping[str, str]],
        games: AnyGame | Mapping[str, Any] | Sequence[AnyGame | Mapping[str, Any]],
        *,
        measure: str = "search",
        positions: Sequence[str] | None = None,
        openings: str | None = None,
        count: int | None = None,
        repetitions: int = 1,
        seed: int = 0,
        name: str = "grid",
        title: str = "",
        question: str = "",
        quick: Mapping[str, Any] | None = None,
        charts: Sequence[Mapping[str, Any]] = (),
        tables: Sequence[Mapping[str, Any]] = (),
        **values: Iterable[Any],
    ) -> Grid:
        """Players on games, at every point of a grid of values.

        Each keyword more is a list of `values` for the blanks of that name in the texts of players
        and in settings of games: `depth=[2, 4, 6]` fills `"mtdf:depth={depth}"`. A name for which
        there is no blank becomes an option of all players that have it. A player is a text, or
        `{"name": ..., "player": ...}`; a game is a name, a file, a `pg.Game`, or a mapping with
        `game`, `settings`, `name`, `positions` or `openings`.

        With `measure="search"` each player searches each position, with `"match"` each two play
        pairs of games from each. They begin at `positions`, or at `openings` such as `"random:4"`,
        `count` of them. `charts` and `tables` are what the report shows. Raises InputError.

        >>> import plyground as pg
        >>> grid = pg.lab.grid(["minimax", "alphabeta"], "tictactoe", depth=[1, 2, 3])
        >>> grid
        minimax, alphabeta: 6 cells to measure, 4 if quick; .run() measures them
        """
        who = _several(players)
        data = {
            "players": who,
            "games": [_game_entry(each) for each in _several(games)],
            "measure": measure,
            "positions": None if positions is None else list(positions),
            "openings": openings,
            "count": count,
            "repetitions": repetitions,
            "seed": seed,
            "title": title or ", ".join(_name_of(each) for each in who),
            "question": question,
            "quick": None if quick is None else {each: _listed(quick[each]) for each in quick},
            "charts": [dict(each) for each in charts],
            "tables": [dict(each) for each in tables],
            "grid": {each: _listed(values[each]) for each in values},
        }
        wanted = with_blanks(check_fields(data))
        for entry in wanted.players:
            with suppress(MalformedText):  # a blank for a name; or it is wrong, and told by `make`
                name_engines(entry.player)
        made, design = make(wanted, name)
        return Grid(**vars(made), design=design)

    def shipped(self, name: str) -> LabRun:
        """The finished run of a study that comes with Plyground; nothing is measured.

        >>> import plyground as pg
        >>> pg.lab.shipped("reversi-weights").frame()["game"].unique().drop_nulls().to_list()
        ['othello']

        Raises InputError if the study has none.
        """
        return LabRun(shipped_results(find_experiment(name).name))

    def __getattr__(self, name: str) -> Any:
        """What is in the folder of the package that has the same name."""
        if name.startswith("__") and name not in ("__path__", "__spec__"):
            raise AttributeError(f"lab has no attribute {name!r}")
        return getattr(sys.modules["plyground.lab"], name)


def _opened(store: Store | str | os.PathLike[str] | None) -> AbstractContextManager[GameStore]:
    """A store that was opened before stays open."""
    if isinstance(store, Store):
        return nullcontext(store.inside)
    return open_store(None if store is None else os.fspath(store))


def _game_entry(given: Any) -> dict[str, Any]:
    entry = dict(given) if isinstance(given, Mapping) else {"game": given}
    if "game" in entry:
        spec = game_of(entry["game"])
        is_text = isinstance(entry["game"], str) or hasattr(entry["game"], "__fspath__")
        entry["game"] = os.fspath(entry["game"]) if is_text else define(spec)
    return entry


def _several(given: Any) -> list[Any]:
    """A list, or what stands alone."""
    return list(given) if isinstance(given, list | tuple) else [given]


def _name_of(player: Any) -> str:
    known = player if isinstance(player, Mapping) else {"player": player}
    return str(known.get("name") or known.get("player"))


def _listed(values: Any) -> Any:
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else values


lab = Lab()
