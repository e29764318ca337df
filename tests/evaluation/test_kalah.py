"""The Kalah evaluators against sowing by hand, seed by seed."""

import pytest
from evaluation.positions import random_state, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.scores import WIN
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.kalah import Rich, Stores, chances
from plyground.games.kalah import GAME
from plyground.games.rules import is_over, outcome

NAMES = ("stores", "rich")
SHAPES = (
    {},
    {"captures": False},
    {"pits": 4, "seeds": 3},
    {"pits": 7, "seeds": 18},
    {"pits": 2, "seeds": 9},
    {"pits": 1, "seeds": 12},
)


@st.composite
def positions(draw):
    """A position of a random game, at any stage, on boards of many shapes."""
    plies, seed = draw(st.integers(0, 50)), draw(st.integers(0, 2**32))
    return random_state(GAME, plies, seed, **draw(st.sampled_from(SHAPES)))


def rows(state):
    """The mover's pits and store, and the opponent's."""
    numbers = [
        int(number)
        for number in GAME.format_position(state).split()[0].replace("/", ",").split(",")
    ]
    first, second = numbers[: state.pits + 1], numbers[state.pits + 1 :]
    return (second, first) if state.side else (first, second)


def earned(own, other, captures):
    """What one side's moves could earn: how many extra turns, and the most seeds captured."""
    pits = len(own) - 1
    turns, most = 0, 0
    for pit in range(pits):
        mine, theirs = list(own), list(other)
        hand, mine[pit] = mine[pit], 0
        track = [(mine, place) for place in range(pits + 1)]
        track += [(theirs, place) for place in range(pits)]
        last = None
        for step in range(1, hand + 1):
            last = row, place = track[(pit + step) % len(track)]
            row[place] += 1
        if last is None:
            continue
        row, place = last
        if row is mine and place == pits:
            turns += 1
        elif row is mine and captures and mine[place] == 1:
            most = max(most, theirs[pits - 1 - place])
    return turns, most


# ------------------------------------------------------------------ both


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_plain_python_and_machine_code_agree(name, state):
    evaluator = find_evaluator(name, state).make()
    other_weights = type(evaluator)(*(7 * weight + 3 for weight in evaluator))
    assert value_of(evaluator, state) == evaluator.evaluate(state)
    assert value_of(other_weights, state) == other_weights.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_the_factors_add_up_to_the_value(name, state):
    spec = find_evaluator(name, state)
    evaluator = spec.make()
    assert spec.factors is not None
    assert sum(factor.share for factor in spec.factors(evaluator, state)) == evaluator.evaluate(
        state
    )


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_with_the_rows_exchanged_the_value_changes_sign(name, state):
    evaluator = find_evaluator(name, state).make()
    exchanged = state._replace(me=state.opp, opp=state.me)
    assert evaluator.evaluate(exchanged) == -evaluator.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_it_does_not_matter_whether_the_mover_is_first_or_second(name, state):
    evaluator = find_evaluator(name, state).make()
    assert evaluator.evaluate(state._replace(side=1 - state.side)) == evaluator.evaluate(state)


@pytest.mark.parametrize("name", NAMES)
@given(state=positions())
@settings(max_examples=60)
def test_values_stay_far_below_a_win(name, state):
    assert abs(value_of(find_evaluator(name, state).make(), state)) < WIN // 2


def test_rich_is_the_one_default():
    defaults = [spec.name for spec in suitable(GAME.initial()) if spec.is_default]
    assert defaults == ["rich"]


# ------------------------------------------------------------------ each


@given(state=positions())
@settings(max_examples=60)
def test_stores_is_the_difference_of_the_stores(state):
    mine, theirs = rows(state)
    assert Stores().evaluate(state) == mine[-1] - theirs[-1]


@given(seed=st.integers(0, 2**32), shape=st.sampled_from(SHAPES))
@settings(max_examples=40)
def test_stores_is_the_score_of_a_finished_game(seed, shape):
    state = random_state(GAME, 1000, seed, **shape)
    assert is_over(state)
    assert Stores().evaluate(state) == outcome(state)
    assert Rich().evaluate(state) == Rich().store * outcome(state)


@given(state=positions())
@settings(max_examples=150)
def test_rich_counts_what_sowing_by_hand_earns(state):
    mine, theirs = rows(state)
    turns, capture = earned(mine, theirs, state.captures)
    their_turns, their_capture = earned(theirs, mine, state.captures)
    weights = Rich(store=1000, seed=100, extra_turn=10, capture=1)
    expected = 1000 * (mine[-1] - theirs[-1]) + 100 * (sum(mine[:-1]) - sum(theirs[:-1]))
    expected += 10 * (turns - their_turns) + capture - their_capture
    assert weights.evaluate(state) == expected


@pytest.mark.parametrize(
    ("position", "extra_turns", "captured"),
    [
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 first", 1, 0),
        ("6,5,4,3,2,1,0/4,4,4,4,4,4,0 first", 6, 0),
        ("1,0,0,0,0,1,0/4,4,4,4,9,4,0 first", 1, 9),  # the first pit into the second
        ("1,0,0,0,0,1,0/4,4,4,4,0,4,0 first", 1, 0),  # nothing opposite
        ("13,1,1,1,1,1,0/4,4,4,4,4,4,0 first", 1, 5),  # a whole round, and a seed left opposite
        ("0,0,0,0,0,9,0/3,0,0,0,0,0,0 first", 0, 1),  # round into an empty pit
        ("0,0,0,0,0,14,0/3,0,0,0,0,0,0 first", 1, 0),  # more than a round, to the store
        ("0,0,0,0,15,1,0/3,0,0,0,0,0,0 first", 2, 0),
        ("0,0,0,0,0,15,0/3,0,0,0,0,0,0 first", 0, 0),  # more than a round captures nothing
    ],
)
def test_chances_of_a_drawn_position(position, extra_turns, captured):
    state = GAME.parse_position(GAME.initial(), position)
    assert chances(state.me, state.opp, 6, 1) == (extra_turns, captured)


def test_without_captures_nothing_is_captured():
    state = GAME.parse_position(GAME.initial(captures=False), "1,0,0,0,0,1,0/4,4,4,4,9,4,0 first")
    assert chances(state.me, state.opp, 6, state.captures) == (1, 0)
