"""Why a node of a search ended as it did, in one plain sentence made from its numbers.

All numbers are from the point of view of the side to move at the root.
"""

from __future__ import annotations

from plyground.analysis.trace_rows import (
    course,
    is_known,
    is_turned,
    seen,
    window_texts,
    worth,
)
from plyground.analysis.traces import Traced
from plyground.search.parts import CUT, FROM_TABLE, LEAF, OVER
from plyground.search.trace import LEFT_OPEN


def sentence(traced: Traced, node: int) -> str:
    """One sentence, or two short ones."""
    tree = traced.tree
    reason = int(tree.reason[node])
    if reason == LEAF:
        return (
            f"The depth is used up: the evaluator says {seen_value(traced, node)} for {us(traced)}."
        )
    if reason == OVER:
        return f"The game is over here: {seen_value(traced, node)} for {us(traced)}."
    if reason == LEFT_OPEN:
        return "Left open: other lines settled the question before this one was finished."
    if reason == FROM_TABLE:
        return _from_table(traced, node)
    if reason == CUT:
        return _cut(traced, node)
    return _searched(traced, node)


def sentence_at(traced: Traced, node: int, visit: int) -> str:
    """What is known of a node when the search enters its `visit`-th node."""
    tree = traced.tree
    if int(tree.order[node]) > visit:
        return "The search has not come here yet."
    if is_known(traced, node, visit):
        return sentence(traced, node)
    low, high = window_texts(traced, node)
    if (low, high) == ("-∞", "∞"):
        asked = "whatever it is worth counts"
    else:
        asked = f"what counts is between {low} and {high}"
    steps = course(traced, node, visit)
    if not steps:
        return f"The search is on its way down: {asked}."
    many = "one move" if len(steps) == 1 else f"{len(steps)} moves"
    return f"Still open: {asked}; after {many} the best is {steps[-1]['best']}."


def us(traced: Traced) -> str:
    """Who moves at the root."""
    return traced.request.position.game.players[traced.us]


def them(traced: Traced) -> str:
    return traced.request.position.game.players[1 - traced.us]


def seen_value(traced: Traced, node: int) -> str:
    return seen(traced, node, int(traced.tree.value[node]))


def _is_question(traced: Traced, node: int) -> bool:
    """Whether the window is minimal: the answer can only be yes or no."""
    return int(traced.tree.beta[node]) - int(traced.tree.alpha[node]) == 1


def _cut(traced: Traced, node: int) -> str:
    tree, game = traced.tree, traced.request.position.game
    move = game.format_move(traced.state_at(node), int(tree.cutting_move[node]))
    bound, value = seen(traced, node, int(tree.beta[node])), seen_value(traced, node)
    rest = _rest(int(tree.unsearched[node]))
    turned = is_turned(traced, node)
    if int(tree.value[node]) < int(tree.beta[node]):  # a bound of the table was reached, not beta
        limit = "least" if turned else "most"
        allowed = f"the {limit} that the table allows here, though the window ends at {bound}"
        return f"{move} reaches {value}, {allowed}: {rest}."
    reached = f"keeps this to {value} at most" if turned else f"brings {value} at least"
    if _is_question(traced, node):
        asked = f"at most {bound}" if turned else f"at least {bound}"
        question = f"The question was only whether this is worth {asked}"
        return f"{question}: {move} {reached}, so yes; {rest}."
    mover = them(traced) if turned else us(traced)
    other = us(traced) if turned else them(traced)
    has = f"already has {bound}" if turned else f"can already keep it to {bound}"
    return f"{mover}'s {move} {reached}; {other} {has} elsewhere, so {rest}."


def _rest(unsearched: int) -> str:
    if not unsearched:
        return "no move was left to cut"
    if unsearched == 1:
        return "the one remaining move cannot matter"
    return f"the {unsearched} remaining moves cannot matter"


def _searched(traced: Traced, node: int) -> str:
    tree = traced.tree
    children = tree.children(node)
    if not children:
        below = int(tree.hidden[node])
        return f"Worth {worth(traced, node)}; the {below:,} nodes below were counted only."
    moves = {int(tree.move[child]) for child in children}
    many = (
        "The only move was searched" if len(moves) == 1 else f"All {len(moves)} moves were searched"
    )
    if traced.algorithm.call == "best-first":
        return _settled(traced, node)
    bound, turned = tree.bound(node), is_turned(traced, node)
    value, alpha = seen_value(traced, node), seen(traced, node, int(tree.alpha[node]))
    if bound == "upper":
        reached = f"none gets below {value}" if turned else f"none brings more than {value}"
        if _is_question(traced, node):
            asked = f"less than {alpha}" if turned else f"more than {alpha}"
            return f"{many}; {reached}, and the question was whether this is worth {asked}: no."
        mover = them(traced) if turned else us(traced)
        return f"{many}; {reached}, and {mover} already has {alpha} elsewhere: this is not played."
    return f"{many}: {_best_move(traced, node, children)} is the best, worth {value}."


def _settled(traced: Traced, node: int) -> str:
    """For a best-first search, which leaves a node as soon as nothing can change its value."""
    tree = traced.tree
    done = [child for child in tree.children(node) if int(tree.reason[child]) != LEFT_OPEN]
    rest = _rest(int(tree.unsearched[node])) if int(tree.unsearched[node]) else "no move is left"
    return f"Settled at {worth(traced, node)} by {_best_move(traced, node, done)}; {rest}."


def _best_move(traced: Traced, node: int, children: list[int]) -> str:
    """The move to the best of some children; of equal ones to the first."""
    tree = traced.tree

    def value(child: int) -> int:
        return int(tree.value[child]) * (1 if tree.side[child] == tree.side[node] else -1)

    best = max(children, key=value)
    return traced.request.position.game.format_move(traced.state_at(node), int(tree.move[best]))


def _from_table(traced: Traced, node: int) -> str:
    tree = traced.tree
    first = int(tree.first[node])
    before = f", from visit {int(tree.order[first]) + 1}" if first != node else ""
    low, high = window_texts(traced, node)
    return (
        f"The table knew this position{before}: worth {worth(traced, node)}, which settles it "
        f"for the window from {low} to {high}."
    )
