"""The children of the nodes under way: `SIZE` numbers each, in one slab for the whole line.

Compiled recursion has no cheap arrays; a node takes the room after that of its parent's children.
"""

from __future__ import annotations

from plyground.bits import U64, signed
from plyground.kernel import Slab, compilable
from plyground.solvers.connect_four.forced import Settled

SIZE = 9
PROMISE, SIGN, ME, THEM, THEIRS, LEFT, KEY, MOVE, CREATED = range(SIZE)
TRIED = -1  # a promise; others are not negative


@compilable
def put(children: Slab, at: int, child: Settled, key: U64, move: U64, created: U64) -> None:
    """Store a child, the move that led to it, and the threats that its side then has."""
    children[at + PROMISE] = 0
    children[at + SIGN] = -child.sign
    children[at + ME] = signed(child.me)
    children[at + THEM] = signed(child.them)
    children[at + THEIRS] = signed(child.theirs)
    children[at + LEFT] = child.left
    children[at + KEY] = signed(key)
    children[at + MOVE] = signed(move)
    children[at + CREATED] = signed(created)


@compilable
def most_promising(children: Slab, at: int, end: int) -> int:
    """The next child to try; mostly there is no other after it, so nothing is sorted."""
    chosen = at
    for child in range(at + SIZE, end, SIZE):
        if children[child + PROMISE] > children[chosen + PROMISE]:
            chosen = child
    children[chosen + PROMISE] = TRIED
    return chosen
