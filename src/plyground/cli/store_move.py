"""Games into a store, out of it, and from one store to another.

All of it may be interrupted: what was taken in is kept, a file that is not complete is not there,
and the same command completes the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.common import BAD_INPUT, JsonOption, err, fail, out, print_json
from plyground.cli.convert import as_data, tell_refused, tell_rejected
from plyground.cli.listing import counted
from plyground.cli.meter import INTERRUPTED, Watch, stoppable, watching
from plyground.cli.store_options import (
    EventFilter,
    GameFilter,
    PlayerFilter,
    ResultFilter,
    SinceFilter,
    StoreOption,
    UntilFilter,
    demand_store,
    make_filter,
    open_store,
    why_none,
)
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

# ------------------------------------------------------------------ in


@dataclass
class Taken:
    """What became of what was read."""

    report: Report = field(default_factory=Report)
    positions: int = 0
    rejected: list[Rejected] = field(default_factory=list)

    @property
    def games(self) -> int:
        return self.report.added + self.report.duplicates


def import_(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Files or folders in any format; - for input."),
    ],
    from_: Annotated[
        str | None, typer.Option("--from", metavar="F", help="Their format, if not told.")
    ] = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Take in games from files of any known format; games that are there already stay once."""
    lots, taken = survey(files, from_), Taken()
    with shelter.open_store(store) as opened, watching(None, "games", "taking in") as watch:
        watch.total = forecast(lots)
        try:
            with stoppable(watch, "storing what has been read"):
                for lot in lots:
                    taken.report += opened.add(_entries(lot, taken, watch))
        except KeyboardInterrupt:
            err.print("interrupted; what was stored stays, and the same command adds the rest")
            raise SystemExit(INTERRUPTED) from None
    _tell_taken(taken, watch.is_stopped, json)


def _tell_taken(taken: Taken, interrupted: bool, json: bool) -> None:
    report, rejected = taken.report, taken.rejected
    if json:
        told: dict[str, Any] = {"added": report.added, "duplicates": report.duplicates}
        told |= {"positions": taken.positions, "interrupted": interrupted}
        print_json(told | {"rejected": as_data(rejected)})
    else:
        tell_rejected(rejected)
    if not (taken.games or interrupted) and (rejected or taken.positions):
        fail(_nothing(taken), BAD_INPUT)
    if not json:
        out.print(
            f"{counted(taken.games + len(rejected), 'game')} read: {report.added:,} added, "
            f"{report.duplicates:,} there already, {len(rejected):,} rejected"
        )
        if taken.positions:
            out.print(f"{counted(taken.positions, 'position')} passed over: a store holds games")
    if interrupted:
        err.print("interrupted; the same command adds the rest")
        raise SystemExit(INTERRUPTED)


def _nothing(taken: Taken) -> str:
    if not taken.rejected:
        return f"{counted(taken.positions, 'position')} and no games: a store holds games"
    return "no game could be read"


def _entries(lot: Lot, taken: Taken, watch: Watch) -> Iterator[Entry]:
    """The games of some files that can be stored; the rest is noted."""
    try:
        source = lot.open()
    except InputError as error:
        name = lot.paths[0].name
        taken.rejected.append(Rejected(name, str(error).partition("; known: ")[0]))
        return
    if source.archive is not None:
        yield from watch(_archived(source.archive, taken))
    else:
        yield from watch(_read(source, taken))


def _archived(archive: WthorArchive, taken: Taken) -> Iterator[Entry]:
    """Its games, with the moves that have been read for all of them at once."""
    taken.rejected += archive.rejected
    replayed, sound = archive.replayed, archive.is_sound.tolist()
    for number in range(len(archive)):
        if sound[number]:
            moves = replayed.moves[number, : replayed.plies[number]]
            yield replace(Entry.of(archive.record(number)), numbers=moves)
        else:
            place, reason = archive.place(number), archive.complaint(number)
            taken.rejected.append(Rejected(place, reason))
    damaged = (file for file in archive.files if file.complaint)
    taken.rejected += [Rejected(file.name or "file", file.complaint) for file in damaged]


def _read(source: Source, taken: Taken) -> Iterator[Entry]:
    for item in source.items:
        place = f"{source.name}, {item.place}" if source.name else item.place
        if isinstance(item, Rejected):
            taken.rejected.append(Rejected(place, item.reason))
        elif isinstance(item.record, GameRecord):
            try:
                yield storable(item.record)
            except InputError as error:
                taken.rejected.append(Rejected(place, str(error)))
        else:
            taken.positions += 1


# ------------------------------------------------------------------ out


def export(
    file: Annotated[
        str,
        typer.Argument(
            help="Its ending says the format: .jsonl .csv .parquet ...; "
            "a folder/ for WTHOR with names, - for output."
        ),
    ],
    to: Annotated[str | None, typer.Option("--to", metavar="F", help="A format's name.")] = None,
    game: GameFilter = None,
    player: PlayerFilter = None,
    result: ResultFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    event: EventFilter = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    store: StoreOption = None,
) -> None:
    """Give out games as JSON Lines, CSV, Parquet or in any format that can hold them."""
    demand_free(file, force)
    with open_store(store) as opened:
        which = make_filter(opened, game, player, result, since, until, event)
        total = opened.count(which)
        if not total:
            raise Unsupported(f"nothing was written: {why_none(opened, which)}")
        try:
            given, format_name = _export(opened, which, total, file, to)
        except KeyboardInterrupt:
            err.print("interrupted; nothing was written")
            raise SystemExit(INTERRUPTED) from None
    tell_refused(given.refused)
    console = err if file == STANDARD else out
    where = "" if file == STANDARD else f" to {file}"
    left_out = f", {len(given.refused):,} left out" if given.refused else ""
    console.print(
        f"{counted(given.written, 'game')} written{where} as {format_name}{left_out}",
        markup=False,
        soft_wrap=True,
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
    store: StoreOption = None,
) -> None:
    """Take over all games, and runs of the lab, that another store has and this one has not."""
    demand_store(other)
    with shelter.open_store(store) as here, shelter.open_store(other) as there:
        if place_of(here) == place_of(there):
            raise Unsupported("a store cannot be merged with itself")
        with watching(there.count(), "games", "taking over") as watch:
            try:
                with stoppable(watch, "storing what has been read"):
                    games = ((each.uid, Entry.of(each.record)) for each in watch(there.whole()))
                    report = here.add_named(games)
            except KeyboardInterrupt:
                err.print("interrupted; what was stored stays, and the same command goes on")
                raise SystemExit(INTERRUPTED) from None
        runs = Runs(here).merge(Runs(there)) if not watch.is_stopped else 0
    news = f", and {counted(runs, 'run')} of the lab" if runs else ""
    out.print(
        f"{counted(report.added, 'game')} taken over{news}, {report.duplicates:,} were here already"
    )
    if watch.is_stopped:
        err.print("interrupted; the same command takes over the rest")
        raise SystemExit(INTERRUPTED)


def place_of(store: Store) -> str:
    """Where a store is, however it was named."""
    database = store.engine.url.database
    is_file = store.engine.dialect.name == "sqlite" and database
    return str(Path(str(database)).resolve()) if is_file else store.address
