"""A report as one page: no script, no network, light or dark as the reader's machine is.

The page states as much to the browser, in its Content-Security-Policy; which claims it shows is
chosen by style alone. Numbers are rounded as their columns say; all digits are in the data that
hangs at each table and chart. How the page is built is in `page.html.j2`, how it looks in
`page.css`. Knows no experiment.
"""

from __future__ import annotations

import base64
import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from plyground.lab.rendering import words as words_of
from plyground.lab.rendering.charts import Picture
from plyground.lab.rendering.markup import from_markdown, words
from plyground.lab.rendering.names import PlacedSection
from plyground.lab.rendering.numbers import numeric_columns, shown, table_csv, without_clocks
from plyground.lab.rendering.words import DIFFERS, MARKS, facts, notices, parameters, told
from plyground.lab.report import MEANINGS, Claim, Report, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Experiment

HERE = Path(__file__).parent
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MOST_COLUMNS_BESIDE = 8
CLOCK = Markup(
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
    return (
        _template()
        .render(
            experiment=experiment,
            report=report,
            sections=sections,
            pictures=pictures,
            repeat=repeat,
            notices=list(notices(info)),
            parameters=parameters(experiment, info),
            facts=facts(info),
            tally=_tally(report.claims),
            verdicts=[each for each in Verdict if any(c.verdict == each for c in report.claims)],
        )
        .lstrip()
    )


@functools.cache
def _template() -> Template:
    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "beside_of": lambda row, columns: zip(row, columns, strict=True),
        "csv": table_csv,
        "data_address": _data_address,
        "kind": lambda verdict: verdict.name.lower().replace("_", "-"),
        "markdown": from_markdown,
        "numeric": numeric_columns,
        "shown": shown,
        "told": told,
        "without_clocks": without_clocks,
        "words": words,
    }
    made.globals |= {
        "clock": CLOCK,
        "differs": DIFFERS,
        "marks": MARKS,
        "meanings": MEANINGS,
        "most_columns_beside": MOST_COLUMNS_BESIDE,
        "policy": Markup(POLICY),
        "style": Markup((HERE / "page.css").read_text(encoding="utf-8")),
        "words_of": words_of,
    }
    return made.get_template("page.html.j2")


def _tally(claims: Iterable[Claim]) -> str:
    counts = Counter(claim.verdict for claim in claims)
    return ", ".join(f"{counts[each]} {each}" for each in Verdict if counts[each])


def _data_address(data: str) -> str:
    """The data itself, inside the link: the page stays one file."""
    return f"data:text/csv;charset=utf-8;base64,{base64.b64encode(data.encode()).decode()}"
