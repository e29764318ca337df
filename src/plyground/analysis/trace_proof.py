"""Search the cut moves anyway: a proof, on the spot, that they could not have mattered.

The moves that a node left unsearched are searched with the widest window, which gives their true
values. Then it is checked whether the node would still be avoided by the side above it, so that the
value of the root stays the same. At a root the whole position is searched without any cuts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plyground.analysis.trace_rows import seen
from plyground.analysis.traces import Traced
from plyground.core.errors import Unsupported
from plyground.evaluation.spec import evaluate
from plyground.games.rules import State, is_over, play, turn
from plyground.kernel import Slab
from plyground.search.catalogue import find_algorithm
from plyground.search.clock import STOP
from plyground.search.finish import final_score
from plyground.search.parts import CUT
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

EXACT, WITHOUT_CUTS = "abmemory", "negamax"


def setups(setup: Setup) -> list[Setup]:
    """The setups that proofs search with, to be compiled first."""
    return [replace(setup, algorithm=find_algorithm(name)) for name in (EXACT, WITHOUT_CUTS)]


def prove(traced: Traced, node: int, stop: Slab) -> dict[str, Any]:
    """The values of the moves that were cut at a node, and whether they change the root."""
    if not traced.algorithm.equals_minimax:
        raise Unsupported(f"{traced.algorithm.name} does not promise the value of minimax")
    tree = traced.tree
    if int(tree.parent[node]) < 0:
        return _whole(traced, stop)
    if int(tree.reason[node]) != CUT or not int(tree.unsearched[node]):
        raise Unsupported("nothing was cut at this node")
    if tree.is_shut[node]:
        raise Unsupported("below this node moves were counted only, so which were cut is not known")
    game, state = traced.request.position.game, traced.state_at(node)
    setup = replace(traced.setup, algorithm=find_algorithm(EXACT))
    depth = int(tree.depth[node])
    best, moves, nodes = int(tree.value[node]), [], 0
    for move in traced.cut_moves(node):
        value, visited = _value(traced, setup, state, move, depth, stop)
        nodes += visited
        best = max(best, value)
        moves.append({"move": game.format_move(state, move), "worth": seen(traced, node, value)})
    beta = int(tree.beta[node])
    is_same = best >= beta or best == int(tree.value[node])
    return {
        "node": node,
        "moves": moves,
        "nodes": nodes,
        "before": seen(traced, node, int(tree.value[node])),
        "after": seen(traced, node, best),
        "bound": seen(traced, node, beta),
        "root": traced.text_of(traced.result.value),
        "unchanged": is_same,
        "text": _words(traced, node, best, len(moves), is_same),
    }


def _value(
    traced: Traced, setup: Setup, state: State, move: int, depth: int, stop: Slab
) -> tuple[int, int]:
    """The value of a move for its mover, by a search with the widest window; and the nodes."""
    child = play(state, move)
    sign = int(turn(state, child))
    if is_over(child):
        return sign * int(final_score(setup.finish, child, depth - 1)), 1
    if depth == 1:
        return sign * int(evaluate(setup.evaluator, child)), 1
    found = search(traced.request.position.game, child, setup, Limits(depth=depth - 1), stop=stop)
    _demand_finished(stop)
    return sign * found.value, found.nodes


def _words(traced: Traced, node: int, best: int, count: int, is_same: bool) -> str:
    many = "The one cut move was" if count == 1 else f"All {count} cut moves were"
    before, beta = int(traced.tree.value[node]), int(traced.tree.beta[node])
    when = "still" if before == best else "now"
    worth = f"{many} searched: this position is {when} worth {seen(traced, node, best)}"
    root = _root_words(traced.text_of(traced.result.value), is_same)
    if best >= beta:
        bound = seen(traced, node, beta)
        return f"{worth}, beyond the bound {bound} either way, so it is avoided as before. {root}"
    if is_same:  # a bound of the table was reached, not beta
        return f"{worth}, as the table knew. {root}"
    return f"{worth}, which the search did not know. {root}"


def _root_words(value: str, is_same: bool) -> str:
    if is_same:
        return f"The root is unchanged: {value}."
    return f"The root, {value}, does not follow: please report this search."


def _whole(traced: Traced, stop: Slab) -> dict[str, Any]:
    """The same search without cuts."""
    line = traced.request.position
    setup = replace(traced.setup, algorithm=find_algorithm(WITHOUT_CUTS))
    found = search(line.game, line.state, setup, Limits(depth=traced.request.depth), stop=stop)
    _demand_finished(stop)
    before, after = traced.result.value, found.value
    saved = found.nodes - traced.result.nodes
    return {
        "node": traced.roots[-1],
        "moves": [],
        "nodes": found.nodes,
        "before": traced.text_of(before),
        "after": traced.text_of(after),
        "bound": None,
        "root": traced.text_of(after),
        "unchanged": before == after,
        "text": (
            f"Everything that was cut was searched as well: {found.nodes:,} nodes instead of "
            f"{traced.result.nodes:,}, {saved:,} more. "
            f"{_root_words(traced.text_of(before), before == after)}"
        ),
    }


def _demand_finished(stop: Slab) -> None:
    if stop[STOP]:
        raise Unsupported("the proof was stopped, or took too long; take a node further down")
