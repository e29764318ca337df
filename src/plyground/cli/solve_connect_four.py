"""`plyground solve connect4`: the exact score of positions, one or a file of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli.common import BAD_INPUT, as_json, compiling_shown, load, now_s, out, print_json
from plyground.cli.solving import MOST_LINE, PositionFile, print_price
from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.quantities import read_bytes
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.games.connect_four import ConnectFour
from plyground.games.rules import is_over
from plyground.solvers.answers import WHO_WINS, Answer, Question, answer, who_wins
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import DEFAULT_MEMORY, ConnectFourSolver

WRONG = 1  # exit status


@dataclass(frozen=True)
class Problem:
    """A position to solve: its moves, and the score that a file gives."""

    moves: str
    state: ConnectFour
    given: int | None = None


def connect_four(
    moves: Annotated[
        str | None, typer.Argument(metavar="MOVES", help="Columns from 1, as in 4444.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="F", help="A position in each line; - is standard input.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="F", help="Compare with the scores in a file.")
    ] = None,
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Score every column.")] = False,
    weak: Annotated[bool, typer.Option("--weak", help="Only who wins: 1, 0 or -1.")] = False,
    threads: options.Threads = 1,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="For the table; 4MB is fastest.")
    ] = None,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Search even what is in an opening book.")
    ] = False,
    set_: options.Settings = None,
    json: options.Json = False,
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
        problem = _read(start, moves or "")
        with compiling_shown():
            solver.prepare()
            found = answer(solver, problem.state, question)
        if json:
            print_json(_as_data(problem, found))
        else:
            _print(problem, found, weak)
    elif check is None:
        _solve_file(PositionFile(source, solver), solver, start, question, json)
    else:
        _check_file(PositionFile(source, solver), solver, start, question)


# ---------------------------------------------------------------------- one position


def _print(problem: Problem, found: Answer, weak: bool) -> None:
    result = who_wins(found.score) if weak else str(found.proven)
    out.print(f"[bold]{result}[/]  score {found.score:+d}" if found.score else "[bold]draw[/]")
    if found.scores:
        texts = (f"{column + 1}: {score:+d}" for column, score in sorted(found.scores.items()))
        out.print("by column  " + "  ".join(texts), soft_wrap=True)
    if found.best:
        out.print("best  " + " ".join(str(column + 1) for column in found.best))
    if found.line:
        is_whole = is_over(CONNECT_FOUR.replay(problem.state, found.line))
        line = "".join(str(column + 1) for column in found.line)
        out.print(f"line  {line}" if is_whole else f"line  {line} ...", soft_wrap=True)
    print_price(found)


def _as_data(problem: Problem, found: Answer) -> dict[str, Any]:
    data: dict[str, Any] = {
        "moves": problem.moves,
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
    file: PositionFile,
    solver: ConnectFourSolver,
    start: ConnectFour,
    question: Question,
    json: bool,
) -> None:
    def solve(number: int, line: str) -> str:
        problem = _read(start, line, may_have_score=True)
        found = answer(solver, problem.state, question)
        if json:
            return as_json(_as_data(problem, found))
        best = ",".join(str(column + 1) for column in found.best)
        by_column = sorted(found.scores.items())
        scores = "".join(f" {column + 1}:{score:+d}" for column, score in by_column)
        return f"{problem.moves} {found.score} {best}{scores}\n"

    file.solve(solve)
    if file.refused:
        raise SystemExit(BAD_INPUT)


def _check_file(
    file: PositionFile, solver: ConnectFourSolver, start: ConnectFour, question: Question
) -> None:
    """Compare the score in every line with the true one."""
    wrong = nodes = 0
    began = now_s()
    score_only = replace(question, best=False, line=False)

    def check(number: int, line: str) -> str:
        nonlocal wrong, nodes
        problem = _read(start, line, may_have_score=True, needs_score=True)
        found = answer(solver, problem.state, score_only)
        nodes += found.nodes
        if found.score == problem.given:
            return ""
        wrong += 1
        text = f"expected {problem.given}, found {found.score}"
        return f"{file.path}:{number}: {problem.moves}: {text}\n"

    file.solve(check)
    text = f"{file.solved:,} positions, {file.solved - wrong:,} right, {wrong:,} wrong"
    out.print(f"{text}, {file.refused:,} refused; {nodes:,} nodes, {now_s() - began:.2f} s")
    if file.refused or wrong:
        raise SystemExit(BAD_INPUT if file.refused else WRONG)


def _read(
    start: ConnectFour, line: str, may_have_score: bool = False, needs_score: bool = False
) -> Problem:
    """Moves, and in a line of a file perhaps the score after them."""
    words = line.split()
    if len(line) > MOST_LINE:
        raise MalformedText(f"a line of {len(line):,} characters; expected at most {MOST_LINE}")
    given: int | None = None
    if may_have_score and len(words) > 1 and re.fullmatch(r"[+-]?[0-9]{1,2}", words[-1]):
        given = int(words.pop())
    elif needs_score:
        raise MalformedText(f"{shorten(line)!r}: expected moves and a score, as in 4444 -2")
    text = " ".join(words)
    state = CONNECT_FOUR.replay(start, CONNECT_FOUR.parse_moves(start, text))
    assert isinstance(state, ConnectFour)
    if is_over(state):
        raise Unsupported(f"{shorten(text)!r}: the game is over, there is nothing to solve")
    return Problem(text, state, given)
