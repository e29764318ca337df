"""The Connect Four experiment: the study's counts to the last leaf, and the rules of verdicts."""

import math
from dataclasses import replace

import pytest
from evaluation.positions import random_state
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.core.scores import INFINITY
from plyground.evaluation.connect_four import Segments
from plyground.evaluation.spec import evaluate
from plyground.games.connect_four import GAME
from plyground.games.rules import play, transform
from plyground.lab.catalogue import find_experiment
from plyground.lab.catalogue.connect4_mtdf import (
    claims_counted,
    claims_recommended,
    claims_timed,
    precomputed,
    printed,
    tasks,
)
from plyground.lab.catalogue.connect4_mtdf import report as reporting
from plyground.lab.catalogue.connect4_mtdf.cells import (
    ALGORITHMS,
    BETTER,
    NEEDED,
    Parameters,
    game_cells,
)
from plyground.lab.catalogue.connect4_mtdf.dictionary import forget, make_dictionary
from plyground.lab.catalogue.connect4_mtdf.findings import Depth, Findings, Game, Searches, by_depth
from plyground.lab.catalogue.connect4_mtdf.program import (
    COLUMN_ORDER,
    OutOfMemory,
    Program,
    Reading,
)
from plyground.lab.parameters import check_parameters
from plyground.lab.report import Verdict
from plyground.lab.spec import Results
from plyground.search.table import NO_MOVE

EXPERIMENT = find_experiment("connect4-mtdf")
SMALL = Parameters(
    shallowest=5,
    deepest=5,
    compared=5,
    repetitions=2,
    algorithms=NEEDED,
    readings=False,
    pairs=2,
    solved=1,
    speeds=False,
)
GAME_AT_5 = "44445367556545534711111177333366"


@pytest.fixture(scope="module")
def results():
    wanted = EXPERIMENT.cells(SMALL)
    return Results(wanted, {cell.key: cell.measure() for cell in wanted})


# ------------------------------------------------------------------ the study's pseudocode


class Pseudocode:
    """MTD(f) and ABMemory as the study prints them, in plain Python with a dictionary.

    Stones are bits 7 * column + row. `files_leaves`: as printed, leaves go to the table as well.
    """

    INFINITY = 10**9
    SEGMENTS = tuple(
        sum(1 << 7 * (c + i * across) + r + i * up for i in range(4))
        for c in range(7)
        for r in range(6)
        for across, up in ((0, 1), (1, 0), (1, 1), (1, -1))
        if c + 3 * across < 7 and -1 <= r + 3 * up < 6 and r + 3 * up >= 0
    )
    WORTH = (0, 1, 10, 100)

    def __init__(self, files_leaves):
        self.files_leaves, self.leaves, self.passes = files_leaves, 0, 0
        self.table = {}

    def mtdf(self, me, other, depth):
        self.table = {}
        g, lower, upper = 0, -self.INFINITY, self.INFINITY
        while lower < upper:
            beta = g + 1 if g == lower else g
            g = self.memory(me, other, True, beta - 1, beta, depth)
            self.passes += 1
            if g < beta:
                upper = g
            else:
                lower = g
        return g

    def memory(self, me, other, is_max, alpha, beta, depth):
        key = min((me, other), (self.mirrored(me), self.mirrored(other)))
        lower, upper = self.table.get(key, (-math.inf, math.inf))
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        over = self.outcome(me, other)
        if depth == 0 or over is not None:
            self.leaves += 1
            g = self.value(me, other) if over is None else over
            if not self.files_leaves:
                return g
        else:
            g = self.best(me, other, is_max, alpha, beta, depth)
        lower, upper = self.table.get(key, (-math.inf, math.inf))
        self.table[key] = (g if g >= beta else lower, g if g <= alpha else upper)
        return g

    def best(self, me, other, is_max, alpha, beta, depth):
        g = -math.inf if is_max else math.inf
        for column in COLUMN_ORDER:
            stone = self.landing(me | other, column)
            if not stone:
                continue
            if is_max:
                value = self.memory(me | stone, other, False, max(alpha, g), beta, depth - 1)
                g = max(g, value)
            else:
                value = self.memory(me, other | stone, True, alpha, min(beta, g), depth - 1)
                g = min(g, value)
            if g >= beta if is_max else g <= alpha:
                break
        return g

    def outcome(self, me, other):
        """Infinity for a win, 0 for a full board, None if the game goes on."""
        for stones, value in ((me, self.INFINITY), (other, -self.INFINITY)):
            if any(segment & stones == segment for segment in self.SEGMENTS):
                return value
        return 0 if (me | other).bit_count() == 42 else None

    def value(self, me, other):
        total = 0
        for segment in self.SEGMENTS:
            mine, theirs = (me & segment).bit_count(), (other & segment).bit_count()
            if not mine or not theirs:
                total += self.WORTH[mine] - self.WORTH[theirs]
        return total

    @staticmethod
    def landing(stones, column):
        height = (stones >> 7 * column & 127).bit_count()
        return 1 << 7 * column + height if height < 6 else 0

    @staticmethod
    def mirrored(stones):
        return sum((stones >> 7 * c & 127) << 7 * (6 - c) for c in range(7))


def average_of_both_games(moves, depth, files_leaves):
    """Leaves and passes of MTD(f) in the game, averaged over who of the two it plays."""
    program, me, other = Pseudocode(files_leaves), 0, 0
    for column in moves:
        program.mtdf(me, other, depth)
        me, other = other, me | Pseudocode.landing(me | other, int(column) - 1)
    return program.leaves / 2, program.passes / 2


def test_the_pseudocode_has_69_segments():
    assert len(set(Pseudocode.SEGMENTS)) == 69


def test_the_pseudocode_in_plain_python_gives_the_printed_counts():
    assert average_of_both_games(GAME_AT_5, 5, files_leaves=False) == (5451.5, 201.5)


def test_with_leaves_in_the_table_there_are_fewer_than_printed():
    assert average_of_both_games(GAME_AT_5, 5, files_leaves=True) == (4416.0, 201.5)


# ------------------------------------------------------------------ the rebuilt program


@pytest.mark.full
@pytest.mark.parametrize("depth", [5, 6, 7, 8])
def test_the_games_have_the_leaves_and_passes_of_table_1(depth):
    games = []
    for first in ("X", "O"):
        answer = tasks.play_game(depth, first).answer
        assert answer["X"]["collisions"] == answer["O"]["collisions"] == 0
        games.append(
            Game(depth, first, answer["result"], answer["moves"], answer["X"], answer["O"])
        )
    assert games[0].moves == games[1].moves
    ours, row = by_depth(games)[depth], printed.study_rows()[depth]
    assert math.floor(ours.x_leaves) == row.x_leaves
    assert math.floor(ours.o_leaves) == row.o_leaves
    assert math.floor(ours.passes) == row.passes
    assert round(100 * ours.fewer, 2) == row.fewer
    assert claims_counted.result_text(ours) == row.results


@pytest.mark.parametrize(
    "reading",
    [
        {"order": "cells"},
        {"wins": "equal"},
        {"guess": "last"},
        {"guess": "deepening"},
        {"reflection": False},
        {"table_move": True},
    ],
)
def test_under_another_reading_the_counts_are_others(reading):
    answers = [tasks.play_game(5, first, reading=reading).answer for first in ("X", "O")]
    games = [Game(5, "X", a["result"], a["moves"], a["X"], a["O"]) for a in answers]
    met, count = claims_counted.matching_counts(list(by_depth(games).values()))
    assert count == 3
    assert met < 3


def test_the_order_of_columns_is_the_printed_one():
    assert list(COLUMN_ORDER) == printed.study().numbers["order"]


def test_weights_of_cells_begin_in_the_same_order_but_do_not_keep_to_it():
    by_cell = GAME.place_weights(GAME.initial())
    bottom = sorted(range(7), key=lambda column: -by_cell[7 * column])
    third = sorted(range(7), key=lambda column: -by_cell[7 * column + 2])
    assert tuple(bottom) == COLUMN_ORDER
    crowded = [by_cell[7 * 3], by_cell[7 * 2 + 2]]
    assert third[0] == 3
    assert crowded[0] < crowded[1]  # a third-row cell beside the middle beats its lowest cell


@pytest.mark.parametrize("algorithm", NEEDED)
def test_every_algorithm_finds_the_same_values(algorithm):
    found = tasks.search_positions(5, algorithm).answer
    known = tasks.search_positions(5, "alphabeta").answer
    assert found["values"] == known["values"]
    assert len(known["values"]) == len(GAME_AT_5)


@pytest.mark.full
def test_a_search_without_room_for_its_open_nodes_says_so(monkeypatch):
    monkeypatch.setattr("plyground.lab.catalogue.connect4_mtdf.program.BEST_FIRST_BYTES", 4096)
    with pytest.raises(OutOfMemory, match="sss at depth 5"):
        Program(5).search("sss", GAME.initial())
    assert tasks.search_positions(5, "sss").answer == {"out_of_memory": True}


def test_the_study_moves_first_in_order_where_all_moves_lose():
    # X to move; O has three in row 1 with both ends open.
    lost = GAME.replay(GAME.initial(), GAME.parse_moves(GAME.initial(), "1 3 1 4 7 5"))
    found = Program(2).search("alphabeta", lost)
    assert found.move == COLUMN_ORDER[0]
    assert found.value == Program(2).search("mtdf", lost).value < 0


def test_a_warm_guess_takes_fewer_passes():
    program, state = Program(5), GAME.initial()
    cold = program.search("mtdf", state)
    warm = program.search("mtdf", state, guess=cold.value)
    assert warm.value == cold.value
    assert warm.counters["passes"] == 2


# ------------------------------------------------------------------ the table that forgets nothing


def table_of(places=64, symmetric=True, tells_move=True):
    return make_dictionary(places, symmetric, tells_move)


def test_mirrored_positions_share_an_entry_and_its_move_is_mirrored():
    table, state = table_of(), play(GAME.initial(), 0)
    table.store(state, 3, 7, INFINITY, 1)
    assert table.probe(state, 3) == (7, INFINITY, 1, 2)
    assert table.probe(transform(state, 1), 3) == (7, INFINITY, 5, 2)
    apart = table_of(symmetric=False)
    apart.store(state, 3, 7, INFINITY, 1)
    assert apart.probe(transform(state, 1), 3)[3] == 0


def test_bounds_of_one_position_are_joined():
    table, state = table_of(tells_move=False), GAME.initial()
    table.store(state, 3, -5, INFINITY, 1)
    table.store(state, 3, -INFINITY, 9, NO_MOVE)
    assert table.probe(state, 3) == (-5, 9, NO_MOVE, 2)


def test_what_is_forgotten_is_gone():
    table, state = table_of(), GAME.initial()
    table.store(state, 3, 0, 0, 1)
    forget(table)
    assert table.probe(state, 3) == (-INFINITY, INFINITY, NO_MOVE, 0)


def test_a_full_table_keeps_what_it_has_and_counts_what_it_cannot_keep():
    table, state = table_of(places=4, symmetric=False), GAME.initial()
    states = [state]
    for column in (0, 1, 2, 3):
        states.append(play(states[-1], column))
    lost = [table.store(each, 3, 1, 1, 0) for each in states]
    assert lost == [0, 0, 0, 1, 1]
    assert [table.probe(each, 3)[3] for each in states] == [2, 2, 2, 0, 0]


# ------------------------------------------------------------------ values computed before


def test_the_board_has_69_segments_on_25_lines():
    lines = precomputed.lines_of_board()
    directions = [line[1] - line[0] for line in lines for _ in precomputed.segments_of(line)]
    counted = printed.study().numbers["segments"]
    assert len(lines) == 25
    assert directions.count(7) == counted["horizontal"]
    assert directions.count(1) == counted["vertical"]
    assert directions.count(8) + directions.count(6) == counted["diagonal"]


JUDGES = {name: make() for name, make in precomputed.COMPILED.items()}
INTERPRETED = precomputed.interpreted()


@settings(max_examples=40)
@given(st.integers(0, 41), st.integers(0, 2**32))
def test_all_ways_to_evaluate_agree(plies, seed):
    state = random_state(GAME, plies, seed)
    known = evaluate(Segments(), state)
    for judge in JUDGES.values():
        assert evaluate(judge, state) == known
    for interpreted in INTERPRETED.values():
        assert interpreted(int(state.me), int(state.stones ^ state.me)) == known


@pytest.mark.full
def test_speeds_are_taken_of_equal_sums():
    compiled = tasks.time_evaluations(8, 1, 2)
    interpreted = tasks.time_interpreted(8, 2)
    searching = tasks.time_searches(2, ["counted in parallel", "table of positions"], 1)
    assert len(set(compiled.answer["sums"].values())) == 1
    assert set(interpreted.answer["sums"].values()) == set(compiled.answer["sums"].values())
    assert len(set(searching.answer["sums"].values())) == 1
    assert {len(times) for times in compiled.times_s.values()} == {2}


# ------------------------------------------------------------------ what the study printed


def test_four_printed_percentages_do_not_follow_from_the_others():
    wrong = {(c.where, c.what) for c in printed.checks() if not c.follows}
    assert wrong == {
        ("abstract", "O wins"),
        ("abstract", "O loses"),
        ("abstract", "O fewer leaves at depth 8"),
        ("body", "draws"),
    }


def test_the_table_of_the_study_adds_up_to_its_text():
    body = printed.study().numbers["body"]
    rows = printed.study_rows().values()
    assert sum("X(1)" in row.results for row in rows) == body["X wins"]
    assert sum("O(1)" in row.results for row in rows) == body["O wins"]
    assert sum(2 * ("Draw(2)" in row.results) for row in rows) == body["draws"]


@pytest.mark.parametrize(("percent", "games"), [(50, 2), (41.67, 12), (45.83, 24), (0.7, None)])
def test_the_fewest_games_behind_a_percentage(percent, games):
    assert printed.games_behind(percent) == games


# ------------------------------------------------------------------ cells and report


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick], ids=["full", "quick"])
def test_no_two_cells_are_equal(chosen):
    keys = [cell.key for cell in EXPERIMENT.cells(Parameters(**chosen))]
    assert len(keys) == len(set(keys))


def test_what_the_report_compares_with_is_always_measured():
    assert set(Parameters(algorithms=("dual",)).algorithms) == {*NEEDED, "dual"}
    assert Parameters().algorithms == ALGORITHMS
    with pytest.raises(Unsupported, match=r"^algorithms=quiescence: expected "):
        check_parameters(EXPERIMENT, {"algorithms": ["quiescence"]})


@pytest.mark.full
def test_the_report_is_made_from_what_was_measured(results):
    report = EXPERIMENT.report(SMALL, results)
    assert "**3 of 3**" in report.summary
    verdicts = {claim.text: claim.verdict for claim in report.claims}
    assert verdicts["The numbers of leaf nodes and of passes in Table 1."] is Verdict.REPRODUCED
    assert verdicts["MTD(f) chooses the same holes as alpha-beta."] is Verdict.REPRODUCED
    assert len(verdicts) == 20
    assert {chart.name for chart in report.charts} >= {"figure-6", "figure-7", "figure-8"}
    for table in report.tables:
        assert all(len(row) == len(table.columns) for row in table.rows), table.title


@pytest.mark.full
def test_timed_claims_are_marked(results):
    told = EXPERIMENT.report(SMALL, results).claims
    of_look_ups = 1
    assert sum(claim.is_timed for claim in told) == len(claims_timed.RULES) + of_look_ups


@pytest.mark.full
def test_games_are_recorded_as_they_were_played(results):
    cell = game_cells(SMALL)[5, "O"]
    (record,) = results[cell].games
    assert "".join(move.move for move in record.moves) == GAME_AT_5
    assert record.players == ("mtdf", "alphabeta")
    assert record.points == 0.0
    assert results[cell].answer["result"] == "X"


@pytest.mark.full
def test_duels_exchange_sides_and_record_both_games():
    measured = tasks.duels(2, ["4 4 4 4"], [BETTER, "segments"])
    first, second = measured.games
    assert first.players == second.players[::-1]
    assert [move.move for move in first.moves[:4]] == ["4"] * 4
    assert measured.answer["points"] == [first.points + 1 - second.points]


def test_openings_leave_out_mirrored_ones():
    opened = [key for c in range(4) for key in tasks.play_openings(1, c).answer["results"]]
    assert len(opened) == len(set(opened)) == 25
    assert "44" in opened
    assert "45" not in opened


@pytest.mark.full
def test_no_more_outcomes_are_kept_than_judged():
    found = tasks.judge_moves(26, 6, 1, [2], ["segments", BETTER]).answer
    assert 0 <= found["kept"]["segments 2"] <= found["judged"]["2"] <= 6


# ------------------------------------------------------------------ the rules of the verdicts


def depth_of(row, **changes):
    """A depth exactly as the study printed it."""
    names = {"X(1), O(1)": {"X": 1, "O": 1, "draw": 0}, "Draw(2)": {"X": 0, "O": 0, "draw": 2}}
    own = Depth(
        row.depth,
        row.x_leaves,
        row.o_leaves,
        row.passes,
        names[row.results],
        first_mover_won=2 if "X" in row.results else 0,
        x_times_s=[row.x_time_s, row.x_time_s],
        o_times_s=[row.o_time_s, row.o_time_s],
        x_moves=16,
    )
    return replace(own, **changes)


def searched(leaves, passes=2, values=(1, 2), moves=(3, 4)):
    return Searches(values, [leaves, leaves], [2 * leaves] * 2, [passes] * 2, moves, [1.0], [1.0])


def searches_at(row, **changes):
    found = {
        "alphabeta": searched(row.x_leaves, 0),
        "negascout": searched(row.x_leaves, 0),
        "abmemory, no reflection": searched(row.o_leaves + 2000),
        "abmemory": searched(row.o_leaves + 1000),
        "mtdf, no reflection": searched(row.o_leaves + 500),
        "mtdf": searched(row.o_leaves),
        "alphabeta, left to right": searched(3 * row.x_leaves, 0),
        "mtdf, left to right": searched(3 * row.o_leaves),
        "mtdf, f = its last value": searched(row.o_leaves),
        "mtdf, f = the value": searched(row.o_leaves),
    }
    return found | changes


def like_the_study():
    """Findings as the study would have made them."""
    rows = printed.study_rows()
    speeds = {name: [9.0, 9.1] for name in precomputed.COMPILED} | {"table of lines": [3.0, 3.1]}
    return Findings(
        games=[],
        depths={depth: depth_of(row) for depth, row in rows.items()},
        searches={depth: searches_at(row) for depth, row in rows.items()},
        openings={5: {"first": 90, "second": 10, "draw": 0}},
        duels={5: [2.0, 1.5, 2.0, 1.5]},
        judged={5: 10},
        kept={f"{BETTER} 5": 9, "segments 5": 6},
        compiled_s=speeds,
    )


def at(depth, **changes):
    """The study's findings with one depth changed."""
    f = like_the_study()
    return replace(f, depths=f.depths | {depth: replace(f.depths[depth], **changes)})


def searching(depth, **changes):
    """The study's findings with some searches at one depth changed."""
    f = like_the_study()
    known = {name.replace("_", " "): found for name, found in changes.items()}
    return replace(f, searches=f.searches | {depth: f.searches[depth] | known})


def only(*depths):
    f = like_the_study()
    return replace(
        f,
        depths={d: f.depths[d] for d in depths},
        searches={d: each for d, each in f.searches.items() if d in depths},
    )


def named(depth, **by_name):
    f = like_the_study()
    return replace(
        f, searches=f.searches | {depth: searches_at(printed.study_rows()[depth], **by_name)}
    )


def alike_passes(leaves_at_8):
    return named(8, **{"mtdf, f = the value": searched(leaves_at_8)})


def timed(depth, x, o):
    return at(depth, x_times_s=[x, x], o_times_s=[o, o])


def opened(first, second):
    return replace(like_the_study(), openings={5: {"first": first, "second": second, "draw": 0}})


def keeping(better, segments):
    return replace(like_the_study(), kept={f"{BETTER} 5": better, "segments 5": segments})


def speeds(**changes):
    f = like_the_study()
    known = {name.replace("_", " "): times for name, times in changes.items()}
    return replace(f, compiled_s=dict(f.compiled_s) | known)


YES, PARTLY = Verdict.REPRODUCED, Verdict.IN_DIRECTION
NO, UNKNOWN = Verdict.CONTRADICTED, Verdict.NOT_TESTABLE
COUNTED, TIMED, ADVISED = claims_counted, claims_timed, claims_recommended


@pytest.mark.parametrize(
    ("rule", "findings", "verdict"),
    [
        (COUNTED.counts_of_table, like_the_study(), YES),
        (COUNTED.counts_of_table, at(5, x_leaves=12242.5), YES),
        (COUNTED.counts_of_table, at(5, x_leaves=12243), PARTLY),
        (COUNTED.counts_of_table, at(5, x_leaves=24484), NO),
        (COUNTED.counts_of_table, replace(like_the_study(), depths={}), UNKNOWN),
        (COUNTED.same_moves, like_the_study(), YES),
        (COUNTED.same_moves, searching(5, mtdf=searched(5451, moves=(3, 3))), PARTLY),
        (COUNTED.same_moves, searching(5, mtdf=searched(5451, values=(1, 1))), NO),
        (COUNTED.as_optimal, like_the_study(), YES),
        (COUNTED.as_optimal, at(5, results={"X": 0, "O": 0, "draw": 2}), PARTLY),
        (COUNTED.as_optimal, at(5, results={"X": 0, "O": 2, "draw": 0}), NO),
        (COUNTED.as_optimal, replace(like_the_study(), depths={}), UNKNOWN),
        (COUNTED.win_shares, like_the_study(), NO),
        (COUNTED.win_shares, at(5, results={"X": 0.5, "O": 1.5, "draw": 0}), YES),
        (COUNTED.win_shares, only(5, 6), UNKNOWN),
        (COUNTED.fewer_leaves, like_the_study(), YES),
        (COUNTED.fewer_leaves, at(6, o_leaves=8000), PARTLY),
        (COUNTED.fewer_leaves, at(6, o_leaves=18000), NO),
        (COUNTED.leaves_grow_apart, like_the_study(), YES),
        (COUNTED.leaves_grow_apart, at(9, o_leaves=1300000), PARTLY),
        (COUNTED.leaves_grow_apart, at(10, o_leaves=3300000), NO),
        (COUNTED.leaves_grow_apart, only(5), UNKNOWN),
        (COUNTED.odd_and_even, like_the_study(), YES),
        (COUNTED.odd_and_even, at(9, passes=5000), PARTLY),
        (COUNTED.odd_and_even, at(7, passes=5000, o_leaves=175000), NO),
        (COUNTED.odd_and_even, only(5, 6), UNKNOWN),
        (COUNTED.passes_explain_it, like_the_study(), NO),
        (COUNTED.passes_explain_it, alike_passes(60000), PARTLY),
        (COUNTED.passes_explain_it, alike_passes(218777 // 5), YES),
        (COUNTED.passes_explain_it, only(5, 6), UNKNOWN),
        (COUNTED.first_mover, like_the_study(), YES),
        (COUNTED.first_mover, opened(6, 5), PARTLY),
        (COUNTED.first_mover, at(5, second_mover_won=20), NO),
        (COUNTED.parts_of_the_saving, like_the_study(), YES),
        (COUNTED.parts_of_the_saving, searching(6, abmemory=searched(8000)), PARTLY),
        (COUNTED.order_helps, like_the_study(), YES),
        (COUNTED.order_helps, named(6, **{"alphabeta, left to right": searched(1)}), PARTLY),
        (ADVISED.fewest_of_all, like_the_study(), YES),
        (ADVISED.fewest_of_all, named(6, sss=searched(8600)), PARTLY),
        (ADVISED.better_evaluator, like_the_study(), YES),
        (ADVISED.better_evaluator, keeping(5, 6), PARTLY),
        (ADVISED.better_evaluator, replace(like_the_study(), duels={5: [1.0, 0.5]}), NO),
        (TIMED.faster_on_average, like_the_study(), YES),
        (TIMED.faster_on_average, timed(9, 1.0, 1.5), PARTLY),
        (TIMED.faster_on_average, timed(9, 1.0, 9.0), NO),
        (TIMED.faster_on_average, replace(like_the_study(), depths={}), UNKNOWN),
        (TIMED.slower_at_six, like_the_study(), YES),
        (TIMED.slower_at_six, timed(6, 1.0, 1.5), PARTLY),
        (TIMED.slower_at_six, timed(6, 1.5, 1.0), NO),
        (TIMED.slower_at_six, only(5), UNKNOWN),
        (TIMED.faster_elsewhere, like_the_study(), YES),
        (TIMED.faster_elsewhere, timed(5, 1.0, 1.5), PARTLY),
        (TIMED.faster_elsewhere, timed(10, 1.0, 1.5), NO),
        (TIMED.faster_elsewhere, only(6), UNKNOWN),
        (TIMED.much_faster_when_deep, like_the_study(), YES),
        (TIMED.much_faster_when_deep, timed(9, 1.5, 1.0), PARTLY),
        (TIMED.much_faster_when_deep, timed(9, 1.0, 1.5), NO),
        (TIMED.much_faster_when_deep, only(6), UNKNOWN),
        (TIMED.times_grow_apart, like_the_study(), PARTLY),
        (TIMED.times_grow_apart, only(6, 7, 9, 10), YES),
        (TIMED.times_grow_apart, timed(10, 1.0, 1.0), NO),
        (TIMED.times_grow_apart, only(6), UNKNOWN),
        (TIMED.price_of_a_leaf, like_the_study(), YES),
        (TIMED.price_of_a_leaf, timed(10, 1.0, 9.0), PARTLY),
        (TIMED.price_of_a_leaf, at(6, o_leaves=1000), PARTLY),
        (ADVISED.tables_are_faster, like_the_study(), YES),
        (ADVISED.tables_are_faster, speeds(counted_in_parallel=[1.0, 1.1]), PARTLY),
        (ADVISED.tables_are_faster, speeds(table_of_lines=[99, 9], table_of_segments=[99, 9]), NO),
        (ADVISED.tables_are_faster, replace(like_the_study(), same_values=False), UNKNOWN),
    ],
)  # fmt: skip
def test_verdicts_follow_the_findings(rule, findings, verdict):
    assert rule(findings).verdict is verdict


def test_what_nothing_supports_is_contradicted():
    f = like_the_study()
    rows = printed.study_rows()
    useless = {
        d: searches_at(row, **{n: searched(10**9) for n in NEEDED[2:]}) for d, row in rows.items()
    }
    useless = {
        d: found
        | {"abmemory, no reflection": searched(10**9), "alphabeta, left to right": searched(1)}
        | {"negascout": searched(5)}
        for d, found in useless.items()
    }
    g = replace(f, searches=useless)
    assert COUNTED.parts_of_the_saving(g).verdict is NO
    assert COUNTED.order_helps(g).verdict is NO
    assert ADVISED.fewest_of_all(g).verdict is NO
    cheap = {d: replace(own, o_times_s=[1e-6, 1e-6]) for d, own in f.depths.items()}
    assert TIMED.price_of_a_leaf(replace(f, depths=cheap)).verdict is NO


def test_the_summary_tells_the_share_of_the_table():
    f = searching(10, abmemory=searched(327609 + (3352837 - 327609) // 2))
    assert "**50% of that saving is the table's**" in reporting.summary(f)


def test_readings_default_to_what_the_counts_confirm():
    assert Program(3).reading == Reading()
