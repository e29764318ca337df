"""What can be wrong with what a person typed, pasted or wrote.

Every message says what was wrong, where, and what would have been right; faces print it as it is
and never show a traceback. A parser answers any text with a value or with an `InputError`.
"""

from __future__ import annotations

import contextlib
import difflib
import inspect
import linecache
import traceback
from collections.abc import Iterable, Iterator


class PlygroundError(Exception):
    """Anything Plyground reports in one or two plain lines."""


class InputError(PlygroundError, ValueError):
    """What was typed or pasted cannot be used."""

    field: str | None = None
    """Which part of it, where that is known: a form shows the message there."""

    def at(self, field: str) -> InputError:
        """The same, about this part."""
        self.field = field
        return self


class MalformedText(InputError):
    """The text is not of the expected form, whatever the position."""


class IllegalMove(InputError):
    """The move is well formed but not allowed in this position."""


class Unsupported(InputError):
    """A name that does not exist, or a combination that makes no sense."""


class GameCodeError(PlygroundError):
    """A user's code failed; says in which file, at which line, and shows the line."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        linecache.checkcache(path)
        source = linecache.getline(path, line).strip()
        super().__init__(f"{path}:{line}: {reason}" + (f"\n    {source}" if source else ""))
        self.path, self.line, self.reason = path, line, reason

    def __reduce__(self) -> tuple[type[GameCodeError], tuple[str, int, str]]:
        return GameCodeError, (self.path, self.line, self.reason)  # so that it can travel


def blame(error: BaseException) -> GameCodeError:
    """The error as one that names the file and line it was raised at."""
    frames = traceback.extract_tb(error.__traceback__)
    path, line = (frames[-1].filename, frames[-1].lineno or 1) if frames else ("unknown", 1)
    return GameCodeError(path, line, f"{type(error).__name__}: {error}")


def blame_class(cls: type, reason: str) -> GameCodeError:
    """What is wrong with a class, as an error that names where it stands."""
    return GameCodeError(*place_of_class(cls), f"{cls.__name__}: {reason}")


def place_of_class(cls: type) -> tuple[str, int]:
    """The file and line where a class stands."""
    try:
        return inspect.getfile(cls), inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):  # it was typed in, or stands in a cell
        methods = [each for each in vars(cls).values() if inspect.isfunction(each)]
        codes = [each.__code__ for each in methods if each.__module__ == cls.__module__]
        if codes:
            return codes[0].co_filename, codes[0].co_firstlineno
        return cls.__module__, 1


def unknown(kind: str, given: str, known: Iterable[str]) -> Unsupported:
    """The error for a name that does not exist, with the nearest one that does."""
    names = list(known)
    near = difflib.get_close_matches(given.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
    return Unsupported(f"unknown {kind} {shorten(given)!r}; {hint}")


@contextlib.contextmanager
def system_errors_as(failure: str) -> Iterator[None]:
    """Turn an OSError into Unsupported, as in `cannot read x: Permission denied`."""
    try:
        yield
    except OSError as error:
        raise Unsupported(f"{failure}: {error.strerror}") from None


def shorten(text: str, width: int = 40) -> str:
    """The text as one short line, for messages."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 3] + "..."
