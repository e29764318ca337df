"""The Connect Four evaluators against a look at every segment and every cell of the board."""

from itertools import product

import pytest
from evaluation.positions import random_state, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.scores import WIN
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.connect_four import (
    Columns,
    Segments,
    Threats,
    Windows,
    open_segments,
    threat_value,
    winning_cells,
)
from plyground.games.connect_four import GAME
from plyground.games.rules import count_symmetries, transform

NAMES = ("segments", "windows", "threats", "columns")
SHAPES = (
    {},
    {"width": 8, "height": 7},
    {"width": 5, "height": 4, "connect": 3},
    {"width": 9, "height": 6, "connect": 5},
    {"width": 4, "height": 9, "connect": 2},
    {"width": 6, "height": 9, "connect": 6},
    {"width": 32, "height": 1, "connect": 4},
    {"width": 2, "height": 31, "connect": 4},
)


@st.composite
def positions(draw):
    """A position of a random game, at any stage, on boards of many shapes."""
    plies, seed = draw(st.integers(0, 63)), draw(st.integers(0, 2**32))
    return random_state(GAME, plies, seed, **draw(st.sampled_from(SHAPES)))


# ------------------------------------------------------------------ looking at the board


class Look:
    """A position as a dictionary of cells, (column, row) with row 0 at the bottom."""

    def __init__(self, state):
        board = GAME.board_of(state)
        self.width, self.height, self.connect = board.columns, board.rows, state.connect
        self.cells = {
            (place % board.columns, board.rows - 1 - place // board.columns): owner
            for place, owner in enumerate(board.cells)
        }
        players = ["first", "second"]
        if sum(owner != "" for owner in self.cells.values()) % 2:
            players.reverse()
        self.mover, self.opponent = players

    def segments(self):
        """Every segment, as the list of its cells."""
        for (column, row), (right, up) in product(self.cells, ((1, 0), (0, 1), (1, 1), (1, -1))):
            segment = [(column + n * right, row + n * up) for n in range(self.connect)]
            if all(cell in self.cells for cell in segment):
                yield segment

    def open_with(self, player, number):
        """The segments with so many stones of a player (3: or more) and none of the other."""
        found = 0
        for segment in self.segments():
            owners = [self.cells[cell] for cell in segment]
            mine, all_stones = owners.count(player), sum(owner != "" for owner in owners)
            found += mine == all_stones and min(mine, 3) == number
        return found

    def threats(self, player):
        """The empty cells that would complete a line of a player."""
        found = set()
        for segment in self.segments():
            empty = [cell for cell in segment if not self.cells[cell]]
            if len(empty) == 1 and all(self.cells[cell] in ("", player) for cell in segment):
                found |= set(empty)
        return found

    def is_playable(self, cell):
        column, row = cell
        return row == 0 or self.cells[column, row - 1] != ""

    def balance(self, worth):
        """The worth of the mover's stones, by their cells, less that of the opponent's."""
        signs = {self.mover: 1, self.opponent: -1, "": 0}
        return sum(signs[owner] * worth(cell) for cell, owner in self.cells.items())

    def centre(self):
        middle = {(self.width - 1) // 2, self.width // 2}
        return self.balance(lambda cell: cell[0] in middle)

    def open_balance(self, number):
        return self.open_with(self.mover, number) - self.open_with(self.opponent, number)


def threat_sum(look, player, weights):
    own_parity = 0 if player == "first" else 1  # rows 1, 3, 5 have even numbers from 0
    total = 0
    for cell in look.threats(player):
        total += weights.threat
        total += weights.own_parity if cell[1] % 2 == own_parity else 0
        total += weights.playable if look.is_playable(cell) else 0
    return total


def expected_value(evaluator, look):
    """What the evaluator's description says, by loops over segments and cells."""
    match evaluator:
        case Segments(one, two, three):
            return (
                one * look.open_balance(1)
                + two * look.open_balance(2)
                + three * look.open_balance(3)
            )
        case Windows(centre, two, three):
            value = two * look.open_balance(2) + three * look.open_balance(3)
            return value + centre * look.centre()
        case Threats():
            value = evaluator.two * look.open_balance(2) + evaluator.centre * look.centre()
            mine, theirs = (
                threat_sum(look, player, evaluator) for player in (look.mover, look.opponent)
            )
            return value + mine - theirs
        case Columns(weight):
            return weight * look.balance(lambda cell: min(cell[0], look.width - 1 - cell[0]))
    raise AssertionError(evaluator)


# ------------------------------------------------------------------ all four


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_the_value_is_what_a_look_at_the_board_gives(name, state):
    evaluator = find_evaluator(name, state).make()
    assert evaluator.evaluate(state) == expected_value(evaluator, Look(state))
    primes = type(evaluator)(*(2, 3, 5, 7, 11)[: len(evaluator)])
    assert primes.evaluate(state) == expected_value(primes, Look(state))


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_plain_python_and_machine_code_agree(name, state):
    evaluator = find_evaluator(name, state).make()
    assert value_of(evaluator, state) == evaluator.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=40)
def test_the_factors_add_up_to_the_value(name, state):
    spec = find_evaluator(name, state)
    evaluator = spec.make()
    assert spec.factors is not None
    assert sum(factor.share for factor in spec.factors(evaluator, state)) == evaluator.evaluate(
        state
    )


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=40)
def test_mirrored_positions_have_equal_values(name, state):
    evaluator = find_evaluator(name, state).make()
    images = [transform(state, symmetry) for symmetry in range(count_symmetries(state))]
    assert {evaluator.evaluate(image) for image in images} == {evaluator.evaluate(state)}


@pytest.mark.parametrize("name", ["segments", "windows", "columns"])
@given(state=positions())
@settings(max_examples=40)
def test_with_the_stones_exchanged_the_value_changes_sign(name, state):
    # Not so for threats: whose rows are whose depends on who began.
    evaluator = find_evaluator(name, state).make()
    exchanged = state._replace(me=state.stones ^ state.me)
    assert evaluator.evaluate(exchanged) == -evaluator.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=40)
def test_values_stay_far_below_a_win(name, state):
    assert abs(value_of(find_evaluator(name, state).make(), state)) < WIN // 2


@pytest.mark.parametrize("name", NAMES)
def test_the_empty_board_is_worth_nothing(name):
    state = GAME.initial()
    assert value_of(find_evaluator(name, state).make(), state) == 0


def test_threats_is_the_one_default():
    defaults = [spec.name for spec in suitable(GAME.initial()) if spec.is_default]
    assert defaults == ["threats"]


# ------------------------------------------------------------------ drawn positions


def after(moves, **chosen):
    start = GAME.initial(**chosen)
    return GAME.replay(start, GAME.parse_moves(start, moves))


def test_the_board_of_seven_by_six_has_69_segments():
    assert len(list(Look(GAME.initial()).segments())) == 69


@pytest.mark.parametrize(
    ("column", "segments"), [(1, 3), (2, 4), (3, 5), (4, 7), (5, 5), (6, 4), (7, 3)]
)
def test_the_first_stone_lies_in_as_many_segments_as_its_cell(column, segments):
    state = after(str(column))
    assert open_segments(state, False) == (segments, 0, 0)
    assert Segments().evaluate(state) == -segments


@pytest.mark.parametrize(
    ("column", "distance"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 2), (6, 1), (7, 0)]
)
def test_columns_gives_a_stone_its_distance_from_the_edge(column, distance):
    assert Columns().evaluate(after(str(column))) == -distance


def test_three_in_a_row_on_the_ground_threaten_the_cells_at_both_ends():
    #  . . O O O . .     X, to move, threatens b1 and f1, O the cells above them
    #  . . X X X . .
    state = after("334455")
    cells = winning_cells(state.me, state)
    assert [index for index in range(49) if int(cells) >> index & 1] == [7, 35]
    ones = Threats(centre=0, two=0, threat=1, own_parity=0, playable=0)
    assert ones.evaluate(state) == 2 - 2
    assert ones._replace(threat=0, own_parity=1).evaluate(state) == 2 - 2
    assert ones._replace(threat=0, playable=1).evaluate(state) == 2 - 0


def test_odd_rows_belong_to_the_first_player_and_even_ones_to_the_second():
    #  X X X . . . .     X threatens d3, on an odd row;
    #  O O O . . . X     O, to move, threatens d2, on an even one
    #  X X O . . . O
    state = after("11172223733")
    first, second = state.stones ^ state.me, state.me
    parity = Threats(centre=0, two=0, threat=0, own_parity=1, playable=0)
    assert [threat_value(parity, state, first, is_first) for is_first in (True, False)] == [1, 0]
    assert [threat_value(parity, state, second, is_first) for is_first in (True, False)] == [0, 1]
