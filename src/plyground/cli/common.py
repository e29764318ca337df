"""What every command shares: the position its options describe, output, and how errors end."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn

from rich.console import Console

from plyground.cli.lazy import use_files
from plyground.core.errors import (
    InputError,
    MalformedText,
    PlygroundError,
    Unsupported,
    blame,
    shorten,
)
from plyground.core.ticking import TICK_S, ticking
from plyground.games.catalogue import is_code, name_game
from plyground.kernel import on_compiling
from plyground.public.position import Position

BAD_INPUT, INTERRUPTED = 2, 130  # exit statuses
SHOWN_NAME = 300  # characters of a path in a message
DISK_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
PACKAGE = Path(__file__).resolve().parent.parent

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def load(
    name: str, chosen: list[str] | None, position: str | None = None, moves: str | None = None
) -> Position:
    """The position that the options of a command describe.

    What is no position in the game's notation may be a file, or a text, in any format.
    """
    if position is not None and moves is not None:
        raise Unsupported("--position and --moves exclude each other; give one of them")
    if is_code(name):
        use_files([name])
    game, settings = name_game(name), parse_settings(chosen or [])
    try:
        return Position.of(game, settings, position, moves or "")
    except InputError as refusal:
        if position is None:
            raise
        from plyground.cli.position_file import position_elsewhere  # which knows all formats

        return position_elsewhere(position, game, settings, refusal)


def parse_settings(chosen: list[str]) -> dict[str, str]:
    """`--set` options as names and texts."""
    settings: dict[str, str] = {}
    for text in chosen:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise MalformedText(f"--set {shorten(text)}: expected NAME=VALUE, as in size=6")
        settings[name.strip().lower()] = value
    return settings


def as_json(data: Any) -> str:
    """A line of JSON, for programs."""
    return json.dumps(data, ensure_ascii=False) + "\n"


def print_json(data: Any) -> None:
    """Print a line of JSON; tuples are lists there."""
    sys.stdout.write(as_json(data))


def print_table(
    titles: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()
) -> None:
    """Print rows without lines around them; those named in `right` are columns of numbers."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=bool(titles))
    for title in titles:
        is_right = title in right
        justify: Literal["left", "right"] = "right" if is_right else "left"
        table.add_column(title, justify=justify, no_wrap=is_right, overflow="fold")
    for row in rows:
        table.add_row(*row)
    if table.row_count or titles:
        out.print(table)


def print_plain(text: str, console: Console = out) -> None:
    """Print a text as it is, without markup, and in one line however long it is."""
    console.print(text, markup=False, soft_wrap=True)


def write_example(path: Path, text: str) -> None:
    """Write a file for the user to change. Raises Unsupported if it is there, or cannot be."""
    from plyground.core.files import write_new

    try:
        write_new(path, text.encode())
    except FileExistsError:
        raise Unsupported(f"{path} exists already; give another name") from None
    except OSError as error:
        raise Unsupported(f"cannot write {path}: {error.strerror}") from None


@contextlib.contextmanager
def compiling_shown() -> Iterator[None]:
    """Say why the first call of a kernel takes seconds."""
    with contextlib.ExitStack() as stack:
        status = err.status("", spinner="dots")

        def show(line: str) -> None:
            if err.is_terminal:
                status.update(f"[dim]{line}[/]")
                stack.enter_context(status)
            else:
                err.print(line)

        with on_compiling(show):
            yield


@contextlib.contextmanager
def spinning(
    console: Console, line: Callable[[float], str], after_s: float = TICK_S, spinner: str = "dots"
) -> Iterator[None]:
    """Show a line about the seconds so far, on a terminal, while the block runs; '' is not yet."""
    if not console.is_terminal:
        yield
        return
    status = console.status("", spinner=spinner)

    def tick(seconds: float) -> None:
        if text := line(seconds):
            status.update(f"[dim]{text}[/]")
            status.start()  # once; later calls do nothing

    try:
        with ticking(tick, after_s=after_s):
            yield
    finally:
        status.stop()


@contextlib.contextmanager
def errors_as_lines() -> Iterator[None]:
    """Bad input ends in a line and status 2, an error in a user's game in one and status 1."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()  # here, so that a closed pipe is noticed here
    except PlygroundError as error:
        fail(str(error), BAD_INPUT if isinstance(error, InputError) else 1)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _drop_output()
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        err.print()
        raise SystemExit(130) from None
    except OSError as error:
        if error.errno not in DISK_FAILS:
            raise
        if error.filename:
            name = shorten(str(error.filename), SHOWN_NAME)
            fail(f"cannot write {name}: {error.strerror}", BAD_INPUT)
        _drop_output()
        fail(f"cannot write the output: {error.strerror}", 1)
    except Exception as error:
        blamed = blame(error)
        if PACKAGE in Path(blamed.path).resolve().parents or not _is_user_code(blamed.path):
            raise  # a bug of ours: the traceback is worth having
        fail(str(blamed), 1)


def _drop_output() -> None:
    """Let what is left of the output go nowhere, or Python would complain at its end."""
    with contextlib.suppress(OSError, ValueError):  # it may be no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def interrupted_saying(message: str) -> Iterator[None]:
    """Ctrl-C ends the command with this line."""
    try:
        yield
    except KeyboardInterrupt:
        leave_interrupted(message)


def leave_interrupted(message: str) -> NoReturn:
    """Print the message and leave with the status of Ctrl-C."""
    err.print(message, soft_wrap=True)
    raise SystemExit(INTERRUPTED)


def fail(message: str, status: int) -> NoReturn:
    """Print the message and leave."""
    err.print("[bold red]error:[/] ", end="")
    err.print(message, markup=False, soft_wrap=True)
    raise SystemExit(status)


def _is_user_code(path: str) -> bool:
    return not path.startswith((sys.prefix, sys.base_prefix, "<"))


def now_s() -> float:
    """A clock for measuring."""
    return time.perf_counter()
