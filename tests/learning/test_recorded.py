"""Recorded games: which can be learned from, and what their positions are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from format_tools import random_game

import plyground as pg
from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.evaluation.general import Zero
from plyground.formats.wthor import GAME_ROW, HEADER, GamesFile, WthorArchive
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import cells_left, outcome, play, side
from plyground.learning.recorded import harvest, harvest_archive
from plyground.learning.scale import WHOLE
from plyground.learning.self_play import Manner, review

CONNECT4, OTHELLO = find_game("connect4"), find_game("othello")
SMALL = {"width": 5, "height": 4}


def games(count: int = 8) -> list[GameRecord]:
    return [random_game(CONNECT4, seed, **SMALL) for seed in range(count)]


def begun() -> BasePosition:
    return BasePosition.begin(CONNECT4, SMALL)


def test_results_are_what_positions_are_worth() -> None:
    records = games()
    found = harvest(begun(), records)
    assert found.left_out == 0 and found.recorded.total == len(records)
    manner = Manner(trust=1.0)
    lessons = review(CONNECT4, begun().start, Zero(), manner, found.recorded.games())
    first = 0
    for record, length in zip(records, lessons.lengths, strict=True):
        assert length == len(record.moves)
        state = begun().start
        for ply in range(length):
            wanted = 2 * record.points - 1
            assert lessons.values[first + ply] == WHOLE * (wanted if side(state) == 0 else -wanted)
            state = play(state, int(lessons.moves[first + ply]))
        first += length


def test_searches_count_as_much_as_trust_leaves_them() -> None:
    found = harvest(begun(), games()).recorded
    by_result = review(CONNECT4, begun().start, Zero(), Manner(trust=1.0), found.games())
    by_search = review(CONNECT4, begun().start, Zero(), Manner(trust=0.0), found.games())
    ends = np.cumsum(found.lengths) - 1
    assert np.array_equal(by_result.values[ends], by_search.values[ends])  # a win is seen
    assert not np.array_equal(by_result.values, by_search.values)
    assert set(np.unique(by_search.values)) <= {-WHOLE, 0, WHOLE}


def test_games_of_no_use_are_left_out_and_counted() -> None:
    good = games(3)
    bad = [
        random_game(find_game("tictactoe"), 1),
        random_game(CONNECT4, 1),  # another board
        random_game(CONNECT4, 1, most=3, **SMALL),  # no result
        replace(good[0], position="anywhere"),
        replace(good[0], moves=[replace(good[0].moves[0], move="9"), *good[0].moves[1:]]),
        PositionRecord("connect4", "...", {}),
    ]
    found = harvest(begun(), [*bad, *good])
    assert found.recorded.total == 3 and found.left_out == len(bad)
    assert found.recorded.digest == harvest(begun(), good).recorded.digest
    assert found.recorded.digest != harvest(begun(), good[::-1]).recorded.digest
    with pytest.raises(Unsupported, match="no game of connect4 to learn from: of 6 games none"):
        harvest(begun(), bad)


def test_some_games_are_taken_in_the_order_asked_for() -> None:
    all_of_them = harvest(begun(), games(4)).recorded
    some = all_of_them.some(np.array([2, 0, 2]))
    firsts = np.cumsum(all_of_them.lengths) - all_of_them.lengths
    wanted = [all_of_them.moves[firsts[n] : firsts[n] + all_of_them.lengths[n]] for n in (2, 0, 2)]
    assert np.array_equal(some.moves, np.concatenate(wanted))
    assert some.results.tolist() == [all_of_them.results[n] for n in (2, 0, 2)]


def archive(depth: int = 20, theoretical: int = 40) -> WthorArchive:
    """A game of WTHOR that says what perfect play gives from so many empty squares on."""
    state, moves = OTHELLO.initial(), list[int]()
    chance = np.random.default_rng(5)
    while legal := OTHELLO.legal(state):
        move = int(chance.choice(legal))
        if move < 64:
            moves.append(10 * (move // 8 + 1) + move % 8 + 1)
        state = play(state, move)
    row = np.zeros(1, GAME_ROW)
    row["moves"][0, : len(moves)] = moves
    difference = int(outcome(state)) * (1 if side(state) == 0 else -1)
    row["score"], row["theoretical"] = (64 + difference) // 2, theoretical
    header = np.zeros((), HEADER)
    header["games"], header["depth"] = 1, depth
    return WthorArchive((GamesFile(header, row),))


def test_an_archive_of_wthor_says_what_perfect_play_gives() -> None:
    start = BasePosition.begin(OTHELLO)
    found = harvest_archive(start, archive()).recorded
    assert found.total == 1
    state, known = start.start, 0
    for ply, move in enumerate(found.moves):
        if cells_left(state) == 20:
            assert found.exact[ply] == (16 if side(state) == 0 else -16)
            known += 1
        else:
            assert np.isnan(found.exact[ply])
        state = play(state, int(move))
    assert known >= 1
    assert found.results[0] == outcome(state)
    with pytest.raises(Unsupported, match="an archive of WTHOR holds games of Othello on 8x8"):
        harvest_archive(begun(), archive())


def test_a_course_learns_from_the_store_and_from_games() -> None:
    records = [random_game(find_game("tictactoe"), seed) for seed in range(120)]
    with pg.open_store() as store:
        store.inside.add(records)
        learned = pg.learn("tictactoe", name="ours", source=store, match=False, trust=1.0)
    assert learned.recipe["games"] <= 8 * 120
    assert learned.recipe["source"].startswith("store ")
    assert "recorded games" in learned.recipe["summary"]
    assert learned.rows()[-1]["error"] < learned.rows()[0]["error"]
    by_name = pg.learn("tictactoe", name="theirs", source="store", match=False, trust=1.0)
    assert by_name.rows()[-1]["error"] == learned.rows()[-1]["error"]
