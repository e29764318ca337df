"""A game without an evaluator sees, and has levels: each is stronger than the one below.

Proven on three games that are not built in. The experts think less than they usually do: an expert
who is stronger with few nodes is so with many, and the tests take less time.
"""

from __future__ import annotations

import pytest
from user_games import example_game, write_game

import plyground as pg
from plyground.evaluation.catalogue import default_evaluator
from plyground.games.catalogue import load_file
from plyground.games.spec import GameSpec
from plyground.kernel import plain_python
from plyground.players.catalogue import make_machine
from plyground.players.judging import read_evaluator, read_judge
from plyground.players.levels import ANY_GAME, levels_of
from plyground.players.searching import SearchPlayer

GAMES = {
    each: example_game(f"{each}.py")
    for each in ("breakthrough", "dots_and_boxes", "fox_and_hounds")
}
SETTINGS = {
    "breakthrough": {"columns": 5, "rows": 6},
    "dots_and_boxes": {"rows": 3, "columns": 3},
    "fox_and_hounds": {"size": 8},
}
FEW = "nodes=5k"
each_game = pytest.mark.parametrize("name", GAMES)


def shares(name: str, strong: str, weak: str, games: int) -> float:
    """The share of points of the stronger one; the match leaves no doubt that it is."""
    played = pg.match(strong, weak, game=GAMES[name], games=games, seed=3, **SETTINGS[name])
    assert played.superiority > 0.95
    return (played.wins + played.draws / 2) / games


@each_game
def test_the_chosen_evaluator_beats_playing_blindly(name):
    sees, blind = (f"alphabeta:eval={each},nodes=2k" for each in ("auto", "zero"))
    assert shares(name, sees, blind, 20) > 0.7


@each_game
def test_each_level_of_any_game_is_stronger_than_the_one_below(name):
    assert levels_of(GAMES[name]) == ANY_GAME
    # Openings depend on where the file of the game lies: 40 games were too few for any place.
    assert shares(name, "medium", "amateur", 160) > 0.6
    expert = ANY_GAME["expert"].replace("nodes=300k", FEW)
    assert FEW in expert
    assert shares(name, expert, "medium", 20) > 0.7


@pytest.mark.full
@each_game
def test_the_expert_itself_is_stronger_too(name):
    assert shares(name, "expert", "medium", 20) > 0.8


# ------------------------------------------------------------------ choosing


def test_the_evaluator_of_a_game_without_one_is_chosen_and_says_which():
    game = GAMES["dots_and_boxes"]
    start = game.initial(**SETTINGS["dots_and_boxes"])
    assert default_evaluator(start).name == "auto"
    judge, spec = read_evaluator(None, game, start)
    assert read_evaluator(spec.name, game, start)[0] == judge  # its name, weights included
    assert spec.name != "zero"
    assert (
        pg.Position(game, **SETTINGS["dots_and_boxes"]).search("alphabeta", depth=1).evaluator
        == spec.name
    )


def test_a_game_that_is_over_soon_is_searched_without_an_evaluator(tmp_path):
    heap = load_file(write_game(tmp_path / "heap.py"))
    assert read_evaluator(None, heap, heap.initial())[1].name == "zero"


def test_a_player_is_made_without_choosing(monkeypatch):
    def choose(*_: object) -> str:
        raise AssertionError("nothing is to be chosen yet")

    monkeypatch.setattr("plyground.players.judging.choose_evaluator", choose)
    game: GameSpec = GAMES["breakthrough"]
    player = make_machine("alphabeta:depth=2", game, game.initial())
    assert isinstance(player, SearchPlayer)
    assert player == make_machine("alphabeta:depth=2", game, game.initial())
    make_machine("better-random", game, game.initial())
    with pytest.raises(AssertionError, match="nothing is to be chosen yet"):
        _ = player.setup


def test_a_chosen_evaluator_has_no_weights_of_its_own():
    game = GAMES["breakthrough"]
    with pytest.raises(pg.InputError, match="weight of auto 'piece'"):
        read_judge("auto(piece=3)", game, game.initial())


def test_without_a_compiler_nothing_is_chosen():
    game = GAMES["breakthrough"]
    with plain_python():
        assert read_judge(None, game, game.initial()).chosen.text == "zero"
    assert read_judge(None, game, game.initial()).chosen.text != "zero"
