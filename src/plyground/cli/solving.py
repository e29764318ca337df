"""What the commands of all solvers share: files with a position in each line, prices, bounds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from plyground.cli.common import err, leave_interrupted, out, print_plain
from plyground.cli.meter import watching
from plyground.core.errors import InputError, MalformedText, Unsupported, system_errors_as
from plyground.formats.text_lines import MOST_REJECTED
from plyground.solvers.answers import Answer
from plyground.solvers.spec import Solver

LONGEST = 100_000  # characters of a line in a file
MOST_LINE = 1000  # of one that is a position


def print_price(found: Answer) -> None:
    """What an answer has cost."""
    speed = found.nodes / found.time_s / 1e6 if found.time_s else 0.0
    out.print(f"[dim]{found.nodes:,} nodes, {found.time_s:.3f} s, {speed:.1f} M/s[/]")


class PositionFile:
    """A file of positions: what is refused is named by its line, and the rest is solved."""

    def __init__(self, path: Path, solver: Solver, comment: str = "#") -> None:
        self.path, self._solver, self._comment = path, solver, comment
        self.solved = self.refused = 0
        self.show: Callable[[str], None] = lambda news: None
        """Shows how a line stands that takes long, once the file is being solved."""

    def solve(self, one: Callable[[int, str], str]) -> None:
        """Write what `one` says of every line, at once, for the next one may take minutes."""
        in_a_row = 0
        try:
            with watching(None, "positions", "solving") as watch:
                self.show = watch.report
                self._solver.prepare()
                for number, line in watch(self._lines()):
                    try:
                        answer = one(number, line)
                    except InputError as error:
                        print_plain(f"{self.path}:{number}: {error}", err)
                        self.refused, in_a_row = self.refused + 1, in_a_row + 1
                        if in_a_row < MOST_REJECTED:
                            continue
                        raise Unsupported(
                            f"{self.path}: the last {in_a_row:,} lines make no sense; "
                            "the rest is not read"
                        ) from None
                    self.solved, in_a_row = self.solved + 1, 0
                    sys.stdout.write(answer)
                    sys.stdout.flush()
        except KeyboardInterrupt:
            leave_interrupted(f"stopped after {self.solved:,} positions")

    def _lines(self) -> Iterator[tuple[int, str]]:
        """The lines that say something, with their numbers."""
        is_input = str(self.path) == "-"
        with (
            system_errors_as(f"cannot read {self.path}"),
            sys.stdin if is_input else self.path.open(encoding="utf-8", errors="replace") as f,
        ):
            for number, line in enumerate(iter(lambda: f.readline(LONGEST + 1), ""), start=1):
                if len(line) > LONGEST:
                    raise MalformedText(
                        f"{self.path}, line {number}: more than {LONGEST:,} characters"
                    )
                if text := line.partition(self._comment)[0].strip():
                    yield number, text
