"""Matches, tournaments and the store from Python; games that were made in the same program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from run_tools import take_run

import plyground as pg
from plyground.kernel import plain_python

CELL_GAME = '''
from typing import NamedTuple
import plyground as pg
from plyground.games.rules import play

@pg.compilable
def most(heap: int) -> int:
    return min(3, heap)

def unused(state):
    return pg.Position, play

class Nim(NamedTuple):
    """Take one, two or three; whoever takes the last wins."""
    heap: int = 10
    side: int = 0
    def legal_moves(self, moves, start: int) -> int:
        for take in range(1, most(self.heap) + 1):
            moves[start] = take
            start += 1
        return start
    def play(self, move: int):
        return Nim(self.heap - move, 1 - self.side)
    def is_over(self) -> bool:
        return self.heap == 0
    def outcome(self) -> int:
        return -1
'''


@pytest.fixture
def plain():
    with plain_python():
        yield


@pytest.mark.usefixtures("plain")
def test_a_match_counts_its_games():
    match = pg.match("alphabeta:depth=3", "random", game="tictactoe", games=10, seed=3)
    assert match.players == ("alphabeta:depth=3", "random")
    assert (match.wins + match.draws + match.losses, len(match.games)) == (10, 10)
    assert match.is_complete and match.verdict is None
    points = sum(
        game.points if game.players[0] == "alphabeta:depth=3" else 1 - game.points
        for game in match.games
    )
    assert points == match.wins + match.draws / 2
    assert all(game.position.is_over for game in match.games)
    assert match.elo.low <= match.elo.value <= match.elo.high
    assert [row["player"] for row in match.table] == list(match.players)
    assert match.frame().height == 10 and "Elo" in repr(match) and "<table>" in match._repr_html_()
    again = pg.match("alphabeta:depth=3", "random", game="tictactoe", games=10, seed=3)
    assert [game.moves for game in again.games] == [game.moves for game in match.games]


@pytest.mark.usefixtures("plain")
def test_a_match_with_a_file_goes_on_where_it_was(tmp_path):
    path = tmp_path / "games.jsonl"
    terms = {"game": "mnk", "m": 3, "seed": 1, "out": path}
    few = pg.match("first", "random", games=4, **terms)
    size = path.stat().st_size
    more = pg.match("first", "random", games=8, **terms)
    assert [game.moves for game in more.games][:4] == [game.moves for game in few.games]
    assert path.stat().st_size > size


@pytest.mark.usefixtures("plain")
def test_a_tournament_has_a_table_and_games():
    contest = pg.tournament(["random", "first", "alphabeta:depth=2"], game="tictactoe", games=4)
    assert contest.is_complete and len(contest.games) == 12
    assert [row["rank"] for row in contest.table] == [1, 2, 3]
    assert {row["player"] for row in contest.table} == set(contest.players)
    assert "alphabeta:depth=2" in repr(contest.table).splitlines()[1]  # a table, not a list
    assert "<table>" in contest.table._repr_html_() and contest.table.frame().height == 3
    assert contest.frame().height == 3 and contest.ratings["random"].games == 8
    assert contest.cross_table["random", "first"][1] == 4


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: pg.match("mtdff", "uct", game="connect4"), "unknown player 'mtdff'"),
        (lambda: pg.match("first", None, game="mnk"), "a player is a text"),
        (lambda: pg.match("first", "human", game="mnk"), "a human cannot be asked here"),
        (lambda: pg.match("first", "first", game="mnk", games=1), "games=1: expected"),
        (lambda: pg.match("first", "first", game="mnk", openings="random"), "expected random:K"),
        (lambda: pg.match("first", "first", game="mnk", m=99), "m=99: expected"),
        (lambda: pg.match("first", "first", game="mnk", jobs=0), "jobs=0: expected"),
        (lambda: pg.tournament(["first"], game="mnk"), "two players at least"),
        (lambda: pg.tournament("first", game="mnk"), "'first': expected a list of players"),
        (lambda: pg.tournament(["first", "first"], game="mnk"), "is there twice"),
        (lambda: pg.tournament(["first", "uct"], game="mnk", format="cup"), "expected round-robin"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(call, complaint):
    with pytest.raises(pg.InputError, match=complaint):
        call()


@pytest.mark.usefixtures("plain")
def test_games_go_into_a_store_and_come_back(tmp_path):
    match = pg.match("first", "random", game="mnk", games=4, seed=2)
    with pg.open_store(tmp_path / "games.db") as store:
        assert len(store) == 0 and store.games().frame().columns[0] == "id"
        assert store.add(match.games) == 4 and store.add(match.games) == 0
        found = store.games(player="random", game="mnk")
        assert sorted(each.moves for each in found) == sorted(each.moves for each in match.games)
        assert found.frame().height == 4 and found.to_pandas().shape[0] == 4
        first = pg.Position("mnk", found[0].moves[:1])
        assert sum(row["games"] for row in store.explore(first)) >= 1
        assert store.game(found[0].id).moves == found[0].moves
        with pytest.raises(pg.Unsupported, match="expected first, second"):
            store.games(result="won")
        assert "4 games" in repr(store)


def test_runs_of_the_lab_are_frames_and_reports(tmp_path):
    store = tmp_path / "lab.db"
    take_run(store, "othello-scout")
    with pg.open_store(store) as opened:
        (run,) = opened.runs()
        assert run.name == "othello-scout@1" and opened.runs("family").frame().height == 0
        frame = run.frame()
        assert run.rows() == pg.lab.shipped("othello-scout").rows() and "task" in frame.columns
        assert frame.height >= run.info.measured > 0  # a cell may hold several measurements
        assert run.report().startswith("<!doctype html>") and "<iframe" in run._repr_html_()
        assert "othello-scout@1" in repr(run) and "othello-scout@1" in repr(opened.runs())


def test_games_are_read_in_any_format(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("f5d6c3d3\nf5d6c3\n", encoding="utf-8")
    found = pg.read_games(path)
    assert [len(each.moves) for each in found] == [4, 3]
    assert found[1].positions[-1].moves == ("f5", "d6", "c3")
    assert found[:1].one.moves == found[0].moves
    assert pg.read_games(b"f5d6")[0].game == "othello"
    with pytest.raises(pg.InputError):
        pg.read_games(tmp_path / "none.txt")
    with pytest.raises(pg.InputError):
        pg.read("nothing at all ???")


def run_script(folder: Path, text: str) -> str:
    path = folder / "script.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, path], capture_output=True, encoding="utf-8", timeout=300, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_script_without_a_guard_plays_on_several_processes(tmp_path):
    """Its own game travels by value, and no process runs the script again."""
    script = CELL_GAME + (
        "print('begun')\n"
        "terms = dict(game=Nim, games=8, openings='random:1')\n"
        "m = pg.match('alphabeta:depth=4', 'first', jobs=2, **terms)\n"
        "print(m.wins + m.draws + m.losses, m.wins > m.losses)\n"
        "one = pg.match('alphabeta:depth=4', 'first', **terms)\n"
        "print([g.moves for g in one.games] == [g.moves for g in m.games])\n"
    )
    assert run_script(tmp_path, script).split() == ["begun", "8", "True", "True"]


def test_a_cell_that_is_run_again_gives_the_new_game():
    space: dict[str, object] = {"__name__": "__main__"}
    exec(CELL_GAME, space)
    with plain_python():
        first = pg.match("first", "first", game=space["Nim"], games=2, openings="random:0")
        exec(CELL_GAME.replace("heap: int = 10", "heap: int = 4"), space)
        second = pg.match("first", "first", game=space["Nim"], games=2, openings="random:0")
    assert [len(each.moves) for each in first.games] == [10, 10]
    assert [len(each.moves) for each in second.games] == [4, 4]


def test_a_game_may_not_take_the_name_of_another():
    space: dict[str, object] = {"__name__": "__main__"}
    exec(CELL_GAME.replace("Nim", "Othello"), space)
    with pytest.raises(pg.Unsupported, match="another game named othello"):
        pg.match("first", "first", game=space["Othello"], games=2)
