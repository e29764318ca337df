"""A report as Markdown, as the project keeps it beside its documents.

Pictures and numbers are files beside it, which it refers to; how it is built is in `report.md.j2`.
Knows no experiment.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from jinja2 import Template

from plyground.lab.rendering.names import PlacedSection
from plyground.lab.rendering.templates import template
from plyground.lab.rendering.words import CLAIMS
from plyground.lab.report import Table

CLOCK = "\N{STOPWATCH}"
CODE = re.compile(r"(`[^`]+`)")
ANY_CODE = re.compile(r"(```.*?```|``.+?``|`[^`]+`)", re.DOTALL)
# A list, a heading or a quotation; a row of dashes.
BEGINS_BLOCK = re.compile(r"^(?:[-+](?=\s|$)|#{1,6}(?=\s|$)|[-=]+$|>|\d+(?=[.)](?:\s|$)))")


def document(folder: str, **known: Any) -> str:
    """The whole text; files are referred to in the folder."""
    anchors = _anchors(known["sections"], known["experiment"].title)
    text = _template().render(folder=folder, anchors=anchors, **known)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@functools.cache
def _template() -> Template:
    filters = {"harmless": harmless, "heads": _heads, "plain": plain}
    return template("report.md.j2", filters, {"clock": CLOCK}, autoescape=False)


def _heads(table: Table) -> list[str]:
    return [each.name + (f" {CLOCK}" if each.is_timed else "") for each in table.columns]


# ------------------------------------------------------------------ texts


def plain(text: str) -> str:
    """Plain text on one line, in which only `code` has a meaning; it fits into a table's cell."""
    line = " ".join(text.split())
    pieces = [_piece(piece) for piece in CODE.split(line)]
    return BEGINS_BLOCK.sub(_as_text, "".join(pieces))


def _piece(text: str) -> str:
    """Code as it is, unless it has a bar: that would need a backslash in tables, and only there."""
    if not CODE.fullmatch(text):
        return _escaped(text)
    return _escaped(text.strip("`")) if "|" in text else text


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    text = re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)
    return _without_tags(re.sub(r"&(?=#?\w+;)", "&amp;", text))


def _without_tags(text: str) -> str:
    return re.sub(r"<(?=[A-Za-z/!?])", r"\\<", text)


def _as_text(found: re.Match[str]) -> str:
    return found[0] + "\\" if found[0].isdigit() else "\\" + found[0]


def harmless(markdown: str) -> str:
    """Markdown in which a tag is shown and not obeyed, as in the page."""
    pieces = ANY_CODE.split(markdown.strip())
    return "".join(p if i % 2 else _without_tags(p) for i, p in enumerate(pieces))


def _anchors(sections: Sequence[PlacedSection], title: str) -> list[str]:
    """What the headings of the sections are called by those who show Markdown as a page."""
    seen, found = Counter[str](), []
    for heading in [title, CLAIMS, *(section.title for section in sections)]:
        anchor = re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-")
        found.append(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found[2:]
