"""Connect Four solved: known scores, two independent ways, symmetry, threads, and no table lost."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.rules import cells_left, is_over, legal_moves, outcome, play, transform
from plyground.kernel import kernel
from plyground.solvers.connect_four.answers import Question, answer, exact
from plyground.solvers.connect_four.solve import Solver, Stopped

DATA = Path(__file__).parent.parent / "data" / "connect4"
SETS = ("L1_R1", "L2_R1", "L3_R1")
LATE = 30  # stones from which the plain solver is quick


@kernel
def plain_score(state, moves, at, left, alpha, beta):
    """Alpha-beta that knows the rules of the game and nothing else."""
    if is_over(state):
        return outcome(state) * ((left + 2) // 2)
    best = -64
    end = legal_moves(state, moves, at)
    for i in range(at, end):
        child = play(state, moves[i])
        best = max(best, -plain_score(child, moves, end, left - 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def plainly(state: ConnectFour) -> int:
    return int(plain_score(state, np.zeros(640, np.int32), 0, cells_left(state), -64, 64))


def after(moves: str, **size: int) -> ConnectFour:
    start = GAME.initial(**size)
    return GAME.replay(start, GAME.parse_moves(start, moves))


def random_position(chance: random.Random, stones: int, **size: int) -> ConnectFour:
    """A position with so many stones that is not over."""
    while True:
        state = GAME.initial(**size)
        for _ in range(stones):
            if not is_over(state):
                state = play(state, chance.choice(GAME.legal(state)))
        if not is_over(state):
            return state


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(GAME.initial())


def scored(name: str) -> list[tuple[str, int]]:
    lines = (DATA / f"{name}.txt").read_text().split("\n")
    return [(moves, int(score)) for moves, score in (line.split() for line in lines if line)]


@pytest.mark.parametrize("name", SETS)
def test_known_scores(solver, name):
    assert len(scored(name)) == 60
    for moves, score in scored(name):
        assert solver.score(after(moves)) == score, moves


@pytest.mark.full
@pytest.mark.parametrize("name", SETS)
def test_all_known_scores(solver, name):
    """Whole files, where `PLYGROUND_ARCHIVES` says they are."""
    folder = os.environ.get("PLYGROUND_ARCHIVES")
    path = Path(folder or DATA.parent) / "connect4" / (f"Test_{name}" if folder else f"{name}.txt")
    lines = path.read_text().split("\n")
    for moves, score in (line.split() for line in lines if line):
        assert solver.score(after(moves)) == int(score), moves


@pytest.mark.full
def test_the_empty_board(solver):
    """A win with the 41st stone, and only in the middle (Allen 1988; Allis 1988)."""
    assert solver.score(GAME.initial()) == 1
    assert list(solver.scores(GAME.initial()).values()) == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.parametrize("seed", range(2))
def test_late_positions_agree_with_plain_alpha_beta(solver, seed):
    chance = random.Random(seed)
    for _ in range(120):
        state = random_position(chance, chance.randrange(LATE, 41))
        assert solver.score(state) == plainly(state)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 30))
def test_thousands_of_late_positions_agree_with_plain_alpha_beta(solver, seed):
    chance = random.Random(seed)
    for _ in range(1000):
        state = random_position(chance, chance.randrange(24, 41))
        assert solver.score(state) == plainly(state)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(16, 38))
def test_a_score_is_that_of_the_best_child_and_of_the_mirror_image(solver, chance, stones):
    state = random_position(chance, stones)
    score = solver.score(state)
    scores = solver.scores(state)
    assert score == max(scores.values())
    assert scores == {move: -solver.score(play(state, move)) for move in scores}
    assert solver.best(state, score) == [move for move in scores if scores[move] == score]
    assert solver.score(transform(state, 1)) == score


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(18, 38), st.data())
def test_bounds_and_who_wins(solver, chance, stones, data):
    state = random_position(chance, stones)
    score = solver.score(state)
    low = data.draw(st.integers(-21, 20))
    high = data.draw(st.integers(low + 1, 21))
    assert solver.score(state, low, high) == min(max(score, low), high)
    assert answer(solver, state, Question(weak=True)).score == (score > 0) - (score < 0)


def test_two_threads_find_the_score_of_one(solver):
    together = Solver(GAME.initial(), threads=2)
    chance = random.Random(5)
    for _ in range(60):
        state = random_position(chance, chance.randrange(14, 30))
        assert together.score(state) == solver.score(state)


def test_a_line_ends_as_the_score_says(solver):
    chance = random.Random(6)
    for _ in range(40):
        state = random_position(chance, chance.randrange(16, 36))
        found = answer(solver, state, Question())
        told = exact(state, found.score)
        end = GAME.replay(state, found.line)
        assert is_over(end)
        if found.score:
            assert len(found.line) == told.value
            assert told.kind == ("win" if len(found.line) % 2 else "loss")
        assert int(outcome(end)) == (-1 if found.score else 0)


@pytest.mark.parametrize(
    ("moves", "told"), [("414141", "win in 1"), ("33445", "loss in 2"), ("12", "")]
)
def test_how_soon_a_win_comes(solver, moves, told):
    state = after(moves)
    if told:
        assert str(exact(state, solver.score(state))) == told
    else:
        assert exact(state, 0).kind == "proven"


# ------------------------------------------------------------------ other boards

SMALL = [(4, 4), (5, 4), (4, 5), (4, 6), (6, 4)]


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_small_boards_from_late_positions(width, height):
    """Boards of odd and of even height, where different rules hold."""
    solver = Solver(GAME.initial(width=width, height=height))
    chance = random.Random(width * height)
    for _ in range(60):
        stones = chance.randrange(width * height - 13, width * height - 1)
        state = random_position(chance, max(0, stones), width=width, height=height)
        assert solver.score(state) == plainly(state)


def test_four_by_four_is_a_draw_by_plain_search_too():
    start = GAME.initial(width=4, height=4)
    assert Solver(start).score(start) == 0 == plainly(start)


# Values of whole boards, width x height, for the first player (J. Tromp's table).
VALUES = {(4, 5): 0, (5, 4): 0, (4, 6): 0, (5, 5): 0, (6, 4): -1, (7, 4): 0}
DEAR = {(4, 7): 0, (6, 5): 0, (6, 6): -1, (7, 5): 0}


@pytest.mark.parametrize("size", VALUES, ids=lambda size: "x".join(map(str, size)))
def test_values_of_small_boards(size):
    start = GAME.initial(width=size[0], height=size[1])
    assert Solver(start).score(start, -1, 1) == VALUES[size]


@pytest.mark.full
@pytest.mark.parametrize("size", DEAR, ids=lambda size: "x".join(map(str, size)))
def test_values_of_larger_boards(size):
    start = GAME.initial(width=size[0], height=size[1])
    assert Solver(start).score(start, -1, 1) == DEAR[size]


def test_boards_that_cannot_be_solved_are_refused():
    with pytest.raises(Unsupported, match="only four"):
        Solver(GAME.initial(connect=5))
    with pytest.raises(Unsupported, match="at most 8 rows"):
        Solver(GAME.initial(width=4, height=12))
    with pytest.raises(Unsupported, match="at most 60"):
        Solver(GAME.initial(width=8, height=7))


# ------------------------------------------------------------------ the table


def test_a_table_that_has_run_out_of_generations_is_cleared():
    start = GAME.initial(width=7, height=7)
    solver = Solver(start, memory_bytes=1)
    solver._generations = 4
    chance = random.Random(8)
    for _ in range(12):
        state = random_position(chance, 33, width=7, height=7)
        assert solver.score(state) == plainly(state)


def test_a_solver_can_be_stopped_and_asked_again(solver):
    timer = threading.Timer(0.3, solver.stop)
    state = GAME.initial()
    solver.score(after("4141412"))  # compiled by now
    timer.start()
    with pytest.raises(Stopped):
        while True:
            solver.score(state)
    assert solver.score(after("4141412")) == 18
