"""An evaluator with a cache of its values: for evaluators that cost more than a look-up.

After the "history table" of a Double Card program, which stored the scores of positions it had
seen. Threads share it without locks: a value is stored with a check that no longer fits if another
thread writes at the same time. It changes nothing but speed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.bits import signed
from plyground.evaluation.spec import evaluate
from plyground.games.rules import State, key
from plyground.kernel import Slab

CHECK, VALUE, ENTRY = range(3)
BYTES_PER_ENTRY = 8 * ENTRY


class Remembered(NamedTuple):
    """An evaluator, and a power of two of slots for its values."""

    inner: Any
    slots: Slab
    mask: int

    def evaluate(self, state: State) -> int:
        code = signed(key(state))
        at = (code & self.mask) * ENTRY
        value = self.slots[at + VALUE]
        if self.slots[at + CHECK] ^ value == code:
            return value
        value = evaluate(self.inner, state)
        self.slots[at + VALUE] = value
        self.slots[at + CHECK] = code ^ value
        return value


def remembered(inner: Any, memory_bytes: int) -> Remembered:
    """The evaluator with a cache of at most so many bytes."""
    places = 1 << max(4, (memory_bytes // BYTES_PER_ENTRY).bit_length() - 1)
    return Remembered(inner, Slab(places * ENTRY), places - 1)
