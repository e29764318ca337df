"""A chart becomes pictures: SVG for files, SVG to stand in a page, PNG; and its data as CSV.

The renderer is built in and asks no network. What it numbers anew at each call, and digits that
nobody sees, are taken out of its SVG: equal charts become equal files on every machine. Knows
nothing of pages.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from plyground.lab.rendering.numbers import as_csv
from plyground.lab.report import Chart

SCALE = 2
"""Pixels of a PNG for one of an SVG."""


@dataclass(frozen=True)
class Picture:
    """A chart in all forms."""

    svg: str
    """A file of its own."""
    inline: str
    """To stand in a page; as wide as there is room, but no wider than it was drawn."""
    csv: str
    """The rows it was drawn from; empty if the specification has none inside."""

    @functools.cached_property
    def png(self) -> bytes:
        import vl_convert

        return vl_convert.svg_to_png(self.svg, scale=SCALE)


def draw(chart: Chart, name: str) -> Picture:
    """Draw a chart; its name is unique in a page."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(dict(chart.spec), allowed_base_urls=[])
    root, body = _cleaned(drawn, name)
    width, height = root["width"], root["height"]
    label = escape(chart.title)
    shared = f'viewBox="{root["viewBox"]}" role="img" aria-label="{label}"'
    space = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    svg = f'<svg {space} width="{width}" height="{height}" {shared}>{body}</svg>\n'
    inline = f'<svg {shared} style="max-width: {width}px">{body}</svg>'
    return Picture(svg, inline, _data(chart.spec))


def _cleaned(svg: str, name: str) -> tuple[dict[str, str], str]:
    """The attributes of the outermost element, and what is inside."""
    match = re.fullmatch(r"<svg ([^>]*)>(.*)</svg>\s*", svg, re.DOTALL)
    assert match, "the renderer answers with one SVG element"
    attributes = dict(re.findall(r'([\w:]+)="([^"]*)"', match[1]))
    known = dict.fromkeys(re.findall(r'<[^<>]* id="([^"]+)"', match[2]))
    ids = {old: f"{name}-{i}" for i, old in enumerate(known, 1)}
    body = re.sub(r"<[^<>]+>", lambda tag: _clean_tag(tag[0], ids), match[2])
    return attributes, body


def _clean_tag(tag: str, ids: Mapping[str, str]) -> str:
    tag = re.sub(r"-?\d+\.\d{3,}(?:e-?\d+)?", lambda number: _rounded(number[0]), tag)
    tag = re.sub(r'(id="|url\(#|"#)([^")]+)', lambda name: name[1] + ids.get(name[2], name[2]), tag)
    # A line for each mark, so that two versions of a file can be compared.
    return f"\n{tag}" if re.match(r"<(g|path|line|rect|text|image|use|defs)\b", tag) else tag


def _rounded(number: str) -> str:
    return f"{float(number):z.2f}".rstrip("0").rstrip(".")


def data_inside(spec: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The rows of a specification; none if they are elsewhere."""
    rows: Sequence[Mapping[str, Any]] = spec.get("data", {}).get("values", [])
    return rows


def _data(spec: Mapping[str, Any]) -> str:
    rows = data_inside(spec)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return as_csv(names, ([row.get(name) for name in names] for row in rows)) if rows else ""
