"""A report as one page: no script, no network, light or dark as the reader's machine is.

The page states as much to the browser, in its Content-Security-Policy. Numbers are rounded as their
columns say; all digits are in the data that hangs at each table and chart. Knows no experiment.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plyground.lab.rendering.charts import Picture
from plyground.lab.rendering.markup import Html, element, from_markdown, join, lines, words
from plyground.lab.rendering.names import Placed, PlacedSection
from plyground.lab.rendering.numbers import numeric_columns, shown, table_csv, without_clocks
from plyground.lab.rendering.style import STYLE
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
from plyground.lab.report import Beside, Chart, Claim, Column, Report, Table, Text, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Experiment

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MOST_COLUMNS_BESIDE = 8
CLOCK = Html(
    f'<svg class="clock" viewBox="0 0 16 16" role="img" aria-label="{DIFFERS}">'
    '<circle cx="8" cy="8" r="6.5"/><path d="M8 4v4l3 2"/></svg>'
)


def page(
    experiment: Experiment[Any],
    report: Report,
    sections: Sequence[PlacedSection],
    pictures: Mapping[str, Picture],
    info: RunInfo,
    repeat: str,
) -> str:
    """The whole page."""
    body = [
        _opening(experiment, info),
        element("div", from_markdown(report.summary), class_="summary"),
        _claims(sections),
        _contents(sections),
        *(_section(section, pictures) for section in sections),
        _how_it_was_run(experiment, info, repeat),
    ]
    document = element("html", "\n", _head(experiment.title), "\n", _body(body), "\n", lang="en")
    return f"<!doctype html>\n{document}\n"


def _head(title: str) -> Html:
    return element(
        "head",
        lines(
            [
                element("meta", charset="utf-8"),
                Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
                element("meta", name="viewport", content="width=device-width, initial-scale=1"),
                element("meta", name="color-scheme", content="light dark"),
                element("title", f"{title} \N{MIDDLE DOT} Plyground"),
                element("style", Html(STYLE)),
            ]
        ),
    )


def _body(parts: Sequence[Html]) -> Html:
    return element("body", element("main", "\n", lines(parts), "\n"))


# ------------------------------------------------------------------ what comes first


def _opening(experiment: Experiment[Any], info: RunInfo) -> Html:
    source = experiment.source
    return element(
        "header",
        lines(
            [
                element("p", f"Experiment {experiment.name}", class_="over"),
                element("h1", experiment.title),
                element("p", experiment.question, class_="question"),
                element("p", f"After {source}", class_="source") if source else Html(),
                *(element("p", notice, class_="notice") for notice in notices(info)),
            ]
        ),
    )


def _claims(sections: Sequence[PlacedSection]) -> Html:
    """The box that says what became of each claim, and where it is told."""
    found = [
        (part, names[0], section.title)
        for section in sections
        for part, names in section.parts
        if isinstance(part, Claim)
    ]
    if not found:
        return Html()
    title = element("h2", CLAIMS, id="claims")
    return element(
        "section",
        title,
        element("p", _tally([claim for claim, _, _ in found]), class_="tally"),
        element("ul", *(_claim_line(*one) for one in found)),
        _legend("rests on times, which differ from run to run")
        if any(claim.is_timed for claim, _, _ in found)
        else Html(),
        class_="claims",
        aria_labelledby="claims",
    )


def _tally(claims: Sequence[Claim]) -> str:
    counts = Counter(claim.verdict for claim in claims)
    return ", ".join(f"{counts[each]} {each}" for each in Verdict if counts[each])


def _claim_line(claim: Claim, name: str, section: str) -> Html:
    link = element("a", words(claim.text), href=f"#{name}")
    place = element("span", section, class_="place")
    return element("li", _verdict(claim), element("div", link, " ", place))


def _verdict(claim: Claim) -> Html:
    mark = element("span", MARKS[claim.verdict], class_="mark", aria_hidden="true")
    kind = f"verdict {claim.verdict.name.lower().replace('_', '-')}"
    timed: Sequence[str] = (" ", CLOCK) if claim.is_timed else ()
    return element("span", mark, " ", claim.verdict, *timed, class_=kind)


def _contents(sections: Sequence[PlacedSection]) -> Html:
    if len(sections) < 2:
        return Html()
    links = [element("a", section.title, href=f"#{section.name}") for section in sections]
    links.append(element("a", RUN, href="#run"))
    entries = element("ul", *(element("li", link) for link in links))
    return element("nav", entries, aria_label="Contents")


# ------------------------------------------------------------------ parts


def _section(section: PlacedSection, pictures: Mapping[str, Picture]) -> Html:
    heading = element("h2", section.title, id=section.name)
    parts = lines([heading, *(_part(placed, pictures) for placed in section.parts)])
    return element("section", "\n", parts, "\n", aria_labelledby=section.name)


def _part(placed: Placed, pictures: Mapping[str, Picture]) -> Html:
    part, names = placed
    match part:
        case Text():
            return from_markdown(part.markdown)
        case Table():
            return element("div", _table(part, names[0], numeric_columns(part)), class_="wide")
        case Beside():
            return _beside(part, names)
        case Chart():
            return _chart(part, names[0], pictures[names[0]])
        case Claim():
            return _claim(part, names[0])


def _beside(part: Beside, names: Sequence[str]) -> Html:
    """Side by side where there is room; below each other if they are too wide for any screen."""
    numeric = numeric_columns(part.published, part.ours)
    published = _table(without_clocks(part.published), names[0], numeric, "Published")
    ours = _table(part.ours, names[1], numeric, "Ours")
    if len(numeric) <= MOST_COLUMNS_BESIDE:
        return element("div", published, "\n", ours, class_="wide beside")
    return lines(element("div", table, class_="wide") for table in (published, ours))


def _table(table: Table, name: str, numeric: Sequence[bool], over: str = "") -> Html:
    data = table_csv(table)
    caption = [
        element("span", over, class_="over") if over else Html(),
        element("strong", table.title),
        _download(data, name),
    ]
    scrolling = element(
        "div",
        _rows(table, numeric),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=f"{over} {table.title}".strip(),
    )
    return element(
        "figure",
        element("figcaption", join((part for part in caption if part), " ")),
        scrolling,
        element("p", words(table.note), class_="note") if table.note else Html(),
        _legend() if any(column.is_timed for column in table.columns) else Html(),
        class_="table",
    )


def _rows(table: Table, numeric: Sequence[bool]) -> Html:
    head = [_heading(c, is_number) for c, is_number in zip(table.columns, numeric, strict=False)]
    body = [element("tr", *_cells(table, row, numeric)) for row in table.rows]
    if not body:
        nothing = element("td", "no rows", class_="nothing", colspan=str(max(1, len(head))))
        body = [element("tr", nothing)]
    return element(
        "table", element("thead", element("tr", *head)), "\n", element("tbody", lines(body))
    )


def _heading(column: Column, is_number: bool) -> Html:
    inside = _with_clock(column.name) if column.is_timed else join([column.name])
    kind = "number" if is_number else None
    return element("th", element("span", inside), scope="col", class_=kind)


def _with_clock(name: str) -> Html:
    """The sign stays on the line of the last word."""
    before, space, last = name.rpartition(" ")
    return join([before, space, element("span", last, " ", CLOCK, class_="together")])


def _cells(table: Table, row: Sequence[Any], numeric: Sequence[bool]) -> Iterator[Html]:
    for place, (value, column) in enumerate(zip(row, table.columns, strict=True)):
        kind = "number" if numeric[place] else "words"
        text = shown(value, column)
        if place == 0:
            yield element("th", text, scope="row", class_=kind)
        else:
            yield element("td", text, class_=kind)


def _chart(chart: Chart, name: str, picture: Picture) -> Html:
    caption = [
        element("strong", f"{chart.title}."),
        words(chart.note),
        _download(picture.csv, name) if picture.csv else Html(),
    ]
    return element(
        "figure",
        element("div", Html(picture.inline), class_="scroll"),
        element("figcaption", join((part for part in caption if part), " ")),
        _legend() if chart.is_timed else Html(),
        class_="chart",
        id=name,
    )


def _claim(claim: Claim, name: str) -> Html:
    return element(
        "article",
        element("p", _verdict(claim)),
        element("p", words(claim.text), class_="text"),
        element(
            "dl",
            *(
                element("div", element("dt", label), element("dd", words(text)))
                for label, text in told(claim)
            ),
        ),
        class_=f"claim {claim.verdict.name.lower().replace('_', '-')}",
        id=name,
    )


def _legend(meaning: str = DIFFERS) -> Html:
    return element("p", CLOCK, f" {meaning}", class_="note legend")


def _download(data: str, name: str) -> Html:
    """The data itself, inside the link: the page stays one file."""
    packed = base64.b64encode(data.encode()).decode()
    address = f"data:text/csv;charset=utf-8;base64,{packed}"
    return element("a", "CSV", href=address, download=f"{name}.csv", class_="data")


# ------------------------------------------------------------------ what comes last


def _how_it_was_run(experiment: Experiment[Any], info: RunInfo, repeat: str) -> Html:
    given = [
        element(
            "tr",
            element("th", element("code", name), scope="row", class_="words"),
            element("td", value, class_="words"),
            element("td", words(meaning), class_="words"),
        )
        for name, value, meaning in parameters(experiment, info)
    ]
    known = [
        element("div", element("dt", label), element("dd", value)) for label, value in facts(info)
    ]
    names = [element("th", word, scope="col") for word in ("parameter", "value", "meaning")]
    table = element(
        "table", element("thead", element("tr", *names)), element("tbody", lines(given))
    )
    return element(
        "section",
        lines(
            [
                element("h2", RUN, id="run"),
                element("p", REPEAT),
                element("pre", element("code", repeat), tabindex="0"),
                element("div", table, class_="scroll table", tabindex="0") if given else Html(),
                element("dl", *known),
            ]
        ),
        class_="run",
        aria_labelledby="run",
    )
