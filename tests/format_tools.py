"""Shared by the tests of formats: games at random, and what a reader gave."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from plyground.core.records import GameRecord
from plyground.formats.replay import record_of
from plyground.formats.spec import Item, Read, Record, Rejected
from plyground.games.rules import State, play
from plyground.games.spec import GameSpec


def random_moves(game: GameSpec, start: State, seed: int, most: int = 500) -> list[int]:
    """A random game, to its end or until it has so many moves."""
    chooser, state, moves = random.Random(seed), start, list[int]()
    while len(moves) < most and (legal := game.legal(state)):
        moves.append(chooser.choice(legal))
        state = play(state, moves[-1])
    return moves


def random_game(game: GameSpec, seed: int, most: int = 500, **settings: Any) -> GameRecord:
    """The same as a record."""
    start = game.initial(**settings)
    return record_of(game, start, random_moves(game, start, seed, most), settings)


def records_in(items: Iterable[Item]) -> list[Record]:
    """All that was read, where everything could be."""
    found = list(items)
    assert not [item for item in found if isinstance(item, Rejected)], found
    return [item.record for item in found if isinstance(item, Read)]


def only_rejection(items: Iterable[Item]) -> str:
    """Place and reason of the one thing that there was, and that could not be read."""
    (item,) = items
    assert isinstance(item, Rejected), item
    return f"{item.place}: {item.reason}"


def check_items(items: Iterable[Item]) -> int:
    """How many items there are, each a record or a place with a reason."""
    count = 0
    for item in items:
        count += 1
        assert isinstance(item, Read | Rejected)
        assert item.place
        if isinstance(item, Rejected):
            assert item.reason
            assert len(item.reason) < 1000
    return count
