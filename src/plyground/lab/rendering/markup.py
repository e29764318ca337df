"""HTML from Python: what is not markup yet is escaped.

Knows nothing of reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token


class Html(str):
    """A text that is markup already."""


NO_END = frozenset({"meta", "br", "col"})


def element(tag: str, *inside: str, **attributes: str | None) -> Html:
    """An element; attributes that are None are left out, and `class_` stands for class."""
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in NO_END:
        return Html(f"<{tag}{told}>")
    return Html(f"<{tag}{told}>{join(inside)}</{tag}>")


def join(parts: Iterable[str], between: str = "") -> Html:
    """All parts, with those that are plain text escaped."""
    return Html(between.join(p if isinstance(p, Html) else escape(p) for p in parts))


def lines(parts: Iterable[str]) -> Html:
    return join((part for part in parts if part), "\n")


def words(text: str) -> Html:
    """Plain text in which only `code` has a meaning."""
    pieces = re.split(r"`([^`]+)`", text)
    return join(element("code", p) if i % 2 else p for i, p in enumerate(pieces))


def from_markdown(text: str) -> Html:
    """Paragraphs, lists, tables and code. Markup inside is shown, not obeyed; links become text."""
    return Html(_MARKDOWN.render(text).strip())


# ------------------------------------------------------------------ Markdown without a network

Environment = dict[str, Any]


def _link_open(
    self: RendererHTML, tokens: Sequence[Token], i: int, options: Any, env: Environment
) -> str:
    is_told = tokens[i].markup == "autolink"
    env.setdefault("links", []).append("" if is_told else tokens[i].attrGet("href"))
    return ""


def _link_close(
    self: RendererHTML, tokens: Sequence[Token], i: int, options: Any, env: Environment
) -> str:
    """A page cannot follow a link to a file of the project, but a reader can copy an address."""
    target = str(env["links"].pop())
    return f" ({escape(target)})" if re.match("https?:", target) else ""


def _image(
    self: RendererHTML, tokens: Sequence[Token], i: int, options: Any, env: Environment
) -> str:
    return escape(tokens[i].content)


def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", cast(Mapping[str, Any], {"html": False})).enable("table")
    for name, rule in (("link_open", _link_open), ("link_close", _link_close), ("image", _image)):
        made.add_render_rule(name, rule)
    return made


_MARKDOWN = _markdown()
