"""What is written into cells: marks such as the scores of moves, and shares of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from plyground.drawing.look import LOOK
from plyground.drawing.pen import Value, area, bold, frame
from plyground.drawing.places import CHARACTER, LINE, Box

DARK_GRADE = 3
GRADED_LINE, GRADED_PADDING = 1.4, 0.35  # in the size of its text, as what follows
CHIP_LINE, CHIP_PADDING, CHIP_LEAST, CHIP_CORNER = 1.35, 0.3, 1.5, 0.5


class Mark(NamedTuple):
    """A short text in a cell, such as the score of a move."""

    text: str
    best: bool = False
    grade: int | None = None
    """How much the move gives up, from 0 for nothing to 4 for nearly all; None if unknown."""
    proven: bool = False


def draw_mark(box: Box, mark: Mark, in_middle: bool, size: float) -> Iterator[str]:
    """A mark in a cell: on a ground of its own if it has a grade."""
    is_graded = mark.grade is not None
    x, y = box.middle
    high = size * (GRADED_LINE if is_graded else LINE)
    if not (in_middle and is_graded):
        below = LOOK.of_cell["grade-bottom" if is_graded else "mark-bottom"] / 100
        y = box.y + box.height * (1 - below) - high / 2
    wide = box.width * (1 - 2 * LOOK.of_cell["mark-side"] / 100)
    if is_graded:
        text = size * (CHARACTER * len(mark.text) + 2 * GRADED_PADDING)
        wide = max(box.part("grade-width").width, text)
    field, corner = Box(x - wide / 2, y - high / 2, wide, high), LOOK.pixels["frame-corner"]
    if mark.best:
        gap = LOOK.pixels["graded-best-gap" if is_graded else "best-gap"] + LOOK.pixels["best-line"]
        yield frame(
            field.inset(-gap), "best-line", "grade-0" if is_graded else "mark-best", corner + gap
        )
    under = "underline" if mark.proven else "none"
    if mark.grade is None:
        shadow: dict[str, Value] = {
            "stroke": "mark-shadow",
            "stroke_width": 3,
            "stroke_opacity": 0.6,
        }
        yield bold(
            (x, y), mark.text, size, "mark", text_decoration=under, paint_order="stroke", **shadow
        )
        return
    ink = "on-dark-grade" if mark.grade >= DARK_GRADE else "on-light-grade"
    yield area(field, f"grade-{mark.grade}", corner)
    yield bold((x, y), mark.text, size, ink, text_decoration=under)


def draw_chips(box: Box, shares: list[float], size: float, is_pit: bool) -> Iterator[str]:
    """The shares of a cell, each on a chip of its side's colour."""
    texts = [short(share) for share in shares]
    high, gap = CHIP_LINE * size, LOOK.pixels["chip-gap"]
    wide = size * max(CHIP_LEAST, CHARACTER * max(map(len, texts)) + 2 * CHIP_PADDING)
    all_high = len(shares) * (high + gap) - gap
    x, y = box.middle[0], box.middle[1] - all_high / 2
    if is_pit:
        y = box.y + box.height - LOOK.of_cell["pit-share-bottom"] / 100 * box.width - all_high
    corner = CHIP_CORNER * size
    for share, text in zip(shares, texts, strict=True):
        side, chip = "first" if share > 0 else "second", Box(x - wide / 2, y, wide, high)
        yield area(chip, f"for-{side}", corner)
        yield frame(chip.inset(-1), "cell-line", f"edge-{side}", corner + 1)
        yield bold(chip.middle, text, size, f"on-{side}")
        y += high + gap


def summed(
    shares: Iterable[tuple[int, float]], known: Container[int]
) -> dict[int, tuple[float, float]]:
    """What each known cell adds for the first player, above zero, and for the second, below."""
    sums: dict[int, tuple[float, float]] = {}
    for cell, share in shares:
        if share and cell in known:
            first, second = sums.get(cell, (0.0, 0.0))
            sums[cell] = (first + max(share, 0), second + min(share, 0))
    return sums


def short(share: float) -> str:
    """A share that fits into a cell: +30, −1.5, +10k."""
    size = abs(share)
    step, unit = (0.001, "k") if size >= 10_000 else (1, "") if size >= 100 else (10, "")
    whole = math.floor(size * step + 0.5)  # halves go up, as on the pages
    text = f"{whole / max(step, 1):g}{unit}"
    return ("\N{MINUS SIGN}" if share < 0 else "+") + text
