"""Double Card: printed games replayed, searches counted another way, every claim's rule."""

import json
from itertools import product

import polars as pl
import pytest
from evaluation.positions import two_ply
from lab_tools import check_times_decide_nothing_else, measured, verdict_of

from plyground.core.scores import WIN
from plyground.evaluation.double_card import Danger, Patterns
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game
from plyground.games.rules import play
from plyground.lab.catalogue.double_card import EXPERIMENT
from plyground.lab.catalogue.double_card import study as card
from plyground.lab.catalogue.double_card.program import (
    Program,
    course,
    heuristic_1,
    heuristic_2,
    occurrences,
)
from plyground.lab.catalogue.double_card.study import DoubleCardParameters
from plyground.lab.frames import times_as_much
from plyground.lab.report import Verdict
from plyground.lab.statistics import Estimate, share

GAME = find_game("double-card")
TINY = DoubleCardParameters(
    searched_pairs=5, match_pairs=2, ordered_positions=2, order_depth=2, repetitions=1
)


@pytest.fixture(scope="module")
def tiny():
    return measured(EXPERIMENT, TINY)


@pytest.fixture(scope="module")
def replayed():
    """The printed games, decision by decision."""
    return {
        (table, row["step"]): row
        for table in card.TABLES
        for row in card.replay_table(table, card.moves_of(table)).answer["decisions"]
    }


def after(moves, **settings):
    start = GAME.initial(**settings)
    return GAME.replay(start, GAME.parse_moves(start, moves))


# ------------------------------------------------------------------ the whole


def test_there_are_as_many_pairs_as_asked_for():
    wanted = EXPERIMENT.cells(TINY.model_copy(update={"match_pairs": 7}))
    sizes = [
        (cell.arguments["number"], len(cell.arguments["openings"]))
        for cell in wanted
        if cell.arguments.get("match") == "2 plies"
    ]
    assert sizes == [(0, 5), (5, 2)]


@pytest.mark.full
def test_a_cell_measured_again_has_the_same_answer(tiny):
    again = [(cell, found) for cell, found in tiny if cell.arguments.get("match") == "2 plies"]
    assert again
    for cell, found in again:
        assert cell.measure().answer == found.answer


@pytest.mark.full
def test_a_report_has_all_that_can_be_written_and_is_the_same_whatever_the_times(tiny):
    report, _ = check_times_decide_nothing_else(EXPERIMENT, TINY, tiny)
    assert len(report.claims) == len(EXPERIMENT.published.claims)
    for table in report.tables:
        names = [column.name for column in table.columns]
        assert table.rows and len(names) == len(set(names)), table.title
    names = [chart.name for chart in report.charts]
    assert names == ["heuristic-time", "nodes", "search-time", "match-score", "orders"]
    for chart in report.charts:
        json.dumps(chart.spec, allow_nan=False)


# ------------------------------------------------------------------ what was printed


def test_the_printed_lists_are_moves_from_the_top_down():
    lists = {table: card.printed_values(table) for table in ("table 2", "table 3")}
    assert lists["table 2"]["move"][:3].to_list() == ["0 1 A 4", "0 1 D 1", "0 1 F 1"]
    assert [len(each) for each in lists.values()] == [38, 40]
    for table, chosen in (("table 2", {"0 4 D 1", "0 8 D 1"}), ("table 3", {"0 6 D 1"})):
        best = lists[table].filter(pl.col("printed") == pl.col("printed").max())
        assert set(best["move"]) == chosen


def test_the_heuristic_has_the_values_of_table_1():
    printed = dict(EXPERIMENT.published.tables["table 1"].rows)
    ours = {name: printed[name] for name in ("Unavailable-3", "Unavailable-2", "Unavailable-1")}
    assert set(ours.values()) == {Patterns().unavailable}
    assert printed == ours | {
        "4-connected": Patterns().four,
        "Alive-3": Patterns().alive_three,
        "Dead-3": Patterns().dead_three,
        "Double-Dead-3": Patterns().double_dead_three,
        "Alive-2": Patterns().alive_two,
        "Dead-2": Patterns().dead_two,
        "Double-Alive-2": Patterns().double_alive_two,
        "Dead-3-and-Alive-2": Patterns().dead_three_and_alive_two,
    }


# ------------------------------------------------------------------ the rebuilt program


@pytest.mark.full
def test_the_rebuilt_program_plays_every_printed_move_and_prints_every_value(replayed):
    assert len(replayed) == 11
    for row in replayed.values():
        assert row["program"] == row["printed"]
    for table in ("table 2", "table 3"):
        row, printed = replayed[table, 5], card.printed_values(table)
        assert row["listed moves"] == printed["move"].to_list()
        assert row["listed"] == pytest.approx(printed["printed"].to_list(), abs=0.006)


def test_the_rebuilt_program_cuts_and_skips_without_changing_its_choice():
    def search(*how):
        machine = Program(
            heuristic_1("dots").judge, ["0 2 A 1", "0 6 B 1", "0 1 A 3", "0 2 C 1"], *how
        )
        return card.best(machine.search())[0], machine.nodes

    nodes = [card.program_counts(["0 1 A 1"], *how)[0] for how in card.PROGRAM.values()]
    assert nodes[0] < nodes[1] < nodes[2] == 1 + 56 + 2832  # leaves as in the course's traces
    (cut, fewer), (whole, all_nodes) = search(), search(False)
    assert cut == whole == "0 4 D 1"
    assert fewer < all_nodes


def replies(moves):
    """The positions two plies ahead by the rules of the game, which nobody has won by then."""
    first = [play(after(moves), move) for move in GAME.legal(after(moves))]
    return sum(len(GAME.legal(state)) for state in first)


@pytest.mark.parametrize("moves", [[], ["0 1 A 1"], ["0 8 H 1", "0 8 G 1"]])
def test_the_leaves_of_the_rebuilt_program_are_what_it_judges(moves):
    judged = []

    def judge(grid):
        judged.append(grid)
        return course(grid)

    for cuts, skips in product((True, False), repeat=2):
        machine = Program(judge, moves, cuts, skips)
        for _ in range(2):  # of the last search alone
            judged.clear()
            listed = machine.search()
            assert machine.leaves == len(judged) == machine.nodes - 1 - len(listed)
    assert machine.leaves == replies("; ".join(moves))


def test_the_course_s_e_of_n_is_the_evaluator_of_that_name():
    moves = "0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1; 0 4 D 1"
    assert course(Program(course, moves.split("; "))._grid()) == -70
    state = after(moves)
    assert abs(int(evaluate(card.judge_of("naive"), state))) == 2 * 70


@pytest.mark.full
def test_a_game_of_piled_cards_has_all_counts_of_figure_3(tiny):
    printed = card.FIGURE_3
    found = tiny.frame(card.replay_pile)
    assert found.select("card", "minimax", "alpha-beta").equals(printed)
    assert found["alpha-beta plays"].to_list() == card.PILE[::2]
    assert GAME.legal(after("; ".join(card.PILE)))  # nobody wins in it


@pytest.mark.full
def test_without_the_fitted_weight_38_values_and_10_moves_are_left(tiny):
    found = card.findings(TINY, tiny)
    assert found["agreement"]["rebuilt program"].sum() == 78 and found["same_moves"] == 11
    assert (found["unfitted_values"], found["unfitted_moves"]) == (38, 10)
    moves = tiny.frame(card.replay_unfitted).select("step", "printed", "program").rows()
    assert moves == [(3, "0 6 E 1", "0 4 D 1"), (5, "0 6 D 1", "0 6 D 1")]


@pytest.mark.full
def test_in_four_decisions_moves_are_equal_and_the_first_is_played(tiny, replayed):
    tied = {key: row["equal"] for key, row in replayed.items() if len(row["equal"]) > 1}
    assert {key: len(moves) for key, moves in tied.items()} == {
        ("table 2", 3): 8,
        ("table 2", 5): 2,
        ("table 4", 3): 16,
        ("table 4", 7): 2,
    }
    assert all(replayed[key]["printed"] == moves[0] for key, moves in tied.items())
    found = card.findings(TINY, tiny)
    assert (found["tied"], found["first_played"], found["chance_of_first"]) == (4, 4, 1 / 512)


@pytest.mark.full
def test_weights_that_block_in_table_5_fear_dots_more_than_colour(tiny, replayed):
    blocking = card.findings(TINY, tiny)["blocking"]
    assert {one["chosen"] for one in blocking} == {"0 8 G 1"} and len(blocking) == 5
    for _, by_colour, by_dots in (one["weights"] for one in blocking):
        assert by_dots > by_colour
    usual = [each for each in card.WEIGHTS if each == (card.USUAL, 5, 5)]
    assert len(usual) == 1 and len(card.WEIGHTS) == 175

    row, moves = replayed["table 5", 7], card.moves_of("table 5")[:-1]
    listed = dict(zip(row["listed moves"], row["listed"], strict=True))
    exact = Program(heuristic_2(card.USUAL).judge, moves, cuts=False).search()
    assert listed["0 8 G 1"] == listed["0 8 D 3"] == exact["0 8 D 3"] > exact["0 8 G 1"]


def test_the_figures_are_summed_up_as_their_data_are():
    tables = EXPERIMENT.published
    _, late, whole = tables.tables["figures 3 and 4"].rows
    counts, seconds = (tables.frame(name) for name in ("figure 3", "figure 4"))
    third_on = counts.filter(pl.col("card") > 2)
    assert late[1] == third_on["alpha-beta"].mean()
    share_judged = times_as_much("alpha-beta", "minimax")(third_on)
    assert late[2] == pytest.approx(share_judged.value, abs=5e-4)
    for row, some in ((late, seconds.filter(pl.col("card") > 2)), (whole, seconds)):
        left = times_as_much("alpha-beta, s", "minimax, s")(some).value
        assert row[3] == pytest.approx(1 - left, abs=1e-3)
    sums = tables.frame("figures 1 and 2").sum()
    slower = sums["heuristic 1, s"].item() / sums["heuristic 2, s"].item()
    assert tables.numbers["heuristic 1 over heuristic 2, time"] == pytest.approx(slower, abs=0.005)


def test_the_rebuilt_program_spares_goodness_and_the_end_of_a_line():
    assert occurrences(("RX", "WO", "..", "..", "..")) == (2, 2, 0, 0)
    assert occurrences(("..", "RX", "RX", "RX", "RX")) == (0, 0, 0, 0)
    assert occurrences(("RX", "RX", "WO", "..", "..", ".."))[0] == 3**2 + 2**2


# ------------------------------------------------------------------ searches


@pytest.mark.parametrize(("moves", "leaves"), [("", 3184), ("0 1 A 1", 2832)])
def test_minimax_has_the_leaves_of_the_course_s_traces(moves, leaves):
    setup = card.setup_of(card.SEARCHERS["minimax"])
    assert card.run_once(setup, after(moves), 2).counters["leaves"] == leaves


@pytest.mark.full
def test_parts_of_a_search_change_what_they_should_and_no_more(tiny):
    found = card.positions(tiny)
    assert len(found) > 40 and found["made"].min() == 2 and found["game"].n_unique() == 10
    for pruned, whole in (
        ("alphabeta", "minimax"),
        ("alphabeta-near", "minimax-near"),
        ("alphabeta-2", "minimax-2"),
        ("alphabeta-stop", "alphabeta"),
        ("alphabeta-table", "alphabeta"),
    ):
        assert found[f"value.{pruned}"].to_list() == found[f"value.{whole}"].to_list()
        assert (found[f"nodes.{pruned}"] <= found[f"nodes.{whole}"]).all()
    assert (found["nodes.minimax-near"] <= found["nodes.minimax"]).all()
    assert (found["judged.alphabeta-table"] <= found["leaves.alphabeta"]).all()
    laying = found.filter("only_lays")
    assert (laying["nodes.program-all"] >= laying["nodes.minimax"]).all()  # it goes on behind wins


@pytest.mark.full
def test_every_order_finds_the_value_of_minimax(tiny):
    searches = tiny.frame(card.order_position).filter(plies=2)
    assert len(searches) == 2 * (1 + len(card.ORDERS))
    assert searches.group_by("number").agg(pl.col("value").n_unique())["value"].max() == 1


@pytest.mark.parametrize("judge", [Patterns(), Danger()], ids=["1", "2"])
@pytest.mark.parametrize("moves", ["0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1", "0 2 A 1; 0 8 B 1"])
def test_values_of_level_two_are_those_of_a_plain_two_ply_search(judge, moves):
    state = after(moves)
    assert card.level_two(judge, state, knows_wins=False) == two_ply(GAME, judge, state)[0]


def test_with_wins_known_the_best_value_is_that_of_minimax():
    state = after("0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1", first_goal="dots")
    setup = card.setup_of(card.SEARCHERS["minimax"])
    values = card.level_two(Patterns(), state, knows_wins=True)
    assert max(values.values()) == card.run_once(setup, state, 2).value
    assert min(values.values()) == -WIN


# ------------------------------------------------------------------ decisions


@pytest.mark.full
def test_the_block_of_table_4_misses_a_win_and_loses_at_once(replayed):
    # 4 .. .. .. RO .. .. .. ..
    # 3 RX WO .. WX .. .. .. ..   C4 white completes C4 D3 E2 F1;
    # 2 RX WX RX RO WO RO .. ..   G1 hollow gives the opponent D4 E3 F2 G1
    # 1 WO RO WO WX RX WX .. ..
    row, moves = replayed["table 4", 9], card.moves_of("table 4")
    assert row["winning"] == ["0 4 C 3", "0 8 C 3"]
    assert (row["printed"], row["loses in"], row["printed, fate"]) == ("0 8 G 1", 1, "loses in 1")
    assert after("; ".join([*moves[:-1], "0 8 C 3"])).winner == 1
    assert after("; ".join([*moves, "0 2 E 3"])).winner == 2


@pytest.mark.full
def test_decisions_by_the_text_are_those_known(replayed):
    chosen = {key: row["text"] for key, row in replayed.items()}
    assert chosen["table 2", 5] == "0 8 D 1"
    assert chosen["table 4", 5] == "0 6 D 1"
    assert chosen["table 4", 9] == "0 8 G 1"
    assert chosen["table 5", 3] == "0 6 C 1 or 0 4 D 1"
    assert chosen["table 5", 7] == "0 8 G 1"
    assert replayed["table 5", 7]["safe"] == ["0 8 G 1"]


@pytest.mark.parametrize(
    ("moves", "told"), [("a", "safe"), ("b", "loses in 3"), ("bc", "loses in 1"), ("d", "wins")]
)
def test_the_fate_of_moves_is_that_of_the_worst(moves, told):
    losses = {"a": None, "b": 3, "c": 1, "d": None}
    assert card.fate(list(moves), losses, ["d"]) == told


# ------------------------------------------------------------------ orders


@pytest.mark.parametrize(("plies", "least"), [(2, 99), (3, 2549), (4, 4999)])
def test_the_least_leaves_are_those_of_knuth_and_moore(plies, least):
    rows = [
        {"number": 1, "order": name, "plies": plies, "nodes": 9, "leaves": 50**plies, "value": 0}
        for name in ("natural", "minimax")
    ]
    searches = pl.DataFrame(rows).with_columns(search_s=1.0)
    assert card.with_least(searches)["least"].to_list() == pytest.approx([least, least])


def test_sorted_search_fits_where_it_takes_no_more_nodes_than_minimax():
    rows = [(0, "minimax", 2, 2500), (1, "minimax", 2, 2500)]
    rows += [(0, card.SORTED, 4, 2500), (1, card.SORTED, 4, 2501)]
    searches = pl.DataFrame(rows, ["number", "order", "plies", "nodes"], orient="row")
    assert card.fitting(searches)["4 plies"].value == 0.5


def test_calls_fall_in_games_where_a_player_s_next_move_takes_fewer():
    rows = [
        (game, made, calls)
        for game, series in enumerate(([5, 7, 6], [5, 6, 7], [9, 8]))
        for made, calls in zip((2, 4, 6), series, strict=False)
    ]
    found = pl.DataFrame(rows, ["game", "made", "leaves.x"], orient="row")
    assert card.falls(found, "x") == share(1, 2)


# ------------------------------------------------------------------ claims

REPRODUCED, IN_DIRECTION, CONTRADICTED, NOT_TESTABLE = Verdict
HIGH, UNSURE, LOW = Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6), Estimate(0.3, 0.2, 0.4)
ABOVE, EVEN, BELOW = Estimate(1.3, 1.2, 1.4), Estimate(1.0, 0.9, 1.1), Estimate(0.8, 0.7, 0.9)
NEAR_MINIMAX = "isolated cards left out, minimax"
STOP = "stop where a move wins, alpha-beta"
LIKE = "rebuilt program, isolated cards skipped"
UNLIKE = "rebuilt program, skipped by alpha-beta alone"
DEEPER = "heuristic 2, 3 plies"
E_N, NOTHING = "the course's e(n), 3 plies", "no heuristic, 3 plies"


def lost(table, plies):
    return {"last": {table: {"loses in": plies}}}


@pytest.mark.parametrize(
    ("claim", "found", "verdict"),
    [
        ("slower", {"slower": ABOVE, "slower_program": 5.8}, REPRODUCED),
        ("slower", {"slower": EVEN, "slower_program": 5.8}, IN_DIRECTION),
        ("slower", {"slower": BELOW, "slower_program": 5.8}, IN_DIRECTION),
        ("slower", {"slower": BELOW, "slower_program": 0.8}, CONTRADICTED),
        ("wavering", {"falls": {"1": HIGH, "2": HIGH}}, REPRODUCED),
        ("wavering", {"falls": {"1": HIGH, "2": LOW}}, CONTRADICTED),
        ("threshold", {"falls_bare": LOW}, REPRODUCED),
        ("threshold", {"falls_bare": HIGH}, CONTRADICTED),
        ("flatness", {"flat": {"later": LOW, "early": HIGH}}, REPRODUCED),
        ("flatness", {"flat": {"later": HIGH, "early": LOW}}, CONTRADICTED),
        ("figure-3", {"counted": {"a": 462}, "printed_counts": {"a": 462}}, REPRODUCED),
        ("figure-3", {"counted": {"a": 460}, "printed_counts": {"a": 462}}, CONTRADICTED),
        ("level", {"level": {LIKE: 480}, "pile_level": 462}, REPRODUCED),
        ("level", {"level": {LIKE: 700}, "pile_level": 462}, IN_DIRECTION),
        ("level", {"level": {LIKE: 700}, "pile_level": 500}, CONTRADICTED),
        ("level", {"level": {LIKE: 40}, "pile_level": 399}, CONTRADICTED),
        ("steady", {"is_steady": {"2": True, "3": True}}, REPRODUCED),
        ("steady", {"is_steady": {"2": True, "3": True, "4": True, "5": False}}, IN_DIRECTION),
        ("steady", {"is_steady": {"2": True, "3": False}}, CONTRADICTED),
        *(
            ("nodes", {"shares": {UNLIKE: found}, "pile_share": 0.162}, verdict)
            for found, verdict in (
                (Estimate(1 / 7, 0.1, 0.2), REPRODUCED),
                (LOW, IN_DIRECTION),
                (ABOVE, CONTRADICTED),
            )
        ),
        ("time", {"time_left": HIGH}, REPRODUCED),
        ("time", {"time_left": LOW}, IN_DIRECTION),
        ("time", {"time_left": ABOVE}, CONTRADICTED),
        ("isolated-speed", {"saved_nodes": {NEAR_MINIMAX: Estimate(3, 2.5, 3.5)}}, REPRODUCED),
        ("isolated-speed", {"saved_nodes": {NEAR_MINIMAX: ABOVE}}, IN_DIRECTION),
        ("isolated-speed", {"saved_nodes": {NEAR_MINIMAX: BELOW}}, CONTRADICTED),
        ("isolated-useless", {"points": {card.NEAR: Estimate(0.5, 0.46, 0.54)}}, REPRODUCED),
        ("isolated-useless", {"points": {card.NEAR: UNSURE}}, NOT_TESTABLE),
        ("isolated-useless", {"points": {card.NEAR: LOW}}, CONTRADICTED),
        ("stop", {"saved_judging": {STOP: ABOVE}}, REPRODUCED),
        ("history", {"lines_known": {"1": 0.97, "2": 0.98}}, REPRODUCED),
        ("history", {"lines_known": {"1": 0.2}}, CONTRADICTED),
        ("history-time", {"lines_faster": {"1": ABOVE}}, REPRODUCED),
        ("values", {"values": {"a": -300.0}, "printed_values": {"a": -300}}, REPRODUCED),
        ("values", {"values": {"a": -400.0}, "printed_values": {"a": -300}}, CONTRADICTED),
        ("moves", {"moves": {"a": "x"}, "printed_moves": {"a": "y"}}, CONTRADICTED),
        ("block", {"blocks": {"0 4 D 1": True, "0 8 D 1": True}}, REPRODUCED),
        ("block", {"blocks": {"0 4 D 1": True, "0 1 A 4": False}}, IN_DIRECTION),
        ("block", {"blocks": {"0 1 A 4": False}}, CONTRADICTED),
        *(
            (table.replace(" ", "-"), lost(table, plies), verdict)
            for table in ("table 2", "table 3", "table 4")
            for plies, verdict in ((None, REPRODUCED), (3, REPRODUCED), (1, CONTRADICTED))
        ),
        ("table-5", lost("table 5", 1), REPRODUCED),
        ("table-5", lost("table 5", 3), CONTRADICTED),
        ("weights", {"blocking": [{"dots": 1}]}, REPRODUCED),
        ("weights", {"blocking": []}, CONTRADICTED),
        ("informed", {"points": {"2 plies": HIGH}}, REPRODUCED),
        ("informed", {"points": {"2 plies": UNSURE}}, NOT_TESTABLE),
        ("effort", {"points": {E_N: HIGH, NOTHING: HIGH}}, REPRODUCED),
        ("effort", {"points": {E_N: HIGH, NOTHING: UNSURE}}, IN_DIRECTION),
        ("effort", {"points": {E_N: HIGH, NOTHING: LOW}}, CONTRADICTED),
        ("effort-deeper", {"points": {DEEPER: HIGH}}, REPRODUCED),
        ("effort-deeper", {"points": {DEEPER: LOW}}, CONTRADICTED),
        ("offensive", {"more_offensive": {"100": HIGH, "400": HIGH}}, REPRODUCED),
        ("offensive", {"more_offensive": {"100": HIGH, "400": UNSURE}}, IN_DIRECTION),
        ("offensive", {"more_offensive": {"100": LOW, "400": HIGH}}, CONTRADICTED),
        ("random-choice", {"chance_of_first": 1 / 512}, CONTRADICTED),
        ("random-choice", {"chance_of_first": 0.5}, REPRODUCED),
        ("sorting", {"prunes": {"a": True, "b": True}}, REPRODUCED),
        ("sorting", {"prunes": {"a": True, "b": False}}, IN_DIRECTION),
        ("sorting", {"prunes": {"a": False, "b": False}}, CONTRADICTED),
        ("sorting-time", {"faster": {"2 plies": {card.SIMPLE[1]: ABOVE}}}, IN_DIRECTION),
        ("sorting-time", {"faster": {"2 plies": {card.SIMPLE[1]: BELOW}}}, CONTRADICTED),
        ("doubling", {"fits": {"3 plies": HIGH, "4 plies": HIGH}}, REPRODUCED),
        ("doubling", {"fits": {"3 plies": HIGH, "4 plies": LOW}}, CONTRADICTED),
        ("doubling", {"fits": {"3 plies": HIGH}}, NOT_TESTABLE),
    ],
)
def test_a_claim_is_judged_by_what_was_found(claim, found, verdict):
    assert verdict_of(EXPERIMENT, claim, **found) == verdict
