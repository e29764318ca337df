"""What can be set, the report's player, its board, and matches from random openings."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from statistics import fmean

from pydantic import Field

from plyground.core.records import GameRecord
from plyground.lab.published_data import Published, published
from plyground.lab.spec import Cell, Measured, Parameters, Results
from plyground.lab.statistics import Estimate, mean, share
from plyground.lab.tasks import openings, play_games

GAME, JUDGE = "othello", "stages"
PAIRS_PER_CELL = 5
EVEN = 0.5


class ReversiParameters(Parameters):
    """How deep to look, and how much to play."""

    deepest: int = Field(
        12, ge=6, le=14, description="plies on the printed board; minimax looks four less"
    )
    repetitions: int = Field(3, ge=1, le=99, description="of searches that are not the deepest")
    depth: int = Field(5, ge=1, le=7, description="plies in games; the report's is 5")
    chance_pairs: int = Field(
        50, ge=1, le=5000, description="pairs of games against better-random and random-start"
    )
    random_pairs: int = Field(500, ge=1, le=5000, description="pairs of games against random")
    positions: int = Field(400, ge=10, le=10_000, description="endings of each number of squares")
    pairs: int = Field(200, ge=2, le=5000, description="pairs of games for each set of weights")
    fitted_pairs: int = Field(400, ge=4, le=5000, description="pairs of games to fit weights to")
    seed: int = Field(1, ge=0, lt=2**31, description="another seed, another sample")


QUICK = {
    "deepest": 10,
    "repetitions": 1,
    "depth": 3,
    "chance_pairs": 5,
    "random_pairs": 10,
    "positions": 20,
    "pairs": 5,
    "fitted_pairs": 10,
}


def player(depth: int, judge: str = JUDGE) -> str:
    """The report's player: a depth, and the end of the game searched out.

    It counts a pass as a ply of its last search, so it does not always see the end; in games that
    is put right here, and `endgame.py` tells what it costs.
    """
    empty = study().numbers["empty squares"]
    return f"alphabeta:depth={depth},eval={judge},endgame={empty}"


def board() -> str:
    """The printed mid-game board as a position, without the marks for legal moves."""
    rows = "".join(study().numbers["board"])
    return rows.replace("*", "-").replace("0", "O") + " X"


def marked_squares() -> list[str]:
    """The squares that are marked as legal on it."""
    rows = study().numbers["board"]
    return [
        f"{'abcdefgh'[column]}{row + 1}"
        for row, line in enumerate(rows)
        for column, symbol in enumerate(line)
        if symbol == "*"
    ]


def study() -> Published:
    """What the report printed."""
    return published("reversi_report")


# ------------------------------------------------------------------ matches


def play_pairs(
    match: str, players: Sequence[str], openings: Sequence[str], number: int
) -> Measured:
    """Pairs of games: points of the first player; `match` says to what they belong."""
    points: list[list[float]] = []
    games: list[GameRecord] = []
    for place, opening in enumerate(openings):
        pair = play_games(GAME, players, opening, number=number + place)
        points.append(pair.answer["points"])
        games += pair.games
    return Measured({"points": points}, games=games)


def match_cells(
    match: str, players: Sequence[str], pairs: int, plies: int, seed: int
) -> list[Cell]:
    """A match in parts; without plies all games begin at the beginning, and only chance differs."""
    begun = _openings(plies, pairs, seed) if plies else [""] * pairs
    return [
        Cell.of(
            play_pairs,
            match=match,
            players=list(players),
            openings=begun[at : at + PAIRS_PER_CELL],
            number=seed * 100_000 + at,
        )
        for at in range(0, pairs, PAIRS_PER_CELL)
    ]


@functools.cache
def _openings(plies: int, pairs: int, seed: int) -> list[str]:
    return openings(GAME, plies, pairs, seed)


def points_of(results: Results, match: str) -> list[list[float]]:
    """The points of each pair of a match."""
    return [
        pair for _, found in results.of(play_pairs, match=match) for pair in found.answer["points"]
    ]


def points_share(pairs: Sequence[Sequence[float]]) -> Estimate:
    """The first player's share of the points; the two games of a pair belong together."""
    means = [fmean(pair) for pair in pairs]
    if len(set(means)) == 1:
        return share(sum(means), len(means))
    found = mean(means)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))
