"""What a study printed, from the `published.json` in its folder.

    {"citation": {"authors": ..., "title": ..., "place": ..., "year": ...},
     "sources": {"another": {"authors": ...}, "ours": null},
     "tables": {"table 1": {"title": ..., "columns": [...], "rows": [[...], ...], "note": ...}},
     "numbers": {"any name": 42},
     "claims": {"any-name": {"claim": ..., "place": ..., "printed": ..., "ours": ..., "rule": ...}}}

A study that judges claims of several publications names the others as sources; a claim or a table
whose "source" is one of them is shown with it. A source that is null is a question of our own.
Knows no experiment.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from plyground.lab.report import Column, Table
from plyground.lab.spec import Citation

if TYPE_CHECKING:
    import polars


class ClaimData(BaseModel):
    """Something a study says, and how it is judged.

    `ours`, `published` and the thresholds of the rule are expressions over what the experiment
    found, or numbers; `printed`, `told` and `note` are texts, in which {{ expressions }} may stand.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim: str = Field(min_length=8)
    """In one plain sentence of ours that its author would accept."""
    place: str = Field(min_length=2)
    """Where it is found: section, table, page."""
    source: str = ""
    """Who says it, of `sources`; if it is empty, the study itself."""
    printed: str = ""
    """The numbers it rests on, in words."""
    ours: str = ""
    told: str = ""
    """What we found, in words; the numbers themselves if there are none."""
    published: str | int | float | bool | list[Any] | None = None
    rule: dict[str, dict[str, Any]] = Field(min_length=1, max_length=1)
    """The name of a rule, and its thresholds."""
    shown: str = ""
    """How numbers are written: `.0%` or `.2f`, say."""
    timed: bool = False
    """Whether it rests on times."""
    note: str = ""
    """What else a reader should know to judge it."""


@dataclass(frozen=True)
class Published:
    """The facts of one study."""

    citation: Citation | None = None
    tables: Mapping[str, Table] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)
    """What its text and figures say, by names of ours."""
    claims: Mapping[str, ClaimData] = field(default_factory=dict)
    sources: Mapping[str, Citation | None] = field(default_factory=dict)
    """Other publications by names of ours; None stands for a question of our own."""

    def place_of(self, claim: ClaimData) -> str:
        """Where a claim is found, and in which publication if there are several."""
        if not self.sources:
            return claim.place
        source = self.sources[claim.source] if claim.source else self.citation
        said = f"{source.authors} ({source.year})" if source else "our own question"
        return f"{said}, {claim.place}"

    def frame(self, table: str) -> polars.DataFrame:
        """A printed table as a frame."""
        import polars

        found = self.tables[table]
        names = [column.name for column in found.columns]
        return polars.DataFrame([list(row) for row in found.rows], names, orient="row")


@functools.cache
def published_in(path: Path) -> Published:
    """What stands in a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    citation = Citation(**data["citation"])
    sources = {
        name: Citation(**source) if source else None
        for name, source in data.get("sources", {}).items()
    }
    tables = {
        key: _table(table, sources.get(table.get("source")) or citation)
        for key, table in data.get("tables", {}).items()
    }
    claims = {name: ClaimData(**claim) for name, claim in data.get("claims", {}).items()}
    return Published(citation, tables, data.get("numbers", {}), claims, sources)


def _table(data: Mapping[str, Any], citation: Citation) -> Table:
    columns = [Column(**column) for column in data["columns"]]
    note = data.get("note") or f"As printed by {citation.authors} ({citation.year})."
    return Table(data["title"], columns, data["rows"], note)
