"""The strongest patterns: what they show is what is on the board when their weight counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyground.core.errors import Unsupported
from plyground.evaluation.check import positions
from plyground.evaluation.tuple_layout import lay_out
from plyground.evaluation.tuple_pictures import (
    Pattern,
    board_of,
    in_words,
    picture_of,
    stage_names,
    strongest,
)
from plyground.evaluation.tuple_plan import Plan
from plyground.games.catalogue import find_game
from plyground.games.rules import count_symmetries, side, transform
from plyground.games.spec import PLAYERS, GameSpec

GAMES = {
    "othello": {"size": 6},
    "othello8": {},
    "connect4": {"width": 5, "height": 4},
    "mnk": {},
    "kalah": {"pits": 4, "seeds": 3},
    "double-card": {"width": 4, "height": 6, "cards": 6},
}
each_game = pytest.mark.parametrize("name", GAMES)
_made: dict[str, tuple[GameSpec, Any, Plan]] = {}


def made(name: str) -> tuple[GameSpec, Any, Plan]:
    if name not in _made:
        game = find_game(name.rstrip("8"))
        start = game.initial(**GAMES[name])
        _made[name] = game, start, lay_out(game, start, 3)
    return _made[name]


def nothing(plan: Plan) -> np.ndarray:
    return np.zeros((plan.stage_count * plan.sides, plan.distinct), np.int16)


def entry_of(plan: Plan, pattern: Pattern) -> int:
    """The weight that a pattern is, found by its cells."""
    [table] = [
        table
        for table, cells in enumerate(plan.tuples)
        if cells == tuple(c for c, _ in pattern.cells)
    ]
    codes = [0] * len(plan.view.codes)
    for cell, code in pattern.cells:
        codes[cell] = code
    [placed] = [p for p in plan.placed if p.table == table and p.cells == plan.tuples[table]]
    return int(plan.canon[plan.starts[table] + plan.index_of(placed, codes)])


@each_game
def test_a_pattern_of_a_position_is_on_its_board_but_for_a_symmetry(name):
    game, start, plan = made(name)
    chance = np.random.default_rng(3)
    for state in list(positions(game, start, 4, 5))[::5]:
        mover = int(side(state))
        if plan.sides == 1 and mover:
            continue  # it is drawn as the first player would see it
        drawn = [each for each in plan.placed if each.table in shown_tables(plan)]
        placed = drawn[int(chance.integers(len(drawn)))]
        numbers, codes = nothing(plan), plan.codes_of(state)
        at = plan.starts[placed.table] + plan.index_of(placed, codes)
        numbers[mover * plan.stage_count :, plan.canon[at]] = 300
        [pattern], against = strongest(plan, numbers, mover=mover)
        assert (pattern.weight, pattern.mover, against) == (300.0, mover, [])
        assert entry_of(plan, pattern) == plan.canon[at]
        images = [transform(state, each) for each in range(int(count_symmetries(state)))]
        assert any(holds(plan, pattern, image) for image in images)
        assert any(is_drawn(plan, pattern, game, start, image) for image in images)


def shown_tables(plan: Plan) -> list[int]:
    """Tables with a cell of the board; all if none has one."""
    return [i for i, cells in enumerate(plan.tuples) if min(cells) < plan.cells] or [
        *range(len(plan.tuples))
    ]


def holds(plan: Plan, pattern: Pattern, state: Any) -> bool:
    codes = plan.codes_of(state)
    return all(codes[cell] == code for cell, code in pattern.cells)


def is_drawn(plan: Plan, pattern: Pattern, game: GameSpec, start: Any, state: Any) -> bool:
    """Whether the drawn cells, where they are those of the board, have its stones."""
    drawn, whole = board_of(pattern, plan, game, start), game.board_of(state)
    assert len(drawn.cells) == drawn.rows * drawn.columns
    filled = [cell for cell in drawn.cells if cell != " "]
    assert len(filled) == len(pattern.cells)
    if len(drawn.cells) < len(whole.cells) or not plan.cells:
        return all(cell.isdecimal() for cell in map(str, filled))
    pairs = zip(drawn.cells, whole.cells, strict=False)
    return all(one in (" ", other) for one, other in pairs)


@each_game
def test_they_are_the_strongest_of_their_tables(name):
    _, _, plan = made(name)
    numbers = np.random.default_rng(1).integers(-300, 300, nothing(plan).shape).astype(np.int16)
    for stage in (None, 0, plan.stage_count - 1):
        for mover in range(plan.sides):
            rows = numbers[mover * plan.stage_count :][: plan.stage_count]
            means = rows.mean(axis=0) if stage is None else rows[stage]
            good, bad = strongest(plan, numbers, 5, stage, mover)
            entries = [entry_of(plan, each) for each in (*good, *bad)]
            assert [each.weight for each in (*good, *bad)] == [means[at] for at in entries]
            tables = [
                means[plan.canon[plan.starts[i] : plan.starts[i] + plan.sizes[i]]]
                for i in shown_tables(plan)
            ]
            assert [each.weight for each in good] == sorted(map(max, tables))[:-6:-1]
            assert [each.weight for each in bad] == sorted(map(min, tables))[:5]


def test_what_is_always_added_is_no_pattern_and_nor_is_what_weighs_nothing():
    _, _, plan = made("mnk")
    numbers = nothing(plan)
    assert strongest(plan, numbers) == ([], [])
    numbers[:, plan.canon[: plan.starts[0]]] = 500
    assert strongest(plan, numbers) == ([], [])


def test_a_stage_that_there_is_not_is_refused():
    _, _, plan = made("mnk")
    for stage in (-1, plan.stage_count):
        with pytest.raises(Unsupported, match=f"stage {stage}: expected 0 to 2"):
            strongest(plan, nothing(plan), stage=stage)


def test_words_and_picture_name_the_same_cells():
    game, start, plan = made("mnk")
    row = next(cells for cells in plan.tuples if len(cells) == 3)
    pattern = Pattern(12.34, tuple(zip(row, (2, 1, 0), strict=True)), mover=1)
    names = [
        game.board_of(start).column_labels[c % 3] + game.board_of(start).row_labels[c // 3]
        for c in row
    ]
    words = ", ".join(f"{n} {w}" for n, w in zip(names, ("mine", "theirs", "empty"), strict=True))
    assert in_words(pattern, plan, game, start) == words
    assert f"<title>{words}</title>" in picture_of(pattern, plan, game, start)
    assert [board_of(pattern, plan, game, start).cells[cell] for cell in row] == [
        *PLAYERS[::-1],
        "",
    ]
    assert pattern.as_data() == {"weight": 12.3, "cells": [[row[0], 2], [row[1], 1], [row[2], 0]]}


def test_numbers_that_the_game_says_stand_below_the_board_or_alone():
    game, start, plan = made("othello8")
    assert plan.view.coded
    last = len(plan.view.codes) - 1
    mixed = Pattern(1.0, ((0, 2), (last, 1)))
    board = board_of(mixed, plan, game, start)
    assert (board.rows, board.columns) == (9, 8)
    assert (board.cells[0], board.cells[64]) == ("first", "1")
    assert in_words(mixed, plan, game, start) == f"a1 mine, number {last - 63} is 1"
    alone = board_of(Pattern(1.0, ((last - 1, 0), (last, 1))), plan, game, start)
    assert (alone.rows, alone.columns, alone.cells) == (1, 2, ("0", "1"))
    assert alone.column_labels == (str(last - 64), str(last - 63))


def test_stages_are_named_by_what_tells_them():
    _, _, plan = made("mnk")
    assert stage_names(plan) == ["0 to 3 empty cells", "4 to 6 empty cells", "7 to 9 empty cells"]
