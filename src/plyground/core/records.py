"""Records of games and positions, wherever they come from and wherever they go.

They turn into JSON and back without loss: the record of a match, of an archive of 1977, of what
somebody pasted.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from plyground.core.errors import shorten
from plyground.core.scores import Bound, Kind, Score

Ending = Literal["over", "illegal move", "time", "forfeit", "resigned", "length", "unfinished"]
LARGEST = sys.float_info.max
ON_THE_BOARD: tuple[Ending, ...] = ("over", "length", "unfinished")


def points_for(result: int) -> float:
    """What a final score is worth to the first player: 1, 0.5 or 0."""
    return 0.5 if result == 0 else float(result > 0)


@dataclass(frozen=True)
class MoveRecord:
    """A move, and what its player reported; of a move of the opening nothing is known."""

    move: str
    """In the game's notation."""
    side: int
    """0 if the first player made it, 1 if the second."""
    time_s: float = 0.0
    score: Score | None = None
    """As the side that moved sees it."""
    depth: int = 0
    nodes: int = 0
    pondered: bool = False
    leaves: int = 0
    """Nodes that were valued; records in files tell these two, rows of a store do not."""
    passes: int = 0
    """Searches of the root, by an algorithm that searches it again and again."""

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"move": self.move, "side": self.side}
        if self.score:
            data["score"] = {"value": self.score.value, "kind": self.score.kind}
            if self.score.bound != "exact":
                data["score"]["bound"] = self.score.bound
        numbers = {"time_s": round(self.time_s, 6), "depth": self.depth, "nodes": self.nodes}
        numbers |= {"pondered": self.pondered, "leaves": self.leaves, "passes": self.passes}
        return data | {name: value for name, value in numbers.items() if value}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> MoveRecord:
        score = Score(**data["score"]) if "score" in data else None
        move = MoveRecord(**{**data, "score": score})
        check_move(move)
        return move


@dataclass(frozen=True)
class GameRecord:
    """A game, finished or not."""

    game: str
    players: tuple[str, str]
    """Player texts or people's names, the one who moved first first; empty if not known."""
    moves: Sequence[MoveRecord]
    """Passes included."""
    points: float | None = None
    """Of the first player: 1, 0.5 or 0; None if the result is not known."""
    outcome: int | None = None
    """The final score for the first player, if there is one."""
    ended: Ending = "over"
    reason: str = ""
    """Why it was lost, if not on the board."""
    opening: int = 0
    """How many of the moves nobody chose."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    position: str | None = None
    """Where it began, if not where the game begins."""
    seed: int = 0
    date: str = ""
    """As much of YYYY-MM-DDTHH:MM:SSZ as is known."""
    event: str = ""
    """The tournament, match or place it belongs to."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What else a format knows of it, by names of that format's own."""

    def as_data(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"] = [move.as_data() for move in self.moves]
        data["settings"], data["tags"] = dict(self.settings), dict(self.tags)
        needed = ("game", "players", "moves", "points", "ended", "seed")
        usual = GameRecord("", ("", ""), ())
        return {k: v for k, v in data.items() if k in needed or v != getattr(usual, k)}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> GameRecord:
        moves = [MoveRecord.from_data(move) for move in data["moves"]]
        first, second = data["players"]
        record = GameRecord(**{**data, "moves": moves, "players": (first, second)})
        check_types(record)
        return record

    def points_of(self, side: int) -> float:
        """What a side got, in a game with a result."""
        if self.points is None:
            raise ValueError("the game has no result")
        return self.points if side == 0 else 1 - self.points

    @property
    def forfeited_by(self) -> int | None:
        """Who lost other than on the board: 0 the first player, 1 the second."""
        if self.ended in ON_THE_BOARD or self.points is None:
            return None
        return 0 if self.points == 0 else 1


def check_move(move: MoveRecord) -> None:
    """Raise ValueError for a move with a value that it cannot have."""
    numbers = move.time_s, move.depth, move.nodes, move.leaves, move.passes
    if not (
        isinstance(move.move, str)
        and move.side in (0, 1)
        and all(type(each) in (int, float) and abs(each) <= LARGEST for each in numbers)
        and (move.score is None or _is_sound(move.score))
    ):
        raise ValueError("a move of the wrong kind")


def check_types(record: GameRecord) -> None:
    """Raise ValueError for a record with a value that it cannot have; moves are not checked."""
    texts = (record.game, *record.players, record.reason, record.date, record.event)
    whole = (record.opening, record.seed, 0 if record.outcome is None else record.outcome)
    if record.points not in (None, 0, 0.5, 1):
        raise ValueError(f"{shorten(repr(record.points))} points")
    if record.ended not in get_args(Ending):
        raise ValueError(f"ended by {shorten(repr(record.ended))}")
    if not (
        all(isinstance(each, str) for each in (*texts, record.position or ""))
        and all(type(each) is int for each in whole)
        and all(isinstance(each, int | float | str | None) for each in record.settings.values())
        and all(isinstance(each, str) for each in record.tags.values())
    ):
        raise ValueError("a value of the wrong kind")


def _is_sound(score: Score) -> bool:
    is_known = score.kind in get_args(Kind) and score.bound in get_args(Bound)
    return is_known and type(score.value) is int


@dataclass(frozen=True)
class PositionRecord:
    """A position, and what a format says about it."""

    game: str
    position: str
    """In the game's notation."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    """Of moves, as the side to move sees them."""
    score: int | None = None
    """Of the position, as the side to move sees it."""
    tags: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data |= {name: dict(data[name]) for name in ("settings", "scores", "tags")}
        return {k: v for k, v in data.items() if k in ("game", "position") or v not in (None, {})}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> PositionRecord:
        return PositionRecord(**data)
