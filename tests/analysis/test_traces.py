"""A tree that was searched tells the truth, whatever the algorithm and the game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.analysis.simulations import Simulations, one_simulation
from plyground.analysis.trace_proof import prove
from plyground.analysis.trace_rows import (
    all_rows,
    child_rows,
    course,
    is_known,
    overview,
    visit,
)
from plyground.analysis.trace_words import sentence, sentence_at
from plyground.analysis.traces import BLIND, Traced, TraceRequest, TreeCache, run_trace
from plyground.core.errors import Unsupported
from plyground.games.catalogue import games
from plyground.games.position import BasePosition
from plyground.games.rules import key
from plyground.kernel import Slab, plain_python
from plyground.search import uct
from plyground.search.catalogue import ALGORITHMS
from plyground.search.clock import STOP
from plyground.search.parts import CUT, SEARCHED

TRACED = [each.name for each in ALGORITHMS if each.call not in BLIND]
DEEPER = ("quiescence", "scout-printed")  # look further, below their leaves
NOISY = ("connect4", "kalah", "othello")
EXACT = [each.name for each in ALGORITHMS if each.call not in BLIND and each.equals_minimax]
DEPTHS = {"double-card": 1, "othello": 2, "kalah": 2, "connect4": 2, "mnk": 3, "synthetic": 3}


def traced(game: str, algorithm: str, depth: int, plies: int = 0, seed: int = 0, **more) -> Traced:
    """A search in plain Python, from a position reached by moves of chance."""
    line = BasePosition.begin(game, more.pop("settings", None))
    spec, chance = line.game, np.random.default_rng(seed)
    names, state = [], line.state
    for _ in range(plies):
        legal = spec.legal(state)
        move = legal[chance.integers(len(legal))]
        after = spec.replay(state, [move])
        if not spec.legal(after):
            break
        names.append(spec.format_move(state, move))
        state = after
    with plain_python():
        asked = TraceRequest(
            BasePosition.begin(game, line.settings, None, names), algorithm, depth, **more
        )
        return run_trace(asked, Slab(1))


@st.composite
def any_search(draw: st.DrawFn) -> Traced:
    game = draw(st.sampled_from(sorted(games())))
    fitting = [each for each in TRACED if each != "quiescence" or game in NOISY]
    return traced(
        game,
        draw(st.sampled_from(fitting)),
        draw(st.integers(1, DEPTHS.get(game, 4))),
        plies=draw(st.integers(0, 2 if game == "textbook" else 6)),
        seed=draw(st.integers(0, 1000)),
        order=draw(st.sampled_from(["natural", "shallow", "random"])),
    )


def demand_right(found: Traced) -> None:
    """Windows, values and positions, node by node."""
    tree, game = found.tree, found.request.position.game
    if found.algorithm.name not in DEEPER:
        assert len(tree) == found.result.nodes
    assert (np.sort(tree.visits) == np.arange(len(tree))).all()
    for node in range(len(tree)):
        state = found.state_at(node)
        parent, children = int(tree.parent[node]), tree.children(node)
        assert tree.alpha[node] < tree.beta[node]
        if tree.reason[node] == CUT:
            # With a table, the most that it allows may be reached before beta is.
            assert tree.value[node] >= tree.beta[node] or found.algorithm.uses_table
            assert tree.move[children[-1]] == tree.cutting_move[node]
        if children and found.algorithm.call != "best-first":
            searched = len({int(tree.move[child]) for child in children})
            assert searched + tree.unsearched[node] == len(game.legal(state))
        if parent >= 0 and found.algorithm.name != "althofer":  # its windows slide
            same = tree.side[parent] == tree.side[node]
            low = tree.alpha[parent] if same else -tree.beta[parent]
            high = tree.beta[parent] if same else -tree.alpha[parent]
            assert low <= tree.alpha[node]
            assert tree.beta[node] <= high
        first = int(tree.first[node])
        assert tree.order[first] <= tree.order[node]
        assert key(found.state_at(first)) == key(state)
        if tree.is_again[node]:
            assert tree.moves_to(node) in [
                tree.moves_to(int(each)) for each in tree.visits[: tree.order[node]]
            ]


@pytest.mark.parametrize("algorithm", TRACED)
@pytest.mark.parametrize("game", sorted(games()))
def test_windows_values_and_positions_are_right_in_every_tree(game, algorithm):
    if algorithm == "quiescence" and game not in NOISY:
        with pytest.raises(Unsupported, match=f"^{game} has no noisy moves to play out"):
            traced(game, algorithm, 2, 2, 1)
        return
    for seed, order in ((1, "natural"), (2, "shallow")):
        demand_right(traced(game, algorithm, DEPTHS.get(game, 4), 2, seed, order=order))


@settings(max_examples=20)
@given(any_search())
def test_windows_values_and_positions_are_right_in_any_tree(found):
    demand_right(found)


@settings(max_examples=25)
@given(any_search())
def test_what_is_told_of_a_node_is_what_the_tree_says(found):
    tree, rows = found.tree, all_rows(found)
    assert [row["node"] for row in rows] == list(range(len(tree)))
    for row in rows[:: max(1, len(rows) // 40)]:
        node = row["node"]
        told = sentence(found, node)
        assert told.endswith(".")
        if row["reason"] == "cut" and row["unsearched"]:
            texts = {
                found.text_of(sign * row[name]) for name in ("value", "beta") for sign in (1, -1)
            }
            assert row["cutting"] in told
            assert sum(text in told for text in texts) >= len({abs(row["value"]), abs(row["beta"])})
            assert str(row["unsearched"]) in told or "the one remaining" in told
        steps = course(found, node)
        assert len(steps) == row["children"]
        if row["reason"] in ("cut", "searched") and steps and found.algorithm.name != "althofer":
            best = max(step["number"] for step in steps)
            assert max(best, row["alpha"]) >= min(row["value"], row["beta"])
    numbers = overview(found, 0, len(tree) - 1, 4000)
    assert numbers["node"] == list(range(len(tree)))


@pytest.mark.parametrize("algorithm", EXACT)
def test_a_proof_never_changes_the_root(algorithm):
    found = traced("mnk", algorithm, 3, plies=2, seed=3)
    with plain_python():
        told = prove(found, found.roots[-1], Slab(1))
        assert told["unchanged"]
        assert told["after"] == found.text_of(found.result.value)
        tree = found.tree
        is_inside = tree.parent >= 0
        cut = np.flatnonzero((tree.reason == CUT) & (tree.unsearched > 0) & is_inside)
        for node in cut[:: max(1, len(cut) // 5)].tolist():
            told = prove(found, node, Slab(1))
            assert told["unchanged"]
            assert len(told["moves"]) == tree.unsearched[node]


def test_a_proof_that_fails_says_so():
    """A trace is falsified, since no search gives one: a cut that nothing had earned."""
    found = traced("textbook", "alphabeta", 4)
    tree = found.tree
    [cut] = np.flatnonzero((tree.reason == CUT) & (tree.unsearched > 0)).tolist()
    with plain_python():
        assert "The root is unchanged: 3" in prove(found, cut, Slab(1))["text"]
        tree.value[cut] -= 100
        tree.beta[cut] = 100
        told = prove(found, cut, Slab(1))
        assert not told["unchanged"]
        assert "The root, 3, does not follow" in told["text"]
        found.result = replace(found.result, value=99)
        told = prove(found, 0, Slab(1))
    assert not told["unchanged"]
    assert "The root, 99, does not follow" in told["text"]


def test_a_cut_at_the_most_that_the_table_allows_says_so():
    found = traced("kalah", "aspiration", 2, plies=3, seed=3, order="shallow")
    tree = found.tree
    [again] = np.flatnonzero((tree.reason == CUT) & (tree.value < tree.beta)).tolist()
    assert again in found.roots[1:]  # the first window had failed
    told = sentence(found, again)
    assert "-66, the most that the table allows here, though the window ends at -65" in told
    assert "the one remaining move" in told


def test_where_nothing_was_cut_nothing_can_be_proved():
    found = traced("textbook", "alphabeta", 4)
    leaf = len(found.tree) - 1
    with pytest.raises(Unsupported, match="nothing was cut"):
        prove(found, leaf, Slab(1))
    unsound = traced("mnk", "althofer", 2)
    for node in range(len(unsound.tree)):
        with pytest.raises(Unsupported, match="does not promise"):
            prove(unsound, node, Slab(1))


def test_a_replay_knows_only_what_was_known_then():
    found = traced("textbook", "alphabeta", 4)
    moment = visit(found, 5)  # the first reply to the second move
    assert [row["move"] for row in moment["path"]] == [None, "2"]
    root, entered = (row["node"] for row in moment["path"])
    assert [(step["move"], step["best"]) for step in course(found, root, 5)] == [("1", "3")]
    assert sentence_at(found, root, 5) == (
        "Still open: whatever it is worth counts; after one move the best is 3."
    )
    assert sentence_at(found, entered, 5) == (
        "The search is on its way down: what counts is between 3 and ∞."
    )
    assert sentence_at(found, len(found.tree) - 1, 5) == "The search has not come here yet."
    assert sentence_at(found, root, len(found.tree)) == sentence(found, root)
    assert visit(found, 10**9)["node"] == len(found.tree) - 1


@settings(max_examples=25)
@given(any_search(), st.integers(0, 10_000))
def test_what_is_known_at_a_visit_needs_nothing_that_comes_later(found, number):
    tree, now = found.tree, number % (len(found.tree) + 1)
    for node in range(0, len(tree), max(1, len(tree) // 40)):
        below = tree.order[node : tree.last[node] + 1]
        assert tree.done[node] == below.max()
        if is_known(found, node, now):
            assert tree.order[node] <= now
            assert len(below) == 1 or below.max() < now
        else:
            assert below.max() >= now
        for step in course(found, node, now):
            assert is_known(found, step["node"], now)


def test_beyond_the_room_the_deepest_plies_are_counted_only():
    whole, small = (traced("mnk", "alphabeta", 4, room=room) for room in (10_000, 300))
    assert len(small.tree) + small.tree.dropped == len(whole.tree) == whole.result.nodes
    shown = whole.tree.depth >= small.tree.depth.min()
    assert small.tree.depth.min() > 0
    assert (whole.tree.move[shown] == small.tree.move).all()
    assert (whole.tree.value[shown] == small.tree.value).all()
    assert small.tree.size(0) == whole.tree.size(0)


@pytest.mark.parametrize("algorithm", ["alphabeta", "abmemory", "mtdf", "sss"])
def test_of_what_was_counted_only_nothing_is_made_up(algorithm):
    whole, small = (traced("mnk", algorithm, 4, room=room) for room in (10_000, 300))
    tree = small.tree
    shut = np.flatnonzero(tree.is_shut).tolist()
    assert tree.dropped
    assert shut
    for node in shut:
        assert child_rows(small, node, 0, 50)["cut"] == []
        if tree.reason[node] == CUT and tree.unsearched[node]:
            assert "remaining move" in sentence(small, node)
            with pytest.raises(Unsupported, match="counted only"):
                prove(small, node, Slab(1))
    for node in np.flatnonzero(tree.unsearched > 0).tolist():
        if not tree.is_shut[node]:
            assert len(small.cut_moves(node)) == tree.unsearched[node]
    if algorithm == "sss":  # the nodes of which there was no room are not those of some ply
        return
    plies = len(small.statistics)
    for told, full in zip(small.statistics[:-1], whole.statistics[: plies - 1], strict=True):
        assert told == full
    last, full = small.statistics[-1], whole.statistics[plies - 1]
    known = ("ply", "nodes", "leaves", "table", "cuts", "unsearched")
    assert [last[name] for name in known] == [full[name] for name in known]
    assert last["inner"] == 0
    assert (last["first_cuts"] is None) == (last["cuts"] > 0)


def test_the_leaves_below_cut_moves_are_counted():
    for tree, leaves, cut in (("three-by-three", 7, 2), ("best-first", 7, 5), ("siew", 8, 0)):
        found = traced("textbook", "alphabeta", 4, settings={"tree": tree})
        assert (found.result.counters["leaves"], found.cut_leaves) == (leaves, cut)
    assert (
        traced("mnk", "alphabeta", 3).cut_leaves
        == 9 * 8 * 7 - (traced("mnk", "alphabeta", 3).result.counters["leaves"])
    )
    assert traced("mnk", "alphabeta", 4, room=300).cut_leaves is None


def test_a_compiled_search_leaves_the_tree_of_plain_python():
    line = BasePosition.begin("textbook", {"tree": "deep-cut"})
    for algorithm in ("alphabeta", "sss"):
        plain = traced("textbook", algorithm, 5, settings={"tree": "deep-cut"})
        compiled = run_trace(TraceRequest(line, algorithm, 5), Slab(1))
        for name in ("parent", "move", "alpha", "beta", "value", "reason", "order", "first"):
            assert (getattr(plain.tree, name) == getattr(compiled.tree, name)).all()


def test_statistics_add_up():
    found = traced("mnk", "alphabeta", 3)
    rows, counters = found.statistics, found.result.counters
    assert sum(row["nodes"] for row in rows) == counters["nodes"]
    assert sum(row["leaves"] for row in rows) == counters["leaves"]
    assert sum(row["cuts"] for row in rows) == counters["cutoffs"]
    assert sum(row["first_cuts"] for row in rows) == counters["first_cutoffs"]
    nine, eight, seven = traced("mnk", "minimax", 3).statistics[:3]
    assert (nine["moves"], eight["moves"], seven["moves"]) == (9, 72, 504)


def test_the_least_number_of_leaves_is_that_of_knuth_and_moore():
    best = traced(
        "synthetic",
        "alphabeta",
        4,
        settings={"branching": 3, "depth": 4, "leaves": "ordered", "quality": 1.0},
    )
    assert best.least_leaves() == best.result.counters["leaves"] == 3**2 + 3**2 - 1


def test_the_same_question_has_the_same_name_and_the_oldest_tree_goes():
    line = BasePosition.begin("textbook")
    assert (
        TraceRequest(line).name
        == TraceRequest(line, "alpha-beta").name
        != TraceRequest(line, "minimax").name
    )
    kept: TreeCache[list[int]] = TreeCache(10)
    for name, size in (("a", 4), ("b", 4), ("c", 4)):
        kept.find("a")
        kept.keep(name, [0] * size)
    assert kept.find("b") is None
    assert kept.find("a") is not None
    kept.keep("huge", [0] * 100)
    assert kept.find("huge") is not None
    assert kept.find("a") is None


def test_weights_of_an_evaluator_make_another_tree_with_another_name():
    line = BasePosition.begin("connect4", moves="4433")
    usual, plain, other, same = (
        TraceRequest(line, depth=1, evaluator=text)
        for text in (*("columns", None, "columns(weight=7)", "Columns ( weight=7 )"),)
    )
    with plain_python():
        once, seven = (run_trace(each, Slab(1)).tree for each in (usual, other))
    assert (seven.value == 7 * once.value).all()
    assert once.value.any()
    assert len({usual.name, plain.name, other.name}) == 3
    assert same.name == other.name


def test_simulations_take_weights_too():
    line = BasePosition.begin("mnk")
    usual, heavy = (
        one_simulation(Simulations(line, 3, text), 2) for text in ("lines", "lines(weight=9)")
    )
    assert abs(heavy["reward"]) > abs(usual["reward"]) > 0


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"evaluator": "mean(wait=2)"}, "did you mean weight"),
        ({"evaluator": "mean(weight="}, "evaluator"),
        ({"algorithm": "uct"}, "no tree of values"),
        ({"algorithm": "alphabta"}, "did you mean alphabeta"),
        ({"evaluator": "stagges"}, "evaluator"),
        ({"order": "sideways"}, "order"),
    ],
)
def test_what_cannot_be_traced_is_said(more, complaint):
    with pytest.raises(Exception, match=complaint), plain_python():
        run_trace(TraceRequest(BasePosition.begin("textbook"), **more), Slab(1))


def test_a_stopped_search_shows_no_tree():
    stop = Slab(1)
    stop[0] = 1
    with pytest.raises(Unsupported, match="stopped"), plain_python():
        run_trace(TraceRequest(BasePosition.begin("mnk")), stop)


# ---------------------------------------------------------------- simulations


@pytest.mark.parametrize("evaluator", [None, "zero"])
def test_visits_of_children_add_up(evaluator):
    asked = Simulations(BasePosition.begin("mnk", None, None, ["b2"]), 60, evaluator, seed=5)
    with plain_python():
        tree = asked.run()
        assert tree.visits(uct.ROOT) == 60
        for node in range(len(tree)):
            if children := tree.children(node):
                expected = tree.visits(node) - (node != uct.ROOT)
                assert sum(map(tree.visits, children)) == expected
        rows = tree.child_rows(uct.ROOT)["rows"]
        assert rows[0]["visits"] == max(row["visits"] for row in rows)
        assert rows[0]["move"] == tree.best_move()
        assert rows[0]["bound"] == pytest.approx(rows[0]["mean"] + rows[0]["bonus"])
        later = one_simulation(asked, 60)
        assert later["path"][0]["visits"] == 60
        assert len(later["steps"]) == 4
        with pytest.raises(Unsupported, match="1 to 60"):
            one_simulation(asked, 61)


def test_simulations_can_be_stopped():
    stop = Slab(1)
    stop[STOP] = 1
    asked = Simulations(BasePosition.begin("mnk"), 10_000)
    with pytest.raises(Unsupported, match="ask for fewer"), plain_python():
        asked.run(stop=stop)


def test_children_come_in_parts():
    found = traced("double-card", "minimax", 1)
    first, rest = child_rows(found, 0, 0, 50), child_rows(found, 0, 50, 50)
    assert (len(first["rows"]), len(rest["rows"]), first["total"]) == (50, 10, 60)


def test_an_inner_node_of_minimax_is_worth_its_best_child():
    found = traced("kalah", "minimax", 2)
    tree = found.tree
    for node in np.flatnonzero(tree.reason == SEARCHED).tolist():
        steps = course(found, node)
        assert max(step["number"] for step in steps) == tree.value[node]
