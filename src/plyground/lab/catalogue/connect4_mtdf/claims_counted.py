"""What the study claims of counts and results, each with the rule that judges it.

A rule looks at the findings alone, so that made-up findings can turn every verdict round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean

from plyground.lab.catalogue.connect4_mtdf.findings import Depth, Findings
from plyground.lab.catalogue.connect4_mtdf.printed import PublishedRow, study, study_rows
from plyground.lab.report import Claim, Verdict
from plyground.lab.statistics import share

CLOSE = 0.05  # counts that agree this well, but not exactly, show the same thing
MOST = 0.75  # of a difference, for what explains it


def in_study(f: Findings) -> list[tuple[Depth, PublishedRow]]:
    """The depths that both have."""
    rows = study_rows()
    return [(ours, rows[depth]) for depth, ours in f.depths.items() if depth in rows]


def matching_counts(depths: Sequence[Depth]) -> tuple[int, int]:
    """How many of the study's counts are met exactly, halves rounded down, and of how many."""
    rows = study_rows()
    pairs = [
        pair
        for ours in depths
        if (row := rows.get(ours.depth))
        for pair in (
            (ours.x_leaves, row.x_leaves),
            (ours.o_leaves, row.o_leaves),
            (ours.passes, row.passes),
        )
    ]
    return sum(math.floor(ours) == theirs for ours, theirs in pairs), len(pairs)


def counts_of_table(f: Findings) -> Claim:
    met, count = matching_counts(list(f.depths.values()))
    worst = max(
        (
            abs(ours / theirs - 1)
            for own, row in in_study(f)
            for ours, theirs in (
                (own.x_leaves, row.x_leaves),
                (own.o_leaves, row.o_leaves),
                (own.passes, row.passes),
            )
        ),
        default=0.0,
    )
    if not count:
        verdict, reason = Verdict.NOT_TESTABLE, "None of the study's depths was played."
    elif met == count:
        verdict = Verdict.REPRODUCED
        reason = (
            "Every count is met exactly, as the average of the two games of a depth with halves "
            "rounded down. So the printed counts are averages for one game, not sums, and the "
            "program is rebuilt to the last leaf."
        )
    elif worst <= CLOSE:
        verdict = Verdict.IN_DIRECTION
        reason = f"Not all counts are met, but all within {worst:.1%}."
    else:
        verdict, reason = Verdict.CONTRADICTED, f"Counts differ by up to {worst:.0%}."
    return Claim(
        "The numbers of leaf nodes and of passes in Table 1.",
        "18 counts: leaves of X, leaves of O and passes at six depths (Table 1)",
        f"{met} of {count} counts are exactly the same",
        verdict,
        reason,
    )


def same_moves(f: Findings) -> Claim:
    values, moves, count = 0, 0, 0
    for searched in f.searches.values():
        ab, other = searched["alphabeta"], searched["mtdf"]
        values += sum(a != b for a, b in zip(ab.values, other.values, strict=True))
        moves += sum(a != b for a, b in zip(ab.moves, other.moves, strict=True))
        count += len(ab.values)
    if values:
        verdict, reason = Verdict.CONTRADICTED, f"Values differ on {values} positions."
    elif moves:
        verdict = Verdict.IN_DIRECTION
        reason = f"All values are equal; on {moves} positions another of the best moves is chosen."
    else:
        verdict = Verdict.REPRODUCED
        reason = (
            "Both compute the minimax value, and both keep the first of equally good moves. So the "
            "two games of a depth are one game, played twice with the names exchanged."
        )
    return Claim(
        "MTD(f) chooses the same holes as alpha-beta.",
        "section 4.3; evaluation values were recorded but not printed",
        f"{count - values} of {count} values and {count - moves} of {count} moves are equal",
        verdict,
        reason,
    )


def as_optimal(f: Findings) -> Claim:
    played = in_study(f)
    wins = {who: sum(own.results[who] for own, _ in played) for who in ("X", "O", "draw")}
    same = sum(result_text(own) == row.results for own, row in played)
    if not played:
        verdict, reason = Verdict.NOT_TESTABLE, "None of the study's depths was played."
    elif wins["X"] != wins["O"]:
        verdict, reason = Verdict.CONTRADICTED, "One of the two wins more often."
    elif same == len(played):
        verdict = Verdict.REPRODUCED
        reason = (
            "The end results are the same at every depth. They could not be otherwise: two "
            "algorithms that choose the same moves win equally often when they change places."
        )
    else:
        verdict = Verdict.IN_DIRECTION
        reason = "As many wins on both sides, but not the same results at every depth."
    return Claim(
        "MTD(f) is as optimal as alpha-beta: both win equally often.",
        "5 wins each and 2 draws (Table 1, Figure 6)",
        f"X won {wins['X']}, O won {wins['O']}, {wins['draw']} drawn; "
        f"the same at {same} of {len(played)} depths",
        verdict,
        reason,
    )


def win_shares(f: Findings) -> Claim:
    played = in_study(f)
    games = sum(sum(own.results.values()) for own, _ in played)
    printed = study().numbers["abstract"]
    wins = sum(own.results["O"] for own, _ in played)
    if len(played) < len(study_rows()):
        verdict, reason = Verdict.NOT_TESTABLE, "Not all of the study's depths were played."
    elif abs(100 * wins / games - printed["O wins, %"]) < 0.01:
        verdict, reason = Verdict.REPRODUCED, "As the abstract says."
    else:
        verdict = Verdict.CONTRADICTED
        reason = (
            "The abstract disagrees with the study's own table and text, which are right. 45.83 % "
            "is no share of 12 games; 11, 9 and 4 of 24 games would fit all three percentages, so "
            "the abstract may come from another run."
        )
    return Claim(
        "In the abstract: MTD(f) wins 45.83 %, loses 37.5 %, and at depth 8 evaluates 56.27 % "
        "fewer leaves.",
        "abstract; the text and Table 1 have 41.67 %, 41.67 % and 66.2 %",
        f"wins {wins} of {games} games"
        + (f", {f.depths[8].fewer:.2%} fewer leaves at depth 8" if 8 in f.depths else ""),
        verdict,
        reason,
    )


def fewer_leaves(f: Findings) -> Claim:
    played = in_study(f)
    saved = [own.fewer for own in f.depths.values()]
    same = sum(round(100 * own.fewer, 2) == row.fewer for own, row in played)
    if min(saved) <= 0:
        verdict, reason = Verdict.CONTRADICTED, "At some depth MTD(f) evaluates more leaves."
    elif played and same == len(played):
        verdict = Verdict.REPRODUCED
        reason = "Fewer at every depth, and every percentage is the same to the last digit."
    else:
        verdict = Verdict.IN_DIRECTION
        reason = f"Fewer at every depth; {same} of {len(played)} percentages are the same."
    return Claim(
        "MTD(f) evaluates fewer leaves than alpha-beta at every depth.",
        "51.33 % to 90.23 % fewer (Table 1)",
        f"{min(saved):.2%} to {max(saved):.2%} fewer at depths {min(f.depths)} to {max(f.depths)}",
        verdict,
        reason,
    )


def leaves_grow_apart(f: Findings) -> Claim:
    gaps = [own.x_leaves - own.o_leaves for own in f.depths.values()]
    shares = [own.fewer for own in f.depths.values()]
    if len(gaps) < 2:
        verdict, reason = Verdict.NOT_TESTABLE, "One depth shows no growth."
    elif all(after > before for before, after in pairwise(gaps)):
        verdict = Verdict.REPRODUCED
        reason = "The difference is larger at every depth than at the one before."
    elif shares[-1] > shares[0]:
        verdict = Verdict.IN_DIRECTION
        reason = "It grows from the first depth to the last, but not at every step."
    else:
        verdict, reason = Verdict.CONTRADICTED, "It does not grow."
    return Claim(
        "The difference in leaves grows with depth.",
        "6,791 leaves at depth 5, 3,025,228 at depth 10 (Table 1, Figure 8)",
        f"{gaps[0]:,.0f} at depth {min(f.depths)}, {gaps[-1]:,.0f} at depth {max(f.depths)}",
        verdict,
        reason,
    )


def odd_and_even(f: Findings) -> Claim:
    odd = [own.passes for depth, own in f.depths.items() if depth % 2]
    even = [own.passes for depth, own in f.depths.items() if depth % 2 == 0]
    if not odd or not even or not {7, 8} <= set(f.depths):
        return Claim(
            ODD_EVEN,
            ODD_EVEN_PUBLISHED,
            "depths 7 and 8 were not both played",
            Verdict.NOT_TESTABLE,
            "Needs both depths.",
        )
    seven, eight = f.depths[7].fewer, f.depths[8].fewer
    fewer_passes, more_saved = fmean(odd) < fmean(even), seven > eight
    verdict = Verdict.CONTRADICTED
    if fewer_passes and more_saved:
        verdict = Verdict.REPRODUCED
    elif fewer_passes or more_saved:
        verdict = Verdict.IN_DIRECTION
    return Claim(
        ODD_EVEN,
        ODD_EVEN_PUBLISHED,
        f"{fmean(odd):.0f} passes at odd depths, {fmean(even):.0f} at even ones (to depth "
        f"{max(f.depths)}); {seven:.2%} saved at depth 7, {eight:.2%} at depth 8",
        verdict,
        "Judged by both parts: the passes over all depths, and depth 7 against depth 8.",
    )


ODD_EVEN = "At odd depths MTD(f) needs fewer passes, and at depth 7 it saves more leaves than at 8."
ODD_EVEN_PUBLISHED = "378 passes at odd depths, 520 at even ones; 79.00 % and 66.20 % (Table 1)"
VALUE_GUESSED = "mtdf, f = the value"


def passes_explain_it(f: Findings) -> Claim:
    text = "The anomaly at depths 7 and 8 comes from the number of passes."
    where = "section 4.3, first of two explanations"
    if not {7, 8} <= set(f.searches):
        return Claim(text, where, "", Verdict.NOT_TESTABLE, "Needs depths 7 and 8.")
    gap, gap_alike = (saved(f, 7, name) - saved(f, 8, name) for name in ("mtdf", VALUE_GUESSED))
    growth = {
        name: f.searches[8][name].all_leaves / f.searches[7][name].all_leaves
        for name in ("alphabeta", "mtdf")
    }
    passes = [
        sum(f.searches[d][VALUE_GUESSED].passes) / len(f.searches[d][VALUE_GUESSED].passes)
        for d in (7, 8)
    ]
    explained = 1 - gap_alike / gap
    if explained >= MOST:
        verdict = Verdict.REPRODUCED
    elif explained >= 1 - MOST:
        verdict = Verdict.IN_DIRECTION
    else:
        verdict = Verdict.CONTRADICTED
    return Claim(
        text,
        where,
        f"depth 7 saves {100 * gap:.1f} points more than depth 8; with the value itself as first "
        f"guess, which makes the passes alike ({passes[0]:.1f} and {passes[1]:.1f} a search), "
        f"{100 * gap_alike:.1f} points",
        verdict,
        f"Passes explain {explained:.0%} of it. The rest is the study's second explanation: from "
        f"depth 7 to 8 alpha-beta's leaves grow {growth['alphabeta']:.2f}-fold, those of MTD(f) "
        f"{growth['mtdf']:.2f}-fold.",
    )


def saved(f: Findings, depth: int, name: str) -> float:
    """The share of alpha-beta's leaves that another search of the same positions saves."""
    found = f.searches[depth]
    return 1 - found[name].all_leaves / found["alphabeta"].all_leaves


def first_mover(f: Findings) -> Claim:
    first = sum(own.first_mover_won for own in f.depths.values())
    second = sum(own.second_mover_won for own in f.depths.values())
    opened = {who: sum(each[who] for each in f.openings.values()) for who in ("first", "second")}
    part = share(opened["first"], opened["first"] + opened["second"])
    if first <= second:
        verdict, reason = Verdict.CONTRADICTED, "The second to move wins as often or more."
    elif part.low > 0.5:
        verdict = Verdict.REPRODUCED
        reason = (
            "More wins in the study's games and, beyond chance, after all openings of two moves."
        )
    else:
        verdict = Verdict.IN_DIRECTION
        reason = (
            "More wins in the study's games, which are too few to tell (one game for each depth, "
            "counted twice); after all openings of two moves no advantage is certain."
        )
    return Claim(
        "Who moves first has the greater chance to win.",
        "section 4.3; who moved first in the games won is not printed",
        f"the first to move won {first}, the second {second} of the study's games; after openings "
        f"of two moves {opened['first']} and {opened['second']} "
        f"({part.value:.0%} of the decided games, {part.low:.0%} to {part.high:.0%})",
        verdict,
        reason,
    )


def parts_of_the_saving(f: Findings) -> Claim:
    names = ("alphabeta", "abmemory, no reflection", "abmemory", "mtdf")
    steps = {d: [found[name].all_leaves for name in names] for d, found in f.searches.items()}
    all_help = all(a > b > c > e for a, b, c, e in steps.values())
    none, plain, table, all_of_it = steps[f.deepest_compared]
    by_table, by_mirror = (none - plain) / (none - all_of_it), (plain - table) / (none - all_of_it)
    helps = [all(s[i] > s[i + 1] for s in steps.values()) for i in range(3)]
    verdict = Verdict.CONTRADICTED
    if all_help:
        verdict = Verdict.REPRODUCED
    elif any(helps):
        verdict = Verdict.IN_DIRECTION
    return Claim(
        "MTD(f) saves leaves by zero windows, by its table, and by reflection in the table.",
        "section 4.3; not measured apart",
        f"at depth {f.deepest_compared}, of all leaves saved: the table {by_table:.1%}, reflection "
        f"{by_mirror:.1%}, zero windows {1 - by_table - by_mirror:.1%}",
        verdict,
        "Alpha-beta with the same table is the control the study lacks: what it saves is not due "
        "to MTD(f)'s zero windows.",
    )


def order_helps(f: Findings) -> Claim:
    gains = {
        depth: found["alphabeta, left to right"].all_leaves / found["alphabeta"].all_leaves
        for depth, found in f.searches.items()
    }
    helps = [gain > 1 for gain in gains.values()]
    verdict = Verdict.REPRODUCED if all(helps) else Verdict.IN_DIRECTION
    return Claim(
        "Trying the middle columns first reduces the leaves.",
        "section 4.3; no number",
        f"left to right alpha-beta evaluates {min(gains.values()):.1f} to "
        f"{max(gains.values()):.1f} times as many",
        verdict if any(helps) else Verdict.CONTRADICTED,
        "Judged at every depth, on the same positions.",
    )


def result_text(own: Depth) -> str:
    """As the study prints it: X(1), O(1)."""
    names = {"X": "X", "O": "O", "draw": "Draw"}
    return ", ".join(f"{names[who]}({n})" for who, n in own.results.items() if n)


RULES: tuple[Callable[[Findings], Claim], ...] = (
    counts_of_table,
    same_moves,
    as_optimal,
    win_shares,
    fewer_leaves,
    leaves_grow_apart,
    odd_and_even,
    passes_explain_it,
    first_mover,
    parts_of_the_saving,
    order_helps,
)
