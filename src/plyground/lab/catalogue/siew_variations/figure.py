r"""Figure 1: a tree on which SCOUT visits fewer nodes than alpha-beta, and how common that is.

The figure is a picture; the text says of it that the root is worth 5 after its first branch, that
the test whether P is worth more than 5 asks the same of K and skips K's second branch, that P fails
the test, and that alpha-beta visits every node. The smallest complete tree of which all this is
true, among complete binary ones, has eight leaves:

    root (max)      5
                 /     \
    (min)       5       P = 4
               / \     / \
    (max)     5   7   K   4
             / \ / \ / \ / \
            5  3 2  7 8  9 4  1

Then all trees of this shape with eight different leaves are searched, and random larger ones.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.lab.catalogue.siew_variations.setting import SiewParameters
from plyground.lab.catalogue.siew_variations.trees import LISTED, listed
from plyground.lab.charts import bars
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate, ratio
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

FIGURE_LEAVES = (5, 3, 2, 7, 8, 9, 4, 1)
ALL_NODES = 15
SMALL_DEPTH = 3
SMALL_TREES = math.factorial(8)
TREES_PER_CELL = 2520
SHAPES = ((2, 3), (2, 6), (2, 9), (4, 3), (4, 5), (4, 7), (7, 3), (7, 5))
NAMES = {"alphabeta": "alpha-beta", "palphabeta": "palphabeta", "scout": "SCOUT"}
RIVALS = ("palphabeta", "scout")
FEWER, SAME, MORE = "fewer", "as many", "more"


# ------------------------------------------------------------------ cells


def search_figure(leaves: tuple[int, ...]) -> Measured:
    """The tree of the figure, by all three."""
    return Measured(
        {name: _answer(LISTED, listed(tuple(leaves)), Zero(), SMALL_DEPTH, name) for name in NAMES}
    )


def search_small_trees(first: int, last: int, step: int) -> Measured:
    """Trees with the leaves 0 to 7 in some of all their orders: differences of nodes, counted."""
    found: dict[str, Counter[str]] = {name: Counter() for name in RIVALS}
    all_visited = 0
    chosen = itertools.islice(itertools.permutations(range(8)), first, last, step)
    for leaves in chosen:
        nodes = {
            name: _answer(LISTED, listed(leaves), Zero(), SMALL_DEPTH, name)["nodes"]
            for name in NAMES
        }
        for name in RIVALS:
            found[name][str(nodes[name] - nodes["alphabeta"])] += 1
        all_visited += nodes["alphabeta"] == ALL_NODES and nodes["scout"] < ALL_NODES
    return Measured({"differences": found, "like the figure": all_visited})


def search_random_trees(branching: int, depth: int, first: int, count: int) -> Measured:
    """Nodes of all three on random trees."""
    game = find_game("synthetic")
    nodes: dict[str, list[int]] = {name: [] for name in NAMES}
    for seed in range(first, first + count):
        root = game.initial(branching=branching, depth=depth, seed=seed, spread=10**6)
        for name, each in nodes.items():
            each.append(_answer(game, root, PathValue(), depth, name)["nodes"])
    return Measured({"nodes": nodes})


def _answer(
    game: GameSpec, root: State, evaluator: Any, depth: int, algorithm: str
) -> dict[str, int]:
    setup = Setup(find_algorithm(algorithm), evaluator, AsScored())
    found = search(game, root, setup, Limits(depth=depth))
    return {"value": found.value} | {name: found.counters[name] for name in ("nodes", "leaves")}


def cells(parameters: SiewParameters) -> list[Cell]:
    """The figure, the smallest trees, and larger ones."""
    step, width = parameters.tree_step, TREES_PER_CELL * parameters.tree_step
    found = [
        Cell.of(
            search_random_trees,
            branching=branching,
            depth=depth,
            first=parameters.seed,
            count=parameters.shapes,
        )
        for branching, depth in SHAPES
    ]
    found += [
        Cell.of(search_small_trees, first=at, last=min(at + width, SMALL_TREES), step=step)
        for at in range(0, SMALL_TREES, width)
    ]
    return [*found, Cell.of(search_figure, leaves=list(FIGURE_LEAVES))]


# ------------------------------------------------------------------ results


def small_differences(results: Results, rival: str) -> Counter[int]:
    """How many of the smallest trees take so many nodes more than alpha-beta."""
    together: Counter[int] = Counter()
    for _, measured in results.of(search_small_trees):
        for difference, trees in measured.answer["differences"][rival].items():
            together[int(difference)] += trees
    return together


def tally(differences: Iterable[tuple[int, int]]) -> dict[str, int]:
    """Differences and how often they came, as trees with fewer, as many and more nodes."""
    found = {FEWER: 0, SAME: 0, MORE: 0}
    for difference, trees in differences:
        found[FEWER if difference < 0 else MORE if difference else SAME] += trees
    return found


# ------------------------------------------------------------------ report


def section(parameters: SiewParameters, results: Results) -> Section:
    """The figure searched by all three, and how SCOUT fares on other trees."""
    figure = next(measured.answer for _, measured in results.of(search_figure))
    small = {name: small_differences(results, name) for name in RIVALS}
    alike = sum(found.answer["like the figure"] for _, found in results.of(search_small_trees))
    return Section(
        "Figure 1: where SCOUT visits fewer nodes",
        [
            Text(
                "The figure is not in the text, but the text describes it, and a complete binary "
                "tree of depth 3 can be all that is said of it. Its leaves from left to right are "
                f"{', '.join(map(str, FIGURE_LEAVES))}; K is the max node above 8 and 9, P the min "
                "node above K. SCOUT knows 5 from the first branch and only asks whether P is "
                "more: 8 settles that K is, and 9 is never looked at. Alpha-beta wants K's value, "
                "for P may need it, and looks at 9."
            ),
            _figure_table(figure),
            _small_table(small, alike),
            _small_chart(small),
            _shapes_table(results),
            claim_figure(figure),
            claim_fewer_nodes(small["scout"], _ratios(results)),
        ],
    )


def _figure_table(figure: Mapping[str, Mapping[str, int]]) -> Table:
    rows: list[list[Value]] = [
        [NAMES[name], found["value"], found["nodes"], found["leaves"]]
        for name, found in figure.items()
    ]
    columns = [Column("algorithm"), Column("value"), Column("nodes of 15"), Column("leaves of 8")]
    return Table("The tree of Figure 1", columns, rows, "Nodes visited again count again.")


def _small_table(small: Mapping[str, Counter[int]], alike: int) -> Table:
    rows: list[list[Value]] = []
    for name, differences in small.items():
        found, total = tally(differences.items()), sum(differences.values())
        excess = sum(difference * trees for difference, trees in differences.items()) / total
        rows.append([NAMES[name], total, *[found[key] / total for key in (FEWER, SAME, MORE)]])
        rows[-1].append(excess)
    columns = [Column("algorithm"), Column("trees")]
    columns += [Column(key, 1, as_percent=True) for key in (FEWER, SAME, MORE)]
    columns += [Column("more on average", 2)]
    return Table(
        "Nodes compared with alpha-beta, on trees with eight different leaves",
        columns,
        rows,
        f"On {alike:,} of these trees alpha-beta visits every node and SCOUT does not, as in the "
        "figure.",
    )


def _small_chart(small: Mapping[str, Counter[int]]) -> Chart:
    places = sorted({difference for each in small.values() for difference in each})
    rows = [
        {
            "nodes more than alpha-beta": f"{place:+d}" if place else "0",
            "share": each[place] / sum(each.values()),
            "algorithm": NAMES[name],
        }
        for name, each in small.items()
        for place in places
    ]
    return Chart(
        "scout-on-small-trees",
        "Nodes more than alpha-beta, on trees with eight different leaves",
        bars(rows, "nodes more than alpha-beta", "share", "algorithm"),
        "To the left of 0 the minimal window saved something, to the right it cost something.",
    )


def _ratios(results: Results) -> dict[tuple[int, int], Estimate]:
    """SCOUT's nodes over alpha-beta's, by shape."""
    return {
        (given["branching"], given["depth"]): _ratio(found.answer["nodes"], "scout")
        for given, found in results.of(search_random_trees)
    }


def _ratio(nodes: Mapping[str, list[int]], name: str) -> Estimate:
    return ratio(zip(nodes[name], nodes["alphabeta"], strict=True))


def _shapes_table(results: Results) -> Table:
    rows: list[list[Value]] = []
    for given, found in results.of(search_random_trees):
        nodes = found.answer["nodes"]
        for name in RIVALS:
            pairs = zip(nodes[name], nodes["alphabeta"], strict=True)
            each = tally((one - other, 1) for one, other in pairs)
            average, total = _ratio(nodes, name), sum(each.values())
            rows.append([NAMES[name], given["branching"], given["depth"]])
            rows[-1] += [each[key] / total for key in (FEWER, SAME, MORE)]
            rows[-1] += [average.value, average.low, average.high]
    columns = [Column("algorithm"), Column("moves"), Column("depth")]
    columns += [Column(key, 0, as_percent=True) for key in (FEWER, SAME, MORE)]
    columns += [Column("times as many nodes", 3), Column("from", 3), Column("to", 3)]
    return Table("Nodes compared with alpha-beta, on random trees", columns, rows)


def finding(parameters: SiewParameters, results: Results) -> str:
    """In a sentence."""
    figure = next(measured.answer for _, measured in results.of(search_figure))
    differences = small_differences(results, "scout")
    found, total = tally(differences.items()), sum(differences.values())
    return (
        f"On the tree of Figure 1 SCOUT visits {figure['scout']['nodes']} nodes and alpha-beta "
        f"{figure['alphabeta']['nodes']}; of all trees of that shape that were tried, SCOUT visits "
        f"fewer nodes on {found[FEWER] / total:.1%} and more on {found[MORE] / total:.0%}."
    )


# ------------------------------------------------------------------ claims


def claim_figure(figure: Mapping[str, Mapping[str, int]]) -> Claim:
    plain, scout = figure["alphabeta"]["nodes"], figure["scout"]["nodes"]
    if scout < plain == ALL_NODES:
        verdict = Verdict.REPRODUCED
        reason = "On a tree that is all that the text says, it does."
    elif scout < plain:
        verdict = Verdict.IN_DIRECTION
        reason = "SCOUT visits fewer nodes, but alpha-beta does not visit every one."
    else:
        verdict, reason = Verdict.CONTRADICTED, "Not on the tree as we rebuilt it."
    return Claim(
        "SCOUT may visit fewer nodes than alpha-beta, where alpha-beta visits every one.",
        "Figure 1; no numbers",
        f"SCOUT {scout} of {ALL_NODES} nodes, alpha-beta {plain}",
        verdict,
        reason,
    )


def claim_fewer_nodes(small: Counter[int], shapes: Mapping[tuple[int, int], Estimate]) -> Claim:
    found, total = tally(small.items()), sum(small.values())
    fewer = [shape for shape, one in shapes.items() if one.high < 1]
    more = [shape for shape, one in shapes.items() if one.low > 1]
    if found[FEWER] > found[MORE] and not more:
        verdict, reason = Verdict.REPRODUCED, "On random trees it usually visits fewer nodes."
    elif found[FEWER] > found[MORE] or fewer:
        verdict = Verdict.IN_DIRECTION
        reason = "It depends on the shape of the tree: " + "; ".join(
            f"{moves} moves, {depth} plies {one.as_number()}"
            for (moves, depth), one in shapes.items()
        )
    else:
        verdict = Verdict.CONTRADICTED
        reason = "Such trees exist, but on random ones the tests cost more than they save."
    return Claim(
        "That SCOUT visits fewer nodes is a reason why it is faster than alpha-beta.",
        "Figure 1; no numbers",
        f"of {total:,} small trees SCOUT visits fewer nodes on {found[FEWER] / total:.1%}, more on "
        f"{found[MORE] / total:.1%}; on larger random trees "
        f"fewer for {len(fewer)} of {len(shapes)} shapes, more for {len(more)}",
        verdict,
        reason,
    )
