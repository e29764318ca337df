"""`plyground play` at a pseudo-terminal: what is seen in the window, Ctrl-C, kills."""

from __future__ import annotations

import os
import re
import signal

import pytest
from command_line import run
from patience import PATIENCE_S
from terminal import Terminal

from plyground.cli import saved_game

TWO_PEOPLE = ("--first", "human", "--second", "human")
PROMPT = "? for help: "
KEPT = "kept; go on with: plyground play --resume"
ENDLESS = ("mnk", "--set", "m=8", "--set", "n=8", "--set", "k=5", "--second", "alphabeta:depth=40")


def play(*arguments: str, **changes: str) -> Terminal:
    """A game without a compiler: everything but long searches is quicker so."""
    return Terminal("play", *arguments, **({"NUMBA_DISABLE_JIT": "1"} | changes))


def typed(terminal: Terminal, *lines: str) -> str:
    """Answer one prompt after the other; the window at the prompt that follows."""
    terminal.wait_for(PROMPT)
    for line in lines:
        typed_once(terminal, line)
    return terminal.window.text()


def typed_once(terminal: Terminal, line: str) -> str:
    """Answer the prompt that stands there; the window at the next."""
    terminal.answer(line)
    terminal.wait_for(PROMPT)
    return terminal.window.text()


@pytest.fixture
def compiled() -> None:
    """What an endless search needs is on disk; otherwise it would be seen to compile for ever."""
    assert run("play", *ENDLESS[:-1], "alphabeta:depth=1", typed="d4\nr\n").status == 0


# ------------------------------------------------------------------ the window


def test_commands_at_a_real_terminal():
    """A move, a hint, an undo: X on a1 and a2, O on b1 and b2, and a3 wins at once."""
    with play("tictactoe", *TWO_PEOPLE, "--moves", "a1b1a2") as terminal:
        assert "1  X  O  ·\n2  X [O] ·\n3  +  ·  ·\n" in typed(terminal, "b2", "hint")
        assert "1  X  O  +\n2 [X] +  +\n3  +  +  +\n" in typed_once(terminal, "u")
        terminal.answer("q")
        check_kept(terminal, 0, "a1", "b1", "a2")


def test_what_stood_in_the_window_before_is_in_the_scrollback():
    with play("tictactoe", *TWO_PEOPLE) as terminal:
        terminal.window.feed("$ plyground play tictactoe\r\n")
        typed(terminal, "b2")
        assert terminal.window.scrolled[0] == "$ plyground play tictactoe"


def test_a_machine_that_thinks_for_long_is_seen_to_think():
    with play("mnk", "--set", "m=8", "--set", "n=8", "--second", "uct:time=1s") as terminal:
        terminal.wait_for(PROMPT)
        terminal.answer("d4")
        terminal.wait_for("O is thinking, ")
        terminal.wait_for(PROMPT)
        assert "thinking" not in terminal.window.text()


# ------------------------------------------------------------------ kinds of terminals


def test_a_terminal_gets_colours():
    with play("connect4", *TWO_PEOPLE) as terminal:
        typed(terminal, "4")
        assert re.search(r"\x1b\[1;33m\[●\]", terminal.codes)  # yellow


def test_no_color_leaves_a_terminal_without_colours():
    with play("connect4", *TWO_PEOPLE, NO_COLOR="1") as terminal:
        assert "[●]" in typed(terminal, "4")
        assert re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.codes) is None


def test_a_terminal_without_unicode_gets_letters():
    with play("othello", "--second", "first", PYTHONIOENCODING="ascii") as terminal:
        assert "[O]" in typed(terminal, "f5")
        assert terminal.codes.isascii()


def test_a_dumb_terminal_gets_lines_without_codes():
    with play("tictactoe", *TWO_PEOPLE, TERM="dumb") as terminal:
        window = typed(terminal, "b2", "a1")
        assert "\x1b" not in terminal.codes
        assert window.count("to move") == 3


def test_a_page_that_does_not_fit_shows_its_end():
    with play("double-card", *TWO_PEOPLE, rows=12) as terminal:
        window = typed(terminal, "0 5 A 1")
        assert window.rstrip().endswith("? for help:")
        assert "Player 2 to move" in window


# ------------------------------------------------------------------ the menu


@pytest.mark.parametrize("key, status", [("\x03", 130), ("\x04", 0)])
def test_the_menu_can_be_left(key, status):
    with play() as terminal:
        terminal.wait_for("[Othello]: ")
        os.write(terminal.master, key.encode())
        assert "Traceback" not in terminal.wait_for_end()
        assert terminal.process.returncode == status


# ------------------------------------------------------------------ leaving


def check_kept(terminal: Terminal, status: int, *moves: str) -> None:
    window = terminal.wait_for_end()
    assert terminal.process.returncode == status, window
    assert window.rstrip().endswith(KEPT)
    assert "Traceback" not in terminal.codes
    (path,) = saved_game.unfinished_games()
    assert saved_game.read(path).moves == moves


def test_ctrl_c_at_the_prompt_keeps_the_game():
    with play("tictactoe", *TWO_PEOPLE) as terminal:
        typed(terminal, "a1")
        terminal.interrupt(at_prompt=True)
        check_kept(terminal, 130, "a1")


def test_ctrl_d_at_the_prompt_keeps_the_game():
    with play("tictactoe", *TWO_PEOPLE) as terminal:
        typed(terminal, "a1")
        os.write(terminal.master, b"\x04")
        check_kept(terminal, 0, "a1")


def test_ctrl_c_before_the_first_move_leaves_nothing(data_folder):
    with play("tictactoe", *TWO_PEOPLE) as terminal:
        terminal.wait_for(PROMPT)
        terminal.interrupt(at_prompt=True)
        assert terminal.wait_for_end().rstrip().endswith("Bye.")
        assert terminal.process.returncode == 130
    assert not data_folder.exists()


def test_ctrl_c_is_heard_while_compiled_code_thinks(compiled):
    with Terminal("play", *ENDLESS) as terminal:
        terminal.wait_for(PROMPT)
        terminal.answer("d4")
        terminal.wait_for("O is thinking, ")
        terminal.interrupt()
        check_kept(terminal, 130, "d4")


def test_ctrl_c_is_heard_while_a_kernel_is_compiled(tmp_path):
    with Terminal("play", *ENDLESS, PLYGROUND_CACHE=str(tmp_path / "cache")) as terminal:
        terminal.wait_for(PROMPT)
        terminal.answer("d4")
        terminal.wait_for("compiling alphabeta for Mnk and Lines, first time only, ")
        terminal.interrupt()
        check_kept(terminal, 130, "d4")


def test_ctrl_c_is_heard_while_a_hint_is_looked_for(tmp_path):
    with Terminal("play", "tictactoe", *TWO_PEOPLE, PLYGROUND_CACHE=str(tmp_path)) as terminal:
        typed(terminal, "b2")
        terminal.answer("h")
        terminal.wait_for("compiling ")
        terminal.interrupt()
        check_kept(terminal, 130, "b2")


@pytest.mark.full
def test_ctrl_c_is_heard_while_a_machine_ponders(compiled):
    """Compiled: a search in plain Python leaves the other threads little of the interpreter."""
    ponders = (*ENDLESS[:-1], "alphabeta:depth=40,ponder=yes")
    with Terminal("play", *ponders, "--moves", "d4 e4") as terminal:
        typed(terminal, "u")
        terminal.interrupt(at_prompt=True)
        check_kept(terminal, 130)


def test_ctrl_c_is_heard_between_the_moves_of_machines():
    players = ("--first", "first", "--second", "first", "--delay", "1m", "--moves", "b2")
    with play("tictactoe", *players) as terminal:
        terminal.wait_for("O to move")
        terminal.interrupt()
        assert terminal.wait_for_end().rstrip().endswith("Bye.")
        assert terminal.process.returncode == 130


@pytest.mark.parametrize("when", ["at the prompt", "thinking"])
def test_a_kill_loses_no_move(compiled, when):
    opponent = ENDLESS if when == "thinking" else (*ENDLESS[:-1], "first")
    with Terminal("play", *opponent) as terminal:
        terminal.wait_for(PROMPT)
        terminal.answer("d4")
        terminal.wait_for("O is thinking, " if when == "thinking" else PROMPT)
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait(timeout=PATIENCE_S)
    with play("--resume", "--second", "first") as terminal:
        terminal.wait_for(PROMPT)
        cells = re.findall(r"^4 (.*)$", terminal.window.text(), re.MULTILINE)[0].split()
        assert cells == ["+", "+", "+", "X", "+", "+", "+", "+"]
        assert "1 [O]" in terminal.window.text()


def test_after_a_kill_the_game_goes_on_to_its_end():
    with play("tictactoe", *TWO_PEOPLE) as terminal:
        typed(terminal, "a1", "b1", "a2", "b2")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait(timeout=PATIENCE_S)
    result = run("play", "--resume", typed="a3\n")
    assert result.out.rstrip().endswith("X wins")
    assert saved_game.unfinished_games() == []
