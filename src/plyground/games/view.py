"""A position as plain data: what a face needs to show it, and to show a move before it is made.

Everything is computed from the game's rules and its board as data, so it holds for every game. Each
legal move comes with the cells that it changes and what they will hold: a page can draw the move in
the same frame, without containing a rule.
"""

from __future__ import annotations

from typing import Any

from plyground.core.board import Board
from plyground.games.position import BasePosition
from plyground.games.spec import PLAYERS


def view(position: BasePosition) -> dict[str, Any]:
    """The position as JSON types; the outcome is the first player's."""
    game, state, board = position.game, position.state, position.board
    implied = position.implied_code
    return {
        "game": game.name,
        "title": game.title,
        "settings": dict(position.settings),
        "start": position.origin,
        "moves": list(position.moves),
        "position": position.text,
        "board": board.as_data(),
        "players": list(game.players),
        "side": PLAYERS[position.mover],
        "opening": position.opening,
        "last": list(position.last_cells),
        "legal": [_move(position, board, code) for code in position.legal_codes],
        "forced": None if implied is None else position.write_move(implied),
        "over": position.is_over,
        "winner": game.winner(state),
        "outcome": position.score,
    }


def _move(position: BasePosition, board: Board, code: int) -> dict[str, Any]:
    after = position.play_code(code)
    cells = position.game.cells_of(position.state, code)
    return {
        "move": position.write_move(code),
        "cells": list(cells),
        "target": board.target(cells),
        "changes": changes(board, after.board),
        "keeps_turn": after.mover == position.mover and not after.is_over,
    }


def changes(before: Board, after: Board) -> list[tuple[int, str | int]]:
    """The cells that differ, with what they hold after."""
    shape, new_shape = ((each.rows, each.columns, len(each.cells)) for each in (before, after))
    pairs = zip(before.cells, after.cells, strict=True) if shape == new_shape else ()
    return [(place, new) for place, (old, new) in enumerate(pairs) if old != new]
