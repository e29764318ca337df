"""What came of figures 5 and 6: tables, charts, and what the study concludes from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from statistics import median

from plyground.lab.catalogue.othello_scout.searches import (
    BOUNDED,
    CORRECT,
    IN_TURN,
    MOST_VISITS,
    ONE_SIDE,
    OTHER_JUDGES,
    READINGS,
    Rows,
    Spent,
    first_moves,
    proofs,
    readings,
    rooms,
    searched,
    seconds,
)
from plyground.lab.catalogue.othello_scout.setting import (
    ALPHA_BETA,
    NAMES,
    SCOUT,
    ScoutParameters,
    printed,
    study,
)
from plyground.lab.catalogue.othello_scout.trees import ENOUGH
from plyground.lab.charts import lines
from plyground.lab.report import Beside, Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate, ratio

SMALLEST, SMALLEST_OWN = "fewest possible, any heuristic", "fewest possible, this heuristic"
EVAL_ALONE = "SCOUT, EVAL alone"
LEAST, MOST = "published for SCOUT, least", "published for SCOUT, most"
ENDS = ("least", "most")
NEAR = 10  # a count within this factor of the published one is of its order


def section(parameters: ScoutParameters, results: Results) -> Section:
    """Figures 5 and 6, what explains their numbers, and what was claimed."""
    games, spent = searched(results), seconds(results)
    proved, read = proofs(results), readings(results)
    nodes, time_s = scout_over_alpha_beta(games), scout_over_alpha_beta_s(spent)
    return Section(
        "Figures 5 and 6: nodes and time of one move",
        [
            Text(
                "The figures themselves cannot be read to the last digit; the text gives the least "
                "and the most of SCOUT, and alpha-beta's first number. The study prints the "
                "factors of its heuristic but not their weights; ours are those of `factors`. "
                f"Positions are the program's first {parameters.moves} moves in {len(games)} games "
                "against the level medium, half of them as Black. Both algorithms search the same "
                "positions, in the order in which the game lists moves."
            ),
            Beside(study().tables["figures 5 and 6"], _figures(games, spent)),
            _nodes_chart(games, proved, read),
            _time_chart(spent),
            Text(_explanation(parameters, games, proved, read)),
            _by_move(games, proved, read),
            _readings_table(read),
            _first_moves_table(first_moves(results, parameters.depth)),
            claim_node_range(parameters.depth, games, proved),
            claim_fewer_nodes(nodes, games),
            claim_less_time(time_s),
            claim_memory(rooms(results), parameters.depth),
        ],
    )


# ------------------------------------------------------------------ counts


def scout_over_alpha_beta(games: Sequence[Rows]) -> Estimate:
    """SCOUT's nodes over alpha-beta's, position by position."""
    return ratio((row[SCOUT]["nodes"], row[ALPHA_BETA]["nodes"]) for game in games for row in game)


def scout_over_alpha_beta_s(spent: Spent) -> Estimate:
    """The same with seconds."""
    games = zip(spent[SCOUT], spent[ALPHA_BETA], strict=True)
    return ratio(both for one, other in games for both in zip(one, other, strict=True))


def visits(read: Rows, name: str) -> list[int]:
    """What a reading visited, where it came to an end."""
    return [row[name]["evals"] + row[name]["tests"] for row in read if row[name]]


def nearest_reading(read: Rows) -> str:
    """The reading whose least and most are nearest to the published ones, as factors."""
    least, most = printed("scout nodes, least"), printed("scout nodes, most")

    def distance(name: str) -> float:
        found = visits(read, name)
        if len(found) < len(read):
            return math.inf
        return abs(math.log(min(found) / least)) + abs(math.log(max(found) / most))

    return min(READINGS, key=distance)


# ------------------------------------------------------------------ tables


def _figures(games: Sequence[Rows], spent: Spent) -> Table:
    rows: list[list[Value]] = []
    for algorithm, name in NAMES.items():
        nodes = [row[algorithm]["nodes"] for game in games for row in game]
        ms = [1000 * time_s for game in spent[algorithm] for time_s in game]
        rows.append([name, games[0][0][algorithm]["nodes"], min(nodes), max(nodes)])
        rows[-1] += [min(ms), max(ms)]
    columns = list(study().tables["figures 5 and 6"].columns[:4])
    columns += [Column("ms, least", 1, is_timed=True), Column("ms, most", 1, is_timed=True)]
    note = "First move: Black's, from the beginning of the game. Times are of compiled code."
    return Table("One move, over all positions", columns, rows, note)


def _by_move(games: Sequence[Rows], proved: Rows, read: Rows) -> Table:
    names = (ONE_SIDE, IN_TURN, BOUNDED)
    rows: list[list[Value]] = []
    for move in sorted({row["move"] for row in read}):
        here = [row for game in games for row in game if row["move"] == move]
        shown = [row for row in read if row["move"] == move]
        bounds = [row for row in proved if row["move"] == move]
        rows.append([move, median(row["legal"] for row in here)])
        rows[-1] += [median(row[name]["nodes"] for row in here) for name in (ALPHA_BETA, SCOUT)]
        known = [row[CORRECT]["evals"] for row in shown if row[CORRECT]]
        rows[-1].append(median(known) if known else None)
        rows[-1] += [
            min(row[kind] for row in bounds) if bounds else None for kind in ("own", "any")
        ]
        rows[-1] += [median(visits(shown, name)) for name in names]
    columns = [Column("move"), Column("legal moves", 0), Column("alpha-beta", 0)]
    columns += [Column("SCOUT", 0), Column(EVAL_ALONE, 0)]
    columns += [Column(name, 0) for name in (SMALLEST_OWN, SMALLEST, *names)]
    return Table(
        "Nodes by move",
        columns,
        rows,
        "Medians over the games; the fewest possible are the least over the games. What is larger "
        f"than {ENOUGH:,} was not counted to its end.",
    )


def _readings_table(read: Rows) -> Table:
    least, most = printed("scout nodes, least"), printed("scout nodes, most")
    rows: list[list[Value]] = [["published", None, least, None, most, None, None]]
    for name in READINGS:
        found = visits(read, name)
        kept = [row[name]["better"] == 0 for row in read if row[name]]
        inside = sum(least <= one <= most for one in found) / len(read)
        ended = len(found) / len(read)
        rows.append([name, ended, *_spread(found), inside])
        rows[-1].append(sum(kept) / len(kept) if kept else None)
    alone = [row[CORRECT]["evals"] for row in read if row[CORRECT]]
    inside = sum(least <= one <= most for one in alone) / len(read)
    rows.append([EVAL_ALONE, len(alone) / len(read), *_spread(alone), inside, None])
    columns = [Column("reading"), Column(f"ends within {MOST_VISITS:,}", 0, as_percent=True)]
    columns += [Column("least", 0), Column("median", 0), Column("most", 0)]
    columns += [Column(f"within {least} to {most}", 0, as_percent=True)]
    columns += [Column("keeps the first move", 0, as_percent=True)]
    return Table(
        "EVAL and TEST as printed: nodes visited",
        columns,
        rows,
        "The player at the root is min, unless a reading says max. For min the printed TEST "
        "answers no wherever there is a move, so EVAL follows a single line; for max it answers "
        "yes, so EVAL follows every line.",
    )


def _spread(found: Sequence[int]) -> list[Value]:
    return [min(found), median(found), max(found)] if found else [None, None, None]


def _first_moves_table(found: dict[tuple[str, str], int]) -> Table:
    rows: list[list[Value]] = [["published", printed("alpha-beta nodes, first move"), None]]
    rows += [[judge, found[judge, "Black"], found[judge, "White"]] for judge in OTHER_JUDGES]
    columns = [Column("heuristic"), Column("as Black"), Column("as White, after f5")]
    return Table(
        "Alpha-beta's nodes at its first move",
        columns,
        rows,
        "Tens of thousands, whatever the heuristic: the published number is that of a true search.",
    )


def _explanation(
    parameters: ScoutParameters, games: Sequence[Rows], proved: Rows, read: Rows
) -> str:
    least, most = printed("scout nodes, least"), printed("scout nodes, most")
    wide = [((count + 1) / 2) ** (2 / parameters.depth) for count in (least, most)]
    legal = median(row["legal"] for game in games for row in game)
    below = sum(row["any"] > most for row in proved)
    name = nearest_reading(read)
    told = {each: visits(read, each) for each in (ONE_SIDE, IN_TURN, BOUNDED)}
    ranges = "; ".join(f"{each}: {min(n)} to {max(n)}" for each, n in told.items())
    paces = [printed(f"scout ms, {end}") / printed(f"scout nodes, {end}") for end in ENDS]
    return (
        f"**Why {least} cannot be.** A search of depth d has to see at least "
        "b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves of a tree with b moves everywhere (Knuth & Moore 1975). At "
        f"depth {parameters.depth}, {least} leaves would mean {wide[0]:.1f} moves and {most} would "
        f"mean {wide[1]:.1f}; these positions have {legal:g}. Othello's tree is not uniform, so "
        "the smallest trees were also counted, position by position. Even if the heuristic may "
        f"be chosen freely, they have {min(row['any'] for row in proved):,} nodes or more, and "
        f"more than {most} in {below} of {len(proved)} positions. No order of moves and no window "
        "goes below that, and SCOUT is no exception. To count only the nodes of EVAL, and not "
        "those of TEST, is not enough either.\n\n"
        "**What does give such numbers.** The printed TEST hands down the player it was given, "
        "and its last lines answer the wrong way round. Together they make every TEST for min "
        "answer no, after one line down: EVAL then follows the first move at every depth, and "
        f"nothing else. Nodes visited so: {ranges}. Nearest to {least} and {most} is *{name}*. "
        f"The published times agree with such counts: {paces[0]:.2f} ms for each of {least} nodes, "
        f"{paces[1]:.2f} ms for each of {most}. So the study set a procedure that hardly "
        "searches beside a search. What its moves are worth, the games below show."
    )


# ------------------------------------------------------------------ charts


def _nodes_chart(games: Sequence[Rows], proved: Rows, read: Rows) -> Chart:
    found: dict[str, dict[int, float]] = {}
    moves = sorted({row["move"] for row in read})
    for move in moves:
        here = [row for game in games for row in game if row["move"] == move]
        shown = [row for row in read if row["move"] == move]
        bounds = [row["any"] for row in proved if row["move"] == move]
        for algorithm, name in reversed(NAMES.items()):
            found.setdefault(name, {})[move] = median(row[algorithm]["nodes"] for row in here)
        if bounds:
            found.setdefault(SMALLEST, {})[move] = min(bounds)
        for name in (BOUNDED, ONE_SIDE):
            found.setdefault(name, {})[move] = median(visits(shown, name))
    found[MOST] = dict.fromkeys(moves, printed("scout nodes, most"))
    found[LEAST] = dict.fromkeys(moves, printed("scout nodes, least"))
    rows = [
        {"move": move, "nodes": count, "series": name}
        for name, counts in found.items()
        for move, count in counts.items()
    ]
    return Chart(
        "nodes-by-move",
        "Nodes at each of the program's moves",
        lines(rows, "move", "nodes", "series", log=True),
        "The published range of SCOUT lies below what any search needs, and about where the "
        "printed procedure gets.",
    )


def _time_chart(spent: Spent) -> Chart:
    rows = [
        {"move": place + 1, "ms": 1000 * median(t for t in each if t), "series": NAMES[algorithm]}
        for algorithm in (ALPHA_BETA, SCOUT)
        for place, each in enumerate(zip_longest(*spent[algorithm]))
    ]
    moves = sorted({int(str(row["move"])) for row in rows})
    rows += [
        {"move": move, "ms": printed(f"scout ms, {end}"), "series": name}
        for end, name in (("most", MOST), ("least", LEAST))
        for move in moves
    ]
    return Chart(
        "time-by-move",
        "Milliseconds at each of the program's moves",
        lines(rows, "move", "ms", "series", log=True),
        "Medians over the games; the study's are of a mobile phone.",
        is_timed=True,
    )


# ------------------------------------------------------------------ claims


def claim_node_range(depth: int, games: Sequence[Rows], proved: Rows) -> Claim:
    """By what no search can go below."""
    least, most = printed("scout nodes, least"), printed("scout nodes, most")
    nodes = [row[SCOUT]["nodes"] for game in games for row in game]
    bounds = [row["any"] for row in proved]
    impossible = sum(bound > most for bound in bounds)
    if depth != printed("depth"):
        verdict, reason = Verdict.NOT_TESTABLE, "The study's numbers are for depth 8."
    elif least / NEAR <= min(nodes) and max(nodes) <= most * NEAR:
        verdict, reason = Verdict.REPRODUCED, "Ours are of the same order."
    elif impossible:
        verdict = Verdict.CONTRADICTED
        reason = (
            f"The smallest tree that proves any value at all is larger than {most} in "
            f"{impossible} of {len(bounds)} positions, and larger than {least} in "
            f"{sum(bound > least for bound in bounds)}: whatever was counted, it is not a search "
            "of depth 8."
        )
    else:
        verdict, reason = Verdict.IN_DIRECTION, "Such numbers are possible, but ours are larger."
    return Claim(
        "SCOUT chooses a move at depth 8 after visiting between 76 and 1041 nodes.",
        f"{least} to {most} nodes over {printed('moves')} moves (Figure 5)",
        f"{min(nodes):,} to {max(nodes):,} nodes; no search can do with fewer than {min(bounds):,}",
        verdict,
        reason,
    )


def claim_fewer_nodes(found: Estimate, games: Sequence[Rows]) -> Claim:
    least, alpha_beta = printed("scout nodes, least"), printed("alpha-beta nodes, first move")
    theirs = least / alpha_beta
    sums = [sum(row[name]["nodes"] for game in games for row in game) for name in NAMES]
    verdict = _saving(found, theirs)
    reasons = {
        Verdict.REPRODUCED: "It does, by about as much.",
        Verdict.IN_DIRECTION: "It visits fewer, but the two are of the same order: both have to "
        "see the same smallest tree, and differ only in what they see besides.",
        Verdict.CONTRADICTED: "It does not: what its tests save, its searches again cost.",
    }
    return Claim(
        "Under the same conditions SCOUT explores far fewer nodes than alpha-beta.",
        f"{least} against {alpha_beta:,} at the first move: a share of {theirs:.4f}",
        f"SCOUT's nodes over alpha-beta's: {found.as_number()}, as a mean over positions; in all "
        f"{sums[0]:,} against {sums[1]:,}",
        verdict,
        reasons[verdict],
    )


def claim_less_time(found: Estimate) -> Claim:
    verdict = _saving(found, 1 / NEAR**2)
    reasons = {
        Verdict.REPRODUCED: "It takes a small part of the time.",
        Verdict.IN_DIRECTION: "It is faster, by a little.",
        Verdict.CONTRADICTED: "It is not faster.",
    }
    return Claim(
        "SCOUT needs much less time than alpha-beta.",
        "73 to 1014 ms against a long time, which only Figure 6 tells",
        f"SCOUT's time over alpha-beta's: {found.as_number()}",
        verdict,
        reasons[verdict],
        is_timed=True,
    )


def _saving(found: Estimate, published: float) -> Verdict:
    """Whether a share is as small as the published one, smaller than 1, or neither."""
    if found.value <= NEAR * published:
        return Verdict.REPRODUCED
    return Verdict.IN_DIRECTION if found.high < 1 else Verdict.CONTRADICTED


def claim_memory(found: dict[int, int], depth: int) -> Claim:
    growth = found[2 * depth] / found[depth]
    if growth <= 4:
        verdict = Verdict.CONTRADICTED
        reason = (
            "Alpha-beta keeps one line and its moves; what it needs grows with the depth, not with "
            "the tree. A phone that runs out of memory keeps the tree, which no search asks for."
        )
    else:
        verdict, reason = Verdict.REPRODUCED, "The room grows faster than the depth."
    return Claim(
        "Alpha-beta reaches depth 8 at most, since it runs out of memory beyond.",
        "section 6.1",
        f"{found[depth]:,} bytes at depth {depth}, {found[2 * depth]:,} at depth {2 * depth}",
        verdict,
        reason,
    )
