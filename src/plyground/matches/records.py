"""What is written down of a game: who played what, how long it took, how and why it ended.

Everything here turns into JSON and back without loss. Knows no player and no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plyground.core.scores import Score

Ending = Literal["over", "illegal move", "time", "forfeit", "length"]


@dataclass(frozen=True)
class MoveRecord:
    """A move, and what its player told about it; of a move of the opening nothing is known."""

    move: str
    side: int
    """0 if the first player made it, 1 if the second."""
    time_s: float = 0.0
    score: Score | None = None
    """As the side that moved sees it."""
    depth: int = 0
    nodes: int = 0
    pondered: bool = False

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"move": self.move, "side": self.side}
        if self.score:
            data["score"] = {"value": self.score.value, "kind": self.score.kind}
        told = {"time_s": round(self.time_s, 6), "depth": self.depth, "nodes": self.nodes}
        told["pondered"] = self.pondered
        return data | {name: value for name, value in told.items() if value}

    @staticmethod
    def from_data(data: dict[str, Any]) -> MoveRecord:
        score = Score(**data["score"]) if "score" in data else None
        return MoveRecord(**(data | {"score": score}))


@dataclass(frozen=True)
class GameRecord:
    """A finished game."""

    game: str
    players: tuple[str, str]
    """Their texts, the one who moved first first."""
    moves: Sequence[MoveRecord]
    points: float
    """Of the first player: 1, 0.5 or 0."""
    outcome: int | None = None
    """The final score for the first player, if the game was played to its end."""
    ended: Ending = "over"
    reason: str = ""
    """Why it was lost, if not on the board."""
    opening: int = 0
    """How many of the moves nobody chose."""
    settings: dict[str, Any] = field(default_factory=dict)
    position: str | None = None
    """Where it began, if not where the game begins."""
    seed: int = 0

    def as_data(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"] = [move.as_data() for move in self.moves]
        needed = ("game", "players", "moves", "points", "ended", "seed")
        return {k: v for k, v in data.items() if k in needed or v not in (None, "", 0, {})}

    @staticmethod
    def from_data(data: dict[str, Any]) -> GameRecord:
        moves = [MoveRecord.from_data(move) for move in data["moves"]]
        first, second = data["players"]
        return GameRecord(**(data | {"moves": moves, "players": (first, second)}))

    @property
    def forfeited_by(self) -> int | None:
        """Who lost other than on the board: 0 the first player, 1 the second."""
        if self.ended in ("over", "length"):
            return None
        return 0 if self.points == 0 else 1
