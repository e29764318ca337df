"""The family portrait: all exact algorithms on all games, and what is claimed of them.

Plaat, Schaeffer, Pijls & de Bruin (1996) show SSS* and DUAL* to be alpha-beta with memory, called
with minimal windows, and let MTD(f) meet aspiration NegaScout at checkers, Othello and chess; it is
rebuilt in `aspns.py`. Judged beside them: SCOUT at Kalah (Pearl 1980), NegaScout and MTD(f) at
Othello and the price of an evaluation (as Tommy et al. 2017 tell it), and bitboards (Neudeck 2019).
All algorithms are given the same positions.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any, Literal, NamedTuple, get_args

import polars as pl
from pydantic import Field

from plyground.core.scores import INFINITY
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.general import Zero
from plyground.evaluation.remembered import Remembered, remembered
from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.lab.catalogue.family.aspns import aspiration_negascout
from plyground.lab.catalogue.family.kernels import (
    MINE,
    SQUARES,
    Dear,
    Marks,
    Tallied,
    board_of,
    fewest_leaves,
    perft_on_array,
)
from plyground.lab.contests import estimates
from plyground.lab.frames import Measurements, by, in_order, times_as_much
from plyground.lab.spec import Answer, Cell, Measured, Parameters, Task
from plyground.lab.statistics import Estimate, mean
from plyground.lab.study import study
from plyground.lab.tasks import in_parts, openings, search_alone
from plyground.search.catalogue import ALGORITHMS, find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.run import Workshop
from plyground.search.setup import Setup

GameName = Literal["connect4", "othello", "kalah", "mnk", "double-card", "synthetic"]
ComparedGame = Literal["othello", "connect4", "synthetic"]

MINIMAX, ALPHABETA, SCOUT = "minimax", "alphabeta", "scout"
# One name per kernel: Althöfer's algorithm as Siew prints it is alpha-beta.
EXACT = tuple(
    each.name for each in ALGORITHMS if each.equals_minimax and each.name != "althofer-printed"
)
ASPIRATION, MEMORY = "aspns", "abmemory"
RIVALS = {
    "mtdf": "MTD(f)",
    ASPIRATION: "aspiration NegaScout",
    MEMORY: "alpha-beta",
    "mt-dual": "MT-DUAL*",
    "mt-sss": "MT-SSS*",
}
"""Those of Plaat et al., in the order in which they are ranked; alpha-beta has memory."""
TWINS = {"sss": "mt-sss", "dual": "mt-dual"}
AT_KALAH = (ALPHABETA, SCOUT, "scout-eval")
KALAH_JUDGES, KALAH_ORDERS = ("stores", "rich"), ("table", "shallow")
WITH_TABLE = f"{ASPIRATION} {INFINITY}"  # a window that leaves nothing out
PRICED = {"negascout": "NegaScout", WITH_TABLE: "NegaScout with a table"}
ROUNDS = (0, 10, 100, 1000)  # that make an evaluation dear
PRICED_DEPTH, BOARD_DEPTH = 6, 6


class Setting(NamedTuple):
    """How a game takes part: random moves before the search, depths of portrait and comparison."""

    title: str
    plies: int
    depth: int
    compared: int = 0
    order: str = "table"
    settings: Mapping[str, Any] = {}


BRANCHING = 5
TREE = {"branching": BRANCHING, "depth": 12, "leaves": "incremental", "spread": 20}
GAMES: Mapping[str, Setting] = {
    "connect4": Setting("Connect Four", 4, 7, 10, "weights"),
    "othello": Setting("Othello", 8, 6, 8, "weights"),
    "kalah": Setting("Kalah", 4, 7),
    "mnk": Setting("4,4,4 game", 4, 5, 0, "weights", {"m": 4, "n": 4, "k": 4}),
    "double-card": Setting("Double Card", 6, 3),
    "synthetic": Setting("synthetic trees", 0, 7, 8, "table", TREE),
}
TREES: Mapping[str, Mapping[str, Any]] = {
    "independent": {"leaves": "independent"},
    "incremental": {"leaves": "incremental", "spread": 20},
    "ordered": {"leaves": "ordered", "quality": 0.7, "spread": 20},
}


class FamilyParameters(Parameters):
    """Sizes of the samples, what to compare, and how deep to look."""

    games: tuple[GameName, ...] = Field(
        get_args(GameName), min_length=1, description="games of the portrait"
    )
    algorithms: tuple[str, ...] = Field(
        EXACT, description="exact algorithms of the portrait; minimax and alphabeta always"
    )
    positions: int = Field(
        20, ge=2, le=500, description="of each game in the portrait, and for perft"
    )
    compared_games: tuple[ComparedGame, ...] = Field(
        get_args(ComparedGame), min_length=1, description="games on which MTD(f) meets its rivals"
    )
    compared_positions: int = Field(
        400, ge=2, le=1000, description="positions of each of them, timed once"
    )
    guesses: tuple[Literal[1, 2], ...] = Field(
        (1, 2), min_length=1, description="plies back to the value that serves as the guess"
    )
    half_windows: tuple[int, ...] = Field(
        (2, 5, 10, 25, 50, 100, 200),
        min_length=1,
        description="of aspiration NegaScout, on either side of the guess; the best one counts",
    )
    priced_positions: int = Field(
        40, ge=2, le=1000, description="positions for the price of an evaluation"
    )
    shallower: int = Field(0, ge=0, le=4, description="plies less deep than each game's usual")
    tree_depth: int = Field(8, ge=2, le=10, description="plies of the trees for SSS* and DUAL*")
    trees: int = Field(100, ge=2, le=10_000, description="such trees of each kind")
    kalah_depth: int = Field(9, ge=2, le=12, description="the deepest search of SCOUT at Kalah")
    kalah_positions: int = Field(50, ge=2, le=1000, description="positions there")
    memory_mb: int = Field(32, ge=1, le=1024, description="of each table")
    repetitions: int = Field(3, ge=1, le=99, description="of other timed searches")
    seed: int = Field(1, ge=0, lt=2**31, description="another seed, other positions")

    @property
    def chosen(self) -> list[str]:
        """The algorithms of the portrait, in the order of the catalogue."""
        return [name for name in EXACT if name in (MINIMAX, ALPHABETA, *self.algorithms)]

    def depths(self, game: str) -> range:
        """Of the portrait."""
        return range(2, max(2, GAMES[game].depth - self.shallower) + 1)

    def compared_depth(self, game: str) -> int:
        return max(2, GAMES[game].compared - self.shallower)


QUICK = {
    "games": ("connect4", "kalah"),
    "algorithms": (MINIMAX, ALPHABETA, SCOUT, "negascout", "mtdf"),
    "positions": 5,
    "compared_games": ("othello",),
    "compared_positions": 10,
    "priced_positions": 10,
    "guesses": (1,),
    "shallower": 2,
    "tree_depth": 6,
    "trees": 10,
    "kalah_depth": 7,
    "kalah_positions": 10,
    "repetitions": 1,
}

# ------------------------------------------------------------------ cells

SEED = "seed "  # what the position of a synthetic tree begins with


def positions_of(game: str, count: int, seed: int) -> list[str]:
    """So many positions, by the moves of a random opening; a synthetic tree by its seed."""
    if game == "synthetic":
        return [f"{SEED}{seed + i}" for i in range(count)]
    return openings(game, GAMES[game].plies, count, seed, GAMES[game].settings)


def all_cells(p: FamilyParameters) -> list[Cell]:
    """Those that take longest first: comparisons, then the deepest portraits."""
    portraits = [*_portrait_cells(p), *_kalah_cells(p)]
    portraits.sort(key=lambda cell: cell.arguments["depth"], reverse=True)
    return [*_deepening_cells(p), *portraits, *_priced_cells(p), *_tree_cells(p), *_board_cells(p)]


def _searches(task: Task, positions: Sequence[str], **given: Any) -> list[Cell]:
    """The same search of all positions, a few in each cell."""
    return [Cell.of(task, positions=part, **given) for part in in_parts(positions)]


def _portrait_cells(p: FamilyParameters) -> Iterator[Cell]:
    """Every game at every depth; only the deepest is timed with care."""
    given: dict[str, Any] = {"algorithms": p.chosen, "memory_mb": p.memory_mb, "with_fewest": True}
    for game in p.games:
        chosen, (*others, deepest) = positions_of(game, p.positions, p.seed), p.depths(game)
        given |= {"game": game, "order": GAMES[game].order}
        for depth in others:
            yield Cell.of(portray, positions=chosen, depth=depth, repetitions=1, **given)
        yield from _searches(portray, chosen, depth=deepest, repetitions=p.repetitions, **given)


def _kalah_cells(p: FamilyParameters) -> Iterator[Cell]:
    """SCOUT and alpha-beta, by evaluator, order and depth."""
    chosen, depths = positions_of("kalah", p.kalah_positions, p.seed), range(2, p.kalah_depth + 1)
    given = {"game": "kalah", "positions": chosen, "algorithms": AT_KALAH}
    for judge, order, depth in itertools.product(KALAH_JUDGES, KALAH_ORDERS, depths):
        yield Cell.of(portray, depth=depth, order=order, evaluator=judge, **given)


def _deepening_cells(p: FamilyParameters) -> Iterator[Cell]:
    given: dict[str, Any] = {"half_windows": p.half_windows, "memory_mb": p.memory_mb}
    given["repetitions"] = 1  # the many positions tell how sure a time is
    for game, back in itertools.product(p.compared_games, p.guesses):
        chosen, depth = positions_of(game, p.compared_positions, p.seed), p.compared_depth(game)
        yield from _searches(deepen, chosen, game=game, depth=depth, back=back, **given)


def _priced_cells(p: FamilyParameters) -> Iterator[Cell]:
    """MTD(f) and NegaScout with evaluators that take so many rounds longer."""
    given: dict[str, Any] = {"memory_mb": p.memory_mb, "repetitions": p.repetitions}
    given |= {"depth": PRICED_DEPTH, "algorithms": ("mtdf", *PRICED)}
    for rounds, game in itertools.product(reversed(ROUNDS), ("othello", "synthetic")):
        given |= {"game": game, "order": GAMES[game].order, "rounds": rounds}
        chosen = positions_of(game, p.priced_positions, p.seed)
        yield from _searches(portray, chosen, **given)


def _tree_cells(p: FamilyParameters) -> Iterator[Cell]:
    for kind, branching in itertools.product(TREES, (2, BRANCHING - 1)):
        for part in in_parts(range(p.seed, p.seed + p.trees), 25):
            given = {"kind": kind, "branching": branching, "depth": p.tree_depth}
            yield Cell.of(compare_leaves, **given, seeds=list(part))


def _board_cells(p: FamilyParameters) -> Iterator[Cell]:
    chosen = positions_of("othello", p.positions, p.seed)
    yield from _searches(count_on_boards, chosen, depth=BOARD_DEPTH, repetitions=p.repetitions)


# ------------------------------------------------------------------ tasks
#
# Leaves and nodes are those of `docs/counting.md`. In `deepen` the values of leaves are remembered,
# as a table that also holds leaves would do: "evaluated" counts only those that were asked for
# anew. Finished games are valued by the rules, and are not among them.

MEGABYTE = 2**20
OPEN_BYTES = 256 * MEGABYTE  # for the open nodes of SSS*; what is not used is never touched
REMEMBERED_BYTES = 32 * MEGABYTE  # for the values of leaves
TREE_BYTES = 256 * MEGABYTE  # so large for a small tree that nothing known is lost

Timed = tuple[Any, float]
"""What was found, and the seconds it took."""


def portray(
    game: str,
    depth: int,
    positions: Sequence[str],
    algorithms: Sequence[str],
    order: str,
    evaluator: str | None = None,
    memory_mb: int = 32,
    repetitions: int = 1,
    with_fewest: bool = False,
    rounds: int | None = None,
) -> Measured:
    """Search every position with every algorithm: value, leaves, nodes; one depth, one search.

    With `rounds` each evaluation takes so many rounds longer.
    """
    spec, answers, times = find_game(game), [], []
    for position in positions:
        state = _state(spec, position)
        setup = _setup(spec, state, evaluator, order, memory_mb)
        if rounds is not None:
            setup = replace(setup, evaluator=Dear(setup.evaluator, rounds))
        fewest: Answer = {}
        for name in algorithms:
            search = partial(_searched, spec, state, _with(setup, name))
            answer, seconds = _timed(search, depth, repetitions)
            if with_fewest and not fewest:
                fewest["fewest"] = fewest_leaves(spec, state, setup, depth, answer["value"])
            answers.append({"position": position, "algorithm": name, **answer, **fewest})
            times.append(seconds)
    return Measured({"searches": answers}, {"search": times})


def deepen(
    game: str,
    depth: int,
    positions: Sequence[str],
    back: int,
    half_windows: Sequence[int],
    memory_mb: int,
    repetitions: int,
) -> Measured:
    """Search depth 1, 2, 3 ... with each rival; counts are sums over all depths so far.

    A guess is the value found so many plies `back`, where there is one.
    """
    spec, answers, times = find_game(game), [], []
    names = [name for name in RIVALS if name != ASPIRATION]
    names += [f"{ASPIRATION} {half}" for half in half_windows]
    memory = remembered(Zero(), REMEMBERED_BYTES)
    for position in positions:
        state = _state(spec, position)
        setup = _setup(spec, state, None, GAMES[game].order, memory_mb)
        for name in names:
            search = partial(_deepened, spec, state, _with(setup, name), back, memory)
            answer, seconds = _timed(search, depth, repetitions)
            answers.append({"position": position, "algorithm": name, **answer})
            times.append(seconds)
    return Measured({"searches": answers}, {"search": times})


def compare_leaves(kind: str, branching: int, depth: int, seeds: Sequence[int]) -> Measured:
    """Which leaves SSS* and DUAL* see, and which their rebuilt forms: on the same trees."""
    game, found = find_game("synthetic"), []
    for seed in seeds:
        state = game.initial(branching=branching, depth=depth, seed=seed, **TREES[kind])
        value, seen = {}, {}
        for name in (ALPHABETA, *TWINS, *TWINS.values()):
            value[name], seen[name] = _leaves_seen(game, state, name, branching**depth, depth)
        found.append(
            {
                "value": value,
                "visits": {name: sum(each.values()) for name, each in seen.items()},
                "distinct": {name: len(each) for name, each in seen.items()},
                "same": {one: seen[one].keys() == seen[two].keys() for one, two in TWINS.items()},
                "within alphabeta": {
                    one: seen[one].keys() <= seen[ALPHABETA].keys() for one in TWINS
                },
            }
        )
    return Measured({"trees": found})


def count_on_boards(depth: int, positions: Sequence[str], repetitions: int) -> Measured:
    """Perft of Othello, on bitboards and on an array of squares."""
    game, answers, times = find_game("othello"), [], []
    moves = Slab(game.max_moves * (depth + 1))
    for position in positions:
        state = _state(game, position)
        counts = {
            "bitboards": partial(_counted, perft, (state,), (moves, 0)),
            "array": partial(_counted, perft_on_array, (board_of(state), MINE), (SQUARES,)),
        }
        for name, count in counts.items():
            leaves, seconds = _timed(count, depth, repetitions)
            answers.append({"position": position, "algorithm": name, "leaves": leaves})
            times.append(seconds)
    return Measured({"searches": answers}, {"search": times})


# ------------------------------------------------------------------ what the tasks share


def _state(game: GameSpec, position: str) -> State:
    settings = dict(GAMES[game.name].settings)
    if position.startswith(SEED):
        settings["seed"], position = int(position.removeprefix(SEED)), ""
    start = game.initial(**settings)
    return game.replay(start, game.parse_moves(start, position))


def _setup(
    game: GameSpec, state: State, evaluator: str | None, order: str, memory_mb: int
) -> Setup:
    judge = find_evaluator(evaluator, state).make()
    finish = AsScored() if game.is_scored else ByMargin()
    memory = memory_mb * MEGABYTE
    return Setup(find_algorithm(ALPHABETA), judge, finish, order, memory_bytes=memory)


def _timed(search: Callable[[int], Timed], depth: int, repetitions: int) -> Timed:
    """What was found, and the median of the seconds; one ply first, which compiles."""
    search(1)
    runs = [search(depth) for _ in range(repetitions)]
    return runs[0][0], median(seconds for _, seconds in runs)


def _counted(count: Any, before: Sequence[Any], after: Sequence[Any], depth: int) -> Timed:
    started = time.perf_counter()
    leaves = int(count(*before, depth, *after))
    return leaves, time.perf_counter() - started


def _with(setup: Setup, name: str) -> Setup:
    """With an algorithm; aspiration NegaScout's name has its half window, as in "aspns 25"."""
    kind, _, half_window = name.partition(" ")
    if kind == ASPIRATION:
        return replace(setup, algorithm=aspiration_negascout(int(half_window)))
    algorithm = find_algorithm(name)
    memory = OPEN_BYTES if algorithm.call == "best-first" else setup.memory_bytes
    return replace(setup, algorithm=algorithm, memory_bytes=memory)


def _searched(game: GameSpec, state: State, setup: Setup, depth: int) -> Timed:
    with Workshop(game, setup, None, None) as workshop:
        found = search_alone(workshop, state, depth)
    counts = {what: found.counters[what] for what in ("leaves", "nodes")}
    return {"value": found.value, **counts}, found.time_s


def _deepened(
    game: GameSpec, state: State, setup: Setup, back: int, memory: Remembered, deepest: int
) -> Timed:
    """What one rival found at each depth, and the seconds in all."""
    tally, total, seconds = Slab(1), Counter[str](), 0.0
    memory.slots.array.fill(0)
    setup = replace(setup, evaluator=memory._replace(inner=Tallied(setup.evaluator, tally)))
    answer: Answer = {what: [] for what in ("value", "leaves", "evaluated", "nodes", "passes")}
    with Workshop(game, setup, None, None) as workshop:
        for depth in range(1, deepest + 1):
            guess = answer["value"][-min(back, depth - 1)] if depth > 1 else 0
            found = search_alone(workshop, state, depth, guess)
            total.update(found.counters)
            seconds += found.time_s
            told = {**total, "value": found.value, "evaluated": tally[0]}
            for what, values in answer.items():
                values.append(told[what])
    return answer, seconds


def _leaves_seen(
    game: GameSpec, state: State, name: str, leaves: int, depth: int
) -> tuple[int, dict[int, int]]:
    """The value, and how often each leaf was visited, by its place from left to right."""
    marks, algorithm = Marks(Slab(leaves)), find_algorithm(name)
    setup = Setup(algorithm, Zero(), marks, memory_bytes=TREE_BYTES)  # type: ignore[arg-type]
    with Workshop(game, setup, None, None) as workshop:
        value = search_alone(workshop, state, depth).value
    return value, {place: times for place, times in enumerate(marks.visits.array.tolist()) if times}


# ------------------------------------------------------------------ findings

FEWEST = "fewest possible"
OVER_DEPTH = (MINIMAX, ALPHABETA, "negascout", "mtdf", "mt-sss", FEWEST)
TITLE = "{}, deepening to depth {}, {}, window ± {}"
WORDS: Mapping[str, Mapping[str, str]] = {
    "game": {game: each.title for game, each in GAMES.items()},
    "back": {"1": "guess from the depth before", "2": "guess from two depths before"},
    "order": {"table": "as listed", "shallow": "by evaluation"},
}
"""How columns read in the report."""
SEARCH = ("game", "evaluator", "order", "depth", "ply", "back", "rounds", "position")
"""What two searches have in common that are compared."""
COUNTS = ("evaluated", "leaves", "nodes", "seconds")
Of = Callable[[pl.DataFrame], Any]
"""What a column is made of: the rows of a group."""


def findings(p: FamilyParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    searched, deepened, counted = (
        run.frame(task).rename({"search_s": "seconds"})
        for task in (portray, deepen, count_on_boards)
    )
    portraits = searched.filter(pl.col("fewest").is_not_null())
    priced = searched.filter(pl.col("rounds").is_not_null())
    kalah = searched.filter(pl.col("evaluator").is_not_null())
    trees = run.frame(compare_leaves)
    return {
        "exact": exactness([portraits, priced, kalah, deepened], trees),
        **_portrait(portraits),
        **_special_cases(trees),
        **rivalry(deepened),
        **_prices(priced),
        **_scout_at_kalah(kalah),
        **_boards(counted),
    }


def compared(found: pl.DataFrame, other: str, *names: str, **columns: Of) -> pl.DataFrame:
    """How many times as much each group counts as another algorithm on the same positions."""
    keys = [name for name in SEARCH if name in found.columns]
    counts = [name for name in COUNTS if name in found.columns]
    theirs = found.filter(algorithm=other).select(*keys, pl.col(counts).name.prefix("other "))
    both = found.join(theirs, on=keys, nulls_equal=True, maintain_order="left")
    times = {what: times_as_much(what, f"other {what}") for what in counts}
    return by(both, *names, **times, **columns)


def value_of(name: str) -> pl.Expr:
    """The values of a column of estimates, without their intervals."""
    return pl.col(name).struct["value"].alias(name)


def in_words(frame: pl.DataFrame) -> pl.DataFrame:
    """Games, guesses and orders of moves as they are called in the report."""
    known = {name: words for name, words in WORDS.items() if name in frame.columns}
    return frame.with_columns(pl.col(n).cast(str).replace(words) for n, words in known.items())


def exactness(frames: Sequence[pl.DataFrame], trees: pl.DataFrame) -> tuple[int, int]:
    """On how many positions all values are equal, and of how many."""
    same = [len(set(values)) == 1 for values in trees.select("^value.*$").iter_rows()]
    for frame in frames:
        keys = [name for name in SEARCH if name in frame.columns]
        same += frame.group_by(keys).agg(same=pl.col("value").n_unique() == 1)["same"].to_list()
    return sum(same), len(same)


def _portrait(found: pl.DataFrame) -> dict[str, Any]:
    """What each algorithm costs, as a multiple of alpha-beta and of the smallest proof."""
    proofs = found.filter(algorithm=ALPHABETA).with_columns(
        algorithm=pl.lit(FEWEST), leaves="fewest", nodes=pl.lit(0), seconds=pl.lit(0.0)
    )
    found = pl.concat([found, proofs], how="vertical_relaxed")
    deepest = found.filter(pl.col("depth") == pl.col("depth").max().over("game"))
    costs = compared(
        in_order(deepest, "game", list(GAMES)),
        ALPHABETA,
        *("game", "depth", "algorithm"),
        visited=lambda group: group["leaves"].mean(),
        fewest=times_as_much("leaves", "fewest"),
    )
    means = found.group_by("game", "depth", "algorithm").agg(pl.col("leaves").mean())
    means = in_order(means.sort("depth"), "game", list(GAMES))
    return {
        "portraits": tables(in_words(costs), "{}, depth {}", "game", "depth"),
        "thrift": in_words(costs).select("game", "algorithm", value_of("leaves")),
        "by_depth": in_words(in_order(means, "algorithm", OVER_DEPTH)),
    }


def tables(frame: pl.DataFrame, title: str, *names: str) -> dict[str, pl.DataFrame]:
    """A table for each group, by its title."""
    groups = frame.group_by(*names, maintain_order=True)
    return {title.format(*values): group.drop(*names) for values, group in groups}


def _special_cases(trees: pl.DataFrame) -> dict[str, Any]:
    """How many leaves both forms see, and on how many trees they see the same."""
    both = pl.concat(
        trees.select(
            "kind",
            "branching",
            algorithm=pl.lit(one),
            own=f"distinct.{one}",
            rebuilt=f"distinct.{two}",
            visits=f"visits.{two}",
            same=f"same.{one}",
            alphabeta=f"distinct.{ALPHABETA}",
            within=f"within alphabeta.{one}",
        )
        for one, two in TWINS.items()
    )
    counts = pl.col("own", "rebuilt", "visits", "alphabeta").mean()
    groups = both.group_by("kind", "branching", "algorithm", maintain_order=True)
    found = groups.agg(pl.len().alias("trees"), counts, pl.col("same", "within").sum())
    return {
        "twins": found.sort("kind", "branching", maintain_order=True),
        "same": {one: (trees[f"same.{one}"].sum(), len(trees)) for one in TWINS},
        "within": {one: (trees[f"within alphabeta.{one}"].sum(), len(trees)) for one in TWINS},
    }


HAS_WINDOW = pl.col("algorithm").str.starts_with(ASPIRATION)


def beside_windows(found: pl.DataFrame) -> pl.DataFrame:
    """All rivals, ply by ply, beside aspiration NegaScout with each of its windows."""
    names = pl.when(HAS_WINDOW).then(pl.lit(ASPIRATION)).otherwise("algorithm").replace(RIVALS)
    return pl.concat(
        compared(
            found.filter(~HAS_WINDOW | (pl.col("algorithm") == window)),
            window,
            *("game", "depth", "ply", "back", "algorithm"),
            mean=lambda group: group["evaluated"].mean(),
            passes=_passes,
        ).with_columns(window=pl.lit(window.removeprefix(f"{ASPIRATION} ")))
        for window in found.filter(HAS_WINDOW)["algorithm"].unique(maintain_order=True)
    ).with_columns(algorithm=names)


def rivalry(found: pl.DataFrame) -> dict[str, Any]:
    """MTD(f) and its rivals beside aspiration NegaScout with its best window.

    That is the one with which MTD(f) saves least. Of the guesses the one with which it saves most
    is the kinder reading.
    """
    games, key = get_args(ComparedGame), ["game", "back", "window"]
    plies = pl.int_ranges(1, pl.col("depth") + 1)
    found = found.with_columns(ply=plies).explode("ply", "leaves", "evaluated", "nodes", "passes")
    deepest = beside_windows(found.filter(pl.col("ply") == pl.col("depth")))
    duels = deepest.filter(algorithm=RIVALS["mtdf"])
    saves_least = duels.sort(value_of("evaluated"), descending=True, maintain_order=True)
    best = saves_least.unique(["game", "back"], keep="first", maintain_order=True)
    kinder = best.sort(value_of("evaluated")).unique("game", keep="first", maintain_order=True)
    shown = in_order(deepest.join(best, on=key, how="semi"), "algorithm", list(RIVALS.values()))
    shown = in_order(shown.sort("back", maintain_order=True), "game", games)
    in_use = pl.col("algorithm").is_in([f"{ASPIRATION} {each}" for each in kinder["window"]])
    chosen = found.join(kinder, on=["game", "back"], how="semi")
    chosen = chosen.filter(pl.col("ply") > 1, ~HAS_WINDOW | in_use)
    drawn = beside_windows(chosen).join(kinder, on=key, how="semi")
    drawn = drawn.filter(pl.col("algorithm") != RIVALS[ASPIRATION])
    judged = shown.join(kinder, on=key, how="semi").filter(game="othello")
    ranked = {what: estimates(judged, "algorithm", what) for what in ("evaluated", "nodes")}
    rebuilt = judged.filter(pl.col("algorithm").str.starts_with("MT-"))
    marks, is_best = best.select(*key, best=pl.lit("best")), pl.col("best").fill_null("")
    windows = in_order(duels.sort("back", maintain_order=True), "game", games)
    windows = windows.join(marks, on=key, how="left", maintain_order="left")
    tried = duels.filter(game="othello").select(value_of(what) for what in COUNTS)
    return {
        "rivals": tables(in_words(shown.drop("ply")), TITLE, "game", "depth", "back", "window"),
        "windows": in_words(windows.select(*key, "evaluated", "nodes", "seconds", is_best)),
        "by_ply": in_words(drawn.select("game", "ply", "algorithm", "evaluated")),
        "duels": {game: _counted_for(best.filter(game=game)) for game in games},
        "kinder": {game: _counted_for(kinder.filter(game=game)) for game in games},
        "spread": {
            what: f"{min(tried[what]):.3f} to {max(tried[what]):.3f}" if len(tried) else "unknown"
            for what in COUNTS
        },
        "ranked": ranked,
        "slow": estimates(rebuilt, "algorithm", "nodes"),
        "many_passes": estimates(rebuilt, "algorithm", "passes"),
    }


def _passes(group: pl.DataFrame) -> Estimate | None:
    """How often the root is searched for each depth, if it is an algorithm of passes."""
    return mean(group["passes"] / group["ply"]) if sum(group["passes"]) else None


def _counted_for(rows: pl.DataFrame) -> dict[str, Mapping[str, Estimate]]:
    """What MTD(f) takes beside its rival, by what is counted and by the guess."""
    return {what: estimates(in_words(rows), "back", what) for what in (*COUNTS, "passes")}


def _prices(found: pl.DataFrame) -> dict[str, Any]:
    """MTD(f) beside NegaScout, by what an evaluation costs."""
    keys = ["game", "position", "algorithm"]
    free = found.filter(rounds=ROUNDS[0]).select(*keys, free="seconds")
    found = found.join(free, on=keys, maintain_order="left")
    added = (pl.col("seconds") - pl.col("free")) / pl.col("leaves") * 1e9
    costs = found.group_by("game", "rounds").agg(nanoseconds=added.median())
    slower = found.filter(rounds=ROUNDS[-1]).with_columns(pl.col("seconds") / pl.col("free"))
    prices = _beside_negascout(found).join(costs, on=["game", "rounds"], maintain_order="left")
    at_depth = prices.filter(game="othello", rounds=ROUNDS[0])
    alone = prices.filter(algorithm=PRICED["negascout"])
    speeds = in_words(alone.select("game", speed=1 / pl.col("seconds").struct["value"]))
    growth = in_words(_beside_negascout(slower))
    return {
        "prices": in_words(prices.sort("game", "algorithm", "rounds")),
        "at_depth": {what: estimates(at_depth, "algorithm", what) for what in ("nodes", "seconds")},
        "speeds": dict(speeds.group_by("game", maintain_order=True).all().iter_rows()),
        "dearer": estimates(growth, pl.format("{}, {}", "game", "algorithm"), "seconds"),
    }


def _beside_negascout(found: pl.DataFrame) -> pl.DataFrame:
    """What MTD(f) takes beside NegaScout without and with a table."""
    return pl.concat(
        compared(found, other, "game", "algorithm", "rounds")
        .filter(algorithm="mtdf")
        .with_columns(algorithm=pl.lit(name))
        for other, name in PRICED.items()
    )


def _scout_at_kalah(found: pl.DataFrame) -> dict[str, Any]:
    """SCOUT as a multiple of alpha-beta, by evaluator, order and depth."""
    costs = compared(found, ALPHABETA, "evaluator", "order", "depth", "algorithm")
    costs = in_words(costs.filter(pl.col("algorithm") != ALPHABETA))
    costs = in_order(costs.sort("order", "depth", "algorithm"), "evaluator", KALAH_JUDGES)
    variant = pl.format("{}, {}", "evaluator", "order")
    scout = costs.filter(algorithm=SCOUT)
    deepest = scout.filter(pl.col("depth") == pl.col("depth").max())
    drawn = pl.concat(
        scout.select("depth", counted=pl.lit(what), variant=variant, times=what)
        for what in ("leaves", "nodes")
    )
    return {
        "kalah": costs,
        "kalah_drawn": drawn,
        "scout": {what: estimates(deepest, variant, what) for what in ("leaves", "nodes")},
    }


def _boards(found: pl.DataFrame) -> dict[str, Any]:
    """Perft on both boards, and how many times as long the array takes."""
    leaves, seconds = pl.col("leaves").sum(), pl.col("seconds").sum()
    boards = found.group_by("algorithm", maintain_order=True)
    slower = estimates(compared(found, "bitboards", "algorithm"), "algorithm", "seconds")
    return {"boards": boards.agg(leaves, speed=leaves / seconds / 1e6), "slower": slower["array"]}


EXPERIMENT = study(
    __file__,
    name="family",
    title="The family portrait",
    question=(
        "What does each exact algorithm cost on each game? Does MTD(f) save leaves over "
        "aspiration NegaScout, are SSS* and DUAL* special cases, is SCOUT better at Kalah?"
    ),
    parameters=FamilyParameters,
    quick=QUICK,
    cells=all_cells,
    findings=findings,
)
