"""`plyground engine`: the real process behind pipes, and our own players as its clients."""

from __future__ import annotations

import contextlib
import random
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from command_line import environment, one_line, refusal, run, run_process
from patience import PATIENCE_S

from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.games.rules import is_over
from plyground.players.catalogue import make_player, name_engines
from plyground.players.engine import EnginePlayer
from plyground.players.spec import Turn

# Aubrey de Grey - Ben Pridmore, Cambridge Christmas 2005, 31-33: black passes twice, white thrice.
FIVE_PASSES = (
    "f5d6c3d3c4f4e6f6e3c5g4g3g5f3g6e2b6b5c2d2c1d1h3b4f7h4h5f8d7h7"
    "e7c8e1f1f2b1h6h2e8g1g8a7a3a4a6c7b3c6b7b8g2a2b2a5a1g7h1h8d8a8"
)


# ------------------------------------------------------------------ inside this process


def test_gtp_is_spoken() -> None:
    typed = "1 name\nplay b f5\n2 genmove w\nquit\nname\n"
    done = run("engine", "--protocol", "gtp", "--player", "first", typed=typed)
    assert done == (0, "=1 Plyground\n\n=\n\n=2 f4\n\n=\n\n", "")


def test_nboard_is_spoken() -> None:
    done = run("engine", "--protocol", "NBoard", "--player", "first", typed="F5\ngo\nping 3\n")
    assert done.status == 0
    assert done.out.splitlines()[0] == "status Plyground is thinking"
    assert done.out.splitlines()[-1] == "pong 3"


def test_a_game_and_its_settings_are_chosen() -> None:
    options = ("--protocol", "gtp", "--player", "first", "--game", "connect4", "--set", "width=5")
    done = run("engine", *options, typed="play b 5\nplay w 6\n")
    assert done.out.startswith("=\n\n? ")
    assert "from 1 to 5" in done.out


def test_a_seed_makes_chance_repeatable() -> None:
    options = ("engine", "--protocol", "gtp", "--player", "random", "--seed", "3")
    typed = "genmove b\ngenmove w\ngenmove b\ngenmove w\ngenmove b\n"
    assert run(*options, typed=typed) == run(*options, typed=typed)


def test_nothing_said_gets_no_answer() -> None:
    assert run("engine", "--protocol", "gtp", "--player", "first") == (0, "", "")


def test_what_a_game_prints_is_not_part_of_the_protocol(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "hexapawn.py"
    path = tmp_path / "loud.py"
    path.write_text(example.read_text() + '\n\nprint("imported")\n')
    options = ("--protocol", "gtp", "--player", "first", "--game", path)
    done = run("engine", *options, typed="name\n")
    assert done.out == "= Plyground\n\n"
    assert done.err == "imported\n"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--protocol", "uci"), "unknown protocol 'uci'; known: gtp, nboard"),
        (("--protocol", "nbord"), "unknown protocol 'nbord'; did you mean nboard?"),
        (("--protocol", "nboard", "--game", "kalah"), "nboard plays othello, not kalah; gtp"),
        (("--protocol", "nboard", "--set", "size=6"), "NBoard plays on 8x8; leave out the size"),
        (("--protocol", "gtp", "--player", "human"), "a human cannot be asked here"),
        (("--protocol", "gtp", "--player", "alpha"), "unknown player 'alpha'"),
        (("--protocol", "gtp", "--game", "chess"), "unknown game 'chess'"),
    ],
)
def test_what_cannot_be_is_refused(options: tuple[str, ...], complaint: str) -> None:
    assert one_line(run("engine", *options)).startswith(complaint)


def test_a_protocol_is_needed() -> None:
    assert "--protocol" in refusal(run("engine"))


# ------------------------------------------------------------------ as a process


class Process:
    """The engine, and somebody who reads and writes its pipes."""

    def __init__(self, protocol: str, player: str) -> None:
        words = ["-m", "plyground", "engine", "--protocol", protocol, "--player", player]
        pipe = subprocess.PIPE
        self.popen = subprocess.Popen(
            [sys.executable, *words],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=environment(),
            encoding="utf-8",
        )
        assert self.popen.stdin and self.popen.stdout and self.popen.stderr
        self.input: IO[str] = self.popen.stdin
        self.output: IO[str] = self.popen.stdout
        self.errors: IO[str] = self.popen.stderr
        self.watchdog = threading.Timer(PATIENCE_S, self.popen.kill)
        self.watchdog.start()

    def send(self, *lines: str) -> None:
        self.input.write("".join(f"{line}\n" for line in lines))
        self.input.flush()

    def hear_until(self, start: str) -> str:
        while line := self.output.readline():
            if line.startswith(start):
                return line.rstrip("\n")
        raise AssertionError(f"no line {start}; {self.errors.read()}")

    def end(self) -> tuple[int, str]:
        """How it ends by itself, and what it wrote to its errors."""
        status = self.popen.wait(PATIENCE_S)
        said = [line for line in self.errors if not line.startswith("compiling ")]
        return status, "".join(said).strip()


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for process in started:
        process.watchdog.cancel()
        process.popen.kill()
        process.popen.wait()
        for pipe in (process.output, process.errors):
            pipe.close()
        with contextlib.suppress(BrokenPipeError):
            process.input.close()


def start(processes: list[Process], protocol: str, player: str) -> Process:
    processes.append(Process(protocol, player))
    return processes[-1]


def test_a_ping_stops_compiled_code_and_quit_ends_it(processes: list[Process]) -> None:
    process = start(processes, "nboard", "alphabeta")
    process.send("nboard 2", "set depth 60", "hint 2")
    process.hear_until("search")
    process.send("ping 1", "go")
    process.hear_until("pong 1")
    process.send("ping 2")
    assert process.hear_until("=== ")[4:6] in ("D3", "C4", "F5", "E6")
    assert process.hear_until("pong") == "pong 2"
    process.send("analyze")
    process.hear_until("status")
    process.send("quit")
    assert process.end() == (0, "")


def test_an_interrupt_stops_compiled_code_and_time_is_kept(processes: list[Process]) -> None:
    process = start(processes, "gtp", "alphabeta")  # only the clock limits it
    process.send("time_settings 3600 0 0", "1 genmove black", "# interrupt")
    process.hear_until("=1 ")
    process.send("time_settings 0 1 10", "2 genmove white", "3 genmove black", "quit")
    process.hear_until("=2 ")
    process.hear_until("=3 ")
    assert process.end() == (0, "")


def test_ctrl_c_ends_it_while_it_thinks(processes: list[Process]) -> None:
    process = start(processes, "nboard", "alphabeta:depth=60")
    process.send("go")
    process.hear_until("status Plyground is thinking")
    process.popen.send_signal(signal.SIGINT)
    assert process.end() == (130, "")


def test_a_program_that_is_gone_ends_it_while_it_thinks(processes: list[Process]) -> None:
    process = start(processes, "nboard", "alphabeta:depth=60")
    process.send("go")
    process.hear_until("status Plyground is thinking")
    process.output.close()
    process.input.close()
    status, said = process.end()
    assert status in (0, 1) and said == ""


def test_an_output_that_is_closed_ends_it(processes: list[Process]) -> None:
    process = start(processes, "gtp", "first")
    process.output.close()
    process.send("name")
    assert process.end() == (1, "")


def test_any_bytes_end_without_a_traceback() -> None:
    chance = random.Random(1)
    data = b"".join(chance.randbytes(50) + b"\nname\n" for _ in range(200)) + b"x" * 300_000
    done = subprocess.run(
        [sys.executable, "-m", "plyground", "engine", "--protocol", "gtp", "--player", "first"],
        input=data,
        capture_output=True,
        env=environment(),
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"= Plyground\n\n") == 200


def test_only_answers_are_printed_whatever_is_compiled(tmp_path: Path) -> None:
    typed = "genmove b\nquit\n"
    options = ("--protocol", "gtp", "--game", "synthetic", "--player", "minimax:depth=2,eval=zero")
    done = run_process("engine", *options, typed=typed, PLYGROUND_CACHE=str(tmp_path))
    assert done.status == 0
    assert done.out.splitlines() == [f"= {done.out[2]}", "", "=", ""]
    assert done.err.startswith("compiling ")


# ------------------------------------------------------------------ our players as clients


def client(protocol: str, player: str) -> EnginePlayer:
    words = [sys.executable, "-m", "plyground", "engine", "--protocol", protocol]
    command = shlex.join([*words, "--player", player]).replace('"', '\\"')
    text = f'{protocol}:command="{command}"'
    name_engines(text)
    made = make_player(text, OTHELLO, OTHELLO.initial())
    assert isinstance(made, EnginePlayer)
    return made


@pytest.mark.parametrize("protocol", [pytest.param("gtp", marks=pytest.mark.full), "nboard"])
def test_an_engine_plays_what_its_player_plays(protocol: str) -> None:
    """At each place of a game with passes, and then in a game of its own."""
    first = OTHELLO.initial()
    player = "alphabeta:depth=3"
    inside, outside = make_player(player, OTHELLO, first), client(protocol, player)
    moves, state = tuple(OTHELLO.parse_moves(first, FIVE_PASSES)), first
    outside.begin()
    for count, move in enumerate(moves):
        turn = Turn(BasePosition.at(OTHELLO, {}, first, moves[:count]))
        assert outside.choose(turn).move == inside.choose(turn).move
        state = OTHELLO.replay(state, [move])
    outside.begin()
    turn = Turn(BasePosition.at(OTHELLO, {}, first))
    while not is_over(turn.state):
        move = outside.choose(turn).move
        assert move == inside.choose(turn).move
        turn = turn.after(move)
    outside.close()
    assert len(turn.position.codes) >= 20


def test_a_client_hears_of_values_depth_and_line() -> None:
    first = OTHELLO.initial()
    outside = client("nboard", "alphabeta:depth=5")
    choice = outside.choose(Turn(BasePosition.at(OTHELLO, {}, first)))
    outside.close()
    assert choice.depth == len(choice.line) == 5 and choice.nodes > 100
    assert choice.score is not None
