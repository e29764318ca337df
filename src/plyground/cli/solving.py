"""What the commands of all solvers share: Ctrl-C, progress, files with a position in each line."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from plyground.cli.common import err
from plyground.cli.meter import INTERRUPTED, PATIENCE_S, watching
from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.formats.text_lines import MOST_REJECTED
from plyground.solvers.spec import Solver

TICK_S = 0.05
LONGEST = 100_000  # characters of a line
Found = TypeVar("Found")


def stoppable(
    solver: Solver,
    work: Callable[[], Found],
    news: Callable[[], str] | None = None,
    show: Callable[[str], None] | None = None,
) -> Found:
    """Run in a thread: compiled code does not hear Ctrl-C.

    If it takes long, the news of how it stands are shown: here, or by whom the screen belongs to.
    """
    found: list[Found] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # told by the thread that waits
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    began, status = time.monotonic(), err.status("", spinner="dots")
    with contextlib.ExitStack() as shown:
        thread.start()
        try:
            while thread.is_alive():
                thread.join(TICK_S)
                if news and show:
                    show(news())
                elif news and err.is_terminal and time.monotonic() - began > PATIENCE_S:
                    shown.enter_context(status)
                    status.update(f"[dim]{news()}[/]")
        except KeyboardInterrupt:
            while thread.is_alive():  # between two questions there is nothing to stop yet
                solver.stop()
                thread.join(TICK_S)
            raise
    if failed:
        raise failed[0]
    return found[0]


def lines_of(path: Path, comment: str = "#") -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    try:
        file = sys.stdin if str(path) == "-" else path.open(encoding="utf-8", errors="replace")
        with file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), ""), start=1):
                if len(line) > LONGEST:
                    raise MalformedText(f"{path}, line {number}: more than {LONGEST:,} characters")
                text = line.partition(comment)[0].strip()
                if text:
                    yield number, text
    except OSError as error:
        raise Unsupported(f"cannot read {path}: {error.strerror}") from None


class File:
    """A file of positions: what is refused is told by its line, and the rest goes on."""

    def __init__(self, path: Path, solver: Solver) -> None:
        self.path, self._solver = path, solver
        self.solved = self.refused = 0
        self.show: Callable[[str], None] | None = None
        """How it stands with a line that takes long, while there is a screen to show it on."""

    def solve(self, lines: Iterable[tuple[int, str]], one: Callable[[int, str], str]) -> None:
        """Write what `one` says of every line, at once, for the next one may take minutes."""
        in_a_row = 0
        try:
            with watching(None, "positions", "solving") as watch:
                self.show = watch.tell
                self._solver.prepare()
                for number, line in watch(lines):
                    try:
                        told = one(number, line)
                    except InputError as error:
                        err.print(f"{self.path}:{number}: {error}", markup=False, soft_wrap=True)
                        self.refused, in_a_row = self.refused + 1, in_a_row + 1
                        if in_a_row < MOST_REJECTED:
                            continue
                        raise Unsupported(
                            f"{self.path}: the last {in_a_row:,} lines make no sense; "
                            "the rest is not read"
                        ) from None
                    self.solved, in_a_row = self.solved + 1, 0
                    sys.stdout.write(told)
                    sys.stdout.flush()
        except KeyboardInterrupt:
            err.print(f"stopped after {self.solved:,} positions")
            raise SystemExit(INTERRUPTED) from None
