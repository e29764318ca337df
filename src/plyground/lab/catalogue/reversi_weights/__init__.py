"""Weights for Reversi by stages of the game: the report of Neudeck (2019).

The report describes a program in C: five heuristics, weighted by hand for four stages of the game,
minimax with alpha-beta to depth 5, and the last nine squares searched out. It prints one table of
seconds, for depths 1 to 6 on a mid-game board, and tells of games against random moves and two
opponents made from them. Whether the end is played perfectly it assumes and never tested; its
weights it could not calibrate.

It does not say in which order moves are tried, how a pass is counted, how many random moves
random-start makes, or at what depth games were played; and its text, picture and rules disagree on
how many moves the printed board has.

Repeated here: the timing table, with nodes and deeper (`timing.py`), and the games
(`opponents.py`). Added: the last nine squares checked exactly (`endgame.py`), what each heuristic
adds, and the printed weights against weights fitted to games (`weights.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from plyground.lab.catalogue.reversi_weights import endgame, opponents, timing, weights
from plyground.lab.catalogue.reversi_weights.setting import QUICK, ReversiParameters, study
from plyground.lab.report import Report
from plyground.lab.spec import Cell, Experiment, Results

PARTS = (timing, opponents, endgame, weights)


def all_cells(parameters: ReversiParameters) -> Sequence[Cell]:
    """Those of all parts; the deepest searches of the board take longest and come first."""
    return [cell for part in PARTS for cell in part.cells(parameters)]


def make_report(parameters: ReversiParameters, results: Results) -> Report:
    """A section for each part, and what they found."""
    findings = [part.finding(parameters, results) for part in PARTS]
    return Report(" ".join(findings), [part.section(parameters, results) for part in PARTS])


EXPERIMENT = Experiment(
    name="reversi-weights",
    title="Weights for Reversi, by stages of the game",
    question=(
        "How fast is minimax on the report's board, how good are its hand-made weights, and is "
        "the end of the game played perfectly?"
    ),
    parameters=ReversiParameters,
    quick=QUICK,
    cells=all_cells,
    report=make_report,
    source=study().citation,
)
