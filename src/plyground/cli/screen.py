"""What a person sees of a game under way: a page that is redrawn, or lines one after another.

A terminal gets the page: the position, what each side did last, what was asked for. Anything else
gets lines as they come, without control codes.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.markup import escape
from rich.text import Text

from plyground.cli.common import compiling_shown, now_s, out, spinning
from plyground.drawing.terminal import UNICODE, symbols_for
from plyground.kernel import on_compiling

SHOW_WAIT_S = 0.5
HOME, ERASE_LINE, ERASE_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


@dataclass
class Wait:
    """Something that takes time."""

    line: str
    """What it is."""
    time_s: float = 0.0
    """How long it took, once it is over."""
    compiling: str = ""
    """What had to be compiled; that takes far longer than any thought."""


def typed_line(prompt: str) -> str | None:
    """A line typed by a person; None when there are no more."""
    is_echoed = False
    try:
        line = out.input(escape(prompt))
        is_echoed = sys.stdin.isatty()
    except EOFError:
        return None
    finally:
        if not is_echoed:  # from a pipe, or cut off: nobody has ended the line of the prompt
            out.print()
    return line


class Lines:
    """One thing after another."""

    def open(self, title: str, about: str, explanation: str) -> None:
        """Before the first position: what is played, and what can be typed."""
        for line in filter(None, (title, about, explanation)):
            out.print(line)

    def position(self, board: Text, status: str) -> None:
        """The position now."""
        self.mark(board)
        out.print(status)

    def mark(self, board: Text) -> None:
        """The same position once more with something marked, until a person answers."""
        out.print()
        out.print(board, end="")

    def did(self, side: int, line: str) -> None:
        """What a side did; '' if nobody needs to be told."""
        if line:
            out.print(line, soft_wrap=True)

    def say(self, line: str) -> None:
        """An answer to what a person typed."""
        out.print(line, soft_wrap=True)

    def ask(self, prompt: str) -> str | None:
        """A line typed by a person; None when there are no more."""
        return typed_line(prompt)

    @contextlib.contextmanager
    def waiting(self, line: str) -> Iterator[Wait]:
        """While something takes time; the line says what."""
        wait, started = Wait(line), now_s()

        def on_line(compiling: str) -> None:
            wait.compiling = compiling

        try:
            with on_compiling(on_line), self._shown(wait):
                yield wait
        finally:
            wait.time_s = now_s() - started

    def _shown(self, wait: Wait) -> contextlib.AbstractContextManager[None]:
        return compiling_shown()

    def pause(self, seconds: float) -> None:
        """Leave time to look."""
        out.file.flush()
        time.sleep(seconds)

    def close(self, moves: str = "") -> None:
        """After the last position; lines printed later stand below."""


class Page(Lines):
    """The whole window, drawn again from its first line whenever something has changed."""

    def __init__(self) -> None:
        self.head = ""
        self.board, self.status = Text(), ""
        self.marked: Text | None = None
        self.deeds: list[tuple[int, str]] = []
        self.notes: list[str] = []
        self.is_drawn = False

    def open(self, title: str, about: str, explanation: str) -> None:
        self.head = f"{title}\n{about}\n"
        self.notes = [explanation] if explanation else []
        out.file.write("\n" * out.height)  # what stood in the window stays in the scrollback

    def position(self, board: Text, status: str) -> None:
        self.board, self.status, self.is_drawn = board, status, False

    def mark(self, board: Text) -> None:
        self.marked, self.is_drawn = board, False

    def did(self, side: int, line: str) -> None:
        """A side that moves again and again, as in Kalah, has all of it shown."""
        if not line or not self.deeds or self.deeds[-1][0] != side:
            self.deeds = [deed for deed in self.deeds if deed[0] != side]
        self.deeds.append((side, line))
        self.is_drawn = False

    def say(self, line: str) -> None:
        self.notes.append(line)
        self.is_drawn = False

    def ask(self, prompt: str) -> str | None:
        self._draw()
        answer = typed_line(prompt)
        self.marked, self.notes = None, []
        self.is_drawn = False  # what was typed has to go from the window too
        return answer

    def _shown(self, wait: Wait) -> contextlib.AbstractContextManager[None]:
        self._draw()

        def line(seconds: float) -> str:
            is_worth_it = wait.compiling or seconds > SHOW_WAIT_S
            return f"{escape(wait.compiling or wait.line)}, {seconds:.0f} s" if is_worth_it else ""

        return spinning(out, line, spinner="dots" if symbols_for(out) is UNICODE else "line")

    def pause(self, seconds: float) -> None:
        self._draw()
        time.sleep(seconds)

    def close(self, moves: str = "") -> None:
        self._draw()
        if moves:  # the page has forgotten them
            out.print(f"[dim]moves:[/] {escape(moves)}", soft_wrap=True)

    def _draw(self) -> None:
        """In one go and without clearing first, so that nothing flickers."""
        if self.is_drawn:
            return
        with out.capture() as drawn:
            out.print(self.head)
            out.print(self.marked or self.board, end="")
            deeds = [line for _, line in self.deeds if line]
            for line in (self.status, *deeds, *self.notes):
                out.print(line)
        out.file.write(HOME + drawn.get().replace("\n", ERASE_LINE + "\n") + ERASE_BELOW)
        out.file.flush()
        self.is_drawn = True
