"""Self-play: games by the rules, repeatable, and credit as TD(lambda) gives it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.evaluation.general import Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left, is_over, outcome, play, side
from plyground.kernel import plain_python
from plyground.learning.lessons import Lessons
from plyground.learning.scale import WHOLE, expected, points_of, scale_of
from plyground.learning.self_play import Games, Manner, Teacher, credit, self_play
from plyground.solvers.catalogue import solver_for

TICTACTOE = find_game("tictactoe")
OTHELLO = find_game("othello")


def played(manner: Manner, games: int = 60, seed: int = 5) -> Lessons:
    return self_play(TICTACTOE, TICTACTOE.initial(), Zero(), manner, games, seed)


def test_games_are_legal_and_end_as_the_rules_say() -> None:
    found = played(Manner(depth=2, opening=4, noise=100))
    assert found.games == 60
    assert set(found.openings.tolist()) == {0, 1, 2, 3, 4}
    first = 0
    for length in found.lengths:
        state = TICTACTOE.initial()
        for move in found.moves[first : first + length]:
            assert move in TICTACTOE.legal(state)
            state = play(state, int(move))
        assert is_over(state)
        first += length


def test_one_seed_gives_the_same_games_and_another_gives_others() -> None:
    one, same, other = (played(Manner(), seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(one.moves, same.moves) and np.array_equal(one.values, same.values)
    assert not np.array_equal(one.moves, other.moves)


def test_with_full_trust_every_value_is_the_result() -> None:
    found = played(Manner(depth=1, opening=2, noise=0, trust=1.0))
    first = 0
    for length, opening in zip(found.lengths, found.openings, strict=True):
        states = [TICTACTOE.initial()]
        for move in found.moves[first : first + length]:
            states.append(play(states[-1], int(move)))
        result = int(outcome(states[-1])) * (1 if side(states[-1]) == 0 else -1)
        for ply in range(opening, length):
            wanted = result if side(states[ply]) == 0 else -result
            assert found.values[first + ply] == wanted * WHOLE
        first += length


def by_hand(games: Games, trust: float) -> list[float]:
    """What each position was worth, as the definition says: recursively, forwards."""
    found, first = [], 0
    for game, length in enumerate(games.lengths):
        rows = range(first, first + int(length))

        def worth(row: int, end: int = first + int(length), game: int = game) -> float:
            if row == end:
                return float(games.results[game])
            rest = games.signs[row] * worth(row + 1)
            if not np.isnan(games.exact[row]):
                return float(games.exact[row])
            if games.is_noise[row] or np.isnan(rest):
                return float(games.worth[row])
            return trust * rest + (1 - trust) * float(games.worth[row])

        found += [worth(row) if row - first >= games.openings[game] else 0.0 for row in rows]
        first += int(length)
    return found


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.3, 0.8, 1.0]), st.booleans())
def test_credit_is_that_of_the_definition(seed: int, trust: float, is_compiled: bool) -> None:
    chance = np.random.default_rng(seed)
    lengths = chance.integers(1, 6, 3)
    total = int(lengths.sum())
    games = Games(
        np.zeros(total, np.int32),
        chance.normal(size=total).astype(np.float32),
        np.where(chance.random(total) < 0.2, chance.normal(size=total), np.nan).astype(np.float32),
        chance.choice([-1, 1], total).astype(np.int8),
        chance.random(total) < 0.2,
        lengths.astype(np.int64),
        chance.integers(0, lengths),
        np.where(chance.random(3) < 0.7, chance.normal(size=3), np.nan).astype(np.float32),
    )
    values = np.zeros(total, np.float32)
    if is_compiled:
        assert credit(games, trust, values) == total
    else:
        with plain_python():
            assert credit(games, trust, values) == total
    assert values == pytest.approx(by_hand(games, trust), abs=1e-5)


def test_a_solver_teaches_what_it_knows() -> None:
    start = OTHELLO.initial(size=4)
    solver = solver_for(OTHELLO, start)
    manner = Manner(depth=1, opening=3, noise=200, trust=0.5)
    found = self_play(OTHELLO, start, Zero(), manner, 15, 3, Teacher(solver, 7))
    first, taught = 0, 0
    for length, opening in zip(found.lengths, found.openings, strict=True):
        state = start
        for ply in range(length):
            if ply >= opening and cells_left(state) <= 7:
                points = found.values[first + ply] / WHOLE * 16
                assert points == pytest.approx(solver.score(state), abs=0.01)
                taught += 1
            state = play(state, int(found.moves[first + ply]))
        first += length
    assert taught > 50


@pytest.mark.parametrize("total", [-25.0, -3.0, -0.2, 0.0, 0.7, 2.5, 25.0])
def test_chances_are_the_hyperbolic_tangent(total: float) -> None:
    scale = scale_of(TICTACTOE, TICTACTOE.initial())
    assert expected(scale, total) == pytest.approx(np.tanh(total), abs=1e-9)
    assert points_of(scale, round(total * scale.unit)) == pytest.approx(np.tanh(total), abs=1e-3)


def test_proven_values_are_whole_points() -> None:
    from plyground.core.scores import WIN

    chances = scale_of(TICTACTOE, TICTACTOE.initial())
    assert points_of(chances, WIN + 3) == 1 and points_of(chances, -WIN - 3) == -1
    discs = scale_of(OTHELLO, OTHELLO.initial())
    assert points_of(discs, WIN + 12) == 12 and points_of(discs, -WIN - 12) == -12
    assert points_of(discs, 1234) == pytest.approx(12.34)
    assert points_of(discs, 99_999) == 64  # no game is won by more
