"""`plyground search`, `explain`, `algorithms` and `evaluators`."""

from __future__ import annotations

import json

import pytest
from command_line import run

from plyground.evaluation.catalogue import by_name, evaluators
from plyground.evaluation.othello_stages import Stages
from plyground.public.position import Position
from plyground.search.catalogue import ALGORITHMS


def search(*arguments):
    return run("search", *arguments)


def test_a_search_as_json_has_the_documented_fields():
    done = search("connect4", "-a", "alphabeta", "-e", "columns", "--depth", "6", "--json")
    data = json.loads(done.out)
    assert list(data) == [
        "move",
        "score",
        "pv",
        "depth",
        "nodes",
        "leaves",
        "time_s",
        "passes",
        "counters",
    ]
    assert data["nodes"] == 17_465
    assert data["score"] == {"value": 0, "kind": "heuristic", "bound": "exact"}
    assert data["move"] == data["pv"][0] == "4"
    assert len(data["pv"]) == data["depth"] == 6


def test_a_search_prints_a_line_for_each_depth_and_the_move():
    done = search("connect4", "-a", "alphabeta", "-e", "columns", "--depth", "4", "--iterate")
    lines = done.out.splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [["depth", str(d)] for d in (1, 2, 3, 4)]
    assert lines[4] == "4  +0"
    assert lines[5].startswith("alphabeta, columns: nodes ")


def test_a_search_starts_from_the_position_that_is_given():
    done = search(
        *("connect4", "-a", "alphabeta", "-e", "columns", "--depth", "2", "--json"),
        *("--moves", "445566", "--finish", "distance"),
    )
    data = json.loads(done.out)
    assert data["score"] == {"value": 1, "kind": "win", "bound": "exact"}
    assert data["move"] in ("3", "7")


@pytest.mark.usefixtures("plain")
def test_an_order_may_be_a_list_of_moves_or_another_evaluator():
    line = ("connect4", "-a", "alphabeta", "-e", "columns", "--depth", "6", "--json")
    nodes = {
        order: json.loads(search(*line, "--order", order).out)["nodes"]
        for order in ("natural", "4,5,3,6,2,7,1", "shallow", "shallow(eval=columns)")
    }
    assert nodes["natural"] == 17_465
    assert nodes["4,5,3,6,2,7,1"] < 2_000
    assert nodes["shallow(eval=columns)"] == nodes["shallow"]


@pytest.mark.parametrize("name", ["random", "first", "uct", "greedy"])
def test_what_does_not_look_ahead_needs_no_limit(name):
    done = search("connect4", "-a", name, "-e", "columns", "--json")
    assert done.status == 0
    assert json.loads(done.out)["move"] in list("1234567")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["connect4", "-a", "negascot", "-d", "2"], "unknown algorithm 'negascot'; did you mean"),
        (["connect4", "-e", "stages", "-d", "2"], "evaluator stages judges another game"),
        (["connect4", "-e", "segmens", "-d", "2"], "unknown evaluator 'segmens'; did you mean"),
        (["connect4", "-a", "alphabeta"], "give a limit: --depth, --time or --nodes"),
        (["connect4", "-a", "mtdf", "-d", "2", "--memory", "0"], "mtdf cannot work without memory"),
        (["connect4", "-d", "2", "--memory", "much"], "--memory 'much': expected a size"),
        (["connect4", "-d", "2", "--memory", "9999GB"], "at most 64GB"),
        (["connect4", "-d", "2", "--order", "best"], "unknown order 'best'"),
        (["connect4", "-d", "2", "--finish", "soon"], "unknown finish 'soon'"),
        (["connect4", "-d", "2", "--prune", "all"], "unknown pruning 'all'"),
        (["connect4", "--time", "0"], "--time '0': expected a time above 0"),
        (["connect4", "-a", "scout", "-d", "2", "--threads", "2"], "scout runs on one thread"),
        (["connect4", "-d", "2", "--moves", "1212121"], "the game is over"),
        (
            ["double-card", "-d", "1", "-e", "naive", "--symmetric"],
            "naive tells mirrored positions apart",
        ),
        (["kalah", "-d", "2", "--order", "weights"], "kalah has no weights for its places"),
        (["connect4", "-d", "2", "--order", "4,8"], "order '4,8': '8' is not a column; expected"),
        (["connect4", "-d", "2", "--order", "shallow(eval=discs)"], "discs judges another game"),
        (["connect4", "-d", "2", "--stop", "wins"], "unknown stop 'wins'; did you mean win?"),
        (["othello", "-d", "2", "--stop", "win"], "in othello a later move may be worth more"),
        (["connect4", "-d", "2", "--prune", "isolated"], "connect4 has no isolated moves"),
        (["tictactoe", "-a", "quiescence", "-d", "2"], "mnk has no noisy moves to play out"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(arguments, message):
    done = search(*arguments)
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) <= 2


def test_an_explanation_adds_up():
    done = run("explain", "connect4", "--moves", "44433", "-e", "threats", "--json")
    data = json.loads(done.out)
    assert data["value"] == sum(factor["share"] for factor in data["factors"])
    shown = run("explain", "connect4", "--moves", "44433", "-e", "threats")
    assert f"{data['value']:+d} for Red, by threats" in shown.out
    assert "cells that complete a line" in shown.out


def test_every_algorithm_is_listed_with_its_paper():
    listed = {entry["name"]: entry for entry in json.loads(run("algorithms", "--json").out)}
    assert set(listed) == {algorithm.name for algorithm in ALGORITHMS}
    assert listed["sss"]["paper"] == "Stockman 1979"
    assert "negascout" in run("algorithms").out


def test_every_evaluator_is_listed_for_its_game():
    everywhere = json.loads(run("evaluators", "--json").out)
    assert {entry["name"] for entry in everywhere} == {spec.name for spec in evaluators()}
    ours = json.loads(run("evaluators", "connect4", "--json").out)
    assert {entry["name"] for entry in ours} == {
        *("segments", "windows", "threats", "columns"),
        *("auto", "cells", "lines", "material", "mobility", "pairs", "playouts", "zero"),
    }
    assert [entry["name"] for entry in ours if entry["default"]] == ["threats"]
    assert "segments" in run("evaluators", "connect4").out


# ------------------------------------------------------------------ weights


@pytest.mark.parametrize("name", sorted(by_name()))
def test_every_weight_of_an_evaluator_is_listed_with_its_value(name):
    usual = {k: v for k, v in by_name()[name].make()._asdict().items() if isinstance(v, int)}
    told, *_ = json.loads(run("evaluators", name, "--json").out)
    assert {each["name"]: each["default"] for each in told["weights"]} == usual
    shown = [line.split()[:2] for line in run("evaluators", name.upper()).out.splitlines()]
    assert all([weight, str(value)] in shown for weight, value in usual.items())


def test_a_weight_is_explained_where_its_class_does_so():
    (told,) = json.loads(run("evaluators", "naive", "--json").out)
    explained = {each["name"]: each["help"] for each in told["weights"]}
    assert explained["maximiser"].startswith("who wants e(n) high")
    assert explained["red_filled"] == ""  # and not what Python writes into every field
    assert explained["maximiser"] in " ".join(run("evaluators", "naive").out.split())


@pytest.mark.parametrize(
    ("given", "near"), [("stags", "stages"), ("conect4", "connect4"), ("thello", "othello")]
)
def test_what_is_neither_an_evaluator_nor_a_game_gets_the_nearest_of_both(given, near):
    done = run("evaluators", given)
    assert done.status == 2
    assert done.err == f"error: unknown evaluator or game '{given}'; did you mean {near}?\n"


def test_a_file_that_is_not_there_is_no_misspelt_evaluator():
    done = run("evaluators", "./nothing.py")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "no game file" in done.err


def test_a_search_takes_weights_as_players_do():
    asked = ("othello", "-a", "negamax", "-d", "2", "--moves", "f5d6c3", "--json")
    with_weights = json.loads(search(*asked, "-e", "stages(early_mobility=120)").out)
    position = Position("othello", moves="f5d6c3")
    expected = position.search("negamax", depth=2, evaluator=Stages(early_mobility=120))
    assert with_weights["score"]["value"] == expected.score.value
    assert with_weights != json.loads(search(*asked, "-e", "stages").out)
    refused = search(*asked, "-e", "stages(early_mobilty=12)")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "did you mean early_mobility?" in refused.err


def test_an_explanation_takes_weights_as_players_do():
    asked = ("explain", "othello", "--moves", "f5d6", "--json", "-e")
    data = json.loads(run(*asked, "stages(early_mobility=12)").out)
    weights = {factor["name"]: factor["weight"] for factor in data["factors"]}
    assert weights["mobility, early game"] == 12
    assert data["value"] == sum(factor["share"] for factor in data["factors"])
