"""Workers play pairs, which go to the journal as soon as they are over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from plyground.matches.journal import Memory
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.work.workers import Workers

Task = dict[str, Any]


@dataclass(frozen=True)
class Work:
    """What a worker does with a pair; usually just play it."""

    function: Callable[[Task], Task] = play_pair
    task: Callable[[Task], Task] = lambda pair: pair
    """Makes the argument of the function from a pair as data."""
    store: Callable[[PlayedPair], None] = lambda played: None
    """What else is done with a pair that was played, before the journal counts it."""


PLAY: Work = Work()


def run_pairs(
    pairs: Iterable[Pair | None], workers: Workers, journal: Memory, work: Work = PLAY
) -> Iterator[PlayedPair]:
    """Each pair as soon as it is over and written down; what is in the journal is skipped.

    The journal alone says what was played. Whatever else is stored of a pair is stored before its
    line, and replaces what was there: after a kill between them the pair is played again.
    None among the pairs says that the next ones depend on results that are not there yet.
    """
    tasks = (
        None if pair is None else work.task(asdict(pair))
        for pair in pairs
        if pair is None or pair.key not in journal.played
    )
    for _, answer in workers.run(work.function, tasks):
        played = PlayedPair.from_data(answer)
        work.store(played)
        journal.add(played)
        yield played
