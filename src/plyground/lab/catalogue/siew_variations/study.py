"""Variations of minimax at Connect Four: the study of Siew (2020).

The study changed a public program for Connect Four. It let minimax play what it took for Althöfer's
algorithm, at depths 1 to 6 (Table 1), and timed minimax, alpha-beta, palphabeta and SCOUT on the
same moves (Tables 2 and 3). It says when alpha-beta can save nothing, and draws a tree on which
SCOUT visits fewer nodes (Figure 1). Its Algorithm 1 is alpha-beta, and its Algorithm 3 searches the
wrong move again: both are run as printed, and beside them what they were meant to be.

Added: pathology where it is known to occur, and at Connect Four; the worst order, measured; all
trees as small as Figure 1's; and what the study says without measuring it, of first moves,
re-searches, the horizon, quiescence search and Monte-Carlo tree search.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median as middle
from typing import Any

import polars as pl
from pydantic import Field

from plyground.core.scores import WIN
from plyground.evaluation.connect_four import Windows
from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import State, cells_left, is_over, play, side
from plyground.games.spec import GameSpec
from plyground.games.synthetic import CERTAIN
from plyground.lab.catalogue.siew_variations import trees
from plyground.lab.catalogue.siew_variations.bots import GAME, guided_game, play_both_ways
from plyground.lab.catalogue.siew_variations.bots import setup as bot_setup
from plyground.lab.contests import estimates, points_share, random_openings
from plyground.lab.frames import Measurements, by, frame_of, in_order, share_of, times_as_much
from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.statistics import Estimate, mean, mean_share
from plyground.lab.study import printed, study
from plyground.lab.tasks import answer_of, in_parts
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.run import Workshop, search
from plyground.search.setup import MOST_NODES, Limits, Setup
from plyground.solvers.answers import who_wins
from plyground.solvers.catalogue import solver_for

PRINTED = printed(__file__)
Texts = Sequence[str]
SEED_STEP = 1_000_003  # other seeds give other games and trees
NEARLY_PERFECT_FROM = 4  # the depth from which the study calls both players nearly perfect


class SiewParameters(Parameters):
    """Sizes of the samples, and how deep to look."""

    deepest: int = Field(6, ge=4, le=7, description="plies; games and searches use 1 to this")
    pairs: int = Field(200, ge=2, le=5000, description="pairs of games at each depth")
    given_games: int = Field(10, ge=2, le=200, description="games whose positions all search")
    given_moves: int = Field(10, ge=1, le=30, description="positions of each of these games")
    repetitions: int = Field(5, ge=1, le=99, description="of each search, for its time")
    trees: int = Field(3000, ge=50, le=100_000, description="random trees of each kind")
    tree_depth: int = Field(10, ge=4, le=14, description="plies of these trees")
    mistakes: float = Field(0.1, gt=0, lt=0.5, description="share of wrong values, in some trees")
    late_games: int = Field(1000, ge=10, le=10_000, description="games that lead to late positions")
    cells_left: int = Field(20, ge=8, le=24, description="empty cells of a late position")
    tree_step: int = Field(1, ge=1, le=5040, description="from one small tree to the next")
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
    "late_games": 60,
    "cells_left": 16,
    "tree_step": 67,
    "shapes": 15,
    "ordered": 3,
}


def depths(parameters: SiewParameters) -> range:
    return range(1, parameters.deepest + 1)


def all_cells(parameters: SiewParameters) -> list[Cell]:
    """The games, which take longest, come first."""
    return [
        *_match_cells(parameters),
        *_search_cells(parameters),
        *_decision_cells(parameters),
        *_order_cells(parameters),
        *_figure_cells(parameters),
        Cell.of(solve_first_moves),
    ]


# ------------------------------------------------------------------ the first move


def solve_first_moves() -> Measured:
    """What the first stone in each column leads to with best play, for whoever put it there."""
    game = find_game(GAME)
    start = game.initial()
    found = solver_for(game, start).scores(start)
    moves = [{"column": game.format_move(start, move), "score": s} for move, s in found.items()]
    return Measured({"moves": moves})


# ------------------------------------------------------------------ games between bots

ONCE, BY_CHANCE = "printed, no chance", "printed, ties at random"
OPENED, TRUE = "printed, random openings", "true, random openings"
DEEPER, ALTHOFER_DEEPER = "minimax", "Althöfer"
QUIET, CHANCE = "quiescence search", "Monte-Carlo tree search"
MATCHES = {
    ONCE: ("minimax {depth}", "althofer-printed {depth}"),
    BY_CHANCE: ("minimax {depth}", "althofer-printed {depth}"),
    OPENED: ("minimax {depth}", "althofer-printed {depth}"),
    TRUE: ("minimax {depth}", "althofer {depth}"),
    DEEPER: ("alphabeta {deeper}", "alphabeta {depth}"),  # plays what minimax plays, sooner
    ALTHOFER_DEEPER: ("althofer {deeper}", "althofer {depth}"),
    QUIET: ("quiescence {depth}", "alphabeta {depth}"),
    CHANCE: ("alphabeta {depth}", "uct {simulations}"),
}
"""By match: the bots. UCT has as many simulations as alpha-beta visits nodes for a given move."""
TABLE_1 = (ONCE, BY_CHANCE, OPENED, TRUE)
SIMULATIONS = {1: 8, 2: 32, 3: 161, 4: 564, 5: 2490, 6: 8074, 7: 36_000}
PAIRS_PER_CELL = 10
OPENING_PLIES = 4
EVEN = Estimate(0.5, 0.5, 0.5)
WINNERS = ["player 1", "player 2", "draw"]


def bots_of(match: str, depth: int) -> list[str]:
    known = {"depth": depth, "deeper": depth + 1, "simulations": SIMULATIONS[depth]}
    return [bot.format(**known) for bot in MATCHES[match]]


def play_pairs(
    match: str, depth: int, bots: Texts, openings: Texts, seed: int, random_ties: bool
) -> Measured:
    """Pairs of games, one from each opening; `match` and `depth` say to what they belong."""
    pairs = [
        play_both_ways(bots, opening, seed + number, random_ties)
        for number, opening in enumerate(openings)
    ]
    return Measured({"pairs": pairs})


def _match_cells(parameters: SiewParameters) -> list[Cell]:
    """The matches of all depths, the deepest first; all with openings have the same."""
    begun = random_openings(GAME, OPENING_PLIES, parameters.pairs, parameters.seed)
    from_empty = {ONCE: [""], BY_CHANCE: [""] * parameters.pairs}
    return [
        Cell.of(
            play_pairs,
            match=match,
            depth=depth,
            bots=bots_of(match, depth),
            openings=openings[at : at + PAIRS_PER_CELL],
            seed=parameters.seed * SEED_STEP + at,
            random_ties=match == BY_CHANCE,
        )
        for depth, match in itertools.product(reversed(depths(parameters)), MATCHES)
        if depth < parameters.deepest or match not in (DEEPER, ALTHOFER_DEEPER)
        for openings in [from_empty.get(match, begun)]
        for at in range(0, len(openings), PAIRS_PER_CELL)
    ]


def pairs_of(run: Measurements) -> pl.DataFrame:
    """Every pair, whether it is one game twice, and the points of whoever moved first."""
    points, games = pl.col("points").list, pl.col("games").list
    return run.frame(play_pairs).with_columns(
        twins=games.get(0) == games.get(1), moved_first=(points.get(0) + 1 - points.get(1)) / 2
    )


def outcomes(pairs: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Of every match: different games, pairs that are one game twice, and who takes the points."""
    return by(
        pairs,
        *names,
        games=lambda group: 2 * len(group),
        different=lambda group: group["games"].explode().n_unique(),
        twins=lambda group: group["twins"].mean(),
        moved_first=share_of("moved_first"),
        points=_points,
    )


def _points(pairs: pl.DataFrame) -> Estimate:
    """Those of the first bot; what plays one game twice takes half of them for certain."""
    return EVEN if pairs["twins"].all() else points_share(pairs["points"].to_list())


def _three_games(pairs: pl.DataFrame) -> pl.DataFrame:
    """Who won with minimax moving first: the game without chance, and two with some."""
    winner = pl.col("points").list.first().replace_strict([1.0, 0.0, 0.5], WINNERS)
    games = in_order(pairs, "match", [ONCE, BY_CHANCE]).sort("depth", maintain_order=True)
    nth = {f"game {n}": winner.get(n - 1) for n in (1, 2, 3)}
    return games.group_by("depth", maintain_order=True).agg(**nth)


# ------------------------------------------------------------------ decisions

P_GAME, MISTAKES, N_GAME = "P-games", "P-games, mistakes by chance", "N-games"
KINDS = (P_GAME, MISTAKES, N_GAME)
PATHOLOGICAL = (P_GAME, MISTAKES)
LATE = "late positions of Connect Four"
DECIDERS = {"minimax": "minimax", "althofer": "Althöfer"}
LATE_DECIDERS = {"alphabeta": "minimax", "althofer": "Althöfer", "quiescence": "quiescence search"}
"""By algorithm: its name. Alpha-beta decides as minimax does, sooner."""
DECISION = "positions", "algorithm", "depth"
BRANCHING = 2
GOLDEN = (math.sqrt(5) - 1) / 2
SPREAD = 100  # of what a move adds in N-games; ties are then rare
TREES_PER_CELL = 500
GAMES_PER_CELL = 50
EARLY_PLIES = 8  # random moves before a late position


def decide_on_trees(
    kind: str, algorithm: str, tree_depth: int, mistakes: float, first: int, count: int
) -> Measured:
    """Decisions at the roots of some trees, at every depth short of their leaves: 1 if right."""
    game = find_game("synthetic")
    right: dict[int, list[int]] = {depth: [] for depth in range(1, tree_depth)}
    judged, solver = _tree_setup(kind, algorithm, tree_depth, mistakes), _tree_solver()
    for seed in range(first, first + count):
        root = game.initial(**_tree_settings(kind, tree_depth, seed))
        exact = {
            move: -search(game, play(root, move), solver, Limits(depth=tree_depth)).value
            for move in game.legal(root)
        }
        if len(set(exact.values())) > 1:
            for depth, decisions in right.items():
                found = search(game, root, judged, Limits(depth=depth))
                decisions.append(_is_right(exact, found.move))
    return Measured(
        {"decisions": [{"depth": depth, "right": each} for depth, each in right.items()]}
    )


def _tree_settings(kind: str, tree_depth: int, seed: int) -> dict[str, Any]:
    """One tree; the share of won leaves keeps the root in balance at any depth (Pearl 1980)."""
    made = {"branching": BRANCHING, "depth": tree_depth, "seed": seed}
    if kind == N_GAME:
        return made | {"leaves": "incremental", "spread": SPREAD}
    return made | {"leaves": "pgame", "wins": 1 - GOLDEN if tree_depth % 2 else GOLDEN}


def _tree_setup(kind: str, algorithm: str, tree_depth: int, mistakes: float) -> Setup:
    game, leaves = find_game("synthetic"), BRANCHING**tree_depth
    judge: Any = trees.WonLeaves(leaves)
    if kind == MISTAKES:
        workshop = Workshop(game, _tree_solver(), None, None)
        room = workshop.parts(game.initial(), tree_depth, MOST_NODES)
        judge = trees.Mistaken(leaves, round(mistakes * CERTAIN), room)
    return Setup(find_algorithm(algorithm), judge, trees.Decided(leaves))  # type: ignore[arg-type]


def _tree_solver() -> Setup:
    return Setup(find_algorithm("negamax"), Zero(), trees.Decided(1))  # type: ignore[arg-type]


def _is_right(exact: Mapping[int, int], move: int | None) -> int:
    return int(move is not None and exact[move] == max(exact.values()))


def decide_late(deepest: int, empty: int, games: int, seed: int) -> Measured:
    """Decisions in late positions that some games lead to, and the result with best play."""
    game = find_game(GAME)
    solver, rows = solver_for(game, game.initial()), []
    begun = random_openings(GAME, EARLY_PLIES, games, seed)
    for state in filter(None, (late_position(opening, empty) for opening in begun)):
        exact = solver.scores(state, -1, 1)
        if len(set(exact.values())) == 1:
            continue
        for name, depth in itertools.product(LATE_DECIDERS, range(1, deepest + 1)):
            found = search(game, state, bot_setup(name, int(side(state))), Limits(depth=depth))
            one = {"algorithm": LATE_DECIDERS[name], "depth": depth, "nodes": found.nodes}
            one |= {"right": _is_right(exact, found.move), "seen": int(abs(found.value) >= WIN)}
            rows.append(one | {"result": max(exact.values())})
    return Measured({"decisions": rows})


def late_position(beginning: str, empty: int) -> State | None:
    """Where alpha-beta's play from this beginning has left so many cells; None if it ended."""
    return next((one for one in guided_game(beginning) if cells_left(one) <= empty), None)


def _decision_cells(parameters: SiewParameters) -> list[Cell]:
    first = parameters.seed * SEED_STEP
    games = range(first, first + parameters.late_games)
    seeds = range(first, first + parameters.trees)
    looked = {"deepest": parameters.deepest, "empty": parameters.cells_left}
    grown = {"tree_depth": parameters.tree_depth, "mistakes": parameters.mistakes}
    return [
        *(
            Cell.of(decide_late, games=len(part), seed=part[0], **looked)
            for part in in_parts(games, GAMES_PER_CELL)
        ),
        *(
            Cell.of(decide_on_trees, kind=k, algorithm=a, first=part[0], count=len(part), **grown)
            for k, a in itertools.product(KINDS, DECIDERS)
            for part in in_parts(seeds, TREES_PER_CELL)
        ),
    ]


def decisions_of(run: Measurements) -> pl.DataFrame:
    """A row for each decision; those of one position have the same number."""
    on_trees = run.frame(decide_on_trees).rename({"kind": "positions"}).explode("right")
    late = run.frame(decide_late).with_columns(positions=pl.lit(LATE))
    found = pl.concat([on_trees, late], how="diagonal").with_columns(
        pl.col("algorithm").replace(DECIDERS), number=pl.int_range(pl.len()).over(DECISION)
    )
    found = in_order(found, "algorithm", [*LATE_DECIDERS.values()])
    return in_order(found, "positions", [*KINDS, LATE])


def right_by_depth(decisions: pl.DataFrame) -> pl.DataFrame:
    """Shares of right decisions, and how many more are right than at depth 1."""
    at_first = pl.col("right").filter(pl.col("depth") == 1).first()
    known = decisions.with_columns(before=at_first.over("positions", "algorithm", "number"))
    found = by(known, *DECISION, decisions=len, right=share_of("right"), more=_more_right)
    return found.with_columns(more=pl.when(pl.col("depth") > 1).then("more"))


def _more_right(decisions: pl.DataFrame) -> Estimate:
    """How many more decisions are right than before, position by position."""
    return mean(decisions["right"] - decisions["before"])


def horizon_of(late: pl.DataFrame) -> pl.DataFrame:
    """Of won late positions: how often the win is seen, and how often it is given away unseen."""
    won = late.filter(pl.col("result") > 0, pl.col("algorithm") != "Althöfer")
    return by(
        won.with_columns(wrong=1 - pl.col("right")),
        "algorithm",
        "depth",
        positions=len,
        seen=share_of("seen"),
        given_away=lambda group: share_of("wrong")(group.filter(seen=0)),
    )


def quiescence_of(late: pl.DataFrame, matches: pl.DataFrame) -> pl.DataFrame:
    """What quiescence search gains on alpha-beta at the same depth, and what it costs."""
    plain = late.filter(algorithm="minimax").select(
        "depth", "number", before="right", plain="nodes"
    )
    both = late.filter(algorithm=QUIET).join(plain, on=["depth", "number"], maintain_order="left")
    found = by(both, "depth", nodes=times_as_much("nodes", "plain"), more=_more_right)
    points = matches.filter(match=QUIET).select("depth", "points")
    return found.join(points, on="depth", maintain_order="left")


# ------------------------------------------------------------------ what each algorithm costs

LEFT, CENTRE = "natural", "weights"
PRINTED_FORM, CORRECTED = "palphabeta as printed", "palphabeta corrected"
VARIANTS = {
    "alphabeta": "alpha-beta",
    "palphabeta-printed": PRINTED_FORM,
    "palphabeta": CORRECTED,
    "scout": "SCOUT",
}
OTHERS = {"althofer-printed": "Algorithm 1", "falphabeta": "fail-soft alpha-beta", "sss": "SSS*"}
AS_ALPHA_BETA = ["Algorithm 1", "fail-soft alpha-beta"]  # which visit the same nodes
NAMES = {"minimax": "minimax"} | VARIANTS | OTHERS
ORDER_NAMES = {LEFT: "from the left", CENTRE: "centre first"}
SEARCHERS = {LEFT: list(NAMES), CENTRE: list(VARIANTS)}
"""By order of moves: the algorithms."""
GIVEN_PLIES = 2  # random moves before a given game
GIVEN_PER_CELL = 5
ANSWER = ("value", "move", "nodes")


def search_given_games(
    algorithms: Texts, depth: int, order: str, openings: Texts, moves: int, repetitions: int
) -> Measured:
    """The positions of some games, each searched by all algorithms in turn."""
    game, limits = find_game(GAME), Limits(depth=depth)
    searches, times = [], []
    for opening in openings:
        for number, state in enumerate(itertools.islice(guided_game(opening), moves)):
            setups = {name: bot_setup(name, int(side(state)), order) for name in algorithms}
            found = [
                {name: search(game, state, each, limits) for name, each in setups.items()}
                for _ in range(repetitions)
            ]
            known = {"opening": opening, "number": number, "tests": tests_of(game, state, depth)}
            for name in algorithms:
                answer = answer_of(game, state, found[0][name])
                kept = {what: answer[what] for what in (*ANSWER, "researches")}
                searches.append({"algorithm": NAMES[name]} | known | kept)
                times.append(middle(once[name].inside_s for once in found))
    return Measured({"searches": searches}, {"search": times})


def tests_of(game: GameSpec, state: State, depth: int) -> int:
    """How many moves palphabeta tests with a minimal window, if it tries them from the left.

    Those are the moves beside the first one, of each node on the line of first moves.
    """
    tests = 0
    for _ in range(depth):
        if is_over(state):
            break
        legal = game.legal(state)
        tests += len(legal) - 1
        state = play(state, legal[0])
    return tests


def _search_cells(parameters: SiewParameters) -> list[Cell]:
    """One for each depth, order, and handful of games; the deepest first."""
    begun = random_openings(GAME, GIVEN_PLIES, parameters.given_games, parameters.seed)
    known = {"moves": parameters.given_moves, "repetitions": parameters.repetitions}
    return [
        Cell.of(
            search_given_games, algorithms=names, depth=depth, order=order, openings=part, **known
        )
        for depth in reversed(depths(parameters))
        for order, names in SEARCHERS.items()
        for part in in_parts(begun, GIVEN_PER_CELL)
    ]


def costs_of(searches: pl.DataFrame) -> pl.DataFrame:
    """A row for each algorithm, depth and game, with the means over its positions."""
    who = pl.when(pl.col("order") == "centre first").then(pl.col("algorithm") + ", centre first")
    keys = "order", "algorithm", "depth", "opening"
    means = searches.sort("depth").group_by(keys, maintain_order=True)
    return (
        means.agg(pl.col("nodes", "researches", "tests").mean(), seconds=pl.mean("search_s"))
        .with_columns(pl.col("order").replace(ORDER_NAMES))
        .with_columns(who=who.otherwise("algorithm"))
    )


def factors_of(costs: pl.DataFrame, what: str) -> Callable[..., Mapping[str, Estimate]]:
    """How many times as much of it one algorithm takes as another, game by game."""
    games = costs.pivot("who", index=["depth", "opening"], values=what)

    def compared(one: str, other: str, first: int = 1, last: int = 99) -> Mapping[str, Estimate]:
        kept = games.filter(pl.col("depth").is_between(first, last))
        return estimates(by(kept, "depth", times=times_as_much(one, other)), BY_DEPTH, "times")

    return compared


def ratios_of(costs: pl.DataFrame) -> pl.DataFrame:
    """What each algorithm takes for a move, and how many times as much as alpha-beta."""
    plain = pl.col("nodes", "seconds").filter(pl.col("algorithm") == "alpha-beta").first()
    plain = plain.over("order", "depth", "opening").name.prefix("plain_")
    both = in_order(costs.with_columns(plain), "algorithm", [*NAMES.values()])
    return by(
        both.sort("order", descending=True, maintain_order=True),
        "order",
        "algorithm",
        "depth",
        nodes=lambda one: one["nodes"].mean(),
        times_nodes=times_as_much("nodes", "plain_nodes"),
        times_seconds=times_as_much("seconds", "plain_seconds"),
        researches=lambda one: one["researches"].mean(),
    )


def drawn_ratios(ratios: pl.DataFrame) -> pl.DataFrame:
    """Times as much as alpha-beta: seconds as printed, and our nodes."""
    table = PRINTED.frame("table 3")
    theirs = table.select("depth", pl.col("palphabeta", "SCOUT") / pl.col("alpha-beta"))
    theirs = theirs.unpivot(index="depth", variable_name="algorithm", value_name="times")
    shown = pl.col("algorithm").is_in([PRINTED_FORM, CORRECTED, "SCOUT"])
    ours = ratios.filter(shown, order="from the left").select(
        "depth", "algorithm", times=pl.col("times_nodes").struct["value"]
    )
    sources = {"seconds, published": theirs, "nodes, ours": ours}
    return pl.concat([each.with_columns(what=pl.lit(what)) for what, each in sources.items()])


def answers_of(searches: pl.DataFrame, *names: str) -> pl.DataFrame:
    """How often each algorithm's answers differ from alpha-beta's for the same position."""
    plain = pl.col(ANSWER).filter(pl.col("algorithm") == "alpha-beta").first()
    found = searches.filter(order=LEFT).with_columns(
        pl.col(ANSWER) != plain.over("depth", "opening", "number")
    )
    return by(found, *names, searches=len, **{what: share_of(what) for what in ANSWER})


def failing_tests(costs: pl.DataFrame, form: str) -> Mapping[str, Estimate]:
    """By depth: the share of palphabeta's minimal windows that fail, so that it searches again."""
    kept = costs.filter(who=form).with_columns(part=pl.col("researches") / pl.col("tests"))
    failing = by(kept, "depth", part=lambda group: mean_share(group["part"].to_list()))
    return estimates(failing, BY_DEPTH, "part")


# ------------------------------------------------------------------ the worst order

MINIMAX, FEWEST = "minimax", "fewest possible"
PERFECT, WORST, LISTED = "perfect", "worst", "as listed"
ORDERS = {PERFECT: "", "by evaluation": "shallow", LISTED: "natural", "random": "random",
          "worst by evaluation": "worst", WORST: ""}  # fmt: skip
"""Perfect and worst are by the value that minimax gives to each move, best first and best last."""
CONNECT_FOUR, RANDOM_TREES, STAIRCASES = "Connect Four", "random trees", "staircase"
COLUMNS, TREE_BRANCHING = 7, 4


def count_leaves(tree: str, depth: int, roots: Sequence[Any]) -> Measured:
    """Leaves in all orders; `roots` are openings of Connect Four, or the seeds of random trees.

    The leaves of random trees have nothing to do with each other: to an evaluator all inner nodes
    are alike, and so are all orders by it. Of the staircase there is one for each depth.
    """
    game, setup = find_game("synthetic"), Setup(find_algorithm("alphabeta"), Zero(), AsScored())
    branching, orders = TREE_BRANCHING, [LISTED]
    if tree == CONNECT_FOUR:
        game, setup = find_game(GAME), replace(setup, evaluator=Windows(), finish=ByMargin())
        branching, orders = COLUMNS, [order for order in ORDERS if ORDERS[order]]
        states = [next(guided_game(opening)) for opening in roots]
    elif tree == RANDOM_TREES:
        made = {"branching": branching, "depth": depth, "spread": 10**6}
        states = [game.initial(**made, seed=seed) for seed in roots]
    else:
        game, states, orders = trees.STAIRCASE, [trees.staircase(branching, depth)], []
    counts = [_count(game, state, setup, depth, branching, orders) for state in states]
    return Measured({"counts": counts})


def _count(
    game: GameSpec, state: State, setup: Setup, depth: int, branching: int, orders: Sequence[str]
) -> dict[str, int]:
    def leaves(algorithm: str, order: str) -> int:
        made = replace(setup, algorithm=find_algorithm(algorithm), order=order)
        return search(game, state, made, Limits(depth=depth)).counters["leaves"]

    found = {MINIMAX: leaves("minimax", "natural"), FEWEST: trees.fewest_leaves(branching, depth)}
    found |= {order: leaves("alphabeta", ORDERS[order]) for order in orders}
    for name in (PERFECT, WORST):
        found[name] = trees.leaves_in_exact_order(game, state, setup, depth, name == PERFECT)
    return found


def _order_cells(parameters: SiewParameters) -> list[Cell]:
    """Every depth from 2 on, the deepest first; at depth 1 there is nothing to cut off."""
    seed, count = parameters.seed, parameters.ordered
    roots = {
        CONNECT_FOUR: random_openings(GAME, GIVEN_PLIES, count, seed),
        RANDOM_TREES: list(range(seed, seed + count)),
        STAIRCASES: [0],
    }
    return [
        Cell.of(count_leaves, tree=tree, depth=depth, roots=each)
        for depth in reversed(depths(parameters)[1:])
        for tree, each in roots.items()
    ]


def _share_of(group: pl.DataFrame, of: str) -> Estimate:
    """Leaves as a share of others; of a single tree, which is known exactly, without a doubt."""
    found = times_as_much("leaves", of)(group)
    return found if len(group) > 1 else Estimate(found.value, found.value, found.value)


# ------------------------------------------------------------------ Figure 1

TEXTBOOK = "textbook"
FIGURE = "siew"
ALL_NODES, FIGURE_DEPTH = 15, 3
SMALL_TREES = math.factorial(8)
SMALL_PER_CELL = 2520
SHAPES = ((2, 3), (2, 6), (2, 9), (4, 3), (4, 5), (4, 7), (7, 3), (7, 5))
DRAWN = {"alphabeta": "alpha-beta", "palphabeta": CORRECTED, "scout": "SCOUT"}
RIVALS = list(DRAWN.values())[1:]


def search_figure(tree: str) -> Measured:
    """The tree of the figure, by all three."""
    found = _search_by_all(TEXTBOOK, Zero(), FIGURE_DEPTH, {"tree": tree})
    return Measured({"searches": [{"algorithm": name} | each for name, each in found.items()]})


def search_small_trees(first: int, last: int, step: int) -> Measured:
    """Trees with the leaves 0 to 7 in some of all their orders: differences of nodes, counted."""
    differences: Counter[tuple[str, int]] = Counter()
    like_the_figure = 0
    for leaves in itertools.islice(itertools.permutations(range(8)), first, last, step):
        found = _search_by_all(TEXTBOOK, Zero(), FIGURE_DEPTH, {"tree": written(leaves)})
        nodes = {name: each["nodes"] for name, each in found.items()}
        differences.update((name, nodes[name] - nodes["alpha-beta"]) for name in RIVALS)
        like_the_figure += nodes["alpha-beta"] == ALL_NODES and nodes["SCOUT"] < ALL_NODES
    rows = [
        {"algorithm": name, "more": more, "trees": count}
        for (name, more), count in sorted(differences.items())
    ]
    return Measured({"differences": rows, "like_the_figure": like_the_figure})


def search_random_trees(branching: int, depth: int, first: int, count: int) -> Measured:
    """Nodes of all three on random trees."""
    made = {"branching": branching, "depth": depth, "spread": 10**6}
    nodes = []
    for seed in range(first, first + count):
        found = _search_by_all("synthetic", PathValue(), depth, made | {"seed": seed})
        nodes.append({name: each["nodes"] for name, each in found.items()})
    return Measured({"trees": nodes})


def written(leaves: Sequence[int]) -> str:
    """A complete binary tree of depth 3, as textbook trees are written."""
    a, b, c, d, e, f, g, h = leaves
    return f"(({a} {b}) ({c} {d})) (({e} {f}) ({g} {h}))"


def _search_by_all(
    game: str, evaluator: Any, depth: int, tree: Mapping[str, Any]
) -> dict[str, dict[str, int]]:
    """By algorithm: the value of a tree, and what was visited."""
    spec, found = find_game(game), {}
    root = spec.initial(**tree)
    for algorithm, name in DRAWN.items():
        setup = Setup(find_algorithm(algorithm), evaluator, AsScored())
        one = search(spec, root, setup, Limits(depth=depth))
        counted = {what: one.counters[what] for what in ("nodes", "leaves")}
        found[name] = {"value": one.value} | counted
    return found


def _figure_cells(parameters: SiewParameters) -> list[Cell]:
    """The figure, the smallest trees, and larger ones."""
    step, width = parameters.tree_step, SMALL_PER_CELL * parameters.tree_step
    seeds = {"first": parameters.seed, "count": parameters.shapes}
    larger = [Cell.of(search_random_trees, branching=b, depth=d, **seeds) for b, d in SHAPES]
    small = [
        Cell.of(search_small_trees, first=at, last=min(at + width, SMALL_TREES), step=step)
        for at in range(0, SMALL_TREES, width)
    ]
    return [*larger, *small, Cell.of(search_figure, tree=FIGURE)]


def small_trees(run: Measurements) -> pl.DataFrame:
    """How many of the smallest trees take so many nodes more than alpha-beta."""
    found = run.frame(search_small_trees).group_by("algorithm", "more").agg(pl.sum("trees"))
    return found.sort("algorithm", "more").with_columns(
        share=pl.col("trees") / pl.sum("trees").over("algorithm")
    )


def tallied(rows: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Shares of trees on which fewer, as many and more nodes are visited than by alpha-beta."""
    count, sign = pl.col("trees"), pl.col("more").sign()

    def part(wanted: int) -> pl.Expr:
        return count.filter(sign == wanted).sum() / count.sum()

    return rows.group_by(*names, maintain_order=True).agg(
        count.sum(),
        fewer=part(-1),
        as_many=part(0),
        more=part(1),
        average=(pl.col("more") * count).sum() / count.sum(),
    )


def larger_trees(run: Measurements) -> pl.DataFrame:
    """The same on random trees, and how many times as many nodes."""
    names, plain = ("algorithm", "branching", "depth"), pl.col("alpha-beta")
    rows = run.frame(search_random_trees).unpivot(
        RIVALS, index=[*names[1:], "alpha-beta"], variable_name="algorithm", value_name="nodes"
    )
    rows = rows.sort(names).with_columns(trees=pl.lit(1), more=pl.col("nodes") - plain)
    larger = by(rows, *names, times=times_as_much("nodes", "alpha-beta"))
    return tallied(rows, *names).drop("trees", "average").join(larger, on=names)


# ------------------------------------------------------------------ findings

BY_DEPTH = pl.format("depth {}", "depth")
KIND_AND_DEPTH = pl.format("{}, depth {}", "positions", "depth")
MATCH_AND_DEPTH = pl.format("{}, depth {}", "match", "depth")
BY_SHAPE = pl.format("{} moves, {} plies", "branching", "depth")


def touches(found: Mapping[str, Estimate], low: float, high: float) -> dict[str, bool]:
    """Where the interval has something in common with that from low to high."""
    return {name: one.low <= high and low <= one.high for name, one in found.items()}


def all_above(found: Mapping[str, Estimate], than: float) -> dict[str, bool]:
    """Where the interval is all above."""
    return {name: one.low > than for name, one in found.items()}


def findings(parameters: SiewParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    pairs, deep = pairs_of(run), parameters.tree_depth - 2  # the end is not yet in sight
    matches = outcomes(pairs, "match", "depth").sort("depth", maintain_order=True)
    return {
        "touches": touches,
        "all_above": all_above,
        "deep": deep,
        **_first_moves(run),
        **_table_1(pairs, matches),
        **_decisions(decisions_of(run), matches, deep),
        **_costs(run.frame(search_given_games)),
        **_orders(run, parameters.deepest),
        **_trees(run),
    }


def _first_moves(run: Measurements) -> dict[str, Any]:
    moves = run.frame(solve_first_moves)
    results = {column: who_wins(score) for column, score in moves.iter_rows()}
    others = results.keys() - {PRINTED.numbers["middle column"]}
    return {
        "first_moves": results,
        "first_table": frame_of([results]),
        "lost": {f"column {column}": results[column] == "loss" for column in sorted(others)},
    }


def _table_1(pairs: pl.DataFrame, matches: pl.DataFrame) -> dict[str, Any]:
    """Who wins: the side that moves first, or the algorithm."""
    is_deep = pl.col("depth") >= NEARLY_PERFECT_FROM
    varied = pl.col("match").is_in([BY_CHANCE, OPENED])
    shown = in_order(matches, "match", TABLE_1)
    shallow, opened = shown.filter(~is_deep, varied), pairs.filter(match=OPENED)
    games, deep = _three_games(pairs), outcomes(pairs.filter(is_deep, varied), "match")
    return {
        "three_games": games,
        "matches": shown,
        "once": dict(games.filter(is_deep).select("depth", "game 1").iter_rows()),
        "first_deep": estimates(deep, "match", "moved_first"),
        "first_shallow": estimates(shallow, MATCH_AND_DEPTH, "moved_first"),
        "minimax_shallow": estimates(shallow, MATCH_AND_DEPTH),
        "different": (len(opened.filter(twins=False)), len(opened)),
        "against_true": estimates(shown.filter(match=TRUE), BY_DEPTH),
    }


def _decisions(decisions: pl.DataFrame, matches: pl.DataFrame, deep: int) -> dict[str, Any]:
    """Whether deeper searches decide better, and what lies beyond the horizon."""
    depth, late = pl.col("depth"), decisions.filter(positions=LATE)
    right = right_by_depth(decisions.filter(pl.col("algorithm") != QUIET))
    minimax, althofer = (
        right.filter(depth > 1, algorithm=name) for name in ("minimax", "Althöfer")
    )
    on_trees = pl.col("positions").is_in(PATHOLOGICAL)
    minimax_late = minimax.filter(positions=LATE)
    quiescence, horizon = quiescence_of(late, matches), horizon_of(late)
    by_chance = matches.filter(match=CHANCE).select(
        "depth", "games", "points", simulations=depth.replace_strict(SIMULATIONS)
    )
    return {
        "right": right,
        "minimax_gains": estimates(minimax.filter(on_trees, depth=deep), "positions", "more"),
        "althofer_gains": estimates(althofer.filter(on_trees), KIND_AND_DEPTH, "more"),
        "late_gains": estimates(minimax_late, BY_DEPTH, "more"),
        "late_right": estimates(
            minimax_late.filter(depth >= NEARLY_PERFECT_FROM), BY_DEPTH, "right"
        ),
        "steps": in_order(matches, "match", [DEEPER, ALTHOFER_DEEPER]).select(
            "match", depth + 1, "games", "points"
        ),
        "horizon": horizon,
        "given_away": estimates(horizon.filter(algorithm="minimax"), BY_DEPTH, "given_away"),
        "quiescence": quiescence,
        "quiet_points": estimates(quiescence, BY_DEPTH),
        "by_chance": by_chance,
        "against_chance": estimates(by_chance, BY_DEPTH),
    }


def _costs(searches: pl.DataFrame) -> dict[str, Any]:
    """What the algorithms cost for a move."""
    costs = costs_of(searches)
    ratios, algorithm = ratios_of(costs), pl.col("algorithm")
    wrong = answers_of(searches, "algorithm", "depth").filter(algorithm=PRINTED_FORM)
    return {
        "means": costs.pivot("who", index="depth", values="seconds", aggregate_function="mean"),
        "nodes": factors_of(costs, "nodes"),
        "seconds": factors_of(costs, "seconds"),
        "ratios": ratios.filter(~algorithm.is_in(AS_ALPHA_BETA)),
        "nodes_drawn": ratios.filter(~algorithm.is_in([*OTHERS.values()])),
        "ratios_drawn": drawn_ratios(ratios),
        "answers": answers_of(searches, "algorithm"),
        "wrong": estimates(wrong, BY_DEPTH, "value"),
        "failing": {form: failing_tests(costs, form) for form in (PRINTED_FORM, CORRECTED)},
    }


def _orders(run: Measurements, deepest: int) -> dict[str, Any]:
    """What alpha-beta saves in which order, beside minimax and the fewest leaves possible."""
    rows = run.frame(count_leaves).unpivot(
        list(ORDERS),
        index=["tree", "depth", MINIMAX, FEWEST],
        variable_name="order",
        value_name="leaves",
    )
    leaves = by(
        in_order(rows.drop_nulls("leaves"), "tree", [CONNECT_FOUR, RANDOM_TREES, STAIRCASES]),
        "tree",
        "depth",
        "order",
        leaves=lambda group: group["leaves"].mean(),
        of_minimax=lambda group: _share_of(group, MINIMAX),
        of_fewest=lambda group: _share_of(group, FEWEST),
    )
    at_end = leaves.filter(depth=deepest).drop("depth")
    return {
        "leaves": at_end,
        "leaves_drawn": leaves.filter(tree=CONNECT_FOUR),
        "in_order": {
            order: estimates(at_end.filter(order=order), "tree", "of_minimax")
            for order in (PERFECT, WORST)
        },
    }


def _trees(run: Measurements) -> dict[str, Any]:
    """The tree of the figure, and others."""
    figure, small, larger = run.frame(search_figure), small_trees(run), larger_trees(run)
    tally, like_it = tallied(small, "algorithm"), run.frame(search_small_trees).unique("first")
    return {
        "figure": figure.select("algorithm", "value", "nodes", "leaves"),
        "visited": dict(figure.select("algorithm", "nodes").iter_rows()),
        "small": tally,
        "small_drawn": small,
        "scout_small": tally.row(by_predicate=pl.col("algorithm") == "SCOUT", named=True),
        "like_the_figure": like_it["like_the_figure"].sum(),
        "larger": larger,
        "scout_larger": estimates(larger.filter(algorithm="SCOUT"), BY_SHAPE, "times"),
    }


EXPERIMENT = study(
    __file__,
    name="siew-variations",
    title="Variations of minimax at Connect Four",
    question=(
        "Does minimax suffer from pathology at Connect Four, and what do alpha-beta, palphabeta "
        "and SCOUT save, in which order of moves?"
    ),
    parameters=SiewParameters,
    quick=QUICK,
    cells=all_cells,
    findings=findings,
)
