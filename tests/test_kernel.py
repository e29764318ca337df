"""Verbs, helpers and kernels: one source, two worlds, one answer."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from patience import PATIENCE_S

from plyground import kernel as kernel_module
from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.kernel import cast_fields, compilable, kernel, plain_python, verb


@pytest.fixture(params=["compiled", "plain"])
def world(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each claim that asks for this is made of machine code and of plain Python."""
    with plain_python() if request.param == "plain" else contextlib.nullcontext():
        yield request.param


# ------------------------------------------------------------------ a small zoo of shapes


@verb
def area(shape):
    return -1


@compilable
def doubled(number):
    return 2 * number


class Square(NamedTuple):
    edge: int

    def area(self):
        return self.edge * self.edge


class Strip(NamedTuple):
    edge: int

    def area(self):
        return doubled(self.edge)


class Cloud(NamedTuple):
    edge: int


@kernel
def area_of(shape):
    return area(shape)


@kernel
def three_areas(first, second, third):
    return area(first), area(second), area(third)


def test_a_verb_runs_the_method_of_the_class_behind_its_argument(world):
    assert area_of(Square(5)) == 25
    assert area_of(Strip(5)) == 10


def test_one_kernel_call_may_dispatch_to_several_classes(world):
    assert three_areas(Strip(1), Square(3), Cloud(7)) == (2, 9, -1)


def test_a_class_without_the_method_gets_the_body_of_the_verb(world):
    assert area_of(Cloud(5)) == -1


def test_a_verb_asked_of_none_gets_the_body_of_the_verb(world):
    assert area_of(None) == -1


def test_a_verb_is_an_ordinary_function_outside_kernels():
    assert [area(Square(3)), area(Strip(3)), area(Cloud(3)), area(None)] == [9, 6, -1, -1]
    assert area.__name__ == "area"


def test_equal_fields_do_not_make_equal_types():
    """Square and Strip both hold one int; compiled code must still tell them apart."""
    area_of(Square(1)), area_of(Strip(1))
    names = {str(signature[0]).partition("(")[0] for signature in area_of.compiled.signatures}
    assert {"Square", "Strip"} <= names


def make_shape(value):
    class Shape(NamedTuple):
        edge: int

        def area(self):
            return value

    return Shape


def test_classes_of_one_name_are_not_mistaken_for_each_other(world):
    """Two users may well give their states the same name and the same fields."""
    two, three = make_shape(2), make_shape(3)
    assert [area_of(two(0)), area_of(three(0))] == [2, 3]


def test_a_verb_declared_after_the_compiler_started_is_compiled_too():
    area_of(Square(1))  # the compiler is running now

    @verb
    def rim(shape):
        return 4 * shape.edge

    @kernel
    def rim_of(shape):
        return rim(shape)

    assert rim_of(Square(3)) == 12
    assert len(rim_of.compiled.signatures) == 1


class Listener(NamedTuple):
    unused: int

    def heard(self, number):
        return str(type(number).__name__)


@verb
def heard(listener, number):
    return ""


def test_plain_rules_get_python_numbers_even_for_moves_read_from_a_buffer():
    """NumPy's int32 would wrap, and warn, where machine code computes in 64 bits."""
    assert heard(Listener(0), np.zeros(1, np.int32)[0]) == "int"


# ------------------------------------------------------------------ states keep their types


@verb(returns_state=True)
def step(walker, by):
    raise NotImplementedError


class Walker(NamedTuple):
    place: np.uint8
    steps: int

    def step(self, by):
        return Walker(np.int64(self.place) + by, self.steps + 1)  # widens the first field


@kernel
def walk(walker, steps):
    if steps == 0:
        return 1000 * walker.steps + np.int64(walker.place)
    return walk(step(walker, 3), steps - 1)


def test_a_state_whose_step_widens_a_field_keeps_one_compiled_signature():
    assert walk(Walker(np.uint8(1), 0), 5) == 5016
    assert len(walk.compiled.signatures) == 1
    assert "uint8" in str(walk.compiled.signatures[0])


def test_a_widened_field_is_cast_back_in_plain_python():
    after = step(Walker(np.uint8(1), 0), 3)
    assert after == (4, 1)
    assert [type(value) for value in after] == [np.uint8, int]


def test_walking_is_the_same_in_both_worlds(world):
    assert walk(Walker(np.uint8(10), 0), 7) == 7031


def test_cast_fields_gives_every_field_its_declared_type():
    state = cast_fields(Walker(np.int64(7), np.int32(2)))
    assert [type(value) for value in state] == [np.uint8, int]


def test_a_state_with_a_forgotten_step_says_so():
    with pytest.raises(NotImplementedError):
        step(Square(1), 1)


# ------------------------------------------------------------------ kernels among themselves


@kernel
def is_even(number):
    if number == 0:
        return True
    return not is_even(number - 1)


@kernel
def count_even(numbers):
    count = 0
    for number in numbers:
        count += 1 if is_even(number) else 0
    return count


def test_kernels_call_themselves_and_each_other(world):
    assert count_even(np.array([2, 3, 4, 10], np.int64)) == 3


def test_each_combination_of_argument_types_is_compiled_once():
    @kernel
    def total(numbers):
        return numbers.sum()

    for _ in range(3):
        assert total(np.ones(4, np.int64)) == 4
        assert total(np.ones(4, np.float64)) == 4.0
    assert len(total.compiled.signatures) == 2


def test_listeners_hear_what_is_compiled_and_for_which_class(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))  # empty: nothing was compiled before

    @kernel
    def next_area(shape):
        return area(shape) + 1

    lines: list[str] = []
    kernel_module.on_compile.append(lines.append)
    try:
        assert [next_area(Square(2)), next_area(Square(3)), next_area(Strip(2))] == [5, 10, 5]
    finally:
        kernel_module.on_compile.remove(lines.append)
    assert len(lines) == 2
    assert "next_area" in lines[0] and "Square" in lines[0]
    assert "next_area" in lines[1] and "Strip" in lines[1]


# ------------------------------------------------------------------ plain Python on demand


@kernel
def squared(number):
    return number * number


LARGE = 2**40  # its square is 0 in 64 bits, and exact in plain Python


def test_plain_python_ends_with_its_block():
    assert squared(LARGE) == 0
    with plain_python():
        with plain_python():
            assert squared(LARGE) == 2**80
        assert squared(LARGE) == 2**80
    assert squared(LARGE) == 0


def test_plain_python_ends_even_when_its_block_fails():
    with pytest.raises(KeyError), plain_python():
        raise KeyError
    assert squared(LARGE) == 0


def test_plain_python_is_the_choice_of_one_thread():
    """Two blocks that overlap: the first ends while the second runs, then the second ends."""
    first_is_in, second_is_in, first_is_out = (threading.Event() for _ in range(3))
    seen = []

    def first():
        with plain_python():
            first_is_in.set()
            second_is_in.wait(PATIENCE_S)
        first_is_out.set()

    def second():
        first_is_in.wait(PATIENCE_S)
        seen.append(squared(LARGE))
        with plain_python():
            second_is_in.set()
            first_is_out.wait(PATIENCE_S)
            seen.append(squared(LARGE))
        seen.append(squared(LARGE))

    threads = [threading.Thread(target=each) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [0, 2**80, 0]
    assert squared(LARGE) == 0


@kernel
def loop_for_ever(shape):
    while True:
        area(shape)


def test_plain_python_with_a_deadline_gives_up_at_the_next_verb():
    with pytest.raises(TimeoutError), plain_python(seconds=0.05):
        loop_for_ever(Square(1))
    assert area(Square(4)) == 16  # and the deadline is forgotten afterwards


# ------------------------------------------------------------------ the cost of not compiling


def run_python(script: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


COUNT_LEAVES = """
import json, sys
import numpy as np
from plyground.games.catalogue import find_game
from plyground.games.perft import perft
leaves = {}
for name, depth in (("tictactoe", 5), ("kalah", 3), ("connect4", 3), ("othello", 4)):
    game = find_game(name)
    leaves[name] = int(perft(game.initial(), depth, np.zeros(999, np.int32), 0))
print(json.dumps([leaves, "numba" in sys.modules]))
"""


def test_numba_disable_jit_gives_the_same_answers_without_numba():
    leaves, loaded_numba = json.loads(run_python(COUNT_LEAVES, NUMBA_DISABLE_JIT="1"))
    assert leaves == {"tictactoe": 15120, "kalah": 185, "connect4": 343, "othello": 244}
    assert not loaded_numba


def test_showing_a_board_never_waits_for_the_compiler():
    script = """
import sys
from plyground.cli.app import main
sys.argv = ["plyground", "show", "othello", "--moves", "f5d6"]
try:
    main()
finally:
    print("numba loaded:", "numba" in sys.modules)
"""
    shown = run_python(script)
    assert "Black to move" in shown
    assert "numba loaded: False" in shown


def test_importing_every_game_does_not_import_the_compiler():
    script = """
import sys
import plyground
from plyground.games.catalogue import games
print(len(games()), "numba" in sys.modules, "llvmlite" in sys.modules)
"""
    count, numba, llvmlite = run_python(script).split()
    assert int(count) >= 6
    assert (numba, llvmlite) == ("False", "False")


# ------------------------------------------------------------------ threads

MOST_ROUNDS = 200_000_000_000  # some hundred seconds, if nobody can stop it


@kernel
def spin(rounds, counted, stop):
    """Count until told to stop; two arrays, so that the compiler has to look at both each time."""
    done = 0
    while done < rounds and stop[0] == 0:
        done += 1
        counted[0] = done
    return done


def test_a_running_kernel_leaves_python_free_to_run():
    """The main thread sees the kernel at work, twice, and stops it. (Not with the GIL held.)"""
    counted, stop = np.zeros(1, np.int64), np.zeros(1, np.int64)
    spin(1, counted, stop)  # compiled before the thread starts
    counted[0] = 0
    answers: list[int] = []
    worker = threading.Thread(target=lambda: answers.append(spin(MOST_ROUNDS, counted, stop)))
    worker.start()
    seen: list[int] = []
    while worker.is_alive() and len(seen) < 2:
        now = int(counted[0])
        if now > (seen[-1] if seen else 0):
            seen.append(now)
    stop[0] = 1
    worker.join()
    assert len(seen) == 2
    assert seen[1] <= answers[0] < MOST_ROUNDS


def test_two_threads_may_ask_for_the_same_kernel_at_once():
    game = find_game("tictactoe")
    answers: list[int] = []

    def count() -> None:
        buffer = np.zeros(9 * game.max_moves, np.int32)
        answers.append(int(perft(game.initial(), 6, buffer, 0)))

    threads = [threading.Thread(target=count) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # At ply 5, 13,680 games go on with four moves each, and 1,440 have ended.
    assert answers == [4 * 13_680 + 1_440] * 2
