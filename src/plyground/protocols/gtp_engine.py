"""Plyground as an engine behind the Go Text Protocol, version 2, for every game.

    7 play black f5     =7
    genmove white       = d6          and it is played
    play white a1       ? a1 is illegal: it turns no disc over (legal: ...)

Black is the first player, white the second. Moves are written as the game writes them, an
underscore for each space. A forced pass may be told or left out: whoever is named next, the other
side's pass is filled in, and `undo` takes back what one command did.

GoGui knows moves only as points, whose columns leave out I and whose rows count from below. A
program that sends any `gogui-` command is GoGui: from then on moves are points, named as on the
game's own board wherever that is possible.

Only the comment `# interrupt` stops a search: everything else waits for its answer, as scripts that
send all their commands at once expect. Knows nothing of threads and streams.
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
from plyground.games.rules import State, is_over, side
from plyground.games.spec import GameSpec, Value
from plyground.games.squares import is_pass
from plyground.players.spec import Forfeit, Turn
from plyground.protocols.conversation import (
    Engine,
    Line,
    Mind,
    Say,
    bounded_time,
    share_of_time,
)

VERSION = 2
COLOURS = ("black", "white")
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
    """What one side has left."""

    def __init__(self, settings: TimeSettings) -> None:
        self._settings = settings
        self.left_s, self.stones = settings.main_s, 0
        if not self.left_s:
            self._begin_period(0.0)

    def set(self, left_s: float, stones: int) -> None:
        """As the referee's clock says; without stones it is main time."""
        self.left_s, self.stones = left_s, stones

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
        self._mind: Mind | None = None
        self._set_up(game, dict(settings))
        self._commands: dict[str, Callable[[tuple[str, ...]], str]] = {
            "protocol_version": lambda _: str(VERSION),
            "name": lambda _: "Plyground",
            "version": lambda _: __version__,
            "known_command": lambda words: str(" ".join(words) in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": lambda _: "",
            "list_games": lambda _: "\n".join(name.capitalize() for name in games()),
            "set_game": self._set_game,
            "boardsize": self._set_size,
            "clear_board": self._clear_board,
            "komi": lambda _: "",
            "play": self._play,
            "genmove": self._generate_and_play,
            "reg_genmove": self._generate,
            "undo": self._undo,
            "time_settings": self._set_time,
            "time_left": self._set_time_left,
            "showboard": lambda _: draw(self._game, self._state),
            "final_score": self._final_score,
            "loadsgf": self._load_sgf,
            "gogui-interrupt": lambda _: "",
            "gogui-analyze_commands": lambda _: "\n".join(ANALYZE_COMMANDS),
            "gogui-rules_game_id": lambda _: self._game.name.replace("-", "").capitalize(),
            "gogui-rules_board": self._rules_board,
            "gogui-rules_board_size": self._rules_board_size,
            "gogui-rules_legal_moves": self._rules_legal_moves,
            "gogui-rules_side_to_move": lambda _: COLOURS[side(self._state)],
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
        if self._mind:
            self._mind.close()

    def _result(self, command: Command, is_cut: bool) -> str:
        if is_cut:
            raise MalformedText("the line is too long")
        if command.name not in self._commands:
            raise Unsupported("unknown command")
        self._speaks_points |= command.name.startswith("gogui-")
        return self._commands[command.name](command.arguments)

    # -------------------------------------------------------------- which game

    def _set_up(self, game: GameSpec, settings: dict[str, Value]) -> None:
        """Begin games of another kind; whatever is wrong with it, the old one stays."""
        usual = BasePosition.begin(game, settings)
        mind = Mind(self._player, usual, self)
        if self._mind:
            self._mind.close()
        self._game, self._settings, self._usual, self._mind = game, settings, usual, mind
        self._begin()

    def _begin(self) -> None:
        self._position = self._usual
        self._before: list[BasePosition] = []  # each step that can be undone
        self._clocks = (Clock(self._time), Clock(self._time))
        seed = self._given_seed
        self._seed = secrets.randbelow(2**64) if seed is None else seed

    def _set_game(self, words: tuple[str, ...]) -> str:
        """Games that have a name, not files: a program that talks to us is not who started us."""
        by_name = {_plain(n): game for game in games().values() for n in _names(game)}
        wanted = _plain(" ".join(words))
        if wanted not in by_name:
            raise unknown("game", " ".join(words), games())
        game = by_name[wanted]
        if game is not self._game:
            self._set_up(game, game.settings({}))
        else:
            self._clear_board(())
        return ""

    def _set_size(self, words: tuple[str, ...]) -> str:
        try:
            settings = self._settings | self._sizes(words)
            if settings != self._settings:
                self._set_up(self._game, settings)
            else:
                self._clear_board(())
        except InputError as error:
            raise Unsupported(f"unacceptable size: {error}") from None
        return ""

    def _sizes(self, words: tuple[str, ...]) -> dict[str, Value]:
        """Width and height, or one number: a square, or the longer edge that there is already."""
        by_name = {parameter.name: parameter for parameter in self._game.parameters}
        names = next((n for n in SIZE_PARAMETERS if by_name.keys() >= set(n)), None)
        if names is None:
            raise Unsupported(f"{self._game.name} has no size")
        if not 1 <= len(words) <= len(names):
            raise MalformedText("expected a number" + ", or two" * (len(names) - 1))
        if words == (str(max(int(self._settings[name]) for name in names)),):
            return {}
        both = words * 2 if len(words) == 1 else words
        return {name: by_name[name].parse(word) for name, word in zip(names, both, strict=False)}

    def _clear_board(self, words: tuple[str, ...]) -> str:
        self._begin()
        self._thinking.player.begin()
        return ""

    @property
    def _thinking(self) -> Mind:
        assert self._mind
        return self._mind

    # -------------------------------------------------------------- moves

    @property
    def _state(self) -> State:
        return self._position.state

    def _play(self, words: tuple[str, ...]) -> str:
        if len(words) < 2:
            raise MalformedText("expected a colour and a move, as in play black f5")
        self._take(*self._step(self._state, _read_colour(words), " ".join(words[1:])))
        return ""

    def _generate_and_play(self, words: tuple[str, ...]) -> str:
        started = time.monotonic()
        step, name = self._think(words)
        mover = _read_colour(words)
        self._clocks[mover].spend(time.monotonic() - started)
        self._take(*step)
        if not is_over(self._state) and side(self._state) != mover:
            self._thinking.player.watch(self._turn((), self._state, mover))
        return name

    def _generate(self, words: tuple[str, ...]) -> str:
        return self._think(words)[1]

    def _think(self, words: tuple[str, ...]) -> tuple[tuple[int, ...], str]:
        """What a colour plays, after the other's pass if need be, and how the move is written."""
        mover = _read_colour(words)
        if _is_idle_pass(self._game, self._state, "pass"):
            return (), "pass"
        before = _passes_before(self._game, self._state, mover)
        state = self._game.replay(self._state, before)
        if is_over(state):
            raise Unsupported("the game is over")
        move = self._thinking.choose(self._turn(before, state, mover)).move
        return (*before, move), self._write_move(state, move)

    def _turn(self, more: tuple[int, ...], state: State, mover: int) -> Turn:
        """The question after all moves and some more, with the time that a side has for it."""
        time_s = self._clocks[mover].for_move(state) if self._time.is_limited else None
        return Turn(self._position.follow(more), self._seed, time_s)

    def _undo(self, words: tuple[str, ...]) -> str:
        if not self._before:
            raise Unsupported("cannot undo: nothing has been played")
        self._position = self._before.pop()
        return ""

    def _take(self, *moves: int) -> None:
        self._before.append(self._position)
        self._position = self._position.follow(moves)

    def _step(self, state: State, mover: int, text: str) -> tuple[int, ...]:
        """What one command plays: a move, with the other side's pass before it if need be."""
        if _is_idle_pass(self._game, state, text):
            return ()
        before = _passes_before(self._game, state, mover)
        return (*before, self._read_move(self._game.replay(state, before), text))

    # -------------------------------------------------------------- moves as text

    def _write_move(self, state: State, move: int) -> str:
        point = _point(self._game, state, move) if self._speaks_points else None
        return point or self._game.format_move(state, move).replace(" ", "_")

    def _read_move(self, state: State, text: str) -> int:
        if not self._speaks_points or not _POINT.fullmatch(text):
            return self._game.parse_move(state, text.replace("_", " "))
        for move in self._game.legal(state):
            if _point(self._game, state, move) == text.upper():
                return move
        raise IllegalMove(f"{shorten(text)} is illegal")

    # -------------------------------------------------------------- time

    def _set_time(self, words: tuple[str, ...]) -> str:
        if len(words) != 3:
            raise MalformedText("expected main time, period and stones, as in 300 30 5")
        main_s, period_s = _read_seconds(words[0]), _read_seconds(words[1])
        self._time = TimeSettings(main_s, period_s, _read_stones(words[2]))
        self._clocks = (Clock(self._time), Clock(self._time))
        return ""

    def _set_time_left(self, words: tuple[str, ...]) -> str:
        if len(words) != 3:
            raise MalformedText("expected colour, time and stones, as in black 12 0")
        clock = self._clocks[_read_colour(words)]
        clock.set(_read_seconds(words[1]), _read_stones(words[2]))
        return ""

    # -------------------------------------------------------------- results

    def _final_score(self, words: tuple[str, ...]) -> str:
        result = self._outcome()
        return f"{'BW'[result < 0]}+{abs(result)}" if result else "0"

    def _rules_final_result(self, words: tuple[str, ...]) -> str:
        result = self._outcome()
        if not result:
            return "A draw."
        colour, name = COLOURS[result < 0].capitalize(), self._game.players[result < 0]
        margin = f" by {abs(result)}" if self._game.has_margin else ""
        return f"{colour if colour == name else f'{colour} ({name})'} wins{margin}."

    def _outcome(self) -> int:
        result = self._game.first_player_outcome(self._state)
        if result is None:
            raise Unsupported("cannot score: the game is not over")
        return result

    # -------------------------------------------------------------- what GoGui draws

    def _rules_board(self, words: tuple[str, ...]) -> str:
        """GoGui's boards are square: where ours is not, it ends in cells that are no cells."""
        board, size = _grid(self._game, self._state), int(self._rules_board_size(()))
        marks = {"first": "X", "second": "O"}
        lines = {}
        for row in range(board.rows):
            cells = board.cells[row * board.columns :][: board.columns]
            names = [marks.get(str(cell), ".") for cell in cells]
            lines[_row_number(board, row)] = names + ["?"] * (size - board.columns)
        numbers = range(size, 0, -1)
        return "\n".join(" ".join(lines.get(number, ["?"] * size)) for number in numbers)

    def _rules_board_size(self, words: tuple[str, ...]) -> str:
        board = _grid(self._game, self._state)
        return str(max(board.rows, board.columns))

    def _rules_legal_moves(self, words: tuple[str, ...]) -> str:
        legal = self._game.legal(self._state)
        return " ".join(self._write_move(self._state, move) for move in legal)

    # -------------------------------------------------------------- files

    def _load_sgf(self, words: tuple[str, ...]) -> str:
        if self._game.name != OTHELLO.name:
            raise Unsupported("loadsgf reads games of Othello; send set_game Othello first")
        has_number = len(words) > 1 and re.fullmatch(r"[0-9]{1,9}", words[-1])
        record = read_sgf(_read_file(" ".join(words[:-1] if has_number else words)))
        self._set_size((str(record.settings.get("size", USUAL_SIZE)),))
        if record.position is not None:
            self._position = BasePosition.begin(OTHELLO, self._settings, record.position)
        last = max(0, int(words[-1]) - 1) if has_number else None
        for move in record.moves[:last]:
            self._take(OTHELLO.parse_move(self._state, move.move))
        return ""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _names(game: GameSpec) -> tuple[str, ...]:
    return (game.name, game.title, *game.aliases)


def _read_colour(words: tuple[str, ...]) -> int:
    word = words[0].lower() if words else ""
    if word not in COLOUR_WORDS:
        raise MalformedText("expected a colour, black or white")
    return COLOUR_WORDS[word]


def _passes_before(game: GameSpec, state: State, mover: int) -> tuple[int, ...]:
    """What must be played first for a side to move: nothing, or the other's forced pass."""
    if mover == side(state) or is_over(state):
        return ()
    forced = game.implied_move(state) if game.implied_move else None
    if forced is None:
        raise IllegalMove(f"wrong colour: {COLOURS[side(state)]} is to move")
    return (forced,)


def _is_idle_pass(game: GameSpec, state: State, text: str) -> bool:
    """After the end of a game with passes both sides pass: that is how referees of Go end one."""
    return game.implied_move is not None and is_over(state) and is_pass(text)


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


def draw(game: GameSpec, state: State) -> str:
    """The position as plain text."""
    board = game.board_of(state)
    lines = [game.format_position(state)]
    if board.rows and len(board.cells) == board.rows * board.columns:
        lines = _draw_grid(board)
    result = game.first_player_outcome(state)
    whose = "the game is over" if result is not None else f"{COLOURS[side(state)]} to move"
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


def _grid(game: GameSpec, state: State) -> Board:
    board = game.board_of(state)
    if board.kind not in ("grid", "columns"):
        raise Unsupported(f"{game.name} is not played with stones on a grid")
    return board


def _row_number(board: Board, row: int) -> int:
    """As on the game's own board, or from below where rows have no names."""
    return int(board.row_labels[row]) if board.row_labels else board.rows - row


def _point(game: GameSpec, state: State, move: int) -> str | None:
    """The point that a move is about, as GoGui names it; None for a pass and other such moves."""
    board, cells = game.board_of(state), game.cells_of(state, move)
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
