"""Compiled searches visit exactly the nodes that they should."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from search_tools import EXACT

from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

GOLDEN = Path(__file__).parent.parent / "data" / "golden_counts.toml"

# Plain full-window alpha-beta, moves in ascending order, a win above any evaluation: three public
# libraries agree on these (peers' figures; nodes are calls, the root included).
PUBLIC_COUNTS = [
    ("columns", 4, 955),
    ("columns", 6, 17_465),
    ("columns", 8, 271_613),
    ("columns", 9, 1_218_952),
    ("columns", 10, 4_366_146),
    ("zero", 6, 1_249),
    ("zero", 8, 12_574),
    ("zero", 10, 155_590),
]


def nodes_of(game_name, algorithm, evaluator, depth):
    game = find_game(game_name)
    state = game.initial()
    setup = Setup(find_algorithm(algorithm), find_evaluator(evaluator, state).make())
    result = search(game, state, setup, Limits(depth=depth))
    return result


@pytest.mark.parametrize("evaluator, depth, nodes", PUBLIC_COUNTS)
def test_alpha_beta_on_connect_four_counts_what_other_libraries_count(evaluator, depth, nodes):
    assert nodes_of("connect4", "alphabeta", evaluator, depth).nodes == nodes


@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_all_compiled_algorithms_agree_on_connect_four(algorithm):
    result = nodes_of("connect4", algorithm.name, "columns", 6)
    assert result.value == 0
    assert len(result.line) == 6


def golden():
    with GOLDEN.open("rb") as file:
        return tomllib.load(file)


@pytest.mark.parametrize("entry", golden()["counts"], ids=lambda e: f"{e['game']}-{e['algorithm']}")
def test_node_counts_are_the_golden_ones(entry):
    """Changed on purpose? `python tests/search/test_known_counts.py` writes the file anew."""
    result = nodes_of(entry["game"], entry["algorithm"], entry["evaluator"], entry["depth"])
    found = {"nodes": result.nodes, "leaves": result.counters["leaves"], "value": result.value}
    assert found == {key: entry[key] for key in found}


def write_golden() -> None:
    lines = [
        "# Node counts that a change of behaviour must explain. Written by",
        "# python tests/search/test_known_counts.py",
        "",
    ]
    for entry in golden()["counts"]:
        result = nodes_of(entry["game"], entry["algorithm"], entry["evaluator"], entry["depth"])
        lines += [
            "[[counts]]",
            f'game = "{entry["game"]}"',
            f'algorithm = "{entry["algorithm"]}"',
            f'evaluator = "{entry["evaluator"]}"',
            f"depth = {entry['depth']}",
            f"nodes = {result.nodes}",
            f"leaves = {result.counters['leaves']}",
            f"value = {result.value}",
            "",
        ]
    GOLDEN.write_text("\n".join(lines))


if __name__ == "__main__":
    write_golden()
