"""A report as data: sections of text, tables, charts and claims with a verdict.

What was timed is marked, since it differs from run to run; all else is the same for the same
parameters. Knows no format: `rendering/` writes pages, Markdown and files of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from plyground.lab.statistics import Estimate

Value = int | float | str | Estimate | None


class Verdict(StrEnum):
    """What became of something that was claimed."""

    REPRODUCED = "reproduced"
    IN_DIRECTION = "reproduced in direction only"
    CONTRADICTED = "contradicted"
    NOT_TESTABLE = "cannot be decided"
    """By these parameters, or because too little was published to repeat it."""


MEANINGS = {
    Verdict.REPRODUCED: "we found the same, as closely as the claim's rule asks",
    Verdict.IN_DIRECTION: "we found the same tendency, but not as much or not always",
    Verdict.CONTRADICTED: "we found something else, beyond what chance or rounding explains",
    Verdict.NOT_TESTABLE: "the numbers do not tell, or too little was published to repeat it",
}
"""What a verdict means, in every report and in the documents."""


@dataclass(frozen=True)
class Text:
    """Paragraphs, in Markdown."""

    markdown: str


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    digits: int | None = None
    """After the point; None writes whole numbers and texts as they are, others with four digits."""
    is_timed: bool = False
    as_percent: bool = False
    """0.25 is shown as 25 %."""


@dataclass(frozen=True)
class Table:
    """Rows of numbers and words. Numbers are kept as they are; rounding is for the eye."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.title}: a row is not as long as there are columns")

    @property
    def is_timed(self) -> bool:
        """Whether a column is."""
        return any(column.is_timed for column in self.columns)


@dataclass(frozen=True)
class Beside:
    """A published table, and ours in the same layout."""

    published: Table
    ours: Table


@dataclass(frozen=True)
class Chart:
    """A picture, as a Vega-Lite specification with its data inside; see `charts.py`."""

    name: str
    """Of its files: letters, digits and hyphens."""
    title: str
    spec: Mapping[str, Any]
    note: str = ""
    """What one should see in it."""
    is_timed: bool = False


@dataclass(frozen=True)
class Claim:
    """Something a study says, and what we found."""

    text: str
    published: str
    """The numbers it rests on, and where they stand."""
    ours: str
    verdict: Verdict
    reason: str
    """Why, in one or two sentences."""
    is_timed: bool = False
    """Whether the verdict rests on times."""
    place: str = ""
    """Where the study says it: section, table, page."""
    rule: str = ""
    """By which it was judged, in words."""
    note: str = ""
    """What else one should know to judge it."""


Part = Text | Table | Beside | Chart | Claim


@dataclass(frozen=True)
class Section:
    """Parts under a heading."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Report:
    """All that an experiment has to say."""

    summary: str
    """The findings in a few sentences of Markdown: what one would tell a friend."""
    sections: Sequence[Section]

    @property
    def claims(self) -> list[Claim]:
        return [part for part in self._parts() if isinstance(part, Claim)]

    @property
    def tables(self) -> list[Table]:
        found: list[Table] = []
        for part in self._parts():
            if isinstance(part, Table):
                found.append(part)
            elif isinstance(part, Beside):
                found += [part.published, part.ours]
        return found

    @property
    def charts(self) -> list[Chart]:
        return [part for part in self._parts() if isinstance(part, Chart)]

    def _parts(self) -> list[Part]:
        return [part for section in self.sections for part in section.parts]


def ratios(
    published: Table, ours: Table, key: int = 0, over: Literal["published", "ours"] = "published"
) -> Table:
    """Ours over the published numbers, or the other way round, column by column.

    Rows belong together if they have the same value in the column `key`; what is not a number in
    both is left out.
    """
    theirs = {row[key]: row for row in published.rows}
    shared = [
        place
        for place, column in enumerate(published.columns)
        if place != key and any(_is_number(row[place]) for row in published.rows)
    ]
    rows: list[list[Value]] = []
    for row in ours.rows:
        if row[key] in theirs:
            other = theirs[row[key]]
            pairs = [
                (row[i], other[i]) if over == "published" else (other[i], row[i]) for i in shared
            ]
            rows.append([row[key], *[_ratio(above, below) for above, below in pairs]])
    title = "ours / published" if over == "published" else "published / ours"
    names = [Column(published.columns[key].name)]
    names += [
        Column(published.columns[i].name, 3, is_timed=ours.columns[i].is_timed) for i in shared
    ]
    return Table(f"{published.title}: {title}", names, rows)


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float)


def _ratio(above: Value, below: Value) -> float | None:
    if isinstance(above, int | float) and isinstance(below, int | float) and below:
        return above / below
    return None
