"""Fitting: the weights of n-tuples, moved a little at each position towards what it is worth.

Every weight has a step of its own, after Beal & Smith 2000, "Temporal Difference Learning for
Heuristic Search and Game Playing" (temporal coherence): the sum of its errors over the sum of their
sizes. It is 1 while all errors point one way, and falls towards 0 when they only scatter. So there
is no schedule to choose, and rare patterns learn as fast as common ones.

Positions are taken from many games at a time in random order: neighbours in a game are alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.bits import U64, random_below, signed
from plyground.evaluation.ntuples import (
    BLOCKS,
    LANE_WORDS,
    MOST_MOVES,
    MOVES,
    OFFSETS,
    PER_WORD,
    SHORT,
    TUPLES,
    indexes_of,
    stage_offset,
)
from plyground.evaluation.tuple_plan import FIRST, Plan
from plyground.games.rules import State, count_moves, play
from plyground.kernel import Slab, compilable, is_stopped, kernel
from plyground.lanes import lane_of
from plyground.learning.lessons import Lessons
from plyground.learning.scale import WHOLE, Scale, expected

WEIGHT, ERRORS, SIZES, COLUMNS = range(4)
MOST_WEIGHT = 32_000
AT_ONCE = 512  # games
MOST_OF_GAME = 300  # positions


@compilable
def write_entries(
    plan: Slab, canon: np.ndarray, state: State, first: int, room: Slab, entries: np.ndarray
) -> int:
    """Write which weights of its stage a position adds up, and return how many."""
    entries[0] = canon[0]
    count = 1
    if plan[MOVES]:
        moves = min(count_moves(state, room, 0), MOST_MOVES)
        entries[count] = canon[plan[MOVES] + moves]
        count += 1
    place, tuples = 0, plan[TUPLES]
    for block in range(plan[BLOCKS]):
        low, high = indexes_of(plan, state, block)
        for lane in range(2 * LANE_WORDS):
            word = lane_of(low, lane) if lane < LANE_WORDS else lane_of(high, lane - LANE_WORDS)
            for _ in range(PER_WORD):
                if place < tuples:
                    entries[count] = canon[plan[plan[OFFSETS] + place] + signed(word & SHORT)]
                    count += 1
                word >>= U64(16)
                place += 1
    return count


class Batch(NamedTuple):
    """Room for the positions of some games, a row for each."""

    entries: np.ndarray
    """The weights of its stage that a position adds up."""
    wanted: np.ndarray
    """The points that it is worth."""
    stages: np.ndarray
    order: np.ndarray
    """The rows in the order in which they are learned."""

    @staticmethod
    def of(plan: Plan) -> Batch:
        rows = AT_ONCE * MOST_OF_GAME
        entries = np.zeros((rows, len(plan.placed) + FIRST), np.int32)
        return Batch(
            entries, np.zeros(rows, np.float32), np.zeros(rows, np.int32), np.zeros(rows, np.int32)
        )


@kernel
def fit(
    start: State,
    plan: Slab,
    canon: np.ndarray,
    weights: np.ndarray,
    lessons: tuple[np.ndarray, ...],
    order: np.ndarray,
    step: float,
    scale: Scale,
    room: Slab,
    generator: np.ndarray,
    batch: Batch,
) -> tuple[float, int]:
    """Learn from games in this order; the sum of squared errors before each step, and the count.

    Of `weights` there are [stage of a side, weight, column]. A batch is learned stage by stage: the
    weights of one stage fit into a core's cache (2.2 times as fast as in the order of the games).
    """
    moves, values, firsts, lengths, openings = lessons
    error_sum, seen = 0.0, 0
    stages = len(weights)
    begins = np.zeros(stages + 1, np.int64)
    for at in range(0, len(order), AT_ONCE):
        if is_stopped(room):
            break
        # 1. Write the positions of some games, and count those of each stage.
        rows, count = 0, 0
        begins[:] = 0
        for number in range(at, min(at + AT_ONCE, len(order))):
            game = order[number]
            state = start
            for ply in range(lengths[game]):
                here = firsts[game] + ply
                if ply >= openings[game]:
                    first = stage_offset(plan, state)
                    count = write_entries(plan, canon, state, first, room, batch.entries[rows])
                    batch.wanted[rows] = values[here] * (scale.most / WHOLE)
                    batch.stages[rows] = first // len(canon)
                    begins[batch.stages[rows] + 1] += 1
                    rows += 1
                if ply + 1 < lengths[game]:
                    state = play(state, moves[here])
        # 2. Put the rows of each stage together, and shuffle them there.
        for stage in range(stages):
            begins[stage + 1] += begins[stage]
        for row in range(rows):
            stage = batch.stages[row]
            batch.order[begins[stage]] = row
            begins[stage] += 1
        begin = 0
        for stage in range(stages):
            for i in range(begins[stage] - 1, begin, -1):
                j = begin + random_below(generator, i + 1 - begin)
                batch.order[i], batch.order[j] = batch.order[j], batch.order[i]
            begin = begins[stage]
        # 3. Learn.
        for i in range(rows):
            row = batch.order[i]
            entries, own = batch.entries[row], weights[batch.stages[row]]
            total = 0.0
            for k in range(count):
                total += own[entries[k], WEIGHT]
            error = batch.wanted[row] - expected(scale, total)
            error_sum += error * error
            size = abs(error)
            for k in range(count):
                entry = entries[k]
                trust = 1.0
                if own[entry, SIZES] > 0.0:
                    trust = abs(own[entry, ERRORS]) / own[entry, SIZES]
                own[entry, WEIGHT] += step * trust * error / count
                own[entry, ERRORS] += error
                own[entry, SIZES] += size
        seen += rows
    return error_sum, seen


class Tables:
    """Weights that learn: what they are now, and how sure each is."""

    def __init__(self, plan: Plan, start: State, scale: Scale, width: int) -> None:
        self.plan, self.start, self.scale = plan, start, scale
        groups = plan.stage_count * plan.sides
        self.weights = np.zeros((groups, plan.distinct, COLUMNS), np.float32)
        self._room, self._batch = Slab(width), Batch.of(plan)

    def learn(self, lessons: Lessons, step: float, seed: int) -> float:
        """Learn from each game once; the root of the mean squared error before, in points."""
        firsts = np.cumsum(lessons.lengths) - lessons.lengths
        order = np.random.default_rng(seed).permutation(lessons.games)
        error, seen = fit(
            self.start,
            self.plan.numbers,
            self.plan.canon,
            self.weights,
            (lessons.moves, lessons.values, firsts, lessons.lengths, lessons.openings),
            order,
            step,
            self.scale,
            self._room,
            np.array([seed], np.uint64),
            self._batch,
        )
        return float(np.sqrt(error / max(seen, 1)))

    def forget_doubts(self) -> None:
        """Let every weight move freely again, as when what is to be learned has changed."""
        self.weights[:, :, ERRORS:] = 0

    def rounded(self) -> np.ndarray:
        """The weights as evaluators take them: whole numbers, all that are distinct."""
        whole = np.rint(self.weights[:, :, WEIGHT] * self.scale.unit)
        return np.clip(whole, -MOST_WEIGHT, MOST_WEIGHT).astype(np.int16)
