"""Charts in one style: lines, bars, points and heat maps, as Vega-Lite specifications.

Rows are dictionaries; every chart carries its data, so it can be drawn anywhere without a network.
What is not a finite number (or not positive, on a logarithmic axis) stays a gap, and an error bar
without an end is left out; one that reaches below a logarithmic axis ends there. Nothing is told by
colour alone: lines and points have a shape for each series, bars a place. Colours, ink and grid are
readable on white and on black; the background is transparent. Knows no experiment, and no format of
pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

Row = Mapping[str, Any]
Spec = dict[str, Any]

# Each has a contrast of 3 or more against white and against #14171a. The first five stay apart by
# 0.10 in Oklab, all eight by 0.07, to normal eyes and to all three kinds of colour blindness.
PALETTE = ["#2b72b8", "#c98320", "#a84450", "#2fa38a", "#a97cf0", "#805789", "#c15e50", "#7d778a"]
SHAPES = [
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
]
INK = "#75797f"
RULE = "#808080"
# Liberation Sans is what the renderer carries; the others have letters of the same widths.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
FONT_SIZE = 14
LETTER = 7.3
"""The width of an average letter, in pixels."""
WIDTH, HEIGHT = 500, 290
FACET_WIDTH, FACET_HEIGHT = 215, 150
MOST_TICKS = 12
LEAST_PLACE = -307  # of a power of ten that is not zero to a computer
DODGE = 5
"""Pixels between the error bars of neighbouring series."""

WHOLE_NUMBER = "format(datum.value, ',.6~r')"
SHORT_NUMBER = f"abs(datum.value) >= 1000 ? format(datum.value, '.6~s') : {WHOLE_NUMBER}"


# ------------------------------------------------------------------ kinds of charts


def lines(
    rows: Sequence[Row],
    x: str,
    y: str,
    series: str,
    *,
    log: bool = False,
    log_x: bool = False,
    dashed: str | None = None,
    low: str | None = None,
    high: str | None = None,
    facet: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
) -> Spec:
    """A line with points for each series.

    `dashed` names a field with two values, the first of which in the alphabet is drawn solid: of
    "ours" and "published", ours. `low` and `high` name the ends of error bars; with them, series
    are drawn a little beside each other, so that no bar hides another.
    """
    rows = _drawable(rows, _positive(y, log, x, log_x), low, high, log)
    x_axis, y_axis = _across(x, rows, log_x, x_title), _up(y, rows, log, y_title, facet, low, high)
    look = {"color": _colour(series, rows)}
    solid: dict[str, Any] = {"strokeDash": _dash(dashed, rows)} if dashed else {}
    drawn: list[Spec] = []
    for only, offset in _dodged(x, series, rows, low, facet):
        at = {"x": x_axis, **look}
        line = {"type": "line", "strokeWidth": 2, "xOffset": offset}
        dots = {"type": "point", "filled": True, "size": 55, "opacity": 1, "xOffset": offset}
        drawn += _error_bars(at, y_axis, low, high, offset, only)
        drawn.append({**only, "mark": line, "encoding": {**at, "y": y_axis, **solid}})
        shape = {"shape": _shape(series, rows), "tooltip": _tooltip(rows)}
        drawn.append({**only, "mark": dots, "encoding": {**at, "y": y_axis, **shape}})
    return _finished(drawn, rows, facet)


def points(
    rows: Sequence[Row],
    x: str,
    y: str,
    series: str,
    *,
    log: bool = False,
    log_x: bool = False,
    diagonal: bool = False,
    facet: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
) -> Spec:
    """A point for each row; `diagonal` adds the line on which both are equal."""
    rows = _drawable(rows, _positive(y, log, x, log_x))
    x_axis = _across(x, rows, log_x, x_title)
    y_axis = _up(y, rows, log, y_title, facet)
    encoding = {
        "x": x_axis,
        "y": y_axis,
        "color": _colour(series, rows),
        "shape": _shape(series, rows),
        "tooltip": _tooltip(rows),
    }
    mark = {"type": "point", "filled": True, "size": 45, "opacity": 0.85}
    drawn: list[Spec] = [{"mark": mark, "encoding": encoding}]
    if diagonal:
        drawn.insert(0, _diagonal(x_axis, y_axis, x, y, rows))
    return _finished(drawn, rows, facet)


def bars(
    rows: Sequence[Row],
    x: str,
    y: str,
    series: str,
    *,
    log: bool = False,
    low: str | None = None,
    high: str | None = None,
    facet: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
) -> Spec:
    """Bars beside each other, one for each series; the series may be the places themselves."""
    rows = _drawable(rows, _positive(y, log), low, high, log)
    y_axis = _up(y, rows, log, y_title, facet, low, high, is_bar=True)
    width = FACET_WIDTH if facet else WIDTH
    at: dict[str, Any] = {"x": _places(x, rows, x_title, width), "color": _colour(series, rows)}
    if series == x:
        at["color"]["legend"] = None
    else:
        at["xOffset"] = {**_field(series, "nominal"), "sort": _order(series, rows)}
    # Pale, so that the lower half of an error bar is seen inside.
    mark = {"type": "bar", "fillOpacity": 0.6 if low else 0.85}
    height = {"y": {**y_axis, "stack": None}}
    if log and y_axis["axis"]["values"]:
        height["y2"] = {"datum": y_axis["axis"]["values"][0]}  # there is no zero to stand on
    drawn: list[Spec] = [
        {"mark": mark, "encoding": {**at, **height, "tooltip": _tooltip(rows)}},
        *_error_bars(at, y_axis, low, high, 0, {}),
    ]
    return _finished(drawn, rows, facet)


def heat_map(
    rows: Sequence[Row],
    x: str,
    y: str,
    value: str,
    *,
    log: bool = False,
    digits: int | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    value_title: str | None = None,
) -> Spec:
    """A field of squares, the darker the larger; `digits` also writes the value in each."""
    rows = _drawable(rows, _positive(value, log))
    known, columns, lanes = _numbers(rows, value), _order(x, rows), _order(y, rows)
    at = {
        "x": _places(x, rows, x_title, WIDTH),
        "y": {
            **_field(y, "nominal"),
            "sort": lanes,
            "title": y_title or y,
            "axis": {"grid": False},
        },
    }
    scale = {"type": "log" if log else "linear", "scheme": "blues", "nice": False, "zero": False}
    legend = {"orient": "right", "title": value_title or value, "titleLimit": 0}
    if log:
        ticks = [tick for tick in _log_ticks(known) if min(known) <= tick <= max(known)]
        legend |= {"labelExpr": _label(ticks), "values": ticks}
    colour = {**_field(value, "quantitative"), "scale": scale, "legend": legend}
    drawn: list[Spec] = [
        {"mark": "rect", "encoding": {**at, "color": colour, "tooltip": _tooltip(rows)}}
    ]
    if digits is not None:
        drawn.append(_written(at, value, known, log, digits))
    spec = _finished(drawn, rows, None)
    side = max(28, min(64, WIDTH // max(1, len(columns))))
    return {**spec, "width": side * len(columns), "height": min(side, 44) * len(lanes)}


# ------------------------------------------------------------------ axes


def _across(name: str, rows: Sequence[Row], log: bool, title: str | None) -> Spec:
    """The axis of what was varied: numbers in proportion, words in the order of the rows."""
    if not rows or not _is_numeric(name, rows):
        return _places(name, rows, title, WIDTH)
    known = sorted(set(_numbers(rows, name)))
    axis: dict[str, Any] = {"grid": False, "labelExpr": _label(known), "labelOverlap": True}
    scale: dict[str, Any] = {"type": "log" if log else "linear", "zero": False, "nice": False}
    scale["padding"] = 14
    if all(float(number).is_integer() for number in known):
        axis["tickMinStep"] = 1
    if len(known) <= MOST_TICKS:
        axis["values"] = known
    elif log:
        axis["values"] = _log_ticks(known)
        scale |= {"padding": 0, "domain": [axis["values"][0], axis["values"][-1]]}
    return {**_field(name, "quantitative"), "title": title or name, "scale": scale, "axis": axis}


def _places(name: str, rows: Sequence[Row], title: str | None, width: int) -> Spec:
    """The axis of words, turned if they are too long to stand beside each other."""
    order = _order(name, rows)
    room = width / max(1, len(order)) / LETTER
    is_tight = max((len(str(place)) for place in order), default=0) > room
    axis = {"grid": False, "labelAngle": -35 if is_tight else 0, "labelLimit": 180}
    return {**_field(name, "nominal"), "sort": order, "title": title or name, "axis": axis}


def _up(
    name: str,
    rows: Sequence[Row],
    log: bool,
    title: str | None,
    facet: str | None,
    low: str | None = None,
    high: str | None = None,
    is_bar: bool = False,
) -> Spec:
    """The axis of what was measured, with its title above it: nobody turns the head to read."""
    known = _numbers(rows, name, low, high)
    axis: dict[str, Any] = {"labelExpr": _label(known), "tickCount": 6}
    scale: dict[str, Any] = {"zero": True, "nice": True}
    if log:
        ticks = _log_ticks(known, below=is_bar)
        axis = {"labelExpr": _label(ticks), "values": ticks}
        scale = {"type": "log", "nice": True}
        if ticks and not facet:
            scale = {"type": "log", "nice": False, "domain": [ticks[0], ticks[-1]]}
        elif ticks and is_bar:
            scale["domainMin"] = ticks[0]
    return {**_field(name, "quantitative"), "title": title or name, "scale": scale, "axis": axis}


def _log_ticks(values: Sequence[float], below: bool = False) -> list[float]:
    """Powers of ten around the values, or also 2 and 5 times each if they span less than two.

    `below` begins under the least value, so that its bar has a height.
    """
    if not values:
        return []
    least, most = min(values), max(values)
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    digits = (1,) if high - low > 2 else (1, 2, 5)
    step = max(1, math.ceil((high - low) / MOST_TICKS))
    first = low - low % step - step
    places = sorted({max(place, LEAST_PLACE) for place in range(first, high + step + 1, step)})
    steps = [_tick(n, place) for place in places for n in digits]
    under = [tick for tick in steps if (tick < least if below else tick <= least)]
    over = [tick for tick in steps if tick >= most]
    return [tick for tick in steps if under[-1] <= tick <= over[0]]


def _tick(digit: int, exponent: int) -> float:
    return digit * 10**exponent if exponent >= 0 else float(f"{digit}e{exponent}")


def _label(values: Sequence[float]) -> str:
    """How the numbers of an axis are written: in full, or as 20k and 1M if some are long."""
    return SHORT_NUMBER if max(map(abs, values), default=0) >= 10_000 else WHOLE_NUMBER


# ------------------------------------------------------------------ marks


def _error_bars(
    at: Spec, y_axis: Spec, low: str | None, high: str | None, offset: float, only: Spec
) -> list[Spec]:
    if low is None or high is None:
        return []
    ends = {"y": {**y_axis, **_field(low, "quantitative")}, "y2": _field(high)}
    mark = {"type": "rule", "strokeWidth": 1.6, "xOffset": offset}
    return [{**only, "mark": mark, "encoding": {**at, **ends}}]


def _dodged(
    x: str, series: str, rows: Sequence[Row], low: str | None, facet: str | None
) -> list[tuple[Spec, float]]:
    """A filter for each series and how many pixels it moves; one for all if nothing may overlap."""
    order = _order(series, rows)
    if low is None or len(order) < 2:
        return [({}, 0)]
    width = FACET_WIDTH if facet else WIDTH
    step = min(DODGE, width / max(1, len(_order(x, rows))) / 2 / len(order))
    return [
        (
            {"transform": [{"filter": {"field": _escaped(series), "equal": name}}]},
            round((place - (len(order) - 1) / 2) * step, 2),
        )
        for place, name in enumerate(order)
    ]


def _diagonal(x_axis: Spec, y_axis: Spec, x: str, y: str, rows: Sequence[Row]) -> Spec:
    across, up = _numbers(rows, x), _numbers(rows, y)
    ends = [max(min(across), min(up)), min(max(across), max(up))] if across and up else []
    mark = {"type": "line", "stroke": RULE, "strokeWidth": 1, "strokeDash": [2, 3]}
    return {
        "data": {"values": [{x: end, y: end} for end in ends]},
        "mark": mark,
        "encoding": {"x": x_axis, "y": y_axis},
    }


def _written(at: Spec, value: str, known: Sequence[float], log: bool, digits: int) -> Spec:
    """The values on their squares: dark on pale ones, white on dark ones."""
    least, most = min(known, default=1), max(known, default=1)
    middle = math.sqrt(least * most) if log else (least + most) / 2
    test = {"field": _escaped(value), "gt": middle}
    colour = {"condition": {"test": test, "value": "#ffffff"}, "value": "#1c2733"}
    text = {**_field(value, "quantitative"), "format": f",.{digits}f"}
    return {"mark": {"type": "text"}, "encoding": {**at, "text": text, "color": colour}}


# ------------------------------------------------------------------ looks


def _colour(name: str, rows: Sequence[Row]) -> Spec:
    return _look(name, rows, PALETTE)


def _shape(name: str, rows: Sequence[Row]) -> Spec:
    return _look(name, rows, SHAPES)


def _look(name: str, rows: Sequence[Row], looks: Sequence[str]) -> Spec:
    """A look for each series, with one legend for all looks; none for a single series."""
    order = _order(name, rows)
    scale = {"domain": order, "range": [looks[i % len(looks)] for i in range(len(order))]}
    legend = _legend(order) if len(order) > 1 else None
    return {**_field(name, "nominal"), "scale": scale, "title": None, "legend": legend}


def _dash(name: str, rows: Sequence[Row]) -> Spec:
    order = sorted(_order(name, rows), key=str)
    scale = {"domain": order, "range": [[1, 0] if i == 0 else [6, 4] for i in range(len(order))]}
    legend = {**_legend(order), "symbolType": "stroke", "symbolStrokeColor": INK}
    legend["symbolSize"] = 500
    return {**_field(name, "nominal"), "scale": scale, "title": None, "legend": legend}


def _legend(names: Sequence[Any]) -> Spec:
    """Above the chart, in as many columns as fit."""
    longest = max(len(str(name)) for name in names)
    columns = max(1, min(len(names), int(WIDTH // (longest * LETTER + 36))))
    return {"orient": "top", "columns": columns, "labelLimit": WIDTH - 40}


def _tooltip(rows: Sequence[Row]) -> list[Spec]:
    names = rows[0] if rows else {}
    return [
        _field(name, "quantitative" if _is_numeric(name, rows) else "nominal") | {"title": name}
        for name in names
    ]


# ------------------------------------------------------------------ data


def _finished(drawn: Sequence[Spec], rows: Sequence[Row], facet: str | None) -> Spec:
    start: Spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": None,
        "data": {"values": list(rows)},
        "config": STYLE,
    }
    if facet is None:
        return {**start, "width": WIDTH, "height": HEIGHT, "layer": list(drawn)}
    return {
        **start,
        "config": {**STYLE, "legend": {**STYLE["legend"], "offset": 12}},
        "facet": {**_field(facet, "nominal"), "sort": _order(facet, rows), "title": None},
        "columns": 2,
        "spacing": 28,
        "spec": {"width": FACET_WIDTH, "height": FACET_HEIGHT, "layer": list(drawn)},
        "resolve": {"scale": {"y": "independent"}, "axis": {"x": "independent"}},
    }


def _positive(y: str, log: bool, x: str = "", log_x: bool = False) -> set[str]:
    """The fields in which only positive numbers can be drawn."""
    return ({y} if log else set()) | ({x} if log_x else set())


def _drawable(
    rows: Sequence[Row],
    positive: set[str],
    low: str | None = None,
    high: str | None = None,
    log: bool = False,
) -> list[dict[str, Any]]:
    """The rows with gaps for what cannot be drawn."""
    found = [
        {name: _value_or_gap(value, name in positive) for name, value in row.items()}
        for row in rows
    ]
    if low is None or high is None:
        return found
    heights = [one for one in _numbers(found, low, high) if one > 0]
    bottom = _log_ticks(heights)[0] if log and heights else None
    return [row | _ends(row, low, high, bottom) for row in found]


def _value_or_gap(value: Any, positive: bool) -> Any:
    if _is_number(value) and (not math.isfinite(value) or (positive and value <= 0)):
        return None
    return value


def _ends(row: Row, low: str, high: str, bottom: float | None) -> dict[str, Any]:
    """The ends of an error bar; it cannot reach below the bottom, and needs both."""
    below, above = row.get(low), row.get(high)
    if bottom is not None and below is not None:
        below = max(below, bottom)
    if below is None or above is None or below > above:
        return {low: None, high: None}
    return {low: below, high: above}


def _numbers(rows: Sequence[Row], *names: str | None) -> list[float]:
    """All numbers in these fields."""
    found = (row.get(name) for row in rows for name in names if name)
    return [value for value in found if _is_number(value)]


def _is_numeric(name: str, rows: Sequence[Row]) -> bool:
    return all(_is_number(row.get(name)) for row in rows)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _order(name: str, rows: Sequence[Row]) -> list[Any]:
    return list(dict.fromkeys(row[name] for row in rows))


def _field(name: str, kind: str | None = None) -> Spec:
    return {"field": _escaped(name), **({"type": kind} if kind else {})}


def _escaped(name: str) -> str:
    """A field's name as it is: points and brackets would lead into nested data."""
    return "".join("\\" + letter if letter in "\\.[]'\"" else letter for letter in name)


STYLE: Spec = {
    "aria": False,  # a page says in words what is drawn, and gives the numbers
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": FONT_SIZE,
        "titleFontSize": FONT_SIZE,
        "titleFontWeight": "normal",
        "labelPadding": 6,
        "titlePadding": 10,
        "domainColor": RULE,
        "tickColor": RULE,
        "gridColor": RULE,
        "gridOpacity": 0.25,
    },
    "axisYQuantitative": {"domain": False, "ticks": False},
    "axisY": {
        "titleAngle": 0,
        "titleAnchor": "end",
        "titleAlign": "left",
        "titleBaseline": "bottom",
        "titleX": 0,
        "titleY": -10,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": FONT_SIZE,
        "titleFontSize": FONT_SIZE,
        "titleFontWeight": "normal",
        "symbolSize": 90,
        "symbolStrokeWidth": 2,
        "rowPadding": 4,
        "columnPadding": 24,
        "offset": 32,  # room for the title of the axis below
        "layout": {"top": {"direction": "vertical", "anchor": "start", "margin": 6}},
    },
    "header": {"labelColor": INK, "labelFontSize": FONT_SIZE, "labelFontWeight": "bold"},
    "text": {"fontSize": 12},
}
