"""A match: two players, pairs of games, and what they prove.

Pairs are counted in their order, whichever worker finishes first: what a match of given terms
reports, and where a sequential test stops it, does not depend on the number of workers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from plyground.matches.journal import Memory
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import Pairs, Sprt, Verdict
from plyground.matches.run import PLAY, Work, run_pairs
from plyground.work.workers import Workers


@dataclass
class MatchStanding:
    """The pairs of a match that count."""

    total: int
    """Pairs at most."""
    sprt: Sprt | None = None
    counted: list[PlayedPair] = field(default_factory=list)
    """From the first on without a gap, up to where a test stopped the match."""
    tally: Pairs = field(default_factory=Pairs)
    """Of `counted`, as the first player sees it."""
    finished: int = 0
    """Pairs that are over, counted or not."""

    @property
    def verdict(self) -> Verdict | None:
        """What the test says; without one, nothing."""
        return self.sprt.verdict(self.tally) if self.sprt else None

    @property
    def is_decided(self) -> bool:
        """Whether the test needs no more games."""
        return self.verdict not in (None, Verdict.CONTINUE)

    @property
    def is_complete(self) -> bool:
        """Whether all that was planned is played, or the test has stopped it."""
        return self.is_decided or len(self.counted) == self.total

    def count(self, played: Mapping[int, PlayedPair]) -> None:
        """Go on counting what is over, by its number, as far as there is no gap."""
        self.finished = len(played)
        while not self.is_complete and (following := played.get(len(self.counted))) is not None:
            self.counted.append(following)
            self.tally += Pairs.of([following.points])


class Match(MatchStanding):
    """A match under way, or finished."""

    def __init__(self, plan: Plan, players: tuple[str, str], sprt: Sprt | None = None) -> None:
        super().__init__(plan.pairs, sprt)
        self.plan, self.players = plan, players
        self._pairs = plan.pairs_of(players)

    def played(self, journal: Memory) -> list[PlayedPair]:
        """The pairs of this match that are over, in their order."""
        keys = (pair.key for pair in self._pairs)
        return [journal.played[key] for key in keys if key in journal.played]

    def run(
        self,
        workers: Workers,
        journal: Memory,
        on_pair: Callable[[PlayedPair], None] = lambda pair: None,
        work: Work = PLAY,
    ) -> None:
        """Play until it is decided or done, or the workers are told to stop."""
        played = {each.pair.number: each for each in self.played(journal)}
        self.count(played)
        to_play = itertools.takewhile(lambda _: not self.is_decided, self._pairs)
        for pair in run_pairs(to_play, workers, journal, work):
            played[pair.pair.number] = pair
            self.count(played)
            on_pair(pair)
