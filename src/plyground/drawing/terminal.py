"""Boards drawn for a terminal, from the board as data.

Colour helps but never carries meaning alone: pieces differ in shape, the last move stands in
brackets, and where the terminal has no Unicode plain letters take over.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from plyground.core.board import Board
from plyground.games.position import BasePosition
from plyground.games.spec import PLAYERS


@dataclass(frozen=True)
class Symbols:
    """The characters of a drawing."""

    first: str
    second: str
    empty: str
    guide: str
    filled: str
    hollow: str
    link_right: str
    link_upper: str
    link_lower: str


UNICODE = Symbols("●", "○", "·", "+", "●", "○", "─", "╮", "╯")
ASCII = Symbols("X", "O", ".", "+", "X", "O", "-", "\\", "/")
PLAIN_SIGNS = str.maketrans("•—─│", "*--|")

# Sides that are called by a colour which shows on any background get it; shapes tell the others.
COLOURS = {"Yellow": "bold yellow", "Red": "bold red"}
PIECE, EMPTY, GUIDE = "bold", "dim", "bold green"
RED, WHITE = "bold white on red", "bold black on bright_white"
LAST, LABEL = "reverse", "dim"


def symbols_for(console: Console) -> Symbols:
    """What this terminal can show."""
    return UNICODE if console.encoding.lower().startswith("utf") else ASCII


def draw(
    board: Board,
    symbols: Symbols,
    guides: Collection[int] = (),
    last: Collection[int] = (),
    players: tuple[str, str] = ("", ""),
) -> Text:
    """The board; `guides` are cells where a move is possible, `last` those of the last move."""
    drawing = Text()
    filled = [cell for cell, content in enumerate(board.cells) if content != ""]
    last = set(last).intersection(filled) or last  # not where a piece came from
    if board.kind in ("grid", "columns"):
        drawing = _draw_grid(board, symbols, guides, last, players)
    elif board.kind == "pits":
        drawing = _draw_pits(board, guides, last)
    elif board.kind == "cards":
        drawing = _draw_cards(board, symbols, guides, last)
    return drawing.append(board.text + "\n" if board.text else "")


def draw_position(position: BasePosition, symbols: Symbols) -> Text:
    """The board with guides to the legal moves and the last move marked."""
    game, state = position.game, position.state
    guides = {cell for code in position.legal_codes for cell in game.cells_of(state, code)}
    return draw(position.board, symbols, guides, position.last_cells, game.players)


def status_line(position: BasePosition) -> str:
    """Who is to move, or who has won, and the count of pieces where it matters; as markup."""
    counts = position.board.counts
    score = ", ".join(
        f"{name} {counts[player]}"
        for name, player in zip(position.game.players, PLAYERS, strict=True)
        if player in counts
    )
    winner = position.winner
    if winner is None:
        line = f"[bold]{position.side}[/] to move"
    else:
        line = "[bold]Draw[/]" if winner == "draw" else f"[bold]{winner} wins[/]"
    return f"{line} [dim]({score})[/]" if score else line


def pieces(symbols: Symbols, players: tuple[str, str]) -> tuple[str, str]:
    """What the two sides' pieces look like; sides called X and O are drawn so."""
    if all(len(name) == 1 for name in players):
        return players
    return symbols.first, symbols.second


def _margin(board: Board) -> int:
    return max((len(label) for label in board.row_labels), default=0) + 1


def _labels(board: Board, width: int, margin: int) -> Text:
    names = "".join(label.center(width) for label in board.column_labels)
    return Text(" " * margin + names.rstrip() + "\n", LABEL)


def _sign(content: str, symbols: Symbols) -> str:
    if symbols is UNICODE:
        return content
    return content.translate(PLAIN_SIGNS).encode("ascii", "replace").decode()


def _draw_grid(
    board: Board,
    symbols: Symbols,
    guides: Collection[int],
    last: Collection[int],
    players: tuple[str, str],
) -> Text:
    first, second = pieces(symbols, players)
    looks = {
        "first": (first, COLOURS.get(players[0], PIECE)),
        "second": (second, COLOURS.get(players[1], PIECE)),
    }
    margin = _margin(board)
    drawing = Text()
    if board.kind == "grid":
        drawing.append_text(_labels(board, 3, margin))
    for row in range(board.rows):
        label = board.row_labels[row] if board.row_labels else ""
        drawing.append(label.rjust(margin - 1) + " ", LABEL)
        for column in range(board.columns):
            cell = row * board.columns + column
            guide = (symbols.guide, GUIDE) if cell in guides else (symbols.empty, EMPTY)
            content = str(board.cells[cell])
            own = (_sign(content, symbols), PIECE) if content else guide
            symbol, style = looks.get(content, own)
            drawing.append(f"[{symbol}]" if cell in last else f" {symbol} ", style)
        drawing.append("\n")
    if board.kind == "columns":
        drawing.append_text(_labels(board, 3, margin))
    return drawing


def _draw_pits(board: Board, guides: Collection[int], last: Collection[int]) -> Text:
    pits = board.columns
    upper, lower = range(1, pits + 1), range(pits + 2, 2 * pits + 2)

    def row(cells: range) -> Text:
        line = Text(" " * 6)
        for cell in cells:
            style = GUIDE if cell in guides else LAST if cell in last else ""
            left, right = "[]" if cell in last else "()"
            line.append(f"{left}{board.cells[cell]:>3}{right}", style)
        return line.append("\n")

    numbers = [f"{label:^5}" for label in board.column_labels]
    stores = f"[{board.cells[0]:>3}] " + " " * (5 * pits) + f" [{board.cells[pits + 1]:>3}]\n"
    return Text.assemble(
        (" " * 6 + "".join(reversed(numbers)) + "\n", LABEL),
        row(upper),
        (stores, "bold"),
        row(lower),
        (" " * 6 + "".join(numbers) + "\n", LABEL),
    )


def _draw_cards(
    board: Board, symbols: Symbols, guides: Collection[int], last: Collection[int]
) -> Text:
    links: dict[int, str] = {}
    for anchor, other in board.links:
        if other == anchor + 1:
            links[anchor] = symbols.link_right
        else:
            links[anchor], links[other] = symbols.link_lower, symbols.link_upper
    margin = _margin(board)
    drawing = Text()
    for row in range(board.rows):
        drawing.append(board.row_labels[row].rjust(margin - 1) + " ", LABEL)
        for column in range(board.columns):
            cell = row * board.columns + column
            half = str(board.cells[cell])
            bracket = "[" if cell in last else " "
            if not half:
                guide = (symbols.guide, GUIDE) if cell in guides else (symbols.empty, EMPTY)
                drawing.append(f" {guide[0]}  ", guide[1])
                continue
            dot = symbols.filled if half[1] == "X" else symbols.hollow
            drawing.append(bracket, "bold" if cell in last else "")
            drawing.append(half[0] + dot, RED if half[0] == "R" else WHITE)
            drawing.append(links.get(cell, " "))
        drawing.append("\n")
    return drawing.append_text(_labels(board, 4, margin))
