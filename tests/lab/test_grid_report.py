"""The report of a user's own experiment says what was measured, and no more than that."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from lab_tools import untimed
from match_tools import toml

from plyground.lab import study
from plyground.lab.as_data import report_as_data
from plyground.lab.frames import Measurements
from plyground.lab.grid.file import read_experiment
from plyground.lab.parameters import read_parameters
from plyground.lab.report import Chart, Column, Report, Table
from plyground.lab.spec import Cell, Experiment, Measured
from plyground.lab.statistics import mean, mean_share, median, ratio
from plyground.lab.tasks import search_position
from plyground.search.parts import COUNTERS

LEAVES = {1: 9, 2: 72, 3: 504}  # of minimax, from the empty board of tic-tac-toe
PLAIN: dict[str, Any] = {
    "title": "Leaves by depth",
    "games": ["tictactoe"],
    "players": ["minimax:depth={depth}", "alphabeta:depth={depth}"],
    "grid": {"depth": [1, 2, 3]},
}
DUEL: dict[str, Any] = {
    "title": "Who wins",
    "measure": "match",
    "games": ["tictactoe"],
    "players": ["alphabeta:depth=2", "first"],
    "positions": ["", "a1", "b2", "b1"],
}


pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


Made = Callable[[Cell], Measured]


def report_on(path: Path, fields: dict[str, Any], made: Made = Cell.measure) -> Report:
    """The report of a file with these fields, of what is measured or made up."""
    path.write_text(toml(**fields), encoding="utf-8")
    experiment: Experiment[Any] = read_experiment(path)
    parameters = read_parameters(experiment, False, {})
    cells = experiment.cells(parameters)
    return study.report(experiment, parameters, Measurements((c, made(c)) for c in cells))


def searched(**numbers: float) -> Measured:
    """A made-up search."""
    answer = dict.fromkeys((*COUNTERS, "deepest", "depth", "value"), 0) | numbers
    time_s = answer.pop("time_s", 0.001)
    return Measured({**answer, "move": "a1"}, {"search": [time_s]})


def played(first: float, second: float) -> Measured:
    """A made-up pair of games, by the points of the first player."""
    games = [game(["a3"], [5]), game(["a3", "c3"], [7, 9])]
    times = {"first game": [0.1], "second game": [0.2, 0.3]}
    return Measured({"points": [first, second], "games": games}, times)


def game(moves: list[str], nodes: list[int]) -> dict[str, Any]:
    return {"moves": moves, "nodes": nodes, "ended": "over", "reason": ""}


def depth_of(cell: Cell) -> int:
    _, _, rest = cell.arguments["player"].partition("depth=")
    return int(rest.partition(",")[0])


def table(report: Report, title: str) -> Table:
    [found] = [each for each in report.tables if each.title == title]
    return found


def rows(chart: Chart) -> list[dict[str, Any]]:
    return list(chart.spec["data"]["values"])


# ------------------------------------------------------------------ searches


def test_tables_have_the_known_numbers(path):
    found = table(report_on(path, PLAIN), "Median leaves")
    assert [column.name for column in found.columns] == ["depth", "minimax", "alphabeta"]
    assert [list(row[:2]) for row in found.rows] == [list(each) for each in LEAVES.items()]
    assert found.note == "Of 1 position."
    assert all(row[2] <= row[1] for row in found.rows)


def test_a_summary_tells_who_needed_the_fewest_leaves(path):
    report = report_on(path, PLAIN)
    leaves = Cell.of(search_position, game="tictactoe", player="alphabeta:depth=3").measure()
    factor = LEAVES[3] / leaves.answer["leaves"]
    assert report.summary == (
        "**m,n,k game**: with depth=3, alphabeta visited the fewest leaves; "
        f"minimax {factor:.3g} times as many, position by position (1 position). "
        "All exact searches found the same values."
    )
    assert "the same values, in all of 3 comparisons" in text_of(report)


def text_of(report: Report) -> str:
    return str(report_as_data(report))


def test_medians_and_ratios_come_with_their_intervals(path):
    """Alpha-beta is made to need a half of what minimax does, more or less."""
    dice = random.Random(1)
    leaves = {}

    def made(cell: Cell) -> Measured:
        key = cell.arguments["player"].partition(":")[0], cell.arguments["moves"]
        leaves[key] = dice.randrange(80, 120) // (2 if key[0] == "alphabeta" else 1)
        return searched(leaves=leaves[key])

    report = report_on(
        path, PLAIN | {"grid": {"depth": [2]}, "openings": "random:3", "count": 20}, made
    )
    places = [moves for name, moves in leaves if name == "minimax"]
    assert len(places) == 20
    [[_, found, _]] = table(report, "Median leaves").rows
    assert found == median(leaves["minimax", place] for place in places)
    [row] = table(report, "Leaves: how many times that of minimax").rows
    factor = ratio((leaves["alphabeta", place], leaves["minimax", place]) for place in places)
    assert row == [2, factor]
    assert 0.4 < factor.low < factor.value < factor.high < 0.6
    inverse = f"{1 / factor.value:.3g} ({1 / factor.high:.3g} to {1 / factor.low:.3g})"
    assert f"minimax {inverse} times as many, position by position (20" in report.summary


def test_a_difference_that_may_be_chance_is_called_so(path):
    def made(cell: Cell) -> Measured:
        is_odd = cell.arguments["moves"] in ("a1", "b2")
        is_first = cell.arguments["player"].startswith("minimax")
        return searched(leaves=100 if is_odd == is_first else 90)

    fields = PLAIN | {"grid": {"depth": [1]}, "positions": ["a1", "b2", "b1", "c1"]}
    assert (
        "times as many (may be chance), position by position"
        in report_on(path, fields, made).summary
    )


def test_means_if_the_file_asks_for_them(path):
    fields = PLAIN | {
        "positions": ["a1", "b2", "b1"],
        "tables": [{"of": "nodes", "average": "mean", "title": "Effort"}],
    }
    numbers = {"a1": 10, "b2": 20, "b1": 60}
    report = report_on(path, fields, lambda cell: searched(nodes=numbers[cell.arguments["moves"]]))
    assert table(report, "Effort").rows[0][:2] == [1, mean(numbers.values())]
    assert not [each for each in report.tables if "leaves" in each.title.lower()]


def test_without_a_grid_players_are_rows(path):
    fields = PLAIN | {"players": ["minimax:depth=2", "alphabeta:depth=2"], "grid": {}}
    found = table(report_on(path, fields), "Median leaves")
    assert [column.name for column in found.columns] == ["player", "leaves"]
    assert found.rows[0] == ["minimax:depth=2", 72]


def test_a_single_player_has_numbers_and_no_rivals(path):
    report = report_on(path, PLAIN | {"players": ["minimax:depth={depth}"]})
    assert "with depth=3, minimax visited 504 leaves (1 position)." in report.summary
    assert not [each for each in report.tables if "how many times" in each.title]
    assert "there are no values to compare" in text_of(report)


def test_who_visits_no_leaves_is_not_the_best(path):
    fields = PLAIN | {"players": ["first", "minimax:depth={depth}"]}
    report = report_on(path, fields)
    assert "minimax visited 504 leaves" in report.summary
    factors = table(report, "Leaves: how many times that of first")
    assert [row[1] for row in factors.rows] == [None, None, None]
    nobody = report_on(path, PLAIN | {"players": ["first"], "grid": {}})
    assert "nobody visited a leaf" in nobody.summary


def test_names_are_shown_as_they_are(path):
    fields = PLAIN | {"players": [{"name": "*best* [one]_", "player": "minimax:depth={depth}"}]}
    assert r"\*best\* \[one\]\_ visited" in report_on(path, fields).summary


# ------------------------------------------------------------------ values


def test_values_that_differ_are_told_with_their_place(path):
    def made(cell: Cell) -> Measured:
        is_wrong = cell.arguments["player"] == "alphabeta:depth=2"
        return searched(leaves=9, value=7 if is_wrong and cell.arguments["moves"] == "b2" else 3)

    report = report_on(path, PLAIN | {"positions": ["a1", "b2"]}, made)
    assert (
        "Exact searches found different values: position 2 with depth=2: "
        "3 by minimax and 7 by alphabeta." in report.summary
    )
    assert "They did not in 1 of 6 comparisons" in text_of(report)
    found = table(report, "Values that differ")
    names = [column.name for column in found.columns]
    assert names == ["game", "depth", "position", "player", "value"]
    where = ["m,n,k game", 2, 2]
    assert found.rows == [[*where, "minimax", 3], [*where, "alphabeta", 7]]


@pytest.mark.parametrize(
    "other, must_agree",
    [
        ("mtdf:depth=2,memory=64KB", True),
        ("alphabeta:depth=2,eval=lines", True),
        ("alphabeta:depth=2,finish=distance", True),
        ("alphabeta:depth=2,order=history", True),
        ("alphabeta:depth=3", False),
        ("alphabeta:depth=2,eval=zero", False),
        ("alphabeta:depth=2,eval=lines(base=3)", False),
        ("alphabeta:depth=2,finish=margin", False),
        ("alphabeta:depth=2,endgame=4", False),
        ("alphabeta:depth=2,nodes=10", False),
        ("alphabeta:depth=2,order=b2,a1", True),
        ("alphabeta:depth=2,remember=1MB", True),
        ("alphabeta:depth=2,stop=win", True),
        ("palphabeta-printed:depth=2", False),
        ("greedy", False),
    ],
)
def test_only_exact_searches_of_the_same_must_agree(path, other, must_agree):
    fields = PLAIN | {"players": ["minimax:depth=2", other], "grid": {}}
    report = report_on(
        path, fields, lambda cell: searched(leaves=1, value=len(cell.arguments["player"]))
    )
    assert ("different values" in report.summary) == must_agree


# ------------------------------------------------------------------ times and clocks


def test_only_what_is_timed_depends_on_times(path):
    fields = PLAIN | {
        "charts": [{"x": "depth", "y": "leaves"}, {"x": "depth", "y": "time"}],
        "positions": ["a1", "b2"],
    }
    dice = random.Random(1)
    one, other = (
        report_on(path, fields, lambda c: searched(leaves=depth_of(c), time_s=dice.random()))
        for _ in range(2)
    )
    assert one.summary == other.summary
    assert [chart.is_timed for chart in one.charts] == [False, True]
    assert one.charts[0] == other.charts[0]
    assert table(one, "Median time (ms)") != table(other, "Median time (ms)")
    bare = [
        untimed(
            report_as_data(Report(each.summary, [s for s in each.sections if s.title != "Charts"]))
        )
        for each in (one, other)
    ]
    assert bare[0] == bare[1]


def test_times_are_medians_in_milliseconds(path):
    fields = PLAIN | {"grid": {"depth": [1]}, "repetitions": 3}
    timed = replace(searched(leaves=1), times_s={"search": [0.004, 9.0, 0.002]})
    report = report_on(path, fields, lambda cell: timed)
    assert table(report, "Median time (ms)").rows == [[1, 4.0, 4.0]]


def test_of_players_with_a_clock_nothing_is_called_repeatable(path):
    fields = PLAIN | {"players": ["alphabeta:time=10ms"], "grid": {}}
    report = report_on(path, fields, lambda cell: searched(leaves=4))
    assert report.summary.endswith(
        "What alphabeta:time=10ms found depends on the speed of the machine, and differs from "
        "run to run."
    )
    leaves: list[Column] = list(table(report, "Median leaves").columns)
    assert [column.is_timed for column in leaves] == [False, True]


# ------------------------------------------------------------------ matches


def test_a_match_is_told_by_its_share_of_points(path):
    points = {"": (1, 1), "a1": (1, 0), "b2": (1, 1), "b1": (0.5, 1), "c1": (1, 1), "b3": (1, 1)}
    fields = DUEL | {"positions": list(points)}
    report = report_on(path, fields, lambda cell: played(*points[cell.arguments["opening"]]))
    share = mean_share([sum(each) / 2 for each in points.values()])
    assert share.value == 0.875
    assert 0.5 < share.low < share.value < share.high <= 1
    [row] = table(report, "Who won against whom").rows
    assert row == ["alphabeta:depth=2", "first", 12, share]
    assert report.summary == (
        f"**m,n,k game**: alphabeta:depth=2 took 88% ({share.low:.0%} to 100%) of the points "
        "against first in 12 games: it is the stronger one here."
    )
    shares = table(report, "Share of the points")
    told = {player: found.value for player, found in shares.rows}
    assert told == {"alphabeta:depth=2": 0.875, "first": 0.125}
    assert all(column.as_percent for column in shares.columns[1:])


def test_an_even_match_decides_nothing(path):
    report = report_on(path, DUEL, lambda cell: played(1, 0))
    assert "that does not show which is stronger" in report.summary


def test_the_best_of_several_is_told_first(path):
    worth = {"greedy": 0, "first": 1, "random": 2}

    def made(cell: Cell) -> Measured:
        one, other = (worth[name] for name in cell.arguments["players"])
        return played(float(one > other), float(one > other))

    report = report_on(path, DUEL | {"players": list(worth)}, made)
    assert "random took the most points, 100%" in report.summary
    assert "; first 50% (" in report.summary
    assert " and greedy 0% (" in report.summary
    assert len(table(report, "Who won against whom").rows) == 3


def test_effort_belongs_to_who_made_the_move(path):
    """In the second game the sides are changed; the moves of an opening are nobody's."""
    wanted = [{"of": "nodes"}, {"of": "time"}, {"of": "plies"}]
    fields = DUEL | {"positions": [""], "tables": wanted}
    report = report_on(path, fields, lambda cell: played(1, 1))
    assert [row[1] for row in table(report, "Median nodes per move").rows] == [7, 7]
    times = table(report, "Median time per move (ms)")
    assert [row[1] for row in times.rows] == pytest.approx([200, 200])
    assert times.columns[1].is_timed
    assert [row[1] for row in table(report, "Median length of games (plies)").rows] == [1.5, 1.5]
    report = report_on(path, fields | {"positions": ["b2"]}, lambda cell: played_after("b2"))
    assert [row[1] for row in table(report, "Median nodes per move").rows] == [8, 6]


def played_after(opening: str) -> Measured:
    games = [game([opening, "a1", "a2"], [0, 6, 8]), game([opening], [0])]
    return Measured({"points": [1, 1], "games": games}, {"one": [0.0, 0.1, 0.1], "two": [0.0]})


def test_a_side_that_moves_twice_is_charged_twice(path):
    """Kalah: what our own count says is what the records of the games say."""
    games = []

    def made(cell: Cell) -> Measured:
        found = cell.measure()
        games.extend(found.games)
        return found

    fields = DUEL | {
        "games": ["kalah"],
        "players": ["alphabeta:depth=1", "greedy"],
        "positions": ["3"],
        "tables": [{"of": "nodes"}],
    }
    report = report_on(path, fields, made)
    told = dict(row[:2] for row in table(report, "Median nodes per move").rows)
    spent: dict[str, list[int]] = {"alphabeta:depth=1": [], "greedy": []}
    for game in games:
        for move in game.moves[game.opening :]:
            spent[game.players[move.side]].append(move.nodes)
    sides = [move.side for game in games for move in game.moves]
    assert any(one == other for one, other in itertools.pairwise(sides))
    assert told == pytest.approx({who: sum(each) / len(each) for who, each in spent.items()})


def test_games_that_ended_other_than_on_the_board_are_told(path):
    """SSS* with too little memory gives up, which is no way to lose an argument."""
    fields = DUEL | {
        "games": [{"game": "mnk", "settings": {"m": 6, "n": 6, "k": 4}}],
        "players": ["sss:depth=4,memory=1KB", "first"],
        "positions": [""],
    }
    assert report_on(path, fields).summary.endswith(
        "2 games ended other than on the board, the first one by the first player: sss needs "
        "more memory for depth 4; give it more memory, or search less deep."
    )


# ------------------------------------------------------------------ charts


def drawn(path: Path, fields: dict[str, Any], made: Made = Cell.measure) -> list[dict[str, Any]]:
    [chart] = report_on(path, fields, made).charts
    return rows(chart)


def test_a_line_for_each_player(path):
    found = drawn(path, PLAIN | {"charts": [{"x": "depth", "y": "leaves", "log": True}]})
    [chart] = report_on(path, PLAIN | {"charts": [{"x": "depth", "y": "leaves"}]}).charts
    assert chart.note == "Medians over positions."
    lines = {(row["depth"], row["which one"]): row["median leaves"] for row in found}
    assert {depth: lines[depth, "minimax"] for depth in LEAVES} == LEAVES
    assert len(lines) == len(found) == 6


def test_what_else_varies_tells_lines_apart_and_a_player_it_does_not_change_is_there_once(path):
    fields = PLAIN | {
        "players": ["mtdf:depth={depth},memory={memory}", "alphabeta:depth={depth}", "greedy"],
        "grid": {"depth": [1, 2], "memory": ["64KB", "1MB"]},
        "positions": ["a1", "b2", "b1"],
        "charts": [{"x": "depth", "y": "leaves", "average": "mean"}],
    }
    numbers = {"a1": 10, "b2": 20, "b1": 60}
    found = drawn(path, fields, lambda cell: searched(leaves=numbers[cell.arguments["moves"]]))
    names = ["mtdf, memory=64KB", "alphabeta", "greedy", "mtdf, memory=1MB"]
    assert list(dict.fromkeys(row["which one"] for row in found)) == names
    assert len(found) == 2 * len(names)
    expected = mean(numbers.values())
    for row in found:  # counted twice, the same positions would seem to be more
        assert (row["low"], row["high"]) == (expected.low, expected.high)


def test_the_series_that_is_asked_for_is_named_first(path):
    fields = PLAIN | {
        "players": ["mtdf:depth={depth},memory={memory}", "abmemory:depth={depth},memory={memory}"],
        "grid": {"depth": [1, 2], "memory": ["64KB", "1MB"]},
        "charts": [{"x": "depth", "y": "leaves", "series": "memory"}],
    }
    found = drawn(path, fields, lambda cell: searched(leaves=1))
    assert "memory=64KB, mtdf" in {row["which one"] for row in found}


def test_points_are_single_searches(path):
    fields = PLAIN | {
        "positions": ["a1", "b2"],
        "charts": [{"kind": "points", "x": "nodes", "y": "leaves", "log_x": True}],
        "players": ["minimax:depth={depth}", "first"],
    }
    found = drawn(path, fields)
    assert len(found) == 3 * 2  # `first` visits no nodes, and has no place on the axis
    assert {row["which one"] for row in found} == {f"minimax, depth={depth}" for depth in (1, 2, 3)}
    assert {(row["nodes"], row["leaves"]) for row in found if "=1" in row["which one"]} == {(9, 8)}


def test_bars_may_stand_for_players_or_games(path):
    fields = PLAIN | {"players": ["minimax:depth=1", "greedy"], "grid": {}}
    found = drawn(path, fields | {"charts": [{"kind": "bars", "x": "player", "y": "nodes"}]})
    assert [row["player"] for row in found] == ["minimax:depth=1", "greedy"]
    fields["games"] = ["tictactoe", "kalah"]
    found = drawn(path, fields | {"charts": [{"kind": "bars", "x": "game", "y": "nodes"}]})
    assert len(found) == 4
    assert {row["game"] for row in found} == {"m,n,k game", "Kalah"}


def test_several_games_stand_beside_each_other(path):
    fields = PLAIN | {
        "games": ["tictactoe", {"game": "kalah", "settings": {"seeds": "{seeds}"}}],
        "players": ["greedy"],
        "grid": {"seeds": [3, 4]},
        "charts": [{"x": "seeds", "y": "leaves"}],
    }
    report = report_on(path, fields)
    assert {row["game"] for row in rows(report.charts[0])} == {"Kalah"}
    assert [section.title for section in report.sections[1:3]] == ["m,n,k game", "Kalah"]
    assert report.summary.count("greedy visited") == 2


def test_in_a_match_the_opponents_change_results_too(path):
    fields = DUEL | {
        "players": ["alphabeta:depth={depth}", "first"],
        "grid": {"depth": [1, 2]},
        "charts": [{"kind": "bars", "x": "player", "y": "points"}],
    }
    found = drawn(path, fields, lambda cell: played(1, 0.5))
    assert {row["which one"] for row in found} == {"depth=1", "depth=2"}
    assert {row["median points"] for row in found} == {0.75, 0.25}


# ------------------------------------------------------------------ all together


def test_a_user_makes_an_experiment_and_runs_it(path, data_folder):
    assert run("lab", "new", path).status == 0
    text = path.read_text(encoding="utf-8").replace('"connect4"', '"tictactoe"')
    path.write_text(text.replace("random:6", "random:2"), encoding="utf-8")
    shown = run("lab", "show", path)
    assert "What a table of bounds is worth" in shown.out
    result = run("lab", "run", path, "--quick", "--set", "depth=1,2", "--set", "count=2")
    assert result.status == 0, result
    assert "visited the fewest leaves" in result.out
    assert "All exact searches found the same values." in " ".join(result.out.split())
    page = data_folder / "lab" / "mine-1" / "mine.html"
    assert "What a table of bounds is worth" in page.read_text(encoding="utf-8")
    assert run("lab", "report", f"{path}@1").status == 0
