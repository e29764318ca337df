"""What was played from a position, against a count by hand.

The count knows the games' own rules no more than their reference implementations do, and finds
symmetric positions by turning boards cell by cell.
"""

from __future__ import annotations

import contextlib
import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select
from store_tools import count_rows, random_game, told, unfinished
from user_games import write_game

from plyground.core.records import GameRecord
from plyground.games.catalogue import find_game
from plyground.games.rules import play
from plyground.kernel import plain_python
from plyground.store import schema
from plyground.store.store import Store
from references.grid import square_cell, square_text
from references.registry import REFERENCES

Cell = tuple[int, int]
Turn = Callable[[Cell], Cell]
Answer = dict[frozenset[str], tuple[int, int, int, int]]


class Kind(NamedTuple):
    """A game as it is explored here: its board, and how it may be turned."""

    game: str
    settings: dict[str, Any]
    width: int
    height: int
    turns: int  # 8 of a square, 4 of a rectangle, 2 if only left and right are alike, 1 if none

    def turned(self) -> list[Turn]:
        right, low = self.width - 1, self.height - 1
        turns: list[Turn] = [lambda c: c, lambda c: (right - c[0], c[1])]
        turns += [lambda c: (c[0], low - c[1]), lambda c: (right - c[0], low - c[1])]
        turns += [lambda c, turn=turn: turn((c[1], c[0])) for turn in turns]
        return turns[: self.turns]

    def turned_move(self, turn: Turn, move: str) -> str:
        if move == "pass" or self.turns == 1:
            return move
        if self.game == "connect4":
            return str(turn((int(move) - 1, 0))[0] + 1)
        return square_text(turn(square_cell(move)))

    def turned_cells(self, turn: Turn, cells: tuple[str, ...]) -> tuple[str, ...]:
        if self.turns == 1:
            return cells
        places = [(x, y) for y in range(self.height) for x in range(self.width)]
        at = {turn(place): cell for place, cell in zip(places, cells, strict=True)}
        return tuple(at[place] for place in places)


KINDS = [
    Kind("othello", {"size": 6}, 6, 6, 8),
    Kind("connect4", {}, 7, 6, 2),
    Kind("mnk", {}, 3, 3, 8),
    Kind("mnk", {"m": 4, "n": 3, "k": 3}, 4, 3, 4),
    Kind("kalah", {"seeds": 3, "pits": 4}, 0, 0, 1),
]
KIND_NAMES = [f"{kind.game}{kind.settings or ''}" for kind in KINDS]


def visits(kind: Kind, record: GameRecord) -> Iterator[tuple[Any, str | None]]:
    """The naive positions of a game, and what was played in each."""
    naive = REFERENCES[kind.game](**kind.settings)
    for move in record.moves:
        yield (naive.cells(), naive.side()), move.move
        naive.play(move.move)
    yield (naive.cells(), naive.side()), None


@functools.cache
def played(number: int) -> list[GameRecord]:
    kind = KINDS[number]
    return [random_game(kind.game, seed, **kind.settings) for seed in range(14)]


@functools.cache
def counted_by_hand(number: int) -> dict[Any, Answer]:
    """For every position of the games and every view of it: which moves, equal ones together, and
    how many games, wins, draws and losses."""
    kind, tally = KINDS[number], Counter[tuple[Any, frozenset[str], float]]()
    for record in played(number):
        for (cells, side), move in visits(kind, record):
            views: dict[Any, set[str]] = {}
            for turn in kind.turned():
                moves = views.setdefault((kind.turned_cells(turn, cells), side), set())
                moves |= {kind.turned_move(turn, move)} if move else set()
            assert record.points is not None
            for view, moves in views.items():
                tally[view, frozenset(moves), record.points] += 1
    answers: dict[Any, Answer] = {}
    for view, moves, _ in tally:
        counts = tuple(tally[view, moves, points] for points in (1.0, 0.5, 0.0))
        answers.setdefault(view, {})[moves] = (sum(counts), *counts)
    return answers


def explored(store: Store, game: str, state: Any) -> Answer:
    spec = find_game(game)
    found = store.explore(spec, state)
    assert [each.games for each in found] == sorted((each.games for each in found), reverse=True)
    return {
        frozenset(spec.format_move(state, move) for move in each.moves): (
            each.games,
            each.wins,
            each.draws,
            each.losses,
        )
        for each in found
    }


def sample(kind: Kind, games: list[GameRecord], count: int) -> Iterator[tuple[Any, Any]]:
    """States and naive positions along some games, the first and the last among them."""
    spec, dice = find_game(kind.game), random.Random(1)
    for record in dice.sample(games, count):
        state = spec.initial(**kind.settings)
        for ply, (position, move) in enumerate(visits(kind, record)):
            if ply < 3 or move is None or dice.random() < 0.1:
                yield state, position
            if move is not None:
                state = play(state, spec.parse_move(state, move))


@pytest.mark.parametrize("number", range(len(KINDS)), ids=KIND_NAMES)
def test_exploring_equals_a_count_by_hand(store: Store, number: int) -> None:
    kind, games = KINDS[number], played(number)
    store.add(games)
    positions = list(sample(kind, games, 5))
    assert len(positions) > 15
    for state, position in positions:
        assert explored(store, kind.game, state) == counted_by_hand(number)[position]


deep = [pytest.param(kind, marks=pytest.mark.full) for kind in KINDS if kind.game != "connect4"]


@pytest.mark.parametrize("kind", [KINDS[1], *deep], ids=lambda kind: f"{kind.game}{kind.settings}")
def test_compiled_code_lists_the_same_positions(
    empty_stores: Callable[..., Store], kind: Kind
) -> None:
    games = [random_game(kind.game, seed, **kind.settings) for seed in range(3)]
    listed = []
    for compiled in (False, True):
        store = empty_stores("sqlite")
        with contextlib.nullcontext() if compiled else plain_python():
            store.add(games)
        with store.engine.connect() as connection:
            listed.append(connection.execute(select(schema.positions)).all())
    assert listed[0] == listed[1]
    assert len(listed[0]) == sum(len(game.moves) + 1 for game in games)


def test_openings_that_are_symmetric_are_one(store: Store) -> None:
    first_moves = ["d3", "c4", "f5", "e6"]
    played = random_game("othello", 1)
    games = [
        replace(played, moves=[replace(played.moves[0], move=move)], points=points)
        for move, points in zip(first_moves, (1.0, 1.0, 0.5, 0.0), strict=True)
    ]
    store.add(games)
    start = find_game("othello").initial()
    assert explored(store, "othello", start) == {frozenset(first_moves): (4, 2, 1, 1)}
    for move in first_moves:
        after = play(start, find_game("othello").parse_move(start, move))
        assert explored(store, "othello", after) == {frozenset(): (4, 2, 1, 1)}
        assert len(store.games_with(after, 10)) == 4


def test_results_are_the_first_players_whoever_is_to_move(store: Store) -> None:
    won = random_game("kalah", 1)
    store.add([replace(won, points=1.0, seed=1), replace(won, points=0.0, seed=2)])
    kalah = find_game("kalah")
    state = kalah.initial()
    for move in won.moves:
        [answer] = explored(store, "kalah", state).values()
        assert answer == (2, 1, 0, 1)
        state = play(state, kalah.parse_move(state, move.move))


def test_only_games_with_a_result_are_explored(store: Store) -> None:
    game = told(random_game("mnk", 1))
    live = store.begin(game, "live")
    store.add([unfinished(game, 3)])
    mnk = find_game("mnk")
    assert store.explore(mnk, mnk.initial()) == []
    assert store.games_with(mnk.initial(), 5) == []
    live.finish(game)
    assert [each.games for each in store.explore(mnk, mnk.initial())] == [1]
    assert [each.uid for each in store.games_with(mnk.initial(), 5)] == ["live"]


def test_games_with_a_position_are_the_newest_and_as_many_as_asked(store: Store) -> None:
    games = [random_game("mnk", seed) for seed in range(9)]
    store.add(games)
    start = find_game("mnk").initial()
    newest = [each.record for each in store.games_with(start, 4)]
    assert newest == games[:4:-1]
    assert len(store.games_with(start, 100)) == 9
    for record in games:
        state = find_game("mnk").initial()
        for move in record.moves:
            state = play(state, find_game("mnk").parse_move(state, move.move))
        assert record in [each.record for each in store.games_with(state, 100)]


def test_a_position_under_other_settings_is_another(store: Store) -> None:
    store.add([random_game("mnk", 1), random_game("mnk", 1, m=4, n=4, k=4)])
    mnk = find_game("mnk")
    for settings in ({}, {"m": 4, "n": 4, "k": 4}):
        assert [each.games for each in store.explore(mnk, mnk.initial(**settings))] == [1]
    assert store.explore(mnk, mnk.initial(m=4, n=4, k=3)) == []


def test_games_whose_positions_are_the_same_numbers_are_kept_apart(
    empty_stores: Callable[..., Store], tmp_path
) -> None:
    heap = write_game(tmp_path / "heap.py")
    pile = write_game(
        tmp_path / "pile.py",
        ("class Heap(", "class Pile("),
        ("return Heap(", "return Pile("),
        ("start=lambda: Heap(", "start=lambda: Pile("),
        ('name="heap"', 'name="pile"'),
    )
    store = empty_stores("sqlite")
    store.add([replace(random_game(str(heap), 1), game=str(heap))] * 3)
    assert count_rows(store, "positions") > 0
    for path, games in ((heap, 3), (pile, 0)):
        game = find_game(str(path))
        assert sum(each.games for each in store.explore(game, game.initial())) == games
