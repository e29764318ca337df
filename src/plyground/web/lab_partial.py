"""What a run has measured that is not finished: numbers, as tables, and no conclusions.

A report is made of all cells; of some it might say what the rest contradicts. Knows no route.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plyground.core.errors import InputError, shorten
from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.lab.report import Column, Table, Value
from plyground.lab.run_info import RunInfo
from plyground.lab.runner import plan_of
from plyground.store.runs import Runs, StoredCell

MOST_ROWS = 100
LONGEST = 40  # letters of a value


def measured_tables(info: RunInfo, runs: Runs) -> list[Table]:
    """A table for each kind of cell, in the order in which the experiment has them."""
    groups: dict[str, list[StoredCell]] = {}
    for cell in _in_order(info, runs):
        groups.setdefault(cell.task, []).append(cell)
    return [_table(task, cells) for task, cells in groups.items()]


def _in_order(info: RunInfo, runs: Runs) -> list[StoredCell]:
    cells = runs.cells(info.number)
    if info.experiment not in experiment_names():
        return list(cells.values())
    try:
        plan = plan_of(find_experiment(info.experiment), info)
    except InputError:  # of an older version: in any order
        return list(cells.values())
    return [cells[key] for key in plan.by_key if key in cells]


def _table(task: str, cells: Sequence[StoredCell]) -> Table:
    given = list(dict.fromkeys(name for cell in cells for name in cell.arguments))
    found = list(dict.fromkeys(name for cell in cells for name in _told(cell)))
    columns = [*map(Column, given), *map(Column, found), Column("seconds", is_timed=True)]
    rows = [
        [
            *(_value(cell.arguments.get(name)) for name in given),
            *(_value(cell.answer.get(name)) for name in found),
            cell.seconds,
        ]
        for cell in cells[:MOST_ROWS]
    ]
    note = f"The first {MOST_ROWS} of {len(cells):,}." if len(cells) > MOST_ROWS else ""
    return Table(task.partition(":")[2].replace("_", " "), columns, rows, note)


def _told(cell: StoredCell) -> list[str]:
    """What an answer holds beside what was asked."""
    asked = cell.arguments
    return [
        name for name, value in cell.answer.items() if name not in asked or asked[name] != value
    ]


def _value(value: Any) -> Value:
    if value is None or isinstance(value, int | float):
        return value
    return shorten(value if isinstance(value, str) else json.dumps(value), LONGEST)
