"""What an evaluator misses lessons by. To be asked of games that were not learned from."""

from __future__ import annotations

import numpy as np

from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, play
from plyground.kernel import Slab, is_stopped, kernel
from plyground.learning.lessons import Lessons
from plyground.learning.material import arrays_of
from plyground.learning.scale import WHOLE, Scale, expected


@kernel
def write_errors(
    start: State,
    evaluator: Evaluator,
    stop: Slab,
    scale: Scale,
    lessons: tuple[np.ndarray, ...],
    sums: np.ndarray,
) -> int:
    """Add up values wanted, their squares, and squares of what an evaluator misses them by."""
    moves, shares, firsts, lengths, openings = lessons
    seen = 0
    for game in range(len(lengths)):
        if is_stopped(stop):
            break
        state = start
        for ply in range(lengths[game]):
            here = firsts[game] + ply
            if ply >= openings[game]:
                wanted = shares[here] * (scale.most / WHOLE)
                missed = wanted - expected(scale, evaluate(evaluator, state) / scale.unit)
                sums[0] += wanted
                sums[1] += wanted * wanted
                sums[2] += missed * missed
                seen += 1
            if ply + 1 < lengths[game]:
                state = play(state, moves[here])
    return seen


def judge(
    start: State, evaluator: Evaluator, scale: Scale, lessons: Lessons
) -> tuple[float, float]:
    """The root of the mean squared error in points, and the fraction of variance explained."""
    sums = np.zeros(3)
    seen = max(write_errors(start, evaluator, Slab(1), scale, arrays_of(lessons), sums), 1)
    variance = sums[1] / seen - (sums[0] / seen) ** 2
    error = sums[2] / seen
    return float(np.sqrt(error)), float(1 - error / variance) if variance > 0 else 0.0
