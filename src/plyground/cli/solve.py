"""`plyground solve`: the exact score of positions, one or a file of them."""

from __future__ import annotations

import dataclasses
import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from plyground.cli.common import (
    BAD_INPUT,
    JsonOption,
    SetOption,
    compiling_shown,
    err,
    load,
    out,
    print_json,
)
from plyground.cli.meter import INTERRUPTED, watching
from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.quantities import read_bytes
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.games.connect_four import ConnectFour
from plyground.games.rules import is_over
from plyground.solvers.connect_four.answers import Answer, Question, answer
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import DEFAULT_MEMORY, Solver

WRONG = 1  # exit status
MOST_LINE = 1000  # characters
Found = TypeVar("Found")

app = typer.Typer(name="solve", help="Tell the exact score of positions.", no_args_is_help=True)


@dataclass(frozen=True)
class Asked:
    """A position of a file: its line, its moves, and the score that the file gives."""

    number: int
    moves: str
    state: ConnectFour
    given: int | None = None


@app.command("connect4")
def connect_four(
    moves: Annotated[
        str | None, typer.Argument(metavar="MOVES", help="Columns from 1, as in 4444.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="F", help="A position in each line; - is standard input."),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="F", help="Compare with the scores in a file."),
    ] = None,
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Score every column.")] = False,
    weak: Annotated[bool, typer.Option("--weak", help="Only who wins: 1, 0 or -1.")] = False,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=64, help="Threads that share the table.")
    ] = 1,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="SIZE", help="For the table; 4MB is fastest.")
    ] = None,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Search even what is in an opening book.")
    ] = False,
    set_: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Solve Connect Four: the exact score for the side to move.

    A win counts 22 minus the winner's stones, a loss minus that, a draw 0. Status 1 if --check
    finds another score, 2 if a line was refused.
    """
    if sum(given is not None for given in (moves, file, check)) > 1:
        raise Unsupported("MOVES, --file and --check exclude each other; give one of them")
    if check is not None and weak:
        raise Unsupported("--check compares exact scores; leave out --weak")
    start = load("connect4", set_).start
    assert isinstance(start, ConnectFour)
    size = DEFAULT_MEMORY if memory is None else read_bytes(memory, "--memory")
    solver = Solver(start, size, threads, None if no_book else find_book(start))
    question = Question(weak=weak, all_moves=all_moves)
    source = check or (Path("-") if moves == "-" else file)
    if source is None:
        one = _read(start, 0, moves or "", needs_score=False)
        with compiling_shown():
            solver.prepare()
            found = _stoppable(solver, lambda: answer(solver, one.state, question))
        if json:
            print_json(_as_data(one, found))
        else:
            _print(one, found)
        return
    status = _solve_file(solver, start, source, question, check is not None, json)
    if status:
        raise SystemExit(status)


# ---------------------------------------------------------------------- one position


def _stoppable(solver: Solver, work: Callable[[], Found]) -> Found:
    """Run in a thread: compiled code does not hear Ctrl-C."""
    found: list[Found] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # told by the thread that waits
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.05)
    except KeyboardInterrupt:
        while thread.is_alive():  # between two questions there is nothing to stop yet
            solver.stop()
            thread.join(0.05)
        raise
    if failed:
        raise failed[0]
    return found[0]


def _print(asked: Asked, found: Answer) -> None:
    out.print(f"[bold]{found.told}[/]  score {found.score:+d}" if found.score else "[bold]draw[/]")
    if found.scores:
        told = (f"{column + 1}: {score:+d}" for column, score in sorted(found.scores.items()))
        out.print("by column  " + "  ".join(told), soft_wrap=True)
    if found.best:
        out.print("best  " + " ".join(str(column + 1) for column in found.best))
    if found.line:
        is_whole = is_over(CONNECT_FOUR.replay(asked.state, found.line))
        line = "".join(str(column + 1) for column in found.line)
        out.print(f"line  {line}" if is_whole else f"line  {line} ...", soft_wrap=True)
    speed = found.nodes / found.time_s / 1e6 if found.time_s else 0.0
    figures = f"{found.nodes:,} nodes, {found.time_s:.3f} s, {speed:.1f} M/s"
    out.print(f"[dim]{figures}[/]")


def _as_data(asked: Asked, found: Answer) -> dict[str, Any]:
    data: dict[str, Any] = {
        "moves": asked.moves,
        "score": found.score,
        "best": [column + 1 for column in found.best],
        "nodes": found.nodes,
        "time_s": round(found.time_s, 6),
    }
    if found.scores:
        data["scores"] = {str(column + 1): score for column, score in found.scores.items()}
    return data


# ---------------------------------------------------------------------- a file


def _solve_file(
    solver: Solver, start: ConnectFour, path: Path, question: Question, checks: bool, json: bool
) -> int:
    """Answer every line; what is refused is told by its number, and the rest goes on."""
    refused = wrong = solved = nodes = 0
    began = time.perf_counter()
    question = dataclasses.replace(question, best=not checks and question.best)
    try:
        with watching(None, "positions", "solving") as watch:
            solver.prepare()
            for number, line in watch(_lines(path)):
                try:
                    asked = _read(start, number, line, checks)
                    found = _stoppable(
                        solver, functools.partial(answer, solver, asked.state, question)
                    )
                except InputError as error:
                    err.print(f"{path}:{number}: {error}", markup=False, soft_wrap=True)
                    refused += 1
                    continue
                solved, nodes = solved + 1, nodes + found.nodes
                if checks and found.score != asked.given:
                    wrong += 1
                    told = f"expected {asked.given}, found {found.score}"
                    out.print(
                        f"{path}:{number}: {asked.moves}: {told}", markup=False, soft_wrap=True
                    )
                elif not checks:
                    _print_line(asked, found, json)
    except KeyboardInterrupt:
        err.print(f"stopped after {solved:,} positions")
        return INTERRUPTED
    if checks:
        spent = time.perf_counter() - began
        told = (
            f"{solved:,} positions, {solved - wrong:,} right, {wrong:,} wrong, {refused:,} refused"
        )
        out.print(f"{told}; {nodes:,} nodes, {spent:.2f} s")
    return BAD_INPUT if refused else WRONG if wrong else 0


def _print_line(asked: Asked, found: Answer, json: bool) -> None:
    if json:
        print_json(_as_data(asked, found))
    else:
        best = ",".join(str(column + 1) for column in found.best)
        by_column = sorted(found.scores.items())
        scores = "".join(f" {column + 1}:{score:+d}" for column, score in by_column)
        sys.stdout.write(f"{asked.moves} {found.score} {best}{scores}\n")
    sys.stdout.flush()  # the next one may take minutes


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    try:
        file = sys.stdin if str(path) == "-" else path.open(encoding="utf-8", errors="replace")
        with file:
            for number, line in enumerate(file, start=1):
                text = line.partition("#")[0].strip()
                if text:
                    yield number, text
    except OSError as error:
        raise Unsupported(f"cannot read {path}: {error.strerror}") from None


def _read(start: ConnectFour, number: int, line: str, needs_score: bool) -> Asked:
    words = line.split()
    if len(line) > MOST_LINE:
        raise MalformedText(f"a line of {len(line):,} characters; expected at most {MOST_LINE}")
    given: int | None = None
    if number and len(words) > 1 and _is_number(words[-1]):
        given = int(words.pop())
    elif needs_score:
        raise MalformedText(f"{shorten(line)!r}: expected moves and a score, as in 4444 -2")
    text = " ".join(words)
    state = CONNECT_FOUR.replay(start, CONNECT_FOUR.parse_moves(start, text))
    assert isinstance(state, ConnectFour)
    if is_over(state):
        raise Unsupported(f"{shorten(text)!r}: the game is over, there is nothing to solve")
    return Asked(number, text, state, given)


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-").removeprefix("+")
    return digits.isdecimal() and digits.isascii() and len(digits) < 3
