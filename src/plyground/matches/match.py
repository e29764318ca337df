"""A match: two players, pairs of games, and what they prove.

Pairs are counted in their order, whichever worker finishes first: what a match of given terms
reports, and where a sequential test stops it, does not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from plyground.matches.journal import Writable
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import Pairs, Sprt, Verdict
from plyground.matches.run import PLAY, Work, run_pairs
from plyground.work.workers import Workers


@dataclass
class Match:
    """A match under way, or finished."""

    plan: Plan
    players: tuple[str, str]
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
        return self.is_decided or len(self.counted) == self.plan.pairs

    def run(
        self,
        workers: Workers,
        journal: Writable,
        on_pair: Callable[[PlayedPair], None] = lambda pair: None,
        work: Work = PLAY,
    ) -> None:
        """Play until it is decided or done, or the workers are told to stop."""
        pairs = self.plan.pairs_of(self.players)
        played = {
            pair.key: journal.played[pair.key] for pair in pairs if pair.key in journal.played
        }
        self.finished = len(played)
        self._count(pairs, played)
        for pair in run_pairs(self._until_decided(pairs), workers, journal, work):
            played[pair.pair.key] = pair
            self.finished += 1
            self._count(pairs, played)
            on_pair(pair)

    def _count(self, pairs: list[Pair], played: Mapping[str, PlayedPair]) -> None:
        """Go on from the last one counted as far as there is no gap."""
        while len(self.counted) < len(pairs) and not self.is_decided:
            following = played.get(pairs[len(self.counted)].key)
            if following is None:
                return
            self.counted.append(following)
            self.tally += Pairs.of([following.points])

    def _until_decided(self, pairs: list[Pair]) -> Iterator[Pair]:
        for pair in pairs:
            if self.is_decided:
                return
            yield pair
