"""A server and a browser for all tests of a process; a fresh page for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright
from web_server import QUIET, Server, Watch, chromium, web_server

expect.set_options(timeout=30_000)  # what is waited for may have to be compiled first


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with web_server(Path(tmp_path_factory.mktemp("web"))) as started:
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A page of its own, which must have done nothing wrong when the test ends."""
    context = browser.new_context(base_url=server.address, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(30_000)
    fresh = context.new_page()
    watch = Watch(fresh)
    fresh.watch = watch
    yield fresh
    context.close()
    assert watch.problems == []
