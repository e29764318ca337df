"""What a worker does: play some games with the weights it is given, and send the lessons back."""

from __future__ import annotations

import functools
import json
import zlib
from typing import Any

import numpy as np

from plyground.evaluation.spec import Evaluator
from plyground.games.position import BasePosition
from plyground.learning.recipe import Recipe
from plyground.learning.recorded import Recorded
from plyground.learning.self_play import Manner, Teacher, review, self_play
from plyground.learning.students import Knowledge
from plyground.solvers.catalogue import solver_for
from plyground.solvers.spec import Solver

Task = dict[str, Any]
Packed = tuple[str, str, tuple[int, ...], bytes]
SEED_STEP = 1_000_003  # between rounds: no two chunks have one seed


def task_of(
    recipe: Recipe,
    knowledge: Packed,
    number: int,
    chunk: int,
    games: int,
    given: Recorded | None = None,
) -> Task:
    """The games of a chunk, to be played or given, as plain data that goes to any worker."""
    return {
        "game": recipe.game,
        "settings": json.dumps(dict(recipe.settings)),
        "knowledge": knowledge,
        "manner": tuple(recipe.manner_in(number)),
        "solve": recipe.solve,
        "chunk": chunk,
        "games": games,
        "given": given,
        "seed": recipe.seed + SEED_STEP * (1 + number) + chunk,
    }


def packed(knowledge: Knowledge) -> Packed:
    """What a student knows, to send: most of the tables of a young one are empty."""
    numbers = knowledge.numbers
    content = zlib.compress(numbers.astype("<i2").tobytes(), 1)
    return knowledge.kind, json.dumps(knowledge.about), numbers.shape, content


def play_chunk(task: Task) -> bytes:
    """The lessons of some games, as the content of a file."""
    begun = _begin(task["game"], task["settings"])
    evaluator = _evaluator(task["game"], task["settings"], task["knowledge"])
    solver = _solver(task["game"], task["settings"]) if task["solve"] else None
    teacher = Teacher(solver, task["solve"]) if solver else None
    common = begun.game, begun.start, evaluator, Manner(*task["manner"])
    if task["given"] is not None:
        games = task["given"].games()
        return review(*common, games, teacher).as_bytes()
    return self_play(*common, task["games"], task["seed"], teacher).as_bytes()


@functools.lru_cache(4)
def _begin(game: str, settings: str) -> BasePosition:
    return BasePosition.begin(game, json.loads(settings))


@functools.lru_cache(2)
def _evaluator(game: str, settings: str, knowledge: Packed) -> Evaluator:
    kind, about, shape, content = knowledge
    numbers = np.frombuffer(zlib.decompress(content), "<i2").astype(np.int16).reshape(shape)
    return Knowledge(kind, json.loads(about), numbers).evaluator(_begin(game, settings))


@functools.lru_cache(2)
def _solver(game: str, settings: str) -> Solver:
    begun = _begin(game, settings)
    return solver_for(begun.game, begun.start)
