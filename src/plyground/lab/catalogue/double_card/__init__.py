"""Double Card: the two heuristics of Huang and Li, minimax and alpha-beta.

The study is a report of a course on artificial intelligence (Concordia, 2019). Its program plays
Double Card against a human, looks two plies ahead (it counts three levels) and has two heuristics.
The report shows the time of each heuristic and the nodes and times of minimax and alpha-beta
against the number of cards in four figures, which are pictures; prints decisions in four tables;
judges by one example each which heuristic is better informed; and proposes to sort nodes, which it
did not do. It says nothing of the games behind its figures, of the machine, or of how often
anything was repeated.

Repeated here:

* `figures.py`: the positions of many games between the two heuristics, each searched by minimax and
  alpha-beta, with and without isolated cards; the time of a call of each heuristic;
* `decisions.py`: what the heuristics, as the text defines them, choose in the printed positions;
* `contest.py`: matches of the two at one to three plies, with sides exchanged;
* `sorting.py`: alpha-beta in several orders, against the least number of leaves there can be.

Heuristics 1 and 2 are the evaluators `patterns` and `danger`.
"""

from __future__ import annotations

from plyground.lab.catalogue.double_card.plan import QUICK, DoubleCardParameters, cells
from plyground.lab.catalogue.double_card.summary import report
from plyground.lab.published_data import published
from plyground.lab.spec import Experiment

EXPERIMENT = Experiment(
    name="double-card",
    title="Two heuristics for Double Card",
    question=(
        "How much does alpha-beta save in Double Card as the board fills, which of two heuristics "
        "plays better and at what price, and what would sorting have gained?"
    ),
    parameters=DoubleCardParameters,
    quick=QUICK,
    cells=cells,
    report=report,
    source=published("huang_li").citation,
)
