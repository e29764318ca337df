"""`plyground play` stores its games move by move, and no store can spoil a game."""

from __future__ import annotations

import itertools
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import get_type_hints

import pytest
from command_line import Result, run
from match_tools import engine_that_leaves
from patience import until
from postgres_server import postgres_server
from sqlalchemy import text
from terminal import Terminal, sitting
from user_games import write_game

from plyground.cli import match, play, saved_game
from plyground.cli.common import load
from plyground.cli.saved_game import SavedGame
from plyground.cli.session import Session
from plyground.cli.storing import Storing
from plyground.core.errors import MalformedText
from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.kernel import plain_python
from plyground.players.spec import Choice
from plyground.store.rows import StoredGame
from plyground.store.store import Store

TWO_PEOPLE = ("--first", "human", "--second", "human")
PROMPT = "? for help: "
WARNING = "this game cannot be stored: "


@pytest.fixture(scope="module")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store to be copied, which takes less than making one."""
    path = tmp_path_factory.mktemp("stores") / "empty.db"
    Store(str(path)).close()
    return path


@pytest.fixture(autouse=True)
def usual_store(empty_file: Path, data_folder: Path) -> Path:
    data_folder.mkdir()
    return Path(shutil.copy(empty_file, data_folder / "games.db"))


def games(store: str | None = None) -> list[StoredGame]:
    """All that is stored, in the usual store or in another."""
    with Store(store) as opened:
        return list(opened.whole())


def only_game(store: str | None = None) -> StoredGame:
    (game,) = games(store)
    return game


def names(game: StoredGame) -> list[str]:
    return [move.move for move in game.record.moves]


def session(*arguments: str | Path, typed: str | list[str] = "") -> Result:
    """A session in which these lines, or words, are typed, and then no more."""
    lines = typed.split() if isinstance(typed, str) else typed
    result = run("play", *arguments, typed="".join(line + "\n" for line in lines))
    assert (result.status, result.err) == (0, ""), result
    return result


def at_a_terminal(*arguments: str | Path, **changes: str) -> Terminal:
    """The same by a process of its own, without a compiler: that is quicker."""
    return Terminal("play", *arguments, **({"NUMBA_DISABLE_JIT": "1"} | changes))


def answer(terminal: Terminal, *lines: str) -> None:
    """Answer prompts; comes back at the prompt after the last."""
    for line in lines:
        terminal.answer(line)
        terminal.wait_for(PROMPT)


def wait_until_stored(moves: int, store: str | None = None) -> None:
    """The first moves may be made before the store is open; later ones wait for it."""
    until(lambda: sum(len(game.record.moves) for game in games(store)) >= moves, f"{moves} moves")


# ------------------------------------------------------------------ a person's game


def test_a_kill_loses_nothing_and_the_same_game_goes_on_to_its_end():
    """X takes the first column; what was known of each move before the kill is known after it."""
    with at_a_terminal("tictactoe", *TWO_PEOPLE, "--seed", "5") as terminal:
        terminal.wait_for(PROMPT)
        answer(terminal, "a1")
        wait_until_stored(1)
        answer(terminal, "c3", "u", "b1", "a2")
        terminal.kill()
    killed = only_game()
    assert names(killed) == ["a1", "b1", "a2"]
    assert [move.side for move in killed.record.moves] == [0, 1, 0]
    assert all(move.time_s > 0 for move in killed.record.moves)
    assert (killed.record.points, killed.record.ended) == (None, "unfinished")
    with at_a_terminal("--resume") as terminal:
        terminal.wait_for(PROMPT)
        answer(terminal, "b2")
        terminal.answer("a3")
        assert "X wins" in terminal.wait_for_end()
    finished = only_game()
    assert finished.uid == killed.uid
    assert finished.record.moves[:3] == killed.record.moves
    assert finished.record == replace(
        killed.record, moves=finished.record.moves, points=1.0, outcome=1, ended="over"
    )
    assert names(finished) == ["a1", "b1", "a2", "b2", "a3"]
    assert all(move.time_s > 0 for move in finished.record.moves)


def test_a_game_is_stored_with_all_that_makes_it_what_it_is():
    session("othello", *TWO_PEOPLE, "--set", "size=6", "--seed", "9", typed="b3 q")
    record = only_game().record
    assert (record.game, record.players) == ("othello", ("human", "human"))
    assert (record.settings, record.position, record.seed) == ({"size": 6}, None, 9)
    assert record.date.startswith("20")


def test_a_position_where_a_game_began_is_stored():
    session("tictactoe", *TWO_PEOPLE, "--position", "XX-/OO-/---", typed="c1")
    assert (only_game().record.position, only_game().record.points) == ("XX-/OO-/---", 1.0)


def test_players_are_stored_under_their_one_true_text():
    with plain_python():
        session("tictactoe", "--first", " Human ", "--second", "ALPHABETA: depth=1", typed="b2 q")
    assert only_game().record.players == ("human", "alphabeta:depth=1")


def test_a_finished_game_is_found_by_its_positions():
    session("tictactoe", *TWO_PEOPLE, typed="a1 b1 a2 b2 a3")
    found = json.loads(run("store", "explore", "tictactoe", "--moves", "a1b1", "--json").out)
    assert "a2" in json.dumps(found)


def test_undo_takes_the_moves_back_in_the_store():
    session("tictactoe", "--second", "first", typed="b2 u q")
    assert names(only_game()) == []
    session("--resume", typed="a1 c3 u q")
    assert names(only_game()) == ["a1", "b1"]


def test_moves_that_were_given_are_told_from_those_that_were_chosen():
    given = ("tictactoe", *TWO_PEOPLE, "--moves", "a1 b1")
    session(*given, typed="a2 b2 a3")
    session(*given, typed="u c1 a2 b2 a3 r")
    undone, whole = sorted(games(), key=lambda game: game.record.opening)
    assert (whole.record.opening, names(whole)[:3]) == (2, ["a1", "b1", "a2"])
    assert (undone.record.opening, names(undone)[:3]) == (1, ["a1", "c1", "a2"])


def test_a_pasted_batch_is_stored_move_by_move():
    session("tictactoe", *TWO_PEOPLE, "--moves", "a1", typed="b1a2b2")
    moves = only_game().record.moves
    assert [(move.move, move.side) for move in moves] == [
        ("a1", 0),
        ("b1", 1),
        ("a2", 0),
        ("b2", 1),
    ]
    assert [move.time_s > 0 for move in moves] == [False, True, False, False]


def test_a_person_thinks_from_the_first_question_to_the_move(monkeypatch):
    """On a clock that shows another second whenever somebody looks."""
    seconds = map(float, itertools.count(100))
    monkeypatch.setattr("plyground.cli.host.now_s", lambda: next(seconds))
    session("tictactoe", *TWO_PEOPLE, typed="a1 nonsense b1 m a2 q")
    assert [move.time_s for move in only_game().record.moves] == [1.0, 1.0, 1.0]


def test_a_forced_pass_is_stored():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    session("othello", *TWO_PEOPLE, "--set", "size=4", typed="b1 c1 d3 a1 q")
    assert names(only_game()) == ["b1", "c1", "d3", "a1", "pass"]


def test_a_game_of_ones_own_is_stored(tmp_path):
    heap = write_game(tmp_path / "heap.py")
    session(heap, *TWO_PEOPLE, typed="2 q")
    uid = only_game().uid
    session("--resume", typed="2 2 2 1 1")
    record = only_game().record
    assert (only_game().uid, record.game, len(record.moves)) == (uid, "heap", 6)
    assert record.points in (0.0, 1.0)


# ------------------------------------------------------------------ machines


def test_what_a_machine_told_is_stored():
    with plain_python():
        result = session("tictactoe", "--second", "alphabeta:depth=2", typed="b2 q")
    _, told = only_game().record.moves
    said = f"O plays {told.move}  {told.score}, depth 2, {told.nodes:,} nodes, "
    assert said in result.out
    assert isinstance(told.score, Score)
    assert (told.side, told.depth) == (1, 2)
    assert told.nodes > 0
    assert told.time_s > 0


def test_a_kill_in_the_middle_of_a_game_of_two_machines_loses_no_move_that_was_seen():
    players = ("--first", "alphabeta:depth=1", "--second", "first")
    with at_a_terminal("connect4", *players, "--delay", "150ms", TERM="dumb") as terminal:
        wait_until_stored(1)
        shown = terminal.wait_for("Yellow plays")
        while shown.count("Yellow plays") < 3:
            shown += terminal.wait_for("Yellow plays")
        terminal.kill()
        terminal.wait_for_end()
        seen = terminal.codes.count(" plays ")
    killed = only_game()
    assert killed.record.players == ("alphabeta:depth=1", "first")
    assert seen <= len(killed.record.moves) <= seen + 1
    assert killed.record.points is None
    with plain_python():
        session("--resume", "--delay", "0")
    finished = only_game()
    assert (finished.uid, finished.record.ended) == (killed.uid, "over")
    assert finished.record.moves[:seen] == killed.record.moves[:seen]
    assert {move.depth for move in finished.record.moves[::2]} == {1}


# ------------------------------------------------------------------ ends


def test_a_resignation_is_stored_with_its_reason():
    assert "X wins: O resigned" in sitting("play", "tictactoe", *TWO_PEOPLE, typed=("b2", "r"))[-1]
    record = only_game().record
    assert (record.points, record.ended) == (1.0, "resigned")
    assert (record.reason, record.outcome) == ("second player: resigned", None)
    assert record.forfeited_by == 1


def test_a_forfeit_is_stored_with_its_reason(tmp_path):
    session("othello", "--second", engine_that_leaves(tmp_path), typed="f5")
    record = only_game().record
    assert (record.points, record.ended) == (1.0, "forfeit")
    assert record.reason.startswith("second player: ")


def test_an_illegal_answer_is_stored_as_what_it_is():
    saved = SavedGame("mnk", {}, None, ("b2",), ("human", "random"), 0)
    under_way = Session(saved, load("mnk", None, None, "b2"))
    under_way.accept(Choice(4))
    record = under_way.record()
    assert (record.points, record.ended) == (1.0, "illegal move")
    assert record.reason == "second player: b2 is not a legal move"


@pytest.mark.parametrize(
    "moves, points, outcome", [("a1b1a2b2a3", 1.0, 1), ("a1b1c1b2c3b3", 0.0, -1)]
)
def test_who_won_is_stored(moves, points, outcome):
    session("tictactoe", *TWO_PEOPLE, typed=moves)
    assert (only_game().record.points, only_game().record.outcome) == (points, outcome)


def test_a_draw_is_stored():
    session("tictactoe", *TWO_PEOPLE, typed="a1 b1 c1 b2 a2 c2 b3 a3 c3")
    assert (only_game().record.points, only_game().record.ended) == (0.5, "over")


@pytest.mark.parametrize("arguments", [(), ("--moves", "a1 b1"), ("--moves", "a1b1a2b2a3")])
def test_where_nothing_happened_nothing_is_stored(arguments):
    session("tictactoe", *TWO_PEOPLE, *arguments, typed="m q")
    assert games() == []


# ------------------------------------------------------------------ going on


def test_a_game_that_is_left_and_taken_up_many_times_is_one_game():
    session("tictactoe", *TWO_PEOPLE, typed="a1 q")
    begun = only_game()
    for move in ("b1", "a2", "b2"):
        session("--resume", typed=f"{move} q")
    session("--resume", typed="a3")
    game = only_game()
    assert (game.uid, game.record.date) == (begun.uid, begun.record.date)
    assert (game.record.points, len(names(game))) == (1.0, 5)
    assert all(move.time_s > 0 for move in game.record.moves)


def test_a_game_goes_on_from_a_file_that_a_person_saved(tmp_path):
    session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", f"s {tmp_path}/g", "q"])
    begun = only_game()
    session("--from", tmp_path / "g", typed="u c1 q")
    assert (only_game().uid, names(only_game())) == (begun.uid, ["a1", "c1"])
    session("--resume", typed="a2 c2 a3")
    assert (only_game().uid, only_game().record.points) == (begun.uid, 1.0)


@pytest.mark.parametrize("later", ["a2 q", "a2 b2 a3", "r"], ids=["left", "finished", "resigned"])
def test_a_file_of_a_game_that_went_on_since_is_the_start_of_another(tmp_path, later):
    session("tictactoe", *TWO_PEOPLE, typed=["a1", "b1", f"s {tmp_path}/g", *later.split()])
    before = only_game()
    session("--from", tmp_path / "g", typed="c3 q")
    session("--resume", typed="c1 q")
    first, second = games()
    assert first == before
    assert names(second) == ["a1", "b1", "c3", "c1"]


def test_a_move_that_only_the_store_knows_is_taken_back():
    """As after a kill between the two: a move is stored first."""
    session("tictactoe", *TWO_PEOPLE, typed="a1 b1 q")
    (path,) = saved_game.unfinished_games()
    saved = saved_game.read(path)
    saved_game.write(replace(saved, moves=("a1",)), path)
    session("--resume", typed="c3 q")
    assert (only_game().uid, names(only_game())) == (saved.uid, ["a1", "c3"])


def test_a_name_of_another_kind_of_game_is_not_believed():
    session("tictactoe", *TWO_PEOPLE, typed="a1 q")
    (path,) = saved_game.unfinished_games()
    saved = replace(saved_game.read(path), settings={"m": 4, "n": 4, "k": 3})
    saved_game.write(saved, path)
    session("--resume", typed="d4 q")
    first, second = games()
    assert (names(first), names(second)) == (["a1"], ["a1", "d4"])


def test_a_game_without_a_name_gets_one():
    session("tictactoe", *TWO_PEOPLE, "--no-store", typed="a1 q")
    (path,) = saved_game.unfinished_games()
    data = json.loads(path.read_text())
    del data["uid"]  # as before games had one
    path.write_text(json.dumps(data))
    session("--resume", typed="b1 q")
    assert names(only_game()) == ["a1", "b1"]
    assert saved_game.read(path).uid == only_game().uid


def test_who_takes_over_is_who_played():
    session("tictactoe", *TWO_PEOPLE, typed="a1 q")
    session("--resume", "--second", "first", typed="q")
    assert only_game().record.players == ("human", "first")
    assert names(only_game()) == ["a1", "b1"]


def test_what_was_played_without_the_store_is_stored_when_it_is_there_again():
    session("tictactoe", *TWO_PEOPLE, typed="a1 q")
    session("--resume", "--no-store", typed="b1 q")
    assert names(only_game()) == ["a1"]
    session("--resume", typed="a2 q")
    assert names(only_game()) == ["a1", "b1", "a2"]
    assert [move.time_s > 0 for move in only_game().record.moves] == [True, False, True]


@pytest.mark.parametrize("uid", ["", "x" * 81, "a/b", "é", 7, ["a"], True])
def test_a_damaged_name_is_refused(uid):
    saved = SavedGame("mnk", {}, None, (), ("human", "human"), 0)
    data = json.loads(saved.as_text())
    assert SavedGame.from_text(json.dumps(data | {"uid": "a-1"})).uid == "a-1"
    with pytest.raises(MalformedText, match=r"damaged.*uid"):
        SavedGame.from_text(json.dumps(data | {"uid": uid}))


# ------------------------------------------------------------------ options


def test_the_options_are_those_of_a_match():
    hints = [get_type_hints(each, include_extras=True) for each in (play.play, match.match)]
    for name in ("store", "no_store"):
        mine, theirs = (hint[name].__metadata__[0] for hint in hints)
        assert vars(mine) == vars(theirs)


def test_another_store_may_be_named(tmp_path):
    session("tictactoe", *TWO_PEOPLE, "--store", tmp_path / "mine.db", typed="a1 q")
    assert names(only_game(str(tmp_path / "mine.db"))) == ["a1"]
    assert games() == []


def test_nothing_is_stored_if_nobody_wants_it():
    session("tictactoe", *TWO_PEOPLE, "--no-store", typed="a1 b1 a2 b2 a3")
    assert games() == []


def test_a_prompt_does_not_wait_for_what_only_the_store_needs():
    command = "import sys, plyground.cli.play; print([m for m in sys.modules if 'sqlal' in m])"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# ------------------------------------------------------------------ stores that fail


@pytest.fixture(params=["below a file", "a folder", "no store", "nonsense"])
def unusable(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "notes").write_text("my notes, which are longer than the head of any database")
    return {
        "below a file": f"{tmp_path}/notes/games.db",
        "a folder": f"{tmp_path}",
        "no store": f"{tmp_path}/notes",
        "nonsense": "mysql://nobody",
    }[request.param]


def test_a_store_that_cannot_be_opened_costs_one_line(unusable, tmp_path):
    result = session("tictactoe", *TWO_PEOPLE, "--store", unusable, typed="a1 b1 a2 b2 q")
    assert result.out.count(WARNING) == 1
    assert result.out.endswith("kept; go on with: plyground play --resume\n")
    assert (tmp_path / "notes").read_text().startswith("my notes")
    result = session("--resume", "--store", unusable, typed="a3")
    assert result.out.count(WARNING) == 1
    assert "\nX wins\n" in result.out


def test_a_store_that_cannot_be_opened_is_told_of_at_a_terminal(tmp_path):
    typed = ("a1", "b1", "a2", "b2", "a3")
    windows = sitting("play", "tictactoe", *TWO_PEOPLE, "--store", tmp_path, typed=typed)
    assert "X wins" in windows[-1]
    told = [WARNING in window for window in windows]  # when depends on how long opening takes
    assert sum(told) == 1


def test_a_store_that_fails_in_the_middle_costs_one_line_and_is_caught_up_with(usual_store):
    with at_a_terminal("tictactoe", *TWO_PEOPLE, TERM="dumb") as terminal:
        terminal.wait_for(PROMPT)
        answer(terminal, "a1")
        wait_until_stored(1)
        with closing(sqlite3.connect(usual_store)) as other:
            other.execute("ALTER TABLE moves RENAME TO elsewhere")
            answer(terminal, "b1", "a2")
            other.execute("ALTER TABLE elsewhere RENAME TO moves")
        answer(terminal, "b2")
        terminal.answer("a3")
        assert "X wins" in terminal.wait_for_end()
    assert terminal.codes.count(WARNING) == 1
    assert (names(only_game()), only_game().record.points) == (["a1", "b1", "a2", "b2", "a3"], 1.0)
    assert all(move.time_s > 0 for move in only_game().record.moves)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """While somebody else writes to the store for long."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_game_does_not_wait_for_others_that_write(usual_store):
    with at_a_terminal("tictactoe", *TWO_PEOPLE) as terminal:
        terminal.wait_for(PROMPT)
        answer(terminal, "a1")
        wait_until_stored(1)
        with locked(usual_store):
            answer(terminal, "b1", "a2", "u")
            terminal.answer("q")
            terminal.wait_for("the game is being stored, ")
            assert names(only_game()) == ["a1"]
        assert "kept; go on with" in terminal.wait_for_end()
    assert WARNING not in terminal.codes
    assert names(only_game()) == ["a1", "b1"]


def test_ctrl_c_does_not_wait_for_the_store(usual_store):
    with at_a_terminal("tictactoe", *TWO_PEOPLE) as terminal:
        terminal.wait_for(PROMPT)
        answer(terminal, "a1")
        wait_until_stored(1)
        with locked(usual_store):
            answer(terminal, "b1")
            terminal.answer("q")
            terminal.wait_for("the game is being stored, ")
            terminal.interrupt()
            assert "kept; go on with" in terminal.wait_for_end()
            assert terminal.process.returncode == 130
    assert names(only_game()) == ["a1"]
    session("--resume", typed="a2 q")
    assert names(only_game()) == ["a1", "b1", "a2"]


def test_a_game_that_cannot_be_written_down_is_refused_by_the_store_only(tmp_path):
    """No database takes half of a character."""
    engine = engine_that_leaves(tmp_path, "\udc80")
    result = session("othello", "--second", engine, "--no-store", typed="f5")
    assert "Black wins" in result.out
    result = session("othello", "--second", engine, typed="f5")
    assert "Black wins" in result.out
    assert result.out.count(WARNING) == 1


# ------------------------------------------------------------------ in the background


@pytest.fixture
def record() -> GameRecord:
    moves = [MoveRecord(name, ply % 2, 1.0 + ply) for ply, name in enumerate(["a1", "b1", "a2"])]
    settings = {"m": 3, "n": 3, "k": 3}
    return GameRecord("mnk", ("a", "b"), moves, ended="unfinished", settings=settings)


def test_a_finished_game_is_stored_once_however_often_it_is_kept(record):
    over = replace(record, points=0.0, ended="resigned", reason="first player: resigned")
    storing = Storing(None, "name", replace(record, moves=[]), may_rewind=False)
    for game in (record, over, over, record):
        storing.store(game)
    storing.wait()
    assert storing.complaints == []
    storing.close()
    storing.close()
    assert only_game().record == replace(over, date=only_game().record.date)


def test_a_move_is_stored_when_keeping_it_comes_back(record, monkeypatch):
    monkeypatch.setattr("plyground.cli.storing.PATIENCE_S", 60.0)
    with closing(Storing(None, "name", record, may_rewind=False)) as storing:
        storing.store(record)
        assert names(only_game()) == ["a1", "b1", "a2"]
        storing.store(replace(record, moves=record.moves[:1]))
        assert names(only_game()) == ["a1"]


def test_whoever_is_in_a_hurry_does_not_wait_for_a_store_to_be_opened(record, monkeypatch):
    for name in ("PATIENCE_S", "GIVE_WAY_S"):
        monkeypatch.setattr(f"plyground.cli.storing.{name}", 60.0)
    with closing(Storing(None, "name", record, may_rewind=False, gives_way=True)) as storing:
        storing.store(replace(record, moves=record.moves[:1]))
        storing.store(record)
        assert games() == []
        storing.wait()
        assert names(only_game()) == ["a1", "b1", "a2"]


def test_the_same_move_made_again_is_stored_as_it_was_made_last(record):
    again = replace(record, moves=[*record.moves[:2], replace(record.moves[2], time_s=9.0)])
    with closing(Storing(None, "name", record, may_rewind=False)) as storing:
        storing.store(record)
        storing.store(again)
    assert only_game().record.moves == again.moves


def test_a_game_that_somebody_took_out_of_the_store_is_put_back(record, usual_store):
    with closing(Storing(None, "name", record, may_rewind=False)) as storing:
        storing.store(replace(record, moves=record.moves[:1]))
        storing.wait()
        with closing(sqlite3.connect(usual_store)) as other, other:
            other.execute("DELETE FROM games")
            other.execute("DELETE FROM moves")
        storing.store(replace(record, moves=record.moves[:2]))
        storing.wait()
        assert storing.complaints == []
        assert only_game().record.moves == record.moves[:2]
        storing.store(record)
    assert only_game().record.moves == record.moves


def test_a_store_that_cannot_be_opened_is_not_tried_again(record, unusable, monkeypatch):
    tried: list[str | None] = []

    def opened(store: str | None, limit_s: float) -> Store:
        tried.append(store)
        return Store(store, limit_s)

    monkeypatch.setattr("plyground.store.game_copy.ShelteredStore", opened)
    with closing(Storing(unusable, "name", record, may_rewind=False)) as storing:
        for _ in range(3):
            storing.store(record)
    assert tried == [unusable]


def test_nothing_is_opened_and_nothing_waited_for_if_nothing_is_kept(record, tmp_path):
    storing = Storing(f"{tmp_path}/new.db", "name", record, may_rewind=False)
    storing.wait()
    storing.close()
    assert not (tmp_path / "new.db").exists()


def test_two_who_go_on_from_the_same_file_at_once_play_two_games(record):
    start = replace(record, moves=record.moves[:1])
    other = replace(record, moves=[*start.moves, MoveRecord("c3", 1, 5.0)])
    with (
        closing(Storing(None, "name", start, may_rewind=False)) as one,
        closing(Storing(None, "name", start, may_rewind=False)) as two,
    ):
        for storing, game in ((one, record), (two, other), (one, start), (one, record)):
            storing.store(game)
            storing.wait()
            assert storing.complaints == []
        assert (one.uid, two.uid == "name") == ("name", False)
    assert [names(game) for game in games()] == [["a1", "b1", "a2"], ["a1", "c3"]]


# ------------------------------------------------------------------ PostgreSQL


def test_a_game_in_postgresql_survives_a_kill_and_a_server_that_drops_its_connections():
    with postgres_server() as url:
        with at_a_terminal("tictactoe", "--second", "first", "--store", url) as terminal:
            terminal.wait_for(PROMPT)
            answer(terminal, "b2")
            wait_until_stored(2, url)
            answer(terminal, "c3", "u")
            terminal.kill()
        killed = only_game(url)
        assert names(killed) == ["b2", "a1"]
        with at_a_terminal("--resume", "--store", url) as terminal:
            terminal.wait_for(PROMPT)
            answer(terminal, "c3")
            wait_until_stored(4, url)
            drop_connections(url)
            terminal.answer("r")
            assert "O wins: X resigned" in terminal.wait_for_end()
        finished = only_game(url)
        assert finished.uid == killed.uid
        assert finished.record.moves[:2] == killed.record.moves
        assert names(finished) == ["b2", "a1", "c3", "b1"]
        assert (finished.record.points, finished.record.ended) == (0.0, "resigned")


def drop_connections(url: str) -> None:
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with Store(url) as killer, killer.engine.connect() as connection:
        ended = text(f"SELECT count(pg_terminate_backend(pid, 10000)) {others}")
        assert connection.execute(ended).scalar_one() > 0
