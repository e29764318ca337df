"""What the Othello formats share: playing games through, results, dates, bytes of any kind."""

from __future__ import annotations

import pytest
from othello_format_tools import START, WHOLE, texts

from plyground.core.errors import IllegalMove, MalformedText, Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.othello_records import (
    BEGINNING,
    UNKNOWN,
    Replay,
    Result,
    first_state,
    numbered_lines,
    parse_date,
    reader,
    recogniser,
    require_game,
    require_position,
    require_size,
    start_of,
    text_of,
)
from plyground.formats.spec import Rejected
from plyground.games.othello import GAME

# Black has taken everything near the corner and white cannot move: black c1 ends the game.
PASSING = "XO--" + "----" * 3


def replayed(moves: str, start: str | None = None, size: int = 8) -> Replay:
    first = start_of(size)
    replay = Replay(first if start is None else GAME.parse_position(first, start))
    for token in GAME.split_moves(moves):
        replay.play(token)
    return replay


# ------------------------------------------------------------------ playing a game through


def test_a_pass_that_is_not_written_is_put_in_with_the_side_that_passed():
    record = replayed("c1", f"{PASSING} O", size=4).record()
    assert [(move.move, move.side) for move in record.moves] == [("pass", 1), ("c1", 0)]
    assert (record.outcome, record.points, record.ended) == (16, 1.0, "over")


@pytest.mark.parametrize("spelling", ["pa", "PA", "pass", "ps", "--", "@@", "@@@@"])
def test_a_pass_may_be_spelled_in_any_way(spelling):
    replay = replayed("", f"{PASSING} O", size=4)
    replay.play(spelling)
    replay.play("c1")
    assert texts(replay.record()) == "pass c1"


def test_passes_after_the_end_are_ignored():
    assert texts(replayed(f"{WHOLE} pass pass").record()) == texts(replayed(WHOLE).record())


def test_a_pass_of_a_side_that_could_move_is_illegal():
    with pytest.raises(IllegalMove, match=r"^move 2, 'pa': pass is illegal: a side that has a"):
        replayed("f5 pa")


def test_an_illegal_move_is_told_with_its_number_and_the_rule():
    with pytest.raises(IllegalMove, match=r"^move 3, 'f5': f5 is illegal: the square is taken"):
        replayed("f5 d6 f5")
    with pytest.raises(MalformedText, match=r"^move 2, 'z9': column 'z' is off the board"):
        replayed("f5 z9")


def test_a_move_of_the_side_that_is_not_to_move_is_illegal():
    replay = Replay(start_of(8))
    with pytest.raises(IllegalMove, match=r"^move 1, 'f5': it is Black's turn$"):
        replay.play("f5", 1)
    over = replayed(WHOLE)
    with pytest.raises(IllegalMove, match=r"^move 61, 'f5': the game is over$"):
        over.play("f5", 1)


def test_a_copy_goes_its_own_way():
    trunk = replayed("f5")
    branch = trunk.copy()
    branch.play("d6")
    trunk.play("f6")
    assert (texts(trunk.record()), texts(branch.record())) == ("f5 f6", "f5 d6")


def test_only_an_unusual_start_is_told():
    assert replayed("f5", START).record().position is None
    elsewhere = START.replace("X", "O", 1).replace("OO------XO", "OX------OX")
    assert replayed("", elsewhere).record().position == elsewhere
    assert replayed("", size=6).record().settings == {"size": 6}


# ------------------------------------------------------------------ results


def test_the_board_has_the_last_word_and_what_contradicts_it_is_kept():
    replay = replayed(WHOLE)
    for told in (UNKNOWN, Result.counted("-4", -4), Result.decided("0-1", 0.0)):
        record = replay.record(told)
        assert (record.points, record.outcome, record.ended) == (0.0, -4, "over")
        assert record.tags == {}
    for told in (
        Result.counted("+4", 4),
        Result.counted("-6", -6),
        Result.decided("1-0", 1.0),
        Result.decided("W+T", 0.0, "time"),
    ):
        record = replay.record(told)
        assert (record.points, record.outcome, record.ended) == (0.0, -4, "over")
        assert record.tags == {"result": told.text}


def test_without_an_end_on_the_board_the_format_is_believed():
    replay = replayed("f5d6")
    record = replay.record(Result.counted("+12:r", 12, "resigned"))
    assert (record.points, record.outcome, record.ended) == (1.0, 12, "resigned")
    record = replay.record(Result.decided("0-1", 0.0))
    assert (record.points, record.outcome, record.ended) == (0.0, None, "over")
    record = replay.record()
    assert (record.points, record.outcome, record.ended) == (None, None, "unfinished")


# ------------------------------------------------------------------ dates


@pytest.mark.parametrize(
    "text, date",
    [
        ("2004.09.18_05:54:38.GMT", "2004-09-18T05:54:38Z"),
        ("2004.09.18_05:54:38.MDT", "2004-09-18"),
        ("2012-11-03 17:20:05 GMT", "2012-11-03T17:20:05Z"),
        ("2012-11-03T17:20:05Z", "2012-11-03T17:20:05Z"),
        ("1099526400", "2004-11-04T00:00:00Z"),
        ("2019.3.7", "2019-03-07"),
        ("2004.??.??", "2004"),
        ("2004.05.??", "2004-05"),
        ("2004.13.01", "2004"),
        ("2004.12.32", "2004-12"),
        ("1996-05-06,07", "1996-05-06"),
        ("????.??.??", ""),
        ("", ""),
        ("12345", ""),
    ],
)
def test_as_much_of_a_date_as_is_told(text, date):
    assert parse_date(text) == date


# ------------------------------------------------------------------ bytes and lines


@pytest.mark.parametrize(
    "data, text",
    [
        (b"f5", "f5"),
        (b"\xef\xbb\xbff5", "f5"),
        ("Zoë".encode(), "Zoë"),
        ("Zoë".encode("latin-1") + b" and more", "Zoë and more"),
        ("f5".encode("utf-16"), "f5"),
        ("Zoë".encode()[:-1], "Zo"),
        (b"", ""),
    ],
)
def test_text_in_the_usual_encodings(data, text):
    assert text_of(data) == text


def test_lines_are_counted_as_people_do():
    assert list(numbered_lines("a\r\n\rb\n c ")) == [(1, "a"), (2, ""), (3, "b"), (4, "c")]
    assert list(numbered_lines("\n \t\n\na\n\n\nb\n")) == [(1, ""), (4, "a"), (5, ""), (7, "b")]
    assert list(numbered_lines("  ")) == [(1, "")]


def test_nothing_at_all_is_rejected_in_words():
    (item,) = reader(lambda text: iter(()), "a game")(b"")
    assert item == Rejected("line 1", "nothing to read; expected a game")


def test_a_line_that_is_cut_is_not_judged():
    seen: list[str] = []
    recognises = recogniser(lambda text: seen.append(text) or 0.5)
    assert recognises(b"first\n" + b"x" * BEGINNING) == 0.5
    assert seen == ["first"]


# ------------------------------------------------------------------ what can be written


def test_what_a_format_cannot_hold_is_said_in_its_name():
    game = GameRecord("othello", ("", ""), [])
    position = PositionRecord("othello", START)
    with pytest.raises(Unsupported, match=r"^GGF holds games, not single positions$"):
        require_game(position, "GGF")
    with pytest.raises(Unsupported, match=r"^OBF holds positions, not games$"):
        require_position(game, "OBF")
    with pytest.raises(Unsupported, match=r"^GGF holds Othello only, not connect4$"):
        require_game(GameRecord("connect4", ("", ""), []), "GGF")
    with pytest.raises(Unsupported, match=r"^OBF holds boards of 8x8 only, not of 6x6$"):
        require_size(start_of(6), "OBF")
    with pytest.raises(Unsupported, match=r"^a board of 5x5; expected 4, 6, 8 or 10"):
        first_state(PositionRecord("othello", "", {"size": 5}))
    assert require_game(game, "GGF") is game
    assert require_position(position, "OBF") is position
