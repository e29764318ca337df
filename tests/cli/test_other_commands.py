"""`check`, `playthrough` and `warm`, and what holds for every command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from command_line import environment, one_line, refusal, run, run_process

# ------------------------------------------------------------------ check


def test_check_reports_how_much_it_checked():
    result = run("check", "tictactoe", "--games", "3", "--seed", "2")
    assert result.status == 0, result.err
    assert result.out.startswith("ok  mnk: ")
    assert "3 random games" in result.out


def test_check_obeys_settings():
    assert run("check", "othello", "--games", "1", "--set", "size=4").status == 0


@pytest.mark.parametrize(
    "option, value",
    [("--games", "0"), ("--games", "x"), ("--seed", "-1"), ("--seed", str(2**64))],
)
def test_check_refuses_bad_numbers(option, value):
    assert option in refusal(run("check", "tictactoe", option, value))


# ------------------------------------------------------------------ playthrough


def test_a_playthrough_names_its_game_and_seed_and_ends_with_the_result():
    result = run("playthrough", "tictactoe", "--seed", "3")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("game: mnk\nseed: 3\n")
    assert "over: True" in result.out.rpartition("# ply")[2]


def test_the_same_seed_gives_the_same_playthrough_and_another_seed_another():
    texts = [run("playthrough", "tictactoe", "--seed", seed).out for seed in ("3", "3", "4")]
    assert texts[0] == texts[1]
    assert texts[0].partition("# ply")[2] != texts[2].partition("# ply")[2]


def test_a_playthrough_obeys_settings():
    out = run("playthrough", "othello", "--set", "size=4").out
    assert "position: -----OX--XO----- X" in out


def test_a_playthrough_has_only_ascii_and_no_blanks_at_the_ends_of_lines():
    out = run("playthrough", "double-card", "--set", "cards=4", "--set", "max_moves=6").out
    assert out.isascii()
    assert [line for line in out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize("seed", ["-1", "x", str(2**64)])
def test_a_playthrough_refuses_a_bad_seed(seed):
    assert "--seed" in refusal(run("playthrough", "tictactoe", "--seed", seed))


# ------------------------------------------------------------------ warm


def test_warm_leaves_nothing_for_perft_to_compile(tmp_path):
    warmed = run_process("warm", "tictactoe", PLYGROUND_CACHE=str(tmp_path))
    assert warmed.status == 0
    assert warmed.out.startswith("mnk: ready")
    assert {path.name.partition("-")[0] for path in tmp_path.glob("*.code")} >= {
        "perft",
        "playout",
        "playouts",
        "abmemory",
    }
    counted = run_process("perft", "tictactoe", "-d", "2", PLYGROUND_CACHE=str(tmp_path))
    assert counted.err == ""
    played = run_process(
        *("play", "tictactoe", "--first", "medium", "--second", "expert", "--no-store"),
        PLYGROUND_CACHE=str(tmp_path),
    )
    assert "compiling" not in played.err


def test_warm_for_one_player_compiles_that_alone(tmp_path):
    warmed = run_process("warm", "mnk", "--player", "greedy", PLYGROUND_CACHE=str(tmp_path))
    assert warmed.status == 0
    assert not list(tmp_path.glob("abmemory-*"))
    assert list(tmp_path.glob("*.code"))


def test_warm_refuses_an_unknown_player():
    assert "did you mean greedy?" in one_line(run("warm", "mnk", "--player", "gredy"))


def test_warm_takes_several_games():
    lines = run("warm", "tictactoe", "connect4").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["mnk", "connect4"]


def test_warm_refuses_an_unknown_game_before_compiling_another():
    message = one_line(run("warm", "tictactoe", "otello"))
    assert "did you mean othello?" in message


# ------------------------------------------------------------------ every command


def run_into_closed_pipe(*arguments: str) -> tuple[int, str]:
    """A command whose reader has gone before it prints anything, as after `| head -0`."""
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *arguments],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=writing_end,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    finally:
        os.close(writing_end)
    _, err = process.communicate(timeout=120)
    return process.returncode, err


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("show", "othello", "--json"),
        ("playthrough", "tictactoe"),
        ("play", "tictactoe", "--first", "random", "--second", "random"),
        ("--help",),
    ],
)
def test_a_closed_pipe_ends_a_command_without_complaint(arguments):
    status, err = run_into_closed_pipe(*arguments)
    assert err == ""
    assert status != 0


def test_the_first_line_of_a_long_output_can_be_cut_off():
    """`plyground playthrough ... | head -1`: more than a pipe holds, and only its start is read."""
    long_game = ("double-card", "--set", "line=12", "--set", "max_moves=60")
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "playthrough", *long_game],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout.readline() == "game: double-card\n"
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert err == ""
    assert process.wait(timeout=120) != 0


def test_an_interrupted_command_leaves_without_a_traceback(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "perft", "othello", "-d", "12"],
        env=environment(PLYGROUND_CACHE=str(tmp_path)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stderr.readline().startswith("compiling perft")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err.strip()) == (130, "", "")


@pytest.mark.parametrize(
    "command", ["play", "games", "show", "perft", "check", "playthrough", "warm"]
)
def test_every_command_explains_itself(command):
    result = run(command, "--help")
    assert result.status == 0
    assert "Usage:" in result.out


def test_no_command_at_all_shows_the_help():
    result = run()
    assert "Usage:" in result.out + result.err


def test_colours_are_for_terminals_only():
    for arguments in (("games",), ("show", "othello"), ("show", "otello")):
        result = run(*arguments)
        assert "\x1b" not in result.out + result.err
