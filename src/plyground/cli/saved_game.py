"""A game under way as a small file of JSON: written after every move, read to resume it.

    {"format": "plyground game", "version": 1, "game": "othello", "settings": {"size": 8},
     "position": null, "moves": ["f5", "d6"], "players": ["human", "medium"],
     "seed": 7, "time_s": null, "resigned": null, "uid": "0f3a..."}

Files are written beside and renamed, so a kill at any moment leaves the game before or after the
last move, and never half of one. Games under way have a file each in the user's data folder, which
goes when the game is finished.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from plyground.cli.options import MOST_SEED
from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.files import write_whole
from plyground.core.naming import is_path, name_code
from plyground.core.places import data_folder
from plyground.core.quantities import MOST_SECONDS
from plyground.core.seal import is_sealed, seal
from plyground.games import catalogue
from plyground.games.spec import PLAYERS, GameSpec, Value
from plyground.players.catalogue import commands_of, name_engines
from plyground.public.position import Position

FORMAT, VERSION = "plyground game", 1
NO_GAME = "not a saved game of Plyground"
NOTHING_LEFT = "this game is over: there is nothing to go on with"
MOST_BYTES = 2**20  # far beyond any game
LONGEST_PATH = 300  # in a message
MOST_UNFINISHED = 20  # games left unfinished; older ones are deleted


class NotSaved(MalformedText):
    """A file that is something else."""


class Finished(Unsupported):
    """A game to which no move can be added."""


@dataclass(frozen=True)
class SavedGame:
    """All that it takes to resume a game."""

    game: str
    """A name, or the path of a user's own game."""
    settings: dict[str, Value]
    position: str | None
    """Where it began, if not where the game begins."""
    moves: tuple[str, ...]
    players: tuple[str, str]
    """Their texts, the one who moves first first."""
    seed: int
    time_s: float | None = None
    """For each move of a machine."""
    resigned: str | None = None
    """'first' or 'second', if somebody has."""
    uid: str | None = None
    """What the game is called in every store."""
    seal: str = ""
    """Of the program, if the game is a user's own or an engine plays: see `core/seal.py`."""

    def as_text(self) -> str:
        data = {"format": FORMAT, "version": VERSION} | asdict(self)
        if not data["seal"]:
            del data["seal"]
        return json.dumps(data) + "\n"

    def sealed(self) -> SavedGame:
        """With the seal of a game that is played here; most name nothing that runs."""
        return replace(self, seal=seal(self._words)) if self._is_to_be_sealed else self

    def name_own(self) -> None:
        """Name again what the user named when the game began, if this program wrote it."""
        if self._is_to_be_sealed and is_sealed(self._words, self.seal):
            name_code(self.game)
            for player in self.players:
                name_engines(player)

    @property
    def _words(self) -> list[str]:
        return [self.game, *self.players]

    @property
    def _is_to_be_sealed(self) -> bool:
        return catalogue.is_code(self.game) or any(map(engines_in, self.players))

    @staticmethod
    def from_text(text: str) -> SavedGame:
        """The inverse of `as_text`. Raises MalformedText for anything else."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise NotSaved(NO_GAME) from None
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise NotSaved(NO_GAME)
        if data.pop("version", None) != VERSION:
            raise MalformedText("saved by another version of Plyground")
        wrong = [name for name, is_right in _FIELDS.items() if not is_right(data.get(name))]
        if wrong or data.keys() - _FIELDS.keys():
            names = ", ".join([*wrong, *sorted(data.keys() - _FIELDS.keys())])
            raise MalformedText(f"a damaged saved game: see {shorten(names)}")
        lists = {"players": tuple(data["players"]), "moves": tuple(data["moves"])}
        optional = {"position": data.get("position"), "seal": data.get("seal") or ""}
        return SavedGame(**(data | lists | optional))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "game": _is_text,
    "settings": lambda value: (
        isinstance(value, dict) and all(isinstance(v, int | float | str) for v in value.values())
    ),
    "position": lambda value: value is None or _is_text(value),
    "moves": _are_texts,
    "players": lambda value: _are_texts(value) and len(value) == 2,
    "seed": lambda value: type(value) is int and 0 <= value <= MOST_SEED,
    "time_s": lambda value: (
        value is None or (type(value) in (int, float) and 0 < value <= MOST_SECONDS)
    ),
    "resigned": lambda value: value is None or value in PLAYERS,
    "uid": lambda value: (
        value is None
        or (_is_text(value) and re.fullmatch(r"[0-9A-Za-z-]{1,80}", value) is not None)
    ),
    "seal": lambda value: value is None or _is_text(value),
}


# ------------------------------------------------------------------ from and to a game


def engines_in(player: str) -> list[str]:
    """The engines that a text names; none if it is no player."""
    with contextlib.suppress(InputError):
        return commands_of(player)
    return []


def lasting_name(name: str, game: GameSpec) -> str:
    """What to write down so that the same game is found again, from any folder."""
    origin = catalogue.register.origin(game)
    return name if origin and not is_path(origin.place) else catalogue.portable_name(game)


def restore(saved: SavedGame) -> Position:
    """The game that was saved, at the move where it was left. Raises InputError."""
    game = catalogue.find_game(saved.game)
    position = Position.of(game, saved.settings, saved.position, saved.moves)
    if saved.resigned or position.is_over:
        raise Finished(NOTHING_LEFT)
    return position


# ------------------------------------------------------------------ files


def shown(path: Path | str) -> str:
    """A path in a message: whole, unless it is nonsense."""
    return shorten(str(path), LONGEST_PATH)


def write(saved: SavedGame, path: Path) -> None:
    """Replace the file as a whole. Raises OSError."""
    write_whole(path, saved.as_text().encode())


def read(path: Path) -> SavedGame:
    """The game in a file. Raises InputError, whatever the file may be."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise Unsupported(f"cannot read {shown(path)}: {reason}") from None
    try:
        if len(content) > MOST_BYTES:
            raise NotSaved(NO_GAME)
        return SavedGame.from_text(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise NotSaved(f"{shown(path)}: {NO_GAME}") from None
    except MalformedText as error:
        raise type(error)(f"{shown(path)}: {error}") from None


def read_and_restore(path: Path, code: str | None = None) -> tuple[SavedGame, Position]:
    """The same with the game itself; every complaint names the file.

    `code` is the user's own game, if they name it; from a file of others none is run.
    """
    saved = read(path)
    saved.name_own()
    if code is not None:
        game = catalogue.name_game(code)
        if not catalogue.is_code(saved.game):
            raise Unsupported(f"{shown(path)} is a game of {shorten(saved.game)}, not of {code}")
        saved = replace(saved, game=lasting_name(code, game))
    try:
        return saved, restore(saved)
    except catalogue.NotNamed:
        again = shlex.join(["plyground", "play", saved.game, "--from", str(path)])
        raise Unsupported(
            f"{shown(path)} was played with {shorten(saved.game, 80)}, which runs only if you name "
            f"it yourself: {shown(again)}"
        ) from None
    except InputError as error:
        raise type(error)(f"{shown(path)}: {error}") from None


def named_file(name: str) -> Path:
    """The file that a person means. Raises InputError."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:  # ~ of somebody who has no home
        raise Unsupported(f"{shown(name)}: {error}") from None


def save_as(saved: SavedGame, name: str) -> Path:
    """Write to a file that a person named; one that is something else is not touched."""
    path = named_file(name)
    try:
        if path.exists():
            read(path)
        write(saved, path)
    except InputError:
        raise Unsupported(f"{shown(name)} exists and is no saved game; choose another") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else error
        raise Unsupported(f"cannot write {shown(name)}: {reason}") from None
    return path


# ------------------------------------------------------------------ games under way


def unfinished_games() -> list[Path]:
    """The files of games under way, the one played last first."""
    found = []
    for path in (data_folder() / "games").glob("*.json"):
        with contextlib.suppress(OSError):  # another session may just have finished it
            found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def last_unfinished() -> Path | None:
    """The file of the last game that is not finished. Raises InputError if it is damaged."""
    for path in unfinished_games():
        try:
            read_and_restore(path)
        except Finished:  # killed after its last move, before the file was removed
            continue
        return path
    return None


def new_file() -> Path:
    """A file for a new game. Raises OSError."""
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    for old in unfinished_games()[MOST_UNFINISHED - 1 :]:
        old.unlink(missing_ok=True)
    return folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{time.time_ns() % 10**9:09}.json"
