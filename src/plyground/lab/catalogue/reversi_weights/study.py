"""Weights for Reversi by stages of the game: the report of Neudeck (2019).

The report describes a program in C: five heuristics, weighted by hand for four stages of the game,
minimax with alpha-beta to depth 5, and the last nine squares searched out. It prints one table of
seconds and tells of games against random moves and two opponents made from them. Repeated here: the
table, with nodes and deeper, and the games. Added: the last nine squares checked exactly, what each
heuristic adds, and the printed weights against weights fitted to games.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from plyground.core.scores import WIN
from plyground.evaluation.othello_stages import Stages
from plyground.games.catalogue import find_game
from plyground.games.playout import playout
from plyground.games.rules import FIRST, State, cells_left, is_over, play, side
from plyground.kernel import Slab
from plyground.lab.catalogue.reversi_weights.heuristics import HEURISTICS, STAGES, write_heuristics
from plyground.lab.contests import (
    batches,
    contest_cells,
    estimates,
    play_pairs,
    points_by_match,
)
from plyground.lab.frames import Measurements, by, frame_of, in_order
from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.statistics import share
from plyground.lab.study import printed, study
from plyground.lab.tasks import openings, play_games, search_position
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import final_score
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

PRINTED = printed(__file__)
GAME, JUDGE = "othello", "stages"
NAMES = ("score", "mobility", "stability", "squares", "frontier")
STAGE_NAMES = ("early", "middle", "end", "last")
ENDGAME = 9  # empty squares that are searched out


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
    """The report's player. It sees the end of the game as the report's meant to, passes and all."""
    return f"alphabeta:depth={depth},eval={judge},endgame={ENDGAME}"


def without(*names: str) -> str:
    """The evaluator with some heuristics left out."""
    return f"{JUDGE}({','.join(f'{stage}_{name}=0' for name in names for stage in STAGE_NAMES)})"


def with_weights(weights: Mapping[str, Sequence[int]]) -> str:
    """The evaluator with these weights, by stage."""
    given = [
        f"{stage}_{name}={weight}"
        for stage, row in weights.items()
        for name, weight in zip(NAMES, row, strict=True)
    ]
    return f"{JUDGE}({','.join(given)})"


def all_cells(parameters: ReversiParameters) -> list[Cell]:
    """The deepest searches of the board take longest and come first."""
    return [
        *_search_cells(parameters),
        *_chance_cells(parameters),
        *_ending_cells(parameters),
        *_weight_cells(parameters),
    ]


# ------------------------------------------------------------------ the printed board

SEARCHERS = {  # by name: the algorithm, its order, and how many plies short of the deepest it stops
    "minimax": ("minimax", "natural", 4),
    "alpha-beta": ("alphabeta", "natural", 1),
    "alpha-beta, ordered": ("alphabeta", "shallow", 0),
}


def board() -> str:
    """The printed mid-game board as a position, without the marks for legal moves."""
    return "".join(PRINTED.numbers["board"]).replace("*", "-").replace("0", "O") + " X"


def marked_squares() -> list[str]:
    """The squares that are marked as legal on it."""
    return [
        f"{'abcdefgh'[column]}{row + 1}"
        for row, line in enumerate(PRINTED.numbers["board"])
        for column, symbol in enumerate(line)
        if symbol == "*"
    ]


def legal_squares() -> list[str]:
    """Those that are legal by the rules."""
    game = find_game(GAME)
    state = game.parse_position(game.initial(), board())
    return [game.format_move(state, move) for move in game.legal(state)]


def searcher(name: str, depth: int) -> str:
    """A player that searches the board."""
    algorithm, order, _ = SEARCHERS[name]
    return f"{algorithm}:depth={depth},eval={JUDGE},order={order}"


def depths(parameters: ReversiParameters, name: str) -> range:
    return range(1, parameters.deepest - SEARCHERS[name][2] + 1)


def _search_cells(parameters: ReversiParameters) -> list[Cell]:
    """Every depth by itself, the deepest first; those are timed once."""
    return [
        Cell.of(
            search_position,
            game=GAME,
            player=searcher(name, depth),
            position=board(),
            repetitions=1 if depth > parameters.deepest - SEARCHERS[name][2] - 2 else often,
        )
        for often in [parameters.repetitions]
        for name in SEARCHERS
        for depth in reversed(depths(parameters, name))
    ]


def searches(parameters: ReversiParameters, run: Measurements) -> pl.DataFrame:
    """What each search of the board took: who, depth, nodes, seconds."""
    known = [
        {"who": name, "plies": depth, "player": searcher(name, depth)}
        for name in SEARCHERS
        for depth in depths(parameters, name)
    ]
    found = frame_of(known).join(run.frame(search_position), on="player", maintain_order="left")
    return found.select("who", "plies", "nodes", seconds="search_s")


def growths(found: pl.DataFrame, last: int) -> dict[str, float]:
    """How many times as many nodes the last depth takes as the one before."""
    grown = {}
    for (name,), one in found.group_by("who", maintain_order=True):
        nodes = dict(zip(one["plies"], one["nodes"], strict=True))
        if last in nodes:
            grown[str(name)] = nodes[last] / nodes[last - 1]
    return grown


def printed_growth(seconds: Sequence[int]) -> tuple[float, float]:
    """The least and the most that the printed seconds can mean: each is off by less than one."""
    before, last = seconds[-2:]
    return (last - 1) / (before + 1), (last + 1) / (before - 1)


# ------------------------------------------------------------------ games against chance

CHANCE = {
    "random": (JUDGE, "random"),
    "better-random": (JUDGE, f"better-random:eval={JUDGE}"),
    "random-start": (JUDGE, "random-start"),
    "better-random, without two": (
        without("stability", "squares"),
        f"better-random:eval={without('stability', 'squares')}",
    ),
    "score alone": ("discs", "random"),
    "score alone, one ply": ("discs", "random"),
}
"""By match: how the player judges, and against whom it plays."""


def _chance_cells(parameters: ReversiParameters) -> list[Cell]:
    """Random is met most often: losses to it are rare."""
    found = []
    for match, (judge, other) in CHANCE.items():
        depth = 1 if match == "score alone, one ply" else parameters.depth
        own = (
            player(depth, judge) if "score" not in match else f"alphabeta:depth={depth},eval=discs"
        )
        if other == "random-start":
            other = f"random-start(moves=8,then={own})"
        pairs = parameters.random_pairs if match == "random" else parameters.chance_pairs
        found += contest_cells(GAME, {match: [own, other]}, pairs, 0, parameters.seed)
    return found


def pairs_of(run: Measurements) -> pl.DataFrame:
    """The pairs of all matches: the match, and the points of the first player in both games."""
    fitted = run.frame(play_fitted).select("points", match=pl.lit("fitted weights"))
    return pl.concat([run.frame(play_pairs).select("match", "points"), fitted], how="diagonal")


# ------------------------------------------------------------------ the last nine squares

RANDOM, OWN = "random games", "its own games"
SELF = "alphabeta:depth=2,eval=stages"
READINGS = {"as many plies as squares": 0, "one ply more": 1}
OPENING_PLIES = 8
GAMES_PER_CELL = 100
LONGEST = 128  # plies of a game, passes included


def check_endings(source: str, count: int, seed: int) -> Measured:
    """So many games; each gives one ending for every number of empty squares, if there is a choice.

    For each: whether so many plies as there are squares, or one more, find the value; what the move
    found leads to, and what the best leads to, in discs for the side to move. A pass is a ply, so
    a line with a pass ends before the game does, and is valued by the weights of the last stage.
    """
    game, setup = find_game(GAME), Setup(find_algorithm("alphabeta"), Stages())
    endings = []
    for state in _endings(source, count, seed):
        empty, value = int(cells_left(state)), _value(state, setup)
        for reading, more in READINGS.items():
            short = search(game, state, setup, Limits(depth=empty + more))
            assert short.move is not None
            reached = -_value(play(state, short.move), setup)
            endings.append(
                {
                    "reading": reading,
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
    game = find_game(GAME)
    for moves in _random_games(count, seed) if source == RANDOM else _own_games(count, seed):
        state = game.initial()
        for move in moves:
            if int(cells_left(state)) <= ENDGAME and len(game.legal(state)) > 1:
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


def _ending_cells(parameters: ReversiParameters) -> list[Cell]:
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


def judged_endings(endings: pl.DataFrame) -> pl.DataFrame:
    """Whether the move found is a best one, whether it keeps the result, and what it gives away."""
    best, reached = pl.col("best"), pl.col("reached")
    return endings.with_columns(
        is_best=reached == best, keeps=reached.sign() == best.sign(), given=best - reached
    )


def endings_by(endings: pl.DataFrame, *names: str) -> pl.DataFrame:
    """How often the last search is right, for each group."""
    return by(
        endings,
        *names,
        positions=len,
        **{
            "sees the end": lambda group: share(group["exact"].sum(), len(group)),
            "best move": lambda group: share(group["is_best"].sum(), len(group)),
            "keeps the result": lambda group: share(group["keeps"].sum(), len(group)),
            "discs given away": lambda group: group["given"].mean(),
            "most given away": lambda group: group["given"].max(),
        },
    )


# ------------------------------------------------------------------ the weights

RIVALS = {
    "factors": "factors",
    "mobility": "mobility",
    "positional": "positional",
    "discs": "discs",
}
MATCH_PLIES, FIT_PLIES = 6, 8
TEACHER = "alphabeta:depth=2,eval=stages,ties=random,noise=10%"
SCALE = 100  # a disc at the end of the game
MOST_WEIGHT = 1000  # that the evaluator takes
OTHER_SEED = 7919  # fitted and played games have nothing in common

Sums = list[list[list[int]]]
"""By stage: how often each pair of heuristics, and each heuristic and the final score, agree."""


def _weight_cells(parameters: ReversiParameters) -> list[Cell]:
    """Matches of the report's player against each other one, and the games to fit weights to."""
    own, seed = player(parameters.depth), parameters.seed
    fitted = {"pairs": parameters.fitted_pairs, "seed": seed + OTHER_SEED}
    judges = {f"without {name}": without(name) for name in NAMES} | RIVALS
    matches = {name: [own, player(parameters.depth, judge)] for name, judge in judges.items()}
    return [
        Cell.of(fit_weights, **fitted),
        *(
            Cell.of(play_fitted, depth=parameters.depth, fitted=fitted, **part)
            for part in batches(GAME, parameters.pairs, MATCH_PLIES, seed)
        ),
        *contest_cells(GAME, matches, parameters.pairs, MATCH_PLIES, seed),
    ]


def play_fitted(
    depth: int, openings: Sequence[str], number: int, fitted: Mapping[str, int]
) -> Measured:
    """Pairs of games of the printed weights against those that are fitted in the same run."""
    weights = with_weights(fitted_weights(**fitted)[0])
    players = [player(depth), player(depth, weights)]
    return play_pairs(GAME, "fitted weights", players, openings, number)


def fit_weights(pairs: int, seed: int) -> Measured:
    """The weights of each stage that come nearest to the final scores, in hundredths of a disc."""
    weights, positions = fitted_weights(pairs, seed)
    return Measured({"weights": weights, "positions": positions})


@functools.cache
def fitted_weights(pairs: int, seed: int) -> tuple[dict[str, list[int]], int]:
    """The weights, and to how many positions they are fitted.

    Least squares over the report's own five heuristics. The sums are whole numbers and are solved
    as fractions, so that the same games give the same weights on every machine.
    """
    game, values, judge = find_game(GAME), Slab(HEURISTICS + 1), Stages()
    sums: Sums = [[[0] * (HEURISTICS + 1) for _ in range(HEURISTICS)] for _ in range(STAGES)]
    positions = 0
    for place, opening in enumerate(openings(GAME, FIT_PLIES, pairs, seed)):
        pair = play_games(GAME, [TEACHER, TEACHER], opening, number=seed * 100_000 + place)
        for one in pair.answer["games"]:
            state = game.initial()
            for ply, move in enumerate(game.parse_moves(state, " ".join(one["moves"]))):
                if ply >= FIT_PLIES:
                    stage = int(write_heuristics(judge, state, values))
                    final = one["outcome"] if side(state) == FIRST else -one["outcome"]
                    add(sums[stage], [values[i] for i in range(HEURISTICS)], final)
                    positions += 1
                state = play(state, move)
    solved = [solve(rows) for rows in sums]
    largest = max(abs(weight) for row in solved for weight in row)
    scale = min(Fraction(SCALE), MOST_WEIGHT / max(largest, Fraction(1)))  # few games: wild weights
    weights = {
        name: [round(scale * weight) for weight in row]
        for name, row in zip(STAGE_NAMES, solved, strict=True)
    }
    return weights, positions


def add(sums: list[list[int]], values: Sequence[int], final: int) -> None:
    for row, value in zip(sums, values, strict=True):
        for place, other in enumerate((*values, final)):
            row[place] += value * other


def solve(rows: Sequence[Sequence[int]]) -> list[Fraction]:
    """The solution of linear equations, exactly; 0 for what they leave open."""
    left = [[Fraction(number) for number in row] for row in rows]
    pivots: dict[int, list[Fraction]] = {}
    for place in range(len(rows)):
        row = next((one for one in left if one[place]), None)
        if row is None:
            continue
        left.remove(row)
        row = [number / row[place] for number in row]
        left = [_less(one, row, one[place]) for one in left]
        pivots = {at: _less(one, row, one[place]) for at, one in pivots.items()} | {place: row}
    return [pivots[place][-1] if place in pivots else Fraction(0) for place in range(len(rows))]


def _less(row: list[Fraction], other: list[Fraction], times: Fraction) -> list[Fraction]:
    return [one - times * two for one, two in zip(row, other, strict=True)]


# ------------------------------------------------------------------ findings


def findings(parameters: ReversiParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    board_table = PRINTED.frame("times")
    found, legal = searches(parameters, run), legal_squares()
    endings = judged_endings(run.frame(check_endings))
    ((_, fitted),) = run.of(fit_weights)
    played = pairs_of(run)
    points = points_by_match(played)
    shares, lost = estimates(points, "match"), estimates(points, "match", "lost")
    last = int(board_table["depth"].max())  # type: ignore[arg-type]
    return {
        "legal": legal,
        "marked": marked_squares(),
        "unmarked": sorted(set(legal) - set(marked_squares())),
        "searches": found,
        "timed": found.filter(pl.col("who") == "alpha-beta").select("plies", "seconds"),
        "by_depth": _by_depth(found, board_table),
        "drawn": _drawn(found, board_table),
        "growth": growths(found, last),
        "growth_from_0": growths(found, last + 1),
        "printed_growth": printed_growth(board_table["seconds"].to_list()),
        "in_time": _in_time(found, PRINTED.numbers["seconds allowed"]),
        "games": in_order(points, "match", ["random", "better-random", "random-start"]).select(
            "match",
            "games",
            lost=(pl.col("lost").struct["value"] * pl.col("games")).round(0).cast(int),
        ),
        "chance": in_order(points, "match", list(CHANCE)),
        "won": {
            match: (sum(won), len(won))
            for (match,), cells in played.group_by("match")
            for won in [[point == 1 for pair in cells["points"].explode() for point in pair]]
        },
        "points": shares,
        "lost": lost,
        "endings": endings_by(endings.sort("reading", "source"), "reading", "source"),
        "by_squares": endings_by(
            endings.sort("reading", "source", "empty"), "reading", "source", "empty"
        ),
        "right": _right(endings),
        "kept": _counts(endings, "keeps"),
        "best": _counts(endings, "is_best"),
        "ablated": _matches(points, [f"without {name}" for name in NAMES]),
        "rivals": _matches(points, ["fitted weights", *RIVALS]),
        "drawn_judges": _matches(
            points, [*(f"without {name}" for name in NAMES), "fitted weights", *RIVALS]
        )
        .rename({"match": "against"})
        .with_columns(of=pl.lit(JUDGE)),
        "strongest": max(NAMES, key=lambda name: shares[f"without {name}"].value),
        "fitted": frame_of(
            [
                {"stage": stage} | dict(zip(NAMES, row, strict=True))
                for stage, row in fitted.answer["weights"].items()
            ]
        ),
        "fitted_positions": fitted.answer["positions"],
    }


def _by_depth(found: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """A row for each depth, with the printed seconds first."""
    shown = theirs.select(plies="depth", **{"published seconds": "seconds"})
    table = found.select("plies").unique().sort("plies").join(shown, on="plies", how="left")
    for name in SEARCHERS:
        one = found.filter(pl.col("who") == name)
        columns = one.select("plies", **{f"{name}: nodes": "nodes", f"{name}: seconds": "seconds"})
        table = table.join(columns, on="plies", how="left")
    return table


def _drawn(found: pl.DataFrame, board_table: pl.DataFrame) -> pl.DataFrame:
    ours = found.select("plies", "seconds", series=pl.format("{}, ours", "who"))
    theirs = board_table.select(plies="depth", seconds=pl.col("seconds").cast(float))
    return pl.concat([ours, theirs.with_columns(series=pl.lit("published"))])


def _in_time(found: pl.DataFrame, allowed: float) -> dict[str, int]:
    """The deepest search of each that took no longer."""
    in_time = found.filter(pl.col("seconds") <= allowed)
    deepest = in_time.group_by("who", maintain_order=True).agg(pl.col("plies").max())
    return dict(deepest.iter_rows())


def _right(endings: pl.DataFrame) -> pl.DataFrame:
    """How often a best move was found, by empty squares, to be drawn."""
    return by(
        endings.sort("empty"),
        "reading",
        "source",
        "empty",
        share=lambda group: share(int(group["is_best"].sum()), len(group)),
    )


def _counts(endings: pl.DataFrame, name: str) -> dict[str, tuple[int, int]]:
    """By reading: in how many endings it is so, and of how many."""
    counted = endings.group_by("reading").agg(pl.col(name).sum(), pl.len())
    return {reading: (count, total) for reading, count, total in counted.iter_rows()}


def _matches(points: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return in_order(points, "match", names).select("match", "points")


EXPERIMENT = study(
    __file__,
    name="reversi-weights",
    title="Weights for Reversi, by stages of the game",
    question=(
        "How fast is minimax on the report's board, how good are its hand-made weights, and is "
        "the end of the game played perfectly?"
    ),
    parameters=ReversiParameters,
    quick=QUICK,
    cells=all_cells,
    findings=findings,
)
