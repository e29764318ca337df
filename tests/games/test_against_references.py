"""Every game against its naive reference, move by move, and synthetic trees against a full search.

Two ways through the rules are compared with the references: the plain Python of single states, by
games that Hypothesis makes up, and machine code, by random games that the references predict.
"""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import MalformedText
from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.games.playout import playout, playouts
from plyground.games.rules import is_over, outcome, play, side
from references.grid import has_line
from references.perft import perft as naive_perft
from references.registry import REFERENCES

MOST_PLIES = 1100


def both(name, chosen):
    """The first position of a game and of its reference."""
    game = find_game(name)
    return game, game.initial(**chosen), REFERENCES[name](**chosen)


def texts(game, state):
    return [game.format_move(state, move) for move in game.legal(state)]


def assert_same_position(game, state, naive):
    assert texts(game, state) == naive.legal()
    assert side(state) == naive.side()
    assert is_over(state) == naive.over()
    assert game.board_of(state).cells == naive.cells()
    if naive.over():
        assert game.first_player_outcome(state) == naive.outcome()


def assert_same_game(name, chosen, choices):
    """Play a game to its end, by the choices as long as they last and then by the first move."""
    game, state, naive = both(name, chosen)
    remaining = list(reversed(choices))
    assert_same_position(game, state, naive)
    while not naive.over():
        legal = naive.legal()
        text = legal[remaining.pop() % len(legal) if remaining else 0]
        state = play(state, game.parse_move(state, text))
        naive.play(text)
        assert_same_position(game, state, naive)


# ------------------------------------------------------------------ games that Hypothesis makes up

CHOICES = st.lists(st.integers(0, 2**16), max_size=64)

OTHELLO = st.fixed_dictionaries({"size": st.sampled_from([4, 6, 8, 10])})
CONNECT_FOUR = (
    st.fixed_dictionaries(
        {"width": st.integers(2, 12), "height": st.integers(1, 12), "connect": st.integers(2, 6)}
    )
    .filter(lambda chosen: chosen["width"] * (chosen["height"] + 1) <= 64)
    .filter(lambda chosen: chosen["connect"] <= max(chosen["width"], chosen["height"]))
)
MNK = (
    st.fixed_dictionaries(
        {"m": st.integers(1, 10), "n": st.integers(1, 10), "k": st.integers(1, 6)}
    )
    .filter(lambda chosen: chosen["m"] * chosen["n"] <= 64)
    .filter(lambda chosen: chosen["k"] <= max(chosen["m"], chosen["n"]))
)
KALAH = st.fixed_dictionaries(
    {"pits": st.integers(1, 7), "seeds": st.integers(1, 127), "captures": st.booleans()}
).filter(lambda chosen: 2 * chosen["pits"] * chosen["seeds"] <= 255)
CARD_OPTIONS = {
    "first_goal": st.sampled_from(["colour", "dots"]),
    "same_cells": st.sampled_from(["turned", "never"]),
    "overlap": st.booleans(),
    "buried": st.booleans(),
    "flip": st.booleans(),
    "on_no_move": st.sampled_from(["draw", "pass", "loss"]),
}
FEW_CARDS = (
    st.fixed_dictionaries(
        {
            "width": st.integers(2, 8),
            "height": st.integers(2, 15),
            "cards": st.integers(1, 8),
            "line": st.integers(2, 5),
            "max_moves": st.integers(1, 24),
            **CARD_OPTIONS,
        }
    )
    .filter(lambda chosen: 2 * chosen["cards"] <= chosen["width"] * chosen["height"])
    .filter(lambda chosen: chosen["line"] <= max(chosen["width"], chosen["height"]))
)
TIGHT_BOARDS = (
    st.fixed_dictionaries(
        {
            "width": st.integers(2, 4),
            "height": st.integers(2, 4),
            "cards": st.integers(1, 8),
            "line": st.just(4),
            "max_moves": st.integers(8, 24),
            **CARD_OPTIONS,
        }
    )
    .filter(lambda chosen: 2 * chosen["cards"] <= chosen["width"] * chosen["height"])
    .filter(lambda chosen: max(chosen["width"], chosen["height"]) == 4)
)


@settings(max_examples=30)
@given(chosen=OTHELLO, choices=CHOICES)
def test_othello_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("othello", chosen, choices)


@settings(max_examples=80)
@given(chosen=CONNECT_FOUR, choices=CHOICES)
def test_connect_four_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("connect4", chosen, choices)


@settings(max_examples=70)
@given(chosen=MNK, choices=CHOICES)
def test_mnk_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("mnk", chosen, choices)


@settings(max_examples=80)
@given(chosen=KALAH, choices=CHOICES)
def test_kalah_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("kalah", chosen, choices)


@settings(max_examples=50)
@given(chosen=FEW_CARDS, choices=CHOICES)
def test_double_card_with_few_cards_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("double-card", chosen, choices)


@settings(max_examples=50)
@given(chosen=TIGHT_BOARDS, choices=CHOICES)
def test_double_card_on_tight_boards_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("double-card", chosen, choices)


@settings(max_examples=4)
@given(chosen=st.fixed_dictionaries(CARD_OPTIONS), choices=CHOICES)
def test_double_card_on_the_full_board_is_played_as_by_the_reference(chosen, choices):
    assert_same_game("double-card", {**chosen, "max_moves": 36}, choices)


# ------------------------------------------------------------------ positions that no game reaches


def leaves(game, state, depth):
    return perft(state, depth, np.zeros(depth * game.max_moves, np.int32), 0)


@st.composite
def othello_diagrams(draw):
    size = draw(st.sampled_from([4, 6, 8, 10]))
    symbols = draw(st.sampled_from(["-XO", "XO", "-XXXO", "-XOOO"]))
    cells = draw(st.lists(st.sampled_from(symbols), min_size=size**2, max_size=size**2))
    for hole in draw(st.lists(st.integers(0, size**2 - 1), min_size=1, max_size=4)):
        cells[hole] = "-"
    return size, "".join(cells), draw(st.sampled_from("XO"))


def othello_from(diagram):
    """A drawn position, read by the game and set up in the reference."""
    size, cells, mover = diagram
    game, start, naive = both("othello", {"size": size})
    naive.mover = "XO".index(mover)
    naive.discs = {
        (place % size, place // size): "XO".index(symbol)
        for place, symbol in enumerate(cells)
        if symbol != "-"
    }
    return game, game.parse_position(start, f"{cells} {mover}"), naive


@settings(max_examples=100)
@given(diagram=othello_diagrams())
def test_any_othello_diagram_has_the_moves_and_flips_of_the_reference(diagram):
    game, state, naive = othello_from(diagram)
    assert_same_position(game, state, naive)
    for text in naive.legal():
        child = naive.copy()
        child.play(text)
        after = play(state, game.parse_move(state, text))
        assert game.board_of(after).cells == child.cells()


@settings(max_examples=70)
@given(diagram=othello_diagrams())
def test_any_othello_diagram_has_the_same_number_of_replies_when_compiled(diagram):
    game, state, naive = othello_from(diagram)
    assert leaves(game, state, 2) == naive_perft(naive, 2)


def assert_judged_alike(name, chosen, naive, columns, length):
    """A diagram is refused if the side to move has a line already, and else judged alike."""
    game, start, _ = both(name, chosen)
    mover = ("first", "second")[naive.side()]
    mine = {divmod(i, columns) for i, owner in enumerate(naive.cells()) if owner == mover}
    diagram = "".join({"": "-", "first": "X", "second": "O"}[owner] for owner in naive.cells())
    if has_line(mine, length):
        with pytest.raises(MalformedText, match=f"to move but has {length} in a row already"):
            game.parse_position(start, diagram)
    else:
        assert_same_position(game, game.parse_position(start, diagram), naive)


@settings(max_examples=100)
@given(chosen=CONNECT_FOUR, choices=CHOICES)
def test_any_connect_four_diagram_has_the_lines_of_the_reference(chosen, choices):
    naive = REFERENCES["connect4"](**chosen)
    for choice in choices:  # on and on, whoever has won
        column = choice % chosen["width"] + 1
        if len(naive.columns[column - 1]) < chosen["height"]:
            naive.play(str(column))
    assert_judged_alike("connect4", chosen, naive, chosen["width"], chosen["connect"])


@settings(max_examples=100)
@given(chosen=MNK, choices=CHOICES)
def test_any_mnk_diagram_has_the_lines_of_the_reference(chosen, choices):
    naive = REFERENCES["mnk"](**chosen)
    for choice in choices:  # on and on, whoever has won
        cell = choice % chosen["m"], choice // chosen["m"] % chosen["n"]
        if cell not in naive.marks:
            naive.marks[cell] = naive.side()
    assert_judged_alike("mnk", chosen, naive, chosen["m"], chosen["k"])


# ------------------------------------------------------------------ machine code, game after game


class Randomness:
    """SplitMix64, written once more."""

    def __init__(self, seed):
        self.word = seed

    def below(self, bound):
        self.word = (self.word + 0x9E3779B97F4A7C15) % 2**64
        word = self.word
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
        return ((word ^ word >> 31) >> 32) * bound >> 32


PLAYOUTS = [
    ("othello", {"size": 4}, 100),
    ("othello", {"size": 6}, 50),
    ("othello", {"size": 8}, 33),
    ("othello", {"size": 10}, 10),
    ("connect4", {}, 100),
    ("connect4", {"width": 4, "height": 4}, 100),
    ("connect4", {"width": 9, "height": 6, "connect": 5}, 50),
    ("connect4", {"width": 8, "height": 7}, 50),
    ("connect4", {"width": 12, "height": 4}, 50),
    ("connect4", {"width": 3, "height": 20, "connect": 3}, 50),
    ("connect4", {"width": 32, "height": 1, "connect": 4}, 33),
    ("connect4", {"width": 2, "height": 31, "connect": 6}, 33),
    ("mnk", {}, 100),
    ("mnk", {"m": 4, "n": 5, "k": 4}, 66),
    ("mnk", {"m": 8, "n": 8, "k": 5}, 33),
    ("mnk", {"m": 7, "n": 9, "k": 4}, 33),
    ("mnk", {"m": 26, "n": 2, "k": 4}, 33),
    ("mnk", {"m": 2, "n": 26, "k": 5}, 33),
    ("mnk", {"m": 9, "n": 1, "k": 3}, 33),
    ("mnk", {"m": 1, "n": 9, "k": 3}, 33),
    ("kalah", {}, 100),
    ("kalah", {"captures": False}, 66),
    ("kalah", {"seeds": 6}, 50),
    ("kalah", {"pits": 7, "seeds": 18}, 33),
    ("kalah", {"pits": 1, "seeds": 127}, 33),
    ("kalah", {"pits": 2, "seeds": 63}, 33),
    ("kalah", {"pits": 3, "seeds": 3}, 66),
    ("double-card", {}, 4),
    ("double-card", {"cards": 5, "max_moves": 30}, 10),
    ("double-card", {"cards": 6, "max_moves": 30, "buried": True, "line": 5}, 10),
    ("double-card", {"cards": 5, "same_cells": "never", "flip": False, "line": 5}, 10),
    ("double-card", {"cards": 5, "overlap": False, "first_goal": "dots"}, 10),
    ("double-card", {"width": 4, "height": 4, "cards": 8, "on_no_move": "pass"}, 20),
    ("double-card", {"width": 3, "height": 4, "cards": 6, "on_no_move": "loss"}, 20),
    ("double-card", {"width": 2, "height": 15, "cards": 6, "line": 8, "max_moves": 40}, 13),
]


EACH_PLAYOUT = pytest.mark.parametrize(
    ("name", "chosen", "games"),
    PLAYOUTS,
    ids=[" ".join([name, *(f"{k}={v}" for k, v in kw.items())]) for name, kw, _ in PLAYOUTS],
)


@EACH_PLAYOUT
def test_compiled_random_games_are_those_that_the_reference_predicts(name, chosen, games):
    check_playouts(name, chosen, games)


@pytest.mark.full
@EACH_PLAYOUT
def test_many_compiled_random_games_are_those_that_the_reference_predicts(name, chosen, games):
    check_playouts(name, chosen, 4 * games)


def check_playouts(name, chosen, games):
    game, start, first = both(name, chosen)
    randomness, generator = Randomness(7), np.array([7], np.uint64)
    buffer, record = np.zeros(game.max_moves, np.int32), np.zeros(MOST_PLIES, np.int32)
    total = 0
    for _ in range(games):
        naive, state = first.copy(), start
        for move in record[: playout(start, generator, buffer, record)]:
            legal = naive.legal()
            text = legal[randomness.below(len(legal))]
            assert game.format_move(state, move) == text
            naive.play(text)
            state = play(state, move)
        assert_same_position(game, state, naive)
        assert naive.over()
        total += naive.outcome()
    generator[0] = 7
    assert playouts(start, games, generator, buffer, MOST_PLIES) == total


# ------------------------------------------------------------------ synthetic trees

TREE = find_game("synthetic")
SHAPES = st.fixed_dictionaries(
    {"branching": st.integers(1, 4), "depth": st.integers(0, 4), "seed": st.integers(0, 2**63 - 1)}
)


def nodes_by_ply(root, depth, branching):
    """All nodes, level by level, found by playing the moves 0 to branching - 1."""
    levels = [[root]]
    for _ in range(depth):
        levels.append([play(node, move) for node in levels[-1] for move in range(branching)])
    return levels


def leaf_values(chosen):
    """The leaves as the first player sees them, from left to right."""
    leaves = nodes_by_ply(TREE.initial(**chosen), chosen["depth"], chosen["branching"])[-1]
    return [TREE.first_player_outcome(leaf) for leaf in leaves]


def minimax(state, plies, branching):
    """The value of a node for the side to move, from the leaves alone."""
    if plies == 0:
        return outcome(state)
    return max(-minimax(play(state, move), plies - 1, branching) for move in range(branching))


@settings(max_examples=30)
@given(shape=SHAPES, kind=st.sampled_from(["independent", "incremental", "ordered", "pgame"]))
def test_a_tree_has_the_same_number_of_branches_everywhere_and_ends_at_its_depth(shape, kind):
    root = TREE.initial(**shape, leaves=kind)
    levels = nodes_by_ply(root, shape["depth"], shape["branching"])
    for ply, level in enumerate(levels):
        for node in level:
            assert is_over(node) == (ply == shape["depth"])
            assert side(node) == ply % 2
            assert is_over(node) or TREE.legal(node) == list(range(shape["branching"]))
    assert len(set(levels[-1])) == shape["branching"] ** shape["depth"]


@pytest.mark.parametrize(("branching", "depth"), [(1, 62), (2, 16), (3, 10), (38, 3), (64, 2)])
def test_a_compiled_tree_has_branching_to_the_depth_leaves(branching, depth):
    root = TREE.initial(branching=branching, depth=depth)
    assert leaves(TREE, root, depth) == branching**depth


@settings(max_examples=30)
@given(shape=SHAPES, quality=st.sampled_from([0.0, 0.3, 1.0]), spread=st.integers(1, 50))
def test_the_value_of_every_node_of_an_ordered_tree_is_its_minimax_value(shape, quality, spread):
    root = TREE.initial(**shape, leaves="ordered", quality=quality, spread=spread)
    levels = nodes_by_ply(root, shape["depth"], shape["branching"])
    assert -spread <= root.value <= spread
    for ply, level in enumerate(levels):
        for node in level:
            assert node.value == minimax(node, shape["depth"] - ply, shape["branching"])


@settings(max_examples=30)
@given(shape=SHAPES, quality=st.sampled_from([0.0, 0.5, 1.0]), spread=st.integers(1, 50))
def test_one_move_of_an_ordered_node_keeps_its_value_and_others_lose_up_to_spread(
    shape, quality, spread
):
    root = TREE.initial(**shape, leaves="ordered", quality=quality, spread=spread)
    for level in nodes_by_ply(root, shape["depth"], shape["branching"])[:-1]:
        for node in level:
            losses = [node.value + play(node, move).value for move in range(shape["branching"])]
            assert losses.count(0) == 1
            assert max(losses) <= spread


def best_moves(quality, branching, depth=6):
    """Which move is best, for every inner node of an ordered tree."""
    root = TREE.initial(branching=branching, depth=depth, leaves="ordered", quality=quality)
    inner = [node for level in nodes_by_ply(root, depth, branching)[:-1] for node in level]
    return [
        [play(node, move).value for move in range(branching)].index(-node.value) for node in inner
    ]


@pytest.mark.parametrize("branching", [1, 2, 3])
def test_with_quality_one_the_best_move_is_always_the_first(branching):
    assert set(best_moves(1.0, branching)) == {0}


def test_with_quality_zero_the_best_move_is_any_but_the_first():
    assert set(best_moves(0.0, 4)) == {1, 2, 3}


def test_with_a_quality_between_the_best_move_is_first_in_that_share_of_nodes():
    best = best_moves(0.7, 3, depth=7)  # 1093 inner nodes
    assert abs(best.count(0) / len(best) - 0.7) < 4 * math.sqrt(0.7 * 0.3 / len(best))


@settings(max_examples=30)
@given(shape=SHAPES, spread=st.integers(1, 50))
def test_an_incremental_leaf_is_the_sum_of_the_steps_along_its_path(shape, spread):
    branching, depth = shape["branching"], shape["depth"]
    root = TREE.initial(**shape, leaves="incremental", spread=spread)
    for leaf in nodes_by_ply(root, depth, branching)[-1]:
        total, node = 0, root
        for move in TREE.parse_moves(root, TREE.format_position(leaf).replace("root", "")):
            child = play(node, move)
            gain = -child.value - node.value  # for the side that made the move
            assert -spread <= gain <= spread
            total += gain if side(node) == 0 else -gain
            node = child
        assert TREE.first_player_outcome(leaf) == total


@pytest.mark.parametrize("depth", [11, 12], ids=["odd depth", "even depth"])
@pytest.mark.parametrize("wins", [0.0, 0.2, 0.5, 0.618, 1.0])
def test_pgame_leaves_are_won_by_the_first_player_in_the_given_share(wins, depth):
    values = leaf_values({"branching": 2, "depth": depth, "leaves": "pgame", "wins": wins})
    assert set(values) <= {1, -1}
    share = values.count(1) / len(values)
    assert abs(share - wins) <= 4 * math.sqrt(wins * (1 - wins) / len(values))


@pytest.mark.parametrize("depth", [7, 8], ids=["odd depth", "even depth"])
def test_independent_leaves_are_spread_evenly_over_their_range(depth):
    values = leaf_values({"branching": 3, "depth": depth, "spread": 5})
    counts, expected = Counter(values), len(values) / 11
    assert set(counts) == set(range(-5, 6))
    assert all(abs(count - expected) < 5 * math.sqrt(expected) for count in counts.values())


@settings(max_examples=30)
@given(shape=SHAPES, spread=st.sampled_from([1, 7, 10**6]))
def test_independent_leaves_stay_within_the_spread(shape, spread):
    assert all(-spread <= value <= spread for value in leaf_values({**shape, "spread": spread}))


KINDS = pytest.mark.parametrize("kind", ["independent", "incremental", "ordered", "pgame"])


@KINDS
def test_the_same_seed_gives_the_same_tree(kind):
    chosen = {"branching": 3, "depth": 4, "leaves": kind, "seed": 5}
    assert leaf_values(chosen) == leaf_values(dict(chosen))


@KINDS
def test_another_seed_gives_another_tree(kind):
    chosen = {"branching": 3, "depth": 4, "leaves": kind}
    trees = {tuple(leaf_values({**chosen, "seed": seed})) for seed in range(20)}
    assert len(trees) == 20


@KINDS
def test_a_compiled_tree_has_the_leaves_of_the_plain_one(kind):
    chosen = {"branching": 3, "depth": 4, "leaves": kind, "seed": 11}
    root, values = TREE.initial(**chosen), leaf_values(chosen)
    randomness, generator = Randomness(3), np.array([3], np.uint64)
    expected = 0
    for _ in range(200):
        place = 0
        for _ in range(4):
            place = 3 * place + randomness.below(3)
        expected += values[place]
    assert playouts(root, 200, generator, np.zeros(TREE.max_moves, np.int32), 10) == expected


GOLDEN = {
    "independent": [-42, -38, 22, -3, -9, 43, -75, -51, 48],
    "incremental": [-97, 98, 90, 73, 142, -30, 2, 24, 79],
    "ordered": [81, 21, -5, 66, 119, 129, -14, 44, 78],
    "pgame": [1, 1, -1, 1, 1, -1, 1, 1, -1],
}


@KINDS
def test_the_tree_of_seed_one_never_changes(kind):
    chosen = {"branching": 3, "depth": 2, "leaves": kind, "seed": 1, "quality": 0.5}
    assert leaf_values(chosen) == GOLDEN[kind]
