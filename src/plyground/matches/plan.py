"""What is to be played: the pairs of games of two players, and what all pairs have in common."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from plyground.core.errors import Unsupported
from plyground.core.naming import is_path
from plyground.games.catalogue import code_digest_of, is_code, portable_name
from plyground.games.position import BasePosition
from plyground.games.rules import State
from plyground.games.spec import GameSpec, Value
from plyground.matches.openings import OpeningFile, OpeningText, RandomOpenings
from plyground.matches.pair import Pair
from plyground.players.catalogue import canonical, code_used, commands_of, make_machine
from plyground.players.spec import Forfeit, Turn
from plyground.work.workers import Workers


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
    """Pairs of games for each two players."""
    seed: int = 0
    time_s: float | None = None
    """The time for each move; None is no limit."""

    @functools.cached_property
    def begin(self) -> BasePosition:
        """Where openings begin."""
        return BasePosition.begin(self.game, self.settings, self.position)

    @property
    def spec(self) -> GameSpec:
        return self.begin.game

    @property
    def start(self) -> State:
        return self.begin.start

    @functools.cache  # noqa: B019 - a plan lives as long as its run
    def opening_texts(self, count: int) -> list[OpeningText]:
        """An opening for each pair, the same for all players."""
        return [OpeningText.of(each) for each in self.openings.take(self.begin, count, self.seed)]

    @functools.cached_property
    def _identity(self) -> tuple[str, str]:
        """The name by which any process finds the game, and a digest of code that may change."""
        name = portable_name(self.spec)
        if not is_path(name) and is_code(self.game):
            name = self.game
        return name, code_digest_of(self.spec)

    @functools.cached_property
    def _used(self) -> str:
        """The file that the game is in; players may add others."""
        return code_used(self.spec, self.start, ())

    def check_player(self, text: str) -> str:
        """The canonical text of a player. Raises InputError if it cannot play this game."""
        make_machine(text, self.spec, self.start).close()
        return str(canonical(text))

    def prepare(self, players: Iterable[str]) -> None:
        """Compile once, here, what every worker will then find on disk."""
        turn = Turn(self.begin, time_s=self.time_s)
        for text in players:
            player = make_machine(text, self.spec, self.start)
            player.prepare(turn)
            player.close()

    def greet(self, players: Iterable[str], workers: Workers) -> None:
        """Start every engine once where games will be played, to see that it answers.

        Raises Unsupported.
        """
        name, _ = self._identity
        engines = [text for text in players if commands_of(text)]
        tasks = [(name, dict(self.settings), self.position, text) for text in engines]
        for _ in workers.run(begin_once, tasks):
            pass

    def pairs_of(self, players: tuple[str, str], meeting: int = 0) -> list[Pair]:
        """The pairs of two players, in their order; `meeting` counts how often they have met."""
        name, code = self._identity
        if (used := code_used(self.spec, self.start, players)) not in ("", self._used):
            code = hashlib.sha256(f"{code} {used}".encode()).hexdigest()[:16]
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


def begin_once(task: tuple[str, dict[str, Value], str | None, str]) -> None:
    """Begin a game with a player and end it. Raises Unsupported if the player cannot."""
    name, settings, position, text = task
    plan = Plan(name, settings, position)
    player = make_machine(text, plan.spec, plan.start)
    try:
        player.begin()
    except Forfeit as forfeit:
        raise Unsupported(f"{text}: {forfeit}") from None
    finally:
        player.close()
