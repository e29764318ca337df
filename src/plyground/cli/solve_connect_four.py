"""`plyground solve connect4`: the exact score of positions, one or a file of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.common import (
    BAD_INPUT,
    JsonOption,
    SetOption,
    as_json,
    compiling_shown,
    load,
    out,
    print_json,
)
from plyground.cli.solving import File, lines_of
from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.quantities import read_bytes
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.games.connect_four import ConnectFour
from plyground.games.rules import is_over
from plyground.solvers.answers import WHO_WINS, Answer, Question, answer, who_wins
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import DEFAULT_MEMORY, ConnectFourSolver

WRONG = 1  # exit status
MOST_LINE = 1000  # characters


@dataclass(frozen=True)
class Asked:
    """A position of a file: its line, its moves, and the score that the file gives."""

    number: int
    moves: str
    state: ConnectFour
    given: int | None = None


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
    solver = ConnectFourSolver(start, size, threads, None if no_book else find_book(start))
    question = replace(WHO_WINS if weak else Question(), all_moves=all_moves)
    source = check or (Path("-") if moves == "-" else file)
    if source is None:
        one = _read(start, 0, moves or "", needs_score=False)
        with compiling_shown():
            solver.prepare()
            found = answer(solver, one.state, question)
        if json:
            print_json(_as_data(one, found))
        else:
            _print(one, found, weak)
        return
    status = _solve_file(solver, start, source, question, check is not None, json)
    if status:
        raise SystemExit(status)


# ---------------------------------------------------------------------- one position


def _print(asked: Asked, found: Answer, weak: bool) -> None:
    result = who_wins(found.score) if weak else str(found.told)
    out.print(f"[bold]{result}[/]  score {found.score:+d}" if found.score else "[bold]draw[/]")
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
    solver: ConnectFourSolver,
    start: ConnectFour,
    path: Path,
    question: Question,
    checks: bool,
    json: bool,
) -> int:
    """Answer every line; what is refused is told by its number, and the rest goes on."""
    wrong = nodes = 0
    began = time.perf_counter()
    file = File(path, solver)
    if checks:
        question = replace(question, best=False, line=False)

    def one(number: int, line: str) -> str:
        nonlocal wrong, nodes
        asked = _read(start, number, line, checks)
        found = answer(solver, asked.state, question)
        nodes += found.nodes
        if not checks:
            return _as_line(asked, found, json)
        if found.score == asked.given:
            return ""
        wrong += 1
        return f"{path}:{number}: {asked.moves}: expected {asked.given}, found {found.score}\n"

    file.solve(lines_of(path), one)
    if checks:
        spent = time.perf_counter() - began
        right = file.solved - wrong
        told = f"{file.solved:,} positions, {right:,} right, {wrong:,} wrong"
        out.print(f"{told}, {file.refused:,} refused; {nodes:,} nodes, {spent:.2f} s")
    return BAD_INPUT if file.refused else WRONG if wrong else 0


def _as_line(asked: Asked, found: Answer, json: bool) -> str:
    if json:
        return as_json(_as_data(asked, found))
    best = ",".join(str(column + 1) for column in found.best)
    by_column = sorted(found.scores.items())
    scores = "".join(f" {column + 1}:{score:+d}" for column, score in by_column)
    return f"{asked.moves} {found.score} {best}{scores}\n"


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
