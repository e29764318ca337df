"""What pages are answered, as the OpenAPI document describes it.

An answer may hold more than is described: a page of another version must not miss what is new.
Knows the shapes only.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Side = Literal["first", "second"]
Value = bool | int | float | str


class Answer(BaseModel):
    """Whatever is added later gets through."""

    model_config = ConfigDict(extra="allow")


class Problem(Answer):
    """Why something was refused, in one or two lines."""

    error: str
    field: str | None = None
    """Which part of the question is wrong, where that is known."""


def _refusals(*told: tuple[int, str]) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": Problem, "description": text} for status, text in told}


REFUSALS = _refusals(
    (400, "The question cannot be answered: unknown names, illegal moves."),
    (403, "Another machine, another page, or no token."),
    (413, "More was sent than the server takes."),
    (422, "The question is malformed, or asks for too much."),
    (429, "The client asks for too much at once."),
    (503, "The store cannot be used."),
)
GONE = {"model": Problem, "description": "It is no longer kept."}


# ------------------------------------------------------------------ what there is


class About(Answer):
    program: str
    version: str


class ParameterInfo(Answer):
    name: str
    default: Value
    help: str
    choices: list[Value]
    low: float | None
    high: float | None


class EvaluatorInfo(Answer):
    name: str
    summary: str
    scale: str


class AlgorithmInfo(Answer):
    name: str
    summary: str
    paper: str
    uses_table: bool
    equals_minimax: bool
    traced: bool


class AlgorithmsInfo(Answer):
    algorithms: list[AlgorithmInfo]
    orders: list[str]


class LevelInfo(Answer):
    name: str
    summary: str
    player: str


class ReadyInfo(Answer):
    """A position worth looking at."""

    title: str
    settings: dict[str, Value]
    position: str | None
    moves: list[str]


class GameInfo(Answer):
    name: str
    aliases: list[str]
    title: str
    summary: str
    players: tuple[str, str]
    sample: str
    board: str
    parameters: list[ParameterInfo]
    presets: dict[str, dict[str, Value]]
    evaluators: list[EvaluatorInfo]
    levels: list[LevelInfo]
    ready_positions: list[ReadyInfo]


class OptionInfo(Answer):
    name: str
    help: str


class PlayerInfo(Answer):
    name: str
    group: str
    summary: str
    options: list[OptionInfo]


class FormatInfo(Answer):
    name: str
    summary: str
    games: list[str]
    suffixes: list[str]
    can_write: bool


# ------------------------------------------------------------------ positions


class BoardData(Answer):
    kind: Literal["grid", "columns", "pits", "cards", "text"]
    rows: int
    columns: int
    cells: list[int | str]
    row_labels: list[str]
    column_labels: list[str]
    counts: dict[str, int]
    links: list[tuple[int, int]]
    text: str


class LegalMove(Answer):
    move: str
    cells: list[int]
    """Where to click."""
    changes: list[tuple[int, int | str]]
    """The cells that it changes, with what they will hold."""
    keeps_turn: bool


class PositionView(Answer):
    """A position with all that is needed to show it and the next move."""

    game: str
    title: str
    settings: dict[str, Value]
    start: str | None
    moves: list[str]
    position: str
    board: BoardData
    players: tuple[str, str]
    side: Side
    opening: str | None
    last: list[int]
    legal: list[LegalMove]
    forced: str | None
    over: bool
    winner: str | None
    outcome: int | None


class Recognised(Answer):
    what: str
    format: str
    records: int
    view: PositionView


class FactorInfo(Answer):
    name: str
    value: float
    weight: float
    share: float
    cells: list[tuple[int, float]]
    """Cells of the board with what each adds to the value."""


class Explanation(Answer):
    evaluator: str
    value: int | None
    scale: str
    factors: list[FactorInfo]


# ------------------------------------------------------------------ the store


class StoreStats(Answer):
    store: str
    """Where it is."""
    folder: str
    """Where everything else is kept: jobs, runs, tournaments."""
    games: dict[str, int]
    unfinished: int
    moves: int
    positions: int
    players: int
    events: int


class GameRow(Answer):
    """A stored game as lists show it."""

    id: int
    uid: str
    game: str
    title: str
    settings: dict[str, Any]
    position: str | None
    players: tuple[str, str]
    points: float | None
    outcome: int | None
    ended: str
    date: str
    event: str
    opening: str | None
    moves: list[str]
    ply: int | None = None
    """Where it reached the position that was looked for."""


class GamePage(Answer):
    total: int
    page: int
    page_size: int
    games: list[GameRow]
    view: PositionView | None = None
    """The position that was looked for."""


class WholeGame(GameRow):
    record: dict[str, Any]
    """All that is known of it, as in the JSON format."""


class ContinuationInfo(Answer):
    moves: list[str]
    games: int
    wins: int
    draws: int
    losses: int


class Explored(Answer):
    games: int
    moves: list[ContinuationInfo]


class Rejection(Answer):
    place: str
    reason: str


class ImportReport(Answer):
    what: str
    read: int
    added: int
    duplicates: int
    rejected: int
    reasons: list[Rejection]
    """The first hundred."""
    stopped: bool
    """Whether there is more in the file; what was read is stored."""


class ImportProgress(Answer):
    id: str
    name: str
    done: int
    """Games read, those included that could not be."""
    first: int
    total: int | None
    """About how many there are."""
    rate: float
    unit: str
    added: int
    duplicates: int
    rejected: int


# ------------------------------------------------------------------ games in a page


class Kept(Answer):
    uid: str
    """The name under which it is stored from now on."""
    moves: list[str]
    """What is stored: the state of the game, whichever server stored the moves before."""
    points: float | None
    """Of the first player, if it is over."""
