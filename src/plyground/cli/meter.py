"""How far a long piece of work is: what is done, how fast, and how long the rest will take.

`Meter` hears of each step, for work that always takes long. `watching` counts what passes through
it, and shows itself only at a terminal and only if the work takes longer than a moment; `stoppable`
lets Ctrl-C end such work between two things.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Self, TypeVar

from rich.markup import escape
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from plyground.cli.common import err
from plyground.core.errors import shorten
from plyground.kernel import on_compiling

LINE_EVERY_S = 10.0
PATIENCE_S = 2.0  # before progress is shown
NEWS_WIDTH = 32  # beside a bar
LOOK_EVERY = 32  # things that pass uncounted: the clock costs as much as a small one

Thing = TypeVar("Thing")


class _Done(ProgressColumn):
    """`3,000/12,000`, or only the first where the second is not known."""

    def render(self, task: Task) -> Text:
        total = "" if task.total is None else f"/{task.total:,.0f}"
        return Text(f"{task.completed:,.0f}{total}", no_wrap=True)


class Meter:
    """How far a run is: a bar on a terminal, now and then a line elsewhere."""

    compiling_width = NEWS_WIDTH

    def __init__(
        self, total: int | None, done: int, unit: str, report: Callable[..., None] | None = None
    ) -> None:
        self.total, self.done, self.unit = total, done, unit
        self._report = report  # of each step, to a job
        self._first = done
        self._started = self._line_s = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            _Done(),
            TextColumn(unit),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=err,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("", total=total, completed=done, rate="")
        if report:
            report(done=done, first=done, total=total, unit=unit)

    def advance(self, count: int, news: str) -> None:
        """So much more is done; `news` is how it stands."""
        self.done += count
        if self.total is not None and self.done > self.total:  # it was an estimate
            self.total = self.done
        elapsed = time.monotonic() - self._started
        rate = (self.done - self._first) / elapsed if elapsed > 0 else 0.0
        if self._report:
            said = Text.from_markup(news).plain
            self._report(done=self.done, total=self.total, rate=rate, news=said)
        speed = f"{rate:,.1f}/s" if rate >= 1 else f"{1 / rate:.1f} s each" if rate else ""
        self._bar.update(
            self._task, total=self.total, completed=self.done, description=news, rate=speed
        )
        now = time.monotonic()
        if not err.is_terminal and now - self._line_s >= LINE_EVERY_S:
            self._line_s = now
            if self.total is None:
                err.print(f"{self.done} {self.unit}, {speed}; {news}")
                return
            left = (self.total - self.done) / rate if rate else 0.0
            err.print(f"{self.done}/{self.total} {self.unit}, {speed}, {left:.0f} s left; {news}")

    def compiling(self, line: str) -> None:
        """Say at once why nothing moves."""
        if err.is_terminal:
            self.advance(0, escape(shorten(line, self.compiling_width)))
        else:
            err.print(line)

    def __enter__(self) -> Self:
        if err.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar.live.is_started:
            self._bar.stop()


class Watch(Meter):
    """Counts what passes through it, and shows itself once that takes long."""

    compiling_width = 120  # its own news are short

    def __init__(self, total: int | None, unit: str, doing: str) -> None:
        super().__init__(total, 0, unit)  # a total may be given later
        self.doing, self.seen, self.is_stopped = doing, 0, False

    def __call__(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """The same things, counted, until somebody wants to stop."""
        for thing in things:
            if self.is_stopped:
                return
            self.seen += 1
            if self.seen % LOOK_EVERY == 0:
                self.report(self.doing)
            yield thing

    def report(self, news: str) -> None:
        """How it stands, if it takes long."""
        if err.is_terminal and time.monotonic() - self._started > PATIENCE_S:
            self.advance(0, news)

    def advance(self, count: int, news: str) -> None:
        """Show what has been seen by now."""
        super().advance(self.seen - self.done, news)
        self._bar.start()  # once; later calls do nothing

    def __enter__(self) -> Self:
        return self


@contextlib.contextmanager
def counting_interrupts(press: Callable[[int], None]) -> Iterator[Callable[[], bool]]:
    """Ctrl-C calls `press` with how often it was pressed; yields whether it ever was."""
    presses = 0

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        press(presses)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: presses > 0
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def stoppable(watch: Watch, last_words: str) -> Iterator[None]:
    """Ctrl-C ends what passes through the watch, and what has passed stays; twice, all ends."""

    def press(times: int) -> None:
        if watch.is_stopped:
            raise KeyboardInterrupt
        watch.is_stopped = True
        err.print(f"{last_words}; Ctrl-C again to leave at once")

    with counting_interrupts(press):
        yield


@contextlib.contextmanager
def watching(total: int | None, unit: str, doing: str) -> Iterator[Watch]:
    """A watch over some work, in which kernels may have to be compiled."""
    watch = Watch(total, unit, doing)
    with watch, on_compiling(watch.compiling):
        yield watch
