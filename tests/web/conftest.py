"""A server, a browser and its cache for all tests of a process; a fresh page for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import Server, fresh_page, shared_profile, trusted, web_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with web_server(Path(tmp_path_factory.mktemp("web"))) as started:
        yield started


@pytest.fixture(scope="session")
def browser(chromium_browser: Any) -> Any:
    return trusted(chromium_browser)


@pytest.fixture(scope="session")
def profile(browser: Any, server: Server) -> Iterator[Any]:
    with shared_profile(browser, server) as shared:
        yield shared


@pytest.fixture
def page(profile: Any) -> Iterator[Any]:
    with fresh_page(profile) as fresh:
        yield fresh


@pytest.fixture
def lone_page(browser: Any, server: Server) -> Iterator[Any]:
    """For tests that change what all pages of a profile share, as its clock."""
    with shared_profile(browser, server) as own, fresh_page(own) as fresh:
        yield fresh
