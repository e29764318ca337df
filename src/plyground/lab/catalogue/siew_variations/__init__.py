"""Variations of minimax at Connect Four: the study of Siew (2020).

The study changed a public program for Connect Four. It let minimax play what it took for Althöfer's
algorithm, at depths 1 to 6 (Table 1), and timed minimax, alpha-beta, palphabeta and SCOUT on the
same moves (Tables 2 and 3). It says when alpha-beta can save nothing, and draws a tree on which
SCOUT visits fewer nodes (Figure 1).

It does not say how games between programs without chance came to differ, how many moves were timed
or which, or how its implementations count. Its Algorithm 1 is alpha-beta, not Althöfer's, and its
Algorithm 3 searches the wrong move again; here palphabeta searches the right one.

Repeated here: Table 1 with the program's own evaluator, from many beginnings and with the sides
exchanged (`duel.py`); Tables 2 and 3 in time and nodes (`runtime.py`); Figure 1 (`figure.py`).
Added: Althöfer's true algorithm; pathology where it is known to occur, and at Connect Four
(`pathology.py`); the worst order, measured (`worst_order.py`); all trees as small as Figure 1's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plyground.lab.catalogue.siew_variations import (
    duel,
    duel_report,
    figure,
    pathology,
    pathology_report,
    runtime,
    runtime_report,
    worst_order,
)
from plyground.lab.catalogue.siew_variations.setting import QUICK, SiewParameters, study
from plyground.lab.report import Report, Section
from plyground.lab.spec import Cell, Experiment, Results


@dataclass(frozen=True)
class Part:
    """One question of the study: what is measured for it, and what came of it."""

    cells: Callable[[SiewParameters], list[Cell]]
    section: Callable[[SiewParameters, Results], Section]
    finding: Callable[[SiewParameters, Results], str]


PARTS = (
    Part(duel.cells, duel_report.section, duel_report.finding),
    Part(pathology.cells, pathology_report.section, pathology_report.finding),
    Part(runtime.cells, runtime_report.section, runtime_report.finding),
    Part(worst_order.cells, worst_order.section, worst_order.finding),
    Part(figure.cells, figure.section, figure.finding),
)


def all_cells(parameters: SiewParameters) -> Sequence[Cell]:
    """Those of all parts; the games of Table 1, which take longest, come first."""
    return [cell for part in PARTS for cell in part.cells(parameters)]


def make_report(parameters: SiewParameters, results: Results) -> Report:
    """A section for each part, and what they found."""
    findings = [part.finding(parameters, results) for part in PARTS]
    return Report(" ".join(findings), [part.section(parameters, results) for part in PARTS])


EXPERIMENT = Experiment(
    name="siew-variations",
    title="Variations of minimax at Connect Four",
    question=(
        "Does minimax suffer from pathology at Connect Four, and what do alpha-beta, palphabeta "
        "and SCOUT save, in which order of moves?"
    ),
    parameters=SiewParameters,
    quick=QUICK,
    cells=all_cells,
    report=make_report,
    source=study().citation,
)
