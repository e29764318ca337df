"""Tournaments and matches: begun from a page, watched while they are played, and looked at after.

A page's tournament is the very file that `plyground tournament` plays; those begun on the command
line are listed as well. What a contest is and how it stands is in `contest_data.py`.
"""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request

from plyground.core.errors import Unsupported
from plyground.core.json_text import presentable
from plyground.matches.contests import contest_id, contests, contests_folder, find_contest
from plyground.web.answers import REFUSALS
from plyground.web.contest_data import details, games_of, summary
from plyground.web.job_routes import job_as_data, room_of
from plyground.web.run_answers import ContestGames, ContestInfo, ContestPage, Preset, Started
from plyground.web.store_routes import TheStore
from plyground.web.tournament_wire import ContestIn, command_for

PAGE = 50
MOST_LISTED = 300

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"], responses=REFUSALS)
Id = Annotated[str, Path(pattern="^[a-z0-9-]{1,60}$", description="The name of a tournament.")]
Player = Annotated[str | None, Query(max_length=300, description="The text of a player.")]


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
def begin(wanted: ContestIn, request: Request) -> dict[str, Any]:
    """Check what is asked for, write the tournament's file, and start it as a job."""
    room = room_of(request)
    if wanted.jobs > room.most_workers:
        raise Unsupported(f"this machine has {room.most_workers} processors").at("jobs")
    room.demand_room()
    command = command_for(wanted)
    words = [*command.words, *room.store_words]
    told = command.kind, command.title, words, command.about, contests_folder()
    job = room.start(*told, total=command.total, unit="games")
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
