"""Results with rows: as a data frame, as a table in a notebook, as lines in a terminal.

Frames are Polars': types are strict, there is no index to stumble over, groupings and ratios are
expressions, Altair draws them, and it reads and writes Parquet and Arrow by itself. It is imported
with the first frame (0.1 s).
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import polars

MOST_SHOWN = 60  # rows in a notebook or a terminal

Row = Mapping[str, Any]


class Rows:
    """The base of results with rows: a class defines `rows`, and gets frames and displays."""

    columns: ClassVar[Sequence[str]] = ()
    """The column names of a result that may have no rows."""

    def rows(self) -> Sequence[Row]:
        """One mapping for each row, all with the same names."""
        raise NotImplementedError

    @property
    def _caption(self) -> str:
        """The line above the table."""
        return ""

    def _shown(self) -> Sequence[Row]:
        """The rows and columns of the display, which may be fewer than those of the frame."""
        return self.rows()

    def __repr__(self) -> str:
        return text_table(self._shown(), self._caption)

    def _repr_html_(self) -> str:
        return html_table(self._shown(), self._caption)

    def frame(self) -> polars.DataFrame:
        """The rows as a Polars data frame."""
        import polars

        rows = [dict(row) for row in self.rows()]
        schema = None if rows else list(self.columns)
        return polars.DataFrame(rows, schema, infer_schema_length=None)

    def to_pandas(self) -> Any:
        """The rows as a pandas data frame. Raises ImportError where pandas is not installed."""
        try:
            import pandas  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError:
            raise ImportError("to_pandas() needs pandas, which is not installed") from None
        return pandas.DataFrame(
            [dict(row) for row in self.rows()], columns=list(self.columns) or None
        )


class Table(Rows, tuple[Row, ...]):
    """A few rows that are read one by one, or shown as they are."""

    def rows(self) -> Sequence[Row]:
        """The rows themselves."""
        return self


def cell_text(value: object) -> str:
    """A value as it is written in a table."""
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
    """A table for a notebook, in the colours of the page around it, with at most 60 rows."""
    title = f"<p>{html.escape(caption)}</p>" if caption else ""
    if not rows:
        return title
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
    heads = "".join(map(head, names))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f'{title}<div style="overflow-x:auto">{table}</div>{note}'


def text_table(rows: Sequence[Row], caption: str = "") -> str:
    """The same table for a terminal."""
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
