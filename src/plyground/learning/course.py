"""A course: rounds of self-play, and learning from them, until the time or the games are over.

Games of a round are played with the weights of two rounds before. So workers play one round while
the last is being learned, and still what is learned depends on the recipe alone: not on the number
of workers, their speed, or where the course was stopped and resumed.

    round     1       2       3       4
    played    w0      w0      w1      w2       wN: the weights when round N was learned
    learned       w1      w2      w3

A course has a folder: its recipe, the weights with all that is known of them, the lessons of the
last rounds, and a line for each round that was learned. All is written when some rounds are done; a
kill loses what came after.
"""

from __future__ import annotations

import functools
import glob
import io
import json
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from plyground.core.errors import InputError, MalformedText, Unsupported, system_errors_as
from plyground.core.files import whole_file, write_whole
from plyground.core.json_text import read_object
from plyground.core.locking import try_lock
from plyground.core.places import data_folder
from plyground.evaluation.learned import NETWORK
from plyground.evaluation.spec import Evaluator
from plyground.evaluation.weights_file import SUFFIX, Weights, checkpoint_of
from plyground.games.position import BasePosition
from plyground.learning.lessons import Lessons
from plyground.learning.playing import Task, packed, play_chunk, task_of
from plyground.learning.recipe import CHUNK, Recipe
from plyground.learning.recorded import Recorded
from plyground.learning.scale import scale_of
from plyground.learning.students import SEED_STEP, Knowledge, student_for
from plyground.work.workers import Workers

RECIPE, STATE = "recipe.json", "state.json"
WEIGHTS, PLAYERS = "weights.npz", "players.npz"
CURVE, LOCK, LESSONS = "curve.jsonl", "lock", ".lessons"
SAVE_EVERY_S = 20.0
LAG = 2  # rounds between the weights that play and those that learn


@dataclass(frozen=True)
class Step:
    """A round that was learned: a point of the curve."""

    round: int
    games: int
    """Played so far."""
    positions: int
    """Learned from so far, each counted once."""
    seconds: float
    """Of the course so far."""
    error: float
    """Of the weights before, on the positions of this round: the root of the mean square, in
    points. They had not been seen: an honest error, if against what self-play thinks."""


@dataclass(frozen=True)
class Standing:
    """How far a course is."""

    rounds: int
    games: int
    positions: int
    seconds: float


OnStep = Callable[[Step, "Course"], None]


def courses_folder() -> Path:
    """Where courses are, a folder for each."""
    return data_folder() / "learning"


class Course:
    """Learning under way, or finished, in its folder. Open it in a `with` block."""

    def __init__(
        self, folder: Path, recipe: Recipe, name: str, recorded: Recorded | None = None
    ) -> None:
        self.folder, self.recipe, self.name = folder, recipe, name
        self.recorded = recorded
        self.begun = BasePosition.begin(recipe.game, dict(recipe.settings))
        self.game, self.start = self.begun.game, self.begun.start
        self.scale = scale_of(self.game, self.start)
        self.steps = list[Step]()
        self.standing = Standing(0, 0, 0, 0.0)

    # ------------------------------------------------------------------ opening

    def __enter__(self) -> Course:
        with system_errors_as(f"cannot write {self.folder}"):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(self.folder / LOCK, "wb")
        if not try_lock(self._lock):
            self._lock.close()
            raise Unsupported(f"{self.folder.name} is being learned already, by another process")
        try:
            self._open()
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self._lock.close()

    def _open(self) -> None:
        if (self.folder / RECIPE).exists():
            stored = recipe_in(self.folder)
            if stored.key != self.recipe.key:
                raise Unsupported(
                    f"{self.folder.name} was begun with another recipe "
                    f"({_differences(stored, self.recipe)}); resume it with that one, begin anew "
                    "with --again, or give another --name"
                )
        else:
            write_whole(self.folder / RECIPE, json.dumps(self.recipe.as_data()).encode())
        self.student = student_for(self.recipe, self.begun, self.scale, self.folder)
        self._after = {0: self.student.knowledge}  # so many rounds; the last few
        self._window: deque[Lessons] = deque(maxlen=self.recipe.window)
        if (self.folder / STATE).exists():
            self._read()

    # ------------------------------------------------------------------ learning

    def learn(
        self,
        workers: Workers,
        games: int | None = None,
        seconds: float | None = None,
        on_step: OnStep = lambda step, course: None,
    ) -> None:
        """Learn for so many games or seconds, or until the workers are told to stop.

        Both count from the beginning of the course. Rounds are whole ones, and there is one at
        least, so that a course which is longer begins like a shorter one.
        """
        begun_s = time.monotonic() - self.standing.seconds
        self._saved_s = time.monotonic()
        chunks = dict[int, list[bytes | None]]()
        with ThreadPoolExecutor(1, "learning") as thread:
            learned: dict[int, Future[Step]] = {}

            def tasks() -> Iterator[Task | None]:
                number = begun = self.standing.rounds
                planned = self.standing.games
                while True:
                    count = self.recipe.games_in(number)
                    if games is not None and number and planned + count > games:
                        return
                    if seconds is not None and time.monotonic() - begun_s >= seconds:
                        return
                    while begun <= number - LAG not in learned:
                        yield None  # its last games are still being played
                    if number - LAG in learned:
                        learned[number - LAG].result()
                    player = packed(self._after[max(0, number - LAG + 1)])
                    planned += count
                    sizes = [min(CHUNK, count - at) for at in range(0, count, CHUNK)]
                    chunks[number] = [None] * len(sizes)
                    for chunk, size in enumerate(sizes):
                        given = self._given(planned - count + CHUNK * chunk, size)
                        task = task_of(self.recipe, player, number, chunk, size, given)
                        yield {**task, "round": number}
                    number += 1

            try:
                for task, content in workers.run(play_chunk, tasks()):
                    parts = chunks[task["round"]]
                    parts[task["chunk"]] = content
                    # Rounds are learned in their order, whichever is played to its end first.
                    for number in sorted(chunks):
                        if number - 1 in chunks or None in chunks[number]:
                            break
                        whole = [part for part in chunks.pop(number) if part is not None]
                        learned[number] = thread.submit(
                            self._learn_round, number, whole, begun_s, on_step
                        )
                    _raise_errors(learned)
            finally:
                thread.shutdown(wait=True)
                for each in learned.values():
                    each.result()
                self.save()

    def _given(self, first: int, count: int) -> Recorded | None:
        """Recorded games from a place on: all of them in one order, then in another."""
        if self.recorded is None:
            return None
        total = self.recorded.total
        numbers = [
            int(_order(self.recipe.seed + at // total, total)[at % total])
            for at in range(first, first + count)
        ]
        return self.recorded.some(np.array(numbers))

    def _learn_round(
        self, number: int, parts: list[bytes], begun_s: float, on_step: OnStep
    ) -> Step:
        """Learn from a round, and again from those before it."""
        lessons = Lessons.joined([Lessons.from_bytes(part) for part in parts])
        self._window.append(lessons)
        error = self.student.learn(self._window, self.recipe.seed + SEED_STEP * number)
        self._after[number + 1] = self.student.knowledge
        self._after.pop(number + 1 - LAG - 1, None)
        lessons.write(self.folder / f"{number:06d}{LESSONS}")
        before, now_s = self.standing, time.monotonic()
        self.standing = Standing(
            number + 1,
            before.games + lessons.games,
            before.positions + lessons.positions,
            now_s - begun_s,
        )
        counts = self.standing.games, self.standing.positions, self.standing.seconds
        step = Step(number, *counts, error)
        self.steps.append(step)
        if is_milestone(self.standing.rounds):
            name = f"{self.name}-r{self.standing.rounds}"
            self.file(name).write(checkpoint_of(self.folder.name, self.standing.rounds))
        on_step(step, self)
        if now_s - self._saved_s > SAVE_EVERY_S:
            self.save()
            self._saved_s = time.monotonic()
        return step

    # ------------------------------------------------------------------ what came of it

    def evaluator(self) -> Evaluator:
        """The evaluator as it is now."""
        return self.student.knowledge.evaluator(self.begun)

    def file(self, name: str, exam: Mapping[str, Any] | None = None) -> Weights:
        """What it has learned so far, as a file of weights with its recipe."""
        last = self.steps[-1] if self.steps else None
        recipe = self.recipe.as_data() | {
            "summary": self._summary(),
            "rounds": self.standing.rounds,
            "games": self.standing.games,
            "positions": self.standing.positions,
            "seconds": round(self.standing.seconds, 1),
            "error": round(last.error, 4) if last else None,
            "match": dict(exam) if exam else None,
            **self.student.facts,
        }
        return self.student.knowledge.as_weights(self.begun, name, recipe)

    def _summary(self) -> str:
        games = f"{self.standing.games:,}"
        played = f"{games} recorded games" if self.recorded else f"{games} games of self-play"
        teacher = f", a solver for the last {self.recipe.solve}" if self.recipe.solve else ""
        what = f"weights of {self.recipe.evaluator}"
        if not self.recipe.evaluator:
            what = f"{self.student.facts['tuples']} n-tuples"
        elif self.recipe.kind == NETWORK:
            what = f"weights of {self.recipe.evaluator} that a network assigns"
        return f"{what}, learned from {played}{teacher}."

    # ------------------------------------------------------------------ files

    def save(self) -> None:
        """Write how it stands; what is there stays whole until all of it is written."""
        number = self.standing.rounds
        last = [self._after[max(0, number - 1)], self._after[number]]
        for name, numbers in (
            (WEIGHTS, [self.student.state()]),
            (PLAYERS, [each.numbers for each in last]),
        ):
            with whole_file(self.folder / f"{number:06d}.{name}") as file:
                np.savez(file, *numbers)
        lines = "".join(json.dumps(asdict(step)) + "\n" for step in self.steps)
        write_whole(self.folder / CURVE, lines.encode())
        players = [{"kind": each.kind, "about": dict(each.about)} for each in last]
        state = {**asdict(self.standing), "players": players, "facts": self.student.facts}
        write_whole(self.folder / STATE, json.dumps(state).encode())
        self._tidy(number)

    def _load(self, number: int, name: str) -> Any:
        """Arrays from a file, which may be damaged: read whole, so that none stays open."""
        content = (self.folder / f"{number:06d}.{name}").read_bytes()
        return np.load(io.BytesIO(content))

    def _tidy(self, number: int) -> None:
        """Remove what no later step needs."""
        oldest = number - self.recipe.window
        for path in self.folder.glob(f"*{LESSONS}"):
            if path.stem.isdecimal() and int(path.stem) < oldest:
                path.unlink(missing_ok=True)
        for path in self.folder.glob("*.npz"):
            if int(path.name.partition(".")[0]) != number:
                path.unlink(missing_ok=True)

    def _read(self) -> None:
        """Take up where the last save was. Raises MalformedText."""
        try:
            state = read_object((self.folder / STATE).read_bytes())
            told, facts = state.pop("players"), state.pop("facts")
            self.standing = Standing(**state)
            number = self.standing.rounds
            with self._load(number, PLAYERS) as found:
                players = [
                    Knowledge(each["kind"], each["about"], found[f"arr_{i}"])
                    for i, each in enumerate(told)
                ]
            with self._load(number, WEIGHTS) as found:
                self.student.restore(found["arr_0"], players[-1], facts)
            for each in players:
                each.evaluator(self.begun)  # whether they are sound
            self._after = {max(0, number - 1): players[0], number: players[1]}
            for past in range(max(0, number - self.recipe.window), number):
                self._window.append(Lessons.read(self.folder / f"{past:06d}{LESSONS}"))
            self.steps = steps_in(self.folder)[:number]
        except (OSError, ValueError, TypeError, KeyError, EOFError, BadZipFile, InputError):
            raise MalformedText(
                f"{self.folder} is damaged and cannot be resumed; begin anew with --again"
            ) from None


@functools.lru_cache(2)
def _order(seed: int, total: int) -> np.ndarray:
    return np.random.default_rng(seed).permutation(total)


def _raise_errors(learned: dict[int, Future[Step]]) -> None:
    for each in learned.values():
        if each.done():
            each.result()


def recipe_in(folder: Path) -> Recipe:
    """The recipe of a course. Raises InputError."""
    path = folder / RECIPE
    with system_errors_as(f"cannot read {path}"):
        content = path.read_bytes()
    return Recipe.from_data(read_object(content))


def steps_in(folder: Path) -> list[Step]:
    """The curve of a course, as far as it was written."""
    try:
        lines = (folder / CURVE).read_text(encoding="utf-8").splitlines()
        return [Step(**json.loads(line)) for line in lines]
    except (OSError, ValueError, TypeError):
        return []


def is_milestone(rounds: int) -> bool:
    """Whether what is known after so many rounds is stored, to be played against: 1, 2, 4, 8 ..."""
    return rounds & (rounds - 1) == 0


def milestones(folder: Path) -> list[int]:
    """The rounds after which the evaluator of a course was stored."""
    found = checkpoint_of(folder.name, 0).parent.glob(f"{glob.escape(folder.name)}-r*{SUFFIX}")
    numbers = (path.stem.rpartition("-r")[2] for path in found)
    return sorted(int(number) for number in numbers if number.isdecimal())


def forget(folder: Path) -> None:
    """Remove a course with all its lessons, and what it was on the way."""
    with system_errors_as(f"cannot remove {folder}"):
        for rounds in milestones(folder):
            checkpoint_of(folder.name, rounds).unlink(missing_ok=True)
        if folder.exists():
            shutil.rmtree(folder)


def _differences(one: Recipe, other: Recipe) -> str:
    first, second = one.as_data(), other.as_data()
    return ", ".join(
        f"{name} {_short(first[name])}, now {_short(second[name])}"
        for name in first
        if first[name] != second[name]
    )


def _short(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict) else str(value)
