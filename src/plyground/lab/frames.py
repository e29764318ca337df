"""What a run measured, as frames: one row a measurement, with its parameters and counters.

    found = run.frame(search_position)  # game, player, position, ..., nodes, leaves, search_s
    found.group_by("player").agg(pl.col("nodes").median())

A cell is a row, or several: where its answer holds a list of mappings (the searches of a game),
each of them is a row. Rows come in the order of what was asked, whoever measured them and when.
Knows no experiment and no store.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from math import isnan
from statistics import median
from typing import TYPE_CHECKING, Any

from plyground.lab.spec import Cell, Measured, Task
from plyground.lab.statistics import Estimate, ratio, share

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]
NAMES = ("value", "low", "high")
"""What a column of estimates holds in each of its cells."""


class Measurements:
    """What was measured, cell by cell."""

    def __init__(self, cells: Iterable[tuple[Cell, Measured]]) -> None:
        self._cells = sorted(cells, key=lambda each: _order(each[0]))

    def __iter__(self) -> Iterator[tuple[Cell, Measured]]:
        return iter(self._cells)

    def of(self, task: Task, **where: Any) -> Iterator[tuple[Mapping[str, Any], Measured]]:
        """The arguments and answers of a task that no table can hold."""
        name = Cell.of(task).task
        for cell, measured in self._cells:
            given = cell.arguments
            if cell.task == name and all(given.get(key) == value for key, value in where.items()):
                yield given, measured

    @property
    def tasks(self) -> list[str]:
        """The names of all tasks that measured, modules and all."""
        return list(dict.fromkeys(cell.task for cell, _ in self._cells))

    def frame(self, task: Task | str | None = None) -> polars.DataFrame:
        """The measurements of a task, or of all tasks, as a frame.

        Arguments and answers are columns; what is nested has a name with a point, as in
        `settings.width`. Seconds are named after what was timed, `search_s`: the median of the
        repetitions, or where a cell has many rows and a time for each, that.
        """
        name = Cell.of(task).task if callable(task) else task
        rows = [
            row
            for cell, measured in self._cells
            if name in (None, cell.task)
            for row in rows_of(cell, measured, with_task=task is None)
        ]
        return frame_of(rows)


def rows_of(cell: Cell, measured: Measured, with_task: bool = False) -> list[Row]:
    """A row for the cell, or for each mapping of the one list in its answer that holds mappings."""
    shared: Row = {"task": cell.task.rpartition(":")[2]} if with_task else {}
    shared |= _flat(cell.arguments)
    lists = [name for name, value in measured.answer.items() if _is_list_of_mappings(value)]
    if len(lists) != 1:
        return [shared | _flat(measured.answer) | _times(measured, 1, 0)]
    inner = measured.answer[lists[0]]
    shared |= _flat({name: value for name, value in measured.answer.items() if name != lists[0]})
    return [
        shared | _flat(each) | _times(measured, len(inner), place)
        for place, each in enumerate(inner)
    ]


def frame_of(rows: Sequence[Mapping[str, Any]]) -> polars.DataFrame:
    """Rows as a frame; a column that some of them lack is empty there, one of any kind is JSON."""
    import polars

    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [_cell(row.get(name)) for row in rows] for name in names}
    found = polars.DataFrame(columns, strict=False)
    mixed = [name for name, kind in found.schema.items() if kind.is_object()]
    return found.with_columns(
        polars.Series(name, [None if each is None else json.dumps(each) for each in columns[name]])
        for name in mixed
    )


def _cell(value: Any) -> Any:
    """An estimate as a structure; one of nothing, such as a ratio of noughts, is empty."""
    if not isinstance(value, Estimate):
        return value
    return None if isnan(value.value) else asdict(value)


def _times(measured: Measured, rows: int, place: int) -> Row:
    found: Row = {}
    for name, times in measured.times_s.items():
        if times:
            has_each = rows > 1 and len(times) == rows
            found[f"{name.replace(' ', '_')}_s"] = times[place] if has_each else median(times)
    return found


def _flat(data: Mapping[str, Any], before: str = "") -> Row:
    found: Row = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = value
    return found


def _is_list_of_mappings(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _order(cell: Cell) -> tuple[str, list[Any]]:
    """Cells of a task by their arguments, numbers in the order of their size."""
    return cell.task, [_sortable(cell.arguments[name]) for name in sorted(cell.arguments)]


def _sortable(value: Any) -> tuple[Any, ...]:
    match value:
        case int() | float():
            return (0, value)
        case str():
            return (1, value)
        case list() | tuple():
            return (2, [_sortable(each) for each in value])
        case Mapping():
            return (3, [(name, _sortable(value[name])) for name in sorted(value)])
        case _:
            return (4, str(value))


# ------------------------------------------------------------------ groups


def by(
    frame: polars.DataFrame, *names: str, **columns: Callable[[polars.DataFrame], Any]
) -> polars.DataFrame:
    """A row for each group of equal values, in the order in which they first come.

    Each column is a function of the rows of a group; estimates become a column of them.

        by(games, "match", games=len, points=lambda group: mean(group["points"]))
    """
    import polars

    rows = [
        dict(zip(names, values, strict=True)) | {name: of(group) for name, of in columns.items()}
        for values, group in frame.group_by(*names, maintain_order=True)
    ]
    return frame_of(rows) if rows else polars.DataFrame(schema=[*names, *columns])


def times_as_much(one: str, other: str) -> Callable[[polars.DataFrame], Estimate]:
    """How many times as much there is in one column as in another, row by row."""
    return lambda rows: ratio(zip(rows[one], rows[other], strict=True))


def share_of(name: str) -> Callable[[polars.DataFrame], Estimate]:
    """In how many of the rows a column is true, or which part of 1 it is in all."""
    return lambda rows: share(float(rows[name].sum()), len(rows))


def in_order(frame: polars.DataFrame, name: str, values: Sequence[Any]) -> polars.DataFrame:
    """The rows whose column has one of these values, in the order of the values."""
    import polars

    places = {value: place for place, value in enumerate(values)}
    kept = frame.filter(polars.col(name).is_in(list(places)))
    order = kept[name].to_list()
    return kept[sorted(range(len(order)), key=lambda row: places[order[row]])]


def estimate_of(cell: Any) -> Estimate:
    """A cell of a column of estimates."""
    return Estimate(*(cell[name] for name in NAMES))


@functools.cache
def estimate_type() -> Any:
    """The type of a column of estimates."""
    import polars

    return polars.Struct({name: polars.Float64 for name in NAMES})
