"""`plyground play`: whole sessions, typed into a pipe."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Result, environment, one_line, refusal, run, run_process
from match_tools import engine_that_leaves
from user_games import write_game

from plyground.cli import saved_game
from plyground.kernel import plain_python

TWO_PEOPLE = ("--first", "human", "--second", "human")
TWO_RANDOM = ("--first", "random", "--second", "random")
AGAINST_RANDOM = ("--second", "random", "--seed", "3")
KEPT = "kept; go on with: plyground play --resume\n"


def session(*arguments: str, typed: list[str]) -> Result:
    """A session in which these lines are typed, and then no more."""
    return checked(run("play", *arguments, typed="".join(line + "\n" for line in typed)))


def piped_session(*arguments: str, typed: list[str]) -> Result:
    """The same in a process of its own."""
    return checked(run_process("play", *arguments, typed="".join(line + "\n" for line in typed)))


def checked(result: Result) -> Result:
    assert (result.status, result.err) == (0, "")
    return result


def boards(result: Result) -> list[str]:
    """The boards of a session of tic-tac-toe as nine letters each, the last move in upper case."""
    rows = re.findall(r"^[123] (.*)$", result.out, re.MULTILINE)
    symbols = {"●": "x", "○": "o", "X": "x", "O": "o", "·": "-", "+": "-", ".": "-"}
    cells = [
        symbols[symbol].upper() if bracket == "[" else symbols[symbol]
        for row in rows
        for bracket, symbol in re.findall(r"([ \[])(\S)[ \]]", row)
    ]
    return ["".join(cells[i : i + 9]) for i in range(0, len(cells), 9)]


# ------------------------------------------------------------------ two people


def test_two_people_play_a_whole_game():
    result = piped_session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", "a2", "b2", "a3"])
    assert boards(result) == [
        "---------",
        "X--------",
        "xO-------",
        "xo-X-----",
        "xo-xO----",
        "xo-xo-X--",
    ]
    assert result.out.rstrip().endswith("X wins")


def test_each_side_is_asked_in_turn_by_its_name():
    result = session("othello", *TWO_PEOPLE, typed=["f5", "d6", "q"])
    assert re.findall(r"(\w+), your move", result.out) == ["Black", "White", "Black"]


def test_an_illegal_move_is_explained_and_asked_again():
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1", "a1", "b2", "q"])
    assert "a1 is illegal: the cell is taken" in result.out
    assert boards(result) == ["---------", "X--------", "x---O----"]


def test_nonsense_is_explained_and_asked_again():
    result = session("tictactoe", *TWO_PEOPLE, typed=["hello", "z9", "[bold]", "b2", "q"])
    assert re.search(r"'hello'.* expected .*a1 to c3", result.out)
    assert "column 'z' is off the board; expected a to c" in result.out
    assert re.search(r"'\[bold\]'.* expected", result.out)  # no markup for us
    assert boards(result) == ["---------", "----X----"]


def test_an_empty_line_is_just_asked_again():
    result = session("tictactoe", *TWO_PEOPLE, typed=["", "  ", "b2", "q"])
    assert boards(result) == ["---------", "----X----"]


def test_a_pasted_batch_of_moves_is_played_at_once():
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1 b1 a2", "b2a3"])
    assert boards(result) == ["---------", "xo-X-----", "xo-xo-X--"]
    assert result.out.rstrip().endswith("X wins")


def test_a_batch_with_a_bad_move_changes_nothing_and_names_it():
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1 b1 a1 c3", "b2", "q"])
    assert "move 3, 'a1': a1 is illegal: the cell is taken" in result.out
    assert boards(result) == ["---------", "----X----"]


@pytest.mark.parametrize("word", ["u", "undo", "U"])
def test_undo_takes_one_move_back(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", word, "c1", "q"])
    assert boards(result) == ["---------", "X--------", "xO-------", "X--------", "x-O------"]


def test_undo_at_the_start_says_that_there_is_nothing():
    result = session("tictactoe", *TWO_PEOPLE, typed=["u", "q"])
    assert "there is nothing to take back" in result.out


def test_undo_may_take_back_moves_given_on_the_command_line():
    arguments = ("tictactoe", *TWO_PEOPLE, "--moves", "a1 b1")
    assert boards(session(*arguments, typed=["u", "q"])) == ["xO-------", "X--------"]


@pytest.mark.parametrize("word", ["m", "moves"])
def test_the_legal_moves_are_listed_on_request(word):
    result = session("tictactoe", *TWO_PEOPLE, "--moves", "a1b1c1a2b2c2", typed=[word, "q"])
    assert re.search(r"^a3; b3; c3$", result.out, re.MULTILINE)


def test_a_long_list_of_moves_breaks_between_moves():
    result = session("double-card", *TWO_PEOPLE, typed=["m", "q"])
    moves = re.search(r"^(0 1 A 1;.*?)\nPlayer", result.out, re.DOTALL | re.MULTILINE)[1]
    assert all(re.fullmatch(r"(\d \d [A-H] \d;? ?)+", line) for line in moves.splitlines())
    assert moves.count(";") == 59


@pytest.mark.parametrize("word", ["?", "help"])
def test_help_is_given_on_request(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=[word, "q"])
    for command in ("u, undo", "h, hint", "m, moves", "s FILE", "r, resign", "q, quit"):
        assert re.search(rf"^{command} ", result.out, re.MULTILINE)


@pytest.mark.parametrize("word", ["q", "quit", "exit", " Q "])
def test_quitting_says_goodbye(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=[word])
    assert result.out.endswith("Bye.\n")


def test_quitting_a_game_under_way_says_how_to_go_on():
    assert session("tictactoe", *TWO_PEOPLE, typed=["a1", "q"]).out.endswith(KEPT)


def test_the_end_of_input_ends_the_game():
    result = run_process("play", "tictactoe", *TWO_PEOPLE, typed="a1\n")
    assert (result.status, result.err) == (0, "")
    assert boards(result)[-1] == "X--------"
    assert result.out.endswith(KEPT)


@pytest.mark.parametrize("word", ["r", "resign"])
def test_who_resigns_loses(word):
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1", word])
    assert result.out.endswith("X wins: O resigned\n")


@pytest.mark.parametrize(
    "slip, command", [("hlep", "help"), ("unod", "undo"), ("resing", "resign")]
)
def test_a_slip_gets_the_nearest_command(slip, command):
    result = session("tictactoe", *TWO_PEOPLE, typed=[slip, "q"])
    assert f"unknown command '{slip.split()[0]}'; did you mean {command}?" in result.out


@pytest.mark.parametrize("word", ["h", "hint", "H"])
def test_a_hint_names_a_move_and_marks_it(word):
    """X on a1 and a2, O on b1 and b2: a3 wins at once."""
    with plain_python():
        result = session("tictactoe", *TWO_PEOPLE, "--moves", "a1b1a2b2", typed=[word, "q"])
    assert re.search(r"^hint: a3  win in 1, depth 1, \d+ nodes$", result.out, re.MULTILINE)
    marked = result.out.partition("your move")[2]
    assert re.findall(r"^[123] (.*?) *$", marked, re.MULTILINE) == [
        " X  O  ·",
        " X [O] ·",
        " +  ·  ·",
    ]


def test_a_hint_where_there_is_only_one_move_says_so():
    with plain_python():
        result = session("tictactoe", *TWO_PEOPLE, "--position", "XOX/OOX/-XO", typed=["h", "q"])
    assert "hint: a3  the only move" in result.out


def test_a_hint_tells_the_line_that_is_expected():
    with plain_python():
        result = session("tictactoe", *TWO_PEOPLE, "--moves", "a1b1c1a2", typed=["h", "q"])
    (hinted,) = re.findall(r"hint: (\w\d)", result.out)
    (line,) = re.findall(r"^expected: (.*)$", result.out, re.MULTILINE)
    assert line.split()[0] == hinted
    assert run("show", "tictactoe", "--moves", f"a1b1c1a2 {line}").status == 0


def test_a_game_that_calls_a_move_as_we_call_a_command_is_obeyed(tmp_path):
    letters = 'sample="1",\n    write_move=lambda state, move: "hq"[move - 1],'
    heap = write_game(tmp_path / "heap.py", ('sample="1",', letters))
    result = session(str(heap), *TWO_PEOPLE, typed=["q", "H", "quit"])
    assert re.findall(r"^(\d+) \d", result.out, re.MULTILINE) == ["10", "8", "7"]
    assert result.out.endswith(KEPT)


# ------------------------------------------------------------------ against machines


def test_the_random_player_answers_and_its_move_is_announced():
    result = session("tictactoe", *AGAINST_RANDOM, typed=["b2", "q"])
    (move,) = re.findall(r"^O plays (\w\d)$", result.out, re.MULTILINE)
    cell = "abc".index(move[0]) + 3 * (int(move[1]) - 1)
    assert boards(result)[-1][cell] == "O"


def test_undo_against_the_random_player_returns_to_ones_own_move():
    result = session("tictactoe", *AGAINST_RANDOM, typed=["b2", "u", "q"])
    assert boards(result)[1] == "----X----"
    assert boards(result)[-1] == "---------"
    assert re.findall(r"(\w), your move", result.out) == ["X", "X", "X"]


def test_a_batch_against_a_machine_is_refused():
    result = session("tictactoe", *AGAINST_RANDOM, typed=["a1 b1", "q"])
    assert "one move at a time against a machine" in result.out
    assert boards(result) == ["---------"]


def test_the_random_player_may_begin():
    result = session("tictactoe", "--first", "random", "--second", "human", typed=["q"])
    assert result.out.count("X plays") == 1
    assert "O, your move" in result.out


def test_two_random_players_play_to_the_end():
    result = run("play", "tictactoe", *TWO_RANDOM, "--seed", "5")
    assert result.status == 0
    assert result.out.splitlines()[-1].split("(")[0].strip() in ("X wins", "O wins", "Draw")
    assert "your move" not in result.out


def test_the_same_seed_gives_the_same_game():
    games = [run("play", "othello", *TWO_RANDOM, "--seed", seed).out for seed in ("5", "5", "6")]
    assert games[0] == games[1] != games[2]


def test_without_a_seed_games_differ():
    """Two random games of Othello that agree in all of some sixty moves: not in a lifetime."""
    assert run("play", "othello", *TWO_RANDOM).out != run("play", "othello", *TWO_RANDOM).out


def test_without_a_word_about_it_the_opponent_is_of_medium_strength():
    result = run_process("play", "connect4", typed="4\nq\n", NUMBA_DISABLE_JIT="1")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Connect Four  Yellow ●: you, Red ○: medium\n")
    assert re.search(r"^Red plays [1-7]", result.out, re.MULTILINE)


def test_a_search_tells_what_it_found():
    with plain_python():
        result = session("tictactoe", "--second", "alphabeta:depth=2", typed=["b2", "q"])
    said = r"^O plays \w\d  [+-]\d+, depth 2, \d+ nodes, \d+ leaves, \d+\.\d\d s$"
    assert re.search(said, result.out, re.MULTILINE)


def test_a_driver_of_searches_tells_how_often_it_passed():
    with plain_python():
        result = session("tictactoe", "--second", "mtdf:depth=2", typed=["b2", "q"])
        asked = ("search", "tictactoe", "--moves", "b2", "-a", "mtdf", "-d", "2", "--json")
        found = json.loads(run(*asked).out)
    told = re.search(r"(\d+) nodes, (\d+) leaves, (\d+) passes", result.out)
    assert told
    assert [*map(int, told.groups())] == [found["nodes"], found["leaves"], found["passes"]]


def test_two_machines_are_watched_to_the_end():
    players = ("--first", "alphabeta:depth=1", "--second", "random-start(moves=1,then=first)")
    with plain_python():
        result = checked(run("play", "tictactoe", *players, "--seed", "1"))
    assert result.out.startswith("m,n,k game  X: alphabeta:depth=1, O: random-start(moves=1,then=f")
    assert result.out.rstrip().endswith("wins")
    assert "your move" not in result.out


def test_a_machine_that_ponders_is_counted_at_the_end():
    with plain_python():
        result = session(
            "tictactoe", "--second", "alphabeta:depth=1,ponder=yes", typed=["b2", "u", "b2", "q"]
        )
    (counts,) = re.findall(r"^O pondered: hits (\d), misses (\d)$", result.out, re.MULTILINE)
    assert sum(map(int, counts)) == 2


def test_an_engine_that_does_not_get_ready_is_refused():
    result = run("play", "othello", "--second", 'gtp:command="catt -u"', typed="f5\n")
    assert result.status == 2
    (line,) = result.err.splitlines()
    assert line.startswith("error: gtp:command=")
    assert line.endswith("cannot be started: 'catt' was not found; did you mean cat?")
    assert "wins" not in result.out


def test_a_machine_that_forfeits_loses_with_the_reason(tmp_path):
    engine = ("--second", engine_that_leaves(tmp_path))
    result = checked(run("play", "othello", *engine, typed="f5\n"))
    assert re.search(r"^Black wins: White forfeits \(.+\)$", result.out, re.MULTILINE)


@pytest.mark.parametrize("game", ["othello", "connect4", "double-card"])
def test_a_person_may_lose_patience_with_any_game(game):
    result = session(game, *AGAINST_RANDOM, typed=["", "m", "nonsense", "u", "r"])
    assert re.search(
        r"^(White|Red|Player 2) wins: (Black|Yellow|Player 1) resigned$", result.out, re.M
    )


def test_a_game_of_double_card_is_played_and_taken_back():
    result = session("double-card", *AGAINST_RANDOM, typed=["0 5 A 1", "u", "0 2 H 1", "q"])
    assert result.out.count("Player 2 plays 0 ") == 2
    assert re.findall(r"move (\d) of", result.out) == ["1", "2", "3", "1", "2", "3"]
    assert result.out.endswith(KEPT)


def test_the_prompt_gives_a_move_that_is_legal_now():
    result = session("othello", *TWO_PEOPLE, "--set", "size=4", typed=["b1", "q"])
    samples = re.findall(r"for example (\w\d)", result.out)
    assert samples[0] in ("b1", "a2", "d3", "c4")
    assert samples[1] in ("a1", "c1", "a3")


def sleeps(monkeypatch: pytest.MonkeyPatch, *options: str) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("plyground.cli.screen.time.sleep", slept.append)
    result = checked(run("play", "tictactoe", *TWO_RANDOM, "--seed", "5", *options))
    assert len(slept) == result.out.count(" plays ")
    return slept


def test_machines_leave_time_to_look_if_told_to(monkeypatch):
    monkeypatch.setattr("plyground.cli.screen.now_s", lambda: 0.0)  # machines take no time
    assert set(sleeps(monkeypatch, "--delay", "1m")) == {60.0}


@pytest.mark.parametrize("options", [(), ("--delay", "0"), ("--delay", "0s")])
def test_nobody_waits_when_nobody_looks(monkeypatch, options):
    assert set(sleeps(monkeypatch, *options)) == {0.0}


def test_a_limit_of_time_reaches_the_machine():
    """Depth 9 of 8x8 takes far longer in plain Python; the answer comes all the same."""
    board = ("mnk", "--set", "m=8", "--set", "n=8", "--set", "k=5")
    with plain_python():
        result = session(
            *board, "--second", "alphabeta:depth=9", "--time", "50ms", typed=["d4", "q"]
        )
    depth = re.search(r"O plays \w\d(?:  .*depth (\d))?", result.out)
    assert int(depth[1] or 0) < 9


# ------------------------------------------------------------------ passes, positions, settings


def test_a_forced_pass_is_announced_and_made():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    arguments = ("othello", *TWO_PEOPLE, "--set", "size=4")
    result = session(*arguments, typed=["b1", "c1", "d3", "a1", "q"])
    assert "Black has no move: pass" in result.out
    asked = re.findall(r"(\w+), your move", result.out)
    assert asked == ["Black", "White", "Black", "White", "White"]


def test_undo_goes_back_beyond_a_forced_pass():
    arguments = ("othello", *TWO_PEOPLE, "--set", "size=4")
    result = session(*arguments, typed=["b1", "c1", "d3", "a1", "u", "q"])
    after_undo = result.out.rpartition("your move")[0].rpartition("your move")[2]
    assert "White to move" in after_undo
    assert "[●]" in after_undo  # Black's d3 is the last move again


def test_a_game_may_start_from_a_position():
    result = session("tictactoe", *TWO_PEOPLE, "--position", "XX-/OO-/---", typed=["c1"])
    assert boards(result) == ["xx-oo----", "xxXoo----"]
    assert result.out.rstrip().endswith("X wins")


def test_a_finished_game_is_shown_and_not_asked_about():
    result = session("tictactoe", *TWO_PEOPLE, "--moves", "a1b1a2b2a3", typed=[])
    assert "your move" not in result.out
    assert result.out.rstrip().endswith("X wins")


def test_settings_are_obeyed():
    result = session("mnk", *TWO_PEOPLE, "--set", "k=2", typed=["a1 c3 a2"])
    assert result.out.rstrip().endswith("X wins")


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("option", ["--first", "--second"])
def test_an_unknown_player_is_refused(option):
    assert "unknown player 'alice'" in one_line(run("play", "tictactoe", option, "alice"))


@pytest.mark.parametrize("text", ["", "alphabeta:depth=0", "human:a=1", "alphabeta:dept=3", "a b"])
def test_a_bad_player_is_refused_in_one_line(text):
    assert one_line(run("play", "tictactoe", "--second", text))


def test_a_person_inside_another_player_is_refused():
    assert "human" in one_line(run("play", "tictactoe", "--first", "random-start(then=human)"))


@pytest.mark.parametrize("option", ["--time", "--delay"])
@pytest.mark.parametrize("value", ["-1", "x", "1 year", ""])
def test_a_bad_time_is_refused(option, value):
    assert one_line(run("play", "tictactoe", option, value)).startswith(option)


def test_a_misspelt_player_gets_the_right_one_suggested():
    assert "did you mean random?" in one_line(run("play", "tictactoe", "--first", "randm"))


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", str(2**64)])
def test_a_bad_seed_is_refused(seed):
    assert "--seed" in refusal(run("play", "tictactoe", *TWO_RANDOM, "--seed", seed))


def test_a_position_and_moves_exclude_each_other():
    both = ("--moves", "a1", "--position", "---/---/---")
    assert "exclude each other" in one_line(run("play", "tictactoe", *both))


# ------------------------------------------------------------------ terminals

PLAIN = {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}


ALSO = [pytest.param(name, marks=pytest.mark.full) for name in ("tictactoe", "othello", "connect4")]


@pytest.mark.parametrize("game", ["kalah", "double-card", *ALSO])
def test_without_unicode_a_session_is_plain_ascii(game):
    result = run_process("play", game, *TWO_RANDOM, "--seed", "1", **PLAIN)
    assert (result.status, result.err) == (0, "")
    assert result.out.isascii()
    assert "?" not in result.out


def test_without_unicode_an_error_is_printed_all_the_same():
    result = run_process("show", "othello", "--moves", "\u24d5\u2464 \u2603", **PLAIN)
    assert result.status == 2
    assert result.err.isascii()
    assert "move 2" in result.err


def test_bytes_that_are_no_text_are_explained_and_asked_again():
    done = subprocess.run(
        [sys.executable, "-m", "plyground", "play", "tictactoe", *TWO_PEOPLE],
        env=environment(),
        input=b"a1\n\xff\xfe\nb2\nq\n",
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert boards(Result(0, done.stdout.decode(), ""))[-1] == "x---O----"


# ------------------------------------------------------------------ going on


def left(*arguments: str, typed: list[str]) -> Path:
    """The file of a game that was left."""
    session(*arguments, typed=[*typed, "q"])
    (path,) = saved_game.unfinished_games()
    return path


def test_the_last_game_is_taken_up_where_it_was_left():
    left("tictactoe", *TWO_PEOPLE, typed=["a1", "b2"])
    result = session("--resume", typed=["a2", "c1", "a3"])
    assert boards(result) == ["x---O----", "x--Xo----", "x-Oxo----", "x-oxo-X--"]
    assert result.out.rstrip().endswith("X wins")


def test_a_finished_game_is_not_taken_up_again():
    left("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", "a2", "b2"])
    session("--resume", typed=["a3"])
    assert "there is no unfinished game" in one_line(run("play", "--resume"))


def test_a_game_that_was_finished_at_once_is_not_kept(data_folder):
    checked(run("play", "tictactoe", *TWO_RANDOM, "--seed", "1"))
    assert saved_game.unfinished_games() == []


def test_a_game_may_be_left_and_taken_up_many_times():
    left("tictactoe", *TWO_PEOPLE, typed=["a1"])
    for move in ("b1", "a2", "b2"):
        assert session("--resume", typed=[move, "q"]).out.endswith(KEPT)
    assert session("--resume", typed=["a3"]).out.rstrip().endswith("X wins")


def test_a_game_that_was_taken_up_can_be_taken_back():
    left("tictactoe", *TWO_PEOPLE, typed=["a1", "b1"])
    assert boards(session("--resume", typed=["u", "q"])) == ["xO-------", "X--------"]


def test_players_seed_and_settings_are_those_of_before():
    whole = session("othello", *AGAINST_RANDOM, "--set", "size=6", typed=["b3", "q"])
    (path,) = saved_game.unfinished_games()
    saved = saved_game.read(path)
    assert (saved.players, saved.seed, saved.settings) == (("human", "random"), 3, {"size": 6})
    again = session("--resume", typed=["q"])
    assert again.out.startswith("Othello  Black ●: you, White ○: random\n")
    assert (
        whole.out.split("\n\n")[-1].splitlines()[:8] == again.out.split("\n\n")[-1].splitlines()[:8]
    )


def test_a_game_with_a_forced_pass_is_taken_up_behind_it():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    left("othello", *TWO_PEOPLE, "--set", "size=4", typed=["b1", "c1", "d3", "a1"])
    result = session("--resume", typed=["q"])
    assert re.findall(r"(\w+), your move", result.out) == ["White"]


def test_a_game_from_a_position_is_taken_up():
    left("tictactoe", *TWO_PEOPLE, "--position", "XX-/OO-/---", typed=["a3"])
    assert session("--resume", typed=["c2"]).out.rstrip().endswith("O wins")


def test_a_game_of_ones_own_is_taken_up_from_another_folder(tmp_path, monkeypatch):
    write_game(tmp_path / "games" / "heap.py")
    monkeypatch.chdir(tmp_path / "games")
    left("heap.py", *TWO_PEOPLE, typed=["2"])
    monkeypatch.chdir("/")
    assert "8 1" in session("--resume", typed=["q"]).out


def test_another_opponent_may_take_over():
    left("tictactoe", *TWO_PEOPLE, typed=["a1"])
    result = session("--resume", "--second", "first", typed=["q"])
    assert "O plays b1" in result.out


@pytest.mark.parametrize("command", ["s", "save", "S"])
def test_a_game_is_saved_and_taken_up_from_its_file(tmp_path, command):
    file = tmp_path / "my game.json"
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1", f"{command} {file}", "b1", "q"])
    assert f"saved; go on with: plyground play --from '{file}'\n" in result.out
    before = file.read_bytes()
    assert boards(session("--from", str(file), typed=["c3", "q"])) == ["X--------", "x-------O"]
    assert file.read_bytes() == before


def test_a_saved_file_is_json_that_explains_itself(tmp_path):
    session("tictactoe", *TWO_PEOPLE, "--seed", "4", typed=["a1", f"s {tmp_path}/g", "q"])
    saved = json.loads((tmp_path / "g").read_text())
    assert re.fullmatch("[0-9a-f]{32}", saved.pop("uid"))
    assert saved == {
        "format": "plyground game",
        "version": 1,
        "game": "mnk",
        "settings": {"m": 3, "n": 3, "k": 3},
        "position": None,
        "moves": ["a1"],
        "players": ["human", "human"],
        "seed": 4,
        "time_s": None,
        "resigned": None,
    }


def test_saving_needs_a_file():
    result = session("tictactoe", *TWO_PEOPLE, typed=["s", "save ", "q"])
    assert result.out.count("save to which file? Type s FILE") == 2


def test_saving_does_not_replace_what_is_no_game(tmp_path):
    (tmp_path / "notes").write_text("mine")
    result = session("tictactoe", *TWO_PEOPLE, typed=[f"s {tmp_path}/notes", "q"])
    assert "exists and is no saved game" in result.out
    assert (tmp_path / "notes").read_text() == "mine"


def test_saving_to_nowhere_is_explained_and_asked_again(tmp_path):
    result = session("tictactoe", *TWO_PEOPLE, typed=[f"s {tmp_path}/no/such", "b2", "q"])
    assert "cannot write" in result.out
    assert boards(result)[-1] == "----X----"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": "plyground game", "version": 1}', "\x00\x01"]
)
def test_a_damaged_file_is_refused_and_not_touched(tmp_path, content):
    file = tmp_path / "game.json"
    file.write_text(content)
    assert "game.json" in one_line(run("play", "--from", file))
    assert file.read_text() == content


def test_a_damaged_last_game_is_refused_and_not_touched():
    path = left("tictactoe", *TWO_PEOPLE, typed=["a1"])
    path.write_text(path.read_text()[:-20])
    before = path.read_bytes()
    assert path.name in one_line(run("play", "--resume"))
    assert path.read_bytes() == before


def test_a_saved_game_that_is_over_is_refused(tmp_path):
    session("tictactoe", *TWO_PEOPLE, typed=["a1 b1 a2 b2", f"s {tmp_path}/g", "q"])
    data = json.loads((tmp_path / "g").read_text())
    data["moves"].append("a3")
    (tmp_path / "g").write_text(json.dumps(data))
    assert "this game is over" in one_line(run("play", "--from", tmp_path / "g"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("tictactoe", "--resume"),
        ("--resume", "--from", "x.json"),
        ("--resume", "--moves", "a1"),
        ("--from", "x.json", "--set", "size=4"),
        ("--from", "x.json", "--seed", "1"),
    ],
)
def test_a_game_cannot_be_taken_up_and_be_another(arguments):
    assert "go on with a game as it is" in one_line(run("play", *arguments))


@pytest.mark.parametrize("name", ["missing.json", "/", "~nobody-at-all/g"])
def test_a_file_that_is_not_there_is_refused(name):
    assert one_line(run("play", "--from", name))


def test_a_game_that_cannot_be_kept_can_be_played(data_folder):
    data_folder.write_text("a file where the folder should be")
    result = session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", "q"])
    assert result.out.count("this game cannot be kept: ") == 1
    assert result.out.endswith("Bye.\n")
