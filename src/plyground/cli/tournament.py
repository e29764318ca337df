"""`plyground tournament`: many players, one table, and a run that survives anything."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from plyground.cli import contests, options
from plyground.cli.common import out, print_json, print_table, write_example
from plyground.cli.elo import signed
from plyground.cli.running import as_job, name_given, naming_options, open_workers, typed
from plyground.core.errors import Unsupported, shorten
from plyground.core.naming import is_named
from plyground.matches.as_data import tournament_as_data
from plyground.matches.journal import Journal
from plyground.matches.pair import PlayedPair
from plyground.matches.summary import Record, records
from plyground.matches.tournament import cross_table, ratings
from plyground.matches.tournament_file import EXAMPLE, ReadTournament
from plyground.players.catalogue import commands_of

NEW = "new"
NEW_FILE = "tournament.toml"
NAME_WIDTH, CELL_WIDTH = 16, 6  # of a cross-table, at least; a wider one is in the JSON


def tournament(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC.toml|new", help="A tournament's file; new writes one.")
    ],
    path: Annotated[str | None, typer.Argument(help=f"With new: its name, {NEW_FILE}.")] = None,
    jobs: options.Jobs = 1,
    cluster: options.Cluster = None,
    with_: options.With = None,
    engine: options.Engine = None,
    out_: options.Journal = None,
    store: options.Store = None,
    no_store: options.NoStore = False,
    json: options.Json = False,
) -> None:
    """Play a tournament, or resume it, and print its table."""
    if spec == NEW:
        return _write_example(Path(path or NEW_FILE))
    if path is not None:
        raise Unsupported(f"{path!r} was not expected; one file describes a tournament")
    name_given(with_, engine)
    read = ReadTournament(Path(spec))
    _demand_named(read)
    contest = read.tournament
    file = out_ or read.path.with_suffix(".jsonl")
    event = f"tournament {read.title}"
    about = {"spec": str(read.path.absolute()), "journal": str(file.absolute()), "event": event}
    with contests.playing(
        contest,
        lambda pair: _news(pair, read),
        file=file,
        recording=contests.make_recording(store, no_store, event, cluster),
        workers=open_workers(jobs, cluster),
        job=as_job("tournament", read.title, about, typed()),
    ) as (journal, _):
        played = contest.played(journal)
        if json:
            print_json(tournament_as_data(read, played, journal))
        else:
            _print(read, played, journal, naming_options(with_, engine))


def _demand_named(read: ReadTournament) -> None:
    """Raise Unsupported for programs that only the file names: it may be anybody's."""
    commands = [command for text in read.names for command in commands_of(text)]
    missing = [each for each in dict.fromkeys(commands) if not is_named("engine", each)]
    if missing:
        words = shlex.join(naming_options(None, missing))
        raise Unsupported(
            f"{read.path}: its players start programs, which run only if you name them yourself: "
            f"{shorten(words, 300)}"
        )


def _write_example(path: Path) -> None:
    write_example(path, EXAMPLE)
    name = escape(str(path))
    out.print(f"wrote {name}; play it with: plyground tournament {name}", soft_wrap=True)


def _news(pair: PlayedPair, read: ReadTournament) -> str:
    first, second = (escape(read.names[text]) for text in pair.pair.players)
    points = sum(pair.points)
    return f"{first} {points:g}:{2 - points:g} {second}"


def _print(
    read: ReadTournament, played: list[PlayedPair], journal: Journal, named: list[str]
) -> None:
    contest = read.tournament
    games = 2 * len(played)
    out.print(
        f"[bold]{escape(read.title)}[/]: {read.plan.spec.title}, {contest.format}, "
        f"{games} of {2 * contest.total} games, openings {escape(str(read.plan.openings))}, "
        f"seed {read.plan.seed}",
        soft_wrap=True,
    )
    rating_list, by_player = ratings(played, contest.players), records(played)
    rows = []
    for place, rating in enumerate(rating_list.ratings, start=1):
        record = by_player.get(rating.player, Record())
        name, points = escape(read.names[rating.player]), f"{rating.points:g}/{rating.games}"
        rated = signed(rating.elo, digits=0) if rating.games else ""
        rows.append((str(place), name, rated, points, *contests.record_cells(record)))
    numbers = ("", "Elo", "points", "+", "=", "-", "ms", "nodes")
    print_table(("", "player", *numbers[1:]), rows, right=numbers)
    out.print("[dim]ms and nodes are for each move[/]")
    order = [rating.player for rating in rating_list.ratings]
    if len(order) > 2 and NAME_WIDTH + CELL_WIDTH * len(order) <= out.width:
        _print_cross_table(read, played, order)
    if contest.format == "swiss":
        _print_swiss(read, journal)
    if games:
        draws = rating_list.draw_rate
        out.print(f"moving first is worth {signed(rating_list.advantage)} Elo; ", end="")
        out.print(f"{draws.value:.0%} of games between equals are drawn")
    if not rating_list.is_connected:
        out.print("[yellow]not all players are tied together by games yet[/]")
    for text, record in by_player.items():
        contests.print_forfeits(escape(read.names[text]), record)
    if len(played) < contest.total:
        again = escape(f"plyground tournament {read.path} {shlex.join(named)}".strip())
        out.print(f"[yellow]not finished[/]; go on with: {again}", soft_wrap=True)
    out.print(f"[dim]games: {escape(str(journal.path))}[/]", soft_wrap=True)


def _print_cross_table(read: ReadTournament, played: list[PlayedPair], order: list[str]) -> None:
    """Points of the row against the column."""
    cells = cross_table(played)
    places = [str(place) for place in range(1, len(order) + 1)]
    rows = [
        [f"{place} {escape(read.names[row])}"]
        + [f"{cells[row, column][0]:g}" if (row, column) in cells else "" for column in order]
        for place, row in zip(places, order, strict=True)
    ]
    print_table(("points against", *places), rows, right=places)


def _print_swiss(read: ReadTournament, journal: Journal) -> None:
    rows = []
    for place, each in enumerate(read.tournament.swiss_standings(journal), start=1):
        name = escape(read.names[read.tournament.players[each.player]])
        rows.append((str(place), name, f"{each.points:g}", f"{each.buchholz:g}"))
    print_table(("", "Swiss table", "points", "Buchholz"), rows, right=("", "points", "Buchholz"))
