"""Pairs: known by a key that everything enters, played the same wherever they are played."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from command_line import environment
from match_tools import final_state, played, timeless
from user_games import write_game

from plyground import extensions
from plyground.core.errors import InputError
from plyground.core.records import GameRecord
from plyground.games.catalogue import name_game
from plyground.matches.openings import RandomOpenings
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.matches.plan import Plan
from plyground.players.spec import Choice, Player, Turn

PAIR = Pair("mnk", ("random", "alphabeta:depth=2"), 3, "b2; a1", None, {"m": 3, "n": 3, "k": 3}, 7)

PLAYERS = ("random", "first", "better-random", "alphabeta:depth=2,ties=random,noise=30%")
SAMPLES = [
    *Plan("tictactoe", pairs=2).pairs_of((PLAYERS[0], PLAYERS[3])),
    *Plan("tictactoe", pairs=1, seed=2**63).pairs_of((PLAYERS[2], PLAYERS[1])),
    *Plan("kalah", pairs=1).pairs_of(("random-start(moves=2,then=first())", "better-random")),
    *Plan("othello", {"size": 6}, pairs=1).pairs_of(("random", "random")),
]


# ------------------------------------------------------------------ the key


def test_a_key_is_the_same_for_ever():
    """Games on somebody's disk are found by it: a change would have them all played again."""
    text = (
        '{"code": "", "game": "mnk", "number": 3, "opening": "b2; a1", '
        '"players": ["random", "alphabeta:depth=2"], "position": null, "seed": 7, '
        '"settings": {"k": 3, "m": 3, "n": 3}, "time_s": null}'
    )
    assert PAIR.key == hashlib.sha256(text.encode()).hexdigest()[:24] == "cb19ad8b475bb34fca28c1af"


@pytest.mark.parametrize(
    "change",
    [
        {"game": "othello"},
        {"players": ("random", "alphabeta:depth=3")},
        {"players": ("alphabeta:depth=2", "random")},
        {"number": 4},
        {"opening": "b2; a2"},
        {"position": "X-- --- ---"},
        {"settings": {"m": 3, "n": 3, "k": 4}},
        {"seed": 8},
        {"time_s": 1.0},
        {"code": "abc"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_field_enters_the_key(change):
    assert replace(PAIR, **change).key != PAIR.key


def test_no_field_is_forgotten_here():
    """The test above names all fields; whoever adds one has to add it there."""
    assert set(asdict(PAIR)) == {
        *("game", "players", "number", "opening", "position"),
        *("settings", "seed", "time_s", "code"),
    }


def test_the_order_of_settings_does_not_matter():
    assert replace(PAIR, settings={"k": 3, "n": 3, "m": 3}).key == PAIR.key


def test_a_pair_survives_the_way_to_a_worker():
    for way in (lambda data: json.loads(json.dumps(data)), lambda d: pickle.loads(pickle.dumps(d))):
        again = Pair.from_data(way(asdict(PAIR)))
        assert again == PAIR
        assert again.key == PAIR.key


def test_pairs_of_a_match_have_keys_of_their_own():
    plan = Plan("tictactoe", pairs=200)  # more pairs than there are openings
    meetings = [plan.pairs_of(("random", "first"), meeting) for meeting in (0, 1)]
    keys = {pair.key for pairs in meetings for pair in pairs}
    assert len(keys) == 400


# ------------------------------------------------------------------ the games


def test_sides_are_swapped_and_the_opening_is_the_same():
    (pair,) = Plan("connect4", pairs=1).pairs_of(("random", "first"))
    one, two = played(pair).games
    assert one.players == ("random", "first")
    assert two.players == ("first", "random")
    for record in (one, two):
        assert "; ".join(move.move for move in record.moves[: record.opening]) == pair.opening
        assert record.opening == 4
        assert final_state(Plan("connect4").spec, record) is not None
    assert one.seed != two.seed


@pytest.mark.parametrize("first", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("second", [0.0, 0.5, 1.0])
def test_points_are_those_of_the_pairs_first_player(first, second):
    games = [GameRecord("mnk", ("a", "b"), [], first), GameRecord("mnk", ("b", "a"), [], second)]
    assert PlayedPair(PAIR, (games[0], games[1])).points == (first, 1 - second)


def test_a_pair_from_a_position():
    plan = Plan("tictactoe", {}, "XO- --- ---", RandomOpenings(1), pairs=2)
    for pair in plan.pairs_of(("random", "first")):
        assert pair.position is not None
        for record in played(pair).games:
            end = final_state(plan.spec, record)
            assert record.position == pair.position
            assert plan.spec.board_of(end).cells[:2] == plan.spec.board_of(plan.start).cells[:2]


def test_pairs_differ_by_their_chance_even_from_one_opening():
    plan = Plan("connect4", openings=RandomOpenings(0), pairs=4)
    games = [played(pair).games for pair in plan.pairs_of(("random", "random"))]
    lines = {" ".join(move.move for move in game.moves) for both in games for game in both}
    assert len(lines) == 8


def test_a_pair_is_played_the_same_again():
    for pair in SAMPLES:
        assert timeless(played(pair).as_data()) == timeless(played(pair).as_data())


def test_a_pair_is_played_the_same_in_another_process():
    script = (
        "import json, sys; from plyground.matches.pair import play_pair; "
        "print(json.dumps([play_pair(data) for data in json.load(sys.stdin)]))"
    )
    there = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(PYTHONHASHSEED="4321"),
        input=json.dumps([asdict(pair) for pair in SAMPLES]),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    here = [json.loads(json.dumps(play_pair(asdict(pair)))) for pair in SAMPLES]
    assert timeless(json.loads(there.stdout)) == timeless(here)


class Remembered(Player):
    """Writes down what it is asked; plays the first legal move."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.turns: list[Turn] = []

    def prepare(self, turn: Turn) -> None:
        self.calls.append("prepare")
        self.turns.append(turn)

    def begin(self) -> None:
        self.calls.append("begin")

    def choose(self, turn: Turn) -> Choice:
        self.calls.append("choose")
        return Choice(turn.game.legal(turn.state)[0])

    def close(self) -> None:
        self.calls.append("close")


class Broken(Remembered):
    def choose(self, turn: Turn) -> Choice:
        raise ZeroDivisionError


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> Callable[[type[Remembered]], list[Remembered]]:
    """Have pairs played by such players, which are listed as they are made."""

    def use(kind: type[Remembered]) -> list[Remembered]:
        made: list[Remembered] = []

        def make(*_: object) -> Remembered:
            made.append(kind())
            return made[-1]

        monkeypatch.setattr("plyground.matches.pair.make_machine", make)
        return made

    return use


def test_players_play_both_games_and_are_let_go(remembered):
    made = remembered(Remembered)
    play_pair(asdict(PAIR))
    assert len(made) == 2
    for player in made:
        assert player.calls.count("begin") == 2
        assert player.calls[-1] == "close"


def test_players_are_prepared_before_anybody_is_asked(remembered):
    """Each worker is a process of its own: what it has to load must not take thinking time."""
    made = remembered(Remembered)
    play_pair(asdict(replace(PAIR, time_s=2.0)))
    for player in made:
        assert player.calls[0] == "prepare"
        assert player.turns[0].time_s == 2.0


def test_players_are_let_go_even_if_a_game_fails(remembered):
    made = remembered(Broken)
    with pytest.raises(ZeroDivisionError):
        play_pair(asdict(PAIR))
    assert [player.calls[-1] for player in made] == ["close", "close"]


# ------------------------------------------------------------------ a user's own game


def heap_plan(path: Path) -> Plan:
    return Plan(str(path), openings=RandomOpenings(2), pairs=2)


def test_a_game_from_a_file(tmp_path):
    path = write_game(tmp_path / "heap.py")
    plan = heap_plan(path)
    for pair in plan.pairs_of(("random", "first")):
        assert Path(pair.game) == path
        for record in played(pair).games:
            assert record.game == "heap"
            assert record.outcome == plan.spec.first_player_outcome(final_state(plan.spec, record))


def test_a_changed_game_is_another_game(tmp_path):
    path = write_game(tmp_path / "heap.py")
    before = [pair.key for pair in heap_plan(path).pairs_of(("random", "first"))]
    assert [pair.key for pair in heap_plan(path).pairs_of(("random", "first"))] == before
    write_game(path, ("MOST = 2", "MOST = 3"))
    extensions.refresh()
    after = [pair.key for pair in heap_plan(path).pairs_of(("random", "first"))]
    assert not set(before) & set(after)


def test_a_game_is_found_from_another_folder(tmp_path, monkeypatch):
    path = write_game(tmp_path / "games" / "heap.py")
    monkeypatch.chdir(tmp_path / "games")
    near = [pair.key for pair in heap_plan(Path("heap.py")).pairs_of(("random", "first"))]
    monkeypatch.chdir(tmp_path)
    far = [pair.key for pair in heap_plan(Path("games/heap.py")).pairs_of(("random", "first"))]
    assert near == far == [pair.key for pair in heap_plan(path).pairs_of(("random", "first"))]


def test_a_game_from_a_module(tmp_path, monkeypatch):
    """A dotted name names a game wherever a game's name does."""
    write_game(tmp_path / "some_games" / "heap.py")
    monkeypatch.syspath_prepend(tmp_path)
    name_game("some_games.heap")
    plan = Plan("some_games.heap", openings=RandomOpenings(2), pairs=1)
    (pair,) = plan.pairs_of(("random", "first"))
    assert played(pair).games[0].game == "heap"


# ------------------------------------------------------------------ what can be wrong


@pytest.mark.parametrize(
    "change",
    [
        {"game": "othelo"},
        {"players": ("random", "nobody")},
        {"opening": "z9"},
        {"position": "nonsense"},
        {"players": ("random", "human")},
    ],
    ids=str,
)
def test_a_pair_that_cannot_be_played_says_so(change):
    with pytest.raises(InputError):
        play_pair(asdict(replace(PAIR, **change)))
