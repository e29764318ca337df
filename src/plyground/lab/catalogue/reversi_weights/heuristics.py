"""The report's five heuristics of a position, in machine code.

In a file of its own, so that the compiled code outlives an edit of the experiment.
"""

from __future__ import annotations

from plyground.evaluation.othello_stages import HEURISTICS as HEURISTICS
from plyground.evaluation.othello_stages import LAST, Stages, stage_on, stage_values
from plyground.games.othello import Othello
from plyground.kernel import Slab, kernel

STAGES = LAST + 1


@kernel
def write_heuristics(weights: Stages, state: Othello, values: Slab) -> int:
    """Write the heuristics, each mine less the opponent's, and return the stage of the game."""
    found = stage_values(weights, state.me, state.opp, state.cells)
    for place in range(HEURISTICS):
        values[place] = found[place]
    return stage_on(state.me, state.opp, state.cells)
