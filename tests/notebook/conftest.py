"""A page of nobody's for each test, which must do no wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from notebook_page import blank_page
from web_server import Watch


@pytest.fixture(scope="session")
def browser(chromium_browser: Any) -> Any:
    return chromium_browser


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    opened = browser.new_page(viewport={"width": 1100, "height": 900})
    watch = Watch(opened)
    yield blank_page(opened)
    opened.close()
    assert not watch.problems, watch.problems
