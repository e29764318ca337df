"""Players that are programs of their own: a process that reads and answers lines of text.

`Engine` is the process, `EnginePlayer` the player behind it; the two protocols build on them. A
foreign program can do anything, so nothing here trusts it:

* every wait has a deadline, and nothing is read ahead: a program that floods us fills its own pipe
  and waits, so there is no thread and no queue that could grow;
* what it starts lives in its process group, and the whole group is ended with it, also when our
  own process is killed; only a child that leaves the group on purpose gets away;
* whatever goes wrong, the process is ended, and the next game begins with a new one.

Needs process groups and `sh`, as Linux and macOS have; on Windows, what an engine starts may stay.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import selectors
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from typing import IO, cast

from plyground.core.errors import IllegalMove, MalformedText, Unsupported, shorten
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.players.spec import Choice, Forfeit, Player, Turn

START_S = 10.0  # for every answer but moves: some load much data first
MOVE_S = 60.0  # for a move, where neither the game nor the player has a limit
MOST_S = 86400.0  # for a move, even if more is allowed
QUIT_S = 1.0  # to exit after `quit`
TERMINATE_S = 0.5  # to exit after SIGTERM
KILL_S = 5.0  # to be gone when killed: the system may be busy
LAST_S = 0.5  # to be gone, for a program that has closed its output
MOST_BYTES = 65536  # in a line
HAS_POLL = hasattr(selectors, "PollSelector")  # Windows has none, and waits for no pipe
SIGKILL = getattr(signal, "SIGKILL", signal.SIGTERM)
TAIL_BYTES = 2000  # of what it wrote to stderr
MOST_READS = 100  # of what a program that has ended left behind
SHOWN = 60  # characters of a line, in messages
NEAR = 0.7  # how alike two names of programs must be, 0 to 1


@dataclass(frozen=True)
class Deadline:
    """So many seconds, from when it was made."""

    seconds: float
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        return max(0.0, self.began + self.seconds - time.monotonic())


# ------------------------------------------------------------------ the process


class Engine:
    """A program to talk to. Callers end it with `kill` after a Forfeit."""

    def __init__(self, command: str, farewell: str) -> None:
        self._arguments = _split(command)
        self._farewell = farewell
        self._process: _Process | None = None
        self._last_line = ""

    @property
    def is_started(self) -> bool:
        """Whether we have started and not ended it; it may have ended by itself."""
        return self._process is not None

    @property
    def is_dead(self) -> bool:
        """Whether it has ended by itself."""
        return self._process is not None and self._process.popen.poll() is not None

    @property
    def pid(self) -> int | None:
        """The number of the process, and of its group."""
        return self._process.popen.pid if self._process else None

    def start(self) -> None:
        """Start the program, if it is not started. Raises Forfeit."""
        if self._process:
            return
        self._process = _Process(self._arguments, self._farewell)
        # Ends it when this object is garbage, or when the interpreter leaves.
        self._ending = weakref.finalize(self, self._process.end)

    def send(self, line: str) -> None:
        """Write a line. Raises Forfeit."""
        self._last_line = ""
        if problem := self._talking.write(line):
            raise Forfeit(self._why(problem, LAST_S))

    def read(self, deadline: Deadline) -> str:
        """The next line, without white space around it. Raises Forfeit."""
        process = self._talking
        while (line := process.next_line()) is None:
            if process.is_silent:
                raise Forfeit(self._why("closed its output", LAST_S))
            if process.is_endless:
                raise Forfeit(f"wrote a line of more than {MOST_BYTES} bytes")
            if not (left := deadline.left()):
                raise Forfeit(self._why_late(deadline))
            process.listen(left)
        self._last_line = line or self._last_line
        return line

    def close(self) -> None:
        """End the program, politely at first."""
        if self._process:
            self._ending()
            self._process = None

    def kill(self) -> None:
        """End the program at once."""
        if self._process:
            self._process.end(is_polite=False)
            self.close()

    @property
    def _talking(self) -> _Process:
        if not self._process:
            raise Forfeit("was closed")
        return self._process

    def _why(self, problem: str, seconds: float) -> str:
        """The problem, unless the program has ended, which explains more."""
        status, words = self._talking.last_words(seconds)
        if status is None:
            return problem
        how = f"ended with status {status}" if status >= 0 else f"ended by {_signal_name(-status)}"
        return f"{how}: {shorten(words, SHOWN)!r}" if words else how

    def _why_late(self, deadline: Deadline) -> str:
        reason = self._why(f"gave no answer within {deadline.seconds:g} s", 0)
        said = self._last_line
        return f"{reason}; the last it said was {shorten(said, SHOWN)!r}" if said else reason


class UnnamedEngine(Engine):
    """A program named in a file but not by the user: it is not started."""

    def __init__(self, command: str) -> None:
        super().__init__(command, farewell="")
        self._command = command

    def start(self) -> None:
        """Raises Unsupported."""
        raise Unsupported(
            f"the engine {shorten(self._command, 80)!r} is a program, which runs only if you name "
            f"it yourself: --engine {shorten(shlex.quote(self._command), 80)}"
        )


def _split(command: str) -> list[str]:
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise MalformedText(f"engine command {shorten(command)!r}: {str(error).lower()}") from None
    if not arguments:
        raise MalformedText("the engine's command is empty; expected a program and its arguments")
    return [os.path.expanduser(arguments[0]), *arguments[1:]]


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return f"signal {number} ({signal.Signals(number).name})"
    return f"signal {number}"


class _Process:
    """The process with its pipes. Does not know the `Engine`, so that it can end after it."""

    def __init__(self, arguments: list[str], farewell: str) -> None:
        self.popen = _start(arguments)
        self._guard = _guard(self.popen.pid)
        self._farewell = farewell
        self._owner = os.getpid()
        self._is_ended = False
        self._output, self._errors = bytearray(), bytearray()
        popen = self.popen
        assert popen.stdin and popen.stdout and popen.stderr
        self._stdin, self._stdout, self._stderr = popen.stdin, popen.stdout, popen.stderr
        pipes = self._stdout, self._stderr
        self._hearing = _Poll(pipes) if HAS_POLL else _Threads(pipes)
        if HAS_POLL:
            os.set_blocking(self._stdin.fileno(), False)

    @property
    def is_silent(self) -> bool:
        """Whether its output has ended."""
        return self._stdout not in self._hearing.open

    @property
    def is_endless(self) -> bool:
        """Whether too much has come without the end of a line."""
        return len(self._output) > MOST_BYTES and self._line_end() < 0

    def next_line(self) -> str | None:
        """The next line that has come, or None."""
        if (end := self._line_end()) < 0:
            return None
        line = self._output[:end].decode("utf-8", "replace").strip()
        del self._output[: end + 1]
        return line

    def _line_end(self) -> int:
        return self._output.find(b"\n", 0, MOST_BYTES + 1)

    def write(self, line: str) -> str:
        """Write a line and return what went wrong, if anything."""
        data = f"{line}\n".encode()
        try:
            # Every line but a few is answered before the next, so that a pipe is never full.
            return "" if self._stdin.write(data) == len(data) else "does not read its input"
        except (OSError, ValueError):
            return "closed its input"

    def listen(self, seconds: float) -> bool:
        """Wait for output and store it; returns whether there was any."""
        heard = self._hearing.wait(seconds)
        for pipe, data in heard:
            if not data:
                self._hearing.open.remove(pipe)
            elif pipe is self._stdout:
                self._output += data
            else:
                self._errors = (self._errors + data)[-TAIL_BYTES:]
        return bool(heard)

    def last_words(self, seconds: float) -> tuple[int | None, str]:
        """The exit status, if it ends in time, and the last line on stderr."""
        if not self._ends_within(seconds):
            return None, ""
        for _ in range(MOST_READS):
            if not self.listen(0):
                break
        lines = self._errors.decode("utf-8", "replace").splitlines()
        return self.popen.returncode, next((line for line in reversed(lines) if line.strip()), "")

    def end(self, is_polite: bool = True) -> None:
        """End the whole group and wait for it. May be repeated."""
        if self._is_ended or os.getpid() != self._owner:  # a fork of our process must not end it
            return
        self._is_ended = True
        try:
            self._make_leave(is_polite)
        finally:  # also after an interrupt
            self._signal(SIGKILL)  # also for what it leaves behind
            self._ends_within(KILL_S)
            self._hearing.close()
            self._stdout.close()
            self._stderr.close()
            _dismiss(self._guard)

    def _make_leave(self, is_polite: bool) -> None:
        if is_polite:
            self.write(self._farewell)
        with contextlib.suppress(OSError):
            self._stdin.close()
        if not is_polite or not self._ends_within(QUIT_S):
            self._signal(signal.SIGTERM)
            self._ends_within(TERMINATE_S)

    def _ends_within(self, seconds: float) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        return self.popen.returncode is not None

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.popen.pid, number)
            else:  # Windows has no groups: what the engine started stays
                self.popen.kill()


Heard = list[tuple[IO[bytes], bytes]]


class _Poll:
    """Reads output only when it is wanted."""

    def __init__(self, pipes: Sequence[IO[bytes]]) -> None:
        self.open = list(pipes)
        self._selector = selectors.PollSelector()  # takes no descriptor, so it cannot fail
        for pipe in pipes:
            self._selector.register(pipe, selectors.EVENT_READ)

    def wait(self, seconds: float) -> Heard:
        """What has come, by its pipe; nothing from a pipe means that it has ended."""
        heard: Heard = []
        for key, _ in self._selector.select(seconds):
            pipe = cast(IO[bytes], key.fileobj)
            heard.append((pipe, os.read(key.fd, MOST_BYTES)))
            if not heard[-1][1]:
                self._selector.unregister(pipe)
        return heard

    def close(self) -> None:
        self._selector.close()


class _Threads:
    """The same where pipes cannot be waited for: a thread reads each, a little ahead."""

    def __init__(self, pipes: Sequence[IO[bytes]]) -> None:
        self.open = list(pipes)
        self._came: Queue[tuple[IO[bytes], bytes]] = Queue(maxsize=len(self.open))
        self._readers = [threading.Thread(target=self._read, args=(pipe,)) for pipe in pipes]
        for reader in self._readers:
            reader.daemon = True
            reader.start()

    def _read(self, pipe: IO[bytes]) -> None:
        data = b"some"
        while data:
            try:
                data = os.read(pipe.fileno(), MOST_BYTES)
            except (OSError, ValueError):  # it was closed
                data = b""
            self._came.put((pipe, data))

    def close(self) -> None:
        """The process is gone: let the readers find the end of its output."""
        end_s = time.monotonic() + KILL_S
        while any(each.is_alive() for each in self._readers) and time.monotonic() < end_s:
            self.wait(0.01)

    def wait(self, seconds: float) -> Heard:
        """What has come, by its pipe; nothing from a pipe means that it has ended."""
        heard: Heard = []
        with contextlib.suppress(Empty):
            heard.append(self._came.get(seconds > 0, seconds if seconds > 0 else None))
            while True:
                heard.append(self._came.get_nowait())
        return heard


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    program, pipe = arguments[0], subprocess.PIPE
    try:
        return subprocess.Popen(
            arguments, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
    except FileNotFoundError:
        reason = f"{program!r} was not found{_nearest(program)}"
    except PermissionError:
        reason = f"{program!r} is not executable"
    except (OSError, ValueError) as error:
        reason = f"{program!r}: {str(error).lower()}"
    raise Forfeit(f"cannot be started: {reason}")


def _nearest(program: str) -> str:
    """A hint at the program that may have been meant."""
    folder, name = os.path.split(program)
    if os.path.exists(program):
        return ", or what its first line says should run it"
    names = set[str]()
    for place in [folder] if folder else os.get_exec_path():
        with contextlib.suppress(OSError):
            programs = (each for each in Path(place).iterdir() if os.access(each, os.X_OK))
            names.update(each.name for each in programs if each.is_file())
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=NEAR)
    return f"; did you mean {os.path.join(folder, near[0])}?" if near else ""


def _guard(group: int) -> subprocess.Popen[bytes] | None:
    """A shell that waits for our end and then ends the group.

    Its input ends when our process does, however it dies. The kernel's own way, PR_SET_PDEATHSIG,
    ends the engine with the thread that started it, and only the engine, not what it has started.
    """
    script = ["sh", "-c", 'read -r _; kill -KILL "-$0"', str(group)]
    quiet = subprocess.DEVNULL
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            script, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True
        )
    return None


def _dismiss(guard: subprocess.Popen[bytes] | None) -> None:
    if guard and guard.stdin:
        guard.kill()  # before its input ends: the number of the group may be in use again
        guard.wait()
        guard.stdin.close()


# ------------------------------------------------------------------ the player


class EnginePlayer(Player):
    """A player in a process; subclasses know the protocol."""

    protocol: str

    def __init__(self, command: str, time_s: float | None, start_s: float) -> None:
        self.engine = Engine(command, farewell="quit")
        self.time_s = time_s
        self.start_s = start_s

    def expect(self, game: GameSpec, start: State) -> None:
        """Games of this kind will be asked for. Raises Unsupported if there cannot be any."""
        raise NotImplementedError

    def greet(self) -> None:
        """What is said once, after the start. Raises Forfeit."""
        raise NotImplementedError

    def ask(self, turn: Turn) -> Choice:
        """Bring the engine to the position and have it choose. Raises Forfeit."""
        raise NotImplementedError

    def begin(self) -> None:
        if self.engine.is_dead:  # what happens after a game costs nothing
            self.engine.kill()
        with self._ending_if_it_fails():
            self._start()

    def choose(self, turn: Turn) -> Choice:
        self.expect(turn.game, turn.position.start)
        if (forced := turn.position.implied_code) is not None:
            return Choice(forced)  # engines differ too much in what they do when they must pass
        with self._ending_if_it_fails():
            self._start()
            return self.ask(turn)

    def close(self) -> None:
        self.engine.close()

    def limit_s(self, turn: Turn) -> float:
        """How long a move may take."""
        given = self.time_s if turn.time_s is None else turn.time_s
        return MOVE_S if given is None else min(given, MOST_S)

    def read_move(self, turn: Turn, text: str) -> int:
        """The move that the engine has named. Raises Forfeit."""
        read = turn.game.read_move or turn.game.parse_move  # which knows only legal moves
        try:
            move = read(turn.state, text)
        except IllegalMove as error:
            raise Forfeit(str(error)) from None
        except (ValueError, LookupError):  # MalformedText, or what a game of the user's raises
            raise nonsense(text) from None
        if move in turn.legal:
            return move
        name, rule = turn.game.objection(turn.state, move)
        raise Forfeit(f"illegal move {name}: {rule}")

    def _start(self) -> None:
        if not self.engine.is_started:
            self.engine.start()
            self.greet()

    @contextlib.contextmanager
    def _ending_if_it_fails(self) -> Iterator[None]:
        try:
            yield
        except BaseException:  # after an interrupt, too, an unread answer would come
            self.engine.kill()
            raise


def nonsense(text: str) -> Forfeit:
    """The forfeit for an answer that makes no sense."""
    return Forfeit(f"answered nonsense: {shorten(text, SHOWN)!r}")
