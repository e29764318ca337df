"""`plyground store`: what has been played, looked at, taken in and given out."""

from __future__ import annotations

import csv
import io
import json as json_text
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from plyground.cli.common import (
    GameArgument,
    JsonOption,
    MovesOption,
    PositionOption,
    SetOption,
    compiling_shown,
    err,
    load,
    out,
    print_json,
)
from plyground.cli.show import print_board
from plyground.core.errors import MalformedText, Unsupported, unknown
from plyground.core.records import GameRecord
from plyground.formats.catalogue import find_format, formats, read_anything
from plyground.formats.spec import Item, Read, Rejected
from plyground.formats.wthor import WthorArchive, read_archive
from plyground.games.catalogue import find_game
from plyground.store.rows import Entry
from plyground.store.store import Filter, Report, Store, StoredGame

SHOWN = 20  # games in a list, if nothing is said
SHOWN_REJECTED = 10
RESULTS = ("first", "second", "draw", "unfinished")
TABLES = ("jsonl", "csv", "parquet")
WTHOR_SUFFIXES = (".wtb", ".jou", ".trn")

app = typer.Typer(
    name="store",
    help="Look at, take in and give out the games that were played.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="FILE|URL", help="Another store than the usual one."),
]
GameFilter = Annotated[str | None, typer.Option("--game", "-g", help="Of this game only.")]
PlayerFilter = Annotated[str | None, typer.Option("--player", help="With this in a player's name.")]
ResultFilter = Annotated[
    str | None, typer.Option("--result", help="Won by first or second, a draw, or unfinished.")
]
SinceFilter = Annotated[str | None, typer.Option("--since", metavar="DATE", help="From this on.")]
UntilFilter = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Up to this.")]
EventFilter = Annotated[str | None, typer.Option("--event", help="With this in the event's name.")]


def make_filter(
    game: str | None,
    player: str | None,
    result: str | None,
    since: str | None,
    until: str | None,
    event: str | None,
) -> Filter:
    """The filter that the options describe."""
    if result is not None and result not in RESULTS:
        raise unknown("result", result, RESULTS)
    for date in (since, until):
        if date is not None and not date[:4].isdecimal():
            raise MalformedText(f"date {date!r}: expected YYYY, YYYY-MM or YYYY-MM-DD")
    return Filter(find_game(game).name if game else None, player, result, since, until, event)


@app.command()
def stats(store: StoreOption = None, json: JsonOption = False) -> None:
    """Tell how much there is."""
    with Store(store) as opened:
        found = opened.stats()
        if json:
            print_json({"store": opened.address, **vars(found), "games": dict(found.games)})
            return
        out.print(f"[bold]{opened.address}[/]", soft_wrap=True)
    table = Table(box=None, show_header=False, pad_edge=False)
    for game, count in sorted(found.games.items()):
        table.add_row(game, f"{count:,} games")
    table.add_row("moves", f"{found.moves:,}")
    table.add_row("positions", f"{found.positions:,}")
    table.add_row("players", f"{found.players:,}")
    table.add_row("events", f"{found.events:,}")
    if found.unfinished:
        table.add_row("unfinished", f"{found.unfinished:,} games")
    out.print(table)


@app.command()
def games(
    game: GameFilter = None,
    player: PlayerFilter = None,
    result: ResultFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    event: EventFilter = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many.")] = SHOWN,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """List games, the newest first."""
    which = make_filter(game, player, result, since, until, event)
    with Store(store) as opened:
        found, total = list(opened.games(which, limit)), opened.count(which)
    if json:
        print_json([{"number": each.id, **each.record.as_data()} for each in found])
        return
    table = Table(box=None, pad_edge=False)
    for name in ("number", "game", "date", "first", "second", "result", "moves", "event"):
        table.add_column(name, justify="right" if name in ("number", "moves") else "left")
    for each in found:
        record = each.record
        table.add_row(
            str(each.id),
            record.game,
            record.date[:10],
            escape(record.players[0]),
            escape(record.players[1]),
            result_text(record),
            str(len(record.moves)),
            escape(record.event),
        )
    out.print(table)
    out.print(f"[dim]{len(found):,} of {total:,} games; `plyground store show NUMBER` shows one[/]")


def result_text(record: GameRecord) -> str:
    """`1-0 (+12)`, with the score where a game has margins."""
    if record.points is None:
        return "unfinished"
    word = {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}[record.points]
    if not out.encoding.lower().startswith("utf"):
        word = word.replace("½", "1/2")
    margin = f" ({record.outcome:+d})" if record.outcome and abs(record.outcome) > 1 else ""
    return word + margin + ("" if record.ended == "over" else f" {record.ended}")


@app.command()
def show(
    number: Annotated[int, typer.Argument(min=1, help="A game's number.")],
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show a game: its moves, what was told about them, and its last position."""
    with Store(store) as opened:
        stored = opened.game(number)
    record = stored.record
    if json:
        print_json({"number": stored.id, **record.as_data()})
        return
    first, second = (escape(name) or "?" for name in record.players)
    out.print(f"[bold]{record.game}[/]  {first} - {second}  {result_text(record)}")
    about = "  ".join(
        part for part in (record.date, escape(record.event), escape(record.reason)) if part
    )
    if about:
        out.print(f"[dim]{about}[/]", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for name in ("ply", "move", "score", "depth", "nodes", "s"):
        table.add_column(name, justify="left" if name == "move" else "right")
    for ply, move in enumerate(record.moves, start=1):
        table.add_row(
            str(ply),
            ("" if move.side == 0 else "  ") + move.move,
            str(move.score or ""),
            str(move.depth or ""),
            f"{move.nodes:,}" if move.nodes else "",
            f"{move.time_s:.2f}" if move.time_s else "",
        )
    out.print(table)
    game = find_game(record.game)
    start = game.initial(**record.settings)
    if record.position is not None:
        start = game.parse_position(start, record.position)
    state = start
    for move in record.moves:
        state = game.replay(state, [game.parse_move(state, move.move)])
    print_board(game, state, ())


@app.command()
def explore(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = None,
    set_: SetOption = None,
    limit: Annotated[int, typer.Option("--games", min=0, help="Games to list as well.")] = 5,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Tell what was played from a position, in all games that reached it from any side."""
    loaded = load(game, set_, position, moves)
    state = loaded.state
    with Store(store) as opened:
        found = opened.explore(loaded.game, state)
        examples = opened.games_with(state, limit) if limit else []
    if json:
        print_json(
            {
                "moves": [
                    {
                        "moves": [loaded.game.format_move(state, move) for move in each.moves],
                        "games": each.games,
                        "wins": each.wins,
                        "draws": each.draws,
                        "losses": each.losses,
                    }
                    for each in found
                ],
                "games": [{"number": each.id, **each.record.as_data()} for each in examples],
            }
        )
        return
    if not found:
        out.print("no game in the store reached this position")
        return
    names = loaded.game.players
    table = Table(box=None, pad_edge=False)
    for name in ("move", "games", names[0], "drawn", names[1]):
        table.add_column(name, justify="left" if name == "move" else "right")
    for each in found:
        shown = ", ".join(loaded.game.format_move(state, move) for move in each.moves)
        shares = (each.wins, each.draws, each.losses)
        table.add_row(
            shown or "(the end)",
            f"{each.games:,}",
            *[f"{part / each.games:.1%}" for part in shares],
        )
    out.print(table)
    for stored in examples:
        record = stored.record
        out.print(
            f"[dim]{stored.id}[/]  {record.date[:10]}  {escape(record.players[0])} - "
            f"{escape(record.players[1])}  {result_text(record)}",
            soft_wrap=True,
        )


# ------------------------------------------------------------------ in and out


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Files or folders; what they are is seen.")],
    format_: Annotated[str | None, typer.Option("--from", help="A format's name.")] = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Take in games from files of any known format; games that are there already stay once."""
    report, rejected = Report(), list[tuple[str, Rejected]]()
    with Store(store) as opened, compiling_shown():
        for folder, group in _archives(files):
            report += opened.add(_archive_games(folder, read_archive(group), rejected))
        for path in _files(files):
            if path.suffix.lower() not in WTHOR_SUFFIXES or format_ is not None:
                report += opened.add(_games(path, _items(path, format_), rejected))
    if json:
        print_json(
            {
                "added": report.added,
                "duplicates": report.duplicates,
                "rejected": [
                    {"file": f, "place": r.place, "reason": r.reason} for f, r in rejected
                ],
            }
        )
    else:
        read = report.added + report.duplicates + len(rejected)
        out.print(
            f"{read:,} games read: {report.added:,} added, {report.duplicates:,} there already, "
            f"{len(rejected):,} rejected"
        )
        for name, each in rejected[:SHOWN_REJECTED]:
            err.print(f"{name}, {each.place}: {each.reason}", markup=False, soft_wrap=True)
        if len(rejected) > SHOWN_REJECTED:
            err.print(f"and {len(rejected) - SHOWN_REJECTED:,} more")
    if rejected and not report.added and not report.duplicates:
        raise SystemExit(2)


def _files(given: Iterable[Path]) -> Iterator[Path]:
    for path in given:
        if path.is_dir():
            yield from sorted(each for each in path.iterdir() if each.is_file())
        else:
            yield path


def _archives(given: Iterable[Path]) -> list[tuple[Path, list[Path]]]:
    """Files of WTHOR by folder: games are nothing without the names beside them."""
    groups: dict[Path, list[Path]] = {}
    for path in _files(given):
        if path.suffix.lower() in WTHOR_SUFFIXES:
            groups.setdefault(path.parent, []).append(path)
    for folder, group in groups.items():
        there = {path.name for path in group}
        names = [each for each in folder.iterdir() if each.suffix.lower() in WTHOR_SUFFIXES[1:]]
        group += [each for each in names if each.name not in there]
    return sorted(groups.items())


def _archive_games(
    folder: Path, archive: WthorArchive, rejected: list[tuple[str, Rejected]]
) -> Iterator[Entry]:
    replayed, sound = archive.replayed, archive.is_sound.tolist()
    rejected += [(folder.name, each) for each in archive.rejected]
    for number in range(len(archive)):
        if sound[number]:
            moves = replayed.moves[number, : replayed.plies[number]]
            yield replace(Entry.of(archive.record(number)), numbers=moves)
        else:
            rejected.append(
                (folder.name, Rejected(archive.place(number), archive.complaint(number)))
            )


def _items(path: Path, format_: str | None) -> Iterator[Item]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unsupported(f"cannot read {path}: {error.strerror}") from None
    if format_ is not None:
        return find_format(format_).read(data)
    return iter(read_anything(data, path.name))


def _games(
    path: Path, items: Iterable[Item], rejected: list[tuple[str, Rejected]]
) -> Iterator[GameRecord]:
    for item in items:
        if isinstance(item, Rejected):
            rejected.append((path.name, item))
        elif isinstance(item, Read) and isinstance(item.record, GameRecord):
            yield item.record


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="Its ending says the format: .jsonl .csv ...")],
    to: Annotated[str | None, typer.Option("--to", help="A format's name.")] = None,
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
    which = make_filter(game, player, result, since, until, event)
    if file.exists() and not force:
        raise Unsupported(f"{file} exists already; give another name, or --force")
    kind = to or file.suffix.removeprefix(".").lower()
    with Store(store) as opened:
        stored = opened.whole(which)
        if kind in TABLES:
            count = _WRITERS[kind](stored, file)
        else:
            writer = _writer(kind, file)
            records = [each.record for each in stored]
            _write(file, writer(records))
            count = len(records)
    out.print(f"{count:,} games written to {file}")


def _writer(kind: str, file: Path) -> Any:
    for each in formats().values():
        if each.write and (each.name == kind or file.suffix.lower() in each.suffixes):
            return each.write
    known = [*TABLES, *[each.name for each in formats().values() if each.write]]
    raise unknown("format to write", kind, known)


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as error:
        raise Unsupported(f"cannot write {file}: {error.strerror}") from None


def _write_jsonl(stored: Iterable[StoredGame], file: Path) -> int:
    count = 0
    with open(file, "w", encoding="utf-8") as lines:
        for each in stored:
            lines.write(json_text.dumps(each.record.as_data(), ensure_ascii=False) + "\n")
            count += 1
    return count


COLUMNS = ("number", "game", "date", "event", "first", "second", "points", "outcome", "ended")


def _flat(each: StoredGame) -> dict[str, Any]:
    record = each.record
    return {
        "number": each.id,
        "game": record.game,
        "date": record.date,
        "event": record.event,
        "first": record.players[0],
        "second": record.players[1],
        "points": record.points,
        "outcome": record.outcome,
        "ended": record.ended,
        "moves": "; ".join(move.move for move in record.moves),
    }


def _write_csv(stored: Iterable[StoredGame], file: Path) -> int:
    count = 0
    with open(file, "w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, [*COLUMNS, "moves"])
        writer.writeheader()
        for each in stored:
            writer.writerow(_flat(each))
            count += 1
    return count


def _write_parquet(stored: Iterable[StoredGame], file: Path) -> int:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Unsupported(
            "Parquet needs pyarrow, which is not installed: pip install 'plyground[parquet]'"
        ) from None
    rows = [_flat(each) for each in stored]
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), buffer)
    _write(file, buffer.getvalue())
    return len(rows)


_WRITERS = {"jsonl": _write_jsonl, "csv": _write_csv, "parquet": _write_parquet}


@app.command()
def merge(
    other: Annotated[str, typer.Argument(metavar="FILE|URL", help="The store to take from.")],
    store: StoreOption = None,
) -> None:
    """Take over all games of another store that are not here yet."""
    with Store(store) as here, Store(other) as there, compiling_shown():
        if here.address == there.address:
            raise Unsupported("a store cannot be merged with itself")
        report = here.merge(there)
    out.print(f"{report.added:,} games taken over, {report.duplicates:,} were here already")
