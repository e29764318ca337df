"""Double Card: printed games replayed, searches counted another way, every claim's rule."""

import json

import polars as pl
import pytest
from evaluation.positions import two_ply
from lab_tools import check_times_decide_nothing_else, measured, verdict_of

from plyground.core.scores import WIN
from plyground.evaluation.double_card import Danger, Patterns
from plyground.games.catalogue import find_game
from plyground.lab.catalogue.double_card import EXPERIMENT
from plyground.lab.catalogue.double_card import study as card
from plyground.lab.catalogue.double_card.program import Program, heuristic_1, occurrences
from plyground.lab.catalogue.double_card.study import DoubleCardParameters
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

    nodes = [card.program_nodes(["0 1 A 1"], *how) for how in card.PROGRAM.values()]
    assert nodes[0] < nodes[1] < nodes[2] == 1 + 56 + 2832  # leaves as in the course's traces
    (cut, fewer), (whole, all_nodes) = search(), search(False)
    assert cut == whole == "0 4 D 1"
    assert fewer < all_nodes


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
E_N, NOTHING = "the course's e(n), 3 plies", "no heuristic, 3 plies"


def lost(table, plies):
    return {"last": {table: {"loses in": plies}}}


@pytest.mark.parametrize(
    ("claim", "found", "verdict"),
    [
        ("slower", {"slower": ABOVE}, REPRODUCED),
        ("slower", {"slower": EVEN}, NOT_TESTABLE),
        ("slower", {"slower": BELOW}, CONTRADICTED),
        ("wavering", {"falls": {"1": HIGH, "2": HIGH}}, REPRODUCED),
        ("wavering", {"falls": {"1": HIGH, "2": LOW}}, CONTRADICTED),
        ("threshold", {"falls_bare": LOW}, REPRODUCED),
        ("threshold", {"falls_bare": HIGH}, CONTRADICTED),
        ("flatness", {"flat": {"later": LOW, "early": HIGH}}, REPRODUCED),
        ("flatness", {"flat": {"later": HIGH, "early": LOW}}, CONTRADICTED),
        ("level", {"level": {LIKE: 480}}, REPRODUCED),
        ("level", {"level": {LIKE: 700}}, CONTRADICTED),
        ("level", {"level": {LIKE: 40}}, CONTRADICTED),
        ("steady", {"is_steady": {"2": True, "3": True}}, REPRODUCED),
        ("steady", {"is_steady": {"2": True, "3": True, "4": True, "5": False}}, IN_DIRECTION),
        ("steady", {"is_steady": {"2": True, "3": False}}, CONTRADICTED),
        ("nodes", {"shares": {UNLIKE: Estimate(1 / 7, 0.1, 0.2)}}, REPRODUCED),
        ("nodes", {"shares": {UNLIKE: LOW}}, IN_DIRECTION),
        ("nodes", {"shares": {UNLIKE: ABOVE}}, CONTRADICTED),
        ("time", {"time_left": LOW}, REPRODUCED),
        ("time", {"time_left": HIGH}, IN_DIRECTION),
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
            for plies, verdict in ((None, REPRODUCED), (3, IN_DIRECTION), (1, CONTRADICTED))
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
        ("offensive", {"best_offence": HIGH}, REPRODUCED),
        ("offensive", {"best_offence": LOW}, CONTRADICTED),
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
