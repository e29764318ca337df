"""A tournament: who meets whom, in which order, and how everybody stands.

What has been played is read from the journal at every step, so a tournament that was stopped or
killed resumes where it was, and one that is begun again with more players plays only what is new.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plyground.core.errors import Unsupported
from plyground.matches import bradley_terry
from plyground.matches.bradley_terry import RatingList
from plyground.matches.journal import Memory
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.run import PLAY, Work, run_pairs
from plyground.matches.schedule import (
    BYE_POINTS,
    Meeting,
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
    """Rounds of a Swiss tournament; None for as many as single out the best."""

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
        journal: Memory,
        on_pair: Callable[[PlayedPair], None] = lambda pair: None,
        work: Work = PLAY,
    ) -> None:
        """Play what is not played yet, until all is done or the workers are told to stop."""
        for played in run_pairs(self._to_play(journal), workers, journal, work):
            on_pair(played)

    def _to_play(self, journal: Memory) -> Iterator[Pair | None]:
        if self.format != "swiss":
            # Pair by pair through all pairings: however early it ends, all have played alike.
            pairings = [self._pairs(a, b, 0) for a, b in self._schedule()]
            for together in zip(*pairings, strict=True):
                yield from together
            return
        for encounters in self._rounds(journal):
            for each in encounters:
                yield from each.pairs
            while not _is_over(encounters, journal):
                yield None  # the next round depends on this one

    def _pairs(self, a: int, b: int, meeting: int) -> list[Pair]:
        return self.plan.pairs_of((self.players[a], self.players[b]), meeting)

    def _rounds(self, journal: Memory) -> Iterator[list[_Encounter]]:
        """The rounds of a Swiss tournament that are complete, and then the one to play."""
        before: list[Meeting] = []
        for _ in range(self._round_count):
            encounters = []
            for a, b in swiss(len(self.players), before):
                met = sum({each.a, each.b} == {a, b} for each in before)
                encounters.append(_Encounter(a, b, [] if b is None else self._pairs(a, b, met)))
            yield encounters
            if not _is_over(encounters, journal):
                return
            before += [each.meeting(journal) for each in encounters]

    # ------------------------------------------------------------------ standing

    def played(self, journal: Memory) -> list[PlayedPair]:
        """The pairs of this tournament that are over, in the order of the schedule."""
        if self.format != "swiss":
            keys = self._keys
        else:
            encounters = (each for listed in self._rounds(journal) for each in listed)
            keys = [pair.key for each in encounters for pair in each.pairs]
        return [journal.played[key] for key in keys if key in journal.played]

    @functools.cached_property
    def _keys(self) -> list[str]:
        """The keys of all pairs of a fixed schedule, in its order."""
        return [pair.key for a, b in self._schedule() for pair in self._pairs(a, b, 0)]

    def swiss_standings(self, journal: Memory) -> list[Standing]:
        """The table of a Swiss tournament after its complete rounds."""
        complete = [listed for listed in self._rounds(journal) if _is_over(listed, journal)]
        meetings = [each.meeting(journal) for listed in complete for each in listed]
        return standings(len(self.players), meetings)


class _Encounter(NamedTuple):
    """Two players in a round of a Swiss tournament, or one who has a bye, and their pairs."""

    a: int
    b: int | None
    pairs: list[Pair]

    def meeting(self, journal: Memory) -> Meeting:
        """The result, once all of its pairs are over."""
        if self.b is None:
            return Meeting(self.a, None, BYE_POINTS, 0.0)
        points = sum(sum(journal.played[pair.key].points) for pair in self.pairs)
        share = points / (2 * len(self.pairs))
        return Meeting(self.a, self.b, share, 1 - share)


def _is_over(encounters: Sequence[_Encounter], journal: Memory) -> bool:
    return all(pair.key in journal.played for each in encounters for pair in each.pairs)


def ratings(played: Sequence[PlayedPair], players: Sequence[str]) -> RatingList:
    """All players on one scale, from every game they played."""
    results = [(*game.players, game.points_of(0)) for pair in played for game in pair.games]
    return bradley_terry.rate(bradley_terry.tally(results), players)


def cross_table(played: Sequence[PlayedPair]) -> dict[tuple[str, str], tuple[float, int]]:
    """Points and games of the first of each two players against the second."""
    table: dict[tuple[str, str], tuple[float, int]] = {}
    for game in (game for pair in played for game in pair.games):
        for side in (0, 1):
            players = game.players[side], game.players[1 - side]
            points, count = table.get(players, (0.0, 0))
            table[players] = points + game.points_of(side), count + 1
    return table
