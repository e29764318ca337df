"""Node sorting: what the report proposes, did not do, and would have saved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from plyground.lab.catalogue.double_card.findings import Ordered
from plyground.lab.catalogue.double_card.tasks import MINIMAX, ORDERS, PLIES
from plyground.lab.charts import lines
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.statistics import Estimate, ratio, share

NATURAL, SORTED = "natural", "shallow"
GREAT = 1.5  # times faster
ALMOST = 1.25  # times the least possible
LEAST = "least possible"


def by_depth(searches: Iterable[Ordered]) -> dict[int, list[Ordered]]:
    """The searches of each depth."""
    found: dict[int, list[Ordered]] = {}
    for one in searches:
        found.setdefault(one.depth, []).append(one)
    return dict(sorted(found.items()))


def nodes_saved(group: Iterable[Ordered], order: str) -> Estimate:
    """How many times fewer nodes an order takes than the natural one."""
    return ratio((one.nodes[NATURAL], one.nodes[order]) for one in group)


def time_saved(group: Iterable[Ordered], order: str) -> Estimate:
    """How many times less time it takes."""
    return ratio((one.time_s[NATURAL], one.time_s[order]) for one in group)


def over_least(group: Iterable[Ordered], order: str) -> Estimate:
    """How many times the least possible leaves it looks at, where no win ends the tree early."""
    return ratio((one.leaves[order], one.least_leaves) for one in group if one.is_open)


def sorting_section(searches: Sequence[Ordered]) -> Section:
    """What each order saves."""
    groups = by_depth(searches)
    return Section(
        "Node sorting",
        [
            Text(
                "The report proposes to sort the children of a node by a heuristic before they "
                "are searched, and did not do it. Here *shallow* sorts by heuristic 1 itself; "
                "*killers* and *history* remember moves that cut off elsewhere and judge nothing; "
                "*all* is both of them. The judging that sorting takes is in the times but not in "
                "the nodes. No search can do with fewer leaves than b^⌈d/2⌉ + b^⌊d/2⌋ - 1 on a "
                "uniform tree of breadth b and depth d (Knuth & Moore 1975). Here b is the d-th "
                "root of the leaves of minimax. Positions won within the depth are left out; lines "
                "that a win ends early remain, and may take a tree below that number."
            ),
            orders(groups),
            Chart(
                "orders",
                "Leaves by order of moves",
                lines(_rows(groups), "plies", "leaves", "order", log=True, low="low", high="high"),
                "Geometric means with 95 % intervals, where neither side wins within the depth.",
            ),
            pruning_claim(groups),
            speed_claim(groups),
            doubling_claim(searches),
        ],
    )


def orders(groups: dict[int, list[Ordered]]) -> Table:
    """Nodes, leaves and times of every order."""
    rows: list[list[Value]] = []
    for depth, group in groups.items():
        for order in ORDERS:
            cutoffs = sum(one.cutoffs[order] for one in group)
            nodes, time = nodes_saved(group, order), time_saved(group, order)
            rows.append(
                [
                    depth,
                    order,
                    _typical(one.nodes[order] for one in group).value,
                    nodes.value,
                    nodes.low,
                    nodes.high,
                    _known(over_least(group, order)),
                    sum(one.first_cutoffs[order] for one in group) / max(1, cutoffs),
                    1e3 * _typical(one.time_s[order] for one in group).value,
                    time.value,
                    time.low,
                    time.high,
                ]
            )
    columns = [Column("plies"), Column("order"), Column("nodes", 0), Column("times fewer", 2)]
    columns += [Column(name, 2) for name in ("fewer, from", "fewer, to", "leaves / least")]
    columns.append(Column("cut off by the first move", 0, as_percent=True))
    names = ("ms", "times faster", "faster, from", "faster, to")
    columns += [Column(name, 2, is_timed=True) for name in names]
    positions = len(next(iter(groups.values())))
    note = (
        f"Geometric means over {positions} positions, compared with natural order on the same; "
        "leaves with the least possible where neither side wins within the depth."
    )
    return Table("Alpha-beta with heuristic 1 in every order", columns, rows, note)


def _typical(values: Iterable[float]) -> Estimate:
    """The geometric mean."""
    return ratio((value, 1.0) for value in values)


def _known(found: Estimate) -> float | None:
    """The value, if there was anything to compare."""
    return None if math.isnan(found.value) else found.value


def _rows(groups: dict[int, list[Ordered]]) -> list[dict[str, Value]]:
    rows: list[dict[str, Value]] = []
    for depth, group in groups.items():
        still = [one for one in group if one.is_open] or group
        found = {name: _typical(one.leaves[name] for one in still) for name in (MINIMAX, *ORDERS)}
        found[LEAST] = _typical(one.least_leaves for one in still)
        for name, point in found.items():
            rows.append(
                {
                    "plies": depth,
                    "order": name,
                    "leaves": point.value,
                    "low": max(point.low, 1.0),
                    "high": min(point.high, 100 * point.value),
                }
            )
    return rows


def pruning_claim(groups: dict[int, list[Ordered]]) -> Claim:
    """Sorted nodes prune as much as possible."""
    left = {depth: over_least(group, SORTED) for depth, group in groups.items()}
    saved = {depth: nodes_saved(group, SORTED) for depth, group in groups.items()}
    if any(math.isnan(each.value) for each in left.values()):
        verdict = Verdict.NOT_TESTABLE
    elif all(each.value <= ALMOST for each in left.values()):
        verdict = Verdict.REPRODUCED
    else:
        fewer = all(each.low > 1 for each in saved.values())
        verdict = Verdict.IN_DIRECTION if fewer else Verdict.CONTRADICTED
    return Claim(
        "Sorted nodes prune as many branches as possible.",
        "solution 4, not implemented",
        "; ".join(
            f"{depth} plies: {saved[depth]} times fewer nodes, "
            f"{left[depth].value:.2f} times the least leaves"
            for depth in groups
        ),
        verdict,
        f"Reproduced if the leaves are within a factor of {ALMOST} of the least possible at every "
        "depth.",
    )


def speed_claim(groups: dict[int, list[Ordered]]) -> Claim:
    """Sorting greatly improves the time."""
    found = {depth: time_saved(group, SORTED) for depth, group in groups.items()}
    cheap = {depth: time_saved(group, "killers") for depth, group in groups.items()}
    if found[PLIES].low >= GREAT:
        verdict = Verdict.REPRODUCED
    else:
        ever = any(each.low > 1 for each in found.values())
        verdict = Verdict.IN_DIRECTION if ever else Verdict.CONTRADICTED
    return Claim(
        "Sorting greatly improves the time.",
        "solution 4, not implemented",
        "times faster than in natural order: "
        + "; ".join(f"{depth} plies {found[depth]}, killers {cheap[depth]}" for depth in groups),
        verdict,
        f"Reproduced if it is {GREAT} times faster at the report's two plies, in direction if it "
        "is faster at any depth. Just above the leaves it judges every child to save the judging "
        "of some; killers cost nothing.",
        is_timed=True,
    )


def doubling_claim(searches: Sequence[Ordered]) -> Claim:
    """With good order one searches more than twice as deep in the same time."""
    found = {(one.position, one.depth): one for one in searches}
    positions = sorted({one.position for one in searches})

    def within(depth: int) -> Estimate | None:
        """The share of positions in which that depth takes no more than minimax at two plies."""
        deep = [found[each, depth] for each in positions if (each, depth) in found]
        if not deep:
            return None
        room = [found[each.position, PLIES].nodes[MINIMAX] for each in deep]
        fits = sum(each.nodes[SORTED] <= nodes for each, nodes in zip(deep, room, strict=True))
        return share(fits, len(deep))

    twice, deeper = within(2 * PLIES), within(PLIES + 1)
    if twice is None or deeper is None:
        verdict = Verdict.NOT_TESTABLE
    elif twice.low > 0.5:
        verdict = Verdict.REPRODUCED
    elif deeper.low > 0.5:
        verdict = Verdict.IN_DIRECTION
    else:
        verdict = Verdict.CONTRADICTED if twice.high < 0.5 else Verdict.NOT_TESTABLE
    return Claim(
        "In good order alpha-beta searches more than twice as deep as minimax in the same time.",
        "section 3.4",
        f"within the nodes of minimax at {PLIES} plies sorted alpha-beta ends a search of "
        f"{PLIES + 1} plies in {_share(deeper)} and one of {2 * PLIES} in {_share(twice)} of the "
        "positions",
        verdict,
        "Reproduced if twice the depth surely fits in most positions, in direction if one more ply "
        f"does, contradicted if twice surely does not. At best, {2 * PLIES} plies have 2b²-1 "
        f"leaves where minimax has b² at {PLIES}: twice the depth is a limit, reached at twice the "
        "price, and nothing is beyond it.",
    )


def _share(found: Estimate | None) -> str:
    return found.as_share() if found else "(not searched)"
