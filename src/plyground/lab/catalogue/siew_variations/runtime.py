"""Tables 2 and 3: time and nodes of minimax, alpha-beta, palphabeta and SCOUT.

The study timed some moves of each bot, all bots being given the same moves to answer, and printed
the mean; neither the games nor the number of moves are told. Its times of alpha-beta are the same
in both tables, and so those of the program's own form, with players that maximise and minimise;
the others were written in the form of negamax. Here alpha-beta plays some games from
random openings, and all algorithms search every position of them, one after the other, so that
what disturbs one disturbs all. Columns are tried from left to right, as in the study, and once more
from the centre outwards, since minimal windows live on good order.

Times are of our compiled code; the study ran plain Python. So the ratios count, not the seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from plyground.lab.catalogue.siew_variations.setting import GAME, SiewParameters, depths, player
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate, ratio
from plyground.lab.tasks import openings, play_games, search_position

OPENING_PLIES = 2
GUIDE = player("alphabeta", 4)
NATURAL, CENTRE = "natural", "weights"
MINIMAX, ALPHABETA, PALPHABETA, SCOUT = "minimax", "alphabeta", "palphabeta", "scout"
PRINTED = "althofer-printed"
VARIANTS = (ALPHABETA, PALPHABETA, SCOUT)
SEARCHERS = {NATURAL: (MINIMAX, *VARIANTS, PRINTED), CENTRE: VARIANTS}
GAMES_PER_CELL = 5
KEPT = ("move", "value", "nodes", "leaves", "researches")

Key = tuple[str, str, int]
"""An order, an algorithm and a depth."""
PerGame = Mapping[Key, Sequence[float]]
"""The mean over the positions of a game, for each of the games."""


# ------------------------------------------------------------------ cells


def search_given_games(
    algorithms: Sequence[str],
    depth: int,
    order: str,
    openings: Sequence[str],
    moves: int,
    repetitions: int,
) -> Measured:
    """The positions of some games, each searched by all algorithms in turn; seconds by games."""
    games: dict[str, list[list[dict[str, Any]]]] = {name: [] for name in algorithms}
    spent: dict[str, list[float]] = {name: [] for name in algorithms}
    players = {name: player(name, depth, order) for name in algorithms}
    for opening in openings:
        found = [_search_by_all(players, at, repetitions) for at in _positions(opening, moves)]
        for name in algorithms:
            games[name].append([{what: each[name][0][what] for what in KEPT} for each in found])
            spent[name].append(fmean(each[name][1] for each in found))
    return Measured({"games": games}, spent)


def _search_by_all(
    players: Mapping[str, str], position: str, repetitions: int
) -> dict[str, tuple[dict[str, Any], float]]:
    """By algorithm: the answer, and the median of the seconds."""
    found = [
        {name: search_position(GAME, text, moves=position) for name, text in players.items()}
        for _ in range(repetitions)
    ]
    return {
        name: (found[0][name].answer, median(once[name].times_s["search"][0] for once in found))
        for name in players
    }


def _positions(opening: str, count: int) -> list[str]:
    """The positions of a game with the guide on both sides, as the moves that lead there."""
    played = play_games(GAME, [GUIDE, GUIDE], opening).answer["games"][0]["moves"]
    return [" ".join(played[:ply]) for ply in range(OPENING_PLIES, len(played))][:count]


def cells(parameters: SiewParameters) -> list[Cell]:
    """One for each depth, order, and handful of games; the deepest first."""
    begun = openings(GAME, OPENING_PLIES, parameters.given_games, parameters.seed)
    return [
        Cell.of(
            search_given_games,
            algorithms=list(algorithms),
            depth=depth,
            order=order,
            openings=begun[at : at + GAMES_PER_CELL],
            moves=parameters.given_moves,
            repetitions=parameters.repetitions,
        )
        for depth in reversed(depths(parameters))
        for order, algorithms in SEARCHERS.items()
        for at in range(0, len(begun), GAMES_PER_CELL)
    ]


# ------------------------------------------------------------------ results


def nodes_per_game(results: Results) -> PerGame:
    def measure(found: Measured, name: str) -> list[float]:
        return [fmean(one["nodes"] for one in game) for game in found.answer["games"][name]]

    return _per_game(results, measure)


def seconds_per_game(results: Results) -> PerGame:
    return _per_game(results, lambda found, name: list(found.times_s[name]))


def _per_game(results: Results, measure: Callable[[Measured, str], list[float]]) -> PerGame:
    together: dict[Key, list[float]] = {}
    for given, found in results.of(search_given_games):
        for name in given["algorithms"]:
            key = given["order"], name, given["depth"]
            together.setdefault(key, []).extend(measure(found, name))
    return together


def times_as_many(measured: PerGame, order: str, one: str, other: str, depth: int) -> Estimate:
    """How many times as much one algorithm takes as another, game by game."""
    pairs = zip(measured[order, one, depth], measured[order, other, depth], strict=True)
    return ratio(pairs)


def agreement(results: Results) -> tuple[int, int, int]:
    """The printed algorithm's searches; with minimax's answer; with alpha-beta's nodes."""
    total = same_answer = same_nodes = 0
    for _, found in results.of(search_given_games, order=NATURAL):
        answers = [
            [one for game in found.answer["games"][name] for one in game]
            for name in (PRINTED, MINIMAX, ALPHABETA)
        ]
        for printed, minimax, alphabeta in zip(*answers, strict=True):
            total += 1
            same_answer += all(printed[what] == minimax[what] for what in ("move", "value"))
            same_nodes += printed["nodes"] == alphabeta["nodes"]
    return total, same_answer, same_nodes
