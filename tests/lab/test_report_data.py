"""A report as plain data has all its parts, each with its kind, and is valid JSON."""

from __future__ import annotations

import json
import math

from plyground.lab.as_data import report_as_data
from plyground.lab.report import Beside, Chart, Claim, Column, Report, Section, Table, Text, Verdict

TABLE = Table(
    "T", [Column("a", is_timed=True), Column("b")], [(1, 2.5), (math.inf, math.nan), ("x", None)]
)
CLAIM = Claim("It is so", "1", "2", Verdict.CONTRADICTED, "Because.")


def test_every_kind_of_part_is_told() -> None:
    chart = Chart("c", "C", {"data": {"values": [{"x": -math.inf}]}})
    parts = [Text("*so*"), TABLE, Beside(TABLE, TABLE), chart, CLAIM]
    told = report_as_data(Report("In short.", [Section("One", parts), Section("Two", [])]))
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["summary"] == "In short."
    assert [section["title"] for section in told["sections"]] == ["One", "Two"]
    text, table, beside, drawn, claim = told["sections"][0]["parts"]
    assert text == {"kind": "text", "markdown": "*so*"}
    assert (table["kind"], table["rows"]) == ("table", [[1, 2.5], [None, None], ["x", None]])
    assert table["columns"][0]["is_timed"]
    assert (beside["kind"], beside["ours"]["title"]) == ("beside", "T")
    assert drawn["spec"] == {"data": {"values": [{"x": None}]}}
    assert (claim["kind"], claim["verdict"]) == ("claim", "contradicted")
