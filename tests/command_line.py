"""The command line for tests: inside this process, which is quick, or as one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from plyground.cli.app import main

# A terminal of 80 columns without colours, whatever the terminal in which the tests run.
PLAIN_TERMINAL = {"COLUMNS": "80", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
NOT_INHERITED = (
    *("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("NUMBA_DISABLE_JIT", "PYTHONUNBUFFERED"),
)


class Result(NamedTuple):
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str


def environment(**changes: str) -> dict[str, str]:
    """The environment of a command: this one, with a plain terminal."""
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    return inherited | PLAIN_TERMINAL | changes


def run(*arguments: str | Path, typed: str = "") -> Result:
    """The real entry point, run inside this process, with something typed into it."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    argv = ["plyground", *map(str, arguments)]
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        for name in os.environ.keys() - environment().keys():
            patch.delenv(name)
        for name, value in environment().items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", argv)
        patch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            main()
        except SystemExit as leaving:
            status = int(leaving.code or 0)
    return Result(status, out.getvalue(), err.getvalue())


def run_process(*arguments: str | Path, typed: str = "", **changes: str) -> Result:
    """The same as a process of its own, with pipes for what is typed and what is printed."""
    done = subprocess.run(
        [sys.executable, "-m", "plyground", *map(str, arguments)],
        env=environment(**changes),
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def refusal(result: Result) -> str:
    """The message of a command that could not use what it was given, and printed nothing else."""
    assert result.status == 2, result
    assert result.out == ""
    assert "Traceback" not in result.err
    return result.err


def one_line(result: Result) -> str:
    """The same for messages of our own: a single line that begins with the word error."""
    message = refusal(result)
    assert message.startswith("error: ")
    assert message.count("\n") == 1, message
    return message.removeprefix("error: ").rstrip("\n")
