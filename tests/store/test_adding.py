"""A game is in a store once, however often it comes; merged stores hold the same games."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from store_tools import count_rows, named, random_game, records, told, unfinished

from plyground.core.records import GameRecord
from plyground.store import reading
from plyground.store import store as store_module
from plyground.store.rows import Entry
from plyground.store.store import Report, Store

PAIRS = [("sqlite", "sqlite"), ("sqlite", "postgresql"), ("postgresql", "sqlite")]
PAIRS_IDS = ["-".join(pair) for pair in PAIRS]


@pytest.fixture(params=PAIRS, ids=PAIRS_IDS)
def two_stores(
    request: pytest.FixtureRequest, empty_stores: Callable[..., Store]
) -> tuple[Store, Store]:
    first, second = request.param
    return empty_stores(first), empty_stores(second)


def mnk_games(count: int) -> list[GameRecord]:
    return [random_game("mnk", seed) for seed in range(count)]


# ------------------------------------------------------------------ adding


def test_games_that_are_there_are_passed_over(store: Store) -> None:
    games = mnk_games(7)
    assert store.add(games[:5]) == Report(added=5, duplicates=0)
    rows = count_rows(store, "positions")
    assert store.add(games[:5]) == Report(added=0, duplicates=5)
    assert count_rows(store, "positions") == rows
    assert store.add(games) == Report(added=2, duplicates=5)
    assert records(store) == games


def test_equal_games_of_one_call_are_games_of_their_own(store: Store) -> None:
    game, other = mnk_games(2)
    assert store.add([game, other, game, game]) == Report(4, 0)
    assert records(store) == [game, other, game, game]
    assert store.add([game, game, game, game]) == Report(1, 3)
    assert store.add([game]) == Report(0, 1)
    assert store.count() == 5


def test_batches_make_no_difference(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BATCH", 3)
    monkeypatch.setattr(reading, "CHUNK", 2)
    games = mnk_games(8)
    twice = [*games, games[0], games[7]]
    assert store.add(iter(twice)) == Report(10, 0)
    assert store.add(iter(twice)) == Report(0, 10)
    assert records(store) == twice
    assert len(list(store.games())) == 10


def test_what_came_before_a_failing_source_failed_is_kept_in_whole_batches(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "BATCH", 3)
    games = mnk_games(5)

    def source() -> Iterator[GameRecord]:
        yield from games[:4]
        raise EOFError("torn archive")

    with pytest.raises(EOFError, match="torn archive"):
        store.add(source())
    assert records(store) == games[:3]
    assert store.add(games) == Report(2, 3)


def test_a_name_that_comes_twice_in_a_batch_is_one_game(store: Store) -> None:
    game, other = mnk_games(2)
    assert store.add_named([("x", Entry.of(game)), ("x", Entry.of(other))]).added == 1
    assert store.count() == 1


def test_an_entry_without_move_records_is_stored_by_its_list(store: Store) -> None:
    game = random_game("kalah", 3)
    entry = replace(Entry.of(game), record=replace(game, moves=()))
    store.add([entry])
    assert records(store) == [game]
    assert store.add([game]) == Report(0, 1)


# ------------------------------------------------------------------ merging


def test_merging_both_ways_gives_the_same_games_and_doubles_none(
    two_stores: tuple[Store, Store],
) -> None:
    one, two = two_stores
    games = [*mnk_games(6), told(random_game("connect4", 1)), random_game("kalah", 2)]
    games += [replace(games[0], game="hex"), replace(games[0], tags={"Ω": "\0"}, event="cup")]
    one.add([*games[:7], games[0], unfinished(games[6], 4)])
    two.add([*games[3:], games[4], unfinished(games[7], 3)])
    every = named(one) | named(two)
    assert one.merge(two).added == len(every) - 9
    assert named(one) == every
    assert two.merge(one).added == len(every) - 9
    assert named(two) == every
    assert one.merge(two) == two.merge(one) == Report(0, len(every))
    assert count_rows(one, "positions") == count_rows(two, "positions") > 0
    assert one.stats() == two.stats()


def test_merging_with_itself_or_with_an_empty_store_changes_nothing(
    two_stores: tuple[Store, Store],
) -> None:
    full, empty = two_stores
    full.add(mnk_games(3))
    before = named(full)
    assert full.merge(empty) == Report(0, 0)
    assert full.merge(full) == Report(0, 3)
    assert named(full) == before


def test_a_game_that_is_being_played_is_taken_over_with_its_moves(
    two_stores: tuple[Store, Store],
) -> None:
    here, there = two_stores
    game = told(random_game("connect4", 1))
    live = there.begin(game, "live")
    here.merge(there)
    assert named(here) == {"live": unfinished(game, len(game.moves))}
    live.close()


# A copy of a game may be ahead of the other: (how many moves here, how many there), None for all
# moves and the result. Whatever has the result, and otherwise whatever has more moves, is kept.
COPIES = [(2, None), (None, 2), (2, 5), (5, 2), (0, 1), (None, None), (3, 3)]


@pytest.mark.parametrize("copies", COPIES, ids=str)
@pytest.mark.parametrize("kind", ["live", "left"])
def test_of_two_copies_of_a_game_the_one_that_got_further_is_kept(
    two_stores: tuple[Store, Store], copies: tuple[int | None, int | None], kind: str
) -> None:
    game = random_game("connect4", 1)
    if kind == "live":
        game = told(game)
    for store, plies in zip(two_stores, copies, strict=True):
        copy = game if plies is None else unfinished(game, plies)
        if kind == "live":
            live = store.begin(copy, "same")
            if plies is None:
                live.finish(copy)
            live.close()
        else:
            store.add_named([("same", Entry.of(copy))])
    furthest = max(copies, key=lambda plies: 999 if plies is None else plies)
    kept = game if furthest is None else unfinished(game, furthest)
    one, two = two_stores
    one.merge(two)
    two.merge(one)
    assert named(one) == named(two) == {"same": kept}
    positions = len(game.moves) + 1 if furthest is None else 0
    assert count_rows(one, "positions") == count_rows(two, "positions") == positions
    told_moves = len(kept.moves) if kind == "live" else 0
    assert count_rows(one, "moves") == count_rows(two, "moves") == told_moves


def test_merging_in_a_circle_ends(empty_stores: Callable[..., Store]) -> None:
    stores = [empty_stores("sqlite") for _ in range(3)]
    for number, store in enumerate(stores):
        store.add(mnk_games(3 * number + 3)[2 * number :])
    for one, two in itertools.permutations(stores, 2):
        one.merge(two)
    for one, two in itertools.permutations(stores, 2):
        assert one.merge(two).added == 0
        assert named(one) == named(two)
