"""Table 1: minimax against Althöfer's algorithm, and who profits from moving first.

The study let minimax move first in three games at each depth, against Althöfer's algorithm as it
printed it. Whether the algorithm or the first move won could not be seen, nor is it said how three
games between programs without chance came to differ. Here the same bots play

* one game from the empty board, without any chance;
* many from the empty board, choosing among equal moves at random;
* many from random openings, against the printed algorithm and against the true one.

Each game is played twice, with the sides exchanged.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from plyground.lab.catalogue.siew_variations.bots import Bot, play_both_ways
from plyground.lab.catalogue.siew_variations.setting import GAME, SiewParameters, depths
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate, mean, share
from plyground.lab.tasks import openings

PAIRS_PER_CELL = 10
OPENING_PLIES = 4
EVEN = 0.5
ONCE, BY_CHANCE = "printed, empty board, no chance", "printed, empty board, ties at random"
PRINTED, TRUE = "printed, random openings", "true, random openings"
RIVALS = {
    ONCE: "althofer-printed",
    BY_CHANCE: "althofer-printed",
    PRINTED: "althofer-printed",
    TRUE: "althofer",
}

Pair = dict[str, Any]
Pairs = list[Pair]


# ------------------------------------------------------------------ cells


def play_pairs(
    match: str, bots: Sequence[Bot], openings: Sequence[str], seed: int, random_ties: bool
) -> Measured:
    """Pairs of games, one from each opening; `match` says to what they belong."""
    pairs = [
        play_both_ways(bots, opening, seed + number, random_ties)
        for number, opening in enumerate(openings)
    ]
    return Measured({"pairs": pairs})


def cells(parameters: SiewParameters) -> list[Cell]:
    """The matches of all depths, the deepest first."""
    found = []
    for depth in reversed(depths(parameters)):
        for match, rival in RIVALS.items():
            found += match_cells(parameters, match, [("minimax", depth), (rival, depth)])
    return found


def match_cells(parameters: SiewParameters, match: str, bots: Sequence[Bot]) -> list[Cell]:
    """A match in parts; all matches with openings have the same."""
    begun = _openings(parameters.pairs, parameters.seed)
    if match in (ONCE, BY_CHANCE):
        begun = [""] * (1 if match == ONCE else parameters.pairs)
    return [
        Cell.of(
            play_pairs,
            match=match,
            bots=[list(bot) for bot in bots],
            openings=begun[at : at + PAIRS_PER_CELL],
            seed=parameters.seed * 1_000_003 + at,
            random_ties=match == BY_CHANCE,
        )
        for at in range(0, len(begun), PAIRS_PER_CELL)
    ]


@functools.cache
def _openings(count: int, seed: int) -> list[str]:
    return openings(GAME, OPENING_PLIES, count, seed)


# ------------------------------------------------------------------ results


def pairs_of(results: Results, match: str, bots: Sequence[Bot]) -> Pairs:
    """The pairs of a match."""
    found = results.of(play_pairs, match=match, bots=[list(bot) for bot in bots])
    return [pair for _, measured in found for pair in measured.answer["pairs"]]


def points_share(pairs: Iterable[Pair]) -> Estimate:
    """The first bot's share of the points; the two games of a pair are not independent."""
    found = mean(sum(pair["points"]) / 2 for pair in pairs)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))


def first_mover_share(pairs: Iterable[Pair]) -> Estimate:
    """The share of the points that went to whoever moved first, in games counted by pairs."""
    points = [(pair["points"][0] + 1 - pair["points"][1]) / 2 for pair in pairs]
    return share(sum(points), len(points))


def are_twins(pair: Pair) -> bool:
    """Whether both games of a pair went the same way, move for move."""
    first, second = pair["games"]
    return bool(first == second)
