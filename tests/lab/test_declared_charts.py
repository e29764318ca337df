"""The charts of experiments that users declare in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.core.errors import GameCodeError
from plyground.lab import study
from plyground.lab.catalogue import find_experiment
from plyground.lab.chart_style import STYLE
from plyground.lab.frames import Measurements
from plyground.lab.rendering.charts import data_inside, draw
from plyground.lab.report import Chart
from plyground.lab.runner import Plan

SQUARES = """
import plyground as pg


@pg.experiment("How large are squares?", number=[1, 2, 3], chart=CHART)
def squares(number):
    return {"square": number**2}
"""


def use(folder: Path, chart: str) -> None:
    path = folder / "squares.py"
    path.write_text(SQUARES.replace("CHART", chart))
    pg.use(path)


def drawn(folder: Path, chart: str) -> Chart:
    """The chart of the report."""
    use(folder, chart)
    experiment = find_experiment("squares")
    parameters = experiment.parameters()
    cells = Plan(experiment, parameters).cells
    measured = Measurements((cell, cell.measure()) for cell in cells)
    report = study.report(experiment, parameters, measured)
    (found,) = [each for each in report.sections[0].parts if isinstance(each, Chart)]
    return found


def test_without_a_series_a_chart_has_one_line_with_all_that_was_measured(tmp_path: Path) -> None:
    chart = drawn(tmp_path, '{"x": "number", "y": "square"}')
    assert data_inside(chart.spec) == [
        {"number": number, "square": number**2, "line": "square"} for number in (1, 2, 3)
    ]


def test_a_chart_of_altair_has_our_style_and_its_data_hangs_at_it(tmp_path: Path) -> None:
    made = "lambda found: __import__('altair').Chart(found, height=77).mark_bar()"
    chart = drawn(tmp_path, f"{made}.encode(x='number', y='square')")
    assert chart.spec["height"] == 77
    assert chart.spec["config"] == STYLE
    assert draw(chart, "squares").csv == "number,square\n1,1\n2,4\n3,9\n"


@pytest.mark.parametrize("chart", ['{"x": "number"}', '{"x": "number", "y": "square", "z": 1}'])
def test_a_chart_that_cannot_be_drawn_is_refused_with_its_line(tmp_path: Path, chart: str) -> None:
    wanted = r"squares.py:5: chart: expected x and y, and perhaps .*facet.*series"
    with pytest.raises(GameCodeError, match=wanted):
        use(tmp_path, chart)
