"""`plyground play`: a game in the terminal, between people or against a random player."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import numpy as np
import typer
from rich.markup import escape
from rich.table import Table

from plyground.bits import random_below
from plyground.cli.common import (
    MOST_SEED,
    Loaded,
    MovesOption,
    PositionOption,
    SetOption,
    load,
    out,
)
from plyground.cli.drawing import pieces, symbols_for
from plyground.cli.show import last_cells, print_board, status_line
from plyground.core.errors import InputError, Unsupported, unknown
from plyground.games import catalogue
from plyground.games.rules import is_over, side

PLAYERS = ("human", "random")
HELP = (
    "A move in the game's own notation, or a list of them. "
    "u takes back, m lists the legal moves, ? shows this, q ends."
)


def play(
    game: Annotated[
        str | None, typer.Argument(help="A game's name, or a path to a Python file.")
    ] = None,
    first: Annotated[str, typer.Option("--first", help="human or random.")] = "human",
    second: Annotated[str, typer.Option("--second", help="human or random.")] = "random",
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=MOST_SEED, help="Make the random player repeatable."),
    ] = None,
    position: PositionOption = None,
    moves: MovesOption = None,
    set_: SetOption = None,
) -> None:
    """Play in the terminal, against a random player or another person."""
    players = (_player(first), _player(second))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no move either
    if game is None:
        game = _choose_game()
    Session(load(game, set_, position, moves), players, seed).play()


def _player(name: str) -> str:
    if name.strip().lower() not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return name.strip().lower()


def _choose_game() -> str:
    """Ask, with Othello for those who just press return."""
    if not sys.stdin.isatty():
        raise Unsupported(f"which game? Give its name: {', '.join(catalogue.games())}")
    games = list(catalogue.games().values())
    menu = Table(box=None, show_header=False)
    for number, game in enumerate(games, start=1):
        menu.add_row(f"[bold]{number}[/]", game.title, f"[dim]{game.summary}[/]")
    out.print(menu)
    default = next(game for game in games if game.name == "othello")
    answer = _ask(f"Which game (1 to {len(games)}, or its name) [{default.title}]: ")
    if answer is None:
        raise SystemExit(0)
    if answer.strip().isdecimal() and 1 <= int(answer) <= len(games):
        return games[int(answer) - 1].name
    return answer.strip() or default.name


def _ask(prompt: str) -> str | None:
    """A line typed by a person; None when there are no more."""
    try:
        return out.input(escape(prompt))
    except (EOFError, KeyboardInterrupt):
        out.print()
        return None


class Session:
    """A game under way: who plays, and the moves so far."""

    def __init__(self, loaded: Loaded, players: tuple[str, str], seed: int | None) -> None:
        self.game, self.start, self.moves = loaded.game, loaded.start, list(loaded.moves)
        self.players = players
        entropy = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        self.generator = entropy if seed is None else np.array([seed], np.uint64)
        self.state = loaded.state

    def play(self) -> None:
        """Until the game is over or somebody has had enough."""
        game = self.game
        out.print(f"[bold]{game.title}[/]: {game.summary}")
        first, second = pieces(symbols_for(out), game.players)
        if game.board_of(self.state).kind in ("grid", "columns") and first != game.players[0]:
            out.print(f"{game.players[0]} is {first}, {game.players[1]} is {second}.")
        if "human" in self.players:
            out.print(f"[dim]{HELP}[/]")
        self._show()
        while not is_over(self.state):
            implied = game.implied_move(self.state) if game.implied_move else None
            name = game.players[side(self.state)]
            if implied is not None:
                self._push(implied)
                out.print(f"{name} has no move: {game.format_move(self.state, implied)}")
            elif self.players[side(self.state)] == "random":
                legal = game.legal(self.state)
                move = legal[random_below(self.generator, len(legal))]
                out.print(f"{name} plays [bold]{game.format_move(self.state, move)}[/]")
                self._push(move)
                self._show()
            elif not self._ask_person(name):
                out.print("Bye.")
                return

    def _show(self) -> None:
        out.print()
        print_board(self.game, self.state, last_cells(self.game, self.start, self.moves))
        out.print(status_line(self.game, self.state))

    def _push(self, *moves: int) -> None:
        self.moves += moves
        self.state = self.game.replay(self.state, moves)

    def _ask_person(self, name: str) -> bool:
        """One answer at the prompt; False to end the game."""
        answer = _ask(f"{name}, your move (for example {self.game.sample}), or q to quit: ")
        if answer is None:
            return False
        command = answer.strip().lower()
        if command in ("q", "quit", "exit"):
            return False
        if command in ("u", "undo"):
            self._undo()
        elif command in ("m", "moves"):
            legal = [self.game.format_move(self.state, m) for m in self.game.legal(self.state)]
            out.print("; ".join(legal))
        elif command in ("?", "h", "help"):
            out.print(HELP)
        elif command:
            self._try(answer)
        return True

    def _try(self, answer: str) -> None:
        try:
            moves = self.game.parse_moves(self.state, answer)
            if len(moves) > 1 and "random" in self.players:
                raise Unsupported("one move at a time against the random player")
        except InputError as error:
            text = str(error).removeprefix(f"move 1, {answer.strip()!r}: ")
            out.print(f"[red]{escape(text)}[/]")
            return
        self._push(*moves)
        self._show()

    def _undo(self) -> None:
        """Back to the last position in which a person had a choice."""
        for count in range(len(self.moves) - 1, -1, -1):
            state = self.game.replay(self.start, self.moves[:count])
            person = self.players[side(state)] == "human"
            implied = self.game.implied_move(state) if self.game.implied_move else None
            if person and implied is None:
                self.moves, self.state = self.moves[:count], state
                self._show()
                return
        out.print("[red]there is nothing to take back[/]")
