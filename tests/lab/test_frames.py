"""A run is a frame: a row a measurement, the same rows whoever measured them and in what order."""

from __future__ import annotations

import random

import polars as pl
import pytest
from lab_toy import EXPERIMENT, ToyParameters, step

from plyground.lab.frames import (
    Measurements,
    by,
    estimate_of,
    frame_of,
    in_order,
    share_of,
    times_as_much,
)
from plyground.lab.spec import Cell, Measured
from plyground.lab.statistics import Estimate, share


def searched(depth: int, **answer: object) -> tuple[Cell, Measured]:
    cell = Cell("module:search", {"depth": depth, "settings": {"width": 7}})
    return cell, Measured(dict(answer), {"search": [3.0, 1.0, 2.0]})


def test_a_cell_is_a_row_of_arguments_answers_and_medians() -> None:
    frame = Measurements([searched(4, nodes=12, move="d")]).frame("module:search")
    assert frame.to_dicts() == [
        {"depth": 4, "settings.width": 7, "nodes": 12, "move": "d", "search_s": 2.0}
    ]


def test_a_list_in_an_answer_is_a_row_for_each() -> None:
    listed = searched(4, game="g", searches=[{"nodes": n} for n in (5, 6, 7)])
    frame = Measurements([listed]).frame("module:search")
    assert frame["nodes"].to_list() == [5, 6, 7]
    assert frame["search_s"].to_list() == [3.0, 1.0, 2.0]  # as many times as rows: one for each
    assert set(frame["game"]) == {"g"}


def test_what_some_rows_lack_is_empty_there() -> None:
    frame = Measurements([searched(1, nodes=1), searched(2, leaves=2)]).frame()
    assert frame.select("nodes", "leaves").rows() == [(1, None), (None, 2)]
    assert frame["task"].to_list() == ["search", "search"]


def test_a_column_of_lists_and_numbers_is_json_and_frames_stay_comparable() -> None:
    cells = [searched(1, points=[[1.0, 0.5]]), searched(2, points=0.5), searched(3)]
    frame = Measurements(cells).frame()
    assert frame["points"].to_list() == ["[[1.0, 0.5]]", "0.5", None]
    assert frame.equals(Measurements(cells).frame())


def test_rows_come_in_the_order_of_what_was_asked() -> None:
    cells = [searched(depth, nodes=depth) for depth in (2, 11, 3, 1)]
    frames = []
    for seed in range(5):
        random.Random(seed).shuffle(cells)
        frames.append(Measurements(cells).frame("module:search"))
    assert frames[0]["depth"].to_list() == [1, 2, 3, 11]  # as numbers, not as texts
    assert all(frame.equals(frames[0]) for frame in frames)


def test_only_what_a_task_measured_is_in_its_frame() -> None:
    plan = EXPERIMENT.cells(ToyParameters(depths=(), pairs=0))
    run = Measurements((cell, Measured({"square": 1})) for cell in plan)
    assert len(run.frame(step)) == len(plan) == len(list(run.of(step)))
    assert run.frame("elsewhere:task").is_empty()
    assert [given["number"] for given, _ in run.of(step, number=3)] == [3]


def test_estimates_are_cells_of_a_frame() -> None:
    frame = frame_of([{"who": "a", "part": share(3, 10)}, {"who": "b", "part": None}])
    assert estimate_of(frame["part"][0]) == share(3, 10)
    assert frame.select(pl.col("part").struct["low"]).to_series()[1] is None
    assert isinstance(estimate_of(frame["part"][0]), Estimate)


def test_groups_keep_the_order_in_which_they_come_up() -> None:
    frame = pl.DataFrame({"who": ["b", "a", "b"], "nodes": [1, 2, 5]})
    sums = by(frame, "who", nodes=lambda group: group["nodes"].sum(), games=len)
    assert sums.rows() == [("b", 6, 2), ("a", 2, 1)]
    assert by(frame.clear(), "who", nodes=len).columns == ["who", "nodes"]


def test_shares_and_ratios_are_columns_of_groups() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b"], "won": [1.0, 0.5, 0.0], "nodes": [4, 9, 5]})
    found = by(
        frame.with_columns(others=pl.col("nodes") * 2),
        "who",
        won=share_of("won"),
        times=times_as_much("others", "nodes"),
    )
    assert [estimate_of(each) for each in found["won"]] == [share(1.5, 2), share(0, 1)]
    assert [each["value"] for each in found["times"]] == pytest.approx([2, 2])


def test_what_is_compared_row_by_row_is_empty_where_nothing_is_counted() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b"], "mine": [4, 8, 0], "theirs": [2, 4, 3]})
    found = by(frame, "who", times=times_as_much("mine", "theirs"))
    assert estimate_of(found["times"][0]).value == pytest.approx(2)
    assert found["times"][1] is None


def test_rows_are_brought_into_an_order() -> None:
    frame = pl.DataFrame({"who": ["a", "b", "c"], "n": [1, 2, 3]})
    assert in_order(frame, "who", ["c", "a", "d"]).rows() == [("c", 3), ("a", 1)]


@pytest.mark.parametrize("answer", [{"nodes": 1, "searches": []}, {"nodes": 1}])
def test_an_empty_list_is_still_a_row(answer: dict[str, object]) -> None:
    assert len(Measurements([searched(1, **answer)]).frame("module:search")) == 1
