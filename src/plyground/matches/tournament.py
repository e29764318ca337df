"""A tournament: who meets whom, in which order, and how everybody stands.

What has been played is read from the journal at every step, so a tournament that was stopped or
killed goes on where it was, and one that is begun again with more players plays only what is new.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from plyground.core.errors import Unsupported
from plyground.matches import bradley_terry
from plyground.matches.bradley_terry import RatingList
from plyground.matches.journal import Readable, Writable
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.run import PLAY, Work, run_pairs
from plyground.matches.schedule import (
    BYE_POINTS,
    Meeting,
    Pairing,
    Standing,
    gauntlet,
    recommended_rounds,
    round_robin,
    standings,
    swiss,
)
from plyground.work.workers import Workers

FORMATS = ("round-robin", "gauntlet", "swiss")


@dataclass(frozen=True, eq=False)
class Tournament:
    """Players by number, and the terms under which each two of them meet."""

    plan: Plan
    players: Sequence[str]
    format: str = "round-robin"
    heroes: int = 1
    """Of a gauntlet: how many of the first players meet all the others."""
    rounds: int | None = None
    """Of a Swiss tournament; None for as many as single out the best."""

    def __post_init__(self) -> None:
        if len(set(self.players)) < len(self.players):
            twice = next(each for each in self.players if self.players.count(each) > 1)
            raise Unsupported(f"player {twice} is there twice; one name, one player")

    @property
    def total(self) -> int:
        """How many pairs there are to play."""
        if self.format == "swiss":
            return self.plan.pairs * self._round_count * (len(self.players) // 2)
        return self.plan.pairs * len(self._schedule())

    @property
    def _round_count(self) -> int:
        return self.rounds or recommended_rounds(len(self.players))

    def _schedule(self) -> list[tuple[int, int]]:
        if self.format == "gauntlet":
            return gauntlet(len(self.players), self.heroes)
        return round_robin(len(self.players))

    # ------------------------------------------------------------------ playing

    def run(
        self,
        workers: Workers,
        journal: Writable,
        on_pair: Callable[[PlayedPair], None] = lambda pair: None,
        work: Work = PLAY,
    ) -> None:
        """Play what is not played yet, until all is done or the workers are told to stop."""
        for played in run_pairs(self._to_play(journal), workers, journal, work):
            on_pair(played)

    def _to_play(self, journal: Writable) -> Iterator[Pair | None]:
        if self.format != "swiss":
            # Pair by pair through all pairings: however early it ends, all have played alike.
            yield from self._interleaved([self._pairs(a, b, 0) for a, b in self._schedule()])
            return
        for number in range(self._round_count):
            pairs = self._round(journal, number)
            yield from pairs
            while not all(pair.key in journal.played for pair in pairs):
                yield None  # the next round depends on this one

    def _pairs(self, a: int, b: int, meeting: int) -> list[Pair]:
        return self.plan.pairs_of((self.players[a], self.players[b]), meeting)

    @staticmethod
    def _interleaved(pairings: Sequence[Sequence[Pair]]) -> Iterator[Pair]:
        for together in zip(*pairings, strict=True):
            yield from together

    def _round(self, journal: Readable, number: int) -> list[Pair]:
        """The pairs of a round of a Swiss tournament, whose earlier rounds are played."""
        before = self._swiss_rounds(journal)[:number]
        pairings = swiss(len(self.players), [each for meetings in before for each in meetings])
        return [
            pair
            for a, b in pairings
            if b is not None
            for pair in self._pairs(a, b, self._met(before, a, b))
        ]

    @staticmethod
    def _met(before: Sequence[Sequence[Meeting]], a: int, b: int) -> int:
        return sum({each.a, each.b} == {a, b} for meetings in before for each in meetings)

    # ------------------------------------------------------------------ standing

    def played(self, journal: Readable) -> list[PlayedPair]:
        """The pairs of this tournament that are over, in the order of the schedule."""
        if self.format == "swiss":
            begun = min(len(self._swiss_rounds(journal)) + 1, self._round_count)
            pairs = [p for number in range(begun) for p in self._round(journal, number)]
            keys = [pair.key for pair in pairs]
        else:
            keys = self._keys
        return [journal.played[key] for key in keys if key in journal.played]

    @functools.cached_property
    def _keys(self) -> list[str]:
        """Of all pairs that are played whatever comes of them, in the order of the schedule."""
        return [pair.key for a, b in self._schedule() for pair in self._pairs(a, b, 0)]

    def _swiss_rounds(self, journal: Readable) -> list[list[Meeting]]:
        """The rounds that are complete."""
        rounds: list[list[Meeting]] = []
        while len(rounds) < self._round_count:
            flat = [meeting for meetings in rounds for meeting in meetings]
            meetings = []
            for a, b in swiss(len(self.players), flat):
                again = 0 if b is None else self._met(rounds, a, b)
                meeting = self._meeting(journal, (a, b), again)
                if meeting is None:
                    return rounds
                meetings.append(meeting)
            rounds.append(meetings)
        return rounds

    def _meeting(self, journal: Readable, pairing: Pairing, meeting: int) -> Meeting | None:
        a, b = pairing
        if b is None:
            return Meeting(a, None, BYE_POINTS, 0.0)
        pairs = self._pairs(a, b, meeting)
        if not all(pair.key in journal.played for pair in pairs):
            return None
        share = sum(sum(journal.played[pair.key].points) for pair in pairs) / (2 * len(pairs))
        return Meeting(a, b, share, 1 - share)

    def swiss_standings(self, journal: Readable) -> list[Standing]:
        """The table of a Swiss tournament after its complete rounds."""
        rounds = self._swiss_rounds(journal)
        return standings(len(self.players), [each for meetings in rounds for each in meetings])


def ratings(played: Sequence[PlayedPair], players: Sequence[str]) -> RatingList:
    """All players on one scale, from every game they played."""
    games = [game for pair in played for game in pair.games]
    results = [(*game.players, game.points_of(0)) for game in games]
    return bradley_terry.rate(bradley_terry.tally(results), players)


def cross_table(
    played: Sequence[PlayedPair], players: Sequence[str]
) -> dict[tuple[str, str], tuple[float, int]]:
    """Points and games of the first of each two players against the second."""
    table: dict[tuple[str, str], tuple[float, int]] = {}
    for pair in played:
        for game in pair.games:
            for side in (0, 1):
                here, there = game.players[side], game.players[1 - side]
                points, count = table.get((here, there), (0.0, 0))
                table[here, there] = points + game.points_of(side), count + 1
    return table
