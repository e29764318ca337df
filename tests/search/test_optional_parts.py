"""Threads, moves left out, remembered values: the parts that not every search has."""

from __future__ import annotations

import threading
from typing import NamedTuple

import pytest
from search_tools import EXACT, Rough, naive_minimax, random_state, seen_by_mover

from plyground.core.errors import GameCodeError, Unsupported
from plyground.core.scores import INFINITY
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.remembered import remembered
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game
from plyground.games.rules import is_isolated, is_over, outcome, play
from plyground.kernel import Slab, plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored, ByDistance, ByMargin
from plyground.search.pruning import FirstWin, Isolated
from plyground.search.run import search
from plyground.search.setup import Limits, Setup, SpareTables, make_table
from plyground.search.table import BUCKET, MOST_AGE, Table, probe, store


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_two_threads_find_what_one_finds(seed):
    game = find_game("connect4")
    state = random_state(game, game.initial(), seed, seed)
    evaluator = find_evaluator("columns", state).make()
    results = [
        search(
            game,
            state,
            Setup(find_algorithm("abmemory"), evaluator, threads=threads, memory_bytes=2**20),
            Limits(depth=7),
        )
        for threads in (1, 2, 4)
    ]
    assert len({result.value for result in results}) == 1
    assert all(len(result.line) == 7 for result in results)


def test_threads_stop_when_their_time_is_up():
    game = find_game("connect4")
    state = game.initial()
    evaluator = find_evaluator("columns", state).make()
    setup = Setup(find_algorithm("abmemory"), evaluator, threads=2)
    result = search(game, state, setup, Limits(time_s=0.3))
    assert 6 <= result.depth < 42


class Broken(NamedTuple):
    by: int = 0

    def evaluate(self, state) -> int:
        return 1 // self.by


def test_an_error_on_a_thread_is_raised():
    game = find_game("connect4")
    setup = Setup(find_algorithm("abmemory"), Broken(), threads=2, memory_bytes=2**16)
    with pytest.raises(GameCodeError, match="division"):
        search(game, game.initial(), setup, Limits(depth=2))


def test_only_alpha_beta_with_memory_runs_on_several_threads():
    game = find_game("mnk")
    with pytest.raises(Unsupported, match="negascout runs on one thread; abmemory"):
        search(
            game,
            game.initial(),
            Setup(find_algorithm("negascout"), Rough(1), threads=2),
            Limits(depth=2),
        )


def test_a_torn_entry_is_taken_for_absent():
    game = find_game("mnk")
    state = game.initial()
    table = make_table(64, False)
    store(table, state, 3, -5, 7, 4)
    assert probe(table, state, 3) == (-5, 7, 4, 2)
    assert probe(table, state, 2) == (-INFINITY, INFINITY, 4, 1)
    for number in range(len(table.slots)):
        if table.slots[number]:
            before = table.slots[number]
            table.slots[number] = before ^ 1
            assert probe(table, state, 3)[3] == 0
            table.slots[number] = before
    assert probe(table, state, 3)[3] == 2


def test_threads_that_write_one_entry_never_read_a_mixture():
    game = find_game("mnk")
    state = game.initial()
    table = make_table(64, False)
    honest = {(-value, value, value, 2) for value in range(1, 9)}
    odd = []

    def work(value):
        for _ in range(300):
            store(table, state, 3, -INFINITY, INFINITY, value)
            table.slots.array[:] = 0
            store(table, state, 3, -value, value, value)
            found = probe(table, state, 3)
            if found[3] == 2 and found not in honest and found[:2] != (-INFINITY, INFINITY):
                lower, upper = found[:2]  # two honest entries may have been merged
                if not (lower <= 0 <= upper):
                    odd.append(found)

    threads = [threading.Thread(target=work, args=(value,)) for value in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert odd == []


def test_a_deeper_entry_of_the_same_age_is_not_pushed_out_by_shallow_ones():
    game = find_game("mnk")
    table = make_table(64, False)  # one bucket
    states = [random_state(game, game.initial(), plies, plies) for plies in (0, 1, 2, 3)]
    store(table, states[0], 9, 1, 1, 0)
    collisions = [store(table, state, 2, 0, 0, 0) for state in states[1:]]
    assert probe(table, states[0], 9)[:2] == (1, 1)
    assert collisions == [0, 1, 1]
    store(table._replace(age=2), states[1], 1, 5, 5, 0)
    assert probe(table, states[0], 9)[3] == 0


@pytest.mark.parametrize("seed", range(6))
def test_remembering_values_changes_nothing(seed):
    game = find_game("connect4")
    state = random_state(game, game.initial(width=4, height=4, connect=3), 3, seed)
    plain, memory = Rough(1), remembered(Rough(1), 2**12)
    with plain_python():
        for _ in range(2):
            assert evaluate(memory, state) == evaluate(plain, state)
        values = [
            search(game, state, Setup(find_algorithm("alphabeta"), judge), Limits(depth=3)).value
            for judge in (plain, memory)
        ]
    assert values[0] == values[1]


def test_isolated_cards_are_left_out_and_the_search_shrinks():
    game = find_game("double-card")
    state = game.replay(game.initial(), game.parse_moves(game.initial(), "0 1 A 1"))
    isolated = {game.format_move(state, m) for m in game.legal(state) if is_isolated(state, m)}
    assert "0 1 D 1" in isolated
    assert "0 2 C 1" not in isolated  # touches B1
    assert "0 1 A 2" not in isolated
    with plain_python():
        whole, pruned = (
            search(
                game,
                state,
                Setup(find_algorithm("alphabeta"), Rough(1), pruning=pruning),
                Limits(depth=1),
            )
            for pruning in (None, Isolated())
        )
    assert whole.counters["leaves"] == 56
    assert pruned.counters["leaves"] == 56 - len(isolated)
    assert pruned.counters["inner"] == 1 == whole.counters["inner"]


def test_where_every_move_is_isolated_all_stay():
    game = find_game("double-card")
    with plain_python():
        result = search(
            game,
            game.initial(),
            Setup(find_algorithm("alphabeta"), Rough(1), pruning=Isolated()),
            Limits(depth=1),
        )
    assert result.counters["leaves"] == 60


def nodes_up_to_wins(game, state, depth):
    """Nodes of minimax that looks at no move behind one that wins at once."""
    nodes = 1
    if depth and not is_over(state):
        for move in game.legal(state):
            child = play(state, move)
            nodes += nodes_up_to_wins(game, child, depth - 1)
            if is_over(child) and outcome(child):
                break
    return nodes


@pytest.mark.parametrize("finish", [ByDistance(), ByMargin()])
@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_stopping_at_the_first_win_changes_nothing_but_counts(algorithm, finish):
    game, saved = find_game("connect4"), 0
    for seed in range(6):
        state = random_state(game, game.initial(width=4, height=4, connect=3), 3 + seed, seed)
        with plain_python():
            whole, short = (
                search(
                    game,
                    state,
                    Setup(algorithm, Rough(1), finish, memory_bytes=2**16, first_win=stop),
                    Limits(depth=3),
                )
                for stop in (None, FirstWin())
            )
        assert (short.value, short.move, short.line) == (whole.value, whole.move, whole.line)
        assert short.nodes <= whole.nodes
        saved += whole.nodes - short.nodes
        if algorithm.name == "minimax":
            assert short.nodes == nodes_up_to_wins(game, state, 3)
    assert saved > 0


@pytest.mark.parametrize(
    "name, algorithm, finish",
    [
        ("othello", "alphabeta", ByMargin()),
        ("kalah", "abmemory", ByMargin()),
        ("connect4", "alphabeta", AsScored()),
    ],
)
def test_a_search_does_not_stop_at_a_win_that_another_may_better(name, algorithm, finish):
    game = find_game(name)
    setup = Setup(find_algorithm(algorithm), Rough(1), finish, first_win=FirstWin())
    with pytest.raises(Unsupported, match=f"^in {name} a later move may be worth more; stop"):
        search(game, game.initial(), setup, Limits(depth=1))


@pytest.mark.parametrize("algorithm", ["althofer", "quiescence", "palphabeta-printed"])
def test_only_searches_of_the_minimax_value_stop_at_a_win(algorithm):
    game = find_game("connect4")
    setup = Setup(find_algorithm(algorithm), Rough(1), ByDistance(), first_win=FirstWin())
    with pytest.raises(Unsupported, match=f"^{algorithm} cannot stop at a win"):
        search(game, game.initial(), setup, Limits(depth=1))


def test_isolated_moves_are_left_out_only_where_a_game_knows_them():
    game = find_game("connect4")
    setup = Setup(find_algorithm("alphabeta"), Rough(1), pruning=Isolated())
    with pytest.raises(Unsupported, match="connect4 has no isolated moves to leave out"):
        search(game, game.initial(), setup, Limits(depth=1))


def test_the_value_with_threads_is_that_of_minimax():
    game = find_game("mnk")
    for seed in range(3):
        state = random_state(game, game.initial(), 2, seed)
        judge = find_evaluator("zero", state).make()
        setup = Setup(find_algorithm("abmemory"), judge, threads=2, memory_bytes=2**16)
        result = search(game, state, setup, Limits(depth=7))
        expected = naive_minimax(game, state, judge, 7, ByMargin())
        assert result.value == seen_by_mover(state, expected)


@pytest.mark.parametrize("name", ["abmemory", "mtdf"])
def test_memory_that_was_used_before_changes_no_count(name):
    game = find_game("connect4")
    judge = find_evaluator("segments", game.initial()).make()
    setup = Setup(find_algorithm(name), judge, memory_bytes=2**16)
    starts = [game.initial(), game.replay(game.initial(), [3, 3, 3])]
    counts = [[search(game, s, setup, Limits(depth=6)).counters for s in starts] for _ in range(3)]
    assert counts[0] == counts[1] == counts[2]
    assert counts[0][0]["hits"] > 0


def test_a_table_given_back_is_empty_to_the_next_search():
    spare, start = SpareTables(), find_game("tictactoe").initial()
    table = spare.take(2**12, False)
    assert store(table, start, 3, 5, 5, 1) == 0
    spare.give_back(table)
    again = spare.take(2**12, True)
    assert again.slots is table.slots
    assert probe(again, start, 3) == probe(make_table(2**12, True), start, 3)
    assert store(again, start, 3, 5, 5, 1) == 0  # nothing was pushed out
    assert spare.take(2**12, False).slots is not table.slots  # one search has it at a time
    spare.give_back(again._replace(age=MOST_AGE))
    assert spare.take(2**12, False).age == 1  # ages have run out: other memory


@pytest.mark.usefixtures("plain")
def test_best_first_searches_start_where_there_are_very_many_moves():
    game = find_game("double-card")
    judge = find_evaluator("zero", game.initial()).make()
    setup = Setup(find_algorithm("sss"), judge, memory_bytes=2**20)
    assert search(game, game.initial(), setup, Limits(depth=1)).counters["leaves"] == 60


def test_a_bucket_keeps_the_deeper_of_three_positions_and_the_last():
    """With a single bucket: what is pushed out of the first place goes to the second."""
    table = Table(Slab(BUCKET), mask=0, symmetric=0, age=1)
    game = find_game("tictactoe")
    states = [play(game.initial(), move) for move in range(3)]
    assert [store(table, state, depth + 1, -7, 7, 4) for depth, state in enumerate(states)] == [
        *(0, 0),
        1,  # only now somebody is pushed out
    ]
    assert [probe(table, state, depth + 1)[3] for depth, state in enumerate(states)] == [0, 2, 2]
    assert store(table, states[0], 1, -5, 5, 4) == 1  # the shallow one takes the second place
    assert [probe(table, state, depth + 1)[3] for depth, state in enumerate(states)] == [2, 0, 2]
    assert store(table, states[0], 1, -3, 6, 4) == 0
    assert probe(table, states[0], 1) == (-3, 5, 4, 2)
