"""A position as data: what a face needs to show it, and to show a move before anybody is asked.

Everything is computed from the game's rules and its board as data, so it holds for every game. For
each legal move the cells that it changes are told, with what they will hold: a page can draw the
move in the same frame, without containing a rule. Knows no face.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.board import Board
from plyground.core.errors import InputError, unknown
from plyground.games.catalogue import find_game, games
from plyground.games.rules import State, is_over, play, side
from plyground.games.spec import PLAYERS, GameSpec, Value

MOST_RECENT = 500  # lines
Key = tuple[Any, ...]


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
    names: tuple[str, ...] = ()
    """The moves as text."""
    sides: tuple[int, ...] = ()
    """Who made each of them, 0 or 1."""
    before: State | None = None
    """Where the last of them was made."""


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
    if isinstance(moves, str):
        return _read_moves(Line(game, chosen, start, (), start, position or None), moves)
    key = (name, tuple(sorted(chosen.items())), position, tuple(moves))
    return _recent.goes_on(key, Line(game, chosen, start, (), start, position or None))


def _read_moves(line: Line, text: str) -> Line:
    """The line after some more moves. Raises InputError."""
    game, state, before = line.game, line.state, line.before
    played = game.parse_moves(state, text)
    names, sides = list(line.names), list(line.sides)
    for move in played:
        names.append(game.format_move(state, move))
        sides.append(int(side(state)))
        before, state = state, play(state, move)
    return replace(
        line,
        moves=(*line.moves, *played),
        state=state,
        names=tuple(names),
        sides=tuple(sides),
        before=before,
    )


class _Recent:
    """Lines that were read last: a page asks about a game again after every move."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._lines: OrderedDict[Key, Line] = OrderedDict()

    def goes_on(self, key: Key, begin: Line) -> Line:
        """The line of a key; `begin` is the same before its first move. Raises InputError."""
        moves = key[-1]
        known = self._find((*key[:-1], moves[:-1]), begin)
        try:
            line = _read_moves(known, moves[-1]) if known and moves else None
        except InputError:
            line = None  # the whole line tells which move it is
        line = line or _read_moves(begin, "; ".join(moves))
        with self._lock:
            self._lines[key] = line
            self._lines.move_to_end(key)
            while len(self._lines) > self._most:
                self._lines.popitem(last=False)
        return line

    def _find(self, key: Key, begin: Line) -> Line | None:
        with self._lock:
            line = self._lines.get(key)
        # A user's game may have been loaded anew since.
        return line if line and line.game is begin.game else None


_recent = _Recent(MOST_RECENT)


def view(line: Line) -> dict[str, Any]:
    """The position at the end of a line, as plain data."""
    game, state = line.game, line.state
    board = game.board_of(state)
    last = () if line.before is None else game.cells_of(line.before, line.moves[-1])
    implied = game.implied_move(state) if game.implied_move and not is_over(state) else None
    return {
        "game": game.name,
        "title": game.title,
        "settings": dict(line.settings),
        "start": line.position,
        "moves": list(line.names),
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
