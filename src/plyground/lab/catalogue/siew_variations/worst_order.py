"""The worst order: how much alpha-beta still saves, and what it could save at best.

The study says without an experiment that alpha-beta searches as many nodes as minimax when the best
move is always the last. Here alpha-beta searches the same positions of Connect Four, and random
trees, in six orders:

* perfect and worst: by the value that minimax gives to each move, best first and best last;
* by evaluation, and worst by evaluation: by what the position after the move looks like;
* as listed (for Connect Four from the left), and at random.

It also searches a tree of its own kind, the staircase, in which every move is better than the one
before whatever follows. Leaves are compared with minimax, which visits all, and with the fewest
that any search can do with on a uniform tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plyground.evaluation.connect_four import Windows
from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.lab.catalogue.siew_variations.setting import GAME, SiewParameters, depths
from plyground.lab.catalogue.siew_variations.trees import (
    STAIRCASE,
    fewest_leaves,
    leaves_in_exact_order,
    staircase,
)
from plyground.lab.charts import lines
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Measured, Results, Task
from plyground.lab.statistics import Estimate, mean, ratio
from plyground.lab.tasks import openings
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

MINIMAX, FEWEST = "minimax", "fewest possible"
PERFECT, WORST = "perfect", "worst"
STATIC, STATIC_WORST = "by evaluation", "worst by evaluation"
LISTED, SHUFFLED = "as listed", "random"
ORDERS = (PERFECT, STATIC, LISTED, SHUFFLED, STATIC_WORST, WORST)
NAMED = {STATIC: "shallow", LISTED: "natural", SHUFFLED: "random", STATIC_WORST: "worst"}
CONNECT_FOUR, RANDOM_TREES, STAIRCASES = "Connect Four", "random trees", "staircase"
OPENING_PLIES = 2
COLUMNS, BRANCHING = 7, 4

Counts = Mapping[str, int]
"""By order: the leaves visited; with those of minimax, and the fewest possible."""


# ------------------------------------------------------------------ cells


def count_at_connect_four(openings: Sequence[str], depth: int) -> Measured:
    """Leaves in all orders, after each of some openings."""
    game = find_game(GAME)
    start = game.initial()
    setup = Setup(find_algorithm("alphabeta"), Windows(), ByMargin())
    found = []
    for opening in openings:
        state = game.replay(start, game.parse_moves(start, opening.replace(";", " ")))
        found.append(_count(game, state, setup, depth, COLUMNS, NAMED))
    return Measured({"counts": found})


def count_on_trees(first: int, count: int, depth: int) -> Measured:
    """The same on trees whose leaves have nothing to do with each other."""
    game = find_game("synthetic")
    setup = Setup(find_algorithm("alphabeta"), PathValue(), AsScored())
    orders = {LISTED: NAMED[LISTED]}  # to an evaluator all their inner nodes are alike
    found = []
    for seed in range(first, first + count):
        state = game.initial(branching=BRANCHING, depth=depth, seed=seed, spread=10**6)
        found.append(_count(game, state, setup, depth, BRANCHING, orders))
    return Measured({"counts": found})


def count_on_staircase(depth: int) -> Measured:
    """Leaves on a staircase, the best move last, and first."""
    setup = Setup(find_algorithm("alphabeta"), Zero(), AsScored())
    found = {MINIMAX: BRANCHING**depth, FEWEST: fewest_leaves(BRANCHING, depth)}
    for name, best_first in ((PERFECT, True), (WORST, False)):
        state = staircase(BRANCHING, depth, best_first)
        found[name] = search(STAIRCASE, state, setup, Limits(depth=depth)).counters["leaves"]
    return Measured({"counts": [found]})


def _count(
    game: GameSpec,
    state: State,
    setup: Setup,
    depth: int,
    branching: int,
    orders: Mapping[str, str],
) -> dict[str, int]:
    def leaves(algorithm: str, order: str) -> int:
        made = replace(setup, algorithm=find_algorithm(algorithm), order=order)
        return search(game, state, made, Limits(depth=depth)).counters["leaves"]

    found = {MINIMAX: leaves("minimax", "natural"), FEWEST: fewest_leaves(branching, depth)}
    found |= {name: leaves("alphabeta", order) for name, order in orders.items()}
    for name, best_first in ((PERFECT, True), (WORST, False)):
        found[name] = leaves_in_exact_order(game, state, setup, depth, best_first)
    return found


def cells(parameters: SiewParameters) -> list[Cell]:
    """Every depth from 2 on, the deepest first; at depth 1 there is nothing to cut off."""
    begun = openings(GAME, OPENING_PLIES, parameters.ordered, parameters.seed)
    found = []
    for depth in reversed(depths(parameters)[1:]):
        found += [
            Cell.of(count_at_connect_four, openings=begun, depth=depth),
            Cell.of(count_on_trees, first=parameters.seed, count=parameters.ordered, depth=depth),
            Cell.of(count_on_staircase, depth=depth),
        ]
    return found


# ------------------------------------------------------------------ results


def counts_of(results: Results, kind: str, depth: int) -> list[Counts]:
    found = results.of(TASKS[kind], depth=depth)
    return [counts for _, measured in found for counts in measured.answer["counts"]]


def share_of(counts: Sequence[Counts], order: str) -> Estimate:
    """The share of all leaves that are visited in an order."""
    return ratio((each[order], each[MINIMAX]) for each in counts)


TASKS: dict[str, Task] = {
    CONNECT_FOUR: count_at_connect_four,
    RANDOM_TREES: count_on_trees,
    STAIRCASES: count_on_staircase,
}


# ------------------------------------------------------------------ report


def section(parameters: SiewParameters, results: Results) -> Section:
    """Leaves by order, and what was claimed."""
    found = {
        (kind, depth): counts_of(results, kind, depth)
        for kind in TASKS
        for depth in depths(parameters)[1:]
    }
    deepest = parameters.deepest
    return Section(
        "The worst order",
        [
            Text(
                "Alpha-beta in several orders, on positions of Connect Four after "
                f"{OPENING_PLIES} random moves, on random trees with {BRANCHING} moves in each "
                "position, and on the staircase, where each move is better than the one before "
                "whatever follows. The fewest leaves that any search of a uniform tree can do "
                "with are those of Knuth & Moore (1975); a perfect order reaches them."
            ),
            _table(found, deepest),
            _chart(found),
            claim_as_many_as_minimax(
                {kind: found[kind, deepest] for kind in TASKS},
            ),
        ],
    )


def _table(found: Mapping[tuple[str, int], Sequence[Counts]], deepest: int) -> Table:
    rows: list[list[Value]] = []
    for (kind, depth), counts in found.items():
        for order in ORDERS:
            if depth == deepest and order in counts[0]:
                part = share_of(counts, order)
                over = ratio((each[order], each[FEWEST]) for each in counts)
                rows.append([kind, order, mean(each[order] for each in counts).value])
                rows[-1] += [part.value, *(_ends(part) if len(counts) > 1 else [None, None])]
                rows[-1] += [over.value, *(_ends(over) if len(counts) > 1 else [None, None])]
    columns = [Column("tree"), Column("order"), Column("leaves", 0)]
    columns += [Column("of minimax's", 1, as_percent=True)]
    columns += [Column(end, 1, as_percent=True) for end in ("from", "to")]
    columns += [Column("times the fewest", 2), Column("from", 2), Column("to", 2)]
    return Table(
        f"Leaves visited by alpha-beta at depth {deepest}",
        columns,
        rows,
        "Geometric means over positions or trees, with intervals of 95 %. At Connect Four a full "
        "column or a win makes a tree a little smaller than a uniform one.",
    )


def _ends(found: Estimate) -> list[Value]:
    return [found.low, found.high]


def _chart(found: Mapping[tuple[str, int], Sequence[Counts]]) -> Chart:
    rows = [
        {"depth": depth, "share": part.value, "order": order, "low": part.low, "high": part.high}
        for order in ORDERS
        for (kind, depth), counts in found.items()
        if kind == CONNECT_FOUR
        for part in [share_of(counts, order)]
    ]
    return Chart(
        "leaves-by-order",
        "Connect Four: leaves visited, as a share of minimax's",
        lines(
            rows,
            "depth",
            "share",
            "order",
            log=True,
            low="low",
            high="high",
            y_title="of minimax's leaves",
        ),
        "Even with the best move last in every position alpha-beta visits fewer leaves than "
        "minimax as soon as it looks a few plies ahead.",
    )


def finding(parameters: SiewParameters, results: Results) -> str:
    """In a sentence."""
    counts = counts_of(results, CONNECT_FOUR, parameters.deepest)
    worst, best = share_of(counts, WORST).value, share_of(counts, PERFECT).value
    return (
        "With the best move last in every position of Connect Four, alpha-beta visits "
        f"{worst:.0%} of minimax's leaves at depth {parameters.deepest}; with the best move first, "
        f"{best:.1%}."
    )


# ------------------------------------------------------------------ claims


def claim_as_many_as_minimax(found: Mapping[str, Sequence[Counts]]) -> Claim:
    whole = {
        kind: all(each[WORST] == each[MINIMAX] for each in counts) for kind, counts in found.items()
    }
    if all(whole.values()):
        verdict, reason = Verdict.REPRODUCED, "The worst order cuts off nothing, on every tree."
    elif any(whole.values()):
        verdict = Verdict.IN_DIRECTION
        reason = (
            "There are trees on which nothing is cut off, but the best move being last is not "
            "enough: below a good move there may be lines that are refuted at once."
        )
    else:
        verdict, reason = Verdict.CONTRADICTED, "On every tree something is cut off."
    return Claim(
        "With the best move last, alpha-beta searches as many nodes as minimax.",
        "said without an experiment",
        "leaves in the worst order: "
        + "; ".join(f"{kind} {share_of(each, WORST).value:.1%}" for kind, each in found.items()),
        verdict,
        reason,
    )
