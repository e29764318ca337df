"""A report from a document: prose, tables, charts and claims in the order of reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from jinja2 import UndefinedError
from pydantic import ValidationError

from plyground.core.errors import Unsupported
from plyground.lab.document import listed, make_report, table_of, written
from plyground.lab.frames import frame_of
from plyground.lab.published_data import ClaimData, Published, published_in
from plyground.lab.report import Beside, Chart, Claim, Column, Report, Table, Text, Verdict
from plyground.lab.spec import Citation
from plyground.lab.statistics import Estimate, share

PRINTED = Table("Table 2", [Column("depth"), Column("nodes")], [[1, 8], [2, 57]])
CLAIM = {
    "claim": "It visits {{ nodes | f }} nodes.",
    "place": "table 2, page 4",
    "printed": "57",
    "ours": "nodes",
    "published": "tables_total",
    "rule": {"within": {"factor": "1 + 0.1"}},
    "note": "Counted as {{ how }}.",
}
FOUND: dict[str, Any] = {
    "nodes": 57,
    "tables_total": 57,
    "how": "leaves",
    "by_depth": frame_of(
        [{"depth": d, "nodes": 7**d, "wins": share(d, 9), "seconds": d / 7} for d in (1, 2)]
    ),
}


def report_of(template: str, **changes: Any) -> Report:
    published = Published(
        tables={"table 2": PRINTED},
        numbers={"said": 3},
        claims={"nodes": ClaimData(**CLAIM | changes)},
    )
    return make_report(template, published, None, FOUND)


def test_parts_stand_where_the_template_has_them() -> None:
    report = report_of(
        "Summed {{ numbers.said }}.\n\n## One\n\nBefore {{ table(by_depth, 'By depth') }} between\n"
        "{{ chart(lines(by_depth, 'depth', 'nodes', 'depth'), 'nodes', 'Nodes') }}\n\n## Two\n\n"
        "{{ printed('table 2') }}{{ claim('nodes') }}\n{{ beside('table 2', by_depth, 'Ours') }}"
    )
    assert report.summary == "Summed 3."
    assert [section.title for section in report.sections] == ["One", "Two"]
    kinds = [[type(part) for part in section.parts] for section in report.sections]
    assert kinds == [[Text, Table, Text, Chart], [Table, Claim, Beside]]
    assert report.sections[0].parts[0] == Text("Before")
    assert report.sections[1].parts[0] is PRINTED


def test_a_claim_is_made_of_its_data_and_what_was_found() -> None:
    (claim,) = report_of("## All\n{{ claim('nodes') }}").claims
    assert claim.text == "It visits 57 nodes."
    assert (claim.place, claim.published, claim.ours) == ("table 2, page 4", "57", "57")
    assert claim.note == "Counted as leaves."
    assert claim.verdict == Verdict.REPRODUCED
    assert claim.reason == "Ours over what was printed: 1.00."
    assert "a factor of 1.1" in claim.rule


def test_a_claim_among_those_of_several_publications_says_whose_it_is() -> None:
    first, other = (Citation(name, "T", "P", 1999) for name in ("A. First", "B. Other"))
    claims = {
        name: ClaimData(**CLAIM | {"source": source})
        for name, source in {"a": "", "b": "other", "c": "ours"}.items()
    }
    published = Published(first, claims=claims, sources={"other": other, "ours": None})
    report = make_report("## All\n{{ claim('a', 'b', 'c') }}", published, None, FOUND)
    assert [claim.place for claim in report.claims] == [
        "A. First (1999), table 2, page 4",
        "B. Other (1999), table 2, page 4",
        "our own question, table 2, page 4",
    ]


def test_sources_are_read_and_a_table_names_its_own(tmp_path: Path) -> None:
    cited = [{"authors": name, "title": "T", "place": "P", "year": 1999} for name in "AB"]
    table = {"title": "T", "columns": [{"name": "n"}], "rows": [[1]]}
    data = {"citation": cited[0], "sources": {"b": cited[1], "ours": None}}
    data["tables"] = {"one": table, "two": table | {"source": "b"}}
    path = tmp_path / "published.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = published_in(path)
    assert found.sources == {"b": Citation(**cited[1]), "ours": None}
    notes = [found.tables[name].note for name in ("one", "two")]
    assert notes == ["As printed by A (1999).", "As printed by B (1999)."]


def test_numbers_of_a_claim_are_named_and_written_as_it_says() -> None:
    changes = {"ours": "{'a': 0.25, 'b': 0.5}", "rule": {"above": {"than": 0.1}}, "shown": ".0%"}
    (claim,) = report_of("## All\n{{ claim('nodes') }}", **changes).claims
    assert claim.ours == "a 25%, b 50%"
    assert claim.rule.startswith("Reproduced if all intervals lie above 10%")


@pytest.mark.parametrize(
    ("template", "changes", "error"),
    [
        ("{{ nothing }}", {}, UndefinedError),
        ("## A\n{{ claim('other') }}", {}, KeyError),
        ("## A\n{{ claim('nodes') }}", {"ours": "missing"}, UndefinedError),
        ("## A\n{{ claim('nodes') }}", {"rule": {"nearly": {}}}, Unsupported),
    ],
)
def test_what_is_not_there_is_an_error_and_not_an_empty_word(
    template: str, changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        report_of(template, **changes)


@pytest.mark.parametrize("missing", ["claim", "place", "rule"])
def test_a_claim_without_its_sentence_its_place_or_its_rule_is_refused(missing: str) -> None:
    with pytest.raises(ValidationError, match=missing):
        ClaimData(**{name: value for name, value in CLAIM.items() if name != missing})


def test_a_frame_becomes_a_table() -> None:
    formats = {"wins": ".1%", "nodes": ",d"}
    table = table_of(FOUND["by_depth"], "T", "note", names={"nodes": "visited"}, **formats)
    assert [column.name for column in table.columns] == ["depth", "visited", "wins", "seconds"]
    assert table.columns[2] == Column("wins", 1, as_percent=True)
    assert [column.is_timed for column in table.columns] == [False, False, False, True]
    assert table.rows[0][:3] == [1, 7, share(1, 9)]


def test_an_empty_frame_is_an_empty_table() -> None:
    assert table_of(pl.DataFrame(), "T").rows == []


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (0.256, ".0%", "26%"),
        (1234, "", "1,234"),
        (0.123456, "", "0.1235"),
        (Estimate(0.5, 0.25, 0.75), ".0%", "50% (25% to 75%)"),
        ("d4", ".0%", "d4"),
        (True, "", "True"),
    ],
)
def test_numbers_become_texts(value: Any, spec: str, text: str) -> None:
    assert written(value, spec) == text


def test_an_exact_number_is_written_without_an_interval() -> None:
    assert written(Estimate(6790, 6790, 6790), ",.0f") == "6,790"
    assert written(Estimate(2, 1, 3), ".0f") == "2 (1 to 3)"


def test_named_numbers_become_a_list() -> None:
    shares = {"depth 1": Estimate(0.25, 0.2, 0.3), "depth 2": Estimate(0.5, 0.5, 0.5)}
    assert listed(shares, ".0%") == "depth 1 25% (20% to 30%); depth 2 50%"
    assert listed({"long": 3, "short": 1200}, "", "{value} {name}", ", ") == "3 long, 1,200 short"


def test_a_column_of_estimates_is_drawn_with_error_bars() -> None:
    (chart,) = report_of(
        "## A\n{{ chart(lines(by_depth, 'depth', 'wins', 'depth'), 'wins', 'Wins') }}"
    ).charts
    row = chart.spec["data"]["values"][0]
    found = share(1, 9)
    assert (row["wins"], row["low"], row["high"]) == (found.value, found.low, found.high)
