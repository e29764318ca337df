"""Courses of learning: begun from a page, watched while they go on, looked at and forgotten after.

A page's course is the very command `plyground learn`; those begun on the command line or in Python
are listed as well.
"""

from __future__ import annotations

import shlex
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import Field

from plyground.core.errors import Unsupported
from plyground.core.json_text import presentable
from plyground.evaluation.weights_file import file_of
from plyground.games.spec import Value
from plyground.learning.course import courses_folder, forget
from plyground.web.answers import REFUSALS, Answer, RecordInfo
from plyground.web.course_standing import (
    ExamInfo,
    StepInfo,
    find_course,
    find_courses,
    games_of,
    patterns_of,
    players_of,
    standing_of,
    thinned,
)
from plyground.web.course_wire import CourseIn, command_for
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.parts import TheJobs

MOST_LISTED = 300
LISTED = ("curve", "recipe")  # what a list leaves out

router = APIRouter(prefix="/api/courses", tags=["courses"], responses=REFUSALS)
Id = Annotated[str, Path(max_length=255, description="The name of a course's folder.")]
Stage = Annotated[int | None, Query(ge=0, le=63, description="A part of the game; else all.")]


class CourseBegun(Answer):
    id: str
    """Under which its page is found."""
    job: JobInfo


class CourseInfo(Answer):
    """A course in a list."""

    id: str
    name: str
    """Of its evaluator."""
    game: str
    game_title: str
    settings: dict[str, Value]
    """Those that are not the usual ones."""
    started: str
    state: str
    job: JobInfo | None
    rounds: int
    games: int
    positions: int
    seconds: float
    error: float | None
    match: ExamInfo | None
    problem: str | None
    """What is damaged, if anything."""


class CoursePage(CourseInfo):
    recipe: dict[str, Any]
    curve: list[StepInfo]
    evaluator: str | None
    """The name of what was learned last, as in `eval=NAME`."""
    checkpoints: list[int]
    """After how many rounds it was kept: each is the evaluator NAME-rROUNDS."""
    weights: str | None
    folder: str
    command: str | None


class SampleGame(RecordInfo):
    random: int
    """So many of its first moves were random."""


class SampleGames(Answer):
    round: int
    played: int
    games: list[SampleGame]


class PatternInfo(Answer):
    weight: float
    points: float | None
    """What that is where values are margins."""
    cells: list[tuple[int, int]]
    words: str
    picture: str
    """SVG."""


class PatternsOfSide(Answer):
    side: str | None
    """Who is to move, where sides have weights of their own."""
    good: Annotated[list[PatternInfo], Field(alias="for")]
    against: list[PatternInfo]


class PatternsInfo(Answer):
    stages: list[str]
    """What each stage is; none where there are no tuples."""
    scale: str
    patterns: list[PatternsOfSide]


class Forgotten(Answer):
    weights: str | None
    """The file that stays."""


@router.get("", summary="All courses of learning", response_model=list[CourseInfo])
def list_courses() -> list[dict[str, Any]]:
    """Those begun in pages, on the command line or in Python, the newest first."""
    found = []
    for course in find_courses().values():
        if course.state != "running" and not course.folder.exists():
            continue  # it failed before there was anything to keep
        told = standing_of(course)
        job = job_as_data(course.job) if course.job else None
        found.append({k: v for k, v in told.items() if k not in LISTED} | {"job": job})
    found.sort(key=lambda each: str(each["started"]), reverse=True)
    shown: list[dict[str, Any]] = presentable(found[:MOST_LISTED])
    return shown


@router.post("", summary="Begin a course, or go on with one", response_model=CourseBegun)
def begin(wanted: CourseIn, room: TheJobs) -> dict[str, Any]:
    """Check what is asked for, and start the command as a job.

    A course of the same name, game and options goes on; times and games count from its beginning.
    """
    if wanted.jobs is not None:
        room.demand_processors(wanted.jobs, "jobs")
    room.demand_room()
    command = command_for(wanted)
    course = find_courses().get(command.folder.name)
    if course is not None and course.state == "running":
        raise Unsupported(f"{wanted.name} is being learned already").at("name")
    about = command.title, command.words, command.about, courses_folder()
    job = room.start("learn", *about, total=command.total, unit=command.unit)
    return {"id": command.folder.name, "job": job_as_data(job)}


@router.get("/{name}", summary="One course", response_model=CoursePage)
def one_course(name: Id) -> dict[str, Any]:
    """Its curve, what the match said, and what can be played against."""
    course = find_course(name)
    told = standing_of(course)
    shown: dict[str, Any] = presentable(
        {
            **told,
            **players_of(course),
            "curve": thinned(told["curve"]),
            "job": job_as_data(course.job) if course.job else None,
            "folder": str(course.folder),
            "command": shlex.join(["plyground", *course.job.words]) if course.job else None,
        }
    )
    return shown


@router.get("/{name}/games", summary="Games of its last round", response_model=SampleGames)
def some_games(name: Id) -> dict[str, Any]:
    """Some games of self-play, of the last round that was learned."""
    shown: dict[str, Any] = presentable(games_of(find_course(name)))
    return shown


@router.get("/{name}/patterns", summary="Its strongest patterns", response_model=PatternsInfo)
def strongest_patterns(name: Id, stage: Stage = None) -> dict[str, Any]:
    """What speaks most for the side to move, and most against it, each with a picture."""
    return patterns_of(find_course(name), stage)


@router.delete("/{name}", summary="Forget a course", response_model=Forgotten)
def forget_course(name: Id) -> dict[str, Any]:
    """Remove its lessons, its curve and its checkpoints; the evaluator that was kept stays."""
    course = find_course(name)
    if course.state == "running":
        raise Unsupported(f"{course.name} is being learned; stop it first")
    forget(course.folder)
    path = file_of(course.id)
    return {"weights": presentable(str(path)) if path.exists() else None}
