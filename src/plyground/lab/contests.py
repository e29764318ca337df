"""Matches as cells: pairs of games from the same openings, sides exchanged, and their points.

    cells = contest_cells("othello", "against factors", [ours, theirs], pairs=200, plies=6, seed=1)
    points_by_match(run.frame(play_pairs))  # match, games, points, lost

Knows no experiment.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from plyground.core.records import GameRecord
from plyground.lab.frames import by
from plyground.lab.spec import Cell, Measured
from plyground.lab.statistics import Estimate, mean_share, share
from plyground.lab.tasks import Settings, openings, play_games

if TYPE_CHECKING:
    import polars

PAIRS_PER_CELL = 5
SEED_STEP = 100_000  # other seeds number other games


def play_pairs(
    game: str,
    match: str,
    players: Sequence[str],
    openings: Sequence[str],
    number: int,
    settings: Settings | None = None,
) -> Measured:
    """Pairs of games: points of the first player; `match` says to what they belong."""
    points: list[list[float]] = []
    games: list[GameRecord] = []
    for place, opening in enumerate(openings):
        pair = play_games(game, players, opening, settings, number=number + place)
        points.append(pair.answer["points"])
        games += pair.games
    plies = [[len(one.moves) for one in games[at : at + 2]] for at in range(0, len(games), 2)]
    return Measured({"points": points, "plies": plies}, games=games)


def contest_cells(
    game: str,
    match: str,
    players: Sequence[str],
    pairs: int,
    plies: int,
    seed: int,
    **settings: Any,
) -> list[Cell]:
    """A match in parts; without plies all games begin at the beginning, and only chance differs."""
    begun = random_openings(game, plies, pairs, seed) if plies else [""] * pairs
    more = {"settings": settings} if settings else {}
    return [
        Cell.of(
            play_pairs,
            game=game,
            match=match,
            players=list(players),
            openings=part,
            number=seed * SEED_STEP + at,
            **more,
        )
        for at, part in in_parts(begun)
    ]


def in_parts(
    values: Sequence[Any], size: int = PAIRS_PER_CELL
) -> Iterator[tuple[int, Sequence[Any]]]:
    """The values a few at a time, for cells neither tiny nor endless; where each part begins."""
    for at in range(0, len(values), size):
        yield at, values[at : at + size]


@functools.cache
def random_openings(game: str, plies: int, count: int, seed: int) -> list[str]:
    """Openings of random moves, found once for all matches that share them."""
    return openings(game, plies, count, seed)


def points_by_match(cells: polars.DataFrame, *names: str) -> polars.DataFrame:
    """Of every match: its games, the first player's share of the points, and of games lost."""
    return by(
        cells.explode("points"),
        *(names or ("match",)),
        games=lambda group: 2 * len(group),
        points=lambda group: points_share(group["points"].to_list()),
        lost=lambda group: share(_lost(group["points"].to_list()), 2 * len(group)),
    )


def points_share(pairs: Sequence[Sequence[float]]) -> Estimate:
    """The first player's share of the points; the two games of a pair belong together."""
    return mean_share([fmean(pair) for pair in pairs])


def estimates(
    found: polars.DataFrame, name: str | polars.Expr, value: str = "points"
) -> Mapping[str, Estimate]:
    """A column of estimates by the names in another, or by what is made of others."""
    return {key: Estimate(**each) for key, each in found.select(name, value).iter_rows()}


def _lost(pairs: Sequence[Sequence[float]]) -> int:
    return sum(point == 0 for pair in pairs for point in pair)
