"""Functions that run as plain Python and as machine code, from one source.

* A **verb** is generic. `play(state, move)` runs the method `play` of the state's class, or the
  verb's own body where the class has none. Compiled code makes the same choice from the type.
* A **compilable** helper is an ordinary function that compiled code may call as well.
* A **native** helper is one whose compiled form is a single machine instruction; one that is
  **compiled as** another has two forms, where what is fast in Python is slow in machine code.
* A **kernel** is an entry point: called from Python it runs machine code, compiled once for each
  combination of argument types and kept on disk for the next process.

The compiler is imported when the first kernel runs, so that showing a board never waits for it.
`NUMBA_DISABLE_JIT=1`, or `with plain_python():`, runs kernels as the Python they are written in.

Whatever concerns Numba is in `compiler.py`.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextvars import ContextVar
from types import FunctionType
from typing import Any, TypeVar, get_type_hints

import numpy as np

from plyground.core.errors import blame_class
from plyground.core.interrupts import stopped_by_interrupt

CACHE_LINE = 8  # numbers
SPARE = 512  # numbers behind a slab
LENGTH, STOP = -1, -2  # numbers before it
SHARE_BITS, MIXED = 12, 8
WHOLE_SHARE = 1 << SHARE_BITS

F = TypeVar("F", bound=Callable[..., Any])

# Called with one line of text whenever something is compiled; see `on_compiling`.
on_compile: list[Callable[[str], None]] = []

# What is being compiled while a caller waits, or after the caller was interrupted.
compiling: list[Future[Any]] = []

# What compiled code may call, in the order of declaration; the compiler takes them from here.
declared: list[Verb | Helper] = []

# Of the thread or task that asked, not of the process: blocks of two threads overlap, and the one
# that ends last would restore what the other had set.
_plain = ContextVar("plain", default=os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"))
_deadline_s = ContextVar("deadline_s", default=0.0)  # when plain Python gives up; 0 is never


@contextlib.contextmanager
def on_compiling(show: Callable[[str], None]) -> Iterator[None]:
    """Call `show` with a line of text whenever something is compiled in the block."""
    on_compile.append(show)
    try:
        yield
    finally:
        on_compile.remove(show)


def announce(line: str) -> None:
    """Tell whoever listens what is being waited for."""
    for show in on_compile:
        show(line)


@contextlib.contextmanager
def plain_python(seconds: float = 0.0) -> Iterator[None]:
    """Run kernels as plain Python inside the block: to debug them, or to compare the two paths.

    With a number of seconds, the next verb called after them raises TimeoutError.
    """
    plain = _plain.set(True)
    deadline_s = _deadline_s.set(time.monotonic() + seconds if seconds else 0.0)
    try:
        yield
    finally:
        _deadline_s.reset(deadline_s)
        _plain.reset(plain)


def runs_plain() -> bool:
    """Whether a kernel that is called now runs as plain Python."""
    return _plain.get()


class Verb:
    """A generic function: the class of its first argument decides what runs."""

    def __init__(self, default: FunctionType, returns_state: bool) -> None:
        functools.update_wrapper(self, default)
        self.default = default
        self.returns_state = returns_state
        self.implementation = functools.cache(self._find)
        declared.append(self)

    def __reduce__(self) -> str | tuple[Any, ...]:
        own = Verb, (self.default, self.returns_state)
        return self.default.__qualname__ if _is_importable(self) else own

    def _find(self, cls: type) -> FunctionType:
        method = vars(cls).get(self.default.__name__)
        return method if isinstance(method, FunctionType) else self.default

    def __call__(self, first: Any, *rest: Any) -> Any:
        deadline_s = _deadline_s.get()
        if deadline_s and time.monotonic() > deadline_s:
            raise TimeoutError
        # A move read from a buffer is a NumPy scalar, whose arithmetic wraps and warns: not ours.
        numbers = [int(item) if isinstance(item, np.int32) else item for item in rest]
        cls: type = type(first)
        answer = self.implementation(cls)(first, *numbers)
        return cast_fields(answer) if self.returns_state else answer


def verb(default: Any = None, *, returns_state: bool = False) -> Any:
    """Declare a generic function; its body serves the types that do not implement it.

    With `returns_state` the answer's fields are cast to their declared types, so that arithmetic
    which widened a field never gives birth to a second compiled signature.
    """
    if default is None:
        return functools.partial(verb, returns_state=returns_state)
    return Verb(default, returns_state)


class Helper:
    """A function that compiled code may call: by its source, or as one machine instruction."""

    def __init__(
        self,
        function: Callable[..., Any],
        instruction: str | None = None,
        inline: bool = True,
        instead: Callable[..., Any] | None = None,
    ) -> None:
        self.function = function
        self.instruction = instruction
        self.inline = inline
        self.instead = instead
        declared.append(self)


def compilable(function: F) -> F:
    """Let compiled code call this function; Python still calls it as it is."""
    Helper(function)
    return function


def compilable_call(function: F) -> F:
    """The same for large helpers: compiled once and called, not copied to every place of use."""
    Helper(function, inline=False)
    return function


def compiled_as(instead: Callable[..., Any]) -> Callable[[F], F]:
    """Let compiled code call another function instead, which gives the same answer faster."""

    def declare(function: F) -> F:
        Helper(function, instead=instead)
        return function

    return declare


def native(instruction: str) -> Callable[[F], F]:
    """Let compiled code replace this function of 64-bit words by one machine instruction."""

    def declare(function: F) -> F:
        Helper(function, instruction)
        return function

    return declare


class Kernel:
    """An entry point into compiled code; kernels may call each other and themselves."""

    def __init__(self, function: FunctionType) -> None:
        functools.update_wrapper(self, function)
        self.function = function

    def __reduce__(self) -> str | tuple[Any, ...]:
        own = Kernel, (self.function,)
        return self.function.__qualname__ if _is_importable(self) else own

    def __call__(self, *args: Any) -> Any:
        if _plain.get():
            try:
                return self.function(*args)
            except RoomExceeded as error:
                raise blame_class(type(args[0]), str(error)) from error
        from plyground import compiler

        try:
            room = next((arg for arg in args if type(arg) is Slab), None)
            if room is None:
                return compiler.call(self.compiled, args)
            room.go()
            with stopped_by_interrupt(room.stop):
                return compiler.call(self.compiled, args)
        except Exception as error:
            raise compiler.located(error, self, args) from error

    @functools.cached_property
    def compiled(self) -> Any:
        """The compiled form, made signature by signature as calls need it."""
        from plyground import compiler

        return compiler.dispatcher(self.function)


def kernel(function: Any) -> Any:
    """Compile this function when it is called."""
    return Kernel(function)


def _is_importable(made: Verb | Kernel) -> bool:
    """Whether another process finds it by its name: not if a cell or a script made it."""
    return made.__module__ != "__main__"


class RoomExceeded(Exception):
    """Rules wrote more than they had announced: the class of the state is to blame."""


class Slab:
    """Signed 64-bit numbers that a recursion hands down as one word, their address.

    An array is seven words in compiled code; a tuple of three costs a search a quarter of its
    speed. The price: compiled code does not look at bounds. Plain Python does.

    Before the first number, which begins a line of the processor's cache, are the length and a flag
    that asks code working with the slab to stop; after the last one is room for moves that are
    found to be too many only after they were written.
    """

    def __init__(self, size: int) -> None:
        whole = np.zeros(2 * CACHE_LINE + size + SPARE, np.int64)
        first = 2 * CACHE_LINE - whole.ctypes.data // 8 % CACHE_LINE
        whole[first + LENGTH] = size
        self._header = whole[:first]
        self.array = whole[first : first + size]
        self.address = self.array.ctypes.data
        self._numbers = memoryview(self.array)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.array)

    def stop(self) -> None:
        """Ask compiled code that works with this slab to return, where it checks the flag."""
        self._header[STOP] = 1

    def go(self) -> None:
        """Clear that flag."""
        self._header[STOP] = 0

    def is_stopped(self) -> bool:
        return bool(self._header[STOP])

    def __getitem__(self, index: int) -> int:
        return self._numbers[index]

    def __setitem__(self, index: int, number: int) -> None:
        self._numbers[index] = number


@native("is_stopped")
def is_stopped(slab: Slab | np.ndarray) -> bool:
    """Whether work with this slab should end; an array has no such flag."""
    return isinstance(slab, Slab) and slab.is_stopped()


@native("short_at")
def short_at(slab: Slab, index: int) -> int:
    """The number at a place of a slab that is used as numbers of 16 bits, four in each of its."""
    short = slab[index >> 2] >> 16 * (index & 3) & 0xFFFF
    return short - (short >> 15 << 16)


@native("with_numbers")
def with_numbers(fields: Any, slab: Slab, at: int) -> Any:
    """The same tuple with its whole numbers read from a slab, one after the other.

    Other fields stay as they are: truth values, words of bits, slabs.
    """
    numbers = itertools.count(at)
    return type(fields)(
        *[slab[next(numbers)] if type(value) in (int, np.int64) else value for value in fields]
    )


@native("with_mixture")
def with_mixture(fields: Any, slab: Slab, at: int, shares: tuple[int, ...]) -> Any:
    """The same tuple, each of its whole numbers a mixture of those in some rows of a slab.

    Rows have numbers of 16 bits, one for each whole number and none after the last that fill up a
    multiple of `MIXED` of them; the first begins at the 16-bit number `at`. Of each row there is a
    share; `WHOLE_SHARE` is all of it, and no share is more or below 0, so that nothing overflows
    with up to 15 rows.
    """
    kinds = [type(value) in (int, np.int64) for value in fields]
    width, column, found = -(-sum(kinds) // MIXED) * MIXED, 0, []
    for value, is_number in zip(fields, kinds, strict=True):
        if is_number:
            mixed = sum(
                share * short_at(slab, at + row * width + column)
                for row, share in enumerate(shares)
            )
            found.append((mixed + WHOLE_SHARE // 2) // WHOLE_SHARE)
            column += 1
        else:
            found.append(value)
    return type(fields)(*found)


@native("prefetch")
def prefetch(slab: Slab, index: int) -> None:
    """Tell the processor that this place of a slab will soon be read; changes nothing else."""


@functools.cache
def _field_casts(cls: type) -> tuple[Callable[[Any], Any], ...]:
    hints = get_type_hints(cls)
    return tuple(hints[field] for field in cls._fields)  # type: ignore[attr-defined]


def cast_fields(state: Any) -> Any:
    """The same tuple with every field of its declared type, `int` or a NumPy integer."""
    cls: type = type(state)
    return cls(*[cast(value) for cast, value in zip(_field_casts(cls), state, strict=True)])


def of_words(cls: type, row: np.ndarray) -> Any:
    """The tuple whose fields are these words of 64 bits, negative ones in two's complement."""
    casts, plain = _field_casts(cls), row.astype(np.int64).tolist()
    return cls(
        *[
            cast(number) if cast in (int, bool) else word.astype(cast)
            for cast, number, word in zip(casts, plain, row, strict=True)
        ]
    )
