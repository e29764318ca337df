"""Many games at once by compiled rules: are the moves legal, where do they lead, what passes by.

An archive is an array of moves, a row for each game. Archives leave out the moves that a side has
no choice about, so a row is replayed with passes filled in wherever the given move is not legal and
the pass is the only one that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.records import GameRecord, MoveRecord, points_for
from plyground.games.rules import (
    FIRST,
    State,
    canonical,
    is_over,
    key,
    legal_moves,
    outcome,
    play,
    side,
)
from plyground.games.spec import GameSpec
from plyground.kernel import compilable, kernel

NO_MOVE = -1  # pads a row; every other negative number is a move that is never legal
NO_PASS = -1
ALL_LEGAL = -1


@dataclass(frozen=True)
class Replayed:
    """What became of each game."""

    moves: np.ndarray
    """int32[games, plies]: the moves with passes, padded with NO_MOVE; up to an illegal one."""
    plies: np.ndarray
    """int32[games]: how many there are."""
    is_over: np.ndarray
    """bool[games]: whether the game has ended on the board."""
    outcomes: np.ndarray
    """int32[games]: the final score for the first player; 0 where the game is not over."""
    illegal: np.ndarray
    """int32[games]: the place of the first illegal move among the given ones, or ALL_LEGAL."""

    def __len__(self) -> int:
        return len(self.plies)


def replay_many(
    game: GameSpec, start: State, moves: np.ndarray, passing: int = NO_PASS
) -> Replayed:
    """Replay a row of moves for each game, all from one start.

    `passing` is the move that rows may leave out, where the game has one. A row has room for as
    many passes as moves.
    """
    given = np.require(moves, np.int32, ["C", "W"])  # one compiled signature, whatever is given
    games, most = given.shape
    room = most if passing == NO_PASS else 2 * most
    played = Replayed(
        np.full((games, room), NO_MOVE, np.int32),
        np.zeros(games, np.int32),
        np.zeros(games, np.bool_),
        np.zeros(games, np.int32),
        np.full(games, ALL_LEGAL, np.int32),
    )
    _replay_rows(
        start,
        given,
        passing,
        np.zeros(game.max_moves, np.int32),
        played.moves,
        played.plies,
        played.is_over,
        played.outcomes,
        played.illegal,
    )
    return played


@compilable
def _is_legal(move: int, buffer: np.ndarray, count: int) -> bool:
    for i in range(count):
        if buffer[i] == move:
            return True
    return False


@kernel
def _replay_rows(
    start: State,
    given: np.ndarray,
    passing: int,
    buffer: np.ndarray,
    moves: np.ndarray,
    plies: np.ndarray,
    over: np.ndarray,
    outcomes: np.ndarray,
    illegal: np.ndarray,
) -> None:
    room = moves.shape[1]
    for row in range(len(given)):
        state, ply, place = start, 0, 0
        while place < given.shape[1] and given[row, place] != NO_MOVE:
            if is_over(state) or ply == room:
                illegal[row] = place
                break
            move, count = int(given[row, place]), legal_moves(state, buffer, 0)
            if _is_legal(move, buffer, count):
                place += 1
            elif count == 1 and buffer[0] == passing:
                move = passing
            else:
                illegal[row] = place
                break
            moves[row, ply] = move
            ply += 1
            state = play(state, move)
        plies[row] = ply
        over[row] = is_over(state)
        if over[row]:
            outcomes[row] = outcome(state) if side(state) == FIRST else -outcome(state)


# ------------------------------------------------------------------ positions passed through


def keys_of(start: State, moves: np.ndarray, plies: np.ndarray) -> np.ndarray:
    """The canonical key of every position of every game, of symmetric ones the same: uint64.

    One after the other, game by game, each with its first position and one more for each ply:
    `np.cumsum(plies + 1)` says where games end. The moves are trusted: take those of a replay.
    """
    rows = np.require(moves, np.int32, ["C", "W"])
    lengths = np.require(plies, np.int32, ["C", "W"])
    keys = np.zeros(int(lengths.sum()) + len(lengths), np.uint64)
    _write_keys(start, rows, lengths, keys)
    return keys


@kernel
def _write_keys(start: State, moves: np.ndarray, plies: np.ndarray, keys: np.ndarray) -> None:
    at = 0
    for row in range(len(plies)):
        state = start
        keys[at] = key(canonical(state))
        at += 1
        for ply in range(plies[row]):
            state = play(state, int(moves[row, ply]))
            keys[at] = key(canonical(state))
            at += 1


# ------------------------------------------------------------------ one game


def record_of(
    game: GameSpec,
    start: State,
    moves: Sequence[int],
    settings: Mapping[str, Any],
    position: str | None = None,
    tags: Mapping[str, str] | None = None,
) -> GameRecord:
    """A game by nobody known, from its legal moves: a result if it is over, else unfinished."""
    state, records = start, []
    for move in moves:
        records.append(MoveRecord(game.format_move(state, move), int(side(state))))
        state = play(state, move)
    result = game.first_player_outcome(state)
    return GameRecord(
        game.name,
        ("", ""),
        records,
        points=None if result is None else points_for(result),
        outcome=result,
        ended="unfinished" if result is None else "over",
        settings=settings,
        position=position,
        tags=tags or {},
    )
