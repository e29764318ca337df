"""The Othello evaluators against the printed tables, loops over squares, and each other.

Every factor is counted a second time on a dictionary of discs, by loops that know no bits. What is
called stable is followed through every continuation of small games and random ones of large.
"""

import math

import numpy as np
import pytest
from evaluation.othello_kernels import ever_turned, turned_in_play, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.bits import U64, ZERO, popcount
from plyground.core.errors import Unsupported
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.othello import Discs, Factors, Mobility, Positional, quadratic_mean
from plyground.evaluation.othello_stability import anchored_discs, exposed_discs, stable_discs
from plyground.evaluation.othello_stages import EARLY, END, LAST, MIDDLE, Stages, stage_of
from plyground.games.catalogue import find_game
from plyground.games.othello import Othello
from plyground.games.rules import count_symmetries, is_over, play, transform
from references.grid import square_cell, square_text
from references.othello import DIRECTIONS, NaiveOthello

GAME = find_game("othello")
SIZES = (4, 6, 8, 10)
NAMES = ("discs", "positional", "mobility", "stages", "factors")
CASES = [(name, size) for size in SIZES for name in NAMES if (name, size) != ("factors", 10)]
BAND = 2**28

# Hernandez, Daza & Florez, section 5.1
POSITIONS = [
    [99, -18, 8, 6, 6, 8, -18, 99],
    [-18, -24, -14, -12, -12, -14, -24, -18],
    [8, -14, 15, 15, 15, 15, -14, 8],
    [6, -12, 15, 10, 10, 15, -12, 6],
    [6, -12, 15, 10, 10, 15, -12, 6],
    [8, -14, 15, 15, 15, 15, -14, 8],
    [-18, -24, -14, -12, -12, -14, -24, -18],
    [99, -18, 8, 6, 6, 8, -18, 99],
]

# Neudeck 2019, section 2.1.4
DISC_EVALUATION = [
    [20, -3, 11, 8, 8, 11, -3, 20],
    [-3, -7, -4, 1, 1, -4, -7, -3],
    [11, -4, 2, 2, 2, 2, -4, 11],
    [8, 1, 2, -3, -3, 2, 1, 8],
    [8, 1, 2, -3, -3, 2, 1, 8],
    [11, -4, 2, 2, 2, 2, -4, 11],
    [-3, -7, -4, 1, 1, -4, -7, -3],
    [20, -3, 11, 8, 8, 11, -3, 20],
]

# Neudeck 2019, section 2.2: score, mobility, stability, disc evaluation, frontier
STAGE_WEIGHTS = {
    "early game": [1, 8, 20, 7, 3],
    "middle game": [3, 2, 10, 4, 3],
    "end game": [7, 10, 2, 1, 2],
    "last moves": [10, 2, 0, 0, 0],
}

# ------------------------------------------------------------------ positions


def position(text, size=8):
    """A position from a drawing, X to move; rows that are not drawn are empty."""
    drawing = "".join(text.split())
    return GAME.parse_position(GAME.initial(size=size), drawing.ljust(size**2, "-") + " X")


def naive_of(state):
    """The same position as the reference has it."""
    text = GAME.format_position(state)
    size = math.isqrt(len(text) - 2)
    naive = NaiveOthello(size)
    naive.mover = "XO".index(text[-1])
    naive.discs = {
        (place % size, place // size): "XO".index(symbol)
        for place, symbol in enumerate(text[: size**2])
        if symbol != "-"
    }
    return naive


@st.composite
def diagrams(draw, size):
    """Positions that no game need reach, from sparse to full."""
    symbols = draw(st.sampled_from(["-XO", "XO", "-XXXO", "-XOOO", "----XO", "XXXXO"]))
    cells = draw(st.lists(st.sampled_from(symbols), min_size=size**2, max_size=size**2))
    return GAME.parse_position(GAME.initial(size=size), "".join(cells) + " X")


@st.composite
def reached(draw, size):
    """Positions of games, by choices as long as they last."""
    state = GAME.initial(size=size)
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=size**2)):
        if is_over(state):
            break
        legal = GAME.legal(state)
        state = play(state, legal[choice % len(legal)])
    return state


@st.composite
def nearly_full(draw, size):
    """Positions with few empty squares, so that every continuation can be played."""
    symbols = draw(st.sampled_from(["XO", "XXXO", "XOOO"]))
    cells = draw(st.lists(st.sampled_from(symbols), min_size=size**2, max_size=size**2))
    for hole in draw(st.lists(st.integers(0, size**2 - 1), max_size=7)):
        cells[hole] = "-"
    return GAME.parse_position(GAME.initial(size=size), "".join(cells) + " X")


def positions(*sizes):
    kinds = (diagrams, nearly_full, reached)
    return st.sampled_from(sizes).flatmap(lambda size: st.one_of(kind(size) for kind in kinds))


def random_game(size, seed):
    """Every position of one random game."""
    generator, state = np.random.default_rng(seed), GAME.initial(size=size)
    game = [state]
    while not is_over(state):
        state = play(state, int(generator.choice(GAME.legal(state))))
        game.append(state)
    return game


def swapped(state):
    """The same board with the two sides exchanged, and still the same side to move."""
    if isinstance(state, Othello):
        return Othello(state.opp, state.me, state.cells, state.side)
    return type(state)(state.opp_low, state.opp_high, state.me_low, state.me_high, state.side)


def evaluator_for(name, state):
    return find_evaluator(name, state).make()


def values_of(name, state, evaluator=None):
    """The factors of an evaluation by name: value and weight."""
    spec = find_evaluator(name, state)
    factors = spec.factors(evaluator or spec.make(), state)
    return {factor.name: (factor.value, factor.weight) for factor in factors}


# ------------------------------------------------------------------ the factors, by loops


class Loops:
    """One position, counted by loops over its squares; the mover's numbers less the other's."""

    def __init__(self, state):
        self.naive = naive_of(state)
        self.size, self.discs = self.naive.size, self.naive.discs
        self.me, self.opp = self.naive.mover, 1 - self.naive.mover
        self.board = [(x, y) for y in range(self.size) for x in range(self.size)]

    def balance(self, count):
        return count(self.me) - count(self.opp)

    def of(self, player):
        return [cell for cell in self.board if self.discs.get(cell) == player]

    def moves(self, player):
        twin = self.naive.copy()
        twin.mover = player
        return [square_cell(text) for text in twin.legal() if text != "pass"]

    def around(self, cell):
        near = [(cell[0] + x, cell[1] + y) for x, y in DIRECTIONS]
        return [other for other in near if other in self.board]

    def potential(self, player):
        empty = [cell for cell in self.board if cell not in self.discs]
        return [e for e in empty if any(self.discs.get(n) == 1 - player for n in self.around(e))]

    def is_corner(self, cell):
        return all(line in (0, self.size - 1) for line in cell)

    def is_edge(self, cell):
        return any(line in (0, self.size - 1) for line in cell)

    def frontier(self, player):
        inner = [cell for cell in self.of(player) if not self.is_edge(cell)]
        return [cell for cell in inner if any(n not in self.discs for n in self.around(cell))]

    def worth(self, table, cell):
        column, row = [min(line, self.size - 1 - line, 3) for line in cell]
        return table[row][column]

    def line(self, cell, right, down):
        span = range(-self.size, self.size)
        line = [(cell[0] + i * right, cell[1] + i * down) for i in span]
        return [other for other in line if other in self.board]

    def stable(self, player, full_lines=True):
        """The rule as it is spoken, one disc at a time until no more is found."""
        stable, before = set(), None
        while stable != before:
            before = set(stable)
            for cell in self.of(player):
                if all(self._is_safe(cell, axis, before, full_lines) for axis in AXES):
                    stable.add(cell)
        return stable

    def _is_safe(self, cell, axis, stable, full_lines):
        right, down = axis
        ends = [(cell[0] + right, cell[1] + down), (cell[0] - right, cell[1] - down)]
        if any(end not in self.board or end in stable for end in ends):
            return True
        return full_lines and all(other in self.discs for other in self.line(cell, right, down))

    def unstable(self, player):
        """The discs that some move of the other player turns, by playing every one."""
        turned = set()
        for move in self.moves(1 - player):
            twin = self.naive.copy()
            twin.mover = 1 - player
            twin.play(square_text(move))
            turned |= {cell for cell in self.of(player) if twin.discs[cell] != player}
        return turned

    def semi_stable(self, player):
        return set(self.of(player)) - self.stable(player) - self.unstable(player)

    def between(self, player):
        """For each disc of the other player, the discs on the way to the next of the player."""
        total = 0
        for cell in self.of(1 - player):
            for right, down in DIRECTIONS:
                steps = 1
                while (
                    self.discs.get((cell[0] + steps * right, cell[1] + steps * down)) == 1 - player
                ):
                    steps += 1
                if self.discs.get((cell[0] + steps * right, cell[1] + steps * down)) == player:
                    total += steps - 1
        return total

    def won(self):
        difference = self.balance(lambda player: len(self.of(player)))
        return (difference > 0) - (difference < 0) if self.naive.over() else 0

    def values(self):
        """The factors of the first study, in its order, all but the parity."""
        counts = [
            lambda player: len(self.of(player)),
            lambda player: len(self.moves(player)),
            lambda player: len(self.potential(player)),
            lambda player: sum(self.worth(POSITIONS, cell) for cell in self.of(player)),
            lambda player: len(self.stable(player)),
            lambda player: len(self.semi_stable(player)),
            lambda player: len(self.unstable(player)),
            lambda player: self.won() if player == self.me else 0,
            lambda player: sum(map(self.is_corner, self.moves(player))),
            lambda player: sum(
                self.is_edge(m) and not self.is_corner(m) for m in self.moves(player)
            ),
            self.between,
        ]
        return [self.balance(count) for count in counts]

    def heuristics(self):
        """The heuristics of the second study, in its order."""
        counts = [
            lambda player: len(self.of(player)),
            lambda player: len(self.moves(player)),
            lambda player: len(self.stable(player, full_lines=False)),
            lambda player: sum(self.worth(DISC_EVALUATION, cell) for cell in self.of(player)),
            lambda player: -len(self.frontier(player)),
        ]
        return [self.balance(count) for count in counts]

    def stage(self):
        """How far the game is, in words of the study: thirds of it, and its last five steps."""
        steps, placed = self.size**2 - 4, len(self.discs) - 4
        if steps - placed <= 5:
            return "last moves"
        if placed < steps / 3:
            return "early game"
        return "middle game" if placed < 2 * steps / 3 else "end game"


AXES = ((1, 0), (0, 1), (1, 1), (1, -1))


def naive_parity(weights, values):
    """Equation 1 of the first study, for the one side and for the other."""
    in_use = [weight for weight in weights if weight]

    def mean(sign):
        squares = [w * w for w, v in zip(weights, values, strict=True) if sign * w * v > 0]
        return math.isqrt(sum(squares) // len(in_use)) if in_use else 0

    return mean(1) - mean(-1)


# ------------------------------------------------------------------ printed numbers


def alone(square, size=8):
    """A board with one disc, mine."""
    return position("-" * square + "X", size)


@pytest.mark.parametrize("square", range(64))
def test_the_first_study_s_table_is_the_printed_one_square_by_square(square):
    printed = POSITIONS[square // 8][square % 8]
    assert Positional().evaluate(alone(square)) == printed
    assert values_of("factors", alone(square))["worth of squares"] == (printed, 1)


@pytest.mark.parametrize("square", range(64))
def test_the_second_study_s_table_is_the_printed_one_square_by_square(square):
    value = values_of("stages", alone(square))["disc evaluation, early game"]
    assert value == (DISC_EVALUATION[square // 8][square % 8], 7)


def test_the_second_study_s_table_has_the_range_that_the_study_tells():
    assert sum(abs(worth) for row in DISC_EVALUATION for worth in row) == 360


@pytest.mark.parametrize(
    ("discs", "stage"),
    [
        (4, "early game"),
        (23, "early game"),
        (24, "middle game"),
        (43, "middle game"),
        (44, "end game"),
        (58, "end game"),
        (59, "last moves"),
        (64, "last moves"),
    ],
)
def test_each_stage_has_its_printed_weights(discs, stage):
    factors = values_of("stages", position("X" * discs))
    names = ("score", "mobility", "stability", "disc evaluation", "frontier")
    assert list(factors) == [f"{name}, {stage}" for name in names]
    assert [weight for _, weight in factors.values()] == STAGE_WEIGHTS[stage]


@pytest.mark.parametrize(
    ("squares", "first_discs"),
    [
        (100, {MIDDLE: 36, END: 68, LAST: 95}),
        (64, {MIDDLE: 24, END: 44, LAST: 59}),
        (36, {MIDDLE: 15, END: 26, LAST: 31}),
        (16, {MIDDLE: 8, LAST: 11}),
    ],
)
def test_a_stage_begins_at_a_third_of_the_game_and_the_last_at_five_empty_squares(
    squares, first_discs
):
    stages = [stage_of(discs, squares) for discs in range(squares + 1)]
    assert stages == sorted(stages)
    assert {stage: stages.index(stage) for stage in stages} == {EARLY: 0, **first_discs}


@pytest.mark.parametrize(
    ("name", "table"), [("positional", POSITIONS), ("stages", DISC_EVALUATION)]
)
@pytest.mark.parametrize("size", [4, 6, 10])
def test_on_other_boards_a_square_is_worth_what_its_distances_to_the_edges_are_on_8x8(
    name, table, size
):
    for square in range(size**2):
        state = alone(square, size)
        row, column = (min(line, size - 1 - line, 3) for line in divmod(square, size))
        if name == "positional":
            assert evaluator_for(name, state).evaluate(state) == table[row][column]
        else:
            assert values_of(name, state)["disc evaluation, early game"][0] == table[row][column]


# ------------------------------------------------------------------ hand-made positions


def test_at_the_start_every_balance_is_zero():
    for name, size in CASES:
        state = GAME.initial(size=size)
        assert {value for value, _ in values_of(name, state).values()} == {0}
        assert evaluator_for(name, state).evaluate(state) == 0


def test_after_f5_white_has_one_disc_and_three_moves_against_four_discs_and_three_moves():
    start = GAME.initial()
    state = GAME.replay(start, GAME.parse_moves(start, "f5"))
    values = values_of("factors", state)
    assert values["disc difference"][0] == 1 - 4
    assert values["legal moves"][0] == 3 - 3
    assert values["potential moves"][0] == 13 - 5  # around d5, e4, e5, f5; around d4
    assert values["worth of squares"][0] == 10 - (15 + 3 * 10)
    assert values["unstable discs"][0] == 1 - 3  # d4; d5, e4 and e5, by d6, f4 and f6
    assert values["semi-stable discs"][0] == 0 - 1  # f5
    assert values["discs in between"][0] == 0


def test_an_anchored_disc_leans_on_a_corner_and_an_edge_disc_alone_is_not_stable():
    state = position("XXX-XO-- X-------")
    assert anchored_discs(state.me, state.cells) == U64(0b1_0000_0111)
    assert anchored_discs(state.opp, state.cells) == ZERO
    assert stable_discs(state.me, state.opp, state.cells) == U64(0b1_0000_0111)


STUDY_EXAMPLE = """
    OOXO----
    OXO-----
    OOO-----
    XOO-----
    OX------
    -X------
    -X------
    OO------
"""


def test_the_second_study_s_example_b3_is_stable_by_full_lines_and_not_by_corners():
    state = position(STUDY_EXAMPLE)
    b3 = U64(1) << U64(17)
    assert stable_discs(state.opp, state.me, state.cells) & b3
    assert not anchored_discs(state.opp, state.cells) & b3


def test_on_a_full_board_every_disc_is_stable_whatever_its_colour():
    state = position("XO" * 32)
    assert stable_discs(state.me, state.opp, state.cells) == state.me
    assert stable_discs(state.opp, state.me, state.cells) == state.opp


def test_frontier_discs_touch_an_empty_square_and_do_not_lie_on_the_edge():
    state = position("XXX----- XXX----- XXX----- --------")
    assert values_of("stages", state)["frontier, early game"][0] == -3  # c2, b3, c3; not c1, a3
    assert values_of("stages", swapped(state))["frontier, early game"][0] == 3


def test_discs_in_between_are_counted_for_each_disc_of_the_opponent_along_unbroken_lines():
    assert values_of("factors", position("XOOOO---"))["discs in between"][0] == 0 + 1 + 2 + 3
    assert values_of("factors", position("X-OOO---"))["discs in between"][0] == 0
    assert values_of("factors", position("XOOO-X--"))["discs in between"][0] == 0 + 1 + 2
    assert values_of("factors", position("XOOX----"))["discs in between"][0] == (0 + 1) * 2
    assert values_of("factors", position("OXXXXXXX"))["discs in between"][0] == -sum(range(7))


def test_moves_to_corners_and_to_other_edge_squares_are_counted_apart():
    values = values_of("factors", position("-OOX----"))
    assert values["legal moves"][0] == 1 - 1  # a1; e1
    assert values["moves to corners"][0] == 1
    assert values["moves to edges"][0] == -1


def test_a_finished_game_is_won_lost_or_drawn():
    for drawing, won in (("X" * 64, 1), ("O" * 64, -1), ("X" * 32 + "O" * 32, 0), ("X", 1)):
        assert values_of("factors", position(drawing))["won game"] == (won, 10_000)
    assert values_of("factors", GAME.initial())["won game"] == (0, 10_000)


def test_the_parity_is_the_quadratic_mean_of_the_weights_in_use_rounded_down():
    nothing = Factors(*[0] * len(Factors._fields))
    weights = nothing._replace(discs=3, mobility=4, won=5)
    values = (1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    assert quadratic_mean(weights, values, 1) == 2  # sqrt((9 + 16) / 3) = 2.88
    assert quadratic_mean(weights, values, -1) == 0
    assert quadratic_mean(weights._replace(won=0), values, 1) == 3  # sqrt(25 / 2) = 3.53
    assert quadratic_mean(weights._replace(discs=-3), values, -1) == 1  # sqrt(9 / 3) = 1.73
    assert quadratic_mean(nothing, values, 1) == 0


# ------------------------------------------------------------------ against the loops

WEIGHT = st.integers(-50, 50) | st.just(0)
FACTOR_WEIGHTS = st.lists(WEIGHT, min_size=12, max_size=12)


@settings(max_examples=150)
@given(state=positions(4, 6, 8), weights=FACTOR_WEIGHTS)
def test_factors_are_what_loops_count_and_their_sum_is_the_value_with_any_weights(state, weights):
    evaluator = Factors(*Factors()[:10], *weights)
    values = Loops(state).values()
    values.append(naive_parity(weights[:-1], values))
    assert [value for value, _ in values_of("factors", state, evaluator).values()] == values
    assert evaluator.evaluate(state) == sum(np.multiply(values, weights))


@settings(max_examples=150)
@given(state=positions(*SIZES))
def test_stages_are_what_loops_count_by_the_printed_weights_of_the_stage(state):
    loops = Loops(state)
    expected = np.dot(loops.heuristics(), STAGE_WEIGHTS[loops.stage()])
    assert evaluator_for("stages", state).evaluate(state) == expected


@settings(max_examples=150)
@given(state=positions(*SIZES))
def test_discs_positional_and_mobility_are_what_loops_count(state):
    loops = Loops(state)
    discs, moves, potential, worth = (
        loops.balance(lambda player: len(loops.of(player))),
        loops.balance(lambda player: len(loops.moves(player))),
        loops.balance(lambda player: len(loops.potential(player))),
        loops.balance(lambda player: sum(loops.worth(POSITIONS, c) for c in loops.of(player))),
    )
    corners = loops.balance(lambda player: sum(map(loops.is_corner, loops.of(player))))
    assert evaluator_for("discs", state).evaluate(state) == discs
    assert evaluator_for("positional", state).evaluate(state) == worth
    mobility = evaluator_for("mobility", state)
    assert mobility.evaluate(state) == np.dot((moves, potential, corners), mobility)


# ------------------------------------------------------------------ among themselves


def own_evaluators(state):
    """Those whose weights are their fields; files of weights have tests of their own."""
    return [spec for spec in suitable(state) if spec.games and not spec.version]


@pytest.mark.parametrize(("name", "size"), CASES)
def test_machine_code_and_plain_python_give_the_same_value_all_through_random_games(name, size):
    for seed in range(3):
        for state in random_game(size, seed):
            evaluator = evaluator_for(name, state)
            value = value_of(evaluator, state)
            assert type(value) is int
            assert value == evaluator.evaluate(state)


@settings(max_examples=100)
@given(state=positions(*SIZES))
def test_machine_code_and_plain_python_give_the_same_value_on_any_diagram(state):
    for spec in own_evaluators(state):
        evaluator = spec.make()
        assert value_of(evaluator, state) == evaluator.evaluate(state)


@settings(max_examples=100)
@given(state=positions(*SIZES))
def test_every_value_changes_its_sign_when_the_sides_are_exchanged(state):
    for spec in own_evaluators(state):
        evaluator = spec.make()
        assert value_of(evaluator, swapped(state)) == -value_of(evaluator, state)


@settings(max_examples=100)
@given(state=positions(*SIZES))
def test_no_value_changes_when_the_board_is_turned_or_mirrored(state):
    for spec in own_evaluators(state):
        evaluator = spec.make()
        images = [transform(state, symmetry) for symmetry in range(count_symmetries(state))]
        assert {value_of(evaluator, image) for image in images} == {value_of(evaluator, state)}


@settings(max_examples=100)
@given(state=positions(*SIZES))
def test_the_shares_of_the_factors_add_up_to_the_value_exactly(state):
    for spec in own_evaluators(state):
        if spec.factors is not None:
            evaluator = spec.make()
            shares = [factor.share for factor in spec.factors(evaluator, state)]
            assert sum(shares) == evaluator.evaluate(state)


@settings(max_examples=100)
@given(state=positions(*SIZES))
def test_every_value_stays_well_inside_the_band_of_guesses(state):
    for spec in own_evaluators(state):
        assert abs(value_of(spec.make(), state)) < BAND // 1000


@pytest.mark.parametrize(("name", "size"), CASES)
def test_a_weight_of_0_removes_its_share_and_nothing_else(name, size):
    removable = 0
    for state in random_game(size, seed=5)[::6]:
        spec = find_evaluator(name, state)
        evaluator = spec.make()
        if name == "factors":
            evaluator = evaluator._replace(parity=0, semi_stable=1)  # it depends on all others
        for field in evaluator._fields:
            without = evaluator._replace(**{field: 0})
            before, after = spec.factors(evaluator, state), spec.factors(without, state)
            lost = sum(factor.share for factor in before) - sum(factor.share for factor in after)
            assert without.evaluate(state) == evaluator.evaluate(state) - lost
            changed = [a for a, b in zip(before, after, strict=True) if a.share != b.share]
            assert len(changed) <= 1
            removable += bool(lost)
    assert removable


def test_the_evaluators_of_othello_are_found_by_name_on_every_board():
    for name, size in CASES:
        spec = find_evaluator(name, GAME.initial(size=size))
        assert (spec.name, spec.is_default) == (name, name == "factors")
    for size in SIZES:
        usual = "stages" if size == 10 else "factors"  # which has no form for two words a side
        assert find_evaluator(None, GAME.initial(size=size)).name == usual


def test_factors_do_not_judge_10x10():
    with pytest.raises(Unsupported, match="evaluator factors judges another game"):
        find_evaluator("factors", GAME.initial(size=10))


def test_weights_on_10x10_are_those_of_the_smaller_boards():
    for name, cls in (("discs", Discs), ("positional", Positional), ("mobility", Mobility)):
        assert evaluator_for(name, GAME.initial(size=10)) == cls()
    assert evaluator_for("stages", GAME.initial(size=10)) == Stages()


# ------------------------------------------------------------------ what is called stable


MOVES = np.zeros(4000, np.int32)


def stable_of_both(state):
    return (
        stable_discs(state.me, state.opp, state.cells),
        stable_discs(state.opp, state.me, state.cells),
    )


@settings(max_examples=300)
@given(state=st.sampled_from((4, 6, 8)).flatmap(nearly_full))
def test_no_continuation_whatever_turns_a_disc_that_is_called_stable(state):
    stable, their_stable = stable_of_both(state)
    mine, theirs = ever_turned(state, MOVES, 0)
    assert (stable & mine, their_stable & theirs) == (ZERO, ZERO)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_no_random_game_turns_a_disc_that_is_called_stable(size):
    generator, found = np.array([size], np.uint64), 0
    for seed in range(6):
        for state in random_game(size, seed):
            stable, their_stable = stable_of_both(state)
            mine, theirs = turned_in_play(state, 100, generator, MOVES)
            assert (stable & mine, their_stable & theirs) == (ZERO, ZERO)
            found += popcount(stable | their_stable)
    assert found


def test_random_games_do_turn_discs_that_are_not_stable():
    state = random_game(8, seed=1)[20]
    mine, theirs = turned_in_play(state, 1000, np.array([1], np.uint64), MOVES)
    assert mine | theirs == state.me | state.opp


@settings(max_examples=150)
@given(state=positions(4, 6, 8))
def test_anchored_discs_are_stable_and_stable_discs_are_not_exposed(state):
    me, opp, cells = state.me, state.opp, state.cells
    anchored, stable = anchored_discs(me, cells), stable_discs(me, opp, cells)
    assert (anchored & ~stable, stable & ~me) == (ZERO, ZERO)
    assert stable & exposed_discs(me, opp, cells) == ZERO


@settings(max_examples=100)
@given(state=reached(8))
def test_what_is_stable_stays_stable_after_any_move(state):
    stable, their_stable = stable_of_both(state)
    for move in GAME.legal(state) if not is_over(state) else []:
        now_theirs, now_mine = stable_of_both(play(state, move))
        assert (stable & ~now_mine, their_stable & ~now_theirs) == (ZERO, ZERO)
