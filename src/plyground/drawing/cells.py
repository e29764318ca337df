"""The cells of a board as parts of an SVG, and what lies on them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from plyground.core.board import Board
from plyground.drawing.look import LOOK
from plyground.drawing.pen import area, areas, bold, disc, frame, ring, tag
from plyground.drawing.places import Box, places_of
from plyground.games.spec import PLAYERS

LETTERS = ("X", "O")  # sides that are drawn as they are called
GAP = " "  # where a grid has no cell
FIELDS = {"grid": ("felt", "felt-line"), "cards": ("slate", "slate-line")}
CORNER, LINE = LOOK.pixels["frame-corner"], LOOK.pixels["cell-line"]


class Cells:
    """A board that is being drawn; `boxes` are its cells without the lines between them."""

    def __init__(self, board: Board, players: tuple[str, str], width: int, name: str) -> None:
        self.board, self.players, self.width, self.name = board, players, width, name
        self.places = places_of(board, width)
        self.boxes = [box.inset(LINE if board.kind in FIELDS else 0) for box in self.places.cells]

    def id(self, name: str) -> str:
        return f"{name}-{self.name}"

    def url(self, name: str) -> str:
        return f"url(#{self.id(name)})"

    def size(self, name: str) -> float:
        return LOOK.size(name, self.width)

    def ground(self) -> Iterator[str]:
        """All cells, empty."""
        kind, ground = self.board.kind, self.places.ground
        if kind == "text":
            corner = LOOK.pixels["text-corner"]
            yield frame(ground, "cell-line", "currentColor", corner, stroke_opacity=0.25)
        elif kind == "columns":
            yield area(ground, "rack", LOOK.pixels["rack-corner"])
            for box in self.boxes:  # the hole is measured along the diagonal, to its soft edge
                wide = box.width * math.sqrt(2) * (LOOK.of_cell["hole"] + 1) / 100
                yield disc(box.inset((box.width - wide) / 2), "rack-hole")
        elif kind == "pits":
            yield area(ground, "wood", self.size("pits-corner"))
            yield from (self._whole(cell, "wood-deep") for cell in range(len(self.boxes)))
        else:
            field, line = FIELDS[kind]
            joints = (self._joint(*sorted(link)) for link in self.board.links)
            yield area(ground, line)
            boxes = (box for cell, box in enumerate(self.boxes) if self.board.cells[cell] != GAP)
            yield areas((*boxes, *joints), field)
            if kind == "grid":
                yield from (self._won(cell) for cell in self.board.line)

    def _won(self, cell: int) -> str:
        return frame(self.boxes[cell], "won-line", "won")

    def _joint(self, low: int, high: int) -> Box:
        """The line between two cells that are one piece: right of one, or above the other."""
        x, y, width, height = self.boxes[low if high - low == 1 else high]
        return Box(x + width, y, LINE, height) if high - low == 1 else Box(x, y - LINE, width, LINE)

    def _whole(self, cell: int, fill: str, inset: str = "") -> str:
        """All of a cell in its own shape."""
        box, kind = self.boxes[cell], self.board.kind
        if kind == "pits" and cell in (0, self.board.columns + 1):
            return area(box, fill, self.size("store-corner"))
        if kind in ("columns", "pits"):
            return disc(box.without(inset) if inset else box, fill)
        return area(box, fill)

    def tint(self, cell: int, first: float, second: float, most: float) -> str:
        """A cell that counts: plain for the first player, hatched for the second."""
        fills = ["for-second", self.url("hatch")] if second else []
        if first:
            fills.append(self.url("half") if second else "tint-first")
        strength = max(first, -second) / most
        opacity = LOOK.plain["tint-least"] + LOOK.plain["tint-more"] * strength
        drawn = (self._whole(cell, fill, "round-tint-inset") for fill in fills)
        return tag("g", "".join(drawn), opacity=opacity)

    def pieces(self, cells: Iterable[int]) -> str:
        """What lies on some cells. One shadow of all discs is quicker than one of each."""
        discs, others = [], []
        for cell in cells:
            content, box = self.board.cells[cell], self.boxes[cell]
            name = self.players[content == "second"]
            if self.board.kind == "pits":
                others.append(bold(box.middle, str(content), self.size("count-size"), "wood-ink"))
            elif self.board.kind == "cards":
                others.append(self._half(cell, str(content)))
            elif content not in PLAYERS or name in LETTERS:
                sign = name if content in PLAYERS else str(content)
                size = min(self.size("letter-size"), self.size("letter-most") / self.board.columns)
                others.append(bold(box.middle, sign, size, "letter"))
            else:
                colour = f"disc-{name.lower()}"
                usual = "disc-white" if content == "second" else "disc-black"
                discs.append(disc(box.part("disc"), colour if colour in LOOK.colours else usual))
                others += self._details(cell, name)
        shaded = tag("g", "".join(discs), filter=self.url("disc")) if discs else ""
        return shaded + "".join(others)

    def _details(self, cell: int, name: str) -> Iterator[str]:
        box = self.boxes[cell].part("disc")
        if name.lower() == "red":
            yield ring(box.without("ring-inset"), "ring-line", "ring")
        if self.board.kind == "columns" and cell in self.board.line:
            beyond = LOOK.pixels["won-line"] + LOOK.pixels["won-gap"]
            yield ring(box.inset(-beyond), "won-line", "won-disc")

    def _half(self, cell: int, content: str) -> str:
        """Half a card: R or W is its colour, X or O a solid or hollow dot."""
        colour = "red" if content[:1] == "R" else "white"
        dot, box = f"dot-on-{colour}", self.boxes[cell]
        field = area(box, f"card-{colour}") + (self._won(cell) if cell in self.board.line else "")
        fill = dot if content[1:] == "X" else "none"
        return field + ring(box.part("dot"), "dot-line", dot, fill)

    def guide(self, cell: int) -> str:
        """Here a move can be made."""
        kind, box = self.board.kind, self.boxes[cell]
        if self.board.cells[cell] == "":
            return disc(box.part("guide"), f"guide-{kind}")
        if kind == "cards":
            inner = box.without("card-guide-inset")
            return frame(inner, "card-guide-line", "disc-yellow", CORNER, stroke_dasharray="6 3")
        inner = box.without("pit-guide-inset")
        return ring(inner, "pit-guide-line", "guide-pits", stroke_dasharray="6 4")

    def last(self, cell: int) -> str:
        """Here the last move was made."""
        box = self.boxes[cell]
        if self.board.kind in ("columns", "pits"):
            return ring(box.without("round-last-inset"), "last-line", "last")
        return frame(box.without("last-inset"), "last-line", "last", CORNER)
