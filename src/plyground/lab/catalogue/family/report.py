"""The report: the portrait, special cases, MTD(f) and its rivals, SCOUT at Kalah."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plyground.lab.catalogue.family.claims import (
    claim_exact,
    claim_faster,
    claim_fewer_leaves,
    claim_fewer_nodes,
    claim_ranking,
    claim_scout,
    claims_special_cases,
    ranking,
)
from plyground.lab.catalogue.family.counting import minimal_tree
from plyground.lab.catalogue.family.findings import Findings, Searches, gather, searches_of
from plyground.lab.catalogue.family.setting import (
    ALPHABETA,
    ASPIRATION,
    AT_KALAH,
    GAMES,
    MINIMAX,
    RIVALS,
    SCOUT,
    TWINS,
    FamilyParameters,
    windowed,
)
from plyground.lab.charts import bars, heat_map, lines
from plyground.lab.report import Chart, Column, Part, Report, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate, mean, ratio

FEWEST = "fewest possible"
FACES = ("scout", "negascout", "abmemory", "aspiration", "mtdf", "mt-sss", "mt-dual", "sss")
"""The algorithms of the charts, which have room for eight."""
OVER_DEPTH = (MINIMAX, ALPHABETA, "negascout", "mtdf", "mt-sss", FEWEST)
GUESSES = {1: "guess from the depth before", 2: "guess from two depths before"}
ORDERS = {"table": "as listed", "shallow": "by evaluation"}


def make_report(p: FamilyParameters, results: Results) -> Report:
    found = gather(p, results)
    return Report(
        _summary(p, found),
        [_portrait(p, found), _special_cases(found), _rivals(p, found), _scout(p, found)],
    )


def _summary(p: FamilyParameters, found: Findings) -> str:
    trees = [tree for each in found.trees.values() for tree in each]
    exact = claim_exact(searches_of(found), trees)
    is_exact = exact.verdict is Verdict.REPRODUCED
    agreed = "All exact algorithms agree on every value." if is_exact else exact.reason
    rivals = "; ".join(
        f"{GAMES[game].title} {each.times_as_many('mtdf', 'aspns', 'evaluated').as_number(3)}"
        for game, each in _judged(p, found).items()
    )
    scout = "; ".join(
        f"{evaluator}, {ORDERS[order]} "
        + each.times_as_many(SCOUT, ALPHABETA, "leaves").as_number(3)
        for (evaluator, order, depth), each in found.kalah.items()
        if depth == p.kalah_depth
    )
    same = all(all(tree["same"].values()) for tree in trees)
    return (
        f"{agreed} "
        f"SSS* and DUAL* look at {'exactly the' if same else 'NOT always the'} leaves of their "
        f"rebuilt forms on {len(trees):,} trees. MTD(f) evaluates this many times the leaves of "
        f"aspiration NegaScout: {rivals}. SCOUT visits this many times the leaves of alpha-beta "
        f"at Kalah, at depth {p.kalah_depth}: {scout}."
    )


# ------------------------------------------------------------------ the portrait


def _portrait(p: FamilyParameters, found: Findings) -> Section:
    parts: list[Part] = [
        Text(
            "Every exact algorithm searches the same positions to the same depth, once, with the "
            "game's default evaluator and in the same order of moves; those that use a table also "
            f"try its move first, and have {p.memory_mb} MB. Guesses of the value, where an "
            "algorithm wants one, are 0. Ratios are geometric means over positions of what two "
            "algorithms need on the same position, with intervals of 95 %.\n\n"
            "The perfect order is not guessed but counted: from the whole tree, the leaves of the "
            "smallest proof of the value, in which every refutation is the cheapest there is. On "
            "a tree no search can do with fewer; on a uniform one they are those of Knuth & Moore "
            "(1975). With a table a search may: it needs a position only once, however often the "
            "tree has it."
        ),
        claim_exact(searches_of(found), [tree for each in found.trees.values() for tree in each]),
    ]
    parts += [_portrait_table(p, game, found) for game in p.games]
    parts += [_all_chart(p, found), _faces_chart(p, found), _depth_chart(p, found)]
    return Section("The portrait", parts)


def _deepest(p: FamilyParameters, game: str, found: Findings) -> Searches:
    return found.portrait[game, p.depths(game)[-1]]


def _portrait_table(p: FamilyParameters, game: str, found: Findings) -> Table:
    searches, depth = _deepest(p, game, found), p.depths(game)[-1]
    rows: list[list[Value]] = []
    for name in p.chosen:
        rows.append([name, mean(searches.counts(name, "leaves")).value])
        rows[-1] += _three(searches.times_as_many(name, ALPHABETA, "leaves"))
        rows[-1] += _three(searches.times_as_many(name, ALPHABETA, "nodes"))
        rows[-1] += _three(searches.times_as_long(name, ALPHABETA))
        rows[-1].append(_over_fewest(searches, name).value)
    fewest = [each["fewest"] for each in searches.positions]
    pairs = zip(fewest, searches.counts(ALPHABETA, "leaves"), strict=True)
    rows.append([FEWEST, mean(fewest).value, *_three(ratio(pairs)), *[None] * 6, 1.0])
    columns = [Column("algorithm"), Column("leaves", 0)]
    for what, is_timed in (("leaves", False), ("nodes", False), ("time", True)):
        columns.append(Column(f"{what} / alphabeta's", 3, is_timed=is_timed))
        columns += [Column(end, 3, is_timed=is_timed) for end in ("from", "to")]
    columns.append(Column("leaves / fewest", 2))
    note = f"{len(fewest)} positions after {GAMES[game].plies} random moves."
    if game == "synthetic":
        branching = GAMES[game].settings["branching"]
        note = (
            f"{len(fewest)} trees. Knuth & Moore's minimal tree with {branching} moves in each "
            f"position has {minimal_tree(branching, depth):,} leaves."
        )
    return Table(f"{GAMES[game].title}, depth {depth}", columns, rows, note)


def _over_fewest(searches: Searches, name: str) -> Estimate:
    fewest = [each["fewest"] for each in searches.positions]
    return ratio(zip(searches.counts(name, "leaves"), fewest, strict=True))


def _three(found: Estimate) -> list[Value]:
    return [found.value, found.low, found.high]


def _all_chart(p: FamilyParameters, found: Findings) -> Chart:
    rows: list[dict[str, Any]] = []
    for name in p.chosen:
        for game in p.games:
            many = _deepest(p, game, found).times_as_many(name, ALPHABETA, "leaves")
            rows.append({"algorithm": name, "game": GAMES[game].title, "ratio": many.value})
    return Chart(
        "portrait",
        "Leaves, as a multiple of alpha-beta's",
        heat_map(
            rows, "game", "algorithm", "ratio", log=True, digits=2, value_title="times alpha-beta"
        ),
        "The deepest search of each game; the pale ones are thrifty.",
    )


def _faces_chart(p: FamilyParameters, found: Findings) -> Chart:
    rows: list[dict[str, Any]] = []
    for game in p.games:
        searches = _deepest(p, game, found)
        for name in (one for one in FACES if one in p.chosen):
            many = searches.times_as_many(name, ALPHABETA, "leaves")
            rows.append({"game": GAMES[game].title, "algorithm": name, "leaves": many.value})
            rows[-1] |= {"low": many.low, "high": many.high}
    return Chart(
        "leaves-by-game",
        "Leaves, as a multiple of alpha-beta's",
        bars(
            rows,
            "game",
            "leaves",
            "algorithm",
            log=True,
            low="low",
            high="high",
            y_title="times alpha-beta",
        ),
        "Below 1 an algorithm visits fewer leaves than alpha-beta. Intervals of 95 % over "
        "positions.",
    )


def _depth_chart(p: FamilyParameters, found: Findings) -> Chart:
    rows = [
        {"game": GAMES[game].title, "depth": depth, "leaves": leaves, "algorithm": name}
        for (game, depth), searches in found.portrait.items()
        for name, leaves in _leaves_at(p, searches)
    ]
    return Chart(
        "leaves-over-depth",
        "Leaves over depth",
        lines(rows, "depth", "leaves", "algorithm", log=True, facet="game"),
        "Means over positions. A straight line is a constant factor for each ply; that of the "
        "fewest possible is about the root of minimax's.",
    )


def _leaves_at(p: FamilyParameters, searches: Searches) -> Iterator[tuple[str, float]]:
    for name in OVER_DEPTH:
        if name in p.chosen:
            yield name, mean(searches.counts(name, "leaves")).value
        elif name == FEWEST:
            yield name, mean(each["fewest"] for each in searches.positions).value


# ------------------------------------------------------------------ special cases


def _special_cases(found: Findings) -> Section:
    rows: list[list[Value]] = []
    for (kind, branching), trees in found.trees.items():
        for one, two in TWINS.items():
            rows.append([kind, branching, one, len(trees), _mean(trees, "distinct", one)])
            rows[-1] += [_mean(trees, "distinct", two), _mean(trees, "visits", two)]
            rows[-1] += [sum(tree["same"][one] for tree in trees)]
            rows[-1] += [_mean(trees, "distinct", ALPHABETA)]
            rows[-1] += [sum(tree["within alphabeta"][one] for tree in trees)]
    columns = [Column("leaves"), Column("moves"), Column("algorithm"), Column("trees")]
    columns += [Column("its leaves", 1), Column("rebuilt: leaves", 1)]
    columns += [Column("rebuilt: visits", 1), Column("same leaves")]
    columns += [Column("alpha-beta's leaves", 1), Column("none beyond alpha-beta's")]
    everything = [tree for trees in found.trees.values() for tree in trees]
    return Section(
        "SSS* and DUAL* as special cases",
        [
            Text(
                "SSS* and DUAL* as Stockman wrote them, with a list of open nodes, and rebuilt "
                "from alpha-beta with memory and minimal windows (MT-SSS*, MT-DUAL*), on synthetic "
                "trees, which have no transpositions. Each leaf is marked when it is valued, so "
                "that sets are compared and not only numbers. The rebuilt forms keep no leaves in "
                "their table and therefore visit some of them again."
            ),
            Table(
                "Leaves seen, mean over trees",
                columns,
                rows,
                "Same leaves: trees on which both forms look at the same set of leaves. The last "
                "column: trees on which no leaf is looked at that alpha-beta leaves out.",
            ),
            *claims_special_cases(everything),
        ],
    )


def _mean(trees: Sequence[Any], what: str, name: str) -> float:
    return mean(tree[what][name] for tree in trees).value


# ------------------------------------------------------------------ MTD(f) and its rivals


def _rivals(p: FamilyParameters, found: Findings) -> Section:
    parts: list[Part] = [
        Text(
            "As in the study, every algorithm deepens ply by ply, has a table of the same size "
            f"({p.memory_mb} MB), tries the table's move first, and begins each depth with the "
            "value of a shallower one, if it can use a guess: of the depth before, or of two "
            "depths before, which may be better where values swing between odd and even depths. "
            "Claims are judged by the former, if it was measured. Values of leaves are "
            "remembered, so that a leaf is evaluated once: *evaluated* counts these, *visited* "
            "also counts leaves that were remembered, and finished games. Aspiration NegaScout "
            "has several windows, since how wide the study's was is not known here, and the width "
            "matters as much as what was claimed: everything is judged by the one with which it "
            "evaluates the fewest leaves on these very positions, which favours it. All counts "
            "are sums over all depths."
        )
    ]
    parts += [_rivals_table(p, *key, each) for key, each in found.compared.items()]
    parts += [_windows_table(p, found), _rivals_chart(p, found)]
    judged = _judged(p, found)
    for game, each in judged.items():
        parts.append(claim_fewer_leaves(game, each.times_as_many("mtdf", "aspns", "evaluated")))
    nodes = {game: each.times_as_many("mtdf", "aspns", "nodes") for game, each in judged.items()}
    parts.append(claim_fewer_nodes(nodes))
    parts.append(claim_ranking({game: ranking(each) for game, each in judged.items()}))
    for game, each in judged.items():
        parts.append(claim_faster(game, each.times_as_long("mtdf", "aspns")))
    return Section("MTD(f) against aspiration NegaScout", parts)


def _judged(p: FamilyParameters, found: Findings) -> dict[str, Searches]:
    """What the claims are judged by: the nearest guesses."""
    back = min(p.guesses)
    return {game: found.compared[game, back] for game in p.compared_games}


def _rivals_table(p: FamilyParameters, game: str, back: int, searches: Searches) -> Table:
    depth = p.compared_depth(game)
    rows: list[list[Value]] = []
    for name, title in RIVALS.items():
        rows.append([title, mean(searches.counts(name, "evaluated")).value])
        rows[-1] += _three(searches.times_as_many(name, "aspns", "evaluated"))
        rows[-1].append(searches.times_as_many(name, "aspns", "leaves").value)
        rows[-1] += _three(searches.times_as_many(name, "aspns", "nodes"))
        rows[-1] += _three(searches.times_as_long(name, "aspns"))
        passes = mean(searches.counts(name, "passes")).value / depth
        rows[-1].append(passes if passes else None)
    columns = [Column("algorithm"), Column("evaluated", 0), Column("evaluated / AspNS's", 3)]
    columns += [Column("from", 3), Column("to", 3), Column("visited / AspNS's", 3)]
    columns += [Column("nodes / AspNS's", 3), Column("from", 3), Column("to", 3)]
    columns += [Column(name, 3, is_timed=True) for name in ("time / AspNS's", "from", "to")]
    columns.append(Column("passes per depth", 2))
    count, half = len(searches.positions), searches.best.removeprefix(ASPIRATION).strip()
    title = f"{GAMES[game].title}, deepening to depth {depth}, {GUESSES[back]}"
    return Table(title, columns, rows, _rivals_note(count, half))


def _rivals_note(count: int, half: str) -> str:
    return f"{count} positions. AspNS is aspiration NegaScout, at its best: guess ± {half}."


def _windows_table(p: FamilyParameters, found: Findings) -> Table:
    rows: list[list[Value]] = []
    for (game, back), each in found.compared.items():
        for half in p.half_windows:
            name = windowed(half)
            rows.append([GAMES[game].title, back, half])
            rows[-1].append(mean(each.counts(name, "passes")).value / p.compared_depth(game))
            rows[-1] += _three(each.times_as_many("mtdf", name, "evaluated"))
            rows[-1] += [each.times_as_many("mtdf", name, "nodes").value]
            rows[-1] += [each.times_as_long("mtdf", name).value]
            rows[-1].append("best" if name == each.best else "")
    columns = [Column("game"), Column("guess, plies back"), Column("window, on either side")]
    columns += [Column("passes per depth", 2), Column("MTD(f): evaluated / AspNS's", 3)]
    columns += [Column("from", 3), Column("to", 3), Column("nodes / AspNS's", 3)]
    columns += [Column("time / AspNS's", 3, is_timed=True), Column("")]
    return Table("MTD(f) beside aspiration NegaScout with each window", columns, rows)


def _rivals_chart(p: FamilyParameters, found: Findings) -> Chart:
    rows: list[dict[str, Any]] = []
    for game, each in _judged(p, found).items():
        for depth in range(2, p.compared_depth(game) + 1):
            cut = each.after(depth)
            for name in (one for one in RIVALS if one != "aspns"):
                many = cut.times_as_many(name, "aspns", "evaluated")
                rows.append({"game": GAMES[game].title, "depth": depth, "more": _more(many.value)})
                rows[-1] |= {"low": _more(many.low), "high": _more(many.high)}
                rows[-1] |= {"algorithm": RIVALS[name]}
    return Chart(
        "leaves-beside-aspiration-negascout",
        "Leaves evaluated, beside aspiration NegaScout",
        lines(
            rows,
            "depth",
            "more",
            "algorithm",
            low="low",
            high="high",
            facet="game",
            y_title="% more leaves",
        ),
        "Below 0 an algorithm evaluates fewer leaves than aspiration NegaScout; the study has "
        f"MTD(f) 5 to 10 % below. {GUESSES[min(p.guesses)].capitalize()}.",
    )


def _more(times_as_many: float) -> float:
    """In per cent."""
    return 100 * (times_as_many - 1)


# ------------------------------------------------------------------ SCOUT


def _scout(p: FamilyParameters, found: Findings) -> Section:
    rows: list[list[Value]] = []
    drawn: list[dict[str, Any]] = []
    for (evaluator, order, depth), each in found.kalah.items():
        for name in AT_KALAH[1:]:
            leaves = each.times_as_many(name, ALPHABETA, "leaves")
            nodes = each.times_as_many(name, ALPHABETA, "nodes")
            rows.append([evaluator, ORDERS[order], depth, name, *_three(leaves), *_three(nodes)])
            rows[-1] += _three(each.times_as_long(name, ALPHABETA))
            if name == SCOUT:
                drawn += [
                    {
                        "depth": depth,
                        "ratio": one.value,
                        "low": one.low,
                        "high": one.high,
                        "counted": what,
                        "variant": f"{evaluator}, {ORDERS[order]}",
                    }
                    for what, one in (("leaves", leaves), ("nodes", nodes))
                ]
    columns = [Column("evaluator"), Column("order"), Column("depth"), Column("algorithm")]
    for what, is_timed in (("leaves", False), ("nodes", False), ("time", True)):
        columns.append(Column(f"{what} / alpha-beta's", 3, is_timed=is_timed))
        columns += [Column(end, 3, is_timed=is_timed) for end in ("from", "to")]
    deepest = {
        (evaluator, ORDERS[order]): each
        for (evaluator, order, depth), each in found.kalah.items()
        if depth == p.kalah_depth
    }
    return Section(
        "SCOUT at Kalah",
        [
            Text(
                "SCOUT, and the same as the pair EVAL and TEST, against alpha-beta, without a "
                f"table: {p.kalah_positions} positions after {GAMES['kalah'].plies} random moves, "
                "with the difference of the stores or a richer evaluator, moves as the game lists "
                "them or by evaluation. A leaf that SCOUT first tests and then evaluates counts "
                "twice. Which of this the studies did is not known here."
            ),
            Table("Times as much as alpha-beta", columns, rows),
            Chart(
                "scout-at-kalah",
                "SCOUT at Kalah, as a multiple of alpha-beta",
                lines(
                    drawn,
                    "depth",
                    "ratio",
                    "counted",
                    low="low",
                    high="high",
                    facet="variant",
                    y_title="times alpha-beta",
                ),
                "Below 1 SCOUT is better.",
            ),
            claim_scout(deepest, p.kalah_depth),
        ],
    )
