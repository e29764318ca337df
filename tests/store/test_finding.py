"""Games by a position and lists in any order, each against a look by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_tools import random_game, told, unfinished
from user_games import write_game

from plyground.core.records import GameRecord, MoveRecord
from plyground.games.catalogue import find_game, load_file
from plyground.games.rules import count_symmetries, key, play, transform
from plyground.store.finding import games_reaching
from plyground.store.queries import ORDERS, Filter, Order
from plyground.store.store import Store


def states(record: GameRecord) -> list[Any]:
    game = find_game(record.game)
    found = [game.initial(**record.settings)]
    for move in record.moves:
        found.append(play(found[-1], game.parse_move(found[-1], move.move)))
    return found


def by_hand(store: Store, state: Any, symmetric: bool) -> dict[int, int]:
    """The first ply at which each game stood there."""
    views = range(count_symmetries(state)) if symmetric else [0]
    wanted = {int(key(transform(state, view))) for view in views}
    found = {}
    for stored in store.whole():
        plies = [
            ply
            for ply, reached in enumerate(states(stored.record))
            if type(reached) is type(state) and int(key(reached)) in wanted
        ]
        if plies:
            found[stored.id] = plies[0]
    return found


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("game", ["mnk", "connect4", "kalah", "othello"])
def test_exactly_the_games_with_a_position_are_found(
    store: Store, game: str, symmetric: bool
) -> None:
    settings = {"size": 6} if game == "othello" else {}
    games = [random_game(game, seed, **settings) for seed in range(12)]
    store.add([*games[:9], *[unfinished(each, 5) for each in games[9:]]])
    live = store.begin(unfinished(told(games[0]), 6), "live")
    live.close()
    spec, several = find_game(game), 0
    for state in [s for each in games[::4] for s in (*states(each)[:5], states(each)[-1])]:
        found = games_reaching(store, spec, state, symmetric)
        assert found == by_hand(store, state, symmetric)
        several += 1 < len(found) < len(games)
    assert several


def test_first_moves_that_are_symmetric_are_told_apart_when_asked(store: Store) -> None:
    othello = find_game("othello")
    played = random_game("othello", 1)
    games = [
        replace(played, moves=[MoveRecord(move, 0)], seed=seed)
        for seed, move in enumerate(["d3", "c4", "f5", "e6", "f5"])
    ]
    store.add(games)
    numbers = [each.id for each in store.whole()]
    state = play(othello.initial(), othello.parse_move(othello.initial(), "f5"))
    assert games_reaching(store, othello, state, symmetric=True) == dict.fromkeys(numbers, 1)
    exact = games_reaching(store, othello, state, symmetric=False)
    assert exact == {numbers[2]: 1, numbers[4]: 1}
    start = games_reaching(store, othello, othello.initial(), symmetric=False)
    assert start == dict.fromkeys(numbers, 0)


def test_a_filter_by_numbers_takes_any_many(store: Store) -> None:
    store.add([random_game("mnk", seed) for seed in range(5)])
    numbers = [each.id for each in store.whole()]
    assert store.count(Filter(numbers=numbers[1:3])) == 2
    assert store.count(Filter(numbers=[*range(10**6, 10**6 + 100_000), numbers[0]])) == 1
    assert store.count(Filter(numbers=[])) == 0
    assert [each.id for each in store.games(Filter(numbers=numbers[:2]))] == numbers[1::-1]


LISTED: dict[str, Callable[[GameRecord, int], Any]] = {
    "date": lambda game, number: game.date,
    "game": lambda game, number: game.game,
    "first": lambda game, number: game.players[0].lower(),
    "second": lambda game, number: game.players[1].lower(),
    "result": lambda game, number: -1.0 if game.points is None else game.points,
    "moves": lambda game, number: len(game.moves),
    "event": lambda game, number: game.event.lower(),
    "number": lambda game, number: number,
}


@pytest.fixture
def mixed(store: Store) -> Store:
    games = [random_game(("mnk", "connect4")[seed % 2], seed) for seed in range(10)]
    games = [
        replace(game, date=f"202{seed % 3}", event=("b", "A", "")[seed % 3])
        for seed, game in enumerate(games)
    ]
    store.add([*games, unfinished(games[0], 2)])
    store.begin(unfinished(told(games[1]), 3), "live").close()
    return store


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("by", ORDERS)
def test_lists_are_sorted_by_any_column_and_read_in_pages(
    mixed: Store, by: str, descending: bool
) -> None:
    whole = {each.id: each.record for each in mixed.whole()}
    newest = sorted(whole, key=lambda number: (whole[number].date, number), reverse=True)
    expected = sorted(newest, key=lambda n: LISTED[by](whole[n], n), reverse=descending)
    if descending:  # a stable sort keeps equal ones newest first only when it is not reversed
        ranks = {value: -rank for rank, value in enumerate(_values(whole, by))}
        expected = sorted(newest, key=lambda n: ranks[LISTED[by](whole[n], n)])
    order = Order(by, descending)
    pages = [list(mixed.games(limit=5, skip=skip, order=order)) for skip in (0, 5, 10)]
    assert [len(page) for page in pages] == [5, 5, 2]
    assert [each.id for page in pages for each in page] == expected


def _values(whole: dict[int, GameRecord], by: str) -> list[Any]:
    return sorted({LISTED[by](game, number) for number, game in whole.items()})


def test_games_by_rules_that_cannot_be_compiled_are_found_too(store: Store, tmp_path: Path) -> None:
    rule = "return Heap(self.left - move, 1 - self.side)"
    path = write_game(tmp_path / "heap.py", (rule, f"import math\n        {rule}"))
    heap = load_file(path)
    moves = [MoveRecord(text, ply % 2) for ply, text in enumerate("221221")]
    record = GameRecord("heap", ("one", "two"), moves, points=0.0)
    store.add([record])
    after = heap.replay(heap.initial(), [2, 2, 1])
    assert list(games_reaching(store, heap, after, True).values()) == [3]  # the ply
    assert games_reaching(store, heap, heap.replay(heap.initial(), [1, 1]), True) == {}
