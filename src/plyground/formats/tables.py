"""Games as rows of a table, for spreadsheets and data frames: CSV and Parquet.

A row has what can be counted and sorted; what is known of single moves is in JSON Lines only.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord

Numbered = tuple[int, GameRecord | PositionRecord]

# With the types they have in Parquet.
COLUMNS = {
    "number": "int64",
    "game": "string",
    "settings": "string",
    "position": "string",
    "date": "string",
    "event": "string",
    "first": "string",
    "second": "string",
    "points": "float64",
    "outcome": "int64",
    "ended": "string",
    "reason": "string",
    "plies": "int64",
    "moves": "string",
}
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how cells begin that a spreadsheet executes
MOST_NUMBER = 2**63 - 1


def row_of(number: int, record: GameRecord | PositionRecord) -> dict[str, Any]:
    """A game as a row. Raises Unsupported for a position."""
    if isinstance(record, PositionRecord):
        raise Unsupported("a table holds games, not single positions")
    if record.outcome is not None and abs(record.outcome) > MOST_NUMBER:
        raise Unsupported(f"an outcome of {record.outcome}: a table holds numbers of 64 bits")
    return {
        "number": number,
        "game": record.game,
        "settings": json.dumps(dict(record.settings), ensure_ascii=False),
        "position": record.position or "",
        "date": record.date,
        "event": record.event,
        "first": record.players[0],
        "second": record.players[1],
        "points": record.points,
        "outcome": record.outcome,
        "ended": record.ended,
        "reason": record.reason,
        "plies": len(record.moves),
        "moves": "; ".join(move.move for move in record.moves),
    }


def write_csv(games: Iterable[Numbered], file: BinaryIO) -> None:
    """Games, a line each."""
    write_csv_rows(COLUMNS, (row_of(*each) for each in games), file)


def write_csv_rows(columns: Iterable[str], rows: Iterable[dict[str, Any]], file: BinaryIO) -> None:
    """UTF-8 with a line of names first. A text that would be a formula gets a ' before it."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", errors="backslashreplace")
    try:
        writer = csv.DictWriter(text, list(columns))
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _harmless(value) for name, value in row.items()})
    finally:
        text.detach()  # whoever opened the file closes it


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def write_parquet(games: Iterable[Numbered], file: BinaryIO) -> None:
    """Games, with columns that are the same in every file."""
    write_parquet_rows(COLUMNS, (row_of(*each) for each in games), file)


def write_parquet_rows(
    columns: Mapping[str, str], rows: Iterable[dict[str, Any]], file: BinaryIO
) -> None:
    """Columns with types; all rows are in memory, as columns."""
    import polars

    types = {"int64": polars.Int64, "float64": polars.Float64, "string": polars.String}
    schema = {name: types[kind] for name, kind in columns.items()}
    values = ([row.get(name) for name in columns] for row in rows)
    buffer = io.BytesIO()  # of a full disk polars says only that it could not compute
    polars.DataFrame(values, schema, orient="row").write_parquet(buffer)
    file.write(buffer.getbuffer())
