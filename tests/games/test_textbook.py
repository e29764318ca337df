"""Trees drawn by hand: what is written is what is walked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.errors import InputError
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play, side
from plyground.games.textbook import MOST_NODES, TREES, tree_text

GAME = find_game("textbook")
trees = st.recursive(
    st.integers(-99, 99), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=20
)


def written(tree: object) -> str:
    if isinstance(tree, list):
        return f"({' '.join(map(written, tree))})"
    return str(tree)


def nodes(tree: object) -> int:
    return 1 + sum(map(nodes, tree)) if isinstance(tree, list) else 1


def walk(state, tree) -> None:
    """Every node of a state is the one that was written."""
    assert bool(is_over(state)) == (not isinstance(tree, list))
    if not isinstance(tree, list):
        assert outcome(state) == (tree if side(state) == 0 else -tree)
        return
    assert GAME.legal(state) == list(range(len(tree)))
    for move, below in enumerate(tree):
        child = play(state, move)
        walk(child, below)


@given(st.lists(trees, min_size=1, max_size=4).filter(lambda tree: nodes(tree) <= MOST_NODES))
def test_any_tree_is_walked_as_it_is_written(tree):
    if len(tree) == 1 and isinstance(tree[0], list):
        tree = tree[0]  # brackets round the whole say nothing
        if len(tree) == 1 and isinstance(tree[0], list):
            return
    start = GAME.initial(tree=written(tree))
    assert tree_text(start) == written(tree)
    walk(start, tree)


@pytest.mark.parametrize("name", TREES)
def test_every_named_tree_is_one(name):
    state = GAME.initial(tree=name)
    assert tree_text(state) == f"({TREES[name]})"
    assert not is_over(state)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no leaves"),
        ("(3 4", "never closed"),
        ("3 4)", "never opened"),
        ("3 () 4", "nothing in them"),
        ("3 x", "'x' is no value"),
        ("3 100", "'100' is no value"),
        ("1 2 3 4 5 6 7 8 9 0", "more than 9 children"),
        (" ".join(["(1 2 3 4 5 6 7 8)"] * 8), "more than 64 nodes"),
        ("three-by-four", "is no value"),
    ],
)
def test_what_is_no_tree_is_said(text, reason):
    with pytest.raises(InputError, match=reason):
        GAME.initial(tree=text)


def test_a_path_is_a_position():
    start = GAME.initial(tree="deep-cut")
    state = GAME.replay(start, GAME.parse_moves(start, "1 2 2"))
    assert GAME.format_position(state) == "1.2.2"
    assert GAME.parse_position(start, "1.2.2") == state
    with pytest.raises(InputError, match="expected a number from 1 to 3"):
        GAME.parse_move(GAME.parse_position(start, "1.2"), "x")
