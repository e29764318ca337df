"""How well a game without an evaluator of its own is judged and played: matches on three examples.

    python bench/sight.py [GAMES]

Prints, for each example: the evaluator that is chosen, the share of points of `auto` against `zero`
at equal nodes, and of each level against the one below; then what `auto` costs a search. Openings
differ from those by which evaluators are chosen.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import plyground as pg
from plyground.players.judging import read_judge

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES = {"breakthrough": 4, "dots_and_boxes": 5, "fox_and_hounds": 9}  # and how deep minimax looks
MEETINGS = (
    ("auto", "alphabeta:eval=auto,nodes=20k", "zero", "alphabeta:eval=zero,nodes=20k"),
    ("medium", "medium", "amateur", "amateur"),
    ("expert", "expert", "medium", "medium"),
)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for name, depth in GAMES.items():
        path = str(EXAMPLES / f"{name}.py")
        start = pg.Position(path)
        began = time.perf_counter()
        judge = read_judge(None, start.game, start.start).chosen
        weights = ", ".join(f"{weight}={value}" for weight, value in judge.weights.items())
        print(
            f"{name}: {judge.spec.name}({weights}), {time.perf_counter() - began:.1f} s to choose"
        )
        for strong, one, weak, other in MEETINGS:
            played = pg.match(one, other, game=path, games=count, seed=7)
            share = (played.wins + played.draws / 2) / count
            print(f"  {strong} against {weak}: {100 * share:.0f} % of {count} games", flush=True)
        found = [start.search("minimax", depth=depth, evaluator=each) for each in ("auto", "zero")]
        ratio = found[0].seconds / found[1].seconds
        print(f"  a search with auto takes {ratio:.1f} times as long as with zero, same nodes")


if __name__ == "__main__":
    main()
