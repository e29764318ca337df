"""`plyground convert`: games and positions from one format to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from plyground.cli import options
from plyground.cli.common import (
    BAD_INPUT,
    err,
    fail,
    interrupted_saying,
    out,
    print_json,
    print_plain,
    print_table,
)
from plyground.cli.listing import counted
from plyground.cli.meter import watching
from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.formats.catalogue import formats, in_words
from plyground.formats.sources import STANDARD, open_source
from plyground.formats.spec import Format, Item, Read, Rejected
from plyground.formats.targets import TABLES, Given, Outgoing, demand_free, give, open_target

SHOWN_REJECTED = 10


def convert(
    source: Annotated[
        str | None, typer.Argument(metavar="IN", help="A file, a folder of WTHOR, or - for input.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="OUT",
            help="A file, a folder/ for WTHOR with names, or - for output; "
            "if left out, only say what IN is.",
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="F", help="The format of IN, if it is not recognised."),
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="F", help="The format of OUT, if its name does not say.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    list_: Annotated[bool, typer.Option("--formats", help="List the formats.")] = False,
    json: options.Json = False,
) -> None:
    """Read games or positions in any format, and write them in another."""
    if list_:
        return _list_formats(json)
    if source is None:
        raise Unsupported("say what to convert: plyground convert IN OUT; --formats lists formats")
    if target is None and to is None:
        return _recognise(source, from_, json)
    where = target or STANDARD
    if json and where == STANDARD:
        raise Unsupported("--json tells what was done, and the output is taken; give a file")
    if to is not None or where == STANDARD:
        open_target(where, to)  # complaints come before any work
    demand_free(where, force)
    with interrupted_saying("interrupted; nothing was written"):
        _convert(source, from_, where, to, json)


def _convert(source: str, from_: str | None, target: str, to: str | None, json: bool) -> None:
    found = _read(source, from_)
    if not found.records:
        print_rejected(found.rejected)
        fail(f"nothing could be read as {found.format.name}", BAD_INPUT)
    where = open_target(target, to, [item.record for item in found.records])
    with watching(len(found.records), "records", "writing") as watch:

        def outgoing() -> Iterator[Outgoing]:
            watch.seen = 0
            for number, item in enumerate(watch(found.records), start=1):
                yield Outgoing(number, item.record, item.place)

        given = give(where, outgoing)
    _report(found, where.writer.name, given, err if target == STANDARD else out, json)


# ------------------------------------------------------------------ reading


@dataclass(frozen=True)
class Contents:
    """All that was read."""

    format: Format
    items: Sequence[Item]

    @property
    def records(self) -> list[Read]:
        return [item for item in self.items if isinstance(item, Read)]

    @property
    def rejected(self) -> list[Rejected]:
        return [item for item in self.items if isinstance(item, Rejected)]

    @property
    def counts(self) -> dict[str, int]:
        games = sum(isinstance(item.record, GameRecord) for item in self.records)
        return {"games": games, "positions": len(self.records) - games}


def _read(source: str, from_: str | None) -> Contents:
    with watching(None, "records", "reading") as watch:
        found = open_source(source, from_)
        watch.total = found.expected
        return Contents(found.format, list(watch(found.items)))


# ------------------------------------------------------------------ reporting


def _recognise(source: str, from_: str | None, json: bool) -> None:
    found = _read(source, from_)
    words, rejected = in_words(found.format, found.items), rejected_as_data(found.rejected)
    if json:
        data = {"format": found.format.name, "in_words": words, **found.counts}
        print_json(data | {"rejected": rejected})
    else:
        print_rejected(found.rejected)
        print_plain(f"{words} (format {found.format.name})")
    if not found.records:
        raise SystemExit(BAD_INPUT)


def _report(found: Contents, to: str, given: Given, console: Console, json: bool) -> None:
    rejected = found.rejected + given.refused
    if json:
        data = {"format": found.format.name, **found.counts, "to": to, "written": given.written}
        print_json(data | {"rejected": rejected_as_data(rejected)})
        return
    print_rejected(found.rejected)
    print_refused(given.refused)
    read = (
        counted(number, kind.removesuffix("s")) for kind, number in found.counts.items() if number
    )
    print_plain(
        f"{' and '.join(read)} read as {found.format.name}, "
        f"{given.written:,} written as {to}, {len(rejected):,} rejected",
        console,
    )


def print_rejected(rejected: Sequence[Rejected]) -> None:
    """The first few that could not be read, and how many more there are."""
    for each in rejected[:SHOWN_REJECTED]:
        print_plain(f"{each.place}: {each.reason}", err)
    if len(rejected) > SHOWN_REJECTED:
        err.print(f"and {len(rejected) - SHOWN_REJECTED:,} more that could not be read")


def print_refused(refused: Sequence[Rejected]) -> None:
    """What could not be written, by reason: most of a kind cannot for the same one."""
    places: dict[str, list[str]] = {}
    for each in refused:
        places.setdefault(each.reason, []).append(each.place)
    for reason, where in places.items():
        more = f" and {len(where) - 1:,} more" if len(where) > 1 else ""
        print_plain(f"{where[0]}{more}: {reason}", err)


def rejected_as_data(rejected: Sequence[Rejected]) -> list[dict[str, str]]:
    """Rejections as JSON types."""
    return [{"place": each.place, "reason": each.reason} for each in rejected]


def _list_formats(json: bool) -> None:
    data, rows = [], []
    for each in formats().values():
        entry = {"name": each.name, "games": each.games, "suffixes": each.suffixes}
        data.append(entry | {"writes": each.write is not None, "summary": each.summary})
        only = "" if each.write else " [dim](read only)[/]"
        rows.append((each.name, " ".join(each.suffixes), escape(each.summary) + only))
    written = "games as rows of a table [dim](written only)[/]"
    rows += [(name, f".{name}", written) for name in TABLES]
    if json:
        print_json(data)
    else:
        print_table(("format", "file", "what"), rows)
