"""Pathology: whether a deeper search decides better.

The study wanted to know whether minimax is pathological at Connect Four, and asked by playing
matches at equal depth. That cannot tell; decisions at different depths can.

*On trees*, binary and solved to the end, where the right move is known. Of three kinds:

* P-games (Pearl 1980, Nau 1982): each leaf is won or lost for itself, as often as keeps the root
  in balance whatever the depth. Static value: the share of the leaves below that are won.
* P-games whose static value is the true one, but wrong by chance, at every node for itself: the
  model in which Althöfer (1990) proved his algorithm free of pathology.
* N-games (Nau 1983): each move adds something, and the sum decides, so that brothers are alike.
  Static value: the share of the leaves below that are won.

*On Connect Four*, late positions are solved, and the moves of each depth compared with the exact
values; and each depth plays the one below it. In both, only positions count in which it matters
what is played.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plyground.evaluation.connect_four import Windows
from plyground.evaluation.general import Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import State, cells_left, is_over, play, side
from plyground.games.spec import GameSpec
from plyground.games.synthetic import CERTAIN
from plyground.lab.catalogue.siew_variations.bots import setup as bot_setup
from plyground.lab.catalogue.siew_variations.duel import match_cells
from plyground.lab.catalogue.siew_variations.setting import GAME, SiewParameters, depths
from plyground.lab.catalogue.siew_variations.trees import Decided, Mistaken, WonLeaves
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate, mean, share
from plyground.lab.tasks import openings
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import ByMargin
from plyground.search.run import Workshop, search
from plyground.search.setup import MOST_NODES, Limits, Setup

ALGORITHMS = ("minimax", "althofer")
P_GAME, MISTAKES, N_GAME = "P-games", "P-games, mistakes by chance", "N-games"
KINDS = (P_GAME, MISTAKES, N_GAME)
PATHOLOGICAL = (P_GAME, MISTAKES)
STEPS = "one ply deeper"
BRANCHING = 2
GOLDEN = (math.sqrt(5) - 1) / 2
SPREAD = 100  # of what a move adds in N-games; ties are then rare
TREES_PER_CELL = 500
GAMES_PER_CELL = 50
EARLY_PLIES = 8  # random moves before a late position
GUIDE_DEPTH = 4  # of the play that leads from there to a late position
SOLVER_MEMORY = 2**22

Decisions = Mapping[int, Sequence[int]]
"""By depth: for each position, in the same order, 1 if the decision was right and 0 if not."""


# ------------------------------------------------------------------ decisions on trees


def decide_on_trees(
    kind: str, algorithm: str, tree_depth: int, mistakes: float, first: int, count: int
) -> Measured:
    """Decisions at the roots of some trees, at every depth short of their leaves."""
    game = find_game("synthetic")
    right: dict[int, list[int]] = {depth: [] for depth in range(1, tree_depth)}
    judged = _tree_setup(kind, algorithm, tree_depth, mistakes)
    solver = Setup(find_algorithm("negamax"), Zero(), Decided(1))  # type: ignore[arg-type]
    for seed in range(first, first + count):
        root = game.initial(**_tree_settings(kind, tree_depth, seed))
        exact = {
            move: -search(game, play(root, move), solver, Limits(depth=tree_depth)).value
            for move in game.legal(root)
        }
        if len(set(exact.values())) > 1:
            for depth, decisions in right.items():
                found = search(game, root, judged, Limits(depth=depth))
                decisions.append(_is_right(exact, found.move))
    return Measured({"right": {str(depth): decisions for depth, decisions in right.items()}})


def _tree_settings(kind: str, tree_depth: int, seed: int) -> dict[str, Any]:
    """One tree; the share of won leaves keeps the root in balance at any depth (Pearl 1980)."""
    made = {"branching": BRANCHING, "depth": tree_depth, "seed": seed}
    if kind == N_GAME:
        return made | {"leaves": "incremental", "spread": SPREAD}
    return made | {"leaves": "pgame", "wins": 1 - GOLDEN if tree_depth % 2 else GOLDEN}


def _tree_setup(kind: str, algorithm: str, tree_depth: int, mistakes: float) -> Setup:
    game, leaves = find_game("synthetic"), BRANCHING**tree_depth
    judge: Any = WonLeaves(leaves)
    if kind == MISTAKES:
        solver = Setup(find_algorithm("negamax"), Zero(), Decided(1))  # type: ignore[arg-type]
        room = Workshop(game, solver, None, None).parts(game.initial(), tree_depth, MOST_NODES)
        judge = Mistaken(leaves, round(mistakes * CERTAIN), room)
    return Setup(find_algorithm(algorithm), judge, Decided(leaves))  # type: ignore[arg-type]


def _is_right(exact: Mapping[int, int], move: int | None) -> int:
    return int(move is not None and exact[move] == max(exact.values()))


# ------------------------------------------------------------------ decisions at Connect Four


def decide_late(deepest: int, empty: int, games: int, seed: int) -> Measured:
    """Decisions of both algorithms in late positions that some games lead to."""
    game = find_game(GAME)
    right = {name: {depth: list[int]() for depth in range(1, deepest + 1)} for name in ALGORITHMS}
    for beginning in openings(GAME, EARLY_PLIES, games, seed):
        state = _late_position(game, beginning, empty)
        exact = _exact_values(game, state) if state is not None else {}
        if state is not None and len(set(exact.values())) > 1:
            for name, by_depth in right.items():
                bot = bot_setup(_fast(name), int(side(state)))
                for depth, decisions in by_depth.items():
                    found = search(game, state, bot, Limits(depth=depth))
                    decisions.append(_is_right(exact, found.move))
    return Measured(
        {name: {str(depth): each for depth, each in found.items()} for name, found in right.items()}
    )


def _fast(algorithm: str) -> str:
    """Alpha-beta answers what minimax answers, move for move, sooner."""
    return "alphabeta" if algorithm == "minimax" else algorithm


def _late_position(game: GameSpec, beginning: str, empty: int) -> State | None:
    """Where alpha-beta's play from this beginning has left so many cells; None if it ended."""
    start = game.initial()
    state = game.replay(start, game.parse_moves(start, beginning.replace(";", " ")))
    while not is_over(state) and cells_left(state) > empty:
        bot = bot_setup("alphabeta", int(side(state)))
        state = play(state, search(game, state, bot, Limits(depth=GUIDE_DEPTH)).move)
    return None if is_over(state) else state


def _exact_values(game: GameSpec, state: State) -> dict[int, int]:
    """What each move leads to if all is played right from there: a win, a draw or a loss."""
    solver = Setup(
        find_algorithm("abmemory"),
        Windows(),
        ByMargin(),
        order="weights",
        memory_bytes=SOLVER_MEMORY,
    )
    values = {}
    for move in game.legal(state):
        child = play(state, move)
        if is_over(child):
            values[move] = int(game.first_player_outcome(child) or 0) * (1 - 2 * int(side(state)))
        else:
            found = search(game, child, solver, Limits(depth=int(cells_left(child))))
            values[move] = -found.score.value
    return values


# ------------------------------------------------------------------ cells


def cells(parameters: SiewParameters) -> list[Cell]:
    """Matches of one ply more first, since they take longest."""
    found = []
    for depth in reversed(depths(parameters)[:-1]):
        for algorithm in ALGORITHMS:
            found += match_cells(parameters, STEPS, step(algorithm, depth))
    found += [
        Cell.of(
            decide_late,
            deepest=parameters.deepest,
            empty=parameters.cells_left,
            games=min(GAMES_PER_CELL, parameters.late_games - at),
            seed=parameters.seed * 1_000_003 + at,
        )
        for at in range(0, parameters.late_games, GAMES_PER_CELL)
    ]
    return found + [
        Cell.of(
            decide_on_trees,
            kind=kind,
            algorithm=algorithm,
            tree_depth=parameters.tree_depth,
            mistakes=parameters.mistakes,
            first=parameters.seed * 1_000_003 + at,
            count=min(TREES_PER_CELL, parameters.trees - at),
        )
        for kind in KINDS
        for algorithm in ALGORITHMS
        for at in range(0, parameters.trees, TREES_PER_CELL)
    ]


def step(algorithm: str, depth: int) -> list[tuple[str, int]]:
    """One depth, and the one below it."""
    return [(_fast(algorithm), depth + 1), (_fast(algorithm), depth)]


# ------------------------------------------------------------------ results


def tree_decisions(results: Results, kind: str, algorithm: str) -> Decisions:
    found = results.of(decide_on_trees, kind=kind, algorithm=algorithm)
    return _joined(measured.answer["right"] for _, measured in found)


def late_decisions(results: Results, algorithm: str) -> Decisions:
    found = results.of(decide_late)
    return _joined(measured.answer[algorithm] for _, measured in found)


def _joined(parts: Iterable[Mapping[str, Sequence[int]]]) -> Decisions:
    together: dict[int, list[int]] = {}
    for part in parts:
        for depth, decisions in part.items():
            together.setdefault(int(depth), []).extend(decisions)
    return together


def right_share(decisions: Sequence[int]) -> Estimate:
    return share(sum(decisions), len(decisions))


def gains(decisions: Decisions) -> dict[int, Estimate]:
    """By depth: how many more decisions are right than at depth 1, compared tree by tree."""
    return {
        depth: mean(now - before for now, before in zip(each, decisions[1], strict=True))
        for depth, each in decisions.items()
        if depth > 1 and len(each) > 1
    }


def worse_depths(decisions: Decisions) -> list[int]:
    """The depths at which fewer decisions are right than at depth 1, beyond doubt."""
    return [depth for depth, gain in gains(decisions).items() if gain.high < 0]
