"""The first half of the report: the study's table and figures, and what it leaves unsaid."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from plyground.lab import charts
from plyground.lab.catalogue.connect4_mtdf.claims_counted import matching_counts, result_text
from plyground.lab.catalogue.connect4_mtdf.findings import Depth, Findings
from plyground.lab.catalogue.connect4_mtdf.printed import (
    check_table,
    checks,
    games_behind,
    study,
    study_rows,
)
from plyground.lab.report import Beside, Chart, Column, Section, Table, Text, Value, ratios
from plyground.lab.statistics import median as middle

LAST_PUBLISHED = 10
COLUMNS = [
    Column("depth"),
    Column("X, s per move", 6, is_timed=True),
    Column("O, s per move", 6, is_timed=True),
    Column("O faster by, %", 2, is_timed=True),
    Column("X leaves", 1),
    Column("O leaves", 1),
    Column("O fewer leaves by, %", 2),
    Column("passes of O", 1),
    Column("end results"),
]


def study_sections(f: Findings) -> list[Section]:
    return [_repeated(f), _readings(f), _printed(f)]


# ------------------------------------------------------------------ table 1 and its figures


def _repeated(f: Findings) -> Section:
    published = study().tables["table 1"]
    depths = [own for own in f.depths.values() if own.depth <= LAST_PUBLISHED]
    ours = Table(
        "Table 1, repeated",
        COLUMNS,
        [table_row(own) for own in depths],
        "Averages of the two games of a depth. Times: medians over the repetitions.",
    )
    parts: list[Any] = [
        Text(
            "X plays alpha-beta, O plays MTD(f), both to the same depth. Each game is played once "
            "with X and once with O moving first. Both search the columns in the order "
            "3, 4, 2, 5, 1, 6, 0; MTD(f) begins at 0 with an empty table in which mirrored "
            "positions share an entry."
        ),
        Beside(published, ours),
        ratios(_without_percentages(published), _without_percentages(ours)),
        *_figures(f),
        _games_table(f),
    ]
    deeper = [own for own in f.depths.values() if own.depth > LAST_PUBLISHED]
    if deeper:
        rows = [table_row(own) for own in deeper]
        parts.append(Table("Deeper than the study", COLUMNS, rows))
    return Section("The study repeated", parts)


def _without_percentages(table: Table) -> Table:
    """Ratios of percentages say nothing."""
    places = [i for i, column in enumerate(table.columns) if "%" not in column.name]
    columns = [table.columns[i] for i in places]
    return Table(table.title, columns, [[row[i] for i in places] for row in table.rows])


def table_row(own: Depth) -> list[Value]:
    """A depth in the layout of the study's table."""
    return [
        own.depth,
        median(own.x_times_s),
        median(own.o_times_s),
        100 * own.faster,
        own.x_leaves,
        own.o_leaves,
        100 * own.fewer,
        own.passes,
        result_text(own),
    ]


def _games_table(f: Findings) -> Table:
    names = ("depth", "first", "plies", "winner", "X leaves", "O leaves", "passes of O", "moves")
    return Table(
        "The games",
        [Column(name) for name in names],
        [
            [
                game.depth,
                game.first,
                len(game.moves),
                game.result,
                game.x["leaves"],
                game.o["leaves"],
                game.o["passes"],
                game.moves,
            ]
            for game in f.games
        ],
        "Columns are numbered from 1. The two games of a depth are the same one with the names "
        "exchanged.",
    )


def _figures(f: Findings) -> list[Chart]:
    return [
        Chart(
            "figure-6",
            "Figure 6. Games won at each depth",
            charts.bars(_result_rows(f), "depth", "games", "winner", facet="source"),
            "Each side wins one game of each depth, or both are drawn.",
        ),
        Chart(
            "figure-7",
            "Figure 7. Time per move",
            charts.lines(
                _time_rows(f),
                "depth",
                "seconds",
                "player",
                log=True,
                dashed="source",
                low="low",
                high="high",
                y_title="seconds per move",
            ),
            "The published lines lie far above ours, and theirs are farther apart: a leaf costs "
            "much more there, so leaves saved weigh more.",
            is_timed=True,
        ),
        Chart(
            "figure-8",
            "Figure 8. Leaves evaluated",
            charts.lines(
                _leaf_rows(f),
                "depth",
                "leaves",
                "player",
                log=True,
                dashed="source",
                y_title="leaves per game",
            ),
            "Ours cover the published lines. Alpha-beta's steps are steep to odd depths and flat "
            "to even ones; MTD(f)'s are even.",
        ),
    ]


X_NAME, O_NAME = "X: alpha-beta", "O: MTD(f)"


def _result_rows(f: Findings) -> list[dict[str, Any]]:
    rows = []
    for row in study_rows().values():
        for winner, mark in (("X", "X("), ("O", "O("), ("draw", "Draw(")):
            games = int(row.results.split(mark)[1][0]) if mark in row.results else 0
            rows.append(_result_row("published", row.depth, winner, games))
    for own in f.depths.values():
        rows += [_result_row("ours", own.depth, who, n) for who, n in own.results.items()]
    return rows


def _result_row(source: str, depth: int, winner: str, games: int) -> dict[str, Any]:
    return {"source": source, "depth": str(depth), "winner": winner, "games": games}


def _time_rows(f: Findings) -> list[dict[str, Any]]:
    rows = []
    for row in study_rows().values():
        for player, seconds in ((X_NAME, row.x_time_s), (O_NAME, row.o_time_s)):
            rows.append(_time_row("published", row.depth, player, seconds, seconds, seconds))
    for own in f.depths.values():
        for player, times in ((X_NAME, own.x_times_s), (O_NAME, own.o_times_s)):
            found = middle(times)
            rows.append(_time_row("ours", own.depth, player, found.value, found.low, found.high))
    return rows


def _time_row(
    source: str, depth: int, player: str, seconds: float, low: float, high: float
) -> dict[str, Any]:
    known = {"source": source, "depth": depth, "player": player}
    return known | {"seconds": seconds, "low": low, "high": high}


def _leaf_rows(f: Findings) -> list[dict[str, Any]]:
    found: list[tuple[str, int, float, float]] = [
        ("published", row.depth, row.x_leaves, row.o_leaves) for row in study_rows().values()
    ]
    found += [("ours", own.depth, own.x_leaves, own.o_leaves) for own in f.depths.values()]
    return [
        {"source": source, "depth": depth, "player": player, "leaves": leaves}
        for source, depth, x, o in found
        for player, leaves in ((X_NAME, x), (O_NAME, o))
    ]


# ------------------------------------------------------------------ what it leaves unsaid


def _readings(f: Findings) -> Section:
    met, count = matching_counts(list(f.depths.values()))
    parts: list[Any] = [
        Text(
            "The study does not say whether its counts are sums or averages, where MTD(f) begins, "
            "whether its table is emptied between moves, whether the table's move is tried first, "
            f"or whether a near win is better than a far one. Its counts tell: {met} of {count} "
            "come out exactly as **averages of the two games of a depth**, if f is **0**, the "
            "table is **empty before each move** and forgets nothing during it, **leaves are not "
            "filed**, **no move is taken from the table**, and **a win is infinity**, the end of "
            "the window, so that a search stops at the first it sees. As printed, the pseudocode "
            "of ABMemory files leaves as well; then there would be 4,416 leaves at depth 5, not "
            "5,451."
        )
    ]
    if f.readings:
        parts.append(_reading_table(f))
    parts.append(_rate_table(f))
    return Section("What the study does not say", parts)


def _reading_table(f: Findings) -> Table:
    depths = sorted(next(iter(f.readings.values())))
    as_found = {depth: f.depths[depth] for depth in depths}
    rows: list[list[Value]] = []
    for name, found in {"as above": as_found, **f.readings}.items():
        met, count = matching_counts(list(found.values()))
        rows.append([name, f"{met} of {count}", *_totals(list(found.values()))])
    return Table(
        "The same games under other readings, one change at a time",
        [
            Column("reading"),
            Column("counts met"),
            Column("X leaves", 1),
            Column("O leaves", 1),
            Column("passes", 1),
        ],
        rows,
        f"Sums over depths {depths[0]} to {depths[-1]}. Counts met: of X leaves, O leaves and "
        "passes at each depth, those that are exactly as printed, halves rounded down. With "
        "another first guess X's counts stay, since the moves do.",
    )


def _totals(found: Sequence[Depth]) -> list[Value]:
    return [
        sum(own.x_leaves for own in found),
        sum(own.o_leaves for own in found),
        sum(own.passes for own in found),
    ]


def _rate_table(f: Findings) -> Table:
    rows: list[list[Value]] = []
    for depth, row in study_rows().items():
        if depth in f.depths:
            moves = f.depths[depth].x_moves
            x_rate = row.x_leaves / (row.x_time_s * moves)
            o_rate = row.o_leaves / (row.o_time_s * moves)
            rows.append([depth, moves, x_rate, o_rate, x_rate / o_rate])
    return Table(
        "Leaves per second in the study",
        [
            Column("depth"),
            Column("moves of a player in a game", 1),
            Column("X, leaves/s", 0),
            Column("O, leaves/s", 0),
            Column("X / O", 2),
        ],
        rows,
        "Printed leaves over printed time per move and our number of moves. That the speed is the "
        "same at all depths confirms that leaves are counted for one whole game.",
    )


# ------------------------------------------------------------------ its own numbers


def _printed(f: Findings) -> Section:
    wrong = [check for check in checks() if not check.follows]
    listed = "; ".join(f"{check.where}: {check.what} {check.printed:g} %" for check in wrong)
    fewest = games_behind(study().numbers["abstract"]["O wins, %"])
    return Section(
        "The study's numbers against each other",
        [
            Text(
                f"Of {len(checks())} printed percentages {len(wrong)} do not follow from the other "
                f"printed numbers: {listed}. The table's own percentages all follow, the bracketed "
                "0.19 % of depth 6 included. Draws of 16.66 % in the text are 2 of 12 games "
                "rounded down, so that the three add up to 100. The abstract's 45.83 % needs at "
                f"least {fewest} games; 12 were played."
            ),
            check_table(),
        ],
    )
