"""Games of matches and tournaments, stored move by move where they are played.

A worker that can reach the store writes each move as it is made; a kill loses at most that one, or
what was played in the last twentieth of a second. On a cluster, only a database that is served can
be reached from everywhere, so the games of an SQLite file are stored when they come back.

What was played is what the journal says. A pair is stored before its line is written there, so a
kill between them leaves games that nobody counts; the pair is played again, and stored in their
place. Knows no face.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.records import GameRecord, MoveRecord
from plyground.matches.one_game import Listener
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.store.rows import Entry, now
from plyground.store.shelter import SteadyStore
from plyground.store.store import LiveGame, Store
from plyground.store.waiting import wait_s

# Moves that are made faster than this are written together: several processes that write to one
# file for every move of a millisecond wait for each other longer than they play.
TOGETHER_S = 0.05


@dataclass(frozen=True)
class Recording:
    """Where the games of a run go."""

    store: str
    """The address of the store."""
    event: str
    """What the run is called; with it, every game has a name of its own."""
    from_workers: bool = True
    """Whether workers write; otherwise whoever gets the results calls `keep`."""

    def task(self, pair: dict[str, Any]) -> dict[str, Any]:
        """What a worker is given to play a pair and store it."""
        where = {"store": self.store, "event": self.event} if self.from_workers else None
        return {"pair": pair, "recording": where}

    def settle(self) -> None:
        """Bring to the store what was kept in its place while it was away, if it is back."""
        if not self.store.startswith("sqlite"):
            SteadyStore(self.store, wait_s()).close()

    def keep(self, played: PlayedPair) -> None:
        """Store a pair that came back, if no worker has."""
        if not self.from_workers:
            named = [
                (uid_of(self.event, played.pair, number), Entry.of(_labelled(game, self.event)))
                for number, game in enumerate(played.games)
            ]
            _open(self.store).add_named(named, repeated=True)


def play_recorded(task: dict[str, Any]) -> dict[str, Any]:
    """Play a pair, and store it on the way: what a worker does."""
    where = task["recording"]
    if where is None:
        return play_pair(task["pair"])
    pair = Pair.from_data(task["pair"])
    store = _open(where["store"])

    def begin(number: int, header: GameRecord) -> Listener:
        uid = uid_of(where["event"], pair, number)
        header = _labelled(header, where["event"])
        game = live[number] = store.begin(header, uid, repeatable=True)
        waiting: list[MoveRecord] = []
        written_s = time.monotonic()

        def keep(move: int, record: MoveRecord) -> None:
            nonlocal written_s
            numbers[number].append(move)
            waiting.append(record)
            if time.monotonic() - written_s >= TOGETHER_S:
                game.add(*waiting)
                waiting.clear()
                written_s = time.monotonic()

        rest[number] = waiting
        return keep

    def end(number: int, record: GameRecord) -> None:
        live[number].add(*rest[number])
        live[number].finish(_labelled(record, where["event"]), numbers[number])

    live: dict[int, LiveGame] = {}
    rest: dict[int, list[MoveRecord]] = {}
    numbers: tuple[list[int], list[int]] = [], []
    try:
        return play_pair(task["pair"], begin, end)
    finally:
        for game in live.values():
            game.close()


def uid_of(event: str, pair: Pair, number: int) -> str:
    """The name of a game in every store: a run played again does not store it twice."""
    digest = Entry(GameRecord(event, ("", ""), ()), pair.key).content_uid[:12]
    return f"{digest}-{pair.key}-{number}"


def _labelled(record: GameRecord, event: str) -> GameRecord:
    return replace(record, event=event, date=now())


@functools.cache
def _open(address: str) -> Store:
    """One connection pool for all the pairs that a process plays."""
    return SteadyStore(address, wait_s())
