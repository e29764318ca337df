"""Charts in one style: lines, points, bars and heat maps, drawn by Altair.

Rows are a frame or a list of mappings; every chart carries them, so that it can be drawn anywhere
without a network. What is not a finite number (or not positive, on a logarithmic axis) stays a gap,
and an error bar without an end is left out; one that reaches below a logarithmic axis ends there.
Nothing is told by colour alone: lines and points have a shape for each series, bars a place. Altair
takes its time to be imported: import this module where a chart is drawn, not before. Knows no
experiment, and no format of pictures.
"""

from __future__ import annotations

import functools
import math
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import altair as alt
import polars as pl
from polars import selectors as cs

from plyground.lab.chart_style import RULE, STYLE, WIDTH
from plyground.lab.frames import frame_of

Rows = Sequence[Mapping[str, Any]] | pl.DataFrame
C = TypeVar("C")
Spec = dict[str, Any]

LETTER = 7.3  # pixels of an average one
FACET_WIDTH, FACET_HEIGHT = 215, 150
MOST_TICKS = 12
LEAST_PLACE = -307  # of a power of ten that is not zero to a computer
DODGE = 5  # pixels between the error bars of neighbouring series
WHOLE_NUMBER = "format(datum.value, ',.6~r')"
SHORT_NUMBER = f"abs(datum.value) >= 1000 ? format(datum.value, '.6~s') : {WHOLE_NUMBER}"


# ------------------------------------------------------------------ kinds of charts


def lines(
    rows: Rows, x: str, y: str, series: str, *, dashed: str | None = None, **look: Any
) -> Spec:
    """A line with points for each series; `look` is what a `Plot` can be told.

    `dashed` names a field with two values, the first of which in the alphabet is drawn solid: of
    "ours" and "published", ours. With error bars, series are drawn a little beside each other, so
    that no bar hides another.
    """
    plot = Plot(rows, x, y, series, **look)
    up, shape = plot.up(), plot.look(alt.Shape)
    dash = [plot.look(alt.StrokeDash, dashed, symbolSize=500)] if dashed else []
    drawn: list[alt.Chart] = []
    for chart, beside in plot.dodged(alt.Chart().encode(plot.across(), plot.look(alt.Color))):
        drawn += plot.error_bars(chart, up, beside)
        drawn.append(chart.mark_line(xOffset=beside).encode(up, *dash))
        drawn.append(chart.mark_point(xOffset=beside).encode(up, shape))
    return plot.finished(drawn)


def points(rows: Rows, x: str, y: str, series: str, *, diagonal: bool = False, **look: Any) -> Spec:
    """A point for each row; `diagonal` adds the line on which both are equal."""
    plot = Plot(rows, x, y, series, **look)
    across, up = plot.across(), plot.up()
    chart = alt.Chart().encode(across, plot.look(alt.Color))
    dots = chart.mark_point(size=45, opacity=0.85).encode(up, plot.look(alt.Shape))
    drawn = [*plot.error_bars(chart, up), dots]
    known = plot.numbers(x), plot.numbers(y)
    if diagonal and all(known):
        ends = max(map(min, known)), min(map(max, known))
        line = alt.Chart(frame_of([{x: end, y: end} for end in ends])).encode(across, up)
        drawn.insert(0, line.mark_line(stroke=RULE, strokeWidth=1, strokeDash=[2, 3]))
    return plot.finished(drawn)


def bars(rows: Rows, x: str, y: str, series: str, **look: Any) -> Spec:
    """Bars beside each other, one for each series; the series may be the places themselves."""
    plot = Plot(rows, x, y, series, **look)
    colour, up = plot.look(alt.Color), plot.up(is_bar=True)
    chart = alt.Chart().encode(plot.places(alt.X, x, plot.x_title, plot.width), colour)
    if series == x:
        colour["legend"] = None
    else:
        chart = chart.encode(_field(alt.XOffset, series, sort=plot.names(series)))
    # Pale, so that the lower half of an error bar is seen inside.
    drawn = chart.mark_bar(fillOpacity=0.6 if plot.low else 0.85).encode(up)
    if plot.log and plot.numbers(y):  # there is no zero to stand on
        drawn = drawn.encode(y2=alt.Y2Datum(up["axis"]["values"][0]))
    return plot.finished([drawn, *plot.error_bars(chart, up)])


def heat_map(
    rows: Rows,
    x: str,
    y: str,
    value: str,
    *,
    digits: int | None = None,
    value_title: str | None = None,
    **look: Any,
) -> Spec:
    """A field of squares, the darker the larger; `digits` also writes the value in each."""
    plot = Plot(rows, x, value, y, **look)
    known = plot.numbers(value) or [1]
    least, most = min(known), max(known)
    columns = max(1, len(plot.names(x)))
    side = max(28, min(64, WIDTH // columns))
    chart = alt.Chart(width=alt.Step(side), height=alt.Step(min(side, 44))).encode(
        plot.places(alt.X, x, plot.x_title, side * columns), plot.places(alt.Y, y, plot.y_title)
    )
    legend = alt.Legend(orient="right", title=value_title or value, labelExpr=_label(known))
    if plot.log:
        legend["values"] = [tick for tick in log_ticks(known) if least <= tick <= most]
    scale = alt.Scale(type="log" if plot.log else "linear", scheme="blues", nice=False, zero=False)
    drawn = [chart.mark_rect().encode(_number(alt.Color, value, scale=scale, legend=legend))]
    if digits is not None:
        middle = math.sqrt(least * most) if plot.log else (least + most) / 2
        is_dark = alt.FieldGTPredicate(field=_escaped(value), gt=middle)
        ink = alt.when(is_dark).then(alt.value("#ffffff")).otherwise(alt.value("#1c2733"))
        text = _number(alt.Text, value, format=f",.{digits}f")
        drawn.append(chart.mark_text().encode(text, color=ink))
    return plot.finished(drawn)


# ------------------------------------------------------------------ parts of charts


@dataclass(frozen=True)
class Plot:
    """Rows that are to be drawn, and how."""

    rows: Rows
    x: str
    y: str
    series: str
    log: bool = False
    log_x: bool = False
    low: str | None = None
    high: str | None = None
    """The ends of error bars."""
    facet: str | None = None
    """Its values are drawn beside each other, each with axes of its own."""
    x_title: str | None = None
    y_title: str | None = None

    @functools.cached_property
    def frame(self) -> pl.DataFrame:
        """The rows, with gaps for what cannot be drawn."""
        frame = self.rows if isinstance(self.rows, pl.DataFrame) else frame_of(self.rows)
        frame = frame.with_columns(pl.when(cs.float().is_finite()).then(cs.float()))
        logs = [name for name, log in ((self.x, self.log_x), (self.y, self.log)) if log]
        positive = cs.numeric() & cs.by_name(*logs, require_all=False)
        frame = frame.with_columns(pl.when(positive > 0).then(positive))
        if self.low is None or self.high is None or frame.is_empty():
            return frame
        low, high = pl.col(self.low).cast(float), pl.col(self.high).cast(float)
        heights = [end for column in frame.select(low, high) for end in column if end and end > 0]
        if self.log and heights:  # no bar reaches below the axis
            low = low.clip(log_ticks(heights)[0])
        return frame.with_columns(pl.when(low <= high).then(end) for end in (low, high))

    def numbers(self, *names: str | None) -> list[float]:
        """All numbers in these columns."""
        kinds = self.frame.schema.items()
        kept = [name for name, kind in kinds if name in names and kind.is_numeric()]
        return [value for name in kept for value in self.frame[name].drop_nulls()]

    def names(self, name: str) -> list[Any]:
        """What is in a column, in the order of the rows."""
        known = name in self.frame.columns
        return self.frame[name].unique(maintain_order=True).to_list() if known else []

    @property
    def width(self) -> int:
        return FACET_WIDTH if self.facet else WIDTH

    def across(self) -> alt.X:
        """The axis of what was varied: numbers in proportion, words in the order of the rows."""
        known = sorted(set(self.numbers(self.x)))
        if not known:
            return self.places(alt.X, self.x, self.x_title, self.width)
        axis = alt.Axis(labelExpr=_label(known))
        if self.log_x or len(known) <= MOST_TICKS:
            axis["values"] = known if len(known) <= MOST_TICKS else log_ticks(known)
        kind: Any = "log" if self.log_x else "linear"
        scale = alt.Scale(type=kind, zero=False, nice=False, padding=14)
        return _number(alt.X, self.x, title=self.x_title or self.x, scale=scale, axis=axis)

    def places(
        self, channel: Callable[..., C], name: str, title: str | None, width: float = math.inf
    ) -> C:
        """The axis of words, turned if they are too long to stand beside each other."""
        order = self.names(name)
        is_tight = _longest(order) * len(order) * LETTER > width
        axis = alt.Axis(labelAngle=-35 if is_tight else 0, labelLimit=180)
        return _field(channel, name, sort=order, title=title or name, axis=axis)

    def up(self, is_bar: bool = False) -> alt.Y:
        """The axis of what was measured, with its title above it: nobody turns the head to read."""
        known = self.numbers(self.y, self.low, self.high)
        scale, axis = alt.Scale(zero=True), alt.Axis(labelExpr=_label(known), tickCount=6)
        if self.log:
            ticks = log_ticks(known, below=is_bar) if known else []
            scale, axis = alt.Scale(type="log"), alt.Axis(labelExpr=_label(ticks), values=ticks)
            if ticks and not self.facet:
                scale = alt.Scale(type="log", nice=False, domain=[ticks[0], ticks[-1]])
            elif ticks and is_bar:
                scale["domainMin"] = ticks[0]
        return _number(alt.Y, self.y, title=self.y_title or self.y, scale=scale, axis=axis)

    def look(self, channel: Callable[..., C], name: str | None = None, **more: Any) -> C:
        """A look for each series, with one legend for all looks; none for a single series."""
        names = self.names(self.series) if name is None else sorted(self.names(name), key=str)
        columns = min(len(names), int(WIDTH // (_longest(names) * LETTER + 36)))
        legend = alt.Legend(columns=max(1, columns), **more) if len(names) > 1 else None
        scale = alt.Scale(domain=names)
        if name:  # a second one is dashed
            scale["range"] = [[1, 0], [6, 4]]
        return _field(channel, name or self.series, title=None, scale=scale, legend=legend)

    def error_bars(self, chart: alt.Chart, up: alt.Y, beside: float = 0) -> list[alt.Chart]:
        if self.low is None or self.high is None:
            return []
        bottom, top = up.copy(), alt.Y2(field=_escaped(self.high))
        bottom["field"] = _escaped(self.low)
        return [chart.mark_rule(xOffset=beside).encode(bottom, top)]

    def dodged(self, chart: alt.Chart) -> Iterator[tuple[alt.Chart, float]]:
        """Each series and how many pixels it moves; one for all if nothing may overlap."""
        names = self.names(self.series)
        if self.low is None or len(names) < 2:
            yield chart, 0
            return
        step = min(DODGE, self.width / len(self.names(self.x)) / 2 / len(names))
        for place, name in enumerate(names):
            only = alt.FieldEqualPredicate(field=_escaped(self.series), equal=name)
            yield chart.transform_filter(only), round((place - (len(names) - 1) / 2) * step, 2)

    def finished(self, drawn: Sequence[alt.Chart]) -> Spec:
        chart = alt.layer(*drawn, data=self.frame)
        if self.facet is None:
            return spec_of(chart)
        header = _field(alt.Facet, self.facet, sort=self.names(self.facet), title=None)
        chart = chart.properties(width=FACET_WIDTH, height=FACET_HEIGHT)
        facets = chart.facet(header, columns=2).properties(spacing=28).configure_legend(offset=12)
        return spec_of(facets.resolve_scale(y="independent").resolve_axis(x="independent"))


def log_ticks(values: Sequence[float], below: bool = False) -> list[float]:
    """Powers of ten around the values, or also 2 and 5 times each if they span less than two.

    `below` begins under the least value, so that its bar has a height.
    """
    least, most = min(values), max(values)
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    digits = (1,) if high - low > 2 else (1, 2, 5)
    step = max(1, math.ceil((high - low) / MOST_TICKS))
    first = low - low % step - step
    places = sorted({max(place, LEAST_PLACE) for place in range(first, high + step + 1, step)})
    steps = [float(f"{digit}e{place}") for place in places for digit in digits]
    under = [tick for tick in steps if (tick < least if below else tick <= least)]
    over = [tick for tick in steps if tick >= most]
    return [tick for tick in steps if under[-1] <= tick <= over[0]]


def _label(values: Sequence[float]) -> str:
    """How the numbers of an axis are written: in full, or as 20k and 1M if some are long."""
    return SHORT_NUMBER if max(map(abs, values), default=0) >= 10_000 else WHOLE_NUMBER


def _longest(names: Sequence[Any]) -> int:
    return max((len(str(name)) for name in names), default=0)


def _field(channel: Callable[..., C], name: str, kind: str = "nominal", **more: Any) -> C:
    return channel(field=_escaped(name), type=kind, **more)


def _number(channel: Callable[..., C], name: str, **more: Any) -> C:
    return _field(channel, name, "quantitative", **more)


def _escaped(name: str) -> str:
    """A field's name as it is: points and brackets would lead into nested data."""
    return re.sub(r"""[\\.\[\]'"]""", r"\\\g<0>", name)


def spec_of(chart: Any) -> Spec:
    """A chart of Altair's as data: in our style but for what it sets itself, with all its rows."""
    alt.theme.register("plyground", enable=False)(lambda: alt.theme.ThemeConfig(config=STYLE))
    with (
        _asking,
        alt.theme.enable("plyground"),
        alt.data_transformers.enable(consolidate_datasets=False, max_rows=None),
    ):
        return chart.to_dict()


_asking = threading.Lock()  # Altair has one theme for all threads
