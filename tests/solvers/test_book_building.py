"""Books: every score is the solver's, a build goes on after a kill, and damage is told."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command_line import environment
from dask_cluster import dask_cluster
from patience import until

from plyground.core.errors import MalformedText, Unsupported
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.rules import is_over, play, transform
from plyground.solvers.connect_four.book import (
    SHIPPED,
    Book,
    book_files,
    find_book,
    key_of,
    read_book,
    write_book,
)
from plyground.solvers.connect_four.book_building import BookPlan, open_build, solve_positions
from plyground.solvers.connect_four.solve import ConnectFourSolver
from plyground.work import workers

SMALL = {"width": 5, "height": 4}
LONG_S = 600.0  # with compiling, on a loaded machine


def plan(plies: int, **size: int) -> BookPlan:
    start = GAME.initial(**(size or SMALL))
    assert isinstance(start, ConnectFour)
    return BookPlan(start, plies)


def built(plies: int, jobs: int = 1) -> Book:
    with open_build(plan(plies)) as build, workers.local(jobs) as crew:
        assert sum(build.solve(crew)) == build.total
        return build.finish()


def everything(start: ConnectFour, plies: int) -> list[ConnectFour]:
    """All positions with at most so many stones that are not over, mirror images too."""
    found, layer = [start], [start]
    for _ in range(plies):
        layer = [play(state, move) for state in layer for move in GAME.legal(state)]
        layer = list({state: state for state in layer if not is_over(state)})
        found += layer
    return found


@pytest.mark.parametrize("plies", [0, 5])
def test_a_book_has_the_solvers_score_of_every_position(plies):
    book, start = built(plies), plan(plies).start
    solver = ConnectFourSolver(start)
    positions = everything(start, plies)
    assert len(book.keys) == len({key_of(state) for state in positions})
    for state in positions[:: max(1, len(positions) // 300)]:
        assert book.score(state) == solver.score(state) == book.score(transform(state, 1))
    for move in GAME.legal(positions[-1]):
        child = play(positions[-1], move)
        assert is_over(child) or book.score(child) is None


def test_a_book_is_the_same_whoever_builds_it():
    one = built(3)
    path = plan(3).path
    data = path.read_bytes()
    path.unlink()
    two = built(3, jobs=2)
    assert path.read_bytes() == data
    assert (one.keys == two.keys).all() and (one.scores == two.scores).all()
    path.unlink()
    with (
        dask_cluster(workers=2) as cluster,
        open_build(plan(3)) as build,
        workers.cluster(cluster.address) as crew,
    ):
        assert sum(build.solve(crew)) == build.total
        build.finish()
    assert path.read_bytes() == data


def test_threads_that_solve_at_the_same_time_do_not_disturb_each_other():
    """As those of a cluster's worker: kernels run side by side in one process."""
    states = [state for state in everything(plan(0).start, 5) if int(state.stones).bit_count() == 5]
    tasks = [
        {"width": 5, "height": 4, "positions": [[int(state.me), int(state.stones)]]}
        for state in states[:300]
    ]
    alone = [solve_positions(task) for task in tasks]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(solve_positions, tasks)) == alone


def test_a_file_gives_back_the_book(tmp_path):
    book = built(4)
    write_book(book, tmp_path / "copy.book")
    again = read_book(tmp_path / "copy.book")
    assert (again.width, again.height, again.plies) == (5, 4, 4)
    assert (again.keys == book.keys).all() and (again.scores == book.scores).all()


def test_the_largest_book_of_a_board_is_used_and_of_no_other():
    start = plan(0).start
    assert find_book(start) is None
    built(2)
    built(3)
    found = find_book(start)
    assert found is not None and found.plies == 3
    solver = ConnectFourSolver(start, book=found)
    assert solver.score(start) == ConnectFourSolver(start).score(start)
    assert solver.nodes == 0
    assert find_book(GAME.initial(width=4, height=5)) is None


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"\x00\xff", b"{", b'{"plyground-book": 1}\n'])
def test_what_is_no_book_is_refused(tmp_path, damage):
    path = tmp_path / "x.book"
    path.write_bytes(damage)
    with pytest.raises(MalformedText, match=r"x\.book is not a book of Connect Four"):
        read_book(path)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_book_that_was_cut_is_refused(cut):
    built(3)
    path = plan(3).path
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(MalformedText, match="or not all of it"):
        read_book(path)


def test_a_build_goes_on_with_what_is_written_and_cuts_an_unfinished_line():
    with open_build(plan(4)) as build, workers.local(1) as crew:
        solving = build.solve(crew)
        for _ in range(5):
            next(solving)
        solving.close()
    notes = plan(4).path.with_suffix(".part")
    with open(notes, "a") as file:
        file.write("123")
    with open_build(plan(4)) as build, workers.local(1) as crew:
        assert len(build.scores) == 5
        assert notes.read_text().count("\n") == 5 and notes.read_text().endswith("\n")
        assert sum(build.solve(crew)) == build.total - 5
        book = build.finish()
    assert not notes.exists()
    assert (book.scores == built(4).scores).all()


def test_notes_of_something_else_are_not_touched():
    notes = plan(4).path.with_suffix(".part")
    notes.parent.mkdir(parents=True)
    notes.write_text("my diary\nof today\n")
    with pytest.raises(MalformedText, match="move it away"), open_build(plan(4)):
        pass
    assert notes.read_text() == "my diary\nof today\n"


def test_a_folder_that_cannot_be_written_is_told(data_folder):
    data_folder.write_text("a file where a folder should be")
    told = r"cannot write .*\.book: Not a directory"
    with pytest.raises(Unsupported, match=told), open_build(plan(4)):
        pass


def test_two_builds_at_once_are_refused():
    with (
        open_build(plan(3)),
        pytest.raises(Unsupported, match="being built by another process"),
        open_build(plan(3)),
    ):
        pass


@pytest.mark.parametrize(
    ("plies", "size"), [(13, {}), (-1, SMALL), (16, {"width": 4, "height": 4})]
)
def test_what_cannot_be_built_is_refused(plies, size):
    start = GAME.initial(**size)
    assert isinstance(start, ConnectFour)
    with pytest.raises(Unsupported, match=f"plies={plies}: expected"):
        BookPlan(start, plies).check()


def test_a_killed_command_goes_on(data_folder):
    command = [sys.executable, "-m", "plyground", "book", "build", "connect4", "--plies", "6"]
    command += ["--set", "width=6", "--set", "height=4", "--json"]
    notes = data_folder / "books" / "connect4-6x4-6.part"
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) as first:
        until(lambda: notes.exists() and notes.stat().st_size > 500, "notes", LONG_S)
        first.send_signal(signal.SIGKILL)
    kept = notes.read_text().count("\n")
    assert kept >= 10
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=LONG_S
    )
    assert done.returncode == 0, done.stderr
    assert "going on: " in done.stderr
    path = data_folder / "books" / "connect4-6x4-6.book"
    assert read_book(path).plies == 6
    assert str(path) in done.stdout


# ------------------------------------------------------------------ the book that is shipped


def test_the_shipped_book_knows_the_usual_board(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_DATA", str(tmp_path))
    (found,) = book_files()
    assert found[:3] == (7, 6, 4) and Path(found[3]).parent == SHIPPED
    book, start = read_book(found[3]), GAME.initial()
    assert book.score(start) == 1
    first = [-book.score(play(start, move)) for move in range(7)]
    assert first == [-2, -1, 0, 1, 0, -1, -2]
    assert len(book.keys) == len({key_of(state) for state in everything(start, 4)})
    # A position has the score of its best move; so the whole book stands on its last ply.
    for state in everything(start, 3):
        children = [play(state, move) for move in GAME.legal(state)]
        assert book.score(state) == max(-book.score(child) for child in children)


@pytest.mark.full
def test_the_shipped_book_is_the_solvers():
    start = GAME.initial()
    book, solver = find_book(start), ConnectFourSolver(start)
    last = [state for state in everything(start, 4) if bin(state.stones).count("1") == 4]
    for state in last[::25]:
        assert book.score(state) == solver.score(state)
