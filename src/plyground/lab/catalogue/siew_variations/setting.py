"""What can be set, how numbers are written, and the players whose searches are counted.

As in the public program that the study changed, they value all wins alike, near or far
(finish=margin). They judge by `windows`, its evaluator made symmetric between the sides, so that
anybody can ask for them by name; in games the bots have the program's own (`bots.py`).
"""

from __future__ import annotations

from pydantic import Field

from plyground.lab.published_data import Published, published
from plyground.lab.spec import Parameters

GAME = "connect4"
NEARLY_PERFECT_FROM = 4  # the depth from which the study calls both players nearly perfect


class SiewParameters(Parameters):
    """Sizes of the samples, and how deep to look."""

    deepest: int = Field(6, ge=2, le=7, description="plies; games and searches use 1 to this")
    pairs: int = Field(200, ge=2, le=5000, description="pairs of games at each depth")
    given_games: int = Field(10, ge=2, le=200, description="games whose positions all search")
    given_moves: int = Field(10, ge=1, le=30, description="positions of each of these games")
    repetitions: int = Field(5, ge=1, le=99, description="of each search, for its time")
    trees: int = Field(3000, ge=50, le=100_000, description="random trees of each kind")
    tree_depth: int = Field(10, ge=4, le=14, description="plies of these trees")
    mistakes: float = Field(
        0.1, gt=0, lt=0.5, description="how often a static value is wrong, in one kind of trees"
    )
    late_games: int = Field(1000, ge=10, le=10_000, description="games that lead to late positions")
    cells_left: int = Field(20, ge=8, le=24, description="empty cells of a late position")
    tree_step: int = Field(
        1, ge=1, le=5040, description="the step from one to the next of the 40,320 smallest trees"
    )
    shapes: int = Field(300, ge=10, le=10_000, description="random trees of each shape")
    ordered: int = Field(10, ge=2, le=200, description="positions and trees searched in all orders")
    seed: int = Field(1, ge=0, lt=2**31, description="another seed, another sample")


QUICK = {
    "deepest": 4,
    "pairs": 10,
    "given_games": 3,
    "given_moves": 5,
    "repetitions": 3,
    "trees": 120,
    "tree_depth": 8,
    "late_games": 30,
    "cells_left": 14,
    "tree_step": 67,
    "shapes": 15,
    "ordered": 3,
}


def player(algorithm: str, depth: int, order: str = "natural") -> str:
    """The text of a player."""
    arranged = f"order={order}," if order != "natural" else ""
    return f"{algorithm}:depth={depth},eval=windows,{arranged}finish=margin"


def depths(parameters: SiewParameters) -> range:
    return range(1, parameters.deepest + 1)


def study() -> Published:
    """What the study printed."""
    return published("siew2020")
