"""How boards look: the colours and measures of `look.json`, which pages and pictures share.

Pages take them as CSS variables, `svg.py` as numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources

Measures = dict[str, float]


@dataclass(frozen=True)
class Look:
    """Colours and measures by their names; no two share one, whatever the unit."""

    font: str
    colours: dict[str, str]
    """#rrggbb, or #rrggbbaa where something shines through."""
    of_cell: Measures
    """In hundredths of a cell; `hole` of half its diagonal."""
    of_board: Measures
    """In hundredths of the board's width; `letter-most` is divided by the columns."""
    pixels: Measures
    clamped: dict[str, tuple[float, float, float]]
    """The least and the most pixels, and between them hundredths of the board's width."""
    plain: Measures

    def size(self, name: str, board: float, cell: float = 0) -> float:
        """A measure in pixels, on a board and in a cell so many pixels wide."""
        if name in self.clamped:
            least, share, most = self.clamped[name]
            return max(least, min(share * board / 100, most))
        if name in self.of_cell:
            return self.of_cell[name] * cell / 100
        return self.of_board[name] * board / 100 if name in self.of_board else self.pixels[name]

    def css(self) -> str:
        """All of it as CSS variables."""
        values = {
            "board-font": self.font,
            **self.colours,
            **{name: f"{value:g}%" for name, value in self.of_cell.items()},
            **{name: f"{value:g}cqw" for name, value in self.of_board.items()},
            **{name: f"{value:g}px" for name, value in self.pixels.items()},
            **{
                name: f"clamp({least:g}px, {share:g}cqw, {most:g}px)"
                for name, (least, share, most) in self.clamped.items()
            },
            **{name: f"{value:g}" for name, value in self.plain.items()},
        }
        lines = (f"  --{name}: {value};\n" for name, value in values.items())
        return f"/* Made from drawing/look.json. */\n:root {{\n{''.join(lines)}}}\n"


LOOK = Look(**json.loads((resources.files("plyground.drawing") / "look.json").read_text("utf-8")))
