"""The family portrait: all exact algorithms on all games, at equal depth.

Plaat, Schaeffer, Pijls & de Bruin (1996) show SSS* and DUAL* to be alpha-beta with memory, called
with minimal windows, and let MTD(f) meet aspiration NegaScout at checkers, Othello and chess. Pearl
(1980) and Noe (1980) compare SCOUT with alpha-beta at Kalah.

Of their programs neither the evaluators nor the positions are at hand, nor how wide the windows of
aspiration were. Of the Kalah comparisons only the conclusion is known here, as a later study tells
it: not the evaluator, the order of moves, the depths or what was counted.

Measured here, always on the same positions after random openings (`cells.py`):

* the portrait: every exact algorithm of the catalogue, and the fewest leaves that prove the value;
* SSS* and DUAL* beside their rebuilt forms on trees, leaf by leaf;
* MTD(f) and its rivals under Plaat's terms: iterative deepening, tables of one size, the table's
  move first, values of leaves remembered; aspiration NegaScout is built for this (`aspns.py`);
* SCOUT and alpha-beta at Kalah, with two evaluators and two orders of moves.
"""

from __future__ import annotations

from plyground.lab.catalogue.family.cells import all_cells
from plyground.lab.catalogue.family.report import make_report
from plyground.lab.catalogue.family.setting import QUICK, FamilyParameters, plaat
from plyground.lab.spec import Experiment

EXPERIMENT = Experiment(
    name="family",
    title="The family portrait",
    question=(
        "What does each exact algorithm cost on each game? Does MTD(f) save leaves over "
        "aspiration NegaScout, are SSS* and DUAL* special cases, is SCOUT better at Kalah?"
    ),
    parameters=FamilyParameters,
    quick=QUICK,
    cells=all_cells,
    report=make_report,
    source=plaat().citation,
)
