"""Kalah on drawn boards: extra turns, captures, laps and the last sweep.

Boards are drawn as players see them: South, the first player, sits below and sows to the right;
North's pits run from right to left; each store is at the right hand of its owner.
"""

import numpy as np
import pytest

from plyground.core.errors import IllegalMove, Unsupported
from plyground.games.kalah import GAME
from plyground.games.rules import is_over, noisy_moves, outcome, play, side


def position(diagram, mover="first", **chosen):
    """Three lines: North's pits from the sixth to the first; the two stores; South's pits."""
    north, stores, south = (line.split() for line in diagram.strip().splitlines())
    first = ",".join([*south, stores[1]])
    second = ",".join([*reversed(north), stores[0]])
    start = GAME.initial(pits=len(south), **chosen)
    return GAME.parse_position(start, f"{first}/{second} {mover}")


def drawn(state):
    """The board as it is drawn below, one string for each line."""
    cells = [str(cell) for cell in GAME.board_of(state).cells]
    half = len(cells) // 2
    return [" ".join(cells[1:half]), f"{cells[0]} {cells[half]}", " ".join(cells[half + 1 :])]


def after(moves, state=None, **chosen):
    state = GAME.initial(**chosen) if state is None else state
    return GAME.replay(state, GAME.parse_moves(state, moves))


def test_the_first_board_has_the_same_number_of_seeds_in_each_pit():
    assert drawn(GAME.initial(pits=3, seeds=2)) == [
        "2 2 2",
        "0 0",
        "2 2 2",
    ]


# ------------------------------------------------------------------ sowing and turns


def test_seeds_are_sown_one_by_one_to_the_right():
    state = after("1")
    assert drawn(state) == [
        "4 4 4 4 4 4",
        "0 0",
        "0 5 5 5 5 4",
    ]
    assert side(state) == 1


def test_a_last_seed_in_the_own_store_gives_another_turn():
    state = after("3")
    assert drawn(state) == [
        "4 4 4 4 4 4",
        "0 1",
        "4 4 0 5 5 5",
    ]
    assert side(state) == 0


def test_north_earns_another_turn_in_the_same_way():
    state = after("1 3")
    assert drawn(state) == [
        "5 5 5 0 4 4",
        "1 0",
        "0 5 5 5 5 4",
    ]
    assert side(state) == 1


def test_sowing_goes_on_into_the_pits_of_the_opponent():
    assert drawn(after("6")) == [
        "4 4 4 5 5 5",
        "0 1",
        "4 4 4 4 4 0",
    ]


def test_the_store_of_the_opponent_is_left_out():
    state = position(
        """
        1 1 1 1 1 1
        9     9
        1 1 1 1 1 8
        """
    )
    assert drawn(after("6", state)) == [
        "2 2 2 2 2 2",
        "9 10",
        "2 1 1 1 1 0",
    ]


def test_a_pit_with_thirteen_seeds_is_sown_round_the_board_into_itself():
    state = position(
        """
        1 1 1 1 1 1
        0     0
        1 13 1 1 1 1
        """,
        captures=False,
    )
    assert drawn(after("2", state)) == [
        "2 2 2 2 2 2",
        "0 1",
        "2 1 2 2 2 2",
    ]


def test_a_pit_is_passed_by_twice_when_there_are_seeds_enough():
    state = position(
        """
        0 0 1
        0  0
        9 1 1
        """
    )
    assert drawn(after("1", state)) == [
        "1 1 2",
        "0 1",
        "1 3 3",
    ]


def test_an_empty_pit_cannot_be_sown():
    with pytest.raises(IllegalMove, match="3 is illegal: the pit is empty"):
        GAME.parse_move(after("3"), "3")


# ------------------------------------------------------------------ captures


def test_a_last_seed_in_an_own_empty_pit_captures_it_and_the_seeds_opposite():
    state = position(
        """
        0 7 0 5 0 1
        0     0
        1 0 2 0 0 1
        """
    )
    assert drawn(after("1", state)) == [
        "0 0 0 5 0 1",
        "0 8",
        "0 0 2 0 0 1",
    ]


def test_a_last_seed_in_a_pit_that_was_not_empty_captures_nothing():
    state = position(
        """
        0 7 0
        0  0
        1 3 1
        """
    )
    assert drawn(after("1", state)) == [
        "0 7 0",
        "0 0",
        "0 4 1",
    ]


def test_with_nothing_opposite_the_last_seed_stays_in_its_pit():
    state = position(
        """
        5 0 5
        0  0
        1 0 1
        """
    )
    assert drawn(after("1", state)) == [
        "5 0 5",
        "0 0",
        "0 1 1",
    ]


def test_a_last_seed_in_an_empty_pit_of_the_opponent_captures_nothing():
    state = position(
        """
        5 5 0
        0  0
        1 1 2
        """
    )
    assert drawn(after("3", state)) == [
        "5 5 1",
        "0 1",
        "1 1 0",
    ]


def test_north_captures_as_well():
    state = position(
        """
        1 0 1
        0  0
        2 6 2
        """,
        "second",
    )
    assert drawn(after("1", state)) == [
        "1 0 0",
        "7 0",
        "2 0 2",
    ]


def test_a_full_lap_ends_in_the_emptied_pit_and_captures():
    state = position(
        """
        1 1 1 1 1 1
        0     0
        1 13 1 1 1 1
        """
    )
    # One seed in each pit and in the store, the last in pit 2 itself; opposite are then two.
    assert drawn(after("2", state)) == [
        "2 0 2 2 2 2",
        "0 4",
        "2 0 2 2 2 2",
    ]


def test_without_captures_the_last_seed_stays_where_it_is():
    state = position(
        """
        0 7 0
        0  0
        1 0 1
        """,
        captures=False,
    )
    assert drawn(after("1", state)) == [
        "0 7 0",
        "0 0",
        "0 1 1",
    ]


# ------------------------------------------------------------------ noisy moves


def test_noisy_moves_are_those_that_earn_a_turn_or_capture():
    state = position(
        """
        0 7 0 5 0 1
        0     0
        1 0 3 1 2 3
        """
    )
    # Pit 1 captures seven, pit 5 ends in the store; pits 3, 4 and 6 do neither.
    buffer = np.zeros(GAME.max_moves, np.int32)
    noisy = buffer[: noisy_moves(state, buffer, 0)]
    assert [GAME.format_move(state, move) for move in noisy] == ["1", "5"]


def test_without_captures_only_moves_that_earn_a_turn_are_noisy():
    state = position(
        """
        0 7 0 5 0 1
        0     0
        1 0 3 1 2 3
        """,
        captures=False,
    )
    buffer = np.zeros(GAME.max_moves, np.int32)
    noisy = buffer[: noisy_moves(state, buffer, 0)]
    assert [GAME.format_move(state, move) for move in noisy] == ["5"]


# ------------------------------------------------------------------ the end


def test_a_move_that_empties_the_own_side_ends_the_game_and_each_keeps_their_side():
    state = position(
        """
        3 2 1
        4  5
        0 0 1
        """
    )
    ended = after("3", state)
    assert drawn(ended) == [
        "0 0 0",
        "10 6",
        "0 0 0",
    ]
    assert is_over(ended)


def test_a_last_seed_in_the_store_gives_no_turn_when_the_game_is_over():
    state = position(
        """
        3 2 1
        4  5
        0 0 1
        """
    )
    ended = after("3", state)
    assert GAME.legal(ended) == []
    assert outcome(ended) == 6 - 10
    assert GAME.winner(ended) == "second"


def test_a_capture_that_empties_the_other_side_ends_the_game():
    state = position(
        """
        0 7 0
        0  0
        1 0 4
        """
    )
    ended = after("1", state)
    assert drawn(ended) == [
        "0 0 0",
        "0 12",
        "0 0 0",
    ]
    assert GAME.winner(ended) == "first"


def test_equal_stores_are_a_draw():
    state = position(
        """
        0 0 1
        5  5
        0 0 1
        """
    )
    assert GAME.winner(after("3", state)) == "draw"


def test_the_outcome_is_that_of_the_side_to_move():
    state = position(
        """
        1 0 0
        9  2
        1 1 1
        """,
        "second",
    )
    ended = after("3", state)
    assert outcome(ended) == (10 - 5 if side(ended) else 5 - 10)
    assert GAME.first_player_outcome(ended) == 5 - 10


def test_a_position_with_an_empty_side_is_swept_when_it_is_read():
    state = position(
        """
        3 2 1
        4  5
        0 0 0
        """
    )
    assert drawn(state) == [
        "0 0 0",
        "10 5",
        "0 0 0",
    ]
    assert is_over(state)


def test_no_seed_is_ever_lost():
    state = GAME.initial()
    while not is_over(state):
        assert sum(GAME.board_of(state).cells) == 48
        state = play(state, GAME.legal(state)[-1])
    assert sum(GAME.board_of(state).cells) == 48


# ------------------------------------------------------------------ the board as data


def test_a_move_touches_the_pit_that_it_empties():
    for state in (GAME.initial(), after("1")):
        for move in GAME.legal(state):
            (cell,) = GAME.cells_of(state, move)
            assert GAME.board_of(state).cells[cell] > 0
            assert GAME.board_of(play(state, move)).cells[cell] == 0


def test_more_seeds_than_fit_are_refused():
    with pytest.raises(Unsupported, match="7 pits of 19 seeds make 266 on the board"):
        GAME.initial(pits=7, seeds=19)
