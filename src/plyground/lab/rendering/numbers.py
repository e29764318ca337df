"""Values of tables as texts: rounded for the eye, and exact for files of numbers.

Knows nothing of pages.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from plyground.formats.tables import write_csv_rows
from plyground.lab.report import Column, Table, Value
from plyground.lab.statistics import Estimate

if TYPE_CHECKING:
    import polars

NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
PERCENT = f"{SPACE}%"
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
        low, high = (shown(end, column).removesuffix(PERCENT) for end in (value.low, value.high))
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


def cells(table: Table) -> list[list[str]]:
    """The rows of a table as texts."""
    return [
        [shown(value, column) for value, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]


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
    columns = list(_columns(table))
    return as_csv([name for name, _ in columns], zip(*(each for _, each in columns), strict=True))


def table_parquet(table: Table) -> bytes:
    """The same for programs that read columns, which are of one type each: numbers, or texts."""
    import polars

    columns: dict[str, list[Value]] = {}
    for at, (name, values) in enumerate(_columns(table), start=1):
        columns[f"{name} {at}" if name in columns else name] = values
    return frame_parquet(polars.DataFrame(columns, strict=False))


def frame_csv(frame: polars.DataFrame) -> bytes:
    """A frame as a file; what is nested becomes JSON."""
    plain, file = _plain(frame), io.BytesIO()
    write_csv_rows(plain.columns, plain.iter_rows(named=True), file)
    return file.getvalue()


def frame_parquet(frame: polars.DataFrame) -> bytes:
    """The same for programs that read columns."""
    file = io.BytesIO()
    _plain(frame).write_parquet(file)
    return file.getvalue()


def _plain(frame: polars.DataFrame) -> polars.DataFrame:
    import polars

    nested = [
        polars.Series(each.name, [None if v is None else json.dumps(v) for v in each.to_list()])
        for each in frame
        if each.dtype.is_nested()
    ]
    return frame.with_columns(nested)


def _columns(table: Table) -> Iterator[tuple[str, list[Value]]]:
    """Names and values, with columns for both ends of intervals."""
    for place, column in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        if any(isinstance(value, Estimate) for value in values):
            for end, name in enumerate(("", ", low", ", high")):
                yield column.name + name, [_ends(value)[end] for value in values]
        else:
            yield column.name, values


def _ends(value: Value) -> list[Value]:
    if isinstance(value, Estimate):
        return [value.value, value.low, value.high]
    return [value, None, None]


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float | Estimate) and not isinstance(value, bool)


def _percent(value: float, digits: int | None) -> str:
    return f"{value * 100:z,.{1 if digits is None else digits}f}{PERCENT}"


def _by_itself(value: float) -> str:
    """Whole numbers in full, others with four digits."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < LARGEST):
        return f"{value:z,.0f}" if isinstance(value, float) else f"{value:,}"
    rounded = f"{value:.{SIGNIFICANT - 1}e}"
    if not SMALLEST <= abs(value) < LARGEST:
        return rounded
    exponent = int(rounded.partition("e")[2])
    return f"{value:,.{max(0, SIGNIFICANT - 1 - exponent)}f}"
