"""Games of matches and tournaments, stored move by move where they are played.

A worker that can reach the store writes each move as it is made; a kill loses at most that one, or
what was played in the last twentieth of a second. On a cluster, only a database that is served can
be reached from everywhere, so the games of an SQLite file are stored when they come back.

What was played is what the journal says. A pair is stored before its line is written there, so a
kill between them leaves games that nobody counts; the pair is played again, and stored in their
place.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.records import GameRecord, MoveRecord
from plyground.matches.one_game import Listener
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.store.live_game import LiveGame
from plyground.store.rows import Entry, now
from plyground.store.shelter import ShelteredStore
from plyground.store.store import Store
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
    """Whether workers write; otherwise whoever gets the results calls `store_pair`."""

    def task(self, pair: dict[str, Any]) -> dict[str, Any]:
        """What a worker is given to play a pair and store it."""
        where = {"store": self.store, "event": self.event} if self.from_workers else None
        return {"pair": pair, "recording": where}

    def settle(self) -> None:
        """Bring to the store what went to its shelter while it was away, if it is back."""
        if not self.store.startswith("sqlite"):
            ShelteredStore(self.store, wait_s()).close()

    def store_pair(self, played: PlayedPair) -> None:
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
    store, event, pair = _open(where["store"]), where["event"], Pair.from_data(task["pair"])
    games: list[_RecordedGame] = []

    def begin(number: int, header: GameRecord) -> Listener:
        uid = uid_of(event, pair, number)
        live = store.begin(_labelled(header, event), uid, repeatable=True)
        games.append(_RecordedGame(live))
        return games[-1].add

    def end(number: int, record: GameRecord) -> None:
        games[number].finish(_labelled(record, event))

    try:
        return play_pair(task["pair"], begin, end)
    finally:
        for game in games:
            game.live.close()


class _RecordedGame:
    """A game whose moves are stored a few at a time."""

    def __init__(self, live: LiveGame) -> None:
        self.live = live
        self._numbers: list[int] = []
        self._unwritten: list[MoveRecord] = []
        self._written_s = time.monotonic()

    def add(self, move: int, record: MoveRecord) -> None:
        self._numbers.append(move)
        self._unwritten.append(record)
        if time.monotonic() - self._written_s >= TOGETHER_S:
            self._write()

    def finish(self, record: GameRecord) -> None:
        self._write()
        self.live.finish(record, self._numbers)

    def _write(self) -> None:
        self.live.add(*self._unwritten)
        self._unwritten.clear()
        self._written_s = time.monotonic()


def uid_of(event: str, pair: Pair, number: int) -> str:
    """The name of a game in every store: a run played again does not store it twice."""
    digest = Entry(GameRecord(event, ("", ""), ()), pair.key).content_uid[:12]
    return f"{digest}-{pair.key}-{number}"


def _labelled(record: GameRecord, event: str) -> GameRecord:
    return replace(record, event=event, date=now())


@functools.cache
def _open(address: str) -> Store:
    """One connection pool for all the pairs that a process plays."""
    return ShelteredStore(address, wait_s())
