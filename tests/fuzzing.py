"""Inputs that were spoilt, the same for the same seed, and the limits they are read under.

A `Target` is a parser, or one side of a protocol, with inputs that it takes. `spoilt` changes one
of these in some ways; `fuzz` reads what comes of it. A target gives a value, or raises one of its
documented errors; whatever else happens, and also a hang, or memory without end, is a `Failure`,
which shows the input and how to get it again.

Needs signals and limits of memory as Linux has them. Knows no parser: see `fuzz_targets.py`.
"""

from __future__ import annotations

import contextlib
import random
import re
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plyground.core.errors import InputError

LONGEST = 8192  # bytes of an input
LONGEST_MESSAGE = 1000  # characters of an error
MOST_SECONDS = 5.0  # of work for an input, however busy the machine is
MOST_WAITING = 60.0  # seconds for an input, whatever it waits for
MOST_MEMORY = 2**29  # bytes, beyond what was in use before the first input


@dataclass(frozen=True)
class Target:
    """A parser or one side of a protocol, and inputs that it takes."""

    name: str
    read: Callable[[bytes], object]
    """The value in some bytes; false if nothing of it could be used."""
    corpus: Sequence[bytes]
    refuses: tuple[type[Exception], ...] = (InputError,)
    """What it raises for the rest."""


# ------------------------------------------------------------------ spoiling

WORDS = re.compile(rb"\w+")
DIGITS = re.compile(rb"[0-9]+")
TOKENS = re.compile(rb"\w+|\s+|.", re.DOTALL)

MARKS = b"()[]{}<>;:,./|\\\"'=+-*#%@!?_ \t\n\r0123456789abcdefxXoO"
NUMBERS = [
    *b"0 -0 -1 00 01 3 7 11 100 255 256 65536 2147483648 9223372036854775808 0x10 +5".split(),
    *b"18446744073709551616 1e9 1e308 1e999 -1e999 nan -Infinity 0.1 .5 5. 1_000 1,000".split(),
    *(b"9" * 20, b"9" * 400, b"9" * 5000, b"0" * 30 + b"1", b"true", b"null", b'""', b"[]", b"{}"),
    *map(str.encode, "\u0663\u096a\u00b2"),  # Arabic, Devanagari, raised
]
STRANGE = [
    *(b"\0", b"\0\0\0", b"\x01", b"\x0b", b"\x0c", b"\x1a", b"\x1b[0m", b"\x1c", b"\x7f"),
    *(b"\x85", b"\xa0", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xe2\x82"),
    *(b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),  # half a character, and one beyond the last
    *b"\\ud800 \\u0000 %s {0} $( ~ .. pass -- @@ None quit position: preset= then= (;".split(),
    *map(str.encode, "\u00e9\u0130\u00df\ufb01\ufdfa\u00bd\u2167\u2460\u25cf\u25cb\U0001d7e1"),
    *map(str.encode, "\u200b\u202e\u2028\u3000\u0301\U0010ffff"),
]
OTHER_DIGITS = (0xFEE0 + ord("0"), 0x660, 0x966, 0x1D7CE)  # full width, Arabic, Devanagari, bold
NESTS = [(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"(;", b")"), (b'{"a":', b"}"), (b"a(b=", b")")]
LEVELS = (2, 12, 60, 300, 700, 2000)
RUNS = (9, 90, 900, 5000)  # bytes
HOW_OFTEN = (1, 1, 1, 2, 2, 3, 6)


def spoilt(corpus: Sequence[bytes], key: str) -> bytes:
    """One of these inputs, spoilt in some ways: the same for the same key."""
    spoiler = Spoiler(corpus, key)
    return spoiler.spoil(spoiler.dice.choice(corpus))


class Spoiler:
    """Ways to spoil an input; the others of its kind lend their parts."""

    def __init__(self, corpus: Sequence[bytes], key: str) -> None:
        self.corpus, self.dice = corpus, random.Random(key)

    def spoil(self, data: bytes) -> bytes:
        for way in self.dice.choices(WAYS, WEIGHTS, k=self.dice.choice(HOW_OFTEN)):
            data = way(self, data)[:LONGEST]
        return data

    def flip(self, data: bytes) -> bytes:
        place = self.dice.randrange(len(data)) if data else 0
        byte = data[place] if data else 0
        return _put(data, (place, place + 1), bytes([byte ^ 1 << self.dice.randrange(8)]))

    def mark(self, data: bytes) -> bytes:
        return _put(data, self._gap(data), bytes([self.dice.choice(MARKS)]))

    def strange(self, data: bytes) -> bytes:
        return _put(data, self._gap(data), self.dice.choice(STRANGE))

    def delete(self, data: bytes) -> bytes:
        return _put(data, self._piece(data, 12), b"")

    def double(self, data: bytes) -> bytes:
        begin, end = self._piece(data, 40)
        return _put(data, (begin, end), data[begin:end] * 2)

    def run(self, data: bytes) -> bytes:
        begin, end = self._piece(data, 6)
        piece = data[begin:end] or b"\0"
        return _put(data, (begin, end), piece * (self.dice.choice(RUNS) // len(piece)))

    def cut(self, data: bytes) -> bytes:
        return data[: self.dice.randrange(len(data) + 1)]

    def swap(self, data: bytes) -> bytes:
        tokens = TOKENS.findall(data) or [b""]
        one, other = self.dice.randrange(len(tokens)), self.dice.randrange(len(tokens))
        tokens[one], tokens[other] = tokens[other], tokens[one]
        return b"".join(tokens)

    def splice(self, data: bytes) -> bytes:
        other = self.dice.choice(self.corpus)
        begin, end = self._piece(other, 60)
        return _put(data, self._gap(data), other[begin:end])

    def number(self, data: bytes) -> bytes:
        return _put(data, self._one_of(DIGITS, data), self.dice.choice(NUMBERS))

    def lookalike(self, data: bytes) -> bytes:
        """A few characters as full-width ones, or as digits of another script."""
        begin, end = self._piece(data, 4)
        offset = self.dice.choice(OTHER_DIGITS) - ord("0")
        middle = "".join(chr(byte + offset) if 32 < byte < 127 else " " for byte in data[begin:end])
        return _put(data, (begin, end), middle.encode())

    def nest(self, data: bytes) -> bytes:
        begin, end = self._one_of(self.dice.choice((WORDS, DIGITS)), data)
        (left, right), levels = self.dice.choice(NESTS), self.dice.choice(LEVELS)
        closing = right * self.dice.choice((0, levels, levels))
        return _put(data, (begin, end), left * levels + data[begin:end] + closing)

    def line_ends(self, data: bytes) -> bytes:
        return data.replace(b"\n", self.dice.choice((b"\r\n", b"\r", b"\n\n", b" ", b"", b"\0\n")))

    def case(self, data: bytes) -> bytes:
        return data.swapcase()

    def recode(self, data: bytes) -> bytes:
        code = self.dice.choice(("utf-8", "utf-16", "utf-16-be", "utf-32"))
        return data.decode("latin-1").encode(code)

    def shuffle(self, data: bytes) -> bytes:
        """Tokens of two inputs in no order."""
        tokens = TOKENS.findall(data + b" " + self.dice.choice(self.corpus))
        return b"".join(self.dice.choices(tokens, k=self.dice.randrange(1, 30)))

    def noise(self, data: bytes) -> bytes:
        return self.dice.randbytes(self.dice.randrange(100))

    def nothing(self, data: bytes) -> bytes:
        return self.dice.choice((b"", b" ", b"\n", b"\r\n\r\n"))

    def _piece(self, data: bytes, longest: int) -> tuple[int, int]:
        """Where a short piece begins and ends; behind the last byte it is empty."""
        begin = self.dice.randrange(len(data) + 1)
        return begin, min(len(data), begin + self.dice.randrange(1, longest))

    def _gap(self, data: bytes) -> tuple[int, int]:
        """A place, or a byte or two to be replaced."""
        begin, end = self._piece(data, 3)
        return begin, self.dice.choice((begin, end))

    def _one_of(self, pattern: re.Pattern[bytes], data: bytes) -> tuple[int, int]:
        found = [match.span() for match in pattern.finditer(data)]
        return self.dice.choice(found) if found else (0, 0)


def _put(data: bytes, place: tuple[int, int], middle: bytes) -> bytes:
    begin, end = place
    return data[:begin] + middle + data[end:]


OFTEN = (
    *(Spoiler.flip, Spoiler.mark, Spoiler.strange, Spoiler.delete),
    *(Spoiler.swap, Spoiler.splice, Spoiler.number),
)
SOMETIMES = (Spoiler.double, Spoiler.cut, Spoiler.lookalike, Spoiler.nest)
SELDOM = (
    *(Spoiler.run, Spoiler.line_ends, Spoiler.case),
    *(Spoiler.recode, Spoiler.shuffle, Spoiler.noise, Spoiler.nothing),
)
WAYS = (*OFTEN, *SOMETIMES, *SELDOM)
WEIGHTS = (*[10] * len(OFTEN), *[5] * len(SOMETIMES), *[2] * len(SELDOM))


# ------------------------------------------------------------------ reading under limits


class TooSlow(BaseException):
    """No Exception: what is caught anywhere on the way must not be this."""


class Failure(AssertionError):
    """An input that gave neither a value nor a documented error."""


@dataclass
class Tally:
    """How many inputs there were."""

    read: int = 0
    refused: int = 0


def fuzz(target: Target, seed: int, count: int) -> Tally:
    """Read so many spoilt inputs. Raises Failure."""
    for data in target.corpus:  # which also loads and compiles whatever it needs
        assert target.read(data), (target.name, data)
    tally = Tally()
    with limited():
        for number in range(count):
            data = spoilt(target.corpus, f"{target.name} {seed} {number}")
            if is_read(target, data, f"seed {seed}, input {number}"):
                tally.read += 1
            else:
                tally.refused += 1
    return tally


def is_read(target: Target, data: bytes, place: str) -> bool:
    """Whether there is a value in an input; `place` tells where it came from. Raises Failure."""
    try:
        with time_limited():
            return bool(target.read(data))
    except target.refuses as error:
        if not 0 < len(str(error)) <= LONGEST_MESSAGE:
            raise Failure(f"{target.name}, {place}: says {str(error)!r} of {data!r}") from error
        return False
    except (Exception, TooSlow) as error:
        raise Failure(f"{target.name}, {place}: {error!r} for {data!r}") from error


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """All that inputs are read under, but for the time, which is counted for each of them."""
    with memory_limited(), interruptible():
        yield


@contextlib.contextmanager
def time_limited() -> Iterator[None]:
    """Raise TooSlow, wherever the program is, when its time is up."""
    signal.signal(signal.SIGALRM, _be_patient)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, MOST_WAITING / 2, MOST_WAITING / 2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _stop(*_: object) -> None:
    raise TooSlow(f"more than {MOST_SECONDS:g} s of work, or {MOST_WAITING:g} s of waiting")


def _be_patient(*_: object) -> None:
    """Whoever pauses this process for an hour makes it hear one alarm, but not the next."""
    signal.signal(signal.SIGALRM, _stop)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let time limits be heard, and be forgotten afterwards."""
    before = {each: signal.signal(each, _stop) for each in (signal.SIGPROF, signal.SIGALRM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def memory_limited(more: int = MOST_MEMORY) -> Iterator[None]:
    """Allow so many bytes beyond those in use; the next one is a MemoryError."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
