"""Tournaments and matches: begun from a page, watched while they are played, and looked at after.

A page's tournament is the very file that `plyground tournament` plays; those begun on the command
line are listed as well. The answers are made in `contest_data.py`.
"""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query

from plyground.core.json_text import presentable
from plyground.matches.contests import contest_id, contests, contests_folder, find_contest
from plyground.web.answers import REFUSALS, Answer, Page, PositionView, RecordInfo, Results
from plyground.web.contest_data import details, games_of, summary
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.parts import TheJobs, TheStore
from plyground.web.tournament_wire import ContestIn, command_for

PAGE = 50
MOST_LISTED = 300

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"], responses=REFUSALS)
Id = Annotated[str, Path(pattern="^[a-z0-9-]{1,60}$", description="The name of a tournament.")]
Player = Annotated[str | None, Query(max_length=300, description="The text of a player.")]


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
    """Why nothing more is known, if so."""
    played: int = 0
    """Games that count; in a list 0 while there is a job, which says how far it is."""
    total: int = 0
    complete: bool = False


class StandingInfo(Results):
    name: str
    player: str
    elo: EstimateInfo
    points: float
    games: int
    time_per_move_s: float
    longest_s: float
    nodes_per_move: float
    time_losses: int
    forfeits: dict[str, int]


class CrossCell(Results):
    points: float


class SprtInfo(Answer):
    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    verdict: str


class MatchInfo(Results):
    """What a match proves; every number is the first player's."""

    games: int
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


class ContestGame(RecordInfo):
    key: str
    names: tuple[str, str]
    reason: str
    seconds: float


class ContestGames(Page):
    games: list[ContestGame]


@router.get("", summary="All tournaments and matches", response_model=list[ContestInfo])
def list_contests() -> list[dict[str, Any]]:
    """Those begun in pages or on the command line, the newest first."""
    return [summary(each) for each in contests()[:MOST_LISTED]]


@router.get("/presets", summary="Ready-made tournaments", response_model=list[Preset])
def list_presets() -> list[dict[str, Any]]:
    """What the form can be filled with at one click."""
    return _presets()


@functools.cache
def _presets() -> list[dict[str, Any]]:
    file = resources.files("plyground.web") / "tournament_presets.json"
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return found


@router.post("", summary="Begin a tournament or match", response_model=Started)
def begin(wanted: ContestIn, room: TheJobs) -> dict[str, Any]:
    """Check what is asked for, write the tournament's file, and start it as a job."""
    room.demand_processors(wanted.jobs, "jobs")
    room.demand_room()
    command = command_for(wanted)
    words = [*command.words, *room.store_words]
    about = command.kind, command.title, words, command.about, contests_folder()
    job = room.start(*about, total=command.total, unit="games")
    return {"id": contest_id(command.journal), "job": job_as_data(job)}


@router.get("/{name}", summary="One tournament or match", response_model=ContestPage)
def one_contest(name: Id, store: TheStore) -> dict[str, Any]:
    """Standings, cross-table, test and boards, as they are now."""
    return details(find_contest(name), store)


@router.get("/{name}/games", summary="Its games", response_model=ContestGames)
def list_games(
    name: Id,
    player: Player = None,
    against: Player = None,
    page: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> dict[str, Any]:
    """The games that are over, the newest first; with two players, only those between them."""
    between = (player, against) if player is not None and against is not None else None
    found = games_of(find_contest(name), between)
    shown = found[page * PAGE : (page + 1) * PAGE]
    return {"total": len(found), "page": page, "page_size": PAGE, "games": presentable(shown)}
