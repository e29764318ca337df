"""Right decisions by depth, and whether deeper searches decide better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground.lab.catalogue.siew_variations.duel import EVEN, Pairs, pairs_of, points_share
from plyground.lab.catalogue.siew_variations.pathology import (
    ALGORITHMS,
    KINDS,
    P_GAME,
    PATHOLOGICAL,
    STEPS,
    Decisions,
    gains,
    late_decisions,
    right_share,
    step,
    tree_decisions,
    worse_depths,
)
from plyground.lab.catalogue.siew_variations.setting import (
    NEARLY_PERFECT_FROM,
    SiewParameters,
    depths,
)
from plyground.lab.charts import lines
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import mean

NAMES = {"minimax": "minimax", "althofer": "Althöfer"}
LATE = "late positions of Connect Four"
NEARLY = 0.95  # of decisions right: our reading of "nearly perfect"


def section(parameters: SiewParameters, results: Results) -> Section:
    """Shares of right decisions by depth, matches of one ply more, and what was claimed."""
    decisions = {
        (kind, algorithm): tree_decisions(results, kind, algorithm)
        for kind in KINDS
        for algorithm in ALGORITHMS
    }
    late = {(LATE, algorithm): late_decisions(results, algorithm) for algorithm in ALGORITHMS}
    steps = {
        (algorithm, depth): pairs_of(results, STEPS, step(algorithm, depth))
        for algorithm in ALGORITHMS
        for depth in depths(parameters)[:-1]
    }
    minimax_late = late[LATE, "minimax"]
    minimax_steps = {depth: pairs for (name, depth), pairs in steps.items() if name == "minimax"}
    return Section(
        "Pathology: does a deeper search decide better?",
        [
            Text(
                "A search is pathological if it decides worse the deeper it looks. Below are the "
                "shares of right decisions, among positions in which moves differ in worth: on "
                f"trees of {parameters.tree_depth} plies with two moves each, and at Connect Four "
                f"with {parameters.cells_left} empty cells, both solved to the end. In one kind of "
                f"trees {parameters.mistakes:.0%} of all static values are wrong."
            ),
            _table(decisions | late),
            _chart(decisions | late),
            _steps_table(steps),
            _steps_chart(steps),
            claim_minimax_pathological(
                {kind: decisions[kind, "minimax"] for kind in PATHOLOGICAL},
            ),
            claim_althofer_cures(
                {kind: decisions[kind, "minimax"] for kind in PATHOLOGICAL},
                {kind: decisions[kind, "althofer"] for kind in PATHOLOGICAL},
            ),
            claim_not_at_connect_four(minimax_late, minimax_steps),
            claim_nearly_perfect(minimax_late),
        ],
    )


def _table(decisions: Mapping[tuple[str, str], Decisions]) -> Table:
    rows: list[list[Value]] = []
    for (kind, algorithm), by_depth in decisions.items():
        gained = gains(by_depth)
        for depth, each in by_depth.items():
            right, gain = right_share(each), gained.get(depth)
            rows.append([kind, NAMES[algorithm], depth, len(each), right.value, right.low])
            rows[-1] += [right.high, *([gain.value, gain.low, gain.high] if gain else [None] * 3)]
    columns = [Column("positions"), Column("algorithm"), Column("depth"), Column("decisions")]
    for what in ("right", "more than at depth 1"):
        columns += [Column(what, 1, as_percent=True)]
        columns += [Column(end, 1, as_percent=True) for end in ("from", "to")]
    return Table(
        "Right decisions by depth",
        columns,
        rows,
        "Intervals of 95 %; the gain over depth 1 is compared position by position.",
    )


def _chart(decisions: Mapping[tuple[str, str], Decisions]) -> Chart:
    rows = [
        {
            "depth": depth,
            "right": right.value,
            "algorithm": NAMES[algorithm],
            "low": right.low,
            "high": right.high,
            "positions": kind,
        }
        for (kind, algorithm), by_depth in decisions.items()
        for depth, right in ((depth, right_share(each)) for depth, each in by_depth.items())
    ]
    return Chart(
        "pathology",
        "Share of right decisions by depth of search",
        lines(
            rows, "depth", "right", "algorithm", low="low", high="high", facet="positions",
        ),
        "On P-games minimax falls as it looks deeper and Althöfer's algorithm does not; on N-games "
        "and at Connect Four both rise.",
    )  # fmt: skip


def _steps_table(steps: Mapping[tuple[str, int], Pairs]) -> Table:
    rows: list[list[Value]] = []
    for (algorithm, depth), pairs in steps.items():
        points = points_share(pairs)
        rows.append([NAMES[algorithm], depth + 1, depth, 2 * len(pairs)])
        rows[-1] += [points.value, points.low, points.high]
    columns = [Column("algorithm"), Column("depth"), Column("against depth"), Column("games")]
    columns += [Column("points of the deeper", 0, as_percent=True)]
    columns += [Column(end, 0, as_percent=True) for end in ("from", "to")]
    return Table("Connect Four: each depth against the one below it", columns, rows)


def _steps_chart(steps: Mapping[tuple[str, int], Pairs]) -> Chart:
    rows = [
        {
            "depth": depth + 1,
            "points": points.value,
            "algorithm": NAMES[algorithm],
            "low": points.low,
            "high": points.high,
        }
        for (algorithm, depth), pairs in steps.items()
        for points in [points_share(pairs)]
    ]
    return Chart(
        "one-ply-deeper",
        "Connect Four: points of a depth against the one below it",
        lines(rows, "depth", "points", "algorithm", low="low", high="high"),
        "Above one half, looking one ply further pays.",
    )


def finding(parameters: SiewParameters, results: Results) -> str:
    """In a sentence."""
    deep = parameters.tree_depth - 2

    def change(decisions: Decisions, depth: int) -> str:
        shares = [right_share(decisions[at]).value for at in (1, depth)]
        return f"from {shares[0]:.0%} to {shares[1]:.0%}"

    on_trees = {name: tree_decisions(results, P_GAME, name) for name in ALGORITHMS}
    late = late_decisions(results, "minimax")
    return (
        f"Between depth 1 and depth {deep}, right decisions on P-games go "
        f"{change(on_trees['minimax'], deep)} for minimax and "
        f"{change(on_trees['althofer'], deep)} for Althöfer's algorithm; in late positions of "
        f"Connect Four, between depth 1 and depth {parameters.deepest}, they go "
        f"{change(late, parameters.deepest)} for minimax."
    )


# ------------------------------------------------------------------ claims


def claim_minimax_pathological(minimax: Mapping[str, Decisions]) -> Claim:
    struck = [kind for kind, decisions in minimax.items() if _falls(decisions)]
    if len(struck) == len(minimax):
        verdict, reason = Verdict.REPRODUCED, "Deeper searches decide worse on both kinds of trees."
    elif struck:
        verdict, reason = Verdict.IN_DIRECTION, f"Seen beyond doubt only on {struck[0]}."
    elif all(gains(each)[_deep(each)].low > 0 for each in minimax.values()):
        verdict, reason = Verdict.CONTRADICTED, "Deep down it decides better than at depth 1."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "Too few trees to be sure."
    return Claim(
        "Minimax may decide worse the deeper it looks.",
        "by reference to Li & Marsland 1990; no numbers",
        _change(minimax),
        verdict,
        reason,
    )


def claim_althofer_cures(
    minimax: Mapping[str, Decisions], althofer: Mapping[str, Decisions]
) -> Claim:
    ill = {kind: worse_depths(decisions) for kind, decisions in althofer.items()}
    deepest = {kind: _deep(decisions) for kind, decisions in minimax.items()}
    better = [
        kind
        for kind, depth in deepest.items()
        if mean(
            a - m for a, m in zip(althofer[kind][depth], minimax[kind][depth], strict=True)
        ).low > 0
    ]  # fmt: skip
    if not any(_falls(decisions) for decisions in minimax.values()):
        verdict, reason = Verdict.NOT_TESTABLE, "Minimax was not pathological here."
    elif not any(ill.values()) and len(better) == len(deepest):
        verdict = Verdict.REPRODUCED
        reason = "It is nowhere worse than at depth 1, and deep down better than minimax."
    elif better:
        verdict = Verdict.IN_DIRECTION
        lapses = "; ".join(f"{kind}: depth {_numbers(d)}" for kind, d in ill.items() if d)
        reason = "Deep down it decides better than minimax" + (
            f", but worse than at depth 1 at {lapses}." if lapses else " on one kind of trees."
        )
    else:
        verdict, reason = Verdict.CONTRADICTED, "Deep down it decides no better than minimax."
    return Claim(
        "Althöfer's algorithm does away with pathology.",
        "by reference to Abdelbar 2012; no numbers",
        _change(althofer),
        verdict,
        reason,
    )


def claim_not_at_connect_four(late: Decisions, steps: Mapping[int, Pairs]) -> Claim:
    played = {depth + 1: points_share(pairs) for depth, pairs in steps.items()}
    lost = [depth for depth, points in played.items() if points.high < EVEN]
    worse, deepest = worse_depths(late), max(late)
    gain = gains(late).get(deepest)
    if gain is None or gain.excludes == 0:
        verdict, reason = Verdict.NOT_TESTABLE, "Too few positions to tell the depths apart."
    elif gain.high < 0:
        verdict = Verdict.CONTRADICTED
        reason = f"In late positions depth {deepest} decides worse than depth 1."
    elif worse or lost:
        verdict = Verdict.IN_DIRECTION
        reason = f"Deeper is better on the whole, but not at depth {_numbers([*worse, *lost])}."
    else:
        verdict = Verdict.REPRODUCED
        reason = "Deeper searches decide better, and no depth loses to the one below it."
    return Claim(
        "Pathology does not apply to Connect Four.",
        "inferred from Table 1, which cannot show it",
        f"right decisions at depth 1: {right_share(late[1]).as_share()}, at depth {deepest}: "
        f"{right_share(late[deepest]).as_share()}; points of each depth against the one below: "
        + "; ".join(f"{depth}: {points.as_share()}" for depth, points in played.items()),
        verdict,
        reason,
    )


def claim_nearly_perfect(late: Decisions) -> Claim:
    shares = {
        depth: right_share(each) for depth, each in late.items() if depth >= NEARLY_PERFECT_FROM
    }
    if not shares or not late[1]:
        verdict, reason = Verdict.NOT_TESTABLE, "No search was that deep."
    elif all(one.value >= NEARLY for one in shares.values()):
        verdict, reason = Verdict.REPRODUCED, f"At least {NEARLY:.0%} of the decisions are right."
    elif any(one.value >= NEARLY for one in shares.values()):
        verdict, reason = Verdict.IN_DIRECTION, f"Not at every depth are {NEARLY:.0%} right."
    elif any(one.high >= NEARLY for one in shares.values()):
        verdict, reason = Verdict.NOT_TESTABLE, "Too few positions to be sure."
    else:
        verdict = Verdict.CONTRADICTED
        reason = (
            f"Less than {NEARLY:.0%} of the decisions are right, although late positions are "
            "easier than early ones: the end of the game is near."
        )
    return Claim(
        "From depth 4 on, play is nearly perfect.",
        "said of depths 4 to 6; no numbers",
        "right decisions in late positions: "
        + "; ".join(f"depth {depth}: {one.as_share()}" for depth, one in shares.items()),
        verdict,
        reason,
    )


def _deep(decisions: Decisions) -> int:
    """The greatest depth at which the ends of the game are not yet in sight."""
    return max(decisions) - 1


def _falls(decisions: Decisions) -> bool:
    """Whether deep searches decide worse than those of one ply, beyond doubt."""
    return gains(decisions)[_deep(decisions)].high < 0


def _change(decisions: Mapping[str, Decisions]) -> str:
    """Decisions at depth 1, and deep down."""
    told = []
    for kind, by_depth in decisions.items():
        deep = _deep(by_depth)
        told.append(
            f"{kind}: right at depth 1 {right_share(by_depth[1]).as_share()}, "
            f"at depth {deep} {right_share(by_depth[deep]).as_share()}"
        )
    return "; ".join(told)


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in dict.fromkeys(numbers))
