"""Othello endgames solved: known scores, minimax, symmetry, threads, stops, no bound wrong."""

from __future__ import annotations

import itertools
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from othello_positions import random_position
from plain_solving import plain_discs, scattered_discs

from plyground.bits import U64, ZERO
from plyground.core.errors import Unsupported
from plyground.games.othello import GAME, PASS, Othello
from plyground.games.rules import cells_left, is_over, outcome, transform
from plyground.kernel import Slab, kernel, plain_python
from plyground.solvers.answers import WHO_WINS, Proved, Question, answer
from plyground.solvers.othello import board as boards
from plyground.solvers.othello import table as tables
from plyground.solvers.othello.board import BOARDS, final_score, parity_of, quadrant, squares_of
from plyground.solvers.othello.search import SHALLOW, most_by_stability
from plyground.solvers.othello.solve import OthelloSolver
from plyground.solvers.othello.table import MIDDLE, Table, file, find, lower_of, move_of, upper_of
from plyground.solvers.othello.windows import Windows
from plyground.solvers.spec import NODES as NODES_AT
from plyground.solvers.spec import Stopped

DATA = Path(__file__).parent.parent / "data" / "othello"
SIZES = (4, 6, 8)
# A size is compiled for half a minute; what is done on 6x6 here, and nowhere else, can wait.
COMPILED_SIZES = (4, pytest.param(6, marks=pytest.mark.full), 8)


@pytest.fixture(scope="module")
def solver() -> OthelloSolver:
    return OthelloSolver(GAME.initial(), memory_bytes=16 * 2**20)


def rows(path: Path) -> Iterator[list[str]]:
    for line in path.read_text().split("\n"):
        if line and not line.startswith("#"):
            yield line.split("\t")


def position(cells: str, side: str = "X") -> Othello:
    state = GAME.parse_position(GAME.initial(), f"{cells} {side}")
    assert isinstance(state, Othello)
    return state


# ------------------------------------------------------------------ known scores


def test_random_endgames(solver):
    known = list(rows(DATA / "random.tsv"))
    assert {int(row[1]) for row in known} == set(range(17)) and len(known) == 17 * 12
    for cells, _, score in known:
        assert solver.score(position(cells)) == int(score), cells


@pytest.mark.full
@pytest.mark.skipif("PLYGROUND_ARCHIVES" not in os.environ, reason="no archives to check")
def test_all_random_endgames(solver):
    """Whole files, where `PLYGROUND_ARCHIVES` says they are."""
    known = list(rows(Path(os.environ["PLYGROUND_ARCHIVES"], "othello", "random-endgames.tsv")))
    assert len(known) > 17 * 12, "more than the sample"
    for cells, _, score in known:
        assert solver.score(position(cells)) == int(score), cells


PROBLEMS = {int(row[0]): row for row in rows(DATA / "ffo.tsv")}


def check_problem(solver: OthelloSolver, number: int) -> int:
    """Score, best moves and the score of every move; the nodes that the score took."""
    _, cells, side, empty, score, best, scores = PROBLEMS[number]
    state = position(cells, side)
    assert cells_left(state) == int(empty)
    solver.forget()
    assert solver.score(state) == int(score)
    nodes = solver.nodes
    told = {name: int(worth) for name, worth in (pair.split(":") for pair in scores.split(","))}
    found = solver.scores(state)
    named = {GAME.format_move(state, move): worth for move, worth in found.items()}
    assert named == told
    listed = [name for name in named if named[name] == int(score)]
    assert sorted(listed) == sorted(best.split(","))
    assert solver.best(state, int(score)) == [GAME.parse_move(state, name) for name in listed]
    return nodes


# Nodes never change by chance: a change of these is a change of the search, to be told of.
NODES = {int(number): int(nodes) for number, nodes in rows(DATA / "nodes.tsv")}


@pytest.mark.parametrize("number", range(1, 21))
def test_problems_with_every_move(solver, number):
    assert check_problem(solver, number) == NODES[number]


@pytest.mark.full
@pytest.mark.parametrize("number", range(21, 45))
def test_all_problems_with_every_move(solver, number):
    check_problem(solver, number)


@pytest.mark.full
@pytest.mark.parametrize("number", range(40, 45))
def test_problems_take_the_nodes_that_the_benchmark_tells(number):
    """With the table that a command has if nothing is said."""
    _, cells, side, *_ = PROBLEMS[number]
    solver = OthelloSolver(GAME.initial())
    solver.score(position(cells, side))
    assert solver.nodes == NODES[number]


def test_values_of_whole_boards():
    """4x4 is lost by 10, as empty squares are the winner's: 3 discs to 11 (known numbers)."""
    start = GAME.initial(size=4)
    assert OthelloSolver(start).score(start) == -10
    assert plain_discs(start) == -10


@pytest.mark.full
def test_six_by_six():
    """16 to 20 (J. Feinstein 1993)."""
    start = GAME.initial(size=6)
    assert OthelloSolver(start, 2**30, threads=2).score(start) == -4


# ------------------------------------------------------------------ two ways


@pytest.mark.parametrize("size", COMPILED_SIZES)
def test_it_agrees_with_plain_minimax_on_endgames(size):
    chance, solver = random.Random(size), OthelloSolver(GAME.initial(size=size))
    for i in range(900):
        state = random_position(chance, 1 + i % 8, size)
        assert solver.score(state) == plain_discs(state), GAME.format_position(state)


@pytest.mark.parametrize("size", COMPILED_SIZES)
def test_it_agrees_with_plain_minimax_on_any_discs(size):
    chance, solver = random.Random(size), OthelloSolver(GAME.initial(size=size))
    passes = wiped_out = early = 0
    for i in range(900):
        state = scattered_discs(chance, i % 9, size)
        score = plain_discs(state)
        assert solver.score(state) == score, GAME.format_position(state)
        passes += not is_over(state) and GAME.legal(state) == [PASS]
        wiped_out += abs(score) == size * size
        early += is_over(state) and cells_left(state) > 0
    assert min(passes, wiped_out, early) >= 5


@pytest.mark.full
def test_it_agrees_with_plain_minimax_on_thousands(solver):
    chance = random.Random(99)
    for i in range(20_000):
        made = random_position if i % 2 else scattered_discs
        state = made(chance, 1 + i % 9)
        assert solver.score(state) == plain_discs(state), GAME.format_position(state)


def test_plain_python_finds_the_same():
    chance = random.Random(5)
    for left in (1, 4, 5, 6, 7):
        state = random_position(chance, left)
        compiled = OthelloSolver(state, memory_bytes=2**16).score(state)
        with plain_python():
            assert OthelloSolver(state, memory_bytes=2**16).score(state) == compiled


@given(st.integers(0, 2**32), st.integers(6, 13), st.integers(0, 7))
@settings(max_examples=40)
def test_symmetric_positions_have_the_same_score(solver, seed, left, symmetry):
    state = random_position(random.Random(seed), left)
    assert solver.score(transform(state, symmetry)) == solver.score(state)


@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(-66, 64), st.integers(1, 40))
@settings(max_examples=60)
def test_a_window_tells_the_score_or_its_nearer_bound(solver, seed, left, low, width):
    state = random_position(random.Random(seed), left)
    low = max(-64, min(low, 63))
    high = min(64, low + width)
    score = solver.score(state)
    assert solver.score(state, low, high) == min(max(score, low), high)
    won = answer(solver, state, WHO_WINS)
    assert won.score == (score > 0) - (score < 0)


@given(st.integers(0, 2**32), st.integers(2, 12))
@settings(max_examples=40)
def test_the_line_is_a_game_that_ends_with_the_score(solver, seed, left):
    state = random_position(random.Random(seed), left)
    found = answer(solver, state, Question(all_moves=True))
    end = GAME.replay(state, found.line)
    assert is_over(end)
    assert found.score == (-1) ** len(found.line) * int(outcome(end))
    assert found.line[0] in found.best
    assert found.proven.kind == "proven" and found.proven.value == found.score


@given(st.integers(0, 2**32), st.integers(1, 10), st.booleans())
@settings(max_examples=100)
def test_stable_discs_never_promise_too_much(solver, seed, left, thrown):
    made = scattered_discs if thrown else random_position
    state = made(random.Random(seed), left)
    if is_over(state):
        return
    most = most_by_stability(solver.board, state.me, state.opp)
    assert solver.score(state) <= most


# ------------------------------------------------------------------ threads and stops


@pytest.mark.parametrize("number", [8, 22, 24])
def test_two_threads_find_what_one_finds(solver, number):
    _, cells, side, _, score, *_ = PROBLEMS[number]
    for _ in range(3):
        two = OthelloSolver(position(cells, side), threads=2)
        assert two.score(position(cells, side)) == int(score)
    assert not any(two.works[0].busy.array), "nobody has stayed at a desk"


def clamped(score: int, low: int | None, high: int | None) -> int:
    return min(max(score, -64 if low is None else low), 64 if high is None else high)


class Interrupted(OthelloSolver):
    """Stopped in the middle of its n-th window, once that has taken so many nodes."""

    window = most_nodes = 0

    def ask(self, state: Othello, alpha: int) -> int:
        self.window -= 1
        if self.window:
            return super().ask(state, alpha)
        is_done = threading.Event()

        def watch() -> None:
            while not is_done.wait(0.0001):
                if self.works[0].counts[NODES_AT] > self.most_nodes:
                    self.stop()

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            return super().ask(state, alpha)
        finally:
            is_done.set()
            watching.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_solve_has_proved_nothing_wrong(threads):
    _, cells, side, _, score, _, told = PROBLEMS[25]
    scores = {name: int(worth) for name, worth in (pair.split(":") for pair in told.split(","))}
    state = position(cells, side)
    solver = Interrupted(state, threads=threads)
    solver.prepare()
    chance, stopped = random.Random(threads), 0
    for _ in range(25):
        if chance.random() < 0.5:
            solver.forget()
        solver.window, solver.most_nodes = chance.randint(1, 3), chance.randint(0, 500_000)
        asked = chance.choice([(None, None), (-1, 1), (-20, 4), (30, 40)])
        question = Question(*asked, all_moves=chance.random() < 0.5)
        proved = Proved(solver, question)
        try:
            assert answer(solver, state, question, proved).score == clamped(int(score), *asked)
        except Stopped:
            stopped += 1
        assert proved.low <= int(score) <= proved.high
        for move, found in proved.scores.items():
            assert clamped(scores[GAME.format_move(state, move)], *asked) == found
        for move, (low, high) in proved.moves.items():
            assert low <= scores[GAME.format_move(state, move)] <= high
    assert stopped > 0
    assert solver.score(state) == int(score), "what the table keeps is right"
    named = {GAME.format_move(state, move): each for move, each in solver.scores(state).items()}
    assert named == scores


def test_what_needs_no_search_costs_no_nodes(solver):
    _, cells, side, *_ = PROBLEMS[4]
    state = position(cells, side)
    assert solver.score(state, 2, 20) == 2 and solver.nodes > 0
    assert solver.best(state, 2, 2) == GAME.legal(state)
    assert solver.nodes == 0


def test_bounds_of_a_position_are_those_of_its_best_move(solver):
    proved = Proved(solver, Question(-20, 20, all_moves=True))
    proved.begin([1, 2])
    for move, low, high, known in (
        (1, -20, 4, (-64, 64)),
        (2, -20, 8, (-64, 8)),
        (1, 2, 4, (2, 8)),
        (2, -20, -20, (2, 4)),
        (1, 4, 4, (4, 4)),
        (1, 20, 20, (20, 64)),
    ):
        proved.narrow_move(move, low, high)
        assert (proved.low, proved.high) == known
    assert proved.scores == {2: -20, 1: 20}


def test_bounds_of_a_move_are_told_while_it_is_searched(solver):
    _, cells, side, _, score, best, _ = PROBLEMS[3]
    state = position(cells, side)
    told: list[tuple[int, int]] = []
    solver.forget()
    move = GAME.parse_move(state, best)
    solver.score_of(state, move, on_bounds=lambda low, high: told.append((low, high)))
    assert len(told) > 1 and told[-1] == (int(score), int(score))
    assert all(low <= int(score) <= high for low, high in told)


def test_bounds_are_told_as_they_are_proved(solver):
    _, cells, side, _, score, *_ = PROBLEMS[4]
    told: list[tuple[int, int]] = []
    solver.score(position(cells, side), on_bounds=lambda low, high: told.append((low, high)))
    assert told[-1] == (int(score), int(score))
    for (low, high), (next_low, next_high) in itertools.pairwise(told):
        assert low <= next_low <= next_high <= high


@given(st.integers(-64, 64), st.integers(-64, 64), st.integers(0, 2**32))
def test_windows_end_at_the_score_whatever_bounds_are_found(score, guess, seed):
    chance, windows = random.Random(seed), Windows(-64, 64, guess)
    for _ in range(200):
        if not windows.is_open:
            break
        alpha = windows.alpha
        assert windows.low <= alpha < windows.high
        if score > alpha:
            windows.learn(chance.randint(alpha + 1, score))
        else:
            windows.learn(chance.randint(score, alpha))
    assert windows.low == windows.high == score


def test_boards_that_cannot_be_solved_are_refused():
    with pytest.raises(Unsupported, match="expected 4x4, 6x6 or 8x8"):
        OthelloSolver(GAME.initial(size=10))


# ------------------------------------------------------------------ parts


@kernel
def filed(table, me, opp, lower, upper, move, nodes):
    file(table, me, opp, lower, upper, move, nodes)
    return find(table, me, opp)


@kernel
def found(table, me, opp):
    return find(table, me, opp)


@given(
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(-64, 64),
    st.integers(-64, 64),
    st.integers(0, 64),
    st.integers(1, 2**40),
)
def test_the_table_gives_back_what_was_filed(me, opp, lower, upper, move, nodes):
    table = Table(Slab(8 << 4), 4, 3)
    word = filed(table, U64(me), U64(opp), lower, upper, move, nodes)
    assert (lower_of(word), upper_of(word), move_of(word)) == (lower, upper, move)
    assert found(table._replace(generation=4), U64(me), U64(opp)) == 0, "of another time"
    assert found(table, U64(me ^ 1), U64(opp)) == 0


def test_a_bucket_keeps_what_took_more_work():
    table = Table(Slab(8 << 1), 1, 1)
    for nodes, me in ((1000, 1), (10, 2), (20, 3)):
        filed(table, U64(me), U64(0), -2, 2, 9, nodes)
    same = [me for me in (1, 2, 3) if tables.place_of(table, tables.scattered(U64(me), ZERO)) == 0]
    others = [me for me in (1, 2, 3) if me not in same]
    kept = {me: int(found(table, U64(me), ZERO)) != 0 for me in (1, 2, 3)}
    assert kept[1], "the dearest"
    for bucket in (same, others):
        assert sum(kept[me] for me in bucket) == min(2, len(bucket))


# Where two entries differ: in low squares, in high ones only, in both, in nothing but bounds.
APART = {"low": 0xFFFF_FFFF, "high": 0xFFFF_FFFF << 32, "anywhere": 2**64 - 1, "bounds": 0}


@pytest.mark.parametrize("squares", APART.values(), ids=APART)
def test_half_written_entries_are_not_believed(squares):
    """However two entries of a bucket are mixed, the mixture is of neither position."""
    chance, tried = random.Random(3), 0
    while tried < 300:
        taken = chance.getrandbits(64)
        one = U64(taken & chance.getrandbits(64))
        two = one ^ U64(chance.getrandbits(64) & squares & taken)
        discs = [(me, U64(taken) & ~me) for me in (one, two)]
        first, second = (Table(Slab(8 << 1), 1, 1) for _ in range(2))
        filed(first, *discs[0], -2, 2, 9, 5)
        filed(second, *discs[1], 4, 4, 12, 7_000)
        places = {tables.place_of(first, tables.scattered(*each)) for each in discs}
        if len(places) == 2:
            continue
        tried += 1
        (at,) = places
        for choice in range(1, 7):
            mixed = Table(Slab(8 << 1), 1, 1)
            for i in range(3):
                mixed.words[at + i] = (second if choice >> i & 1 else first).words[at + i]
            for me, opp in discs:
                assert found(mixed, me, opp) == 0, (hex(me), hex(opp), choice)


@pytest.mark.parametrize("size", SIZES)
def test_quadrants_and_their_parity(size):
    board, chance = BOARDS[size], random.Random(size)
    assert bin(boards.cells(board)).count("1") == boards.count_cells(board) == size * size
    half = size // 2
    for row in range(size):
        for column in range(size):
            expected = 1 << (2 * (row >= half) + (column >= half))
            assert quadrant(board, 8 * row + column) == expected
    for _ in range(50):
        empty = U64(chance.getrandbits(64) & int(boards.cells(board)))
        squares = [square for square in range(64) if int(empty) >> square & 1]
        parity = 0
        for square in squares:
            parity ^= quadrant(board, square)
        assert parity_of(board, empty) == parity
        odd = int(squares_of(board, parity)) & int(boards.cells(board))
        inside = [s for s in range(64) if int(boards.cells(board)) >> s & 1]
        assert odd == sum(1 << s for s in inside if quadrant(board, s) & parity)


def test_the_score_of_a_finished_game():
    board = BOARDS[8]
    assert final_score(board, U64(0b111), U64(0b1)) == 62
    assert final_score(board, U64(0b1), U64(0b111)) == -62
    assert final_score(board, U64(0b1), U64(0b10)) == 0
    assert final_score(board, U64(0), U64(0b10)) == -64


def test_sizes_of_parts_fit_together():
    assert SHALLOW >= 5, "the last four are called from five"
    assert MIDDLE >= 64
