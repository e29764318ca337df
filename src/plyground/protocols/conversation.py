"""A conversation with a graphical program: lines in, lines out, and thinking that can be stopped.

Three threads share the work. One reads, so that a line is seen the moment it comes, even during a
search; one takes the lines in order and answers, so that no answer overtakes another; and the
caller's waits for the end, or for Ctrl-C. An `Engine` is a protocol: it says what to do with a
line, and which later line stops which earlier one.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import cached_property

from plyground.games.position import BasePosition
from plyground.games.rules import State, cells_left
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.players.catalogue import LAST, make_machine
from plyground.players.chance import Wrapper
from plyground.players.levels import strongest
from plyground.players.searching import LIMITS, SearchPlayer
from plyground.players.spec import Choice, Turn, ask
from plyground.players.text import PlayerText, parse
from plyground.search.clock import STOP
from plyground.search.run import search
from plyground.search.setup import Limits

MOST_BYTES = 65536  # of a line
MOST_WAITING = 1000  # lines; the rest waits in the pipe
LOOK_UP_S = 1.0  # how often the caller's thread looks up, where a wait cannot be interrupted
PATIENCE_S = 1.0  # with what is under way after an interrupt

FEWEST_MOVES = 2  # to share time between: never all of it for one move
MOST_MOVES = 40
RESERVE = 1  # moves: time held back
USUAL_MOVES = 20  # left, in a game that does not fill cells
SHORTEST_S = 0.01
LONGEST_S = 86400.0

Read = Callable[[int], bytes]
"""Read at most so many bytes, as soon as there are any; none at the end."""
Say = Callable[[str], None]
"""Write some lines, at once."""


# ------------------------------------------------------------------ lines


@dataclass(frozen=True)
class Line:
    """A line that came, without its end."""

    text: str
    is_cut: bool = False
    """Whether it was too long, and this is only how it begins."""


def read_lines(read: Read) -> Iterator[Line]:
    """The lines in a stream of any bytes; what is no text is replaced."""
    rest, is_cut = b"", False
    while data := read(MOST_BYTES):
        *ended, rest = (rest + data).split(b"\n")
        for line in ended:
            yield _line(line, is_cut)
            is_cut = False
        if len(rest) > MOST_BYTES:
            rest, is_cut = rest[:MOST_BYTES], True
    if rest:
        yield _line(rest, is_cut)


def _line(data: bytes, is_cut: bool) -> Line:
    text = data[:MOST_BYTES].decode("utf-8", "replace")
    return Line(text, is_cut or len(data) > MOST_BYTES)


# ------------------------------------------------------------------ stopping


class Stopper:
    """Stops the searches under way, and those that the same command begins later."""

    def __init__(self) -> None:
        self.is_asked = False
        self._flags: weakref.WeakSet[Slab] = weakref.WeakSet()
        self._lock = threading.Lock()

    def ask(self) -> None:
        """Stop the command under way."""
        with self._lock:
            self.is_asked = True
            for flag in self._flags:
                flag[STOP] = 1

    def forget(self) -> None:
        """Another command begins."""
        with self._lock:
            self.is_asked = False

    def flag(self) -> Slab:
        """A flag for one search: a time limit raises it too, so it serves only once."""
        flag = Slab(1)
        with self._lock:
            flag[STOP] = int(self.is_asked)
            self._flags.add(flag)
        return flag


class Engine:
    """One side of a conversation. All but `stops` is called by a single thread."""

    def __init__(self) -> None:
        self.stopper = Stopper()
        self.workers = ThreadPoolExecutor(1, "getting ready")

    def obey(self, line: Line, say: Say) -> bool:
        """Do what a line asks for; returns whether the conversation continues."""
        raise NotImplementedError

    def thinks(self, line: Line) -> bool:
        """Whether a line may take long; for others, no later line is tried as one that stops it."""
        return True

    def stops(self, line: Line, later: Line | None) -> bool:
        """Whether a line need not be finished when a later one has come; None is the end."""
        raise NotImplementedError

    def close(self) -> None:
        """End processes and threads."""
        self.workers.shutdown(cancel_futures=True)


class Conversation:
    """An engine that talks until it is told to leave, or until nobody listens."""

    def __init__(
        self, engine: Engine, read: Read, say: Say, until_unheard: Callable[[], None] | None = None
    ) -> None:
        """`until_unheard` returns when nobody reads the answers any more; it may never return."""
        self._engine, self._read, self._say = engine, read, say
        self._until_unheard = until_unheard
        self._waiting: deque[Line | None] = deque()
        self._now: Line | None = None
        self._changed = threading.Condition()
        self._ended = threading.Event()
        self._error: BaseException | None = None

    def run(self) -> None:
        """Talk to the end. Raises what the engine raised, or KeyboardInterrupt."""
        for work in (self._listen, self._answer):
            run = copy_context().run  # in plain Python where the caller is
            threading.Thread(target=run, args=(work,), name=work.__name__, daemon=True).start()
        try:
            while not self._ended.wait(LOOK_UP_S):
                pass
        except KeyboardInterrupt:
            self._leave()
            self._ended.wait(PATIENCE_S)
            raise
        if self._error:
            raise self._error

    @property
    def has_ended(self) -> bool:
        """Whether nothing is under way any more, except for reading."""
        return self._ended.is_set()

    # -------------------------------------------------------------- the thread that reads

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # input that fails has ended
            for line in read_lines(self._read):
                self._hear(line)
        self._hear(None)
        if self._until_unheard:
            # A script's input may end before it has all answers; a program that is gone wants none.
            self._until_unheard()
            self._leave()

    def _hear(self, line: Line | None) -> None:
        with self._changed:
            while len(self._waiting) >= MOST_WAITING:
                self._changed.wait()
            self._waiting.append(line)
            if self._now and self._engine.stops(self._now, line):
                self._engine.stopper.ask()
            self._changed.notify_all()

    def _leave(self) -> None:
        with self._changed:
            self._waiting.clear()
            self._waiting.append(None)
            self._engine.stopper.ask()
            self._changed.notify_all()

    # -------------------------------------------------------------- the thread that answers

    def _answer(self) -> None:
        try:
            while (line := self._next()) and self._engine.obey(line, self._say):
                pass
        except BaseException as error:
            self._error = error
        finally:
            self._engine.close()
            self._ended.set()

    def _next(self) -> Line | None:
        with self._changed:
            self._now = None
            while not self._waiting:
                self._changed.wait()
            line = self._waiting.popleft()
            self._changed.notify_all()
            if line:
                engine = self._engine
                engine.stopper.forget()
                if engine.thinks(line) and any(engine.stops(line, each) for each in self._waiting):
                    engine.stopper.ask()
            self._now = line
            return line


# ------------------------------------------------------------------ thinking


class Thinker:
    """A player that can be stopped, and gets ready while other lines are answered."""

    def __init__(self, player: str | None, usual: BasePosition, engine: Engine) -> None:
        self._usual, self.stopper = usual, engine.stopper
        text = unlimited_expert(usual.game) if player is None else player
        self.player = make_machine(text, usual.game, usual.start)
        run = copy_context().run
        self._ready = engine.workers.submit(run, self.player.prepare, Turn(usual))

    def wait_until_ready(self) -> None:
        """Raises what went wrong with it."""
        self._ready.result()

    def choose(self, turn: Turn) -> Choice:
        """The player's answer. Raises Forfeit."""
        self.wait_until_ready()
        choice, inside = ask(self.player, turn, self.stopper.flag()), self._inside
        is_found = choice.depth or choice.line or choice.score is None  # no score: not searched
        if is_found or inside is None or inside.setup.algorithm.call == "uct":
            return choice
        # A limit on nodes below one ply: searching that ply takes no time, any move would be worse.
        found = search(turn.game, turn.state, inside.setup, Limits(depth=1), stop=Slab(1))
        return replace(choice, move=found.line[0], score=found.score, depth=1, line=found.line)

    @cached_property
    def _inside(self) -> SearchPlayer | None:
        """The search inside the player, if there is one."""
        inside = self.player
        while isinstance(inside, Wrapper):
            inside = inside.then
        if isinstance(inside, SearchPlayer) and inside.setup.algorithm.call != "move":
            return inside
        return None

    @cached_property
    def searcher(self) -> SearchPlayer:
        """What values positions: the search inside the player, or one beside it."""
        if self._inside:
            return self._inside
        game = self._usual.game
        beside = make_machine(unlimited_expert(game), game, self._usual.start)
        assert isinstance(beside, SearchPlayer)
        return beside

    @cached_property
    def _as_given(self) -> SearchPlayer:
        """The searcher before its depth was limited."""
        return replace(self.searcher)

    def limit_depth(self, depth: int) -> None:
        """Search no deeper; replaces the searcher's default limit, and adds to its own ones."""
        given = self._as_given
        if given.has_own_limit:
            least = min(depth, given.limits.depth or depth)
            self.searcher.limits = replace(given.limits, depth=least)
        else:
            self.searcher.limits = Limits(depth, endgame=given.limits.endgame, iterate=True)
        self.searcher.has_own_limit = True

    def close(self) -> None:
        """End the player."""
        self._ready.cancel()
        self.player.close()


def unlimited_expert(game: GameSpec) -> PlayerText:
    """The best level, but with the limits of a conversation in place of its own."""
    expert = parse(strongest(game))
    limits = [limit.name for limit in LIMITS]
    left_out = [*limits, LAST.name]  # the search values positions, and the solver none
    options = {name: value for name, value in expert.options.items() if name not in left_out}
    return PlayerText(expert.name, options)


def share_of_time(left_s: float, state: State) -> float:
    """The time for one move, given what a side has left for all its moves."""
    cells = int(cells_left(state))
    moves = (cells / 2 if cells >= 0 else USUAL_MOVES) + RESERVE
    return left_s / min(max(moves, FEWEST_MOVES), MOST_MOVES)


def bounded_time(seconds: float) -> float:
    """The nearest time that makes sense as a limit."""
    return min(max(seconds, SHORTEST_S), LONGEST_S)
