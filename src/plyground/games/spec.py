"""`GameSpec`: the record that makes a game known to every command, page and test.

A spec ties the compiled rules (the state classes) to what only people need: names, parameters,
notation, the board as data. Everything here is plain Python and runs on single positions. Fields
with a default may be left out: moves are then numbers, and positions the fields of the state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, SupportsIndex

import numpy as np

from plyground.core.board import Board
from plyground.core.errors import (
    GameCodeError,
    IllegalMove,
    InputError,
    MalformedText,
    Unsupported,
    shorten,
    unknown,
)
from plyground.games.rules import FIRST, State, is_over, legal_moves, outcome, play, side
from plyground.kernel import SPARE, cast_fields

Value = int | float | bool | str
PLAYERS = ("first", "second")
MOST_DIGITS = 200  # far beyond any field, and short enough for Python to read
MOST_MOVES = 256  # of a game that does not say how many there can be
SHOWN_MOVES = 12  # how many legal moves an error message lists


@dataclass(frozen=True)
class Parameter:
    """One choice a game offers, such as the size of its board."""

    name: str
    default: Value
    """Its type is that of every value: yes or no, a whole number, a number, a text."""
    help: str
    choices: tuple[Value, ...] = ()
    """The legal values, if they are few."""
    low: float | None = None
    """The least legal number, with `high` the greatest."""
    high: float | None = None

    def parse(self, text: str) -> Value:
        """The value a person wrote, of the type of the default and within the legal range."""
        value = self._convert(text.strip().lower())
        if value is None or not self._allows(value):
            raise MalformedText(f"{self.name}={shorten(text)}: expected {self.expected}")
        return value

    @property
    def expected(self) -> str:
        """What a value looks like, in words."""
        if isinstance(self.default, bool):
            return "yes or no"
        if self.choices:
            return ", ".join(str(choice) for choice in self.choices)
        noun = "a number" if isinstance(self.default, float) else "a whole number"
        if self.low is None or self.high is None:
            return noun
        return f"{noun} from {self.low} to {self.high}"

    def _convert(self, text: str) -> Value | None:
        if isinstance(self.default, bool):
            words = {"yes": True, "true": True, "on": True, "1": True}
            words |= {"no": False, "false": False, "off": False, "0": False}
            return words.get(text)
        if isinstance(self.default, str):
            return text
        try:
            return type(self.default)(text)
        except (ValueError, OverflowError):
            return None

    def _allows(self, value: Value) -> bool:
        if self.choices:
            return value in self.choices
        if isinstance(value, str) or self.low is None or self.high is None:
            return True
        return self.low <= value <= self.high


def _split_on_space(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text) if word]


@dataclass(frozen=True)
class ReadyPosition:
    """A position worth looking at, for whoever wants to see something at once."""

    title: str
    moves: str = ""
    """Played from there, as people write them."""
    position: str | None = None
    """Where the moves begin, as text, if not where the game begins."""
    settings: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class GameSpec:
    """A game as the rest of the program sees it."""

    name: str
    """As typed on the command line."""
    title: str
    summary: str
    """One line: what the players do and who wins."""
    start: Callable[..., State]
    """The first state, from the parameters as keyword arguments."""
    max_moves: int
    """No position has more legal moves than this: the room a buffer must have for each ply."""
    states: tuple[type, ...] = ()
    """The state classes, if `start` may return more than one."""
    parameters: tuple[Parameter, ...] = ()
    """What can be set, as keyword arguments of `start`."""
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """Named sets of parameter values, chosen with `preset=NAME`."""
    aliases: tuple[str, ...] = ()
    """Other names that are understood."""
    players: tuple[str, str] = ("First", "Second")
    """What people call the two sides."""
    has_margin: bool = False
    """Whether winning by more is worth more."""
    is_scored: bool = False
    """Whether the outcome is a value beside an evaluator's guesses, as of trees made of values."""
    code_limit: Callable[[State], int] | None = None
    """All moves of a game that begins so are below this: what agents that learn count on."""
    score_limit: Callable[[State], int] | None = None
    """No game that begins so is won by more than this."""
    sample: str = ""
    """A move as a person would type it, shown at the prompt."""
    ready_positions: tuple[ReadyPosition, ...] = ()
    """A few positions to begin with, as the web app's first page offers them."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """Levels of play, the weakest first, with the player that each stands for (`docs/players.md`);
    without them those of any game."""

    read_move: Callable[[State, str], int] | None = None
    """The move that a text names, legal or not; raises MalformedText."""
    write_move: Callable[[State, int], str] | None = None
    """The text of a move; its number if there is no such function."""
    why_illegal: Callable[[State, int], str] | None = None
    """The rule that forbids a move, as the end of a sentence."""
    split_moves: Callable[[str], list[str]] = _split_on_space
    """The texts of single moves in what people paste."""
    implied_move: Callable[[State], int | None] | None = None
    """A move that move lists leave out, such as a forced pass."""
    read_position: Callable[[State, str], State] | None = None
    """The position that a text describes, given the first state (which carries the parameters)."""
    write_position: Callable[[State], str] | None = None
    """The inverse of `read_position`; the fields of the state if there is none."""
    board: Callable[[State], Board] | None = None
    """The position as a board to draw; without it pages and terminals show its text."""
    move_cells: Callable[[State, int], tuple[int, ...]] | None = None
    """The cells of the board that a move touches first: where to click, what to highlight.

    One is where something is put. Two or more mean that a piece moves: from the first, its origin,
    to the second, its target; more are only highlighted. (A board of cards has the halves of one.)
    """

    name_opening: Callable[[State, Sequence[int]], str | None] | None = None
    """What people call the opening that moves from a state make, if it has a name."""

    place_weights: Callable[[State], Sequence[int]] | None = None
    """How promising a move is by its place alone: a number for each place (see `place_of`)."""
    codes: Callable[[State], Sequence[int]] | None = None
    """How many codes each cell has of which the verb `code` says what is on it."""
    tuples: Callable[[State], Sequence[Sequence[int]]] | None = None
    """Cells that n-tuples are made of, one of those that symmetries turn into each other; without
    it lines and blocks of the board. Cells of the board come first, then those of `codes`."""

    @staticmethod
    def of(states: type) -> GameSpec:
        """A game by the class of its states alone, which must be made without arguments.

        What a `GameSpec` may say of a game, the class may say as attributes of the same names:
        `max_moves`, `players`, `write_move` and so on.
        """
        declared = {each.name: getattr(states, each.name, None) for each in fields(GameSpec)}
        inside = getattr(states, "_fields", ())
        own = {k: v for k, v in declared.items() if k in vars(states) and k not in inside}
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", states.__name__).lower()
        usual: dict[str, Any] = {
            "name": name,
            "title": states.__name__,
            "max_moves": MOST_MOVES,
            "start": states,
        }
        return GameSpec(**({"summary": (states.__doc__ or "").partition("\n")[0]} | usual | own))

    # ------------------------------------------------------------------ starting

    @property
    def defaults(self) -> dict[str, Value]:
        """What each parameter is if nobody chooses."""
        return {parameter.name: parameter.default for parameter in self.parameters}

    @property
    def classes(self) -> tuple[type, ...]:
        """The state classes, also where `start` returns only one."""
        return self.states or (type(self.initial()),)

    def settings(self, chosen: Mapping[str, str]) -> dict[str, Value]:
        """All parameters, with the values that a person chose by name and text."""
        values, texts = dict(self.defaults), dict(chosen)
        if (preset := texts.pop("preset", None)) is not None:
            if not self.presets:
                raise Unsupported(
                    f"{self.name} has no presets, so {shorten(preset)!r} cannot be chosen"
                )
            if preset not in self.presets:
                raise unknown(f"preset of {self.name}", preset, self.presets)
            values |= self.presets[preset]
        by_name = {parameter.name: parameter for parameter in self.parameters}
        for name, text in texts.items():
            if name not in by_name:
                raise self._unknown_parameter(name, by_name)
            values[name] = by_name[name].parse(text)
        return values

    def _unknown_parameter(self, name: str, known: Mapping[str, object]) -> Unsupported:
        if not known:
            return Unsupported(f"{self.name} has no parameters, so {shorten(name)!r} cannot be set")
        return unknown(f"parameter of {self.name}", name, known)

    def initial(self, **settings: Value) -> State:
        """The first state under these settings; missing ones take their default."""
        for name in settings.keys() - self.defaults.keys():
            raise self._unknown_parameter(name, self.defaults)
        try:
            state = self.start(**(self.defaults | settings))
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            code = self.start.__code__  # it did not get as far as running
            raise GameCodeError(code.co_filename, code.co_firstlineno, str(error)) from error
        return cast_fields(state)

    # ------------------------------------------------------------------ asking

    def legal(self, state: State) -> list[int]:
        """The legal moves in the game's order; none when the game is over."""
        if is_over(state):
            return []
        buffer = np.zeros(self.max_moves + SPARE, np.int32)
        count = legal_moves(state, buffer, 0)
        if count > self.max_moves:
            code = legal_moves.implementation(type(state)).__code__
            reason = f"{count} legal moves, more than max_moves={self.max_moves}"
            raise GameCodeError(code.co_filename, code.co_firstlineno, reason)
        return [int(move) for move in buffer[:count]]

    def play(self, state: State, move: int) -> State:
        """The state after a move. Raises IllegalMove, which the verb `play` does not."""
        legal = self.legal(state)
        if not isinstance(move, SupportsIndex):  # a text, say
            listing = self._listing(state, legal)
            raise IllegalMove(f"{move!r} is not the number of a move; see parse_move ({listing})")
        if move not in legal:
            raise self._illegal(state, move, legal)
        return play(state, move)

    def first_player_outcome(self, state: State) -> int | None:
        """The final score seen by the first player; None while the game goes on."""
        if not is_over(state):
            return None
        return int(outcome(state)) if side(state) == FIRST else -int(outcome(state))

    def winner(self, state: State) -> str | None:
        """'first', 'second' or 'draw'; None while the game goes on."""
        result = self.first_player_outcome(state)
        if result is None:
            return None
        return "draw" if result == 0 else PLAYERS[result < 0]

    # ------------------------------------------------------------------ moves as text

    def format_move(self, state: State, move: int) -> str:
        """The move in the game's notation."""
        return self.write_move(state, move) if self.write_move else str(move)

    def parse_move(self, state: State, text: str, legal: Sequence[int] | None = None) -> int:
        """The legal move that a text names, given the legal ones if they are known already.

        Raises MalformedText or IllegalMove.
        """
        move = self.read_move(state, text) if self.read_move else self._match_move(state, text)
        legal = self.legal(state) if legal is None else legal
        if move in legal:
            return move
        raise self._illegal(state, move, legal)

    def _illegal(self, state: State, move: int, legal: Sequence[int]) -> IllegalMove:
        name, reason = self.objection(state, move)
        if not legal:
            return IllegalMove(f"{name} cannot be played: the game is over")
        return IllegalMove(f"{name} is illegal: {reason} ({self._listing(state, legal)})")

    def objection(self, state: State, move: int) -> tuple[str, str]:
        """What people call a move that is not legal, and the rule that forbids it."""
        try:
            name = self.format_move(state, move)
            if self.read_move and self.read_move(state, name) != move:
                raise MalformedText(name)
            reason = self.why_illegal(state, move) if self.why_illegal else ""
        except (ValueError, LookupError, ArithmeticError, InputError):
            name, reason = f"the number {move}", "there is no such move"
        return name, reason or "not a legal move here"

    def parse_moves(self, state: State, moves: str | Iterable[str]) -> list[int]:
        """Moves as people paste them in one text, or a text for each; implied ones are filled in.

        An error says which move it is about.
        """
        codes: list[int] = []
        texts = self.split_moves(moves) if isinstance(moves, str) else moves
        for number, text in enumerate(texts, start=1):
            try:
                step = self.parse_step(state, text)
            except (MalformedText, IllegalMove) as error:
                raise type(error)(f"move {number}, {shorten(text)!r}: {error}") from None
            state = self.replay(state, step)
            codes += step
        return codes

    def parse_step(self, state: State, text: str, legal: Sequence[int] | None = None) -> list[int]:
        """The move that a text names, behind the implied ones that must come before it."""
        try:
            return [self.parse_move(state, text, legal)]
        except IllegalMove:
            if (implied := self.implied_at(state)) is None:
                raise
            return [implied, *self.parse_step(play(state, implied), text)]

    def implied_at(self, state: State) -> int | None:
        """The move that move lists leave out here; None where there is none."""
        return None if self.implied_move is None or is_over(state) else self.implied_move(state)

    def replay(self, state: State, moves: Sequence[int]) -> State:
        """The state after some moves."""
        for move in moves:
            state = play(state, move)
        return state

    def _match_move(self, state: State, text: str) -> int:
        legal = self.legal(state)
        if not legal:
            raise IllegalMove(f"{shorten(text)!r} cannot be played: the game is over")
        for move in legal:
            if self.format_move(state, move).lower() == text.strip().lower():
                return move
        raise IllegalMove(f"{shorten(text)!r} is not a legal move ({self._listing(state, legal)})")

    def _listing(self, state: State, legal: Sequence[int]) -> str:
        shown = [self.format_move(state, move) for move in legal[:SHOWN_MOVES]]
        more = len(legal) - len(shown)
        return "legal: " + ", ".join(shown) + (f" and {more} more" if more else "")

    # ------------------------------------------------------------------ positions as text and data

    def format_position(self, state: State) -> str:
        """The position in the game's notation."""
        if self.write_position:
            return self.write_position(state)
        return " ".join(str(int(value)) for value in state)

    def parse_position(self, start: State, text: str) -> State:
        """The position that a text describes under the parameters that `start` carries."""
        if self.read_position:
            return cast_fields(self.read_position(start, text))
        numbers = _split_on_space(text)
        try:
            if any(len(number) > MOST_DIGITS for number in numbers):
                raise OverflowError
            state = cast_fields(type(start)(*[int(number) for number in numbers]))
            if any(type(value) is int and not -(2**63) <= value < 2**63 for value in state):
                raise OverflowError
            return state
        except (ValueError, TypeError, OverflowError):
            names = " ".join(type(start)._fields)
            raise MalformedText(f"position {shorten(text)!r}: expected {names}") from None

    def board_of(self, state: State) -> Board:
        """The board as data; a game without geometry shows its position's text."""
        return self.board(state) if self.board else Board("text", text=self.format_position(state))

    def cells_of(self, state: State, move: int) -> tuple[int, ...]:
        """The cells a move touches first, as indices into `board_of(state).cells`."""
        return self.move_cells(state, move) if self.move_cells else ()


Game = GameSpec  # as programs call it
