"""A report as Markdown, as the project keeps it beside its documents.

Pictures and numbers are files beside it, which it refers to. Knows no experiment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from plyground.lab.rendering.charts import data_inside
from plyground.lab.rendering.names import Placed, PlacedSection
from plyground.lab.rendering.numbers import numeric_columns, shown, without_clocks
from plyground.lab.rendering.words import (
    CLAIMS,
    DIFFERS,
    MARKS,
    REPEAT,
    RUN,
    facts,
    notices,
    parameters,
    told,
)
from plyground.lab.report import Beside, Chart, Claim, Report, Table, Text
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Experiment

CLOCK = "\N{STOPWATCH}"
CODE = re.compile(r"(`[^`]+`)")
ANY_CODE = re.compile(r"(```.*?```|``.+?``|`[^`]+`)", re.DOTALL)
# A list, a heading or a quotation; a row of dashes.
BEGINS_BLOCK = re.compile(r"^(?:[-+](?=\s|$)|#{1,6}(?=\s|$)|[-=]+$|>|\d+(?=[.)](?:\s|$)))")


def document(
    experiment: Experiment[Any],
    report: Report,
    sections: Sequence[PlacedSection],
    folder: str,
    info: RunInfo,
    repeat: str,
) -> str:
    """The whole text; files are referred to in the folder."""
    blocks = [
        f"# {plain(experiment.title)}",
        plain(experiment.question),
        f"After {plain(str(experiment.source))}" if experiment.source else "",
        *(f"**{plain(notice)}**" for notice in notices(info)),
        harmless(report.summary),
        *_claims(sections, experiment.title),
    ]
    for section in sections:
        blocks.append(f"## {plain(section.title)}")
        for placed in section.parts:
            blocks += _part(placed, folder)
    blocks += _how_it_was_run(experiment, info, repeat)
    return "\n\n".join(block.strip() for block in blocks if block.strip()) + "\n"


# ------------------------------------------------------------------ parts


def _claims(sections: Sequence[PlacedSection], title: str) -> Iterator[str]:
    found = [
        f"- {_verdict(part)}: {plain(part.text)} ([{plain(section.title)}](#{anchor}))"
        for section, anchor in zip(sections, _anchors(sections, title), strict=True)
        for part, _ in section.parts
        if isinstance(part, Claim)
    ]
    if found:
        yield f"## {CLAIMS}"
        yield "\n".join(found)


def _part(placed: Placed, folder: str) -> Iterator[str]:
    part, names = placed
    match part:
        case Text():
            yield harmless(part.markdown)
        case Table():
            yield from _table(part, f"{folder}/{names[0]}", numeric_columns(part))
        case Beside():
            numeric = numeric_columns(part.published, part.ours)
            published = without_clocks(part.published)
            yield from _table(published, f"{folder}/{names[0]}", numeric, "Published: ")
            yield from _table(part.ours, f"{folder}/{names[1]}", numeric, "Ours: ")
        case Chart():
            yield from _chart(part, f"{folder}/{names[0]}")
        case Claim():
            yield _claim(part)


def _table(table: Table, file: str, numeric: Sequence[bool], over: str = "") -> Iterator[str]:
    yield f"**{over}{plain(table.title)}** ([CSV]({file}.csv))"
    if table.columns:
        heads = [plain(c.name) + (f" {CLOCK}" if c.is_timed else "") for c in table.columns]
        rows = [
            [plain(shown(value, c)) for value, c in zip(row, table.columns, strict=True)]
            for row in table.rows
        ]
        yield _grid(heads, rows, numeric)
    if not table.rows:
        yield "*No rows.*"
    is_timed = any(column.is_timed for column in table.columns)
    yield _note(table.note, is_timed)


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool]) -> str:
    rules = ["---:" if is_number else "---" for is_number, _ in zip(numeric, heads, strict=False)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rules, *rows])


def _chart(chart: Chart, file: str) -> Iterator[str]:
    yield f"![{plain(chart.title)}]({file}.svg)"
    link = f"([CSV]({file}.csv))" if data_inside(chart.spec) else ""
    yield " ".join(filter(None, [f"**{plain(chart.title)}.**", plain(chart.note), link]))
    yield _note("", chart.is_timed)


def _note(note: str, is_timed: bool) -> str:
    legend = f"{CLOCK} {DIFFERS}" if is_timed else ""
    return "  \n".join(part for part in (plain(note), legend) if part)


def _claim(claim: Claim) -> str:
    lines = [f"> {_verdict(claim)}: {plain(claim.text)}", ">"]
    return "\n".join(lines + [f"> - {label}: {plain(text)}" for label, text in told(claim)])


def _verdict(claim: Claim) -> str:
    clock = f" {CLOCK}" if claim.is_timed else ""
    return f"**{MARKS[claim.verdict]} {claim.verdict}**{clock}"


def _how_it_was_run(experiment: Experiment[Any], info: RunInfo, repeat: str) -> Iterator[str]:
    yield f"## {RUN}"
    yield REPEAT
    yield f"```sh\n{repeat}\n```"
    given = [[plain(cell) for cell in row] for row in parameters(experiment, info)]
    if given:
        yield _grid(["parameter", "value", "meaning"], given, [False] * 3)
    yield "\n".join(f"- {name}: {plain(value)}" for name, value in facts(info))


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
    seen: dict[str, int] = {}
    found = []
    for heading in [title, CLAIMS, *(section.title for section in sections)]:
        anchor = re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-")
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        found.append(f"{anchor}-{count}" if count else anchor)
    return found[2:]
