"""An experiment made of what is wanted: players, games and a grid, checked before anything is run.

The values of the grid, the repetitions, the seed and the number of openings are parameters of the
experiment. Complaints name the field and what it may be. Knows no file and no notebook.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.core.errors import MalformedText, Unsupported, shorten, unknown
from plyground.games.catalogue import find_game
from plyground.lab.grid.design import QUANTITIES, Design, Measure, blamed_on, written
from plyground.lab.grid.parameters import checked_grid, parameters_of, quick_of
from plyground.lab.grid.report import GAME, PLAYER, shown
from plyground.lab.grid.schema import (
    BLANK,
    ChartEntry,
    GameEntry,
    PlayerEntry,
    Wanted,
    blanks_in,
)
from plyground.lab.parameters import check_parameters
from plyground.lab.spec import Experiment, Parameters
from plyground.matches.openings import OpeningFile, parse_openings
from plyground.players.catalogue import find_kind
from plyground.players.text import PlayerText, parse

TEMPLATE = Path(__file__).with_name("grid.md.j2").read_text(encoding="utf-8")


def make(wanted: Wanted, name: str, folder: Path = Path()) -> tuple[Experiment[Parameters], Design]:
    """The experiment, and the design of its cells. Raises InputError.

    `folder` is where the files of games and openings are looked for.
    """
    _check_beginnings(wanted)
    grid = checked_grid(wanted.grid)
    games, players = _named_games(wanted, folder), _named_players(wanted.players)
    design = Design(wanted.measure, games, players, tuple(grid))
    if wanted.measure == "match" and len(players) < 2:
        raise Unsupported('players: a match is between two; expected more, or measure = "search"')
    design.check_blanks()
    _check_shown(wanted, design)
    parameters = parameters_of(wanted, design, grid)
    experiment = Experiment(
        name=wanted.name or name,
        title=wanted.title,
        question=wanted.question or wanted.title,
        parameters=parameters,
        quick=quick_of(wanted, parameters),
        cells=design.cells,
        findings=functools.partial(shown, design, wanted),
        template=TEMPLATE,
    )
    usual = check_parameters(experiment, {})
    design.cells(usual)
    design.check_players(usual)
    with blamed_on("quick"):
        design.cells(check_parameters(experiment, experiment.quick))
    return experiment, design


def with_blanks(wanted: Wanted) -> Wanted:
    """The same with `depth={depth}` in every player that has a depth, if nobody has the blank."""
    settings = [value for game in wanted.games for value in game.settings.values()]
    blanks = blanks_in(*settings, *(entry.player for entry in wanted.players))
    if blanks and not wanted.grid:
        raise Unsupported(f"{{{blanks[0]}}} has no values; expected {blanks[0]}=[...]")
    missing = [name for name in wanted.grid if name not in blanks]
    players = [
        entry.model_copy(update={"player": _with_options(entry.player, missing)})
        for entry in wanted.players
    ]
    return wanted.model_copy(update={"players": players})


def _with_options(text: str, names: Sequence[str]) -> str:
    if not names:
        return text
    player = parse(text)
    known = {option.name for option in find_kind(player.name).options}
    added = {name: f"{{{name}}}" for name in names if name in known - {*player.options}}
    return str(PlayerText(player.name, {**player.options, **added})) if added else text


# ---------------------------------------------------------------------- games and players


def _check_beginnings(wanted: Wanted) -> None:
    entries: list[Wanted | GameEntry] = [wanted, *wanted.games]
    for number, entry in enumerate(entries):
        if entry.positions is not None and entry.openings is not None:
            place = f"games, number {number}: " if number else ""
            raise Unsupported(f"{place}positions and openings: expected one of them")
    if wanted.count is not None and all(entry.openings is None for entry in entries):
        raise Unsupported("count is of openings; expected it with openings only")


def _named_games(wanted: Wanted, folder: Path) -> list[GameEntry]:
    """Games with names of their own, each with where it begins; files are found in the folder."""
    shared = {"positions": wanted.positions, "openings": _openings(wanted, folder)}
    found: list[GameEntry] = []
    for number, entry in enumerate(wanted.games, start=1):
        with blamed_on(f"games, number {number}"):
            is_file = entry.game.endswith(".py")
            game = str((folder / entry.game).resolve()) if is_file else entry.game
            words = [
                f"{name}={written(value)}"
                for name, value in entry.settings.items()
                if not blanks_in(value)
            ]
            name = entry.name or ", ".join([find_game(game).title, *words])
            if any(each.name == name for each in found):
                raise Unsupported(f"{name} is there twice; give it another name")
            begins: dict[str, Any] = {"openings": _openings(entry, folder)}
            if entry.positions is None and entry.openings is None:
                begins = shared
            found.append(entry.model_copy(update={"game": game, "name": name, **begins}))
    return found


def _openings(entry: Wanted | GameEntry, folder: Path) -> str | None:
    if entry.openings is None:
        return None
    found = parse_openings(entry.openings)
    return str(folder / found.path) if isinstance(found, OpeningFile) else entry.openings


def _named_players(entries: Sequence[PlayerEntry]) -> list[PlayerEntry]:
    short = [entry.name or _short(entry.player) for entry in entries]
    found: list[PlayerEntry] = []
    for number, (entry, brief) in enumerate(zip(entries, short, strict=True), start=1):
        name = entry.name or (brief if short.count(brief) == 1 else entry.player)
        if any(each.name == name for each in found):
            problem = f"{shorten(name)} is there twice; give it another name"
            raise Unsupported(f"players, number {number}: {problem}")
        found.append(entry.model_copy(update={"name": name}))
    return found


def _short(text: str) -> str:
    """A player's text without options that are nothing but a blank: charts and tables tell them."""
    with contextlib.suppress(MalformedText):  # a blank for a name; or it is wrong, and told later
        player = parse(text)
        kept = {
            name: value
            for name, value in player.options.items()
            if not (isinstance(value, str) and BLANK.fullmatch(value))
        }
        return str(PlayerText(player.name, kept))
    return text


# ---------------------------------------------------------------------- charts and tables


def _check_shown(wanted: Wanted, design: Design) -> None:
    for number, chart in enumerate(wanted.charts, start=1):
        _check_chart(chart, design, f"charts, number {number}")
    for number, table in enumerate(wanted.tables, start=1):
        with blamed_on(f"tables, number {number}, of"):
            _check_quantity(table.of, design.measure)


def _check_chart(chart: ChartEntry, design: Design, place: str) -> None:
    axes = list(dict.fromkeys((*design.grid, PLAYER, GAME)))
    all_axes = list(dict.fromkeys((*axes, *QUANTITIES[design.measure])))
    with blamed_on(f"{place}, x"):
        if chart.x not in (known := all_axes if chart.kind == "points" else axes):
            if chart.x in all_axes:
                raise Unsupported(f'{chart.x} is an axis of kind = "points" only')
            raise unknown("axis", chart.x, known)
    with blamed_on(f"{place}, y"):
        _check_quantity(chart.y, design.measure)
    with blamed_on(f"{place}, series"):
        if chart.series is not None and chart.series not in (PLAYER, *design.grid):
            raise unknown("series", chart.series, (PLAYER, *design.grid))
    with blamed_on(f"{place}, log_x"):
        if chart.log_x and chart.kind == "bars":
            raise Unsupported("bars stand beside each other; expected it with lines or points")


def _check_quantity(given: str, measure: Measure) -> None:
    known = QUANTITIES[measure]
    if given in known:
        return
    if any(given in others for others in QUANTITIES.values()):
        names = ", ".join(known)
        raise Unsupported(f'{given} is not measured by measure = "{measure}"; known: {names}')
    raise unknown("counter", given, known)
