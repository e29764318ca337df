"""Courses of learning as pages see them: those under way, and all that their folders hold.

Files are read and nothing else, so that no page waits for a compiler. A folder may be damaged, or
vanish while it is read: what cannot be told of a course is told as its problem.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import Field, ValidationError

from plyground.core.errors import InputError, MalformedText, Unsupported, system_errors_as, unknown
from plyground.core.json_text import read_object
from plyground.core.locking import is_locked
from plyground.drawing.pictures import GREY
from plyground.evaluation.learned import MOST_HEAD, NTUPLES, load, plan_in
from plyground.evaluation.tuple_pictures import (
    Pattern,
    in_words,
    picture_of,
    stage_names,
    strongest,
)
from plyground.evaluation.weights_file import SUFFIX, checkpoint_of, file_of
from plyground.games.catalogue import games
from plyground.games.position import BasePosition
from plyground.games.spec import PLAYERS
from plyground.learning.course import (
    LESSONS,
    LOCK,
    courses_folder,
    milestones,
    recipe_in,
    steps_in,
)
from plyground.learning.lessons import Lessons
from plyground.learning.scale import scale_of
from plyground.web.answers import Answer, Results
from plyground.web.contest_standing import EstimateInfo
from plyground.web.recent import Recent
from plyground.work.jobs import Job, jobs

MOST_POINTS = 150  # of a curve
SAMPLES = 8  # games that are shown of a round
PATTERNS = 6  # for, and as many against; of two sides half of each
T = TypeVar("T")
Finite = Annotated[float, Field(allow_inf_nan=False)]

_recent = Recent[Any](300)  # what files held; a page asks again every second


@dataclass(frozen=True)
class FoundCourse:
    """A course, and the newest job that followed it."""

    id: str
    folder: Path
    job: Job | None

    @property
    def state(self) -> str:
        if self.job is not None and self.job.state == "running":
            return "running"
        if is_locked(self.folder / LOCK):  # by Python, or a command that is no job
            return "running"
        if self.job is not None:
            return self.job.state
        return "done" if file_of(self.id).exists() else "stopped"

    @property
    def name(self) -> str:
        """The name of its evaluator."""
        return self.id.rpartition(".")[2]

    @property
    def newest(self) -> Path | None:
        """The file of weights that was written last."""
        marks = [file_of(self.id), *(checkpoint_of(self.id, each) for each in _marks(self.folder))]
        times = {path: time for path in marks if (time := _changed(path))}
        return max(times, key=times.__getitem__, default=None)

    def begin(self) -> BasePosition:
        """Where its games begin. Raises InputError."""
        game = self.id.partition(".")[0]
        if game not in games():
            raise Unsupported(f"the game {game} is not known to this server")
        return BasePosition.begin(games()[game], recipe_in(self.folder).settings)


def find_courses() -> dict[str, FoundCourse]:
    """All courses that have a folder, or are about to have one."""
    newest: dict[str, Job] = {}
    for job in jobs():
        folder = folder_of(job)
        if folder is not None:
            newest.setdefault(folder.name, job)
    home = courses_folder()
    try:
        there = {each.name for each in home.iterdir() if each.is_dir()}
    except OSError:
        there = set()
    begun = {name for name, job in newest.items() if job.state in ("running", "failed")}
    return {
        name: FoundCourse(name, home / name, newest.get(name))
        for name in sorted(there | begun, key=lambda name: (name not in there, name))
    }


def find_course(name: str) -> FoundCourse:
    """The course of this name: that of its folder. Raises Unsupported."""
    found = find_courses()
    if name not in found:
        raise unknown("course", name, found) if found else Unsupported("no courses yet")
    return found[name]


def folder_of(job: Job) -> Path | None:
    """The folder of the course that a job follows, if it is one of ours."""
    text = job.about.get("folder")
    if job.kind != "learn" or not isinstance(text, str) or "\0" in text:
        return None
    folder = Path(os.path.abspath(text))
    return folder if str(folder.parent) == os.path.abspath(courses_folder()) else None


# ------------------------------------------------------------------ how one stands


class StepInfo(Answer):
    """A point of the curve."""

    round: int
    games: int
    positions: int
    seconds: Finite
    error: Finite
    """In points, on positions that were not learned from yet."""


class ExamInfo(Results):
    """What the match said; every number is that of what was learned."""

    against: str
    nodes: int
    games: int
    elo: EstimateInfo
    verdict: str
    is_better: bool


def standing_of(course: FoundCourse) -> dict[str, Any]:
    """How a course stands, with what is wrong with it as its problem."""
    game, _, _ = course.id.partition(".")
    known, problems = games().get(game), list[str]()
    data: dict[str, Any] = {
        "id": course.id,
        "name": course.name,
        "game": game,
        "game_title": known.title if known else game,
        "settings": {},
        "recipe": {},
        "started": course.job.resumed if course.job else _moment(course.folder),
        "state": course.state,
        "curve": [],
        "match": None,
    }
    for name, read in (("recipe", _recipe), ("curve", _curve), ("match", _match)):
        try:
            data[name] = read(course)
        except InputError as error:
            problems.append(str(error))
    last = data["curve"][-1] if data["curve"] else {}
    data |= {name: last.get(name, 0) for name in ("games", "positions", "seconds")}
    data |= {"rounds": last.get("round", -1) + 1, "error": last.get("error")}
    usual = known.defaults if known else {}
    settings = data["recipe"].get("settings", {})
    data["settings"] = {k: v for k, v in settings.items() if v != usual.get(k)}
    return {**data, "problem": "; ".join(problems) or None}


def _recipe(course: FoundCourse) -> dict[str, Any]:
    if course.state == "running" and not course.folder.exists():
        return {}
    found = recipe_in(course.folder).as_data()
    settings = found["settings"]
    if not isinstance(settings, dict) or not all(
        isinstance(each, bool | int | float | str) for each in settings.values()
    ):
        raise MalformedText(f"the recipe of {course.id} is damaged")
    return found


def _curve(course: FoundCourse) -> list[dict[str, Any]]:
    def read() -> list[dict[str, Any]]:
        try:
            return [
                StepInfo.model_validate(asdict(each), strict=True).model_dump()
                for each in steps_in(course.folder)
            ]
        except ValidationError:
            raise MalformedText(f"the curve of {course.id} is damaged") from None

    return _remembered("curve", course.folder / "curve.jsonl", read) or []


def _match(course: FoundCourse) -> dict[str, Any] | None:
    """What the match said of the weights that were kept last."""
    path = file_of(course.id)

    def read() -> dict[str, Any] | None:
        with system_errors_as(f"cannot read {path}"), open(path, "rb") as file:
            line = file.readline(MOST_HEAD)
        try:
            found = read_object(line)["recipe"]["match"]
            return ExamInfo.model_validate(found, strict=True).model_dump() if found else None
        except (InputError, ValidationError, KeyError, TypeError):
            raise MalformedText(f"{path.name} is damaged") from None

    return _remembered("match", path, read)


def thinned(curve: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """So many points of it, the last among them; most of the beginning, where most is learned."""
    at = np.unique(np.geomspace(1, max(1, len(curve)), MOST_POINTS).round().astype(int))
    return [curve[place - 1] for place in at] if curve else []


def _marks(folder: Path) -> list[int]:
    try:
        return milestones(folder)
    except (OSError, ValueError):  # somebody put another file there
        return []


def players_of(course: FoundCourse) -> dict[str, Any]:
    """The names under which it can be played against: now, and after some rounds."""
    newest = course.newest
    return {
        "evaluator": newest.name.removesuffix(SUFFIX).rpartition(".")[2] if newest else None,
        "checkpoints": _marks(course.folder),
        "weights": str(file_of(course.id)) if file_of(course.id).exists() else None,
    }


# ------------------------------------------------------------------ what it plays, what it knows


def games_of(course: FoundCourse) -> dict[str, Any]:
    """Some games of the last round that is there. Raises InputError."""
    try:
        paths = sorted(course.folder.glob(f"*{LESSONS}"))
    except OSError:
        paths = []
    if not paths:
        return {"round": 0, "played": 0, "games": []}
    found = _remembered("games", paths[-1], lambda: _samples(paths[-1], course.begin()))
    if found is None:
        raise Unsupported(f"{paths[-1].name} of {course.id} is there no more; ask again")
    return {**found, "round": int(paths[-1].stem) + 1 if paths[-1].stem.isdecimal() else 0}


def _samples(path: Path, begun: BasePosition) -> dict[str, Any]:
    try:
        lessons = Lessons.read(path)
        ends = np.cumsum(lessons.lengths)
        chosen = np.unique(np.linspace(0, max(0, lessons.games - 1), SAMPLES).astype(int))
        found = []
        for game in chosen[: lessons.games]:
            end, length = int(ends[game]), int(lessons.lengths[game])
            position = begun
            for code in lessons.moves[end - length : end]:
                if int(code) not in position.legal_codes:
                    raise ValueError
                position = position.play_code(int(code))
            found.append(_game(position, int(lessons.openings[game])))
    except (ValueError, KeyError, TypeError, IndexError, zlib.error) as error:
        if isinstance(error, InputError):
            raise
        raise MalformedText(f"{path.name} does not hold games of {begun.game.name}") from None
    return {"played": lessons.games, "games": found}


def _game(position: BasePosition, random_moves: int) -> dict[str, Any]:
    winner = position.game.winner(position.state)
    points = {PLAYERS[0]: 1.0, PLAYERS[1]: 0.0, "draw": 0.5}
    return {
        "game": position.game.name,
        "settings": dict(position.settings),
        "position": None,
        "players": position.game.players,
        "points": points.get(winner) if winner else None,
        "outcome": position.score,
        "ended": "over" if position.is_over else "unfinished",
        "moves": list(position.moves),
        "random": random_moves,
    }


def patterns_of(course: FoundCourse, stage: int | None) -> dict[str, Any]:
    """The strongest patterns of the newest weights. Raises InputError."""
    path = course.newest
    if path is None:
        raise Unsupported(f"{course.name} has no weights yet: they come after the first round")
    found = _remembered(f"patterns {stage}", path, lambda: _patterns(path, course.begin(), stage))
    if found is None:
        raise Unsupported(f"{path.name} is there no more; ask again")
    return found


def _patterns(path: Path, begun: BasePosition, stage: int | None) -> dict[str, Any]:
    weights = load(path)
    weights.demand_fit(begun.game, begun.start)
    if weights.kind != NTUPLES:
        return {"stages": [], "scale": weights.scale, "patterns": []}
    try:
        plan = plan_in(weights)
        each_side = [
            (mover, strongest(plan, weights.numbers, PATTERNS // plan.sides, stage, mover))
            for mover in range(plan.sides)
        ]
        unit = scale_of(begun.game, begun.start)

        def shown(pattern: Pattern) -> dict[str, Any]:
            points = pattern.weight / unit.unit if unit.has_margin else None
            return {
                **pattern.as_data(),
                "points": None if points is None else round(points, 2),
                "words": in_words(pattern, plan, begun.game, begun.start),
                "picture": picture_of(pattern, plan, begun.game, begun.start).replace(
                    "<svg ", f'<svg color="{GREY}" ', 1
                ),
            }

        return {
            "stages": stage_names(plan) if plan.stage_count > 1 else ["all"],
            "scale": weights.scale,
            "patterns": [
                {
                    "side": begun.game.players[mover] if plan.sides > 1 else None,
                    "for": [*map(shown, good)],
                    "against": [*map(shown, bad)],
                }
                for mover, (good, bad) in each_side
            ],
        }
    except (ValueError, KeyError, TypeError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        raise MalformedText(f"{path.name}: its numbers do not fit its plan") from None


# ------------------------------------------------------------------ files


def _changed(path: Path) -> int:
    """When a file was written; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _moment(folder: Path) -> str:
    return datetime.fromtimestamp(_changed(folder) / 1e9, UTC).isoformat(timespec="seconds")


def _remembered(what: str, path: Path, read: Callable[[], T]) -> T | None:
    """What is in a file, read anew only when that changed; None if it is not there."""
    changed = _changed(path)
    if not changed:
        return None
    found: Mapping[str, T] = _recent.find_or_make((what, path, changed), lambda: {"is": read()})
    return found["is"]
