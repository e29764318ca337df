"""A report as one page: no script, no network, light or dark as the reader's machine is.

The page states as much to the browser, in its Content-Security-Policy; which claims it shows is
chosen by style alone. Numbers are rounded as their columns say; all digits are in the data that
hangs at each table and chart. How the page is built is in `page.html.j2`, how it looks in
`page.css`. Knows no experiment.
"""

from __future__ import annotations

import base64
import functools
import gzip
from collections.abc import Mapping
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from plyground.lab.rendering.charts import Picture
from plyground.lab.rendering.markup import from_markdown, words
from plyground.lab.rendering.names import MEASUREMENTS
from plyground.lab.rendering.templates import HERE, template
from plyground.lab.rendering.words import DIFFERS

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MOST_COLUMNS_BESIDE = 8
KINDS = {
    "csv": "text/csv;charset=utf-8",
    "gz": "application/gzip",
    "parquet": "application/vnd.apache.parquet",
}
CLOCK = Markup(
    f'<svg class="clock" viewBox="0 0 16 16" role="img" aria-label="{DIFFERS}">'
    '<circle cx="8" cy="8" r="6.5"/><path d="M8 4v4l3 2"/></svg>'
)


def page(pictures: Mapping[str, Picture], files: Mapping[str, bytes], **known: Any) -> str:
    """The whole page, with the data of tables and charts and all measurements inside."""
    text = _template().render(pictures=pictures, files=files, measured=_measured(files), **known)
    return text.lstrip()  # of what stands between macros


@functools.cache
def _template() -> Template:
    filters = {
        "data_address": _data_address,
        "kind": lambda verdict: verdict.name.lower().replace("_", "-"),
        "markdown": from_markdown,
        "words": words,
    }
    known = {
        "clock": CLOCK,
        "most_columns_beside": MOST_COLUMNS_BESIDE,
        "policy": Markup(POLICY),
        "style": Markup((HERE / "page.css").read_text(encoding="utf-8")),
    }
    return template("page.html.j2", filters, known, autoescape=True)


def _measured(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """All that was measured; as CSV, a tenth of its size is enough."""
    found = {name: files[name] for name in files if name.startswith(f"{MEASUREMENTS}.")}
    return {
        **{f"{name}.gz": gzip.compress(found[name], mtime=0) for name in found if ".csv" in name},
        **{name: found[name] for name in found if ".csv" not in name},
    }


def _data_address(content: bytes, file: str) -> str:
    """The data itself, inside the link: the page stays one file."""
    kind = KINDS[file.rpartition(".")[2]]
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
