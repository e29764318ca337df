"""What the commands of all solvers share: Ctrl-C, progress, files with a position in each line."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from plyground.cli.common import err
from plyground.cli.meter import INTERRUPTED, PATIENCE_S, watching
from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.core.ticking import ticking
from plyground.formats.text_lines import MOST_REJECTED
from plyground.solvers.spec import Solver

LONGEST = 100_000  # characters of a line


@contextlib.contextmanager
def told(news: Callable[[], str], show: Callable[[str], None] | None = None) -> Iterator[None]:
    """Show how it stands while a question takes long: here, or by whom the screen belongs to."""
    if show is None and not err.is_terminal:
        yield
        return
    status = err.status("", spinner="dots")

    def tick(seconds: float) -> None:
        if show:
            show(news())
        else:
            status.update(f"[dim]{news()}[/]")
            status.start()  # once; later calls do nothing

    try:
        with ticking(tick, after_s=0.0 if show else PATIENCE_S):
            yield
    finally:
        status.stop()


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
