"""What is stored comes back: every field of every game."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_tools import count_rows, random_game, records, told, unfinished, wipe

from plyground.core.errors import MalformedText
from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.games.catalogue import find_game, games
from plyground.store.queries import Filter
from plyground.store.rows import Entry, StoredGame
from plyground.store.store import Store

# No database takes half a surrogate pair, and PostgreSQL no NUL; `test_refused` is about these.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
SCORES = st.builds(
    Score,
    st.integers(-(2**30), 2**30),
    st.sampled_from(("heuristic", "proven", "win", "loss")),
)
BARE_MOVES = st.builds(
    MoveRecord, TEXT | st.sampled_from(["d3", ";", "%", "%3B", ""]), st.integers(0, 1)
)
MOVES = st.builds(
    MoveRecord,
    TEXT,
    st.integers(0, 1),
    st.floats(0, 1e9),
    st.none() | SCORES,
    st.integers(0, 999),
    st.integers(0, 2**63 - 1),
    st.booleans(),
)
NAMES = st.sampled_from([*games(), "hex", "no/such/game.py", "no.such.module", ""])
NUMBERS = st.integers(-(2**63), 2**64) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.booleans() | NUMBERS | TEXT | st.none()
RECORDS = st.builds(
    GameRecord,
    game=NAMES | TEXT,
    players=st.tuples(TEXT, TEXT),
    moves=st.lists(BARE_MOVES, max_size=4) | st.lists(MOVES, max_size=4),
    points=st.sampled_from((None, 0.0, 0.5, 1.0)),
    outcome=st.none() | st.integers(-(2**31), 2**31 - 1),
    ended=st.sampled_from(
        ("over", "illegal move", "time", "forfeit", "resigned", "length", "unfinished")
    ),
    reason=TEXT,
    opening=st.integers(0, 100),
    settings=st.dictionaries(TEXT | st.sampled_from(["size", "pits", "m"]), VALUES, max_size=3),
    position=st.none() | TEXT,
    seed=st.integers(0, 2**64 - 1),
    date=st.integers(0, 20).map(lambda length: "2026-02-28T23:59:59Z"[:length]),
    event=TEXT,
    tags=st.dictionaries(TEXT, st.text(st.characters(exclude_categories=["Cs"])), max_size=3),
)


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(written=st.lists(RECORDS, min_size=1, max_size=5))
def test_any_games_come_back_equal_and_in_order(store: Store, written: list[GameRecord]) -> None:
    wipe(store)
    store.add(written)
    stored = list(store.whole())
    assert [each.record for each in stored] == written
    assert [store.game(each.id) for each in stored] == stored
    assert [each.uid for each in stored] == [each.uid for each in sorted_by_id(store)]


def sorted_by_id(store: Store) -> list[StoredGame]:
    return sorted(store.games(), key=lambda stored: stored.id)


@pytest.mark.parametrize("name", games())
def test_games_of_every_game_come_back_and_are_found_by_each_position(
    name: str, store: Store
) -> None:
    written = [random_game(name, seed, most=30) for seed in range(3)]
    store.add(written)
    assert records(store) == written
    assert count_rows(store, "positions") == sum(len(each.moves) + 1 for each in written)
    assert count_rows(store, "moves") == 0  # nothing is told of them


def test_who_moved_is_kept_where_players_do_not_take_turns(store: Store) -> None:
    record = random_game("kalah", 1)
    sides = [move.side for move in record.moves]
    assert any(one == two for one, two in itertools.pairwise(sides))
    store.add([record])
    assert [move.side for move in records(store)[0].moves] == sides


def test_games_under_other_settings_and_from_other_positions_come_back(store: Store) -> None:
    othello = find_game("othello")
    late = random_game("othello", 5, most=20, size=6)
    position = othello.format_position(
        othello.replay(
            othello.initial(size=6),
            othello.parse_moves(othello.initial(size=6), " ".join(m.move for m in late.moves)),
        )
    )
    start = othello.parse_position(othello.initial(size=6), position)
    move = MoveRecord(othello.format_move(start, othello.legal(start)[0]), int(start.side))
    from_there = replace(late, moves=[move], position=position)
    store.add([late, from_there])
    assert records(store) == [late, from_there]
    reached = store.games_with(start, 10)
    assert [each.record for each in reached] == [from_there, late]


def test_all_that_is_told_of_a_move_comes_back(store: Store) -> None:
    moves = [
        MoveRecord("d3", 0, 0.1 + 0.2, Score(-7, "heuristic"), 12, 2**40, True),
        MoveRecord("c5", 1, 1e-7, Score(0, "proven")),
        MoveRecord("d6", 0, 0.0, Score(9, "win")),
        MoveRecord("e3", 1, 0.0, Score(8, "loss")),
        MoveRecord("f4", 0, pondered=True),
    ]
    for count in range(1, len(moves) + 1):  # the last of them would be the only one told of
        wipe(store)
        record = GameRecord("othello", ("", ""), moves[count - 1 :], 1.0)
        store.add([record])
        assert records(store) == [record]


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_seeds_of_64_bits_come_back(store: Store, seed: int) -> None:
    store.add([replace(random_game("mnk", 1), seed=seed)])
    assert records(store)[0].seed == seed


def test_names_in_any_script_come_back_and_are_told_apart(store: Store) -> None:
    names = [
        "Đặng",
        "Ωμέγα",
        "横綱",
        "e\u0301",
        "é",
        "É",
        " é",
        "ﬁ",
        "fi",
        "👩‍👩‍👧",
        "'; DROP TABLE",
    ]
    written = [
        replace(random_game("mnk", n), players=(name, name[::-1]), event=name)
        for n, name in enumerate(names)
    ]
    store.add(written)
    assert records(store) == written
    assert store.stats().players == len({name for each in written for name in each.players})


@pytest.mark.parametrize("bad", ["nul \0", "half \ud800"])
@pytest.mark.parametrize("place", ["game", "players", "event", "reason", "position", "move"])
def test_characters_that_no_database_takes_are_refused_in_one_line(
    store: Store, bad: str, place: str
) -> None:
    record = random_game("mnk", 1)
    changes = {"players": ("", bad), "moves": [MoveRecord(bad, 0)]}
    name = "moves" if place == "move" else place
    broken = replace(record, **{name: changes.get(name, bad)})
    with pytest.raises(MalformedText, match=r"cannot be stored$"):
        store.add([record, broken])
    assert store.count() == 0  # one transaction or none


@pytest.mark.parametrize(
    "change",
    [
        {"game": "hex"},
        {"game": "no/such/game.py"},
        {"game": "no.such.module"},
        {"settings": {"m": 3, "n": 1000}},
        {"settings": {"m": "three"}},
        {"settings": {"colour": "green"}},
        {"position": "somewhere"},
        {"moves": [MoveRecord("a1", 0), MoveRecord("a1", 1)]},
        {"moves": [MoveRecord("castles", 0)]},
    ],
    ids=str,
)
def test_a_game_that_is_not_known_here_is_kept_but_has_no_positions(
    store: Store, change: dict
) -> None:
    known = random_game("mnk", 1)
    strange = replace(known, **change)
    store.add([strange, known])
    assert records(store) == [strange, known]
    assert store.game(next(store.games(Filter())).id).record == known
    assert count_rows(store, "positions") == len(known.moves) + 1


def test_a_game_is_named_by_what_it_is_and_not_by_what_is_told_about_it() -> None:
    record = random_game("connect4", 4)
    same = [told(record), replace(record, tags={"round": "3"}), replace(record, reason="bored")]
    same.append(replace(record, points=int(record.points_of(0))))
    assert {Entry.of(each).content_uid for each in same} == {Entry.of(record).content_uid}
    other = [
        replace(record, players=record.players[::-1]),
        replace(record, date="2026"),
        replace(record, event="cup"),
        replace(record, seed=record.seed + 1),
        replace(record, position=""),
        replace(record, settings={"width": 7}),
        replace(record, game="mnk"),
        replace(record, moves=record.moves[:-1]),
        unfinished(record, len(record.moves)),
    ]
    assert len({Entry.of(each).content_uid for each in [record, *other]}) == len(other) + 1
