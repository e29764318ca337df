"""A position as everything above the rules knows it: a game, where it began, the moves since.

`BasePosition` is immutable and cheap: a move makes a new one that points at the old. What people
read and write are texts in the game's notation (`legal`, `moves`, `play`); what kernels take are
the state and the codes of moves (`state`, `legal_codes`, `codes`, `play_code`). It says all that
the rules say; `plyground.Position` adds what can be computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, Self

from plyground.core.board import Board
from plyground.core.errors import IllegalMove, MalformedText, Unsupported
from plyground.games.catalogue import find_game, games
from plyground.games.rules import State, is_over, play, side
from plyground.games.spec import PLAYERS, GameSpec, Value

_put = object.__setattr__


class BasePosition:
    """A game under some settings, where it began, and the moves so far."""

    __slots__ = (
        "_legal_codes",
        "code",
        "game",
        "origin",
        "parent",
        "ply",
        "settings",
        "start",
        "state",
    )

    game: GameSpec
    """Its rules and notation."""
    settings: Mapping[str, Value]
    """All parameters of the game with their values."""
    start: State
    """The state in which the moves begin."""
    origin: str | None
    """The same as text, if the game was not begun where it usually begins."""
    state: State
    """The state now: what kernels and verbs take."""
    parent: Self | None
    """The position before the last move; None where the moves begin."""
    code: int | None
    """The last move, as kernels number moves."""
    ply: int
    """How many moves have been made."""
    _legal_codes: tuple[int, ...] | None

    # ------------------------------------------------------------------ making one

    @classmethod
    def begin(
        cls,
        game: GameSpec | str,
        settings: Mapping[str, Any] | None = None,
        position: str | None = None,
        moves: str | Iterable[str | int] = "",
    ) -> Self:
        """A position from what people, files and pages say of it. Raises InputError.

        A game by its name is one of the catalogue, or in a file that the user has named.
        Settings are values or texts; moves are one text as people paste it, or a text for each.
        """
        game = find_game(game) if isinstance(game, str) else game
        chosen = game.settings({name: str(value) for name, value in (settings or {}).items()})
        start = game.initial(**chosen)
        if position is not None:
            start = game.parse_position(start, position)
        return cls._make(game, MappingProxyType(chosen), start, position, start).play_all(moves)

    @classmethod
    def at(
        cls, game: GameSpec, settings: Mapping[str, Any], start: State, codes: Iterable[int] = ()
    ) -> Self:
        """A position by its first state and the codes of its moves, which are not checked."""
        origin = None if start == game.initial(**settings) else game.format_position(start)
        fixed = MappingProxyType(dict(settings))
        return cls._make(game, fixed, start, origin, start).follow(codes)

    @classmethod
    def _make(
        cls,
        game: GameSpec,
        settings: Mapping[str, Value],
        start: State,
        origin: str | None,
        state: State,
        parent: Self | None = None,
        code: int | None = None,
        ply: int = 0,
    ) -> Self:
        made = object.__new__(cls)
        _put(made, "game", game)
        _put(made, "settings", settings)
        _put(made, "start", start)
        _put(made, "origin", origin)
        _put(made, "state", state)
        _put(made, "parent", parent)
        _put(made, "code", code)
        _put(made, "ply", ply)
        _put(made, "_legal_codes", None)
        return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a position does not change; play() returns the next one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a position does not change")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Itself, as of all that does not change: foreign search code copies before it plays."""
        return self

    def __eq__(self, other: object) -> bool:
        """Equal positions of one game, by whichever moves they were reached."""
        if not isinstance(other, BasePosition):
            return NotImplemented
        return self.game is other.game and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.game.name if games().get(self.game.name) is self.game else self.game
        return _restored, (type(self), game, dict(self.settings), self.start, self.codes)

    # ------------------------------------------------------------------ moving

    def play(self, *moves: str | int) -> Self:
        """The position after one move or several, as people write them.

        Raises MalformedText or IllegalMove, which name the legal moves; forced passes that people
        leave out are filled in.
        """
        if len(moves) != 1:
            return self.play_all(moves)
        text = str(moves[0])
        try:
            return self.follow(self.game.parse_step(self.state, text, self.legal_codes))
        except (MalformedText, IllegalMove):
            if len(self.game.split_moves(text)) < 2:
                raise
            return self.play_all(text)

    def play_all(self, moves: str | Iterable[str | int]) -> Self:
        """The position after any number of moves; an error says which move it is about."""
        texts = moves if isinstance(moves, str) else map(str, moves)
        return self.follow(self.game.parse_moves(self.state, texts))

    def play_code(self, code: int) -> Self:
        """The position after a legal move, by its code; nothing is checked."""
        after, ply = play(self.state, code), self.ply + 1
        return self._make(self.game, self.settings, self.start, self.origin, after, self, code, ply)

    def follow(self, codes: Iterable[int]) -> Self:
        """The position after some legal moves, by their codes."""
        position = self
        for code in codes:
            position = position.play_code(code)
        return position

    # ------------------------------------------------------------------ asking

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves as people write them; none when the game is over."""
        write = self.game.format_move
        return tuple(write(self.state, code) for code in self.legal_codes)

    @property
    def legal_codes(self) -> tuple[int, ...]:
        """The legal moves as kernels number them."""
        codes = self._legal_codes
        if codes is None:
            codes = tuple(self.game.legal(self.state))
            _put(self, "_legal_codes", codes)
        return codes

    @property
    def implied_code(self) -> int | None:
        """A move that lists of moves leave out, such as a forced pass; None where there is none."""
        return self.game.implied_at(self.state)

    @property
    def mover(self) -> int:
        """0 if the first player is to move, 1 if the second."""
        return int(side(self.state))

    @property
    def side(self) -> str:
        """Who is to move, as people call the side."""
        return self.game.players[self.mover]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(is_over(self.state))

    @property
    def score(self) -> int | None:
        """The final score as the first player sees it; None while the game goes on."""
        return self.game.first_player_outcome(self.state)

    @property
    def winner(self) -> str | None:
        """The side that won, or `draw`; None while the game goes on."""
        winner = self.game.winner(self.state)
        return self.game.players[PLAYERS.index(winner)] if winner in PLAYERS else winner

    # ------------------------------------------------------------------ the moves so far

    @property
    def path(self) -> list[Self]:
        """The positions from the first to this one."""
        found, position = [self], self
        while position.parent is not None:
            position = position.parent
            found.append(position)
        return found[::-1]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, as people write them."""
        return tuple(position.last_move for position in self.path[1:])

    @property
    def codes(self) -> tuple[int, ...]:
        """The moves so far, as kernels number them."""
        return tuple(position.code for position in self.path[1:] if position.code is not None)

    @property
    def last_move(self) -> str:
        """The move that led here, as people write it; '' where the moves begin."""
        if self.parent is None or self.code is None:
            return ""
        return self.game.format_move(self.parent.state, self.code)

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells of the board that the last move touched first."""
        if self.parent is None or self.code is None:
            return ()
        return self.game.cells_of(self.parent.state, self.code)

    @property
    def opening(self) -> str | None:
        """What people call the opening, where it has a name."""
        if self.game.name_opening is None:
            return None
        return self.game.name_opening(self.start, self.codes)

    # ------------------------------------------------------------------ as text and data

    @property
    def text(self) -> str:
        """The position in the game's notation."""
        return self.game.format_position(self.state)

    @property
    def start_text(self) -> str | None:
        """Where the moves begin, in the game's notation; None where the game usually begins."""
        if self.origin is None or self.start == self.game.initial(**self.settings):
            return None
        return self.game.format_position(self.start)

    @property
    def board(self) -> Board:
        """The board as data."""
        return self.game.board_of(self.state)

    def write_move(self, code: int) -> str:
        """A move that can be made here, as people write it."""
        return self.game.format_move(self.state, code)

    def write_line(self, codes: Iterable[int]) -> tuple[str, ...]:
        """Moves that follow each other from here, as people write them."""
        return self.follow(codes).moves[self.ply :]

    def demand_going_on(self) -> None:
        """Raise Unsupported where the game is over."""
        if self.is_over:
            raise Unsupported("the game is over: there is nothing to search")


def _restored(
    cls: type[BasePosition],
    game: GameSpec | str,
    settings: dict[str, Value],
    start: State,
    codes: tuple[int, ...],
) -> BasePosition:
    """What was pickled; by its moves, since positions that point at each other nest too deeply."""
    return cls.at(find_game(game) if isinstance(game, str) else game, settings, start, codes)


def join_moves(texts: Iterable[str]) -> str:
    """Moves in one line, as they can be read again: with semicolons where moves have spaces."""
    texts = list(texts)
    return ("; " if any(" " in text for text in texts) else " ").join(texts)
