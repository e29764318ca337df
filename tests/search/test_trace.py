"""A trace tells the truth about a search."""

from __future__ import annotations

import pytest
from search_tools import Rough, call, make_parts

from plyground.games.catalogue import find_game
from plyground.games.rules import play
from plyground.kernel import plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.parts import CUT, CUTOFFS, FROM_TABLE, HITS, LEAF, LEAVES, NODES, OVER
from plyground.search.setup import make_table
from plyground.search.trace import (
    DROPPED,
    FIELDS,
    HEADER,
    NO_NODE,
    NOT_VISITED,
    ROW,
    USED,
    make_trace,
)

ALGORITHMS = ["negamax", "alphabeta", "falphabeta", "negascout", "palphabeta", "abmemory", "mtdf"]


def traced(name, room=20_000, depth=3, table=None, floor=0):
    game = find_game("mnk")
    trace = make_trace(room, floor)
    rows = trace.rows
    parts = make_parts(game, depth, trace=trace, table=table)
    with plain_python():
        value = call(find_algorithm(name), game.initial(), Rough(1), depth, parts)
    nodes = [
        dict(
            zip(FIELDS, rows.array[HEADER + i * ROW : HEADER + (i + 1) * ROW].tolist(), strict=True)
        )
        for i in range(rows[USED])
    ]
    return game, value, nodes, parts


@pytest.mark.parametrize("name", ALGORITHMS)
def test_there_is_one_row_for_every_node_counted(name):
    table = make_table(2**16, False) if name in ("abmemory", "mtdf") else None
    _, _, nodes, parts = traced(name, table=table)
    reasons = [node["reason"] for node in nodes]
    assert len(nodes) == parts.counts[NODES]
    assert reasons.count(LEAF) + reasons.count(OVER) == parts.counts[LEAVES]
    assert reasons.count(CUT) == parts.counts[CUTOFFS]
    assert reasons.count(FROM_TABLE) <= parts.counts[HITS]


@pytest.mark.parametrize("name", ["negamax", "alphabeta", "negascout"])
def test_parents_come_before_their_children_and_contain_them(name):
    _, value, nodes, _ = traced(name)
    assert nodes[0]["parent"] == NO_NODE
    assert nodes[0]["value"] == value
    for index, node in enumerate(nodes[1:], start=1):
        parent = nodes[node["parent"]]
        assert node["parent"] < index <= parent["last"]
        assert node["depth"] == parent["depth"] - 1
        assert node["last"] <= parent["last"]


def test_the_moves_of_a_path_can_be_played():
    game, _, nodes, _ = traced("alphabeta")
    for index in range(0, len(nodes), 37):
        path, node = [], nodes[index]
        while node["parent"] != NO_NODE:
            path.append(node["move"])
            node = nodes[node["parent"]]
        state = game.initial()
        for move in reversed(path):
            assert move in game.legal(state)
            state = play(state, move)


def test_a_cut_node_names_its_refutation_and_how_much_it_saved():
    _, _, nodes, _ = traced("alphabeta")
    children = {}
    for node in nodes[1:]:
        children.setdefault(node["parent"], []).append(node["move"])
    cut = [index for index, node in enumerate(nodes) if node["reason"] == CUT]
    assert cut
    for index in cut:
        searched = children[index]
        assert searched[-1] == nodes[index]["cutting_move"]
        free_cells = 9 - (3 - nodes[index]["depth"])
        assert len(searched) + nodes[index]["unsearched"] == free_cells
        assert nodes[index]["value"] >= nodes[index]["beta"]


def test_beyond_the_room_nodes_are_only_counted():
    _, whole_value, whole, _ = traced("alphabeta")
    _, value, nodes, parts = traced("alphabeta", room=50)
    assert value == whole_value
    assert len(nodes) == 50
    assert parts.trace.rows[DROPPED] == len(whole) - 50
    assert [n["move"] for n in nodes] == [n["move"] for n in whole[:50]]


def test_below_the_floor_nodes_are_only_counted():
    _, whole_value, whole, _ = traced("alphabeta")
    _, value, nodes, parts = traced("alphabeta", floor=1)
    inner = [node for node in whole if node["depth"] >= 1]
    assert value == whole_value
    assert [(n["move"], n["value"]) for n in nodes] == [(n["move"], n["value"]) for n in inner]
    assert parts.trace.rows[DROPPED] == nodes[0]["hidden"] == len(whole) - len(inner)


@pytest.mark.parametrize("name", ["sss", "dual"])
def test_best_first_searches_tell_their_visits_and_what_they_settled(name):
    _, value, nodes, parts = traced(name)
    visited = sorted(node["order"] for node in nodes if node["order"] != NOT_VISITED)
    assert visited == list(range(parts.counts[NODES]))
    assert abs(nodes[0]["value"]) == abs(value)
    reasons = [node["reason"] for node in nodes]
    assert reasons.count(LEAF) + reasons.count(OVER) == parts.counts[LEAVES]
