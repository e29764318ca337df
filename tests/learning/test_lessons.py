"""Lessons: stored and read again as they were, and never read damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.errors import MalformedText
from plyground.learning.lessons import COUNTS, Lessons
from plyground.learning.scale import Scale

GAME = st.tuples(st.integers(0, 5), st.integers(0, 5))


def lessons(shapes: list[tuple[int, int]], seed: int = 1) -> Lessons:
    """Games of so many random moves and then so many others."""
    chance = np.random.default_rng(seed)
    lengths = np.array([opening + rest for opening, rest in shapes], np.int32)
    openings = np.array([opening for opening, _ in shapes], np.int32)
    total = int(lengths.sum())
    moves = chance.integers(0, 2**31 - 1, total, np.int32)
    return Lessons(moves, chance.integers(-(2**15), 2**15, total, np.int16), lengths, openings)


def are_same(one: Lessons, other: Lessons) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COUNTS)


@given(st.lists(GAME, max_size=8))
def test_lessons_are_read_as_they_were_written(shapes: list[tuple[int, int]]) -> None:
    written = lessons(shapes)
    read = Lessons.from_bytes(written.as_bytes())
    assert are_same(read, written)
    assert read.games == len(shapes)
    assert read.positions == sum(rest for _, rest in shapes)


@given(st.data())
def test_a_changed_or_shortened_file_is_refused(data: st.DataObject) -> None:
    content = bytearray(lessons([(1, 4), (0, 3)]).as_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    with pytest.raises(MalformedText, match="damaged"):
        Lessons.from_bytes(bytes(content))


def test_points_are_shares_of_the_greatest_win(tmp_path: Path) -> None:
    scale = Scale(100.0, 64.0, 1)
    points = np.array([64.0, -64.0, 32.0, 100.0])
    made = Lessons.of_points(np.zeros(4, np.int32), points, np.array([4]), np.array([0]), scale)
    assert made.values.tolist() == [32767, -32767, 16384, 32767]
    made.write(tmp_path / "some.lessons")
    assert are_same(Lessons.read(tmp_path / "some.lessons"), made)


def test_joined_lessons_hold_all_games_in_order() -> None:
    one, other = lessons([(0, 2)]), lessons([(1, 3), (0, 1)], seed=2)
    both = Lessons.joined([one, other])
    assert both.lengths.tolist() == [2, 4, 1]
    assert both.moves.tolist() == [*one.moves, *other.moves]
