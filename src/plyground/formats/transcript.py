"""Othello games as people paste them: `f5d6c3`, one a line, in every spelling there is.

    f5d6c3d3c4                            the usual form: no blanks, no passes
    1. F5 d6 2. C3 D3                     numbers, blanks, commas, either case, full-width letters
    f5 d6 ... 40-24                       the result in discs, or `+16` for black, after the moves
    --------... X f5d6                    a board first, if the game began elsewhere

Passes may be left out or written in any way. A game may go on over several lines: a line belongs to
the game above it if its moves can be played there and not from the start, if it is numbered as a
continuation, or, where both are possible, if it has few moves. An empty line ends a game. On boards
of other sizes than 8x8 a game needs its first board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from plyground.core.errors import InputError, MalformedText
from plyground.core.records import GameRecord
from plyground.formats import othello_records as othello
from plyground.formats.boards import find_board
from plyground.formats.spec import Format, Item, Read, Record, Rejected, lines_place
from plyground.games import squares
from plyground.games.othello import GAME
from plyground.games.rules import State, is_over

COMMENTS = ("%", "#", "//")
LEAST_BOARD = min(othello.SIZES) ** 2  # symbols; a board may begin with what also begins a comment
FEW = 3  # moves in a line that is more likely a piece of a game than a game

_DISCS = re.compile(r"(?:^|(?<=[\s,;:]))\(?([0-9]{1,3})\s*[-:]\s*([0-9]{1,3})\)?$", re.ASCII)
_DIFFERENCE = re.compile(r"(?:^|(?<=[\s,;:])|(?<=[a-j][0-9])(?=[+-]))([+-]?[0-9]{1,3})$", re.ASCII)
_NUMBERED = re.compile(r"([0-9]{1,3})\s*\.", re.ASCII)
_MOVE = re.compile(r"[a-j][0-9]{1,2}", re.ASCII)

# ------------------------------------------------------------------ a line


@dataclass(frozen=True)
class _Line:
    """A line of moves, taken apart."""

    place: int
    start: State | None
    """Where its game begins, if it says so."""
    tokens: list[str]
    result: othello.Result
    number: int | None
    """Of its first move, if moves are numbered."""


def _take_apart(place: int, line: str) -> _Line:
    start, moves = None, line
    if board := find_board(line):
        start, moves = board.state, board.rest
    moves, result = _split_result(squares.plain_text(moves).strip())
    number = _NUMBERED.match(moves)
    return _Line(place, start, GAME.split_moves(moves), result, int(number[1]) if number else None)


def _split_result(moves: str) -> tuple[str, othello.Result]:
    """The moves, and the result that follows them."""
    if found := _DISCS.search(moves):
        difference = int(found[1]) - int(found[2])
    elif found := _DIFFERENCE.search(moves):
        difference = int(found[1])
    else:
        return moves, othello.UNKNOWN
    return moves[: found.start()].rstrip(" :,;"), othello.Result.counted(found[0], difference)


def _is_comment(line: str) -> bool:
    return line.startswith(COMMENTS) and (len(line) < LEAST_BOARD or find_board(line) is None)


# ------------------------------------------------------------------ games over several lines


@dataclass(frozen=True)
class _Game:
    """A game that the next line may continue."""

    first: int
    last: int
    replay: othello.Replay
    result: othello.Result = othello.UNKNOWN

    @property
    def item(self) -> Item:
        return Read(self.replay.record(self.result), lines_place(self.first, self.last))

    def with_line(self, line: _Line) -> _Attempt:
        """The game with the moves of one more line."""
        replay = self.replay.copy()
        attempt = _Attempt(_Game(self.first, line.place, replay, line.result))
        try:
            for token in line.tokens:
                replay.play(token)
        except InputError as error:
            attempt = replace(attempt, error=error)
        return replace(attempt, moves=replay.written - self.replay.written)


@dataclass(frozen=True)
class _Attempt:
    """A line read in one of two ways, and how many of its moves were read."""

    game: _Game
    error: InputError | None = None
    moves: int = 0


def _games(text: str) -> Iterator[Item]:
    game: _Game | None = None
    for number, written in othello.numbered_lines(text):
        if _is_comment(written):
            continue
        attempt = _place(game, number, written) if written else None
        if game and not (attempt and attempt.game.first < number):
            yield game.item
        if attempt and attempt.error:
            yield Rejected(f"line {number}", str(attempt.error))
        game = attempt.game if attempt and not attempt.error else None
    if game:
        yield game.item


def _place(game: _Game | None, number: int, written: str) -> _Attempt:
    """A line as a piece of the game above it, or as a game of its own."""
    line = _take_apart(number, written)
    start = othello.start_of() if line.start is None else line.start
    alone = _Game(number, number, othello.Replay(start)).with_line(line)
    if line.start is None and not line.tokens:
        nothing = MalformedText("no moves here; expected a line such as f5d6c3")
        alone = replace(alone, error=nothing)
    if (
        game is None
        or game.result is not othello.UNKNOWN
        or line.start is not None
        or line.number == 1
    ):
        return alone
    joined = game.with_line(line)
    if joined.error:
        return joined if alone.error and joined.moves > alone.moves else alone
    is_a_piece = line.number is not None or len(line.tokens) <= FEW
    return joined if alone.error or is_a_piece else alone


# ------------------------------------------------------------------ writing and recognising


def _write(records: Iterable[Record]) -> bytes:
    lines: list[str] = []
    is_open = False
    for record in records:
        game = othello.require_game(record, "a list of moves")
        if is_open and len(game.moves) <= FEW:
            lines.append("")
        line, is_open = _write_game(game)
        lines.append(line)
    return "".join(f"{line}\n" for line in lines).encode()


def _write_game(record: GameRecord) -> tuple[str, bool]:
    """The line of a game, and whether a line behind it could continue the game."""
    start = othello.first_state(record)
    names = [move.move for move in record.moves]
    is_open = not is_over(GAME.replay(start, GAME.parse_moves(start, " ".join(names))))
    passes = [name == "pass" for name in names]
    line = "".join(name for name, passed in zip(names, passes, strict=True) if not passed)
    if is_open and passes and passes[-1]:
        line += "pa"
    if start != othello.start_of() or not line:
        line = f"{GAME.format_position(start)} {line}".rstrip()
    if is_open and record.outcome is not None:
        return f"{line}: {record.outcome:+03d}", False
    return line, is_open


def _judge(text: str) -> float:
    first = next(_games(text), None)
    if isinstance(first, Read) and isinstance(first.record, GameRecord):
        return (0.2, 0.6, 0.9)[min(2, len(first.record.moves))]
    line = next(
        (line for _, line in othello.numbered_lines(text) if line and not _is_comment(line)), ""
    )
    tokens = GAME.split_moves(line)
    looks_right = all(_MOVE.fullmatch(token) or squares.is_pass(token) for token in tokens)
    return 0.4 if tokens and looks_right else 0.0


FORMAT = Format(
    name="othello-transcript",
    summary="Othello games as moves, f5d6c3, one a line",
    games=(GAME.name,),
    suffixes=(".txt",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_games, "moves such as f5d6c3"),
    write=_write,
)
