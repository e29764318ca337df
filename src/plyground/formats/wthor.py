"""WTHOR, the archive of the French Othello federation: games of 1977 to today in a few megabytes.

Three kinds of file, little endian, all with a header of 16 bytes: `.wtb` holds the games of a year,
which name players and tournaments by number; `.jou` and `.trn` are those names. A game is 68 bytes:

    tournament, black, white    two bytes each
    score                       black's discs at the end, empty squares to the winner; 32 is a draw
    theoretical score           the same under perfect play from where P3 squares are empty
    60 moves                    10 * row + column, from 11 (a1) to 88 (h8); 0 pads; no passes

Everything is held in arrays, so that bulk work never makes an object for a move; records of single
games are made on demand. An abandoned game has the score that was assigned to it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, system_errors_as
from plyground.core.files import read_bounded
from plyground.core.records import GameRecord, points_for
from plyground.formats.othello_records import MOVE_RECORDS
from plyground.formats.replay import ALL_LEGAL, NO_MOVE, Replayed, replay_many
from plyground.formats.spec import Format, Item, Read, Record, Rejected
from plyground.formats.text_lines import check_settings, giving_up, not_default, require_game
from plyground.games.othello import GAME, PASS, STRIDE
from plyground.games.rules import State

HEADER = np.dtype(
    [
        ("created", "u1", 4),  # century, year of the century, month, day
        ("games", "<u4"),  # of a .wtb, else 0
        ("names", "<u2"),  # of a .jou or .trn, else 0
        ("year", "<u2"),  # of the games
        ("size", "u1"),  # P1: 8, or 0 for the same; 10 exists
        ("kind", "u1"),  # P2: 0 ordinary games, 1 solitaires
        ("depth", "u1"),  # P3: empty squares where the theoretical score begins; 0 is 22
        ("reserved", "u1"),
    ]
)
MOST_MOVES = 60
MOST_BYTES = 2**30  # of a file
GAME_ROW = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("score", "u1"),
        ("theoretical", "u1"),
        ("moves", "u1", MOST_MOVES),
    ]
)
PLAYER_BYTES, TOURNAMENT_BYTES = 20, 26
MOST_NAMES = 2**16 - 1
UNKNOWN_PLAYER, UNKNOWN_TOURNAMENT = "???", "Diverses parties"  # number 0 of each
SQUARES = 64
OLD_DEPTH = 22
FIRST_MOVES = (34, 43, 56, 65)  # d3, c4, f5, e6
BAD_SQUARE = -2  # a move that is never legal

NAME, NAMES = "wthor", "wthor-names"
GAMES_SUFFIX, NAMES_SUFFIXES = ".wtb", (".jou", ".trn")

MOVE_OF_BYTE = np.full(256, BAD_SQUARE, np.int32)
MOVE_OF_BYTE[0] = NO_MOVE
for _row in range(8):
    for _column in range(8):
        MOVE_OF_BYTE[10 * (_row + 1) + _column + 1] = STRIDE * _row + _column


PASS_NAME = MOVE_RECORDS[0][PASS].move
BYTE_OF_NAME = {
    MOVE_RECORDS[0][MOVE_OF_BYTE[byte]].move: byte for byte in range(256) if MOVE_OF_BYTE[byte] >= 0
}


# ------------------------------------------------------------------ files


@dataclass(frozen=True)
class GamesFile:
    """A `.wtb`: its header, its games, and what is wrong with it as a file."""

    header: np.ndarray
    """HEADER, of no dimension."""
    games: np.ndarray
    """GAME_ROW[games]"""
    name: str = ""
    complaint: str = ""

    def as_bytes(self) -> bytes:
        return self.header.tobytes() + self.games.tobytes()

    @functools.cached_property
    def header_text(self) -> str:
        """The header as a tag of its games, to be written again as it was."""
        return self.header.tobytes().hex()

    @property
    def year(self) -> int:
        return int(self.header["year"])

    @property
    def depth(self) -> int:
        """Empty squares where perfect play begins."""
        return int(self.header["depth"]) or OLD_DEPTH


@dataclass(frozen=True)
class NamesFile:
    """A `.jou` or `.trn`: names by number."""

    header: np.ndarray
    rows: np.ndarray
    """uint8[names, bytes]: Latin-1, ended by a zero."""

    def as_bytes(self) -> bytes:
        return self.header.tobytes() + self.rows.tobytes()

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(row.tobytes().split(b"\0", 1)[0].decode("latin-1") for row in self.rows)


def _header(data: bytes) -> np.ndarray:
    if len(data) < HEADER.itemsize:
        raise MalformedText(f"{len(data)} bytes are too few for a header of {HEADER.itemsize}")
    header = np.frombuffer(data[: HEADER.itemsize], HEADER).reshape(()).copy()
    _, _, month, day = header["created"]
    if not (month <= 12 and day <= 31) or header["size"] not in (0, 8, 10) or header["kind"] > 1:
        raise MalformedText("this is not the header of a WTHOR file")
    return header


def parse_games(data: bytes, name: str = "") -> GamesFile:
    """A `.wtb`, as much of it as there is. Raises InputError if it is something else."""
    header = _header(data)
    if header["size"] == 10:
        raise Unsupported("games on a board of 10x10 are not read; expected 8x8")
    if header["names"]:
        raise MalformedText("a file of names, not of games")
    expected, room = int(header["games"]), len(data) - HEADER.itemsize
    whole = min(expected, room // GAME_ROW.itemsize)
    games = np.frombuffer(data, GAME_ROW, whole, HEADER.itemsize).copy()
    complaint = ""
    if room != expected * GAME_ROW.itemsize:
        complaint = (
            f"{len(data):,} bytes, but {expected:,} games take "
            f"{HEADER.itemsize + expected * GAME_ROW.itemsize:,}"
        )
    return GamesFile(header, games, name, complaint)


def parse_names(data: bytes, width: int) -> NamesFile:
    """A `.jou` or `.trn`, whose names take so many bytes each. Raises InputError."""
    header = _header(data)
    count, size = int(header["names"]), len(data) - HEADER.itemsize
    if header["games"] or size != count * width:
        raise MalformedText(
            f"{len(data):,} bytes, but {count:,} names take {HEADER.itemsize + count * width:,}"
        )
    rows = np.frombuffer(data, np.uint8, size, HEADER.itemsize).reshape(count, width).copy()
    return NamesFile(header, rows)


# ------------------------------------------------------------------ archives


@dataclass(frozen=True)
class WthorArchive:
    """The games of some files, with the names of players and tournaments where they are known."""

    files: tuple[GamesFile, ...]
    players: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    """Files that could not be read at all."""

    def __len__(self) -> int:
        return len(self.games)

    @functools.cached_property
    def games(self) -> np.ndarray:
        """GAME_ROW[games], of all files."""
        return np.concatenate([np.zeros(0, GAME_ROW), *(file.games for file in self.files)])

    @functools.cached_property
    def file_of(self) -> np.ndarray:
        """int[games]: which file each game stands in."""
        return np.repeat(np.arange(len(self.files)), [len(file.games) for file in self.files])

    @functools.cached_property
    def years(self) -> np.ndarray:
        """int64[games]: the year of each game, 0 if it is not known."""
        return np.array([file.year for file in self.files], np.int64)[self.file_of]

    @functools.cached_property
    def outcomes(self) -> np.ndarray:
        """int32[games]: black's disc difference by the score in the archive."""
        return 2 * self.games["score"].astype(np.int32) - SQUARES

    @functools.cached_property
    def replayed(self) -> Replayed:
        """All games by the rules."""
        return replay_many(GAME, self.start, MOVE_OF_BYTE[self.games["moves"]], PASS)

    @property
    def start(self) -> State:
        return GAME.initial()

    @functools.cached_property
    def is_sound(self) -> np.ndarray:
        """bool[games]: legal to the last move, with a score that exists."""
        padding = self.games["moves"] == 0
        goes_on = (padding[:, :-1] & ~padding[:, 1:]).any(axis=1)
        legal = self.replayed.illegal == ALL_LEGAL
        return legal & ~goes_on & (self.games["score"] <= SQUARES)

    def place(self, number: int) -> str:
        """Where a game stands, as people count."""
        file = int(self.file_of[number])
        first = int(np.searchsorted(self.file_of, file))
        name = self.files[file].name
        return f"{name}, game {number - first + 1}" if name else f"game {number - first + 1}"

    def record(self, number: int) -> GameRecord:
        """One sound game."""
        row, file = self.games[number], self.files[self.file_of[number]]
        plies = int(self.replayed.plies[number])
        moves = self.replayed.moves[number, :plies].tolist()
        outcome, black, white = int(self.outcomes[number]), int(row["black"]), int(row["white"])
        return GameRecord(
            GAME.name,
            (_name(self.players, black), _name(self.players, white)),
            [MOVE_RECORDS[ply & 1][move] for ply, move in enumerate(moves)],
            points=points_for(outcome),
            outcome=outcome,
            ended="over" if self.replayed.is_over[number] else "unfinished",
            date=f"{file.year:04}" if file.year else "",
            event=_name(self.tournaments, int(row["tournament"])),
            tags={
                "theoretical_score": str(row["theoretical"]),
                "theoretical_depth": str(file.depth),
                "black": str(black),
                "white": str(white),
                "tournament": str(row["tournament"]),
                "header": file.header_text,
            },
        )

    def complaint(self, number: int) -> str:
        """What is wrong with a game that is not sound."""
        row, place = self.games[number], int(self.replayed.illegal[number])
        if place != ALL_LEGAL:
            byte = int(row["moves"][place])
            move = int(MOVE_OF_BYTE[byte])
            if move == BAD_SQUARE:
                return f"move {place + 1}: {byte} is not a square; expected 11 to 88"
            return f"move {place + 1}: {MOVE_RECORDS[0][move].move} cannot be played there"
        if row["score"] > SQUARES:
            return f"a score of {row['score']} discs; expected 0 to {SQUARES}"
        return "there are moves after its end"

    def __iter__(self) -> Iterator[Item]:
        """Every game as a record, or why not."""
        yield from self.rejected
        for number, sound in enumerate(self.is_sound.tolist()):
            if sound:
                yield Read(self.record(number), self.place(number))
            else:
                yield Rejected(self.place(number), self.complaint(number))
        for file in self.files:
            if file.complaint:
                yield Rejected(file.name or "file", file.complaint)


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number < len(names) else ""


def read_archive(source: Path | Iterable[Path]) -> WthorArchive:
    """The archive in a folder, or in these files. Raises InputError if it has no games.

    The suffix of a file, in either case, says its kind.
    """
    paths = _files_in(source) if isinstance(source, Path) else list(source)
    by_suffix: dict[str, list[Path]] = {s: [] for s in (GAMES_SUFFIX, *NAMES_SUFFIXES)}
    for path in paths:
        by_suffix.get(path.suffix.lower(), []).append(path)
    if not by_suffix[GAMES_SUFFIX]:
        raise Unsupported("no games of WTHOR there; expected files that end in .wtb")
    files, rejected = [], []
    for path in by_suffix[GAMES_SUFFIX]:
        try:
            files.append(parse_games(_content(path), path.name))
        except InputError as error:
            rejected.append(Rejected(path.name, str(error)))
    of_players, of_tournaments = (by_suffix[suffix] for suffix in NAMES_SUFFIXES)
    players = _only(of_players, PLAYER_BYTES)
    tournaments = _only(of_tournaments, TOURNAMENT_BYTES)
    return WthorArchive(tuple(files), players, tournaments, tuple(rejected))


def _files_in(folder: Path) -> list[Path]:
    with system_errors_as(f"cannot read the folder {folder.name}"):
        return sorted(path for path in folder.iterdir() if path.is_file())


def _content(path: Path) -> bytes:
    with system_errors_as("it cannot be read"):
        return read_bounded(path, MOST_BYTES)


def _only(paths: list[Path], width: int) -> tuple[str, ...]:
    if len(paths) > 1:
        names = " and ".join(path.name for path in paths[:2])
        raise Unsupported(f"{names}: expected one such file of names for all games")
    try:
        return parse_names(_content(paths[0]), width).names if paths else ()
    except InputError as error:
        raise type(error)(f"{paths[0].name}: {error}") from None


# ------------------------------------------------------------------ writing


class SeveralYears(Unsupported):
    """Games each of which could be written, but not into one file."""


def write_games(records: Iterable[Record]) -> bytes:
    """A `.wtb` of games whose players and tournaments have numbers, or are not known at all."""
    file = None
    for record in records:
        game = _checked(record)
        file = file or _Rows(game)
        if _year(game) != file.year:
            low, high = sorted((_year(game), file.year))
            raise SeveralYears(
                f"a file of {NAME} holds games of one year; these are of {low} to {high}: "
                "write an archive, in a folder"
            )
        file.add(game, _numbers(game))
    return file.as_bytes() if file else _plain_header().tobytes()


def write_archive(records: Iterable[Record]) -> dict[str, bytes]:
    """Games of any origin as the files of an archive by name, one file of games for each year."""
    players, tournaments = {UNKNOWN_PLAYER: 0}, {UNKNOWN_TOURNAMENT: 0}
    years: dict[int, _Rows] = {}
    for record in records:
        game = _checked(record)
        event = tournaments.setdefault(game.event or UNKNOWN_TOURNAMENT, len(tournaments))
        black, white = (
            players.setdefault(name or UNKNOWN_PLAYER, len(players)) for name in game.players
        )
        if _year(game) not in years:
            years[_year(game)] = _Rows(game)
        years[_year(game)].add(game, (event, black, white))
    files = {f"WTH_{year:04}.wtb": file.as_bytes() for year, file in sorted(years.items())}
    files["WTH.JOU"] = _names_bytes(players, PLAYER_BYTES)
    files["WTH.TRN"] = _names_bytes(tournaments, TOURNAMENT_BYTES)
    return files


class _Rows:
    """The games of a year as the bytes they will be: a hundredth of what records need."""

    def __init__(self, first: GameRecord) -> None:
        try:  # the header that the game came with, or a plain one
            self.header = _header(bytes.fromhex(first.tags.get("header", "")))
        except (ValueError, InputError):
            self.header = _plain_header()
        self.year = _year(first)
        self.rows: list[bytes] = []

    def add(self, record: GameRecord, numbers: tuple[int, int, int]) -> None:
        if max(numbers) > MOST_NAMES:
            raise Unsupported(f"{NAME} holds at most {MOST_NAMES:,} names")
        row = np.zeros((), GAME_ROW)
        row["tournament"], row["black"], row["white"] = numbers
        row["score"] = score = (SQUARES + (record.outcome or 0)) // 2
        row["theoretical"] = _small(record, "theoretical_score", 255, score)
        moves = [BYTE_OF_NAME.get(each.move) for each in record.moves if each.move != PASS_NAME]
        if None in moves or len(moves) > MOST_MOVES:
            raise Unsupported(
                f"{NAME} holds up to {MOST_MOVES} moves on 8x8 squares, {PASS_NAME} apart"
            )
        row["moves"][: len(moves)] = moves
        self.rows.append(row.tobytes())

    def as_bytes(self) -> bytes:
        self.header["games"], self.header["year"] = len(self.rows), self.year
        return self.header.tobytes() + b"".join(self.rows)


def _checked(record: Record) -> GameRecord:
    require_game(GAME, record.game, NAME)
    if not isinstance(record, GameRecord) or record.position is not None:
        raise Unsupported(f"{NAME} holds games from the usual beginning only")
    if not_default(GAME, check_settings(GAME, record.settings)):
        raise Unsupported(f"{NAME} holds games on 8x8 squares only")
    if record.outcome is None or record.outcome % 2 or abs(record.outcome) > SQUARES:
        raise Unsupported(f"{NAME} holds games with an even final score only")
    return record


def _numbers(record: GameRecord) -> tuple[int, int, int]:
    """Tournament, black and white by number."""
    tags = ("tournament", "black", "white")
    known = (record.event, *record.players)
    unknown = (UNKNOWN_TOURNAMENT, UNKNOWN_PLAYER, UNKNOWN_PLAYER)
    numbers = []
    for tag, name, nobody in zip(tags, known, unknown, strict=True):
        if tag not in record.tags and name not in ("", nobody):
            raise Unsupported(
                f"a file of games holds no names, and {shorten(name)!r} has no number; "
                "write an archive, in a folder"
            )
        numbers.append(_small(record, tag, MOST_NAMES))
    return numbers[0], numbers[1], numbers[2]


def _small(record: GameRecord, tag: str, most: int, default: int = 0) -> int:
    text = record.tags.get(tag, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > most:
        raise Unsupported(f"{tag} {shorten(text)!r}: {NAME} holds numbers up to {most}")
    return int(text)


def _year(record: GameRecord) -> int:
    year = record.date[:4]
    return int(year) if len(year) == 4 and year.isascii() and year.isdigit() else 0


def _plain_header() -> np.ndarray:
    header = np.zeros((), HEADER)
    header["created"], header["size"] = (20, 0, 1, 1), 8
    return header


def _names_bytes(names: Iterable[str], width: int) -> bytes:
    rows = [_name_bytes(name, width) for name in names]
    if len(rows) > MOST_NAMES:
        raise Unsupported(f"{len(rows):,} names; {NAME} holds at most {MOST_NAMES:,}")
    header = _plain_header()
    header["names"], header["size"] = len(rows), 0
    return header.tobytes() + b"".join(rows)


def _name_bytes(name: str, width: int) -> bytes:
    try:
        code = name.encode("latin-1")
    except UnicodeEncodeError:
        raise Unsupported(f"{shorten(name)!r}: {NAME} holds names in Latin-1 only") from None
    if len(code) >= width or b"\0" in code:
        raise Unsupported(f"{shorten(name)!r}: {NAME} holds names up to {width - 1} characters")
    return code.ljust(width, b"\0")


# ------------------------------------------------------------------ as formats


def recognises(data: bytes) -> float:
    """Sure if all games begin as games do."""
    try:
        file = parse_games(data)
    except InputError:
        return 0.0
    expected = HEADER.itemsize + int(file.header["games"]) * GAME_ROW.itemsize
    if len(data) > expected or not np.isin(file.games["moves"][:, 0], (0, *FIRST_MOVES)).all():
        return 0.0
    if len(file.games):
        return 1.0 if len(data) == expected else 0.9
    return 0.6 if len(data) == expected else 0.0


@giving_up
def read(data: bytes) -> Iterator[Item]:
    """The games of a `.wtb` alone: players and tournaments are numbers without names."""
    try:
        archive = WthorArchive((parse_games(data),))
    except InputError as error:
        yield Rejected("file", str(error))
    else:
        yield from archive


def recognises_names(data: bytes) -> float:
    try:
        header = _header(data)
    except InputError:
        return 0.0
    count, room = int(header["names"]), len(data) - HEADER.itemsize
    if not count or header["games"] or header["year"]:
        return 0.0
    if room in (count * PLAYER_BYTES, count * TOURNAMENT_BYTES):
        return 1.0
    return 0.5 if room < count * TOURNAMENT_BYTES and b"\0\0" in data[HEADER.itemsize :] else 0.0


def read_names(data: bytes) -> Iterator[Item]:
    """Why there is nothing to read."""
    yield Rejected("file", "names of players or tournaments; the games are in the .wtb files")


FORMATS = (
    Format(
        name=NAME,
        summary="the WTHOR archive of Othello games (.wtb), with the names beside it (.jou, .trn)",
        games=(GAME.name,),
        suffixes=(GAMES_SUFFIX,),
        recognises=recognises,
        read=read,
        write=write_games,
        is_text=False,
    ),
    Format(
        name=NAMES,
        summary="names of the WTHOR archive's players and tournaments; no games",
        games=(GAME.name,),
        suffixes=NAMES_SUFFIXES,
        recognises=recognises_names,
        read=read_names,
        is_text=False,
    ),
)
