"""Evaluators for Double Card: the course's naive e(n), and the two heuristics of a student report.

`naive` is the e(n) that a course gave out to make traces comparable. `patterns` and `danger` are
heuristics 1 and 2 of Huang & Li 2019, as their text defines them: O is a half of one kind (red,
white, filled or hollow), @ a half of the opposite kind or the edge, X an empty cell, and a
**stretch** is as many cells in a row as make a line. Where the text is silent, we chose:

* every window of five counts, as the text's step 3 has it: `@OOOX@` is two dead threes, and a pair
  in `XXOOXX` is two alive twos. (To count each group once plays no better.)
* a side has at most one combination, and has it on top of what its parts are worth: two dead threes
  before two alive twos before one of each. What the other side has does not matter;
* goodness weighs 5 in the own score and 2 in what is taken off it, danger 4 and 1. These four are
  from the authors' program; the text says only that there are weights;
* on boards with longer or shorter lines a three lacks one half of a line, and a two lacks two.

What the report prints comes from its program, which is not its text. `program.py` of the lab's
study `double-card` rebuilds that program and gets every list and every move of the report:

* heuristic 1: table 2, all 38 values; table 4, all moves. For dots the program counts only fours
  and alive threes; dead threes and twos of colour it credits to the machine even when that plays
  dots; the edge blocks nothing; the two sides have one combination between them, and none beside a
  four or an alive three;
* heuristic 2: table 5, all moves; table 3, all 40 values and moves, if goodness of dots weighs 12
  and not 7. The program adds up n along a whole line before it squares, spares goodness from the
  threshold, leaves out the last stretch of a line and those that begin with an empty cell, and
  takes some diagonals twice, some never.

Of these moves the evaluators below choose, in a plain two-ply search: in table 2 step 5 `0 8 D 1`,
which the report rates like its own; steps 5 and 9 of table 4; step 3 of table 5, tied; and in its
step 7 `0 8 G 1`, the block that the report's program misses.

None of them considers which cells can be reached, that cards can be moved, or whose turn it is.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import (
    ALL_ONES,
    ONE,
    U64,
    ZERO,
    Pair,
    bit,
    both,
    differ,
    either,
    pair_left,
    pair_popcount,
    pair_right,
    popcount,
    without,
)
from plyground.evaluation.double_card_pictures import (
    coordinates_on,
    occurrences_on,
    situations_on,
)
from plyground.evaluation.pictures import Amounts, negated, summed
from plyground.evaluation.spec import EvaluatorSpec, Factor
from plyground.games.double_card import (
    ABOVE,
    COLUMN,
    COLUMNS_PER_WORD,
    DOTS_FIRST,
    HEIGHT,
    LINE,
    RIGHT,
    WIDTH,
    DoubleCard,
    board,
    rule,
)
from plyground.games.rules import State
from plyground.kernel import compilable, compilable_call

NOTHING = (ZERO, ZERO)
EVERYTHING = (ALL_ONES, ALL_ONES)
DIRECTIONS = (ABOVE, RIGHT, RIGHT + ABOVE, RIGHT - ABOVE)

# ------------------------------------------------------------------ sets of cells


@compilable
def with_next(a: Pair, step: int) -> Pair:
    """The cells from which one step leads into the set."""
    return pair_right(a[0], a[1], step)


@compilable
def with_previous(a: Pair, step: int) -> Pair:
    """The cells from which one step back leads into the set."""
    return pair_left(a[0], a[1], step)


@compilable
def board_cells(rules: int) -> Pair:
    """All cells of the board."""
    low, high = ZERO, ZERO
    for column in range(rule(rules, WIDTH)):
        cells = (bit(rule(rules, HEIGHT)) - ONE) << U64(COLUMN * (column % COLUMNS_PER_WORD))
        if column < COLUMNS_PER_WORD:
            low |= cells
        else:
            high |= cells
    return low, high


@compilable
def kinds(state: DoubleCard, dots: bool) -> tuple[Pair, Pair]:
    """The two sets of cells in which a goal wants a line: filled and hollow, or red and white."""
    taken = state.taken_low, state.taken_high
    if dots:
        filled = state.filled_low, state.filled_high
        return filled, without(taken, filled)
    red = state.red_low, state.red_high
    return red, without(taken, red)


@compilable
def wants_dots(state: DoubleCard) -> bool:
    """Whether the side to move plays for dots."""
    return state.made & 1 != rule(state.rules, DOTS_FIRST)


# ------------------------------------------------------------------ naive

COLOUR, FIRST_PLAYER, SECOND_PLAYER = range(3)

# The cells whose number, 16 * column + row within a word, has bit 0, 1, ... set; and what that bit
# adds to a coordinate.
NUMBER_BITS = (
    (U64(0xAAAA_AAAA_AAAA_AAAA), 10),
    (U64(0xCCCC_CCCC_CCCC_CCCC), 20),
    (U64(0xF0F0_F0F0_F0F0_F0F0), 40),
    (U64(0xFF00_FF00_FF00_FF00), 80),
    (U64(0xFFFF_0000_FFFF_0000), 1),
    (U64(0xFFFF_FFFF_0000_0000), 2),
)


@compilable
def coordinates(cells: Pair) -> int:
    """The sum of 10 * (row - 1) + column, both counted from 1, over a set of cells."""
    low, high = cells
    total = popcount(low) + (1 + COLUMNS_PER_WORD) * popcount(high)
    for mask, worth in NUMBER_BITS:
        total += worth * (popcount(low & mask) + popcount(high & mask))
    return total


@compilable
def symbols(state: DoubleCard) -> tuple[Pair, Pair, Pair, Pair]:
    """The cells that show white hollow, white filled, red filled, red hollow."""
    red, white = kinds(state, False)
    filled, hollow = kinds(state, True)
    return both(white, hollow), both(white, filled), both(red, filled), both(red, hollow)


class Naive(NamedTuple):
    """Twice the course's e(n): a weight for each symbol, times the sum of its coordinates."""

    white_hollow: int = 2
    white_filled: int = 6
    red_filled: int = -4
    red_hollow: int = -3
    maximiser: int = COLOUR

    def evaluate(self, state: DoubleCard) -> int:
        white_hollow, white_filled, red_filled, red_hollow = symbols(state)
        value = self.white_hollow * coordinates(white_hollow)
        value += self.white_filled * coordinates(white_filled)
        value += self.red_filled * coordinates(red_filled)
        value += self.red_hollow * coordinates(red_hollow)
        return value if maximiser_moves(self.maximiser, state) else -value


Naive.maximiser.__doc__ = "who wants e(n) high: 0 colour, 1 the first player, 2 the second"


@compilable
def maximiser_moves(maximiser: int, state: DoubleCard) -> bool:
    """Whether the side to move is the one that wants e(n) high."""
    if maximiser == COLOUR:
        return not wants_dots(state)
    return maximiser - FIRST_PLAYER == state.made & 1


# ------------------------------------------------------------------ patterns


@compilable_call
def patterns_along(own: Pair, empty: Pair, step: int, length: int) -> tuple[int, ...]:
    """Fours, alive and dead threes, alive and dead twos, and unavailable runs in one direction.

    A stretch is `length` cells in a row, named by its first cell: bit i of each set below speaks
    of the stretch that begins at cell i, so that all are judged at once.
    """
    free = either(own, empty)
    before_free = with_previous(free, step)
    usable, one, two, more = EVERYTHING, NOTHING, NOTHING, NOTHING
    after_free, after_empty = free, empty
    for _ in range(length):  # count the empty cells of each stretch, up to three
        usable = both(usable, after_free)
        carry = both(one, after_empty)
        one = differ(one, after_empty)
        more = either(more, both(two, carry))
        two = differ(two, carry)
        after_free, after_empty = with_next(after_free, step), with_next(after_empty, step)
    usable = without(usable, more)
    lacks_two = without(both(usable, two), one)
    lacks_one = without(both(usable, one), two)
    lacks_none = without(without(usable, one), two)
    open_ended = both(empty, after_empty)  # the first cell, and the one behind the last
    unavailable = 0
    run = without(own, before_free)
    for _ in range(length - 1):
        own, free = with_next(own, step), with_next(free, step)
        unavailable += pair_popcount(without(run, free))
        run = both(run, own)
    return (
        pair_popcount(lacks_none),
        pair_popcount(both(lacks_one, open_ended)),
        pair_popcount(without(lacks_one, before_free))
        + pair_popcount(without(lacks_one, after_free)),
        pair_popcount(both(lacks_two, open_ended)),
        pair_popcount(without(lacks_two, before_free))
        + pair_popcount(without(lacks_two, after_free)),
        unavailable,
    )


@compilable_call
def situations(state: DoubleCard, dots: bool) -> tuple[int, ...]:
    """How often each situation of `Patterns`, in its order, stands on the board for a goal."""
    empty = without(board_cells(state.rules), (state.taken_low, state.taken_high))
    length = rule(state.rules, LINE)
    four, alive_three, dead_three, alive_two, dead_two, unavailable = 0, 0, 0, 0, 0, 0
    for own in kinds(state, dots):
        for step in DIRECTIONS:
            found = patterns_along(own, empty, step, length)
            four += found[0]
            alive_three += found[1]
            dead_three += found[2]
            alive_two += found[3]
            dead_two += found[4]
            unavailable += found[5]
    double_three = 1 if dead_three > 1 else 0
    double_two = 1 if alive_two > 1 and not double_three else 0
    three_and_two = 1 if dead_three == 1 and alive_two == 1 else 0
    return (
        four,
        alive_three,
        dead_three,
        alive_two,
        dead_two,
        unavailable,
        double_three,
        double_two,
        three_and_two,
    )


class Patterns(NamedTuple):
    """What each situation of heuristic 1 is worth to the side that has it.

    Two plies ahead it scores 69 % against `Danger` and 96 % against `Naive`, in 1000 games each.
    """

    four: int = 100_000
    alive_three: int = 10_000
    dead_three: int = 1_000
    alive_two: int = 1_000
    dead_two: int = 500
    unavailable: int = -100
    double_dead_three: int = 100_000
    double_alive_two: int = 100_000
    dead_three_and_alive_two: int = 100_000

    def evaluate(self, state: DoubleCard) -> int:
        value = 0
        for sign in (1, -1):  # a loop halves the time to compile: the helper is inlined once
            found = situations(state, wants_dots(state) == (sign == 1))
            for situation in range(len(found)):
                value += sign * self[situation] * found[situation]
        return value


# ------------------------------------------------------------------ danger


@compilable
def occurrences_along(
    own: Pair, stretches: Pair, step: int, length: int, least: int
) -> tuple[int, int]:
    """Over the stretches with at least so many cells of a kind: the sum of n, and of n squared.

    Counts all stretches at once: bit i of the four sets is the number n for the stretch at i.
    """
    ones, twos, fours, eights = NOTHING, NOTHING, NOTHING, NOTHING
    for _ in range(length):
        carry = both(ones, own)
        ones = differ(ones, own)
        next_carry = both(twos, carry)
        twos = differ(twos, carry)
        carry = both(fours, next_carry)
        fours = differ(fours, next_carry)
        eights = differ(eights, carry)
        own = with_next(own, step)
    total, squares = 0, 0
    for number in range(least, length + 1):
        exactly = both(stretches, ones) if number & 1 else without(stretches, ones)
        exactly = both(exactly, twos) if number & 2 else without(exactly, twos)
        exactly = both(exactly, fours) if number & 4 else without(exactly, fours)
        exactly = both(exactly, eights) if number & 8 else without(exactly, eights)
        total += number * pair_popcount(exactly)
        squares += number * number * pair_popcount(exactly)
    return total, squares


@compilable_call
def occurrences(state: DoubleCard, dots: bool, threshold: int) -> tuple[int, int]:
    """For a goal, over all stretches and both kinds: the sum of n, and of n squared.

    A stretch counts if more than `threshold` percent of it are of the kind.
    """
    board, length = board_cells(state.rules), rule(state.rules, LINE)
    least = threshold * length // 100 + 1
    total, squares = 0, 0
    for step in DIRECTIONS:
        stretches = board
        for _ in range(length - 1):
            stretches = both(board, with_next(stretches, step))
        for own in kinds(state, dots):
            linear, squared = occurrences_along(own, stretches, step, length, least)
            total += linear
            squares += squared
    return total, squares


class Danger(NamedTuple):
    """What heuristic 2 makes of n halves of a kind in a stretch: danger by n, goodness by n * n."""

    danger: int = 100  # the report's DANGER FACTOR
    good: int = 50  # and its GOOD FACTOR
    danger_weight: int = 5  # 4 in the own score and 1 less in the other side's
    good_weight: int = 7  # 5 in the own score and 2 less in the other side's
    threshold: int = 30  # percent of a stretch

    def evaluate(self, state: DoubleCard) -> int:
        value, lacking = 0, rule(state.rules, LINE) - 1
        for sign in (1, -1):
            total, squares = occurrences(state, wants_dots(state) == (sign == 1), self.threshold)
            value += sign * self.danger_weight * self.danger * lacking * total
            value += sign * self.good_weight * self.good * squares
        return value


# ------------------------------------------------------------------ factor by factor


def _balance(mine: Amounts, theirs: Amounts) -> Amounts:
    return summed((*mine, *negated(theirs)))


def _naive_factors(evaluator: Naive, state: State) -> list[Factor]:
    sign = 1 if maximiser_moves(evaluator.maximiser, state) else -1
    kinds_of_half = {
        "white hollow": "WO",
        "white filled": "WX",
        "red filled": "RX",
        "red hollow": "RO",
    }
    factors, shown = [], board(state)
    rows = zip(kinds_of_half.items(), symbols(state), evaluator[:4], strict=True)
    for (name, content), cells, weight in rows:
        picture = coordinates_on(shown, content)
        factors.append(
            Factor(
                f"coordinates of {name} halves",
                sign * coordinates(cells),
                weight,
                picture if sign > 0 else negated(picture),
            )
        )
    return factors


def _pattern_factors(evaluator: Patterns, state: State) -> list[Factor]:
    dots, shown, length = wants_dots(state), board(state), rule(state.rules, LINE)
    counts = zip(situations(state, dots), situations(state, not dots), strict=True)
    places = zip(
        situations_on(shown, dots, length), situations_on(shown, not dots, length), strict=True
    )
    rows = zip(Patterns._fields, counts, evaluator, places, strict=True)
    return [
        Factor(name.replace("_", " "), mine - theirs, weight, _balance(*pictures))
        for name, (mine, theirs), weight, pictures in rows
    ]


def _danger_factors(evaluator: Danger, state: State) -> list[Factor]:
    dots, length, shown = wants_dots(state), rule(state.rules, LINE), board(state)
    total, squares = occurrences(state, dots, evaluator.threshold)
    their_total, their_squares = occurrences(state, not dots, evaluator.threshold)
    least = evaluator.threshold * length // 100 + 1
    halves, mates = occurrences_on(shown, dots, length, least)
    their_halves, their_mates = occurrences_on(shown, not dots, length, least)
    per_half = evaluator.danger * (length - 1)
    return [
        Factor(
            "danger",
            per_half * (total - their_total),
            evaluator.danger_weight,
            tuple((cell, per_half * n) for cell, n in _balance(halves, their_halves)),
        ),
        Factor(
            "goodness",
            evaluator.good * (squares - their_squares),
            evaluator.good_weight,
            tuple((cell, evaluator.good * n) for cell, n in _balance(mates, their_mates)),
        ),
    ]


EVALUATORS = (
    EvaluatorSpec(
        name="naive",
        games=(DoubleCard,),
        summary="The course's e(n): coordinates of the halves, weighted by their symbols.",
        source="COMP 472/6721, Concordia, Winter 2019, project 1, deliverable 2",
        scale="2 is 1 of e(n)",
        is_symmetric=False,
        make=Naive,
        factors=_naive_factors,
    ),
    EvaluatorSpec(
        name="patterns",
        games=(DoubleCard,),
        summary="Fours, open and blocked threes and twos, dead runs, and their combinations.",
        source="Huang & Li 2019, COMP 6721 Project 1 Report, section 2.2 (heuristic 1)",
        scale="1 is 1 of the report's table 1; 1000 is a blocked three",
        make=Patterns,
        factors=_pattern_factors,
        is_default=True,
    ),
    EvaluatorSpec(
        name="danger",
        games=(DoubleCard,),
        summary="How many halves of a kind lie in each stretch of four, linear and squared.",
        source="Huang & Li 2019, COMP 6721 Project 1 Report, section 2.3 (heuristic 2)",
        scale="9 is 1 of the report for lines of four; (line - 1) squared in general",
        make=Danger,
        factors=_danger_factors,
    ),
)
