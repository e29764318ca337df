"""The unit of work: two games from one opening, with the sides swapped.

A pair is plain data, small enough to send anywhere, and holds all that its games depend on. So its
key, a digest of that data, says whether it has been played already, and its seed is the same
whichever worker plays it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from plyground.bits import U64, combine
from plyground.core.records import GameRecord
from plyground.games.position import BasePosition
from plyground.games.spec import Value
from plyground.matches.one_game import Listener, play_game
from plyground.players.catalogue import code_tags, make_machine
from plyground.players.spec import Turn


@dataclass(frozen=True)
class Pair:
    """Two games to be played."""

    game: str
    """A name, or the path of a file."""
    players: tuple[str, str]
    """Player texts; the first of them moves first in the first game."""
    number: int = 0
    """The place of this pair among the pairs of these players."""
    opening: str = ""
    """Moves, separated by semicolons."""
    position: str | None = None
    """Where the games begin, if not where the game begins."""
    settings: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0
    """The seed of the whole match."""
    time_s: float | None = None
    """The time for each move; None is no limit."""
    code: str = ""
    """A digest of the file, if the game is one: a changed game is another game."""

    @property
    def key(self) -> str:
        """The name of this pair, different from all others and the same on every machine."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Pair:
        """Raises ValueError, KeyError or TypeError for what is no pair."""
        first, second = data["players"]
        pair = Pair(**{**data, "players": (first, second)})
        texts = pair.game, *pair.players, pair.opening, pair.position or "", pair.code
        are_sound = all(isinstance(each, str) for each in texts) and isinstance(pair.settings, dict)
        if not are_sound or type(pair.number) is not int or type(pair.seed) is not int:
            raise ValueError("a value of the wrong kind")
        return pair


@dataclass(frozen=True)
class PlayedPair:
    """A pair and its two games; in the second the players have changed sides."""

    pair: Pair
    games: tuple[GameRecord, GameRecord]

    @property
    def points(self) -> tuple[float, float]:
        """The points of the pair's first player in both games."""
        return self.games[0].points_of(0), self.games[1].points_of(1)

    def as_data(self) -> dict[str, Any]:
        return {
            "key": self.pair.key,
            "pair": asdict(self.pair),
            "games": [game.as_data() for game in self.games],
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> PlayedPair:
        first, second = (GameRecord.from_data(game) for game in data["games"])
        return PlayedPair(Pair.from_data(data["pair"]), (first, second))


Begin = Callable[[int, GameRecord], Listener]
End = Callable[[int, GameRecord], None]


def play_pair(
    data: dict[str, Any], begin: Begin | None = None, end: End | None = None
) -> dict[str, Any]:
    """Play a pair, given and answered as data: what a worker does.

    `begin` is called before the first move of each game and returns who is told of its moves;
    `end` is called with how it ended.
    """
    pair = Pair.from_data(data)
    moves = pair.opening.split("; ") if pair.opening else []
    opening = BasePosition.begin(pair.game, pair.settings, pair.position, moves)
    players = [make_machine(text, opening.game, opening.start) for text in pair.players]
    tags = code_tags(opening.game, opening.start, pair.players)
    first_turn = Turn(opening, time_s=pair.time_s)

    def one(number: int) -> GameRecord:
        seed = int(combine(U64(int(pair.key[:16], 16)), U64(number)))
        seats = players[number], players[1 - number]
        names = pair.players[number], pair.players[1 - number]
        header = GameRecord(
            opening.game.name,
            names,
            (),
            ended="unfinished",
            opening=opening.ply,
            settings=dict(pair.settings),
            position=pair.position,
            seed=seed,
            tags=tags,
        )
        listener = begin(number, header) if begin else None
        record = play_game(opening, seats, names, seed, pair.time_s, listener)
        record = replace(record, settings=header.settings, position=header.position, tags=tags)
        if end:
            end(number, record)
        return record

    try:
        for player in players:
            player.prepare(first_turn)
        games = one(0), one(1)
    finally:
        for player in players:
            player.close()
    return PlayedPair(pair, games).as_data()
