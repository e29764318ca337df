"""What is to be played: the pairs of one pairing of players, and what all pairs have in common."""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plyground.games.catalogue import find_game, games, told_elsewhere
from plyground.games.rules import State
from plyground.games.spec import GameSpec, Value
from plyground.matches.openings import (
    OpeningFile,
    OpeningText,
    RandomOpenings,
    write_opening,
)
from plyground.matches.pair import Pair
from plyground.players.catalogue import canonical, make_machine
from plyground.players.spec import Turn


@dataclass(frozen=True, eq=False)
class Plan:
    """The terms of a match or tournament."""

    game: str
    """A name, or the path of a file."""
    settings: Mapping[str, Value] = field(default_factory=dict)
    position: str | None = None
    """Where openings begin, if not where the game begins."""
    openings: RandomOpenings | OpeningFile = field(default_factory=lambda: RandomOpenings(4))
    pairs: int = 50
    """To play by each two players."""
    seed: int = 0
    time_s: float | None = None
    """For each move of every player."""

    @functools.cached_property
    def spec(self) -> GameSpec:
        return find_game(self.game)

    @functools.cached_property
    def start(self) -> State:
        start = self.spec.initial(**self.settings)
        return self.spec.parse_position(start, self.position) if self.position else start

    @functools.cache  # noqa: B019 - a plan lives as long as its run
    def opening_texts(self, count: int) -> list[OpeningText]:
        """One for each pair, the same for all players."""
        usual = self.spec.initial(**self.settings)
        found = self.openings.take(self.spec, self.start, count, self.seed)
        return [write_opening(self.spec, usual, opening) for opening in found]

    @functools.cached_property
    def _identity(self) -> tuple[str, str]:
        """The name by which any process finds the game, and a digest of code that may change."""
        told = self.game if self.game.endswith(".py") else told_elsewhere(self.spec)
        if not told.endswith(".py") and games().get(self.spec.name) is self.spec:
            return self.spec.name, ""
        source = Path(inspect.getfile(self.spec.start))
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        return str(Path(told).resolve()) if told.endswith(".py") else self.game, digest

    def check_player(self, text: str) -> str:
        """The one true text of a player that can play this; raises InputError if none can."""
        make_machine(text, self.spec, self.start).close()
        return str(canonical(text))

    def prepare(self, players: Iterable[str]) -> None:
        """Compile here and once what every worker will find on disk then."""
        turn = Turn(self.spec, self.start, (), self.start, time_s=self.time_s)
        for text in players:
            player = make_machine(text, self.spec, self.start)
            player.prepare(turn)
            player.close()

    def pairs_of(self, players: tuple[str, str], meeting: int = 0) -> list[Pair]:
        """The pairs of two players, in their order; `meeting` counts how often they have met."""
        name, code = self._identity
        end = self.pairs * (meeting + 1)
        openings = self.opening_texts(end)
        return [
            Pair(
                name,
                players,
                number,
                openings[number].moves,
                openings[number].position,
                dict(self.settings),
                self.seed,
                self.time_s,
                code,
            )
            for number in range(end - self.pairs, end)
        ]
