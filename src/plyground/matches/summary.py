"""What players did in their games, added up: points, time, nodes, forfeits, and by which side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from plyground.core.records import GameRecord
from plyground.matches.pair import PlayedPair

Counted = Literal["nodes", "leaves", "passes"]


@dataclass
class Record:
    """One player's games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: int = 0
    """Moves that the player chose itself."""
    time_s: float = 0.0
    longest_s: float = 0.0
    nodes: int = 0
    leaves: int = 0
    passes: int = 0
    pondered: int = 0
    """Moves found while the opponent was thinking."""
    forfeits: Counter[str] = field(default_factory=Counter)
    """Games lost other than on the board, by reason."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def add(self, game: GameRecord, side: int) -> None:
        """Add a game in which the player had this side."""
        points = game.points_of(side)
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        for move in game.moves[game.opening :]:
            if move.side == side and move.time_s:
                self.moves += 1
                self.time_s += move.time_s
                self.longest_s = max(self.longest_s, move.time_s)
                self.nodes += move.nodes
                self.leaves += move.leaves
                self.passes += move.passes
                self.pondered += move.pondered
        if game.forfeited_by == side:
            self.forfeits[game.reason.partition(": ")[2]] += 1

    @property
    def time_per_move_s(self) -> float:
        return self.time_s / self.moves if self.moves else 0.0

    @property
    def nodes_per_move(self) -> float:
        return self.per_move("nodes")

    def per_move(self, what: Counted) -> float:
        """The mean of a counter."""
        total: int = getattr(self, what)
        return total / self.moves if self.moves else 0.0


def records(pairs: Iterable[PlayedPair]) -> dict[str, Record]:
    """The record of every player, by its text; of one that meets itself, both sides together."""
    found: dict[str, Record] = {}
    for pair in pairs:
        for game in pair.games:
            for side, player in enumerate(game.players):
                found.setdefault(player, Record()).add(game, side)
    return found


def records_of_seats(pairs: Iterable[PlayedPair]) -> tuple[Record, Record]:
    """The records of the two players of a match, even if they are the same player twice."""
    seats = Record(), Record()
    for pair in pairs:
        for number, game in enumerate(pair.games):
            for side in (0, 1):
                seats[side ^ number].add(game, side)
    return seats


def first_move_score(pairs: Iterable[PlayedPair]) -> float | None:
    """The share of points of whoever moved first."""
    points = [game.points_of(0) for pair in pairs for game in pair.games]
    return sum(points) / len(points) if points else None
