"""The driver: limits, lines, choices, and what it tells people."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE_S
from search_tools import EXACT, Rough, RoughMirrored, naive_minimax, random_state, seen_by_mover

from plyground.core.errors import Unsupported
from plyground.core.scores import WIN, Score
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game, games
from plyground.games.rules import cells_left, is_over, play, turn
from plyground.kernel import Slab, plain_python
from plyground.search import run as run_module
from plyground.search.catalogue import ALGORITHMS, find_algorithm
from plyground.search.finish import AsScored, ByDistance, ByMargin, final_score
from plyground.search.run import search
from plyground.search.setup import ORDERS, Limits, Setup, score_of


def connect_four():
    game = find_game("connect4")
    state = game.initial()
    return game, state, find_evaluator("columns", state).make()


def value_at_the_end(game, state, line, evaluator, depth, finish):
    """The value of the last position of a line, seen from its first."""
    sign = 1
    for move in line:
        child = play(state, move)
        sign *= turn(state, child)
        state, depth = child, depth - 1
    value = final_score(finish, state, depth) if is_over(state) else evaluate(evaluator, state)
    return sign * value


@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_the_line_leads_to_a_position_worth_the_value(algorithm):
    game = find_game("mnk")
    with plain_python():
        for seed in range(4):
            state = random_state(game, game.initial(), 2, seed)
            setup = Setup(algorithm, Rough(1), memory_bytes=2**18)
            result = search(game, state, setup, Limits(depth=3))
            assert result.move == result.line[0]
            reached = value_at_the_end(game, state, result.line, Rough(1), 3, ByMargin())
            assert reached == result.value


@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_so_does_the_line_of_a_deepened_search(algorithm):
    """A table from lower depths may begin another line than the one that is completed."""
    game = find_game("connect4")
    with plain_python():
        for seed in range(4):
            state = random_state(game, game.initial(width=4, height=4, connect=3), 2, seed)
            setup = Setup(algorithm, Rough(1), memory_bytes=2**18)
            result = search(game, state, setup, Limits(depth=4, iterate=True))
            reached = value_at_the_end(game, state, result.line, Rough(1), 4, ByMargin())
            assert reached == result.value


@pytest.mark.usefixtures("plain")
def test_a_line_completed_after_it_changed_holds_legal_moves_only():
    """The line from the table is left at its second move; its fourth then meets a full column."""
    game, start, _ = connect_four()
    evaluator = find_evaluator(None, start).make()
    state = game.parse_position(start, "-------/---O---/--XX---/--OO-X-/--XX-O-/--OX-XO")
    result = search(game, state, Setup(find_algorithm("mtdf"), evaluator), Limits(5, iterate=True))
    for move in result.line:
        assert move in game.legal(state)
        state = play(state, move)
    assert len(result.line) == 5


def test_a_win_by_distance_is_told_in_moves():
    game = find_game("connect4")
    state = game.replay(game.initial(), game.parse_moves(game.initial(), "445566"))
    with plain_python():
        setup = Setup(find_algorithm("alphabeta"), Rough(1), finish=ByDistance())
        result = search(game, state, setup, Limits(depth=3))
    assert str(result.score) == "win in 1"
    assert game.format_move(state, result.move) in ("3", "7")


def test_by_distance_a_near_loss_is_worse_than_a_far_one():
    game = find_game("connect4")
    lost = game.replay(game.initial(), game.parse_moves(game.initial(), "1212121"))
    near, far = (final_score(ByDistance(), lost, left) for left in (6, 1))
    assert near < far < -WIN
    assert score_of(near, 8, ByDistance()) == Score(2, "loss")
    assert score_of(-far, 8, ByDistance()) == Score(7, "win")


def test_a_win_by_margin_is_told_as_its_final_score():
    assert score_of(WIN + 12, 5, ByMargin()) == Score(12, "proven")
    assert score_of(-WIN - 4, 5, ByMargin()) == Score(-4, "proven")
    assert score_of(17, 5, ByMargin()) == Score(17, "heuristic")
    assert score_of(WIN + 5, 5, AsScored()).kind == "heuristic"


def test_a_score_turns_round_with_its_bound():
    assert -Score(3, "heuristic", "lower") == Score(-3, "heuristic", "upper")
    assert -Score(9, "win") == Score(9, "loss")
    assert str(Score(-2, "heuristic", "lower")) == ">= -2"
    assert str(Score(9, "win")) == "win in 9"


def test_each_completed_depth_is_reported_in_turn():
    game, state, evaluator = connect_four()
    heard = []
    setup = Setup(find_algorithm("alphabeta"), evaluator)
    result = search(game, state, setup, Limits(depth=6, iterate=True), heard.append)
    assert [each.depth for each in heard] == [1, 2, 3, 4, 5, 6]
    assert heard[-1].value == result.value == 0


def test_a_limit_of_nodes_is_kept_to_within_a_few_nodes():
    game, state, evaluator = connect_four()
    setup = Setup(find_algorithm("alphabeta"), evaluator)
    result = search(game, state, setup, Limits(nodes=10_000))
    assert result.nodes <= 10_100
    assert result.depth >= 4
    assert result.move == 3


def test_a_limit_of_time_ends_an_endless_search_with_a_completed_depth():
    game, state, evaluator = connect_four()
    setup = Setup(find_algorithm("alphabeta"), evaluator)
    result = search(game, state, setup, Limits(time_s=0.3))
    assert 1 <= result.depth < 30
    assert len(result.line) == result.depth


def test_another_thread_can_stop_a_search():
    game, state, evaluator = connect_four()
    stop = Slab(1)
    heard = []

    def raise_the_flag(result):
        heard.append(result.depth)
        if result.depth == 7:
            stop[0] = 1

    setup = Setup(find_algorithm("abmemory"), evaluator)
    limits = Limits(time_s=3600)
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(search(game, state, setup, limits, raise_the_flag, stop=stop))
    )
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert heard == [1, 2, 3, 4, 5, 6, 7]
    assert answers[0].depth == 7


def test_a_seed_chooses_only_among_moves_that_are_equally_good():
    game = find_game("mnk")
    state = game.initial()
    chosen = set()
    with plain_python():
        for seed in range(12):
            setup = Setup(find_algorithm("falphabeta"), Rough(0), seed=seed)
            result = search(game, state, setup, Limits(depth=2))
            chosen.add(result.move)
            child = play(state, result.move)
            worth = naive_minimax(game, child, Rough(0), 1, ByMargin())
            assert seen_by_mover(state, worth) == result.value
            assert result.line[0] == result.move
        again = search(
            game, state, Setup(find_algorithm("falphabeta"), Rough(0), seed=3), Limits(depth=2)
        )
        first = search(
            game, state, Setup(find_algorithm("falphabeta"), Rough(0), seed=3), Limits(depth=2)
        )
    assert len(chosen) > 3
    assert again.move == first.move


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_leads_to_the_same_value(order):
    game = find_game("connect4")
    state = game.initial(width=4, height=4, connect=3)
    with plain_python():
        setup = Setup(find_algorithm("abmemory"), Rough(1), order=order, memory_bytes=2**16)
        result = search(game, state, setup, Limits(depth=3))
    assert result.value == naive_minimax(game, state, Rough(1), 3, ByMargin())


def test_mirrored_positions_share_their_entries():
    game = find_game("connect4")
    state = game.initial(width=5, height=4, connect=4)
    nodes = {}
    with plain_python():
        for symmetric in (False, True):
            setup = Setup(
                find_algorithm("abmemory"),
                RoughMirrored(1),
                memory_bytes=2**18,
                symmetric=symmetric,
            )
            nodes[symmetric] = search(game, state, setup, Limits(depth=4)).nodes
    assert nodes[True] < nodes[False]


def test_combinations_that_make_no_sense_are_refused():
    game, state, evaluator = connect_four()
    with pytest.raises(Unsupported, match="mtdf cannot work without memory"):
        search(
            game, state, Setup(find_algorithm("mtdf"), evaluator, memory_bytes=0), Limits(depth=2)
        )
    with pytest.raises(Unsupported, match="give a limit"):
        search(game, state, Setup(find_algorithm("alphabeta"), evaluator), Limits())
    with pytest.raises(Unsupported, match="unknown order 'killer'; did you mean killers"):
        search(
            game,
            state,
            Setup(find_algorithm("alphabeta"), evaluator, order="killer"),
            Limits(depth=2),
        )
    with pytest.raises(Unsupported, match="sss needs more memory for depth 9"):
        search(
            game,
            state,
            Setup(find_algorithm("sss"), evaluator, memory_bytes=2**16),
            Limits(depth=9),
        )
    over = game.replay(state, game.parse_moves(state, "1212121"))
    with pytest.raises(Unsupported, match="the game is over"):
        search(game, over, Setup(find_algorithm("alphabeta"), evaluator), Limits(depth=2))
    kalah = find_game("kalah")
    with pytest.raises(Unsupported, match="kalah has no weights for its places"):
        search(
            kalah,
            kalah.initial(),
            Setup(find_algorithm("alphabeta"), Rough(1), order="weights"),
            Limits(depth=1),
        )


def test_an_evaluator_of_another_game_is_refused_by_name():
    game, state, _ = connect_four()
    with pytest.raises(Unsupported, match="stages judges another game; for this one: segments"):
        find_evaluator("stages", state)
    with pytest.raises(Unsupported, match="unknown evaluator 'segment'; did you mean segments"):
        find_evaluator("segment", state)
    assert game.name == "connect4"


@pytest.mark.parametrize("name", games())
def test_every_game_has_exactly_one_default_evaluator(name):
    state = games()[name].initial()
    assert [spec.is_default for spec in suitable(state)].count(True) == 1
    assert find_evaluator(None, state).is_default


def test_names_of_algorithms_are_unique():
    names = [name for each in ALGORITHMS for name in (each.name, *each.aliases)]
    assert len(names) == len(set(names))
    with pytest.raises(Unsupported, match="unknown algorithm 'negascot'; did you mean negascout"):
        find_algorithm("negascot")


def test_time_is_not_spent_on_compiling(monkeypatch):
    game, state, evaluator = connect_four()
    now_s, compile_ = [0.0], run_module._compile

    def compile_slowly(*parts: Any) -> None:
        compile_(*parts)
        now_s[0] += 1000.0

    monkeypatch.setattr(run_module, "_compile", compile_slowly)
    monkeypatch.setattr(run_module, "time", SimpleNamespace(perf_counter=lambda: now_s[0]))
    result = search(game, state, Setup(find_algorithm("alphabeta"), evaluator), Limits(depth=2))
    assert (now_s, result.time_s) == ([1000.0], 0.0)


def test_the_holes_of_connect_four_weigh_as_many_lines_as_run_through_them():
    # Row by row from the top, as the weighted board is printed in Tommy et al. 2017, figure 5.
    game = find_game("connect4")
    state = game.initial()
    weights = [weight // 7 for weight in game.place_weights(state)]
    rows = [[weights[7 * column + row] for column in range(7)] for row in range(5, -1, -1)]
    assert rows == [
        [3, 4, 5, 7, 5, 4, 3],
        [4, 6, 8, 10, 8, 6, 4],
        [5, 8, 11, 13, 11, 8, 5],
        [5, 8, 11, 13, 11, 8, 5],
        [4, 6, 8, 10, 8, 6, 4],
        [3, 4, 5, 7, 5, 4, 3],
    ]
    assert sum(sum(row) for row in rows) == 69 * 4
    ranks = [game.place_weights(state)[7 * column] for column in range(7)]
    assert sorted(range(7), key=lambda column: -ranks[column]) == [3, 4, 2, 5, 1, 6, 0]


def test_the_last_empty_cells_are_searched_to_the_end():
    """The rule of a Reversi study: with nine empty squares or fewer, play perfectly."""
    game = find_game("othello")
    state = random_state(game, game.initial(size=4), 7, 3)
    assert 4 <= cells_left(state) <= 9
    with plain_python():
        setup = Setup(find_algorithm("alphabeta"), Rough(1))
        result = search(game, state, setup, Limits(depth=1, endgame=9))
        shallow = search(game, state, setup, Limits(depth=1, endgame=2))
    expected = naive_minimax(game, state, Rough(1), 40, ByMargin())
    assert result.value == seen_by_mover(state, expected)
    assert result.score.kind == "proven" or result.value == 0
    assert shallow.depth == 1


def test_a_search_to_the_end_still_keeps_its_limits():
    game, state, evaluator = connect_four()
    setup = Setup(find_algorithm("alphabeta"), evaluator)
    result = search(game, state, setup, Limits(depth=1, time_s=0.2, endgame=42))
    assert 2 <= result.depth < 42


def test_the_table_orders_by_its_move_alone():
    game, state, evaluator = connect_four()
    counts = {}
    for order in ("natural", "table"):
        setup = Setup(find_algorithm("mtdf"), evaluator, order=order)
        result = search(game, state, setup, Limits(depth=8, iterate=True))
        counts[order] = result.nodes
        assert result.value == 1
    assert counts["table"] < counts["natural"]
