"""The templates of reports, and what is known in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from plyground.lab.rendering import words
from plyground.lab.rendering.numbers import cells, numeric_columns, without_clocks
from plyground.lab.report import MEANINGS

HERE = Path(__file__).parent


def template(
    name: str, filters: Mapping[str, Any], known: Mapping[str, Any], autoescape: bool
) -> Template:
    """A template with filters and names of its own."""
    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"numeric": numeric_columns, "cells": cells, "without_clocks": without_clocks}
    made.filters |= {"told": words.told, **filters}
    made.globals |= {"marks": words.MARKS, "meanings": MEANINGS, "words_of": words, **known}
    return made.get_template(name)
