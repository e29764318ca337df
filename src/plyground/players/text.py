"""The short text that names a player anywhere, and its inverse.

    alphabeta                                   a name
    alphabeta:depth=6,eval=stages               with options
    random-start(moves=8,then=alphabeta:depth=4)   an option may be a player again
    alphabeta:order=4,5,3,depth=6               an option may be a list

    player = name [":" options] | name "(" options ")"
    options = name "=" value {"," name "=" value}
    value = word {"," word} | quoted | player

After a colon, options extend to the end of the text or to the bracket that closes around them;
brackets say where they end. What holds spaces or any of ,:=()" stands in double quotes, inside of
which a backslash makes the next character literal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground.core.errors import MalformedText, shorten

MOST_CHARACTERS = 2000
MOST_LEVELS = 10
FORM = "write name:option=value,... as in alphabeta:depth=6,eval=stages"

_NAME = re.compile(r"[a-z][a-z0-9_*-]*", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"[^\s,:=()\"]+")
_NEXT_WORD = re.compile(r",\s*(" + _WORD.pattern + r")(?=\s*(?:[,)]|\Z))")
_WORDS = re.compile(_WORD.pattern + "(?:," + _WORD.pattern + ")*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SIGNS = {sign: re.compile(re.escape(sign)) for sign in ":=,()"}
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class PlayerText:
    """A name with options; the value of an option is a text, or a player with options."""

    name: str
    options: Mapping[str, str | PlayerText] = field(default_factory=dict)

    def __str__(self) -> str:
        return _write(self, is_last=True)


def is_name(text: str) -> bool:
    """Whether a player could be called so."""
    return _NAME.fullmatch(text) is not None


def parse(text: str) -> PlayerText:
    """The player that a text names."""
    if len(text) > MOST_CHARACTERS:
        raise MalformedText(f"player {shorten(text)!r}: longer than {MOST_CHARACTERS} characters")
    reader = _Reader(text)
    player = reader.player(0)
    reader.end()
    return player


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self._accept(_SPACE)

    def player(self, level: int) -> PlayerText:
        if level > MOST_LEVELS:
            raise self._error(f"players inside players, more than {MOST_LEVELS} deep")
        name = self._expect(_NAME, "a player's name").lower()
        if self._accept(_SIGNS[":"]):
            return PlayerText(name, self._options(level))
        if self._accept(_SIGNS["("]):
            options = {} if self._is_next(")") else self._options(level)
            self._expect(_SIGNS[")"], ", or )")
            return PlayerText(name, options)
        return PlayerText(name)

    def _options(self, level: int) -> dict[str, str | PlayerText]:
        options: dict[str, str | PlayerText] = {}
        while True:
            name = self._expect(_NAME, "an option's name").lower()
            if name in options:
                raise self._error(f"{shorten(name)} is given twice")
            self._expect(_SIGNS["="], f"= after {shorten(name)}")
            options[name] = self._value(level)
            if not self._accept(_SIGNS[","]):
                return options

    def _value(self, level: int) -> str | PlayerText:
        if quoted := self._accept(_QUOTED):
            return re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
        before = self.place
        word = self._expect(_WORD, "a value")
        if self._is_next(":", "("):
            self.place = before
            return self.player(level + 1)
        while more := self._accept(_NEXT_WORD):  # no option: it has no =
            word += f",{more[1]}"
        return word

    def end(self) -> None:
        if self.place < len(self.text):
            raise self._error("nothing more was expected")

    def _expect(self, pattern: re.Pattern[str], what: str) -> str:
        found = self._accept(pattern)
        if not found:
            raise self._error(f"expected {what}")
        return found[0]

    def _accept(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what matches here, and the space after it."""
        found = pattern.match(self.text, self.place)
        if found:
            space = _SPACE.match(self.text, found.end())
            self.place = space.end() if space else found.end()
        return found

    def _is_next(self, *signs: str) -> bool:
        return self.text.startswith(signs, self.place)

    def _error(self, problem: str) -> MalformedText:
        rest = self.text[self.place :]
        where = f"at {shorten(rest, 20)!r}" if rest.strip() else "at the end"
        return MalformedText(f"player {shorten(self.text)!r}, {where}: {problem}; {FORM}")


def _write(player: PlayerText, is_last: bool) -> str:
    """Brackets where a colon would swallow what follows, or around players inside."""
    if not player.options:
        return player.name
    last = list(player.options)[-1]
    options = ",".join(
        f"{name}={_write_value(value, name == last)}" for name, value in player.options.items()
    )
    nests = any(isinstance(value, PlayerText) for value in player.options.values())
    return f"{player.name}({options})" if nests or not is_last else f"{player.name}:{options}"


def _write_value(value: str | PlayerText, is_last: bool) -> str:
    if isinstance(value, PlayerText):
        text = _write(value, is_last)
        return text if value.options else f"{text}()"
    if _WORDS.fullmatch(value):
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
