"""The shapes that answers share, as the OpenAPI document describes them, and refusals.

Any other shape is declared beside the code that makes the answer.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from plyground.core.board import Board
from plyground.core.records import GameRecord
from plyground.games.spec import Value


class Answer(BaseModel):
    """A shape; fields that it does not name are sent as well."""

    model_config = ConfigDict(extra="allow", json_schema_serialization_defaults_required=True)


class Problem(BaseModel):
    """Why something was refused, in one or two lines."""

    error: str
    field: str | None = None
    """Which part of the question is wrong, where that is known."""


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        400: "The question cannot be answered: unknown names, illegal moves.",
        403: "Another machine, another page, or no token.",
        413: "More was sent than the server takes.",
        422: "The question is malformed, or asks for too much.",
        429: "The client asks for too much at once.",
        503: "The store cannot be used.",
    }.items()
}
GONE = {"model": Problem, "description": "It is no longer kept."}


class LegalMove(Answer):
    move: str
    cells: list[int]
    """Where to click: one cell, or the origin and the target of a piece."""
    target: int | None
    """The cell on which the move is shown: the last click."""
    changes: list[tuple[int, int | str]]
    """The cells that it changes, with what they will hold."""
    keeps_turn: bool


class PositionView(Answer):
    """A position as `games/view.py` shows it, with all that the next move needs."""

    game: str
    title: str
    settings: dict[str, Value]
    start: str | None
    moves: list[str]
    position: str
    board: Board
    players: tuple[str, str]
    side: Literal["first", "second"]
    opening: str | None
    last: list[int]
    legal: list[LegalMove]
    forced: str | None
    over: bool
    winner: str | None
    outcome: int | None


class Page(Answer):
    """A part of a long list."""

    total: int
    page: int
    page_size: int


class Results(Answer):
    wins: int
    draws: int
    losses: int


class RecordInfo(Answer):
    """A game of the store or of a tournament in a list."""

    game: str
    settings: dict[str, Any]
    position: str | None
    players: tuple[str, str]
    points: float | None
    outcome: int | None
    ended: str
    moves: list[str]


def game_as_data(record: GameRecord) -> dict[str, Any]:
    """What `RecordInfo` says of a game, as JSON types."""
    return {
        **{name: getattr(record, name) for name in RecordInfo.model_fields},
        "settings": dict(record.settings),
        "moves": [move.move for move in record.moves],
    }
