"""The program behind Huang & Li's report, rebuilt with its slips: where its numbers come from.

Its machine looks two plies ahead with alpha-beta: rotations 1 to 8, in each the places from the top
and from the left, ties to the first. It skips bottom cards without a neighbour, but forgets to take
away the cards it tried for that, so that they are neighbours to what it tries later.
"""

from math import inf

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


class Program:
    """A game between the machine and a human: `judge` is the heuristic, a function of the grid."""

    def __init__(self, judge):
        self.judge = judge
        self.stacks = [[] for _ in range(COLUMNS)]  # the halves in each column, from below
        self.bottom = set()  # columns that look taken at the bottom

    def human(self, text):
        """Lay the card of a move such as `0 2 A 1`."""
        _, rotation, column, row = text.split()
        column = ord(column) - ord("A")
        assert len(self.stacks[column]) == int(row) - 1
        self._lay(int(rotation), column)

    def machine(self):
        """Search, lay the best card, and return the move and the list of the trace."""
        listed, alpha = [], -inf
        for rotation, column in self._candidates():
            if self._is_isolated(rotation, column):
                continue
            row = ROWS - 1 - len(self.stacks[column])
            self._lay(rotation, column)
            value = self._best_reply(alpha)
            self._lift(rotation, column)
            listed.append((value, row, column, str(rotation)))
            alpha = max(alpha, value)
        _, row, column, rotation = max(listed, key=lambda entry: entry[0])
        self._lay(int(rotation), column)
        return f"0 {rotation} {chr(ord('A') + column)} {ROWS - row}", listed

    def _best_reply(self, alpha):
        value = inf
        for rotation, column in self._candidates():
            if not self._is_isolated(rotation, column):
                self._lay(rotation, column)
                value = min(value, self.judge(self._grid()))
                self._lift(rotation, column)
                if value <= alpha:
                    break
        return value

    def _candidates(self):
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

    def _is_isolated(self, rotation, column):
        if self.stacks[column]:
            return False
        last = column + rotation % 2
        alone = not self.bottom & {column - 1, last + 1}
        if alone:
            self.bottom |= {column, last}  # the slip: it stays there
        else:
            self.bottom -= {column, last}
        return alone

    def _lay(self, rotation, column):
        for place, half in zip(self._places(rotation, column), HALVES[rotation], strict=True):
            if not self.stacks[place]:
                self.bottom.add(place)
            self.stacks[place].append(half)

    def _lift(self, rotation, column):
        for place in self._places(rotation, column):
            self.stacks[place].pop()
            if not self.stacks[place]:
                self.bottom.discard(place)

    @staticmethod
    def _places(rotation, column):
        return (column, column + rotation % 2)

    def _grid(self):
        """The rows from above."""
        return [
            [stack[row] if row < len(stack) else EMPTY for stack in self.stacks]
            for row in reversed(range(ROWS))
        ]


# ------------------------------------------------------------------ lines


def walk(grid, row, column, down, right):
    """The cells from one on, as far as the board goes."""
    cells = []
    while 0 <= row < ROWS and 0 <= column < COLUMNS:
        cells.append(grid[row][column])
        row, column = row + down, column + right
    return cells


def rows_and_columns(grid):
    rows = [walk(grid, row, 0, 0, 1) for row in range(ROWS)]
    return rows + [walk(grid, 0, column, 1, 0) for column in range(COLUMNS)]


def lines_of_heuristic_1(grid):
    lines = rows_and_columns(grid)
    lines += [walk(grid, row, 0, -1, 1) for row in range(ROWS)]
    lines += [walk(grid, ROWS - 1, column, -1, 1) for column in range(1, COLUMNS)]
    lines += [walk(grid, row, 0, 1, 1) for row in range(ROWS)]
    lines += [walk(grid, 0, column, 1, 1) for column in range(1, COLUMNS)]
    return [line for line in lines if len(line) >= 4]


def lines_of_heuristic_2(grid):
    """Of the diagonals that do not begin at the left edge: one, and then its own ends again."""
    lines = rows_and_columns(grid)
    lines += [walk(grid, row, 0, -1, 1) for row in range(ROWS)]
    lines += [walk(grid, ROWS - column, column, -1, 1) for column in range(1, COLUMNS)]
    lines += [walk(grid, row, 0, 1, 1) for row in range(ROWS)]
    lines += [walk(grid, column - 1, column, 1, 1) for column in range(1, COLUMNS)]
    return [line for line in lines if len(line) >= 4]


# ------------------------------------------------------------------ the two heuristics


def heuristic_1(machine):
    """The program's patterns, for a machine that plays for `colour` or `dots`."""
    own, other = (0, 1) if machine == "colour" else (1, 0)  # the letter of a half that counts
    colour_is = 1 if machine == "colour" else -1

    def judge(grid):
        fours = threes = strong = dead_three = alive_two = dead_two = unavailable = 0
        for line in lines_of_heuristic_1(grid):
            for at in range(len(line) - 3):
                gain = one_side(
                    [[half[goal] for half in line[at : at + 4]] for goal in (own, other)]
                )
                fours, strong = fours + gain, strong + abs(gain)
            for at in range(len(line) - 4):
                if line[at] == line[at + 4] == EMPTY:
                    middle = line[at + 1 : at + 4]
                    gain = one_side([[half[goal] for half in middle] for goal in (own, other)])
                    threes, strong = threes + gain, strong + abs(gain)
            colours = "".join(half[0] for half in line)
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
        value = 100_000 * fours + 10_000 * threes + 1_000 * dead_three + 500 * dead_two
        value += colour_is * (1_000 * alive_two - 100 * unavailable)
        if strong:
            return value
        if dead_three > 1:
            return value + 100_000
        if alive_two > 1:
            return value + colour_is * 100_000
        if machine == "colour" and dead_three == alive_two == 1:
            return value + 100_000
        return value

    return judge


def one_side(letters):
    """1 if all letters of the first list are one kind, -1 if only those of the second are."""
    for sign, kind in zip((1, -1), letters, strict=True):
        if kind[0] != "." and kind.count(kind[0]) == len(kind):
            return sign
    return 0


def heuristic_2(dots_weight=7):
    """The program's danger and goodness, for a machine that plays for colour."""

    def judge(grid):
        good, danger = {0: 0, 1: 0}, {0: 0, 1: 0}
        for line in lines_of_heuristic_2(grid):
            seen = ""
            for at in range(len(line) - 4):
                if line[at] != EMPTY:
                    seen += "".join(line[at : at + 4])
            for goal, kinds in enumerate(("RW", "XO")):
                for kind in kinds:
                    number = seen.count(kind)
                    good[goal] += number**2
                    danger[goal] += number if number / 4 > 0.3 else 0
        value = (7 * good[0] - dots_weight * good[1]) * 50 / 9
        return value + 5 * (danger[0] - danger[1]) * 100 / 3

    return judge
