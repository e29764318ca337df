"""Values of tables as texts: rounded for the eye, and exact for files of numbers.

Knows nothing of pages.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from plyground.lab.report import Column, Table, Value
from plyground.lab.statistics import Estimate

NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
SIGNIFICANT = 4
SMALLEST, LARGEST = 1e-6, 1e15
"""What is between them is written without an exponent."""


def shown(value: Value, column: Column) -> str:
    """A value as its column wants it."""
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Estimate):
        low, high = (shown(end, column) for end in (value.low, value.high))
        return f"{shown(value.value, column)} ({low} to {high})"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        text = "\N{INFINITY}" if value > 0 else "-\N{INFINITY}"
    elif column.as_percent:
        text = _percent(value, column.digits)
    elif column.digits is not None:
        text = f"{value:z,.{column.digits}f}"
    else:
        text = _by_itself(value)
    return text.replace("-", MINUS)


def numeric_columns(*tables: Table) -> list[bool]:
    """Which columns have numbers in one of the tables, all of the same layout."""
    most = max((len(table.columns) for table in tables), default=0)
    return [
        any(_is_number(row[place]) for t in tables for row in t.rows if place < len(row))
        for place in range(most)
    ]


def without_clocks(table: Table) -> Table:
    """For what was printed once, and will not differ again."""
    return replace(table, columns=[replace(column, is_timed=False) for column in table.columns])


def as_csv(names: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """Exact: every number reads back as what it was. Nothing is an empty cell."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return file.getvalue()


def table_csv(table: Table) -> str:
    """A table as a file; an estimate takes three columns, for its value and its interval."""
    return as_csv(*_widened(table))


def table_parquet(table: Table) -> bytes:
    """The same for programs that read columns."""
    return as_parquet(*_widened(table))


def as_parquet(names: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Columns of one type each: numbers, or else texts."""
    import polars

    columns: dict[str, list[object]] = {}
    for at, name in enumerate(names):
        columns[f"{name} {at + 1}" if name in columns else name] = [row[at] for row in rows]
    file = io.BytesIO()
    polars.DataFrame(columns, strict=False).write_parquet(file)
    return file.getvalue()


def _widened(table: Table) -> tuple[list[str], list[list[object]]]:
    """Names and rows with columns for both ends of intervals."""
    wide = [
        any(isinstance(row[place], Estimate) for row in table.rows)
        for place in range(len(table.columns))
    ]
    ends = [("", ", low", ", high") if is_wide else ("",) for is_wide in wide]
    names = [
        column.name + end for column, each in zip(table.columns, ends, strict=True) for end in each
    ]
    rows: list[list[object]] = [
        [
            each
            for value, is_wide in zip(row, wide, strict=True)
            for each in (_ends(value) if is_wide else [value])
        ]
        for row in table.rows
    ]
    return names, rows


def _ends(value: Value) -> list[Value]:
    if isinstance(value, Estimate):
        return [value.value, value.low, value.high]
    return [value, None, None]


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float | Estimate) and not isinstance(value, bool)


def _percent(value: float, digits: int | None) -> str:
    return f"{value * 100:z,.{1 if digits is None else digits}f}{SPACE}%"


def _by_itself(value: float) -> str:
    """Whole numbers in full, others with four digits."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < LARGEST):
        return f"{value:z,.0f}" if isinstance(value, float) else f"{value:,}"
    rounded = f"{value:.{SIGNIFICANT - 1}e}"
    if not SMALLEST <= abs(value) < LARGEST:
        return rounded
    exponent = int(rounded.partition("e")[2])
    return f"{value:,.{max(0, SIGNIFICANT - 1 - exponent)}f}"
