"""An Othello engine that speaks either protocol, and does it wrong when told to.

    scripted_engine.py gtp|nboard [name=value ...]

    fault=NAME    do this in place of an answer (FAULTS) or before anything (FAULTS_AT_START)
    at=N          at the N-th move it is asked for; 1 if not given
    once=FILE     only if the file does not exist, and make it
    passes=self   pass by itself and refuse to be told (only gtp); otherwise it must be told
    refuse=MOVE   take this move for illegal
    line=MOVES    play these moves; otherwise the first legal one
    log=FILE      write down every line it gets
    pid=FILE      where a child's number goes

It keeps to the naive rules of the tests and refuses whatever breaks them.
"""

from __future__ import annotations

import os
import sys
import time

# Hundreds of these are started, so what only some need is imported where they need it.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from references.othello import NaiveOthello

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOREVER = 1000


def write_file(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Refusal(Exception):
    """A command that cannot be obeyed."""


class Engine:
    def __init__(self, options: dict[str, str]) -> None:
        self.options = options
        self.board = NaiveOthello()
        self.played: list[str] = []
        self.asked = 0

    def serve(self) -> None:
        self.misbehave(FAULTS_AT_START)
        for line in sys.stdin:
            self.note(line)
            if line.strip() == "quit":
                return
            self.obey(line.strip())

    def obey(self, line: str) -> None:
        raise NotImplementedError

    def answer(self, text: str) -> None:
        raise NotImplementedError

    def note(self, line: str) -> None:
        if path := self.options.get("log"):
            with open(path, "a", encoding="utf-8") as log:
                log.write(line)

    def move(self) -> str:
        legal = self.board.legal()
        line = self.options.get("line", "")
        if not line or legal == ["pass"]:
            return legal[0]
        placed = sum(move != "pass" for move in self.played)
        return line[2 * placed : 2 * placed + 2]

    def play(self, move: str) -> None:
        if move not in self.board.legal() or move == self.options.get("refuse"):
            raise Refusal(f"illegal move {move}")
        self.board.play(move)
        self.played.append(move)
        if self.options.get("passes") == "self" and self.board.legal() == ["pass"]:
            self.board.play("pass")

    def reply(self, move: str) -> None:
        """Answer with the move, unless it is time for the fault."""
        self.asked += 1
        if self.asked != int(self.options.get("at", "1")) or not self.misbehave(FAULTS, move):
            self.answer(move)

    def misbehave(self, faults: dict[str, Callable], *arguments: str) -> bool:
        fault, once = faults.get(self.options.get("fault", "")), self.options.get("once")
        if not fault or (once and os.path.exists(once)):
            return False
        if once:
            write_file(once, "")
        fault(self, *arguments)
        return True


class GtpEngine(Engine):
    def obey(self, line: str) -> None:
        try:
            text = self.result(*line.split())
        except Refusal as refusal:
            say(f"? {refusal}\n")
            return
        if text is not None:
            say(f"= {text}\n")

    def result(self, command: str, *arguments: str) -> str | None:
        if command == "boardsize":
            if arguments[0] not in ("4", "6", "8"):
                raise Refusal("unacceptable size")
            self.size = int(arguments[0])
        elif command == "clear_board":
            self.board, self.played = NaiveOthello(self.size), []
        elif command == "play":
            self.check_colour(arguments[0])
            self.play(arguments[1])
        elif command == "genmove":
            self.check_colour(arguments[0])
            move = self.move()
            self.play(move)
            self.reply(move)
            return None
        elif command not in ("time_settings", "time_left"):
            raise Refusal("unknown command")
        return ""

    def check_colour(self, colour: str) -> None:
        if colour != ("black", "white")[self.board.mover]:
            raise Refusal("wrong colour")

    def answer(self, text: str) -> None:
        say(f"= {text}\n")


class NboardEngine(Engine):
    def obey(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        if command == "ping":
            say(f"pong {rest}")
        elif line.startswith("set depth "):
            say(f"set myname Script{rest.split()[1]}")
        elif line.startswith("set game "):
            self.set_game(rest)
        elif command == "go":
            say("status thinking")
            self.reply(self.move())
            say("status waiting")

    def set_game(self, ggf: str) -> None:
        _, cells, mover, *moves = ggf.split("BO[")[1].replace("[", " ").replace("]", " ").split()
        self.board, self.played = NaiveOthello(), []
        self.board.mover = "*O".index(mover)
        self.board.discs = {
            (i % 8, i // 8): "*O".index(cell) for i, cell in enumerate(cells) if cell != "-"
        }
        for colour, move in zip(moves[:-1:2], moves[1::2], strict=True):
            if colour != "BW"[self.board.mover]:
                raise Refusal(f"{colour} is not to move")
            self.play("pass" if move == "PA" else move.lower())

    def answer(self, text: str) -> None:
        say(f"=== {text.upper()}")


# ------------------------------------------------------------------ in place of an answer


def answers(text: str) -> Callable:
    return lambda engine, move: engine.answer(text)


def says(text: str) -> Callable:
    return lambda engine, move: say(text.format(move=move, MOVE=move.upper()))


def hang(*_: object) -> None:
    time.sleep(FOREVER)


def leave(*_: object) -> None:
    os._exit(3)


def complain(*_: object) -> None:
    sys.stderr.write("Traceback:\n  no weights\n\n")
    sys.exit(1)


def die(*_: object) -> None:
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


def interrupt(*_: object) -> None:
    """As somebody at the keyboard would, but just while our move is waited for."""
    import signal

    os.kill(os.getppid(), signal.SIGINT)
    hang()


def close_output(*_: object) -> None:
    os.close(1)
    hang()


def close_input(engine: Engine, move: str) -> None:
    os.close(0)
    engine.answer(move)
    hang()


def write_endlessly(text: bytes) -> Callable:
    def write(*_: object) -> None:
        while True:
            os.write(1, text)

    return write


def write_bytes(*_: object) -> None:
    os.write(1, bytes(range(256)) + b"\n\n")


def write_errors(engine: Engine, move: str) -> None:
    for _ in range(50):
        os.write(2, b"x" * 99_999 + b"\n")
    engine.answer(move)


def think(engine: Engine, move: str) -> None:
    time.sleep(0.2)
    engine.answer(move)


def start_child() -> int:
    return os.spawnlp(os.P_NOWAIT, "sleep", "sleep", str(FOREVER))


def have_a_child(engine: Engine, move: str) -> None:
    write_file(engine.options["pid"], str(start_child()))
    engine.answer(move)


def leave_a_child(engine: Engine, move: str) -> None:
    """The child keeps the output open."""
    start_child()
    leave()


def be_stubborn(*_: object) -> None:
    """Ignore the end of input, quitting and being told to end."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stdin = iter(stubborn_lines())


def stubborn_lines() -> Iterator[str]:
    stream = open(0, encoding="utf-8")  # noqa: SIM115
    while True:
        if (line := stream.readline()) and line != "quit\n":
            yield line
        elif not line:
            time.sleep(0.01)


FAULTS = {
    "exit": leave,
    "complain": complain,
    "die": die,
    "hang": hang,
    "interrupt": interrupt,
    "close-output": close_output,
    "close-input": close_input,
    "illegal": answers("a1"),
    "occupied": answers("d4"),
    "off-board": answers("j9"),
    "pass": answers("pass"),
    "pa": answers("PA"),
    "empty": answers(""),
    "resign": answers("resign"),
    "word": answers("hello"),
    "garbage": says("hello"),
    "binary": write_bytes,
    "wrong-number": says("=99 {move}\n"),
    "error": says("? out of memory\n"),
    "no-newline": write_endlessly(b"x" * 1000),
    "lines": write_endlessly(b"status going on\n" * 100),
    "blank-lines": write_endlessly(b"\n" * 1000),
    "long-answer": write_endlessly(b"= f4\n" * 100),
    "errors": write_errors,
    "slow": think,
    "child": have_a_child,
    "leave-child": leave_a_child,
    "noise": says("\r\n# thinking\r\n\r\n= {MOVE}\r\n\r\n"),
    "tight": says("={move}\n"),
    "full": says(
        "nodestats 1234 0.50\nsearch {MOVE} +2.00 0 4\nbook zz 1 1 1\nsearch ? ?\nnodestats ?\n"
        "search {MOVE}-junk 7 0 9\nnodestats 5678 0.75\n=== {MOVE}/-3.61/0.75"
    ),
    "blanks": says("=== {move} -3.00 0.0"),
    "search-only": says("search {MOVE} -1.5,+1.5 0 100%W exact\n===   {MOVE}  "),
    "huge-score": says("=== {MOVE}/1e308/x"),
    "no-score": says("=== {MOVE}//2.45"),
}
FAULTS_AT_START = {
    "exit-at-start": leave,
    "complain-at-start": complain,
    "hang-at-start": hang,
    "stubborn": be_stubborn,
    "banner": lambda engine: say("Welcome to\n\nScript 1.0!"),
    "chatty": write_endlessly(b"Welcome\n" * 100),
}


def main() -> None:
    kind = {"gtp": GtpEngine, "nboard": NboardEngine}[sys.argv[1]]
    kind(dict(word.split("=", 1) for word in sys.argv[2:])).serve()
