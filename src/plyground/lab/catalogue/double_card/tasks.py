"""What is measured: searches along games, calls of a heuristic, orders, decisions, matches.

Each task is a function of plain data. Those that need positions play games for them first, between
the two heuristics at the report's depth; the same opening and number give the same games anywhere.
Knows no report.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, NamedTuple

from plyground.core.records import GameRecord
from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import Evaluator
from plyground.games.catalogue import find_game
from plyground.games.rules import State, is_isolated, is_over, legal_moves, outcome, play, side
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.lab.catalogue.double_card.judging import judge_children, judge_replies, value_of
from plyground.lab.spec import Answer, Measured
from plyground.lab.tasks import play_games
from plyground.players.catalogue import make_machine
from plyground.players.searching import SearchPlayer
from plyground.search.parts import COUNTERS
from plyground.search.pruning import Isolated
from plyground.search.run import Workshop, prepare
from plyground.search.setup import MOST_NODES, Setup

GAME = "double-card"
CARDS = 24  # from then on cards are moved
PLIES = 2  # the report's depth of 3 counts the root
FIRST, SECOND = "patterns", "danger"  # heuristics 1 and 2

MINIMAX, ALPHA_BETA = "minimax", "alpha-beta"
MINIMAX_NEAR, ALPHA_BETA_NEAR = "minimax, no isolated cards", "alpha-beta, no isolated cards"
MINIMAX_SECOND, ALPHA_BETA_SECOND = "minimax, heuristic 2", "alpha-beta, heuristic 2"
SEARCHERS = {  # by name: the algorithm, its heuristic, and whether isolated cards are left out
    MINIMAX: ("minimax", FIRST, False),
    ALPHA_BETA: ("alphabeta", FIRST, False),
    MINIMAX_NEAR: ("minimax", FIRST, True),
    ALPHA_BETA_NEAR: ("alphabeta", FIRST, True),
    MINIMAX_SECOND: ("minimax", SECOND, False),
    ALPHA_BETA_SECOND: ("alphabeta", SECOND, False),
}
ORDERS = ("natural", "shallow", "killers", "history", "all")
KEPT = ("nodes", "leaves", "cutoffs", "first_cutoffs")
CALLS = 2000  # of a heuristic between two looks at the clock
LOOK_AHEAD = 3  # plies after a decision, in which it may turn out to lose


# ------------------------------------------------------------------ games


class Position(NamedTuple):
    """A position that was met in a game."""

    game: int
    moves: str
    state: State


def players(depth: int) -> list[str]:
    """Heuristic 1 and heuristic 2; like the report's machine they choose among equals at random."""
    return [f"alphabeta:depth={depth},eval={name},ties=random" for name in (FIRST, SECOND)]


def play_match(depth: int, openings: Sequence[str], number: int) -> Measured:
    """A pair of games from each opening: points of heuristic 1, and how many moves were made.

    `number` is that of the first pair; pairs from the same opening are told apart by theirs.
    """
    points, plies = [], []
    games: list[GameRecord] = []
    for place, opening in enumerate(openings):
        pair = play_games(GAME, players(depth), opening, number=number + place)
        points.append(pair.answer["points"])
        plies.append([len(game["moves"]) for game in pair.answer["games"]])
        games += pair.games
    return Measured({"points": points, "plies": plies}, games=games)


def positions_of(opening: str, number: int) -> Iterator[Position]:
    """The positions of both games of a pair after its opening.

    Positions with a single move are left out: nothing is searched there.
    """
    game = find_game(GAME)
    played = play_games(GAME, players(PLIES), opening, number=number).answer["games"]
    random_plies = len(game.split_moves(opening))
    for which, one in enumerate(played):
        state, texts = game.initial(), one["moves"]
        for ply, text in enumerate(texts):
            if ply >= random_plies and len(game.legal(state)) > 1:
                yield Position(2 * number + which, "; ".join(texts[:ply]), state)
            state = play(state, game.parse_move(state, text))


# ------------------------------------------------------------------ figures 3 and 4


def search_games(openings: Sequence[str], number: int, repetitions: int) -> Measured:
    """Search every position of some games with every searcher.

    Columns: the game, the moves made, and by searcher nodes, leaves and value. A time is the median
    of the repetitions, which take turns, so that a disturbance hits all alike.
    """
    game = find_game(GAME)
    setups = {name: setup_of(game, *what) for name, what in SEARCHERS.items()}
    answer: Answer = {"game": [], "made": [], "nodes": {}, "leaves": {}, "value": {}}
    times: dict[str, list[float]] = {name: [] for name in setups}
    for place, opening in enumerate(openings):
        for which, _, state in positions_of(opening, number + place):
            answer["game"].append(which)
            answer["made"].append(int(state.made))
            rounds = [
                {name: run_once(game, setup, state, PLIES) for name, setup in setups.items()}
                for _ in range(repetitions)
            ]
            for name, found in rounds[0].items():
                answer["nodes"].setdefault(name, []).append(found.counters["nodes"])
                answer["leaves"].setdefault(name, []).append(found.counters["leaves"])
                answer["value"].setdefault(name, []).append(found.value)
                times[name].append(median(each[name].time_s for each in rounds))
    return Measured(answer, times)


def setup_of(
    game: GameSpec, algorithm: str, judge: str, leaves_out: bool = False, order: str = "natural"
) -> Setup:
    """What to search with, compiled."""
    player = make_machine(f"{algorithm}:depth=1,eval={judge}", game, game.initial())
    assert isinstance(player, SearchPlayer)
    pruning = Isolated() if leaves_out else None
    setup = replace(player.setup, pruning=pruning, order=order)
    prepare(game, game.initial(), setup)
    return setup


class Run(NamedTuple):
    """What a search found, and how long the search alone took."""

    value: int
    """For the side to move."""
    counters: dict[str, int]
    time_s: float


def run_once(game: GameSpec, setup: Setup, state: State, depth: int) -> Run:
    """Search a position in machine code and nothing else.

    At two plies, what surrounds a search takes as long as alpha-beta itself: memory, the line, the
    call from Python. It is left out here, the last of them by timing a search of no depth.
    """
    parts = Workshop(game, setup, None, None).parts(state, depth, MOST_NODES)
    window = (-INFINITY, INFINITY) if setup.algorithm.call == "window" else ()
    kernel: Any = setup.algorithm.kernel

    def call(plies: int) -> tuple[int, float]:
        started = time.perf_counter()
        value = int(kernel(state, setup.evaluator, plies, *window, parts))
        return value, time.perf_counter() - started

    value, search_s = call(depth)
    counters = {name: parts.counts[place] for place, name in enumerate(COUNTERS)}
    _, call_s = call(0)
    is_own = bool(window) or side(state) == 0  # minimax has the first player's value
    return Run(value if is_own else -value, counters, max(0.0, search_s - call_s))


# ------------------------------------------------------------------ figures 1 and 2


def time_heuristics(openings: Sequence[str], number: int, repetitions: int) -> Measured:
    """What a call of each heuristic costs in the positions of some games.

    The time of the same walk without a heuristic is taken off: laying the cards, and the clock.
    """
    game = find_game(GAME)
    judges = {name: _evaluator(name, game.initial()) for name in ("zero", FIRST, SECOND)}
    made: list[int] = []
    times: dict[str, list[float]] = {FIRST: [], SECOND: []}
    for place, opening in enumerate(openings):
        for _, _, state in positions_of(opening, number + place):
            rounds = [
                {name: _walk_s(game, judge, state) for name, judge in judges.items()}
                for _ in range(repetitions + 1)
            ][1:]  # the first may have compiled
            made.append(int(state.made))
            for name, found in times.items():
                found.append(median(max(0.0, each[name] - each["zero"]) for each in rounds))
    return Measured({"made": made}, times)


def _walk_s(game: GameSpec, judge: Evaluator, state: State) -> float:
    """The seconds per call of a heuristic, the playing of the moves included."""
    rounds = max(1, CALLS // len(game.legal(state)))
    moves, total = Slab(game.max_moves), Slab(1)
    started = time.perf_counter()
    calls = judge_children(judge, state, moves, rounds, total)
    return (time.perf_counter() - started) / max(1, calls)


def _evaluator(name: str, start: State) -> Evaluator:
    return find_evaluator(name, start).make()


# ------------------------------------------------------------------ node sorting


def order_position(opening: str, number: int, deepest: int, repetitions: int) -> Measured:
    """One position of a game, searched to several depths in every order, and by minimax.

    The position is one of those from which the deepest search meets no move of a laid card, of
    which there are three times as many. Minimax is timed once.
    """
    game = find_game(GAME)
    met = [one for one in positions_of(opening, number) if one.state.made + deepest <= CARDS]
    _, moves, state = met[number % len(met)]
    setups = {MINIMAX: setup_of(game, "minimax", FIRST)}
    setups |= {order: setup_of(game, "alphabeta", FIRST, order=order) for order in ORDERS}
    searches, times = [], {}
    for depth in range(PLIES, deepest + 1):
        for name, setup in setups.items():
            often = 1 if name == MINIMAX else repetitions
            found = [run_once(game, setup, state, depth) for _ in range(often)]
            counters = {key: found[0].counters[key] for key in KEPT}
            searches.append({"name": name, "depth": depth, "value": found[0].value, **counters})
            times[f"{name} {depth}"] = [each.time_s for each in found]
    return Measured({"moves": moves, "searches": searches}, times)


# ------------------------------------------------------------------ tables 2 to 5


def replay_table(
    heuristic: str, first_goal: str, moves: Sequence[str], listed: Sequence[str]
) -> Measured:
    """The machine's decisions in a printed game, and the values of the moves that it listed last.

    The machine moves first; its first move is fixed, so that decisions begin with its second.
    """
    game = find_game(GAME)
    start = game.initial(first_goal=first_goal)
    judge, setup = _evaluator(heuristic, start), setup_of(game, "alphabeta", FIRST)
    decisions = []
    for step in range(2, len(moves), 2):
        state = game.replay(start, game.parse_moves(start, "; ".join(moves[:step])))
        values = level_two(game, judge, state, knows_wins=False)
        known = level_two(game, judge, state, knows_wins=True)
        chosen, knowing = best(values), best(known)
        losses = {
            move: _loss_in(game, setup, play(state, game.parse_move(state, move)))
            for move in values
        }
        decisions.append(
            {
                "step": step + 1,
                "printed": moves[step],
                "chosen": chosen,
                "moves": len(values),
                "better": sum(value > values[moves[step]] for value in values.values()),
                "winning": [move for move, value in known.items() if value >= WIN],
                "safe": sum(loss is None for loss in losses.values()),
                "printed loses in": losses[moves[step]],
                "chosen loses in": [losses[move] for move in chosen],
                "chosen knowing wins": knowing,
                "knowing loses in": [losses[move] for move in knowing],
            }
        )
    as_listed = list_values(game, judge, state, listed)
    exact = [values[move] for move in listed]
    return Measured({"decisions": decisions, "as listed": as_listed, "exact": exact})


def level_two(game: GameSpec, judge: Evaluator, state: State, knows_wins: bool) -> dict[str, int]:
    """The value of each move against the best reply to it.

    Where wins are not known and finished games are judged like others, that is what the report
    lists as the values of level 2, but without its cut-offs.
    """
    moves, values = Slab(2 * game.max_moves), Slab(game.max_moves)
    count = judge_replies(judge, state, knows_wins, moves, values)
    return {game.format_move(state, moves[place]): values[place] for place in range(count)}


def best(values: dict[str, int]) -> list[str]:
    """The moves of the highest value."""
    return [move for move, value in values.items() if value == max(values.values())]


def list_values(game: GameSpec, judge: Evaluator, state: State, listed: Sequence[str]) -> list[int]:
    """The same for some moves as the report's alpha-beta would list them.

    Where it cuts off, a value is only an upper bound. It goes through the moves in the order given,
    and through the replies by rotation, then from the top, then from the left, without those to
    isolated places; ties do not matter.
    """
    values: list[int] = []
    for text in listed:
        after = play(state, game.parse_move(state, text))
        near = [reply for reply in _replies(game, after) if not is_isolated(after, reply)]
        value = None
        for reply in sorted(near, key=lambda reply: _report_order(game.format_move(after, reply))):
            judged = value_of(judge, play(after, reply))
            value = judged if value is None else min(value, judged)
            if values and value <= max(values):
                break
        assert value is not None
        values.append(value)
    return values


def _replies(game: GameSpec, state: State) -> list[int]:
    """The moves that the rules would allow if nobody had won yet."""
    moves = Slab(game.max_moves)
    return [moves[i] for i in range(legal_moves(state, moves, 0))]


def _report_order(move: str) -> tuple[str, int, str]:
    _, rotation, column, row = move.split()
    return rotation, -int(row), column


def _loss_in(game: GameSpec, setup: Setup, state: State) -> int | None:
    """In how many plies the side to move wins, if it can force that soon: a loss for the other."""
    if is_over(state):
        return 0 if outcome(state) > 0 else None
    value = run_once(game, setup, state, LOOK_AHEAD).value
    return LOOK_AHEAD - (value - WIN) if value >= WIN else None
