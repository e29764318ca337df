"""The file that describes a tournament, in TOML: read, checked, and a commented example.

Every complaint names the file, the field, and what it may be.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, unknown
from plyground.core.quantities import read_seconds
from plyground.games.catalogue import find_game
from plyground.matches.openings import OpeningFile, parse_openings
from plyground.matches.plan import Plan
from plyground.matches.tournament import Tournament

MOST_PLAYERS = 500
MOST_SEED = 2**63 - 1
FEW_PAIRS = 10  # whose openings are tried at once: those of a million take hours
MOST_CHARACTERS = 2**20
MOST_DOTS = 1000  # in a line: of a key of n parts, the parser of TOML makes n lists

EXAMPLE = """\
# A tournament for `plyground tournament THIS-FILE`. Interrupt it whenever you like: the same
# command goes on where it was. Games are kept beside this file, one pair of games a line.

name = "How much is a ply worth?"
game = "connect4"              # plyground games lists them; or a Python file, with --with FILE
# settings = { width = 8 }     # plyground games connect4 lists them

# Each is a player's text (plyground players), or a name and a text.
players = [
    "alphabeta:depth=1",
    "alphabeta:depth=2",
    "alphabeta:depth=3",
    { name = "four plies", player = "alphabeta:depth=4" },
]

format = "round-robin"         # or "gauntlet": the first player against all others; or "swiss"
# heroes = 1                   # gauntlet: how many of the first players meet all the others
# rounds = 5                   # swiss: as many as single out the best if left out

games = 20                     # for each two players, in pairs with sides swapped
openings = "random:4"          # so many random moves, the same for all; or a file, one a line
seed = 1                       # the same seed gives the same games on any number of workers
# time = "1s"                  # for each move; without, players keep to their own limits
"""


Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""The range that TOML promises; its parser accepts more, which may not be writable again."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NamedPlayer(_Strict):
    """A player with a name of its own."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    player: str


class TournamentFile(_Strict):
    """What the file may say."""

    game: str
    players: Annotated[list[str | NamedPlayer], Field(min_length=2, max_length=MOST_PLAYERS)]
    name: str = ""
    settings: dict[str, Whole | float | bool | str] = {}
    position: str | None = None
    format: Literal["round-robin", "gauntlet", "swiss"] = "round-robin"
    heroes: Annotated[int, Field(ge=1, le=MOST_PLAYERS)] = 1
    rounds: Annotated[int, Field(ge=1, le=1000)] | None = None
    games: Annotated[int, Field(ge=2, le=10**6)] = 20
    openings: str = "random:4"
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] = 0
    time: str | float | Whole | None = None


class ReadTournament:
    """A tournament from a file, with the names of it and of its players."""

    def __init__(self, path: Path, file: TournamentFile | None = None) -> None:
        self.path = path
        self.file = file or _read(path)  # a given one need not be on disk yet
        self.title = self.file.name or path.stem
        try:
            self._make(self.file)
        except InputError as error:
            if file is not None:
                raise
            raise type(error)(f"{path}: {error}") from None

    def _make(self, file: TournamentFile) -> None:
        game = str(self._beside(file.game)) if file.game.endswith(".py") else file.game
        chosen = {name: str(value) for name, value in file.settings.items()}
        openings = parse_openings(file.openings)
        if isinstance(openings, OpeningFile):
            openings = OpeningFile(self._beside(str(openings.path)))
        self.plan = Plan(
            game,
            find_game(game).settings(chosen),
            file.position,
            openings,
            (file.games + 1) // 2,
            file.seed,
            None if file.time is None else read_seconds(str(file.time), "time"),
        )
        _ = self.plan.start  # a wrong position is reported now, not as a player's fault
        self.names: dict[str, str] = {}
        """What to call each player, by its text."""
        for number, entry in enumerate(file.players, start=1):
            given = entry.player if isinstance(entry, NamedPlayer) else entry
            try:
                text = self.plan.check_player(given)
            except InputError as error:
                raise type(error)(f"players, number {number}: {error}") from None
            name = entry.name if isinstance(entry, NamedPlayer) else text
            if text in self.names or name in self.names.values():
                raise Unsupported(f"players, number {number}: {name} is there twice")
            self.names[text] = name
        self.tournament = Tournament(
            self.plan, list(self.names), file.format, file.heroes, file.rounds
        )
        self.plan.opening_texts(min(self.plan.pairs, FEW_PAIRS))  # complaints come before any work
        _ = self.tournament.total  # an impossible schedule is reported now

    def _beside(self, name: str) -> Path:
        """A path in the file is relative to the folder of the file."""
        return self.path.parent / name


def written(file: TournamentFile) -> str:
    """The text of such a file, without what equals the defaults."""
    values = file.model_dump(exclude_defaults=True, exclude_none=True)
    first = [name for name in ("name", "game") if name in values]
    names = [*first, *(name for name in values if name not in first)]
    return "".join(f"{name} = {_as_toml(values[name])}\n" for name in names)


def _as_toml(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{json.dumps(name)} = {_as_toml(each)}" for name, each in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_as_toml(each)},\n" for each in value) + "]"
    # JSON's scalars are TOML's, except that it escapes some letters as surrogates, and that TOML
    # forbids a raw DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(path: Path) -> TournamentFile:
    text = _content(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedText(f"{path}: not TOML: {error}") from None
    except (ValueError, RecursionError):  # digits, and brackets, beyond what Python reads
        raise MalformedText(
            f"{path}: not TOML that can be read: a number too long, or brackets too deep"
        ) from None
    try:
        return TournamentFile.model_validate(data)
    except ValidationError as error:
        raise _complaint(path, error) from None


def _content(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise MalformedText(f"{path} is not text in UTF-8") from None
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise Unsupported(
            f"cannot read {shorten(str(path), 80)}: {reason}; "
            "`plyground tournament new FILE` writes an example"
        ) from None
    if len(text) > MOST_CHARACTERS:
        raise MalformedText(f"{path}: too long; expected at most {MOST_CHARACTERS:,} characters")
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise MalformedText(f"{path}: a line with more than {MOST_DOTS:,} dots")
    return text


def _complaint(path: Path, error: ValidationError) -> InputError:
    """The first error, worded like all our messages."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden" and len(place) == 1:
        return MalformedText(f"{path}: {unknown('field', place[0], TournamentFile.model_fields)}")
    if first["type"] == "missing":
        return MalformedText(f"{path}: {place[-1]} is missing")
    if place[0] == "players" and len(place) > 1:
        number = int(place[1]) + 1
        return MalformedText(
            f"{path}: players, number {number}: expected a player's text, "
            'or { name = "...", player = "..." }'
        )
    given = _shown(first["input"])
    field = " ".join(place[:2]) if place[0] == "settings" else place[0]
    return MalformedText(f"{path}: {field} {given}: {first['msg'].lower()}")


def _shown(value: object) -> str:
    try:
        return shorten(repr(value))
    except (ValueError, RecursionError):  # TOML can say in hexadecimal what Python cannot write
        return "without end"
