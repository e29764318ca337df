"""Whether the last nine squares are played perfectly, which the report assumes and never tested.

With nine empty squares or fewer the report searches as many plies as there are squares. A pass is a
ply too, so a line with a pass ends before the game does, and is valued by the weights of the last
stage. Here that search and one to the very end are run on the same positions: from random games,
and from games of the report's own heuristics. A move is perfect if the result it leads to is the
best there is; it may keep the result and still give discs away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from plyground.core.scores import WIN
from plyground.evaluation.othello_stages import Stages
from plyground.games.catalogue import find_game
from plyground.games.playout import playout
from plyground.games.rules import State, cells_left, is_over, play
from plyground.lab.catalogue.reversi_weights.setting import GAME, ReversiParameters, study
from plyground.lab.charts import lines
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate, share
from plyground.lab.tasks import openings, play_games
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import final_score
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

SEES, BEST, KEEPS = "sees the end", "best move", "keeps the result"
RANDOM, OWN = "random games", "its own games"
SELF = "alphabeta:depth=2,eval=stages"
OPENING_PLIES = 8
GAMES_PER_CELL = 100
LONGEST = 128  # plies of a game, passes included
NEARLY = 0.99

Ending = Mapping[str, Any]


# ------------------------------------------------------------------ tasks


def check_endings(source: str, count: int, seed: int) -> Measured:
    """So many games; each gives one ending for every number of empty squares, if there is a choice.

    For each: whether as many plies as squares find the value, what the move found leads to, and
    what the best leads to, in discs for the side to move.
    """
    game, setup = find_game(GAME), Setup(find_algorithm("alphabeta"), Stages())
    endings = []
    for state in _endings(source, count, seed):
        empty = int(cells_left(state))
        short, value = search(game, state, setup, Limits(depth=empty)), _value(state, setup)
        assert short.move is not None
        reached = -_value(play(state, short.move), setup)
        endings.append(
            {
                "empty": empty,
                "exact": short.value == value,
                "best": _discs(value),
                "reached": _discs(reached),
            }
        )
    return Measured({"endings": endings})


def _value(state: State, setup: Setup) -> int:
    """The value with best play to the end, for the side to move."""
    if is_over(state):
        return int(final_score(setup.finish, state, 0))
    plies = 2 * int(cells_left(state)) + 2  # room for a pass after each move
    return search(find_game(GAME), state, setup, Limits(depth=plies)).value


def _discs(value: int) -> int:
    """The final score that a proven value stands for."""
    return value - WIN if value >= WIN else value + WIN if value <= -WIN else 0


def _endings(source: str, count: int, seed: int) -> Iterator[State]:
    game, most = find_game(GAME), study().numbers["empty squares"]
    for moves in _random_games(count, seed) if source == RANDOM else _own_games(count, seed):
        state = game.initial()
        for move in moves:
            if int(cells_left(state)) <= most and len(game.legal(state)) > 1:
                yield state
            state = play(state, move)


def _random_games(count: int, seed: int) -> Iterator[list[int]]:
    game = find_game(GAME)
    chance, room = np.array([seed], np.uint64), np.zeros(game.max_moves, np.int32)
    record = np.zeros(LONGEST, np.int32)
    for _ in range(count):
        plies = playout(game.initial(), chance, room, record)
        yield [int(move) for move in record[:plies]]


def _own_games(count: int, seed: int) -> Iterator[list[int]]:
    game = find_game(GAME)
    for number, opening in enumerate(openings(GAME, OPENING_PLIES, -(-count // 2), seed)):
        for one in play_games(GAME, [SELF, SELF], opening, number=number).answer["games"]:
            yield game.parse_moves(game.initial(), " ".join(one["moves"]))


def cells(parameters: ReversiParameters) -> list[Cell]:
    return [
        Cell.of(
            check_endings,
            source=source,
            count=min(GAMES_PER_CELL, parameters.positions - first),
            seed=parameters.seed * 100_000 + first,
        )
        for source in (OWN, RANDOM)
        for first in range(0, parameters.positions, GAMES_PER_CELL)
    ]


# ------------------------------------------------------------------ results


def endings_of(results: Results, source: str) -> list[Ending]:
    return [
        one
        for _, found in results.of(check_endings, source=source)
        for one in found.answer["endings"]
    ]


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def keeps_result(ending: Ending) -> bool:
    return sign(ending["reached"]) == sign(ending["best"])


def is_perfect(ending: Ending) -> bool:
    return bool(ending["reached"] == ending["best"])


def _shares(endings: Sequence[Ending]) -> dict[str, Estimate]:
    count = len(endings)
    return {
        SEES: share(sum(one["exact"] for one in endings), count),
        BEST: share(sum(map(is_perfect, endings)), count),
        KEEPS: share(sum(map(keeps_result, endings)), count),
    }


# ------------------------------------------------------------------ report


def section(parameters: ReversiParameters, results: Results) -> Section:
    """How often, by the number of squares, and what was assumed."""
    found = {source: endings_of(results, source) for source in (OWN, RANDOM)}
    return Section(
        "The last nine squares",
        [
            Text(
                "As many plies as empty squares, against a search to the very end, in positions "
                "with a choice. *Sees the end*: the value is the true one. *Best move*: no move "
                "leads to more discs. *Keeps the result*: a won position stays won, a drawn one "
                "is not lost."
            ),
            _table(found),
            _chart(found),
            claim_perfect([one for endings in found.values() for one in endings]),
        ],
    )


def _table(found: Mapping[str, Sequence[Ending]]) -> Table:
    rows: list[list[Value]] = []
    for source, endings in found.items():
        for empty in [*sorted({one["empty"] for one in endings}), "all"]:
            here = [one for one in endings if empty in (one["empty"], "all")]
            rows.append([source, empty, len(here)])
            rows[-1] += [part.value for part in _shares(here).values()]
            given = [one["best"] - one["reached"] for one in here]
            rows[-1] += [sum(given) / len(here), max(given)]
    columns = [Column("from"), Column("empty squares"), Column("positions")]
    columns += [Column(name, 1, as_percent=True) for name in (SEES, BEST, KEEPS)]
    columns += [Column("discs given away", 2), Column("most given away")]
    return Table("The report's last search", columns, rows)


def _chart(found: Mapping[str, Sequence[Ending]]) -> Chart:
    rows = [
        {"empty": empty, "share": part.value, "series": f"{name}, {source}"}
        | {"low": part.low, "high": part.high}
        for source, endings in found.items()
        for empty in sorted({one["empty"] for one in endings})
        for name, part in _shares([one for one in endings if one["empty"] == empty]).items()
        if name != KEEPS
    ]
    spec = lines(rows, "empty", "share", "series", low="low", high="high", x_title="empty squares")
    note = "Passes are what it fails at."
    return Chart("last-squares", "How often the last search is exact", spec, note)


def finding(parameters: ReversiParameters, results: Results) -> str:
    """In a sentence."""
    endings = [one for source in (OWN, RANDOM) for one in endings_of(results, source)]
    parts = _shares(endings)
    return (
        f"Its search of the last nine squares finds the best move in {parts[BEST].value:.0%} "
        f"of {len(endings)} positions and keeps the result in "
        f"{parts[KEEPS].value:.1%}: a pass costs it a ply, and the end is not seen."
    )


# ------------------------------------------------------------------ claims


def claim_perfect(endings: Sequence[Ending]) -> Claim:
    kept, best = sum(map(keeps_result, endings)), sum(map(is_perfect, endings))
    if best == len(endings):
        verdict, reason = Verdict.REPRODUCED, "Every move is the best there is."
    elif kept >= NEARLY * len(endings):
        verdict = Verdict.IN_DIRECTION
        reason = (
            "Hardly a result is spoilt, but discs are given away: a pass uses up a ply, so that "
            "the search ends before the game. Twice as many plies, as our `endgame=9` takes, "
            "see the end always."
        )
    else:
        verdict, reason = Verdict.CONTRADICTED, "A pass uses up a ply, and results are spoilt."
    return Claim(
        "From nine empty squares on the player is perfect.",
        "assumed, and never tested (section 2.3)",
        f"best move in {best} of {len(endings)} positions, result kept in {kept}",
        verdict,
        reason,
    )
