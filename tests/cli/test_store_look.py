"""`plyground store stats|games|show|explore`: what people and programs are told of stored games."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from command_line import one_line, refusal, run
from store_tools import random_game, told, unfinished
from terminal import sitting

from plyground.core.records import GameRecord, MoveRecord
from plyground.store.queries import nearest
from plyground.store.store import Store

EMPTY = "the store is empty; let somebody play, or use `plyground store import`\n"


def game(seed: int, **changes) -> GameRecord:
    return replace(random_game("tictactoe", seed), **changes)


@pytest.fixture
def filled() -> list[GameRecord]:
    """Five games in the usual store."""
    records = [
        game(1, players=("Tamenori Hideshi", "Ann"), date="1999", event="Meijin", points=1.0),
        game(2, players=("Ann", "Bøb"), date="2024-02-29", points=0.5, outcome=0),
        game(3, players=("Bøb", "Ann"), date="2024-03-01T10:00:00Z", points=0.0),
        random_game("connect4", 4),
        unfinished(game(5, players=("Ann", "Cy"), date="2025-07"), 3),
    ]
    with Store() as store:
        store.add(records)
    return records


def numbers(*options: str) -> list[int]:
    """The numbers of the games that a filter leaves."""
    result = run("store", "games", "--json", *options)
    assert result.status == 0, result.err
    return [each["number"] for each in json.loads(result.out)]


# ------------------------------------------------------------------ filters


@pytest.mark.parametrize(
    "options, left",
    [
        ([], [5, 3, 2, 1, 4]),
        (["--game", "tictactoe"], [5, 3, 2, 1]),
        (["-g", "connect4"], [4]),
        (["--player", "ann"], [5, 3, 2, 1]),
        (["--player", "BØB"], [3, 2]),
        (["--result", "first", "-g", "mnk"], [1]),
        (["--result", "draw", "-g", "mnk"], [2]),
        (["--result", "second", "-g", "mnk"], [3]),
        (["--result", "unfinished"], [5]),
        (["--event", "meij"], [1]),
        (["--since", "2024"], [5, 3, 2]),
        (["--since", "2024-03"], [5, 3]),
        (["--since", "2024-03-02"], [5]),
        (["--until", "1999"], [1]),
        (["--until", "2024-02"], [2, 1]),
        (["--until", "2024-03-01"], [3, 2, 1]),
        (["--since", "2024-02-29", "--until", "2024-02-29"], [2]),
        (["--limit", "2"], [5, 3]),
        (["-n", str(2**63 - 1)], [5, 3, 2, 1, 4]),
    ],
)
def test_filters(filled, options, left):
    assert numbers(*options) == left


@pytest.mark.parametrize(
    "since, left", [("1999-01-01", True), ("1999-01", True), ("1999-01-02", False)]
)
def test_where_only_the_year_is_known_its_first_day_counts(filled, since, left):
    assert (1 in numbers("--since", since)) is left


@pytest.mark.parametrize(
    "options, complaint",
    [
        (["--since", "yesterday"], "date 'yesterday': expected YYYY, YYYY-MM or YYYY-MM-DD"),
        (["--until", "2024-1-1"], "date '2024-1-1': expected YYYY, YYYY-MM or YYYY-MM-DD"),
        (["--until", "2024-13"], "date 2024-13: there is no such day"),
        (["--since", "2023-02-29"], "date 2023-02-29: there is no such day"),
        (["--since", "٢٠٢٤"], "expected YYYY"),
        (["--since", "2024-05", "--until", "2024-04-30"], "--since 2024-05 is after --until"),
        (["--result", "won"], "unknown result 'won'; known: first, second, draw, unfinished"),
        (["--game", "tictactow"], "unknown game 'tictactow'; did you mean tictactoe?"),
        (["--player", "tamenry"], "no player's name has 'tamenry' in it; did you mean Tamenori"),
        (["--player", "qqq"], "no player's name has 'qqq' in it"),
        (["--event", "mejin"], "no event's name has 'mejin' in it; did you mean Meijin?"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(filled, options, complaint):
    assert complaint in one_line(run("store", "games", *options))


def test_other_commands_refuse_the_same_filters(filled, tmp_path):
    nobody, target = ["--player", "tamenry"], tmp_path / "a.csv"
    assert "did you mean Tamenori" in one_line(run("store", "stats", *nobody))
    assert "did you mean Tamenori" in one_line(run("store", "export", target, *nobody))
    assert not target.exists()


def test_a_filter_that_leaves_nothing_is_no_error(filled):
    result = run("store", "games", "--player", "Ann", "-g", "connect4")
    assert (result.status, result.out) == (0, "no game in the store is like that\n")
    assert numbers("--player", "Ann", "-g", "connect4") == []


def test_games_of_rules_that_are_not_known_here_can_be_found_and_listed():
    moves = [MoveRecord("b2b3", 0), MoveRecord("a3b2", 1)]
    with Store() as store:
        store.add([GameRecord("pawns of mine", ("a", "b"), moves, 1.0, settings={"files": 5})])
    assert numbers("--game", "pawns of mine") == [1]
    shown = run("store", "show", "1")
    assert shown.status == 0
    assert "b2b3 a3b2\nthe board cannot be shown: unknown game 'pawns of mine'" in shown.out
    assert "files=5" in shown.out


@pytest.mark.parametrize(
    "typed, meant",
    [("hideshy", "Tamenori Hideshi"), ("TAMENORI HIDESI", "Tamenori Hideshi"), ("xyz", None)],
)
def test_the_nearest_name_by_any_of_its_words(typed, meant):
    assert nearest(typed, ["Ann", "Tamenori Hideshi"]) == meant


# ------------------------------------------------------------------ stats


def test_an_empty_store_says_so():
    assert run("store", "stats").out.endswith(f"games.db\n{EMPTY}")
    assert run("store", "games").out == EMPTY
    assert run("store", "games", "--json").out == "[]\n"


def test_stats_count_games_by_result(filled):
    lines = run("store", "stats").out.splitlines()
    assert lines[1] == "game      games  first won  drawn  second won  unfinished"
    assert lines[2].split()[:2] == ["connect4", "1"]
    assert lines[3].split() == ["mnk", "4", "33.3%", "33.3%", "33.3%", "1"]
    assert re.fullmatch(r"\d+ moves, \d+ positions, 6 players, 1 event", lines[4])


def test_stats_as_data(filled):
    data = json.loads(run("store", "stats", "--json").out)
    assert data["games"] == {"connect4": 1, "mnk": 4}
    assert data["results"]["mnk"] == {"first": 1, "second": 1, "draw": 1, "unfinished": 1}
    assert (data["unfinished"], data["players"], data["events"]) == (1, 6, 1)
    assert data["store"].endswith("games.db")


def test_stats_obey_filters_and_then_tell_nothing_of_the_rest(filled):
    data = json.loads(run("store", "stats", "--json", "--player", "Bøb").out)
    assert data["games"] == {"mnk": 2}
    assert "positions" not in data
    shown = run("store", "stats", "--result", "draw", "-g", "mnk").out.splitlines()
    assert shown[2].split() == ["mnk", "1", "0.0%", "100.0%", "0.0%", "0"]
    assert len(shown) == 3


# ------------------------------------------------------------------ games


def test_games_are_listed_the_newest_first_a_line_each(filled):
    lines = run("store", "games", "-n", "3").out.splitlines()
    assert lines[0].startswith("number  game  date        first")
    assert lines[0].endswith("moves  event")
    assert [line.split()[0] for line in lines[1:4]] == ["5", "3", "2"]
    assert lines[1].split()[1:6] == ["mnk", "2025-07", "Ann", "Cy", "unfinished"]
    assert "½-½" in lines[3]
    assert lines[4] == "3 of 5 games; `plyground store show NUMBER` shows one"


LONG = ("alphabeta:depth=12,evaluator=factors,table=20,ordering=history", "国際オセロ連盟" * 5)


def test_long_names_are_whole_in_a_pipe_and_cut_at_a_terminal():
    with Store() as store:
        store.add([game(1, players=LONG, event="an event with a long name " * 3)])
    assert all(name in run("store", "games").out for name in LONG)
    window = sitting("store", "games", typed=())[-1].splitlines()
    assert len(window) == 3
    assert window[1].startswith("     1  mnk")
    assert window[1].count("…") == 3


def test_a_name_cannot_speak_to_the_terminal():
    with Store() as store:
        store.add([game(1, players=("\x1b[31mred\n", "[bold]b[/]"), event="\x07")])
    for command in (["games"], ["show", "1"]):
        shown = run("store", *command).out
        assert "\x1b" not in shown and "\x07" not in shown
        assert "[31mred" in shown
        assert "[bold]b[/]" in shown


# ------------------------------------------------------------------ one game


def test_a_game_of_which_only_the_moves_are_known_is_shown_in_lines():
    record = random_game("othello", 1, size=4)
    with Store() as store:
        store.add([replace(record, players=("Ann", ""), date="1999", event="a cup")])
    lines = run("store", "show", "1").out.splitlines()
    assert lines[0].startswith("othello  Ann - ?  ")
    assert lines[1] == "1999  a cup  size=4"
    assert lines[2] == " ".join(move.move for move in record.moves)
    assert lines[3].split() == ["a", "b", "c", "d"]
    assert "wins" in lines[-1] or "Draw" in lines[-1]


def test_what_was_told_about_moves_is_a_table_of_the_columns_that_have_anything():
    record = random_game("connect4", 1)
    with Store() as store:
        store.add([told(record), replace(record, moves=[replace(record.moves[0], depth=3)])])
    lines = run("store", "show", "1").out.splitlines()
    assert lines[1].split() == ["ply", "move", "score", "depth", "nodes", "s"]
    assert lines[3].split() == ["2", record.moves[1].move, "-8", "1", "2", "0.25"]
    assert run("store", "show", "2").out.splitlines()[1].split() == ["ply", "move", "depth"]


def test_a_game_that_began_elsewhere_says_where():
    position = "X-O------ X"
    with Store() as store:
        store.add([GameRecord("mnk", ("", ""), [MoveRecord("b2", 0)], position=position)])
    shown = run("store", "show", "1")
    assert f"\nfrom {position}\nb2\n" in shown.out, shown


def test_a_game_as_data(filled):
    data = json.loads(run("store", "show", "2", "--json").out)
    assert (data["number"], data["players"], data["points"]) == (2, ["Ann", "Bøb"], 0.5)


def test_a_game_that_is_not_there(filled):
    assert "no game has number 99" in one_line(run("store", "show", "99"))
    for number in ("0", "-1", "x", str(2**63), "9" * 40):
        assert "Invalid value" in refusal(run("store", "show", number)) or number == "-1"
    assert "Invalid value" in refusal(run("store", "games", "-n", "9" * 40))


# ------------------------------------------------------------------ explore


def test_explore_tells_what_was_played_and_by_whom(filled):
    lines = run("store", "explore", "tictactoe").out.splitlines()
    assert lines[0].split() == ["move", "games", "X", "drawn", "O"]
    assert sum(int(line.split("%")[0].split()[-2]) for line in lines[1 : lines.index("")]) == 3
    assert lines[lines.index("") + 1].startswith("number  game")
    assert len(lines) == lines.index("") + 5


def test_explore_lists_as_many_games_as_wanted(filled):
    assert "number" not in run("store", "explore", "tictactoe", "--games", "0").out
    data = json.loads(run("store", "explore", "tictactoe", "--games", "1", "--json").out)
    assert len(data["games"]) == 1
    assert sum(each["games"] for each in data["moves"]) == 3
    assert refusal(run("store", "explore", "tictactoe", "--games", "9" * 30))


def test_explore_of_a_position_that_nobody_reached(filled):
    result = run("store", "explore", "kalah")
    assert (result.status, result.out) == (0, "no game in the store reached this position\n")


# ------------------------------------------------------------------ which store


@pytest.mark.parametrize(
    "command", [["stats"], ["games"], ["show", "1"], ["explore", "kalah"], ["export", "a.csv"]]
)
@pytest.mark.parametrize("prefix", ["", "sqlite:///"])
def test_a_store_that_is_not_there_is_not_made_by_looking(tmp_path, command, prefix, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message = one_line(run("store", *command, "--store", f"{prefix}none.db"))
    assert message == "there is no store at none.db; `store import` makes one"
    assert list(tmp_path.glob("*.db")) == []


def test_a_name_that_no_file_can_have_is_no_store():
    assert "there is no store at" in one_line(run("store", "stats", "--store", "a\0b"))


def test_another_store_can_be_named(tmp_path, filled):
    other = tmp_path / "other.db"
    with Store(str(other)) as store:
        store.add([random_game("connect4", 1)])
    assert numbers("--store", str(other)) == [1]
    assert numbers("--store", f"sqlite:///{other}") == [1]
