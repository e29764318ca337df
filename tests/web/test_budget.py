"""How much the pages weigh. Told with `pytest -rP`; it fails at twice of what is meant.

What is meant to take so long (a first load, a disc, a redrawing) is measured by nobody here: a busy
machine would decide.
"""

from __future__ import annotations

from pathlib import Path

from plyground.web.pages import STATIC

TOO_MUCH = 2
MOST_BYTES, MOST_LINES = 250_000, 6_000  # of all scripts together
MOST_LINES_OF_THE_BOARD = 400


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def told(name: str, found: int, meant: int) -> int:
    print(f"{name}: {found:,}, meant {meant:,}, too much from {TOO_MUCH * meant:,}")
    return found


def test_scripts_are_no_more_than_twice_of_what_is_meant():
    scripts = sorted(STATIC.rglob("*.js"))
    assert STATIC / "main.js" in scripts
    weight = sum(path.stat().st_size for path in scripts)
    lines = sum(map(lines_of, scripts))
    assert told("bytes of scripts", weight, MOST_BYTES) < TOO_MUCH * MOST_BYTES
    assert told("lines of scripts", lines, MOST_LINES) < TOO_MUCH * MOST_LINES


def test_the_board_stays_small():
    lines = lines_of(STATIC / "elements" / "g-board.js")
    meant = MOST_LINES_OF_THE_BOARD
    assert told("lines of the board", lines, meant) < TOO_MUCH * meant
