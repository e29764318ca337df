"""SCOUT against alpha-beta at Othello: the study of Hernandez, Daza & Florez (2019).

The study put both algorithms into an app for phones, with one heuristic and depth 8. It shows nodes
and time of 15 moves and tells of 30 games of each algorithm against an amateur, a medium player and
an expert. Repeated here: both algorithms on the same positions, and the games, with levels of play
for people. Added: the smallest trees that any search must see, what the printed procedure visits,
what each factor of the heuristic is worth, and how often an answer prepared in advance is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from typing import Any

import polars as pl
from pydantic import Field

from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import is_over
from plyground.kernel import Slab
from plyground.lab.catalogue.othello_scout.trees import (
    ENOUGH,
    MAX,
    MIN,
    Reading,
    fewest_nodes,
    visits_of,
)
from plyground.lab.contests import contest_cells, estimates, play_pairs, points_by_match
from plyground.lab.frames import Measurements, by, in_order, times_as_much
from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.statistics import Estimate, mean_share
from plyground.lab.study import printed, study
from plyground.lab.tasks import openings, search_position
from plyground.matches.one_game import play_game
from plyground.players.catalogue import make_machine
from plyground.players.chance import Wrapper
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Choice, Turn, ask
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES

PRINTED = printed(__file__)
NUMBERS = PRINTED.numbers
GAME, JUDGE = "othello", "factors"
SCOUT, ALPHA_BETA, FIRST_MOVE = "scout", "alphabeta", "first"
NAMES = {SCOUT: "SCOUT", ALPHA_BETA: "alpha-beta", FIRST_MOVE: "the first legal move"}
LEVELS = ("amateur", "medium", "expert")
OPPONENT = "medium"
NATURAL, ORDERED = "natural", "all"
ORDERS = {NATURAL: "in the game's order", ORDERED: "in a good order"}
ENDS = ("least", "most")


class ScoutParameters(Parameters):
    """How deep, and how many positions and games."""

    depth: int = Field(8, ge=2, le=9, description="plies of each search; the study's is 8")
    moves: int = Field(15, ge=1, le=25, description="of the program in each game it follows")
    game_pairs: int = Field(3, ge=1, le=50, description="pairs of games that are followed")
    proved_every: int = Field(2, ge=1, le=25, description="smallest trees at one move in so many")
    match_depth: int = Field(8, ge=1, le=9, description="plies, in the games against the levels")
    match_pairs: int = Field(20, ge=1, le=1000, description="pairs of games against each level")
    nodes: int = Field(30_000, ge=100, le=10**9, description="a move, where both visit as many")
    factor_depth: int = Field(4, ge=1, le=8, description="plies, in games without a factor")
    pairs: int = Field(150, ge=2, le=5000, description="pairs of games between two programs")
    seed: int = Field(1, ge=0, lt=2**31, description="another seed, other games")


QUICK = {"moves": 4, "game_pairs": 1, "match_depth": 4, "match_pairs": 1, "pairs": 5}


def player(algorithm: str, depth: int, judge: str = JUDGE, order: str = NATURAL) -> str:
    """A player's text; the study does not tell in which order its moves were tried."""
    text = f"{algorithm}:depth={depth},eval={judge}"
    return text if order == NATURAL else f"{text},order={order}"


def all_cells(parameters: ScoutParameters) -> list[Cell]:
    """The games against the levels, which take longest, first."""
    return [*_level_cells(parameters), *_position_cells(parameters), *_match_cells(parameters)]


# ------------------------------------------------------------------ the positions of a move


@cache
def positions(pair: int, which: int, depth: int, moves: int, seed: int) -> tuple[BasePosition, ...]:
    """Where the program has to choose in a game of a pair; it is Black in game 0, White in 1."""
    game = find_game(GAME)
    texts = player(ALPHA_BETA, depth), OPPONENT
    program, opponent = (make_machine(text, game, game.initial()) for text in texts)
    turn = Turn(BasePosition.begin(game), seed=(seed << 16) + 2 * pair + which)
    found: list[BasePosition] = []
    while not is_over(turn.state) and len(found) < moves:
        if turn.side == which and len(turn.legal) > 1:
            found.append(turn.position)
        mover = program if turn.side == which else opponent
        turn = turn.after(mover.choose(turn).move)
    return tuple(found)


# ------------------------------------------------------------------ searches of them

KEPT = ("move", "value", "nodes", "leaves")
ONE_SIDE, IN_TURN = "as printed, one side moves", "as printed, sides in turn"
BOUNDED, CORRECT = "TEST with a bound on depth", "SCOUT, corrected"
EVAL_ALONE = "SCOUT, EVAL alone"
FEWEST, FEWEST_OWN = "fewest, any heuristic", "fewest, this heuristic"
READINGS = {
    ONE_SIDE: (Reading(), MIN),
    IN_TURN: (Reading(takes_turns=1), MIN),
    BOUNDED: (Reading(has_bound=1, takes_turns=1), MIN),
    f"{ONE_SIDE}, for max": (Reading(), MAX),
    f"{IN_TURN}, for max": (Reading(takes_turns=1), MAX),
    f"{BOUNDED}, for max": (Reading(has_bound=1, takes_turns=1), MAX),
    CORRECT: (Reading(1, 1, 1, 1), MAX),
}
MOST_VISITS = 100_000  # of a printed procedure; the corrected one is known to end
FIRST_MOVES = {"": "as Black", "f5": "as White, after f5"}
OTHER_JUDGES = ("factors", "stages", "positional", "discs")


def search_moves(
    pair: int, which: int, depth: int, moves: int, seed: int, order: str = NATURAL
) -> Measured:
    """The program's moves in a game: both algorithms, one after the other."""
    rows: list[dict[str, Any]] = []
    times: dict[str, list[float]] = {SCOUT: [], ALPHA_BETA: []}
    for move, at in enumerate(positions(pair, which, depth, moves, seed), 1):
        row: dict[str, Any] = {"move": move, "legal": len(at.legal_codes)}
        for algorithm, spent in times.items():
            found = searched(at, player(algorithm, depth, order=order))
            row[algorithm] = {name: found.answer[name] for name in KEPT}
            spent += found.times_s["search"]
        rows.append(row)
    return Measured({"moves": rows}, times)


def searched(at: BasePosition, player: str) -> Measured:
    return search_position(GAME, player, moves=" ".join(at.moves))


def follow_printed(pair: int, which: int, depth: int, moves: int, seed: int) -> Measured:
    """EVAL and TEST on the same positions, by reading; without counts where the limit was met."""
    rows: list[dict[str, Any]] = []
    for move, at in enumerate(positions(pair, which, depth, moves, seed), 1):
        judge = find_evaluator(JUDGE, at.state).make()
        for name, (reading, asked) in READINGS.items():
            limit = MOST_NODES if name == CORRECT else MOST_VISITS
            found = visits_of(at.state, judge, reading, asked, depth, limit)
            rows.append({"move": move, "reading": name} | found)
    return Measured({"visits": rows})


def prove(pair: int, which: int, depth: int, moves: int, seed: int, move: int) -> Measured:
    """The smallest trees at one of these positions, if the game lasts so long."""
    rows = []
    for at in positions(pair, which, depth, moves, seed)[move - 1 : move]:
        judge = find_evaluator(JUDGE, at.state).make()
        value = searched(at, player(ALPHA_BETA, depth)).answer["value"]
        own = fewest_nodes(at.state, depth, judge, value, value)
        rows.append({"any": fewest_nodes(at.state, depth), "own": own})
    return Measured({"trees": rows})


def room_needed(depth: int) -> Measured:
    """The bytes that alpha-beta works in."""
    game = find_game(GAME)
    state = game.initial()
    searcher = make_machine(player(ALPHA_BETA, depth), game, state)
    assert isinstance(searcher, SearchPlayer)
    parts = Workshop(game, searcher.setup, None, None).parts(state, depth, MOST_NODES)
    slabs = (parts.moves, parts.ranks, parts.line, parts.counts)
    return Measured({"bytes": sum(int(slab.array.nbytes) for slab in slabs)})


def _position_cells(parameters: ScoutParameters) -> list[Cell]:
    depth = parameters.depth
    shared = {"depth": depth, "moves": parameters.moves, "seed": parameters.seed}
    games = [
        {"pair": pair, "which": which, **shared}
        for pair in range(parameters.game_pairs)
        for which in (0, 1)
    ]
    proved = reversed(range(1, parameters.moves + 1, parameters.proved_every))
    return [
        *(Cell.of(prove, move=move, **game) for move in proved for game in games[:2]),
        *(Cell.of(search_moves, order=order, **g) for order in (NATURAL, ORDERED) for g in games),
        *(Cell.of(follow_printed, **game) for game in games),
        *(
            Cell.of(search_position, game=GAME, player=player(ALPHA_BETA, depth, j), moves=moves)
            for j in OTHER_JUDGES
            for moves in FIRST_MOVES
        ),
        *(Cell.of(room_needed, depth=each) for each in (depth, 2 * depth)),
    ]


# ------------------------------------------------------------------ games against the levels

OPENING_PLIES = 4
OPENINGS_PER_CELL = 2


@dataclass
class Expecting(Wrapper):
    """The player inside; of each reply it keeps whether it was the one that was expected.

    And from how many legal ones it was chosen, and the nodes that the answer took.
    """

    replies: list[dict[str, Any]] = field(default_factory=list)
    _line: Sequence[int] = ()
    _ply: int | None = None

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        choice, at = ask(self.then, turn, stop), turn.position
        before = at.parent
        if self._ply is not None and before is not None and before.implied_code is None:
            played, legal = at.codes[self._ply :], len(before.legal_codes)
            is_hit = played == tuple(self._line[: len(played)])
            self.replies.append({"legal": legal, "hit": is_hit, "nodes": choice.nodes})
        self._line, self._ply = choice.line, at.ply
        return choice


def play_level(level: str, depth: int, openings: Sequence[str], seed: int) -> Measured:
    """The same games of every program against a level, with the same chance; seat 0 moves first."""
    rows, games = [], []
    for (number, opening), seat, program in product(enumerate(openings, seed), (0, 1), NAMES):
        text = program if program == FIRST_MOVE else player(program, depth, order=ORDERED)
        texts = (text, level) if seat == 0 else (level, text)
        begun = BasePosition.begin(GAME, moves=opening)
        one, other = (Expecting(make_machine(each, begun.game, begun.start)) for each in texts)
        record = play_game(begun, (one, other), texts, seed=2 * number + seat)
        row = {"program": program, "opening": opening, "seat": seat}
        row |= {"points": record.points_of(seat), "moves": " ".join(m.move for m in record.moves)}
        rows.append(row | {"replies": (one, other)[seat].replies if program == SCOUT else []})
        games.append(record)
    return Measured({"games": rows}, games=games)


def _level_cells(parameters: ScoutParameters) -> list[Cell]:
    """All levels meet the programs after the same openings; the expert thinks longest."""
    begun = openings(GAME, OPENING_PLIES, parameters.match_pairs, parameters.seed)
    return [
        Cell.of(
            play_level,
            level=level,
            depth=parameters.match_depth,
            openings=begun[at : at + OPENINGS_PER_CELL],
            seed=parameters.seed * 1_000_003 + at,
        )
        for level in reversed(LEVELS)
        for at in range(0, len(begun), OPENINGS_PER_CELL)
    ]


# ------------------------------------------------------------------ games between programs

MATCH_PLIES = 6
SAME_NODES = "as many nodes"
DISCS_ONLY = "all but the pieces"
END = "terminal node"
FACTORS = {
    "parity of pieces": ("discs",),
    "legal movements": ("mobility", "potential"),
    "positions": ("positions",),
    "stability": ("stable", "semi_stable", "unstable"),
    "representative movements": ("corner_moves", "edge_moves"),
    "intermediate tabs": ("between",),
    "parity": ("parity",),
}
"""The study's factors, by its own names: the weights that belong to each."""
LEFT_OUT = (*FACTORS, END, DISCS_ONLY)


def without(factor: str, depth: int) -> str:
    """The study's player without one factor; without the end it values a finished game by discs."""
    if factor == END:
        return f"{player(SCOUT, depth, order=ORDERED)},finish=scored"
    if factor == DISCS_ONLY:
        return player(SCOUT, depth, "discs", ORDERED)
    weights = ",".join(f"{weight}=0" for weight in FACTORS[factor])
    return player(SCOUT, depth, f"{JUDGE}({weights})", ORDERED)


def _match_cells(parameters: ScoutParameters) -> list[Cell]:
    depth, seed = parameters.factor_depth, parameters.seed
    equal = [f"{name}:nodes={parameters.nodes},eval={JUDGE}" for name in (SCOUT, ALPHA_BETA)]
    full = player(SCOUT, depth, order=ORDERED)
    matches = {SAME_NODES: equal} | {name: [full, without(name, depth)] for name in LEFT_OUT}
    return contest_cells(GAME, matches, parameters.pairs, MATCH_PLIES, seed)


# ------------------------------------------------------------------ findings


def findings(parameters: ScoutParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    moves, trees, games = run.frame(search_moves), run.frame(prove), run.frame(play_level)
    visits, over = with_eval_alone(run.frame(follow_printed)), scout_over_alpha_beta(moves)
    natural = moves.filter(order=NATURAL)
    followed, shown = readings(visits), by_move(natural, visits, trees)
    results, ready, firsts = results_by_level(games), prepared(games), first_moves(run)
    matches = points_by_match(run.frame(play_pairs))
    points, of_scout = estimates(matches, "match"), results.filter(algorithm=NAMES[SCOUT])
    ratios = {what: estimates(over, "order", what) for what in ("nodes", "seconds")}
    more = trees["any"] > NUMBERS["scout nodes, most"]
    return {
        "figures": figures(natural),
        "over": over,
        "over_by_order": ratios,
        "least_over": {
            what: min(each.values(), key=lambda ratio: ratio.value) for what, each in ratios.items()
        },
        "same_searches": same_decisions(natural),
        "legal": natural["legal"].median(),
        "by_move": shown,
        "moves_drawn": moves_drawn(shown),
        "readings": followed,
        "visits": {row["reading"]: row for row in followed.to_dicts()},
        "fewest": trees["any"].min(),
        "impossible": (int(more.sum()), len(more)),
        "enough": ENOUGH,
        "first_moves": firsts,
        "first_nodes": firsts.filter(heuristic=JUDGE)["as Black"].item(),
        "rooms": dict(run.frame(room_needed).select("depth", "bytes").iter_rows()),
        "results": results,
        "by_level": results.filter(pl.col("against") != "all"),
        "points": estimates(of_scout, "against"),
        "first_points": estimates(results, "algorithm")[NAMES[FIRST_MOVE]],
        "wins": {row["against"]: (row["won"], row["games"]) for row in of_scout.to_dicts()},
        "same_games": same_games(games),
        "ready": ready,
        "guessed": {name: estimates(ready, "against", name)["all"] for name in ready.columns[1:]},
        "matches": points,
        "ablated": in_order(matches, "match", LEFT_OUT).select("match", "points"),
        "strongest": max(FACTORS, key=lambda name: points[name].value),
    }


# ------------------------------------------------------------------ what searches come to


def scout_over_alpha_beta(searched: pl.DataFrame) -> pl.DataFrame:
    """By order of moves: all nodes, and SCOUT's over alpha-beta's, position by position."""
    return by(
        searched.sort("order", descending=True).with_columns(pl.col("order").replace(ORDERS)),
        "order",
        scout=lambda group: group["scout.nodes"].sum(),
        alpha_beta=lambda group: group["alphabeta.nodes"].sum(),
        nodes=times_as_much("scout.nodes", "alphabeta.nodes"),
        seconds=times_as_much("scout_s", "alphabeta_s"),
    )


def same_decisions(searched: pl.DataFrame) -> tuple[int, int]:
    """In how many searches both found the same value and the same move; of how many."""
    same = [pl.col(f"{SCOUT}.{name}") == pl.col(f"{ALPHA_BETA}.{name}") for name in KEPT[:2]]
    return len(searched.filter(same)), len(searched)


def figures(searched: pl.DataFrame) -> pl.DataFrame:
    """A row for each algorithm, as the study's text has it."""
    rows = []
    for algorithm in (SCOUT, ALPHA_BETA):
        nodes, ms = searched[f"{algorithm}.nodes"], 1000 * searched[f"{algorithm}_s"]
        row = {"algorithm": NAMES[algorithm], "nodes, first move": nodes[0]}
        row |= {"nodes, least": nodes.min(), "nodes, most": nodes.max()}
        rows.append(row | {"ms, least": ms.min(), "ms, most": ms.max()})
    return pl.DataFrame(rows)


def with_eval_alone(visits: pl.DataFrame) -> pl.DataFrame:
    """All visits as nodes; and those of SCOUT that remain if only EVAL is counted."""
    alone = visits.filter(reading=CORRECT)
    alone = alone.with_columns(reading=pl.lit(EVAL_ALONE), tests=0, better=None)
    both = pl.concat([visits, alone], how="vertical_relaxed")
    return both.with_columns(nodes=pl.col("evals") + pl.col("tests"))


def readings(visits: pl.DataFrame) -> pl.DataFrame:
    """How many nodes each reading visits, and how often within the published range."""
    nodes, published = pl.col("nodes"), (NUMBERS[f"scout nodes, {end}"] for end in ENDS)
    return visits.group_by("reading", maintain_order=True).agg(
        ends=nodes.is_not_null().mean(),
        least=nodes.min(),
        median=nodes.median(),
        most=nodes.max(),
        inside=nodes.is_between(*published).fill_null(False).mean(),
        keeps=(pl.col("better") == 0).mean(),
    )


def by_move(searched: pl.DataFrame, visits: pl.DataFrame, trees: pl.DataFrame) -> pl.DataFrame:
    """Medians of the nodes at each move of the program, and the least of the smallest trees."""
    found = searched.group_by("move", maintain_order=True).agg(
        pl.col("legal").median().alias("legal moves"),
        *(pl.col(f"{name}.nodes").median().alias(NAMES[name]) for name in (ALPHA_BETA, SCOUT)),
    )
    followed = visits.pivot("reading", index="move", values="nodes", aggregate_function="median")
    fewest = trees.group_by("move").agg(
        pl.col("own").min().alias(FEWEST_OWN), pl.col("any").min().alias(FEWEST)
    )
    shown = followed.select("move", EVAL_ALONE, ONE_SIDE, IN_TURN, BOUNDED)
    return found.join(fewest, "move", "left").join(shown, "move", "left").sort("move")


def moves_drawn(moves: pl.DataFrame) -> pl.DataFrame:
    """The same to be drawn; what was printed of SCOUT lies between two level lines."""
    shown = moves.select("move", *(NAMES[a] for a in (ALPHA_BETA, SCOUT)), FEWEST, BOUNDED)
    published = {f"published for SCOUT, {end}": NUMBERS[f"scout nodes, {end}"] for end in ENDS}
    lines = shown.with_columns(pl.lit(count).alias(name) for name, count in published.items())
    return lines.unpivot(index="move", variable_name="series", value_name="nodes").drop_nulls()


def first_moves(run: Measurements) -> pl.DataFrame:
    """Alpha-beta's nodes at its first move, by heuristic and side."""
    found = run.frame(search_position).with_columns(
        pl.col("player").str.extract(r"eval=(\w+)").alias("heuristic"),
        pl.col("moves").replace(FIRST_MOVES).alias("side"),
    )
    return found.pivot("side", index="heuristic", values="nodes")


# ------------------------------------------------------------------ what games come to


def results_by_level(games: pl.DataFrame) -> pl.DataFrame:
    """Games won, drawn and lost by each program, against each level and against all."""
    found = by(
        pl.concat([games, games.with_columns(level=pl.lit("all"))]),
        "program",
        "level",
        games=len,
        won=lambda group: (group["points"] == 1).sum(),
        drawn=lambda group: (group["points"] == 0.5).sum(),
        lost=lambda group: (group["points"] == 0).sum(),
        points=partial(_mean_share, value=pl.col("points").mean()),
    )
    found = in_order(in_order(found, "level", (*LEVELS, "all")), "program", list(NAMES))
    named = found.with_columns(pl.col("program").replace(NAMES))
    return named.rename({"program": "algorithm", "level": "against"})


def _mean_share(group: pl.DataFrame, value: pl.Expr) -> Estimate:
    """The mean over openings, since the games of one belong together."""
    found = group.group_by("opening", maintain_order=True).agg(value.alias("value"))
    return mean_share(found["value"].drop_nulls().drop_nans().to_list())


def same_games(games: pl.DataFrame) -> tuple[int, int]:
    """How many games of SCOUT are alpha-beta's, move for move; of how many."""
    scout, alphabeta = (games.filter(program=name) for name in (SCOUT, ALPHA_BETA))
    paired = scout.join(alphabeta, on=["level", "opening", "seat"])
    return int((paired["moves"] == paired["moves_right"]).sum()), len(paired)


GUESSES = {"any reply": 1 / pl.col("legal"), "expected reply": pl.col("hit").cast(float)}
"""For which reply an answer is prepared, and how likely it is to be the one that is played."""


def prepared(games: pl.DataFrame) -> pl.DataFrame:
    """How often the answer to a guessed reply is wanted, and what share of all nodes it saves."""
    replies = games.filter(program=SCOUT).select("level", "opening", "replies")
    replies = replies.explode("replies").drop_nulls().unnest("replies")
    nodes = pl.col("nodes")
    shares = {f"{name}: met": met.mean() for name, met in GUESSES.items()}
    shares |= {f"{name}: work saved": nodes.dot(met) / nodes.sum() for name, met in GUESSES.items()}
    found = by(
        pl.concat([replies, replies.with_columns(level=pl.lit("all"))]),
        "level",
        **{name: partial(_mean_share, value=value) for name, value in shares.items()},
    )
    return in_order(found, "level", (*LEVELS, "all")).rename({"level": "against"})


EXPERIMENT = study(
    __file__,
    name="othello-scout",
    title="SCOUT against alpha-beta at Othello",
    question=(
        "Does SCOUT visit 76 nodes where alpha-beta visits 26,264, does it play better, and what "
        "are the heuristic's factors and thinking ahead worth?"
    ),
    parameters=ScoutParameters,
    quick=QUICK,
    cells=all_cells,
    findings=findings,
)
