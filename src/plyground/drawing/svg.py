"""Boards as pictures that look like those of the pages: an SVG that needs nothing else.

Drawn in layers, from the ground to what is written on it; `look.json` says how all of it looks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping

from plyground.core.board import Board
from plyground.drawing.cells import Cells
from plyground.drawing.look import LOOK
from plyground.drawing.notes import Mark, draw_chips, draw_mark, summed
from plyground.drawing.pen import halving, hatching, plain, shading, tag, words
from plyground.games.position import BasePosition, join_moves

WIDTH = 360
MOST_MOVES = 12  # that a title lists
DEFINED = {"disc": shading, "hatch": hatching, "half": halving}
TEXT = {"font_family": "monospace", "text_anchor": "start", "style": "white-space:pre"}

Marks = Mapping[int, Mark | str]
Shares = Mapping[int, float] | Iterable[tuple[int, float]]


def position_svg(
    position: BasePosition,
    *,
    guides: bool = True,
    marks: Marks | None = None,
    shares: Shares | None = None,
    width: int = WIDTH,
) -> str:
    """The board of a position, with guides to the legal moves and the last move marked."""
    game, state = position.game, position.state
    board, codes = position.board, position.legal_codes if guides else ()
    targets = [board.target(game.cells_of(state, code)) for code in codes]
    return board_svg(
        board,
        game.players,
        title=title_of(position),
        guides={cell for cell in targets if cell is not None},
        last=position.last_cells,
        marks=marks,
        shares=shares,
        width=width,
    )


def title_of(position: BasePosition) -> str:
    """A position in a sentence: the game, who is to move or has won, and the moves so far."""
    winner, moves = position.winner, position.moves
    state = {None: f"{position.side} to move", "draw": "a draw"}.get(winner, f"{winner} has won")
    listed = join_moves(moves) if len(moves) <= MOST_MOVES else f"{len(moves)} moves"
    return f"{position.game.title}: {state}" + (f" after {listed}" if moves else "")


def board_svg(
    board: Board,
    players: tuple[str, str],
    *,
    title: str = "Board",
    guides: Collection[int] = (),
    last: Collection[int] = (),
    marks: Marks | None = None,
    shares: Shares | None = None,
    width: int = WIDTH,
) -> str:
    """The board as a picture; shares are what cells add, below zero for the second player.

    Cells are numbered as in the board; those that it does not have are passed over. Where there
    are shares, cells without one step back; guides, marks and the last move go.
    """
    known = range(len(board.cells))
    sums = summed(shares.items() if isinstance(shares, Mapping) else shares or (), known)
    if sums:
        guides, last, marks = (), (), None
    named = {
        cell: Mark(mark) if isinstance(mark, str) else mark
        for cell, mark in (marks or {}).items()
        if cell in known
    }
    guided, touched = (sorted(set(known).intersection(each)) for each in (guides, last))
    # Ids hold for all pictures of a page: only those that look the same may share them.
    content = repr((board, players, guided, touched, named, sums, width))
    cells = Cells(board, players, width, hashlib.sha256(content.encode()).hexdigest()[:8])
    body = "".join(_layers(cells, guided, touched, named, sums))
    made = [make(cells.id(name)) for name, make in DEFINED.items() if cells.url(name) in body]
    wide, high = cells.places.width, cells.places.height
    return tag(
        "svg",
        tag("title", plain(title)) + (tag("defs", "".join(made)) if made else "") + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:g} {high:g}",
        width=wide,
        height=high,
        role="img",
        style="max-width:100%;height:auto;font-variant-numeric:tabular-nums",
        font_family=LOOK.font,
        text_anchor="middle",
    )


def _layers(
    cells: Cells,
    guides: list[int],
    last: list[int],
    marks: dict[int, Mark],
    sums: dict[int, tuple[float, float]],
) -> Iterator[str]:
    yield from cells.ground()
    most = max((max(first, -second) for first, second in sums.values()), default=0)
    for cell, (first, second) in sums.items():
        yield cells.tint(cell, first, second, most)
    filled = [cell for cell, content in enumerate(cells.board.cells) if content != ""]
    dimmed = [cell for cell in filled if sums and cell not in sums]
    yield cells.pieces([cell for cell in filled if cell not in dimmed])
    if dimmed:
        yield tag("g", cells.pieces(dimmed), opacity=LOOK.plain["dimmed"])
    in_middle = cells.board.kind in ("grid", "columns")
    covered = {cell for cell, mark in marks.items() if in_middle and mark.grade is not None}
    yield from (cells.guide(cell) for cell in guides if cell not in covered)
    yield from (cells.last(cell) for cell in last)
    for cell, both in sums.items():
        shares = [share for share in both if share]
        is_pit = cells.board.kind == "pits"
        yield from draw_chips(cells.boxes[cell], shares, cells.size("share-size"), is_pit)
    for cell, mark in marks.items():
        yield from draw_mark(cells.boxes[cell], mark, in_middle, cells.size("mark-size"))
    is_text = cells.board.kind == "text"
    size, more = LOOK.pixels["text-size" if is_text else "label-size"], TEXT if is_text else {}
    for x, y, text in cells.places.labels:
        yield words((x, y), text, size, "currentColor", **more)
