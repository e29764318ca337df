"""Tables 2 and 3 as they were printed and as they came out, and what the study concludes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from plyground.lab.catalogue.siew_variations.runtime import (
    ALPHABETA,
    CENTRE,
    MINIMAX,
    NATURAL,
    PALPHABETA,
    PRINTED,
    SCOUT,
    SEARCHERS,
    VARIANTS,
    Key,
    PerGame,
    agreement,
    nodes_per_game,
    seconds_per_game,
    times_as_many,
)
from plyground.lab.catalogue.siew_variations.setting import SiewParameters, depths, study
from plyground.lab.charts import lines
from plyground.lab.report import (
    Beside,
    Chart,
    Claim,
    Column,
    Part,
    Section,
    Table,
    Text,
    Value,
    Verdict,
    ratios,
)
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate, mean

NAMES = {MINIMAX: "minimax", ALPHABETA: "alpha-beta", PALPHABETA: "palphabeta", SCOUT: "SCOUT"}
ORDERS = {NATURAL: "from the left", CENTRE: "centre first"}
TAKING_OVER = 4  # the depth from which the study sees the minimal windows ahead
COMPARED = (
    (NATURAL, MINIMAX),
    (NATURAL, PALPHABETA),
    (NATURAL, SCOUT),
    (CENTRE, PALPHABETA),
    (CENTRE, SCOUT),
)
ALIKE = 3.5 / 2.5  # printed as 0.003 s, times may still differ by this factor


def section(parameters: SiewParameters, results: Results) -> Section:
    """Both tables beside ours, nodes, ratios, and what was claimed."""
    nodes, seconds = nodes_per_game(results), seconds_per_game(results)
    searched = list(depths(parameters))
    parts: list[Part] = [
        Text(
            "All algorithms search the same positions: "
            f"{parameters.given_moves} of each of {parameters.given_games} games. The seconds are "
            "means over all of them, as in the study; ratios are means over games of what two "
            "algorithms took for the same game, with intervals of 95 %. A search of one ply takes "
            "less time than preparing it: there the seconds say nothing about the algorithms."
        )
    ]
    for name, algorithms in (("table 2", (MINIMAX, ALPHABETA)), ("table 3", VARIANTS)):
        printed = study().tables[name]
        ours = _seconds_table(printed, seconds, algorithms, searched)
        parts += [Beside(printed, ours), ratios(printed, ours, over="ours")]
    parts += [_nodes_table(nodes, searched), _ratio_table(nodes, seconds, searched)]
    parts += [_nodes_chart(nodes), _ratio_chart(nodes, seconds)]
    parts += [Text(_agreement_text(results))]
    for measured, is_timed in ((seconds, True), (nodes, False)):
        parts += claims(measured, searched, is_timed)
    return Section("Tables 2 and 3: what each algorithm costs", parts)


def _agreement_text(results: Results) -> str:
    total, same_answer, same_nodes = agreement(results)
    return (
        f"Althöfer's algorithm as printed searched these positions too: of {total} searches "
        f"{same_answer} ended with minimax's move and value, and {same_nodes} visited exactly as "
        "many nodes as alpha-beta."
    )


def _seconds_table(
    printed: Table, seconds: PerGame, algorithms: Sequence[str], searched: Sequence[int]
) -> Table:
    rows: list[list[Value]] = [
        [depth, *[fmean(seconds[NATURAL, algorithm, depth]) for algorithm in algorithms]]
        for depth in searched
    ]
    columns = [Column(printed.columns[0].name)]
    columns += [Column(column.name, 6, is_timed=True) for column in printed.columns[1:]]
    return Table(printed.title.partition(": ")[2], columns, rows)


def _nodes_table(nodes: PerGame, searched: Sequence[int]) -> Table:
    rows: list[list[Value]] = []
    shown = [(order, one) for order, each in SEARCHERS.items() for one in each if one != PRINTED]
    for depth in searched:
        rows.append([depth])
        for order, algorithm in shown:
            found = mean(nodes[order, algorithm, depth])
            rows[-1] += [found.value, (found.high - found.low) / 2]
    columns = [Column("depth")]
    for order, algorithm in shown:
        columns += [Column(f"{NAMES[algorithm]}, {ORDERS[order]}", 1), Column("±", 1)]
    return Table("Nodes for a move", columns, rows, "Means over games, with 95 % intervals.")


def _ratio_table(nodes: PerGame, seconds: PerGame, searched: Sequence[int]) -> Table:
    rows: list[list[Value]] = []
    for order, one in COMPARED:
        for depth in searched:
            counted = times_as_many(nodes, order, one, ALPHABETA, depth)
            timed = times_as_many(seconds, order, one, ALPHABETA, depth)
            rows.append(
                [
                    ORDERS[order],
                    NAMES[one],
                    depth,
                    _printed_ratio(one, ALPHABETA, depth) if order == NATURAL else None,
                ]
            )
            rows[-1] += [counted.value, counted.low, counted.high]
            rows[-1] += [timed.value, timed.low, timed.high]
    columns = [Column("order"), Column("algorithm"), Column("depth"), Column("time, published", 2)]
    for what in ("nodes", "time"):
        timed_column = what == "time"
        columns += [Column(f"{what}, ours", 2, is_timed=timed_column)]
        columns += [Column(end, 2, is_timed=timed_column) for end in ("from", "to")]
    return Table("Times as much as alpha-beta", columns, rows)


def _nodes_chart(nodes: PerGame) -> Chart:
    rows = [
        {
            "depth": depth,
            "nodes": found.value,
            "algorithm": NAMES[algorithm],
            "low": max(1.0, found.low),
            "high": found.high,
            "order": ORDERS[order],
        }
        for (order, algorithm, depth), each in sorted(nodes.items(), key=_by_algorithm)
        if algorithm != PRINTED
        for found in [mean(each)]
    ]
    return Chart(
        "nodes-by-depth",
        "Nodes for a move",
        lines(rows, "depth", "nodes", "algorithm", log=True, low="low", high="high", facet="order"),
        "Minimax grows about sevenfold with each ply. The order of moves matters more than which "
        "of the other three algorithms is used.",
    )


def _by_algorithm(item: tuple[Key, Sequence[float]]) -> tuple[int, str, int]:
    order, algorithm, depth = item[0]
    return list(SEARCHERS[NATURAL]).index(algorithm), order, depth


def _ratio_chart(nodes: PerGame, seconds: PerGame) -> Chart:
    searched = sorted({depth for _, _, depth in nodes})

    def ours(measured: PerGame) -> Callable[[str, int], float | None]:
        return lambda one, depth: times_as_many(measured, NATURAL, one, ALPHABETA, depth).value

    measures: dict[str, Callable[[str, int], float | None]] = {
        "time, published": lambda one, depth: _printed_ratio(one, ALPHABETA, depth),
        "time, ours": ours(seconds),
        "nodes, ours": ours(nodes),
    }
    rows = [
        {"depth": depth, "times as much": value, "what": what, "algorithm": NAMES[one]}
        for one in (PALPHABETA, SCOUT)
        for what, measure in measures.items()
        for depth in searched
        if (value := measure(one, depth)) is not None
    ]
    return Chart(
        "ratio-to-alpha-beta",
        "Times as much as alpha-beta, columns from the left",
        lines(rows, "depth", "times as much", "what", facet="algorithm"),
        "Below 1 an algorithm is better than alpha-beta.",
        is_timed=True,
    )


def finding(parameters: SiewParameters, results: Results) -> str:
    """In a sentence."""
    nodes, deepest = nodes_per_game(results), parameters.deepest
    minimax, palphabeta, scout = (
        times_as_many(nodes, NATURAL, one, ALPHABETA, deepest).value
        for one in (MINIMAX, PALPHABETA, SCOUT)
    )
    return (
        f"At depth {deepest}, with columns tried from the left, minimax visits {minimax:.1f} times "
        f"as many nodes as alpha-beta, palphabeta {palphabeta:.2f} times and SCOUT {scout:.2f} "
        "times as many."
    )


# ------------------------------------------------------------------ claims


def claims(measured: PerGame, searched: Sequence[int], is_timed: bool) -> list[Claim]:
    """What the study says about times: of our times, and of our nodes."""
    what = "time" if is_timed else "nodes"

    def compare(
        text: str, ones: Sequence[str], other: str, wanted: Sequence[int], is_more: bool | None
    ) -> Claim:
        found = {
            f"{NAMES[one]} at depth {depth}": times_as_many(measured, NATURAL, one, other, depth)
            for one in ones
            for depth in wanted
            if depth in searched
        }
        verdict, reason = alike(found) if is_more is None else one_sided(found, is_more)
        printed = "; ".join(_printed(one, other, wanted) for one in ones)
        return Claim(f"{text} ({what}).", printed, _told(found), verdict, reason, is_timed)

    windows, end = (PALPHABETA, SCOUT), max(searched[-1], len(printed_seconds(MINIMAX))) + 1
    return [
        compare(
            "Alpha-beta is better than minimax at every depth but 1",
            (ALPHABETA,), MINIMAX, range(2, end), is_more=False,
        ),
        claim_growing(measured, searched, is_timed),
        compare(
            "At depth 1 it makes no difference which algorithm is used",
            (MINIMAX, *windows), ALPHABETA, [1], is_more=None,
        ),
        compare(
            "At depths 2 and 3 palphabeta and SCOUT are worse than alpha-beta",
            windows, ALPHABETA, [2, 3], is_more=True,
        ),
        compare(
            "From depth 4 on palphabeta and SCOUT are better than alpha-beta",
            windows, ALPHABETA, range(TAKING_OVER, end), is_more=False,
        ),
        compare(
            "Palphabeta is generally better than SCOUT",
            (PALPHABETA,), SCOUT, range(2, end), is_more=False,
        ),
    ]  # fmt: skip


def one_sided(found: Mapping[str, Estimate], is_more: bool) -> tuple[Verdict, str]:
    """Whether all ratios are above 1, or all below."""
    signs = [(one.low > 1) - (one.high < 1) for one in found.values()]
    wanted = 1 if is_more else -1
    agreeing, against = signs.count(wanted), signs.count(-wanted)
    if not agreeing and not against:
        return Verdict.NOT_TESTABLE, "No comparison is beyond doubt."
    if agreeing == len(signs):
        return Verdict.REPRODUCED, "So it is in every comparison, beyond doubt."
    count = f"{agreeing} of {len(signs)} comparisons agree beyond doubt, {against} say the opposite"
    if agreeing > against:
        return Verdict.IN_DIRECTION, f"{count}."
    return Verdict.CONTRADICTED, f"{count}."


def alike(found: Mapping[str, Estimate]) -> tuple[Verdict, str]:
    """Whether all ratios are near 1."""
    apart = [name for name, one in found.items() if one.low > ALIKE or one.high < 1 / ALIKE]
    if apart:
        return Verdict.CONTRADICTED, f"Not alike: {', '.join(apart)}."
    if found and all(one.low > 1 / ALIKE and one.high < ALIKE for one in found.values()):
        precision = f"a factor of {ALIKE:.1f}, the precision of the printed times"
        return Verdict.REPRODUCED, f"All are within {precision}."
    return Verdict.NOT_TESTABLE, "No comparison is beyond doubt."


def claim_growing(measured: PerGame, searched: Sequence[int], is_timed: bool) -> Claim:
    """That minimax falls behind more with every ply."""
    found = {d: times_as_many(measured, NATURAL, MINIMAX, ALPHABETA, d) for d in searched[1:]}
    first, last = found[searched[1]], found[searched[-1]]
    shrinking = [
        later for sooner, later in pairwise(found) if found[later].value <= found[sooner].value
    ]
    if last.high < first.low:
        verdict, reason = Verdict.CONTRADICTED, "The gap narrows."
    elif last.low <= first.high:
        verdict, reason = Verdict.NOT_TESTABLE, "The gaps cannot be told apart."
    elif shrinking:
        verdict = Verdict.IN_DIRECTION
        reason = f"It widens on the whole, but not at depth {', '.join(map(str, shrinking))}."
    else:
        verdict, reason = Verdict.REPRODUCED, "It widens with every ply."
    what = "time" if is_timed else "nodes"
    return Claim(
        f"The gap between minimax and alpha-beta grows with depth ({what}).",
        _printed(MINIMAX, ALPHABETA, range(2, len(printed_seconds(MINIMAX)) + 1)),
        _told({f"minimax at depth {depth}": one for depth, one in found.items()}),
        verdict,
        reason,
        is_timed,
    )


def _told(found: Mapping[str, Estimate]) -> str:
    return "; ".join(f"{name} {one.as_number()}" for name, one in found.items()) or "not searched"


# ------------------------------------------------------------------ printed times


def printed_seconds(algorithm: str) -> dict[Value, float]:
    """The study's seconds by depth."""
    name = "table 2" if algorithm == MINIMAX else "table 3"
    table = study().tables[name]
    place = [column.name for column in table.columns].index(NAMES[algorithm])
    return {row[0]: float(row[place] or 0) for row in table.rows}


def _printed_ratio(one: str, other: str, depth: int) -> float | None:
    above, below = printed_seconds(one), printed_seconds(other)
    return above[depth] / below[depth] if depth in above else None


def _printed(one: str, other: str, wanted: Sequence[int]) -> str:
    """The ratios that follow from the study's tables."""
    found = [
        f"depth {depth}: {value:.2f}"
        for depth in wanted
        if (value := _printed_ratio(one, other, depth)) is not None
    ]
    tables = "Table 2" if MINIMAX in (one, other) else "Table 3"
    return f"time of {NAMES[one]} over {NAMES[other]}, {', '.join(found)} ({tables})"
