"""Rows of results as a table: a data frame, a table on a page, lines in a terminal.

Frames are Polars': types are strict, there is no index to stumble over, groupings and ratios are
expressions, Altair draws them, and it reads and writes Parquet and Arrow by itself. It is imported
when the first frame is asked for (0.1 s).
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import polars

MOST_SHOWN = 60  # rows on a page or in a terminal

Row = Mapping[str, Any]


class Rows:
    """Whatever has rows: a class says what they are, and gets the rest."""

    columns: ClassVar[Sequence[str]] = ()
    """The names of a frame that may have no rows."""

    def rows(self) -> Sequence[Row]:
        """One mapping for each row, all with the same names."""
        raise NotImplementedError

    def frame(self) -> polars.DataFrame:
        """The rows as a Polars data frame."""
        import polars

        rows = [dict(row) for row in self.rows()]
        schema = None if rows else list(self.columns)
        return polars.DataFrame(rows, schema, infer_schema_length=None)

    def to_pandas(self) -> Any:
        """The rows as a pandas data frame, where pandas is installed."""
        try:
            import pandas  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError:
            raise ImportError("to_pandas() needs pandas, which is not installed") from None
        return pandas.DataFrame(
            [dict(row) for row in self.rows()], columns=list(self.columns) or None
        )


# ---------------------------------------------------------------------- for people


def cell_text(value: object) -> str:
    """A value in a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)


def html_table(rows: Sequence[Row], caption: str = "") -> str:
    """A table for a notebook, in the colours of the page around it."""
    if not rows:
        return f"<p>{html.escape(caption)}</p>" if caption else ""
    names = list(rows[0])
    numeric = {name for name in names if _is_numeric(rows, name)}

    def style(name: str) -> str:
        return f"text-align:{'right' if name in numeric else 'left'};padding:2px 10px 2px 0"

    def cell(row: Row, name: str) -> str:
        return f'<td style="{style(name)}">{html.escape(cell_text(row[name]))}</td>'

    def head(name: str) -> str:
        return f'<th scope="col" style="{style(name)}">{html.escape(name)}</th>'

    shown = rows[:MOST_SHOWN]
    body = "".join("<tr>" + "".join(cell(row, name) for name in names) + "</tr>" for row in shown)
    more = len(rows) - len(shown)
    note = f"<p>and {more:,} more; see <code>.frame()</code></p>" if more else ""
    title = f"<p>{html.escape(caption)}</p>" if caption else ""
    heads = "".join(map(head, names))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f'{title}<div style="overflow-x:auto">{table}</div>{note}'


def text_table(rows: Sequence[Row], caption: str = "") -> str:
    """The same for a terminal."""
    if not rows:
        return caption
    names, shown = list(rows[0]), rows[:MOST_SHOWN]
    numeric = [_is_numeric(rows, name) for name in names]
    lines = [names, *([cell_text(row[name]) for name in names] for row in shown)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    texts = [
        "  ".join(
            text.rjust(width) if is_number else text.ljust(width)
            for text, width, is_number in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    ]
    more = len(rows) - len(shown)
    return "\n".join(
        [*([caption] if caption else []), *texts, *([f"and {more:,} more"] if more else [])]
    )


def _is_numeric(rows: Sequence[Row], name: str) -> bool:
    known = [row[name] for row in rows if row[name] is not None]
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)
