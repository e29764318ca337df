"""A network that assigns weights: whole numbers, against the same network written in floats."""

from __future__ import annotations

import json

import numpy as np
import pytest
from evaluation.othello_kernels import value_of
from evaluation.positions import random_state
from hypothesis import given
from hypothesis import strategies as st
from learning.toys import Crooked, Toy

from plyground.evaluation.assigned import (
    MOST_GLANCES,
    UNIT_BITS,
    UNIT_COUNT,
    Assigned,
    Form,
    assigned,
    assigned_spec,
    step_of,
    weighed,
)
from plyground.evaluation.calibrated import StageMap
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.check import check_evaluator
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_PIECES
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left
from plyground.kernel import MIXED, WHOLE_SHARE, Slab, kernel, with_mixture

GAME = find_game("othello")
START = GAME.initial()
STATES = [random_state(GAME, plies, seed) for plies in range(0, 61, 4) for seed in (1, 2)]
PHASE = StageMap(BY_CELLS_LEFT, tuple(range(61)))
NAMES = Toy._fields


def network(fitted=NAMES, glances=1, seed=1, shift=4, phase=PHASE, size=300):
    """Random numbers, with units that are now and then cut off at either end."""
    form = Form(phase, fitted, shift, 2, glances)
    generator = np.random.default_rng(seed)
    numbers = generator.integers(-size, size, form.size).astype(np.int16)
    form.parts(numbers)[1][:] = generator.integers(-1500, 1500, (UNIT_COUNT, 2 + glances))
    return form, numbers


def in_floats(base, form, numbers, state):
    """The weights of a position, as the picture of the module says."""
    glances, units, rows = (part.astype(float) for part in form.parts(numbers))
    inputs = [1.0, int(cells_left(state)) * step_of(form.phase) / WHOLE_SHARE]
    for row in glances.astype(int).tolist():
        value = base._replace(**dict(zip(form.fitted, row, strict=True))).evaluate(state)
        inputs.append(min(abs(value) / 2**form.too_fine / WHOLE_SHARE, 1.0))
    shares = np.clip(units / 2**UNIT_BITS @ inputs, 0, 1)
    return shares @ rows[:-1] + rows[-1]


@pytest.mark.parametrize("glances", range(MOST_GLANCES + 1))
def test_the_weights_are_those_of_the_same_network_in_floats_but_for_rounding(glances):
    form, numbers = network(glances=glances, seed=glances, size=3000)
    evaluator = assigned(Toy(), form, numbers)
    varied = set()
    for state in STATES:
        own = weighed(evaluator.base, evaluator.table, state)
        assert np.allclose(own, in_floats(Toy(), form, numbers, state), atol=30)  # of 3000
        assert abs(evaluator.evaluate(state) - own.evaluate(state) / 16) <= 0.5
        varied.add(own)
    assert len(varied) > 10


@pytest.mark.parametrize("glances", range(MOST_GLANCES + 1))
@pytest.mark.parametrize("name", ["factors", "stages", "mobility", "walls", "discs"])
def test_machine_code_and_plain_python_give_the_same_value(name, glances):
    base = find_evaluator(name, START).make()
    form, numbers = network(base._fields, glances)
    evaluator = assigned(base, form, numbers)
    for state in STATES:
        value = value_of(evaluator, state)
        assert type(value) is int
        assert value == evaluator.evaluate(state)


def test_a_value_changes_its_sign_with_the_sides():
    evaluator = assigned(Toy(), *network(glances=3))
    for state in STATES:
        swapped = state._replace(me=state.opp, opp=state.me)
        assert value_of(evaluator, swapped) == -value_of(evaluator, state)


def test_what_no_weight_is_assigned_to_stays_as_the_base_has_it():
    base = Crooked(disc=3, times=-2, index=1, unused=9)
    evaluator = assigned(base, *network(("edge",)))
    for state in STATES:
        own = weighed(base, evaluator.table, state)
        assert own._replace(edge=base.edge) == base
        assert value_of(evaluator, state) == evaluator.evaluate(state)


def test_pieces_may_tell_the_phase():
    everything, nothing = 2**64 - 1, 0
    masks = tuple(everything if name in ("me", "opp") else nothing for name in START._fields)
    pieces = StageMap(BY_PIECES, tuple(range(65)), masks)
    evaluator = assigned(Toy(), *network(phase=pieces))
    for state in STATES:
        assert value_of(evaluator, state) == evaluator.evaluate(state)


@pytest.mark.parametrize("name", ["factors", "walls"])
def test_it_keeps_the_contract_and_its_factors_add_up(name):
    base = find_evaluator(name, START)
    kept = {"parity": 0, "won": 0} if name == "factors" else {}
    fitted = tuple(field for field in base.make()._fields if field not in kept)
    spec = assigned_spec(base, "own", *network(fitted, size=60), "100 is a disc", kept)
    evaluator = spec.make_for(GAME, START)
    assert isinstance(evaluator, Assigned)
    assert check_evaluator(spec, evaluator, GAME, START, 1, 1) > 20
    assert spec.factors is not None
    for state in STATES:
        shares = sum(factor.share for factor in spec.factors(evaluator, state))
        assert abs(shares - evaluator.evaluate(state)) <= 0.5


def test_an_evaluator_for_any_game_is_fitted_to_the_game_first():
    game = find_game("connect4")
    form, numbers = network(("piece", "pair"), phase=StageMap(BY_CELLS_LEFT, tuple(range(43))))
    spec = assigned_spec(find_evaluator("pairs", game.initial()), "own", form, numbers, "")
    evaluator = spec.make_for(game, game.initial())
    assert check_evaluator(spec, evaluator, game, game.initial(), 1, 1) > 5


def test_a_form_survives_as_data_and_nonsense_is_refused():
    form, _ = network(glances=2)
    data = json.loads(json.dumps(form.as_data()))
    assert Form.from_data(data) == form
    for change in ({"shift": -1}, {"too_fine": 31}, {"glances": 4}, {"glances": -1}):
        with pytest.raises(ValueError, match="no numbers of a network"):
            Form.from_data({**data, **change})


def test_numbers_that_do_not_fit_the_base_are_refused():
    form, numbers = network()
    with pytest.raises(ValueError, match="does not fit"):
        assigned(Toy(), form, numbers[:-1])
    with pytest.raises(ValueError, match="does not fit"):
        assigned(find_evaluator("factors", START).make(), form, numbers)
    fewer, own = network(("disc",))
    with pytest.raises(ValueError, match="too large"):
        assigned(Toy(edge=40_000), fewer, own)


# ------------------------------------------------------------------ mixtures


@kernel
def mixed(fields, slab, at, shares):
    return with_mixture(fields, slab, at, shares)


@given(
    rows=st.lists(
        st.lists(st.integers(-(2**15), 2**15 - 1), min_size=3, max_size=3), min_size=9, max_size=9
    ),
    shares=st.lists(st.integers(0, WHOLE_SHARE), min_size=9, max_size=9),
    at=st.integers(0, 9),
)
def test_a_mixture_is_the_nearest_whole_number_to_the_sum_of_shares(rows, shares, at):
    slab = Slab(30)
    table = slab.array.view(np.int16)[at : at + 9 * MIXED].reshape(9, MIXED)
    table[:, :3] = rows
    exact = np.array(shares) @ np.array(rows) / WHOLE_SHARE
    plain = with_mixture(Toy(), slab, at, tuple(shares))
    assert abs(np.array(plain) - exact).max() <= 0.5
    assert mixed(Toy(), slab, at, tuple(shares)) == plain
