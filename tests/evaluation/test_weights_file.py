"""Files of weights: read as they were written, refused where they do not fit, found by name."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyground as pg
from plyground import extensions
from plyground.core.errors import MalformedText, Unsupported
from plyground.evaluation import weights_file
from plyground.evaluation.catalogue import default_evaluator, find_evaluator, suitable
from plyground.evaluation.check import check_evaluator, judged
from plyground.evaluation.learned import NTUPLES, evaluator_in, plan_in
from plyground.evaluation.sample import constant_fields
from plyground.evaluation.tuple_layout import lay_out
from plyground.evaluation.weights_file import Weights, checkpoint_of, file_of, rules_digest
from plyground.games.catalogue import find_game, name_game
from plyground.players.catalogue import code_used

CONNECT4 = find_game("connect4")
SMALL = {"width": 5, "height": 4}

RULES = '''
from typing import NamedTuple
from plyground.bits import U64, ZERO, bit, popcount
from plyground.core.board import Board
from plyground.games.spec import GameSpec

class Corners(NamedTuple):
    """Four cells; whoever takes the last one wins."""
    me: U64 = ZERO
    opp: U64 = ZERO
    side: int = 0

    def legal_moves(self, moves, start):
        for cell in range(4):
            if (self.me | self.opp) & bit(cell) == ZERO:
                moves[start] = cell
                start += 1
        return start

    def play(self, move):
        return Corners(self.opp, self.me | bit(move), 1 - self.side)

    def is_over(self):
        return popcount(self.me | self.opp) == 4

    def outcome(self):
        return -1

    def board(state):
        first, second = (state.opp, state.me) if state.side else (state.me, state.opp)
        owner = lambda c: "first" if first & bit(c) else "second" if second & bit(c) else ""
        return Board("grid", 2, 2, tuple(owner(c) for c in range(4)))

GAME = GameSpec.of(Corners)
'''


def weights(name: str = "mine", seed: int = 1, game: pg.Game = CONNECT4, **chosen: int) -> Weights:
    """Random weights for a game."""
    start = game.initial(**(chosen or (SMALL if game is CONNECT4 else {})))
    plan = lay_out(game, start, stages=2)
    shape = plan.stage_count * plan.sides, plan.distinct
    numbers = np.random.default_rng(seed).integers(-200, 200, shape).astype(np.int16)
    return Weights(
        name,
        game.name,
        chosen or SMALL,
        type(start).__name__,
        constant_fields(game, start),
        rules_digest(start),
        NTUPLES,
        {"plan": plan.as_data(), "is_symmetric": plan.view.is_symmetric},
        "1000 is a chance of 88 %",
        0.0,
        {"summary": "Drawn at random.", "seed": seed},
        numbers,
    )


MINE = weights()
START = CONNECT4.initial(**SMALL)
CONTENT = MINE.as_bytes()


def stored(some: Weights, name: str = "connect4.mine") -> Path:
    path = file_of(name)
    some.write(path)
    return path


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    MINE.write(tmp_path / "some.weights")
    read = Weights.read(tmp_path / "some.weights")
    assert read.as_bytes() == CONTENT
    assert np.array_equal(read.numbers, MINE.numbers) and read.numbers.dtype == np.int16


@given(st.data())
@settings(max_examples=60)
def test_a_changed_or_shortened_file_is_refused(data: st.DataObject) -> None:
    content = bytearray(CONTENT)
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    with pytest.raises(MalformedText, match=r"x.weights is (damaged|no file of weights)"):
        Weights.from_bytes(bytes(content), "x.weights")


def test_numbers_that_do_not_fit_the_plan_are_refused() -> None:
    with pytest.raises(MalformedText, match="mine: its numbers do not fit its plan"):
        evaluator_in(replace(MINE, numbers=MINE.numbers[:, 1:]), CONNECT4, START)
    with pytest.raises(MalformedText, match="do not fit"):
        evaluator_in(replace(MINE, about={}), CONNECT4, START)


def test_a_file_in_the_folder_is_an_evaluator_like_any_other() -> None:
    start = CONNECT4.initial(**SMALL)
    with pytest.raises(Unsupported, match="unknown evaluator 'mine'"):
        find_evaluator("mine", start)
    stored(MINE)
    spec = find_evaluator("mine", start)
    evaluator = spec.make_for(CONNECT4, start)
    assert check_evaluator(spec, evaluator, CONNECT4, start, 5, 1) > 20
    assert spec in suitable(start)
    assert default_evaluator(start).name != "mine"
    position = pg.Position("connect4", "3 3 2", **SMALL)
    explained = position.explain("mine")
    assert explained.value == int(judged(evaluator, position.state))
    assert sum(each.share for each in explained.factors) == explained.value
    assert position.search("abmemory", depth=3, evaluator="mine").depth == 3


def test_other_weights_under_the_same_name_are_taken_up() -> None:
    start = CONNECT4.initial(**SMALL)
    path = stored(MINE)
    before = judged(find_evaluator("mine", start).make_for(CONNECT4, start), start)
    used = code_used(CONNECT4, start, ["abmemory:eval=mine"])
    other = weights(seed=2)
    other.write(path)
    after = judged(find_evaluator("mine", start).make_for(CONNECT4, start), start)
    assert before != after
    assert re.fullmatch("mine [0-9a-f]{16}", used)
    assert code_used(CONNECT4, start, ["abmemory:eval=mine"]) != used
    path.unlink()
    with pytest.raises(Unsupported, match="unknown evaluator"):
        find_evaluator("mine", start)


def test_another_board_or_game_is_refused_with_a_line() -> None:
    stored(MINE)
    with pytest.raises(Unsupported, match="evaluator mine judges another board; for this one: "):
        find_evaluator("mine", CONNECT4.initial())
    with pytest.raises(Unsupported, match="evaluator mine judges another game"):
        find_evaluator("mine", find_game("kalah").initial())
    with pytest.raises(Unsupported, match="mine was learned on connect4 with width=5, height=4"):
        MINE.demand_fit(CONNECT4, CONNECT4.initial())
    with pytest.raises(Unsupported, match="not on othello"):
        MINE.demand_fit(find_game("othello"), find_game("othello").initial())


def test_two_boards_may_have_evaluators_of_one_name() -> None:
    stored(MINE)
    larger = weights(seed=3, width=6, height=5)
    stored(larger, "connect4.width=6.mine")
    for chosen, own in ((SMALL, MINE), ({"width": 6, "height": 5}, larger)):
        start = CONNECT4.initial(**chosen)
        made = find_evaluator("mine", start).make_for(CONNECT4, start)
        assert judged(made, start) == judged(evaluator_in(own, CONNECT4, start), start)


def test_a_checkpoint_is_found_but_not_listed() -> None:
    start = CONNECT4.initial(**SMALL)
    weights("mine-r4").write(checkpoint_of("connect4.mine", 4))
    assert find_evaluator("mine-r4", start).name == "mine-r4"
    assert all(spec.name != "mine-r4" for spec in suitable(start))


def test_a_damaged_file_is_left_out_and_hides_no_other() -> None:
    stored(MINE)
    path = file_of("connect4.broken")
    path.write_bytes(CONTENT[: len(CONTENT) // 2])
    file_of("connect4.nothing").write_bytes(b"no weights\n")
    start = CONNECT4.initial(**SMALL)
    assert find_evaluator("mine", start).name == "mine"
    path.unlink()
    path.write_bytes(CONTENT.replace(b'"name": "mine"', b'"name": "half"'))
    with pytest.raises(MalformedText, match="damaged"):
        find_evaluator("half", start).make_for(CONNECT4, start)


def test_changed_rules_of_a_user_need_new_weights(tmp_path: Path) -> None:
    path = tmp_path / "corners.py"
    path.write_text(RULES)
    game = name_game(str(path))
    assert rules_digest(CONNECT4.initial()) == ""  # ours change their code, not their meaning
    some = weights("own", game=game)
    stored(some, "corners.own")
    some.demand_fit(game, game.initial())
    path.write_text(RULES.replace("return -1", "return 1"))
    extensions.refresh()
    changed = find_game("corners")
    with pytest.raises(Unsupported, match="learned before the rules of corners were changed"):
        find_evaluator("own", changed.initial()).make_for(changed, changed.initial())


def test_a_newer_format_says_so() -> None:
    newer = CONTENT[:-32].replace(b'"plyground-weights": 1', b'"plyground-weights": 9')
    content = newer + hashlib.sha256(newer).digest()
    with pytest.raises(MalformedText, match="is of format 9; this version reads 1"):
        Weights.from_bytes(content, "x.weights")


def test_the_plan_of_a_file_is_the_one_it_was_made_with() -> None:
    assert plan_in(MINE).as_data() == MINE.about["plan"]
    assert weights_file.described("kalah", {}) == "kalah"
