"""Pairs are played by workers and written down as soon as they are over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from plyground.matches.journal import Journal
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.matches.workers import Workers


def run_pairs(
    pairs: Iterable[Pair | None], workers: Workers, journal: Journal
) -> Iterator[PlayedPair]:
    """Each pair as soon as it is over and written down; what is in the journal is passed over.

    None among the pairs says that the next ones depend on results that are not there yet.
    """
    tasks = (
        None if pair is None else asdict(pair)
        for pair in pairs
        if pair is None or pair.key not in journal.played
    )
    for _, answer in workers.run(play_pair, tasks):
        played = PlayedPair.from_data(answer)
        journal.add(played)
        yield played
