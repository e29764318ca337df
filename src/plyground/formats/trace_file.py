"""The trace file of the Double Card course: what a two-ply search looked at, move by move.

For each move of the machine two groups of lines, each ended by an empty line:

    2832        how often e(n) was applied at level 3
    -4.0        the value brought up to level 1

    -52.0       the values of the level-2 nodes, in the order of search
    -82.0
    ...

Numbers in, bytes out, and back, as strictly as the course's own checker. With alpha-beta the value
of a node that was cut is the one at the cut, so that a search which fails soft gives the right
ones.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from plyground.core.errors import MalformedText, shorten
from plyground.formats.spec import Format, Item, Rejected
from plyground.formats.text_lines import text_of

Method = Literal["minimax", "alphabeta"]
Decimals = Literal["always", "needed"]

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]?)?|\.[0-9])", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,15}", re.ASCII)
MOST_NODES = 1000  # of level 2; no position of the game has as many moves


@dataclass(frozen=True)
class TracedMove:
    """What is written of one move of the machine."""

    evaluations: int
    """How often e(n) was applied at level 3."""
    value: float
    """Of level 1."""
    level_two: tuple[float, ...]

    @property
    def is_consistent(self) -> bool:
        """Whether the value is the best or the worst of level 2, as it is for MAX or for MIN."""
        return self.value in (max(self.level_two), min(self.level_two))


def traced_move(
    evaluations: int, level_two: Sequence[int], *, maximises: bool, unit: int = 2
) -> TracedMove:
    """A move from the numbers of a search: level-2 values as the side that moves sees them.

    `maximises` says whether that side wants e(n) high: the colour player in some traces, the
    machine in others. A search counts in whole numbers, `unit` of them to 1.
    """
    sign = 1 if maximises else -1
    values = tuple(sign * value / unit for value in level_two)
    return TracedMove(evaluations, max(values) if maximises else min(values), values)


def file_name(method: Method, game: int) -> str:
    """`tracemm1.txt` or `traceab1.txt`, by the number of the game."""
    return f"trace{'mm' if method == 'minimax' else 'ab'}{game}.txt"


# ------------------------------------------------------------------ writing


def write_trace(moves: Iterable[TracedMove], decimals: Decimals = "always") -> bytes:
    """The file, with `-4.0` or, where no decimal is needed, `-4`."""
    groups = []
    for move in moves:
        head = [str(move.evaluations), _write_number(move.value, decimals)]
        groups += [head, [_write_number(value, decimals) for value in move.level_two]]
    return "".join("".join(f"{line}\n" for line in group) + "\n" for group in groups).encode()


def _write_number(value: float, decimals: Decimals) -> str:
    text = f"{value + 0.0:.1f}"  # -0.0 is 0.0 to everybody
    return text.removesuffix(".0") if decimals == "needed" else text


# ------------------------------------------------------------------ reading


def read_trace(data: bytes) -> tuple[TracedMove, ...]:
    """The moves of a trace. Raises MalformedText for what the course's checker refuses.

    Beyond what it checks, every first number must be a whole one and every move have a level 2.
    """
    groups, moves = _groups(text_of(data)), list[TracedMove]()
    for head in groups:
        number = len(moves) + 1
        _check_head(number, head)
        nodes = next(groups, None)
        if nodes is None:
            raise MalformedText(f"move {number}: there are no values of level 2")
        moves.append(_read_move(head, nodes))
    return tuple(moves)


Group = list[tuple[int, str]]  # line numbers and what stands there


def _groups(text: str) -> Iterator[Group]:
    """The lines between single empty lines."""
    before = len(text) - len(text.lstrip())
    first = len(text[:before].splitlines()) if before else 0
    group: Group = []
    for number, line in enumerate(io.StringIO(text.strip(), newline=None), start=first + 1):
        word = line.strip(" \t\n")
        if word and len(group) < MOST_NODES:
            group.append((number, word))
        elif word:
            raise MalformedText(f"line {number}: more than {MOST_NODES:,} values of level 2")
        elif line != "\n":
            raise MalformedText(f"line {number}: blanks; expected an empty line, or a number")
        elif group:
            yield group
            group = []
        else:
            raise MalformedText(f"line {number}: too many empty lines; expected one")
    if group:
        yield group


def _read_move(head: Group, nodes: Group) -> TracedMove:
    (line, count), value = head
    if not _COUNT.fullmatch(count):
        raise MalformedText(f"line {line}, {shorten(count)!r}: expected a number of evaluations")
    return TracedMove(int(count), _read_number(value), tuple(map(_read_number, nodes)))


def _check_head(number: int, head: Group) -> None:
    if len(head) != 2:
        amount = "too many values" if len(head) > 2 else "not enough values"
        raise MalformedText(
            f"move {number}, line {head[0][0]}: {amount} at its beginning; "
            "expected the number of evaluations and the value of level 1"
        )


def _read_number(place: tuple[int, str]) -> float:
    line, text = place
    if not _NUMBER.fullmatch(text):
        raise MalformedText(
            f"line {line}, {shorten(text)!r}: expected a number with at most one decimal"
        )
    return float(text)


# ------------------------------------------------------------------ known, but without games


def recognises(data: bytes) -> float:
    """Sure if the value of level 1 is the best or worst of level 2."""
    groups = _groups(text_of(data))
    try:
        head = next(groups, [])
        _check_head(1, head or [(1, "")])
        nodes = next(groups, None)
        first = _read_move(head, nodes) if nodes else None
    except MalformedText:
        return 0.0
    return 0.95 if first and first.is_consistent else 0.0


def read(data: bytes) -> Iterator[Item]:
    """Why there is nothing to read: a trace has neither moves nor positions."""
    try:
        moves = len(read_trace(data))
    except MalformedText as error:
        yield Rejected("trace", str(error))
        return
    yield Rejected("trace", f"{moves} moves were searched, but a trace does not tell which")


FORMAT = Format(
    name="double-card-trace",
    summary="the course's trace of a two-ply search: values only, neither games nor positions",
    games=("double-card",),
    suffixes=(".trace", ".txt"),
    recognises=recognises,
    read=read,
)
