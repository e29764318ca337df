"""A report as data: sections of text, tables, charts and claims with a verdict.

What was timed is marked, since it differs from run to run; all else is the same for the same
parameters. Knows no format: `rendering/` writes pages, Markdown and files of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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
class Part:
    """What stands under a heading."""

    @property
    def kind(self) -> str:
        """text, table, beside, chart or claim."""
        return type(self).__name__.lower()

    @property
    def tables(self) -> Sequence[Table]:
        """Those in it."""
        return ()


@dataclass(frozen=True)
class Text(Part):
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
class Table(Part):
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

    @property
    def tables(self) -> Sequence[Table]:
        return (self,)


@dataclass(frozen=True)
class Beside(Part):
    """A published table, and ours in the same layout."""

    published: Table
    ours: Table

    @property
    def tables(self) -> Sequence[Table]:
        return self.published, self.ours


@dataclass(frozen=True)
class Chart(Part):
    """A picture, as a Vega-Lite specification with its data inside; see `charts.py`."""

    name: str
    """Of its files: letters, digits and hyphens."""
    title: str
    spec: Mapping[str, Any]
    note: str = ""
    """What one should see in it."""
    is_timed: bool = False


@dataclass(frozen=True)
class Claim(Part):
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
        return [table for part in self._parts() for table in part.tables]

    @property
    def charts(self) -> list[Chart]:
        return [part for part in self._parts() if isinstance(part, Chart)]

    def _parts(self) -> list[Part]:
        return [part for section in self.sections for part in section.parts]
