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
    ROW,
    USED,
    make_trace,
    read_trace,
)

ALGORITHMS = ["negamax", "alphabeta", "falphabeta", "negascout", "palphabeta", "abmemory", "mtdf"]


def traced(name, room=20_000, depth=3, table=None):
    game = find_game("mnk")
    trace = make_trace(room)
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


def test_a_trace_is_read_with_the_meaning_of_each_node():
    _, value, nodes, parts = traced("alphabeta")
    told = read_trace(parts.trace)
    assert len(told) == len(nodes)
    assert (told[0].ply, told[0].kind, told[0].bound, told[0].value) == (0, "pv", "exact", value)
    for node, raw in zip(told, nodes, strict=True):
        assert node.ply == 3 - raw["depth"]
        assert (node.kind == "cut") == (raw["value"] >= raw["beta"]) == (node.bound == "lower")
        assert (node.kind == "all") == (raw["value"] <= raw["alpha"]) == (node.bound == "upper")
    assert {node.kind for node in told} == {"pv", "cut", "all"}


def test_beyond_the_room_nodes_are_only_counted():
    _, whole_value, whole, _ = traced("alphabeta")
    _, value, nodes, parts = traced("alphabeta", room=50)
    assert value == whole_value
    assert len(nodes) == 50
    assert parts.trace.rows[DROPPED] == len(whole) - 50
    assert [n["move"] for n in nodes] == [n["move"] for n in whole[:50]]
