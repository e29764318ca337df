"""Double Card: two heuristics, minimax and alpha-beta, after a report of Huang and Li (2019).

The report describes a program that plays Double Card against a human and looks two plies ahead (it
counts three levels). It shows times and nodes in four figures (their data are in the authors'
public repository), prints decisions in four tables, compares its heuristics by one example each,
and tells of four ways to save time.
Repeated here: figures and tables, on many games and by the report's program, rebuilt. Added:
matches of the heuristics, what each of the four ways saves, and orders of moves to four plies.
"""

from __future__ import annotations

import functools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from statistics import median
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from plyground.core.scores import WIN
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.remembered import CHECK, ENTRY, Remembered
from plyground.evaluation.spec import Evaluator
from plyground.games.catalogue import find_game
from plyground.games.rules import State, is_over, outcome, play
from plyground.kernel import Slab
from plyground.lab import statistics
from plyground.lab.catalogue.double_card import program
from plyground.lab.catalogue.double_card.judging import judge_children, judge_replies
from plyground.lab.catalogue.double_card.program import Program
from plyground.lab.contests import (
    PAIRS_PER_CELL,
    estimates,
    play_pairs,
    points_by_match,
    random_openings,
)
from plyground.lab.frames import Measurements, by, frame_of, in_order, times_as_much
from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.statistics import Estimate, mean, ratio, share
from plyground.lab.study import printed, study
from plyground.lab.tasks import Found, in_parts, play_games, search_alone, searcher
from plyground.search.run import Workshop
from plyground.search.setup import Setup

PRINTED = printed(__file__)
GAME = find_game("double-card")
CARDS = 24  # from then on cards are moved
PLIES = 2  # the report's depth of 3 counts the root
FIRST, SECOND = "patterns", "danger"  # heuristics 1 and 2
HEURISTICS = {"heuristic 1": FIRST, "heuristic 2": SECOND}


class DoubleCardParameters(Parameters):
    """How much to search, to play and to time."""

    searched_pairs: int = Field(
        200, ge=5, le=10_000, description="pairs of games whose positions are searched"
    )
    match_pairs: int = Field(300, ge=2, le=100_000, description="pairs of games in each match")
    ordered_positions: int = Field(
        40, ge=2, le=1000, description="positions searched in every order of moves"
    )
    order_depth: int = Field(4, ge=PLIES, le=4, description="plies of those searches, from 2")
    repetitions: int = Field(5, ge=1, le=101, description="times each search is timed")
    seed: int = Field(1, ge=0, le=2**32, description="of the random openings")


QUICK = {
    "searched_pairs": 5,
    "match_pairs": 5,
    "ordered_positions": 2,
    "order_depth": 3,
    "repetitions": 3,
}


def player(judge: str, depth: int, *more: str) -> str:
    """A player that like the report's chooses at random among equal moves."""
    return ",".join([f"alphabeta:depth={depth}", f"eval={judge}", "ties=random", *more])


def all_cells(parameters: DoubleCardParameters) -> list[Cell]:
    """The longest first: to search all positions of some games in every way takes seconds."""
    return [
        *(
            Cell.of(search_games, repetitions=parameters.repetitions, **some)
            for some in batches(parameters.searched_pairs, parameters.seed)
        ),
        *_order_cells(parameters),
        *_match_cells(parameters),
        Cell.of(weigh_program, moves=moves_of("table 5")[:-1]),
        *(Cell.of(replay_table, table=table, moves=moves_of(table)) for table in TABLES),
        Cell.of(replay_unfitted, moves=moves_of("table 3")),
        Cell.of(replay_pile, moves=PILE),
    ]


# ------------------------------------------------------------------ games and positions

OPENING_PLIES = 2  # nobody can win with the next move yet
DIFFERENT = 150  # openings of two plies, of little more than two hundred; then they come again


def positions_of(opening: str, number: int) -> Iterator[tuple[int, list[str], State]]:
    """The positions of both games of a pair after its opening: the game, its moves, the state.

    Those with a single move are left out: nothing is searched there.
    """
    players = [player(judge, PLIES) for judge in (FIRST, SECOND)]
    played = play_games(GAME.name, players, opening, number=number).answer["games"]
    random_plies = len(GAME.split_moves(opening))
    for which, one in enumerate(played):
        state, texts = GAME.initial(), one["moves"]
        for ply, text in enumerate(texts):
            if ply >= random_plies and len(GAME.legal(state)) > 1:
                yield 2 * number + which, texts[:ply], state
            state = play(state, GAME.parse_move(state, text))


def batches(pairs: int, seed: int) -> list[dict[str, Any]]:
    """So many openings, a few at a time, with the number of the first."""
    begun = [opening_of(number, seed) for number in range(pairs)]
    parts = enumerate(in_parts(begun, PAIRS_PER_CELL))
    return [{"openings": part, "number": at * PAIRS_PER_CELL} for at, part in parts]


def opening_of(number: int, seed: int) -> str:
    known = random_openings(GAME.name, OPENING_PLIES, DIFFERENT, seed)
    return known[number % len(known)]


# ------------------------------------------------------------------ searches of two plies

SEARCHERS = {
    "minimax": f"minimax:depth=2,eval={FIRST}",
    "alphabeta": f"alphabeta:depth=2,eval={FIRST}",
    "minimax-near": f"minimax:depth=2,eval={FIRST},prune=isolated",
    "alphabeta-near": f"alphabeta:depth=2,eval={FIRST},prune=isolated",
    "minimax-2": f"minimax:depth=2,eval={SECOND}",
    "alphabeta-2": f"alphabeta:depth=2,eval={SECOND}",
    "alphabeta-2-all": f"alphabeta:depth=2,eval={SECOND}(threshold=0)",
    "alphabeta-stop": f"alphabeta:depth=2,eval={FIRST},stop=win",
    "alphabeta-table": f"alphabeta:depth=2,eval={FIRST},remember=4MB",
}
PROGRAM = {"program": (True, True), "program-near": (False, True), "program-all": (False, False)}
"""The rebuilt program by name: whether it cuts off, and whether it skips isolated cards."""
CALLS = 2000  # of a heuristic between two looks at the clock


def search_games(openings: Sequence[str], number: int, repetitions: int) -> Measured:
    """Search every position of some games with every searcher, and time calls of the heuristics.

    A time is the median of the repetitions, which take turns, so that a disturbance hits all alike.
    """
    setups = {name: setup_of(text) for name, text in SEARCHERS.items()}
    judges = {name: judge_of(name) for name in ("zero", FIRST, SECOND)}
    rows, times = [], defaultdict(list)
    for place, opening in enumerate(openings, number):
        for which, moves, state in positions_of(opening, place):
            found = [
                {name: run_once(setup, state, PLIES) for name, setup in setups.items()}
                for _ in range(repetitions)
            ]
            walks = [
                {name: _walk_s(judge, state) for name, judge in judges.items()}
                for _ in range(repetitions + 1)
            ][1:]  # the first may have compiled
            row: dict[str, Any] = {"game": which, "made": int(state.made)}
            row["value"] = {name: one.value for name, one in found[0].items()}
            for kind in ("nodes", "leaves", "judged"):
                row[kind] = {name: one.counters[kind] for name, one in found[0].items()}
            if row["made"] + PLIES <= CARDS:
                counts = {name: program_counts(moves, *how) for name, how in PROGRAM.items()}
                row["nodes"] |= {name: nodes for name, (nodes, _) in counts.items()}
                row["leaves"] |= {name: leaves for name, (_, leaves) in counts.items()}
            rows.append(row)
            for name in SEARCHERS:
                times[name].append(median(each[name].time_s for each in found))
            for name in (FIRST, SECOND):
                times[name].append(median(max(0.0, each[name] - each["zero"]) for each in walks))
    return Measured({"positions": rows}, times)


def program_counts(moves: Sequence[str], cuts: bool, skips: bool) -> tuple[int, int]:
    """The nodes and the leaves that the rebuilt program visits in a position, by heuristic 1.

    Without cut-offs they do not depend on values, and any value will do.
    """
    judge = remembering("dots" if len(moves) % 2 else "colour").judge if cuts else lambda _: 0
    machine = Program(judge, moves, cuts, skips)
    machine.search()
    return machine.nodes, machine.leaves


@functools.cache
def remembering(goal: str) -> program.Heuristic:
    """Heuristic 1 with a table of all lines that it has judged."""
    heuristic = program.heuristic_1(goal)
    return heuristic._replace(count_in=functools.cache(heuristic.count_in))


def setup_of(text: str) -> Setup:
    """What a player searches with, compiled."""
    return searcher(text, GAME, GAME.initial()).setup


def judge_of(name: str) -> Evaluator:
    return find_evaluator(name, GAME.initial()).make()


def run_once(setup: Setup, state: State, depth: int) -> Found:
    """Search a position in machine code and nothing else.

    At two plies, what surrounds a search takes as long as alpha-beta itself: memory, the line, the
    call from Python. It is left out here, the last of them by timing a search of no depth.
    """
    workshop = Workshop(GAME, setup, None, None)
    memory = setup.evaluator.slots.array if isinstance(setup.evaluator, Remembered) else None
    if memory is not None:
        memory.fill(0)
    found = search_alone(workshop, state, depth)
    judged = found.counters["leaves"]
    if memory is not None:
        judged = int(np.count_nonzero(memory[CHECK::ENTRY]))
    time_s = max(0.0, found.time_s - search_alone(workshop, state, 0).time_s)
    return Found(found.value, found.counters | {"judged": judged}, time_s)


def _walk_s(judge: Evaluator, state: State) -> float:
    """The seconds per call of a heuristic, the playing of the moves included."""
    rounds = max(1, CALLS // len(GAME.legal(state)))
    moves, total = Slab(GAME.max_moves), Slab(1)
    started = time.perf_counter()
    calls = judge_children(judge, state, moves, rounds, total)
    return (time.perf_counter() - started) / max(1, calls)


# ------------------------------------------------------------------ the printed decisions

USUAL, FITTED = 7, 12  # the weight of dots: the authors' program has one, table 3 needs the other
TABLES = {  # of the report: the heuristic, the goal of the machine, and both in the program
    "table 2": ("heuristic 1", "dots", program.heuristic_1("dots")),
    "table 3": ("heuristic 2", "colour", program.heuristic_2(FITTED)),
    "table 4": ("heuristic 1", "colour", program.heuristic_1("colour")),
    "table 5": ("heuristic 2", "colour", program.heuristic_2(USUAL)),
}
DANGER = (0, 1, 5, 25, 100)
WEIGHTS = list(product((0, 1, 3.5, USUAL, FITTED, 28, 100), DANGER, DANGER))
"""Of dots' goodness, of danger by colour and by dots, where colour's goodness weighs 7."""

LOOK_AHEAD = 3  # plies after a decision, in which it may turn out to lose
UNITS = {"heuristic 1": 1, "heuristic 2": 9}  # of ours to one of the report's
BLOCKS = ("0 4 D 1", "0 8 D 1")  # which the report rates alike in table 2


def weigh_program(moves: Sequence[str]) -> Measured:
    """What the rebuilt program's heuristic 2 chooses after these moves, by its weights."""
    tried, count = [], functools.cache(program.occurrences)
    for weights in WEIGHTS:
        heuristic = program.heuristic_2(*weights)._replace(count_in=count)
        chosen = best(Program(heuristic.judge, moves).search())[0]
        tried.append({"weights": weights, "chosen": chosen})
    return Measured({"tried": tried})


def replay_unfitted(moves: Sequence[str]) -> Measured:
    """The machine's decisions in table 3 with the weight that the authors' program has."""
    rows = []
    for step in range(2, len(moves), 2):
        listed = Program(program.heuristic_2(USUAL).judge, moves[:step]).search()
        row = {"step": step + 1, "printed": moves[step], "program": best(listed)[0]}
        rows.append(row | {"listed moves": list(listed), "listed": list(listed.values())})
    return Measured({"decisions": rows})


PILE = [f"0 8 {column} {row}" for row in range(1, program.ROWS, 2) for column in "HG"]
"""A game that has the counts of figure 3: the machine plays by the e(n), the human beside it."""


def replay_pile(moves: Sequence[str]) -> Measured:
    """How many positions the rebuilt program judges for its moves in a game, by each judge."""
    judges: dict[str, tuple[program.Judge, bool]] = {
        "alpha-beta": (program.course, False),
        "heuristic 1": (remembering("colour").judge, True),
        "heuristic 2": (program.heuristic_2(USUAL).judge, True),
    }
    rows = []
    for step in range(0, len(moves), 2):
        whole = program_counts(moves[:step], cuts=False, skips=False)
        row: dict[str, Any] = {"card": step // 2 + 1, "minimax": whole[1]}
        for name, (judge, skips) in judges.items():
            machine = Program(judge, moves[:step], skips=skips)
            listed = machine.search()
            row[name], row[f"{name} plays"] = machine.leaves, best(listed)[0]
        rows.append(row)
    return Measured({"cards": rows})


def replay_table(table: str, moves: Sequence[str]) -> Measured:
    """The machine's decisions in a printed game: by the rebuilt program, and as the text says.

    The program searches twice, once with a table of all lines that it has judged.
    """
    heuristic, goal, rebuilt = TABLES[table]
    start, judge = GAME.initial(first_goal=goal), judge_of(HEURISTICS[heuristic])
    ahead = setup_of(f"alphabeta:depth={LOOK_AHEAD},eval={FIRST}")
    machine = Program(rebuilt.judge, moves[:1])  # its first move is fixed
    rows, times = [], defaultdict(list)
    for step in range(2, len(moves), 2):
        machine.lay(moves[step - 1])
        known = functools.cache(rebuilt.count_in)
        again = Program(rebuilt._replace(count_in=known).judge, moves[:step])
        for name, one in (("with", again), ("without", machine)):
            started = time.perf_counter()
            listed = one.search()
            times[name].append(time.perf_counter() - started)
        machine.lay(moves[step])

        state = GAME.replay(start, GAME.parse_moves(start, moves[:step]))
        values = level_two(judge, state, knows_wins=False)
        knowing = level_two(judge, state, knows_wins=True)
        after = {move: play(state, GAME.parse_move(state, move)) for move in values}
        losses = {move: _loss_in(ahead, child) for move, child in after.items()}
        winning = [move for move, value in knowing.items() if value >= WIN]
        row: dict[str, Any] = {
            "step": step + 1,
            "loses in": losses[moves[step]],
            "winning": winning,
            "safe": [move for move, loss in losses.items() if loss is None],
            "place": 1 + sum(value > values[moves[step]] for value in values.values()),
            "moves": list(values),
            "values": list(values.values()),
            "listed moves": list(listed),
            "listed": list(map(float, listed.values())),
            "equal": best(Program(rebuilt.judge, moves[:step], cuts=False).search()),
            "nodes": machine.nodes,
            "lines": known.cache_info().hits + known.cache_info().misses,
            "known lines": known.cache_info().hits,
        }
        for who, some in (
            ("printed", [moves[step]]),
            ("program", best(listed)[:1]),
            ("text", best(values)),
            ("knowing", best(knowing)),
        ):
            row[who], row[f"{who}, fate"] = " or ".join(some), fate(some, losses, winning)
        rows.append(row)
    return Measured({"decisions": rows}, times)


def level_two(judge: Evaluator, state: State, knows_wins: bool) -> dict[str, int]:
    """The value of each move against the best reply to it.

    Where wins are not known, finished games are judged like others, as by the report's program.
    """
    moves, values = Slab(2 * GAME.max_moves), Slab(GAME.max_moves)
    count = judge_replies(judge, state, knows_wins, moves, values)
    return {GAME.format_move(state, moves[place]): values[place] for place in range(count)}


def best(values: Mapping[str, float]) -> list[str]:
    """The moves of the highest value."""
    return [move for move, value in values.items() if value == max(values.values())]


def fate(moves: Sequence[str], losses: Mapping[str, int | None], winning: Collection[str]) -> str:
    """What moves lead to, in words; of several, the worst."""
    soon = [plies for move in moves if (plies := losses[move]) is not None]
    if soon:
        return f"loses in {min(soon)}"
    return "wins" if set(moves) <= set(winning) else "safe"


def _loss_in(setup: Setup, state: State) -> int | None:
    """In how many plies the side to move wins, if it can force that soon: a loss for the other."""
    if is_over(state):
        return 0 if outcome(state) > 0 else None
    value = run_once(setup, state, LOOK_AHEAD).value
    return LOOK_AHEAD - (value - WIN) if value >= WIN else None


def moves_of(table: str) -> list[str]:
    return [str(row[1] or row[2]) for row in PRINTED.tables[table].rows]


# ------------------------------------------------------------------ matches

DEPTHS = (1, 2, 3)
EFFORT = {
    "heuristic 2, 3 plies": (SECOND, 3),
    "the course's e(n), 3 plies": ("naive", 3),
    "no heuristic, 3 plies": ("zero", 3),
    "no heuristic, 4 plies": ("zero", 4),
}
"""What looks deeper with less of a heuristic."""
CHEAP = "order=killers"  # it judges nothing, and changes no value
OFFENSIVE = {f"GOOD FACTOR {good}": f"{SECOND}(good={good})" for good in (0, 25, 100, 200, 400)}
MORE = list(OFFENSIVE)[2:]
NEAR = "isolated cards left out"


def _match_cells(parameters: DoubleCardParameters) -> list[Cell]:
    ours, theirs = player(FIRST, PLIES), player(SECOND, PLIES)
    matches = [
        *((f"{depth} plies", player(FIRST, depth), player(SECOND, depth)) for depth in DEPTHS),
        *((name, ours, player(*judge, CHEAP)) for name, judge in EFFORT.items()),
        *((name, player(judge, PLIES), theirs) for name, judge in OFFENSIVE.items()),
        (NEAR, player(FIRST, PLIES, "prune=isolated"), ours),
    ]
    return [
        Cell.of(play_pairs, game=GAME.name, match=match, players=players, **some)
        for match, *players in reversed(matches)
        for some in batches(parameters.match_pairs, parameters.seed)
    ]


# ------------------------------------------------------------------ orders of moves

NATURAL, SORTED, KILLERS = "natural", "heuristic 1", "killers"
SIMPLE = ("heuristic 2", "the course's e(n)")
ORDERS = {
    NATURAL: "natural",
    SORTED: "shallow",
    SIMPLE[0]: f"shallow(eval={SECOND})",
    SIMPLE[1]: "shallow(eval=naive)",
    KILLERS: "killers",
    "history": "history",
    "killers and history": "all",
}
ORDERED = {"minimax": "minimax:depth=1"} | {
    name: f"alphabeta:depth=1,order={order}" for name, order in ORDERS.items()
}
DEEPEST = 4
KEPT = ("nodes", "leaves", "cutoffs", "first_cutoffs")


def order_position(opening: str, number: int, deepest: int, repetitions: int) -> Measured:
    """One position of a game, searched to several depths in every order, and by minimax.

    It is one of those from which the deepest search meets no move of a laid card, of which there
    are three times as many. It is also searched as the players of different depths search it.
    Minimax is timed once.
    """
    met = [one for one in positions_of(opening, number) if one[2].made + DEEPEST <= CARDS]
    _, _, state = met[number % len(met)]
    searches = [
        (name, f"{algorithm},eval={FIRST}", plies)
        for plies in range(PLIES, deepest + 1)
        for name, algorithm in ORDERED.items()
    ]
    searches += [
        (name, f"alphabeta:depth=1,eval={judge},{CHEAP}", plies)
        for name, (judge, plies) in EFFORT.items()
    ]
    rows, times = [], []
    for name, text, plies in searches:
        setup, often = setup_of(text), 1 if name == "minimax" else repetitions
        found = [run_once(setup, state, plies) for _ in range(often)]
        kept = {key: found[0].counters[key] for key in KEPT}
        rows.append({"order": name, "plies": plies, "value": found[0].value, **kept})
        times.append(median(each.time_s for each in found))
    return Measured({"searches": rows}, {"search": times})


def _order_cells(parameters: DoubleCardParameters) -> list[Cell]:
    return [
        Cell.of(
            order_position,
            opening=opening_of(number, parameters.seed),
            number=number,
            deepest=parameters.order_depth,
            repetitions=parameters.repetitions,
        )
        for number in range(parameters.ordered_positions)
    ]


# ------------------------------------------------------------------ findings: searches

CARDS_DRAWN = 6  # of the machine, in the report's figures; a search lays one of them
FEWEST = 5  # positions behind a point of a chart
NEAR_ENOUGH = 1.25  # a factor: closer than one can read off a figure
DRAWN = {
    "minimax": "minimax",
    "alpha-beta": "alphabeta",
    "minimax, no isolated cards": "minimax-near",
    "alpha-beta, no isolated cards": "alphabeta-near",
    "alpha-beta, rebuilt program": "program",
}
PAIRS = {
    "isolated cards skipped": ("alphabeta-near", "minimax-near"),
    "isolated cards skipped by alpha-beta alone": ("alphabeta-near", "minimax"),
    "all cards": ("alphabeta", "minimax"),
    "all cards, heuristic 2": ("alphabeta-2", "minimax-2"),
    "rebuilt program, isolated cards skipped": ("program", "program-near"),
    "rebuilt program, skipped by alpha-beta alone": ("program", "program-all"),
}
SAVINGS = {
    "isolated cards left out, minimax": ("minimax", "minimax-near"),
    "isolated cards left out, alpha-beta": ("alphabeta", "alphabeta-near"),
    "stop where a move wins, alpha-beta": ("alphabeta", "alphabeta-stop"),
    "table of judged positions, alpha-beta": ("alphabeta", "alphabeta-table"),
}
FIGURE_3 = PRINTED.frame("figure 3")
CALLERS = {"heuristic 1": "alphabeta", "heuristic 2": "alphabeta-2"}


def positions(run: Measurements) -> pl.DataFrame:
    """Positions with the cards of the side to move, and whether the search only lays cards.

    Times are in microseconds.
    """
    made = pl.col("made")
    laid = pl.min_horizontal(made, CARDS) // 2
    only_lays = made + PLIES <= CARDS
    cards = pl.when(only_lays).then(laid.cast(str)).otherwise(pl.lit("all, or all but one"))
    found = run.frame(search_games).sort("made").with_columns(pl.col(r"^.*_s$") * 1e6)
    return found.with_columns(laid=laid, only_lays=only_lays, cards=cards)


def _figures(run: Measurements) -> dict[str, Any]:
    found, is_late = positions(run), pl.col("laid") >= 2  # as in the report
    laying = found.filter("only_lays")
    late, early = laying.filter(is_late), laying.filter(~is_late)
    ways, saved = ways_to_compare(late), savings(laying)
    drawn = late.filter(pl.col("laid") < CARDS_DRAWN)
    steady = estimates(by_laid(drawn, {"": "leaves.program"}, mean), "laid", "value")
    level = mean(drawn["leaves.program"]).value
    pile = run.frame(replay_pile).select("card", "minimax", "alpha-beta", *HEURISTICS)
    after_second = pile.filter(pl.col("card") > 2)
    changed = laying["value.minimax"] != laying["value.minimax-near"]
    spent = laying.with_columns(
        (pl.col(f"leaves.{who}") * pl.col(f"{HEURISTICS[name]}_s")).alias(name)
        for name, who in CALLERS.items()
    )
    timed = {name: f"{who}_s" for name, who in DRAWN.items() if who in SEARCHERS}
    return {
        "late": len(late),
        "ways": ways,
        "shares": estimates(ways, "positions", "alpha-beta / minimax, judged"),
        "level": dict(ways.select("positions", "judged by alpha-beta").iter_rows()),
        "pile": pile,
        "pile_moves": PILE,
        "pile_level": after_second["alpha-beta"].mean(),
        "pile_share": times_as_much("alpha-beta", "minimax")(after_second).value,
        "counted": _points(pile, "minimax") | _points(pile, "alpha-beta"),
        "printed_counts": _points(FIGURE_3, "minimax") | _points(FIGURE_3, "alpha-beta"),
        "by_cards": found.group_by("cards", maintain_order=True).agg(
            pl.len().alias("positions"),
            pl.col(r"^(nodes|leaves)\..*$").mean(),
            pl.col(f"{FIRST}_s", f"{SECOND}_s").median() * 1e3,
        ),
        "nodes_drawn": by_laid(laying, {n: f"leaves.{who}" for n, who in DRAWN.items()}, mean),
        "times_drawn": by_laid(laying, timed, statistics.median),
        "steady": steady,
        "is_steady": {
            f"{laid} cards": one.low <= NEAR_ENOUGH * level and one.high >= level / NEAR_ENOUGH
            for laid, one in steady.items()
        },
        "time_left": times_as_much("alphabeta-near_s", "minimax-near_s")(late),
        "saved": saved,
        "saved_nodes": estimates(saved, "solution", "nodes"),
        "saved_judging": estimates(saved, "solution", "positions judged"),
        "near_late": times_as_much("nodes.minimax", "nodes.minimax-near")(late),
        "near_changes": share(int(changed.sum()), len(laying)),
        "heuristic_times": by_laid(spent, {name: name for name in CALLERS}, statistics.median),
        "slower": times_as_much(f"{FIRST}_s", f"{SECOND}_s")(laying),
        "falls": {name: falls(laying, who) for name, who in CALLERS.items()},
        "falls_bare": falls(laying, "alphabeta-2-all"),
        "flat": {
            "later": mean(late["leaves.minimax"]),
            "with one card of one's own": mean(early["leaves.minimax"]),
        },
    }


def ways_to_compare(late: pl.DataFrame) -> pl.DataFrame:
    """What the text says of figures 3 and 4, for each way to compare."""
    rows = []
    for what, (one, other) in PAIRS.items():
        judged, time_left = (
            times_as_much(kind.format(one), kind.format(other)) for kind in ("leaves.{}", "{}_s")
        )
        row: dict[str, Any] = {
            "positions": what,
            "judged by alpha-beta": late[f"leaves.{one}"].mean(),
            "alpha-beta / minimax, judged": judged(late),
        }
        saved = 1 - time_left(late).value if one in SEARCHERS else None
        rows.append(row | {"time saved": saved})
    return frame_of(rows)


def _points(counts: pl.DataFrame, line: str) -> dict[str, int]:
    """A line of figure 3, point by point."""
    return {f"{line}, card {card}": count for card, count in counts.select("card", line).rows()}


def by_laid(
    found: pl.DataFrame, columns: Mapping[str, str], sum_up: Callable[[pl.Series], Estimate]
) -> pl.DataFrame:
    """A line of a chart for each column: what positions with so many cards are worth together."""
    long = found.select("laid", **columns).unpivot(index="laid", variable_name="series")
    points = by(long, "series", "laid", positions=len, value=lambda rows: sum_up(rows["value"]))
    points = points.filter(pl.col("positions") >= FEWEST)
    return points.select("laid", "positions", "value", "series")


def savings(laying: pl.DataFrame) -> pl.DataFrame:
    """How many times less is searched, judged and waited for."""
    kinds = {"nodes": "nodes.{}", "positions judged": "judged.{}", "time": "{}_s"}
    rows = [
        {"solution": what}
        | {name: times_as_much(*map(kind.format, pair))(laying) for name, kind in kinds.items()}
        for what, pair in SAVINGS.items()
    ]
    return frame_of(rows)


def falls(laying: pl.DataFrame, who: str) -> Estimate:
    """In how many games of three moves or more a player's calls fall from a move to its next."""
    games = (
        laying.sort("game", "made")
        .group_by("game", pl.col("made") % 2)
        .agg(fell=(pl.col(f"leaves.{who}").diff() < 0).any(), moves=pl.len())
        .filter(pl.col("moves") > 2)
    )
    return share(int(games["fell"].sum()), len(games))


# ------------------------------------------------------------------ findings: decisions


def printed_values(table: str) -> pl.DataFrame:
    """The values that a printed table lists, by move; its rows count from the top."""
    column = pl.col("column from the left").replace_strict(dict(enumerate("ABCDEFGH")))
    row = program.ROWS - pl.col("row from the top")
    move = pl.format("0 {} {} {}", "card", column, row)
    return PRINTED.frame(f"{table}, values").select(move=move, printed=pl.col("value").cast(float))


def _decisions(run: Measurements) -> dict[str, Any]:
    heuristics = {table: heuristic for table, (heuristic, *_) in TABLES.items()}
    found = run.frame(replay_table).sort("table", "step")
    found = found.with_columns(
        decision=pl.format("{}, step {}", "table", "step"),
        heuristic=pl.col("table").replace_strict(heuristics),
        among=pl.format("{} of {}", "place", pl.col("moves").list.len()),
    )
    last = {row["table"]: row for row in found.to_dicts()}
    lists = {table: _list(last[table]) for table in ("table 2", "table 3")}
    values = pl.concat(each.with_columns(list=pl.lit(name)) for name, each in lists.items())
    equal = (pl.col("rebuilt program", "text") - pl.col("printed")).abs() < 0.01
    agreement = values.group_by("list", maintain_order=True).agg(
        pl.len().alias("moves"),
        equal.sum(),
        pl.corr("printed", "text", method="spearman").alias("rank correlation"),
    )
    values = values.with_columns(move=pl.format("{}, {}", "list", "move"))
    ((_, weighed),) = run.of(weigh_program)
    tried = weighed.answer["tried"]
    same = found["program"] == found["printed"]
    unfitted = run.frame(replay_unfitted)
    bare = unfitted.select(pl.col("listed moves", "listed").last()).explode(
        "listed moves", "listed"
    )
    bare = lists["table 3"].join(bare, left_on="move", right_on="listed moves")
    tied = found.filter(pl.col("equal").list.len() > 1)
    per_node = pl.col("without_s").sum() / pl.col("nodes").sum()
    lines = by(
        found,
        "heuristic",
        lines=lambda group: group["lines"].sum(),
        known=lambda group: group["known lines"].sum() / int(group["lines"].sum()),
        faster=times_as_much("without_s", "with_s"),
    )
    node_s = dict(found.group_by("heuristic").agg(per_node).iter_rows())
    return {
        "decisions": found,
        "moves": dict(found.select("decision", "program").iter_rows()),
        "printed_moves": dict(found.select("decision", "printed").iter_rows()),
        "same_moves": int(same.sum()),
        "unfitted_moves": int((same & (found["table"] != "table 3")).sum())
        + int((unfitted["program"] == unfitted["printed"]).sum()),
        "unfitted_values": agreement.filter(list="table 2")["rebuilt program"].item()
        + int(((bare["listed"] - bare["printed"]).abs() < 0.01).sum()),
        "tied": len(tied),
        "first_played": int((tied["equal"].list.first() == tied["printed"]).sum()),
        "chance_of_first": 1 / math.prod(tied["equal"].list.len()),
        "by_text": sum(row["printed"] in row["text"].split(" or ") for row in found.to_dicts()),
        "lists": lists,
        "agreement": agreement,
        "values": dict(values.select("move", pl.col("rebuilt program").round(2)).iter_rows()),
        "printed_values": dict(values.select("move", "printed").iter_rows()),
        "last": last,
        "blocks": {move: move in BLOCKS for move in last["table 2"]["text"].split(" or ")},
        "weightings": len(tried),
        "blocking": [one for one in tried if one["chosen"] in last["table 5"]["safe"]],
        "tables_of_lines": lines,
        "lines_faster": estimates(lines, "heuristic", "faster"),
        "lines_known": dict(lines.select("heuristic", "known").iter_rows()),
        "slower_program": node_s["heuristic 1"] / node_s["heuristic 2"],
    }


def _list(row: Mapping[str, Any]) -> pl.DataFrame:
    """A printed list beside the rebuilt program's, and the exact values as the text says."""
    unit = UNITS[TABLES[row["table"]][0]]
    listed = pl.DataFrame({"move": row["listed moves"], "rebuilt program": row["listed"]})
    text = pl.DataFrame({"move": row["moves"], "text": [value / unit for value in row["values"]]})
    printed = printed_values(row["table"])
    for other in (listed, text):
        printed = printed.join(other, on="move", how="left", maintain_order="left")
    return printed


# ------------------------------------------------------------------ findings: matches and orders

LEAST = "least possible"


def _matches(run: Measurements) -> dict[str, Any]:
    pairs = run.frame(play_pairs)
    found = points_by_match(pairs).select("match", "games", "points")
    depths, points = [f"{depth} plies" for depth in DEPTHS], estimates(found, "match")
    lengths = by(
        pairs.explode("plies").explode("plies"),
        "match",
        median=lambda group: group["plies"].median(),
        moved=lambda group: share(int((group["plies"] > CARDS).sum()), len(group)),
    )
    searches = run.frame(order_position)
    base = searches.filter(pl.col("order") == KILLERS, pl.col("plies") == PLIES)
    base = base.select("number", base="nodes", base_s="search_s")
    needs = by(
        searches.join(base, on="number"),
        "order",
        nodes=times_as_much("nodes", "base"),
        time=times_as_much("search_s", "base_s"),
    )
    effort = in_order(found, "match", list(EFFORT))
    return {
        "contest": in_order(found.join(lengths, on="match"), "match", depths).with_columns(
            plies=pl.Series(DEPTHS)
        ),
        "effort": effort.join(needs, left_on="match", right_on="order", how="left"),
        "needs": estimates(needs, "order", "nodes"),
        "offensive": in_order(found, "match", list(OFFENSIVE)),
        "points": points,
        "more_offensive": {name: points[name] for name in MORE},
    }


def with_least(searches: pl.DataFrame) -> pl.DataFrame:
    """Searches beside those in natural order, and the leaves that no search can do without.

    Those are for a uniform tree with as many leaves as minimax looks at (Knuth & Moore 1975).
    """
    at = ["number", "plies"]
    natural = searches.filter(pl.col("order") == NATURAL)
    whole = searches.filter(pl.col("order") == "minimax")
    half, breadth = pl.col("plies") // 2, pl.col("all") ** (1 / pl.col("plies"))
    return (
        searches.join(natural.select(*at, natural="nodes", natural_s="search_s"), on=at)
        .join(whole.select(*at, all="leaves", is_open=pl.col("value").abs() < WIN), on=at)
        .with_columns(least=breadth ** (pl.col("plies") - half) + breadth**half - 1)
        .sort("plies", maintain_order=True)
    )


def _orders(run: Measurements) -> dict[str, Any]:
    found = run.frame(order_position)
    searches = with_least(found.filter(pl.col("order").is_in(list(ORDERED))))
    still_open = searches.filter("is_open").with_columns(pl.col("leaves").cast(float))
    least = still_open.filter(pl.col("order") == NATURAL)
    least = least.with_columns(order=pl.lit(LEAST), leaves="least")
    table = by(
        searches.filter(pl.col("order") != "minimax"),
        "plies",
        "order",
        nodes=lambda group: typical(group["nodes"]).value,
        fewer=times_as_much("natural", "nodes"),
        over=over_least,
        first=lambda group: (
            float(group["first_cutoffs"].sum()) / max(1, int(group["cutoffs"].sum()))
        ),
        ms=lambda group: 1e3 * typical(group["search_s"]).value,
        faster=times_as_much("natural_s", "search_s"),
    )
    groups = table.group_by("plies", maintain_order=True)
    depths = {f"{plies} plies": rows for (plies,), rows in groups}
    return {
        "orders": table,
        "ordered": searches["number"].n_unique(),
        "over": {d: dict(rows.select("order", "over").iter_rows()) for d, rows in depths.items()},
        "prunes": {
            f"{what} at {one['plies']} plies": is_so
            for one in table.filter(order=SIMPLE[0]).to_dicts()
            for what, is_so in [
                ("fewer nodes", one["fewer"]["value"] > 1),
                ("near the least", (one["over"] or math.inf) <= NEAR_ENOUGH),
            ]
        },
        "faster": {d: estimates(rows, "order", "faster") for d, rows in depths.items()},
        "leaves_drawn": by(
            pl.concat([still_open, least]),
            "plies",
            "order",
            leaves=lambda group: typical(group["leaves"]),
        ),
        "fits": fitting(searches),
    }


def typical(values: pl.Series) -> Estimate:
    """The geometric mean."""
    return ratio((value, 1.0) for value in values)


def over_least(group: pl.DataFrame) -> float | None:
    """How many times the least possible leaves, where no win within the depth ends the tree."""
    found = times_as_much("leaves", "least")(group.filter("is_open")).value
    return None if math.isnan(found) else found


def fitting(searches: pl.DataFrame) -> Mapping[str, Estimate]:
    """By depth: how often sorted alpha-beta takes no more nodes than minimax at two plies."""
    whole = searches.filter(pl.col("order") == "minimax", pl.col("plies") == PLIES)
    deep = searches.filter(pl.col("order") == SORTED, pl.col("plies") > PLIES)
    found = by(
        deep.join(whole.select("number", room="nodes"), on="number"),
        "plies",
        fits=lambda group: share(int((group["nodes"] <= group["room"]).sum()), len(group)),
    )
    return estimates(found, pl.format("{} plies", "plies"), "fits")


def findings(_: DoubleCardParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    return {**_figures(run), **_decisions(run), **_matches(run), **_orders(run)}


EXPERIMENT = study(
    __file__,
    name="double-card",
    title="Two heuristics for Double Card",
    question=(
        "How much does alpha-beta save in Double Card as the board fills, which of two heuristics "
        "plays better and at what price, and what do the report's ways to save time save?"
    ),
    parameters=DoubleCardParameters,
    quick=QUICK,
    cells=all_cells,
    findings=findings,
)
