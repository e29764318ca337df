"""What pages are answered about long runs: jobs, tournaments and matches, experiments.

An answer may hold more than is described, as in `answers.py`. Knows the shapes only.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from plyground.web.answers import Answer, PositionView
from plyground.work.jobs import Kind, State

# ------------------------------------------------------------------ jobs


class JobInfo(Answer):
    """A long run: what it is, and how far."""

    id: str
    kind: Kind
    title: str
    command: str
    """What one types to start it, or to let it go on."""
    state: State
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
    played: int = 0
    """Games that count; in a list only of what no job tells."""
    total: int = 0
    complete: bool = False


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


# ------------------------------------------------------------------ the lab


class RunRow(Answer):
    """A run in a table; one that is only starting has no number yet."""

    number: int | None
    name: str
    state: str
    job: JobInfo | None = None
    started: str = ""
    finished: str | None = None
    cells: int = 0
    measured: int = 0
    seconds: float = 0.0
    quick: bool = False
    seed: int | None = None
    code: str = ""
    version: str = ""
    digest: str = ""
    parameters: dict[str, str] = Field(default_factory=dict)
    answers: str = ""
    """Of a repetition: whether they are those of the first run that measured the same."""


class ExperimentInfo(Answer):
    name: str
    title: str
    question: str
    source: str | None
    is_own: bool
    """Whether it is a file of one's own, run on the command line."""
    runs: int
    last_run: RunRow | None
    job: JobInfo | None


class FieldInfo(Answer):
    """What can be set, and what a page must know to check it."""

    name: str
    description: str
    allowed: str
    default: str
    quick: str
    kind: Literal["whole", "number", "yes-no", "choice", "text"]
    separator: str
    choices: list[str]
    ge: float | None
    gt: float | None
    le: float | None
    lt: float | None


class TableInfo(Answer):
    title: str
    note: str
    columns: list[dict[str, Any]]
    numeric: list[bool]
    rows: list[list[str]]


class ExperimentPage(ExperimentInfo):
    fields: list[FieldInfo]
    published: list[TableInfo]


class PlanInfo(Answer):
    cells: int
    run: int | None
    """The run that would be gone on with, or that measured all of it."""
    measured: int
    is_finished: bool
    seconds: float | None
    """What the rest may take on one worker, judged by the newest run of the same size."""


class SectionInfo(Answer):
    title: str
    parts: list[dict[str, Any]]


class ReportInfo(Answer):
    run: str
    number: int
    is_partial: bool
    """Whether the run is not finished: then there are numbers, and no conclusions."""
    notices: list[str]
    summary: str
    facts: list[tuple[str, str]]
    sections: list[SectionInfo]


class ComparisonInfo(Answer):
    runs: list[dict[str, Any]]
    common: int
    alone: tuple[int, int]
    differing: int
    different: list[dict[str, Any]]
    """The first hundred."""
    time_ratio: dict[str, float | None] | None
    times: list[dict[str, Any]]
    parameters: dict[str, list[str]]
    versions: dict[str, list[str]]
    machine: dict[str, list[str]]
    charts: list[dict[str, Any]]
    reports: list[dict[str, Any]]
