"""Names for the parts of a report: of their files, and of the places one can jump to.

They come from titles, so that a report with one more table keeps the names of all others. Knows no
format.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plyground.lab.report import Beside, Chart, Claim, Part, Report, Table

LONGEST = 60
MEASUREMENTS = "measurements"
"""Of the files of all that was measured."""


@dataclass(frozen=True)
class PlacedSection:
    """A section of named parts."""

    title: str
    name: str
    parts: Sequence[tuple[Part, Sequence[str]]]
    """Each with its names: none for a text, two for tables beside each other, else one."""


def place(report: Report) -> list[PlacedSection]:
    """Names for all sections and parts, no two the same."""
    taken = {MEASUREMENTS}
    sections = []
    for section in report.sections:
        name = _untaken(f"section-{short_name(section.title)}", taken)
        parts = [
            (part, [_untaken(wish, taken) for wish in _wishes(part)]) for part in section.parts
        ]
        sections.append(PlacedSection(section.title, name, parts))
    return sections


def named_tables(sections: Sequence[PlacedSection]) -> Iterator[tuple[str, Table]]:
    """All tables, published ones and ours as well."""
    for section in sections:
        for part, names in section.parts:
            yield from zip(names, part.tables, strict=False)


def named_charts(sections: Sequence[PlacedSection]) -> Iterator[tuple[str, Chart]]:
    """All charts."""
    for section in sections:
        for part, names in section.parts:
            if isinstance(part, Chart):
                yield names[0], part


def short_name(text: str) -> str:
    """The text in small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain)[:LONGEST].strip("-") or "unnamed"


def _wishes(part: Part) -> list[str]:
    match part:
        case Table():
            return [short_name(part.title)]
        case Beside():
            title = short_name(part.published.title)
            return [f"{title}-published", f"{title}-ours"]
        case Chart():
            return [short_name(part.name)]
        case Claim():
            return [f"claim-{short_name(part.text)}"]
        case _:
            return []


def _untaken(wish: str, taken: set[str]) -> str:
    name, number = wish, 1
    while name in taken:
        number += 1
        name = f"{wish}-{number}"
    taken.add(name)
    return name
