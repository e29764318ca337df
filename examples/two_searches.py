"""An experiment: how many positions two searches look at, depth by depth, with a chart.

plyground lab run two-searches --with examples/two_searches.py
"""

import plyground as pg


@pg.experiment(
    "Does MTD(f) look at fewer positions than alpha-beta?",
    algorithm=["alphabeta", "mtdf"],
    game=["connect4", "othello"],
    depth=range(1, 8),
    quick={"depth": [1, 2, 3]},
    chart={"x": "depth", "y": "leaves", "series": "algorithm", "facet": "game", "log": True},
)
def two_searches(algorithm, game, depth):
    found = pg.Position(game).search(algorithm, depth=depth)
    return {"leaves": found.counters["leaves"], "nodes": found.nodes, "seconds": found.seconds}
