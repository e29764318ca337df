"""Records of games: written as JSON and read back as they were, and true by the game's rules."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some
from match_tools import final_state, played

from plyground.core.records import Ending, GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.games.catalogue import find_game, games
from plyground.games.rules import is_over
from plyground.matches.openings import RandomOpenings
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.plan import Plan

texts = some.text(max_size=20)
counts = some.integers(0, 10**12)
scores = some.builds(
    Score,
    some.integers(-(10**9), 10**9),
    some.sampled_from(["heuristic", "proven", "win", "loss"]),
    some.sampled_from(["exact", "lower", "upper"]),
)
# Times are kept in whole microseconds.
times = some.integers(0, 10**12).map(lambda microseconds: round(microseconds / 10**6, 6))
moves = some.builds(
    MoveRecord,
    texts,
    some.integers(0, 1),
    times,
    some.none() | scores,
    some.integers(0, 200),
    counts,
    some.booleans(),
    counts,
    counts,
)
settings = some.dictionaries(texts, some.integers() | some.booleans() | texts, max_size=4)
records = some.builds(
    GameRecord,
    game=texts,
    players=some.tuples(texts, texts),
    moves=some.lists(moves, max_size=6),
    points=some.sampled_from([0.0, 0.5, 1.0]),
    outcome=some.none() | some.integers(-100, 100),
    ended=some.sampled_from(get_args(Ending)),
    reason=texts,
    opening=some.integers(0, 6),
    settings=settings,
    position=some.none() | texts,
    seed=some.integers(0, 2**64 - 1),
    date=texts,
    event=texts,
    tags=some.dictionaries(texts, texts, max_size=3),
)
pairs = some.builds(
    Pair,
    game=texts,
    players=some.tuples(texts, texts),
    number=counts,
    opening=texts,
    position=some.none() | texts,
    settings=settings,
    seed=some.integers(0, 2**64 - 1),
    time_s=some.none() | times,
    code=texts,
)


def through_json(data: object) -> dict[str, object]:
    return json.loads(json.dumps(data, ensure_ascii=False))


@given(moves)
def test_a_move_survives_json(move):
    assert MoveRecord.from_data(through_json(move.as_data())) == move


@given(records, some.booleans())
def test_a_game_survives_json(record, is_unknown):
    record = replace(record, points=None) if is_unknown else record
    assert GameRecord.from_data(through_json(record.as_data())) == record


@given(some.builds(PlayedPair, pairs, some.tuples(records, records)))
def test_a_played_pair_survives_json_and_keeps_its_key(pair):
    data = through_json(pair.as_data())
    again = PlayedPair.from_data(data)
    assert again == pair
    assert again.pair.key == pair.pair.key == data["key"]


def test_a_drawn_game_is_told_from_one_that_has_no_outcome():
    drawn = GameRecord("mnk", ("a", "b"), [], 0.5, outcome=0)
    broken_off = GameRecord("mnk", ("a", "b"), [], 0.5, outcome=None, ended="length")
    assert GameRecord.from_data(through_json(drawn.as_data())).outcome == 0
    assert GameRecord.from_data(through_json(broken_off.as_data())).outcome is None


def test_a_bound_stays_a_bound():
    move = MoveRecord("d3", 0, 0.5, Score(3, "heuristic", "lower"))
    assert MoveRecord.from_data(through_json(move.as_data())).score == move.score


def test_what_is_not_known_takes_no_room():
    assert MoveRecord("d3", 1).as_data() == {"move": "d3", "side": 1}


@pytest.mark.parametrize(
    "ended, points, loser",
    [
        ("over", 0.0, None),
        ("over", 1.0, None),
        ("length", 0.5, None),
        ("unfinished", None, None),
        ("resigned", 1.0, 1),
        ("time", 0.0, 0),
        ("illegal move", 1.0, 1),
        ("forfeit", 0.0, 0),
    ],
)
def test_who_lost_other_than_on_the_board(ended, points, loser):
    assert GameRecord("g", ("a", "b"), [], points, ended=ended).forfeited_by == loser


# ------------------------------------------------------------------ records and rules


@pytest.mark.parametrize("name", games())
def test_a_record_replays_to_its_outcome(name):
    openings = RandomOpenings(1 if name == "textbook" else 4)
    game, plan = find_game(name), Plan(name, openings=openings, pairs=2, seed=7)
    for pair in plan.pairs_of(("random", "first")):
        for record in played(pair).games:
            end = final_state(game, record)
            assert is_over(end)
            assert record.ended == "over"
            assert record.outcome == game.first_player_outcome(end)
            winner = {"first": 1.0, "draw": 0.5, "second": 0.0}[game.winner(end)]
            assert record.points == winner


@pytest.mark.parametrize(
    "name, settings, position",
    [
        ("othello", {"size": 6}, None),
        ("kalah", {"pits": 4, "captures": False}, None),
        ("connect4", {"width": 5, "height": 4, "connect": 3}, None),
        ("tictactoe", {}, "X-- -O- ---"),
    ],
)
def test_a_record_tells_its_settings_and_where_it_began(name, settings, position):
    plan = Plan(name, settings, position, pairs=1)
    (pair,) = plan.pairs_of(("random", "random"))
    for record in played(pair).games:
        end = final_state(plan.spec, record)
        assert record.outcome == plan.spec.first_player_outcome(end) is not None
        assert record.opening == 4


def test_what_was_not_counted_is_not_written():
    """So that records of before, and of players that count nothing, are the same to the byte."""
    move = MoveRecord("b2", 0, 0.5, Score(3, "heuristic"), 7, 99, True)
    assert json.dumps(move.as_data()) == (
        '{"move": "b2", "side": 0, "score": {"value": 3, "kind": "heuristic"}, '
        '"time_s": 0.5, "depth": 7, "nodes": 99, "pondered": true}'
    )
    assert replace(move, leaves=60, passes=2).as_data() == {
        **move.as_data(),
        "leaves": 60,
        "passes": 2,
    }
