"""`pg.player`: a user's function or class becomes a kind of player.

    @pg.player("epsilon-greedy")
    def epsilon_greedy(turn, epsilon=0.1):
        ...
        return move

What a user's code does is watched: an answer that is no legal move, an exception, or no answer at
all loses the game, with the file and line where that is known, and everything else goes on.
"""

from __future__ import annotations

import ctypes
import dataclasses
import inspect
import threading
from collections.abc import Callable, Mapping
from contextvars import copy_context
from typing import Any, NamedTuple, TypeVar

from plyground import extensions
from plyground.core.errors import GameCodeError, InputError, blame, place_of_class, shorten
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.players import options
from plyground.players.catalogue import PlayerKind
from plyground.players.options import Option
from plyground.players.spec import Choice, Forfeit, Interruptible, Player, Turn, ask

MOVE_S = 60.0  # for a move where nobody set a limit
GRACE_S = 0.05  # beyond a limit; the referee allows a little more

Made = TypeVar("Made", bound=Callable[..., Any])


def player(
    name: str = "", *, summary: str = "", aliases: tuple[str, ...] = ()
) -> Callable[[Made], Made]:
    """Add a kind of player to the catalogue, by a decorator.

    What is decorated is a function of a `Turn`, or a subclass of `pg.Player` with a method
    `choose(turn)`. It answers with a move, as a number of `turn.legal` or as people write it.
    Further parameters of the function, or fields of the class, are options with their defaults: a
    number, a text, or yes or no. Chance comes from `turn.random`, so that games can be repeated.

    >>> import plyground as pg
    >>> @pg.player("last")
    ... def last(turn):
    ...     return turn.legal[-1]
    >>> len(pg.match("last", "first", game="tictactoe", games=2).games)
    2
    """

    def add(made: Made) -> Made:
        settings = _settings(made)
        called = name or made.__name__.replace("_", "-").lower()
        doc = (inspect.getdoc(made) or "").partition("\n")[0]

        def make(values: dict[str, Any], game: GameSpec, start: State) -> Player:
            given = {option: values.get(option, each.usual) for option, each in settings.items()}
            own = made(**given) if isinstance(made, type) else _Function(made, given)
            return Watched(own)

        kind = PlayerKind(
            called,
            summary or doc or "A player of yours.",
            tuple(Option(option, each.read, each.help) for option, each in settings.items()),
            make,
            "yours",
            aliases,
        )
        extensions.declare("player", kind, made.__module__, lambda each: each.name == called)
        return made

    return add


# ------------------------------------------------------------------ options


class _Setting(NamedTuple):
    usual: Any
    read: options.Read

    @property
    def help(self) -> str:
        return f"{self.usual} if not given"


def _settings(made: Callable[..., Any]) -> dict[str, _Setting]:
    """What can be set, by name. Raises GameCodeError for what no text can say."""
    if isinstance(made, type):
        place = place_of_class(made)
        if not issubclass(made, Player) or made.choose is Player.choose:
            raise GameCodeError(
                *place,
                f"{made.__name__}: a player is a function of a turn, or a subclass of "
                "pg.Player with a method choose(self, turn)",
            )
        fields: Any = dataclasses.fields(made) if dataclasses.is_dataclass(made) else ()
        defaults: Mapping[str, Any] = {each.name: each.default for each in fields}
    else:
        code = made.__code__
        place = code.co_filename, code.co_firstlineno
        parameters = list(inspect.signature(made).parameters.values())
        if not parameters:
            raise GameCodeError(*place, f"{made.__name__}(): a player takes a turn")
        defaults = {each.name: each.default for each in parameters[1:]}
    readers: dict[type, options.Read] = {
        bool: options.yes_or_no, int: options.number(int), float: options.number(float),
        str: options.word,
    }  # fmt: skip
    for option, usual in defaults.items():
        if type(usual) not in readers:
            raise GameCodeError(
                *place,
                f"{option}: an option of a player has a number, a text, True or False as "
                "its default",
            )
    return {option: _Setting(usual, readers[type(usual)]) for option, usual in defaults.items()}


# ------------------------------------------------------------------ answering


class _Function(Player):
    def __init__(self, function: Callable[..., Any], given: Mapping[str, Any]) -> None:
        self._function, self._given = function, given

    def choose(self, turn: Turn) -> Any:
        return self._function(turn, **self._given)


class _TooLate(BaseException):
    """Ends an answer that nobody waits for; not an Exception, so that no code takes it for one."""


class Watched(Interruptible):
    """A user's player, whose answers are checked and do not take for ever."""

    def __init__(self, own: Player) -> None:
        self.own = own

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        limit_s = MOVE_S if turn.time_s is None else turn.time_s + GRACE_S
        answers: list[Any] = []

        def answer() -> None:
            try:
                answers.append(ask(self.own, turn, stop))
            except _TooLate:
                pass
            except BaseException as error:
                answers.append(error)

        run = copy_context().run  # in plain Python where its owner is
        thread = threading.Thread(target=run, args=(answer,), daemon=True)
        thread.start()
        thread.join(limit_s)
        if not answers:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_TooLate)
            )
            raise Forfeit(f"gave no answer within {limit_s:g} s")
        if isinstance(answers[0], BaseException):
            raise _as_forfeit(answers[0])
        return _choice(turn, answers[0])

    def prepare(self, turn: Turn) -> None:
        self.own.prepare(turn)

    def begin(self) -> None:
        self.own.begin()

    def watch(self, turn: Turn) -> None:
        self.own.watch(turn)

    def close(self) -> None:
        self.own.close()


def _choice(turn: Turn, answer: Any) -> Choice:
    """The answer of a user's player as a choice. Raises Forfeit."""
    if isinstance(answer, Choice):
        return answer
    if isinstance(answer, str):
        try:
            return Choice(turn.game.parse_move(turn.state, answer, turn.legal))
        except InputError as error:
            raise Forfeit(str(error)) from None
    if hasattr(answer, "__index__") and not isinstance(answer, bool):
        return Choice(int(answer))
    raise Forfeit(f"answered {shorten(repr(answer))}; expected a move, as a number or a text")


def _as_forfeit(error: BaseException) -> BaseException:
    """What a user's code raised, as a reason to lose; an interrupt stays what it is."""
    if isinstance(error, Forfeit) or not isinstance(error, Exception):
        return error
    return Forfeit(str(error if isinstance(error, GameCodeError | InputError) else blame(error)))
