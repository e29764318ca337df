"""Where the cells and labels of a board lie, in pixels, on a board of a certain width.

Pages leave this to the browser; the tests compare.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.board import Board
from plyground.drawing.look import LOOK

LINE = 1.5  # the height of a line of text, in its size
CHARACTER = 0.65  # the width of a character, in its size: texts cannot be measured here
STORE, PITS = 1, 6  # how stores and rows of pits share the width


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, by: float) -> Box:
        """What is left without so many pixels at each side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def without(self, name: str) -> Box:
        """What is left without a share of the width at each side, by the name of the share."""
        return self.inset(LOOK.of_cell[name] / 100 * self.width)

    def part(self, name: str) -> Box:
        """The part in the middle that is so wide, by the name of its share."""
        return self.inset((1 - LOOK.of_cell[name] / 100) / 2 * self.width)


class Places(NamedTuple):
    """All that has a place; `ground` is under all cells, labels are given by their middles."""

    width: float
    height: float
    ground: Box
    cells: tuple[Box, ...]
    labels: tuple[tuple[float, float, str], ...] = ()


def places_of(board: Board, width: float) -> Places:
    """Where everything lies; a text may need more width than it is given."""
    if board.kind == "text":
        return _text(board.text.splitlines(), width)
    return _pits(board.columns, width) if board.kind == "pits" else _cells(board, width)


def _cells(board: Board, width: float) -> Places:
    """Rows of squares; the names of columns stand above a grid and below what is stacked."""
    left, strip = LOOK.pixels["label-column"], LINE * LOOK.pixels["label-size"]
    cell = (width - left) / board.columns
    top = strip if board.kind == "grid" else 0.0
    across = [left + cell * i for i in range(board.columns)]
    down = [top + cell * i for i in range(board.rows)]
    boxes = tuple(_snapped(x, y, cell, cell) for y in down for x in across)
    bottom = boxes[-1].y + boxes[-1].height
    beside = zip(down, board.row_labels, strict=False)
    along = zip(across, board.column_labels, strict=False)
    middle = strip / 2 if top else bottom + strip / 2
    labels = (
        *((left / 2, y + cell / 2, text) for y, text in beside),
        *((x + cell / 2, middle, text) for x, text in along),
    )
    ground = _snapped(left, top, width - left, bottom - round(top))
    return Places(width, round(bottom + strip - top), ground, boxes, labels)


def _pits(columns: int, width: float) -> Places:
    """A store, the upper row, a store, the lower row: so the cells are numbered."""
    edge, gap, between = (
        LOOK.size(name, width) for name in ("pits-padding", "store-gap", "pit-gap")
    )
    store = (width - 2 * edge - 2 * gap) / (STORE + PITS + STORE)
    pit = (PITS * store - (columns - 1) * between) / columns
    step, left = pit + between, edge + store + gap
    boxes: list[Box] = []
    for x, y in ((edge, edge), (width - edge - store, edge + step)):
        boxes.append(_snapped(x, edge, store, 2 * step))
        boxes += [_snapped(left + i * step, y, pit, pit) for i in range(columns)]
    ground = _snapped(0, 0, width, 2 * (step + edge))
    return Places(width, ground.height, ground, tuple(boxes))


def _snapped(x: float, y: float, width: float, height: float) -> Box:
    """A box between whole pixels, as browsers draw it: so lines are sharp."""
    left, top = round(x), round(y)
    return Box(left, top, round(x + width) - left, round(y + height) - top)


def _text(lines: list[str], width: float) -> Places:
    size, edge = LOOK.pixels["text-size"], LOOK.pixels["text-padding"] + LOOK.pixels["cell-line"]
    width = max(width, 2 * edge + CHARACTER * size * max(map(len, lines), default=0))
    ground = Box(0, 0, width, 2 * edge + LINE * size * len(lines))
    labels = ((edge, edge + (i + 0.5) * LINE * size, text) for i, text in enumerate(lines))
    return Places(width, ground.height, ground, (), tuple(labels))
