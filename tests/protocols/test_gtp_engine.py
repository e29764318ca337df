"""Plyground behind GTP: every command, every game, passes in every way, and any bytes at all."""

from __future__ import annotations

import io
import queue
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE_S, until

from plyground import __version__
from plyground.games.catalogue import games
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.games.double_card import GAME as DOUBLE_CARD
from plyground.games.kalah import GAME as KALAH
from plyground.games.mnk import GAME as MNK
from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over, side
from plyground.games.spec import GameSpec
from plyground.kernel import plain_python
from plyground.players.catalogue import canonical, make_player
from plyground.players.pondering import Pondering
from plyground.players.spec import Choice, Forfeit, Player, Turn
from plyground.protocols import conversation
from plyground.protocols.conversation import Conversation, Line, read_lines
from plyground.protocols.gtp_engine import (
    Clock,
    GtpEngine,
    TimeSettings,
    format_answer,
    parse_command,
    read_sgf,
)

# Aubrey de Grey - Ben Pridmore, Cambridge Christmas 2005, 31-33: black passes twice, white thrice.
FIVE_PASSES = (
    "f5d6c3d3c4f4e6f6e3c5g4g3g5f3g6e2b6b5c2d2c1d1h3b4f7h4h5f8d7h7"
    "e7c8e1f1f2b1h6h2e8g1g8a7a3a4a6c7b3c6b7b8g2a2b2a5a1g7h1h8d8a8"
)
COLOURS = ("black", "white")
every_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)


# ------------------------------------------------------------------ tools


def engine(game: GameSpec = OTHELLO, player: str | None = "first", **chosen: str) -> GtpEngine:
    return GtpEngine(game, game.settings(chosen), player, seed=1)


def talk(partner: GtpEngine, *lines: str | bytes) -> list[str]:
    """What a partner answers to lines that all come at once."""
    said: list[str] = []
    data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    Conversation(partner, io.BytesIO(data).read, said.append).run()
    return said


def ask(partner: GtpEngine, *lines: str) -> list[str]:
    """The bodies of the answers, none of which may be an error; the partner stays as it is."""
    said: list[str] = []
    for line in lines:
        assert partner.obey(Line(line), said.append)
    assert [answer[0] for answer in said] == ["="] * len(lines), said
    return [answer[1:].strip() for answer in said]


def refusal(partner: GtpEngine, line: str) -> str:
    said: list[str] = []
    assert partner.obey(Line(line), said.append)
    assert said[0].startswith("? ") and said[0].endswith("\n"), said
    return said[0][2:-1]


@pytest.fixture
def othello() -> Iterator[GtpEngine]:
    made = engine()
    yield made
    made.close()


def transcript(moves: str) -> list[tuple[str, str, State]]:
    """Colour, name and state before each move of an Othello game, passes included."""
    start = OTHELLO.initial()
    found, state = [], start
    for move in OTHELLO.parse_moves(start, moves):
        found.append((COLOURS[side(state)], OTHELLO.format_move(state, move), state))
        state = OTHELLO.replay(state, [move])
    return found


# ------------------------------------------------------------------ lines and answers


def test_an_answer_carries_the_number_of_its_command() -> None:
    assert talk(engine(), "7 name", "0042 protocol_version", "name") == [
        "=7 Plyground\n",
        "=0042 2\n",
        "= Plyground\n",
    ]


def test_comments_control_characters_and_empty_lines_do_not_count() -> None:
    lines = [
        "# a comment",
        "",
        "   ",
        "\x01\x02\x7f",
        "na\x00me # comment",
        "\tname\r",
        "  3\tname",
    ]
    assert talk(engine(), *lines) == ["= Plyground\n", "= Plyground\n", "=3 Plyground\n"]


def test_what_is_not_known_is_an_error() -> None:
    assert talk(engine(), "hello", "5 hello world", "9") == [
        "? unknown command\n",
        "?5 unknown command\n",
        "?9 unknown command\n",
    ]


def test_a_line_without_end_is_obeyed_at_the_end_of_input() -> None:
    said: list[str] = []
    Conversation(engine(), io.BytesIO(b"name").read, said.append).run()
    assert said == ["= Plyground\n"]


def test_quit_is_answered_and_the_last() -> None:
    assert talk(engine(), "quit", "name") == ["=\n"]


def test_a_line_that_is_too_long_is_refused_and_the_next_is_not() -> None:
    assert talk(engine(), "name " + "x" * 200_000, "name") == [
        "? the line is too long\n",
        "= Plyground\n",
    ]


def test_a_command_is_parsed_into_number_name_and_arguments() -> None:
    command = parse_command("12 play  B  F5")
    assert command and (command.number, command.name) == ("12", "play")
    assert command.arguments == ("B", "F5")
    assert parse_command("#7 name") is None


def test_an_answer_has_no_empty_line_before_its_end() -> None:
    assert format_answer(True, "1", "a\n\n b \n") == "=1 a\n b\n"
    assert format_answer(False, "", "two\nlines") == "? two lines\n"


def test_administration(othello: GtpEngine) -> None:
    assert ask(othello, "protocol_version", "name", "version") == ["2", "Plyground", __version__]
    listed = ask(othello, "list_commands")[0].split()
    assert {"play", "genmove", "quit", "gogui-rules_board", "loadsgf"} <= set(listed)
    assert ask(othello, *[f"known_command {name}" for name in listed]) == ["true"] * len(listed)
    assert ask(othello, "known_command boast", "known_command", "komi 6.5") == [
        "false",
        "false",
        "",
    ]


# ------------------------------------------------------------------ moves


def test_a_played_move_is_on_the_board(othello: GtpEngine) -> None:
    assert ask(othello, "play black F5", "showboard")[1].splitlines() == [
        "a b c d e f g h",
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . . . . . . .",
        "4 . . . O X . . .",
        "5 . . . X X X . .",
        "6 . . . . . . . .",
        "7 . . . . . . . .",
        "8 . . . . . . . .",
        "white to move",
    ]


def test_genmove_plays_and_reg_genmove_does_not(othello: GtpEngine) -> None:
    assert ask(othello, "reg_genmove b", "reg_genmove black", "genmove B") == ["d3"] * 3
    assert "white is to move" in refusal(othello, "genmove b")
    assert ask(othello, "genmove w") == ["c3"]


def test_undo_takes_back_one_move(othello: GtpEngine) -> None:
    ask(othello, "play b f5", "play w d6", "undo")
    assert "f5 is illegal" in refusal(othello, "play w f5")
    ask(othello, "play w f6", "undo", "undo", "play b d3", "undo")
    assert refusal(othello, "undo") == "cannot undo: nothing has been played"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("play b a1", "a1 is illegal: it turns no disc over (legal: d3, c4, f5, e6)"),
        ("play w f5", "wrong colour: black is to move"),
        ("play b pass", "pass is illegal: a side that has a move may not pass"),
        ("play b z9", "column 'z' is off the board; expected a to h"),
        ("play b", "expected a colour and a move, as in play black f5"),
        ("play", "expected a colour and a move, as in play black f5"),
        ("play red f5", "expected a colour, black or white"),
        ("genmove", "expected a colour, black or white"),
        ("reg_genmove red", "expected a colour, black or white"),
        ("final_score", "cannot score: the game is not over"),
        ("time_settings 1 2", "expected main time, period and stones, as in 300 30 5"),
        ("time_settings 1 x 2", "'x' is not a time; expected seconds"),
        ("time_settings nan 0 0", "'nan' is not a time; expected seconds"),
        ("time_settings -1 0 0", "'-1' is not a time; expected seconds"),
        ("time_left b 1e400 0", "'1e400' is not a time; expected seconds"),
        ("time_left b 5 -1", "'-1' is not a number; expected a whole one"),
        ("time_left b 5", "expected colour, time and stones, as in black 12 0"),
        ("set_game chess", "unknown game 'chess'; known: connect4"),
        ("plyground-setup 6", "expected NAME=VALUE, as in size=6, and position=TEXT at the end"),
        ("plyground-setup sise=6", "unknown parameter of othello 'sise'; did you mean size?"),
        ("plyground-setup size=7", "size=7: expected 4, 6, 8, 10"),
        ("plyground-setup size=6 position=XO", "the board has 2 cells; expected 36"),
        ("loadsgf", "cannot load file"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    othello: GtpEngine, line: str, complaint: str
) -> None:
    before = ask(othello, "showboard")
    assert refusal(othello, line).startswith(complaint)
    assert ask(othello, "showboard") == before


# ------------------------------------------------------------------ passes


def test_a_game_with_all_its_passes_told(othello: GtpEngine) -> None:
    moves = transcript(FIVE_PASSES)
    assert [name for _, name, _ in moves].count("pass") == 5
    ask(othello, *[f"play {colour} {name}" for colour, name, _ in moves])
    assert ask(othello, "final_score") == ["W+2"]


def test_a_game_with_no_pass_told(othello: GtpEngine) -> None:
    moves = [each for each in transcript(FIVE_PASSES) if each[1] != "pass"]
    ask(othello, *[f"play {colour} {name}" for colour, name, _ in moves])
    assert ask(othello, "final_score") == ["W+2"]


def test_undo_takes_back_a_pass_that_was_filled_in(othello: GtpEngine) -> None:
    moves = transcript(FIVE_PASSES)
    place = [name for _, name, _ in moves].index("pass")
    ask(othello, *[f"play {colour} {name}" for colour, name, _ in moves[:place]])
    before = ask(othello, "showboard")
    colour, name, _ = moves[place + 1]
    ask(othello, f"play {colour} {name}", "undo")
    assert ask(othello, "showboard") == before
    ask(othello, f"play {moves[place][0]} pass", f"play {colour} {name}", "undo", "undo")
    assert ask(othello, "showboard") == before


def test_genmove_answers_pass_and_fills_in_the_pass_of_the_other(othello: GtpEngine) -> None:
    moves = transcript(FIVE_PASSES)
    place = [name for _, name, _ in moves].index("pass")
    passer, other = moves[place][0], moves[place + 1][0]
    assert passer != other
    ask(othello, *[f"play {colour} {name}" for colour, name, _ in moves[:place]])
    after = moves[place + 1][2]
    first = OTHELLO.format_move(after, OTHELLO.legal(after)[0])
    assert ask(othello, f"reg_genmove {passer}", f"reg_genmove {other}") == ["pass", first]
    assert ask(othello, f"genmove {other}", "undo") == [first, ""]
    assert ask(othello, f"genmove {passer}", f"genmove {other}") == ["pass", first]


def test_after_the_end_both_sides_pass(othello: GtpEngine) -> None:
    moves = transcript(FIVE_PASSES)
    ask(othello, *[f"play {colour} {name}" for colour, name, _ in moves])
    assert ask(othello, "reg_genmove b", "genmove b", "play w pass", "genmove w") == [
        *("pass", "pass", ""),
        "pass",
    ]
    assert ask(othello, "final_score", "undo", "undo", "undo", "final_score")[-1] == "W+2"
    ask(othello, "undo")
    assert refusal(othello, "final_score") == "cannot score: the game is not over"


# ------------------------------------------------------------------ every game


@every_game
def test_a_whole_game_of_every_kind(game: GameSpec) -> None:
    """Each move is read back as it was written, and the result is the game's own."""
    start, partner, mirror = game.initial(), engine(game, "random"), engine(game)
    state = start
    while not is_over(state):
        colour = COLOURS[side(state)]
        written = ask(partner, f"genmove {colour}")[0]
        assert " " not in written
        ask(mirror, f"play {colour} {written}")
        state = game.replay(state, [game.parse_move(state, written.replace("_", " "))])
    result = game.first_player_outcome(state) or 0
    expected = f"{'BW'[result < 0]}+{abs(result)}" if result else "0"
    for each in (partner, mirror):
        assert ask(each, "final_score") == [expected]
        assert ask(each, "showboard")[0].endswith("the game is over")
        each.close()


@every_game
def test_every_game_can_be_chosen_by_its_names(game: GameSpec, othello: GtpEngine) -> None:
    for name in (game.name, game.title, game.name.upper(), *game.aliases):
        ask(othello, f"set_game {name}")
        assert ask(othello, "gogui-rules_game_id") == [game.name.replace("-", "").capitalize()]
    assert game.name.capitalize() in ask(othello, "list_games")[0].splitlines()


def test_setting_the_same_game_again_keeps_its_settings_and_clears_the_board() -> None:
    partner = engine(size="6")
    ask(partner, "genmove b", "set_game Othello", "play black e4")
    assert len(ask(partner, "showboard")[0].splitlines()) == 8
    partner.close()


@every_game
def test_a_game_begins_with_any_settings_and_anywhere(game: GameSpec) -> None:
    partner = engine(game)
    for ready in game.ready_positions:
        wanted = BasePosition.begin(game, ready.settings, ready.position, ready.moves)
        words = [f"{name}={value}" for name, value in ready.settings.items()]
        ask(partner, " ".join(["plyground-setup", *words, f"position={wanted.text}"]))
        assert partner._position == wanted and partner._position.settings == wanted.settings
        assert "cannot undo" in refusal(partner, "undo")
        ask(partner, "clear_board")
        assert partner._position.state == game.initial(**wanted.settings)
    partner.close()


def test_what_a_setup_does_not_name_is_as_usual() -> None:
    partner = engine(KALAH, seeds="6")
    ask(partner, "play b 1", "plyground-setup pits=3")
    assert partner._position.settings == {"pits": 3, "seeds": 4, "captures": True}
    ask(partner, "plyground-setup")
    assert partner._position == BasePosition.begin(KALAH)
    partner.close()


def test_the_game_it_was_started_with_is_known_by_its_name() -> None:
    mine = replace(KALAH, name="my-kalah", title="My Kalah", aliases=())
    partner = engine(mine)
    assert "My-kalah" in ask(partner, "list_games")[0].splitlines()
    for name, game in (("kalah", KALAH), ("my-kalah", mine)):
        ask(partner, f"set_game {name}")
        assert partner._position.game is game
    partner.close()


def test_moves_may_have_underscores_of_their_own() -> None:
    named = replace(MNK, name="named", read_move=None, write_move=lambda _, move: f"mark_it {move}")
    partner = engine(named)
    assert ask(partner, "genmove b", "play w mark_it_3", "genmove b") == [
        "mark_it_0",
        "",
        "mark_it_1",
    ]
    partner.close()


def test_a_player_that_does_not_fit_a_game_leaves_the_old_one() -> None:
    with plain_python():
        partner = engine(OTHELLO, "alphabeta:depth=1,eval=stages")
        assert "stages" in refusal(partner, "set_game kalah")
        ask(partner, "play b f5", "genmove w")
        partner.close()


def test_files_are_no_games_to_choose(othello: GtpEngine) -> None:
    assert "unknown game" in refusal(othello, "set_game examples/nim.py")
    assert "unknown game" in refusal(othello, "set_game plyground.games.kalah")


def test_moves_with_spaces_are_written_with_underscores() -> None:
    partner = engine(DOUBLE_CARD)
    assert re.fullmatch(r"0_[1-8]_[A-H]_\d+", ask(partner, "genmove b")[0])
    ask(partner, "play w 0_1_G_1", "play b 0 1 E 1")
    partner.close()


def test_the_same_side_may_move_again_where_the_rules_say_so() -> None:
    partner = engine(KALAH)
    ask(partner, "play b 3", "play b 6")
    assert refusal(partner, "play b 1") == "wrong colour: white is to move"
    assert "no size" in refusal(partner, "boardsize 8")
    partner.close()


@pytest.mark.parametrize(
    ("game", "line", "size"),
    [
        (OTHELLO, "boardsize 6", (6, 6)),
        (OTHELLO, "boardsize 10", (10, 10)),
        (CONNECT_FOUR, "boardsize 7", (7, 6)),
        (CONNECT_FOUR, "boardsize 5 9", (5, 9)),
        (CONNECT_FOUR, "boardsize 6", (6, 6)),
        (MNK, "boardsize 8", (8, 8)),
        (MNK, "boardsize 3", (3, 3)),
        (DOUBLE_CARD, "boardsize 6 8", (6, 8)),
        (DOUBLE_CARD, "boardsize 12", (8, 12)),
    ],
)
def test_a_size_is_set(game: GameSpec, line: str, size: tuple[int, int]) -> None:
    partner = engine(game)
    ask(partner, "genmove b", line)
    board = partner._position.board
    assert (board.columns, board.rows) == size
    assert "cannot undo" in refusal(partner, "undo")
    partner.close()


@pytest.mark.parametrize("size", ["", "7", "x", "8 6", "-8", "99999999999999999999", "8 8 8"])
def test_sizes_that_there_are_not(othello: GtpEngine, size: str) -> None:
    assert refusal(othello, f"boardsize {size}").startswith("unacceptable size: ")


def test_clear_board_begins_again(othello: GtpEngine) -> None:
    ask(othello, "play b f5", "clear_board", "play b d3")


# ------------------------------------------------------------------ GoGui


def test_gogui_sees_the_board_with_the_names_that_othello_has(othello: GtpEngine) -> None:
    """Its rows count from below: the eighth of ours is its uppermost."""
    ask(othello, "play b f5")
    assert ask(othello, "gogui-rules_board_size", "gogui-rules_side_to_move") == ["8", "white"]
    assert ask(othello, "gogui-rules_board")[0].splitlines()[3] == ". . . X X X . ."
    assert ask(othello, "gogui-rules_legal_moves") == ["F4 D6 F6"]
    assert ask(othello, "play w F6", "genmove b", "undo") == ["", "D3", ""]
    assert refusal(othello, "play b A1") == "A1 is illegal"


def test_gogui_leaves_out_the_letter_i() -> None:
    partner, state = engine(player="random", size="10"), OTHELLO.initial(size=10)
    names: list[str] = []
    while not any(name.startswith("i") for name in names):
        move = OTHELLO.parse_move(state, ask(partner, f"genmove {COLOURS[side(state)]}")[0])
        state = OTHELLO.replay(state, [move])
        names = [OTHELLO.format_move(state, move) for move in OTHELLO.legal(state)]
    points = ask(partner, "gogui-rules_legal_moves")[0].split()
    shifted = {"i": "J", "j": "K"}
    assert points == [shifted.get(name[0], name[0].upper()) + name[1:] for name in names]
    place = next(i for i, name in enumerate(names) if name.startswith("i"))
    ask(partner, f"play {COLOURS[side(state)]} {points[place]}")
    assert partner._position.codes[-1] == OTHELLO.parse_move(state, names[place])
    partner.close()


def test_gogui_drops_stones_at_points_on_a_square() -> None:
    partner = engine(CONNECT_FOUR)
    assert ask(partner, "gogui-rules_legal_moves") == ["A1 B1 C1 D1 E1 F1 G1"]
    assert ask(partner, "play b D1", "genmove w", "play b D2", "gogui-rules_board_size") == [
        *("", "A1", ""),
        "7",
    ]
    assert ask(partner, "gogui-rules_board")[0].splitlines() == [
        "? ? ? ? ? ? ?",
        *[". . . . . . ."] * 4,
        ". . . X . . .",
        "O . . X . . .",
    ]
    ask(partner, "boardsize 7", "play b 4")
    partner.close()


def test_gogui_hears_who_has_won() -> None:
    partner = engine(CONNECT_FOUR)
    ask(partner, *[f"play {'bw'[i & 1]} {m}" for i, m in enumerate("1213141")])
    assert ask(partner, "gogui-rules_final_result", "gogui-rules_legal_moves") == [
        "Black (Yellow) wins.",
        "",
    ]
    assert refusal(partner, "genmove w") == "the game is over"
    ask(partner, "set_game Othello")
    moves = transcript(FIVE_PASSES)
    ask(partner, *[f"play {colour} {name}" for colour, name, _ in moves])
    assert ask(partner, "gogui-rules_final_result") == ["White wins by 2."]
    partner.close()


def test_a_draw_is_called_one() -> None:
    partner = engine(MNK)
    marks = ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]
    ask(partner, *[f"play {'bw'[i & 1]} {m}" for i, m in enumerate(marks)])
    assert ask(partner, "final_score", "gogui-rules_final_result") == ["0", "A draw."]
    partner.close()


def test_gogui_is_told_what_it_cannot_draw(othello: GtpEngine) -> None:
    ask(othello, "set_game kalah", "gogui-rules_side_to_move")
    assert "grid" in refusal(othello, "gogui-rules_board")
    assert ask(othello, "gogui-rules_legal_moves") == ["1 2 3 4 5 6"]
    for line in ask(othello, "gogui-analyze_commands")[0].splitlines():
        kind, _, command = line.split("/")
        assert kind in ("plist", "string")
        assert ask(othello, f"known_command {command}") == ["true"]


# ------------------------------------------------------------------ files


def test_a_game_is_loaded_from_a_file(othello: GtpEngine, tmp_path: Path) -> None:
    moves = [each for each in transcript(FIVE_PASSES) if each[1] != "pass"]
    nodes = "".join(f";{colour[0].upper()}[{name}]" for colour, name, _ in moves)
    path = tmp_path / "a game.sgf"
    path.write_text(f"(;GM[2]FF[4]SZ[8]PB[A \\] B]C[(not;B[a1\\])]{nodes})")
    ask(othello, f"loadsgf {path}")
    assert ask(othello, "final_score") == ["W+2"]
    ask(othello, f"loadsgf {path} 3", "play b c3")
    ask(othello, f"loadsgf {path} 1", "play b d3")


def test_only_the_first_branch_of_a_file_counts() -> None:
    text = "(;GM[2];B[f5];W[d6](;B[c3](;W[d3])(;W[a1]))(;B[c4]))"
    assert [move.move for move in read_sgf(text.encode()).moves] == ["f5", "d6", "c3", "d3"]


def test_a_file_brings_its_size(othello: GtpEngine, tmp_path: Path) -> None:
    path = tmp_path / "small.sgf"
    path.write_text("(;GM[2]SZ[4];B[d3];W[d2])")
    ask(othello, f"loadsgf {path}")
    assert ask(othello, "showboard")[0].splitlines()[2:4] == ["2 . O O O", "3 . X X X"]


def test_a_file_may_begin_anywhere_and_a_new_game_does_not(
    othello: GtpEngine, tmp_path: Path
) -> None:
    path = tmp_path / "position.sgf"
    path.write_text("(;GM[2]AB[e4][d5][a1]AW[d4][e5][b1]PL[W];W[f4];B[c1])")
    ask(othello, f"loadsgf {path}")
    assert ask(othello, "showboard")[0].splitlines()[1] == "1 X X X . . . . ."
    ask(othello, "undo", "undo")
    assert ask(othello, "showboard")[0].splitlines()[1] == "1 X O . . . . . ."
    ask(othello, "clear_board", "play b f5")


@pytest.mark.parametrize(
    "text",
    ["", "hello", "(;GM[1];B[aa])", "(;GM[2];B[d3];AB[c3])", "(;GM[2];B[a1])", "(;GM[2]SZ[7])"],
)
def test_files_that_are_no_game_change_nothing(
    othello: GtpEngine, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "wrong.sgf"
    path.write_text(text)
    ask(othello, "play b f5")
    before = ask(othello, "showboard")
    refusal(othello, f"loadsgf {path}")
    refusal(othello, f"loadsgf {tmp_path}")
    assert ask(othello, "showboard") == before
    ask(othello, "set_game kalah")
    assert "Othello" in refusal(othello, f"loadsgf {path}")


# ------------------------------------------------------------------ time


def test_main_time_is_shared_by_the_moves_that_are_likely_left() -> None:
    clock, start = Clock(TimeSettings(310, 0, 0)), OTHELLO.initial()
    assert clock.for_move(start) == 10  # thirty of the sixty squares are ours, and one is spare
    clock.spend(62)
    assert clock.for_move(start) == 8
    clock.spend(10_000)
    assert 0 < clock.for_move(start) < 0.1
    assert Clock(TimeSettings(63, 0, 0)).for_move(KALAH.initial()) == 3
    last = OTHELLO.parse_position(start, "XO" * 31 + "X-X")
    assert Clock(TimeSettings(60, 0, 0)).for_move(last) == 30  # never all of it


def test_a_period_is_shared_by_its_stones_and_begins_again() -> None:
    clock, start = Clock(TimeSettings(0, 30, 5)), OTHELLO.initial()
    assert clock.for_move(start) == 6
    clock.spend(10)
    assert clock.for_move(start) == 5
    for _ in range(4):
        clock.spend(1)
    assert clock.for_move(start) == 6


def test_periods_follow_the_main_time() -> None:
    clock, start = Clock(TimeSettings(10, 30, 5)), OTHELLO.initial()
    assert clock.for_move(start) == 6  # more than a thirtieth of ten seconds
    clock.spend(15)
    assert (clock.left_s, clock.stones) == (25, 5)


class Recorder(Player):
    """Plays the first legal move and remembers what it was asked."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.begun = 0

    def begin(self) -> None:
        self.begun += 1

    def choose(self, turn: Turn) -> Choice:
        self.turns.append(turn)
        return Choice(turn.legal[0])


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    made = Recorder()
    monkeypatch.setattr(conversation, "make_machine", lambda *_: made)
    return made


def test_the_player_is_told_its_time(recorder: Recorder) -> None:
    partner = engine()
    ask(partner, "genmove b", "time_settings 310 0 0", "genmove w", "time_left b 60 0", "genmove b")
    ask(partner, "time_left w 20 4", "genmove w", "time_settings 0 30 0", "genmove b")
    times = [turn.time_s for turn in recorder.turns]
    assert times[0] is times[4] is None
    assert times[1] and 10 <= times[1] < 11
    assert times[2] and 1.9 <= times[2] < 2.1
    assert times[3] == 5


def test_the_player_is_told_how_the_position_came_about(recorder: Recorder) -> None:
    partner = engine()
    moves = transcript(FIVE_PASSES)
    place = [name for _, name, _ in moves].index("pass")
    ask(partner, *[f"play {colour} {name}" for colour, name, _ in moves[:place]])
    ask(partner, f"genmove {moves[place + 1][0]}", "clear_board", "genmove b")
    turn, begun = recorder.turns
    assert turn.position.codes == tuple(
        OTHELLO.parse_moves(turn.position.start, FIVE_PASSES)[: place + 1]
    )
    assert OTHELLO.replay(turn.position.start, turn.position.codes) == turn.state
    assert recorder.begun == 1 and begun.position.codes == ()


def test_a_seed_makes_chance_repeatable_and_none_does_not() -> None:
    def game(seed: int | None) -> list[str]:
        partner = GtpEngine(OTHELLO, {"size": 8}, "random", seed)
        lines = [f"genmove {COLOURS[i & 1]}" for i in range(8)]
        played = [answer for _ in range(3) for answer in ask(partner, "clear_board", *lines)]
        partner.close()
        return played

    assert game(3) == game(3)
    assert game(None) != game(None)


# ------------------------------------------------------------------ players


class Quitter(Player):
    def choose(self, turn: Turn) -> Choice:
        raise Forfeit("has had enough")


class Broken(Player):
    def choose(self, turn: Turn) -> Choice:
        raise ZeroDivisionError("of all things")


@pytest.mark.parametrize(("player", "words"), [(Quitter(), "enough"), (Broken(), "all things")])
def test_a_player_that_fails_is_an_error_and_not_the_end(
    monkeypatch: pytest.MonkeyPatch, player: Player, words: str
) -> None:
    monkeypatch.setattr(conversation, "make_machine", lambda *_: player)
    said = talk(engine(), "genmove b", "name")
    assert said[0].startswith("? ") and words in said[0]
    assert said[1] == "= Plyground\n"


@every_game
def test_the_default_player_is_the_best_level_without_its_limits(game: GameSpec) -> None:
    text = conversation.unlimited_expert(game)
    assert canonical(text) == text
    assert not {"depth", "nodes", "time"} & set(text.options)
    assert make_player(text, game, game.initial())


def test_the_engine_plays_what_its_player_plays() -> None:
    text, start = "alphabeta:depth=2", OTHELLO.initial(size=4)
    inside = make_player(text, OTHELLO, start)
    state, moves = start, ()
    with plain_python():
        partner = engine(player=text, size="4")
        while not is_over(state):
            move = inside.choose(Turn(BasePosition.at(OTHELLO, {}, start, moves))).move
            name = OTHELLO.format_move(state, move)
            assert ask(partner, f"genmove {COLOURS[side(state)]}") == [name]
            state, moves = OTHELLO.replay(state, [move]), (*moves, move)
        partner.close()
    assert len(moves) > 8


def test_a_limit_below_one_ply_still_searches_that_ply() -> None:
    with plain_python():
        partner = engine(CONNECT_FOUR, "alphabeta:nodes=1")
        searched = engine(CONNECT_FOUR, "alphabeta:depth=1")
        lines = ("genmove b", "genmove w", "genmove b")
        assert ask(partner, *lines) == ask(searched, *lines) != ["1", "1", "1"]
        partner.close()
        searched.close()


def test_a_player_may_ponder_between_commands() -> None:
    with plain_python():
        partner = engine(player="alphabeta:depth=2,ponder=yes")
        plain = engine(player="alphabeta:depth=2")
        lines = ("genmove b", "play w c3", "genmove b")
        assert ask(partner, *lines) == ask(plain, *lines)
        partner.close()
        plain.close()
    player = partner._thinker.player
    assert isinstance(player, Pondering) and player.hits + player.misses == 1


# ------------------------------------------------------------------ stopping


class Client:
    """Somebody who waits for answers, and says more while the engine thinks."""

    def __init__(self, partner: GtpEngine) -> None:
        self._input: queue.Queue[bytes] = queue.Queue()
        self._said: queue.Queue[str] = queue.Queue()
        talking = Conversation(partner, lambda _: self._input.get(), self._said.put)
        self._thread = threading.Thread(target=talking.run)
        self._thread.start()

    def send(self, line: str) -> None:
        self._input.put(line.encode() + b"\n")

    def hear(self) -> str:
        return self._said.get(timeout=PATIENCE_S)

    def leave(self) -> None:
        self._input.put(b"")
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.mark.parametrize("player", ["alphabeta:depth=40", "alphabeta:nodes=1G,ponder=yes", "uct"])
def test_an_interrupt_stops_the_search_and_gets_a_move(player: str) -> None:
    with plain_python():
        partner = engine(player=player)
        client = Client(partner)
        client.send("time_settings 360000 0 0")
        assert client.hear() == "=\n"
        for colour in COLOURS:
            client.send(f"genmove {colour}")
            until(lambda: len(partner.stopper._flags) > 0)
            client.send("# interrupt")
            assert re.fullmatch(r"= [a-h][1-8]\n", client.hear())
        client.send("genmove black")
        client.send("# interrupt")
        assert re.fullmatch(r"= [a-h][1-8]\n", client.hear())
        client.send("# interrupt")
        client.send("name")
        assert client.hear() == "= Plyground\n"
        client.leave()


def test_a_long_script_is_not_searched_for_an_interrupt_at_each_of_its_lines() -> None:
    class Counting(GtpEngine):
        asked = 0

        def stops(self, line: Line, later: Line | None) -> bool:
            self.asked += 1
            return super().stops(line, later)

    partner = Counting(OTHELLO, {"size": 4}, "first", seed=1)
    assert talk(partner, *["name"] * 3000) == ["= Plyground\n"] * 3000
    assert partner.asked <= 3001  # once for each line that comes, and for the end


def test_other_commands_wait_until_the_search_has_ended() -> None:
    with plain_python():
        said = talk(engine(player="alphabeta:depth=3"), "1 genmove b", "2 name", "3 quit")
        inside = make_player("alphabeta:depth=3", OTHELLO, OTHELLO.initial())
        start = OTHELLO.initial()
        move = inside.choose(Turn(BasePosition.at(OTHELLO, {}, start))).move
    assert said == [f"=1 {OTHELLO.format_move(start, move)}\n", "=2 Plyground\n", "=3\n"]


# ------------------------------------------------------------------ any bytes

WORDS = st.sampled_from(
    [
        "play",
        "genmove",
        "reg_genmove",
        "undo",
        "boardsize",
        "clear_board",
        "set_game",
        "plyground-setup",
        "size=6",
        "m=5",
        "position=",
        "time_settings",
        "time_left",
        "komi",
        "b",
        "w",
        "black",
        "white",
        "f5",
        "d6",
        "pass",
        "4",
        "6",
        "8",
        "1",
        "0",
        "-1",
        "1e9",
        "nan",
        "othello",
        "kalah",
        "connect4",
        "mnk",
        "double-card",
        "synthetic",
        "loadsgf",
        "showboard",
        "final_score",
        "list_games",
        "gogui-rules_board",
        "gogui-rules_legal_moves",
        "gogui-rules_board_size",
        "gogui-rules_final_result",
        "known_command",
        "#",
        "/",
        "_",
        "0_1_A_1",
        "é",
        "\x00",
        "\x85",
    ]
)
LINES = st.lists(st.lists(WORDS, max_size=4).map(" ".join), max_size=12).map("\n".join)
BYTES = st.binary(max_size=200) | LINES.map(str.encode) | LINES.map(lambda t: t.encode("utf-16"))


def check_any_bytes(data: bytes) -> None:
    """As many answers as commands, of the right form."""
    said: list[str] = []
    Conversation(engine(size="4"), io.BytesIO(data).read, said.append).run()
    commands = [parse_command(line.text) for line in read_lines(io.BytesIO(data).read)]
    names = [command.name for command in commands if command]
    expected = names.index("quit") + 1 if "quit" in names else len(names)
    assert len(said) == expected
    for answer in said:
        assert re.fullmatch(r"[=?][0-9]*( [^\n]+(\n[^\n]+)*)?\n", answer), answer
        assert ".py:" not in answer  # an error of ours


@settings(max_examples=60)
@given(BYTES)
def test_any_bytes_get_an_answer(data: bytes) -> None:
    check_any_bytes(data)


@pytest.mark.full
@settings(max_examples=20_000)
@given(BYTES)
def test_very_many_bytes_get_an_answer(data: bytes) -> None:
    check_any_bytes(data)
