"""The Double Card experiment: what its tasks find, and the rule behind each verdict."""

import json

import pytest
from evaluation.positions import two_ply

from plyground.core.scores import WIN
from plyground.evaluation.double_card import Danger, Patterns
from plyground.games.catalogue import find_game
from plyground.lab.catalogue import find_experiment
from plyground.lab.catalogue.double_card import calls, contest, decisions, figures, sorting, tasks
from plyground.lab.catalogue.double_card.findings import (
    Match,
    Ordered,
    Replay,
    Searched,
    matches,
    ordered,
    replays,
    searched,
)
from plyground.lab.catalogue.double_card.plan import (
    TABLES,
    DoubleCardParameters,
    cells,
    listed,
    table_cell,
)
from plyground.lab.published_data import published
from plyground.lab.report import Verdict
from plyground.lab.spec import Results

EXPERIMENT = find_experiment("double-card")
GAME = find_game("double-card")
SMALL = DoubleCardParameters(
    searched_pairs=5,
    match_pairs=2,
    match_depth=2,
    ordered_positions=2,
    order_depth=2,
    repetitions=1,
)


@pytest.fixture(scope="module")
def results():
    wanted = cells(SMALL)
    return Results(wanted, {cell.key: cell.measure() for cell in wanted})


@pytest.fixture(scope="module")
def report(results):
    return EXPERIMENT.report(SMALL, results)


def after(moves, **settings):
    start = GAME.initial(**settings)
    return GAME.replay(start, GAME.parse_moves(start, moves))


# ------------------------------------------------------------------ cells


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick], ids=["full", "quick"])
def test_no_two_cells_are_equal(chosen):
    keys = [cell.key for cell in EXPERIMENT.cells(DoubleCardParameters(**chosen))]
    assert len(keys) == len(set(keys))


def test_there_are_as_many_pairs_as_asked_for():
    wanted = EXPERIMENT.cells(SMALL.model_copy(update={"match_pairs": 7}))
    pairs = [
        (cell.arguments["depth"], cell.arguments["number"], len(cell.arguments["openings"]))
        for cell in wanted
        if cell.task.endswith(":play_match")
    ]
    assert pairs == [(2, 0, 5), (2, 5, 2), (1, 0, 5), (1, 5, 2)]


@pytest.mark.full
def test_a_cell_measured_again_has_the_same_answer():
    cell = next(cell for cell in cells(SMALL) if cell.task.endswith(":play_match"))
    assert cell.measure().answer == cell.measure().answer


# ------------------------------------------------------------------ what was published


def test_the_printed_lists_are_moves_from_the_top_down():
    assert listed("table 2")[:3] == ["0 1 A 4", "0 1 D 1", "0 1 F 1"]
    assert (len(listed("table 2")), len(listed("table 3")), listed("table 4")) == (38, 40, [])


def test_the_best_printed_values_are_those_of_the_printed_moves():
    for table, chosen in (("table 2", {"0 4 D 1", "0 8 D 1"}), ("table 3", {"0 6 D 1"})):
        rows = published("huang_li").tables[f"{table}, values"].rows
        values = dict(zip(listed(table), [row[0] for row in rows], strict=True))
        assert {move for move in values if values[move] == max(values.values())} == chosen


def test_the_heuristic_has_the_values_of_table_1():
    printed = dict(published("huang_li").tables["table 1"].rows)
    assert printed == {
        "4-connected": Patterns().four,
        "Alive-3": Patterns().alive_three,
        "Dead-3": Patterns().dead_three,
        "Double-Dead-3": Patterns().double_dead_three,
        "Alive-2": Patterns().alive_two,
        "Dead-2": Patterns().dead_two,
        "Double-Alive-2": Patterns().double_alive_two,
        "Dead-3-and-Alive-2": Patterns().dead_three_and_alive_two,
        "Unavailable-3": Patterns().unavailable,
        "Unavailable-2": Patterns().unavailable,
        "Unavailable-1": Patterns().unavailable,
    }


# ------------------------------------------------------------------ searches


@pytest.mark.parametrize(("moves", "leaves"), [("", 3184), ("0 1 A 1", 2832)])
def test_minimax_has_the_leaves_of_the_course_s_traces(moves, leaves):
    setup = tasks.setup_of(GAME, "minimax", tasks.FIRST)
    found = tasks.run_once(GAME, setup, after(moves), 2)
    assert found.counters["leaves"] == leaves


@pytest.mark.full
def test_alpha_beta_finds_the_values_of_minimax_and_no_more_nodes(results):
    positions = searched(results)
    assert len(positions) > 40
    for one in positions:
        for pruned, full in figures.PAIRS.values():
            if figures.is_alike(pruned, full):
                assert one.value[pruned] == one.value[full]
                assert one.nodes[pruned] <= one.nodes[full]


@pytest.mark.full
def test_isolated_cards_are_only_left_out(results):
    for one in searched(results):
        assert one.nodes[tasks.MINIMAX_NEAR] <= one.nodes[tasks.MINIMAX]


@pytest.mark.full
def test_every_order_finds_the_value_of_minimax(results):
    for _, measured in results.of(tasks.order_position):
        assert len({one["value"] for one in measured.answer["searches"] if one["depth"] == 2}) == 1


@pytest.mark.full
def test_positions_come_after_the_opening_and_in_both_games(results):
    (given, measured), *_ = results.of(tasks.search_games)
    assert set(measured.answer["game"]) == set(range(2 * len(given["openings"])))
    assert min(measured.answer["made"]) == 2


@pytest.mark.full
def test_every_position_has_a_time_for_every_search_and_call(results):
    for one in searched(results):
        assert set(one.time_s) == set(tasks.SEARCHERS)
        assert set(one.call_s) == {tasks.FIRST, tasks.SECOND}


def test_the_critical_point_is_where_the_last_card_is_laid():
    assert not position(made=22).meets_moving
    assert position(made=23).meets_moving


# ------------------------------------------------------------------ decisions


@pytest.mark.parametrize("judge", [Patterns(), Danger()], ids=["1", "2"])
@pytest.mark.parametrize("moves", ["0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1", "0 2 A 1; 0 8 B 1"])
def test_values_of_level_two_are_those_of_a_plain_two_ply_search(judge, moves):
    state = after(moves)
    assert tasks.level_two(GAME, judge, state, knows_wins=False) == two_ply(GAME, judge, state)[0]


def test_with_wins_known_the_best_value_is_that_of_minimax():
    state = after("0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1", first_goal="dots")
    setup = tasks.setup_of(GAME, "minimax", tasks.FIRST)
    values = tasks.level_two(GAME, Patterns(), state, knows_wins=True)
    assert max(values.values()) == tasks.run_once(GAME, setup, state, 2).value
    assert min(values.values()) == -WIN


@pytest.mark.full
def test_listed_values_are_upper_bounds(results):
    for table in replays(results).values():
        assert all(a >= b for a, b in zip(table.as_listed, table.exact, strict=True))


@pytest.mark.full
def test_the_block_of_table_4_misses_a_win_and_loses_at_once(results):
    # 4 .. .. .. RO .. .. .. ..
    # 3 RX WO .. WX .. .. .. ..   C4 white completes C4 D3 E2 F1;
    # 2 RX WX RX RO WO RO .. ..   G1 hollow gives the opponent D4 E3 F2 G1
    # 1 WO RO WO WX RX WX .. ..
    decision = replays(results)["table 4"].decision(9)
    assert decision["winning"] == ["0 4 C 3", "0 8 C 3"]
    assert (decision["printed"], decision["printed loses in"]) == ("0 8 G 1", 1)
    moves = table_cell("table 4").arguments["moves"]
    assert after("; ".join([*moves[:-1], "0 8 C 3"])).winner == 1
    assert after("; ".join([*moves, "0 2 E 3"])).winner == 2


@pytest.mark.full
def test_decisions_by_the_text_are_those_known(results):
    chosen = {
        (table, one["step"]): one["chosen"]
        for table, replay in replays(results).items()
        for one in replay.decisions
    }
    assert len(chosen) == 11
    assert chosen["table 2", 5] == ["0 8 D 1"]
    assert chosen["table 4", 5] == ["0 6 D 1"]
    assert chosen["table 4", 9] == ["0 8 G 1"]
    assert chosen["table 5", 3] == ["0 6 C 1", "0 4 D 1"]
    assert chosen["table 5", 7] == ["0 8 G 1"]


def test_ranks_of_equal_values_are_shared():
    assert decisions.ranks([30, 10, 10, 20]) == [3, 0.5, 0.5, 2]
    assert decisions.rank_correlation([1, 2, 3], [10, 20, 40]) == pytest.approx(1)
    assert decisions.rank_correlation([1, 2, 3], [9, 8, 7]) == pytest.approx(-1)


# ------------------------------------------------------------------ the report


@pytest.mark.full
def test_the_report_has_a_verdict_for_every_claim_and_charts_that_can_be_written(report):
    assert len(report.claims) == 15
    assert {claim.text for claim in report.claims if claim.is_timed} == {
        "Heuristic 1 takes more time than heuristic 2.",
        "Alpha-beta saves 1/3 of the time of minimax on average.",
        "Sorting greatly improves the time.",
    }
    names = [chart.name for chart in report.charts]
    assert names == [
        "heuristic-time",
        "calls-per-second",
        "nodes",
        "search-time",
        "match-score",
        "orders",
    ]
    for chart in report.charts:
        json.dumps(chart.spec, allow_nan=False)


@pytest.mark.full
def test_every_row_of_a_table_fits_its_columns_and_no_two_columns_have_one_name(report):
    for table in report.tables:
        names = [column.name for column in table.columns]
        assert len(names) == len(set(names)), table.title
        assert table.rows and all(len(row) == len(names) for row in table.rows), table.title


@pytest.mark.full
def test_our_tables_2_to_5_keep_the_human_s_moves(results):
    for table in TABLES:
        ours = decisions.ours_like(table, replays(results)[table])
        printed = published("huang_li").tables[table]
        assert [row[2] for row in ours.rows] == [row[2] for row in printed.rows]


@pytest.mark.full
def test_the_matches_have_the_points_of_all_pairs(results):
    assert [(match.depth, len(match.points), len(match.plies)) for match in matches(results)] == [
        (1, 2, 4),
        (2, 2, 4),
    ]


# ------------------------------------------------------------------ rules: figures


def position(made=6, game=0, first=400, second=300, **numbers):
    """A position with the same number for each searcher but those that are given."""
    nodes = dict.fromkeys(tasks.SEARCHERS, 2800) | numbers.get("nodes", {})
    return Searched(
        game=game,
        made=made,
        nodes=nodes,
        leaves=numbers.get("leaves", nodes),
        value=dict.fromkeys(tasks.SEARCHERS, 0) | numbers.get("value", {}),
        time_s=dict.fromkeys(tasks.SEARCHERS, 1.0) | numbers.get("time_s", {}),
        call_s={tasks.FIRST: first, tasks.SECOND: second},
    )


def several(**numbers):
    return [position(made, game, **numbers) for game in range(4) for made in range(2, 12)]


@pytest.mark.parametrize(
    ("nodes", "verdict"),
    [(400, "REPRODUCED"), (480, "REPRODUCED"), (700, "CONTRADICTED"), (40, "CONTRADICTED")],
)
def test_the_level_is_that_of_the_report_within_a_quarter(nodes, verdict):
    claim = figures.level_claim(several(nodes={tasks.ALPHA_BETA_NEAR: nodes}))
    assert claim.verdict == Verdict[verdict]


def test_a_level_that_falls_with_the_cards_is_not_steady():
    falling = [
        position(made, game, nodes={tasks.ALPHA_BETA_NEAR: 800 - 60 * made})
        for game in range(4)
        for made in range(4, 12)
    ]
    assert figures.level_claim(falling).verdict == Verdict.IN_DIRECTION


@pytest.mark.parametrize(
    ("nodes", "verdict"), [(400, "REPRODUCED"), (900, "IN_DIRECTION"), (2800, "CONTRADICTED")]
)
def test_a_seventh_of_the_nodes_of_minimax(nodes, verdict):
    searchers = (tasks.ALPHA_BETA, tasks.ALPHA_BETA_NEAR, tasks.ALPHA_BETA_SECOND)
    claim = figures.nodes_claim(several(nodes=dict.fromkeys(searchers, nodes)))
    assert claim.verdict == Verdict[verdict]


def test_what_is_not_alike_cannot_reproduce_the_seventh():
    nodes = {tasks.ALPHA_BETA_NEAR: 400, tasks.MINIMAX_NEAR: 1400}
    assert figures.nodes_claim(several(nodes=nodes)).verdict == Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("time_s", "verdict"), [(0.67, "REPRODUCED"), (0.2, "IN_DIRECTION"), (1.1, "CONTRADICTED")]
)
def test_a_third_of_the_time_is_saved(time_s, verdict):
    claim = figures.time_claim(several(time_s={tasks.ALPHA_BETA_NEAR: time_s}))
    assert claim.verdict == Verdict[verdict]


@pytest.mark.parametrize(
    ("nodes", "verdict"), [(1000, "REPRODUCED"), (2000, "IN_DIRECTION"), (2800, "CONTRADICTED")]
)
def test_leaving_out_isolated_cards_saves_half_to_be_great(nodes, verdict):
    claim = figures.isolated_claim(several(nodes={tasks.MINIMAX_NEAR: nodes}))
    assert claim.verdict == Verdict[verdict]


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [((4, 4), "NOT_TESTABLE"), ((4, 3), "REPRODUCED"), ((3, 4), "CONTRADICTED")],
)
def test_the_slower_heuristic_takes_more_time_for_a_call(seconds, verdict):
    first, second = seconds
    claim = calls.slower_claim(several(first=first, second=second))
    assert claim.verdict == Verdict[verdict]


def counted(*leaves):
    """Four games in which one player has so many leaves at its moves."""
    return [
        position(2 + 2 * place, game, leaves=dict.fromkeys(tasks.SEARCHERS, number))
        for game in range(4)
        for place, number in enumerate(leaves)
    ]


def test_calls_waver_if_they_fall_in_most_games():
    assert calls.wavering_claim(counted(5, 6, 7)).verdict == Verdict.CONTRADICTED
    assert calls.wavering_claim(counted(5, 7, 6)).verdict == Verdict.REPRODUCED
    mixed = [*counted(5, 7, 6)[:3], *counted(5, 6, 7)[3:]]
    assert calls.wavering_claim(mixed).verdict == Verdict.IN_DIRECTION


def test_a_board_gets_less_flat_if_leaves_get_fewer():
    assert calls.flatness_claim(counted(9, 5, 5)).verdict == Verdict.REPRODUCED
    assert calls.flatness_claim(counted(5, 9, 9)).verdict == Verdict.CONTRADICTED
    assert calls.flatness_claim(counted(5, 5, 5)).verdict == Verdict.NOT_TESTABLE


# ------------------------------------------------------------------ rules: decisions and matches


def decided(step, chosen=("0 1 A 1",), loses_in=None, printed_loses_in=None):
    one = {
        "step": step,
        "printed": "0 8 D 3",
        "chosen": list(chosen),
        "moves": 50,
        "better": 3,
        "winning": [],
        "safe": 9,
        "printed loses in": printed_loses_in,
        "chosen loses in": [loses_in for _ in chosen],
        "chosen knowing wins": list(chosen),
        "knowing loses in": [loses_in for _ in chosen],
    }
    return Replay("table", "patterns", [one], [], [], [])


@pytest.mark.parametrize(
    ("chosen", "verdict"),
    [
        (("0 4 D 1",), "REPRODUCED"),
        (("0 4 D 1", "0 8 D 1"), "REPRODUCED"),
        (("0 4 D 1", "0 1 A 4"), "IN_DIRECTION"),
        (("0 1 A 4",), "CONTRADICTED"),
    ],
)
def test_table_2_is_a_block_at_d1(chosen, verdict):
    assert decisions.table_2_claim(decided(5, chosen)).verdict == Verdict[verdict]


@pytest.mark.parametrize(
    ("plies", "verdict"),
    [(None, "REPRODUCED"), (3, "IN_DIRECTION"), (1, "CONTRADICTED"), (0, "CONTRADICTED")],
)
def test_a_block_must_not_lose(plies, verdict):
    saved = decisions.table_2_saves_claim(decided(5, printed_loses_in=plies))
    blocked = decisions.table_4_claim(decided(9, printed_loses_in=plies))
    assert {saved.verdict, blocked.verdict} == {Verdict[verdict]}


@pytest.mark.parametrize(
    ("plies", "verdict"), [(1, "REPRODUCED"), (3, "CONTRADICTED"), (None, "CONTRADICTED")]
)
def test_heuristic_2_fails_if_its_choice_loses_at_once(plies, verdict):
    assert decisions.table_5_claim(decided(7, loses_in=plies)).verdict == Verdict[verdict]


def test_the_fate_of_a_move_in_words():
    assert decisions.fate(decided(7).decision(7), "chosen") == "safe"
    assert decisions.fate(decided(7, loses_in=3).decision(7), "chosen") == "loses in 3"
    winning = decided(7).decision(7) | {"winning": ["0 1 A 1"]}
    assert decisions.fate(winning, "knowing") == "wins"


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ([(1, 1)] * 9 + [(1, 0)], "REPRODUCED"),
        ([(1, 1)] * 5 + [(0, 0)] * 4, "IN_DIRECTION"),
        ([(1, 0)] * 9, "NOT_TESTABLE"),
        ([(0, 0)] * 9 + [(1, 0)], "CONTRADICTED"),
    ],
)
def test_better_informed_is_who_surely_takes_more_than_half_at_two_plies(points, verdict):
    other_way_round = [(1 - a, 1 - b) for a, b in points]
    played = [Match(1, other_way_round, [8] * 20), Match(2, points, [8] * 20)]
    assert contest.informed_claim(played).verdict == Verdict[verdict]


def test_cards_are_moved_in_games_longer_than_all_cards():
    assert contest.reaching(Match(2, [(1, 0)], [24, 25])).value == 0.5


# ------------------------------------------------------------------ rules: sorting


def search_in_orders(depth=2, place=0, leaves=2500, value=0, **by_order):
    """A search with as many nodes as leaves, equal for all orders but those that are given."""
    counts = dict.fromkeys(tasks.ORDERS, 600) | {tasks.MINIMAX: leaves}
    counts |= by_order.get("nodes", {})
    times = dict.fromkeys(tasks.ORDERS, 1.0) | by_order.get("time_s", {})
    zero = dict.fromkeys(tasks.ORDERS, 0)
    return Ordered(str(place), depth, value, counts, counts, zero, zero, times)


def test_the_least_leaves_are_those_of_knuth_and_moore():
    assert search_in_orders(2, leaves=50**2).least_leaves == pytest.approx(2 * 50 - 1)
    assert search_in_orders(3, leaves=50**3).least_leaves == pytest.approx(50**2 + 50 - 1)
    assert search_in_orders(4, leaves=50**4).least_leaves == pytest.approx(2 * 50**2 - 1)


@pytest.mark.parametrize(
    ("leaves", "value", "verdict"),
    [
        (100, 0, "REPRODUCED"),
        (200, 0, "IN_DIRECTION"),
        (600, 0, "CONTRADICTED"),
        (100, WIN, "NOT_TESTABLE"),
    ],
)
def test_as_many_branches_as_possible_is_near_the_least_leaves(leaves, value, verdict):
    group = [search_in_orders(nodes={"shallow": leaves}, value=value) for _ in range(5)]
    assert sorting.pruning_claim({2: group}).verdict == Verdict[verdict]


@pytest.mark.parametrize(
    ("at_two", "at_three", "verdict"),
    [(0.5, 0.5, "REPRODUCED"), (2.0, 0.5, "IN_DIRECTION"), (2.0, 1.5, "CONTRADICTED")],
)
def test_sorting_is_fast_if_it_is_at_two_plies(at_two, at_three, verdict):
    groups = {
        depth: [search_in_orders(depth, time_s={"shallow": time_s}) for _ in range(5)]
        for depth, time_s in ((2, at_two), (3, at_three))
    }
    assert sorting.speed_claim(groups).verdict == Verdict[verdict]


@pytest.mark.parametrize(
    ("at_three", "at_four", "verdict"),
    [
        (2000, 2400, "REPRODUCED"),
        (2000, 9000, "IN_DIRECTION"),
        (9000, 9000, "CONTRADICTED"),
    ],
)
def test_twice_the_depth_must_fit_into_the_nodes_of_minimax(at_three, at_four, verdict):
    searches = [
        search_in_orders(depth, place, nodes={"shallow": nodes})
        for place in range(9)
        for depth, nodes in ((2, 100), (3, at_three), (4, at_four))
    ]
    assert sorting.doubling_claim(searches).verdict == Verdict[verdict]
    shallow_only = [one for one in searches if one.depth < 4]
    assert sorting.doubling_claim(shallow_only).verdict == Verdict.NOT_TESTABLE


def test_twice_the_depth_in_half_of_the_positions_decides_nothing():
    searches = [
        search_in_orders(depth, place, nodes={"shallow": 2000 if place % 2 else 9000})
        for place in range(8)
        for depth in (2, 3, 4)
    ]
    assert sorting.doubling_claim(searches).verdict == Verdict.NOT_TESTABLE


@pytest.mark.full
def test_orders_are_grouped_by_depth(results):
    groups = sorting.by_depth(ordered(results))
    assert {depth: len(group) for depth, group in groups.items()} == {2: 2}
