"""The program behind the report, rebuilt with its slips: where its moves and values come from.

Rebuilt from what the report prints and, where that leaves things open, from facts of the authors'
public program (github.com/realdonald1994/Double-Card-Game): the weights of heuristic 2, the order
of moves, and how isolated cards are skipped. No version of theirs is known to have made all tables.

Its machine looks two plies ahead with alpha-beta: rotations 1 to 8, in each the places from the top
and from the left, ties to the first. It skips bottom cards without a neighbour, but forgets to take
away the cards that it tried for that, so that they are neighbours to what it tries later.
Finished games are judged like all others.

It knows nothing of Plyground's rules, search and evaluators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import itemgetter
from typing import NamedTuple

COLUMNS, ROWS = 8, 12
HALVES = {  # the halves of a rotation, the lower or left one first
    1: ("RX", "WO"),
    2: ("WO", "RX"),
    3: ("WO", "RX"),
    4: ("RX", "WO"),
    5: ("RO", "WX"),
    6: ("WX", "RO"),
    7: ("WX", "RO"),
    8: ("RO", "WX"),
}
EMPTY = ".."

Grid = Sequence[str]
"""The cells, row by row from above."""
Judge = Callable[[Grid], float]
Line = tuple[str, ...]
Count = Callable[[Line], tuple[int, ...]]


class Heuristic(NamedTuple):
    """Counts several things in every line, and weighs their sums."""

    lines: Sequence[Callable[[Grid], Line]]
    count_in: Count
    weigh: Callable[..., float]

    def judge(self, grid: Grid) -> float:
        """The value of a position."""
        counts = [self.count_in(line(grid)) for line in self.lines]
        return self.weigh(*map(sum, zip(*counts, strict=True)))


class Program:
    """A game between the machine and a human.

    Without `cuts` the machine is minimax, without `skips` it looks at isolated cards, too.
    """

    def __init__(
        self, judge: Judge, moves: Iterable[str] = (), cuts: bool = True, skips: bool = True
    ) -> None:
        self.judge, self.cuts, self.skips = judge, cuts, skips
        self.stacks: list[list[str]] = [[] for _ in range(COLUMNS)]  # the halves, from below
        self.bottom: set[int] = set()  # columns that look taken at the bottom
        self.nodes = 0
        """Of the last search, the root included."""
        self.leaves = 0
        """Of the last search: the positions that it judged."""
        for move in moves:
            self.lay(move)

    def lay(self, text: str) -> None:
        """Lay the card of a move such as `0 2 A 1`."""
        _, rotation, column, row = text.split()
        at = ord(column) - ord("A")
        assert len(self.stacks[at]) == int(row) - 1
        self._lay(int(rotation), at)

    def search(self) -> dict[str, float]:
        """The values that the trace lists, by move: exact, or bounds where the search was cut."""
        listed: dict[str, float] = {}
        self.nodes, self.leaves = 1, 0
        for rotation, column in self._candidates():
            if not self._is_isolated(rotation, column):
                text = f"0 {rotation} {chr(ord('A') + column)} {len(self.stacks[column]) + 1}"
                self._lay(rotation, column)
                best = max(listed.values(), default=-inf) if self.cuts else -inf
                listed[text] = self._best_reply(best)
                self._lift(rotation, column)
        return listed

    def _best_reply(self, alpha: float) -> float:
        value = inf
        self.nodes += 1
        for rotation, column in self._candidates():
            if not self._is_isolated(rotation, column):
                self.nodes += 1
                self.leaves += 1
                self._lay(rotation, column)
                value = min(value, self.judge(self._grid()))
                self._lift(rotation, column)
                if value <= alpha:
                    break
        return value

    def _candidates(self) -> list[tuple[int, int]]:
        heights = [len(stack) for stack in self.stacks]
        standing = [column for column in range(COLUMNS) if heights[column] + 2 <= ROWS]
        lying = [
            column for column in range(COLUMNS - 1) if heights[column] == heights[column + 1] < ROWS
        ]
        return [
            (rotation, column)
            for rotation in HALVES
            for column in sorted(lying if rotation % 2 else standing, key=lambda at: -heights[at])
        ]

    def _is_isolated(self, rotation: int, column: int) -> bool:
        if self.stacks[column] or not self.skips:
            return False
        last = column + rotation % 2
        alone = not self.bottom & {column - 1, last + 1}
        if alone:
            self.bottom |= {column, last}  # the slip: it stays there
        else:
            self.bottom -= {column, last}
        return alone

    def _lay(self, rotation: int, column: int) -> None:
        for place, half in zip(_places(rotation, column), HALVES[rotation], strict=True):
            if not self.stacks[place]:
                self.bottom.add(place)
            self.stacks[place].append(half)

    def _lift(self, rotation: int, column: int) -> None:
        for place in _places(rotation, column):
            self.stacks[place].pop()
            if not self.stacks[place]:
                self.bottom.discard(place)

    def _grid(self) -> Grid:
        return [
            stack[row] if row < len(stack) else EMPTY
            for row in reversed(range(ROWS))
            for stack in self.stacks
        ]


def _places(rotation: int, column: int) -> tuple[int, int]:
    return column, column + rotation % 2


# ------------------------------------------------------------------ lines


def _walk(row: int, column: int, down: int, right: int) -> list[int]:
    """The places of the cells from one on, as far as the board goes."""
    places = []
    while 0 <= row < ROWS and column < COLUMNS:
        places.append(row * COLUMNS + column)
        row, column = row + down, column + right
    return places


def _lines(rising: Iterable[int], falling: Iterable[int]) -> list[Callable[[Grid], Line]]:
    """Rows, columns and diagonals; given are the rows where those begin that miss the left edge."""
    found = [_walk(row, 0, 0, 1) for row in range(ROWS)]
    found += [_walk(0, column, 1, 0) for column in range(COLUMNS)]
    for down, starts in ((-1, rising), (1, falling)):
        found += [_walk(row, 0, down, 1) for row in range(ROWS)]
        found += [_walk(row, column, down, 1) for column, row in enumerate(starts, 1)]
    return [itemgetter(*places) for places in found if len(places) >= 4]


OTHERS = range(1, COLUMNS)
LINES_1 = _lines([ROWS - 1 for _ in OTHERS], [0 for _ in OTHERS])
LINES_2 = _lines([ROWS - at for at in OTHERS], [at - 1 for at in OTHERS])  # one, and its own ends


# ------------------------------------------------------------------ heuristic 1


def patterns(machine: str) -> Count:
    """What heuristic 1 counts, for a machine that plays for `colour` or `dots`.

    Fours and alive threes are the machine's less the human's; all else is counted of colour alone.
    """
    goals = (0, 1) if machine == "colour" else (1, 0)  # the letter of a half that counts

    def gain(halves: Line) -> int:
        """1 if all are one kind to the machine, -1 if they are only to the human."""
        for sign, goal in zip((1, -1), goals, strict=True):
            kind = halves[0][goal]
            if kind != "." and all(half[goal] == kind for half in halves):
                return sign
        return 0

    def count(line: Line) -> tuple[int, ...]:
        fours = [gain(line[at : at + 4]) for at in range(len(line) - 3)]
        threes = [
            gain(line[at + 1 : at + 4])
            for at in range(len(line) - 4)
            if line[at] == line[at + 4] == EMPTY
        ]
        colours = "".join(half[0] for half in line)
        dead_three = alive_two = dead_two = unavailable = 0
        for same, opposite in ("RW", "WR"):
            for at in range(len(line) - 4):
                five = colours[at : at + 5]
                if five.count(opposite) == 1 and opposite in (five[0], five[4]):
                    dead_three += five.count(same) == 3
                    dead_two += five.count(same) == 2
                if five[0] == five[4] == ".":
                    alive_two += sorted(five[1:4]) == [".", same, same]
            for run in (1, 2, 3):
                wanted = opposite + run * same + opposite
                unavailable += sum(colours.startswith(wanted, at) for at in range(len(colours)))
        strong = sum(map(abs, fours + threes))
        return sum(fours), sum(threes), strong, dead_three, dead_two, alive_two, unavailable

    return count


def heuristic_1(machine: str) -> Heuristic:
    """The program's heuristic 1, in which both sides have one combination together."""
    colour_is = 1 if machine == "colour" else -1

    def weigh(*counts: int) -> float:
        fours, threes, strong, dead_three, dead_two, alive_two, unavailable = counts
        value = 100_000 * fours + 10_000 * threes + 1_000 * dead_three + 500 * dead_two
        value += colour_is * (1_000 * alive_two - 100 * unavailable)
        if strong:
            return value
        if dead_three > 1 or (machine == "colour" and dead_three == alive_two == 1):
            return value + 100_000
        return value + colour_is * 100_000 if alive_two > 1 else value

    return Heuristic(LINES_1, patterns(machine), weigh)


# ------------------------------------------------------------------ heuristic 2


def occurrences(line: Line) -> tuple[int, ...]:
    """What heuristic 2 counts: goodness of colour and dots, and danger of colour and dots."""
    seen = "".join(
        half for at in range(len(line) - 4) if line[at] != EMPTY for half in line[at : at + 4]
    )
    numbers = [[seen.count(kind) for kind in kinds] for kinds in ("RW", "XO")]
    good = [sum(number**2 for number in pair) for pair in numbers]
    danger = [sum(number for number in pair if number / 4 > 0.3) for pair in numbers]
    return *good, *danger


def heuristic_2(dots: float, danger: float = 5, danger_dots: float = 5) -> Heuristic:
    """The program's heuristic 2 for colour, by its weights.

    Those are of goodness of dots, of danger by colour, and of danger by dots; goodness of colour
    weighs 7, since ratios alone matter.
    """

    def weigh(good: int, good_dots: int, bad: int, bad_dots: int) -> float:
        value = (7 * good - dots * good_dots) * 50 / 9
        return value + (danger * bad - danger_dots * bad_dots) * 100 / 3

    return Heuristic(LINES_2, occurrences, weigh)


# ------------------------------------------------------------------ the course's e(n)

WORTH = {EMPTY: 0, "WO": 1, "WX": 3, "RX": -2, "RO": -1.5}


def course(grid: Grid) -> float:
    """The e(n) that the course gave out: the numbers of the cells, by what lies there."""
    return sum(
        WORTH[half] * (10 * (ROWS - 1 - place // COLUMNS) + place % COLUMNS + 1)
        for place, half in enumerate(grid)
    )
