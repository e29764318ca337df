"""Recipes: all that learning depends on, so that the same recipe gives the same weights.

How many workers play, how fast they are and how often the run was stopped changes nothing. Only how
long it goes on may be a matter of time: a run of half an hour ends wherever it is by then.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.evaluation.check import positions
from plyground.games.rules import State, cells_left
from plyground.games.spec import GameSpec, Value
from plyground.learning.self_play import Manner
from plyground.solvers.catalogue import solver_for

ROUND = 2000  # games
FIRST_ROUND = 250  # rounds grow from here: at first there is little to learn from better play
CHUNK = 125  # games that a worker plays at a time
WINDOW = 4  # rounds that are learned from again
USUAL_DEPTH = 1
SHARE_OF_OPENING = 2  # of a random game: so many parts, of which the opening is one
MOST_OPENING = 20
TRIED = 20  # random games, to see how long they are
USUAL_SOLVED = 14  # empty cells: about a millisecond each at Othello


@dataclass(frozen=True)
class Recipe:
    """How to learn a game."""

    game: str
    """A name, or the path of a file."""
    settings: Mapping[str, Value] = field(default_factory=dict)
    kind: str = "n-tuples"
    """What learns: n-tuples, the weights of an evaluator (calibrated), a network that says them."""
    evaluator: str = ""
    """The evaluator whose weights are calibrated."""
    stages: int | None = None
    """Parts of a game with weights of their own; None leaves it to the board."""
    depth: int = USUAL_DEPTH
    """Plies that self-play looks ahead."""
    opening: int = 8
    """Random moves at the beginning of a game, at most."""
    noise: int = 50
    """How many of a thousand moves are random."""
    trust: float = 0.8
    """How much the rest of a game counts against the search: the lambda of TD(lambda)."""
    solve: int = 0
    """From so few empty cells on a solver says what positions are worth."""
    source: str = ""
    """Where recorded games came from, with a digest of them; empty for self-play."""
    per_round: int = ROUND
    window: int = WINDOW
    seed: int = 0

    @property
    def manner(self) -> Manner:
        return Manner(self.depth, self.opening, self.noise, self.trust)

    @property
    def key(self) -> str:
        """A digest: another recipe is another run."""
        text = json.dumps(self.as_data(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def games_in(self, number: int) -> int:
        """The games of a round."""
        if self.evaluator:  # fitted anew to what there is, which must be enough
            return self.per_round
        return min(self.per_round, FIRST_ROUND << min(number, 20))

    def manner_in(self, number: int) -> Manner:
        """How they are played: before anything is learned only results count."""
        first = self.manner._replace(depth=1, trust=1.0)
        if self.evaluator:  # whose values are in units of its own, and stand for no points yet
            first = first._replace(noise=0)
        return self.manner if number > 1 else first

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Recipe:
        """Raises MalformedText for what is no recipe."""
        try:
            return Recipe(**data)
        except TypeError:
            raise MalformedText("no recipe, or one of another version") from None


def check(recipe: Recipe) -> Recipe:
    """Raises Unsupported for a recipe that cannot work."""
    bounds = {
        "depth": (1, 12),
        "opening": (0, 100),
        "noise": (0, 1000),
        "solve": (0, 24),
        "per_round": (1, 10**6),
        "window": (1, 100),
    }
    for name, (low, high) in bounds.items():
        if not low <= getattr(recipe, name) <= high:
            raise Unsupported(f"{name} {getattr(recipe, name)}: expected {low} to {high}")
    if not 0 <= recipe.trust <= 1:
        raise Unsupported(f"trust {recipe.trust}: expected a number from 0 to 1")
    if recipe.stages is not None and not 1 <= recipe.stages <= 64:
        raise Unsupported(f"stages {recipe.stages}: expected 1 to 64")
    return recipe


def usual_opening(game: GameSpec, start: State) -> int:
    """How many random moves a game may begin with: a part of what random games last."""
    plies = sum(1 for _ in positions(game, start, TRIED, 1)) / TRIED
    return max(1, min(MOST_OPENING, round(plies / SHARE_OF_OPENING)))


def read_teacher(text: str, game: GameSpec, start: State) -> dict[str, int]:
    """What `solver`, `solver=14` or `depth=3` mean, as fields of a recipe. Raises InputError."""
    who, _, number = text.strip().lower().partition("=")
    if who not in ("solver", "depth") or (number and not number.isdecimal()):
        raise MalformedText(f"teacher {shorten(text)!r}: expected solver, solver=N or depth=N")
    if who == "depth":
        return {"depth": int(number or USUAL_DEPTH)}
    solver_for(game, start)
    if cells_left(start) < 0:
        raise Unsupported(f"{game.name} does not say how near its end is; a solver cannot teach it")
    return {"solve": int(number or USUAL_SOLVED)}
