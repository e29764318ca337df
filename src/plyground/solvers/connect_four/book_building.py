"""Build a book of Connect Four: solve all positions with so many stones, then work backwards.

Only the positions with the most stones are solved; a position with fewer has the score of its best
child. Each score is recorded as soon as it is known, so that a build that was killed resumes where
it was. Workers may be a thread, processes or a cluster.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from plyground.bits import U64, popcount
from plyground.core.errors import MalformedText, Unsupported
from plyground.core.faults import step
from plyground.core.files import append, open_growing
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.rules import is_over, play
from plyground.solvers.connect_four.book import (
    Book,
    books_folder,
    key_of,
    make_book,
    name_of,
    write_book,
)
from plyground.solvers.connect_four.forced import win_now
from plyground.solvers.connect_four.solve import ConnectFourSolver, check_size
from plyground.work.workers import Workers

MOST_PLIES = 12
LARGE_FROM = 7  # plies from which a position takes so little time that tasks have several
AT_ONCE = 16
MOST_SCORE = 64  # of any board that is solved

Layer = dict[int, ConnectFour]
"""Positions with equally many stones by their keys, one of each pair of mirror images."""


@dataclass(frozen=True)
class BookPlan:
    """A book to build."""

    start: ConnectFour
    plies: int

    def check(self) -> None:
        """Raise Unsupported if it cannot be built."""
        check_size(self.start)
        cells = popcount(self.start.bottom) * self.start.height
        most = min(MOST_PLIES, cells - 1)
        if not 0 <= self.plies <= most:
            raise Unsupported(f"plies={self.plies}: expected a number from 0 to {most}")

    @property
    def path(self) -> Path:
        size = popcount(self.start.bottom), self.start.height
        return books_folder() / name_of(*size, self.plies)

    @functools.cached_property
    def layers(self) -> list[Layer]:
        """All positions that are not over, by the number of their stones."""
        layers: list[Layer] = [{key_of(self.start): self.start}]
        for _ in range(self.plies):
            children = (child for state in layers[-1].values() for child in _children(state))
            layers.append({key_of(child): child for child in children if not is_over(child)})
        return layers


def _children(state: ConnectFour) -> Iterator[ConnectFour]:
    return (play(state, move) for move in GAME.legal(state))


class Build:
    """A build under way; see `open_build`."""

    def __init__(self, plan: BookPlan, notes: IO[bytes]) -> None:
        self.plan, self._notes = plan, notes
        self.scores = _read_notes(notes)
        self.total = len(plan.layers[-1])

    def solve(self, workers: Workers) -> Iterator[int]:
        """Solve what is not solved yet; yields how many more are solved, as soon as they are."""
        missing = (state for key, state in self.plan.layers[-1].items() if key not in self.scores)
        size = AT_ONCE if self.plan.plies >= LARGE_FROM else 1
        tasks = (_as_task(states) for states in _batched(missing, size))
        for _, found in workers.run(solve_positions, tasks):
            append(self._notes, "".join(f"{key} {score}\n" for key, score in found).encode())
            self.scores.update(found)
            yield len(found)

    def finish(self) -> Book:
        """Compute the scores of positions with fewer stones, and write the book."""
        scores = {key: each for key, each in self.scores.items() if key in self.plan.layers[-1]}
        for layer in reversed(self.plan.layers[:-1]):
            for key, state in layer.items():
                scores[key] = max(-_known(child, scores) for child in _children(state))
        book = make_book(self.plan.start, self.plan.plies, scores)
        write_book(book, self.plan.path)
        step("remove the notes", Path(self._notes.name).unlink)
        return book


def _known(state: ConnectFour, scores: dict[int, int]) -> int:
    """The score of a child that is over, or in the book."""
    if is_over(state):  # won by the stone just played: books end long before a board is full
        left = popcount(state.bottom) * state.height - popcount(state.stones)
        return -win_now(left + 1)
    return scores[key_of(state)]


@contextlib.contextmanager
def open_build(plan: BookPlan) -> Iterator[Build]:
    """A new build, or the one to resume; only one at a time. Raises Unsupported."""
    plan.check()
    path, conflict = plan.path, f"{plan.path.name} is being built by another process"
    with open_growing(path.with_suffix(".part"), f"cannot write {path}", conflict) as notes:
        yield Build(plan, notes)


def _read_notes(notes: IO[bytes]) -> dict[int, int]:
    """The scores that an earlier build recorded; an unfinished last line is cut off."""
    notes.seek(0)
    data = notes.read()
    whole = data[: data.rfind(b"\n") + 1]
    try:
        scores = {int(key): int(score) for key, score in map(bytes.split, whole.splitlines())}
        if not all(abs(score) <= MOST_SCORE for score in scores.values()):
            raise ValueError
    except ValueError:
        raise MalformedText(f"{notes.name} is not what a build has left; move it away") from None
    notes.truncate(len(whole))
    return scores


# ------------------------------------------------------------------ what workers do


def _batched(states: Iterator[ConnectFour], size: int) -> Iterator[list[ConnectFour]]:
    while batch := list(itertools.islice(states, size)):
        yield batch


def _as_task(states: Sequence[ConnectFour]) -> dict[str, Any]:
    return {
        "width": popcount(states[0].bottom),
        "height": states[0].height,
        "positions": [[int(state.me), int(state.stones)] for state in states],
    }


def solve_positions(task: dict[str, Any]) -> list[tuple[int, int]]:
    """Key and score of every position of a task."""
    solver = _solver(task["width"], task["height"])
    start = GAME.initial(width=task["width"], height=task["height"])
    assert isinstance(start, ConnectFour)
    found = []
    for me, stones in task["positions"]:
        state = start._replace(me=U64(me), stones=U64(stones))
        found.append((key_of(state), solver.score(state)))
    return found


OWN = threading.local()
"""A solver answers one question at a time, and a worker of a cluster may have several threads."""


def _solver(width: int, height: int) -> ConnectFourSolver:
    """The solver of this thread."""
    if getattr(OWN, "size", None) != (width, height):
        start = GAME.initial(width=width, height=height)
        assert isinstance(start, ConnectFour)
        OWN.size, OWN.solver = (width, height), ConnectFourSolver(start)
    solver: ConnectFourSolver = OWN.solver
    return solver
