"""Shared by the tests of the Othello formats: games and positions at random, as records."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from format_tools import random_moves
from hypothesis import settings
from hypothesis import strategies as st

from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.replay import record_of
from plyground.formats.spec import Format
from plyground.games.othello import GAME
from plyground.games.rules import State, is_over

SAMPLES = Path(__file__).parent / "data" / "formats"
SIZES = (4, 6, 8, 10)
START = "---------------------------OX------XO--------------------------- X"
# A game of sixty moves and no pass, which white wins by 4.
WHOLE = (
    "d3c3c4e3c2b3d2e1d1c1f4d6e6g4b2f6d7c8e7d8f3f5g5h4h6f2f7h5g6c6"
    "c5c7b6b5b4e8h3g3h2e2h7g2b1a1h1a2a3g7f8h8g8a4g1f1a6a5a7a8b8b7"
)
QUICKLY = settings(max_examples=25)
NAMES = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]), max_size=12)
"""Of players, with any printed character; blanks are another matter, formats fold them."""


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def wide(text: str) -> str:
    """The same in full-width characters."""
    return "".join(chr(ord(character) + 0xFEE0) for character in text)


def texts(record: GameRecord) -> str:
    return " ".join(move.move for move in record.moves)


def start_from(seed: int, size: int) -> State:
    """A position of discs at random, the four in the middle among them."""
    chooser = random.Random(seed)
    cells = [chooser.choice("XO---") for _ in range(size * size)]
    for row in (size // 2 - 1, size // 2):
        for column in (size // 2 - 1, size // 2):
            cells[row * size + column] = chooser.choice("XO")
    text = f"{''.join(cells)} {chooser.choice('XO')}"
    return GAME.parse_position(GAME.initial(size=size), text)


def random_record(seed: int, size: int = 8, most: int = 500, elsewhere: bool = False) -> GameRecord:
    """A random game, finished unless it is cut short, perhaps from a strange position."""
    usual = GAME.initial(size=size)
    start = start_from(seed, size) if elsewhere else usual
    moves = random_moves(GAME, start, seed, most)
    size_told: dict[str, Any] = {} if size == 8 else {"size": size}
    position = None if start == usual else GAME.format_position(start)
    return record_of(GAME, start, moves, size_told, position)


@st.composite
def games(draw: st.DrawFn, sizes: tuple[int, ...] = SIZES, elsewhere: bool = True) -> GameRecord:
    """Finished and unfinished games; small boards have many passes."""
    return random_record(
        draw(st.integers(0, 10**6)),
        draw(st.sampled_from(sizes)),
        draw(st.one_of(st.just(500), st.integers(0, 30))),
        elsewhere and draw(st.booleans()),
    )


@st.composite
def named_games(draw: st.DrawFn, sizes: tuple[int, ...] = SIZES) -> GameRecord:
    """The same with players, an event and a date."""
    date = draw(st.sampled_from(["", "1996", "1996-05", "1996-05-31", "1996-05-31T23:59:01Z"]))
    players = (draw(NAMES), draw(NAMES))
    return replace(draw(games(sizes)), players=players, event=draw(NAMES), date=date)


@st.composite
def positions(draw: st.DrawFn, sizes: tuple[int, ...] = SIZES) -> PositionRecord:
    """Positions on the way of random games."""
    seed, size = draw(st.integers(0, 10**6)), draw(st.sampled_from(sizes))
    start = start_from(seed, size) if draw(st.booleans()) else GAME.initial(size=size)
    moves = random_moves(GAME, start, seed, draw(st.integers(0, 40)))
    text = GAME.format_position(GAME.replay(start, moves))
    return PositionRecord(GAME.name, text, {} if size == 8 else {"size": size})


def has_ended(record: GameRecord) -> bool:
    """Whether the game is over on the board."""
    start = GAME.initial(**record.settings)
    if record.position is not None:
        start = GAME.parse_position(start, record.position)
    return is_over(GAME.replay(start, GAME.parse_moves(start, texts(record))))


def write(found: Format, *records: GameRecord | PositionRecord) -> bytes:
    assert found.write is not None
    return found.write(records)
