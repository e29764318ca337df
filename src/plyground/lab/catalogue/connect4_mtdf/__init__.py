"""Connect Four, alpha-beta against MTD(f): the study of Tommy, Hardjianto & Agani (2017).

The study let alpha-beta (X) play MTD(f) (O) on 7x6 at depths 5 to 10, each depth once with either
moving first, and timed each game ten times. Evaluation: 1, 10 and 100 for an open segment with one,
two and three stones. Columns in the order 3, 4, 2, 5, 1, 6, 0; MTD(f)'s table joins mirrored
positions. It prints times per move, leaves, passes and end results.

It does not say whether counts are sums, where MTD(f) begins, or what its table keeps; the rebuilt
program (`program.py`) finds the one reading under which every printed count comes out exactly.

Repeated here: the twelve games, two depths further, times over as many repetitions. Added: the same
games under other readings; alpha-beta with the same table, the control that the study lacks; other
first guesses; all other exact algorithms on the positions of the games (recommendation a); a better
evaluator in the same games, in matches and on solved positions (b); values of segments computed
before and looked up, against recomputing them (c).
"""

from __future__ import annotations

from plyground.lab.catalogue.connect4_mtdf.cells import QUICK, Parameters, all_cells
from plyground.lab.catalogue.connect4_mtdf.printed import study
from plyground.lab.catalogue.connect4_mtdf.report import make_report
from plyground.lab.spec import Experiment

EXPERIMENT = Experiment(
    name="connect4-mtdf",
    title="Connect Four, alpha-beta against MTD(f)",
    question=(
        "Is MTD(f) as good as alpha-beta on Connect Four, and how many leaves and how much time "
        "does it save? What of that is due to its table?"
    ),
    parameters=Parameters,
    quick=QUICK,
    cells=all_cells,
    report=make_report,
    source=study().citation,
)
