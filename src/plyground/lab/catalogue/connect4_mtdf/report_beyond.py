"""The second half of the report: the missing control, and the study's three recommendations."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from plyground.lab import charts
from plyground.lab.catalogue.connect4_mtdf.cells import BETTER, SLOW, VARIANTS
from plyground.lab.catalogue.connect4_mtdf.claims_counted import saved
from plyground.lab.catalogue.connect4_mtdf.findings import Findings, Searches
from plyground.lab.catalogue.connect4_mtdf.report_study import COLUMNS, table_row
from plyground.lab.report import Chart, Column, Section, Table, Text, Value
from plyground.lab.statistics import Estimate, mean, ratio, share

STEPS = {
    "abmemory, no reflection": "alpha-beta with a table",
    "abmemory": "alpha-beta with a table and reflection",
    "mtdf, no reflection": "MTD(f) without reflection",
    "mtdf": "MTD(f)",
    "negascout": "zero windows without a table (NegaScout)",
}
GUESSES = {
    "mtdf": "0, as in the study",
    "mtdf, f = its last value": "what its last search in the game found",
    "mtdf, f = the value": "the value itself: no guess is better",
}


def beyond_sections(f: Findings) -> list[Section]:
    return [_control(f), _guesses(f), _algorithms(f), _evaluator(f), _precomputed(f)]


# ------------------------------------------------------------------ where the saving comes from


def _control(f: Findings) -> Section:
    rows: list[list[Value]] = []
    for depth, found in f.searches.items():
        none, all_of_it = found["alphabeta"].all_leaves, found["mtdf"].all_leaves
        gain = none - all_of_it
        plain, table = found["abmemory, no reflection"].all_leaves, found["abmemory"].all_leaves
        parts = [(none - plain) / gain, (plain - table) / gain, (table - all_of_it) / gain]
        rows.append([depth, none, plain, table, all_of_it, *parts])
    columns = [
        Column("depth"),
        Column("alpha-beta"),
        Column("with a table"),
        Column("and reflection"),
        Column("MTD(f)"),
        Column("due to the table", 1, as_percent=True),
        Column("due to reflection", 1, as_percent=True),
        Column("due to zero windows", 1, as_percent=True),
    ]
    return Section(
        "Where the saving comes from",
        [
            Text(
                "The study compares alpha-beta without a table with MTD(f), which has one: two "
                "changes at once. Alpha-beta with the same table, searching the same positions, "
                "tells them apart. NegaScout does it the other way round: zero windows, no table."
            ),
            Table(
                "Leaves over all positions of a game, and shares of the saving",
                columns,
                rows,
                "Positions of both players, so twice the average of a game. Shares depend on the "
                "order in which parts are added; here zero windows come last.",
            ),
            Chart(
                "saving",
                "Leaves saved against plain alpha-beta",
                charts.lines(_saving_rows(f), "depth", "saved", "search", y_title="share saved"),
                "Most of what MTD(f) saves, alpha-beta saves as well once it has the table; zero "
                "windows without a table save far less.",
            ),
        ],
    )


def _saving_rows(f: Findings) -> list[dict[str, Any]]:
    return [
        {"depth": depth, "search": label, "saved": saved(f, depth, name)}
        for name, label in STEPS.items()
        for depth in f.searches
    ]


# ------------------------------------------------------------------ the first guess


def _guesses(f: Findings) -> Section:
    rows: list[list[Value]] = []
    for depth, found in f.searches.items():
        base = found["mtdf"].all_leaves
        for name, label in GUESSES.items():
            rows.append(_guess_row(depth, label, found[name], base))
        rows.append(_guess_row(depth, DEEPENED, f.deepened[depth], base))
    return Section(
        "MTD(f)'s first guess",
        [
            Text(
                "The study always begins at 0, and needs many passes where the value is far off. "
                "The value itself as first guess shows the most that a better one could save. The "
                "last kind searches all depths up to the given one, guesses the value one ply "
                "shallower, and tries the table's move first; its counts are those of all depths "
                "together."
            ),
            Table(
                "Passes and leaves by first guess",
                [
                    Column("depth"),
                    Column("first guess"),
                    Column("passes per search", 2),
                    Column("leaves"),
                    Column("leaves / those with 0", 3),
                ],
                rows,
            ),
        ],
    )


DEEPENED = "the value one ply shallower, depth by depth"


def _guess_row(depth: int, label: str, found: Searches, base: int) -> list[Value]:
    passes = sum(found.passes) / len(found.passes)
    return [depth, label, passes, found.all_leaves, found.all_leaves / base]


# ------------------------------------------------------------------ recommendation a


def _algorithms(f: Findings) -> Section:
    depth = f.deepest_compared
    found = {name: each for name, each in f.searches[depth].items() if name not in VARIANTS}
    base = found["alphabeta"]
    rows: list[list[Value]] = []
    for name, each in found.items():
        leaves = ratio(zip(each.leaves, base.leaves, strict=True))
        time = _time_ratio(each)
        same = "yes" if list(each.values) == list(base.values) else "no"
        parts: list[Value] = [each.all_leaves / base.all_leaves]
        parts += [leaves.value, leaves.low, leaves.high]
        is_known = len(each.times_s) > 1
        parts += [time.value, time.low if is_known else None, time.high if is_known else None]
        rows.append([name, each.all_leaves, sum(each.nodes), *parts, same])
    return Section(
        "Recommendation a: newer algorithms in MTD(f)'s place",
        [
            Text(
                "Every algorithm searches the same positions with the same evaluator, order and "
                "(where it uses one) table; drivers of zero windows begin at 0. Ratios are to "
                "plain alpha-beta: of all leaves together, as a geometric mean over positions, and "
                "of the time for all positions, taken in turns with alpha-beta."
            ),
            Table(
                f"All algorithms at depth {depth}, {len(base.values)} positions",
                [
                    Column("algorithm"),
                    Column("leaves"),
                    Column("nodes"),
                    Column("all leaves / alpha-beta's", 3),
                    Column("mean ratio of leaves", 3),
                    Column("at least", 3),
                    Column("at most", 3),
                    Column("time / alpha-beta's", 3, is_timed=True),
                    Column("time, at least", 3, is_timed=True),
                    Column("time, at most", 3, is_timed=True),
                    Column("same values"),
                ],
                rows,
                "At least, at most: 95 % intervals, of the mean over positions and over "
                "repetitions; none for what was timed once.",
            ),
            _leaves_by_depth(f),
            Chart(
                "algorithms",
                f"Leaves and time at depth {depth}, alpha-beta = 1",
                charts.bars(_algorithm_rows(found), "algorithm", "ratio", "of"),
                "What saves leaves saves less time: a table has its price. Searches with a list of "
                "open nodes (sss, dual) are left out; the table has their times.",
                is_timed=True,
            ),
        ],
    )


def _time_ratio(each: Searches) -> Estimate:
    return ratio(zip(each.times_s, each.alphabeta_times_s, strict=True))


def _leaves_by_depth(f: Findings) -> Table:
    names = [name for name in f.searches[min(f.searches)] if name not in VARIANTS]
    rows: list[list[Value]] = [
        [name, *[_leaves(f, depth, name) for depth in f.searches]] for name in names
    ]
    return Table(
        "Leaves at each depth",
        [Column("algorithm"), *[Column(f"depth {depth}") for depth in f.searches]],
        rows,
        "Empty: out of memory.",
    )


def _leaves(f: Findings, depth: int, name: str) -> int | None:
    return f.searches[depth][name].all_leaves if name in f.searches[depth] else None


def _algorithm_rows(found: dict[str, Searches]) -> list[dict[str, Any]]:
    base = found["alphabeta"].all_leaves
    rows = []
    for name, each in found.items():
        if name in SLOW:
            continue
        rows.append({"algorithm": name, "of": "leaves", "ratio": each.all_leaves / base})
        rows.append({"algorithm": name, "of": "time", "ratio": _time_ratio(each).value})
    return rows


# ------------------------------------------------------------------ recommendation b


def _evaluator(f: Findings) -> Section:
    rows: list[list[Value]] = []
    for depth, pairs in f.duels.items():
        points, judged = mean([pair / 2 for pair in pairs]), f.judged[depth]
        kept = [share(f.kept[f"{name} {depth}"], judged).value for name in (BETTER, "segments")]
        rows.append([depth, len(pairs), points.value, points.low, points.high, judged, *kept])
    return Section(
        "Recommendation b: a better evaluator",
        [
            Text(
                f"`{BETTER}` counts the cells that complete a line, more for those on rows that a "
                "side will get to play on and for those playable at once. Both evaluators are "
                "searched by MTD(f) to the same depth. They meet in pairs of games from random "
                "openings of four moves, sides exchanged; and both are asked for a move in random "
                "positions of 18 stones that were solved to the end, where the move matters and "
                "the search sees no forced win."
            ),
            Table(
                f"`{BETTER}` against the study's evaluator",
                [
                    Column("depth"),
                    Column("pairs of games"),
                    Column("score", 1, as_percent=True),
                    Column("at least", 1, as_percent=True),
                    Column("at most", 1, as_percent=True),
                    Column("solved positions"),
                    Column(f"{BETTER} keeps the outcome", 1, as_percent=True),
                    Column("segments keeps it", 1, as_percent=True),
                ],
                rows,
            ),
            Table(
                "Table 1 with the better evaluator",
                COLUMNS,
                [table_row(own) for own in f.better.values()],
                "X plays alpha-beta, O plays MTD(f), as before.",
            ),
        ],
    )


# ------------------------------------------------------------------ recommendation c


def _precomputed(f: Findings) -> Section:
    parts: list[Any] = [
        Text(
            "Four ways to the same value, and a fifth that remembers whole positions. **Counted in "
            "parallel**: all segments of a direction in one word, as everywhere in this program. "
            "**Segments one by one**: stones of both sides counted in each of the 69. **Table of "
            "segments**: 69 look-ups of values computed before, which is the recommendation to the "
            "letter. **Table of lines**: 25 look-ups, a row, a column or a diagonal at a time. "
            "**Table of positions**: a hash table of values, filled as they come up; its speed on "
            "the same few positions again and again is the best it can do."
        ),
        _speed_table("Compiled: one evaluation", f.compiled_s, 1e9, "ns"),
        _speed_table("Plain Python: one evaluation", f.interpreted_s, 1e6, "us"),
    ]
    if f.searching_s:
        parts.append(
            _speed_table(
                f"Alpha-beta to depth {f.searching_depth} over the positions of a game",
                f.searching_s,
                1e3,
                "ms",
            )
        )
    rows = [{"way": name, "ns": 1e9 * median(times)} for name, times in f.compiled_s.items()]
    parts.append(
        Chart(
            "evaluations",
            "Compiled: nanoseconds for one evaluation",
            charts.bars([row | {"series": "time"} for row in rows], "way", "ns", "series"),
            "Look-ups of whole lines do better than look-ups of single segments.",
            is_timed=True,
        )
    )
    return Section("Recommendation c: values of segments, computed before", parts)


def _speed_table(title: str, times: Any, scale: float, unit: str) -> Table:
    names = list(times)
    base = "counted in parallel" if "counted in parallel" in times else names[0]
    rows: list[list[Value]] = [
        [name, scale * median(times[name]), *_against(times[name], times[base])] for name in names
    ]
    return Table(
        title,
        [
            Column("way"),
            Column(f"{unit}, median", 1, is_timed=True),
            Column(f"time / {base}", 2, is_timed=True),
            Column("at least", 2, is_timed=True),
            Column("at most", 2, is_timed=True),
        ],
        rows,
    )


def _against(times: Sequence[float], base: Sequence[float]) -> list[Value]:
    found = ratio(zip(times, base, strict=True))
    return [found.value, found.low, found.high]
