"""The Double Card evaluators against the course's numbers, a report's tables, and loops over cells.

`W` and `row` numbers are those of the worked examples and edge cases of the rules' description.
"""

import re

import pytest
from evaluation.positions import best_moves, random_state, two_ply, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.bits import pair_of
from plyground.core.scores import WIN
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.double_card import (
    COLOUR,
    FIRST_PLAYER,
    SECOND_PLAYER,
    Danger,
    Naive,
    Patterns,
    situations,
)
from plyground.games.double_card import COLUMN, DOTS_FIRST, GAME, LINE, rule
from plyground.games.rules import count_symmetries, transform

NAMES = ("naive", "patterns", "danger")
SHAPES = (
    {},
    {"first_goal": "dots"},
    {"width": 5, "height": 15, "line": 5},
    {"width": 4, "height": 4, "cards": 8, "line": 3},
    {"width": 8, "height": 15, "cards": 60, "line": 9},
    {"width": 3, "height": 3, "cards": 4, "line": 2, "first_goal": "dots"},
)

W1 = "0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1; 0 4 D 1"
W2 = "0 2 A 1; 0 8 B 1; 0 6 E 1; 0 2 C 1; 0 6 D 1"
W3 = "0 2 A 1; 0 8 B 1; 0 1 A 3; 0 2 C 1; 0 6 D 1; 0 4 E 1; 0 6 D 3; 0 6 F 1; 0 8 G 1"
W4 = (
    "0 1 A 1; 0 1 C 1; 0 1 E 1; 0 1 G 1; 0 5 A 2; 0 5 C 2; 0 5 E 2; 0 5 G 2; "
    "0 3 A 3; 0 3 C 3; 0 3 E 3; 0 3 G 3; 0 7 A 4; 0 7 C 4; 0 7 E 4; 0 7 G 4; "
    "0 1 A 5; 0 1 C 5; 0 1 E 5; 0 1 G 5; 0 5 A 6; 0 5 C 6; 0 5 E 6; 0 5 G 6"
)
W5 = (
    "0 1 A 1; 0 1 C 1; 0 3 F 1; 0 8 E 1; 0 4 H 1; 0 3 A 2; 0 4 G 2; 0 1 C 2; "
    "0 2 H 3; 0 4 A 3; 0 6 B 3; 0 3 D 3; 0 2 G 4; 0 4 A 5; 0 2 F 2; 0 6 F 4; "
    "0 2 B 5; 0 3 A 7; 0 5 A 8; 0 1 A 9; 0 2 G 6; 0 6 H 5; 0 8 F 6; 0 2 H 7"
)
ROW_6 = "0 2 B 1; 0 4 A 1; 0 1 A 3; 0 2 B 4; 0 8 A 4; 0 6 A 6; 0 4 A 8; 0 2 A 10"
GAME_MM = (  # human, machine, evaluations, value of the root, nodes and their sum at level 2
    ("0 1 A 1", "0 8 B 2", 2832, -4.0, 56, -2257.0),
    ("0 2 C 1", "0 8 B 4", 2112, 31.0, 48, -1260.0),
    ("0 2 A 2", "0 8 B 6", 2112, 88.0, 48, 120.0),
    ("0 6 A 4", "0 8 B 8", 2112, 237.5, 48, 5896.0),
    ("0 2 H 1", "0 8 B 10", 1792, 418.5, 44, 9654.5),
)


def after(moves, **chosen):
    start = GAME.initial(**chosen)
    return GAME.replay(start, GAME.parse_moves(start, moves))


@st.composite
def positions(draw):
    """A position of a random game, at any stage, on boards of many shapes."""
    plies, seed = draw(st.integers(0, 60)), draw(st.integers(0, 2**32))
    return random_state(GAME, plies, seed, **draw(st.sampled_from(SHAPES)))


# ------------------------------------------------------------------ all three


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=40)
def test_plain_python_and_machine_code_agree(name, state):
    evaluator = find_evaluator(name, state).make()
    other_weights = type(evaluator)(*(7 * weight % 101 for weight in evaluator))
    assert value_of(evaluator, state) == evaluator.evaluate(state)
    assert value_of(other_weights, state) == other_weights.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=30)
def test_the_factors_add_up_to_the_value(name, state):
    spec = find_evaluator(name, state)
    evaluator = spec.make()
    assert spec.factors is not None
    shares = [factor.share for factor in spec.factors(evaluator, state)]
    assert sum(shares) == evaluator.evaluate(state)


@pytest.mark.parametrize("name", ["patterns", "danger"])
@given(state=positions())
@settings(max_examples=30)
def test_symmetric_positions_have_equal_values(name, state):
    evaluator = find_evaluator(name, state).make()
    images = [transform(state, symmetry) for symmetry in range(count_symmetries(state))]
    assert {value_of(evaluator, image) for image in images} == {value_of(evaluator, state)}


@pytest.mark.parametrize("name", ["patterns", "danger"])
@given(state=positions())
@settings(max_examples=30)
def test_with_the_goals_exchanged_but_not_the_board_the_value_changes_sign(name, state):
    evaluator = find_evaluator(name, state).make()
    exchanged = state._replace(rules=state.rules ^ (1 << DOTS_FIRST[0]))
    assert evaluator.evaluate(exchanged) == -evaluator.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=30)
def test_values_stay_far_below_a_win(name, state):
    assert abs(value_of(find_evaluator(name, state).make(), state)) < WIN // 2


def test_patterns_are_the_one_default():
    defaults = [spec.name for spec in suitable(GAME.initial()) if spec.is_default]
    assert defaults == ["patterns"]
    assert find_evaluator(None, GAME.initial()).name == "patterns"


# ------------------------------------------------------------------ naive


def coordinate_sum(state):
    """The course's e(n), cell by cell."""
    weights = {"": 0, "WO": 1, "WX": 3, "RX": -2, "RO": -1.5}
    board = GAME.board_of(state)
    total = 0.0
    for place, symbol in enumerate(board.cells):
        above, left = divmod(place, board.columns)
        total += weights[symbol] * (10 * (board.rows - 1 - above) + left + 1)
    return total


@pytest.mark.parametrize(
    ("moves", "value"),
    [(W1, -70.0), (W2, -27.5), (W3, 20.5), (W4, 342.0), (W5, -244.0), (ROW_6, -119.0)],
    ids=["W1", "W2", "W3", "W4", "W5", "row 6"],
)
def test_e_of_the_worked_examples(moves, value):
    state = after(moves)
    first_moves = state.made % 2 == 0  # and plays colour, which maximises
    assert Naive().evaluate(state) == (2 if first_moves else -2) * value


@given(state=positions())
@settings(max_examples=50)
def test_naive_is_twice_the_sum_over_cells(state):
    side = state.made % 2
    colour_moves = side == rule(state.rules, DOTS_FIRST)
    twice = 2 * coordinate_sum(state)
    assert Naive(maximiser=COLOUR).evaluate(state) == (twice if colour_moves else -twice)
    assert Naive(maximiser=FIRST_PLAYER).evaluate(state) == (-twice if side else twice)
    assert Naive(maximiser=SECOND_PLAYER).evaluate(state) == (twice if side else -twice)


def test_game_mm_line_by_line_with_the_machine_as_maximiser():
    evaluator = Naive(maximiser=SECOND_PLAYER)
    state = GAME.initial()
    for human, machine, evaluations, root, nodes, checksum in GAME_MM:
        state = GAME.replay(state, GAME.parse_moves(state, human))
        values, count = two_ply(GAME, evaluator, state)
        assert (count, len(values), sum(values.values()) / 2) == (evaluations, nodes, checksum)
        assert (max(values.values()) / 2, best_moves(values)[0]) == (root, machine)
        state = GAME.replay(state, GAME.parse_moves(state, machine))
    assert coordinate_sum(state) == 489.5
    assert Naive(maximiser=SECOND_PLAYER).evaluate(state) == -2 * 489.5  # the first is to move


def test_the_first_eight_nodes_of_game_mm():
    values, _ = two_ply(GAME, Naive(maximiser=SECOND_PLAYER), after("0 1 A 1"))
    first = [value / 2 for value in list(values.values())[:8]]
    assert first == [-52, -82, -55, -52, -22.5, -49.5, -27, -4.5]


def test_the_empty_board_has_3184_leaves_and_the_move_8_at_h1():
    values, evaluations = two_ply(GAME, Naive(maximiser=FIRST_PLAYER), GAME.initial())
    assert evaluations == 3184
    assert (max(values.values()) / 2, best_moves(values)[0]) == (-6.0, "0 8 H 1")


# ------------------------------------------------------------------ patterns


def lines_of(state, goal):
    """Rows, columns and diagonals as texts, once for each kind of half that the goal has.

    As in the report, O is that kind, @ the other one or the edge, and X an empty cell.
    """
    board = GAME.board_of(state)
    cells = {divmod(place, board.columns): symbol for place, symbol in enumerate(board.cells)}
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in cells:
            if (row - down, column - right) in cells:
                continue
            symbols = []
            while (row, column) in cells:
                symbols.append(cells[row, column])
                row, column = row + down, column + right
            for kind in {"colour": "RW", "dots": "XO"}[goal]:
                yield "".join("X" if not s else "O" if kind in s else "@" for s in symbols)


def count_situations(state, goal):
    """The situations of `Patterns`, in its order, by looking at every place of every line."""
    length = rule(state.rules, LINE)
    found = dict.fromkeys(Patterns._fields, 0)
    for line in lines_of(state, goal):
        text = f"@{line}@"
        for at in range(1, len(text) - length):
            before, stretch, behind = text[at - 1], text[at : at + length], text[at + length]
            if "@" in stretch:
                continue
            number, blocks = stretch.count("O"), (before + behind).count("@")
            ends_open = stretch[0] == behind == "X"
            found["four"] += number == length
            found["alive_three"] += number == length - 1 and ends_open
            found["dead_three"] += blocks if number == length - 1 else 0
            found["alive_two"] += number == length - 2 and ends_open
            found["dead_two"] += blocks if number == length - 2 else 0
        found["unavailable"] += sum(len(run) < length for run in re.findall(r"(?<=@)O+(?=@)", text))
    if found["dead_three"] > 1:
        found["double_dead_three"] = 1
    elif found["alive_two"] > 1:
        found["double_alive_two"] = 1
    elif found["dead_three"] == found["alive_two"] == 1:
        found["dead_three_and_alive_two"] = 1
    return found


@given(state=positions())
@settings(max_examples=60)
def test_situations_are_those_found_by_looking_at_every_place(state):
    for goal in ("colour", "dots"):
        found = situations(state, goal == "dots")
        assert dict(zip(Patterns._fields, found, strict=True)) == count_situations(state, goal)


@given(state=positions())
@settings(max_examples=40)
def test_patterns_weigh_the_situations_of_the_mover_less_those_of_the_opponent(state):
    goals = ["colour", "dots"]
    if state.made % 2 != rule(state.rules, DOTS_FIRST):
        goals.reverse()
    mine, theirs = (count_situations(state, goal) for goal in goals)
    weights = Patterns()._asdict()
    expected = sum(weights[name] * (mine[name] - theirs[name]) for name in weights)
    assert Patterns().evaluate(state) == expected


def drawn(text, **chosen):
    """A board, possible or not, whose rows from row 6 down are drawn: O red, @ white, X empty.

    All dots are hollow but those of the second column.
    """
    taken = red = filled = 0
    for below, row in enumerate(text.split()):
        for column, letter in enumerate(row):
            cell = 1 << COLUMN * column + 5 - below
            taken |= cell if letter != "X" else 0
            red |= cell if letter == "O" else 0
            filled |= cell if letter != "X" and column == 1 else 0
    sets = {"taken": taken, "red": red, "filled": filled}
    words = {
        f"{name}_{half}": word
        for name, cells in sets.items()
        for half, word in zip(("low", "high"), pair_of(cells), strict=True)
    }
    return GAME.initial(**chosen)._replace(**words)


def colour_situations(state):
    counts = zip(Patterns._fields, situations(state, False), strict=True)
    return {name: count for name, count in counts if count}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("XXXOXXXX", {}),
        ("OOOOOXXX", {"four": 2}),
        ("XXOOOXXX", {"alive_three": 1, "dead_two": 1}),
        ("OOOXXXXX", {"dead_three": 1}),
        ("XXXXOXOO", {"dead_three": 1}),
        ("@OOOXXXX", {"dead_three": 1, "unavailable": 1}),
        ("@OOXOXXX", {"dead_three": 1, "unavailable": 1}),
        ("@OOOX@XX", {"dead_three": 2, "unavailable": 1, "double_dead_three": 1}),
        ("XXOXOXXX", {"alive_two": 1}),
        ("XXOOXXXX", {"alive_two": 2, "dead_two": 1, "double_alive_two": 1}),
        ("@OXOXXXX", {"dead_two": 1, "unavailable": 1}),
        ("@OOO@XXX", {"unavailable": 2}),
        ("XX@OO@XX", {"unavailable": 1}),
        ("XX@O@XXX", {"unavailable": 1}),
    ],
)
def test_a_row_shows_the_situations_of_the_report(row, expected):
    # A white half between the edge and a red one is unavailable as well.
    assert colour_situations(drawn(row)) == expected


def test_a_dead_three_and_an_alive_two_are_a_combination():
    three_and_two = """
        XXXXXXOX
        OOOXXXXX
        XXXXXXOX
    """
    expected = {"dead_three": 1, "alive_two": 1, "dead_three_and_alive_two": 1}
    assert colour_situations(drawn(three_and_two)) == expected


def test_a_side_has_only_the_first_of_its_combinations():
    two_threes_and_two_twos = """
        @OOOX@XO
        XXXXXXXO
    """
    found = colour_situations(drawn(two_threes_and_two_twos))
    assert (found["dead_three"], found["alive_two"]) == (2, 2)
    assert found["double_dead_three"] == 1
    assert not found.keys() & {"double_alive_two", "dead_three_and_alive_two"}


# ------------------------------------------------------------------ danger


def count_danger(state, goal, weights):
    """Danger and goodness of heuristic 2 for a goal, in units of 1 / (line - 1) squared."""
    length = rule(state.rules, LINE)
    danger = good = 0
    for line in lines_of(state, goal):
        for at in range(len(line) - length + 1):
            number = line[at : at + length].count("O")
            if 100 * number > weights.threshold * length:
                danger += weights.danger * (length - 1) * number
                good += weights.good * number**2
    return weights.danger_weight * danger + weights.good_weight * good


@given(state=positions(), threshold=st.sampled_from([0, 30, 50, 100]))
@settings(max_examples=60)
def test_danger_and_goodness_are_those_of_every_stretch(state, threshold):
    weights = Danger(threshold=threshold)
    goals = ["colour", "dots"]
    if state.made % 2 != rule(state.rules, DOTS_FIRST):
        goals.reverse()
    mine, theirs = (count_danger(state, goal, weights) for goal in goals)
    assert weights.evaluate(state) == mine - theirs


def test_three_of_a_stretch_have_danger_100_and_goodness_50_of_the_report():
    state = drawn("OOOX", width=4, height=6, cards=12)  # one stretch, and of dots at most two
    only_threes = Danger(threshold=60)
    report_unit = (4 - 1) ** 2
    assert only_threes._replace(good=0).evaluate(state) == 5 * 100 * report_unit
    assert only_threes._replace(danger=0).evaluate(state) == 7 * 50 * report_unit


# ------------------------------------------------------------------ the report of Huang and Li

TABLE_4 = "0 2 A 1; 0 8 B 1; 0 1 A 3; 0 2 C 1; 0 6 D 1; 0 4 E 1; 0 6 D 3; 0 6 F 1"
TABLE_5 = "0 2 A 1; 0 8 B 1; 0 4 D 1; 0 2 C 1; 0 4 E 1; 0 6 F 1"


@pytest.mark.parametrize(
    ("evaluator", "moves", "goal", "chosen"),
    [
        (Patterns(), "0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1", "dots", ["0 8 D 1"]),
        (Patterns(), TABLE_4[: 9 * 4 - 2], "colour", ["0 6 D 1"]),
        (Patterns(), TABLE_4, "colour", ["0 8 G 1"]),
        (Danger(), TABLE_5[: 9 * 2 - 2], "colour", ["0 6 C 1", "0 4 D 1"]),
        (Danger(), TABLE_5, "colour", ["0 8 G 1"]),
    ],
    ids=["table 2 step 5", "table 4 step 5", "table 4 step 9", "table 5 step 3", "table 5 step 7"],
)
def test_by_the_text_of_the_report_two_plies_ahead(evaluator, moves, goal, chosen):
    values, _ = two_ply(GAME, evaluator, after(moves, first_goal=goal))
    assert best_moves(values) == chosen
