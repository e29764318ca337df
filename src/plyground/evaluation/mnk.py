"""The evaluator for m,n,k games: open lines, by the number of marks in them.

A **line** is k cells in a row; it is open to a side as long as the other has no mark in it. A line
is named by its first cell, so that all lines of one direction are one word and are counted at once.
Whose turn it is, two lines that need the same cell, and draws are not considered: when no line is
open any more its value is 0.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, ZERO, popcount
from plyground.evaluation.pictures import open_lines_on
from plyground.evaluation.spec import EvaluatorSpec, Factor
from plyground.games.mnk import Mnk, board, width_of
from plyground.games.rules import State, side
from plyground.kernel import compilable

MOST_COUNTED = 6  # more marks in a line count as six: with the default base, 4**5 = 1024
DIGIT = 9  # bits: 64 cells have at most 256 lines

# ------------------------------------------------------------------ counting in lines


@compilable
def lines_along(cells: U64, step: int, k: int, wall: U64) -> U64:
    """The lines of one direction, marked at their first cells; steps that wrap hit the wall."""
    lines = cells
    for _ in range(k - 1):
        lines = cells & ((lines & ~wall) >> U64(step))
    return lines


@compilable
def worth_along(own: U64, other: U64, lines: U64, step: int, k: int, base: int) -> int:
    """What the lines of one direction are worth: base**(marks - 1) for each open one with marks.

    Bit i of the five words is, in binary, the number of own marks in the line that begins at i.
    """
    ones, twos, fours, eights, sixteens = ZERO, ZERO, ZERO, ZERO, ZERO
    for _ in range(k):
        lines &= ~other
        other = other >> U64(step)
        carry = own
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours, carry = fours ^ carry, fours & carry
        eights, carry = eights ^ carry, eights & carry
        sixteens ^= carry
        own = own >> U64(step)
    total, worth = 0, 1
    for marks in range(1, k + 1):
        exactly = lines & (ones if marks & 1 else ~ones) & (twos if marks & 2 else ~twos)
        exactly &= (fours if marks & 4 else ~fours) & (eights if marks & 8 else ~eights)
        exactly &= sixteens if marks & 16 else ~sixteens
        total += worth * popcount(exactly)
        worth *= base if marks < MOST_COUNTED else 1
    return total


@compilable
def lines_worth(state: Mnk, mine: bool, base: int) -> int:
    """What all lines that are open to one side are worth to it."""
    own, other = (state.me, state.opp) if mine else (state.opp, state.me)
    width = width_of(state.cells, state.left)
    right = state.left << U64(width - 1)
    total = 0
    for step, wall in (
        (1, state.left),
        (width, ZERO),
        (width + 1, state.left),
        (width - 1, right),
    ):
        lines = lines_along(state.cells, step, state.k, wall)
        total += worth_along(own, other, lines, step, state.k, base)
    return total


# ------------------------------------------------------------------ the evaluator


class Lines(NamedTuple):
    """Each mark in an open line makes it `base` times as valuable."""

    weight: int = 1
    base: int = 4

    def evaluate(self, state: Mnk) -> int:
        value = 0
        for sign in (1, -1):  # a loop halves the time to compile: the helper is inlined once
            value += sign * lines_worth(state, sign == 1, self.base)
        return self.weight * value


def _line_factors(evaluator: Lines, state: State) -> list[Factor]:
    # In a base that no number of lines reaches, the digits of the worth are the numbers of lines.
    mine, theirs = (lines_worth(state, is_mine, 1 << DIGIT) for is_mine in (True, False))
    shown, mover = board(state), side(state)
    factors = []
    for marks in range(1, min(state.k, MOST_COUNTED) + 1):
        at = DIGIT * (marks - 1)
        balance = (mine >> at) % (1 << DIGIT) - (theirs >> at) % (1 << DIGIT)
        name = f"open lines with {marks} of {state.k} marks"
        weight = evaluator.weight * evaluator.base ** (marks - 1)

        def is_so_full(number: int, marks: int = marks) -> bool:
            return min(number, MOST_COUNTED) == marks

        picture = open_lines_on(shown, mover, state.k, is_so_full)
        factors.append(Factor(name, balance, weight, picture))
    return factors


EVALUATORS = (
    EvaluatorSpec(
        name="lines",
        games=(Mnk,),
        summary="Open lines: 1 with one mark, 4 with two, 16 with three, and so on.",
        source="ours",
        scale="1 is an open line with one mark",
        make=Lines,
        factors=_line_factors,
        is_default=True,
    ),
)
