"""The file in which users describe an experiment of their own, in TOML: read, checked, an example.

    experiment = read_experiment(Path("mine.toml"))

What it becomes is an experiment like any other: the values of its grid, the repetitions, the seed
and the number of openings are parameters. Every complaint names the file, the field, and what it
may be; nothing is run. The form of the fields is in `schema.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.core.errors import MalformedText, Unsupported, shorten, unknown
from plyground.core.files import read_bounded
from plyground.games.catalogue import find_game
from plyground.lab.parameters import check_parameters
from plyground.lab.rendering.names import short_name
from plyground.lab.report import Report
from plyground.lab.spec import Experiment, Parameters, Results
from plyground.lab.user.charts import PLAYER, axes
from plyground.lab.user.design import (
    BLANK,
    Begins,
    Contender,
    Design,
    Ground,
    Measure,
    blamed_on,
    blanks_in,
    written,
)
from plyground.lab.user.numbers import QUANTITIES
from plyground.lab.user.parameters import kinds_of, parameters_of, quick_of
from plyground.lab.user.report import Wishes, make_report
from plyground.lab.user.schema import (
    ChartEntry,
    GameEntry,
    PlayerEntry,
    UserFile,
    check_file,
)
from plyground.matches.openings import OpeningFile, parse_openings
from plyground.players.text import PlayerText, parse

MOST_BYTES = 2**20
EXAMPLE = """\
# An experiment for `plyground lab run THIS-FILE`. `--quick` measures less, `--set depth=4,8` other
# values of the grid. Interrupt it whenever you like: the same command goes on where it was.

title = "What a table of bounds is worth"
question = "How many leaves does alpha-beta save with a table of bounds, and MTD(f) beyond that?"
# name = "memory"              # of its runs; the name of this file if left out

measure = "search"             # each player searches each position; "match": each two play games
repetitions = 3                # of each search, for its time; of a match: of pairs of games, which
                               # only differ if a player has some chance in it
seed = 1                       # of random openings, and of chance in matches

games = ["connect4"]           # plyground games lists them; or a Python file, with --with FILE
# games = [{ game = "connect4", settings = { width = 8 } }, "othello"]

openings = "random:6"          # begin after so many random moves, the same for all players;
count = 10                     # so many openings. Or a file with a list of moves on each line
# positions = ["44", "4 4 5"]  # or these, instead of openings; "" is where the game begins

# Players' texts (plyground players) with blanks for the values of the grid, or a name and a text.
players = [
    "alphabeta:depth={depth}",
    "abmemory:depth={depth},memory=4MB",
    { name = "MTD(f)", player = "mtdf:depth={depth},memory=4MB" },
]

[grid]                         # settings of games may have blanks too: { width = "{width}" }
depth = [2, 4, 6]

[quick]                        # what --quick changes
depth = [2, 4]
repetitions = 1
count = 4

[[charts]]
kind = "lines"                 # or "bars"; or "points", one for each search or pair of games
x = "depth"                    # a name of the grid, "player" or "game"
y = "leaves"                   # nodes, leaves, cutoffs ... (docs/counting.md), value, time;
                               # of a match: points, nodes, time, plies
log = true                     # log_x = true for the other axis
title = "Leaves by depth"
# series = "player"            # what is named first in the legend: "player" or a name of the grid
# average = "mean"             # over all positions; the median if left out

[[charts]]
kind = "bars"
x = "depth"
y = "time"
log = true

# [[tables]]                   # without any, there are tables of what the charts show
# of = "nodes"
# average = "mean"
# title = "Nodes"
"""


def read_experiment(path: Path) -> Experiment[Parameters]:
    """The experiment in a file. Raises InputError."""
    data = _read(path)
    with blamed_on(shorten(str(path), 200)):
        return _make(path, check_file(data))


def read_name(path: Path) -> str:
    """What it is called. Raises InputError."""
    data = _read(path)
    with blamed_on(shorten(str(path), 200)):
        return check_file(data).name or _name_of(path)


def _read(path: Path) -> dict[str, Any]:
    name = shorten(str(path), 200)
    try:
        return tomllib.loads(read_bounded(path, MOST_BYTES).decode())
    except OSError as error:
        raise Unsupported(
            f"cannot read {name}: {error.strerror}; `plyground lab new FILE.toml` writes an example"
        ) from None
    except UnicodeDecodeError:
        raise MalformedText(f"{name} is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:  # the latter for lists in lists in lists
        raise MalformedText(f"{name}: not TOML: {shorten(str(error), 200)}") from None


def _make(path: Path, file: UserFile) -> Experiment[Parameters]:
    _check_beginnings(file)
    kinds = kinds_of(file.grid)
    design = Design(file.measure, _grounds(path, file), _contenders(file.players), tuple(kinds))
    if file.measure == "match" and len(design.contenders) < 2:
        raise Unsupported('players: a match is between two; expected more, or measure = "search"')
    design.check_blanks()
    wishes = _wishes(file, design)
    parameters = parameters_of(file, design, kinds)

    def report(chosen: Parameters, results: Results) -> Report:
        return make_report(design, wishes, chosen, results)

    experiment = Experiment(
        name=file.name or _name_of(path),
        title=file.title,
        question=file.question or file.title,
        parameters=parameters,
        quick=quick_of(file, parameters),
        cells=design.cells,
        report=report,
    )
    usual = check_parameters(experiment, {})
    design.cells(usual)
    design.check_players(usual)
    with blamed_on("quick"):
        design.cells(check_parameters(experiment, experiment.quick))
    return experiment


def _name_of(path: Path) -> str:
    """The file's own, beginning with a letter: a number alone would name a run."""
    name = short_name(path.stem)
    return name if name[0].isalpha() else f"experiment-{name}"


# ---------------------------------------------------------------------- games and players


def _check_beginnings(file: UserFile) -> None:
    entries: list[UserFile | GameEntry] = [file, *file.games]
    for number, entry in enumerate(entries):
        if entry.positions is not None and entry.openings is not None:
            place = f"games, number {number}: " if number else ""
            raise Unsupported(f"{place}positions and openings: expected one of them")
    if file.count is not None and all(entry.openings is None for entry in entries):
        raise Unsupported("count is of openings; expected it with openings only")


def _grounds(path: Path, file: UserFile) -> list[Ground]:
    shared = _begins(path, file)
    found: list[Ground] = []
    for number, entry in enumerate(file.games, start=1):
        with blamed_on(f"games, number {number}"):
            ground = _ground(path, entry, shared)
            if ground.label in [each.label for each in found]:
                raise Unsupported(f"{ground.label} is there twice; give it another name")
            found.append(ground)
    return found


def _ground(path: Path, entry: GameEntry, shared: Begins) -> Ground:
    is_file = entry.game.endswith(".py")
    game = str((path.parent / entry.game).resolve()) if is_file else entry.game
    words = [
        f"{name}={written(value)}" for name, value in entry.settings.items() if not blanks_in(value)
    ]
    label = entry.name or ", ".join([find_game(game).title, *words])
    if entry.positions is None and entry.openings is None:
        return Ground(label, game, entry.settings, shared, is_shared=True)
    return Ground(label, game, entry.settings, _begins(path, entry))


def _begins(path: Path, entry: UserFile | GameEntry) -> Begins:
    if entry.openings is None:
        return tuple(entry.positions or [""])
    found = parse_openings(entry.openings)
    return OpeningFile(path.parent / found.path) if isinstance(found, OpeningFile) else found


def _contenders(entries: Sequence[PlayerEntry]) -> list[Contender]:
    short = [entry.name or _short(entry.player) for entry in entries]
    labels = [
        entry.name or (label if short.count(label) == 1 else entry.player)
        for entry, label in zip(entries, short, strict=True)
    ]
    for number, label in enumerate(labels, start=1):
        if label in labels[: number - 1]:
            raise Unsupported(
                f"players, number {number}: {shorten(label)} is there twice; give it another name"
            )
    return [Contender(label, entry.player) for label, entry in zip(labels, entries, strict=True)]


def _short(text: str) -> str:
    """A player's text without options that are nothing but a blank: charts and tables tell them."""
    try:
        player = parse(text)
    except MalformedText:  # such as a blank for the player's name; or it is wrong, and told later
        return text
    kept = {
        name: value
        for name, value in player.options.items()
        if not (isinstance(value, str) and BLANK.fullmatch(value))
    }
    return str(PlayerText(player.name, kept))


# ---------------------------------------------------------------------- charts and tables


def _wishes(file: UserFile, design: Design) -> Wishes:
    for number, chart in enumerate(file.charts, start=1):
        _check_chart(chart, design, f"charts, number {number}")
    for number, table in enumerate(file.tables, start=1):
        with blamed_on(f"tables, number {number}, of"):
            _check_quantity(table.of, design.measure)
    return Wishes(file.charts, file.tables)


def _check_chart(chart: ChartEntry, design: Design, place: str) -> None:
    with blamed_on(f"{place}, x"):
        known = axes(design, chart.kind)
        if chart.x not in known:
            if chart.x in axes(design, "points"):
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
