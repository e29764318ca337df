"""`pg.experiment`: a user's function, measured at every point of a grid, becomes an experiment.

    @pg.experiment("Does the order matter?", order=["natural", "all"], depth=range(1, 7),
                   chart={"x": "depth", "y": "nodes", "series": "order", "log": True})
    def order_of_moves(order, depth):
        return pg.Position("connect4").search("alphabeta", depth=depth, order=order).counters

It runs like every experiment: killed and resumed, on many processes, with a report.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import create_model

from plyground import extensions
from plyground.core.errors import GameCodeError
from plyground.lab.frames import Measurements
from plyground.lab.parameters import list_field
from plyground.lab.spec import Cell, Experiment, Measured, Parameters

if TYPE_CHECKING:
    import polars

Measure = TypeVar("Measure", bound=Callable[..., Mapping[str, Any]])
ChartOf = Mapping[str, Any] | Callable[[Any], Any]
TIMED = ("seconds", "time_s")
KINDS = (int, float, str, bool)
DRAWN = {"x", "y", "series", "facet", "low", "high", "log", "log_x", "dashed", "x_title", "y_title"}
REPORT = """\
{{ measured | length }} points of the grid were measured.

## What was measured

{% if drawn %}{{ chart(drawn, "chart", title) }}{% endif %}
{{ table(measured, "Measured", timed=["seconds", "time_s"]) }}
"""


def experiment(
    question: str,
    *,
    name: str = "",
    title: str = "",
    chart: ChartOf | None = None,
    quick: Mapping[str, Iterable[Any]] | None = None,
    **grid: Iterable[Any],
) -> Callable[[Measure], Measure]:
    """Add an experiment to the catalogue, by a decorator of the function that measures.

    The function is called once for every combination of the values of the `grid`, and returns what
    it measured as numbers and texts by name. What is named `seconds` or `time_s` is taken for a
    time, which differs from run to run; all else must be the same in every run.

    `chart` draws it: the names of `x` and `y`, and if lines or pictures are to be told apart, of
    `series` and `facet`, with `log` if the scale is logarithmic; or a function from a frame of all
    rows to an Altair chart. `quick` are other values of the grid, for `--quick`.
    """

    def add(function: Measure) -> Measure:
        values = {parameter: tuple(each) for parameter, each in grid.items()}
        _check(function, values, chart)
        called = name or function.__name__.replace("_", "-").lower()
        lists: Any = {each: list_field(values[each], "values to try") for each in values}

        def cells(chosen: Any) -> list[Cell]:
            points = itertools.product(*(getattr(chosen, parameter) for parameter in values))
            named = [dict(zip(values, point, strict=True)) for point in points]
            return [Cell.of(measure_point, experiment=called, point=each) for each in named]

        made = _Declared(
            name=called,
            title=title or called.replace("-", " ").capitalize(),
            question=question,
            parameters=create_model("Grid", __base__=Parameters, **lists),
            quick={parameter: tuple(each) for parameter, each in (quick or {}).items()},
            cells=cells,
            findings=lambda chosen, run: _findings(chart, run),
            template=REPORT,
            function=function,
        )
        extensions.declare(
            "experiment", made, function.__module__, lambda each: each.name == called
        )
        return function

    return add


@dataclass(frozen=True, kw_only=True)
class _Declared(Experiment[Any]):
    function: Callable[..., Mapping[str, Any]]


def _check(
    function: Callable[..., Any], values: Mapping[str, tuple[Any, ...]], chart: ChartOf | None
) -> None:
    code = function.__code__
    parameters = set(inspect.signature(function).parameters)
    problem = ""
    if parameters != values.keys():
        wrong = ", ".join(sorted(parameters ^ values.keys()))
        problem = f"{function.__name__}: its parameters are those of the grid; see {wrong}"
    for parameter, each in values.items():
        if not each or len({type(value) for value in each}) > 1 or type(each[0]) not in KINDS:
            problem = f"{parameter}: expected some numbers, or some texts"
    if isinstance(chart, Mapping) and not {"x", "y"} <= chart.keys() <= DRAWN:
        problem = f"chart: expected x and y, and perhaps {', '.join(sorted(DRAWN - {'x', 'y'}))}"
    if problem:
        raise GameCodeError(code.co_filename, code.co_firstlineno, problem)


def measure_point(experiment: str, point: dict[str, Any]) -> Measured:
    """Measure one point of the grid of an experiment that a user declared."""
    from plyground.lab.catalogue import find_experiment

    found: Any = find_experiment(experiment)
    answer = dict(found.function(**point))
    times = {name: [float(answer.pop(name))] for name in TIMED if name in answer}
    return Measured(answer, times)


def _findings(chart: ChartOf | None, run: Measurements) -> dict[str, Any]:
    found = run.frame(measure_point).drop("experiment")
    found = found.rename({name: name.removeprefix("point.") for name in found.columns})
    found = found.rename({f"{name}_s": name for name in TIMED if f"{name}_s" in found.columns})
    title = "Chart" if chart is None or callable(chart) else f"{chart['y']} by {chart['x']}"
    drawn = chart and _spec(chart, found)
    return {"measured": found, "title": title.capitalize(), "drawn": drawn}


def _spec(chart: ChartOf, found: polars.DataFrame) -> Mapping[str, Any]:
    from plyground.lab import charts  # Altair waits for the first chart

    if callable(chart):
        drawn = chart(found)
        return drawn if isinstance(drawn, dict) else charts.spec_of(drawn)
    if "series" not in chart:  # then there is one line, with the name of what it shows
        import polars

        found = found.with_columns(line=polars.lit(chart["y"]))
        chart = {**chart, "series": "line"}
    return charts.lines(found, **chart)
