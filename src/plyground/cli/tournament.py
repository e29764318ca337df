"""`plyground tournament`: many players, one table, and a run that survives anything."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from plyground.cli.common import JsonOption, compiling_shown, out, print_json
from plyground.cli.match import OutOption, signed
from plyground.cli.running import (
    INTERRUPTED,
    ClusterOption,
    EngineOption,
    JobsOption,
    Meter,
    NoStoreOption,
    StoreOption,
    WithOption,
    as_job,
    interruptible,
    make_recording,
    name_given,
    naming_options,
    open_workers,
    typed,
    work_of,
)
from plyground.core.errors import Unsupported, shorten
from plyground.core.files import write_new
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
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    with_: WithOption = None,
    engine: EngineOption = None,
    out_: OutOption = None,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
    json: JsonOption = False,
) -> None:
    """Play a tournament, or go on with it, and print its table."""
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
    recording = make_recording(store, no_store, event, cluster)
    about = {"spec": str(read.path.absolute()), "journal": str(file.absolute()), "event": event}
    with (
        open_workers(jobs, cluster) as workers,
        Journal(file) as journal,
        as_job("tournament", read.title, about, typed()) as job,
    ):
        done = len(contest.played(journal))
        if done < contest.total:
            with compiling_shown():
                read.plan.prepare(contest.players)
            read.plan.greet(contest.players, workers)
        meter = Meter(2 * contest.total, 2 * done, "games", hear=job.tell)

        def on_pair(pair: PlayedPair) -> None:
            meter.advance(2, _news(pair, read))

        with interruptible(workers, job=job) as was_interrupted, meter:
            contest.run(workers, journal, on_pair, work_of(recording))
        if recording:
            recording.settle()
        played = contest.played(journal)
        if json:
            print_json(tournament_as_data(read, played, journal))
        else:
            _print(read, played, journal, naming_options(with_, engine))
        if was_interrupted():
            raise SystemExit(INTERRUPTED)


def _demand_named(read: ReadTournament) -> None:
    """Raise Unsupported for programs that only the file names: it may be anybody's."""
    commands = [command for text in read.names for command in commands_of(text)]
    missing = [each for each in dict.fromkeys(commands) if not is_named("engine", each)]
    if missing:
        options = shlex.join(naming_options(None, missing))
        raise Unsupported(
            f"{read.path}: its players start programs, which run only if you name them yourself: "
            f"{shorten(options, 300)}"
        )


def _write_example(path: Path) -> None:
    try:
        write_new(path, EXAMPLE.encode())
    except FileExistsError:
        raise Unsupported(f"{path} exists already; give another name") from None
    except OSError as error:
        raise Unsupported(f"cannot write {path}: {error.strerror}") from None
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
    table = Table(box=None, pad_edge=False)
    for name in ("", "player", "Elo", "points", "+", "=", "-", "ms", "nodes"):
        is_name = name == "player"
        table.add_column(
            name,
            justify="left" if is_name else "right",
            no_wrap=not is_name,
            overflow="fold",
        )
    for place, rating in enumerate(rating_list.ratings, start=1):
        record = by_player.get(rating.player, Record())
        table.add_row(
            str(place),
            escape(read.names[rating.player]),
            signed(rating.elo, digits=0) if rating.games else "",
            f"{rating.points:g}/{rating.games}",
            str(record.wins),
            str(record.draws),
            str(record.losses),
            f"{1000 * record.time_per_move_s:.1f}",
            f"{record.nodes_per_move:,.0f}",
        )
    out.print(table)
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
        for reason, count in record.forfeits.most_common():
            name = escape(read.names[text])
            out.print(f"[red]{name} forfeited {count}:[/] {escape(reason)}", soft_wrap=True)
    if len(played) < contest.total:
        again = escape(f"plyground tournament {read.path} {shlex.join(named)}".strip())
        out.print(f"[yellow]not finished[/]; go on with: {again}", soft_wrap=True)
    out.print(f"[dim]games: {escape(str(journal.path))}[/]", soft_wrap=True)


def _print_cross_table(read: ReadTournament, played: list[PlayedPair], order: list[str]) -> None:
    """Points of the row against the column."""
    cells = cross_table(played)
    table = Table(box=None, pad_edge=False)
    table.add_column("points against", justify="left", overflow="fold")
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, row in enumerate(order, start=1):
        points = [
            f"{cells[row, column][0]:g}" if (row, column) in cells else "" for column in order
        ]
        table.add_row(f"{place} {escape(read.names[row])}", *points)
    out.print(table)


def _print_swiss(read: ReadTournament, journal: Journal) -> None:
    contest = read.tournament
    table = Table(box=None, pad_edge=False)
    for name in ("", "Swiss table", "points", "Buchholz"):
        table.add_column(name, justify="left" if name == "Swiss table" else "right")
    for place, standing in enumerate(contest.swiss_standings(journal), start=1):
        name = escape(read.names[contest.players[standing.player]])
        table.add_row(str(place), name, f"{standing.points:g}", f"{standing.buchholz:g}")
    out.print(table)
