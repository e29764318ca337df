"""What the study claims of times, each with the rule that judges it.

A rule looks at the findings alone, so that made-up findings can turn every verdict round.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import fmean, median

from plyground.lab.catalogue.connect4_mtdf.claims_counted import in_study
from plyground.lab.catalogue.connect4_mtdf.findings import Depth, Findings
from plyground.lab.catalogue.connect4_mtdf.printed import study_rows
from plyground.lab.report import Claim, Verdict
from plyground.lab.statistics import Estimate, ratio

ALIKE = 0.10  # times that differ by less are called almost equal
MUCH = 2.0  # times faster: much faster
SAME_SHARE = 0.10  # of the time saved, in parts of one
PER_LEAF = 0.25  # of the price of a leaf
TIMES = "Table 1, times"


def faster_on_average(f: Findings) -> Claim:
    played = in_study(f)
    ours = fmean(own.faster for own, _ in played) if played else math.nan
    theirs = fmean(row.faster for row in study_rows().values()) / 100
    if not played:
        verdict, reason = Verdict.NOT_TESTABLE, "None of the study's depths was played."
    elif ours <= 0:
        verdict = Verdict.CONTRADICTED
        reason = "On average over these depths it is not faster."
    elif abs(ours - theirs) <= SAME_SHARE:
        verdict, reason = Verdict.REPRODUCED, "About as much time is saved."
    else:
        verdict = Verdict.IN_DIRECTION
        their_leaf = fmean(row.x_time_s * own.x_moves / row.x_leaves for own, row in played)
        our_leaf = fmean(median(own.x_times_s) * own.x_moves / own.x_leaves for own, _ in played)
        reason = (
            "Faster, but by another share: it depends on what a leaf costs alpha-beta, "
            f"{1e6 * their_leaf:.3g} us in the study and {1e6 * our_leaf:.2g} us here."
        )
    return Claim(
        "MTD(f) is faster than alpha-beta on average.",
        f"{theirs:.1%} less time, the average of the six depths ({TIMES})",
        f"{told(ours)} time, over the same depths",
        verdict,
        reason,
        is_timed=True,
    )


def told(part: float) -> str:
    """A share of time that is saved, in words."""
    return f"{part:.0%} less" if part >= 0 else f"{-part:.0%} more"


def slower_at_six(f: Findings) -> Claim:
    text, printed = "At depth 6 MTD(f) is a little slower.", f"0.19 % slower ({TIMES})"
    if 6 not in f.depths:
        return Claim(text, printed, "", Verdict.NOT_TESTABLE, "Depth 6 was not played.", True)
    found = time_ratio(f.depths[6])
    if found.high < 1:
        verdict, reason = Verdict.CONTRADICTED, "It is faster."
    elif found.value <= 1 + ALIKE:
        verdict, reason = Verdict.REPRODUCED, "Almost equal."
    else:
        verdict, reason = Verdict.IN_DIRECTION, "Slower, and by more than a little."
    return Claim(text, printed, f"{found} times alpha-beta's time", verdict, reason, is_timed=True)


def faster_elsewhere(f: Findings) -> Claim:
    ours = {own.depth: own.faster > 0 for own, row in in_study(f) if row.faster > 0}
    slower = [depth for depth, is_faster in ours.items() if not is_faster]
    if not ours:
        verdict, reason = Verdict.NOT_TESTABLE, "None of these depths was played."
    elif not slower:
        verdict, reason = Verdict.REPRODUCED, "Faster at all of them."
    elif max(slower) < max(ours):
        verdict = Verdict.IN_DIRECTION
        reason = (
            f"Not at depth {' and '.join(map(str, slower))}: there the table costs more time than "
            "the leaves it saves."
        )
    else:
        verdict, reason = Verdict.CONTRADICTED, "Slower even at the deepest of them."
    shown = ", ".join(f"{told(own.faster)} at {own.depth}" for own, _ in in_study(f))
    return Claim(
        "MTD(f) is faster at depths 5, 7, 8, 9 and 10.",
        f"17 %, 60 %, 35 %, 79 % and 81 % less ({TIMES})",
        shown,
        verdict,
        reason,
        is_timed=True,
    )


def much_faster_when_deep(f: Findings) -> Claim:
    deep = {d: 1 / time_ratio(own).value for d, own in f.depths.items() if d in (9, 10)}
    if not deep:
        verdict, reason = Verdict.NOT_TESTABLE, "Neither depth was played."
    elif min(deep.values()) >= MUCH:
        verdict, reason = Verdict.REPRODUCED, "At least twice as fast at both."
    elif min(deep.values()) > 1:
        verdict, reason = Verdict.IN_DIRECTION, "Faster, but not twice as fast at both."
    else:
        verdict, reason = Verdict.CONTRADICTED, "Not faster at both."
    return Claim(
        "At depths 9 and 10 MTD(f) is much faster.",
        f"4.8 and 5.4 times as fast ({TIMES})",
        " and ".join(f"{times:.1f} times at depth {d}" for d, times in deep.items()),
        verdict,
        reason,
        is_timed=True,
    )


def times_grow_apart(f: Findings) -> Claim:
    gaps = [median(own.x_times_s) - median(own.o_times_s) for own in f.depths.values()]
    rising = [after > before for before, after in pairwise(gaps)]
    if not rising:
        verdict, reason = Verdict.NOT_TESTABLE, "One depth shows no growth."
    elif all(rising):
        verdict, reason = Verdict.REPRODUCED, "Larger at every depth than at the one before."
    elif gaps[-1] == max(gaps) and gaps[-1] > 0:
        verdict = Verdict.IN_DIRECTION
        reason = "Largest at the deepest search, but not larger at every step."
    else:
        verdict, reason = Verdict.CONTRADICTED, "Not largest at the deepest search."
    return Claim(
        "The difference in time grows with depth.",
        "0.02 s at depth 5, 22 s at depth 10 (Table 1, Figure 7); from 5 to 6 it falls",
        f"{1e6 * gaps[0]:.3g} us at depth {min(f.depths)}, {1e6 * gaps[-1]:.3g} us at depth "
        f"{max(f.depths)}",
        verdict,
        reason,
        is_timed=True,
    )


def price_of_a_leaf(f: Findings) -> Claim:
    theirs = fmean(
        row.o_time_s / row.o_leaves / (row.x_time_s / row.x_leaves) for row in study_rows().values()
    )
    ours = fmean(time_ratio(own).value * own.x_leaves / own.o_leaves for own in f.depths.values())
    if ours <= 1:
        verdict, reason = Verdict.CONTRADICTED, "A leaf costs no more."
    elif abs(ours / theirs - 1) <= PER_LEAF:
        verdict, reason = Verdict.REPRODUCED, "A leaf costs more, and about as much more."
    else:
        verdict = Verdict.IN_DIRECTION
        reason = (
            "A leaf costs more, by another factor: the cheaper the evaluator, the more the table "
            "weighs."
        )
    return Claim(
        "The greater complexity of MTD(f) makes it slower for the same number of leaves.",
        f"{theirs:.2f} times the time per leaf, from {TIMES}",
        f"{ours:.2f} times",
        verdict,
        reason,
        is_timed=True,
    )


def time_ratio(own: Depth) -> Estimate:
    """MTD(f)'s time over alpha-beta's, over the repetitions."""
    return ratio(zip(own.o_times_s, own.x_times_s, strict=True))


RULES: tuple[Callable[[Findings], Claim], ...] = (
    faster_on_average,
    slower_at_six,
    faster_elsewhere,
    much_faster_when_deep,
    times_grow_apart,
    price_of_a_leaf,
)
