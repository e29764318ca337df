"""n-tuples: a value that is a sum of entries in tables, one for each tuple of cells.

Each cell has a small number, its **code**: of a stone, whose it is. A tuple of cells reads its
codes as the digits of one number, its **index**, and has a table with a weight for each. Tuples
that a symmetry of the board turns into each other share a table; the weights change with the
**stage** of the game. After Bledsoe & Browning 1959, "Pattern Recognition and Reading by Machine";
for games Buro 1997, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for
Othello", and Lucas 2008, "Learning to Play Othello with N-Tuple Systems".

An index is a sum over cells, so the indexes of all tuples are found together: what a cell adds to
each of sixteen indexes is one vector. Where codes follow from bits of the state, four bits at once
choose a vector, whatever they mean; of other cells the verb `code` of the state says the code.

Which cells, codes and tables there are is a plan (`tuple_plan.py`); here it is a table of numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, ZERO, popcount, signed, unsigned, words
from plyground.games.rules import State, cells_left, code, count_moves, side
from plyground.kernel import Slab, compilable, short_at
from plyground.lanes import Lanes, added_shorts, four_at, lane_of, spread

# What a table of a plan begins with: how many blocks of 32 tuples there are, how many parts of
# fields and how many cells whose code the game says, and where the lists are.
BLOCKS, PARTS, CODED, PART_LIST, ROWS, BLOCK_ROWS, OFFSETS, STAGES, BY, MASKS = range(10)
SECOND_ROWS, SECOND_WEIGHTS, MOVES, TUPLES, MOST_MEASURED = range(10, 15)
HEADER = 16
PART = 3  # of a part: its field or cell, the shift to its bits, its first row
FIELD, SHIFT, ROW = range(PART)
BITS, VALUES = 4, 16  # of a part of a field
LANE_WORDS, BLOCK_WORDS, PER_WORD = 4, 8, 4
PER_BLOCK = BLOCK_WORDS * PER_WORD
SHORT = U64(0xFFFF)
BY_NOTHING, BY_CELLS_LEFT, BY_PIECES = range(3)
MOST_MOVES = 63  # counted
NOTHING = Slab(HEADER)


class NTuples(NamedTuple):
    """The plan as numbers, the weights as numbers of 16 bits, and room for moves."""

    plan: Slab
    weights: Slab
    room: Slab

    def evaluate(self, state: State) -> int:
        plan, weights = self.plan, self.weights
        first = stage_offset(plan, state)
        value = short_at(weights, first)
        if plan[MOVES]:
            moves = count_moves(state, self.room, 0)
            value += short_at(weights, first + plan[MOVES] + min(moves, MOST_MOVES))
        for block in range(plan[BLOCKS]):
            low, high = indexes_of(plan, state, block)
            offsets = plan[OFFSETS] + block * PER_BLOCK
            for lane in range(LANE_WORDS):
                value += four_weights(plan, weights, first, offsets + 4 * lane, lane_of(low, lane))
            for lane in range(LANE_WORDS):
                at = offsets + PER_BLOCK // 2 + 4 * lane
                value += four_weights(plan, weights, first, at, lane_of(high, lane))
        return value


@compilable
def stage_offset(plan: Slab, state: State) -> int:
    """Where the weights of this stage, for this side to move, begin."""
    measure = 0
    if plan[BY] == BY_CELLS_LEFT:
        measure = cells_left(state)
    elif plan[BY] == BY_PIECES:
        for field, word in enumerate(words(state)):
            measure += popcount(word & unsigned(plan[plan[MASKS] + field]))
    measure = min(max(measure, 0), plan[MOST_MEASURED])
    second = plan[SECOND_WEIGHTS]
    return plan[plan[STAGES] + measure] + (second if second and side(state) else 0)


@compilable
def indexes_of(plan: Slab, state: State, block: int) -> tuple[Lanes, Lanes]:
    """The indexes of the 32 tuples of a block, 16 bits each."""
    fields = words(state)
    low = spread(ZERO)
    high = spread(ZERO)
    rows = plan[SECOND_ROWS] if plan[SECOND_ROWS] and side(state) else plan[ROWS]
    rows += block * plan[BLOCK_ROWS]
    part = plan[PART_LIST]
    for _ in range(plan[PARTS]):
        number = signed(fields[plan[part]] >> unsigned(plan[part + SHIFT])) & (VALUES - 1)
        row = rows + (plan[part + ROW] + number) * BLOCK_WORDS
        low = added_shorts(low, four_at(plan, row))
        high = added_shorts(high, four_at(plan, row + LANE_WORDS))
        part += PART
    for _ in range(plan[CODED]):
        row = rows + (plan[part + ROW] + code(state, plan[part])) * BLOCK_WORDS
        low = added_shorts(low, four_at(plan, row))
        high = added_shorts(high, four_at(plan, row + LANE_WORDS))
        part += PART
    return low, high


@compilable
def four_weights(plan: Slab, weights: Slab, first: int, offsets: int, indexes: U64) -> int:
    """The weights of four tuples."""
    value = short_at(weights, first + plan[offsets] + signed(indexes & SHORT))
    value += short_at(weights, first + plan[offsets + 1] + signed((indexes >> U64(16)) & SHORT))
    value += short_at(weights, first + plan[offsets + 2] + signed((indexes >> U64(32)) & SHORT))
    return value + short_at(weights, first + plan[offsets + 3] + signed(indexes >> U64(48)))
