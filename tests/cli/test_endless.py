"""What never ends and what has no room: every command says so in one line, and takes no more."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from command_line import Result, environment, one_line, run
from sqlalchemy import Engine, event

from plyground.formats import sources, wthor
from plyground.lab.grid import file as user_file
from plyground.matches import openings
from plyground.store import database

MOST = 2**20
READERS = {
    "convert": ("convert", "{path}", "{folder}/a.json"),
    "what is it": ("convert", "{path}"),
    "import": ("store", "import", "{path}"),
    "openings": ("match", "random", "first", "-g", "othello", "--openings", "{path}", "-n", "2"),
    "tournament": ("tournament", "{path}"),
    "saved game": ("play", "--from", "{path}"),
    "experiment": ("lab", "run", "{path}"),
    "run": ("lab", "import", "{path}"),
    "positions": ("solve", "connect4", "--file", "{path}"),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sources, wthor, user_file, openings):
        monkeypatch.setattr(module, "MOST_BYTES", MOST)


def told(name: str, path: Path | str, folder: Path) -> str:
    words = [word.format(path=path, folder=folder) for word in READERS[name]]
    result = run(*words)
    assert result.status == 2, result
    assert "Traceback" not in result.err
    lines = [line for line in result.err.splitlines() if "error: " in line]
    assert len(lines) == 1, result.err
    return result.err


class Endless:
    """A pipe into which somebody writes a line again and again."""

    def __init__(self, path: Path, line: bytes) -> None:
        os.mkfifo(path)
        self.path, self.block, self.written = path, line * (2**16 // len(line)), 0
        self.is_over = False
        self.thread = threading.Thread(target=self._feed, daemon=True)
        self.thread.start()

    def _feed(self) -> None:
        while not self.is_over:
            try:
                with open(self.path, "wb", buffering=0) as pipe:
                    while not self.is_over:
                        self.written += pipe.write(self.block)
            except BrokenPipeError:
                pass

    def close(self) -> None:
        """Let the writer go, whether it waits for a reader or for room."""
        self.is_over = True
        while self.thread.is_alive():
            reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
            self.thread.join(0.05)
            os.close(reader)


@pytest.fixture
def transcripts(tmp_path: Path) -> Iterator[Endless]:
    endless = Endless(tmp_path / "pipe.toml", b"f5d6c3\n")
    yield endless
    endless.close()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize("name", READERS)
def test_a_device_that_never_ends_is_refused(name, device, tmp_path):
    path = tmp_path / "device.toml"
    path.symlink_to(device)
    assert told(name, path, tmp_path)


@pytest.mark.parametrize("name", ["convert", "what is it", "import", "openings", "experiment"])
def test_a_pipe_that_never_ends_is_refused(name, transcripts, tmp_path):
    assert "larger than" in told(name, transcripts.path, tmp_path)
    assert transcripts.written < 4 * MOST


def test_an_input_that_never_ends_is_refused(tmp_path, monkeypatch):
    assert "the input is larger than" in one_line(
        run("convert", "-", tmp_path / "a.json", typed="f5d6c3\n" * MOST)
    )


# ------------------------------------------------------------------ no room

WRITERS = {
    "convert": ("convert", "{folder}/games.txt", "{target}", "--force", "--to", "json"),
    "export": ("store", "export", "{target}", "--force", "--to", "csv"),
    "export of lines": ("store", "export", "{target}", "--force", "--to", "jsonl"),
    "export of a table": ("store", "export", "{target}", "--force", "--to", "parquet"),
}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text("f5d6c3\nf5f6e6\n")
    assert run("store", "import", path).status == 0
    return path


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_names_the_file(name, games, tmp_path):
    target = tmp_path / "target"
    target.symlink_to("/dev/full")
    words = [word.format(folder=tmp_path, target=target) for word in WRITERS[name]]
    assert one_line(run(*words)) == f"cannot write {target}: No space left on device"
    assert target.is_symlink()


@pytest.mark.parametrize("words", [("games",), ("store", "games"), ("convert", "--formats")])
def test_an_output_without_room_is_told(words, games):
    result = into_full(*words)
    assert result.status == 1
    assert result.err == "error: cannot write the output: No space left on device\n"


def into_full(*words: str) -> Result:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "plyground", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment())
    return Result(done.returncode, "", done.stderr.decode())


def test_a_device_is_written_to_and_stays_one(games, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with ThreadPoolExecutor(1) as thread:
        read = thread.submit((tmp_path / "pipe.json").read_bytes)
        result = run("convert", games, tmp_path / "pipe.json", "--force")
        assert (result.status, b"f5" in read.result()) == (0, True)
    assert (tmp_path / "pipe.json").is_fifo()


def test_a_store_without_room_is_named(games, monkeypatch, tmp_path):
    set_up = database._set_up_sqlite

    def with_few_pages(engine: Engine) -> None:
        set_up(engine)

        @event.listens_for(engine, "connect")
        def bound(connection: Any, record: Any) -> None:
            connection.execute("PRAGMA max_page_count = 1")  # as many as there are, and no more

    monkeypatch.setattr(database, "_set_up_sqlite", with_few_pages)
    more = tmp_path / "more.txt"
    more.write_text("".join(f"f5d6c3{'abcdefgh'[n % 8]}9\nf5d6c3\n" for n in range(2000)))
    result = run("store", "import", more)
    assert (result.status, result.out) == (1, "")
    (line,) = result.err.splitlines()
    assert line.endswith("cannot be used: database or disk is full")
    assert "games.db" in line
