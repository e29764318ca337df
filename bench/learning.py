"""What n-tuples cost a search, and how fast games are played and learned.

    python bench/learning.py [SECONDS]

Prints, for Othello: the time of a node with n-tuples as a ratio of that with `factors`, in one run;
how many values a second that makes; and, for Othello and Connect Four, games of self-play and
positions learned in a second, each for so many seconds (10 if not given).
"""

from __future__ import annotations

import sys
import time

import numpy as np

import plyground as pg
from plyground.evaluation.learned import ntuples_of
from plyground.evaluation.tuple_layout import lay_out
from plyground.learning.fitting import Tables
from plyground.learning.scale import scale_of
from plyground.learning.self_play import Manner, self_play

DEPTH, ROUNDS = 9, 5
MOVES = "f5d6c3d3c4"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    position = pg.Position("othello", MOVES)
    game, start = position.game, pg.Position("othello").state
    plan = lay_out(game, start, 20)
    shape = plan.stage_count * plan.sides, plan.distinct
    numbers = np.random.default_rng(1).integers(-100, 100, shape).astype(np.int16)
    tables = ntuples_of(plan, numbers, game.max_moves)

    def each_node(evaluator: object) -> tuple[float, float]:
        found = position.search("alphabeta", depth=DEPTH, evaluator=evaluator)
        return found.seconds / found.nodes, found.counters["leaves"] / found.nodes

    each_node(tables), each_node("factors"), each_node("zero")  # compiled
    times = {name: [] for name in ("tables", "factors", "zero")}
    for _ in range(ROUNDS):
        for name in times:
            spent, leaves = each_node(tables if name == "tables" else name)
            times[name].append((spent, leaves))
    node = {name: min(spent for spent, _ in found) for name, found in times.items()}
    share = times["tables"][0][1]
    value = (node["tables"] - node["zero"]) / share
    print(f"{len(plan.placed)} tuples; time of a node, with tables / factors", end=": ")
    print(f"{node['tables'] / node['factors']:.2f} x; {1e-6 / value:.1f} million values a second")

    for name in ("othello", "connect4"):
        game, start = pg.Position(name).game, pg.Position(name).state
        plan, scale = lay_out(game, start), scale_of(game, start)
        student = Tables(plan, start, scale, game.max_moves)
        judge = ntuples_of(plan, student.rounded(), game.max_moves)
        lessons = self_play(game, start, judge, Manner(), 500, 1)
        student.learn(lessons, 1.0, 1)
        games = passes = 0
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            lessons = self_play(game, start, judge, Manner(), 500, games)
            games += lessons.games
        played = games / (time.perf_counter() - began)
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            student.learn(lessons, 1.0, passes)
            passes += 1
        learned = passes * lessons.positions / (time.perf_counter() - began)
        what = f"{played:,.0f} games, {learned / 1e6:.2f} million positions learned"
        print(f"{name}, a second: {what}")


if __name__ == "__main__":
    main()
