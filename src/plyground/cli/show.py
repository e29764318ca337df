"""`plyground show`: a position, drawn for people or as data for programs."""

from __future__ import annotations

from typing import Any

from plyground.cli.common import (
    GameArgument,
    JsonOption,
    Loaded,
    MovesOption,
    PositionOption,
    SetOption,
    load,
    out,
    print_json,
)
from plyground.cli.drawing import draw, symbols_for
from plyground.games.rules import State, is_over, key, side
from plyground.games.spec import PLAYERS, GameSpec


def show(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = None,
    set_: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Print a position: the board, who is to move, the legal moves."""
    loaded = load(game, set_, position, moves)
    if json:
        print_json(position_as_data(loaded.game, loaded.state))
    else:
        print_position(loaded)


def position_as_data(game: GameSpec, state: State) -> dict[str, Any]:
    """A position as JSON types; the outcome is the first player's."""
    return {
        "game": game.name,
        "position": game.format_position(state),
        "side": PLAYERS[side(state)],
        "legal": [game.format_move(state, move) for move in game.legal(state)],
        "over": bool(is_over(state)),
        "winner": game.winner(state),
        "outcome": game.first_player_outcome(state),
        "key": f"{int(key(state)):016x}",
        "board": game.board_of(state).as_data(),
    }


def print_position(loaded: Loaded) -> None:
    game, state = loaded.game, loaded.state
    out.print(f"[bold]{game.title}[/]")
    print_board(game, state, last_cells(game, loaded.start, loaded.moves))
    out.print(status_line(game, state))
    legal = [game.format_move(state, move) for move in game.legal(state)]
    if legal:
        out.print(f"[dim]{len(legal)} legal:[/] {_wrapped(legal, out.width)}", soft_wrap=True)
    out.print(f"[dim]position:[/] {game.format_position(state)}", soft_wrap=True)


def _wrapped(moves: list[str], width: int) -> str:
    """The moves in lines that break between moves, never inside one."""
    between = ";" if any(" " in move for move in moves) else ""
    lines, room = [""], width - len(f"{len(moves)} legal: ")
    for move in moves:
        item = move + between if move is not moves[-1] else move
        if lines[-1] and len(lines[-1]) + 1 + len(item) > room:
            lines.append("")
            room = width
        lines[-1] += f" {item}" if lines[-1] else item
    return "\n".join(lines)


def print_board(game: GameSpec, state: State, last: tuple[int, ...]) -> None:
    """The board with guides to the legal moves and the last move marked."""
    guides = {cell for move in game.legal(state) for cell in game.cells_of(state, move)}
    drawing = draw(game.board_of(state), symbols_for(out), guides, last, game.players)
    out.print(drawing, end="")


def last_cells(game: GameSpec, start: State, moves: list[int]) -> tuple[int, ...]:
    """The cells of the last of some moves."""
    if not moves:
        return ()
    return game.cells_of(game.replay(start, moves[:-1]), moves[-1])


def status_line(game: GameSpec, state: State) -> str:
    """Who is to move, or who has won, and the count of pieces where it matters."""
    counts = game.board_of(state).counts
    score = ", ".join(
        f"{name} {counts[player]}"
        for name, player in zip(game.players, PLAYERS, strict=True)
        if player in counts
    )
    winner = game.winner(state)
    if winner is None:
        line = f"[bold]{game.players[side(state)]}[/] to move"
    elif winner == "draw":
        line = "[bold]Draw[/]"
    else:
        line = f"[bold]{game.players[PLAYERS.index(winner)]} wins[/]"
    return f"{line} [dim]({score})[/]" if score else line
