"""n-tuples laid out for a game: its cells found, its symmetries, and tuples from its board.

Cells are bits of the state that the board shows (`cells.py`), then those of which the verb `code`
says what is on them. Everything is found by watching random games, and checked on positions of
others: nothing here knows a game.
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from plyground.bits import WORD_BITS
from plyground.core.errors import Unsupported
from plyground.evaluation.cells import Cells, find_cells
from plyground.evaluation.general import Zero
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_NOTHING, BY_PIECES
from plyground.evaluation.pictures import whole_lines
from plyground.evaluation.sample import Sample, sample
from plyground.evaluation.tuple_plan import MOST_INDEX, Plan, Symmetry, View
from plyground.games.rules import (
    State,
    cells_left,
    code,
    count_symmetries,
    is_over,
    outcome,
    play,
    side,
    transform,
)
from plyground.games.spec import PLAYERS, GameSpec

GAMES, NOISE, SEED = 1000, 300, 7  # moves are random, but for wins
WATCHED = 400  # positions, to find symmetries and sides
EMPTY, THEIRS, MINE = range(3)
MOST_PLACED = 96  # tuples on a board: what a value costs grows with them
LONGEST, SHORTEST = 8, 3  # of a line of cells
CELLS_PER_STAGE = 8
Cut = Callable[[int, int], Iterator[tuple[int, ...]]]


def lay_out(
    game: GameSpec,
    start: State,
    stages: int | None = None,
    tuples: Sequence[Sequence[int]] | None = None,
) -> Plan:
    """The plan for games that begin so. Raises Unsupported if nothing tells cells apart."""
    seen = sample(game, start, Zero(), NOISE, GAMES, SEED)
    view, rows, columns = _view(game, start, seen)
    if tuples is None and game.tuples is not None:
        tuples = game.tuples(start)
    if tuples is None:
        tuples = _from_board(view, rows, columns)
    fitting = [tuple(each) for each in tuples]
    for each in fitting:
        size = math.prod(view.codes[cell] for cell in each)
        if size > MOST_INDEX:
            raise Unsupported(
                f"a tuple of {len(each)} cells has {size:,} indexes; at most {MOST_INDEX:,}"
            )
    by, most = _measure(start, seen, view)
    counts = stages or max(1, round(most / CELLS_PER_STAGE))
    split = tuple(min(counts - 1, number * counts // (most + 1)) for number in range(most + 1))
    return Plan(view, tuple(fitting), split, by, fields=len(start))


# ------------------------------------------------------------------ what is where


def _view(game: GameSpec, start: State, seen: Sample) -> tuple[View, int, int]:
    """The cells of a game, and the rows and columns of its board (0 if they are no grid)."""
    states = _some_states(seen)
    coded = tuple(game.codes(start)) if game.codes is not None else ()
    cells = find_cells(game, seen)
    every = [(mover, owner) for mover in (0, 1) for owner in (0, 1)]
    known = any(
        all((*each, cell) in cells.places for each in every)
        for cell in range(cells.rows * cells.columns)
    )
    if not known and not coded:
        raise Unsupported(
            f"{game.name} has no cells to learn from: its board shows no pieces that bits of its "
            "state tell, and it has no verb `code`"
        )
    owned = cells.rows * cells.columns if known else 0
    contents = functools.partial(_contents, game, owned, len(coded))
    codes = (3,) * owned + coded
    symmetries, is_symmetric = _symmetries(states, contents, codes)
    if not known:
        board = game.board(start) if game.board else None
        grid = board is not None and board.rows * board.columns == len(coded)
        rows, columns = (board.rows, board.columns) if grid and board else (0, 0)
        return View(codes, (), len(coded), symmetries, is_symmetric), rows, columns
    flip = _exchange(game, cells, states)
    bits = tuple(
        tuple(sorted(_bits_of(cells, mover, flip if mover and flip else None))) for mover in (0, 1)
    )
    turned = tuple(flip) if flip and flip != sorted(flip) else ()
    view = View(codes, bits, len(coded), symmetries, is_symmetric, turned, flip is not None)
    return view, cells.rows, cells.columns


def _some_states(seen: Sample) -> list[State]:
    rows = np.linspace(0, len(seen.sides) - 1, WATCHED).astype(int)
    return [seen.state(int(row)) for row in np.unique(rows)]


def _bits_of(
    cells: Cells, mover: int, flip: Sequence[int] | None
) -> Iterator[tuple[int, int, int]]:
    """Each bit with its cell and what it adds to the code, with this side to move."""
    for (to_move, owner, cell), bit in cells.places.items():
        if to_move != mover:
            continue
        own = MINE if owner == mover else THEIRS
        where = flip[cell] if flip else cell
        yield bit, where, own
        if (mover, owner) in cells.rest:
            # The bit stands for both sides; the other side's own bit comes on top of it.
            other = cells.places[mover, 1 - owner, cell]
            yield other, where, -own


def _contents(game: GameSpec, owned: int, coded: int, state: State) -> list[int]:
    """The code of each cell, those that bits tell as the board shows them."""
    found = list[int]()
    if owned:
        mover = int(side(state))
        kinds = {PLAYERS[mover]: MINE, PLAYERS[1 - mover]: THEIRS}
        found = [kinds.get(str(cell), EMPTY) for cell in game.board_of(state).cells]
    return found + [int(code(state, cell)) for cell in range(coded)]


def _symmetries(
    states: Sequence[State], contents: Callable[[State], list[int]], counts: Sequence[int]
) -> tuple[tuple[Symmetry, ...], bool]:
    """What symmetries do to cells and codes, and whether that tells of all of them.

    They may do different things with either side to move: where the mover wants a line of one
    colour, the exchange of colours changes its own marks, otherwise the opponent's.
    """
    found, is_complete = dict[Symmetry, None](), True
    for mover in (0, 1):
        some = [state for state in states if side(state) == mover]
        before = np.array([contents(state) for state in some])
        for symmetry in range(1, int(count_symmetries(states[0]))):
            after = np.array([contents(transform(state, symmetry)) for state in some])
            moved = _moved(before, after, counts)
            is_complete = is_complete and moved is not None
            if moved is not None:
                found[moved] = None
    found.pop((tuple(range(len(counts))), tuple(range(max(counts)))), None)
    return tuple(found), is_complete


def _moved(before: np.ndarray, after: np.ndarray, counts: Sequence[int]) -> Symmetry | None:
    """For each cell the one whose content it gets, and what becomes of codes, if that is all."""
    sources, codes = _cells_moved(before, after, counts), list(range(max(counts)))
    if sources is None:
        return None
    for cell, source in enumerate(sources):
        for old, new in {*zip(before[:, source].tolist(), after[:, cell].tolist(), strict=True)}:
            codes[old] = new
    sound = sorted(codes) == list(range(max(counts)))
    if not sound or not np.array_equal(np.array(codes)[before[:, sources]], after):
        return None
    return tuple(sources), tuple(codes)


def _cells_moved(before: np.ndarray, after: np.ndarray, counts: Sequence[int]) -> list[int] | None:
    """For each cell the one that had, at every position, what it has now, but for its name."""
    columns = defaultdict[tuple[int, bytes], list[int]](list)
    for cell, count in enumerate(counts):
        columns[count, _pattern(before[:, cell])].append(cell)
    sources = []
    for cell, count in enumerate(counts):
        fitting = columns[count, _pattern(after[:, cell])]
        if not fitting:
            return None
        sources.append(fitting.pop(0))
    return sources


def _pattern(column: np.ndarray) -> bytes:
    """A column with its values numbered in the order in which they appear."""
    _, firsts, inverse = np.unique(column, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(firsts))[inverse].astype(np.uint8).tobytes()


def _exchange(game: GameSpec, cells: Cells, states: Sequence[State]) -> list[int] | None:
    """How the second side must turn the board to see what the first side would.

    The same board with sides exchanged is made, with its rows or columns reversed or not; if all
    moves then correspond, the two sides play the same game.
    """
    if "side" not in states[0]._fields:
        return None
    rows, columns = cells.rows, cells.columns
    every = np.arange(rows * columns).reshape(rows, columns)
    for turned in (every, every[::-1], every[:, ::-1], every[::-1, ::-1]):
        flip = turned.ravel().tolist()
        if all(_is_same_game(game, cells, flip, state) for state in states[::4]):
            return flip
    return None


def _is_same_game(game: GameSpec, cells: Cells, flip: list[int], state: State) -> bool:
    try:
        other = _exchanged(game, cells, flip, state)
        if not _are_exchanged(game, flip, state, other):
            return False
        if is_over(state):
            return bool(is_over(other) and outcome(state) == outcome(other))
        children = [play(state, move) for move in game.legal(state)]
        others = [play(other, move) for move in game.legal(other)]
        wanted = sorted(_turned(game, flip, child) for child in children)
        return wanted == sorted(_content(game, child) for child in others)
    except (ValueError, LookupError, ArithmeticError):
        return False


def _exchanged(game: GameSpec, cells: Cells, flip: list[int], state: State) -> State:
    mover = 1 - int(side(state))
    words = [int(field) for field in state]
    for bit in {*cells.places.values()}:
        words[bit // WORD_BITS] &= ~(1 << bit % WORD_BITS)
    for cell, owner in enumerate(game.board_of(state).cells):
        if owner in PLAYERS:
            owner_now = 1 - PLAYERS.index(str(owner))
            bits = {cells.places[mover, owner_now, flip[cell]]}
            if (mover, 1 - owner_now) in cells.rest:
                bits.add(cells.places[mover, 1 - owner_now, flip[cell]])
            for bit in bits:
                words[bit // WORD_BITS] |= 1 << bit % WORD_BITS
    fields = dict(zip(state._fields, words, strict=True)) | {"side": mover}
    return type(state)(*(type(old)(fields[name]) for name, old in state._asdict().items()))


def _content(game: GameSpec, state: State) -> tuple[int, ...]:
    """Who is to move, and whose each cell is."""
    whose = [*PLAYERS].index
    cells = game.board_of(state).cells
    return int(side(state)), *(whose(str(c)) + 1 if c in PLAYERS else 0 for c in cells)


def _turned(game: GameSpec, flip: list[int], state: State) -> tuple[int, ...]:
    """The same of the state as the other side sees it."""
    mover, *cells = _content(game, state)
    turned = [0] * len(cells)
    for cell, owner in enumerate(cells):
        turned[flip[cell]] = 3 - owner if owner else 0
    return 1 - mover, *turned


def _are_exchanged(game: GameSpec, flip: list[int], state: State, other: State) -> bool:
    return _turned(game, flip, state) == _content(game, other)


# ------------------------------------------------------------------ stages


def _measure(start: State, seen: Sample, view: View) -> tuple[int, int]:
    """What stages are told by, and the most of it."""
    left = int(cells_left(start))
    if left > 0:
        return BY_CELLS_LEFT, left
    if not view.bits:
        return BY_NOTHING, 0
    bits = {bit for bit, _, _ in view.bits[0]}
    counts = seen.bits()[:, sorted(bits)].sum(axis=1)
    return BY_PIECES, max(int(counts.max()), len(view.codes))


# ------------------------------------------------------------------ tuples from a board


def _from_board(view: View, rows: int, columns: int) -> list[tuple[int, ...]]:
    """Lines and blocks of cells, as many as a value may cost; one for each set of images."""
    codes = view.codes
    # Of a board whose cells bits tell, the cells that the game adds are not part.
    if not rows:
        return _neighbours(codes)
    kinds: list[Cut] = [_lines, _blocks_of(3, 3), _blocks_of(2, 4), _blocks_of(4, 2)]
    found, placed = list[tuple[int, ...]](), set[frozenset[int]]()
    for kind in kinds:
        chosen, images = list[tuple[int, ...]](), set[frozenset[int]]()
        for cells in kind(rows, columns):
            for each in _cut(cells, codes):
                if frozenset(each) in images or frozenset(each) in placed:
                    continue
                chosen.append(each)
                images.add(frozenset(each))
                images |= {frozenset(sources[c] for c in each) for sources, _ in view.symmetries}
        if found and len(placed | images) > MOST_PLACED:
            continue
        found += chosen
        placed |= images
    return found


def _lines(rows: int, columns: int) -> Iterator[tuple[int, ...]]:
    for line in whole_lines(rows, columns):
        if len(line) >= SHORTEST:
            yield tuple(line)


def _blocks_of(high: int, wide: int) -> Cut:
    def blocks(rows: int, columns: int) -> Iterator[tuple[int, ...]]:
        for row in range(rows - high + 1):
            for column in range(columns - wide + 1):
                yield tuple(
                    (row + down) * columns + column + right
                    for down in range(high)
                    for right in range(wide)
                )

    return blocks


def _cut(cells: tuple[int, ...], codes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The tuple, or overlapping pieces of it whose tables are small enough."""
    length = min(len(cells), LONGEST if len(cells) > LONGEST + 1 else len(cells))
    while math.prod(sorted(codes[cell] for cell in cells)[-length:]) > MOST_INDEX // 2:
        length -= 1
    step = max(1, length // 2) if length < len(cells) else 1
    firsts = {*range(0, len(cells) - length + 1, step), len(cells) - length}
    for first in sorted(firsts):
        yield cells[first : first + length]


def _neighbours(codes: Sequence[int]) -> list[tuple[int, ...]]:
    """Runs of cells in their order, as long as their tables allow."""
    found = list[tuple[int, ...]]()
    for first in range(len(codes)):
        last = first + 1
        while last < len(codes) and math.prod(codes[first : last + 1]) <= MOST_INDEX // 2:
            last += 1
        if not found or last > found[-1][-1] + 1:
            found.append(tuple(range(first, last)))
    return found
