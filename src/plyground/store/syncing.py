"""Games of one store that another has not: found by their names, and taken over.

A finished game is the same everywhere. One that is not finished gives way to its finished self, or
to one with more moves; of two that are equally far, each store keeps its own. What was deleted in a
store does not come back there, and stays in the other. Every batch is for good, so after a kill the
rest is taken over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from plyground.store.queries import Filter
from plyground.store.rows import StoredGame
from plyground.store.store import Progress, Report, Store

BATCH = 500  # games that are read, and taken over, at a time


def missing(here: Store, there: Store) -> list[int]:
    """The numbers, there, of games that are not here, or not as far."""
    here_by_name = here.progress()

    def is_missing(uid: str, their: Progress) -> bool:
        if their.is_removed or uid not in here_by_name:
            return not their.is_removed
        ours, extent = here_by_name[uid], (their.is_finished, their.plies)
        return not ours.is_removed and ours.gives_way_to(*extent, revive=False)

    return [their.id for uid, their in there.progress().items() if is_missing(uid, their)]


def take_over(
    here: Store,
    there: Store,
    numbers: Sequence[int],
    watch: Callable[[Iterable[StoredGame]], Iterator[StoredGame]] = iter,
) -> Iterator[Report]:
    """Take over games by their numbers there, a batch at a time; all pass through `watch`."""
    for start in range(0, len(numbers), BATCH):
        games = watch(there.whole(Filter(numbers=numbers[start : start + BATCH])))
        yield here.add_named((game.named for game in games), revive=False)
