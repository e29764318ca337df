"""The report: a summary, the study repeated, what goes beyond it, and the verdicts."""

from __future__ import annotations

from plyground.lab.catalogue.connect4_mtdf import claims_counted, claims_recommended, claims_timed
from plyground.lab.catalogue.connect4_mtdf.cells import BETTER, Parameters
from plyground.lab.catalogue.connect4_mtdf.claims_counted import matching_counts
from plyground.lab.catalogue.connect4_mtdf.findings import Findings, gather
from plyground.lab.catalogue.connect4_mtdf.report_beyond import beyond_sections
from plyground.lab.catalogue.connect4_mtdf.report_study import study_sections
from plyground.lab.report import Claim, Report, Section, Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import mean


def make_report(parameters: Parameters, results: Results) -> Report:
    return told(gather(parameters, results))


def told(f: Findings) -> Report:
    """The report on these findings."""
    verdicts = Section("What the study claims", claims(f))
    return Report(summary(f), [verdicts, *study_sections(f), *beyond_sections(f)])


def claims(f: Findings) -> list[Claim]:
    """What was counted, what was timed, and what became of the recommendations."""
    groups = (claims_counted, claims_timed, claims_recommended)
    return [rule(f) for group in groups for rule in group.RULES]


def summary(f: Findings) -> str:
    """What one would tell a friend; nothing that was timed."""
    met, count = matching_counts(list(f.depths.values()))
    depth = f.deepest_compared
    found = {name: each.all_leaves for name, each in f.searches[depth].items()}
    by_table = (found["alphabeta"] - found["abmemory"]) / (found["alphabeta"] - found["mtdf"])
    points = mean([pair / 2 for pairs in f.duels.values() for pair in pairs])
    same = claims_counted.same_moves(f).verdict is Verdict.REPRODUCED
    return (
        f"Rebuilt from its text, the study's program gives **{met} of {count}** of its printed "
        "counts of leaves and passes exactly, as averages of the two games of a depth. "
        + ("Both algorithms choose the same moves, so equal results were certain. " if same else "")
        + f"MTD(f) evaluates {1 - found['mtdf'] / found['alphabeta']:.0%} fewer leaves at depth "
        f"{depth}, but **{by_table:.0%} of that saving is the table's**: alpha-beta with the same "
        f"table saves {1 - found['abmemory'] / found['alphabeta']:.0%}. A better evaluator "
        f"(`{BETTER}`) scores {points.value:.0%} against the study's at the same depths. The "
        "abstract's percentages of wins and of leaves contradict the study's own table."
    )
