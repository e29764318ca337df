"""`plyground convert`: games and positions from one format to another."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.common import BAD_INPUT, compiling_shown, err, fail, out
from plyground.core.errors import InputError, Unsupported, shorten
from plyground.core.records import GameRecord
from plyground.formats.catalogue import find_format, formats, read_anything, writer_for
from plyground.formats.spec import Format, Item, Read, Record, Rejected
from plyground.formats.wthor import GAMES_SUFFIX, NAMES_SUFFIXES, read_archive
from plyground.formats.wthor import NAME as WTHOR

STANDARD = "-"  # input or output in place of a file
SHOWN_REJECTED = 10
MOST_BYTES = 2**30


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file, a folder of WTHOR, or - for input.")
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file, or - for output.")],
    from_: Annotated[
        str | None, typer.Option("--from", metavar="F", help="The format of IN, if not told.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="F", help="The format of OUT, if not told.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Read games or positions in any format, and write them in another."""
    writer = find_writer(to, target) if to else None
    if target == STANDARD and writer is None:
        raise Unsupported(f"say with --to what to write; known: {_writable()}")
    if target != STANDARD and os.path.lexists(target) and not force:
        raise Unsupported(f"{shorten(target, 300)} exists already; give another name, or --force")
    with compiling_shown():
        found, items = read_source(source, from_)
        records, rejected = _sorted_out(items)
        if not records:
            _tell_rejected(rejected)
            fail(f"nothing could be read as {found}", BAD_INPUT)
        writer = writer or find_writer(None, target, records)
        data, written, refused = write_records(writer, records)
    _write(target, data)
    _tell_rejected(rejected + refused)
    (err if target == STANDARD else out).print(
        f"{_count(records)} read as {found}, {written:,} written as {writer.name}, "
        f"{len(rejected) + len(refused):,} rejected",
        markup=False,
        soft_wrap=True,
    )


def _writable() -> str:
    return ", ".join(each.name for each in formats().values() if each.write)


# ------------------------------------------------------------------ reading


def read_source(source: str, from_: str | None) -> tuple[str, Iterable[Item]]:
    """The name of the format and what is in it. Raises InputError."""
    wanted = find_format(from_) if from_ is not None else None
    path = Path(source)
    if source != STANDARD and (wanted is None or wanted.name == WTHOR):
        if _is_folder(path):
            return WTHOR, read_archive(path).items()
        if names := _names_beside(path):
            return WTHOR, read_archive([path, *names]).items()
    data = _standard_input() if source == STANDARD else _file(path)
    if wanted is not None:
        return wanted.name, wanted.read(data)
    reading = read_anything(data, path.name)
    return reading.format.name, reading


def _is_folder(path: Path) -> bool:
    with contextlib.suppress(OSError, ValueError):  # a name that no file can have
        return path.is_dir()
    return False


def _names_beside(path: Path) -> list[Path]:
    """The names of players and tournaments that lie beside a file of WTHOR's games."""
    with contextlib.suppress(OSError, ValueError):
        if path.suffix.lower() == GAMES_SUFFIX and path.is_file():
            return [each for each in path.parent.iterdir() if each.suffix.lower() in NAMES_SUFFIXES]
    return []


def _file(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Unsupported(f"{path.name} is larger than {MOST_BYTES // 2**30} GB")
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        if isinstance(error, InputError):
            raise
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise Unsupported(f"cannot read {shorten(str(path), 300)}: {reason}") from None


def _standard_input() -> bytes:
    buffer = getattr(sys.stdin, "buffer", None)
    data: bytes = buffer.read(MOST_BYTES + 1) if buffer else sys.stdin.read().encode()
    if len(data) > MOST_BYTES:
        raise Unsupported(f"the input is larger than {MOST_BYTES // 2**30} GB")
    return data


def _sorted_out(items: Iterable[Item]) -> tuple[list[Read], list[Rejected]]:
    records: list[Read] = []
    rejected: list[Rejected] = []
    for item in items:
        if isinstance(item, Read):
            records.append(item)
        else:
            rejected.append(item)
    return records, rejected


# ------------------------------------------------------------------ writing


def find_writer(name: str | None, target: str, records: list[Read] | None = None) -> Format:
    """The format to write, by its name or by the name of the file. Raises Unsupported."""
    if name is None:
        return writer_for(target, [item.record for item in records or ()])
    found = find_format(name)
    if found.write is None:
        raise Unsupported(f"{found.name} can only be read; to write there are {_writable()}")
    return found


def write_records(writer: Format, items: list[Read]) -> tuple[bytes, int, list[Rejected]]:
    """The bytes, how many records are in them, and those that the format cannot hold.

    Raises Unsupported if it can hold none of them.
    """
    assert writer.write is not None
    with contextlib.suppress(InputError):
        return writer.write(item.record for item in items), len(items), []
    kept: list[Record] = []
    refused: list[Rejected] = []
    for item in items:
        try:
            writer.write([item.record])
            kept.append(item.record)
        except InputError as error:
            refused.append(Rejected(item.place, str(error)))
    if not kept:
        raise Unsupported(refused[0].reason)
    return writer.write(kept), len(kept), refused


def _write(target: str, data: bytes) -> None:
    if target == STANDARD:
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(data.decode("utf-8", errors="surrogateescape"))
        else:
            sys.stdout.flush()
            buffer.write(data)
        return
    path = Path(target)
    try:
        _replace(path.resolve(), data)  # a link stays a link
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise Unsupported(f"cannot write {shorten(target, 300)}: {reason}") from None


def _replace(path: Path, data: bytes) -> None:
    """The whole file or nothing."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


# ------------------------------------------------------------------ telling


def _count(items: list[Read]) -> str:
    played = sum(isinstance(item.record, GameRecord) for item in items)
    counts = ((played, "game"), (len(items) - played, "position"))
    return " and ".join(f"{n:,} {thing}{'' if n == 1 else 's'}" for n, thing in counts if n)


def _tell_rejected(rejected: list[Rejected]) -> None:
    for each in rejected[:SHOWN_REJECTED]:
        err.print(f"{each.place}: {each.reason}", markup=False, soft_wrap=True)
    if len(rejected) > SHOWN_REJECTED:
        err.print(f"and {len(rejected) - SHOWN_REJECTED:,} more that could not be read")
