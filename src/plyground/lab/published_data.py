"""Read what a study printed, from the package's own files.

    {"citation": {"authors": ..., "title": ..., "place": ..., "year": ...},
     "tables": {"table 1": {"title": ..., "columns": [...], "rows": [[...], ...], "note": ...}},
     "numbers": {"any name": 42}}

Knows no experiment.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from plyground.lab.report import Column, Table
from plyground.lab.spec import Citation


@dataclass(frozen=True)
class Published:
    """The facts of one study."""

    citation: Citation
    tables: Mapping[str, Table]
    numbers: Mapping[str, Any]
    """What its text and figures say, by names of ours."""


@functools.cache
def published(name: str) -> Published:
    """The study in `published/NAME.json`."""
    file = resources.files("plyground.lab") / "published" / f"{name}.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    citation = Citation(**data["citation"])
    tables = {key: _table(table, citation) for key, table in data.get("tables", {}).items()}
    return Published(citation, tables, data.get("numbers", {}))


def study_of(source: Citation | None) -> Published | None:
    """What a study printed, if it is one of those in `published/`."""
    for file in (resources.files("plyground.lab") / "published").iterdir():
        if file.name.endswith(".json"):
            found = published(file.name.removesuffix(".json"))
            if found.citation == source:
                return found
    return None


def _table(data: Mapping[str, Any], citation: Citation) -> Table:
    columns = [Column(**column) for column in data["columns"]]
    note = data.get("note") or f"As printed by {citation.authors} ({citation.year})."
    return Table(data["title"], columns, data["rows"], note)
