"""Texts as HTML: words with `code` in them, and Markdown.

Knows nothing of reports.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

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


class _Renderer(RendererHTML):
    """A page cannot follow a link to a file of the project, but a reader can copy an address."""

    def link_open(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        is_told = tokens[i].markup == "autolink"
        env.setdefault("links", []).append("" if is_told else tokens[i].attrGet("href"))
        return ""

    def link_close(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        target = str(env["links"].pop())
        return f" ({escape(target)})" if re.match("https?:", target) else ""

    def image(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        return escape(tokens[i].content)


_MARKDOWN = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
