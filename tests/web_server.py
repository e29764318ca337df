"""The real server as a process of its own, and a real browser that may talk to nothing else."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from asking import TOKENS, note_address

START_S = 60
PATIENCE_MS = 120_000
DESK = {"width": 1440, "height": 900}
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@dataclass
class Server:
    """A server that was started."""

    process: subprocess.Popen[str]
    address: str
    """Without its token, which `asking` and the browsers of `trusted` know."""
    store: Path

    @property
    def port(self) -> int:
        port = urlsplit(self.address).port
        assert port is not None
        return port

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def web_server(
    folder: Path,
    port: int = 0,
    games: tuple[str, ...] = (),
    program: tuple[str, ...] = ("-m", "plyground"),
    store: str | None = None,
    **changes: str,
) -> Iterator[Server]:
    """`plyground web`, until the block ends; with games of one's own, or another environment."""
    path = folder / "games.db"
    command = [sys.executable, *program, "web", *games, "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--store", store or str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLYGROUND_DATA": str(folder), "COLUMNS": "200", **changes},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, f"no address in {line!r}; {process.stderr.read() if process.stderr else ''}"
    try:
        yield Server(process, note_address(found[0]), path)
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


@contextlib.contextmanager
def started(folder: Path, *arguments: str) -> Iterator[str]:
    """`plyground web` with options of one's own; its address, with the token if it has one."""
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "0", *arguments]
    process = subprocess.Popen(
        [*command, "--store", str(folder / "games.db")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLYGROUND_DATA": str(folder), "COLUMNS": "300"},
    )
    assert process.stdout
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    try:
        yield found[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def chromium() -> str:
    """Where the browser is; without one the tests fail."""
    for name in CHROMIUM:
        if path := shutil.which(name):
            return path
    raise AssertionError("these tests need Chromium; on Debian: apt-get install chromium")


def trusted(browser: Any) -> Any:
    """A browser that has seen the printed address of every server that is there by then."""
    make_context, make_page = browser.new_context, browser.new_page

    def new_context(**look: Any) -> Any:
        context = make_context(**look)
        show_tokens(context)
        return context

    def new_page(**look: Any) -> Any:
        page = make_page(**look)
        show_tokens(page.context)
        return page

    browser.new_context, browser.new_page = new_context, new_page
    return browser


def show_tokens(context: Any) -> None:
    """As the printed addresses do."""
    cookies = [
        {"name": f"plyground_token_{port}", "value": token, "url": f"http://127.0.0.1:{port}/"}
        for port, token in TOKENS.items()
    ]
    strict = {"httpOnly": True, "sameSite": "Strict"}
    context.add_cookies([cookie | strict for cookie in cookies if cookie["value"]])


COUNT_QUESTIONS = """
    window.questions = 0;
    const ask = window.fetch;
    window.fetch = (...rest) => {
        questions += 1;
        return ask(...rest).finally(() => setTimeout(() => (questions -= 1)));
    };
"""
COMPILING_MS = 120_000  # a page may show a search of its own
CALM = """() => {
    const isBusy = window.questions || document.querySelector("[aria-busy=true]");
    window.calm = isBusy || !document.querySelector("h1") ? 0 : (window.calm ?? 0) + 1;
    return calm > 5;
}"""
A_MOMENT = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def settled(page: Any, path: str) -> None:
    """Open a page, and wait until it has its heading and the answers to all its questions.

    Quicker than waiting for a quiet network, which takes half a second after the last answer.
    """
    if not getattr(page, "counts_questions", False):
        page.add_init_script(COUNT_QUESTIONS)
        page.counts_questions = True
    page.goto(path)
    page.wait_for_function(CALM, timeout=COMPILING_MS)


# Once for each tab, and in the page itself: from outside it might be done a moment too late.
FORGET = """
    if (!sessionStorage.getItem("tests.begun")) {
        localStorage.clear();
        sessionStorage.setItem("tests.begun", "yes");
    }
"""


class Watch:
    """What a page must never do: ask another machine, fail to load, or complain."""

    def __init__(self, page: Any) -> None:
        self.problems: list[str] = []
        page.on("request", self._request)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("response", self._response)
        page.on("requestfailed", self._failed)
        self._refused: list[str] = []

    def _request(self, request: Any) -> None:
        if urlsplit(request.url).hostname not in ("127.0.0.1", None):
            self.problems.append(f"asked {request.url}")

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            why = "; ".join(self._refused) if "Failed to load" in message.text else ""
            self.problems.append(f"console: {message.text} {why}".strip())

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # by the page itself, as when it goes
            self.problems.append(f"failed: {request.url} {request.failure}")

    def _response(self, response: Any) -> None:
        if response.status >= 400:
            asked = response.request
            self._refused.append(f"{asked.method} {asked.url} {asked.post_data}")


@contextlib.contextmanager
def shared_profile(browser: Any, server: Server, **look: Any) -> Iterator[Any]:
    """What pages of a server share: a file that was loaded once need not be loaded again.

    An empty page stays open: a page without others needs a window, and that takes longer than
    the page itself.
    """
    context = browser.new_context(base_url=server.address, **{"viewport": DESK, **look})
    context.set_default_timeout(PATIENCE_MS)
    context.empty_page = context.new_page()
    yield context
    context.close()


@contextlib.contextmanager
def fresh_page(profile: Any) -> Iterator[Any]:
    """A page that knows nothing of those before it, and must have done nothing wrong."""
    profile.clear_cookies()
    show_tokens(profile)
    page = profile.new_page()
    page.add_init_script(FORGET)
    page.watch = Watch(page)
    yield page
    for each in profile.pages:
        if each is not profile.empty_page:
            each.close()
    profile.clear_permissions()
    assert not page.watch.problems, page.watch.problems
