"""Bits of a state that the game's own key takes for one another, or does not look at.

Searches take positions with equal keys for equal, so an evaluator must give them one value. A game
may leave out of its key what does not matter (Dots and Boxes: which boxes a side has, not how
many), and then the bits in question must be worth the same. They are found by trying: change a bit,
or let two of a field change places, and see whether the key does.
"""

from __future__ import annotations

import numpy as np

from plyground.bits import WORD_BITS
from plyground.evaluation.sample import Sample
from plyground.games.rules import key
from plyground.kernel import of_words

UNSEEN = -1
TRIALS = 4  # positions in which nothing must change


def groups_of(seen: Sample, varying: np.ndarray) -> np.ndarray:
    """For each of these bits a number that is the same for those of one kind, or UNSEEN."""
    if key.implementation(seen.kind) is key.default:
        return np.arange(len(varying))
    bits = seen.bits()[:, varying]
    groups = np.full(len(varying), UNSEEN)
    first: list[int] = []  # of each group
    for i, place in enumerate(varying):
        if not _changes_nothing(seen, _some(bits[:, i]), (place,)):
            known = (
                number
                for number, other in enumerate(first)
                if varying[other] // WORD_BITS == place // WORD_BITS
                and _changes_nothing(
                    seen, _some(bits[:, i] != bits[:, other]), (place, varying[other])
                )
            )
            groups[i] = next(known, len(first))
            if groups[i] == len(first):
                first.append(i)
    return groups


def _some(rows: np.ndarray) -> np.ndarray:
    """A few of the rows that are marked."""
    marked = np.flatnonzero(rows)
    return marked[:: max(1, len(marked) // TRIALS)][:TRIALS]


def _changes_nothing(seen: Sample, rows: np.ndarray, places: tuple[int, ...]) -> bool:
    """Whether the key stays the same in these positions when some bits are turned over."""
    return bool(len(rows)) and all(_same_key(seen, row, places) for row in rows)


def _same_key(seen: Sample, row: int, places: tuple[int, ...]) -> bool:
    changed = seen.codes[row].copy()
    for place in places:
        changed[place // WORD_BITS] ^= np.uint64(1 << int(place) % WORD_BITS)
    return bool(key(of_words(seen.kind, changed)) == key(seen.state(row)))
