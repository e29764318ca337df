"""What is known of positions: one word each, with both bounds and no chance of a mistake.

A position is a number of `bits` bits: the stones of the side to move plus those of both, with a bit
on top of every column. Multiplied by an odd constant it is another number of as many bits, and none
is lost; its high bits choose a bucket, and the rest is kept, so that what is found is what was
filed. The same word holds the table's generation: a new solve begins with an empty table without
clearing.

    word = work : upper : lower : generation : rest of the position

Two words make a bucket. The first keeps what took more work, the second takes what comes (Breuker
et al. 1994). A word is read and written at once, so that threads share a table without locks. A
small table that stays in the processor's cache beats a large one: 4 MB solve the empty board sooner
than 64 MB.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ONE, U64, ZERO, bit, bit_length, signed, wrapping_multiply
from plyground.kernel import Slab, compilable, prefetch

SCATTER = U64(0x9E37_79B9_7F4A_7C15)
SCORE_BITS, WORK_BITS = 6, 5
NAME_BITS = 64 - 2 * SCORE_BITS - WORK_BITS
LOWER_AT = NAME_BITS
UPPER_AT = NAME_BITS + SCORE_BITS
WORK_AT = NAME_BITS + 2 * SCORE_BITS
MIDDLE = 31
MOST_WORK = 31
BYTES_PER_BUCKET = 16


class Table(NamedTuple):
    """`2 ** bucket_bits` buckets for positions of `bits` bits."""

    words: Slab
    bits: int
    bucket_bits: int
    generation: int


@compilable
def scattered(table: Table, position: U64) -> U64:
    return wrapping_multiply(position, SCATTER) & (bit(table.bits) - ONE)


@compilable
def place_of(table: Table, code: U64) -> int:
    """Where the bucket begins."""
    return signed(code >> U64(table.bits - table.bucket_bits)) * 2


@compilable
def name_of(table: Table, code: U64) -> U64:
    """What distinguishes a position from all others of its bucket and of other generations."""
    rest = table.bits - table.bucket_bits
    return (code & (bit(rest) - ONE)) | (U64(table.generation) << U64(rest))


@compilable
def fetch(table: Table, position: U64) -> None:
    """Prefetch the bucket of a position, which will soon be read."""
    prefetch(table.words, place_of(table, scattered(table, position)))


@compilable
def find(table: Table, position: U64) -> U64:
    """The word of a position, or 0."""
    code = scattered(table, position)
    at, name = place_of(table, code), name_of(table, code)
    names = bit(NAME_BITS) - ONE
    first = U64(table.words[at])
    if first & names == name:
        return first
    second = U64(table.words[at + 1])
    return second if second & names == name else ZERO


@compilable
def lower_of(word: U64) -> int:
    return signed((word >> U64(LOWER_AT)) & U64(63)) - MIDDLE


@compilable
def upper_of(word: U64) -> int:
    return signed((word >> U64(UPPER_AT)) & U64(63)) - MIDDLE


@compilable
def file(table: Table, position: U64, lower: int, upper: int, nodes: int) -> None:
    """Store the bounds of a position that took so many nodes."""
    code = scattered(table, position)
    at, name = place_of(table, code), name_of(table, code)
    work = U64(min(MOST_WORK, bit_length(nodes)))
    word = name | (work << U64(WORK_AT))
    word |= (U64(lower + MIDDLE) << U64(LOWER_AT)) | (U64(upper + MIDDLE) << U64(UPPER_AT))
    rest = U64(table.bits - table.bucket_bits)
    names = bit(NAME_BITS) - ONE
    first, second = U64(table.words[at]), U64(table.words[at + 1])
    is_old = (first & names) >> rest != U64(table.generation)
    if first & names == name or is_old:
        table.words[at] = signed(word)
    elif second & names == name:
        table.words[at + 1] = signed(word)
    elif first >> U64(WORK_AT) <= work:
        table.words[at + 1] = signed(first)
        table.words[at] = signed(word)
    else:
        table.words[at + 1] = signed(word)
