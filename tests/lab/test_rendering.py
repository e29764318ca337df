"""A report becomes files that say what it says: safe, exact, whole and always the same."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import Field

from plyground.lab import charts
from plyground.lab.frames import Measurements
from plyground.lab.rendering.charts import draw
from plyground.lab.rendering.markdown import harmless, plain
from plyground.lab.rendering.markup import from_markdown, words
from plyground.lab.rendering.names import place, short_name
from plyground.lab.rendering.numbers import MINUS, NOTHING, SPACE, as_csv, shown
from plyground.lab.rendering.writing import Written, write_report
from plyground.lab.report import (
    Beside,
    Chart,
    Claim,
    Column,
    Part,
    Report,
    Section,
    Table,
    Text,
    Value,
    Verdict,
)
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Cell, Citation, Experiment, Measured, Parameters
from plyground.lab.statistics import Estimate

HOSTILE = "<script>alert('x')</script>"
LONG = "alphabeta:" + ",".join(f"option_{i}=value" for i in range(20))


class SampleParameters(Parameters):
    depths: tuple[int, ...] = Field((2, 4), description="Plies | as `depth` counts them.")
    note: str = Field("", description="Anything <b>at all</b>.")


def experiment_named(name: str, title: str = "Nodes & <i>times</i>") -> Experiment[Any]:
    source = Citation("A. Author & B. Other", "On <trees>", "https://example.org/paper", 2017)
    return Experiment(
        name=name,
        title=title,
        question="Is a < b, or b > a?",
        parameters=SampleParameters,
        quick={"depths": (1,)},
        cells=lambda parameters: [],
        source=source,
    )


EXPERIMENT = experiment_named("sample")
INFO = RunInfo(
    number=3,
    experiment="sample",
    digest="0123abcd",
    parameters={"depths": (2, 4), "note": "it's <b>"},
    is_quick=False,
    started=datetime(2025, 11, 16, 2, 50, tzinfo=UTC),
    finished=datetime(2025, 11, 16, 5, 1, tzinfo=timezone(timedelta(hours=2))),
    cells=1200,
    measured=1200,
    seconds=125.4,
    versions={"plyground": "0.1.0", "python": "3.11.7"},
    machine={"processor": "Some <CPU>", "cores": 2, "memory_bytes": 8 * 2**30, "load": 0.5},
)
COLUMNS = [
    Column("player"),
    Column("nodes"),
    Column("seconds", 3, is_timed=True),
    Column("share", as_percent=True),
    Column("remark | note"),
]
ROWS: list[list[Value]] = [
    [HOSTILE, 1_234_567, 0.1 + 0.2, 1 / 3, "a|b\nc"],
    [LONG, 0, -1234.56789, math.nan, None],
    ["*stars* and _lines_ & `code`", -5, math.inf, -math.inf, 'say "so", or not'],
    ["", 2**70, 1e-300, 0.25, "1. not a list"],
]
TABLE = Table("Nodes by <player>", COLUMNS, ROWS, "Counted as `docs/counting.md` says; a|b.")
PUBLISHED = Table(
    "Table 2", [Column("depth"), Column("nodes"), Column("s", 2, is_timed=True)], [[2, 12, None]]
)
OURS = Table("Table 2", PUBLISHED.columns, [[2, 13, 0.04]])
EMPTY = Table("Empty", [Column("a"), Column("b", is_timed=True)], [])
CHART = Chart(
    "nodes",
    "Nodes by depth <b>",
    charts.lines(
        [{"depth": d, "nodes": 7**d / 3, "who": HOSTILE} for d in range(1, 6)],
        "depth",
        "nodes",
        "who",
        log=True,
    ),
    "They grow <fast>.",
    is_timed=True,
)
CLAIMS = [
    Claim("MTD(f) visits <fewer> nodes", "Table 2", "all 5", Verdict.REPRODUCED, "All are less."),
    Claim("It is faster", "5 s", "6 s", Verdict.CONTRADICTED, "It is slower.", is_timed=True),
    Claim("By one half", "0.5", "0.8", Verdict.IN_DIRECTION, "Less, but not by half."),
    Claim("For memory's sake", "", "", Verdict.NOT_TESTABLE, "The study does not say."),
]
MARKDOWN = f"""Some *text* with {HOSTILE}, a [link](https://example.org/x), a [file](../other.md),
<https://example.org/y>, ![a picture](https://example.org/z.png) and `<code>`.

- one
- two

| a | b |
| - | - |
| 1 | 2 |
"""
REPORT = Report(
    f"**Summed up**: {HOSTILE}.",
    [
        Section("Nodes", [Text(MARKDOWN), Beside(PUBLISHED, OURS), TABLE, CLAIMS[0]]),
        Section("Times & more", [CHART, CLAIMS[1], CLAIMS[2], EMPTY]),
        Section("Nodes", [CLAIMS[3], TABLE]),
    ],
)


def written_to(folder: Path, *parts: Part, info: RunInfo = INFO) -> Written:
    """A report of these parts alone."""
    return write_report(EXPERIMENT, Report("", [Section("All", parts)]), info, folder)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_report(EXPERIMENT, REPORT, INFO, tmp_path_factory.mktemp("report"))


# ------------------------------------------------------------------ files


def test_all_files_are_written(written: Written) -> None:
    assert (written.html.name, written.markdown.name) == ("sample.html", "sample.md")
    assert [file.relative_to(written.html.parent).as_posix() for file in written.files] == [
        "sample/table-2-published.csv",
        "sample/table-2-published.parquet",
        "sample/table-2-ours.csv",
        "sample/table-2-ours.parquet",
        "sample/nodes-by-player.csv",
        "sample/nodes-by-player.parquet",
        "sample/empty.csv",
        "sample/empty.parquet",
        "sample/nodes-by-player-2.csv",
        "sample/nodes-by-player-2.parquet",
        "sample/nodes.csv",
        "sample/nodes.svg",
        "sample/nodes.png",
    ]
    found = {file for file in written.html.parent.rglob("*") if file.is_file()}
    assert found == {written.html, written.markdown, *written.files}


def test_the_same_report_becomes_the_same_bytes(written: Written, tmp_path: Path) -> None:
    draw(replace(CHART, title="another"), "another")  # the renderer counts what it draws
    again = write_report(EXPERIMENT, REPORT, INFO, tmp_path)
    for one, other in zip(all_files(written), all_files(again), strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def all_files(written: Written) -> list[Path]:
    return [written.html, written.markdown, *written.files]


def test_an_interruption_leaves_old_files_or_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_to(tmp_path, Table("One", [Column("old")], [[1]]))
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.*")}

    def fail(*paths: object) -> None:
        raise OSError("stopped")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="stopped"):
        written_to(tmp_path, Table("One", [Column("new")], [[2]]))
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.*")} == before


def test_pages_come_last_so_that_they_miss_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    really = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (order.append(Path(b).name), really(a, b)))
    written_to(tmp_path, OURS)
    assert order == ["table-2.csv", "table-2.parquet", "sample.md", "sample.html"]


def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    chart = replace(CHART, name="../../Escape me")
    report = Report("", [Section("x", [chart])])
    written = write_report(experiment_named("../Up"), report, INFO, tmp_path / "in")
    assert written.html == tmp_path / "in" / "up.html"
    assert {file.parent for file in written.files} == {tmp_path / "in" / "up"}
    assert not [file for file in tmp_path.iterdir() if file.name != "in"]


def test_names_are_short_and_differ() -> None:
    title = "A very long title " * 10
    sections = place(Report("", [Section("s", [replace(TABLE, title=title)] * 3)]))
    names = [names[0] for _, names in sections[0].parts]
    assert len(set(names)) == 3
    assert all(len(name) < 70 for name in names)


@given(st.text())
def test_every_text_has_a_short_name(text: str) -> None:
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", short_name(text))


def test_a_row_of_the_wrong_length_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^Wrong: a row is not as long as there are columns"):
        written_to(tmp_path, Table("Wrong", [Column("a"), Column("b")], [[1]]))


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (1234567, Column("n"), "1,234,567"),
        (-5, Column("n"), f"{MINUS}5"),
        (3.0, Column("n"), "3"),
        (0.5, Column("n"), "0.5000"),
        (12.34567, Column("n"), "12.35"),
        (9.99996, Column("n"), "10.00"),
        (123456.7, Column("n"), "123,457"),
        (0.000123456, Column("n"), "0.0001235"),
        (1.5e-9, Column("n"), f"1.500e{MINUS}09"),
        (2.5e20, Column("n"), "2.500e+20"),
        (1234.5678, Column("n", 2), "1,234.57"),
        (7, Column("n", 1), "7.0"),
        (-0.0004, Column("n", 2), "0.00"),
        (-0.0, Column("n"), "0"),
        (0.25, Column("n", 0, as_percent=True), f"25{SPACE}%"),
        (0.0714, Column("n", as_percent=True), f"7.1{SPACE}%"),
        (Estimate(0.5, 0.25, 1), Column("n", 0, as_percent=True), f"50{SPACE}% (25 to 100)"),
        (Estimate(2, -math.inf, 7.5), Column("n", 1), f"2.0 ({MINUS}\N{INFINITY} to 7.5)"),
        (math.inf, Column("n", 2), "\N{INFINITY}"),
        (-math.inf, Column("n", as_percent=True), f"{MINUS}\N{INFINITY}"),
        (math.nan, Column("n", 2), "NaN"),
        (None, Column("n", 2), NOTHING),
        ("as it-is", Column("n", 2), "as it-is"),
        (True, Column("n"), "yes"),
    ],
)
def test_numbers_are_rounded_as_their_column_says(value: Value, column: Column, text: str) -> None:
    assert shown(value, column) == text


@given(st.floats(-1e300, 1e300))
def test_four_digits_are_enough_for_the_eye(value: float) -> None:
    text = shown(value, Column("n")).replace(",", "").replace(MINUS, "-")
    assert float(text) == pytest.approx(value, rel=0.5e-3, abs=0)


def read_back(text: str, like: Sequence[Sequence[Value]]) -> list[list[Value]]:
    """Cells as the kinds of values that were written."""
    _, *rows = csv.reader(io.StringIO(text))
    return [
        [_cell(cell, value) for cell, value in zip(row, values, strict=True)]
        for row, values in zip(rows, like, strict=True)
    ]


def _cell(cell: str, like: Value) -> Value:
    match like:
        case int():
            return int(cell)
        case float():
            return float(cell)
        case None:
            return None if cell == "" else cell
        case _:
            return cell


def test_a_csv_file_has_all_digits(written: Written) -> None:
    file = next(file for file in written.files if file.name == "nodes-by-player.csv")
    text = file.read_text(encoding="utf-8")
    assert next(csv.reader(io.StringIO(text))) == [column.name for column in COLUMNS]
    assert repr(read_back(text, ROWS)) == repr(ROWS)  # repr: one NaN equals another


@given(
    st.lists(
        st.tuples(
            st.floats(),
            st.integers(),
            st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])),
        )
    )
)
def test_csv_reads_back_exactly(rows: list[tuple[float, int, str]]) -> None:
    like = [list[Value](row) for row in rows]
    assert repr(read_back(as_csv("abc", rows), like)) == repr(like)


def test_the_data_of_a_chart_is_a_file_too(written: Written) -> None:
    file = next(file for file in written.files if file.name == "nodes.csv")
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert [float(row["nodes"]) for row in rows] == [7**depth / 3 for depth in range(1, 6)]


# ------------------------------------------------------------------ the page


@dataclass
class Element:
    """An element of a page."""

    tag: str
    attributes: dict[str, str | None]
    inside: list[Element | str] = field(default_factory=list)

    def all(self, tag: str, kind: str = "") -> list[Element]:
        """The elements of this name inside, and of this class if one is given."""
        return [e for e in self.elements() if e.tag == tag and kind in e.classes]

    def elements(self) -> Iterator[Element]:
        for each in self.inside:
            if isinstance(each, Element):
                yield each
                yield from each.elements()

    @property
    def classes(self) -> list[str]:
        return ["", *(self.attributes.get("class") or "").split()]

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.inside)


class Page(HTMLParser):
    """A page as a tree; every element must end, and in its place."""

    WITHOUT_END = frozenset({"meta", "br", "hr", "col"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root], f"not ended: {self._open[-1].tag}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}"
        element = Element(tag, dict(attrs))
        self._open[-1].inside.append(element)
        if tag not in self.WITHOUT_END:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].inside.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)


def parsed(written: Written) -> Element:
    return Page(written.html.read_text(encoding="utf-8")).root


def table_of(page: Element, title: str) -> Element:
    figure = next(f for f in page.all("figure", "table") if f.all("strong")[0].text == title)
    return figure


def cells_of(figure: Element) -> list[list[str]]:
    return [
        [cell.text for cell in row.elements() if cell.tag in ("td", "th")]
        for row in figure.all("tbody")[0].all("tr")
    ]


def test_the_page_is_well_formed(written: Written) -> None:
    page = parsed(written)
    assert [e.tag for e in page.inside if isinstance(e, Element)] == ["html"]
    ids = [e.attributes["id"] for e in page.elements() if "id" in e.attributes]
    assert len(ids) == len(set(ids))


def test_the_page_asks_for_nothing(written: Written) -> None:
    page = parsed(written)
    head = page.all("head")[0]
    assert head.all("meta")[1].attributes == {
        "http-equiv": "Content-Security-Policy",
        "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    }
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & {
        element.tag for element in page.elements()
    }
    for element in page.elements():
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert not re.search(r"https?:|//", value or "") or value.startswith("data:"), value
    style = head.all("style")[0].text
    assert "url(" not in style and "@import" not in style
    source = written.html.read_text(encoding="utf-8")
    # A citation is text; nothing but the name of the policy's element is left.
    assert source.count("http") - page.text.count("http") == source.count("http-equiv") == 1


def test_links_inside_the_page_arrive(written: Written) -> None:
    page = parsed(written)
    ids = {e.attributes["id"] for e in page.elements() if "id" in e.attributes}
    targets = [str(link.attributes["href"]) for link in page.all("a")]
    inside = [target[1:] for target in targets if target.startswith("#")]
    assert len(inside) == len(CLAIMS) + len(REPORT.sections) + 3
    assert set(inside) <= ids
    kinds = ("#", "data:text/csv;", "data:application/vnd.apache.parquet;")
    assert all(target.startswith(kinds) for target in targets)


def test_the_page_begins_with_what_it_is_about(written: Written) -> None:
    assert written.html.read_text(encoding="utf-8").startswith("<!doctype html>")
    header = parsed(written).all("header")[0]
    assert header.all("h1")[0].text == EXPERIMENT.title
    assert header.all("p", "question")[0].text == EXPERIMENT.question
    assert header.all("p", "source")[0].text == f"After {EXPERIMENT.source}"
    assert not header.all("p", "notice")


def test_the_claims_are_told_in_a_box(written: Written) -> None:
    box = parsed(written).all("section", "claims")[0]
    assert box.all("p", "tally")[0].text == (
        "1 reproduced, 1 reproduced in direction only, 1 contradicted, 1 cannot be decided"
    )
    lines = box.all("li")
    assert [line.all("a")[0].text for line in lines] == [claim.text for claim in CLAIMS]
    marks = [line.all("span", "verdict")[0] for line in lines]
    assert [mark.text.split(" ", 1)[1].strip() for mark in marks] == [c.verdict for c in CLAIMS]
    assert len({mark.all("span", "mark")[0].text for mark in marks}) == 4
    assert [bool(mark.all("svg", "clock")) for mark in marks] == [c.is_timed for c in CLAIMS]
    assert [line.all("span", "place")[0].text for line in lines] == [
        "Nodes",
        "Times & more",
        "Times & more",
        "Nodes",
    ]


def test_a_claim_tells_what_it_rests_on(written: Written) -> None:
    first, *_, last = parsed(written).all("article", "claim")
    assert [part.text for part in first.all("dd")] == ["Table 2", "all 5", "All are less."]
    assert [part.text for part in last.all("dt")] == ["Why"]


def test_a_report_without_claims_has_no_box(tmp_path: Path) -> None:
    written = written_to(tmp_path, OURS)
    assert not parsed(written).all("section", "claims")
    assert "claims" not in written.markdown.read_text(encoding="utf-8")


def test_sections_are_in_order(written: Written) -> None:
    titles = [heading.text for heading in parsed(written).all("h2")]
    assert titles == [
        "Contents",
        "What became of the claims",
        "Nodes",
        "Times & more",
        "Nodes",
        "How it was run",
        "What the verdicts mean",
    ]


def test_a_table_shows_what_is_in_it(written: Written) -> None:
    figure = table_of(parsed(written), TABLE.title)
    assert [head.text.strip() for head in figure.all("thead")[0].all("th")] == [
        column.name for column in COLUMNS
    ]
    assert cells_of(figure) == [
        [shown(value, column) for value, column in zip(row, COLUMNS, strict=True)] for row in ROWS
    ]
    assert figure.all("p", "note")[0].text == "Counted as docs/counting.md says; a|b."


def test_numbers_stand_to_the_right(written: Written) -> None:
    head = table_of(parsed(written), TABLE.title).all("thead")[0]
    assert ["number" in cell.classes for cell in head.all("th")] == [False, True, True, True, False]


def test_what_was_timed_has_a_clock_and_a_legend(written: Written) -> None:
    page = parsed(written)
    figure = table_of(page, TABLE.title)
    clocks = [bool(cell.all("svg", "clock")) for cell in figure.all("thead")[0].all("th")]
    assert clocks == [column.is_timed for column in COLUMNS]
    assert figure.all("p", "legend")[0].text.strip() == "differs from run to run"
    assert page.all("figure", "chart")[0].all("p", "legend")


def test_the_published_table_stands_to_the_left_of_ours(written: Written) -> None:
    beside = parsed(written).all("div", "beside")[0]
    left, right = beside.all("figure")
    assert [f.all("span", "over")[0].text for f in (left, right)] == ["Published", "Ours"]
    assert cells_of(left) == [["2", "12", NOTHING]]
    assert cells_of(right) == [["2", "13", "0.04"]]
    assert "number" in left.all("tbody")[0].all("td")[-1].classes, "one layout for both"
    assert not left.all("svg", "clock"), "what was printed does not differ"
    assert right.all("svg", "clock")


def test_tables_too_wide_for_any_screen_stand_below_each_other(tmp_path: Path) -> None:
    columns = [Column(f"column {n}") for n in range(12)]
    wide = Table("Wide", columns, [list(range(12))])
    page = parsed(written_to(tmp_path, Beside(wide, wide)))
    assert not page.all("div", "beside")
    assert len(page.all("figure", "table")) == 2


def test_an_empty_table_says_so(written: Written) -> None:
    assert cells_of(table_of(parsed(written), "Empty")) == [["no rows"]]


def test_data_hangs_at_tables_and_charts(written: Written) -> None:
    links = {
        str(link.attributes["download"]): str(link.attributes["href"])
        for link in parsed(written).all("a", "data")
    }
    endings = (".csv", ".parquet")
    files = {file.name: file.read_bytes() for file in written.files if file.suffix in endings}
    packed = {name: base64.b64decode(link.partition(",")[2]) for name, link in links.items()}
    assert packed == files


def count(depth: int) -> Measured:
    return Measured({"nodes": 7**depth, "line": [depth, 1]}, {"count": [0.5]})


def test_all_that_was_measured_is_beside_the_page_and_inside(tmp_path: Path) -> None:
    measured = Measurements((Cell.of(count, depth=depth), count(depth)) for depth in (1, 2))
    report = Report("", [Section("One", [replace(OURS, title="Measurements")])])
    written = write_report(EXPERIMENT, report, INFO, tmp_path, measured=measured)
    files = {file.name: file.read_bytes() for file in written.files}
    assert list(csv.reader(files["measurements.csv"].decode().splitlines())) == [
        ["task", "depth", "nodes", "line", "count_s"],
        ["count", "1", "7", "[1, 1]", "0.5"],
        ["count", "2", "49", "[2, 1]", "0.5"],
    ]
    table = polars.read_parquet(files["measurements.parquet"])
    assert table.drop("line").equals(measured.frame().drop("line"))
    assert "measurements-2.csv" in files, "a table of the same name has another file"
    packed = {
        str(link.attributes["download"]): base64.b64decode(
            str(link.attributes["href"]).partition(",")[2]
        )
        for link in parsed(written).all("section", "run")[0].all("a", "data")
    }
    assert gzip.decompress(packed.pop("measurements.csv.gz")) == files["measurements.csv"]
    assert packed == {"measurements.parquet": files["measurements.parquet"]}
    assert "([CSV](sample/measurements.csv), [Parquet](sample/measurements.parquet))" in (
        written.markdown.read_text(encoding="utf-8")
    )


def test_a_chart_has_its_title_and_note_as_caption(written: Written) -> None:
    figure = parsed(written).all("figure", "chart")[0]
    caption = figure.all("figcaption")[0].text
    assert caption.startswith("Nodes by depth <b>. They grow <fast>.")
    assert figure.all("svg")[0].attributes["aria-label"] == CHART.title


def test_the_end_tells_how_it_was_run(written: Written) -> None:
    end = parsed(written).all("section", "run")[0]
    assert end.all("pre")[0].text == """plyground lab run sample --set 'note=it'"'"'s <b>'"""
    assert cells_of(end) == [
        ["depths", "2,4", "Plies | as depth counts them."],
        ["note", "it's <b>", "Anything <b>at all</b>."],
    ]
    told = dict(zip([e.text for e in end.all("dt")], [e.text for e in end.all("dd")], strict=True))
    assert told == {
        "Run": "sample@3",
        "Started": "2025-11-16 02:50 UTC",
        "Finished": "2025-11-16 03:01 UTC",
        "Cells": "1,200",
        "Work in all cells": "2 min 5 s",
        "Versions": "plyground 0.1.0, python 3.11.7",
        "Machine": "Some <CPU>, cores 2, memory 8.0 GiB, load 0.5",
        "Digest": "0123abcd",
    }


def test_a_run_that_is_quick_or_not_finished_says_so_first(tmp_path: Path) -> None:
    info = replace(INFO, is_quick=True, finished=None, measured=7, machine={}, seconds=3.25)
    written = written_to(tmp_path, OURS, info=replace(info, parameters={"depths": (1,)}))
    page = parsed(written)
    first, second = (notice.text for notice in page.all("header")[0].all("p", "notice"))
    assert first == "This run is not finished: 7 of 1200 cells are measured."
    assert second.startswith("Quick parameters")
    assert page.all("pre")[0].text == "plyground lab run sample --quick"
    markdown = written.markdown.read_text(encoding="utf-8")
    assert f"**{first}**" in markdown
    assert (
        "- Finished: not yet\n- Cells: 7 of 1,200 measured\n- Work in all cells: 3.2 s" in markdown
    )


def test_an_experiment_in_a_file_is_repeated_by_its_file(tmp_path: Path) -> None:
    report = Report("", [])
    written = write_report(EXPERIMENT, report, INFO, tmp_path, asked_as="my own.toml")
    assert "plyground lab run 'my own.toml' --set" in written.markdown.read_text(encoding="utf-8")


def test_markdown_is_obeyed_and_markup_is_not(written: Written) -> None:
    section = parsed(written).all("section")[1]
    assert section.all("em")[0].text == "text"
    assert [item.text for item in section.all("li")] == ["one", "two"]
    paragraph = section.all("p")[0].text
    assert HOSTILE in paragraph
    assert "a link (https://example.org/x), a file,\nhttps://example.org/y, a picture" in paragraph


@given(st.text(alphabet=st.characters(exclude_characters="`\r", exclude_categories=["Cs", "Cc"])))
def test_a_page_shows_any_words(text: str) -> None:
    assert Page(words(text)).root.text == text


@given(st.text())
def test_any_markdown_becomes_whole_elements_without_addresses(text: str) -> None:
    for element in Page(from_markdown(text)).root.elements():
        assert "href" not in element.attributes and "src" not in element.attributes


def test_code_is_told_apart() -> None:
    assert words("a `<b>` c") == "a <code>&lt;b&gt;</code> c"


# ------------------------------------------------------------------ pictures


def test_an_svg_file_is_whole_and_knows_no_address(written: Written) -> None:
    file = next(file for file in written.files if file.suffix == ".svg")
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("aria-label") == CHART.title
    assert not [e for e in root.iter() if any(name.endswith("href") for name in e.attrib)]


def test_a_png_is_twice_as_large(written: Written) -> None:
    svg = ElementTree.parse(next(f for f in written.files if f.suffix == ".svg")).getroot()
    png = next(f for f in written.files if f.suffix == ".png").read_bytes()
    assert png.startswith(b"\x89PNG")
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (2 * int(svg.attrib["width"]), 2 * int(svg.attrib["height"]))


def test_pictures_in_one_page_share_no_ids(tmp_path: Path) -> None:
    clipped = {
        "data": {"values": [{"x": 1, "y": 2}]},
        "mark": {"type": "point", "clip": True},
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative"},
        },
    }
    written = written_to(tmp_path, *(Chart(name, name, clipped) for name in ("one", "two")))
    page = parsed(written)
    ids = [str(e.attributes["id"]) for e in page.all("clippath")]
    assert ids == ["one-1", "two-1"]
    text = written.html.read_text(encoding="utf-8")
    assert set(re.findall(r"url\(#([^)]*)\)", text)) == set(ids)


def test_a_chart_without_data_inside_has_no_file_of_data(tmp_path: Path) -> None:
    bare = Chart("bare", "Bare", {"data": {"sequence": {"start": 0, "stop": 3}}, "mark": "point"})
    written = written_to(tmp_path, bare)
    assert [file.suffix for file in written.files] == [".svg", ".png"]
    assert "CSV" not in written.markdown.read_text(encoding="utf-8")


# ------------------------------------------------------------------ Markdown


READER = MarkdownIt("commonmark").enable("table")
"""One who obeys markup, as most do."""


def tokens_of(markdown: str) -> Iterator[Token]:
    for token in READER.parse(markdown):
        yield token
        yield from token.children or ()


def text_of(inline: Token) -> str:
    """What a reader sees of a line."""
    return "".join(
        token.content if token.type in ("text", "code_inline", "text_special") else ""
        for token in inline.children or ()
    )


def tables_of(markdown: str) -> list[list[list[str]]]:
    found: list[list[list[str]]] = []
    is_cell = False
    for token in READER.parse(markdown):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in ("th_open", "td_open"):
            is_cell = True
        elif token.type == "inline" and is_cell:
            found[-1][-1].append(text_of(token))
            is_cell = False
    return found


def test_tables_are_well_formed_in_markdown(written: Written) -> None:
    found = tables_of(written.markdown.read_text(encoding="utf-8"))
    assert len(found) == len(REPORT.tables) + 2  # one in a text, and one of the parameters
    head, *rows = found[3]
    assert head == ["player", "nodes", "seconds \N{STOPWATCH}", "share", "remark | note"]
    assert rows == [
        [" ".join(shown(v, c).replace("`", "").split()) for v, c in zip(row, COLUMNS, strict=True)]
        for row in ROWS
    ]


def test_numbers_stand_to_the_right_in_markdown(written: Written) -> None:
    text = written.markdown.read_text(encoding="utf-8")
    assert "| --- | ---: | ---: | ---: | --- |" in text


def test_markdown_obeys_no_markup(written: Written) -> None:
    kinds = {token.type for token in tokens_of(written.markdown.read_text(encoding="utf-8"))}
    assert not {"html_block", "html_inline"} & kinds


def test_references_in_markdown_arrive(written: Written) -> None:
    text = written.markdown.read_text(encoding="utf-8")
    targets = [
        str(token.attrGet("href") or token.attrGet("src"))
        for token in tokens_of(text)
        if token.type in ("link_open", "image")
    ]
    files = {target for target in targets if target.startswith("sample/")}
    assert {written.markdown.parent / target for target in files} == {
        file for file in written.files if file.suffix != ".png"
    }
    jumps = [target for target in targets if target.startswith("#")]
    assert jumps == ["#nodes", "#times--more", "#times--more", "#nodes-1"]


def test_markdown_tells_claims_and_verdicts(written: Written) -> None:
    text = written.markdown.read_text(encoding="utf-8")
    assert (
        "- **\N{CHECK MARK} reproduced**: MTD(f) visits \\<fewer> nodes ([Nodes](#nodes))" in text
    )
    assert "> **\N{MULTIPLICATION X} contradicted** \N{STOPWATCH}: It is faster\n>\n" in text
    assert "> - Why: It is slower." in text


def test_markdown_says_that_a_table_is_empty(written: Written) -> None:
    text = written.markdown.read_text(encoding="utf-8")
    assert "| a | b \N{STOPWATCH} |\n| --- | --- |\n\n*No rows.*" in text


ANY_WORDS = st.text(
    alphabet=st.characters(exclude_characters="`", exclude_categories=["Cs", "Cc", "Cf"])
) | st.text(alphabet="ab1 \\*_[]()<>!|~$#&;=+-.:/\n\"'^")


@given(ANY_WORDS)
def test_markdown_shows_any_words_in_a_cell(text: str) -> None:
    found = tables_of(f"| x |\n| --- |\n| {plain(text)} |")
    assert found == [[["x"], [" ".join(text.split())]]]


@given(ANY_WORDS)
def test_markdown_shows_any_words_in_a_paragraph(text: str) -> None:
    paragraph = " ".join(text.split())
    tokens = READER.parse(plain(text))
    if paragraph:
        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert text_of(tokens[1]) == paragraph
    else:
        assert not tokens


def test_code_stays_code_in_markdown() -> None:
    assert plain("a `<b>*` c") == "a `<b>*` c"
    assert plain("a `b|c` d") == r"a b\|c d"


def test_tags_in_markdown_are_shown_but_code_stays() -> None:
    assert harmless("a <b> `<c>` 1 < 2") == r"a \<b> `<c>` 1 < 2"
