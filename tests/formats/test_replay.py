"""Many games replayed at once are the same games replayed one by one."""

from __future__ import annotations

import numpy as np
import pytest
from format_tools import random_moves

from plyground.core.records import points_for
from plyground.formats.replay import (
    ALL_LEGAL,
    NO_MOVE,
    NO_PASS,
    keys_of,
    record_of,
    replay_many,
)
from plyground.games import double_card, othello, othello_wide
from plyground.games.catalogue import find_game
from plyground.games.rules import (
    canonical,
    count_symmetries,
    is_over,
    key,
    play,
    transform,
    transform_move,
)
from plyground.kernel import plain_python

# game, settings, its pass
GAMES = [
    ("othello", {}, othello.PASS),
    ("othello", {"size": 4}, othello.PASS),
    ("othello", {"size": 10}, othello_wide.WIDE_PASS),
    ("connect4", {}, NO_PASS),
    ("connect4", {"width": 4, "height": 4, "connect": 3}, NO_PASS),
    (
        "double-card",
        {"width": 3, "height": 4, "cards": 5, "max_moves": 30, "on_no_move": "pass"},
        double_card.PASS,
    ),
    ("kalah", {}, NO_PASS),
    ("mnk", {}, NO_PASS),
]
EACH_GAME = pytest.mark.parametrize(
    "name, settings, passing",
    [
        # On 10x10 this is compiled for nothing else.
        pytest.param(*each, marks=[pytest.mark.full] * (each[1] == {"size": 10}))
        for each in GAMES
    ],
)


def rows_of(games: list[list[int]]) -> np.ndarray:
    rows = np.full((len(games), max(map(len, games))), NO_MOVE, np.int32)
    for row, moves in zip(rows, games, strict=True):
        row[: len(moves)] = moves
    return rows


def some_games(game, start, number=30):
    return [random_moves(game, start, seed, most=3 + 7 * seed) for seed in range(number)]


@EACH_GAME
def test_passes_that_were_left_out_come_back(name, settings, passing):
    game = find_game(name)
    start = game.initial(**settings)
    games = some_games(game, start)
    given = [[move for move in moves if move != passing] for moves in games]
    replayed = replay_many(game, start, rows_of(given), passing)
    assert len(replayed) == len(games)
    for row, moves in enumerate(games):
        while moves and moves[-1] == passing:
            moves = moves[:-1]  # nothing asks for a pass at the end
        assert replayed.plies[row] == len(moves)
        assert replayed.moves[row].tolist()[: len(moves)] == moves
        assert set(replayed.moves[row].tolist()[len(moves) :]) <= {NO_MOVE}
    assert (replayed.illegal == ALL_LEGAL).all()


@EACH_GAME
def test_the_outcome_is_that_of_the_last_position(name, settings, passing):
    game = find_game(name)
    start = game.initial(**settings)
    games = some_games(game, start)
    replayed = replay_many(game, start, rows_of(games), passing)
    finals = [game.first_player_outcome(game.replay(start, moves)) for moves in games]
    assert replayed.is_over.tolist() == [final is not None for final in finals]
    assert replayed.outcomes.tolist() == [final or 0 for final in finals]
    assert None in finals
    assert len(set(finals)) > 2


@EACH_GAME
def test_explicit_passes_are_moves_like_others(name, settings, passing):
    game = find_game(name)
    start = game.initial(**settings)
    games = some_games(game, start, 12)
    replayed = replay_many(game, start, rows_of(games), passing)
    assert replayed.plies.tolist() == [len(moves) for moves in games]


def test_there_are_games_with_passes_among_these():
    for name, settings, passing in GAMES:
        if passing != NO_PASS:
            game = find_game(name)
            games = some_games(game, game.initial(**settings))
            assert any(passing in moves for moves in games), name


@pytest.mark.parametrize(
    "moves, illegal",
    [
        ([19, 18, 26], ALL_LEGAL),  # d3 c3 c4
        ([0], 0),  # a1
        ([19, 18, 18], 2),  # c3 twice
        ([19, othello.PASS], 1),  # a pass that nothing forces
        ([-2, 19], 0),
        ([19, 2**31 - 1], 1),
        ([], ALL_LEGAL),
    ],
)
def test_the_first_illegal_move_is_told_and_ends_the_game(moves, illegal):
    rows = rows_of([moves, [19] * 5])
    replayed = replay_many(othello.GAME, othello.GAME.initial(), rows, othello.PASS)
    assert replayed.illegal[0] == illegal
    assert replayed.plies[0] == (len(moves) if illegal == ALL_LEGAL else illegal)
    assert replayed.illegal[1] == 1


def test_a_move_after_the_end_is_illegal():
    game = find_game("connect4")
    moves = [3, 2, 3, 2, 3, 2, 3]
    replayed = replay_many(game, game.initial(), rows_of([[*moves, 2]]))
    assert replayed.illegal.tolist() == [7]
    assert replayed.is_over.tolist() == [True]
    assert replayed.outcomes.tolist() == [1]


def test_a_pass_may_be_missing_only_where_the_game_has_one():
    start = othello.GAME.initial(size=4)
    games = [random_moves(othello.GAME, start, seed) for seed in range(50)]
    with_pass = next(moves for moves in games if othello.PASS in moves)
    given = rows_of([[move for move in with_pass if move != othello.PASS]])
    assert replay_many(othello.GAME, start, given, othello.PASS).illegal.tolist() == [ALL_LEGAL]
    assert replay_many(othello.GAME, start, given).illegal[0] == with_pass.index(othello.PASS)


def test_any_array_of_numbers_will_do():
    rows = rows_of([[19, 18, 26], [19, 18, 26]])
    start = othello.GAME.initial()
    for given in (rows.astype(np.int64), rows[:, ::-1][:, ::-1], np.asfortranarray(rows)):
        assert replay_many(othello.GAME, start, given).plies.tolist() == [3, 3]
    rows.flags.writeable = False
    assert replay_many(othello.GAME, start, rows).plies.tolist() == [3, 3]


def test_no_games_are_no_trouble():
    replayed = replay_many(othello.GAME, othello.GAME.initial(), np.zeros((0, 60), np.int32))
    assert len(replayed) == 0
    assert len(keys_of(othello.GAME.initial(), replayed.moves, replayed.plies)) == 0


@EACH_GAME
def test_plain_python_and_machine_code_agree(name, settings, passing):
    game = find_game(name)
    start = game.initial(**settings)
    rows = rows_of(some_games(game, start, 4))
    compiled = replay_many(game, start, rows, passing)
    with plain_python():
        plain = replay_many(game, start, rows, passing)
        keys = keys_of(start, plain.moves, plain.plies)
    assert (compiled.moves == plain.moves).all()
    assert (compiled.outcomes == plain.outcomes).all()
    assert (keys_of(start, compiled.moves, compiled.plies) == keys).all()


# ------------------------------------------------------------------ keys


@EACH_GAME
def test_keys_are_those_of_the_canonical_positions_in_order(name, settings, passing):
    game = find_game(name)
    start = game.initial(**settings)
    games = some_games(game, start, 5)
    expected = []
    for moves in games:
        states = [start]
        for move in moves:
            states.append(play(states[-1], move))
        expected += [int(key(canonical(state))) for state in states]
    rows = rows_of(games)
    plies = np.array([len(moves) for moves in games])
    assert keys_of(start, rows, plies).tolist() == expected


@EACH_GAME
def test_symmetric_games_have_equal_keys(name, settings, passing):
    game = find_game(name)
    start = game.initial(**settings)
    moves = random_moves(game, start, seed=5)
    plies = np.array([len(moves)])
    straight = keys_of(start, rows_of([moves]), plies)
    kept = [s for s in range(count_symmetries(start)) if transform(start, s) == start]
    assert len(kept) == {"othello": 4, "connect4": 2, "double-card": 8, "kalah": 1, "mnk": 8}[name]
    for symmetry in kept:
        state, mirrored = start, []
        for move in moves:
            mirrored.append(transform_move(state, move, symmetry))
            state = play(state, move)
        assert (keys_of(start, rows_of([mirrored]), plies) == straight).all()


# ------------------------------------------------------------------ one game


def test_a_record_tells_the_result_of_a_finished_game():
    game = find_game("connect4")
    record = record_of(game, game.initial(), [3, 2, 3, 2, 3, 2, 3], {})
    assert [move.move for move in record.moves] == ["4", "3", "4", "3", "4", "3", "4"]
    assert [move.side for move in record.moves] == [0, 1, 0, 1, 0, 1, 0]
    assert (record.points, record.outcome, record.ended) == (1.0, 1, "over")


def test_a_record_of_an_unfinished_game_has_no_result():
    game = find_game("othello")
    record = record_of(game, game.initial(), [19], {}, tags={"a": "b"})
    assert (record.points, record.outcome, record.ended) == (None, None, "unfinished")
    assert record.tags == {"a": "b"}
    assert not is_over(game.replay(game.initial(), [19]))


@pytest.mark.parametrize("result, points", [(64, 1.0), (1, 1.0), (0, 0.5), (-2, 0.0)])
def test_points(result, points):
    assert points_for(result) == points
