"""Which discs of Othello can never be turned over, and which the next move can turn.

A disc turns when a run it belongs to, along one of its four lines, is closed from both ends. So it
is safe along a line that is **full**, at the **end** of a line, and next to a disc of its colour
that never turns, for a run turns as a whole. A disc is **stable** if it is safe along all four.
Each stable disc may make its neighbours stable, so the rule is applied until nothing changes.

    anchored_discs   without full lines: what grows from the corners (Neudeck 2019, section 2.1.3)
    stable_discs     with them: the full rule, of which that section gives an example
    exposed_discs    what the opponent could turn if it were to move now

Both estimates never call a disc stable that can turn; both miss some that cannot, for instance
where an empty square is left that neither side can ever play on. On boards of one word; 10x10 is in
`othello_wide.py`.
"""

from __future__ import annotations

from plyground.bits import ALL_ONES, U64, ZERO
from plyground.evaluation.othello_squares import (
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    edge_squares,
    end_rows,
    side_columns,
)
from plyground.games.othello import (
    EAST,
    PASSABLE,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    runs_down,
    runs_up,
)
from plyground.kernel import compilable
from plyground.lanes import joined, spread


@compilable
def lines_through(word: U64, cells: U64, step: U64, above: U64, below: U64) -> U64:
    """The lines of one direction that pass through the squares of a word.

    `above` and `below` are where a step towards higher and lower bits may land: not on the column
    at the far side, where it would have wrapped round the board.
    """
    up, down, above, below = word, word, above & cells, below & cells
    for _ in range(3):  # one step, two at once, then four: seven, from edge to edge
        up |= (up << step) & above
        down |= (down >> step) & below
        above &= above << step
        below &= below >> step
        step += step
    return up | down


@compilable
def grown_discs(me: U64, across: U64, upright: U64, rising: U64, falling: U64) -> U64:
    """My stable discs, given the squares that are safe along each of the four directions.

    A step round the side of the board does no harm: it lands on a side column, and there every disc
    is at the end of its line anyway, in each direction that such a step can have.
    """
    stable = ZERO
    while True:
        more = me & (across | (stable << EAST) | (stable >> EAST))
        more &= upright | (stable << SOUTH) | (stable >> SOUTH)
        more &= rising | (stable << SOUTH_WEST) | (stable >> SOUTH_WEST)
        more &= falling | (stable << SOUTH_EAST) | (stable >> SOUTH_EAST)
        if more == stable:
            return stable
        stable = more


@compilable
def anchored_discs(me: U64, cells: U64) -> U64:
    """My discs that are stable by their connection to a corner."""
    edge = edge_squares(cells)
    return grown_discs(me, side_columns(cells), end_rows(cells), edge, edge)


@compilable
def stable_discs(me: U64, opp: U64, cells: U64) -> U64:
    """My discs that are stable by corners and by full lines. A bound: there may be more."""
    empty, edge = cells & ~(me | opp), edge_squares(cells)
    across = lines_through(empty, cells, EAST, NOT_FIRST_COLUMN, NOT_LAST_COLUMN)
    upright = lines_through(empty, cells, SOUTH, ALL_ONES, ALL_ONES)
    rising = lines_through(empty, cells, SOUTH_WEST, NOT_LAST_COLUMN, NOT_FIRST_COLUMN)
    falling = lines_through(empty, cells, SOUTH_EAST, NOT_FIRST_COLUMN, NOT_LAST_COLUMN)
    return grown_discs(
        me,
        side_columns(cells) | ~across,
        end_rows(cells) | ~upright,
        edge | ~rising,
        edge | ~falling,
    )


@compilable
def exposed_discs(me: U64, opp: U64, cells: U64) -> U64:
    """My discs that at least one move of the opponent would turn over, were it to move now.

    They stand in runs between a disc of the opponent and an empty square, either way round.
    """
    mine, theirs, empty = spread(me) & PASSABLE, spread(opp), spread(cells & ~(me | opp))
    closed_below = runs_up(theirs, mine) & runs_down(empty, mine)
    closed_above = runs_down(theirs, mine) & runs_up(empty, mine)
    return joined(closed_below | closed_above)
