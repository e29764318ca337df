"""A board as data: what any face needs to draw a position without knowing a rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["grid", "columns", "pits", "cards", "text"]


@dataclass(frozen=True)
class Board:
    """Cells row by row from the top left, as a person sees them."""

    kind: Kind
    """grid: play on a cell; columns: drop into a column; pits: two rows and two stores;
    cards: cells covered two at a time; text: no geometry, show `text`."""
    rows: int = 0
    columns: int = 0
    cells: tuple[str | int, ...] = ()
    """'' empty, 'first' or 'second' a piece, 'RX' and the like half a card, a number seeds. On a
    grid ' ' is no cell at all, and any other text a sign that is drawn as it stands."""
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    """What a score board shows for 'first' and 'second'."""
    links: tuple[tuple[int, int], ...] = ()
    """Pairs of cells that are one piece."""
    line: tuple[int, ...] = ()
    """The cells in a row that won, where a row wins."""
    text: str = ""
    """A caption under the board; all there is to see where the kind is text."""

    def as_data(self) -> dict[str, Any]:
        """The board as JSON types."""
        return dict(vars(self))  # not `asdict`, which copies every cell

    def target(self, cells: tuple[int, ...]) -> int | None:
        """Where a move that touches these cells is shown: where its piece goes, or else the first.

        On cards the cells are the halves of one card, so the first one.
        """
        return cells[1 if len(cells) > 1 and self.kind != "cards" else 0] if cells else None
