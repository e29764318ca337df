"""Connect Four solved: known scores, two independent ways, symmetry, threads, and no table lost."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_solving import is_score_in_stones, random_columns

from plyground.bits import U64, ZERO, popcount, random_below, without_lowest
from plyground.core.errors import Unsupported
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.rules import is_over, outcome, play, transform
from plyground.kernel import kernel
from plyground.solvers.answers import WHO_WINS, Question, answer
from plyground.solvers.connect_four.board import playable, threats
from plyground.solvers.connect_four.book_building import BookPlan
from plyground.solvers.connect_four.follow_up import NO_BOUND, follow_up
from plyground.solvers.connect_four.forced import settle
from plyground.solvers.connect_four.search import MOST
from plyground.solvers.connect_four.solve import ConnectFourSolver, exact_score, stones_until
from plyground.solvers.spec import Stopped

DATA = Path(__file__).parent.parent / "data" / "connect4"
SETS = ("L1_R1", "L2_R1", "L3_R1")
LATE = 32  # stones from which the plain solver is quick


def after(moves: str, **size: int) -> ConnectFour:
    start = GAME.initial(**size)
    return GAME.replay(start, GAME.parse_moves(start, moves))


@pytest.fixture(scope="module")
def solver() -> ConnectFourSolver:
    return ConnectFourSolver(GAME.initial())


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


# Nodes never change by chance: a change of these is a change of the search, to be told of.
NODES = {"L1_R1": 17_920, "L2_R1": 4_114, "L3_R1": 419}


@pytest.mark.parametrize("name", SETS)
def test_node_counts_are_the_golden_ones(solver, name):
    nodes = 0
    for moves, _ in scored(name):
        solver.score(after(moves))
        nodes += solver.nodes
    assert nodes == NODES[name]


def test_an_opening_takes_the_golden_number_of_nodes(solver):
    assert (solver.score(after("444326")), solver.nodes) == (3, 463_860)


@pytest.mark.full
def test_the_empty_board(solver):
    """A win with the 41st stone, and only in the middle (Allen 1988; Allis 1988)."""
    assert (solver.score(GAME.initial()), solver.nodes) == (1, 16_062_981)
    assert list(solver.scores(GAME.initial()).values()) == [-2, -1, 0, 1, 0, -1, -2]


def test_late_positions_agree_with_plain_alpha_beta(solver):
    chance = random.Random(0)
    for _ in range(50):
        state = random_columns(chance, chance.randrange(LATE, 41))
        assert is_score_in_stones(state, solver.score(state))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 30))
def test_thousands_of_late_positions_agree_with_plain_alpha_beta(solver, seed):
    chance = random.Random(seed)
    for _ in range(1000):
        state = random_columns(chance, chance.randrange(24, 41))
        assert is_score_in_stones(state, solver.score(state))


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(16, 38))
def test_a_score_is_that_of_the_best_child_and_of_the_mirror_image(solver, chance, stones):
    state = random_columns(chance, stones)
    score = solver.score(state)
    scores = solver.scores(state)
    assert score == max(scores.values())
    assert scores == {move: -solver.score(play(state, move)) for move in scores}
    assert solver.best(state, score) == [move for move in scores if scores[move] == score]
    assert solver.score(transform(state, 1)) == score


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(18, 38), st.data())
def test_bounds_and_who_wins(solver, chance, stones, data):
    state = random_columns(chance, stones)
    score = solver.score(state)
    low = data.draw(st.integers(-21, 20))
    high = data.draw(st.integers(low + 1, 21))
    assert solver.score(state, low, high) == min(max(score, low), high)
    assert answer(solver, state, WHO_WINS).score == (score > 0) - (score < 0)


def test_two_threads_find_the_score_of_one(solver):
    together = ConnectFourSolver(GAME.initial(), threads=2)
    chance = random.Random(5)
    for _ in range(60):
        state = random_columns(chance, chance.randrange(14, 30))
        assert together.score(state) == solver.score(state)


def test_a_line_ends_as_the_score_says(solver):
    chance = random.Random(6)
    for _ in range(40):
        state = random_columns(chance, chance.randrange(16, 36))
        found = answer(solver, state, Question())
        told = stones_until(state, found.score)
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
        assert str(stones_until(state, solver.score(state))) == told
    else:
        assert stones_until(state, 0).kind == "proven"


# ------------------------------------------------------------------ follow-up strategies


class Unruled(NamedTuple):
    """A board on which nobody knows a strategy, so that scores come from searching alone."""

    cells: U64
    bottom: U64
    even: U64
    height: int

    def follow_up(self, mover, other, others_threats, left, target):
        return NO_BOUND


@kernel
def broken_bounds(board, unruled, generator, fewest, most, count, work):
    """Bounds on random quiet positions, and how many of them a search exceeds."""
    bounded = broken = 0
    for _ in range(count):
        me = them = ZERO
        left = popcount(board.cells)
        for _ in range(fewest + random_below(generator, most - fewest + 1)):
            open_cells = playable(board, me | them)
            if open_cells == ZERO:
                break
            for _ in range(random_below(generator, popcount(open_cells))):
                open_cells = without_lowest(open_cells)
            me, them = them, me | (open_cells & (ZERO - open_cells))
            left -= 1
            if threats(board, them, me) & them != ZERO:  # a four, whose stones complete it
                left = 0
                break
        if left == 0:
            continue
        stones = me | them
        mine, theirs = threats(board, me, stones), threats(board, them, stones)
        quiet = settle(board, me, them, mine, theirs, left)
        if quiet.is_decided:
            continue
        bound = follow_up(board, quiet.me, quiet.them, quiet.theirs, quiet.left, MOST)
        if bound != NO_BOUND:
            bounded += 1
            value = exact_score(unruled, quiet.me, quiet.them, bound, bound + 1, work)
            broken += value > bound
    return bounded, broken


def count_broken_bounds(size: tuple[int, int], fewest: int, most: int, count: int):
    start = GAME.initial(width=size[0], height=size[1])
    solver = ConnectFourSolver(start)
    unruled = Unruled(*solver.board)
    generator = np.array([size[0] * size[1]], np.uint64)
    return broken_bounds(solver.board, unruled, generator, fewest, most, count, solver.works[0])


@pytest.mark.parametrize(
    ("size", "fewest", "most", "enough"),
    [
        ((5, 6), 10, 24, 500),
        pytest.param((7, 6), 22, 35, 500, marks=pytest.mark.full),
        pytest.param((6, 4), 6, 18, 500, marks=pytest.mark.full),
        pytest.param((4, 8), 12, 26, 500, marks=pytest.mark.full),
    ],
)
def test_strategies_bound_what_a_search_finds(size, fewest, most, enough):
    bounded, broken = count_broken_bounds(size, fewest, most, 200_000)
    assert bounded > enough
    assert broken == 0


@pytest.mark.full
def test_strategies_bound_what_a_search_finds_on_millions_of_positions():
    bounded, broken = count_broken_bounds((7, 6), 14, 35, 3_000_000)
    assert bounded > 10_000
    assert broken == 0


# ------------------------------------------------------------------ other boards

SMALL = [(4, 4), (5, 4), (4, 5), (4, 6), (6, 4)]


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_small_boards_from_late_positions(width, height):
    """Boards of odd and of even height, where different rules hold."""
    solver = ConnectFourSolver(GAME.initial(width=width, height=height))
    chance = random.Random(width * height)
    for _ in range(60):
        stones = chance.randrange(width * height - 13, width * height - 1)
        state = random_columns(chance, max(0, stones), width=width, height=height)
        assert is_score_in_stones(state, solver.score(state))


def test_four_by_four_is_a_draw_by_plain_search_too():
    start = GAME.initial(width=4, height=4)
    assert ConnectFourSolver(start).score(start) == 0
    assert (
        is_score_in_stones(start, 0)
        and not is_score_in_stones(start, 1)
        and not is_score_in_stones(start, -1)
    )


# Values of whole boards, width x height, for the first player (J. Tromp's table).
VALUES = {(4, 5): 0, (5, 4): 0, (4, 6): 0, (5, 5): 0, (6, 4): -1, (7, 4): 0}
DEAR = {(4, 7): 0, (6, 5): 0, (6, 6): -1, (7, 5): 0}


@pytest.mark.parametrize("size", VALUES, ids=lambda size: "x".join(map(str, size)))
def test_values_of_small_boards(size):
    start = GAME.initial(width=size[0], height=size[1])
    assert ConnectFourSolver(start).score(start, -1, 1) == VALUES[size]


@pytest.mark.full
@pytest.mark.parametrize("size", DEAR, ids=lambda size: "x".join(map(str, size)))
def test_values_of_larger_boards(size):
    start = GAME.initial(width=size[0], height=size[1])
    assert ConnectFourSolver(start).score(start, -1, 1) == DEAR[size]


def test_boards_that_cannot_be_solved_are_refused():
    with pytest.raises(Unsupported, match="only four"):
        ConnectFourSolver(GAME.initial(connect=5))
    with pytest.raises(Unsupported, match="at most 8 rows"):
        ConnectFourSolver(GAME.initial(width=4, height=12))
    with pytest.raises(Unsupported, match="at most 60"):
        ConnectFourSolver(GAME.initial(width=8, height=7))


# ------------------------------------------------------------------ the table


def test_a_table_that_has_run_out_of_generations_is_cleared():
    start = GAME.initial(width=7, height=7)
    solver = ConnectFourSolver(start, memory_bytes=1)
    solver._generations = 4
    chance = random.Random(8)
    for _ in range(12):
        state = random_columns(chance, 33, width=7, height=7)
        assert is_score_in_stones(state, solver.score(state))


def test_a_solver_can_be_stopped_and_asked_again(solver):
    timer = threading.Timer(0.3, solver.stop)
    state = GAME.initial()
    solver.score(after("4141412"))  # compiled by now
    timer.start()
    with pytest.raises(Stopped):
        while True:
            solver.score(state)
    assert solver.score(after("4141412")) == 18


# ------------------------------------------------------------------ the data set of UCI

# J. Tromp's connect-4 data set (UCI, 1995): the positions with eight stones in which nobody has won
# and the next move is not forced, one of each pair of mirror images, and who wins them.
UCI = {"win": 44_473, "draw": 6_449, "loss": 16_635}


@pytest.mark.full
def test_positions_with_eight_stones_are_those_of_the_data_set_and_won_as_often(solver):
    layer = BookPlan(GAME.initial(), 8).layers[-1].values()
    board = solver.board

    def is_open(state: ConnectFour) -> bool:
        other = state.stones ^ state.me
        found = threats(board, state.me, state.stones) | threats(board, other, state.stones)
        return not found & playable(board, state.stones)

    unforced = [state for state in layer if is_open(state)]
    assert len(unforced) == sum(UCI.values()) == 67_557
    sample = random.Random(9).sample(unforced, 600)
    scores = [solver.score(state, -1, 1) for state in sample]
    for score, count in zip((1, 0, -1), UCI.values(), strict=True):
        share = count / sum(UCI.values())
        error = (share * (1 - share) / len(sample)) ** 0.5
        assert abs(scores.count(score) / len(sample) - share) < 4 * error
