"""Searches, analyses, solutions, explanations and trees: what the parts below say, in words."""

from __future__ import annotations

import base64
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import plyground as pg
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.rules import play
from plyground.kernel import plain_python
from plyground.players.searching import default_finish
from plyground.public.progress import Progress
from plyground.search.catalogue import ALGORITHMS, find_algorithm
from plyground.search.run import search
from plyground.search.setup import FINISHES, Limits, Setup

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
PATIENCE_S = 300.0


@pytest.fixture
def plain():
    with plain_python():
        yield


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("algorithm", [each.name for each in ALGORITHMS if each.equals_minimax])
def test_a_search_is_the_search_of_the_kernels(algorithm):
    position = pg.Position("connect4", "4 4 3", width=5, height=4)
    found = position.search(algorithm, depth=4, evaluator="segments")
    setup = Setup(
        find_algorithm(algorithm),
        find_evaluator("segments", position.state).make(),
        FINISHES[default_finish(position.game)],
    )
    raw = search(position.game, position.state, setup, Limits(depth=4))
    assert found.found.value == raw.value and found.counters == raw.counters
    assert found.move == position.game.format_move(position.state, raw.move)
    assert found.after.state == play(position.state, raw.move)
    assert len(found.line) == len(raw.line) and found.line[0] == found.move
    assert position.play_all(found.line).codes[position.ply :] == raw.line
    assert (found.depth, found.nodes, found.completed) == (4, raw.nodes, True)
    assert found.move in repr(found) and "\n" not in repr(found)
    assert found.as_data()["pv"] == list(found.line)
    assert "<table>" in found._repr_html_()


class Twice(NamedTuple):
    weight: int = 2

    def evaluate(self, state) -> int:
        return self.weight


@pytest.mark.usefixtures("plain")
def test_an_evaluator_may_be_a_name_a_text_with_weights_a_value_or_a_class():
    position = pg.Position("mnk")
    assert str(position.search("negamax", depth=1, evaluator=Twice(5)).score) == "-5"
    assert str(position.search("negamax", depth=1, evaluator=Twice).score) == "-2"
    named = position.search("negamax", depth=2, evaluator="lines")
    assert named.evaluator == "lines"
    assert position.search("negamax", depth=2).found.value == named.found.value
    with pytest.raises(pg.Unsupported, match="an evaluator is a name"):
        position.search("negamax", depth=1, evaluator=3)
    assert position.explain(Twice(4)).value == 4
    with pytest.raises(pg.Unsupported, match="an evaluator is a name"):
        position.explain(3)
    with pytest.raises(pg.Unsupported, match="an evaluator by its name"):
        position.tree(evaluator=Twice())


@pytest.mark.usefixtures("plain")
def test_depths_are_heard_of_one_by_one():
    heard = []
    position = pg.Position("mnk")
    found = position.search("negascout", depth=4, iterate=True, on_depth=heard.append)
    assert [each.depth for each in heard] == [1, 2, 3, 4]
    assert heard[-1].move == found.move


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({}, "give a limit"),
        ({"depth": 0}, "depth=0: expected a whole number from 1"),
        ({"depth": 2.5}, "depth=2.5: expected"),
        ({"depth": "8"}, "depth='8': expected"),
        ({"depth": True}, "depth=True: expected"),
        ({"seconds": 0}, "seconds=0: expected a time above 0"),
        ({"seconds": "soon"}, "seconds 'soon': expected a time"),
        ({"nodes": -3}, "nodes=-3: expected"),
        ({"depth": 2, "order": "best"}, "unknown order 'best'"),
        ({"depth": 2, "finish": "soon"}, "unknown finish"),
        ({"depth": 2, "prune": "all"}, "unknown pruning"),
        ({"depth": 2, "memory": "much"}, "memory 'much': expected a size"),
        ({"depth": 2, "memory": -1}, "memory=-1: expected"),
        ({"depth": 2, "memory": 1.5}, "memory=1.5: expected"),
        ({"depth": 2, "threads": 0}, "threads=0: expected"),
        ({"depth": 2, "evaluator": "stages"}, "judges another game"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(options, complaint):
    with pytest.raises(pg.InputError, match=complaint):
        pg.Position("connect4").search("abmemory", **options)


def test_a_finished_game_cannot_be_searched_and_has_no_moves():
    over = pg.Position("mnk", "a1 a2 b1 b2 c1")
    assert (over.winner, over.score, over.legal) == ("X", 1, ())
    for call in (lambda: over.search(depth=2), over.solve, lambda: over.tree(depth=2)):
        with pytest.raises(pg.Unsupported, match="the game is over"):
            call()
    assert over.analyse().moves == ()


@pytest.mark.usefixtures("plain")
@pytest.mark.usefixtures("plain")
def test_the_scores_of_moving_pieces_stand_where_the_pieces_go():
    found = pg.Position(HEXAPAWN, "b1b2 a3b2").analyse(depth=2)
    [image] = re.findall('base64,([^"]+)', found._repr_html_())
    drawn = re.findall(r"<text[^>]*>([^<]*)<", base64.b64decode(image).decode())
    scores = {
        str(each.score).replace("win in ", "W").replace("loss in ", "L") for each in found.moves
    }
    assert len([text for text in drawn if text in scores]) == 3  # a2, b2 for two pawns, c2


def test_an_analysis_has_every_move_with_its_score():
    position = pg.Position("mnk", "a1 b1 a2")
    found = position.analyse(depth=6)
    assert sorted(each.move for each in found.moves) == sorted(position.legal)
    assert found.best is found.moves[0] and found.best.move == "a3"  # nothing else stops a3
    assert found.frame().height == len(position.legal)
    assert {"move", "score", "value", "kind", "depth", "nodes", "line"} == set(
        found.frame().columns
    )
    assert found.to_pandas().shape == found.frame().shape
    assert "a3" in repr(found)


def test_a_solved_position_is_what_the_solver_says():
    found = pg.Position("connect4", "4 4 3 4").solve(all_moves=True)
    assert (found.value, found.best, str(found.score)) == (18, ("2", "5"), "win in 3")
    assert found.values["2"] == 18 and found.values["1"] < 0
    assert found.frame().filter(found.frame()["best"])["move"].to_list() == ["2", "5"]
    with pytest.raises(pg.Unsupported, match="cannot be solved"):
        pg.Position("kalah").solve()


def test_an_explanation_adds_up():
    found = pg.Position("othello", "f5 d6 c3").explain()
    assert found.evaluator == "factors"
    assert abs(sum(found.frame()["share"]) - found.value) <= len(found.factors)
    weighted = pg.Position("othello", "f5 d6 c3").explain("stages(early_mobility=0)")
    assert weighted.evaluator == "stages"


@pytest.mark.usefixtures("plain")
def test_a_tree_has_every_node_and_why_it_ended():
    position = pg.Position("mnk", "a1 b2")
    tree = position.tree("alphabeta", depth=3)
    assert len(tree) == tree.counters["nodes"]
    frame = tree.frame()
    assert frame.height == len(tree) and frame["node"].to_list() == list(range(len(tree)))
    assert tree.root.parent is None and tree.root.move is None
    for node in list(tree)[:50]:
        assert [child.parent for child in node.children] == [node] * len(node.children)
        assert node.position.moves[: position.ply] == position.moves
        if node.why == "cut":
            assert node.cut and node.move not in node.cut
        if node.why in ("leaf", "over"):
            assert not node.children
    assert tree[3].number == 3 and "node 3" in repr(tree[3])
    assert tree.root.sentence
    with pytest.raises(pg.Unsupported, match="there is no node"):
        tree[len(tree)]
    assert "data:image/svg+xml" in tree._repr_html_() and "alphabeta to depth 3" in repr(tree)
    with pytest.raises(pg.Unsupported, match="searches no tree"):
        position.tree("uct")


def test_an_interrupt_stops_a_search_and_keeps_what_was_found():
    position = pg.Position("othello")
    position.search("abmemory", depth=3)  # compiled by now
    depths: list[int] = []
    timer = threading.Thread(target=_interrupt_when, args=(lambda: len(depths) >= 3,))
    timer.start()
    try:
        with pytest.raises(pg.Interrupted) as caught:
            position.search("abmemory", seconds=600, on_depth=lambda r: depths.append(r.depth))
    finally:
        timer.join()
    found = caught.value.result
    assert found.depth >= 1 and found.move in position.legal and not found.completed
    assert pg.interrupted() is found
    assert position.search("abmemory", depth=2).completed  # all is as before


def test_an_interrupt_stops_an_analysis_too(monkeypatch):
    position = pg.Position("kalah")
    position.analyse(depth=2)
    news: list[str] = []
    monkeypatch.setattr(Progress, "report", lambda self, text: news.append(text))
    timer = threading.Thread(target=_interrupt_when, args=(lambda: "depth 3" in " ".join(news),))
    timer.start()
    try:
        with pytest.raises(pg.Interrupted) as caught:
            position.analyse(seconds=600)
    finally:
        timer.join()
    assert len(caught.value.result.moves) == len(position.legal)


def _interrupt_when(is_under_way: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not is_under_way() and time.monotonic() < end_s:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
