"""A position as data: what a face needs to show it, and to show a move before anybody is asked.

Everything is computed from the game's rules and its board as data, so it holds for every game. For
each legal move the cells that it changes are told, with what they will hold: a page can draw the
move in the same frame, without containing a rule. Knows no face.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.core.board import Board
from plyground.core.errors import unknown
from plyground.games.catalogue import find_game, games
from plyground.games.rules import State, is_over, play, side
from plyground.games.spec import PLAYERS, GameSpec, Value


@dataclass(frozen=True)
class Line:
    """A game under some settings, where it began, and the moves so far."""

    game: GameSpec
    settings: Mapping[str, Value]
    start: State
    moves: tuple[int, ...]
    state: State
    position: str | None = None
    """Where it began, as text, if not where the game begins."""


def demand_known(game: str) -> None:
    """Raise InputError for files and modules: what comes from elsewhere must not have them run."""
    if {*game} & {*"./\\"}:
        raise unknown("game", game, games())


def read_line(
    name: str,
    settings: Mapping[str, Any] | None = None,
    position: str | None = None,
    moves: str | Sequence[str] = "",
) -> Line:
    """What a face asks about. Raises InputError."""
    game = find_game(name)
    chosen = game.settings({key: str(value) for key, value in (settings or {}).items()})
    start = game.initial(**chosen)
    if position:
        start = game.parse_position(start, position)
    text = moves if isinstance(moves, str) else " ".join(moves)
    played = tuple(game.parse_moves(start, text))
    return Line(game, chosen, start, played, game.replay(start, played), position or None)


def view(line: Line) -> dict[str, Any]:
    """The position at the end of a line, as plain data."""
    game, state = line.game, line.state
    board = game.board_of(state)
    names: list[str] = []
    before, last = line.start, tuple[int, ...]()
    for move in line.moves:
        names.append(game.format_move(before, move))
        last = game.cells_of(before, move)
        before = play(before, move)
    implied = game.implied_move(state) if game.implied_move and not is_over(state) else None
    return {
        "game": game.name,
        "title": game.title,
        "settings": dict(line.settings),
        "start": line.position,
        "moves": names,
        "position": game.format_position(state),
        "board": board.as_data(),
        "players": list(game.players),
        "side": PLAYERS[int(side(state))],
        "opening": game.name_opening(line.start, line.moves) if game.name_opening else None,
        "last": list(last),
        "legal": [_move(game, state, board, move) for move in game.legal(state)],
        "forced": None if implied is None else game.format_move(state, implied),
        "over": bool(is_over(state)),
        "winner": game.winner(state),
        "outcome": game.first_player_outcome(state),
    }


def _move(game: GameSpec, state: State, board: Board, move: int) -> dict[str, Any]:
    after = play(state, move)
    return {
        "move": game.format_move(state, move),
        "cells": list(game.cells_of(state, move)),
        "changes": changes(board, game.board_of(after)),
        "keeps_turn": int(side(after)) == int(side(state)) and not is_over(after),
    }


def changes(before: Board, after: Board) -> list[tuple[int, str | int]]:
    """The cells that differ, with what they hold after."""
    pairs = zip(before.cells, after.cells, strict=True) if _same_shape(before, after) else ()
    return [(place, new) for place, (old, new) in enumerate(pairs) if old != new]


def _same_shape(one: Board, other: Board) -> bool:
    return (one.rows, one.columns, len(one.cells)) == (other.rows, other.columns, len(other.cells))
