"""Games into a store, out of it, and from one store to another.

All of it may be interrupted: what was taken in stays, a file that is not complete is not there, and
the same command completes the work.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli import store_filter as filters
from plyground.cli.common import (
    BAD_INPUT,
    err,
    fail,
    interrupted_saying,
    leave_interrupted,
    out,
    print_json,
    print_plain,
)
from plyground.cli.convert import print_refused, print_rejected, rejected_as_data
from plyground.cli.listing import counted
from plyground.cli.meter import Watch, stoppable, watching
from plyground.core.errors import InputError, Unsupported
from plyground.core.records import GameRecord
from plyground.formats.sources import STANDARD, Lot, Source, forecast, survey
from plyground.formats.spec import Rejected
from plyground.formats.targets import Given, Outgoing, demand_free, give, open_target
from plyground.formats.wthor import WthorArchive
from plyground.store import shelter
from plyground.store.queries import Filter
from plyground.store.rows import Entry, storable
from plyground.store.runs import Runs
from plyground.store.store import Report, Store
from plyground.store.syncing import missing, take_over

# ------------------------------------------------------------------ in


@dataclass
class Imported:
    """What became of the games and positions that were read."""

    report: Report = field(default_factory=Report)
    positions: int = 0
    rejected: list[Rejected] = field(default_factory=list)


def import_(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Files or folders in any format; - for input."),
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="F", help="Their format, if it is not recognised."),
    ] = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Import games from files of any known format; what is there already is not added again."""
    lots, imported = survey(files, from_), Imported()
    with shelter.open_store(store) as opened, watching(None, "games", "taking in") as watch:
        watch.total = forecast(lots)
        with storing(watch, "adds the rest"):
            for lot in lots:
                imported.report += opened.add(_entries(lot, imported, watch))
    report, rejected, is_stopped = imported.report, imported.rejected, watch.is_stopped
    if json:
        data: dict[str, Any] = {"added": report.added, "duplicates": report.duplicates}
        data |= {"positions": imported.positions, "interrupted": is_stopped}
        print_json(data | {"rejected": rejected_as_data(rejected)})
    else:
        print_rejected(rejected)
    positions, games = counted(imported.positions, "position"), report.added + report.duplicates
    if not (games or is_stopped) and (rejected or imported.positions):
        nothing = f"{positions} and no games: a store holds games"
        fail("no game could be read" if rejected else nothing, BAD_INPUT)
    if not json:
        out.print(
            f"{counted(games + len(rejected), 'game')} read: {report.added:,} added, "
            f"{report.duplicates:,} there already, {len(rejected):,} rejected"
        )
        if imported.positions:
            out.print(f"{positions} passed over: a store holds games")
    if is_stopped:
        leave_interrupted("interrupted; the same command adds the rest")


@contextlib.contextmanager
def storing(watch: Watch, rest: str) -> Iterator[None]:
    """Ctrl-C stores what has been read, twice leaves at once; the same command does `rest`."""
    with (
        interrupted_saying(f"interrupted; what was stored stays, and the same command {rest}"),
        stoppable(watch, "storing what has been read"),
    ):
        yield


def _entries(lot: Lot, imported: Imported, watch: Watch) -> Iterator[Entry]:
    """The games of some files that can be stored; the rest is noted."""
    try:
        source = lot.open()
    except InputError as error:
        reason = str(error).partition("; known: ")[0]
        imported.rejected.append(Rejected(lot.paths[0].name, reason))
        return
    archive = source.archive
    yield from watch(_read(source, imported) if archive is None else _archived(archive, imported))


def _archived(archive: WthorArchive, imported: Imported) -> Iterator[Entry]:
    """Its games, with the moves that have been read for all of them at once."""
    imported.rejected += archive.rejected
    replayed, sound = archive.replayed, archive.is_sound.tolist()
    for number in range(len(archive)):
        if sound[number]:
            moves = replayed.moves[number, : replayed.plies[number]]
            yield replace(Entry.of(archive.record(number)), numbers=moves)
        else:
            place, reason = archive.place(number), archive.complaint(number)
            imported.rejected.append(Rejected(place, reason))
    damaged = (file for file in archive.files if file.complaint)
    imported.rejected += [Rejected(file.name or "file", file.complaint) for file in damaged]


def _read(source: Source, imported: Imported) -> Iterator[Entry]:
    for item in source.items:
        place = f"{source.name}, {item.place}" if source.name else item.place
        if isinstance(item, Rejected):
            imported.rejected.append(Rejected(place, item.reason))
        elif isinstance(item.record, GameRecord):
            try:
                yield storable(item.record)
            except InputError as error:
                imported.rejected.append(Rejected(place, str(error)))
        else:
            imported.positions += 1


# ------------------------------------------------------------------ out


def export(
    file: Annotated[
        str,
        typer.Argument(
            help="Its ending says the format: .jsonl .csv .parquet ...; "
            "a folder/ for WTHOR with names, - for output."
        ),
    ],
    to: Annotated[str | None, typer.Option(metavar="F", help="A format's name.")] = None,
    game: filters.Game = None,
    player: filters.Player = None,
    result: filters.Result = None,
    since: filters.Since = None,
    until: filters.Until = None,
    event: filters.Event = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    store: options.Store = None,
) -> None:
    """Export games as JSON Lines, CSV, Parquet or in any format that can hold them."""
    demand_free(file, force)
    with filters.open_store(store) as opened:
        which = filters.make_filter(opened, game, player, result, since, until, event)
        total = opened.count(which)
        if not total:
            raise Unsupported(f"nothing was written: {filters.why_none(opened, which)}")
        with interrupted_saying("interrupted; nothing was written"):
            given, format_name = _export(opened, which, total, file, to)
    print_refused(given.refused)
    console = err if file == STANDARD else out
    where = "" if file == STANDARD else f" to {file}"
    left_out = f", {len(given.refused):,} left out" if given.refused else ""
    print_plain(
        f"{counted(given.written, 'game')} written{where} as {format_name}{left_out}", console
    )


def _export(
    store: Store, which: Filter, total: int, file: str, to: str | None
) -> tuple[Given, str]:
    first = next(iter(store.games(which, 1))).record
    are_alike = store.count(replace(which, game=first.game)) == total
    target = open_target(file, to, [first] if are_alike else [])
    with watching(total, "games", "giving out") as watch:

        def outgoing() -> Iterator[Outgoing]:
            watch.seen = 0
            for stored in watch(store.whole(which)):
                yield Outgoing(stored.id, stored.record, f"game {stored.id}")

        return give(target, outgoing), target.writer.name


# ------------------------------------------------------------------ across


def merge(
    other: Annotated[str, typer.Argument(metavar="FILE|URL", help="The store to take from.")],
    store: options.Store = None,
) -> None:
    """Copy all games, and runs of the lab, that another store has and this one does not."""
    with _two_stores(store, other, "merged") as (here, there):
        with watching(there.count(), "games", "taking over") as watch, storing(watch, "goes on"):
            games = ((each.uid, Entry.of(each.record)) for each in watch(there.whole()))
            report = here.add_named(games)
        runs = Runs(here).merge(Runs(there)) if not watch.is_stopped else 0
    news = f", and {counted(runs, 'run')} of the lab" if runs else ""
    out.print(
        f"{counted(report.added, 'game')} taken over{news}, {report.duplicates:,} were here already"
    )
    if watch.is_stopped:
        leave_interrupted("interrupted; the same command takes over the rest")


def sync(
    other: Annotated[str, typer.Argument(metavar="URL|FILE", help="The store to sync with.")],
    store: options.Store = None,
) -> None:
    """Take over from another store what this one has not, and give it what it has not."""
    with _two_stores(store, other, "synchronised") as (here, there):
        taken, is_complete = _take(here, there, "taking over")
        given, is_complete = _take(there, here, "giving") if is_complete else ("0 games", False)
    out.print(f"{taken} taken over, {given} given", soft_wrap=True)
    if not is_complete:
        leave_interrupted("interrupted; the same command does the rest")


def _take(here: Store, there: Store, doing: str) -> tuple[str, bool]:
    """Take over what is not here: how much that was, and whether it was all."""
    numbers, added, runs = missing(here, there), 0, 0
    with watching(len(numbers), "games", doing) as watch:
        with storing(watch, "does the rest"):
            for report in take_over(here, there, numbers, watch):
                added += report.added
        if not watch.is_stopped:
            runs = Runs(here).merge(Runs(there))
    news = f" and {counted(runs, 'run')} of the lab" if runs else ""
    return f"{counted(added, 'game')}{news}", not watch.is_stopped


@contextlib.contextmanager
def _two_stores(one: str | None, other: str, done: str) -> Iterator[tuple[Store, Store]]:
    """Open two stores, the second of which must be there, and be another than the first."""
    filters.demand_store(other)
    with shelter.open_store(one) as here, shelter.open_store(other) as there:
        if _place_of(here) == _place_of(there):
            raise Unsupported(f"a store cannot be {done} with itself")
        yield here, there


def _place_of(store: Store) -> str:
    """Where a store is, however it was named."""
    database = store.engine.url.database
    is_file = store.engine.dialect.name == "sqlite" and database
    return str(Path(str(database)).resolve()) if is_file else store.address
