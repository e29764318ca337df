"""Which games are found, how many, in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from store_tools import random_game, records, told, unfinished

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.store.queries import Filter
from plyground.store.reading import Stats
from plyground.store.store import Store


def people(first: str, second: str, date: str, event: str, points: float | None) -> GameRecord:
    record = replace(
        random_game("mnk", len(first + second + date + event)),
        players=(first, second),
        date=date,
        event=event,
        points=points,
    )
    return record if points is not None else unfinished(record, 2)


GAMES = [
    people("alphabeta:depth=3", "random", "2024-12-31T23:59:59Z", "", 1.0),
    people("random", "alphabeta:depth=8", "2025-01-01T00:00:00Z", "Cup 2025", 0.0),
    people("Ørsted", "ÅSE", "2025-05-01T12:00:00Z", "Cup 2025, final", 0.5),
    people("Ünal", "100%_sure", "2025-05", "coupe d'été", 1.0),
    people("1OO%_sure", "100 sure", "2025", "CUP 1977", None),
    people("Straße", "", "1977-08", "cup/1977", 0.0),
    people("", "", "", "", None),
    replace(random_game("connect4", 1), players=("Ann", "Bob"), date="2025-05-02", points=0.5),
    replace(random_game("kalah", 1), players=("Bob", "Ann"), date="2026-01-01", event="[x*]?"),
]


@pytest.fixture
def full(store: Store) -> Store:
    store.add(GAMES)
    return store


def has(part: str) -> Callable[[GameRecord], bool]:
    return lambda game: any(part.lower() in name.lower() for name in game.players)


def of_event(part: str) -> Callable[[GameRecord], bool]:
    return lambda game: part.lower() in game.event.lower()


CASES: dict[str, tuple[Filter, Callable[[GameRecord], bool], int]] = {
    "all": (Filter(), lambda game: True, 9),
    "game": (Filter(game="mnk"), lambda game: game.game == "mnk", 7),
    "no game": (Filter(game="hex"), lambda game: False, 0),
    "player, first or second": (Filter(player="alphabeta"), has("alphabeta"), 2),
    "player, any case": (Filter(player="ANN"), has("ann"), 2),
    "player, any case of any letter": (Filter(player="ørSTED"), has("ørsted"), 1),
    "player, small letters of large": (Filter(player="åse"), has("åse"), 1),
    "player with a wildcard": (Filter(player="%"), has("%"), 2),
    "player with another": (Filter(player="0%_s"), has("0%_s"), 1),
    "player with a quote": (Filter(player="'"), has("'"), 0),
    "player with a slash": (Filter(player="/"), has("/"), 0),
    "first won": (Filter(result="first"), lambda game: game.points == 1, 3),
    "second won": (Filter(result="second"), lambda game: game.points == 0, 2),
    "drawn": (Filter(result="draw"), lambda game: game.points == 0.5, 2),
    "unfinished": (Filter(result="unfinished"), lambda game: game.points is None, 2),
    "since a year": (Filter(since="2025"), lambda game: game.date[:4] >= "2025", 6),
    "since a day": (Filter(since="2025-05-02"), lambda game: game.date >= "2025-05-02", 2),
    "until a year": (Filter(until="2024"), lambda game: "" < game.date < "2025", 2),
    "until a month": (Filter(until="2025-05"), lambda game: "" < game.date < "2025-06", 7),
    "until a day": (Filter(until="2025-05-01"), lambda game: "" < game.date < "2025-05-02", 6),
    "a day": (
        Filter(since="2025-01-01", until="2025-01-01"),
        lambda game: game.date.startswith("2025-01-01"),
        1,
    ),
    "event": (Filter(event="cup"), of_event("cup"), 4),
    "event, any case of any letter": (Filter(event="ÉTÉ"), of_event("été"), 1),
    "event with signs": (Filter(event="[X*]?"), of_event("[x*]?"), 1),
    "event with a slash": (Filter(event="p/1"), of_event("p/1"), 1),
    "several at once": (
        Filter("mnk", "random", "second", "2025", "2025", "2025"),
        lambda game: game.players == ("random", "alphabeta:depth=8"),
        1,
    ),
}


def newest_first(games: list[GameRecord]) -> list[GameRecord]:
    numbered = sorted(enumerate(games), key=lambda pair: (pair[1].date, pair[0]), reverse=True)
    return [game for _, game in numbered]


def test_a_filter_finds_what_it_says_and_counts_it(full: Store) -> None:
    for name, (which, wanted, count) in CASES.items():
        expected = [game for game in GAMES if wanted(game)]
        assert len(expected) == count, name  # the case itself is as it was meant
        assert [each.record for each in full.whole(which)] == expected, name
        assert [each.record for each in full.games(which)] == newest_first(expected), name
        assert full.count(which) == count, name


def test_the_newest_games_come_first_and_at_most_as_many_as_asked(full: Store) -> None:
    dates = [each.record.date for each in full.games()]
    assert dates == sorted(dates, reverse=True)
    for limit in (0, 1, 4, 100):
        assert [each.record.date for each in full.games(limit=limit)] == dates[:limit]
    assert [each.record.date for each in full.games(Filter(until="2025"), 2)] == dates[1:3]


def test_of_games_of_the_same_date_the_last_stored_comes_first(store: Store) -> None:
    games = [replace(random_game("mnk", seed), date="2026") for seed in range(5)]
    store.add(games)
    assert [each.record for each in store.games()] == games[::-1]


def test_numbers_find_games_and_other_numbers_say_so(full: Store) -> None:
    for stored in full.games():
        assert full.game(stored.id).record == stored.record
    missing = max(stored.id for stored in full.games()) + 1
    for number in (missing, 0, -1):
        with pytest.raises(Unsupported, match=rf"^no game has number {number}; `plyground store"):
            full.game(number)


def test_stats_tell_how_much_there_is(store: Store) -> None:
    assert store.stats() == Stats({}, 0, 0, 0, 0, 0)
    store.add(GAMES)
    moves = sum(len(game.moves) for game in GAMES)
    positions = sum(len(game.moves) + 1 for game in GAMES if game.points is not None)
    names = {name for game in GAMES for name in game.players}
    events = {game.event for game in GAMES if game.event}
    games = {"mnk": 7, "connect4": 1, "kalah": 1}
    assert store.stats() == Stats(games, 2, moves, positions, len(names), len(events))


def test_stats_count_the_moves_of_a_game_that_is_being_played(store: Store) -> None:
    game = told(random_game("mnk", 4))
    live = store.begin(unfinished(game, 4), "live")
    assert store.stats() == Stats({"mnk": 1}, 1, 4, 0, 2, 0)
    live.close()
    assert records(store) == [unfinished(game, 4)]
