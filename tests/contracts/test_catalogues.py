"""Whatever is in a catalogue keeps the contract of its kind: ours, and that of the example files.

`test_broken_promises.py` shows that these contracts notice what they claim to notice.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

import plyground as pg
from plyground.evaluation.catalogue import evaluators, find_evaluator, suitable
from plyground.evaluation.check import check_evaluator, find_exchange, positions
from plyground.formats.catalogue import formats
from plyground.games.catalogue import find_game, games, load_file
from plyground.games.rules import side
from plyground.kernel import plain_python
from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.players.catalogue import player_kinds
from plyground.players.levels import levels_of
from plyground.public.contracts import SMALL, Contracts
from plyground.search.catalogue import ALGORITHMS
from plyground.search.check import check_algorithm

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
NO_EXTENSION = "gtp_engine"  # a program that Plyground starts

BOARDS = [
    ("othello", {}, 1),
    ("othello", {"size": 4}, 3),
    ("othello", {"size": 10}, 1),
    ("connect4", {}, 2),
    ("connect4", {"width": 5, "height": 4, "connect": 3}, 3),
    ("kalah", {}, 2),
    ("kalah", {"pits": 3, "seeds": 2}, 3),
    ("mnk", {}, 3),
    ("mnk", {"m": 5, "n": 4, "k": 4}, 2),
    ("double-card", {"width": 3, "height": 4, "cards": 4, "max_moves": 12}, 1),
    ("synthetic", {"branching": 3, "depth": 9, "leaves": "incremental", "spread": 9}, 3),
    ("textbook", {}, 3),
]
SMALL_BOARDS = [  # for evaluators of any game, which must be fitted to each
    ("othello", {"size": 4}, 3),
    ("connect4", {"width": 5, "height": 4, "connect": 3}, 3),
    ("kalah", {"pits": 3, "seeds": 2}, 3),
    ("mnk", {"m": 5, "n": 4, "k": 4}, 2),
]
JUDGED = [
    pytest.param(name, chosen, count, spec, id=f"{spec.name} {name} {chosen}")
    for name, chosen, count in BOARDS
    for spec in suitable(find_game(name).initial(**chosen))
    if spec.games or spec.name == "zero" or (name, chosen, count) in SMALL_BOARDS
]


# ------------------------------------------------------------------ evaluators


@pytest.mark.parametrize(("name", "chosen", "count", "spec"), JUDGED)
def test_an_evaluator_keeps_its_contract_on_each_game_it_judges(name, chosen, count, spec):
    game = find_game(name)
    start = game.initial(**chosen)
    assert check_evaluator(spec, spec.make_for(game, start), game, start, count, seed=1) >= count


@pytest.mark.full
@pytest.mark.parametrize(("name", "chosen", "count", "spec"), JUDGED)
def test_an_evaluator_keeps_its_contract_in_many_games(name, chosen, count, spec):
    game = find_game(name)
    start = game.initial(**chosen)
    assert (
        check_evaluator(spec, spec.make_for(game, start), game, start, 10 * count, seed=2)
        >= 10 * count
    )


def test_every_game_and_every_evaluator_of_the_catalogue_is_tried():
    assert {name for name, _, _ in BOARDS} == set(games())
    tried = {spec.values[3] for spec in JUDGED}
    assert tried == set(evaluators())


# What is on the board: the stones of both players, or those of the side to move and the other one.
EXCHANGED = {
    "othello": {"me", "opp", "side"},
    "kalah": {"me", "opp", "side"},
    "hexapawn": {"mine", "theirs", "side"},
    "breakthrough": {"mine", "theirs", "side"},
    "dots_and_boxes": {"mine", "theirs", "side"},
    "fox_and_hounds": {"side"},
}
NOT_EXCHANGED = set(games()) - EXCHANGED.keys()  # whose turn it is follows from the board


def game_of(name):
    paths = [path for path in EXAMPLES if path.stem == name]
    return load_file(paths[0]) if paths else find_game(name)


@pytest.mark.parametrize("name", EXCHANGED)
def test_exchanging_the_side_to_move_leaves_the_board_and_changes_the_side(name):
    game = game_of(name)
    states = [*positions(game, game.initial(), games=3, seed=5)]
    exchange = find_exchange(game, states)
    assert exchange is not None
    changed = set()
    for state in positions(game, game.initial(), games=3, seed=6):  # others than it was found by
        other = exchange(state)
        assert game.board_of(other) == game.board_of(state)
        assert side(other) == 1 - side(state)
        assert exchange(other) == state
        changed |= {each for each in state._fields if getattr(state, each) != getattr(other, each)}
    assert changed == EXCHANGED[name]


@pytest.mark.parametrize("name", sorted(NOT_EXCHANGED))
def test_a_game_in_which_the_board_says_whose_turn_it_is_has_no_exchange(name):
    game = find_game(name)
    assert find_exchange(game, [*positions(game, game.initial(), games=1, seed=5)]) is None


# ------------------------------------------------------------------ algorithms

# Four-in-a-row by columns is compiled for the known counts too; the others run in plain Python.
TRIED = {"connect4": "columns", "mnk": None, "kalah": None}


def searches(algorithm, name, seed):
    game = find_game(name)
    start = game.initial(**SMALL[name])
    evaluator = find_evaluator(TRIED[name], start).make()
    return check_algorithm(algorithm, game, start, evaluator, seed)


@pytest.mark.parametrize("name", TRIED)
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_an_algorithm_keeps_its_contract(algorithm, name):
    with contextlib.nullcontext() if name == "connect4" else plain_python():
        assert searches(algorithm, name, seed=1) >= 5


@pytest.mark.full
@pytest.mark.parametrize("name", TRIED)
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_an_algorithm_keeps_its_contract_compiled_for_every_game(algorithm, name):
    assert sum(searches(algorithm, name, seed) for seed in range(2, 7)) >= 25


# ------------------------------------------------------------------ players, formats, experiments


@pytest.mark.parametrize(
    "kind",
    [
        each
        for each in player_kinds().values()
        if each.group in ("level", "chance") and each.name != "perfect"  # which needs a solver
    ],
    ids=lambda kind: kind.name,
)
def test_a_player_answers_legally_and_the_same_when_asked_again(kind):
    line = Contracts(1, seed=1).player(kind, [find_game("mnk")])
    assert line.endswith("2 games against random moves, all legal, and repeatable")


@pytest.mark.parametrize("name", games())
def test_the_levels_of_a_game_can_be_played(name):
    levels = levels_of(games()[name])
    line = Contracts(1, seed=1).levels({name: levels})
    assert line == f"levels: {len(levels)} of {name} can be played"
    assert len(levels) >= 3


READ_ONLY = {"double-card-trace", "wthor-names"}


@pytest.mark.parametrize("found", formats().values(), ids=lambda found: found.name)
def test_a_format_reads_back_what_it_writes(found):
    line = Contracts(1, seed=3).format(found, [])
    assert line.endswith(
        "read only, nothing to compare with" if found.name in READ_ONLY else "back"
    )


@pytest.mark.full
@pytest.mark.parametrize("name", experiment_names())
def test_an_experiment_has_something_to_measure(name):
    assert "cells" in Contracts(1, seed=1).experiment(find_experiment(name))


# ------------------------------------------------------------------ files

OFFERED = {
    "beam": ["algorithm beam: legal moves in all of 96 searches of mnk, connect4, kalah"],
    "breakthrough": ["breakthrough: "],
    "dots_and_boxes": ["dots-and-boxes: "],
    "epsilon_greedy": [
        "player epsilon-greedy: 6 games against random moves, all legal, and repeatable"
    ],
    "fox_and_hounds": ["fox-and-hounds: "],
    "hexapawn": ["hexapawn: ", "evaluator pawns: "],
    "two_searches": ["experiment two-searches: 28 cells, 12 with --quick"],
}


@pytest.mark.parametrize(
    "path", [path for path in EXAMPLES if path.stem != NO_EXTENSION], ids=lambda path: path.stem
)
def test_all_that_an_example_file_offers_keeps_its_contract(path):
    lines = pg.check(path, games=2)
    assert len(lines) == len(OFFERED[path.stem])
    for line, begins in zip(lines, OFFERED[path.stem], strict=True):
        assert line.startswith(begins)
