"""Charts can be drawn whatever the rows are, and can be read by everybody."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import polars
import pytest
import vl_convert
from hypothesis import example, given
from hypothesis import strategies as st

from plyground.lab import charts
from plyground.lab.chart_style import INK, PALETTE
from plyground.lab.rendering.charts import data_inside

ROWS: list[dict[str, Any]] = [
    {"depth": depth, "nodes": 7**depth, "who": who, "low": 5**depth, "high": 9**depth}
    for depth in (1, 2, 3, 4, 5, 6)
    for who in ("minimax", "alpha-beta")
]
SVG = "{http://www.w3.org/2000/svg}"


def drawn(spec: charts.Spec) -> ElementTree.Element:
    json.dumps(spec, allow_nan=False)  # plain data
    return ElementTree.fromstring(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]))


def marks(picture: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """The shapes of the data: `kind` as the renderer calls it, such as symbol or rect."""
    groups = [
        group
        for group in picture.iter(f"{SVG}g")
        if (group.get("class") or "").startswith(f"mark-{kind} role-mark")
    ]
    return [shape for group in groups for shape in group]


def words(picture: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def colours(picture: ElementTree.Element) -> list[str | None]:
    return [shape.get("fill") for shape in marks(picture, "symbol")]


def forms(picture: ElementTree.Element) -> set[str | None]:
    """The outlines of points."""
    return {shape.get("d") for shape in marks(picture, "symbol")}


# ------------------------------------------------------------------ drawing


def test_lines_have_a_point_for_each_row_and_a_bar_for_each_error() -> None:
    picture = drawn(charts.lines(ROWS, "depth", "nodes", "who", log=True, low="low", high="high"))
    assert len(marks(picture, "symbol")) == len(ROWS)
    assert len(marks(picture, "rule")) == len(ROWS)
    assert len(marks(picture, "line")) == 2


def test_points_may_have_error_bars() -> None:
    picture = drawn(charts.points(ROWS, "depth", "nodes", "who", low="low", high="high"))
    assert len(marks(picture, "symbol")) == len(marks(picture, "rule")) == len(ROWS)


def test_words_below_a_narrow_heat_map_are_turned() -> None:
    rows = [{"game": game, "who": "one", "n": 1} for game in ("Connect Four", "Double Card")]
    picture = drawn(charts.heat_map(rows, "game", "who", "n"))
    turned = [
        text.get("transform") for text in picture.iter(f"{SVG}text") if text.text == "Double Card"
    ]
    assert "rotate(325)" in str(turned[0])


def test_bars_on_a_logarithmic_axis_have_a_height() -> None:
    picture = drawn(charts.bars(ROWS, "depth", "nodes", "who", log=True))
    shapes = marks(picture, "rect")
    assert len(shapes) == len(ROWS)
    heights = [float(str(shape.get("d")).split("v")[1].split("h")[0]) for shape in shapes]
    assert all(abs(height) > 1 for height in heights)


def test_points_and_the_diagonal() -> None:
    picture = drawn(charts.points(ROWS, "low", "nodes", "who", log=True, log_x=True, diagonal=True))
    assert len(marks(picture, "symbol")) == len(ROWS)
    assert len(marks(picture, "line")) == 1


def test_a_heat_map_writes_its_values() -> None:
    picture = drawn(charts.heat_map(ROWS, "depth", "who", "nodes", log=True, digits=0))
    assert len(marks(picture, "rect")) == len(ROWS)
    assert "117,649" in words(picture)


@pytest.mark.parametrize("kind", [charts.lines, charts.bars, charts.points])
def test_facets_stand_beside_each_other(kind: Any) -> None:
    picture = drawn(kind(ROWS, "depth", "nodes", "who", facet="who"))
    assert words(picture).count("depth") == 2  # each has its own axis


@pytest.mark.parametrize("kind", [charts.lines, charts.bars, charts.points, charts.heat_map])
@pytest.mark.parametrize("log", [False, True])
def test_no_rows_are_an_empty_chart(kind: Any, log: bool) -> None:
    look = {"digits": 1} if kind is charts.heat_map else {}
    empty = drawn(kind([], "x", "y", "series", log=log, **look))
    assert not marks(empty, "symbol") and not marks(empty, "rect")


def test_a_frame_is_drawn_as_its_rows_are() -> None:
    frame = polars.DataFrame(ROWS)
    for draw in (charts.lines, charts.bars, charts.points):
        look = {"log": True, "low": "low", "high": "high", "facet": "who"}
        assert draw(frame, "depth", "nodes", "who", **look) == draw(
            ROWS, "depth", "nodes", "who", **look
        )


def test_altair_waits_for_the_first_chart() -> None:
    program = "import sys, plyground.lab.document; print({'altair', 'polars'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_names_of_fields_may_be_anything() -> None:
    x, y, series = "depth [plies]", "nodes.per 'second'", 'who: "it"'
    rows = [{x: row["depth"], y: row["nodes"], series: row["who"]} for row in ROWS]
    picture = drawn(charts.lines(rows, x, y, series))
    assert len(marks(picture, "symbol")) == len(ROWS)
    assert {x, y} <= set(words(picture))


def test_words_are_escaped() -> None:
    rows = [{"x": "<script>", "y": 1, "who": "a&b"}, {"x": "b", "y": 2, "who": "</svg>"}]
    assert {"<script>", "a&b", "</svg>"} <= set(words(drawn(charts.bars(rows, "x", "y", "who"))))


# ------------------------------------------------------------------ gaps


def test_what_cannot_be_drawn_is_a_gap() -> None:
    strange = [math.nan, math.inf, -math.inf, None, 3.0]
    rows = [{"x": x, "y": y, "who": "one"} for x, y in enumerate(strange)]
    spec = charts.lines(rows, "x", "y", "who")
    assert [row["y"] for row in data_inside(spec)] == [None, None, None, None, 3.0]
    assert len(marks(drawn(spec), "symbol")) == 1


def test_a_logarithmic_axis_has_no_zero() -> None:
    rows = [{"x": x, "y": x, "who": "one"} for x in (-1, 0, 1, 2)]
    spec = charts.lines(rows, "x", "y", "who", log=True)
    assert [row["y"] for row in data_inside(spec)] == [None, None, 1, 2]
    assert [row["x"] for row in data_inside(spec)] == [-1, 0, 1, 2]


def test_an_error_bar_needs_both_ends() -> None:
    rows = [
        {"x": 1, "y": 5, "who": "one", "low": -math.inf, "high": math.inf},
        {"x": 2, "y": 5, "who": "one", "low": 4, "high": 6},
    ]
    spec = charts.lines(rows, "x", "y", "who", low="low", high="high")
    assert [(row["low"], row["high"]) for row in data_inside(spec)] == [(None, None), (4, 6)]
    assert len(marks(drawn(spec), "rule")) == 1


def test_an_error_bar_ends_where_a_logarithmic_axis_does() -> None:
    rows = [{"x": 1, "y": 50, "who": "one", "low": 0, "high": 600}]
    spec = charts.bars(rows, "x", "y", "who", log=True, low="low", high="high")
    assert data_inside(spec)[0]["low"] > 0
    assert len(marks(drawn(spec), "rule")) == 1


# ------------------------------------------------------------------ axes


def ticks(*values: float, below: bool = False) -> list[float]:
    return charts.log_ticks(values, below)


def test_logarithmic_ticks_are_powers_of_ten() -> None:
    assert ticks(3, 25_000) == [1, 10, 100, 1_000, 10_000, 100_000]
    assert ticks(0.004, 2) == [0.001, 0.01, 0.1, 1, 10]


def test_a_narrow_range_has_ticks_between_powers_of_ten() -> None:
    assert ticks(350, 1_300) == [200, 500, 1_000, 2_000]
    assert ticks(0.03, 0.2) == [0.02, 0.05, 0.1, 0.2]


def test_the_least_bar_does_not_vanish() -> None:
    assert ticks(100, 50_000) == [100, 1_000, 10_000, 100_000]
    assert ticks(100, 50_000, below=True)[0] < 100


@given(st.lists(st.floats(1e-290, 1e290), min_size=1), st.booleans())
@example([1e-290, 1.1e190], False)
def test_ticks_enclose_all_values_and_are_few(values: list[float], below: bool) -> None:
    found = ticks(*values, below=below)
    assert found[0] <= min(values) and max(values) <= found[-1]
    assert found[0] < min(values) or not below
    assert all(one < other for one, other in itertools.pairwise(found))
    assert len(found) <= charts.MOST_TICKS + 2


def test_depths_are_ticks_as_they_are() -> None:
    axis = words(drawn(charts.lines(ROWS, "depth", "nodes", "who", log=True)))
    assert {"1", "2", "3", "4", "5", "6"} <= set(axis)
    assert {"1k", "10k", "100k", "1M"} <= set(axis)


# ------------------------------------------------------------------ for everybody


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", [*PALETTE, INK])
def test_colours_are_seen_on_white_and_on_black(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 3
    assert contrast(colour, "#14171a") >= 3


def test_the_background_is_transparent() -> None:
    picture = drawn(charts.lines(ROWS, "depth", "nodes", "who"))
    assert not [rect for rect in picture.iter(f"{SVG}rect") if rect.get("fill") == "white"]


def test_series_differ_in_shape_and_not_only_in_colour() -> None:
    picture = drawn(charts.lines(ROWS, "depth", "nodes", "who"))
    assert len(forms(picture)) == len(set(colours(picture))) == 2


def test_error_bars_of_two_series_are_not_drawn_over_each_other() -> None:
    spec = charts.lines(ROWS, "depth", "nodes", "who", low="low", high="high")
    rules = [layer["mark"] for layer in spec["layer"] if layer["mark"]["type"] == "rule"]
    first, second = (rule["xOffset"] for rule in rules)
    assert second - first == charts.DODGE


def test_lines_without_error_bars_stay_where_they_are() -> None:
    spec = charts.lines(ROWS, "depth", "nodes", "who")
    assert all(layer["mark"]["xOffset"] == 0 for layer in spec["layer"])


def test_a_single_series_has_no_legend() -> None:
    one = [row for row in ROWS if row["who"] == "minimax"]
    assert "minimax" not in words(drawn(charts.lines(one, "depth", "nodes", "who")))
    assert "minimax" in words(drawn(charts.lines(ROWS, "depth", "nodes", "who")))


def test_ours_is_solid_and_what_was_published_is_dashed() -> None:
    rows = [row | {"source": source} for source in ("published", "ours") for row in ROWS]
    picture = drawn(charts.lines(rows, "depth", "nodes", "who", dashed="source"))
    assert sorted(str(line.get("stroke-dasharray")) for line in marks(picture, "line")) == [
        *["1,0"] * 2,
        *["6,4"] * 2,
    ]
    legend = [word for word in words(picture) if word in ("ours", "published")]
    assert legend == ["ours", "published"]


def test_more_series_than_colours_begin_again() -> None:
    rows = [{"x": 1, "y": n, "who": f"number {n}"} for n in range(len(PALETTE) + 1)]
    found = colours(drawn(charts.points(rows, "x", "y", "who")))
    assert found == [*PALETTE, PALETTE[0]]
