"""Commands at a terminal: wait for a prompt, type an answer, look at the window.

`Terminal` is a real process at a real pseudo-terminal. `sitting` is the same inside this process,
which is quick: it can type lines and look, but not interrupt.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from command_line import environment
from patience import PATIENCE_S, until

from plyground.cli.app import main

CODE = re.compile(r"\x1b\[([0-9;?]*)([a-zA-Z])")


class Window:
    """What a person sees after some output; knows the few codes that the program uses."""

    def __init__(self, rows: int = 40, columns: int = 80) -> None:
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.scrolled: list[str] = []
        self.row = self.column = 0

    def feed(self, text: str) -> None:
        place = 0
        while place < len(text):
            if code := CODE.match(text, place):
                self._obey(code[1], code[2])
                place = code.end()
            else:
                self._put(text[place])
                place += 1

    def text(self) -> str:
        lines = [self._line(row) for row in range(self.rows)]
        return "\n".join(lines).rstrip("\n") + "\n"

    def _line(self, row: int) -> str:
        return "".join(self.cells[row]).rstrip()

    def _obey(self, numbers: str, letter: str) -> None:
        if letter == "H":
            assert numbers == ""
            self.row = self.column = 0
        elif letter == "K":
            start = 0 if numbers == "2" else self.column
            self.cells[self.row][start:] = [" "] * (self.columns - start)
        elif letter == "J":
            self._obey("", "K")
            for row in range(self.row + 1, self.rows):
                self.cells[row] = [" "] * self.columns
        elif letter == "A":
            self.row = max(0, self.row - int(numbers or 1))
        else:
            assert letter in "mhl", f"what is {letter}?"  # colours, the cursor

    def _put(self, sign: str) -> None:
        if sign == "\r":
            self.column = 0
        elif sign == "\n":
            self._next_line()
        elif sign not in "\x07\b":
            if self.column == self.columns:
                self._next_line()
                self.column = 0
            self.cells[self.row][self.column] = sign
            self.column += 1

    def _next_line(self) -> None:
        if self.row < self.rows - 1:
            self.row += 1
            return
        self.scrolled.append(self._line(0))
        self.cells = [*self.cells[1:], [" "] * self.columns]


class _Output(io.StringIO):
    """Standard output that claims to be a terminal, and is a window."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self.window = window

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.window.feed(text.replace("\n", "\r\n"))
        return super().write(text)


class _Input(io.StringIO):
    """Standard input at which somebody looks up before typing each line."""

    def __init__(self, window: Window, lines: tuple[str, ...]) -> None:
        super().__init__("".join(line + "\n" for line in lines))
        self.window, self.seen = window, list[str]()

    def isatty(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:
        self.seen.append(self.window.text())
        line = super().readline(-1 if size is None else size)
        self.window.feed(line.replace("\n", "\r\n"))  # the echo
        return line


def sitting(*arguments: str | Path, typed: tuple[str, ...]) -> list[str]:
    """The window at every prompt, and at the end; after what is typed there comes no more."""
    window = Window()
    out, typing = _Output(window), _Input(window, typed)
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
    ):
        for name, value in environment(TERM="xterm", LINES="40").items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["plyground", *map(str, arguments)])
        patch.setattr(sys, "stdin", typing)
        with contextlib.suppress(SystemExit):
            main()
    return [*typing.seen, window.text()]


class Terminal:
    """A command with a window of its own."""

    def __init__(
        self, *arguments: str | Path, rows: int = 40, columns: int = 80, **changes: str
    ) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        settings = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(rows)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *map(str, arguments)],
            env=environment(**(settings | changes)),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            preexec_fn=_own_this_terminal,
        )
        os.close(slave)
        self.window = Window(rows, columns)
        self.unread = ""
        self.codes = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def wait_for(self, text: str) -> str:
        """What appears until the text does, without its colours; the text included."""
        while text not in _plain(self.unread):
            chunk = self._read()
            assert chunk, f"the command ended without {text!r}: {self.unread}"
            self.unread += chunk
        shown = _plain(self.unread)
        self.unread = ""
        return shown

    def answer(self, line: str) -> None:
        os.write(self.master, (line + "\n").encode())

    def interrupt(self, at_prompt: bool = False) -> None:
        """Type Ctrl-C; at a prompt, as soon as a line is waited for.

        A prompt is shown before Python waits for a line, and a signal between the two is noticed
        only when the line comes.
        """
        if at_prompt:
            until(self._waits_for_line, "waiting for a line")
        os.write(self.master, b"\x03")

    def _waits_for_line(self) -> bool:
        """Whether the main thread is in a call of the system whose first argument is stdin."""
        number = self.process.pid
        call = Path(f"/proc/{number}/task/{number}/syscall").read_text(encoding="ascii").split()
        return call[1:2] == ["0x0"]

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=PATIENCE_S)

    def wait_for_end(self) -> str:
        """The window when the command has ended."""
        while self._read():
            pass
        self.process.wait(timeout=PATIENCE_S)
        return self.window.text()

    def _read(self) -> str:
        ready, _, _ = select.select([self.master], [], [], PATIENCE_S)
        assert ready, f"the command said nothing for two minutes: {self.window.text()}"
        try:
            chunk = os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # how Linux reports that the other end has closed
            return ""
        self.window.feed(chunk)
        self.codes += chunk
        return chunk


def _own_this_terminal() -> None:
    """Ctrl-C goes to whom the terminal belongs."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _plain(text: str) -> str:
    return CODE.sub("", text)
