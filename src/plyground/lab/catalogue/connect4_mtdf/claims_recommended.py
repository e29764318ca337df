"""What the study recommends, and what came of it; each with the rule that judges it.

Newer algorithms in MTD(f)'s place, a better evaluator, values of segments computed before. A rule
looks at the findings alone, so that made-up findings can turn every verdict round.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from plyground.lab.catalogue.connect4_mtdf.cells import BETTER
from plyground.lab.catalogue.connect4_mtdf.findings import Findings
from plyground.lab.report import Claim, Verdict
from plyground.lab.statistics import mean, ratio, share

NEARLY = 0.10  # above the fewest leaves, for an algorithm to be among the best
LOOK_UPS = ("table of segments", "table of lines")
RECOMPUTED = ("segments one by one", "counted in parallel")


def fewest_of_all(f: Findings) -> Claim:
    plain = {
        d: {n: s.all_leaves for n, s in found.items() if "," not in n}
        for d, found in f.searches.items()
    }
    over = {d: found["mtdf"] / min(found.values()) for d, found in plain.items()}
    firsts = [d for d, excess in over.items() if excess == 1]
    best = {d: min(found, key=lambda name: found[name]) for d, found in plain.items()}
    others = sorted({name for name in best.values() if name != "mtdf"})
    if len(firsts) == len(over):
        verdict, reason = Verdict.REPRODUCED, "It has the fewest at every depth."
    elif max(over.values()) <= 1 + NEARLY or len(firsts) * 2 >= len(over):
        verdict = Verdict.IN_DIRECTION
        reason = f"Among the best; at some depths the fewest are those of {' and '.join(others)}."
    else:
        verdict = Verdict.CONTRADICTED
        reason = f"At most depths the fewest are those of {' and '.join(others)}."
    return Claim(
        "MTD(f) is better than the algorithms before it.",
        "introduction, citing others; compared here after recommendation a",
        f"fewest leaves at {len(firsts)} of {len(over)} depths, among "
        f"{len(plain[f.deepest_compared])} algorithms; at most {max(over.values()) - 1:.0%} more "
        "than the fewest",
        verdict,
        reason,
    )


def better_evaluator(f: Findings) -> Claim:
    points = mean([pair / 2 for pairs in f.duels.values() for pair in pairs])
    asked = sum(f.judged.values())
    kept = {
        name: share(sum(n for key, n in f.kept.items() if key.startswith(f"{name} ")), asked)
        for name in (BETTER, "segments")
    }
    if points.low > 0.5 and kept[BETTER].value > kept["segments"].value:
        verdict, reason = Verdict.REPRODUCED, "It wins matches and keeps the outcome more often."
    elif points.value > 0.5:
        verdict, reason = (
            Verdict.IN_DIRECTION,
            "It scores more, but not in every respect for certain.",
        )
    else:
        verdict, reason = Verdict.CONTRADICTED, "It does not score more."
    return Claim(
        "A better evaluation function makes the choice of holes more accurate.",
        "recommendation b; not tried",
        f"{BETTER} scores {points.as_share()} against the "
        f"study's evaluator at the same depths; on solved positions it keeps the outcome in "
        f"{kept[BETTER].value:.0%}, the study's in {kept['segments'].value:.0%}",
        verdict,
        reason,
    )


def tables_are_faster(f: Findings) -> Claim:
    speeds = {name: median(times) for name, times in f.compiled_s.items()}
    look_ups = {name: s for name, s in speeds.items() if name in LOOK_UPS}
    best = min(look_ups, key=lambda name: look_ups[name])
    against = {
        name: ratio(zip(f.compiled_s[name], f.compiled_s[best], strict=True)) for name in RECOMPUTED
    }
    if not f.same_values:
        verdict, reason = Verdict.NOT_TESTABLE, "The ways to evaluate do not agree on values."
    elif all(each.low > 1 for each in against.values()):
        verdict, reason = Verdict.REPRODUCED, f"The {best} beats every way to recompute."
    elif any(each.low > 1 for each in against.values()):
        verdict = Verdict.IN_DIRECTION
        reason = f"The {best} beats some ways to recompute, but not all."
    else:
        verdict, reason = Verdict.CONTRADICTED, "No look-up beats recomputing."
    shown = "; ".join(f"{each} times as fast as {name}" for name, each in against.items())
    return Claim(
        "Values of segments, computed once and looked up, make the search faster.",
        "recommendation c; not tried",
        f"the {best}: {shown}",
        verdict,
        reason,
        is_timed=True,
    )


RULES: tuple[Callable[[Findings], Claim], ...] = (
    fewest_of_all,
    better_evaluator,
    tables_are_faster,
)
