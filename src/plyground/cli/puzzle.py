"""`plyground puzzle`: find the one move that wins."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import compiling_shown, load, out, print_json
from plyground.cli.meter import watching
from plyground.cli.show import print_board
from plyground.core.errors import Unsupported
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.position import BasePosition
from plyground.solvers.connect_four.puzzles import LEVELS, Puzzle, find_level, puzzles

MOST_SEED = 2**31
MOST_VAIN = 200_000  # positions looked at in a row; small boards may have no such puzzle

app = typer.Typer(
    name="puzzle", help="Make puzzles: find the one move that wins.", no_args_is_help=True
)


@app.command("connect4")
def connect_four(
    difficulty: Annotated[
        str, typer.Option("--difficulty", "-d", metavar="D", help=", ".join(LEVELS))
    ] = "medium",
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="How many.")] = 1,
    answers: Annotated[bool, typer.Option("--answers", help="Print the solutions too.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, max=MOST_SEED, help="The same again.")] = None,
    set_: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Make puzzles of Connect Four: positions in which exactly one move wins, and not at once.

    Easy ones are won with the third or fifth stone from now, medium ones with the seventh to
    eleventh, hard ones later.
    """
    level = find_level(difficulty)
    start = load("connect4", set_).start
    assert isinstance(start, ConnectFour)
    seed = secrets.randbelow(MOST_SEED) if seed is None else seed
    found, vain = list[Puzzle](), 0
    with compiling_shown(), watching(None, "positions", "looking for puzzles") as watch:
        for puzzle in watch(puzzles(start, level, seed)):
            vain = 0 if puzzle else vain + 1
            if puzzle:
                found.append(puzzle)
            if len(found) == count:
                break
            if vain == MOST_VAIN:
                raise Unsupported(f"no {level} puzzle among {vain:,} positions of this board")
    for number, puzzle in enumerate(found, start=1):
        if json:
            print_json(_as_data(puzzle, seed))
        else:
            _print(puzzle, number, answers)
    if not json and not answers:
        board = "".join(f" --set {setting}" for setting in set_ or ())
        again = f"plyground puzzle connect4 -d {level} -n {count} --seed {seed}{board} --answers"
        out.print(f"[dim]solutions: {again}[/]", soft_wrap=True)


def _print(puzzle: Puzzle, number: int, with_answer: bool) -> None:
    side = GAME.players[len(puzzle.moves) % 2]
    out.print(f"[bold]Puzzle {number}[/], {puzzle.level}: one move wins for {side}")
    print_board(BasePosition.at(GAME, {}, puzzle.state))
    out.print(f"[dim]moves:[/] {_columns(puzzle.moves)}", soft_wrap=True)
    if with_answer:
        text = f"{puzzle.answer + 1} wins in {puzzle.wins_in}: {_columns(puzzle.line)}"
        out.print(f"[bold]solution:[/] {text}", soft_wrap=True)
    out.print()


def _as_data(puzzle: Puzzle, seed: int) -> dict[str, object]:
    return {
        "moves": _columns(puzzle.moves),
        "difficulty": puzzle.level,
        "answer": puzzle.answer + 1,
        "wins_in": puzzle.wins_in,
        "line": _columns(puzzle.line),
        "seed": seed,
    }


def _columns(moves: Sequence[int]) -> str:
    return "".join(str(move + 1) for move in moves)
