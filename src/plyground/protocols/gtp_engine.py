"""Plyground as an engine behind the Go Text Protocol, version 2, for every game.

    7 play black f5     =7
    genmove white       = d6          and it is played
    play white a1       ? a1 is illegal: it turns no disc over (legal: ...)

Black is the first player, white the second. Moves are written as the game writes them, an
underscore for each space. A forced pass may be sent or left out: whoever is named next, the other
side's pass is filled in, and `undo` takes back what one command did. `plyground-setup` begins a
game with any settings, and anywhere: `plyground-setup m=5 n=5 k=4 position=...`.

GoGui knows moves only as points, whose columns leave out I and whose rows count from below. A
program that sends any `gogui-` command is GoGui: from then on moves are points, named as on the
game's own board wherever that is possible.

Only the comment `# interrupt` stops a search: everything else waits for its answer, as scripts that
send all their commands at once expect.
"""

from __future__ import annotations

import math
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plyground import __version__
from plyground.core.board import Board
from plyground.core.errors import (
    IllegalMove,
    InputError,
    MalformedText,
    PlygroundError,
    Unsupported,
    blame,
    shorten,
    unknown,
)
from plyground.core.records import GameRecord
from plyground.formats.othello_sgf import FORMAT as SGF
from plyground.formats.spec import Rejected
from plyground.games.catalogue import games
from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.games.rules import State
from plyground.games.spec import GameSpec, Value
from plyground.games.squares import is_pass
from plyground.players.gtp import COLOURS, SETUP, find_move, write_move
from plyground.players.spec import Forfeit, Turn
from plyground.protocols.conversation import Engine, Line, Say, Thinker, bounded_time, share_of_time

VERSION = 2
COLOUR_WORDS = {"b": 0, "black": 0, "w": 1, "white": 1}
POINT_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SIZE_PARAMETERS = (("size",), ("width", "height"), ("m", "n"))
USUAL_SIZE = 8  # of an Othello board
MOST_SGF_BYTES = 2**20
THINKING = ("genmove", "reg_genmove")
MOST_SECONDS = 10**7
ANALYZE_COMMANDS = (
    "plist/Legal moves/gogui-rules_legal_moves",
    "string/Result/gogui-rules_final_result",
    "string/Board/showboard",
)

_PLAIN = dict.fromkeys([*range(ord(" ")), 0x7F]) | {ord("\t"): " "}  # control characters go
_COMMAND = re.compile(r"(?:([0-9]+)(?:\s+|$))?(\S*)\s*(.*)")
_INTERRUPT = re.compile(r"\s*#\s*interrupt\s*")
_POINT = re.compile(r"[a-z][0-9]+", re.IGNORECASE)


# ------------------------------------------------------------------ commands as text


@dataclass(frozen=True)
class Command:
    """`7 play black f5`: a number, if there is one, a name, and arguments."""

    number: str
    name: str
    arguments: tuple[str, ...]


def parse_command(text: str) -> Command | None:
    """The command in a line; None for an empty line or a comment."""
    found = _COMMAND.fullmatch(text.translate(_PLAIN).partition("#")[0].strip())
    if not found or not found[0]:
        return None
    return Command(found[1] or "", found[2], tuple(found[3].split()))


def format_answer(is_done: bool, number: str, text: str) -> str:
    """An answer ends with an empty line, so that it has none inside; an error is one line."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    body = "\n".join(lines) if is_done else " ".join(lines)
    return f"{'=' if is_done else '?'}{number}{' ' if body else ''}{body}\n"


# ------------------------------------------------------------------ time


@dataclass(frozen=True)
class TimeSettings:
    """Main time, then periods of some stones each; no period is sudden death."""

    main_s: float
    period_s: float
    stones: int

    @property
    def is_limited(self) -> bool:
        """A period for no stones is the protocol's way to say that there is no limit."""
        return not (self.period_s > 0 and self.stones == 0)


class Clock:
    """What one side has left; without stones it is main time."""

    def __init__(self, settings: TimeSettings) -> None:
        self._settings = settings
        self.left_s, self.stones = settings.main_s, 0
        if not self.left_s:
            self._begin_period(0.0)

    def for_move(self, state: State) -> float:
        """How long the next move may take."""
        if self.stones:
            return bounded_time(self.left_s / self.stones)
        per_stone = self._settings.period_s / max(1, self._settings.stones)
        return bounded_time(max(share_of_time(self.left_s, state), per_stone))

    def spend(self, seconds: float) -> None:
        """A move has been made."""
        self.left_s -= seconds
        if self.stones > 1:
            self.stones -= 1
        elif self.stones == 1:
            self._begin_period(0.0)
        elif self.left_s <= 0:
            self._begin_period(-self.left_s)

    def _begin_period(self, used_s: float) -> None:
        self.left_s = max(0.0, self._settings.period_s - used_s)
        self.stones = self._settings.stones


# ------------------------------------------------------------------ the engine


Words = tuple[str, ...]


class GtpEngine(Engine):
    """A game, the moves played so far, and a player for either side."""

    def __init__(
        self,
        game: GameSpec,
        settings: Mapping[str, Value],
        player: str | None = None,
        seed: int | None = None,
    ) -> None:
        """Without a player, the best level with all the time it is given; no seed is any."""
        super().__init__()
        self._player, self._given_seed = player, seed
        self._time = TimeSettings(0.0, 1.0, 0)
        self._speaks_points = False
        self._usual = BasePosition.begin(game, settings)
        self._games = {**games(), game.name: game}
        self._thinker = Thinker(player, self._usual, self)
        self._begin()
        self._commands: dict[str, Callable[[Words], str | None]] = {
            "protocol_version": lambda _: str(VERSION),
            "name": lambda _: "Plyground",
            "version": lambda _: __version__,
            "known_command": lambda words: str(" ".join(words) in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": lambda _: None,
            "list_games": lambda _: "\n".join(name.capitalize() for name in self._games),
            "set_game": self._set_game,
            "boardsize": self._set_size,
            SETUP: self._set_up_anywhere,
            "clear_board": lambda _: self._clear_board(),
            "komi": lambda _: None,
            "play": self._play,
            "genmove": self._generate_and_play,
            "reg_genmove": lambda words: self._think(words)[1],
            "undo": self._undo,
            "time_settings": self._set_time,
            "time_left": self._set_time_left,
            "showboard": lambda _: _draw(self._position),
            "final_score": self._final_score,
            "loadsgf": self._load_sgf,
            "gogui-interrupt": lambda _: None,
            "gogui-analyze_commands": lambda _: "\n".join(ANALYZE_COMMANDS),
            "gogui-rules_game_id": lambda _: self._game.name.replace("-", "").capitalize(),
            "gogui-rules_board": self._rules_board,
            "gogui-rules_board_size": lambda _: str(_size(_grid(self._position))),
            "gogui-rules_legal_moves": self._rules_legal_moves,
            "gogui-rules_side_to_move": lambda _: COLOURS[self._position.mover],
            "gogui-rules_final_result": self._rules_final_result,
        }

    def obey(self, line: Line, say: Say) -> bool:
        command = parse_command(line.text)
        if command is None:
            return True
        try:
            is_done, text = True, self._result(command, line.is_cut)
        except (PlygroundError, Forfeit) as error:
            is_done, text = False, str(error)
        except Exception as error:  # a game may come from anybody
            is_done, text = False, str(blame(error))
        say(format_answer(is_done, command.number, text))
        return not is_done or command.name != "quit"

    def thinks(self, line: Line) -> bool:
        command = parse_command(line.text)
        return command is not None and command.name in THINKING

    def stops(self, line: Line, later: Line | None) -> bool:
        return later is not None and _INTERRUPT.fullmatch(later.text) is not None

    def close(self) -> None:
        super().close()
        self._thinker.close()

    def _result(self, command: Command, is_cut: bool) -> str:
        if is_cut:
            raise MalformedText("the line is too long")
        if command.name not in self._commands:
            raise Unsupported("unknown command")
        self._speaks_points |= command.name.startswith("gogui-")
        return self._commands[command.name](command.arguments) or ""

    # -------------------------------------------------------------- which game

    @property
    def _game(self) -> GameSpec:
        return self._usual.game

    def _set_up(self, game: GameSpec, settings: Mapping[str, Value]) -> None:
        """Begin a game, perhaps of another kind; whatever is wrong with it, the old one stays."""
        if game is self._game and settings == self._usual.settings:
            self._clear_board()
            return
        usual = BasePosition.begin(game, settings)
        thinker = Thinker(self._player, usual, self)
        self._thinker.close()
        self._usual, self._thinker = usual, thinker
        self._begin()

    def _begin(self) -> None:
        self._position = self._usual
        self._before: list[BasePosition] = []  # each step that can be undone
        self._clocks = (Clock(self._time), Clock(self._time))
        seed = self._given_seed
        self._seed = secrets.randbelow(2**64) if seed is None else seed

    def _clear_board(self) -> None:
        self._begin()
        self._thinker.player.begin()

    def _set_game(self, words: Words) -> None:
        """Games that we know, not files: a program that talks to us is not who started us."""
        by_name = {
            _plain(name): game
            for game in self._games.values()
            for name in (game.name, game.title, *game.aliases)
        }
        game = by_name.get(_plain(" ".join(words)))
        if game is None:
            raise unknown("game", " ".join(words), self._games)
        self._set_up(game, self._usual.settings if game is self._game else {})

    def _set_size(self, words: Words) -> None:
        try:
            self._set_up(self._game, {**self._usual.settings, **self._sizes(words)})
        except InputError as error:
            raise Unsupported(f"unacceptable size: {error}") from None

    def _sizes(self, words: Words) -> dict[str, Value]:
        """Width and height, or one number: a square, or the longer edge that there is already."""
        by_name = {parameter.name: parameter for parameter in self._game.parameters}
        names = next((n for n in SIZE_PARAMETERS if by_name.keys() >= set(n)), None)
        if names is None:
            raise Unsupported(f"{self._game.name} has no size")
        if not 1 <= len(words) <= len(names):
            raise MalformedText("expected a number" + ", or two" * (len(names) - 1))
        if words == (str(max(int(self._usual.settings[name]) for name in names)),):
            return {}
        both = words * 2 if len(words) == 1 else words
        return {name: by_name[name].parse(word) for name, word in zip(names, both, strict=False)}

    def _set_up_anywhere(self, words: Words) -> None:
        """`m=5 n=5 position=...`: what is not named is as usual, and values may have spaces."""
        given, _, position = " ".join(["", *words]).partition(" position=")
        nothing, *pairs = re.split(r" (?=\w+=)", given)
        if nothing:
            raise MalformedText("expected NAME=VALUE, as in size=6, and position=TEXT at the end")
        settings = dict(pair.split("=", 1) for pair in pairs)
        begun = BasePosition.begin(self._game, settings, position or None)
        self._set_up(self._game, begun.settings)
        self._position = begun

    # -------------------------------------------------------------- moves

    def _play(self, words: Words) -> None:
        if len(words) < 2:
            raise MalformedText("expected a colour and a move, as in play black f5")
        mover, text = _read_colour(words), " ".join(words[1:])
        if self._is_idle_pass(text):
            self._advance(self._position)
        else:
            before = self._position_of(mover)
            self._advance(before.play_code(self._read_move(before, text)))

    def _generate_and_play(self, words: Words) -> str:
        started = time.monotonic()
        after, name = self._think(words)
        mover = _read_colour(words)
        self._clocks[mover].spend(time.monotonic() - started)
        self._advance(after)
        if not after.is_over and after.mover != mover:
            self._thinker.player.watch(self._turn(after, mover))
        return name

    def _think(self, words: Words) -> tuple[BasePosition, str]:
        """The position after what a colour plays, and how the move is written."""
        mover = _read_colour(words)
        if self._is_idle_pass("pass"):
            return self._position, "pass"
        before = self._position_of(mover)
        if before.is_over:
            raise Unsupported("the game is over")
        move = self._thinker.choose(self._turn(before, mover)).move
        return before.play_code(move), self._write_move(before, move)

    def _turn(self, position: BasePosition, mover: int) -> Turn:
        """The question about a position, with the time that a side has for it."""
        time_s = self._clocks[mover].for_move(position.state) if self._time.is_limited else None
        return Turn(position, self._seed, time_s)

    def _position_of(self, mover: int) -> BasePosition:
        """The position in which a side moves: after the other's forced pass if need be."""
        now = self._position
        if mover == now.mover or now.is_over:
            return now
        if (forced := now.implied_code) is None:
            raise IllegalMove(f"wrong colour: {COLOURS[now.mover]} is to move")
        return now.play_code(forced)

    def _is_idle_pass(self, text: str) -> bool:
        """After the end of a game with passes both sides pass: so referees of Go end one."""
        return self._game.implied_move is not None and self._position.is_over and is_pass(text)

    def _advance(self, position: BasePosition) -> None:
        self._before.append(self._position)
        self._position = position

    def _undo(self, words: Words) -> None:
        if not self._before:
            raise Unsupported("cannot undo: nothing has been played")
        self._position = self._before.pop()

    # -------------------------------------------------------------- moves as text

    def _write_move(self, position: BasePosition, move: int) -> str:
        point = _point(position, move) if self._speaks_points else None
        return point or write_move(position, move)

    def _read_move(self, position: BasePosition, text: str) -> int:
        if not self._speaks_points or not _POINT.fullmatch(text):
            if (move := find_move(position, text)) is not None:
                return move
            return self._game.parse_move(position.state, text.replace("_", " "))
        for move in position.legal_codes:
            if _point(position, move) == text.upper():
                return move
        raise IllegalMove(f"{shorten(text)} is illegal")

    # -------------------------------------------------------------- time

    def _set_time(self, words: Words) -> None:
        if len(words) != 3:
            raise MalformedText("expected main time, period and stones, as in 300 30 5")
        main_s, period_s = _read_seconds(words[0]), _read_seconds(words[1])
        self._time = TimeSettings(main_s, period_s, _read_stones(words[2]))
        self._clocks = (Clock(self._time), Clock(self._time))

    def _set_time_left(self, words: Words) -> None:
        if len(words) != 3:
            raise MalformedText("expected colour, time and stones, as in black 12 0")
        clock = self._clocks[_read_colour(words)]
        clock.left_s, clock.stones = _read_seconds(words[1]), _read_stones(words[2])

    # -------------------------------------------------------------- results

    def _final_score(self, words: Words) -> str:
        result = self._outcome()
        return f"{'BW'[result < 0]}+{abs(result)}" if result else "0"

    def _rules_final_result(self, words: Words) -> str:
        result = self._outcome()
        if not result:
            return "A draw."
        colour, name = COLOURS[result < 0].capitalize(), self._game.players[result < 0]
        margin = f" by {abs(result)}" if self._game.has_margin else ""
        return f"{colour if colour == name else f'{colour} ({name})'} wins{margin}."

    def _outcome(self) -> int:
        if (result := self._position.score) is None:
            raise Unsupported("cannot score: the game is not over")
        return result

    # -------------------------------------------------------------- what GoGui draws

    def _rules_board(self, words: Words) -> str:
        """GoGui's boards are square: where ours is not, it is filled up with question marks."""
        board = _grid(self._position)
        size, marks = _size(board), {"first": "X", "second": "O"}
        lines = {}
        for row in range(board.rows):
            cells = board.cells[row * board.columns :][: board.columns]
            names = [marks.get(str(cell), ".") for cell in cells]
            lines[_row_number(board, row)] = names + ["?"] * (size - board.columns)
        numbers = range(size, 0, -1)
        return "\n".join(" ".join(lines.get(number, ["?"] * size)) for number in numbers)

    def _rules_legal_moves(self, words: Words) -> str:
        legal = self._position.legal_codes
        return " ".join(self._write_move(self._position, move) for move in legal)

    # -------------------------------------------------------------- files

    def _load_sgf(self, words: Words) -> None:
        if self._game.name != OTHELLO.name:
            raise Unsupported("loadsgf reads games of Othello; send set_game Othello first")
        has_number = len(words) > 1 and re.fullmatch(r"[0-9]{1,9}", words[-1])
        record = read_sgf(_read_file(" ".join(words[:-1] if has_number else words)))
        self._set_size((str(record.settings.get("size", USUAL_SIZE)),))
        if record.position is not None:
            self._position = BasePosition.begin(OTHELLO, self._usual.settings, record.position)
        last = max(0, int(words[-1]) - 1) if has_number else None
        for move in record.moves[:last]:
            code = OTHELLO.parse_move(self._position.state, move.move)
            self._advance(self._position.play_code(code))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _read_colour(words: Words) -> int:
    word = words[0].lower() if words else ""
    if word not in COLOUR_WORDS:
        raise MalformedText("expected a colour, black or white")
    return COLOUR_WORDS[word]


def _read_seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MOST_SECONDS:
        raise MalformedText(f"{shorten(word)!r} is not a time; expected seconds")
    return seconds


def _read_stones(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise MalformedText(f"{shorten(word)!r} is not a number; expected a whole one")
    return int(word)


# ------------------------------------------------------------------ boards


def _draw(position: BasePosition) -> str:
    """The position as plain text."""
    board = position.board
    lines = [position.text]
    if board.rows and len(board.cells) == board.rows * board.columns:
        lines = _draw_grid(board)
    whose = "the game is over" if position.is_over else f"{COLOURS[position.mover]} to move"
    return "\n".join([*lines, board.text, whose])


def _draw_grid(board: Board) -> list[str]:
    marks = {"first": "X", "second": "O", "": "."}
    cells = [marks.get(str(cell), str(cell)) for cell in board.cells]
    labels = board.row_labels or ("",) * board.rows
    rows = [("", *board.column_labels)]
    rows += [
        (labels[row], *cells[row * board.columns :][: board.columns]) for row in range(board.rows)
    ]
    width = max(len(word) for row in rows for word in row)
    return [" ".join(word.rjust(width) for word in row) for row in rows]


def _grid(position: BasePosition) -> Board:
    board = position.board
    if board.kind not in ("grid", "columns"):
        raise Unsupported(f"{position.game.name} is not played with stones on a grid")
    return board


def _size(board: Board) -> int:
    return max(board.rows, board.columns)


def _row_number(board: Board, row: int) -> int:
    """As on the game's own board, or from below where rows have no names."""
    return int(board.row_labels[row]) if board.row_labels else board.rows - row


def _point(position: BasePosition, move: int) -> str | None:
    """The point that a move is about, as GoGui names it; None for a pass and other such moves."""
    board, cells = position.board, position.game.cells_of(position.state, move)
    if board.kind not in ("grid", "columns") or len(cells) != 1:
        return None
    row, column = divmod(cells[0], board.columns)
    if column >= len(POINT_COLUMNS):
        return None
    return f"{POINT_COLUMNS[column]}{_row_number(board, row)}"


# ------------------------------------------------------------------ files


def read_sgf(data: bytes) -> GameRecord:
    """The first game of Othello in a file."""
    item = next(SGF.read(data))
    if isinstance(item, Rejected):
        raise MalformedText(f"cannot load file: {item.reason}")
    assert isinstance(item.record, GameRecord)
    return item.record


def _read_file(name: str) -> bytes:
    path = Path(name)
    try:
        if not path.is_file():
            raise OSError
        with path.open("rb") as file:
            return file.read(MOST_SGF_BYTES)
    except (OSError, ValueError):
        raise Unsupported(f"cannot load file {shorten(name)!r}") from None
