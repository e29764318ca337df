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
from plyground.evaluation.othello_stages import Stages, stage_on, stage_values
from plyground.games.catalogue import find_game
from plyground.games.playout import playout
from plyground.games.rules import FIRST, State, cells_left, is_over, play, side
from plyground.lab.contests import (
    SEED_STEP,
    batches,
    contest_cells,
    estimates,
    play_pairs,
    points_by_match,
)
from plyground.lab.frames import Measurements, by, in_order, share_of
from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.study import printed, study
from plyground.lab.tasks import in_parts, openings, play_games, search_position
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
    positions: int = Field(400, ge=10, le=10_000, description="games that give endings")
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

SEARCHERS = {  # by name: the player, and how many plies short of the deepest it stops
    "minimax": ("minimax:depth={},eval=stages,order=natural", 4),
    "alpha-beta": ("alphabeta:depth={},eval=stages,order=natural", 1),
    "alpha-beta, ordered": ("alphabeta:depth={},eval=stages,order=shallow", 0),
}


def board() -> str:
    """The printed mid-game board as a position, without the marks for legal moves."""
    return "".join(PRINTED.numbers["board"]).replace("*", "-").replace("0", "O") + " X"


def marked_squares() -> list[str]:
    """The squares that are marked as legal on it."""
    squares = enumerate("".join(PRINTED.numbers["board"]))
    return [f"{'abcdefgh'[at % 8]}{at // 8 + 1}" for at, symbol in squares if symbol == "*"]


def legal_squares() -> list[str]:
    """Those that are legal by the rules."""
    game = find_game(GAME)
    state = game.parse_position(game.initial(), board())
    return [game.format_move(state, move) for move in game.legal(state)]


def _search_cells(parameters: ReversiParameters) -> list[Cell]:
    """Every depth by itself, the deepest first; the last two are timed once."""
    return [
        Cell.of(
            search_position,
            game=GAME,
            player=player.format(depth),
            position=board(),
            repetitions=1 if depth > deepest - 2 else parameters.repetitions,
        )
        for player, short in SEARCHERS.values()
        for deepest in [parameters.deepest - short]
        for depth in range(deepest, 0, -1)
    ]


def searches(run: Measurements) -> pl.DataFrame:
    """What each search of the board took: who, depth, nodes, seconds."""
    names = {player.replace("{}", ""): name for name, (player, _) in SEARCHERS.items()}
    who, depth = pl.col("player").str.replace(r"\d+", ""), pl.col("player").str.extract(r"(\d+)")
    found = run.frame(search_position).select(
        "nodes", who=who.replace_strict(names), plies=depth.cast(int), seconds="search_s"
    )
    return in_order(found.sort("plies"), "who", [*SEARCHERS])["who", "plies", "nodes", "seconds"]


def growths(found: pl.DataFrame, last: int) -> dict[str, float]:
    """How many times as many nodes the last depth takes as the one before."""
    before = found.filter(plies=last - 1).select("who", before="nodes")
    steps = found.filter(plies=last).join(before, on="who", maintain_order="left")
    return dict(steps.select("who", pl.col("nodes") / pl.col("before")).iter_rows())


def printed_growth(seconds: Sequence[int]) -> tuple[float, float]:
    """The least and the most that the printed seconds can mean: each is off by less than one."""
    before, last = seconds[-2:]
    return (last - 1) / (before + 1), (last + 1) / (before - 1)


# ------------------------------------------------------------------ games against chance

CHANCE = "random", "better-random", "random-start"
FEWER = without("stability", "squares")


def chance_matches(depth: int) -> dict[str, tuple[str, str]]:
    """By match: the player, and against whom it plays."""
    return {
        "random": (player(depth), "random"),
        "better-random": (player(depth), f"better-random:eval={JUDGE}"),
        "random-start": (player(depth), f"random-start(moves=8,then={player(depth)})"),
        "better-random, without two": (player(depth, FEWER), f"better-random:eval={FEWER}"),
        "score alone": (f"alphabeta:depth={depth},eval=discs", "random"),
        "score alone, one ply": ("alphabeta:depth=1,eval=discs", "random"),
    }


def _chance_cells(parameters: ReversiParameters) -> list[Cell]:
    """Random is met most often: losses to it are rare."""
    matches = chance_matches(parameters.depth)
    often, seed = {"random": matches.pop("random")}, parameters.seed
    return [
        *contest_cells(GAME, often, parameters.random_pairs, 0, seed),
        *contest_cells(GAME, matches, parameters.chance_pairs, 0, seed),
    ]


def pairs_of(run: Measurements) -> pl.DataFrame:
    """The pairs of all matches: the match, and the points of the first player in both games."""
    fitted = run.frame(play_fitted).select("points", match=pl.lit(FITTED))
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
            found = {"reading": reading, "empty": empty, "exact": short.value == value}
            endings.append(found | {"best": _discs(value), "reached": _discs(reached)})
    return Measured({"endings": endings})


def _value(state: State, setup: Setup) -> int:
    """The value with best play to the end, for the side to move."""
    if is_over(state):
        return int(final_score(setup.finish, state, 0))
    return search(find_game(GAME), state, setup, Limits(endgame=ENDGAME)).value


def _discs(value: int) -> int:
    """The final score that a proven value stands for."""
    return value - WIN if value >= WIN else value + WIN if value <= -WIN else 0


def _endings(source: str, count: int, seed: int) -> Iterator[State]:
    game = find_game(GAME)
    games = _random_games(count, seed) if source == RANDOM else _own_games(count, seed)
    for moves in games:
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
        yield record[: playout(game.initial(), chance, room, record)].tolist()


def _own_games(count: int, seed: int) -> Iterator[list[int]]:
    return (moves for moves, _ in self_play(SELF, -(-count // 2), seed, 0))


def self_play(player: str, pairs: int, seed: int, first: int) -> Iterator[tuple[list[int], int]]:
    """Moves and outcomes of games of a player against itself, pairs numbered from the first."""
    game = find_game(GAME)
    for number, opening in enumerate(openings(GAME, OPENING_PLIES, pairs, seed), first):
        for one in play_games(GAME, [player, player], opening, number=number).answer["games"]:
            yield game.parse_moves(game.initial(), " ".join(one["moves"])), one["outcome"]


def _ending_cells(parameters: ReversiParameters) -> list[Cell]:
    first = parameters.seed * SEED_STEP
    return [
        Cell.of(check_endings, source=source, count=len(part), seed=part[0])
        for source in (OWN, RANDOM)
        for part in in_parts(range(first, first + parameters.positions), GAMES_PER_CELL)
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
        endings.sort(names),
        *names,
        positions=len,
        **{
            "sees the end": share_of("exact"),
            "best move": share_of("is_best"),
            "keeps the result": share_of("keeps"),
            "discs given away": lambda group: group["given"].mean(),
            "most given away": lambda group: group["given"].max(),
        },
    )


# ------------------------------------------------------------------ the weights

FITTED = "fitted weights"
WITHOUT = {f"without {name}": without(name) for name in NAMES}
RIVALS = ("factors", "mobility", "positional", "discs")
MATCH_PLIES = 6
TEACHER = "alphabeta:depth=2,eval=stages,ties=random,noise=10%"
SCALE = 100  # a disc at the end of the game
MOST_WEIGHT = 1000  # that the evaluator takes
OTHER_SEED = 7919  # fitted and played games have nothing in common


def _weight_cells(parameters: ReversiParameters) -> list[Cell]:
    """Matches of the report's player against each other one, and the games to fit weights to."""
    depth, pairs, seed = parameters.depth, parameters.pairs, parameters.seed
    fitted = {"pairs": parameters.fitted_pairs, "seed": seed + OTHER_SEED}
    judges = WITHOUT | {name: name for name in RIVALS}
    matches = {name: (player(depth), player(depth, judge)) for name, judge in judges.items()}
    parts = batches(GAME, pairs, MATCH_PLIES, seed)
    return [
        Cell.of(fit_weights, **fitted),
        *(Cell.of(play_fitted, depth=depth, fitted=fitted, **part) for part in parts),
        *contest_cells(GAME, matches, pairs, MATCH_PLIES, seed),
    ]


def play_fitted(
    depth: int, openings: Sequence[str], number: int, fitted: Mapping[str, int]
) -> Measured:
    """Pairs of games of the printed weights against those that are fitted in the same run."""
    players = [player(depth), player(depth, with_weights(fitted_weights(**fitted)[0]))]
    return play_pairs(GAME, FITTED, players, openings, number)


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
    game, shape = find_game(GAME), (len(STAGE_NAMES), len(NAMES), len(NAMES) + 1)
    sums, positions = np.zeros(shape, np.int64), 0
    for moves, outcome in self_play(TEACHER, pairs, seed, seed * SEED_STEP):
        state = game.initial()
        for ply, move in enumerate(moves):
            if ply >= OPENING_PLIES:
                stage, values = heuristics(state)
                add(sums[stage], values, outcome if side(state) == FIRST else -outcome)
                positions += 1
            state = play(state, move)
    solved = [solve(rows) for rows in sums.tolist()]
    largest = max(abs(weight) for row in solved for weight in row)
    scale = min(Fraction(SCALE), MOST_WEIGHT / max(largest, Fraction(1)))  # few games: wild weights
    weights = {
        name: [round(scale * weight) for weight in row]
        for name, row in zip(STAGE_NAMES, solved, strict=True)
    }
    return weights, positions


def heuristics(state: State) -> tuple[int, list[int]]:
    """The stage of the game, and the report's heuristics, each mine less the opponent's."""
    board = state.me, state.opp, state.cells
    return int(stage_on(*board)), [int(value) for value in stage_values(Stages(), *board)]


def add(sums: np.ndarray, values: Sequence[int], final: int) -> None:
    """How often each pair of heuristics, and each heuristic and the final score, agree."""
    sums += np.outer(values, (*values, final))


def solve(rows: Sequence[Sequence[int]]) -> list[Fraction]:
    """The solution of linear equations, exactly; 0 for what they leave open."""
    left = np.array([[Fraction(number) for number in row] for row in rows])
    places = range(len(left))
    solved: dict[int, int] = {}  # by unknown: which row tells it
    for place in places:
        telling = (at for at in places if left[at, place] and at not in solved.values())
        row = next(telling, None)
        if row is not None:
            solved[place] = row
            left[row] /= left[row, place]
            others = np.arange(len(left)) != row
            left[others] -= np.outer(left[others, place], left[row])
    return [left[solved[at], -1] if at in solved else Fraction(0) for at in places]


# ------------------------------------------------------------------ findings


def findings(parameters: ReversiParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    published, found = PRINTED.frame("times"), searches(run)
    legal, marked = legal_squares(), marked_squares()
    endings = judged_endings(run.frame(check_endings))
    by_squares = endings_by(endings, "reading", "source", "empty")
    counted = endings.group_by("reading").agg(pl.col("keeps", "is_best").sum(), pl.len()).rows()
    ((_, fitted),) = run.of(fit_weights)
    played = pairs_of(run)
    points, results = points_by_match(played), results_of(played)
    shares, lost = estimates(points, "match"), estimates(points, "match", "lost")
    ablated, rivals = (
        in_order(points, "match", names).select("match", "points")
        for names in ([*WITHOUT], [FITTED, *RIVALS])
    )
    in_time = found.filter(pl.col("seconds") <= PRINTED.numbers["seconds allowed"])
    last = published["depth"][-1]
    return {
        "legal": legal,
        "marked": marked,
        "unmarked": sorted(set(legal) - set(marked)),
        "timed": found.filter(who="alpha-beta").select("plies", "seconds"),
        "by_depth": _by_depth(found, published),
        "drawn": _drawn(found, published),
        "growth": growths(found, last),
        "growth_from_0": growths(found, last + 1),
        "printed_growth": printed_growth(published["seconds"].to_list()),
        "in_time": dict(
            in_time.group_by("who", maintain_order=True).agg(pl.max("plies")).iter_rows()
        ),
        "games": in_order(results, "match", CHANCE).drop("won"),
        "chance": in_order(points, "match", [*chance_matches(parameters.depth)]),
        "won": {match: (won, games) for match, games, _, won in results.iter_rows()},
        "points": shares,
        "lost": lost,
        "endings": endings_by(endings, "reading", "source"),
        "by_squares": by_squares,
        "right": by_squares.sort("empty", "source", "reading").select(
            "reading", "source", "empty", share="best move"
        ),
        "kept": {reading: (kept, total) for reading, kept, _, total in counted},
        "best": {reading: (best, total) for reading, _, best, total in counted},
        "ablated": ablated,
        "rivals": rivals,
        "drawn_judges": pl.concat([ablated, rivals]).select(
            "points", against="match", of=pl.lit(JUDGE)
        ),
        "strongest": max(NAMES, key=lambda name: shares[f"without {name}"].value),
        "fitted": pl.DataFrame(fitted.answer["weights"]).transpose(
            include_header=True, header_name="stage", column_names=NAMES
        ),
        "fitted_positions": fitted.answer["positions"],
    }


def results_of(played: pl.DataFrame) -> pl.DataFrame:
    """Games of each match, and how many of them the first player lost and won."""
    points = pl.col("points")
    games = played.explode("points").explode("points").group_by("match")
    return games.agg(games=pl.len(), lost=(points == 0).sum(), won=(points == 1).sum())


def _by_depth(found: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """A row for each depth, with the printed seconds first."""
    values = ["nodes", "seconds"]
    wide = found.pivot("who", index="plies", values=values).sort("plies")
    columns = {f"{who}: {each}": f"{each}_{who}" for who in SEARCHERS for each in values}
    shown = theirs.select(plies="depth", **{"published seconds": "seconds"})
    return wide.join(shown, on="plies", how="left").select("plies", "published seconds", **columns)


def _drawn(found: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    ours = found.select("plies", "seconds", series=pl.format("{}, ours", "who"))
    theirs = theirs.select(plies="depth", seconds=pl.col("seconds").cast(float))
    return pl.concat([ours, theirs.with_columns(series=pl.lit("published"))])


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
