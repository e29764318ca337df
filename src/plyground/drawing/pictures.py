"""A picture on a page that nobody trusts: notebooks strip SVG from the output of strangers.

As an image it is shown wherever images are; words in it are of a grey that can be read on light and
dark pages alike, for an image does not know the colour of the page.
"""

from __future__ import annotations

import base64
import html
import re

GREY = "#808080"


def picture(svg: str) -> str:
    """An SVG as an image in HTML, with its title as what is read aloud."""
    grey = svg.replace("<svg ", f'<svg color="{GREY}" ', 1)
    title = re.search(r"<title>(.*?)</title>", svg, re.DOTALL)
    words = html.unescape(title[1]) if title else ""
    data = base64.b64encode(grey.encode()).decode()
    return f'<img alt="{html.escape(words)}" src="data:image/svg+xml;base64,{data}">'
