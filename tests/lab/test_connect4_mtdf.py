"""The study of MTD(f) on Connect Four: its counts to the last leaf, and every claim's rule."""

import pytest
from evaluation.positions import random_state
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import check_times_decide_nothing_else, measured, verdict_of

from plyground.core.scores import INFINITY
from plyground.evaluation.connect_four import Segments
from plyground.evaluation.spec import evaluate
from plyground.games.connect_four import GAME
from plyground.games.rules import play, transform
from plyground.lab import study as lab
from plyground.lab.catalogue.connect4_mtdf import EXPERIMENT, precomputed, study
from plyground.lab.catalogue.connect4_mtdf.program import (
    AS_REBUILT,
    COLUMN_ORDER,
    READINGS,
    Program,
    Pseudocode,
    Reading,
    forget,
    landing,
    make_dictionary,
    mirrored,
)
from plyground.lab.catalogue.connect4_mtdf.study import MtdfParameters
from plyground.lab.frames import Measurements, frame_of
from plyground.lab.report import Verdict
from plyground.lab.spec import Cell
from plyground.lab.statistics import Estimate, mean_share, share
from plyground.search.table import NO_MOVE

TINY = MtdfParameters(
    deepest=6,
    compared=6,
    plain=5,
    repetitions=2,
    thorough=False,
    sample=2,
    openings=2,
    pairs=2,
    solved=1,
)
GAME_AT_5 = "44445367556545534711111177333366"
TABLE = {row[0]: row for row in EXPERIMENT.published.tables["table 1"].rows}


@pytest.fixture(scope="module")
def tiny():
    """All cells measured, at depths 5 and 6."""
    return measured(EXPERIMENT, TINY)


def games_at(depth, reading=AS_REBUILT):
    """Both games of a depth, as they are measured."""
    how = {"depth": depth, "reading": reading, "evaluator": "segments", "repetitions": 0}
    cells = [Cell.of(study.play_game, first=first, **how) for first in "XO"]
    return Measurements((cell, cell.measure()) for cell in cells).frame(study.play_game)


def averages(games):
    return study.by_depth(games.with_columns(X_s=1.0, O_s=1.0))


# ------------------------------------------------------------------ the study's pseudocode


def average_of_both_games(moves, depth, files_leaves):
    """Leaves and passes of MTD(f) in the game, averaged over who of the two it plays."""
    program, me, other, leaves, passes = Pseudocode(files_leaves), 0, 0, 0, 0
    for column in moves:
        program.mtdf(me, other, depth)
        leaves, passes = leaves + len(program.leaves), passes + len(program.passes)
        me, other = other, me | landing(me | other, int(column) - 1)
    return leaves / 2, passes / 2


def test_the_pseudocode_in_plain_python_gives_the_printed_counts():
    assert average_of_both_games(GAME_AT_5, 5, files_leaves=False) == (5451.5, 201.5)


def test_with_leaves_in_the_table_there_are_fewer_than_printed():
    assert average_of_both_games(GAME_AT_5, 5, files_leaves=True) == (4416.0, 201.5)


def test_the_pseudocode_sees_what_the_game_sees():
    assert len(set(precomputed.MASKS)) == 69
    state = random_state(GAME, 10, 3)
    me, other = int(state.me), int(state.stones ^ state.me)
    assert precomputed.worth(precomputed.MASKS, me, other) == evaluate(Segments(), state)
    assert mirrored(me) == int(transform(state, 1).me)
    legal = [column for column in range(7) if landing(me | other, column)]
    assert legal == sorted(GAME.legal(state))


def test_what_is_counted_plainly():
    counts = study.search_plainly(5, 1).answer["leaves"]
    assert (counts["X"], counts["O"], counts["filed"]) == (2 * 12242, 2 * 5451.5, 2 * 4416)
    assert counts["new"] <= counts["filed"] and 0 < counts["told"] < counts["with a leaf"] <= 32


# ------------------------------------------------------------------ the rebuilt program


@pytest.mark.full
@pytest.mark.parametrize("depth", [5, 6, 7, 8])
def test_the_games_have_the_leaves_and_passes_of_table_1(depth):
    games = games_at(depth)
    assert games["X.collisions"].sum() == games["O.collisions"].sum() == 0
    assert games["moves"].n_unique() == 1
    (found,) = averages(games).iter_rows(named=True)
    printed = TABLE[depth]
    assert [int(found[name]) for name in study.COUNTED] == [printed[4], printed[5], printed[7]]
    assert round(found["O fewer leaves by, %"], 2) == printed[6]
    assert found["end results"] == printed[8]


@pytest.mark.parametrize("reading", [name for name in READINGS if name != AS_REBUILT])
def test_under_another_reading_the_counts_are_others(reading):
    found = averages(games_at(5, reading))
    counts, printed = study.counts_of(found), study.counts_of(study.PRINTED.frame("table 1"))
    assert len(counts) == 3
    assert any(printed[name] != count for name, count in counts.items())


def test_the_order_of_columns_is_the_printed_one():
    assert list(COLUMN_ORDER) == study.PRINTED.numbers["order"]


def test_weights_of_holes_begin_in_the_same_order_but_do_not_keep_to_it():
    weights = GAME.place_weights(GAME.initial())
    bottom = sorted(range(7), key=lambda column: -weights[7 * column])
    assert tuple(bottom) == COLUMN_ORDER
    assert weights[7 * 3] < weights[7 * 2 + 2]  # a third-row hole beats the lowest in the middle
    games = games_at(5)
    ordered, total = study.ordered_by_weight(games)
    assert total == len(GAME_AT_5)
    assert 0 < ordered < total


@pytest.mark.parametrize("search", [*study.NEEDED, "minimax", "mtdf, no table"])
def test_every_search_finds_the_same_values(search):
    found = study.search_positions(5, search, 0, 0).answer
    known = study.search_positions(5, "alphabeta", 0, 0).answer
    assert (found["values"], found["moves"]) == (known["values"], known["moves"])
    assert len(known["values"]) == len(GAME_AT_5)


@pytest.mark.parametrize(("search", "leaves"), [("mtdf", 10903), ("mtdf, no table", 96245)])
def test_without_a_table_every_pass_begins_again(search, leaves):
    assert sum(study.search_positions(5, search, 0, 0).answer["leaves"]) == leaves


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


def test_readings_default_to_what_the_counts_confirm():
    assert Program(3).reading == Reading() == READINGS[AS_REBUILT]


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
    directions = [segment[1] - segment[0] for segment in precomputed.SEGMENTS]
    counted = study.PRINTED.numbers["segments"]
    assert len(precomputed.LINES) == 25
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
    compiled = study.time_evaluations(8, 1, 2)
    interpreted = study.time_interpreted(8, 2)
    assert len(set(compiled.answer["sums"].values())) == 1
    assert set(interpreted.answer["sums"].values()) == set(compiled.answer["sums"].values())
    assert {len(times) for times in compiled.times_s.values()} == {2}


# ------------------------------------------------------------------ what the study printed


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: f"depth {row[0]}")
def test_the_percentages_of_the_table_follow_from_its_numbers(row):
    _, x, o, faster, x_leaves, o_leaves, fewer, *_ = row
    least, most = (100 * (1 - (o + off) / (x - off)) for off in (5e-5, -5e-5))
    assert least - 0.005 <= faster <= most + 0.005
    assert round(100 * (1 - o_leaves / x_leaves), 2) == fewer


def test_the_percentages_of_the_abstract_are_of_no_12_games_but_of_24():
    abstract, ends = study.PRINTED.numbers["abstract"], [row[-1] for row in TABLE.values()]
    assert sum("O(1)" in end for end in ends) == sum("X(1)" in end for end in ends) == 5
    assert TABLE[8][6] != abstract["% of leaves saved at depth 8"]
    fit = [n for n in range(1, 60) if 45.83 in {round(100 * won / n, 2) for won in range(n)}]
    assert abstract["% of games won"] == round(100 * 11 / 24, 2)
    assert abstract["% of games lost"] == round(100 * 9 / 24, 2)
    assert fit == [24, 48]


def test_what_the_study_printed_gives_the_findings_it_tells():
    ends = [(row[0], "draw" if row[0] == 10 else "O", row[4], row[5]) for row in TABLE.values()]
    names = ("depth", "result", "X.leaves", "O.leaves")
    rows = [dict(zip(names, end, strict=True)) | {"moves": "4"} for end in ends]
    games = frame_of([row | {"first": first} for row in rows for first in "XO"])
    found = study.game_findings(study.PRINTED.frame("table 1"), games)
    assert found["counts"] == found["printed_counts"] and len(found["counts"]) == 18
    assert found["ends"] == found["printed_ends"]
    assert found["gaps"] == {f"depth {d}": row[4] - row[5] for d, row in TABLE.items()}
    assert {name: round(n) for name, n in found["passes"].items()} == {
        "at odd depths": 378,
        "at even depths": 520,
    }
    assert set(found["shares"]) == set(study.PRINTED.numbers["abstract"])
    assert found["shares"]["% of leaves saved at depth 8"] == 66.2
    assert found["won"] == {"first": 5, "second": 5, "draw": 2}


# ------------------------------------------------------------------ cells and report


def test_openings_leave_out_mirrored_ones():
    opened = study.two_moves()
    assert len(opened) == len(set(opened)) == 25
    assert "4 4" in opened and "4 5" not in opened
    assert len(study.play_openings(1, opened).answer["winners"]) == 25


@pytest.mark.full
def test_the_report_is_made_from_what_was_measured_and_its_times_decide_nothing_else(tiny):
    report, _ = check_times_decide_nothing_else(EXPERIMENT, TINY, tiny)
    assert "**6 of 6**" in report.summary
    verdicts = {claim.text: claim.verdict for claim in report.claims}
    assert len(verdicts) == len(EXPERIMENT.published.claims)
    assert Verdict.REPRODUCED in verdicts.values()
    names = [chart.name for chart in report.charts]
    assert names == ["figure-8", "saving", "figure-7", "algorithms"]
    assert sum(claim.is_timed for claim in report.claims) == 9


@pytest.mark.full
def test_what_the_findings_say_of_the_games_and_searches(tiny):
    found = lab.findings_of(EXPERIMENT, TINY, tiny)
    assert found["counts"] == {
        name: count for name, count in found["printed_counts"].items() if name in found["counts"]
    }
    assert len(found["counts"]) == 6
    assert found["won"] == {"first": 2, "second": 2, "draw": 0}
    assert found["gaps"] == {"depth 5": 6790.5, "depth 6": 9180.0}
    assert round(found["saved"]("mtdf", "alphabeta")["depth 6"], 4) == 0.5133
    parts = found["parts"].row(0, named=True)
    shares = [round(parts[name], 3) for name in ("table", "reflection", "windows")]
    assert shares == [0.488, 0.171, 0.341]
    assert round(parts["windows_first"] + parts["table_last"], 9) == 1
    assert found["agreement"]("mtdf", "moves") == (53, 53)
    assert found["same_leaves"] == {"depth 5": True}
    assert found["ahead"] == {}
    assert set(found["time_gaps"]) == set(found["sampled_saved"]) == {"depth 5", "depth 6"}
    assert set(found["letter"]) < set(found["look_ups"])
    assert len(found["letter"]) == 2 and len(found["look_ups"]) == 3


def test_who_needs_fewer_leaves_than_mtdf_in_all():
    row = {"depth": 6, "alphabeta": 30, "mtdf": 10, "mt-sss": 9, "mtd-step": 8}
    leaves = frame_of([{**row, "mt-sss": 11, "depth": 5}, row])
    assert study.ahead(leaves) == {"mt-sss": [6]}  # MTD-step was not there before MTD(f)


def test_what_is_kept_of_no_position_is_not_known():
    judged = frame_of([{"judged": 10, "threats": 8}, {"judged": 10, "threats": 10}])
    assert study.kept("threats", judged) == share(18, 20)
    assert study.kept("threats", frame_of([{"judged": 0, "threats": 0}])) is None


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    again = [(cell, found) for cell, found in tiny if cell.arguments.get("depth") == 5]
    assert len(again) > 20
    for cell, found in again:
        assert cell.measure().answer == found.answer


@pytest.mark.full
def test_games_are_recorded_as_they_were_played():
    found = study.play_game(5, "O", AS_REBUILT, "segments", 0)
    (record,) = found.games
    assert "".join(move.move for move in record.moves) == found.answer["moves"] == GAME_AT_5
    assert record.players == ("mtdf", "alphabeta")
    assert record.points == 0.0
    assert found.answer["result"] == "X"


@pytest.mark.full
def test_no_more_outcomes_are_kept_than_judged():
    (row,) = study.judge_moves(26, 6, 1, [2]).answer["judged"]
    assert 0 <= row["segments"] <= row["judged"] <= 6
    assert 0 <= row["threats"] <= row["judged"]


# ------------------------------------------------------------------ claims

YES, PARTLY, NO, UNKNOWN = Verdict
MORE, UNSURE, LESS = Estimate(1.5, 1.4, 1.6), Estimate(1.0, 0.9, 1.1), Estimate(0.6, 0.5, 0.7)


def saving(*shares):
    """What one search saves of another's leaves, at depths 5 and on."""
    return {"saved": lambda mine, theirs: {f"depth {d}": s for d, s in enumerate(shares, 5)}}


def agreeing(count):
    return {"agreement": lambda name, what: (count, 192)}


def passes(in_games, on_sample):
    """Passes at odd and at even depths: in the games, and in a search of the same positions."""
    names = ("at odd depths", "at even depths")
    sampled = [Estimate(each, each - 0.1, each + 0.1) for each in on_sample]
    return {
        "passes": dict(zip(names, in_games, strict=True)),
        "sampled_passes": dict(zip(names, sampled, strict=True)),
    }


def counted(**changes):
    known = study.counts_of(study.PRINTED.frame("table 1"))
    ours = known | {name.replace("_", " "): count for name, count in changes.items()}
    return {"counts": ours, "printed_counts": known}


@pytest.mark.parametrize(
    ("claim", "found", "verdict"),
    [
        ("counts", counted(), YES),
        ("counts", counted(X_leaves_at_depth_5=12243), PARTLY),
        ("counts", {"counts": {"a": 1, "b": 2}, "printed_counts": {"a": 3, "b": 2}}, NO),
        ("counts", {"counts": {}, "printed_counts": {}}, UNKNOWN),
        ("same-holes", agreeing(192), YES),
        ("same-holes", agreeing(191), PARTLY),
        ("same-holes", agreeing(100), NO),
        ("minimax", agreeing(192), YES),
        ("as-optimal", {"ends": {5: "a", 6: "b"}, "printed_ends": {5: "a", 6: "b"}}, YES),
        ("as-optimal", {"ends": {5: "a", 6: "b"}, "printed_ends": {5: "b", 6: "a"}}, NO),
        ("abstract", {"shares": {"% of games won": 41.67, "% of games lost": 41.67}}, NO),
        ("abstract", {"shares": {"% of games won": 45.83}}, YES),
        ("abstract", {"shares": {"% of games won": 41.67, "% of games drawn": 16.67}}, NO),
        ("abstract", {"shares": {}}, UNKNOWN),
        ("fewer-leaves", saving(0.5, 0.9), YES),
        ("fewer-leaves", saving(0.5, -0.1), NO),
        ("leaves-grow-apart", {"gaps": {"a": 1.0, "b": 2.0}}, YES),
        ("leaves-grow-apart", {"gaps": {"a": 2.0, "b": 1.0}}, NO),
        ("leaves-grow-apart", {"gaps": {"a": 2.0}}, UNKNOWN),
        ("odd-passes", passes((378.0, 520.0), (0.6, 1.5)), YES),
        ("odd-passes", passes((378.0, 520.0), (1.5, 0.6)), PARTLY),
        ("odd-passes", passes((521.0, 520.0), (1.5, 0.6)), NO),
        ("seven-and-eight", {"seven_and_eight": {"depth 8": 0.66, "depth 7": 0.79}}, YES),
        ("seven-and-eight", {"seven_and_eight": {}}, UNKNOWN),
        ("passes-explain", {"explained": {"passes": 0.9}}, YES),
        ("passes-explain", {"explained": {"passes": 0.48}}, PARTLY),
        ("passes-explain", {"explained": {"passes": 0.1}}, NO),
        ("passes-explain", {"explained": {}}, UNKNOWN),
        ("even-depths-prune", {"growth": {"even": LESS, "odd": MORE}}, YES),
        ("even-depths-prune", {"growth": {"even": MORE, "odd": LESS}}, NO),
        ("even-depths-prune", {"growth": {"even": UNSURE, "odd": UNSURE}}, UNKNOWN),
        ("first-mover", {"first_points": {"4": mean_share([1.0, 0.9, 0.8])}}, YES),
        ("first-mover", {"first_points": {"4": Estimate(0.55, 0.47, 0.63)}}, UNKNOWN),
        ("first-mover", {"first_points": {"4": Estimate(0.45, 0.4, 0.49)}}, NO),
        ("first-mover-leaves", {"by_first": {"X at depth 5": 1.2}}, YES),
        ("first-mover-leaves", {"by_first": {"X at depth 5": 1.2, "X at depth 8": 1.02}}, PARTLY),
        ("zero-windows", saving(0.3, 0.2), YES),
        ("zero-windows", saving(0.3, -0.2), NO),
        ("table", saving(0.3, 0.2), YES),
        ("reflection", saving(0.1, 0.02), YES),
        ("not-again", {"new_leaves": (100, 100)}, YES),
        ("not-again", {"new_leaves": (75, 100)}, PARTLY),
        ("not-again", {"new_leaves": (40, 100)}, NO),
        ("fewer-passes", saving(0.2, 0.1), YES),
        ("fewer-passes", saving(0.2, -0.1), NO),
        ("re-explores", saving(0.9, 0.8), YES),
        ("re-explores", saving(0.9, 0.3), NO),
        ("order-helps", saving(0.6, 0.8), YES),
        ("by-weight", {"by_weight": (192, 192)}, YES),
        ("by-weight", {"by_weight": (76, 192)}, NO),
        ("first-leaf", {"first_leaf": (40, 40)}, YES),
        ("first-leaf", {"first_leaf": (32, 40)}, PARTLY),
        ("first-leaf", {"first_leaf": (29, 40)}, NO),
        ("negamax", {"same_leaves": {"depth 5": True}}, YES),
        ("negamax", {"same_leaves": {"depth 5": False}}, NO),
        ("simple-players", {"simple": {"random": MORE}}, YES),
        ("simple-players", {"simple": {"random": Estimate(0.5, 0.4, 0.6)}}, UNKNOWN),
        ("faster", {"saved_time": {"compiled": Estimate(0.1, 0.05, 0.2)}}, YES),
        ("faster", {"saved_time": {"compiled": Estimate(0.1, -0.05, 0.2)}}, UNKNOWN),
        ("faster", {"saved_time": {"compiled": Estimate(-0.1, -0.2, -0.05)}}, NO),
        ("slower-at-six", {"at_six": {"compiled": MORE}}, YES),
        ("slower-at-six", {"at_six": {"compiled": UNSURE}}, UNKNOWN),
        ("slower-at-six", {"at_six": {"compiled": LESS}}, NO),
        ("slower-at-six", {"at_six": {"compiled": MORE, "in plain Python": UNSURE}}, PARTLY),
        ("slower-at-six", {"at_six": {"compiled": MORE, "in plain Python": LESS}}, PARTLY),
        ("faster-elsewhere", {"elsewhere": {"depth 5": LESS, "depth 7": LESS}}, YES),
        ("faster-elsewhere", {"elsewhere": {"depth 5": UNSURE, "depth 7": LESS}}, PARTLY),
        ("faster-elsewhere", {"elsewhere": {"depth 5": UNSURE}}, UNKNOWN),
        ("faster-elsewhere", {"elsewhere": {"depth 5": MORE, "depth 7": LESS}}, PARTLY),
        ("faster-elsewhere", {"elsewhere": {"depth 5": MORE, "depth 7": UNSURE}}, NO),
        ("much-faster", {"deep_speed": {"depth 9": Estimate(3, 2.5, 4)}}, YES),
        ("much-faster", {"deep_speed": {"depth 9": MORE}}, PARTLY),
        ("much-faster", {"deep_speed": {"depth 9": UNSURE}}, UNKNOWN),
        ("much-faster", {"deep_speed": {"depth 9": LESS}}, NO),
        ("times-grow", {"time_gaps": {"depth 5": LESS, "depth 6": MORE}}, YES),
        ("times-grow", {"time_gaps": {"depth 5": UNSURE, "depth 6": UNSURE}}, UNKNOWN),
        ("times-grow", {"time_gaps": {"depth 5": MORE, "depth 6": LESS}}, NO),
        ("times-apart", {"deep_gap": {"depth 9": Estimate(3, 2.5, 4)}}, YES),
        ("times-apart", {"deep_gap": {"depth 9": MORE}}, PARTLY),
        ("times-apart", {"deep_gap": {"depth 9": LESS}}, NO),
        ("times-apart", {"deep_gap": {}}, UNKNOWN),
        ("dearer-leaves", {"per_leaf": {"compiled": MORE}}, YES),
        ("dearer-leaves", {"per_leaf": {"compiled": UNSURE}}, UNKNOWN),
        ("not-slow", {}, UNKNOWN),
        ("fewest", {"over_others": {"a": LESS, "b": LESS}}, YES),
        ("fewest", {"over_others": {"a": LESS, "b": UNSURE}}, PARTLY),
        ("fewest", {"over_others": {"a": LESS, "b": MORE}}, NO),
        ("better-evaluator", {"points": Estimate(0.6, 0.57, 0.63)}, YES),
        ("better-evaluator", {"points": Estimate(0.52, 0.48, 0.56)}, UNKNOWN),
        ("better-evaluator", {"points": Estimate(0.4, 0.3, 0.45)}, NO),
        ("look-ups", {"look_ups": {"a": MORE, "b": MORE}}, YES),
        ("look-ups", {"look_ups": {"a": MORE, "b": UNSURE}}, PARTLY),
        ("look-ups", {"look_ups": {"a": LESS, "b": UNSURE}}, NO),
    ],
)  # fmt: skip
def test_verdicts_follow_the_findings(claim, found, verdict):
    assert verdict_of(EXPERIMENT, claim, **found) == verdict
