"""`--trace FILE`: the file in which Double Card's course wants to see what a machine looked at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plyground.analysis.course_trace import demand_traced, is_traced, trace_move
from plyground.core.errors import MalformedText, Unsupported, system_errors_as
from plyground.core.files import write_whole
from plyground.formats.trace_file import TracedMove, read_trace, write_trace
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Player


def demand_trace(path: Path) -> None:
    """Raise Unsupported for a file that is there and is something else: it is not touched."""
    try:
        with system_errors_as(f"cannot write {path}"):
            if path.exists():
                read_trace(path.read_bytes() if path.is_file() else b"no file")
    except MalformedText:
        raise Unsupported(f"{path} exists and is no trace; give another name") from None


def write_moves(path: Path, moves: Iterable[TracedMove]) -> None:
    """Replace the file as a whole. Raises Unsupported."""
    with system_errors_as(f"cannot write {path}"):
        write_whole(path, write_trace(moves))


class GameTrace:
    """The trace of a game: of every move of its searches, also of those that were given."""

    def __init__(self, path: Path, game: GameSpec, players: Iterable[Player]) -> None:
        """Raises Unsupported if no player searches as the course wants it."""
        self._path, self._told = path, dict[BasePosition, TracedMove]()
        self._setups = [
            player.setup
            if isinstance(player, SearchPlayer) and is_traced(player.bare.algorithm, player.limits)
            else None
            for player in players
        ]
        demand_traced(game, any(self._setups))
        demand_trace(path)

    def write(self, position: BasePosition) -> None:
        """The game as it is now, so that moves taken back are told no more."""
        moves = []
        for before in position.path[:-1]:
            if setup := self._setups[before.mover]:
                if before not in self._told:
                    self._told[before] = trace_move(before, setup)
                moves.append(self._told[before])
        write_moves(self._path, moves)
