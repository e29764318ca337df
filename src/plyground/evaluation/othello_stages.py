"""Stages: five heuristics whose weights change as the game of Othello goes on.

Source: Neudeck 2019, "Reversi: Advanced Computer Player", sections 2.1 (heuristics), 2.2 (weights).
The study prints the table of weights, the table of squares and what is counted, and leaves open:

* where exactly a stage begins: here at thirds of the discs that are placed after the first four,
  and the last stage when five squares or fewer are empty, whatever the third (so 4x4, where that
  is during the second, has no third stage);
* frontier discs on the edge: the text leaves them out, the printed code would count them; here the
  text is followed;
* other boards: it says its table of squares serves 8x8 only; here other boards take the values of
  the same kinds of squares (`othello_squares.py`).

Its printed code for stable discs cannot run as it stands (it reads names that it never sets); here
is what the text around it describes. Finished games are judged as any other position.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, popcount
from plyground.evaluation.othello import balance, move_balance
from plyground.evaluation.othello_pictures import DiscSets, listed, squares_on
from plyground.evaluation.othello_squares import (
    KINDS,
    edge_squares,
    table_balance,
    with_neighbours,
)
from plyground.evaluation.othello_stability import anchored_discs
from plyground.evaluation.spec import EvaluatorSpec, Factor
from plyground.games.othello import Othello
from plyground.games.rules import State
from plyground.kernel import compilable

EARLY, MIDDLE, END, LAST = range(4)
STAGE_NAMES = ("early game", "middle game", "end game", "last moves")
HEURISTIC_NAMES = ("score", "mobility", "stability", "disc evaluation", "frontier")
HEURISTICS = len(HEURISTIC_NAMES)
FIRST_DISCS = 4
LAST_EMPTIES = 5


class Stages(NamedTuple):
    """The printed worth of the ten kinds of squares, then the printed weights, stage by stage."""

    corner: int = 20
    c_square: int = -3
    a_square: int = 11
    b_square: int = 8
    x_square: int = -7
    inside_a: int = -4
    inside_b: int = 1
    box_corner: int = 2
    box_edge: int = 2
    centre: int = -3
    early_score: int = 1
    early_mobility: int = 8
    early_stability: int = 20
    early_squares: int = 7
    early_frontier: int = 3
    middle_score: int = 3
    middle_mobility: int = 2
    middle_stability: int = 10
    middle_squares: int = 4
    middle_frontier: int = 3
    end_score: int = 7
    end_mobility: int = 10
    end_stability: int = 2
    end_squares: int = 1
    end_frontier: int = 2
    last_score: int = 10
    last_mobility: int = 2
    last_stability: int = 0
    last_squares: int = 0
    last_frontier: int = 0

    def evaluate(self, state: State) -> int:
        values = stage_values(self, state.me, state.opp, state.cells)
        return weighted(self, stage_on(state.me, state.opp, state.cells), values)


@compilable
def stage_of(discs: int, squares: int) -> int:
    """The stage of a game with so many discs on a board of so many squares."""
    if squares - discs <= LAST_EMPTIES:
        return LAST
    # Thirds in whole numbers; a board with fewer discs than four is early too.
    return max(EARLY, min(END, 3 * (discs - FIRST_DISCS) // (squares - FIRST_DISCS)))


@compilable
def stage_on(me: U64, opp: U64, cells: U64) -> int:
    """The stage of a game with this board."""
    return stage_of(popcount(me | opp), popcount(cells))


@compilable
def stage_values(weights: Stages, me: U64, opp: U64, cells: U64) -> tuple[int, ...]:
    """The five heuristics, each as mine less the opponent's, frontier discs the other way round."""
    frontier = with_neighbours(cells & ~(me | opp)) & ~edge_squares(cells)
    return (
        balance(me, opp),
        move_balance(me, opp, cells),
        balance(anchored_discs(me, cells), anchored_discs(opp, cells)),
        table_balance(weights, me, opp, cells),
        balance(opp & frontier, me & frontier),
    )


@compilable
def weighted(weights: Stages, stage: int, values: tuple[int, ...]) -> int:
    """The heuristics by the weights of a stage."""
    first, value = len(KINDS) + HEURISTICS * stage, 0
    for heuristic in range(HEURISTICS):
        value += weights[first + heuristic] * values[heuristic]
    return value


# ------------------------------------------------------------------ factor by factor


def _stages_factors(evaluator: Stages, state: State) -> list[Factor]:
    discs = DiscSets(state)
    frontier = discs.near(discs.empty) & ~discs.edge
    places = (
        squares_on(discs.me, discs.opp),
        squares_on(*discs.moves),
        squares_on(discs.anchored(discs.me), discs.anchored(discs.opp)),
        discs.worth(evaluator),
        squares_on(discs.opp & frontier, discs.me & frontier),
    )
    stage = stage_of((discs.me | discs.opp).bit_count(), discs.size**2)
    names = [f"{name}, {STAGE_NAMES[stage]}" for name in HEURISTIC_NAMES]
    first = len(KINDS) + HEURISTICS * stage
    return listed(names, evaluator[first : first + HEURISTICS], places)


STAGES = EvaluatorSpec(
    name="stages",
    games=(Othello,),
    summary="Score, mobility, stability, squares and frontier, with weights for four stages.",
    source="Neudeck 2019, sections 2.1 and 2.2",
    scale="1 is a disc early in the game, a tenth of one at its end",
    make=Stages,
    factors=_stages_factors,
)
EVALUATORS = (STAGES,)
