"""The timing table: one mid-game board, searched to depths 1 to 6 in the report, and deeper here.

The report says that it prunes by alpha-beta, and prints whole seconds. What it does not print, the
nodes, is what tells algorithms apart: seconds that grow as minimax's nodes do were not pruned. So
minimax, alpha-beta in the game's order of moves, and alpha-beta in the order of static values all
search the board, as deep as about a minute allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

from plyground.games.catalogue import find_game
from plyground.lab.catalogue.reversi_weights.setting import (
    GAME,
    JUDGE,
    ReversiParameters,
    board,
    marked_squares,
    study,
)
from plyground.lab.charts import lines
from plyground.lab.report import Beside, Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Results
from plyground.lab.tasks import search_position

MINIMAX, ALPHA_BETA, ORDERED = "minimax", "alpha-beta", "alpha-beta, ordered"
SEARCHERS = {  # by name: the algorithm, its order, and how many plies short of the deepest it stops
    MINIMAX: ("minimax", "natural", 4),
    ALPHA_BETA: ("alphabeta", "natural", 1),
    ORDERED: ("alphabeta", "shallow", 0),
}
PRINTED_DEPTHS = range(1, 7)
MINUTE_S = 60.0


class Search(NamedTuple):
    """What a search of the board took."""

    nodes: int
    time_s: float


Found = Mapping[tuple[str, int], Search]


def depths(parameters: ReversiParameters, name: str) -> range:
    return range(1, parameters.deepest - SEARCHERS[name][2] + 1)


def cells(parameters: ReversiParameters) -> list[Cell]:
    """Every depth by itself, the deepest first; those are timed once."""
    found = []
    for name, (algorithm, order, _) in SEARCHERS.items():
        for depth in reversed(depths(parameters, name)):
            is_deep = depth > depths(parameters, name)[-1] - 2
            text = f"{algorithm}:depth={depth},eval={JUDGE},order={order}"
            often = 1 if is_deep else parameters.repetitions
            found.append(
                Cell.of(
                    search_position, game=GAME, player=text, position=board(), repetitions=often
                )
            )
    return found


def searches(parameters: ReversiParameters, results: Results) -> Found:
    found = {}
    for name, (algorithm, order, _) in SEARCHERS.items():
        for depth in depths(parameters, name):
            text = f"{algorithm}:depth={depth},eval={JUDGE},order={order}"
            for _, measured in results.of(search_position, player=text):
                nodes, times = measured.answer["nodes"], measured.times_s["search"]
                found[name, depth] = Search(nodes, median(times))
    return found


# ------------------------------------------------------------------ report


def section(parameters: ReversiParameters, results: Results) -> Section:
    """The table beside ours, nodes by depth, and what was claimed."""
    found = searches(parameters, results)
    legal = legal_squares()
    missing = ", ".join(sorted(set(legal) - set(marked_squares())))
    return Section(
        "The timing table",
        [
            Text(
                f"The text gives the board {study().numbers['moves said']} moves. Its picture "
                f"marks {len(marked_squares())} squares, all of which are legal; the rules allow "
                f"{len(legal)}: {missing or 'none'} is not marked. Evaluated with the report's own "
                "heuristics and weights. The report counts whole seconds of a program in C; ours "
                "is compiled too, and looks at the evaluator at leaves only."
            ),
            Beside(study().tables["times"], _times(found)),
            _nodes_table(found),
            _chart(found),
            claim_moves(legal),
            claim_prunes(growths(found)),
            claim_limit(found),
        ],
    )


def legal_squares() -> list[str]:
    game = find_game(GAME)
    state = game.parse_position(game.initial(), board())
    return [game.format_move(state, move) for move in game.legal(state)]


def _times(found: Found) -> Table:
    rows: list[list[Value]] = [
        [depth, search.time_s] for (name, depth), search in found.items() if name == ALPHA_BETA
    ]
    columns = [Column("depth"), Column("seconds", 4, is_timed=True)]
    return Table("Alpha-beta, moves in the game's order", columns, rows)


def _nodes_table(found: Found) -> Table:
    rows: list[list[Value]] = []
    for depth in sorted({depth for _, depth in found}):
        row: list[Value] = [depth, _printed_seconds(depth)]
        for name in SEARCHERS:
            search = found.get((name, depth))
            row += [search.nodes, search.time_s] if search else [None, None]
        rows.append(row)
    columns = [Column("depth"), Column("published seconds")]
    for name in SEARCHERS:
        columns += [Column(f"{name}: nodes"), Column(f"{name}: seconds", 3, is_timed=True)]
    return Table("Nodes and seconds by depth", columns, rows)


def _printed_seconds(depth: int) -> int | None:
    known = {row[0]: row[1] for row in study().tables["times"].rows}
    return int(str(known[depth])) if depth in known else None


def _chart(found: Found) -> Chart:
    rows = [
        {"depth": depth, "seconds": search.time_s, "series": f"{name}, ours"}
        for (name, depth), search in found.items()
    ]
    rows += [
        {"depth": depth, "seconds": _printed_seconds(depth), "series": "published"}
        for depth in PRINTED_DEPTHS
    ]
    return Chart(
        "seconds-by-depth",
        "Seconds for a move on the printed board",
        lines(rows, "depth", "seconds", "series", log=True),
        "The published seconds climb as steeply as minimax's; alpha-beta's do not. Published "
        "zeros cannot be drawn.",
        is_timed=True,
    )


def growths(found: Found) -> dict[str, float]:
    """How many times as many nodes the report's last depth takes as the one before."""
    last = PRINTED_DEPTHS[-1]
    return {
        name: found[name, last].nodes / found[name, last - 1].nodes
        for name in SEARCHERS
        if (name, last) in found
    }


def printed_growth() -> tuple[float, float]:
    """The least and the most that the printed seconds can mean: each is off by less than one."""
    before, last = (_printed_seconds(depth) or 0 for depth in PRINTED_DEPTHS[-2:])
    return (last - 1) / (before + 1), (last + 1) / (before - 1)


def finding(parameters: ReversiParameters, results: Results) -> str:
    """In a sentence."""
    growth = growths(searches(parameters, results))
    low, high = printed_growth()
    told = ", ".join(f"{name} {times:.1f}" for name, times in growth.items())
    return (
        f"From depth 5 to 6 the published seconds grow {low:.1f} to {high:.1f} times; the nodes of "
        f"{told} times: whatever the report's program prunes, here it was next to nothing."
    )


# ------------------------------------------------------------------ claims


def claim_moves(legal: list[str]) -> Claim:
    said, marked = study().numbers["moves said"], marked_squares()
    if len(legal) == said:
        verdict, reason = Verdict.REPRODUCED, "So it has."
    else:
        verdict = Verdict.CONTRADICTED
        reason = "Text, picture and rules disagree; the picture's discs are taken as they are."
    return Claim(
        "Black has 13 moves on the printed board.",
        f"{said} in the text of section 3.2, {len(marked)} squares marked",
        f"{len(legal)} legal moves: {', '.join(legal)}",
        verdict,
        reason,
    )


def claim_prunes(growth: Mapping[str, float]) -> Claim:
    """By which algorithm's nodes grow as the seconds do."""
    low, high = printed_growth()
    fits = [name for name, times in growth.items() if low <= times <= high]
    if not growth:
        verdict, reason = Verdict.NOT_TESTABLE, "Depth 6 was not searched by all."
    elif any(name != MINIMAX for name in fits):
        verdict, reason = Verdict.REPRODUCED, "Alpha-beta's nodes grow as the seconds do."
    elif MINIMAX in fits:
        verdict = Verdict.CONTRADICTED
        reason = (
            "The seconds grow as the nodes of minimax without any pruning do, and several times "
            "faster than those of alpha-beta: cut-offs did not work in the program that was timed."
        )
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "No algorithm's nodes grow as the seconds do."
    return Claim(
        "The search prunes by alpha-beta.",
        f"8 and 94 seconds at depths 5 and 6: {low:.1f} to {high:.1f} times as long (section 3.2)",
        "nodes grow " + ", ".join(f"{times:.1f} times ({name})" for name, times in growth.items()),
        verdict,
        reason,
    )


def claim_limit(found: Found) -> Claim:
    allowed = study().numbers["seconds allowed"]
    within = {
        name: max(d for (who, d), one in found.items() if who == name and one.time_s <= allowed)
        for name in SEARCHERS
    }
    minute = {
        name: max(d for (who, d), one in found.items() if who == name and one.time_s <= MINUTE_S)
        for name in SEARCHERS
    }
    deeper = within[ALPHA_BETA] > study().numbers["depth"]
    return Claim(
        "Depth 5 is what 30 seconds for a move allow.",
        "8 seconds at depth 5, 94 at depth 6 (section 3.2)",
        "deepest within 30 s: "
        + ", ".join(f"{name} {depth}" for name, depth in within.items())
        + "; within a minute: "
        + ", ".join(f"{name} {depth}" for name, depth in minute.items())
        + "; deeper ones were not all tried",
        Verdict.CONTRADICTED if deeper else Verdict.REPRODUCED,
        "With the same evaluator a search that prunes looks deeper."
        if deeper
        else "Ours gets no deeper.",
        is_timed=True,
    )
