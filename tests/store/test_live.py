"""Games stored while they are played."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text
from store_tools import count_rows, named, random_game, records, told, unfinished

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.core.scores import Score
from plyground.games.catalogue import find_game
from plyground.store.database import StoreError
from plyground.store.queries import Filter
from plyground.store.rows import Entry
from plyground.store.store import Store
from plyground.store.waiting import StoreConflict


@pytest.fixture
def game() -> GameRecord:
    record = told(random_game("connect4", 4))
    return replace(record, event="cup", date="2026-01-02T03:04:05Z", tags={"round": "1"}, opening=2)


def test_each_move_is_kept_as_soon_as_it_is_made(store: Store, game: GameRecord) -> None:
    live = store.begin(unfinished(game, 0), "uid")
    assert store.game(live.id).record == unfinished(game, 0)
    for plies, move in enumerate(game.moves, start=1):
        live.add(move)
        assert store.game(live.id).record == unfinished(game, plies)
    assert [each.record for each in store.games()] == [unfinished(game, len(game.moves))]
    assert count_rows(store, "positions") == 0
    live.finish(game)
    assert named(store) == {"uid": game}
    assert [each.record.moves for each in store.games()] == [
        [replace(move, time_s=0.0, score=None, depth=0, nodes=0) for move in game.moves]
    ]
    assert count_rows(store, "positions") == len(game.moves) + 1
    live.close()
    live.close()


def test_several_moves_at_once_are_kept_together_or_not_at_all(
    store: Store, game: GameRecord
) -> None:
    live = store.begin(unfinished(game, 2), "uid")
    impossible = replace(game.moves[3], score=Score(2**70, "heuristic"))
    with pytest.raises((StoreError, OverflowError)):
        live.add(game.moves[2], impossible, game.moves[4])
    assert store.game(live.id).record == unfinished(game, 2)
    assert live.moves == list(game.moves[:2])
    live.add()
    live.add(*game.moves[2:])
    live.finish(game)
    assert records(store) == [game]


def test_moves_taken_back_are_forgotten(store: Store, game: GameRecord) -> None:
    live = store.begin(unfinished(game, 6), "uid")
    live.take_back(3)
    assert store.game(live.id).record == unfinished(game, 3)
    live.add(*game.moves[3:])
    live.take_back(0)
    assert store.game(live.id).record == unfinished(game, 0)
    live.add(*game.moves)
    live.finish(game)
    assert records(store) == [game]


def test_a_game_is_finished_with_the_moves_that_were_added(store: Store, game: GameRecord) -> None:
    live = store.begin(unfinished(game, 0), "uid")
    live.add(*game.moves[:5])
    resigned = replace(game, points=0.0, outcome=None, ended="resigned", reason="first: enough")
    live.finish(replace(resigned, moves=[]))
    assert records(store) == [replace(resigned, moves=list(game.moves[:5]))]
    assert count_rows(store, "positions") == 6


def test_moves_as_numbers_are_believed(store: Store, game: GameRecord) -> None:
    spec = find_game("connect4")
    numbers = spec.parse_moves(spec.initial(), " ".join(move.move for move in game.moves))
    by_number, by_name = store.begin(game, "by number"), store.begin(game, "by name")
    by_number.finish(game, numbers)
    by_name.finish(game)
    [move] = {row.moves for row in store.explore(spec, spec.initial())}
    assert numbers[0] in move
    assert [each.games for each in store.explore(spec, spec.initial())] == [2]


def test_an_unfinished_game_of_the_same_name_goes_and_a_finished_one_stays(
    store: Store, game: GameRecord
) -> None:
    store.begin(unfinished(game, 7), "uid").close()
    again = store.begin(unfinished(game, 1), "uid")
    assert named(store) == {"uid": unfinished(game, 1)}
    assert count_rows(store, "moves") == 1
    again.add(*game.moves[1:])
    again.finish(game)
    with pytest.raises(Unsupported, match=r"^game uid is stored already, and finished$"):
        store.begin(unfinished(game, 0), "uid")
    assert named(store) == {"uid": game}


def test_a_repeatable_game_takes_the_place_of_a_finished_one(
    store: Store, game: GameRecord
) -> None:
    for moves in (game.moves, game.moves[:6], game.moves):
        live = store.begin(unfinished(game, 0), "uid", repeatable=True)
        assert named(store) == {"uid": unfinished(game, 0)}
        assert count_rows(store, "positions") == count_rows(store, "moves") == 0
        live.add(*moves)
        live.finish(replace(game, moves=moves))
        assert named(store) == {"uid": replace(game, moves=list(moves))}
        assert count_rows(store, "positions") == len(moves) + 1
    store.add_named([("uid", Entry.of(replace(game, moves=game.moves[:4])))])
    assert named(store) == {"uid": game}
    store.add_named([("uid", Entry.of(replace(game, moves=game.moves[:4])))], repeated=True)
    assert named(store) == {"uid": replace(game, moves=list(game.moves[:4]))}
    assert count_rows(store, "positions") == 5


def test_who_goes_on_with_a_game_that_was_begun_again_harms_nothing(
    store: Store, game: GameRecord
) -> None:
    """As a worker of a cluster may, whose command was killed and started again."""
    old = [store.begin(unfinished(game, 3), "uid", repeatable=True) for _ in range(2)]
    new = store.begin(unfinished(game, 0), "uid", repeatable=True)
    gone = r"^game uid is gone: another run has taken its name$"
    with pytest.raises(StoreConflict, match=gone):
        old[0].add(game.moves[3])
    with pytest.raises(StoreConflict, match=gone):
        old[1].finish(game)
    old[1].close()
    new.add(*game.moves)
    new.finish(game)
    assert named(store) == {"uid": game}
    assert count_rows(store, "positions") == len(game.moves) + 1


def test_a_game_that_was_left_is_still_there_as_far_as_it_got(
    store: Store, game: GameRecord
) -> None:
    store.begin(unfinished(game, 5), "uid").close()
    with Store(store.engine.url.render_as_string(hide_password=False)) as again:
        assert named(again) == {"uid": unfinished(game, 5)}
        assert again.count(Filter(result="unfinished")) == 1
        assert again.stats().unfinished == 1


def test_many_games_at_once_keep_their_moves_apart(store: Store, game: GameRecord) -> None:
    live = [store.begin(unfinished(game, 0), f"{n}") for n in range(10)]
    for move in game.moves:
        for each in live:
            each.add(move)
    for each in live[:5]:
        each.finish(game)
    for each in live[5:]:
        each.close()
    left = unfinished(game, len(game.moves))
    assert named(store) == {f"{n}": game if n < 5 else left for n in range(10)}


def test_a_lost_connection_is_told_in_one_line_and_the_next_one_works(
    empty_stores, game: GameRecord
) -> None:
    store: Store = empty_stores("postgresql")
    live = store.begin(unfinished(game, 2), "uid")
    live.add(game.moves[2])
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    address = store.engine.url.render_as_string(hide_password=False)
    with Store(address) as killer, killer.engine.connect() as connection:
        ended = text(f"SELECT count(pg_terminate_backend(pid, 10000)) {others}")
        assert connection.execute(ended).scalar_one() > 0  # each waited for until it is gone
    with pytest.raises(StoreError) as lost:
        live.add(game.moves[3])
    assert str(lost.value).startswith(f"store {store.address} cannot be used: ")
    assert "\n" not in str(lost.value)
    assert named(store) == {"uid": unfinished(game, 3)}
    live.add(*game.moves[3:])
    live.finish(game)
    assert named(store) == {"uid": game}
