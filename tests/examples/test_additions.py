"""The examples that add to the catalogues do what they say: a search, a player, an experiment, an
evaluator with levels."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import Result, one_line, run
from hypothesis import given
from hypothesis import strategies as st

import plyground as pg
from plyground.matches.one_game import play_game
from plyground.players.catalogue import make_machine
from plyground.search.catalogue import find_algorithm

EXAMPLES = Path(__file__).parents[2] / "examples"
BEAM, EPSILON, SEARCHES, HEXAPAWN = (
    EXAMPLES / f"{name}.py" for name in ("beam", "epsilon_greedy", "two_searches", "hexapawn")
)


def data(*arguments: str | Path) -> dict:
    result = run(*arguments, "--json")
    assert result.status == 0, result
    return json.loads(result.out)


# ------------------------------------------------------------------ beam search


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
@pytest.mark.parametrize("order", ["natural", "shallow"])
def test_a_beam_looks_at_fewer_positions_than_alpha_beta(game, order):
    pg.use(BEAM)
    start = pg.Position(game)
    beam, whole = (
        start.search(each, depth=6, order=order).counters["nodes"] for each in ("beam", "alphabeta")
    )
    assert 6 < beam < whole / 2


@pytest.mark.usefixtures("plain")
def test_a_beam_sees_three_moves_of_each_position_and_no_others():
    pg.use(BEAM)
    tree = pg.Position("connect4").tree("beam", depth=3)
    assert [node.move for node in tree.root.children] == ["1", "2", "3"]
    assert max(len(tree[number].children) for number in range(len(tree))) == 3


@pytest.mark.usefixtures("plain")
def test_the_order_decides_which_moves_a_beam_sees():
    """By itself it sees the three columns on the left; shallow searches begin in the middle."""
    pg.use(BEAM)
    start = pg.Position("connect4")
    assert start.search("beam", depth=4).move in ("1", "2", "3")
    assert start.search("beam", depth=4, order="shallow").move == "4"


@pytest.mark.usefixtures("plain")
def test_a_beam_plays_a_match(tmp_path):
    given = ("--game", "tictactoe", "--games", "4", "--with", BEAM)
    result = run("match", "beam:depth=3,order=shallow", "first", *given)
    assert result.status == 0, result
    assert re.search(r"(?m)^beam:depth=3,order=shallo +2 +0 +2 ", result.out), result.out


def test_a_beam_promises_nothing_and_is_listed_so():
    pg.use(BEAM)
    beam = find_algorithm("beam")
    assert (beam.equals_minimax, beam.paper) == (False, "folklore")
    assert beam.summary == "Alpha-beta on the first three moves of each position."


# ------------------------------------------------------------------ the epsilon-greedy player


def moves_of(player: str, seed: int) -> list[list[str]]:
    """The moves of a pair of games."""
    pg.use(EPSILON)
    found = pg.match(player, "first", game="connect4", games=2, seed=seed)
    return [[move.move for move in each.record.moves] for each in found.games]


@pytest.mark.usefixtures("plain")
def test_the_same_seed_gives_the_same_games_and_another_gives_others():
    first = moves_of("epsilon-greedy:epsilon=0.5", seed=1)
    assert moves_of("epsilon-greedy:epsilon=0.5", seed=1) == first
    assert moves_of("epsilon-greedy:epsilon=0.5", seed=2) != first


@pytest.mark.usefixtures("plain")
def test_without_epsilon_it_is_greedy_and_with_all_of_it_random():
    greedy = moves_of("greedy", seed=1)
    assert moves_of("epsilon-greedy:epsilon=0", seed=1) == greedy
    assert moves_of("epsilon-greedy:epsilon=1", seed=1) != greedy


def test_epsilon_is_an_option_like_others():
    pg.use(EPSILON)
    told = run("players", "epsilon-greedy", "--with", EPSILON).out
    assert re.search(r"(?m)^  epsilon +0\.1 if not given", told)
    given = ("first", "--game", "tictactoe", "--games", "2", "--with", EPSILON)
    assert "epsilon" in one_line(run("match", "epsilon-greedy:epsilon=often", *given))
    message = one_line(run("match", "epsilon-greedy:epsiln=1", *given))
    assert message.endswith("did you mean epsilon?")


# ------------------------------------------------------------------ the experiment


def lab(*arguments: str | Path) -> Result:
    return run("lab", *arguments, "--with", SEARCHES)


def test_the_experiment_takes_less_than_thirty_lines():
    assert len(SEARCHES.read_text(encoding="utf-8").splitlines()) < 30


def test_the_experiment_is_listed_and_told():
    assert "two-searches" not in run("lab", "list").out
    assert re.search(r"(?m)^two-searches +Two searches", lab("list").out)
    told = lab("show", "two-searches").out
    assert "Does MTD(f) look at fewer positions than alpha-beta?" in told
    assert "28 cells to measure; 12 with --quick" in told
    assert told.endswith(f"run it with: plyground lab run two-searches --with {SEARCHES}\n")


@pytest.mark.usefixtures("plain")
def test_the_experiment_writes_a_report_with_a_chart_and_a_table(tmp_path):
    result = lab("run", "two-searches", "--quick", "--out", tmp_path / "r")
    assert result.status == 0, result
    assert result.out.endswith(f"report: {tmp_path / 'r' / 'two-searches.html'}\n")
    page = (tmp_path / "r" / "two-searches.html").read_text(encoding="utf-8")
    assert "<svg" in page and "<table" in page
    found = data("lab", "report", "two-searches", "--with", SEARCHES)
    chart, table = found["sections"][0]["parts"]
    names = [column["name"] for column in table["columns"]]
    assert names == ["algorithm", "game", "depth", "leaves", "nodes", "seconds"]
    rows = [dict(zip(names, row, strict=True)) for row in table["rows"]]
    assert len(rows) == 12
    for row in rows:  # the same numbers as a search by hand
        searched = pg.Position(row["game"]).search(row["algorithm"], depth=row["depth"])
        assert (row["leaves"], row["nodes"]) == (searched.counters["leaves"], searched.nodes)
    drawn = json.dumps(chart)
    assert "leaves" in drawn and "mtdf" in drawn and "othello" in drawn


@pytest.mark.usefixtures("plain")
def test_the_experiment_goes_on_where_it_was_and_is_not_measured_twice(monkeypatch):
    few = ("--no-report", "--set", "depth=1,2", "--set", "game=connect4")
    searched = []

    def search(position, algorithm, depth):
        searched.append((algorithm, depth))
        if len(searched) == 3:
            raise RuntimeError("a power cut")
        return by_itself(position, algorithm, depth=depth)

    by_itself = pg.Position.search
    monkeypatch.setattr(pg.Position, "search", search)
    begun = lab("run", "two-searches", *few)
    assert (begun.status, begun.err.splitlines()[0]) == (1, "two-searches@1: 4 cells")
    again = lab("run", "two-searches", *few)
    assert (again.status, again.err.splitlines()[0]) == (
        0, "two-searches@1 goes on: 2 of 4 cells are measured"
    )  # fmt: skip
    assert len(searched) == 5 and len({*searched}) == 4
    assert lab("run", "two-searches", *few).err.startswith("two-searches@1 measured all this on ")
    assert len(searched) == 5


# ------------------------------------------------------------------ hexapawn's evaluator and levels


def naive_pawns(position: str, pawn: int = 4, step: int = 1) -> int:
    """The same from the text of a board: for White, who begins below."""
    rows, value = position.split()[0].split("/"), 0
    for row, text in enumerate(rows):
        value += text.count("W") * (pawn + step * (2 - row)) - text.count("B") * (pawn + step * row)
    return value


@given(st.lists(st.integers(0, 20), max_size=8), st.integers(1, 9), st.integers(0, 9))
def test_pawns_are_valued_as_by_hand(choices, pawn, step):
    start = pg.Position(str(HEXAPAWN))
    for choice in choices:
        if start.is_over:
            break
        start = start.play_code(start.legal_codes[choice % len(start.legal)])
    cells = "".join({"first": "W", "second": "B"}.get(cell, "-") for cell in start.board.cells)
    expected = naive_pawns("/".join(re.findall("...", cells)), pawn, step)
    found = start.explain(f"pawns(pawn={pawn},step={step})").value
    assert found == (expected if start.mover == 0 else -expected)


@pytest.mark.usefixtures("plain")
def test_hexapawn_is_searched_with_its_evaluator_by_default():
    found = run("search", HEXAPAWN, "-a", "alphabeta", "--depth", "2").out
    assert "alphabeta, pawns: nodes " in found
    assert run("explain", HEXAPAWN).out.rstrip().endswith("by pawns (1 is a step of a pawn)")


def test_the_levels_of_hexapawn_are_its_own_and_the_expert_never_loses_as_second():
    """Hexapawn is won by whoever moves second."""
    game = pg.Position(str(HEXAPAWN)).game
    assert list(game.levels) == ["amateur", "medium", "expert"]
    start = pg.Position(str(HEXAPAWN))
    for seed in range(8):
        players = [make_machine(level, game, start.start) for level in ("medium", "expert")]
        record = play_game(start, (players[0], players[1]), ("medium", "expert"), seed)
        assert (record.points, record.ended) == (0, "over")
