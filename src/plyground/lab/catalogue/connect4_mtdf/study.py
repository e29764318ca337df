"""Connect Four, alpha-beta against MTD(f): the study of Tommy, Hardjianto & Agani (2017).

The study let alpha-beta (X) play MTD(f) (O) on 7x6 at depths 5 to 10, each depth once with either
moving first, and timed each game ten times. It prints times per move, leaves, passes and results.

Repeated here: the twelve games, two depths further, compiled and in plain Python. Added: other
readings of what it leaves open; alpha-beta with the same table, the control that it lacks; the same
positions at all depths; other first guesses, algorithms and evaluators; values computed before.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp
from statistics import fmean, median
from typing import Any

import polars as pl
from pydantic import Field

from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import WIN
from plyground.games.connect_four import GAME
from plyground.games.rules import State, is_over, play, side
from plyground.lab.catalogue.connect4_mtdf import precomputed
from plyground.lab.catalogue.connect4_mtdf.program import (
    AS_REBUILT,
    COLUMN_ORDER,
    READINGS,
    Found,
    Program,
    Pseudocode,
    Reading,
)
from plyground.lab.contests import (
    contest_cells,
    estimates,
    play_pairs,
    points_by_match,
    points_share,
)
from plyground.lab.frames import Measurements, by, frame_of, in_order, times_as_much
from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.statistics import Estimate, mean, mean_share, ratio, share
from plyground.lab.study import printed, study
from plyground.lab.tasks import in_parts, openings
from plyground.solvers.catalogue import solver_for

PRINTED = printed(__file__)
STUDY_DEPTHS = range(5, 11)
PLAYERS = {"X": "alphabeta", "O": "mtdf"}
POINTS = {"first": 1.0, "second": 0.0, "draw": 0.5}  # of the first to move, by who wins
JUDGE, BETTER = "segments", "threats"
NEEDED = ("alphabeta", "negascout", "abmemory", "mtdf")
NEWER = ("mtd-bi", "mtd-step")  # published together with MTD(f)
OTHERS = ("falphabeta", "palphabeta", "scout", "aspiration", "mt-sss", "mt-dual", *NEWER)
VARIANTS: Mapping[str, Reading] = {
    "abmemory, no reflection": Reading(reflection=False),
    "mtdf, no reflection": Reading(reflection=False),
    "mtdf, no table": Reading(has_table=False),
    "alphabeta, left to right": Reading(order="natural"),
    "mtdf, f = its last value": Reading(guess="last"),
    "mtdf, f = the value": Reading(guess="value"),
}
"""What is searched with in another way; before the comma stands the algorithm."""
ON_SAMPLE = ("alphabeta", "abmemory", "mtdf", "mtdf, f = the value")

COMPILED, PLAIN = "compiled", "in plain Python"
PARITY = pl.format(
    "at {} depths", pl.when(pl.col("depth") % 2 == 0).then(pl.lit("even")).otherwise(pl.lit("odd"))
).alias("parity")
DEPTH = pl.format("depth {}", "depth")
IN_STUDY = pl.col("depth").is_in(STUDY_DEPTHS)
SEED = 2017
MINIMAX_DEPTH, JUDGED_DEPTHS = 7, range(5, 9)
SAMPLE_PLIES, OPENING_PLIES, SOLVED_PLIES = 6, 4, 18  # with fewer plies solving takes minutes
FEW_REPETITIONS, SOME_REPETITIONS = 3, 5  # where the study did not time, and of whole games
POSITIONS_IN_A_CELL, EVALUATED, ROUNDS, INTERPRETED = 15, 400, 200, 40
SUMMED = ("leaves", "nodes", "passes", "collisions")
ORDER = ",".join(str(column + 1) for column in COLUMN_ORDER)


class MtdfParameters(Parameters):
    """How deep to look, and how much to play."""

    deepest: int = Field(12, ge=6, le=13, description="plies in the games; the study ends at 10")
    compared: int = Field(10, ge=6, le=11, description="deepest search of all the algorithms")
    plain: int = Field(8, ge=5, le=10, description="deepest search in plain Python")
    repetitions: int = Field(10, ge=2, le=1000, description="of each timed search in a game")
    thorough: bool = Field(True, description="also other readings and algorithms")
    sample: int = Field(60, ge=2, le=1000, description="random positions, searched at all depths")
    openings: int = Field(400, ge=2, le=2000, description="random openings of games of equals")
    pairs: int = Field(100, ge=2, le=2000, description="pairs of games between evaluators")
    solved: int = Field(300, ge=1, le=5000, description="positions to judge evaluators by")


QUICK = {
    "deepest": 8,
    "compared": 8,
    "plain": 5,
    "repetitions": 3,
    "thorough": False,
    "sample": 5,
    "openings": 5,
    "pairs": 5,
    "solved": 4,
}


def player(depth: int, judge: str = JUDGE) -> str:
    """Alpha-beta that chooses the study's moves; MTD(f) would choose the same."""
    return f"alphabeta:depth={depth},eval={judge},order={ORDER},finish=margin"


def all_cells(p: MtdfParameters) -> list[Cell]:
    """All of them, the deepest searches first."""
    deep = [*game_cells(p), *search_cells(p), *opening_cells(p)]
    deep.sort(key=lambda cell: cell.arguments["depth"])
    return [*speed_cells(p), *reversed(deep), *match_cells(p), *judgement_cells(p)]


# ------------------------------------------------------------------ the study's games


def play_game(depth: int, first: str, reading: str, evaluator: str, repetitions: int) -> Measured:
    """One of the study's games: counts summed over each player's moves, and its time per move."""
    program = Program(depth, READINGS[reading], evaluator)
    state, turn, last, told = program.game.initial(), first, 0, []
    counts = {who: dict.fromkeys(("moves", *SUMMED), 0) for who in PLAYERS}
    seconds: dict[str, list[list[float]]] = {who: [] for who in PLAYERS}
    while not is_over(state):
        name, guesses = PLAYERS[turn], program.reading.guess if turn == "O" else "zero"
        guess = last if guesses == "last" else 0
        deepens = guesses == "deepening"
        found = _deepened(program, state) if deepens else program.search(name, state, guess)
        last = found.value if turn == "O" else last
        counts[turn]["moves"] += 1
        for count in SUMMED:
            counts[turn][count] += found.counters[count]
        if repetitions:
            leaves = found.counters["leaves"]
            seconds[turn].append(program.times(name, state, guess, leaves, repetitions))
        told.append(MoveRecord(GAME.format_move(state, found.move), int(side(state)), depth=depth))
        state, turn = play(state, found.move), _other(turn)
    outcome = str(GAME.winner(state))
    winner = {"first": first, "second": _other(first), "draw": "draw"}[outcome]
    answer = {"result": winner, "moves": "".join(move.move for move in told), **counts}
    times = {who: [fmean(one) for one in zip(*rows, strict=True)] for who, rows in seconds.items()}
    names = (PLAYERS[first], PLAYERS[_other(first)])
    event = f"Connect Four, depth {depth}, {evaluator}"
    record = GameRecord(GAME.name, names, told, POINTS[outcome], event=event)
    return Measured(answer, times, [record])


def _deepened(program: Program, state: State) -> Found:
    """A search for each depth, each guessing what the one before found."""
    total, found = Counter[str](), Found(0, 0, {})
    for depth in range(1, program.depth + 1):
        shallower = Program(depth, program.reading, program.evaluator)
        found = shallower.search("mtdf", state, found.value)
        total.update(found.counters)
    return replace(found, counters=total)


def _other(who: str) -> str:
    return "O" if who == "X" else "X"


def game_cells(p: MtdfParameters) -> list[Cell]:
    """The games as rebuilt, with a better evaluator, and under other readings."""
    compared = range(5, p.compared + 1)
    few = min(p.repetitions, FEW_REPETITIONS)
    kinds = [
        (AS_REBUILT, JUDGE, d, p.repetitions if d in STUDY_DEPTHS else few)
        for d in range(5, p.deepest + 1)
    ]
    kinds += [(AS_REBUILT, BETTER, depth, few) for depth in compared]
    if p.thorough:
        others = [name for name in READINGS if name != AS_REBUILT]
        kinds += [(name, JUDGE, d, 0) for name in others for d in compared if d in STUDY_DEPTHS]
    names = ("reading", "evaluator", "depth", "repetitions")
    return [
        Cell.of(play_game, first=first, **dict(zip(names, kind, strict=True)))
        for kind in kinds
        for first in PLAYERS
    ]


# ------------------------------------------------------------------ positions, searched


@functools.cache
def positions(depth: int) -> tuple[State, ...]:
    """The positions of the study's game at a depth; both first movers play the same one."""
    return tuple(_played_out(Program(depth), GAME.initial())[:-1])


def _played_out(program: Program, state: State) -> list[State]:
    """The states of a game from this one to its end, both sides searching alike."""
    states = [state]
    while not is_over(states[-1]):
        states.append(play(states[-1], program.search("mtdf", states[-1]).move))
    return states


def search_positions(depth: int, search: str, sample: int, repetitions: int) -> Measured:
    """Search every position of the study's game at this depth, or a sample of random ones.

    With repetitions, each position is timed in turns with alpha-beta; the times of a repetition are
    those of all positions together.
    """
    algorithm, reading = search.partition(",")[0], VARIANTS.get(search, Reading())
    states = _random_states(SAMPLE_PLIES, sample) if sample else positions(depth)
    for name in (algorithm, "alphabeta"):  # compiled before anything is timed
        Program(1, reading).search(name, states[0])
    program, found = Program(depth, reading), list[Found]()
    times = {"search": [0.0] * repetitions, "alphabeta": [0.0] * repetitions}
    for state in states:
        guess = _first_guess(found, program, state)
        found.append(program.search(algorithm, state, guess))
        for repetition in range(repetitions):
            again = program.search(algorithm, state, guess) if repetition else found[-1]
            times["search"][repetition] += again.time_s
            times["alphabeta"][repetition] += program.search("alphabeta", state).time_s
    answer = {"values": [each.value for each in found], "moves": [each.move for each in found]}
    counts = {name: [each.counters[name] for each in found] for name in SUMMED}
    return Measured(answer | counts, times if repetitions else {})


def _first_guess(found: Sequence[Found], program: Program, state: State) -> int:
    """0, what the same side found two plies before, or the very value searched for."""
    if program.reading.guess == "last":
        return found[-2].value if len(found) > 1 else 0
    return program.search("mtdf", state).value if program.reading.guess == "value" else 0


def _random_states(plies: int, count: int, seed: int = SEED) -> list[State]:
    return [_after(text) for text in openings(GAME.name, plies, count, seed)]


def _after(moves: str) -> State:
    start = GAME.initial()
    return GAME.replay(start, GAME.parse_moves(start, moves))


def _stones(state: State) -> tuple[int, int]:
    """Those of the side to move, and those of the other."""
    return int(state.me), int(state.stones ^ state.me)


def search_plainly(depth: int, repetitions: int) -> Measured:
    """The pseudocode in plain Python on every position of the game, both players in turns.

    Counted besides: leaves that are new to their search, leaves if they are filed as printed, and
    first passes whose first leaf lies on the same side of beta as the value that they return.
    """
    boards = list(map(_stones, positions(depth)))
    program, filing = Pseudocode(), Pseudocode(files_leaves=True)
    times: dict[str, list[float]] = {who: [0.0] * repetitions for who in PLAYERS}
    counts = dict.fromkeys(("X", "O", "filed", "new", "with a leaf", "told"), 0)
    for me, other in boards:
        for repetition in range(repetitions):
            for who, searched in (("X", program.alphabeta), ("O", program.mtdf)):
                started = time.perf_counter()
                searched(me, other, depth)
                times[who][repetition] += (time.perf_counter() - started) / len(boards)
                counts[who] += 0 if repetition else len(program.leaves)
        counts["new"] += len({board for board, _ in program.leaves})
        value, leaf = program.passes[0]
        counts["with a leaf"] += leaf is not None
        counts["told"] += leaf == value
        filing.mtdf(me, other, depth)
        counts["filed"] += len(filing.leaves)
    return Measured({"leaves": counts}, times)


def search_cells(p: MtdfParameters) -> list[Cell]:
    """All positions of the games, and the same random positions at every depth."""
    names = (*NEEDED, *OTHERS) if p.thorough else NEEDED
    some, kinds = min(p.repetitions, SOME_REPETITIONS), []
    for depth in range(5, p.compared + 1):
        also = ("minimax",) if depth <= MINIMAX_DEPTH else ()
        kinds += [(depth, name, 0, some if depth == p.compared else 0) for name in names]
        kinds += [(depth, name, 0, 0) for name in (*VARIANTS, *also)]
        kinds += [(depth, name, p.sample, 0) for name in ON_SAMPLE]
    names_of = ("depth", "search", "sample", "repetitions")
    found = [Cell.of(search_positions, **dict(zip(names_of, kind, strict=True))) for kind in kinds]
    few, plain = min(p.repetitions, FEW_REPETITIONS), range(5, p.plain + 1)
    return found + [Cell.of(search_plainly, depth=depth, repetitions=few) for depth in plain]


# ------------------------------------------------------------------ who moves first, who plays well


def play_openings(depth: int, begun: Sequence[str]) -> Measured:
    """Who wins after each opening, both sides searching alike: first, second, or draw."""
    program = Program(depth)
    ends = [_played_out(program, _after(text))[-1] for text in begun]
    return Measured({"winners": [str(GAME.winner(end)) for end in ends]})


def two_moves() -> list[str]:
    """All openings of two moves without mirrored ones."""
    pairs = itertools.product(range(1, 5), range(1, 8))
    return [f"{one} {two}" for one, two in pairs if one < 4 or two <= 4]


def opening_cells(p: MtdfParameters) -> list[Cell]:
    chosen = openings(GAME.name, OPENING_PLIES, p.openings, SEED)
    deep = range(5, p.compared + 1)
    asked = [(depth, two_moves()) for depth in deep] + [(d, chosen) for d in _judged_depths(p)]
    return [Cell.of(play_openings, depth=depth, begun=begun) for depth, begun in asked]


def match_cells(p: MtdfParameters) -> list[Cell]:
    """The better evaluator against the study's, and the study's player against simple ones."""
    players = {"random": "random", "greedy": f"greedy:eval={JUDGE}"}
    matches = {name: (player(5), other) for name, other in players.items()}
    for depth in _judged_depths(p):
        matches[f"depth {depth}"] = (player(depth, BETTER), player(depth))
    return contest_cells(GAME.name, matches, p.pairs, OPENING_PLIES, SEED)


def _judged_depths(p: MtdfParameters) -> list[int]:
    return [depth for depth in JUDGED_DEPTHS if depth <= p.compared]


def judge_moves(plies: int, count: int, seed: int, depths: Sequence[int]) -> Measured:
    """Solve positions after random moves, and see which moves the evaluators' searches choose.

    Judged, at each depth, where it matters: where some move keeps the outcome that perfect play has
    and some other does not, and the search sees no forced win or loss, whatever its evaluator.
    """
    names, solver = (BETTER, JUDGE), solver_for(GAME, GAME.initial())
    programs = {d: {name: Program(d, evaluator=name) for name in names} for d in depths}
    rows = {depth: {"depth": depth, "judged": 0, BETTER: 0, JUDGE: 0} for depth in depths}
    for state in _random_states(plies, count, seed):
        outcomes = solver.scores(state, -1, 1)
        if len(set(outcomes.values())) == 1:
            continue
        for depth, by_name in programs.items():
            found = {name: program.search("mtdf", state) for name, program in by_name.items()}
            if any(abs(each.value) >= WIN for each in found.values()):
                continue
            rows[depth]["judged"] += 1
            for name, each in found.items():
                rows[depth][name] += outcomes[each.move] == max(outcomes.values())
    return Measured({"judged": list(rows.values())})


def judgement_cells(p: MtdfParameters) -> list[Cell]:
    """Solved positions, in batches; each batch has its own random numbers."""
    return [
        Cell.of(
            judge_moves,
            plies=SOLVED_PLIES,
            count=len(part),
            seed=SEED + part[0],
            depths=_judged_depths(p),
        )
        for part in in_parts(range(p.solved), POSITIONS_IN_A_CELL)
    ]


# ------------------------------------------------------------------ the speed of evaluators


def time_evaluations(count: int, rounds: int, repetitions: int) -> Measured:
    """Evaluate random positions in each compiled way: seconds for one."""
    states = _staged_states(count)
    known = GAME.initial(), precomputed.words_of(states), len(states)
    ways = {
        name: functools.partial(precomputed.sum_of_values, make(), *known)
        for name, make in precomputed.COMPILED.items()
    }
    return _time_in_turns(ways, rounds, repetitions, len(states))


def time_interpreted(count: int, repetitions: int) -> Measured:
    """The same in plain Python."""
    boards = list(map(_stones, _staged_states(count)))

    def evaluating(judge: Callable[[int, int], int]) -> Callable[[int], int]:
        return lambda _: sum(judge(*board) for board in boards)

    ways = {name: evaluating(judge) for name, judge in precomputed.interpreted().items()}
    return _time_in_turns(ways, 1, repetitions, len(boards))


def _time_in_turns(
    ways: Mapping[str, Callable[[int], int]], rounds: int, repetitions: int, count: int
) -> Measured:
    sums = {name: int(way(1)) for name, way in ways.items()}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repetitions):
        for name, way in ways.items():
            started = time.perf_counter()
            way(rounds)
            times[name].append((time.perf_counter() - started) / (count * rounds))
    return Measured({"sums": sums}, times)


def _staged_states(count: int) -> list[State]:
    """As many positions of each of some stages of the game."""
    return [state for plies in (8, 12, 16, 20) for state in _random_states(plies, count // 4)]


def speed_cells(p: MtdfParameters) -> list[Cell]:
    """How fast each way to evaluate is, compiled and interpreted."""
    return [
        Cell.of(time_evaluations, count=EVALUATED, rounds=ROUNDS, repetitions=p.repetitions),
        Cell.of(time_interpreted, count=INTERPRETED, repetitions=p.repetitions),
    ]


# ------------------------------------------------------------------ findings: the games

HEADINGS = {
    "X_s": "X, s per move",
    "O_s": "O, s per move",
    "X.leaves": "X leaves",
    "O.leaves": "O leaves",
    "O.passes": "passes of O",
    "result": "end results",
}
COUNTED = ("X leaves", "O leaves", "passes of O")
END_NAMES = {"X": "X", "O": "O", "draw": "Draw"}


def by_depth(games: pl.DataFrame) -> pl.DataFrame:
    """The average of the two games of each depth, with the columns of the study's table."""
    result = pl.col("result")
    ends = [
        pl.when((result == who).any()).then(pl.format(f"{name}({{}})", (result == who).sum()))
        for who, name in END_NAMES.items()
    ]
    faster = 100 * (1 - pl.col("O, s per move") / pl.col("X, s per move"))
    fewer = 100 * (1 - pl.col("O leaves") / pl.col("X leaves"))
    return (
        games.group_by("reading", "evaluator", "depth", maintain_order=True)
        .agg(
            pl.col("X_s", "O_s", "X.leaves", "O.leaves", "O.passes").mean(),
            pl.concat_str(ends, separator=", ", ignore_nulls=True).alias("result"),
        )
        .rename(HEADINGS)
        .with_columns(faster.alias("O faster by, %"), fewer.alias("O fewer leaves by, %"))
    )


def counts_of(depths: pl.DataFrame) -> dict[str, int]:
    """Leaves and passes at each of the study's depths, halves rounded down as there."""
    rows = depths.filter(IN_STUDY).iter_rows(named=True)
    return {f"{name} at depth {row['depth']}": int(row[name]) for row in rows for name in COUNTED}


def readings_table(depths: pl.DataFrame) -> pl.DataFrame:
    """How many printed counts each reading meets, and its counts at all depths together."""
    both = depths.filter(evaluator=JUDGE).join(PRINTED.frame("table 1"), on="depth")
    met = pl.sum_horizontal(pl.col(name).floor() == pl.col(f"{name}_right") for name in COUNTED)
    found = in_order(both, "reading", list(READINGS)).group_by("reading", maintain_order=True)
    counts = pl.format("{} of {}", met.sum(), len(COUNTED) * pl.len())
    return found.agg(counts.alias("met"), pl.col(COUNTED).sum())


def winners(games: pl.DataFrame) -> dict[str, int]:
    """How many games the first and the second to move won, and draws."""
    first = int((games["result"] == games["first"]).sum())
    draws = int((games["result"] == "draw").sum())
    return {"first": first, "second": len(games) - first - draws, "draw": draws}


def game_findings(depths: pl.DataFrame, games: pl.DataFrame) -> dict[str, Any]:
    """What the study's own games show, all of it for the study's own depths."""
    table = PRINTED.frame("table 1")
    rows = {row["depth"]: row for row in depths.iter_rows(named=True)}
    wins = {who: games["result"].to_list().count(who) for who in END_NAMES}
    passes = depths.group_by(PARITY, maintain_order=True).agg(pl.col("passes of O").mean())
    shares = {}
    if 8 in rows:
        shares["% of leaves saved at depth 8"] = rows[8]["O fewer leaves by, %"]
    if len(rows) == len(STUDY_DEPTHS):
        shares["% of games won"] = 100 * wins["O"] / len(games)
        shares["% of games lost"] = 100 * wins["X"] / len(games)
        shares["% of games drawn"] = 100 * wins["draw"] / len(games)
    spread = games.group_by("depth", maintain_order=True).agg(
        (pl.col(f"{who}.leaves").max() / pl.col(f"{who}.leaves").min()).alias(who)
        for who in PLAYERS
    )
    return {
        "by_depth": rows,
        "counts": counts_of(depths),
        "printed_counts": counts_of(table),
        "ends": dict(depths.select("depth", "end results").iter_rows()),
        "printed_ends": dict(table.select("depth", "end results").iter_rows()),
        "wins": wins,
        "won": winners(games),
        "shares": {name: round(share, 2) for name, share in shares.items()},
        "gaps": dict(depths.select(DEPTH, pl.col("X leaves") - pl.col("O leaves")).iter_rows()),
        "passes": dict(passes.iter_rows()),
        "by_first": {
            f"{who} at depth {row['depth']}": row[who]
            for row in spread.iter_rows(named=True)
            for who in PLAYERS
        },
        "by_weight": ordered_by_weight(games),
    }


def ordered_by_weight(games: pl.DataFrame) -> tuple[int, int]:
    """In how many positions of the games the columns stand in the order of their holes' weights."""
    assert GAME.place_weights is not None
    weights, ordered, total = GAME.place_weights(GAME.initial()), 0, 0
    for moves in games.filter(first="X")["moves"]:
        heights = [0] * len(COLUMN_ORDER)
        for move in moves:
            left = [column for column in COLUMN_ORDER if heights[column] < precomputed.HEIGHT]
            holes = [weights[precomputed.COLUMN * column + heights[column]] for column in left]
            ordered += holes == sorted(holes, reverse=True)
            total += 1
            heights[int(move) - 1] += 1
    return ordered, total


def drawn(depths: pl.DataFrame, what: str) -> pl.DataFrame:
    """Ours and the printed numbers of both players, to be drawn."""
    sources = {"ours": depths, "published": PRINTED.frame("table 1")}
    return pl.concat(
        frame.select("depth", f"X{what}", f"O{what}")
        .rename({f"X{what}": "X: alpha-beta", f"O{what}": "O: MTD(f)"})
        .cast({pl.Int64: pl.Float64})
        .unpivot(index="depth", variable_name="player", value_name=what.strip(", "))
        .with_columns(source=pl.lit(source))
        for source, frame in sources.items()
    )


# ------------------------------------------------------------------ findings: the searches

GUESSES = {
    "mtdf": "0, as in the study",
    "mtdf, f = its last value": "what its last search in the game found",
    "mtdf, f = the value": "the value itself: no guess is better",
}


def parts_of_saving(leaves: pl.DataFrame) -> pl.DataFrame:
    """What each part of MTD(f) saves, as a share of all it saves, in two orders of adding them."""
    none, zero, every = pl.col("alphabeta"), pl.col("negascout"), pl.col("mtdf")
    plain, table, gain = pl.col("abmemory, no reflection"), pl.col("abmemory"), none - every
    return leaves.select(
        "depth",
        table=(none - plain) / gain,
        reflection=(plain - table) / gain,
        windows=(table - every) / gain,
        windows_first=(none - zero) / gain,
        table_last=(zero - every) / gain,
    )


def saved(leaves: pl.DataFrame, search: str, against: str) -> dict[str, float]:
    """By depth: the share of another search's leaves that this one saves."""
    share = 1 - pl.col(search) / pl.col(against)
    return dict(leaves.select(DEPTH, share).drop_nulls().iter_rows())


def seven_and_eight(leaves: pl.DataFrame) -> dict[str, dict[str, float]]:
    """What depths 8 and 7 save, and the share of the difference that is gone with equal passes."""
    known, alike = (saved(leaves, name, "alphabeta") for name in ("mtdf", "mtdf, f = the value"))
    if not {"depth 7", "depth 8"} <= set(known):
        return {"seven_and_eight": {}, "explained": {}}
    gap, rest = (share["depth 7"] - share["depth 8"] for share in (known, alike))
    return {
        "seven_and_eight": {depth: known[depth] for depth in ("depth 8", "depth 7")},
        "explained": {"passes explain": 1 - rest / gap},
    }


def agreement(searched: pl.DataFrame, name: str, what: str) -> tuple[int, int]:
    """On how many positions a search has alpha-beta's values or moves, and of how many."""
    theirs = searched.filter(search="alphabeta").select("depth", theirs=what)
    both = searched.filter(search=name).join(theirs, on="depth").explode(what, "theirs")
    return int((both[what] == both["theirs"]).sum()), len(both)


def first_guesses(searched: pl.DataFrame) -> pl.DataFrame:
    """Passes and leaves by MTD(f)'s first guess."""
    leaves = pl.col("leaves").list.sum()
    found = in_order(searched, "search", list(GUESSES)).sort("depth", maintain_order=True)
    return found.select(
        "depth",
        guess=pl.col("search").replace(GUESSES),
        passes=pl.col("passes").list.mean(),
        leaves=leaves,
        ratio=leaves / leaves.first().over("depth"),
    )


def same_positions(sampled: pl.DataFrame) -> pl.DataFrame:
    """Random positions at every depth: leaves over alpha-beta's, and passes of a search."""
    wide = sampled.pivot("search", index="depth", values=["leaves", "passes"])
    return by(
        wide.explode(wide.columns[1:]),
        "depth",
        table=times_as_much("leaves_abmemory", "leaves_alphabeta"),
        mtdf=times_as_much("leaves_mtdf", "leaves_alphabeta"),
        known=times_as_much("leaves_mtdf, f = the value", "leaves_alphabeta"),
        passes=lambda rows: mean(rows["passes_mtdf"]),
    )


def by_parity(sampled: pl.DataFrame) -> dict[str, Mapping[str, Estimate]]:
    """On the same positions: how alpha-beta's leaves grow from ply to ply, and MTD(f)'s passes."""
    place = pl.int_ranges(pl.col("leaves").list.len())
    long = sampled.with_columns(place=place).explode("leaves", "passes", "place").sort("depth")
    growth = pl.col("leaves").log().diff().over("place")
    grown = long.filter(search="alphabeta").with_columns(growth=growth).drop_nulls("growth")
    each = {"growth": grown, "passes": long.filter(search="mtdf")}
    means = {
        name: frame.group_by(PARITY, "place", maintain_order=True).agg(pl.col(name).mean())
        for name, frame in each.items()
    }
    grows = by(means["growth"], "parity", of=lambda g: ratio((exp(one), 1) for one in g["growth"]))
    passes = by(means["passes"], "parity", of=lambda group: mean(group["passes"]))
    return {
        "growth": estimates(grows, "parity", "of"),
        "sampled_passes": estimates(passes, "parity", "of"),
    }


def over_others(searched: pl.DataFrame) -> Mapping[str, Estimate]:
    """MTD(f)'s leaves over those of each algorithm before it, on all positions of all depths."""
    mine = searched.filter(search="mtdf").select("depth", mine="leaves")
    known = [name for name in (*NEEDED, *OTHERS) if name not in ("mtdf", *NEWER)]
    both = in_order(searched, "search", known).join(mine, on="depth").explode("leaves", "mine")
    found = by(both, "search", ratio=times_as_much("mine", "leaves"))
    return estimates(found, "search", "ratio")


def ahead(leaves: pl.DataFrame) -> dict[str, list[int]]:
    """Who of those before MTD(f) needs fewer leaves than it in all, and at which depths."""
    known = [name for name in (*NEEDED, *OTHERS) if name in leaves.columns and name not in NEWER]
    depths = {name: leaves.filter(pl.col(name) < pl.col("mtdf"))["depth"] for name in known}
    return {name: found.to_list() for name, found in depths.items() if len(found)}


def algorithms_table(searched: pl.DataFrame, run: Measurements) -> pl.DataFrame:
    """All algorithms at the deepest depth, against plain alpha-beta on the same positions."""
    deepest = searched.filter(pl.col("depth") == pl.col("depth").max())
    base = deepest.row(by_predicate=pl.col("search") == "alphabeta", named=True)
    taken = {
        given["search"]: _ratio(one.times_s["search"], one.times_s["alphabeta"])
        for given, one in run.of(search_positions, depth=base["depth"], sample=0)
        if one.times_s
    }
    return by(
        in_order(deepest, "search", [*NEEDED, *OTHERS]),
        "search",
        leaves=lambda row: row["leaves"][0].sum(),
        nodes=lambda row: row["nodes"][0].sum(),
        all=lambda row: row["leaves"][0].sum() / sum(base["leaves"]),
        mean=lambda row: _ratio(row["leaves"][0], base["leaves"]),
        time=lambda row: taken.get(row["search"][0]),
        same=lambda row: "yes" if row["values"][0].to_list() == base["values"] else "no",
    )


def plain_findings(plain: pl.DataFrame, leaves: pl.DataFrame) -> dict[str, Any]:
    """What the pseudocode in plain Python counted, of all depths together."""
    sums = plain.sum().row(0, named=True)
    same = plain.join(leaves, on="depth").select(DEPTH, pl.col("leaves.X") == pl.col("alphabeta"))
    return {
        "plain": plain.select("depth", "leaves.O", "leaves.filed", "leaves.new"),
        "new_leaves": (sums["leaves.new"], sums["leaves.O"]),
        "first_leaf": (sums["leaves.told"], sums["leaves.with a leaf"]),
        "same_leaves": dict(same.iter_rows()),
    }


def openings_table(opened: pl.DataFrame) -> pl.DataFrame:
    """Who won, by the moves of the opening; the games of an opening at all depths are one point."""
    known = opened.explode("begun", "winners").with_columns(
        moves=pl.col("begun").str.split(" ").list.len().cast(str),
        worth=pl.col("winners").replace_strict(POINTS),
    )
    each = known.group_by("moves", "begun", maintain_order=True).agg(pl.col("worth").mean())
    shares = by(each, "moves", points=lambda group: mean_share(group["worth"].to_list()))
    wins = {who: (pl.col("winners") == who).sum() for who in POINTS}
    counts = known.group_by("moves").agg(games=pl.len(), **wins)
    return counts.join(shares, on="moves").sort("moves")


def evaluator_findings(pairs: pl.DataFrame, moves: pl.DataFrame) -> dict[str, Any]:
    """Points of the better evaluator, and how often each keeps the outcome of solved positions."""
    points = points_by_match(pairs)
    duels = pairs.filter(pl.col("match").str.starts_with("depth")).explode("points")
    judged = moves.with_columns(match=pl.format("depth {}", "depth"))
    shares = {name: functools.partial(kept, name) for name in (BETTER, JUDGE)}
    solved = by(judged, "depth", "match", judged=lambda group: group["judged"].sum(), **shares)
    return {
        "evaluators": solved.join(points, on="match").select(
            "depth", "games", "points", "judged", BETTER, JUDGE
        ),
        "points": points_share(duels["points"].to_list()),
        "kept": {name: kept(name, moves) for name in (BETTER, JUDGE) if moves["judged"].sum()},
        "simple": estimates(points.filter(~pl.col("match").str.starts_with("depth")), "match"),
    }


def kept(name: str, moves: pl.DataFrame) -> Estimate | None:
    """How often a search with this evaluator keeps the outcome, where that is judged."""
    count, total = (int(moves[each].sum()) for each in (name, "judged"))
    return share(count, total) if total else None


# ------------------------------------------------------------------ findings: times


def repetitions(run: Measurements) -> pl.DataFrame:
    """For each repetition of a depth's games: both players' seconds per move, and per leaf."""
    found = [
        (COMPILED, given, {who: one.answer[who]["leaves"] for who in PLAYERS}, one.times_s)
        for given, one in run.of(play_game, reading=AS_REBUILT, evaluator=JUDGE)
    ]
    found += [
        (PLAIN, given, one.answer["leaves"], one.times_s) for given, one in run.of(search_plainly)
    ]
    rows = [
        {"program": program, "depth": given["depth"], "repetition": number, "X": x, "O": o}
        | {"X leaves": leaves["X"], "O leaves": leaves["O"]}
        for program, given, leaves, times in found
        for number, (x, o) in enumerate(zip(times["X"], times["O"], strict=True))
    ]
    known = frame_of(rows).filter(IN_STUDY)
    means = known.group_by("program", "depth", "repetition", maintain_order=True).mean()
    return means.with_columns(
        (pl.col(who) / pl.col(f"{who} leaves")).alias(f"{who} leaf") for who in PLAYERS
    )


def time_findings(taken: pl.DataFrame) -> dict[str, Any]:
    """MTD(f)'s times against alpha-beta's, from both programs."""
    table = by(
        taken,
        "program",
        "depth",
        x=lambda group: group["X"].median(),
        o=lambda group: group["O"].median(),
        ratio=times_as_much("O", "X"),
        leaf=times_as_much("O leaf", "X leaf"),
    )
    elsewhere = table.filter(pl.col("depth") != 6)
    saving = taken.group_by("program", "repetition", maintain_order=True).agg(
        saved=(1 - pl.col("O") / pl.col("X")).mean()
    )
    gaps = taken.filter(program=COMPILED).with_columns(gap=pl.col("X") - pl.col("O"))
    deep, before = gaps.filter(pl.col("depth") >= 9), gaps.filter(pl.col("depth") < 9)
    most = before.group_by("repetition").agg(most=pl.col("gap").max())
    grown = by(deep.join(most, on="repetition"), "depth", ratio=times_as_much("gap", "most"))
    leaf = by(taken, "program", ratio=times_as_much("O leaf", "X leaf"))
    saved = by(saving, "program", mean=lambda group: mean(group["saved"]))
    return {
        "times": table,
        "at_six": estimates(table.filter(depth=6), "program", "ratio"),
        "elsewhere": estimates(elsewhere, pl.format("{}, depth {}", "program", "depth"), "ratio"),
        "deep_speed": estimates(by(deep, "depth", ratio=times_as_much("X", "O")), DEPTH, "ratio"),
        "deep_gap": estimates(grown, DEPTH, "ratio"),
        "time_gaps": estimates(by(gaps, "depth", gap=lambda rows: mean(rows["gap"])), DEPTH, "gap"),
        "per_leaf": estimates(leaf, "program", "ratio"),
        "saved_time": estimates(saved, "program", "mean"),
    }


def look_up_findings(run: Measurements) -> dict[str, Any]:
    """How fast each way to evaluate is against the first, and tables against computing."""
    ((_, compiled),), ((_, interpreted),) = run.of(time_evaluations), run.of(time_interpreted)
    times = {COMPILED: compiled.times_s, PLAIN: interpreted.times_s}
    straight = [(program, "segments one by one") for program in times]

    def against(table: str, *computed: tuple[str, str]) -> dict[str, Estimate]:
        return {
            f"{name} ({program})": _ratio(times[program][name], times[program][table])
            for program, name in computed
        }

    return {
        "compiled_speeds": _speeds(compiled.times_s),
        "interpreted_speeds": _speeds(interpreted.times_s),
        "look_ups": against("table of lines", (COMPILED, "counted in parallel"), *straight),
        "letter": against("table of segments", *straight),
    }


def _speeds(taken: Mapping[str, Sequence[float]]) -> pl.DataFrame:
    base = next(iter(taken.values()))
    return frame_of(
        [
            {"way": name, "nanoseconds": 1e9 * median(each), "ratio": _ratio(each, base)}
            for name, each in taken.items()
        ]
    )


def _ratio(ours: Iterable[float], theirs: Iterable[float]) -> Estimate:
    return ratio(zip(ours, theirs, strict=True))


# ------------------------------------------------------------------ all findings


def findings(p: MtdfParameters, run: Measurements) -> dict[str, Any]:
    """What the report shows, by the names it has there."""
    games, layout = run.frame(play_game), PRINTED.frame("table 1").columns
    rebuilt = games.filter(reading=AS_REBUILT, evaluator=JUDGE)
    depths = by_depth(games)
    ours = depths.filter(reading=AS_REBUILT, evaluator=JUDGE)
    searched = run.frame(search_positions)
    in_games, sampled = searched.filter(sample=0), searched.filter(pl.col("sample") > 0)
    sums = in_games.with_columns(pl.col("leaves").list.sum())
    leaves = sums.pivot("search", index="depth", values="leaves")
    algorithms = algorithms_table(in_games, run)
    opened = openings_table(run.frame(play_openings))
    same = same_positions(sampled)
    return {
        "repeated": ours.filter(IN_STUDY).select(layout),
        "deeper": ours.filter(~IN_STUDY).select(layout),
        "better_table": depths.filter(reading=AS_REBUILT, evaluator=BETTER).select(layout),
        "games": rebuilt,
        "won_deeper": winners(rebuilt.filter(~IN_STUDY)),
        "readings": readings_table(depths),
        "drawn_leaves": drawn(ours, " leaves"),
        "drawn_times": drawn(ours, ", s per move"),
        **game_findings(ours.filter(IN_STUDY), rebuilt.filter(IN_STUDY)),
        "leaves": leaves,
        "parts": parts_of_saving(leaves),
        "saved": functools.partial(saved, leaves),
        "agreement": functools.partial(agreement, in_games),
        **seven_and_eight(leaves),
        "guesses": first_guesses(in_games),
        "sampled": same,
        "sampled_saved": {
            f"depth {depth}": 1 - part.value
            for depth, part in estimates(same, "depth", "mtdf").items()
        },
        **by_parity(sampled),
        "algorithms": algorithms,
        "leaves_table": leaves.select("depth", *algorithms["search"]),
        "over_others": over_others(in_games),
        "ahead": ahead(leaves),
        **plain_findings(run.frame(search_plainly), leaves),
        "opened": opened,
        "first_points": estimates(opened, "moves"),
        **evaluator_findings(run.frame(play_pairs), run.frame(judge_moves)),
        **time_findings(repetitions(run)),
        **look_up_findings(run),
    }


EXPERIMENT = study(
    __file__,
    name="connect4-mtdf",
    title="Connect Four, alpha-beta against MTD(f)",
    question=(
        "Is MTD(f) as good as alpha-beta on Connect Four, and how many leaves and how much time "
        "does it save? What of that is due to its table?"
    ),
    parameters=MtdfParameters,
    quick=QUICK,
    cells=all_cells,
    findings=findings,
)
