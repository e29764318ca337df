"""Whatever is given to a parser or said in a protocol: a value, or one of the documented errors.

Never another exception, never a hang, never memory without end. The inputs are valid ones that were
spoilt: a hundred for each target, and with `-m full` more than a million in all, each target in a
process of its own. See `fuzzing.py` for how they are spoilt, `fuzz_targets.py` for what reads them.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import fuzz_targets
import fuzzing
import pytest
from fuzz_targets import targets
from fuzzing import Failure, Target, fuzz, limited, spoilt

import plyground
from plyground.core.errors import InputError
from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.players.engine import EnginePlayer
from plyground.players.gtp import GtpPlayer
from plyground.players.nboard import NboardPlayer
from plyground.players.spec import Forfeit, Turn
from plyground.protocols.conversation import read_lines
from plyground.protocols.gtp_engine import parse_command

SOME, MANY = 120, 16_000  # inputs for each target
MILLION = 1_000_000
MEGABYTE = 2**20
PATIENCE_S = 600.0  # with a process
EACH_TARGET = pytest.mark.parametrize("name", targets())


# ------------------------------------------------------------------ all targets


@EACH_TARGET
def test_spoilt_inputs(name):
    tally = fuzz(targets()[name], seed=1, count=SOME)
    assert tally.read + tally.refused == SOME
    assert tally.read > 0 < tally.refused  # or else the inputs are spoilt too little, or too much


# What reads no text that others wrote: {place: why}.
NO_DOOR = {
    "public/learning.py:read_source": "a name of the user's; formats read what is in the file",
    "search/traced_tree.py:read_tree": "what a search has just written to memory",
    "store/database.py:read_address": "an address that the user names",
}


def readers() -> set[str]:
    """All public functions of the package that read or parse something."""
    package = Path(plyground.__file__).parent
    return {
        f"{path.relative_to(package).as_posix()}:{node.name}"
        for path in package.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and re.match(r"(read|parse)(_|$)", node.name)
    }


def test_every_reader_of_the_package_is_fuzzed():
    """A new one that no target comes to fails here: give it a target, or say why it needs none."""
    package, reached = str(Path(plyground.__file__).parent), set()

    def watch(frame, event, _) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(package):
            place = Path(frame.f_code.co_filename).relative_to(package).as_posix()
            reached.add(f"{place}:{frame.f_code.co_name}")

    for target in targets().values():
        sys.setprofile(watch)
        try:
            for data in target.corpus:
                target.read(data)
        finally:
            sys.setprofile(None)
    assert readers() - reached == {*NO_DOOR}


def test_there_are_a_million_inputs():
    assert MANY * len(targets()) >= MILLION


@pytest.mark.full
@EACH_TARGET
def test_very_many_spoilt_inputs(name):
    command = [sys.executable, "-W", "error", fuzz_targets.__file__, name, "2", str(MANY)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    read, refused = map(int, done.stdout.split())
    assert read + refused == MANY


# ------------------------------------------------------------------ a megabyte

# What a careless parser takes the square of a length for, or a level of its stack for each.
TIRING = [b" ", b"\t\n", b"(", b"[", b'{"a":', b"9", b"a.", b"a=", b"\0", b"-", b'"', b"\\", b"f5 "]
TIRING += [mark.encode() for mark in ("\u3000", "\ufdfa", "\u0315\u0300\u05ae\u0334", "\u0665")]


def large_inputs(target: Target) -> Iterator[bytes]:
    """The shortest and the longest of its valid inputs again and again, and what tires."""
    inputs = sorted(filter(None, target.corpus), key=len) or [b" "]
    for data in (inputs[0], inputs[-1]):
        head = re.match(rb"[\w.]{1,20}\||", data)[0]  # the number of a state, or a name
        for between in (b"", b" ", b"\n"):
            yield filled(head, data[len(head) :] + between)
    for piece in TIRING:
        yield filled(head, piece)


def filled(head: bytes, piece: bytes) -> bytes:
    return head + piece * (MEGABYTE // len(piece))


@pytest.mark.full
@EACH_TARGET
def test_a_megabyte_of_one_thing(name):
    target = targets()[name]
    with limited():
        for data in large_inputs(target):
            assert fuzzing.is_read(target, data, f"{len(data)} bytes") in (True, False)


# ------------------------------------------------------------------ real pipes


def converse(protocol: str, count: int) -> tuple[bytes, str]:
    """Spoilt lines for a process of our engine, and all that it answers."""
    corpus = targets()[f"{protocol} engine"].corpus
    spoilt_lines = (spoilt(corpus, f"{protocol} {number}") for number in range(count))
    data = b"\n".join(spoilt_lines).replace(b"q", b"k") + b"\nquit\n"  # and not before
    engine = ["engine", "--protocol", protocol, "--player", "greedy:eval=zero"]
    done = subprocess.run(
        [sys.executable, "-m", "plyground", *engine],
        input=data,
        capture_output=True,
        timeout=PATIENCE_S,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return data, done.stdout.decode()


def check_gtp(count: int) -> None:
    """An answer to each command."""
    data, said = converse("gtp", count)
    lines = [parse_command(line.text) for line in read_lines(io.BytesIO(data).read)]
    answers = said.removesuffix("\n\n").split("\n\n")
    assert len(answers) == sum(command is not None for command in lines)
    assert all(fuzz_targets.GTP_ANSWER.fullmatch(f"{answer}\n") for answer in answers)
    assert ".py:" not in said


def check_nboard(count: int) -> None:
    """A pong to each ping, and nothing that is no answer."""
    data, said = converse("nboard", count)
    lines = [line.text.split()[:1] for line in read_lines(io.BytesIO(data).read) if not line.is_cut]
    assert said.count("\npong") + said.startswith("pong") == lines.count(["ping"])
    assert all(fuzz_targets.NBOARD_ANSWER.fullmatch(line) for line in said.split("\n")[:-1])


CHECKS = {"gtp": check_gtp, "nboard": check_nboard}


@pytest.mark.parametrize("protocol", CHECKS)
def test_spoilt_lines_through_a_pipe(protocol):
    CHECKS[protocol](100)


@pytest.mark.full
@pytest.mark.parametrize("protocol", CHECKS)
def test_very_many_spoilt_lines_through_a_pipe(protocol):
    CHECKS[protocol](4000)


def hear(player: EnginePlayer, path: Path) -> None:
    """A legal move, or a Forfeit."""
    start = OTHELLO.initial()
    turn = Turn(BasePosition.at(OTHELLO, {}, start))
    try:
        with contextlib.suppress(Forfeit):
            assert player.choose(turn).move in turn.legal
    finally:
        player.close()


@pytest.mark.parametrize("kind", [GtpPlayer, NboardPlayer])
@pytest.mark.parametrize("count", [5, pytest.param(300, marks=pytest.mark.full)])
def test_a_process_that_answers_anything(kind, count, tmp_path):
    corpus = targets()[f"{kind.protocol} client"].corpus
    path = tmp_path / "answers"
    command = shlex.join(["sh", "-c", 'cat "$0"; sleep 0.05', str(path)])
    for number in range(count):
        path.write_bytes(spoilt(corpus, f"{kind.protocol} {number}"))
        hear(kind(command), path)


# ------------------------------------------------------------------ does it notice?


def failure(read, seed: int = 3) -> str:
    """What is said of a parser that has a fault."""
    target = Target("it", lambda data: data == b"good" or read(data), [b"good"])
    with pytest.raises(Failure) as found:
        fuzz(target, seed, count=100)
    return str(found.value)


def test_the_same_seed_gives_the_same_inputs():
    corpus = [b"(;GM[2];B[f5])", b"f5d6 c3"]
    assert spoilt(corpus, "1") == spoilt(corpus, "1") != spoilt(corpus, "2")


def test_another_exception_is_noticed_and_its_input_shown():
    def read(data: bytes) -> bool:
        return {b"good": True}[data]

    message = failure(read)
    number = int(re.match(r"it, seed 3, input (\d+): KeyError", message)[1])
    assert message.endswith(f" for {spoilt([b'good'], f'it 3 {number}')!r}")


def test_a_hang_is_noticed(monkeypatch):
    def read(data: bytes) -> bool:
        while True:
            with contextlib.suppress(Exception):
                len(data)

    monkeypatch.setattr(fuzzing, "MOST_SECONDS", 0.1)
    assert "TooSlow('more than 0.1 s of work" in failure(read)


def test_waiting_is_noticed(monkeypatch):
    def read(data: bytes) -> bool:
        time.sleep(PATIENCE_S)
        return True

    monkeypatch.setattr(fuzzing, "MOST_WAITING", 0.1)
    assert "0.1 s of waiting" in failure(read)


def test_too_much_memory_is_noticed():
    assert "MemoryError" in failure(lambda data: bytearray(2 * fuzzing.MOST_MEMORY))


@pytest.mark.parametrize("words", ["", "so much " * 200])
def test_an_error_that_says_nothing_or_too_much_is_noticed(words):
    def read(data: bytes) -> bool:
        raise InputError(words)

    assert f"says {words!r} of " in failure(read)
