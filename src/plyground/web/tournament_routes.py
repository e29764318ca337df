"""Tournaments and matches: begun from a page, watched while they are played, and looked at after.

A page's tournament is the very file that `plyground tournament` plays; those begun on the command
line are listed as well. Games that are being played are found in the store, where their moves
arrive as they are made.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from importlib import resources
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query

from plyground.core.errors import InputError
from plyground.core.json_text import presentable
from plyground.core.records import GameRecord
from plyground.games.catalogue import demand_known, games
from plyground.games.position import BasePosition
from plyground.games.view import view
from plyground.matches.contests import (
    Contest,
    contest_id,
    contests,
    contests_folder,
    find_contest,
    match_standing,
    spec_of,
    terms_of,
    written,
)
from plyground.matches.pair import PlayedPair
from plyground.store.queries import Filter, Order
from plyground.store.store import Store
from plyground.web.answers import (
    REFUSALS,
    Answer,
    Page,
    PositionView,
    RecordInfo,
    game_as_data,
)
from plyground.web.contest_standing import StandingsInfo, standing_of
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.parts import TheJobs, TheStore
from plyground.web.tournament_wire import ContestIn, command_for

PAGE = 50
MOST_BOARDS = 6
MOST_LISTED = 300

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"], responses=REFUSALS)
Id = Annotated[str, Path(pattern="^[a-z0-9-]{1,60}$", description="The name of a tournament.")]
Player = Annotated[str | None, Query(max_length=300, description="The text of a player.")]


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


class BoardInfo(Answer):
    """A game that is being played."""

    id: int
    names: tuple[str, str]
    view: PositionView


class ContestPage(ContestInfo, StandingsInfo):
    boards: list[BoardInfo]
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


def summary(contest: Contest) -> dict[str, Any]:
    """A line in a list."""
    job = contest.job
    data: dict[str, Any] = {
        "id": contest.id,
        "kind": contest.kind,
        "title": contest.title,
        "started": contest.moment,
        "job": job_as_data(job) if job else None,
        "game": "",
        "game_title": "",
        "format": contest.kind,
        "players": [],
        "problem": None,
    }
    try:
        data |= _terms(contest)
        if job is None:  # which would say how far it is
            standing = standing_of(contest)
            data |= {name: standing[name] for name in ("played", "total", "complete")}
    except InputError as error:
        data["problem"] = str(error)
    shown: dict[str, Any] = presentable(data)
    return shown


def _terms(contest: Contest) -> dict[str, Any]:
    if contest.kind == "match":
        terms = terms_of(contest)
        game = games().get(terms["game"])
        return {
            **{name: terms[name] for name in ("game", "players", "openings", "seed", "time_s")},
            "game_title": game.title if game else terms["game"],
            "total": 2 * terms["pairs"],
        }
    read = spec_of(contest)
    plan = read.plan
    return {
        "game": plan.spec.name,
        "game_title": plan.spec.title,
        "format": read.tournament.format,
        "players": list(read.names.values()),
        "openings": str(plan.openings),
        "seed": plan.seed,
        "time_s": plan.time_s,
        "total": 2 * read.tournament.total,
    }


@router.get("/presets", summary="Ready-made tournaments", response_model=list[Preset])
def list_presets() -> Any:
    """What the form can be filled with at one click."""
    file = resources.files("plyground.web") / "tournament_presets.json"
    return json.loads(file.read_text(encoding="utf-8"))


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
    contest = find_contest(name)
    standing = standing_of(contest)
    is_running = contest.job is not None and contest.job.state == "running"
    words = contest.job.words if contest.job else ["tournament", str(contest.spec)]
    shown: dict[str, Any] = presentable(
        {
            **standing,
            "boards": _boards(contest, store) if is_running else [],
            "journal": str(contest.journal),
            "spec": str(contest.spec) if contest.spec else None,
            "command": shlex.join(["plyground", *words]),
        }
    )
    return summary(contest) | shown


def _boards(contest: Contest, store: Store) -> list[dict[str, Any]]:
    """The games that are being played."""
    begun = contest.job.resumed[:10] if contest.job else None
    which = Filter(result="unfinished", event=contest.event, since=begun)
    done = {*written(contest).played}
    names: Mapping[str, str] = spec_of(contest).names if contest.spec else {}
    boards = []
    for stored in store.games(which, 4 * MOST_BOARDS, 0, Order("number")):
        record, parts = stored.record, stored.uid.split("-")
        if record.event != contest.event or len(parts) < 3 or parts[-2] in done:
            continue
        try:
            demand_known(record.game)
            moves = [move.move for move in record.moves]
            seen = view(BasePosition.begin(record.game, record.settings, record.position, moves))
        except InputError:  # a game of one's own that this server was not started with
            continue
        boards.append(
            {
                "id": stored.id,
                "names": [names.get(player, player) for player in record.players],
                "view": seen,
            }
        )
    return boards[:MOST_BOARDS]


@router.get("/{name}/games", summary="Its games", response_model=ContestGames)
def list_games(
    name: Id,
    player: Player = None,
    against: Player = None,
    page: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> dict[str, Any]:
    """The games that are over, the newest first; with two players, only those between them."""
    contest = find_contest(name)
    journal = written(contest)
    if contest.kind == "match":
        played = list(match_standing(terms_of(contest), journal.played).counted)
        names: Mapping[str, str] = {}
    else:
        read = spec_of(contest)
        names = read.names
        order = {key: place for place, key in enumerate(journal.played)}
        played = sorted(read.tournament.played(journal), key=lambda each: order[each.pair.key])
    between = sorted((player, against)) if player is not None and against is not None else None
    found = [
        _game(pair, game, number, names)
        for pair in played
        for number, game in enumerate(pair.games)
        if between is None or sorted(game.players) == between
    ]
    found.reverse()
    shown = presentable(found[page * PAGE : (page + 1) * PAGE])
    return {"total": len(found), "page": page, "page_size": PAGE, "games": shown}


def _game(
    played: PlayedPair, game: GameRecord, number: int, names: Mapping[str, str]
) -> dict[str, Any]:
    return {
        **game_as_data(game),
        "key": f"{played.pair.key}-{number}",
        "pair": played.pair.number + 1,
        "names": [names.get(player, player) for player in game.players],
        "reason": game.reason,
        "seconds": round(sum(move.time_s for move in game.moves), 3),
    }
