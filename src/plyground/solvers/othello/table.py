"""What is known of positions: both bounds and the best move, never by mistake.

An entry is three words, and two entries share a line of the processor's cache:

    me ^ word     opp ^ word     word = check : work : generation : move : upper : lower

The first of a bucket keeps what took more work, the second takes what comes (Breuker et al. 1994).
Threads share a table without locks. Two that write at once may leave a mixture of their entries,
and it stays until it is written over; but it is of neither position, since the discs are combined
with the word that belongs to them (Hyatt & Mann 2002). Some third position that it would fit has
to belong into the same bucket, of a million in 64 MB, and to have the same check of 24 bits.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, ZERO, bit_length, signed, unsigned, wrapping_multiply
from plyground.kernel import Slab, compilable, prefetch

SCATTER_ME = U64(0x9E37_79B9_7F4A_7C15)
SCATTER_OPP = U64(0xC2B2_AE3D_27D4_EB4F)
WORDS = 8  # of a bucket; two are unused
SECOND = 3
BYTES_PER_BUCKET = 8 * WORDS
UPPER_AT, MOVE_AT, GENERATION_AT, WORK_AT, CHECK_AT = 8, 16, 24, 34, 40
CHECK_FROM = 16  # the highest bits of a code choose the bucket, the lowest depend on few squares
MIDDLE = 64
GENERATIONS = 1 << WORK_AT - GENERATION_AT
LOOK = U64(0xFF)


class Table(NamedTuple):
    """`2 ** bits` buckets."""

    words: Slab
    bits: int
    generation: int


@compilable
def scattered(me: U64, opp: U64) -> U64:
    """A number whose high bits depend on all discs."""
    return wrapping_multiply(me ^ wrapping_multiply(opp, SCATTER_OPP), SCATTER_ME)


@compilable
def place_of(table: Table, code: U64) -> int:
    """Where the bucket begins."""
    return signed(code >> U64(64 - table.bits)) * WORDS


@compilable
def mark_of(table: Table, code: U64) -> U64:
    """The check and the generation of an entry."""
    check = (code >> U64(CHECK_FROM)) << U64(CHECK_AT)
    return check | (U64(table.generation) << U64(GENERATION_AT))


MARK = U64((2**64 - (1 << CHECK_AT)) | (GENERATIONS - 1) << GENERATION_AT)


@compilable
def fetch(table: Table, me: U64, opp: U64) -> None:
    """Prefetch the bucket of a position, which will soon be read."""
    prefetch(table.words, place_of(table, scattered(me, opp)))


@compilable
def find(table: Table, me: U64, opp: U64) -> U64:
    """The word of a position, or 0."""
    code = scattered(me, opp)
    at, mark = place_of(table, code), mark_of(table, code)
    for entry in (at, at + SECOND):
        word = unsigned(table.words[entry + 2])
        if word & MARK == mark and holds(table, entry, word, me, opp):
            return word
    return ZERO


@compilable
def holds(table: Table, entry: int, word: U64, me: U64, opp: U64) -> bool:
    """Whether an entry with this word is of this position."""
    mine, theirs = unsigned(table.words[entry]), unsigned(table.words[entry + 1])
    return mine ^ word == me and theirs ^ word == opp


@compilable
def lower_of(word: U64) -> int:
    return signed(word & LOOK) - MIDDLE


@compilable
def upper_of(word: U64) -> int:
    return signed((word >> U64(UPPER_AT)) & LOOK) - MIDDLE


@compilable
def move_of(word: U64) -> int:
    return signed((word >> U64(MOVE_AT)) & LOOK)


@compilable
def file(table: Table, me: U64, opp: U64, lower: int, upper: int, move: int, nodes: int) -> None:
    """Store the bounds and the best move of a position that took so many nodes."""
    code = scattered(me, opp)
    at, mark = place_of(table, code), mark_of(table, code)
    work = U64(bit_length(nodes))
    word = mark | U64(lower + MIDDLE) | (U64(upper + MIDDLE) << U64(UPPER_AT))
    word |= (U64(move) << U64(MOVE_AT)) | (work << U64(WORK_AT))
    first, second = unsigned(table.words[at + 2]), unsigned(table.words[at + SECOND + 2])
    is_old = (first ^ mark) & U64((GENERATIONS - 1) << GENERATION_AT) != ZERO
    if not holds(table, at, first, me, opp):
        if holds(table, at + SECOND, second, me, opp):
            at += SECOND
        elif is_old or (first >> U64(WORK_AT)) & U64(63) <= work:
            table.words[at + SECOND] = table.words[at]
            table.words[at + SECOND + 1] = table.words[at + 1]
            table.words[at + SECOND + 2] = signed(first)
        else:
            at += SECOND
    table.words[at] = signed(me ^ word)
    table.words[at + 1] = signed(opp ^ word)
    table.words[at + 2] = signed(word)
