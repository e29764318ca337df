"""Games that are deleted are nowhere, and come back exactly as they were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import select, update
from store_tools import count_rows, random_game, records, told, unfinished

from plyground.core.errors import Unsupported
from plyground.games.catalogue import find_game
from plyground.store import schema
from plyground.store.finding import games_reaching
from plyground.store.game_copy import GameCopy
from plyground.store.queries import Filter
from plyground.store.removing import KEPT_DAYS, remove, restore
from plyground.store.store import Store

GAMES = [told(random_game("connect4", seed)) for seed in range(4)]


@pytest.fixture
def full(store: Store) -> Store:
    store.add(GAMES)
    return store


def everything(store: Store) -> list[object]:
    """All that a store tells of its games."""
    start = find_game("connect4").initial()
    with store.engine.connect() as connection:
        positions = sorted(connection.execute(select(schema.positions)).all())
    explored = store.explore(find_game("connect4"), start)
    return [list(store.whole()), list(store.games()), store.stats(), positions, explored]


def test_a_deleted_game_is_in_no_list_no_count_and_no_look_up(full: Store) -> None:
    number = list(full.whole())[1].id
    positions = count_rows(full, "positions")
    remove(full, number)
    assert records(full) == [GAMES[0], *GAMES[2:]]
    assert len(list(full.games())) == full.count() == full.stats().games["connect4"] == 3
    start = find_game("connect4").initial()
    assert sum(each.games for each in full.explore(find_game("connect4"), start)) == 3
    assert number not in [each.id for each in full.games_with(start, 10)]
    assert number not in games_reaching(full, find_game("connect4"), start)
    assert positions - count_rows(full, "positions") == len(GAMES[1].moves) + 1
    with pytest.raises(Unsupported, match=f"no game has number {number}"):
        full.game(number)
    with pytest.raises(Unsupported):
        remove(full, number)


def test_a_game_that_is_brought_back_is_as_it_was(full: Store) -> None:
    before = everything(full)
    for stored in list(full.whole()):
        remove(full, stored.id)
        assert restore(full, stored.id) == stored
        assert restore(full, stored.id) == stored  # twice changes nothing
        assert everything(full) == before


def test_an_unfinished_game_comes_back_with_its_moves(store: Store) -> None:
    live = store.begin(unfinished(GAMES[0], 3), "uid")
    live.close()
    remove(store, live.id)
    assert store.stats().unfinished == store.stats().moves == 0
    restore(store, live.id)
    assert store.game(live.id).record == unfinished(GAMES[0], 3)


def test_what_never_was_cannot_be_brought_back(store: Store) -> None:
    with pytest.raises(Unsupported, match="no game has number 7"):
        restore(store, 7)


def test_a_deleted_game_that_is_imported_again_is_there_again(full: Store) -> None:
    number = list(full.whole())[2].id
    remove(full, number)
    report = full.add(GAMES)
    assert (report.added, report.duplicates) == (1, 3)
    assert sorted(records(full), key=lambda game: game.seed) == GAMES


def test_after_some_weeks_a_deleted_game_is_gone_for_good(full: Store) -> None:
    old, recent = (each.id for each in list(full.whole())[:2])
    remove(full, old)
    with full.writing() as connection:
        where = schema.games.c.id == old
        connection.execute(update(schema.games).where(where).values(removed="2020-01-01T00:00:00Z"))
    remove(full, recent)
    assert KEPT_DAYS >= 7
    with pytest.raises(Unsupported):
        restore(full, old)
    assert restore(full, recent).id == recent
    assert count_rows(full, "games") == 3


def test_a_game_that_is_played_on_takes_the_place_of_its_deleted_copy(
    empty_stores: Callable[..., Store],
) -> None:
    store, game = empty_stores("sqlite"), unfinished(GAMES[0], 4)
    kept = GameCopy(store, "a" * 32, game, may_rewind=True)
    kept.update(game)
    kept.close()
    [number] = [each.id for each in store.games()]
    remove(store, number)
    again = GameCopy(store, "a" * 32, game, may_rewind=True)
    again.update(GAMES[0])
    again.close()
    [stored] = store.games()
    assert stored.id == number
    assert replace(stored.record, date="", opening=0) == replace(
        GAMES[0], date="", opening=0, moves=stored.record.moves
    )


def test_filters_count_what_is_there(full: Store) -> None:
    number = next(iter(full.whole())).id
    remove(full, number)
    assert full.count(Filter(game="connect4")) == 3
    assert full.count(Filter(numbers=[number])) == 0
