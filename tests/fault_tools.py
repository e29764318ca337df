"""Work that is killed at one step of writing, and gone on with.

Run as a program, this file has imported everything once, and forks a process for each attempt: one
that works in a folder of its own and ends, or is killed at the step it was told (`core/faults.py`).
Done again in the same folder, the work goes on. What came of it is told by `Work.look`, without
what a clock has measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from match_tools import games_in, timeless, toml
from store_tools import count_rows, found, random_game

from plyground.cli import contests
from plyground.core import faults
from plyground.evaluation import weights_file
from plyground.formats.json_record import write_lines
from plyground.kernel import plain_python
from plyground.lab import catalogue
from plyground.learning import course as courses
from plyground.solvers.connect_four import book_building
from plyground.solvers.othello import proof as othello_proof
from plyground.store import recording
from plyground.store import store as store_module
from plyground.store.runs import Runs
from plyground.store.store import Store
from plyground.work import job_process
from plyground.work.jobs import jobs

TESTS = Path(__file__).parent
UID = "0123456789abcdef" * 2
WEB_MOVES = ["a1", "b1", "a2", "b2", "a3"]
PLAYERS = ["first", "random", "random-start(moves=2,then=first)"]
KILLED = -9  # the status of a process
OUTPUTS = ("out", "err", "found")
LEAF = 7  # empty squares: the proof of the 4x4 board has some dozens of parts


# ------------------------------------------------------------------ what is done


def command(*words: str, is_compiled: bool = False) -> Callable[[], None]:
    """The command line, for so little work without the compiler."""

    def run() -> None:
        from plyground.cli.app import main

        sys.argv = ["plyground", *words]
        with contextlib.nullcontext() if is_compiled else plain_python():
            main()

    return run


def kept_here(*words: str) -> Callable[[], None]:
    """A match whose games are stored when they come back, as those of a cluster are."""

    def run() -> None:
        make = contests.make_recording

        def make_recording(*given: Any) -> Any:
            return replace(make(*given), from_workers=False)

        contests.make_recording = make_recording
        try:
            command(*words)()
        finally:
            contests.make_recording = make

    return run


def prepare_tournament() -> None:
    terms = {"game": "tictactoe", "openings": "random:6", "games": 2, "format": "swiss"}
    text = toml(name="cup", players=PLAYERS, rounds=2, **terms)
    Path("cup.toml").write_text(text, encoding="utf-8")


def prepare_archive() -> None:
    games = [random_game("tictactoe", seed) for seed in range(7)]
    Path("archive.jsonl").write_bytes(write_lines([*games, games[0]]))


def play_in_a_page() -> None:
    """A page that says after each move what its game is; it notes which answers it got.

    After a kill it says again what was not answered, and finds what was answered kept.
    """
    from plyground.web import play_routes
    from plyground.web.game_writer import GameWriter

    answered = Path("answered")
    known = answered.read_text().count("\n") if answered.exists() else 0
    with plain_python(), Store() as store:
        writer = GameWriter(store)
        there = store.find(UID)
        assert (len(there.record.moves) if there else -1) >= known - 1, "an answered move was lost"
        for count in range(known, len(WEB_MOVES) + 1):
            line = {"game": "tictactoe", "moves": WEB_MOVES[:count]}
            told = [{"time_s": 0.5}] * count
            given = {"line": line, "players": ["human", "first"], "told": told}
            play = play_routes.PlayIn.model_validate(given)
            answer = asyncio.run(play_routes.keep(UID, play, writer))
            assert answer.status_code == 200
            with open(answered, "a", encoding="utf-8") as file:
                file.write(f"{count}\n")
        writer.close()


def prove(leaf: int = LEAF) -> None:
    from plyground.work import workers

    state = othello_proof.GAME.initial(size=4)
    with (
        othello_proof.open_proof(state, leaf, 2**22) as proof,
        workers.local(1) as crew,
    ):
        for _ in proof.run(crew):
            pass
        print(proof.windows.low, proof.windows.high, proof.best)


# ------------------------------------------------------------------ what came of it


def stored(event: str = "") -> Any:
    """The games of the store by name: without times, with the number of their positions."""
    with Store() as store:
        games = found(store, event)
        listed = sum(count for _, count in games.values())
        assert count_rows(store, "positions") == listed, "positions of a game that is not there"
        return {
            uid: (timeless(replace(record, date="").as_data()), count)
            for uid, (record, count) in games.items()
        }


def report(out: str) -> Any:
    return timeless(json.loads(out))


def journal_and_store(name: str) -> Any:
    return games_in(Path(name)), stored()


def measured() -> Any:
    with Store() as store:
        runs = Runs(store)
        [run] = runs.runs()
        assert run.finished and run.measured == run.total
        answers = {key: (cell.task, cell.answer) for key, cell in runs.cells(run.id).items()}
        return answers, {uid.removeprefix(run.uid): game for uid, game in stored().items()}


def book() -> Any:
    folder = book_building.books_folder()
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".tmp"}


def learned_weights() -> Any:
    """What a course has learned, and a line for each of its rounds, without the seconds."""
    [path] = weights_file.weights_folder().glob("*.weights")
    [course] = courses.courses_folder().iterdir()
    found = weights_file.Weights.read(path)
    steps = [(step.round, step.games, step.error) for step in courses.steps_in(course)]
    return found.numbers.tolist(), steps


@dataclass(frozen=True)
class Work:
    """Something that is done in a folder."""

    do: Callable[[], None]
    look: Callable[[], Any] = lambda: None
    """What is there when it is done."""
    prepare: Callable[[], None] = lambda: None
    read: Callable[[str], Any] = lambda out: None
    """What it printed, as far as that does not depend on how often it was begun."""
    has_store: bool = True
    """Whether there is an empty store to begin with."""
    makes_frames: bool = False
    """Whether it uses Polars, whose threads a fork would lose."""


MATCH = ("match", "first", "random", "-g", "tictactoe", "-n", "4", "--openings", "random:6")
BOOK = ("book", "build", "connect4", "--plies", "2", "--set", "width=4", "--set", "height=4")
LEARN = ("learn", "tictactoe", "--games", "1800", "--jobs", "1", "--no-match", "--opening", "3")
WORKS = {
    "match": Work(
        command(*MATCH, "--out", "games.jsonl", "--json"),
        lambda: journal_and_store("games.jsonl"),
        read=report,
    ),
    "match by two": Work(
        command(*MATCH, "--out", "games.jsonl", "--json", "--jobs", "2"),
        lambda: journal_and_store("games.jsonl"),
        read=report,
    ),
    "match kept here": Work(
        kept_here(*MATCH, "--out", "games.jsonl", "--json"),
        lambda: journal_and_store("games.jsonl"),
        read=report,
    ),
    "tournament": Work(
        command("tournament", "cup.toml", "--json"),
        lambda: journal_and_store("cup.jsonl"),
        prepare_tournament,
        report,
    ),
    "lab": Work(
        command("lab", "run", "toy", "--quick", "--no-report"), measured, makes_frames=True
    ),
    "web": Work(play_in_a_page, stored, has_store=False),
    "import": Work(command("store", "import", "archive.jsonl"), stored, prepare_archive),
    "book": Work(
        command(*BOOK, "--json", is_compiled=True),
        book,
        has_store=False,
    ),
    "proof": Work(prove, read=str, has_store=False),
    "learn": Work(
        command(*LEARN, is_compiled=True),
        learned_weights,
        has_store=False,
    ),
}


# ------------------------------------------------------------------ the side of the tests


class Attempt(NamedTuple):
    """How an attempt ended: its exit status, or -9; what it printed; and what there is then."""

    status: int
    out: str
    err: str
    found: Any


class Workshop:
    """The program that forks workers, at hand."""

    def __init__(self, *program: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *(program or [__file__])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"COLUMNS": "200", "TERM": "dumb"},
        )
        self.known: dict[str, tuple[Attempt, list[str]]] = {}
        """What comes of works if nobody disturbs them, and their steps."""

    def close(self) -> None:
        self.process.communicate()

    def attempt(
        self, work: str, folder: Path, fault: str = "", killed_s: float | None = None
    ) -> Attempt:
        """Do some work, or go on with it, and say what came of it if it was not disturbed.

        It may be told at which step it goes wrong, or after which time it is killed from outside.
        """
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps([work, str(folder), fault, killed_s]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the program that forks the workers has ended"
        return Attempt(*json.loads(line))


def steps_in(folder: Path) -> list[str]:
    """The names of the steps of the last attempt."""
    lines = (folder / "steps").read_text().splitlines()
    return [line.partition(" ")[2] for line in lines]


# ------------------------------------------------------------------ the side of the workers


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    catalogue.__path__[:] = [str(TESTS / "lab" / "catalogue")]
    store_module.BATCH = 2  # an import of a few games takes several transactions
    recording.TOGETHER_S = 0.0  # every move is a step
    courses.SAVE_EVERY_S = 0.0  # and every round of learning
    job_process.LOOK_S = 3600.0  # how a job stands is written at its beginning and end only
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty.db")
        Store(str(empty)).close()
        known = set()
        for line in sys.stdin:
            name, place, fault, killed_s = json.loads(line)
            if name not in known:
                learn(WORKS[name], Path(folder, name), empty)
                known.add(name)
            attempt = forked(WORKS[name], Path(place), fault, empty, killed_s)
            answers.write(json.dumps(attempt) + "\n")
            answers.flush()


def learn(work: Work, folder: Path, empty: Path) -> None:
    """Import and compile what the work needs, once for all that are forked later."""
    if not work.makes_frames:
        do(work, folder, "", empty)
        return
    child = os.fork()
    if child == 0:
        do(work, folder, "", empty)
        (folder / "modules").write_text("\n".join(sys.modules), encoding="utf-8")
        os._exit(0)
    os.waitpid(child, 0)
    for name in (folder / "modules").read_text(encoding="utf-8").split():
        if name.startswith("plyground."):
            importlib.import_module(name)


def forked(work: Work, folder: Path, fault: str, empty: Path, killed_s: float | None) -> Attempt:
    """What came of a process that does the work."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = do(work, folder, fault, empty)
        finally:
            os._exit(status)
    if killed_s is not None:
        time.sleep(killed_s)
        os.kill(child, signal.SIGKILL)  # if it has ended, it still waits to be mourned
    _, status = os.waitpid(child, 0)
    paths = [folder / name for name in OUTPUTS]
    out, err, told = (path.read_text("utf-8") if path.exists() else "" for path in paths)
    ended = os.waitstatus_to_exitcode(status)
    return Attempt(ended, out, err, json.loads(told) if told and ended == 0 else None)


def do(work: Work, folder: Path, fault: str, empty: Path) -> int:
    """Do the work in a folder, and look at what came of it; the exit status."""
    if not folder.exists():
        beside = folder.with_name(f"{folder.name}.new")
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        os.chdir(beside)
        work.prepare()
        if work.has_store:
            Path("data").mkdir()
            shutil.copy(empty, "data/games.db")
        beside.rename(folder)  # at once: it may be killed here, too
    os.chdir(folder)
    os.environ["PLYGROUND_DATA"] = str(folder / "data")
    if Path("address").exists():
        os.environ["PLYGROUND_STORE"] = Path("address").read_text(encoding="utf-8")
    Path("steps").unlink(missing_ok=True)
    with contextlib.ExitStack() as files:
        out, err, found = (files.enter_context(open(n, "w", encoding="utf-8")) for n in OUTPUTS)
        files.enter_context(contextlib.redirect_stdout(out))
        files.enter_context(contextlib.redirect_stderr(err))
        try:
            status = 0
            arm({faults.STEPS: str(folder / "steps"), faults.FAULT: fault})
            work.do()
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        except BaseException:
            traceback.print_exc()
            status = 1
        arm({faults.STEPS: None})
        if status == 0:
            assert "done" in {job.state for job in jobs()} or not jobs()
            json.dump(work.look(), found, default=bytes.hex)
    return status


def arm(settings: dict[str, str | None]) -> None:
    for name, value in settings.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    faults.arm()


if __name__ == "__main__":
    serve()
