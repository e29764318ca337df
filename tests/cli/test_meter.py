"""Progress: what is counted, when it is shown, and how Ctrl-C ends it."""

from __future__ import annotations

import io
import os
import signal

import pytest
from rich.console import Console

from plyground import kernel
from plyground.cli import meter
from plyground.cli.meter import Meter, stoppable, watching


class Shown:
    """A terminal that keeps what was written to it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> None:
        self.file = io.StringIO()
        console = Console(file=self.file, force_terminal=is_terminal, width=80)
        monkeypatch.setattr(meter, "err", console)

    @property
    def text(self) -> str:
        return self.file.getvalue()


@pytest.fixture
def terminal(monkeypatch):
    return Shown(monkeypatch, True)


@pytest.fixture
def pipe(monkeypatch):
    return Shown(monkeypatch, False)


def impatient(monkeypatch) -> None:
    monkeypatch.setattr(meter, "PATIENCE_S", -1.0)
    monkeypatch.setattr(meter, "LOOK_EVERY", 1)


def test_what_is_quick_shows_nothing(terminal):
    with watching(1000, "games", "reading") as watch:
        assert list(watch(range(1000))) == list(range(1000))
    assert watch.seen == 1000
    assert terminal.text == ""


def test_what_takes_long_shows_how_far_it_is(terminal, monkeypatch):
    impatient(monkeypatch)
    with watching(2000, "games", "reading") as watch:
        for number in watch(range(1500)):
            assert watch.seen == number + 1
    assert "reading" in terminal.text
    assert "/2,000 games" in terminal.text
    assert "/s" in terminal.text


def test_nothing_is_shown_where_nobody_looks(pipe, monkeypatch):
    impatient(monkeypatch)
    with watching(20, "games", "reading") as watch:
        assert len(list(watch(range(20)))) == 20
    assert pipe.text == ""


def test_an_estimate_that_was_too_low_grows(terminal):
    with Meter(2, 0, "games") as progress:
        progress.advance(5, "")
        assert (progress.done, progress.total) == (5, 5)


def test_without_an_estimate_only_what_is_done_is_told(terminal, monkeypatch):
    impatient(monkeypatch)
    with watching(None, "games", "reading") as watch:
        list(watch(range(3)))
    assert "3 games" in terminal.text


@pytest.mark.parametrize("is_terminal", [True, False])
def test_compiling_is_told_at_once(monkeypatch, is_terminal):
    shown = Shown(monkeypatch, is_terminal)
    with watching(2, "games", "reading"):
        assert len(kernel.on_compile) == 1
        kernel.on_compile[0]("compiling something")
    assert "compiling something" in shown.text
    assert kernel.on_compile == []


def test_ctrl_c_ends_between_two_things_and_twice_at_once(pipe):
    seen = []
    with watching(9, "games", "reading") as watch:
        with stoppable(watch, "keeping what there is"):
            for number in watch(range(9)):
                seen.append(number)
                if number == 3:
                    os.kill(os.getpid(), signal.SIGINT)
        assert (seen, watch.is_stopped) == ([0, 1, 2, 3], True)
        assert pipe.text == "keeping what there is; Ctrl-C again to leave at once\n"
        with pytest.raises(KeyboardInterrupt), stoppable(watch, ""):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
