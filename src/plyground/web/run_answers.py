"""What pages are answered about long runs: jobs, tournaments and matches, experiments.

An answer may hold more than is described, as in `answers.py`. Knows the shapes only.
"""

from __future__ import annotations

from typing import Any, Literal

from plyground.web.answers import Answer, PositionView

# ------------------------------------------------------------------ jobs


class JobInfo(Answer):
    """A long run: what it is, and how far."""

    id: str
    kind: Literal["lab", "tournament", "match"]
    title: str
    command: str
    """What one types to start it, or to let it go on."""
    state: Literal["running", "done", "paused", "stopped", "interrupted", "failed"]
    reason: str
    started: str
    resumed: str
    updated: str
    done: int
    first: int
    """What was done when it was started or resumed last."""
    total: int | None
    unit: str
    rate: float
    """Units per second since then."""
    news: str
    asked: Literal["pause", "finish", "now"] | None
    can_go_on: bool
    address: str | None
    """The page on which it is seen."""
    about: dict[str, Any]


# ------------------------------------------------------------------ tournaments and matches


class EstimateInfo(Answer):
    """A number and its interval of 95 %; null where there is no end."""

    value: float | None
    low: float | None
    high: float | None


class Preset(Answer):
    name: str
    summary: str
    contest: dict[str, Any]


class Started(Answer):
    id: str
    """Under which its page is found."""
    job: JobInfo


class ContestInfo(Answer):
    """A tournament or match in a list."""

    id: str
    kind: Literal["tournament", "match"]
    title: str
    started: str
    job: JobInfo | None
    game: str
    game_title: str
    format: str
    players: list[str]
    problem: str | None
    """Why nothing more can be told, if so."""


class StandingInfo(Answer):
    name: str
    player: str
    elo: EstimateInfo
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    time_per_move_s: float
    longest_s: float
    nodes_per_move: float
    time_losses: int
    forfeits: dict[str, int]


class CrossCell(Answer):
    points: float
    wins: int
    draws: int
    losses: int


class SprtInfo(Answer):
    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    verdict: str


class MatchInfo(Answer):
    """What a match proves; every number is the first player's."""

    games: int
    wins: int
    draws: int
    losses: int
    pairs: dict[str, int]
    elo: EstimateInfo
    normalised_elo: EstimateInfo
    superiority: float
    contains_zero: bool
    sprt: SprtInfo | None
    verdict: str | None


class BoardInfo(Answer):
    """A game that is being played."""

    id: int
    names: tuple[str, str]
    view: PositionView


class ContestPage(ContestInfo):
    played: int
    """Games that count."""
    total: int
    complete: bool
    standings: list[StandingInfo]
    cross: list[list[CrossCell | None]]
    """Rows and columns in the order of the standings."""
    match: MatchInfo | None
    boards: list[BoardInfo]
    seconds: float
    """Of thinking, in all games."""
    journal: str
    spec: str | None
    command: str


class ContestGame(Answer):
    key: str
    game: str
    settings: dict[str, Any]
    position: str | None
    players: tuple[str, str]
    names: tuple[str, str]
    points: float | None
    outcome: int | None
    ended: str
    reason: str
    moves: list[str]
    seconds: float


class ContestGames(Answer):
    total: int
    page: int
    page_size: int
    games: list[ContestGame]
