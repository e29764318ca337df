"""What an experiment is: parameters, cells to measure, and a report made from what was measured.

    parameters  ->  cells  ->  measured by workers, in any order  ->  report

A cell is data: the name of a function and its arguments. What it measures is split in two: the
answer, which is the same on every machine and for any number of workers, and times, which are not.
So a run can be interrupted, repeated elsewhere and compared. Knows no particular experiment, no
store and no face.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from plyground.core.records import GameRecord

if TYPE_CHECKING:
    from plyground.lab.frames import Measurements
    from plyground.lab.published_data import Published

Answer = dict[str, Any]


@dataclass(frozen=True)
class Measured:
    """What came of a cell."""

    answer: Answer
    """Repeatable: node counts, moves, values, results of games. Plain data."""
    times_s: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By what was timed: the seconds of each repetition."""
    games: Sequence[GameRecord] = ()
    """What was played on the way; it goes to the store of games."""

    def as_data(self) -> dict[str, Any]:
        times = {name: list(each) for name, each in self.times_s.items()}
        games = [game.as_data() for game in self.games]
        return {"answer": self.answer, "times_s": times, "games": games}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Measured:
        games = [GameRecord.from_data(game) for game in data.get("games", ())]
        return Measured(data["answer"], data["times_s"], games)


Task = Callable[..., Measured]
"""What measures a cell: a function of a module, whose arguments are plain data."""


@dataclass(frozen=True)
class Cell:
    """One thing to measure."""

    task: str
    """The module and the name of the function, as in `plyground.lab.tasks:search_position`."""
    arguments: Mapping[str, Any]

    @staticmethod
    def of(task: Task, **arguments: Any) -> Cell:
        return Cell(f"{task.__module__}:{task.__qualname__}", arguments)

    @property
    def key(self) -> str:
        """Equal cells have equal keys, in every run."""
        return digest_of({"task": self.task, "arguments": self.arguments})

    def as_data(self) -> dict[str, Any]:
        return {"task": self.task, "arguments": dict(self.arguments)}

    def measure(self) -> Measured:
        module, _, name = self.task.partition(":")
        task: Task = getattr(importlib.import_module(module), name)
        return task(**self.arguments)


def digest_of(data: Any) -> str:
    """A short name for plain data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class Parameters(BaseModel):
    """What can be set; each field has a description, a type, bounds and a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True)
class Citation:
    """Where something was published."""

    authors: str
    title: str
    place: str
    year: int

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.place}."


@dataclass(frozen=True)
class Experiment(Generic[P]):
    """A question, and how it is answered."""

    name: str
    title: str
    question: str
    """In one or two sentences."""
    parameters: type[P]
    quick: Mapping[str, Any]
    """Parameters that answer in seconds what the defaults answer with certainty."""
    cells: Callable[[P], Sequence[Cell]]
    """No two are equal. Those that take longest come first: the last worker then ends soonest."""
    source: Citation | None = None
    findings: Callable[[P, Measurements], Mapping[str, Any]] | None = None
    """Frames, numbers and estimates made of what was measured, by the names the template has for
    them; without it, `measured` is a frame of everything."""
    template: str = ""
    """The report, see `document.py`; without it, a table of each frame."""
    published: Published | None = None
