"""`plyground play`: whole sessions, typed into a pipe or at a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys

import pytest
from command_line import Result, environment, one_line, refusal, run, run_process

TWO_PEOPLE = ("--first", "human", "--second", "human")
TWO_RANDOM = ("--first", "random", "--second", "random")


def session(*arguments: str, typed: list[str]) -> Result:
    """A session in which these lines are typed, and then no more."""
    return checked(run("play", *arguments, typed="".join(line + "\n" for line in typed)))


def piped_session(*arguments: str, typed: list[str]) -> Result:
    """The same in a process of its own."""
    return checked(run_process("play", *arguments, typed="".join(line + "\n" for line in typed)))


def checked(result: Result) -> Result:
    assert (result.status, result.err) == (0, "")
    return result


def boards(result: Result) -> list[str]:
    """The boards of a session of tic-tac-toe as nine letters each, the last move in upper case."""
    rows = re.findall(r"^[123] (.*)$", result.out, re.MULTILINE)
    symbols = {"●": "x", "○": "o", "X": "x", "O": "o", "·": "-", "+": "-", ".": "-"}
    cells = [
        symbols[symbol].upper() if bracket == "[" else symbols[symbol]
        for row in rows
        for bracket, symbol in re.findall(r"([ \[])(\S)[ \]]", row)
    ]
    return ["".join(cells[i : i + 9]) for i in range(0, len(cells), 9)]


# ------------------------------------------------------------------ two people


def test_two_people_play_a_whole_game():
    result = piped_session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", "a2", "b2", "a3"])
    assert boards(result) == [
        "---------",
        "X--------",
        "xO-------",
        "xo-X-----",
        "xo-xO----",
        "xo-xo-X--",
    ]
    assert result.out.rstrip().endswith("X wins")


def test_each_side_is_asked_in_turn_by_its_name():
    result = session("othello", *TWO_PEOPLE, typed=["f5", "d6", "q"])
    assert re.findall(r"(\w+), your move", result.out) == ["Black", "White", "Black"]


def test_an_illegal_move_is_explained_and_asked_again():
    result = piped_session("tictactoe", *TWO_PEOPLE, typed=["a1", "a1", "b2", "q"])
    assert "a1 is illegal: the cell is taken" in result.out
    assert boards(result) == ["---------", "X--------", "x---O----"]


def test_nonsense_is_explained_and_asked_again():
    result = session("tictactoe", *TWO_PEOPLE, typed=["hello", "z9", "[bold]", "b2", "q"])
    assert re.search(r"'hello'.* expected .*a1 to c3", result.out)
    assert "column 'z' is off the board; expected a to c" in result.out
    assert re.search(r"'\[bold\]'.* expected", result.out)  # no markup for us
    assert boards(result) == ["---------", "----X----"]


def test_an_empty_line_is_just_asked_again():
    result = session("tictactoe", *TWO_PEOPLE, typed=["", "  ", "b2", "q"])
    assert boards(result) == ["---------", "----X----"]


def test_a_pasted_batch_of_moves_is_played_at_once():
    result = piped_session("tictactoe", *TWO_PEOPLE, typed=["a1 b1 a2", "b2a3"])
    assert boards(result) == ["---------", "xo-X-----", "xo-xo-X--"]
    assert result.out.rstrip().endswith("X wins")


def test_a_batch_with_a_bad_move_changes_nothing_and_names_it():
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1 b1 a1 c3", "b2", "q"])
    assert "move 3, 'a1': a1 is illegal: the cell is taken" in result.out
    assert boards(result) == ["---------", "----X----"]


@pytest.mark.parametrize("word", ["u", "undo", "U"])
def test_undo_takes_one_move_back(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", word, "c1", "q"])
    assert boards(result) == ["---------", "X--------", "xO-------", "X--------", "x-O------"]


def test_undo_at_the_start_says_that_there_is_nothing():
    result = session("tictactoe", *TWO_PEOPLE, typed=["u", "q"])
    assert "there is nothing to take back" in result.out


def test_undo_may_take_back_moves_given_on_the_command_line():
    arguments = ("tictactoe", *TWO_PEOPLE, "--moves", "a1 b1")
    assert boards(session(*arguments, typed=["u", "q"])) == ["xO-------", "X--------"]


@pytest.mark.parametrize("word", ["m", "moves"])
def test_the_legal_moves_are_listed_on_request(word):
    result = session("tictactoe", *TWO_PEOPLE, "--moves", "a1b1c1a2b2c2", typed=[word, "q"])
    assert re.search(r": a3; b3; c3$", result.out, re.MULTILINE)


@pytest.mark.parametrize("word", ["?", "h", "help"])
def test_help_is_given_on_request(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=[word, "q"])
    assert result.out.count("q ends.") == 2  # once at the start


@pytest.mark.parametrize("word", ["q", "quit", "exit", " Q "])
def test_quitting_says_goodbye(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=[word])
    assert result.out.endswith("Bye.\n")


def test_the_end_of_input_ends_the_game():
    result = run_process("play", "tictactoe", *TWO_PEOPLE, typed="a1\n")
    assert (result.status, result.err) == (0, "")
    assert boards(result)[-1] == "X--------"
    assert result.out.endswith("Bye.\n")


# ------------------------------------------------------------------ against the random player


def test_the_random_player_answers_and_its_move_is_announced():
    result = session("tictactoe", "--seed", "3", typed=["b2", "q"])
    (move,) = re.findall(r"^O plays (\w\d)$", result.out, re.MULTILINE)
    cell = "abc".index(move[0]) + 3 * (int(move[1]) - 1)
    assert boards(result)[-1][cell] == "O"


def test_undo_against_the_random_player_returns_to_ones_own_move():
    result = piped_session("tictactoe", "--seed", "3", typed=["b2", "u", "q"])
    assert boards(result)[1] == "----X----"
    assert boards(result)[-1] == "---------"
    assert re.findall(r"(\w), your move", result.out) == ["X", "X", "X"]


def test_a_batch_against_the_random_player_is_refused():
    result = piped_session("tictactoe", "--seed", "3", typed=["a1 b1", "q"])
    assert "one move at a time against the random player" in result.out
    assert boards(result) == ["---------"]


def test_the_random_player_may_begin():
    result = session("tictactoe", "--first", "random", "--second", "human", typed=["q"])
    assert result.out.count("X plays") == 1
    assert "O, your move" in result.out


def test_two_random_players_play_to_the_end():
    result = run("play", "tictactoe", *TWO_RANDOM, "--seed", "5")
    assert result.status == 0
    assert result.out.splitlines()[-1].split("(")[0].strip() in ("X wins", "O wins", "Draw")
    assert "your move" not in result.out


def test_the_same_seed_gives_the_same_game():
    games = [run("play", "othello", *TWO_RANDOM, "--seed", seed).out for seed in ("5", "5", "6")]
    assert games[0] == games[1] != games[2]


def test_without_a_seed_games_differ():
    """Two random games of Othello that agree in all of some sixty moves: not in a lifetime."""
    assert run("play", "othello", *TWO_RANDOM).out != run("play", "othello", *TWO_RANDOM).out


# ------------------------------------------------------------------ passes, positions, settings


def test_a_forced_pass_is_announced_and_made():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    arguments = ("othello", *TWO_PEOPLE, "--set", "size=4")
    result = piped_session(*arguments, typed=["b1", "c1", "d3", "a1", "q"])
    assert "Black has no move: pass" in result.out
    asked = re.findall(r"(\w+), your move", result.out)
    assert asked == ["Black", "White", "Black", "White", "White"]


def test_undo_goes_back_beyond_a_forced_pass():
    arguments = ("othello", *TWO_PEOPLE, "--set", "size=4")
    result = session(*arguments, typed=["b1", "c1", "d3", "a1", "u", "q"])
    after_undo = result.out.rpartition("your move")[0].rpartition("your move")[2]
    assert "White to move" in after_undo
    assert "[●]" in after_undo  # Black's d3 is the last move again


def test_a_game_may_start_from_a_position():
    result = session("tictactoe", *TWO_PEOPLE, "--position", "XX-/OO-/---", typed=["c1"])
    assert boards(result) == ["xx-oo----", "xxXoo----"]
    assert result.out.rstrip().endswith("X wins")


def test_a_finished_game_is_shown_and_not_asked_about():
    result = session("tictactoe", *TWO_PEOPLE, "--moves", "a1b1a2b2a3", typed=[])
    assert "your move" not in result.out
    assert result.out.rstrip().endswith("X wins")


def test_settings_are_obeyed():
    result = session("mnk", *TWO_PEOPLE, "--set", "k=2", typed=["a1 c3 a2"])
    assert result.out.rstrip().endswith("X wins")


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("option", ["--first", "--second"])
def test_an_unknown_player_is_refused(option):
    message = one_line(run("play", "tictactoe", option, "alice"))
    assert message == "unknown player 'alice'; known: human, random"


def test_a_misspelt_player_gets_the_right_one_suggested():
    assert "did you mean random?" in one_line(run("play", "tictactoe", "--first", "randm"))


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", str(2**64)])
def test_a_bad_seed_is_refused(seed):
    assert "--seed" in refusal(run("play", "tictactoe", *TWO_RANDOM, "--seed", seed))


def test_a_position_and_moves_exclude_each_other():
    both = ("--moves", "a1", "--position", "---/---/---")
    assert "exclude each other" in one_line(run("play", "tictactoe", *both))


# ------------------------------------------------------------------ terminals

PLAIN = {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}


@pytest.mark.parametrize("game", ["tictactoe", "othello", "connect4", "kalah", "double-card"])
def test_without_unicode_a_session_is_plain_ascii(game):
    result = run_process("play", game, *TWO_RANDOM, "--seed", "1", **PLAIN)
    assert (result.status, result.err) == (0, "")
    assert result.out.isascii()
    assert "?" not in result.out


def test_without_unicode_an_error_is_printed_all_the_same():
    result = run_process("show", "othello", "--moves", "\u24d5\u2464 \u2603", **PLAIN)
    assert result.status == 2
    assert result.err.isascii()
    assert "move 2" in result.err


def test_bytes_that_are_no_text_are_explained_and_asked_again():
    done = subprocess.run(
        [sys.executable, "-m", "plyground", "play", "tictactoe", *TWO_PEOPLE],
        env=environment(),
        input=b"a1\n\xff\xfe\nb2\nq\n",
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert boards(Result(0, done.stdout.decode(), ""))[-1] == "x---O----"


class Terminal:
    """A command at a pseudo-terminal: wait for a prompt, type an answer."""

    def __init__(self, *arguments: str, **changes: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *arguments],
            env=environment(**changes),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def wait_for(self, text: str) -> str:
        """What appears until the text does, the text included."""
        while text not in self.seen:
            chunk = self._read()
            assert chunk, f"the command ended without {text!r}: {self.seen}"
            self.seen += chunk
        shown, _, self.seen = self.seen.partition(text)
        return shown + text

    def answer(self, line: str) -> None:
        os.write(self.master, (line + "\n").encode())

    def wait_for_end(self) -> str:
        while chunk := self._read():
            self.seen += chunk
        self.process.wait(timeout=60)
        return self.seen

    def _read(self) -> str:
        ready, _, _ = select.select([self.master], [], [], 60)
        assert ready, f"the command said nothing for a minute after {self.seen!r}"
        try:
            return os.read(self.master, 65536).decode()
        except OSError:  # how Linux reports that the other end has closed
            return ""


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


PROMPT = "or q to quit: "


def test_some_moves_of_reversi_at_a_terminal():
    with Terminal("play", "reversi", *TWO_PEOPLE, TERM="xterm-256color") as terminal:
        opening = terminal.wait_for(PROMPT)
        assert "\x1b[" in opening  # a terminal gets colours
        assert "Othello" in without_colours(opening)
        terminal.answer("F5")
        shown = without_colours(terminal.wait_for(PROMPT))
        assert "5  ·  ·  ·  ●  ● [●] ·  ·" in shown
        terminal.answer("a5")
        assert "a5 is illegal: it turns no disc over" in without_colours(terminal.wait_for(PROMPT))
        terminal.answer("D6")
        assert "Black to move (Black 3, White 3)" in without_colours(terminal.wait_for(PROMPT))
        terminal.answer("q")
        assert without_colours(terminal.wait_for_end()).rstrip().endswith("Bye.")
        assert terminal.process.returncode == 0


def test_at_a_terminal_the_game_may_be_chosen_from_a_list():
    with Terminal("play", *TWO_PEOPLE) as terminal:
        listed = terminal.wait_for("]: ")
        assert "Connect Four" in listed and "Double Card" in listed
        terminal.answer("")  # Othello is for those who just press return
        assert "Black, your move" in terminal.wait_for(PROMPT)
        terminal.answer("q")
        terminal.wait_for_end()
        assert terminal.process.returncode == 0


def test_at_a_terminal_interrupting_leaves_without_a_traceback():
    with Terminal("play", "tictactoe", *TWO_PEOPLE) as terminal:
        terminal.wait_for(PROMPT)
        terminal.process.send_signal(signal.SIGINT)  # what Ctrl-C sends
        assert terminal.wait_for_end().rstrip().endswith("Bye.")


def test_no_color_leaves_a_terminal_without_colours():
    with Terminal("play", "tictactoe", *TWO_PEOPLE, TERM="xterm", NO_COLOR="1") as terminal:
        shown = terminal.wait_for(PROMPT)
        assert re.search(r"\x1b\[[0-9;]*3[0-7]m", shown) is None
