"""Texts as HTML: words with `code` in them, and Markdown.

Knows nothing of reports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup


def words(text: str) -> Markup:
    """Plain text in which only `code` has a meaning."""
    pieces = re.split(r"`([^`]+)`", text)
    marked = (f"<code>{escape(p)}</code>" if i % 2 else escape(p) for i, p in enumerate(pieces))
    return Markup("".join(marked))


def from_markdown(text: str) -> Markup:
    """Paragraphs, lists, tables and code. Markup inside is shown, not obeyed; links become text."""
    return Markup(_MARKDOWN.render(text).strip())


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
