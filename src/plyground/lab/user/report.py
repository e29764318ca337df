"""The report of a user's own experiment: a summary, the charts and tables that were asked for.

It claims nothing, for nothing was published; but exact searches must agree, and where they do not
it says so. Knows no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.lab.report import Part, Report, Section, Text
from plyground.lab.spec import Parameters, Results
from plyground.lab.user.charts import Canvas
from plyground.lab.user.design import Design, Ground
from plyground.lab.user.numbers import COSTS, USUAL, Findings
from plyground.lab.user.schema import ChartEntry, TableEntry
from plyground.lab.user.summary import summary
from plyground.lab.user.tables import differences, pairings, players, positions, ratios_of, table_of


@dataclass(frozen=True)
class Wishes:
    """What a report is asked to show."""

    charts: Sequence[ChartEntry] = ()
    tables: Sequence[TableEntry] = ()


def make_report(design: Design, wishes: Wishes, parameters: Parameters, results: Results) -> Report:
    """The report of what was measured."""
    findings = Findings(design, parameters, results)
    sections = [_tables(findings, ground, _wanted(design, wishes)) for ground in design.grounds]
    if wishes.charts:
        canvas = Canvas(findings)
        sections.insert(0, Section("Charts", [canvas.draw(wish) for wish in wishes.charts]))
    if design.measure == "search":
        sections.append(_agreement(findings))
    listed = [positions(findings, ground) for ground in design.grounds]
    sections.append(Section("What was measured", [players(findings), *listed]))
    return Report(summary(findings), sections)


def _wanted(design: Design, wishes: Wishes) -> Sequence[TableEntry]:
    """The tables that were asked for, or those of what the charts show."""
    if wishes.tables:
        return wishes.tables
    shown = dict.fromkeys((wish.y, wish.average) for wish in wishes.charts)
    names = shown or dict.fromkeys((name, "median") for name in USUAL[design.measure])
    return [TableEntry.model_validate({"of": of, "average": average}) for of, average in names]


def _tables(findings: Findings, ground: Ground, wanted: Sequence[TableEntry]) -> Section:
    is_search = findings.design.measure == "search"
    parts: list[Part] = [] if is_search else [pairings(findings, ground)]
    for wish in wanted:
        parts.append(table_of(findings, ground, wish))
        if is_search and wish.of in COSTS and len(findings.design.contenders) > 1:
            parts.append(ratios_of(findings, ground, wish.of))
    return Section(ground.label, parts)


def _agreement(findings: Findings) -> Section:
    """Whether exact searches found the same values, which they must."""
    if not findings.compared:
        text = (
            "No two players search exactly, equally deep and with the same evaluator: there are "
            "no values to compare."
        )
        return Section("Exact searches", [Text(text)])
    who = "Players that search exactly, equally deep and with the same evaluator"
    if not findings.different:
        text = f"{who} found the same values, in all of {findings.compared:,} comparisons."
        return Section("Exact searches", [Text(text)])
    text = (
        f"{who} must find the same values. They did not in {len(findings.different):,} of "
        f"{findings.compared:,} comparisons: some of them are wrong."
    )
    return Section("Exact searches", [Text(text), differences(findings)])
