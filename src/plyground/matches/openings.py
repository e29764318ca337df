"""Openings: the first moves of the games of a match, so that no two games need be the same.

Players without chance in them replay one game for ever; a match therefore begins each pair of
games from another opening, random or read from a file. A list of openings depends on nothing but
its arguments: it is the same on every machine, and a longer list begins with the shorter one.
Runs as plain Python and compiles nothing.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from plyground.bits import random_below
from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.files import read_bounded
from plyground.games.position import BasePosition
from plyground.games.rules import State, canonical, is_over

MOST_PLIES = 200  # of a random opening
MOST_BYTES = 2**26  # of a file
MOST_MISSES = 10_000  # moves tried in vain, after which there seems to be nothing more to find
FORMS = "expected random:K for K random moves, as in random:4, or a file with an opening per line"


@dataclass(frozen=True)
class OpeningText:
    """An opening as two texts, to be stored or sent to another process."""

    position: str | None
    """Where it begins; None for where the game usually begins."""
    moves: str
    """The moves, separated by semicolons."""

    @staticmethod
    def of(opening: BasePosition) -> OpeningText:
        return OpeningText(opening.start_text, "; ".join(opening.moves))


# ------------------------------------------------------------------ random openings


def random_openings(begin: BasePosition, plies: int, count: int, seed: int) -> list[BasePosition]:
    """Random legal moves, so many that `plies` are played and the game goes on.

    No two openings lead to the same position, or to symmetric ones, until all such positions that
    can be found have been used; then the same openings come again, in the same order.
    """
    if not 0 <= plies <= MOST_PLIES:
        raise Unsupported(f"a random opening of {plies} moves; expected 0 to {MOST_PLIES}")
    if begin.is_over:
        name = begin.game.name
        raise Unsupported(f"{name}: there are no openings where the game is over already")
    walks = _Walks(begin, plies, np.array([seed], np.uint64))
    found = list(itertools.islice(walks, count))
    if count > 0 and not found:
        raise Unsupported(
            f"{begin.game.name}: after {plies} random moves the game was always over; "
            f"expected fewer moves, {walks.longest} at most"
        )
    return in_rounds(found, count)


def in_rounds(openings: Sequence[BasePosition], count: int) -> list[BasePosition]:
    """`count` openings, beginning again from the first when all are used."""
    return [openings[number % len(openings)] for number in range(count)]


@dataclass
class _Walks:
    """Random walks of equal length from one position, each to another place.

    A place is closed when no new opening leads through it: the game is over, its position was used,
    or all that follow it are closed. Each walk ends in a new opening or closes a place, so that all
    openings are found, the last ones as well as the first, and the end is known for certain.
    """

    begin: BasePosition
    plies: int
    generator: np.ndarray
    longest: int = 0
    tried: int = 0
    """Moves since the last new opening."""
    used: set[State] = field(default_factory=set)
    closed: set[tuple[int, State]] = field(default_factory=set)

    def __iter__(self) -> Iterator[BasePosition]:
        """Openings to positions that were not used before, until there seem to be no more."""
        while self.tried <= MOST_MISSES and not self._is_closed(0, self.begin.state):
            reached = self._walk()
            plies = reached.ply - self.begin.ply
            self.longest = max(self.longest, plies)
            if plies < self.plies:
                self.closed.add((plies, reached.state))
                continue
            self.tried = 0
            self.used.add(canonical(reached.state))
            yield reached

    def _walk(self) -> BasePosition:
        """Moves until there are enough, or until all that follow are closed."""
        position: BasePosition = self.begin
        for ply in range(self.plies):
            if (step := self._step(ply, position)) is None:
                break
            position = step
        return position

    def _step(self, ply: int, position: BasePosition) -> BasePosition | None:
        """A random move to a place that is not closed."""
        legal = list(position.legal_codes)
        while legal:
            child = position.play_code(legal.pop(random_below(self.generator, len(legal))))
            self.tried += 1
            if not self._is_closed(ply + 1, child.state):
                return child
        return None

    def _is_closed(self, ply: int, state: State) -> bool:
        if (ply, state) in self.closed:
            return True
        if is_over(state) or (ply == self.plies and canonical(state) in self.used):
            self.closed.add((ply, state))
            return True
        return False


# ------------------------------------------------------------------ openings from a file


def read_openings(
    begin: BasePosition, source: Path | Iterable[str], *, shuffle: bool = False, seed: int = 0
) -> list[BasePosition]:
    """The openings of a file or of some lines, one per line, in their order or shuffled.

    A line is a list of moves in the game's notation, or `position: P`, or `position: P moves: M`.
    Empty lines and lines that begin with # do not count.
    """
    lines = _file_lines(source) if isinstance(source, Path) else source
    name = shorten(str(source), 300) if isinstance(source, Path) else "openings"
    openings = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                openings.append(_read_line(begin, line.strip()))
            except InputError as error:
                raise type(error)(f"{name}, line {number}: {error}") from None
    if not openings:
        raise MalformedText(f"{name}: there is no opening in it; expected one per line")
    if shuffle:
        generator = np.array([seed], np.uint64)
        openings = [openings.pop(random_below(generator, len(openings))) for _ in openings[:]]
    return openings


def _file_lines(path: Path) -> list[str]:
    name = shorten(str(path), 300)
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8-sig")
        return list(io.StringIO(text, newline=None))
    except UnicodeDecodeError:
        raise MalformedText(f"openings file {name} is not text in UTF-8") from None
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise Unsupported(f"cannot read openings from {name!r}: {reason}; {FORMS}") from None


def _read_line(begin: BasePosition, line: str) -> BasePosition:
    """The opening on one line; a pass may be left out where the game's notation leaves it out."""
    given = re.fullmatch(r"(?i)position:(.*?)(?:\smoves:(.*))?", line)
    position, text = (given[1].strip(), given[2] or "") if given else (None, line)
    if position is not None:
        begin = BasePosition.begin(begin.game, begin.settings, position)
    opening = begin.play_all(text)
    if text.strip() and opening is begin:
        raise MalformedText(f"{shorten(text)!r} has no moves; expected some, or position: P")
    if opening.is_over:
        raise Unsupported("the game is over there; expected an opening after which it goes on")
    return opening


# ------------------------------------------------------------------ openings on the command line


@dataclass(frozen=True)
class RandomOpenings:
    """Openings of random moves: `random:K`."""

    plies: int

    def __str__(self) -> str:
        return f"random:{self.plies}"

    def take(self, begin: BasePosition, count: int, seed: int) -> list[BasePosition]:
        """The first `count` openings."""
        return random_openings(begin, self.plies, count, seed)


@dataclass(frozen=True)
class OpeningFile:
    """Openings from a file."""

    path: Path
    shuffle: bool = False

    def __str__(self) -> str:
        return str(self.path)

    def take(self, begin: BasePosition, count: int, seed: int) -> list[BasePosition]:
        """`count` openings; those of the file again and again if it has fewer."""
        return in_rounds(read_openings(begin, self.path, shuffle=self.shuffle, seed=seed), count)


def parse_openings(text: str) -> RandomOpenings | OpeningFile:
    """What `random:K` or a path stands for; a missing file is only noticed on reading."""
    word = text.strip()
    kind, colon, number = word.partition(":")
    if not word or (kind.strip().lower() == "random" and not colon):
        raise MalformedText(f"openings {shorten(text)!r}: {FORMS}")
    if kind.strip().lower() != "random":
        return OpeningFile(Path(word))
    if not re.fullmatch(r"\s*[0-9]{1,4}", number, re.ASCII) or int(number) > MOST_PLIES:
        raise MalformedText(
            f"openings {shorten(text)!r}: K is a number from 0 to {MOST_PLIES}; {FORMS}"
        )
    return RandomOpenings(int(number))
