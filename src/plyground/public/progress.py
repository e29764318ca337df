"""Progress of long calls: a line in a notebook or a terminal, once a call takes some seconds.

The line says what is being done, how far it is and how long the rest may take. Nothing is shown
in scripts whose messages go to a file, nor in tests.
"""

from __future__ import annotations

import contextlib
import html
import sys
import time
from typing import Any

from plyground.core.ticking import ticking
from plyground.kernel import on_compiling

PATIENCE_S = 2.0
TICK_S = 0.5


class Progress:
    """A line that is shown while a `with` block lasts; `report` updates it."""

    def __init__(self, doing: str, total: int | None = None) -> None:
        self._doing, self._total, self._done, self._news = doing, total, 0, ""
        self._began = time.monotonic()
        self._screen = _screen()
        self._open = contextlib.ExitStack()

    def report(self, news: str, done: int | None = None) -> None:
        """Set the news at the end of the line, and how much is done."""
        self._news = news
        self._done = self._done if done is None else done

    def __enter__(self) -> Progress:
        if (screen := self._screen) is not None:
            self._open.callback(screen.clear)
            self._open.enter_context(on_compiling(self.report))
            show = ticking(lambda _: screen.show(self.text(), self._share), TICK_S, PATIENCE_S)
            self._open.enter_context(show)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def _share(self) -> float | None:
        return self._done / self._total if self._total else None

    def text(self) -> str:
        """The line that is shown."""
        elapsed_s = time.monotonic() - self._began
        parts = [self._doing]
        if self._total:
            parts.append(f"{self._done:,} of {self._total:,}")
        parts.append(f"{elapsed_s:.0f} s")
        if self._share:
            parts.append(f"about {elapsed_s / self._share - elapsed_s:.0f} s left")
        return "  ".join([*parts, *([self._news] if self._news else [])])


class _Terminal:
    """One line on standard error, overwritten each time."""

    def show(self, text: str, share: float | None) -> None:
        sys.stderr.write(f"\r\x1b[2K{text[:120]}")
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


class _Notebook:
    """A line under the cell, with a bar if the total is known; cleared when the work is done."""

    def __init__(self, display: Any) -> None:
        self._display, self._handle = display, None

    def show(self, text: str, share: float | None) -> None:
        bar = "" if share is None else f'<progress max="1" value="{share:.4f}"></progress> '
        page = {"text/html": f"<div>{bar}{html.escape(text)}</div>", "text/plain": text}
        if self._handle is None:
            self._handle = self._display(page, raw=True, display_id=True)
        else:
            self._handle.update(page, raw=True)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/html": "", "text/plain": ""}, raw=True)


def _screen() -> _Terminal | _Notebook | None:
    """Where the line is shown, if anywhere."""
    if "ipykernel" in sys.modules and "IPython" in sys.modules:
        from IPython import get_ipython  # type: ignore[import-not-found,unused-ignore]
        from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

        if get_ipython() is not None and hasattr(get_ipython(), "kernel"):
            return _Notebook(display)
    return _Terminal() if sys.stderr is not None and sys.stderr.isatty() else None
