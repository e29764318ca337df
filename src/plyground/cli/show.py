"""`plyground show`: a position, drawn for people or as data for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from plyground.cli import options
from plyground.cli.common import load, out, print_json
from plyground.drawing.terminal import draw_position, status_line, symbols_for
from plyground.games.position import BasePosition
from plyground.games.rules import key
from plyground.games.spec import PLAYERS
from plyground.public.position import Position


def show(
    game: options.Game,
    position: options.Position = None,
    moves: options.Moves = None,
    set_: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Print a position: the board, who is to move, the legal moves."""
    loaded = load(game, set_, position, moves)
    if json:
        print_json(position_as_data(loaded))
    else:
        print_position(loaded)


def position_as_data(position: Position) -> dict[str, Any]:
    """A position as JSON types; the outcome is the first player's."""
    return {
        "game": position.game.name,
        "position": position.text,
        "side": PLAYERS[position.mover],
        "legal": list(position.legal),
        "over": position.is_over,
        "winner": position.game.winner(position.state),
        "outcome": position.score,
        "key": f"{int(key(position.state)):016x}",
        "board": position.board.as_data(),
    }


def print_position(position: Position) -> None:
    out.print(f"[bold]{position.game.title}[/]")
    print_board(position)
    out.print(status_line(position))
    if legal := position.legal:
        title = f"{len(legal)} legal:"
        lines = wrapped(f"{title} ", legal, "; " if any(" " in move for move in legal) else " ")
        out.print(f"[dim]{title}[/]{lines.removeprefix(title)}", soft_wrap=True)
    out.print(f"[dim]position:[/] {position.text}", soft_wrap=True)


def wrapped(before: str, moves: Sequence[str], between: str) -> str:
    """The moves in lines that break between moves, never inside one."""
    unbroken = between.join(move.replace(" ", "\xa0") for move in moves)
    lines = textwrap.fill(
        before + unbroken, out.width, break_long_words=False, break_on_hyphens=False
    )
    return lines.replace("\xa0", " ")


def print_board(position: BasePosition, console: Console = out) -> None:
    """The board with guides to the legal moves and the last move marked."""
    console.print(draw_position(position, symbols_for(console)), end="")
