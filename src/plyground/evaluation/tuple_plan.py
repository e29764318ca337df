"""The plan of n-tuples for a game: its cells, their codes, the tuples, what symmetries share.

A plan is plain data, made once from a game and stored with the weights. `Plan.numbers` is the form
that compiled code reads (`ntuples.py`), `Plan.canon` says which entries of the tables are one and
the same weight, because a symmetry of the board turns one into the other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from plyground.bits import WORD_BITS, words
from plyground.evaluation.ntuples import (
    BITS,
    BLOCK_ROWS,
    BLOCK_WORDS,
    BLOCKS,
    BY,
    CODED,
    HEADER,
    MASKS,
    MOST_MEASURED,
    MOST_MOVES,
    MOVES,
    OFFSETS,
    PART_LIST,
    PARTS,
    PER_BLOCK,
    PER_WORD,
    ROWS,
    SECOND_ROWS,
    SECOND_WEIGHTS,
    STAGES,
    TUPLES,
    VALUES,
    stage_offset,
)
from plyground.games.rules import State, code, side
from plyground.kernel import Slab

MOST_INDEX = 1 << 16
BIAS, ZERO_WEIGHT, FIRST = 0, 1, 2  # of the weights of a stage: always added, always 0, the rest


Symmetry = tuple[tuple[int, ...], tuple[int, ...]]
"""For each cell the one whose content it gets, and what becomes of each code."""


@dataclass(frozen=True)
class View:
    """What is on which cell, and how symmetries move it."""

    codes: tuple[int, ...]
    """How many codes each cell has."""
    bits: tuple[tuple[tuple[int, int, int], ...], ...] = ()
    """For either side to move, where codes come from bits: the bit, counted through all fields,
    its cell as the mover sees the board, and what it adds to the cell's code."""
    coded: int = 0
    """How many cells, the last ones, have the codes that the verb `code` says."""
    symmetries: tuple[Symmetry, ...] = ()
    """What symmetries do, the first left out, which does nothing."""
    is_symmetric: bool = True
    """Whether these are all symmetries of the game."""
    turned: tuple[int, ...] = ()
    """Where the second side sees each cell, if it sees the board turned."""
    is_shared: bool = True
    """Whether both sides use the same weights: the board looks alike to whoever is to move."""


@dataclass(frozen=True)
class Placed:
    """A tuple on the board: its cells, what becomes of their codes, and whose table it reads."""

    cells: tuple[int, ...]
    codes: tuple[int, ...]
    table: int


@dataclass(frozen=True)
class Plan:
    """The tuples of a game."""

    view: View
    tuples: tuple[tuple[int, ...], ...]
    """One of those that share a table; symmetries give the others."""
    stages: tuple[int, ...]
    """The stage for each count of empty cells, or of pieces."""
    stage_by: int
    counts_moves: bool = False
    fields: int = 0

    # ------------------------------------------------------------------ tables and their entries

    @functools.cached_property
    def sizes(self) -> list[int]:
        """The entries of each table."""
        return [math.prod(self.view.codes[cell] for cell in cells) for cells in self.tuples]

    @functools.cached_property
    def starts(self) -> list[int]:
        """Where each table begins in the weights of a stage."""
        first = FIRST + (MOST_MOVES + 1 if self.counts_moves else 0)
        return [first + sum(self.sizes[:table]) for table in range(len(self.sizes))]

    @property
    def moves_at(self) -> int:
        """Where the table of the number of moves begins; 0 if there is none."""
        return FIRST if self.counts_moves else 0

    @functools.cached_property
    def stage_size(self) -> int:
        """The weights of a stage, for one side."""
        return FIRST + (MOST_MOVES + 1 if self.counts_moves else 0) + sum(self.sizes)

    @property
    def cells(self) -> int:
        """The cells whose codes come from bits."""
        return len(self.view.codes) - self.view.coded

    @property
    def stage_count(self) -> int:
        return max(self.stages) + 1

    @property
    def sides(self) -> int:
        """How many sides have weights of their own."""
        return 1 if self.view.is_shared else 2

    @functools.cached_property
    def placed(self) -> list[Placed]:
        """All tuples: of those on the same cells that symmetries make, one."""
        found, same = list[Placed](), tuple(range(max(self.view.codes)))
        for table, cells in enumerate(self.tuples):
            seen = set[frozenset[int]]()
            everything = tuple(range(len(self.view.codes))), same
            for sources, codes in (everything, *self.view.symmetries):
                there = tuple(sources[cell] for cell in cells)
                if frozenset(there) not in seen:
                    seen.add(frozenset(there))
                    found.append(Placed(there, codes, table))
        return found

    @functools.cached_property
    def canon(self) -> np.ndarray:
        """For each weight of a stage the number of the one that it is, counted without gaps."""
        found = np.arange(self.stage_size, dtype=np.int64)
        for table, start in enumerate(self.starts):
            found[start : start + self.sizes[table]] = start + self._canonical(table)
        _, numbers = np.unique(found, return_inverse=True)
        return numbers.astype(np.int32)

    @functools.cached_property
    def distinct(self) -> int:
        """How many different weights a stage has, for one side."""
        return int(self.canon.max()) + 1

    def _canonical(self, table: int) -> np.ndarray:
        """The least index that symmetries turn each index of a table into."""
        cells, least = self.tuples[table], np.arange(self.sizes[table])
        radix = self.radix(cells)
        digits = [least // radix[i] % self.view.codes[cell] for i, cell in enumerate(cells)]
        found = least
        for sources, codes in self.view.symmetries:
            there = [sources[cell] for cell in cells]
            if {*there} == {*cells}:
                # The image reads, at its i-th digit, what the original has on the cell there[i].
                kinds = np.array(codes)
                image = sum(
                    kinds[digits[cells.index(cell)]] * radix[i] for i, cell in enumerate(there)
                )
                found = np.minimum(found, image)
        return found

    def radix(self, cells: Sequence[int]) -> list[int]:
        """What a digit of each cell counts."""
        return [math.prod(self.view.codes[cell] for cell in cells[:i]) for i in range(len(cells))]

    # ------------------------------------------------------------------ single positions

    def first_weight(self, state: State) -> int:
        """Where the weights of a position's stage begin, all entries counted."""
        return int(stage_offset(self.numbers, state))

    def codes_of(self, state: State) -> list[int]:
        """What is on each cell, as the side to move sees the board."""
        found, fields = [0] * self.cells, [int(word) for word in words(state)]
        for bit, cell, more in self.view.bits[int(side(state))] if self.view.bits else ():
            if fields[bit // WORD_BITS] >> bit % WORD_BITS & 1:
                found[cell] += more
        return found + [int(code(state, number)) for number in range(self.view.coded)]

    def index_of(self, placed: Placed, codes: Sequence[int]) -> int:
        """The index of a tuple."""
        radix = self.radix(self.tuples[placed.table])
        pairs = zip(radix, placed.cells, strict=True)
        return sum(digit * placed.codes[codes[cell]] for digit, cell in pairs)

    def shown_cell(self, cell: int, state: State) -> int:
        """The cell of the board, as it is drawn, that the mover sees as this one."""
        turned = self.view.turned
        return turned.index(cell) if turned and side(state) else cell

    # ------------------------------------------------------------------ as numbers

    @functools.cached_property
    def numbers(self) -> Slab:
        """The plan for compiled code."""
        blocks = -(-len(self.placed) // PER_BLOCK)
        parts, rows = self._parts()
        header = np.zeros(HEADER, np.int64)
        lists = [header]

        def add(numbers: Any) -> int:
            at = sum(map(len, lists))
            lists.append(np.asarray(numbers, np.int64).ravel())
            return at

        coded = self.view.coded
        header[[BLOCKS, PARTS, CODED, BY]] = blocks, len(parts) - coded, coded, self.stage_by
        header[[MOVES, TUPLES]] = self.moves_at, len(self.placed)
        header[MOST_MEASURED] = len(self.stages) - 1
        header[PART_LIST] = add(parts)
        offsets = [self.starts[each.table] for each in self.placed]
        padding = blocks * PER_BLOCK - len(offsets)
        header[OFFSETS] = add(offsets + [ZERO_WEIGHT] * padding)
        header[STAGES] = add([stage * self.stage_size for stage in self.stages])
        masks = [0] * self.fields
        for bit in {bit for each in self.view.bits for bit, _, _ in each}:
            masks[bit // WORD_BITS] |= 1 << bit % WORD_BITS
        header[MASKS] = add(np.array(masks or [0], np.uint64).view(np.int64))
        header[BLOCK_ROWS] = rows[0].shape[1] * BLOCK_WORDS
        header[ROWS] = add(rows[0])
        if len(rows) > 1:
            header[SECOND_ROWS] = add(rows[1])
        if not self.view.is_shared:
            header[SECOND_WEIGHTS] = self.stage_count * self.stage_size
        whole = np.concatenate(lists)
        slab = Slab(len(whole))
        slab.array[:] = whole
        return slab

    def _parts(self) -> tuple[list[tuple[int, int, int]], list[np.ndarray]]:
        """The parts of a state, and for either side to move what their values add to indexes.

        Of rows there are [block, part and value, word], four indexes in each word.
        """
        blocks = -(-len(self.placed) // PER_BLOCK)
        adds = np.zeros((len(self.view.codes), max(self.view.codes), blocks * PER_BLOCK), np.int64)
        for place, each in enumerate(self.placed):
            for radix, cell in zip(self.radix(self.tuples[each.table]), each.cells, strict=True):
                for kind in range(self.view.codes[cell]):
                    adds[cell, kind, place] = radix * each.codes[kind]
        used = sorted({bit // BITS for side in self.view.bits for bit, _, _ in side})
        parts = list[tuple[int, int, int]]()
        for row, part in enumerate(used):
            field, shift = divmod(part * BITS, WORD_BITS)
            parts.append((field, shift, row * VALUES))
        rows = len(used) * VALUES
        coded = list[np.ndarray]()
        for number, count in enumerate(self.view.codes[self.cells :]):
            parts.append((number, 0, rows + len(coded)))
            coded += [adds[self.cells + number, kind] for kind in range(count)]
        both = []
        for seen in self.view.bits or [()]:
            table = np.zeros((rows + len(coded), blocks * PER_BLOCK), np.int64)
            for bit, cell, more in seen:
                at = used.index(bit // BITS) * VALUES
                for value in range(VALUES):
                    if value >> bit % BITS & 1:
                        # In proportion: symmetries do not change the codes that come from bits.
                        table[at + value] += more * adds[cell, 1]
            if coded:
                table[rows:] = coded
            both.append(_packed(table))
        if len(both) > 1 and np.array_equal(both[0], both[1]):
            both.pop()
        return parts, both

    # ------------------------------------------------------------------ as data

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON types."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> Plan:
        """Raises KeyError, TypeError or ValueError for what is no plan."""
        view = data["view"]
        bits = tuple(tuple((int(a), int(b), int(c)) for a, b, c in side) for side in view["bits"])
        symmetries = tuple((_whole(a), _whole(b)) for a, b in view["symmetries"])
        made = Plan(
            View(
                _whole(view["codes"]),
                bits,
                int(view["coded"]),
                symmetries,
                bool(view["is_symmetric"]),
                _whole(view["turned"]),
                bool(view["is_shared"]),
            ),
            tuple(map(_whole, data["tuples"])),
            _whole(data["stages"]),
            int(data["stage_by"]),
            bool(data["counts_moves"]),
            int(data["fields"]),
        )
        made.check()
        return made

    def check(self) -> None:
        """Raises ValueError where compiled code would read beside its tables."""
        cells = len(self.view.codes)
        sound = cells > 0 and all(1 <= count <= MOST_INDEX for count in self.view.codes)
        sound = sound and 0 <= self.view.coded <= cells and len(self.view.bits) in (0, 2)
        sound = sound and bool(self.stages) and min(self.stages) >= 0 and max(self.stages) < 1000
        sound = sound and all(0 <= cell < cells for each in self.tuples for cell in each)
        sound = sound and all(0 < size <= MOST_INDEX for size in self.sizes)
        sound = sound and all(len({*each}) == len(each) for each in self.tuples)
        for sources, codes in self.view.symmetries:
            sound = sound and sorted(sources) == list(range(cells))
            sound = sound and sorted(codes) == list(range(max(self.view.codes)))
        for each in self.view.bits:
            sound = sound and all(0 <= bit < self.fields * WORD_BITS for bit, _, _ in each)
            sound = sound and all(0 <= cell < cells for _, cell, _ in each)
        if not sound:
            raise ValueError("its tuples do not fit its cells")


def _whole(numbers: Sequence[Any]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)


def _packed(adds: np.ndarray) -> np.ndarray:
    """What is added to indexes, four in a word: [block, row, word]."""
    shorts = (adds % MOST_INDEX).astype(np.uint64).reshape(len(adds), -1, PER_WORD)
    packed = np.bitwise_or.reduce(shorts << np.arange(0, 64, 16, dtype=np.uint64), axis=2)
    blocks = packed.reshape(len(adds), -1, BLOCK_WORDS).swapaxes(0, 1)
    return np.ascontiguousarray(blocks).view(np.int64)
