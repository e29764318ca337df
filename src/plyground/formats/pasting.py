"""What a pasted text holds: a pair of bitboards, any known format, or moves or a position.

Whatever it is, it becomes a position: a game, where it began, and its moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from plyground.core.errors import InputError, MalformedText
from plyground.core.records import GameRecord
from plyground.formats.catalogue import in_words, read_anything
from plyground.formats.spec import Item, Read
from plyground.games.catalogue import demand_known, find_game
from plyground.games.position import BasePosition
from plyground.games.squares import write_diagram

WORD = r"0x[0-9a-f]{1,16}|[0-9a-f]{16}"
BITBOARDS = re.compile(rf"\s*({WORD})[\s,;/]+({WORD})(?:[\s,;/]+(\w+))?\s*", re.IGNORECASE)
LookUp = Callable[[Iterable[Item]], Iterator[Item]]
USUAL = "othello"  # whose bitboards they are where the game on the page has none


@dataclass(frozen=True)
class Recognised:
    """A text, and what it was taken for."""

    what: str
    """In words."""
    format: str
    position: BasePosition
    records: int = 1
    """How many games or positions there were; the first is the one that is shown."""


def recognised(text: str, game: str | None = None, look_up: LookUp = iter) -> Recognised:
    """What a text holds; where it can be several things, one of the game on the page is preferred.

    All items pass through `look_up`, which may end the reading by an error. Raises InputError,
    with what is wrong with the text as a file, if it is nothing at all.
    """
    if found := BITBOARDS.fullmatch(text):
        return _bitboards(found, game)
    try:
        return _file(text, look_up)
    except InputError:
        own = _own_notation(text, game) if game else None
        if own is None:
            raise
        return own


def _file(text: str, look_up: LookUp) -> Recognised:
    reading = read_anything(text.encode("utf-8", "replace"))
    items = list(look_up(reading))
    read = [item.record for item in items if isinstance(item, Read)]
    if not read:
        raise MalformedText("nothing in it could be read")
    record = read[0]
    moves = [move.move for move in record.moves] if isinstance(record, GameRecord) else []
    demand_known(record.game)
    position = BasePosition.begin(record.game, record.settings, record.position, moves)
    return Recognised(in_words(reading.format, items), reading.format.name, position, len(read))


def _own_notation(text: str, game: str) -> Recognised | None:
    """A list of moves or a position as the game itself writes them."""
    title = find_game(game).title
    for what, position, moves in (("moves", None, text), ("a position", text, "")):
        try:
            found = BasePosition.begin(game, None, position, moves)
        except InputError:
            continue
        if found.ply or position:
            return Recognised(f"{what} of {title}", "own", found)
    return None


def _bitboards(found: re.Match[str], game: str | None) -> Recognised:
    """Bit 0 is the top left cell, a1, and bits run row by row; the first player's word is first."""
    spec = find_game(game or USUAL)
    if spec.board_of(spec.initial()).kind != "grid":
        spec = find_game(USUAL)
    first, second = (int(word, 16) for word in found.groups()[:2])
    cells = len(spec.board_of(spec.initial()).cells)
    if first & second or (first | second) >> cells:
        problem = "have a bit in common" if first & second else f"need more than {cells} cells"
        raise MalformedText(f"these bitboards {problem}")
    # Where it is not said, the first player moves, unless the count of stones says otherwise.
    alternates = spec.implied_move is None
    mover = "O" if alternates and first.bit_count() > second.bit_count() else "X"
    diagram = write_diagram(first, second, cells)
    position = BasePosition.begin(spec, None, f"{diagram} {found[3] or mover}")
    return Recognised(f"two bitboards of {spec.title}, lowest bit a1", "bitboards", position)
