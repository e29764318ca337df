"""A course of learning that a page asks for: its shape, bounds, and the command that follows it.

What is wrong is reported with the field of the form that it is about. Nothing is started here, and
nothing that a compiler would have to prepare is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from plyground import extensions
from plyground.core.errors import Unsupported
from plyground.games.catalogue import demand_known, find_game, portable_name
from plyground.games.position import BasePosition
from plyground.learning import exam
from plyground.learning.course import RECIPE, recipe_in, steps_in
from plyground.learning.recipe import Recipe
from plyground.players.judging import read_judge
from plyground.public.learning import (
    MOST_GAMES,
    USUAL_NAME,
    USUAL_SECONDS,
    checked_base,
    course_folder,
    make_recipe,
)
from plyground.web.wire import EvaluatorName, Name, Setting, Wire, at_field, plain_number

MOST_SECONDS = 7 * 86_400
USUAL_NOISE, USUAL_TRUST = Recipe.noise, Recipe.trust


class CourseIn(Wire):
    """What is to be learned, for how long, and how."""

    game: Name
    settings: Annotated[dict[Name, Setting], Field(max_length=20, default_factory=dict)]
    name: Annotated[str, Field(max_length=40)] = USUAL_NAME
    seconds: Annotated[float, Field(ge=1, le=MOST_SECONDS)] | None = None
    """From the beginning of the course, as games are; without either 15 minutes."""
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] | None = None
    jobs: Annotated[int, Field(ge=1, le=256)] | None = None
    """Workers; one for each processor if not said."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    evaluator: EvaluatorName | None = None
    """Whose weights are calibrated, instead of n-tuples learned."""
    stages: Annotated[int, Field(ge=1, le=64)] | None = None
    depth: Annotated[int, Field(ge=1, le=12)] | None = None
    opening: Annotated[int, Field(ge=0, le=100)] | None = None
    noise: Annotated[int, Field(ge=0, le=1000)] = USUAL_NOISE
    trust: Annotated[float, Field(ge=0, le=1)] = USUAL_TRUST
    solve: Annotated[int, Field(ge=1, le=24)] | None = None
    """From so few empty cells on a solver teaches."""
    against: EvaluatorName | None = None
    nodes: Annotated[int, Field(ge=10, le=10**7)] = exam.NODES
    match: bool = True


@dataclass(frozen=True)
class CourseCommand:
    """What is typed for a course, and what its job is about."""

    title: str
    words: list[str]
    about: dict[str, Any]
    total: int
    unit: str
    folder: Path


def command_for(wanted: CourseIn) -> CourseCommand:
    """Check everything, and say what to type. Raises InputError."""
    extensions.refresh()
    with at_field("game"):
        demand_known(wanted.game)
        game = find_game(wanted.game)
    with at_field("settings"):
        begun = BasePosition.begin(game, wanted.settings)
    with at_field("name"):
        folder = course_folder(begun, wanted.name)
        called = _called(begun, folder)
    teacher = f"solver={wanted.solve}" if wanted.solve else None
    with at_field("evaluator"):
        base = checked_base(begun, wanted.evaluator) if wanted.evaluator else None
    how: dict[str, Any] = {
        **{name: getattr(wanted, name) for name in ("stages", "depth", "opening", "noise")},
        "teacher": teacher,
        "seed": wanted.seed,
        "evaluator": base,
    }
    with at_field("solve"):
        recipe = make_recipe(begun, called, trust=wanted.trust, **how)
    with at_field("against"):
        _demand_opponent(wanted, begun)
    seconds = USUAL_SECONDS if wanted.seconds is wanted.games is None else wanted.seconds
    _demand_new(wanted, folder, recipe, seconds)
    chosen = {k: v for k, v in begun.settings.items() if v != game.defaults[k]}
    options: dict[str, Any] = {
        "name": wanted.name,
        "games": wanted.games,
        "time": None if seconds is None else f"{plain_number(seconds)}s",
        "jobs": wanted.jobs,
        **how,
        "trust": plain_number(wanted.trust),
        "against": wanted.against if wanted.match else None,
        "nodes": wanted.nodes if wanted.match else None,
    }
    given = [(f"--{name}", str(each)) for name, each in options.items() if each is not None]
    given += [("--set", f"{name}={each}") for name, each in chosen.items()]
    words = ["learn", called, *(word for pair in given for word in pair)]
    words += [] if wanted.match else ["--no-match"]
    about = {"game": game.name, "name": wanted.name, "folder": str(folder)}
    total, unit = (wanted.games, "games") if wanted.games else (round(seconds or 0), "s")
    return CourseCommand(f"{game.title}: {wanted.name}", words, about, total, unit, folder)


def _called(begun: BasePosition, folder: Path) -> str:
    """What the game is called in the recipe: as it was before, if the course was begun already."""
    if (folder / RECIPE).exists():
        before = recipe_in(folder).game
        if before in (begun.game.name, *begun.game.aliases):
            return before
    return portable_name(begun.game)


def _demand_opponent(wanted: CourseIn, begun: BasePosition) -> None:
    if wanted.match and wanted.against is not None:
        judge = read_judge(wanted.against, begun.game, begun.start)
        if judge.spec.name == wanted.name:
            raise Unsupported(f"{wanted.name} cannot be judged against itself")


def _demand_new(wanted: CourseIn, folder: Path, recipe: Recipe, seconds: float | None) -> None:
    """Raise Unsupported if there is another course of this name, or one that is as long."""
    if not (folder / RECIPE).exists():
        return
    if recipe_in(folder).key != recipe.key:
        text = f"{wanted.name} was begun with other options; give another name, or forget it first"
        raise Unsupported(text).at("name")
    if not (steps := steps_in(folder)):
        return
    done = f"{wanted.name} has learned for {steps[-1].games:,} games"
    if wanted.games is not None:
        after = steps[-1].games + recipe.games_in(steps[-1].round + 1)
        if after > wanted.games:
            raise Unsupported(f"{done}, and its next round ends at {after:,}").at("games")
    elif steps[-1].seconds >= (seconds or 0):
        minutes = f"{steps[-1].seconds / 60:.1f} minutes"
        raise Unsupported(f"{done} and {minutes}; it can go on for longer").at("seconds")
