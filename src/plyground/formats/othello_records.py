"""What the Othello formats share: playing a game through, results, dates, and reading any bytes.

A reader here is made of a generator over the text, `Replay` for each game in it, and `reader`,
which keeps the promises of every format: any bytes give items, and nonsense ends soon. What a move
or a board looks like is left to the game.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from plyground.core.errors import IllegalMove, MalformedText, Unsupported, shorten
from plyground.core.records import Ending, GameRecord, MoveRecord, PositionRecord, points_for
from plyground.core.scores import Score
from plyground.formats.spec import Item, Record, Rejected, attempt
from plyground.formats.text_lines import giving_up
from plyground.games import squares
from plyground.games.othello import GAME, PASS, board_size
from plyground.games.rules import State, is_over, play, side

SIZES = (4, 6, 8, 10)
USUAL_SIZE = 8
LONGEST_LINE = 10_000  # characters; what is cut off was no game and no board
BEGINNING = 4096  # bytes that are enough to recognise a format
BLACK, WHITE = 0, 1

# ------------------------------------------------------------------ bytes and lines


def text_of(data: bytes) -> str:
    """Bytes as text: UTF-8, UTF-16 if they say so, else Latin-1 as old files are."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start > len(data) - 4:  # a character of up to four bytes was cut off
            return data[: error.start].decode("utf-8-sig")
        return data.decode("latin-1")


# Empty lines are taken together, though not without end: a repeat costs memory.
_LINES = re.compile(r"(?:[ \t]*\n){1,10000}|[^\n]+\n?")


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines, counted from 1, without blanks at their ends; of empty ones in a row the first."""
    number = 1
    for found in _LINES.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        yield number, found[0][:LONGEST_LINE].strip()
        number += found[0].count("\n")


def each_line(read: Callable[[str], Record], *comments: str) -> Callable[[str], Iterator[Item]]:
    """A generator over a text: a record for every line that is neither empty nor a comment."""

    def items(text: str) -> Iterator[Item]:
        for number, line in numbered_lines(text):
            if line and not line.startswith(comments):
                yield attempt(f"line {number}", read, line)

    return items


def reader(
    items: Callable[[str], Iterator[Item]], expected: str
) -> Callable[[bytes], Iterator[Item]]:
    """A format's `read` from a generator over its text; `expected` is named if there is nothing."""

    def read(data: bytes) -> Iterator[Item]:
        is_empty = True
        for item in giving_up(items)(text_of(data)):
            is_empty = False
            yield item
        if is_empty:
            yield Rejected("line 1", f"nothing to read; expected {expected}")

    return read


def recogniser(judge: Callable[[str], float]) -> Callable[[bytes], float]:
    """A format's `recognises` from a judge of how a text begins."""

    def recognises(data: bytes) -> float:
        head = data[:BEGINNING]
        if len(data) > BEGINNING and b"\n" in head:
            head = head[: head.rindex(b"\n")]  # a line that was cut says nothing
        return judge(text_of(head))

    return recognises


# ------------------------------------------------------------------ writing

Checked = TypeVar("Checked", GameRecord, PositionRecord)


def writer(
    require: Callable[[Record, str], Checked],
    title: str,
    write: Callable[[Checked], str],
    between: str = "",
) -> Callable[[Iterable[Record]], bytes]:
    """A format's `write` from the lines of one record; `require` names the format in its errors."""

    def write_all(records: Iterable[Record]) -> bytes:
        texts = (f"{write(require(record, title))}\n" for record in records)
        return between.join(texts).encode(errors="replace")

    return write_all


def require_game(record: Record, title: str) -> GameRecord:
    """The record as a game of Othello. Raises Unsupported."""
    _require_othello(record, title)
    if not isinstance(record, GameRecord):
        raise Unsupported(f"{title} holds games, not single positions")
    return record


def require_position(record: Record, title: str) -> PositionRecord:
    """The record as a position of Othello. Raises Unsupported."""
    _require_othello(record, title)
    if not isinstance(record, PositionRecord):
        raise Unsupported(f"{title} holds positions, not games")
    return record


def _require_othello(record: Record, title: str) -> None:
    if record.game != GAME.name:
        raise Unsupported(f"{title} holds {GAME.title} only, not {record.game}")


# ------------------------------------------------------------------ sizes and positions


@functools.cache
def start_of(size: int = USUAL_SIZE) -> State:
    """The usual first position on a board of this size."""
    if size not in SIZES:
        raise Unsupported(f"a board of {size}x{size}; expected 4, 6, 8 or 10 squares along an edge")
    return GAME.initial(size=size)


def settings_of(state: State) -> dict[str, int]:
    """The size, unless it is the usual one."""
    size = board_size(state)
    return {} if size == USUAL_SIZE else {"size": size}


def position_record(
    state: State,
    score: int | None = None,
    scores: Mapping[str, int] | None = None,
    tags: Mapping[str, str] | None = None,
) -> PositionRecord:
    """A position and what is known of it."""
    text = GAME.format_position(state)
    return PositionRecord(GAME.name, text, settings_of(state), scores or {}, score, tags or {})


def first_state(record: Record) -> State:
    """The position of a record, or where its game began."""
    start = start_of(record.settings.get("size", USUAL_SIZE))
    return start if record.position is None else GAME.parse_position(start, record.position)


def require_size(state: State, title: str) -> State:
    """The position, if its board has the only size that a format holds. Raises Unsupported."""
    size = board_size(state)
    if size != USUAL_SIZE:
        raise Unsupported(f"{title} holds boards of 8x8 only, not of {size}x{size}")
    return state


# ------------------------------------------------------------------ results


@dataclass(frozen=True)
class Result:
    """How a game came out by what a format says, for black; nothing if it does not say."""

    text: str = ""
    points: float | None = None
    outcome: int | None = None
    ended: Ending = "unfinished"

    @staticmethod
    def counted(text: str, outcome: int, ended: Ending = "over") -> Result:
        """A result in discs."""
        return Result(text, points_for(outcome), outcome, ended)

    @staticmethod
    def decided(text: str, points: float, ended: Ending = "over") -> Result:
        """A result that only says who won."""
        return Result(text, points, None, ended)

    def contradicts(self, outcome: int) -> bool:
        """Whether it is not what the final board says."""
        if self.points is None:
            return False
        if self.ended != "over" or self.points != points_for(outcome):
            return True
        return self.outcome not in (None, outcome)


UNKNOWN = Result()

# ------------------------------------------------------------------ playing a game through

# On 8x8, by side and move: the same few make all games of an archive.
MOVE_RECORDS = [
    [MoveRecord(GAME.format_move(start_of(), move), side) for move in range(PASS + 1)]
    for side in (BLACK, WHITE)
]


class Replay:
    """A game that is played through, move by move; passes that are not written are put in."""

    def __init__(self, start: State) -> None:
        self.start = self.state = start
        self.moves: list[MoveRecord] = []
        self.written = 0

    def copy(self) -> Replay:
        """The same game so far, to be continued in another way."""
        other = Replay(self.start)
        other.state, other.moves, other.written = self.state, [*self.moves], self.written
        return other

    def play(
        self, text: str, mover: int | None = None, time_s: float = 0.0, score: Score | None = None
    ) -> None:
        """Play the move that a text names. `mover` is who played it, where a format says so.

        Raises MalformedText or IllegalMove, with the number of the move as written.
        """
        self.written += 1
        if squares.is_pass(text) and is_over(self.state):
            return  # some programs write the passes that end a game
        try:
            self._play(text, mover, time_s, score)
        except (MalformedText, IllegalMove) as error:
            problem = f"move {self.written}, {shorten(text)!r}: {error}"
            raise type(error)(problem) from None

    def _play(self, text: str, mover: int | None, time_s: float, score: Score | None) -> None:
        try:
            if mover not in (None, side(self.state)):
                whose_turn = f"it is {GAME.players[side(self.state)]}'s turn"
                raise IllegalMove("the game is over" if is_over(self.state) else whose_turn)
            move = GAME.parse_move(self.state, text)
        except IllegalMove:
            if (implied := GAME.implied_at(self.state)) is None:
                raise
            self._add(implied)
            self._play(text, mover, time_s, score)
        else:
            self._add(move, time_s, score)

    def _add(self, move: int, time_s: float = 0.0, score: Score | None = None) -> None:
        name = GAME.format_move(self.state, move)
        self.moves.append(MoveRecord(name, int(side(self.state)), time_s, score))
        self.state = play(self.state, move)

    def record(
        self,
        result: Result = UNKNOWN,
        players: tuple[str, str] = ("", ""),
        date: str = "",
        event: str = "",
        tags: Mapping[str, str] | None = None,
    ) -> GameRecord:
        """The game so far."""
        final = GAME.first_player_outcome(self.state)
        return game_record(self.start, self.moves, final, result, players, date, event, tags)


def game_record(
    start: State,
    moves: Sequence[MoveRecord],
    final: int | None,
    result: Result = UNKNOWN,
    players: tuple[str, str] = ("", ""),
    date: str = "",
    event: str = "",
    tags: Mapping[str, str] | None = None,
) -> GameRecord:
    """A game from its legal moves; `final` is the score of its last board, if that is the end.

    The board has the last word on the result; what a format says against it becomes a tag.
    """
    all_tags = dict(tags or {})
    if final is not None:
        if result.contradicts(final):
            all_tags["result"] = result.text
        result = Result.counted("", final)
    return GameRecord(
        GAME.name,
        players,
        moves,
        points=result.points,
        outcome=result.outcome,
        ended=result.ended,
        settings=settings_of(start),
        position=None if start == start_of(board_size(start)) else GAME.format_position(start),
        date=date,
        event=event,
        tags=all_tags,
    )


# ------------------------------------------------------------------ dates

_DATE = re.compile(
    r"(?<!\d)(\d{4})(?!\d)"
    r"(?:[-./](0?[1-9]|1[0-2])(?!\d)(?:[-./](0?[1-9]|[12]\d|3[01])(?!\d))?)?",
    re.ASCII,
)
_TIME = re.compile(r"(?<!\d)(\d\d):(\d\d):(\d\d)\W?(?:Z|GMT|UTC)", re.ASCII | re.IGNORECASE)
_UNIX_SECONDS = re.compile(r"\d{8,11}", re.ASCII)


def parse_date(text: str) -> str:
    """As much of YYYY-MM-DDTHH:MM:SSZ as a text gives; times of other zones are left out."""
    if _UNIX_SECONDS.fullmatch(text.strip()):
        moment = datetime.fromtimestamp(int(text), UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    found = _DATE.search(text)
    if found is None:
        return ""
    date = "-".join(part.zfill(2) for part in found.groups() if part)
    time = _TIME.search(text, found.end())
    if found[3] and time:
        return f"{date}T{':'.join(time.groups())}Z"
    return date
