"""UCT: Monte-Carlo tree search with upper confidence bounds.

Computes an estimate of each move by simulations: descend by the bound, add a node's children, value
the new position by a random game or by an evaluator, and tell everybody on the path.
Returns the number of simulations made; the tree holds visits and rewards.
Source: Kocsis & Szepesvári 2006, "Bandit Based Monte-Carlo Planning"; UCB1 of Auer, Cesa-Bianchi &
Fischer 2002.
Needs: two players, zero sum, no chance; memory for the tree.
Differs: all children of a node are added at once; ties go to the first. With an evaluator, its
value v is rewarded as v / (|v| + scale), so that any scale fits between loss and win.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyground.bits import random_below
from plyground.evaluation.spec import evaluate
from plyground.games.rules import State, generate, is_over, outcome, play, side
from plyground.kernel import Slab, compilable, kernel
from plyground.search.parts import INNER, LEAVES, NODES, Parts, count, stopped

# A node: the move to it, who made it, its children, its visits, the sum of rewards for its mover.
MOVE, MOVER, FIRST_CHILD, CHILDREN, VISITS, REWARD, NODE = range(7)
ROOT = 0
WIN_REWARD = 1000  # rewards run from -WIN_REWARD to WIN_REWARD
EXPLORATION = 1.4142135623730951  # sqrt(2), for rewards between 0 and 1
LONGEST_GAME = 2000


@kernel
def uct(
    root: State,
    evaluator: Any,
    scale: int,
    exploration: float,
    simulations: int,
    tree: Slab,
    room: int,
    generator: np.ndarray,
    parts: Parts,
) -> int:
    """Without an evaluator (None), positions are valued by random games."""
    tree[FIRST_CHILD], tree[CHILDREN], tree[VISITS], tree[REWARD] = 0, 0, 0, 0
    tree[MOVER] = 1 - side(root)
    used = 1
    for done in range(simulations):
        state, node, depth = root, ROOT, 1
        parts.line[0] = ROOT
        # Descend while the children of a node are known.
        while tree[node * NODE + CHILDREN]:
            node = best_child(tree, node, exploration)
            state = play(state, tree[node * NODE + MOVE])
            parts.line[depth] = node
            depth += 1
        count(parts, NODES)
        if not is_over(state) and (node == ROOT or tree[node * NODE + VISITS] > 0):
            # A node that comes up again is worth children: add them, and go one step further.
            end = generate(state, parts.moves, 0, parts.width)
            if used + end >= room:
                return done
            count(parts, INNER)
            tree[node * NODE + FIRST_CHILD], tree[node * NODE + CHILDREN] = used, end
            for i in range(end):
                new_node(tree, used + i, parts.moves[i], side(state))
            node = used
            used += end
            state = play(state, tree[node * NODE + MOVE])
            parts.line[depth] = node
            depth += 1
        count(parts, LEAVES)
        if is_over(state):
            reward = reward_of(outcome(state), 0)
        elif evaluator is None:
            state = random_end(state, generator, parts)
            reward = reward_of(outcome(state), 0)
        else:
            reward = reward_of(evaluate(evaluator, state), scale)
        for i in range(depth):
            at = parts.line[i] * NODE
            tree[at + VISITS] = tree[at + VISITS] + 1
            gain = reward if tree[at + MOVER] == side(state) else -reward
            tree[at + REWARD] = tree[at + REWARD] + gain
        if stopped(parts):
            return done + 1
    return simulations


@compilable
def new_node(tree: Slab, node: int, move: int, mover: int) -> None:
    at = node * NODE
    tree[at + MOVE], tree[at + MOVER] = move, mover
    tree[at + FIRST_CHILD], tree[at + CHILDREN] = 0, 0
    tree[at + VISITS], tree[at + REWARD] = 0, 0


@compilable
def best_child(tree: Slab, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound; one never tried comes before all."""
    first, children = tree[node * NODE + FIRST_CHILD], tree[node * NODE + CHILDREN]
    log_visits = math.log(tree[node * NODE + VISITS])
    best, highest = first, -1.0
    for child in range(first, first + children):
        visits = tree[child * NODE + VISITS]
        if visits == 0:
            return child
        mean = (tree[child * NODE + REWARD] / (WIN_REWARD * visits) + 1.0) / 2.0
        bound = mean + exploration * math.sqrt(log_visits / visits)
        if bound > highest:
            best, highest = child, bound
    return best


@compilable
def reward_of(value: int, scale: int) -> int:
    """A value for the side to move as a reward; with scale 0 it is a final score."""
    if value == 0:
        return 0
    if scale == 0:
        return WIN_REWARD if value > 0 else -WIN_REWARD
    size = WIN_REWARD * abs(value) // (abs(value) + scale)
    return size if value > 0 else -size


@compilable
def random_end(state: State, generator: np.ndarray, parts: Parts) -> State:
    """The end of a random game."""
    plies = 0
    while plies < LONGEST_GAME and not is_over(state):
        end = generate(state, parts.moves, 0, parts.width)
        state = play(state, parts.moves[random_below(generator, end)])
        plies += 1
    return state
