"""A browser for all tests of a process; for each a page of nobody's, which must do no wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from notebook_page import blank_page
from playwright.sync_api import sync_playwright
from web_server import QUIET, Watch, chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    opened = browser.new_page(viewport={"width": 1100, "height": 900})
    watch = Watch(opened)
    yield blank_page(opened)
    opened.close()
    assert not watch.problems, watch.problems
