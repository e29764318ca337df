"""Ctrl-C stops compiled code: searches, solvers, counts of leaves, random games.

Each piece of work here would take hours. That it ends at all is the claim; how quickly is told by
`bench/interrupts.py`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plyground.core import interrupts
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.perft import perft, perft_remembered, perft_table
from plyground.games.playout import playouts
from plyground.kernel import Slab, kernel
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import Interrupted, Limits, Setup
from plyground.solvers.catalogue import solver_for

GAME = find_game("connect4")
START = GAME.initial()
WIDE = GAME.initial(width=8, height=7)
ENDLESS = 10**15


def interrupted(work: Callable[[], Any], is_under_way: Callable[[], bool]) -> BaseException:
    """What the work raises when Ctrl-C is pressed as soon as it is under way."""
    over = threading.Event()

    def press() -> None:
        while not over.wait(0.01):
            if is_under_way():
                os.kill(os.getpid(), signal.SIGINT)
                return

    presser = threading.Thread(target=press)
    presser.start()
    try:
        work()
    except KeyboardInterrupt as error:
        return error
    finally:
        over.set()
        presser.join()
    raise AssertionError("it ended by itself")


def in_compiled_code() -> bool:
    """Whether somebody has asked to hear of Ctrl-C: the work is under way, or about to be."""
    return bool(interrupts._stops)


def test_an_interrupt_never_stops_the_work_that_comes_after_it():
    stopped: list[bool] = []
    with pytest.raises(KeyboardInterrupt), interrupts.stopped_by_interrupt(lambda: time.sleep(0.2)):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)  # read only after the first, as on a busy machine
    assert not interrupts.has_unread()
    with interrupts.stopped_by_interrupt(lambda: stopped.append(True)):
        pass
    assert not stopped


def test_counting_leaves_stops_and_counts_right_afterwards():
    room = Slab(60 * GAME.max_moves)
    assert perft(START, 6, room, 0) == 117_649
    error = interrupted(lambda: perft(START, 30, room, 0), in_compiled_code)
    assert type(error) is KeyboardInterrupt
    assert perft(START, 6, room, 0) == 117_649


def test_counting_with_a_table_keeps_nothing_that_was_cut_short():
    room, (table, bits) = Slab(60 * GAME.max_moves), perft_table(START, 1 << 20)
    assert perft_remembered(START, 3, room, 0, table, bits) == 343
    interrupted(lambda: perft_remembered(START, 30, room, 0, table, bits), in_compiled_code)
    assert perft_remembered(START, 8, room, 0, table, bits) == 5_686_266


def test_random_games_stop():
    room, generator = Slab(GAME.max_moves), np.array([1], np.uint64)
    playouts(START, 1, generator, room, 99)
    work = lambda: playouts(START, ENDLESS, generator, room, 99)  # noqa: E731
    assert type(interrupted(work, in_compiled_code)) is KeyboardInterrupt


ON_ONE_THREAD = ["minimax", "alphabeta", "abmemory", "mtdf", "negascout", "uct"]


@pytest.mark.parametrize("name, threads", [*((name, 1) for name in ON_ONE_THREAD), ("abmemory", 2)])
def test_a_search_stops_and_tells_what_it_had(name: str, threads: int):
    setup = Setup(
        find_algorithm(name),
        find_evaluator(None, WIDE).make(),
        simulations=ENDLESS,
        threads=threads,
    )
    search(GAME, WIDE, setup, Limits(depth=1, nodes=10))  # compiled before
    error = interrupted(lambda: search(GAME, WIDE, setup, Limits(depth=60)), in_compiled_code)
    assert isinstance(error, Interrupted)
    assert not error.result.completed
    assert f"stopped after {error.result.nodes:,} nodes" in str(error)


def test_a_search_that_deepens_has_its_last_depth():
    setup = Setup(find_algorithm("abmemory"), find_evaluator(None, WIDE).make())
    depths: list[int] = []
    limits = Limits(depth=60, iterate=True)
    error = interrupted(
        lambda: search(GAME, WIDE, setup, limits, lambda found: depths.append(found.depth)),
        lambda: len(depths) >= 3,
    )
    assert isinstance(error, Interrupted)
    assert error.result.depth >= depths[-1] >= 3
    assert error.result.line and error.result.move == error.result.line[0]


def test_a_solver_stops_and_solves_afterwards():
    board = GAME.initial(width=8, height=6)
    solver = solver_for(GAME, board)
    solver.prepare()
    error = interrupted(lambda: solver.score(board), in_compiled_code)
    assert type(error) is KeyboardInterrupt
    nearly_won = GAME.replay(board, GAME.parse_moves(board, "1 2 1 2 1 2"))
    assert solver.score(nearly_won) > 0


@kernel
def spin(flags: Slab, rounds: int) -> int:
    done = 0
    while done < rounds and flags[0] == 0:
        done += 1
    return done


def test_whoever_handles_ctrl_c_is_not_overruled():
    """A handler of one's own decides what Ctrl-C means; work goes on until that says so."""
    flags, heard = Slab(1), []

    def handle(number: int, frame: object) -> None:
        heard.append(number)

    before = signal.signal(signal.SIGINT, handle)
    try:
        with interrupts.stopped_by_interrupt(lambda: heard.append("stopped")):
            os.kill(os.getpid(), signal.SIGINT)
            assert spin(flags, 10) == 10
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_a_thread_is_not_stopped_by_ctrl_c():
    """Signals are the main thread's; what runs beside it has flags of its own."""
    stopped: list[str] = []

    def work() -> None:
        with interrupts.stopped_by_interrupt(lambda: stopped.append("")):
            assert not interrupts._stops

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert stopped == []


def test_the_wakeup_descriptor_is_given_back():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing)
    try:
        with interrupts.stopped_by_interrupt(lambda: None):
            pass
        assert signal.set_wakeup_fd(before) == writing
    finally:
        os.close(reading)
        os.close(writing)
