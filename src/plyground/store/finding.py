"""Which games went through a position: as it is, or turned and mirrored as well.

The index knows positions by their canonical form alone, so whether a game had this very position is
seen by playing it again up to there; games with the same moves are played once. Games that are not
over yet are in no index, and are all played again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import select

from plyground.core.errors import MalformedText, PlygroundError
from plyground.core.records import GameRecord
from plyground.games.rules import State, count_symmetries, key, transform
from plyground.games.spec import GameSpec
from plyground.store import schema
from plyground.store.positions import mark_of, stored_key
from plyground.store.queries import Filter
from plyground.store.rows import game_of, replay, split_names, start_of
from plyground.store.store import Store

LookUp = Callable[[Iterable[Any]], Iterator[Any]]
MOST_UNFINISHED = 1000  # the newest; who leaves more than these does not look for them


def games_reaching(
    store: Store, game: GameSpec, state: State, symmetric: bool = True, look_up: LookUp = iter
) -> dict[int, int]:
    """The numbers of the games that reached a position, each with the ply at which it did first.

    Games that must be played again pass through `look_up`, which may end it by an error.
    """
    found = _indexed(store, state)
    if not symmetric and not _is_its_own_image(state):
        found = _exactly(store, found, state, look_up)
    return found | _unfinished(store, game, state, symmetric, look_up)


def _is_its_own_image(state: State) -> bool:
    own = int(key(state))
    return all(int(key(transform(state, i))) == own for i in range(count_symmetries(state)))


def _indexed(store: Store, state: State) -> dict[int, int]:
    table = schema.positions.c
    query = select(table.game_id, table.ply).where(table.key == stored_key(state))
    rows = [(row["game_id"], row["ply"]) for row in store.read(query)]
    return dict(sorted(rows, reverse=True))  # of several plies of a game the lowest comes last


def _exactly(
    store: Store, candidates: dict[int, int], state: State, look_up: LookUp
) -> dict[int, int]:
    """Those that had the position itself, and not only an image of it."""
    same = _comparison(state, symmetric=False)
    known: dict[tuple[str, str, str | None, tuple[str, ...]], bool] = {}
    found: dict[int, int] = {}
    query = store.select_games(Filter(numbers=candidates))
    with store.engine.connect() as connection:
        for row in look_up(connection.execute(query).mappings()):
            number = int(row["id"])
            names = tuple(split_names(str(row["moves"]))[: candidates[number]])
            moves = (row["game"], row["settings"], row["position"], names)
            if moves not in known:
                try:
                    states = _states(game_of(row), names)
                except MalformedText:  # it is shown as damaged where games are listed
                    continue
                known[moves] = len(states) == len(names) + 1 and same(states[-1])
            if known[moves]:
                found[number] = candidates[number]
    return found


def _unfinished(
    store: Store, game: GameSpec, state: State, symmetric: bool, look_up: LookUp
) -> dict[int, int]:
    same = _comparison(state, symmetric)
    found: dict[int, int] = {}
    left = store.games(Filter(game=game.name, result="unfinished"), MOST_UNFINISHED)
    for stored in look_up(left):
        names = [move.move for move in stored.record.moves]
        states = _states(stored.record, names)
        plies = (ply for ply, reached in enumerate(states) if same(reached))
        if (ply := next(plies, None)) is not None:
            found[stored.id] = ply
    return found


def _comparison(state: State, symmetric: bool) -> Callable[[State], bool]:
    kind = type(state)
    if symmetric:
        wanted = stored_key(state)
        return lambda other: type(other) is kind and stored_key(other) == wanted
    own, mark = int(key(state)), mark_of(state)
    return lambda other: type(other) is kind and int(key(other)) == own and mark_of(other) == mark


def _states(record: GameRecord, names: Sequence[str]) -> list[State]:
    """All positions of a game, as far as its rules are known here."""
    states: list[State] = []
    with contextlib.suppress(PlygroundError):
        game, start = start_of(record)
        states.append(start)
        for _, state in replay(game, start, names):
            states.append(state)
    return states
