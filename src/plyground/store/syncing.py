"""Games of one store that another has not: found by their names, and taken over.

A finished game is the same everywhere. One that is not finished gives way to its finished self, or
to one with more moves; of two that are equally far, each store keeps its own. What was deleted in a
store does not come back there, and stays in the other. Every batch is for good, so after a kill the
rest is taken over. Knows no terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from plyground.store.rows import Entry
from plyground.store.store import Filter, Report, Store, StoredGame

BATCH = 500  # games that are read, and taken over, at a time


def missing(here: Store, there: Store) -> list[int]:
    """The numbers, there, of games that are not here, or not as far."""
    known = here.known()

    def is_wanted(uid: str, is_finished: bool, plies: int) -> bool:
        mine = known.get(uid)
        if mine is None:
            return True
        return not mine.is_removed and mine.gives_way_to(is_finished, plies, revive=False)

    return [
        their.id
        for uid, their in there.known().items()
        if not their.is_removed and is_wanted(uid, their.is_finished, their.plies)
    ]


def take_over(
    here: Store,
    there: Store,
    numbers: Sequence[int],
    watch: Callable[[Iterable[StoredGame]], Iterator[StoredGame]] = iter,
) -> Iterator[Report]:
    """Take over games by their numbers there, a batch at a time; all pass through `watch`."""
    for start in range(0, len(numbers), BATCH):
        games = watch(there.whole(Filter(numbers=numbers[start : start + BATCH])))
        yield here.add_named(map(_named, games), revive=False)


def _named(game: StoredGame) -> tuple[str, Entry]:
    return game.uid, Entry.of(game.record)
