"""Games as rows and rows as games: what stands in the columns, not how they are reached."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import RowMapping

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.json_text import read_object
from plyground.core.records import GameRecord, MoveRecord, check_move, check_types
from plyground.core.scores import Score
from plyground.games.position import BasePosition
from plyground.games.rules import State, play
from plyground.games.spec import GameSpec

SEPARATOR = ";"
RESULTS = {1.0: 2, 0.5: 1, 0.0: 0}
POINTS = {result: points for points, result in RESULTS.items()}
AS_THEY_ARE = ("game", "position", "date", "opening", "outcome", "ended", "reason")
"""Fields of a record that are columns of the same name and content."""
MOST_COUNT, MOST_NODES = 2**31 - 1, 2**63 - 1  # what every database takes
LONGEST_DATE = 20


@dataclass(frozen=True)
class Entry:
    """A game on its way into the store."""

    record: GameRecord
    """Its moves may be left out: `names` has them."""
    names: str
    """The moves in the game's notation, passes included, with separators; `%` begins an escape."""
    sides: str | None = None
    """Who made each, as 0 and 1; None if they took turns, the first player first."""
    numbers: np.ndarray | None = None
    """The moves as the game counts them, if somebody has read them already."""

    @staticmethod
    def of(record: GameRecord) -> Entry:
        names = SEPARATOR.join(_listed(move.move) for move in record.moves)
        sides = "".join(str(move.side) for move in record.moves)
        return Entry(record, names, None if sides == _in_turn(len(sides)) else sides)

    @property
    def plies(self) -> int:
        return self.names.count(SEPARATOR) + 1 if self.names else 0

    @property
    def kind(self) -> tuple[str, str, str | None]:
        """What games must share to begin from the same position."""
        return self.record.game, as_json(self.record.settings), self.record.position

    @property
    def content_uid(self) -> str:
        """A digest of all that makes a game what it is, the same in every store."""
        game = self.record
        data = [
            *self.kind,
            *game.players,
            game.date,
            game.event,
            self.names,
            None if game.points is None else float(game.points),
            game.seed,
        ]
        text = json.dumps(data, ensure_ascii=False)
        return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:32]

    def read_moves(self) -> Sequence[int] | np.ndarray:
        """The moves as numbers. Raises PlygroundError if the game's rules do not know them."""
        if self.numbers is not None:
            return self.numbers
        names = split_names(self.names)
        return [move for move, _ in replay(*start_of(self.record), names)]


def _listed(name: str) -> str:
    """A move's name in a list: without separators, and never empty."""
    if "%" in name or SEPARATOR in name:
        name = name.replace("%", "%25").replace(SEPARATOR, "%3B")
    return name or "%"


def split_names(listed: str) -> list[str]:
    """The names of the moves in a list."""
    names = listed.split(SEPARATOR) if listed else []
    if "%" not in listed:
        return names
    return [
        "" if name == "%" else name.replace("%3B", SEPARATOR).replace("%25", "%") for name in names
    ]


def _in_turn(plies: int) -> str:
    return ("01" * (plies // 2 + 1))[:plies]


def start_of(record: GameRecord) -> tuple[GameSpec, State]:
    """The game and its first state. Raises PlygroundError if it is not known here."""
    begun = BasePosition.begin(record.game, record.settings, record.position)
    return begun.game, begun.state


def replay(game: GameSpec, state: State, names: Iterable[str]) -> Iterator[tuple[int, State]]:
    """Each move as a number, and the state after it. Raises PlygroundError at one that is wrong."""
    for name in names:
        move = game.parse_move(state, name)
        state = play(state, move)
        yield move, state


def now() -> str:
    """The time as games record it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def as_json(data: Mapping[str, Any]) -> str:
    return json.dumps(dict(data), ensure_ascii=False, sort_keys=True)


def is_annotated(move: MoveRecord) -> bool:
    """Whether more is known of a move than that it was made."""
    return bool(move.time_s or move.score or move.depth or move.nodes or move.pondered)


def game_values(entry: Entry) -> dict[str, Any]:
    """The columns of a game, but for the numbers of players and event."""
    record = entry.record
    settings, tags = as_json(record.settings), as_json(record.tags)
    people = (*record.players, record.event, record.reason, record.position or "")
    for text in (record.game, *people, record.date, entry.names, settings, tags):
        if not is_storable_text(text):
            raise MalformedText(f"{shorten(text)!r} has characters that cannot be stored")
    for text in (settings, tags):
        read_object(text)  # what could not be read again is not stored
    return {name: getattr(record, name) for name in AS_THEY_ARE} | {
        "settings": settings,
        "moves": entry.names,
        "sides": entry.sides,
        "plies": entry.plies,
        "result": None if record.points is None else RESULTS[record.points],
        "seed": str(record.seed),
        "tags": tags,
        "stored": now(),
    }


def is_storable_text(text: str) -> bool:
    """Whether every database takes all of its characters."""
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        return False
    return "\0" not in text


def storable(record: GameRecord) -> Entry:
    """The game as it is stored. Raises InputError if no database could hold it."""
    entry = Entry.of(record)
    game_values(entry)
    counts = [record.outcome or 0, record.opening]
    for move in record.moves:
        counts += (move.depth, move.score.value if move.score else 0)
        if move.nodes > MOST_NODES:
            raise Unsupported(f"{move.nodes:,} nodes are more than a store can hold")
    if too_large := next((each for each in counts if abs(each) > MOST_COUNT), None):
        raise Unsupported(f"{too_large:,} is more than a store can hold")
    if len(record.date) > LONGEST_DATE:
        raise Unsupported(f"date {record.date[:40]!r}: expected YYYY-MM-DD")
    return entry


def move_values(game_id: int, ply: int, move: MoveRecord) -> dict[str, Any]:
    """The columns of a move."""
    return {
        "game_id": game_id,
        "ply": ply,
        "move": move.move,
        "side": move.side,
        "time_s": move.time_s,
        "score": move.score.value if move.score else None,
        "kind": move.score.kind if move.score else None,
        "depth": move.depth,
        "nodes": move.nodes,
        "pondered": move.pondered,
    }


def move_of(row: RowMapping) -> MoveRecord:
    """A move from its row. Raises MalformedText."""
    with _sound(row["game_id"]):
        score = Score(row["score"], row["kind"]) if row["kind"] is not None else None
        annotations = row["time_s"], score, row["depth"], row["nodes"], bool(row["pondered"])
        move = MoveRecord(row["move"], row["side"], *annotations)
        check_move(move)
        return move


def game_of(row: RowMapping) -> GameRecord:
    """A game from its row, with the names of players and event; without its moves.

    Raises MalformedText for a row that nobody here wrote, or that is damaged.
    """
    with _sound(row["id"]):
        record = GameRecord(
            **{name: row[name] for name in AS_THEY_ARE},
            players=(row["first"], row["second"]),
            moves=(),
            points=None if row["result"] is None else POINTS[row["result"]],
            settings=read_object(row["settings"]),
            seed=int(row["seed"]),
            event=row["event"] or "",
            tags=read_object(row["tags"]),
        )
        check_types(record)
        return record


@dataclass(frozen=True)
class StoredGame:
    """A game with its number in the store."""

    id: int
    uid: str
    record: GameRecord
    problem: str = ""
    """What is wrong with its row, if it is damaged; then its record says little."""

    @staticmethod
    def of(row: RowMapping) -> StoredGame:
        """The game of a row; of its moves nothing is known but names and sides."""
        number, uid = int(row["id"]), row["uid"]
        try:
            record = game_of(row)
            with _sound(number):
                names = split_names(row["moves"])
                sides = row["sides"] or _in_turn(len(names))
                pairs = zip(names, sides, strict=True)
                moves = [MoveRecord(name, int(side)) for name, side in pairs]
            return StoredGame(number, uid, replace(record, moves=moves))
        except MalformedText as error:
            problem = str(error)
            players = str(row["first"]), str(row["second"])
            record = GameRecord(str(row["game"]), players, (), ended="unfinished", reason=problem)
            return StoredGame(number, uid, record, problem)

    def with_moves(self, moves: Sequence[MoveRecord] | None) -> StoredGame:
        """The same game with annotated moves, if there are any and the game is not damaged."""
        if not moves or self.problem:
            return self
        return replace(self, record=replace(self.record, moves=moves))

    @property
    def named(self) -> tuple[str, Entry]:
        """Its name and content, for another store."""
        return self.uid, Entry.of(self.record)


@contextlib.contextmanager
def _sound(number: int) -> Iterator[None]:
    """Whatever is wrong with a row is one documented error."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = shorten(f"{type(error).__name__}: {error}", 80)
        raise MalformedText(f"game {number} is damaged ({problem})") from None
