r"""SGF for Othello, the Smart Game Format with GM[2], as Edax and Quarry write it.

    (;FF[4]GM[2]SZ[8]PB[a]PW[b]RE[B+12]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[d6];B[PA])

Squares are named as in Othello; pairs of letters, as Go has them, are understood too. Discs that a
game sets up (AB, AW, AE) change the usual first position. A backslash keeps the character behind it
from ending a value. Of variations the first branch is followed. What Plyground has no field for in
the first node becomes tags under their own names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.records import Ending, GameRecord, MoveRecord
from plyground.formats import othello_records as othello
from plyground.formats.spec import Format, Item, Read, Rejected
from plyground.games import squares
from plyground.games.othello import GAME, board_size
from plyground.games.rules import State

OTHELLO = "2"  # the number of the game
MOST_STEPS = 100_000  # nodes, values and parentheses of a game with its variations
LONGEST_VALUE = 20_000  # characters
MOVES_PER_LINE = 10

_BEGIN = re.compile(r"\(\s*;")
_PART = re.compile(r"\s*(?:([A-Za-z]{1,40})\s*(?=\[)|([();]))", re.ASCII)
_VALUE = re.compile(rf"\s*\[((?:[^\]\\]|\\.){{0,{LONGEST_VALUE}}})\]", re.DOTALL)
_RESULT = re.compile(r"([BW])\+(.*)", re.IGNORECASE)
_GO_POINT = re.compile(r"[a-j][a-j]")
_ENDINGS: dict[str, Ending] = {"r": "resigned", "t": "time", "f": "forfeit"}
_WORDS = {"resigned": "R", "time": "T", "forfeit": "F", "illegal move": "F"}
_SETUP = {"AB": "X", "AW": "O", "AE": "-"}
_SIDES = {"B": othello.BLACK, "W": othello.WHITE}
_OURS = ("FF", "GM", "SZ", "CA", "AP", "PB", "PW", "RE", "DT", "EV", "PL", "B", "W", *_SETUP)

Node = list[tuple[str, list[str]]]

# ------------------------------------------------------------------ reading


def _games(text: str) -> Iterator[Item]:
    number, place = 0, 0
    while found := _BEGIN.search(text, place):
        number += 1
        tree = _Tree(text, found.start())
        try:
            tree.read()
            yield Read(_read_game(tree.nodes), f"game {number}")
        except InputError as error:
            yield Rejected(f"game {number}", str(error))
        place = tree.place


class _Tree:
    """A game with its variations, read up to `place`; `nodes` are those of the first branch."""

    def __init__(self, text: str, place: int) -> None:
        self.text, self.place = text, place
        self.nodes: list[Node] = []

    def read(self) -> None:
        depth, is_first = 0, True
        for _ in range(MOST_STEPS):
            part = _PART.match(self.text, self.place)
            if part is None:
                shown = shorten(self.text[self.place : self.place + 40])
                raise MalformedText(f"expected ; or a property such as PB[name] at {shown!r}")
            name, mark = part.groups()
            self.place = part.end()
            if name:
                values = self._read_values(name)
                if is_first and self.nodes:
                    self.nodes[-1].append(("".join(filter(str.isupper, name)), values))
            elif mark == ";":
                self.nodes += [[]] if is_first else []
            else:
                depth += 1 if mark == "(" else -1
                is_first = is_first and mark == "("
                if depth == 0:
                    return
        self.place = len(self.text)
        raise MalformedText(f"a game of more than {MOST_STEPS:,} parts; not read further")

    def _read_values(self, name: str) -> list[str]:
        values: list[str] = []
        # To look for a ] first is cheaper than to look at every character for a backslash.
        while (
            len(values) < MOST_STEPS
            and self.text.find("]", self.place, self.place + LONGEST_VALUE) >= 0
            and (value := _VALUE.match(self.text, self.place))
        ):
            values.append(_unescape(value[1]))
            self.place = value.end()
        if not values:
            raise MalformedText(f"the value of {name} has no ] at its end")
        return values


def _unescape(value: str) -> str:
    joined = re.sub(r"\\(?:\r\n|\n\r|\n|\r)", "", value)
    return " ".join(re.sub(r"\\(.)", r"\1", joined, flags=re.DOTALL).split())


def _read_game(nodes: list[Node]) -> GameRecord:
    if not nodes:
        raise MalformedText("a game without nodes; expected (;GM[2]...)")
    root = dict(nodes[0])
    header = {name: values[0] for name, values in nodes[0]}
    if header.get("GM", OTHELLO) != OTHELLO:
        raise Unsupported(f"GM[{shorten(header['GM'])}] is another game; Othello is GM[{OTHELLO}]")
    moves = [(_SIDES[name], values[0]) for node in nodes for name, values in node if name in _SIDES]
    if any(name in _SETUP for node in nodes[1:] for name, _ in node):
        raise Unsupported("discs are put on the board in the middle of the game")
    replay = othello.Replay(_read_start(root, header, moves[0][0] if moves else othello.BLACK))
    for side, value in moves:
        replay.play(_square(value), side)
    return replay.record(
        _read_result(header.get("RE", "")),
        (header.get("PB", ""), header.get("PW", "")),
        othello.parse_date(header.get("DT", "")),
        header.get("EV", ""),
        {name: value for name, value in header.items() if name and name not in _OURS and value},
    )


def _read_start(root: dict[str, list[str]], header: dict[str, str], mover: int) -> State:
    size = header.get("SZ", str(othello.USUAL_SIZE))
    if not re.fullmatch("[0-9]{1,3}", size):
        raise MalformedText(f"SZ[{shorten(size)}]: expected a number of squares")
    start = othello.start_of(int(size))
    side = {"b": "X", "w": "O"}.get(header.get("PL", "").lower()[:1], "XO"[mover])
    if not root.keys() & {*_SETUP, "PL"}:
        return start
    cells = list(GAME.format_position(start)[: int(size) ** 2])
    for name in filter(_SETUP.__contains__, root):
        for value in root[name]:
            for square in _squares(value, int(size)):
                cells[square] = _SETUP[name]
    return GAME.parse_position(start, f"{''.join(cells)} {side}")


def _squares(value: str, size: int) -> list[int]:
    """A square, or all in a rectangle given by two corners, `a1:b2`."""
    corners = [squares.parse_square(_square(part), size, size) for part in value.split(":", 1)]
    rows, columns = ([corner // size for corner in corners], [corner % size for corner in corners])
    return [
        row * size + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    ]


def _square(value: str) -> str:
    """A move or a square as Othello names it."""
    text = value.strip().lower()
    if text in ("", "tt"):
        return "pass"
    if _GO_POINT.fullmatch(text):
        return f"{text[0]}{squares.LETTERS.index(text[1]) + 1}"
    return text


def _read_result(text: str) -> othello.Result:
    if text.lower() in ("0", "draw"):
        return othello.Result.counted(text, 0)
    found = _RESULT.fullmatch(text)
    if found is None:
        return othello.UNKNOWN
    sign, points = (1, 1.0) if found[1].upper() == "B" else (-1, 0.0)
    if re.fullmatch(r"[0-9]{1,3}(?:\.0*)?", found[2]):
        return othello.Result.counted(text, sign * int(found[2].split(".")[0]))
    return othello.Result.decided(text, points, _ENDINGS.get(found[2][:1].lower(), "over"))


# ------------------------------------------------------------------ writing


def _write_game(record: GameRecord) -> str:
    start = othello.first_state(record)
    size = board_size(start)
    header = {
        "FF": "4",
        "GM": OTHELLO,
        "CA": "UTF-8",
        "AP": "Plyground",
        "SZ": str(size),
        "EV": record.event,
        "DT": record.date[:10],
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _write_result(record),
    }
    for name, value in record.tags.items():
        if name not in _OURS and re.fullmatch("[A-Z]{1,2}", name):
            header[name] = value
    head = "".join(f"{name}[{_escape(value)}]" for name, value in header.items() if value)
    return f"(;{head}\n{_write_start(start)}{_write_moves(record.moves)})"


def _escape(value: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", " ".join(value.split()))


def _write_start(start: State) -> str:
    """All discs, as Edax does, and the squares in the middle that are not taken as usual."""
    size = board_size(start)
    cells = GAME.format_position(start)
    usual = GAME.format_position(othello.start_of(size))
    chosen: dict[str, list[str]] = {name: [] for name in _SETUP}
    for square in range(size * size):
        name = next(name for name, symbol in _SETUP.items() if symbol == cells[square])
        if cells[square] != "-" or usual[square] != "-":
            chosen[name].append(f"[{squares.square_name(square, size)}]")
    discs = "".join(f"{name}{''.join(values)}" for name, values in chosen.items() if values)
    return f"{discs}PL[{'B' if cells[-1] == 'X' else 'W'}]"


def _write_moves(moves: Iterable[MoveRecord]) -> str:
    text = ""
    for place, move in enumerate(moves):
        text += "" if place % MOVES_PER_LINE else "\n"
        text += f";{'BW'[move.side]}[{'PA' if move.move == 'pass' else move.move}]"
    return text


def _write_result(record: GameRecord) -> str:
    if record.points is None:
        return "?"
    if record.points == 0.5:
        return "0"
    won_by = _WORDS.get(record.ended, "")
    if not won_by and record.outcome is not None:
        won_by = str(abs(record.outcome))
    return f"{'B' if record.points else 'W'}+{won_by}"


# ------------------------------------------------------------------ recognising


def _judge(text: str) -> float:
    if not re.match(r"\s*\(\s*;", text):
        return 0.0
    game = re.search(r"GM\s*\[\s*([^\]]*)", text)
    if game:
        return 0.98 if game[1].strip() == OTHELLO else 0.0
    return 0.3 if re.search(r";\s*B\s*\[[a-jA-J][0-9]", text) else 0.0


FORMAT = Format(
    name="othello-sgf",
    summary="Othello games in the Smart Game Format (Edax, Quarry)",
    games=(GAME.name,),
    suffixes=(".sgf",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_games, "games such as (;GM[2]PB[a]PW[b];B[f5];W[d6])"),
    write=othello.writer(othello.require_game, "SGF", _write_game),
)
