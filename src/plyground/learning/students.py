"""Students: what learns in a course, be it n-tuples or the weights of an evaluator that is there.

A student is taught some rounds of lessons, the newest last, and says by how much it was wrong about
those that it had not seen. What it knows is a `Knowledge`: numbers of 16 bits, and what is needed
to make an evaluator of them, here or in any other process.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyground.core.errors import InputError, MalformedText
from plyground.core.files import write_whole
from plyground.core.json_text import read_object
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.learned import CALIBRATED, NETWORK, NTUPLES, evaluator_in
from plyground.evaluation.sample import constant_fields
from plyground.evaluation.spec import Evaluator, EvaluatorSpec
from plyground.evaluation.tuple_layout import lay_out
from plyground.evaluation.tuple_plan import Plan
from plyground.evaluation.weights_file import Weights, rules_digest
from plyground.games.position import BasePosition
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.learning.calibrating import calibrate
from plyground.learning.fitting import Tables
from plyground.learning.lessons import Lessons
from plyground.learning.misses import judge
from plyground.learning.network import Training, train
from plyground.learning.recipe import Recipe
from plyground.learning.scale import Scale, scale_of

PLAN = "plan.json"
SMOOTH = 100.0  # positions that say: a weight is what it is at the next stage
SEED_STEP = 100  # between the rounds of a window


@dataclass(frozen=True)
class Knowledge:
    """What a student knows."""

    kind: str
    about: Mapping[str, Any]
    numbers: np.ndarray

    def as_weights(self, begun: BasePosition, name: str, recipe: Mapping[str, Any]) -> Weights:
        """As a file of weights holds it."""
        scale = scale_of(begun.game, begun.start)
        return Weights(
            name,
            begun.game.name,
            dict(begun.settings),
            type(begun.start).__name__,
            constant_fields(begun.game, begun.start),
            rules_digest(begun.start),
            self.kind,
            self.about,
            scale.text,
            scale.unit if scale.has_margin else 0.0,
            recipe,
            self.numbers,
        )

    def evaluator(self, begun: BasePosition) -> Evaluator:
        """The evaluator that it is."""
        return evaluator_in(self.as_weights(begun, "student", {}), begun.game, begun.start)


class Student(ABC):
    """Something that learns."""

    knowledge: Knowledge

    @abstractmethod
    def learn(self, window: Sequence[Lessons], seed: int) -> float:
        """Learn; the root of the mean squared error before, on the newest lessons, in points."""

    @abstractmethod
    def state(self) -> np.ndarray:
        """All numbers that it needs to go on."""

    @abstractmethod
    def restore(self, state: np.ndarray, knowledge: Knowledge, facts: Mapping[str, Any]) -> None:
        """Go on from there. Raises ValueError for numbers of another student."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What else is worth telling of what it knows."""


class TupleStudent(Student):
    """n-tuples, whose weights are moved a little at each position."""

    def __init__(self, game: GameSpec, start: State, scale: Scale, plan: Plan) -> None:
        self.plan = plan
        self._tables = Tables(plan, start, scale, game.max_moves)
        self._about = {"plan": plan.as_data(), "is_symmetric": plan.view.is_symmetric}
        self._round()

    def _round(self) -> None:
        self.knowledge = Knowledge(NTUPLES, self._about, self._tables.rounded())

    def learn(self, window: Sequence[Lessons], seed: int) -> float:
        # The new games first: that error is one on positions that were not seen yet.
        places = [len(window) - 1, *range(len(window) - 1)]
        errors = [self._tables.learn(window[place], 1.0, seed + place) for place in places]
        self._round()
        return errors[0]

    def state(self) -> np.ndarray:
        return self._tables.weights

    def restore(self, state: np.ndarray, knowledge: Knowledge, facts: Mapping[str, Any]) -> None:
        if state.shape != self._tables.weights.shape:
            raise ValueError("the weights of another plan")
        self._tables.weights[:] = state
        self.knowledge = knowledge

    @property
    def facts(self) -> dict[str, Any]:
        return {"tuples": len(self.plan.placed)}


class FactorStudent(Student):
    """The weights of an evaluator, fitted anew to all lessons of the window."""

    def __init__(
        self, game: GameSpec, start: State, scale: Scale, spec: EvaluatorSpec, recipe: Recipe
    ) -> None:
        self.game, self.start, self.scale, self.spec, self.recipe = game, start, scale, spec, recipe
        self.base = spec.make_for(game, start)
        self._facts: dict[str, Any] = {}
        self.knowledge = Knowledge(CALIBRATED, {"base": spec.name}, np.zeros((0, 0), np.int16))

    def learn(self, window: Sequence[Lessons], seed: int) -> float:
        begun = evaluator_of(self.knowledge, self.base, self.game, self.start)
        error, _ = judge(self.start, begun, self.scale, window[-1])
        self._fit(Lessons.joined(window), seed)
        return error

    def _fit(self, lessons: Lessons, seed: int) -> None:
        found = calibrate(
            self.game, self.start, self.base, lessons, self.recipe.stages, smooth=SMOOTH
        )
        self._facts = {
            "explained": found.explained,
            "stage_by": found.stages.name,
            "shared": list(found.shared),
            "weights": found.rows(),
            "normed": found.rows(normed=True),
        }
        about = {"base": self.spec.name, "layout": found.layout.as_data(), "kept": found.kept}
        self.knowledge = Knowledge(CALIBRATED, {**about, **self._symmetry()}, found.numbers)

    def _symmetry(self) -> dict[str, bool]:
        return {"is_symmetric": self.spec.is_symmetric, "is_zero_sum": self.spec.is_zero_sum}

    def state(self) -> np.ndarray:
        return self.knowledge.numbers

    def restore(self, state: np.ndarray, knowledge: Knowledge, facts: Mapping[str, Any]) -> None:
        self.knowledge, self._facts = knowledge, dict(facts)

    @property
    def facts(self) -> dict[str, Any]:
        return self._facts


class NetworkStudent(FactorStudent):
    """A network that assigns the weights of an evaluator, trained anew on the window."""

    def _fit(self, lessons: Lessons, seed: int) -> None:
        found = train(self.game, self.start, self.base, lessons, Training(seed=seed))
        self._facts = {"held_out_error": found.error, "explained": found.explained}
        about = {"base": self.spec.name, "form": found.form.as_data(), "kept": found.kept}
        self.knowledge = Knowledge(NETWORK, {**about, **self._symmetry()}, found.numbers)


def evaluator_of(knowledge: Knowledge, base: Evaluator, game: GameSpec, start: State) -> Evaluator:
    """The evaluator that it is; before anything was learned, the one to begin with."""
    if not knowledge.numbers.size:
        return base
    return knowledge.evaluator(BasePosition.at(game, {}, start))


def student_for(recipe: Recipe, begun: BasePosition, scale: Scale, folder: Path) -> Student:
    """The student that a recipe asks for; its plan is the one that it began with."""
    game, start = begun.game, begun.start
    if recipe.evaluator:
        kind = NetworkStudent if recipe.kind == NETWORK else FactorStudent
        return kind(game, start, scale, find_evaluator(recipe.evaluator, start), recipe)
    path = folder / PLAN
    try:
        plan = Plan.from_data(read_object(path.read_bytes()))
    except (InputError, ValueError, KeyError, TypeError):
        raise MalformedText(f"{path} is damaged; begin anew with --again") from None
    except OSError:
        plan = lay_out(game, start, recipe.stages)
        write_whole(path, json.dumps(plan.as_data()).encode())
    return TupleStudent(game, start, scale, plan)
