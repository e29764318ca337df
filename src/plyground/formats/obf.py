"""OBF, the test sets of Edax: a position a line with the scores of its moves.

    -XXXXXX--OOOXX-O...OOXOOO O; G8:+18; H1:+12; C7:+6; % FForum 1

Every field ends with a semicolon; a score is one for the side to move, and without a move it is
that of the position. If no field gives the position's score, it is that of the best move listed. A
% starts a comment; one behind a position is kept as its tag `comment`. Boards are of 8x8.
"""

from __future__ import annotations

import re

from plyground.core.errors import MalformedText, shorten
from plyground.core.records import PositionRecord
from plyground.formats import othello_records as othello
from plyground.formats.boards import find_board
from plyground.formats.spec import Format, Read
from plyground.games.othello import GAME
from plyground.games.rules import State

TITLE = "OBF"
COMMENT = "%"
MOST_FIELDS = 100  # far more than a position has moves

_SCORE = re.compile(r"(?:([A-Za-z][A-Za-z0-9]{1,3}|--)\s*:)?\s*([+-]?[0-9]{1,3})", re.ASCII)


def _read_line(line: str) -> PositionRecord:
    text, _, comment = line.partition(COMMENT)
    board = find_board(text)
    if board is None or board.side is None:
        raise MalformedText(
            f"{shorten(text)!r} does not begin with a board; expected 64 squares, X or O, and ;"
        )
    state = othello.require_size(board.state, TITLE)
    fields = [field.strip() for field in board.rest.split(";", MOST_FIELDS)]
    score, scores = _read_scores(state, [field for field in fields if field])
    if score is None and scores:
        score = max(scores.values())
    tags = {"comment": comment.strip()} if comment.strip() else {}
    return othello.position_record(state, score, scores, tags)


def _read_scores(state: State, fields: list[str]) -> tuple[int | None, dict[str, int]]:
    """The score of the position, if it is given, and those of moves by their names."""
    score, scores = None, {}
    for field in fields:
        found = _SCORE.fullmatch(field)
        if found is None:
            raise MalformedText(f"field {shorten(field)!r}: expected a move and its score, G8:+18")
        if found[1] is None:
            score = int(found[2])
        else:
            scores[GAME.format_move(state, GAME.parse_move(state, found[1]))] = int(found[2])
    return score, scores


def _write_line(position: PositionRecord) -> str:
    fields = [GAME.format_position(othello.require_size(othello.first_state(position), TITLE))]
    best_first = sorted(position.scores.items(), key=lambda item: -item[1])
    fields += [f"{move.upper()}:{score:+d}" for move, score in best_first]
    if position.score is not None and position.score != max(position.scores.values(), default=None):
        fields.append(f"{position.score:+d}")
    line = " ".join(f"{field};" for field in fields)
    comment = " ".join(position.tags.get("comment", "").split())
    return f"{line} {COMMENT} {comment}" if comment else line


_positions = othello.each_line(_read_line, COMMENT)


def _judge(text: str) -> float:
    if not isinstance(next(_positions(text), None), Read):
        return 0.0
    line = next(
        line for _, line in othello.numbered_lines(text) if line and not line.startswith(COMMENT)
    )
    return 0.97 if ";" in line.partition(COMMENT)[0] else 0.1


FORMAT = Format(
    name="obf",
    summary="Othello positions with the scores of their moves (Edax)",
    games=(GAME.name,),
    suffixes=(".obf",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_positions, "lines of a board, X or O, and scores such as G8:+18;"),
    write=othello.writer(othello.require_position, TITLE, _write_line),
)
