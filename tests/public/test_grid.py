"""`pg.lab.grid`: players on games at every point of a grid, as a frame, a report and a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import run
from match_tools import toml
from user_games import write_game

import plyground as pg
from plyground.lab import runner

LEAVES = {1: 9, 2: 72, 3: 504}  # of minimax, from the empty board of tic-tac-toe


pytestmark = pytest.mark.usefixtures("plain")


def two(**more: Any) -> Any:
    return pg.lab.grid(["minimax", "alphabeta"], "tictactoe", **{"depth": [1, 2, 3]} | more)


def test_one_call_measures_all_and_gives_a_row_for_each_search():
    found = two().run().frame()
    assert found.columns[:4] == ["player", "game", "depth", "number"]
    assert {"nodes", "leaves", "value", "reached", "seconds"} <= set(found.columns)
    rows = found.filter(player="minimax").select("depth", "leaves", "reached").rows()
    assert rows == [(depth, leaves, depth) for depth, leaves in LEAVES.items()]
    assert len(found) == 6 and found["seconds"].min() > 0
    assert repr(two()) == (
        "minimax, alphabeta: 6 cells to measure, 4 if quick; .run() measures them"
    )


def test_what_is_measured_is_not_measured_again():
    first = two().run()
    assert two().run().name == first.name == "grid@1"
    assert two().run().frame().equals(first.frame())
    assert two().run(again=True).name == "grid@2"
    assert two().run(quick=True).info.is_quick
    with pg.open_store() as store:
        assert [each.name for each in store.runs()] == ["grid@3", "grid@2", "grid@1"]
        assert two().run(store=store).name == "grid@2"  # the newest that is the same
        assert len(store.runs()) == 3


def test_an_interrupted_call_keeps_what_it_has_and_goes_on(monkeypatch):
    measured = runner.measure_and_time
    asked: list[Any] = []

    def interrupted(cell: dict[str, Any]) -> dict[str, Any]:
        asked.append(cell)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return measured(cell)

    monkeypatch.setattr(runner, "measure_and_time", interrupted)
    with pytest.raises(pg.Interrupted, match="2 of 6 cells are measured") as stopped:
        two().run()
    assert stopped.value.result is pg.interrupted()
    assert len(stopped.value.result.frame()) == 2
    assert "not finished" in stopped.value.result._repr_html_()
    whole = two().run()
    assert (whole.name, len(whole.frame()), len(asked)) == ("grid@1", 6, 3 + 4)


def test_interrupted_at_once_it_has_no_rows(monkeypatch):
    def interrupted(cell: dict[str, Any]) -> dict[str, Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "measure_and_time", interrupted)
    with pytest.raises(pg.Interrupted) as stopped:
        two().run()
    assert stopped.value.result.frame().is_empty()


def test_a_file_with_the_same_grid_has_the_same_run(tmp_path):
    fields = {"title": "Mine", "games": ["tictactoe"], "grid": {"depth": [1, 2, 3]}}
    players = ["minimax:depth={depth}", "alphabeta:depth={depth}"]
    path = tmp_path / "mine.toml"
    path.write_text(toml(**fields, players=players))
    assert run("lab", "run", path, "--no-report").status == 0
    assert two(name="mine").run().name == "mine@1"


def test_a_name_without_a_blank_is_an_option_of_whoever_has_it():
    grid = pg.lab.grid(
        ["greedy", "alphabeta:eval=zero", "mtdf"], "tictactoe", depth=[2], memory=["1MB"]
    )
    players = {cell.arguments["player"] for cell in grid.cells(grid.parameters())}
    assert players == {"greedy", "alphabeta:depth=2,eval=zero", "mtdf:depth=2,memory=1MB"}
    found = grid.run().frame()
    told = {row["player"]: (row["depth"], row["memory"]) for row in found.to_dicts()}
    assert told == {"greedy": (None, None), "alphabeta:eval=zero": (2, None), "mtdf": (2, "1MB")}


def test_where_there_are_blanks_nothing_is_added():
    grid = pg.lab.grid(["minimax:depth={depth}", "alphabeta:depth=1"], "tictactoe", depth=[1, 2])
    found = grid.run().frame()
    assert found.select("player", "depth").rows() == [
        ("minimax", 1),
        ("alphabeta:depth=1", None),
        ("minimax", 2),
    ]


def test_a_name_that_is_a_counter_too_has_a_column_of_its_own():
    found = pg.lab.grid(["alphabeta:nodes={nodes}"], "tictactoe", nodes=[5, 50]).run().frame()
    assert found["{nodes}"].to_list() == [5, 50]
    assert 0 < found["nodes"][0] < found["nodes"][1]


def test_games_are_names_files_settings_and_games_themselves(tmp_path):
    path = write_game(tmp_path / "heap.py")
    games = [
        "tictactoe",
        path,
        {"game": "mnk", "settings": {"m": "{width}"}, "name": "wide"},
        {"game": pg.games["kalah"], "positions": ["3"]},
    ]
    found = pg.lab.grid("alphabeta:depth=1", games, width=[3, 4]).run().frame()
    assert found.select("game", "width").rows() == [
        ("m,n,k game", None),
        (found["game"][1], None),
        ("wide", 3),
        ("Kalah", None),
        ("wide", 4),
    ]


def test_of_a_match_there_is_a_row_for_each_player_of_each_pair():
    grid = pg.lab.grid(
        ["random", "alphabeta"],
        "tictactoe",
        measure="match",
        openings="random:1",
        count=3,
        repetitions=2,
        depth=[1, 2],
    )
    found = grid.run().frame()
    assert len(found) == 2 * 3 * 2 * 2
    assert set(found.select("player", "against").rows()) == {
        ("random", "alphabeta"),
        ("alphabeta", "random"),
    }
    assert found["points"].sum() == len(found) / 2
    assert {"nodes", "plies", "seconds", "depth"} <= set(found.columns)


def test_its_report_draws_itself():
    grid = two(charts=[{"x": "depth", "y": "leaves"}])
    done = grid.run(quick=True)
    page = done.report()
    assert page.startswith("<!doctype html>") and "Leaves by depth" in page
    assert "visited the fewest leaves" in page and "plyground lab run FILE.py --quick" in page
    assert page._repr_html_() == done._repr_html_()
    assert "srcdoc" in page._repr_html_()


def test_in_a_file_it_is_an_experiment_for_the_command(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import plyground as pg\n"
        "EXPERIMENT = pg.lab.grid('minimax', 'tictactoe', name='by-depth', depth=[1, 2])\n"
    )
    result = run("lab", "run", path, "--no-report")
    assert result.out.startswith("by-depth@1: 2 cells")
    assert run("lab", "report", f"{path}@1").status == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": ["alphbeta"]}, "unknown player 'alphbeta'; did you mean alphabeta?"),
        ({"players": [3]}, "players, number 1 = 3: expected a player's text"),
        ({"players": ["minimax:depth={depth}"]}, r"{depth} has no values; expected depth=\[...\]"),
        ({"games": "tictac"}, "unknown game 'tictac'; did you mean tictactoe?"),
        ({"games": [{"game": "mnk", "size": 3}]}, "games, number 1: unknown field 'size'"),
        ({"games": [3]}, "a game is a name, a path"),
        ({"games": [{"name": "x"}]}, "games, number 1: game is missing"),
        ({"depth": 3}, "grid depth = 3: expected a list of values"),
        ({"depht": [3]}, "grid depht: no player and no setting of a game has {depht}"),
        ({"depth": [1, 300]}, "players, number 1, with depth=300: alphabeta: depth '300'"),
        ({"quick": {"depth": [2]}}, "quick depth: unknown parameter 'depth'"),
        ({"measure": "match"}, "a match is between two"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_run(given, message, data_folder: Path):
    with pytest.raises(pg.InputError, match=message):
        pg.lab.grid(**{"players": ["alphabeta"], "games": "tictactoe"} | given)
    assert not data_folder.exists()
