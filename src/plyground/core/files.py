"""Files that are complete or absent, and lines that are on disk when `append` returns.

A file is written beside its place, synchronised, and renamed; a kill leaves the old one, and at
most a leftover that the next writer removes. Each step can be made to fail (`core/faults.py`).
"""

from __future__ import annotations

import contextlib
import errno
import functools
import glob
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from plyground.core.errors import Unsupported, system_errors_as
from plyground.core.faults import step, write
from plyground.core.locking import try_lock

CHUNK = 1 << 20  # bytes read at a time
LEFTOVER_S = 3600.0  # nobody writes a file for so long; a temporary one of that age is abandoned


@contextlib.contextmanager
def whole_file(path: Path, durable: bool = True) -> Iterator[BinaryIO]:
    """A file to write that takes its name when it is complete. Raises OSError that names it.

    What need not survive a power cut is not `durable` and spares the wait for the disk; a kill of
    the process does no harm either way.
    """
    path = path.resolve()  # a link stays a link
    if path.exists() and not path.is_file() and not path.is_dir():
        with _device(path) as device:
            yield device
        return
    with _renamed(path, _replace, durable) as file:
        yield file
    if durable:
        synchronise_folder(path.parent)
        remove_leftovers(path.parent, path.name)


def write_whole(path: Path, content: bytes, durable: bool = True) -> None:
    """Replace a file by this content, or leave it as it is. Raises OSError that names it."""
    with whole_file(path, durable) as file:
        write(file, content)


def write_new(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file that is not there yet: all of it, or none. Raises OSError that names it."""
    with _renamed(path, _link, mode=mode) as file:
        write(file, content)


@contextlib.contextmanager
def _renamed(
    path: Path, rename: Callable[[Path, Path], None], durable: bool = True, mode: int = 0o666
) -> Iterator[BinaryIO]:
    """A file beside its place, to be renamed when it is written."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "wb", opener=functools.partial(os.open, mode=mode)) as file:
            yield file
            file.flush()
            if durable:
                step(f"flush {path.name}", os.fsync, file.fileno())
        rename(beside, path)
    except OSError as error:
        if error.errno and error.filename in (None, str(beside), beside):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _replace(beside: Path, path: Path) -> None:
    step(f"rename {path.name}", os.replace, beside, path)


def _link(beside: Path, path: Path) -> None:
    try:
        step(f"link {path.name}", os.link, beside, path)  # refuses what is there already
    except PermissionError:  # a file system without links
        path.open("xb").close()
        os.replace(beside, path)


@contextlib.contextmanager
def _device(path: Path) -> Iterator[BinaryIO]:
    """What is not a plain file is written to: it must not be replaced by one. Raises OSError."""
    file = path.open("wb")
    try:
        yield file
        file.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):  # reported already
            file.close()


def open_growing(path: Path, failure: str, conflict: str) -> IO[bytes]:
    """A file to read and to append to, locked, and made with its folder if it is not there.

    Raises Unsupported: the `failure` with its reason, or the `conflict` if another process has it.
    """
    with system_errors_as(failure):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise OSError(errno.EINVAL, "not a file")
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        file = open(path, "a+b")  # noqa: SIM115 - whoever asked closes it
    if not try_lock(file):
        file.close()
        raise Unsupported(conflict)
    if is_new:
        synchronise_folder(path.parent)
    return file


def append(file: IO[bytes], lines: bytes, durable: bool = True) -> None:
    """Add to a file that only grows; with `durable`, all of it is on disk afterwards."""
    write(file, lines)
    if durable:
        synchronise(file)


def synchronise(file: IO[bytes]) -> None:
    """Wait until what was written survives a power cut."""
    step(f"flush {os.path.basename(str(file.name))}", os.fsync, file.fileno())


def synchronise_folder(folder: Path) -> None:
    """Let a new name in a folder survive a power cut, where the system can promise that."""
    with contextlib.suppress(OSError):  # Windows opens no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_leftovers(folder: Path, name: str = "") -> int:
    """Remove temporary files that killed writers left, of one file or of all; says how many."""
    removed = 0
    oldest_s = time.time() - LEFTOVER_S
    with contextlib.suppress(OSError):
        for path in folder.glob(f".{glob.escape(name)}*.tmp"):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest_s:
                    path.unlink()
                    removed += 1
    return removed


def read_bounded(path: Path, most: int) -> bytes:
    """All of a file, though it may be a pipe or a device that never ends. Raises OSError."""
    with path.open("rb") as file:
        return read_rest(file, most)


def read_rest(file: IO[bytes], most: int, begun: bytes = b"") -> bytes:
    """What was read already and all that comes after it, so many bytes at most. Raises OSError."""
    parts, left = [begun], most + 1 - len(begun)
    while left > 0 and (part := file.read(min(left, CHUNK))):  # room for all is taken at once
        parts.append(part)
        left -= len(part)
    content = b"".join(parts)
    if len(content) > most:
        size = f"{most >> 30} GB" if most >> 30 else f"{most >> 20} MB"
        raise OSError(errno.EFBIG, f"it is larger than {size}")
    return content
