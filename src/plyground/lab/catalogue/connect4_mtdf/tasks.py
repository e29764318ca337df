"""What is measured: the study's games, the positions of them, moves judged by solving, speeds.

Answers hold counts, values and moves; X is the study's alpha-beta player, O its MTD(f) player,
whoever moves first. Sums over positions are left to the report.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import WIN
from plyground.evaluation.remembered import Remembered
from plyground.games.connect_four import GAME
from plyground.games.rules import State, is_over, play, side
from plyground.lab.catalogue.connect4_mtdf import precomputed
from plyground.lab.catalogue.connect4_mtdf.program import Found, OutOfMemory, Program, Reading
from plyground.lab.spec import Measured
from plyground.lab.tasks import openings
from plyground.players.catalogue import make_machine
from plyground.players.searching import SearchPlayer
from plyground.search.run import search
from plyground.search.setup import Limits

PLAYERS = {"X": "alphabeta", "O": "mtdf"}
FIRST_POINTS = {"first": 1.0, "second": 0.0, "draw": 0.5}
SUMMED = ("leaves", "nodes", "passes", "collisions")
ITERATED = "mtdf:depth={depth},eval=segments,order=weights,symmetric=yes,finish=margin,memory=16MB"
SOLVER = "abmemory:depth=42,eval=zero,order=all,symmetric=yes,finish=margin,memory=64MB"


# ------------------------------------------------------------------ the study's games


def play_game(
    depth: int,
    first: str,
    evaluator: str = "segments",
    reading: Mapping[str, Any] | None = None,
    repetitions: int = 0,
) -> Measured:
    """One of the study's games: counts summed over each player's moves, and its time per move."""
    program = Program(depth, Reading(**(reading or {})), evaluator)
    state, turn, told = program.game.initial(), first, []
    counts = {who: dict.fromkeys(("moves", *SUMMED), 0) for who in PLAYERS}
    seconds: dict[str, list[list[float]]] = {who: [] for who in PLAYERS}
    last = 0
    while not is_over(state):
        guess = last if turn == "O" and program.reading.guess == "last" else 0
        found = _move(program, PLAYERS[turn], state, guess)
        last = found.value if turn == "O" else last
        counts[turn]["moves"] += 1
        for name in SUMMED:
            counts[turn][name] += found.counters[name]
        if repetitions:
            leaves = found.counters["leaves"]
            seconds[turn].append(program.times(PLAYERS[turn], state, guess, leaves, repetitions))
        told.append(MoveRecord(GAME.format_move(state, found.move), int(side(state)), depth=depth))
        state, turn = play(state, found.move), _other(turn)
    winner = {"first": first, "second": _other(first), "draw": "draw"}[str(GAME.winner(state))]
    answer = {"result": winner, "moves": "".join(move.move for move in told), **counts}
    times = {
        who: [fmean(each) for each in zip(*rows, strict=True)] for who, rows in seconds.items()
    }
    players = (PLAYERS[first], PLAYERS[_other(first)])
    points = FIRST_POINTS[str(GAME.winner(state))]
    event = f"Connect Four, depth {depth}, {evaluator}"
    return Measured(answer, times, [GameRecord(GAME.name, players, told, points, event=event)])


def _move(program: Program, algorithm: str, state: State, guess: int) -> Found:
    """One search, or one for each depth, each guessing what the one before found."""
    if algorithm != "mtdf" or program.reading.guess != "deepening":
        return program.search(algorithm, state, guess)
    return _deepened(program, state)


def _deepened(program: Program, state: State) -> Found:
    total = dict.fromkeys(SUMMED, 0)
    found = Found(0, 0, {})
    for depth in range(1, program.depth + 1):
        found = Program(depth, program.reading, program.setup.evaluator).search(
            "mtdf", state, found.value
        )
        total = {name: total[name] + found.counters[name] for name in SUMMED}
    return Found(found.value, found.move, total)


def _other(player: str) -> str:
    return "O" if player == "X" else "X"


# ------------------------------------------------------------------ the positions of its games


@functools.cache
def positions(depth: int, evaluator: str = "segments") -> tuple[State, ...]:
    """The positions of the study's game at a depth; both first movers play the same one."""
    program = Program(depth, evaluator=evaluator)
    state, found = program.game.initial(), []
    while not is_over(state):
        found.append(state)
        state = play(state, program.search("mtdf", state).move)
    return tuple(found)


def search_positions(
    depth: int,
    algorithm: str,
    order: str = "columns",
    reflection: bool = True,
    guess: str = "zero",
    evaluator: str = "segments",
    repetitions: int = 0,
) -> Measured:
    """Search every position of the study's game at this depth, for both sides.

    `guess` is zero, last (the value of two plies before, which the same side found), or value (the
    very value searched for). With repetitions, each position is timed in turns with alpha-beta; the
    times of a repetition are those of all positions together.
    """
    reading = Reading(order=order, reflection=reflection)  # type: ignore[arg-type]
    states = positions(depth, evaluator)
    for name in (algorithm, "alphabeta"):  # compiled before anything is timed
        Program(1, reading, evaluator).search(name, states[0])
    program = Program(depth, reading, evaluator)
    found: list[Found] = []
    times = {"search": [0.0] * repetitions, "alphabeta": [0.0] * repetitions}
    try:
        for state in states:
            first_guess = _first_guess(guess, found, program, state)
            found.append(program.search(algorithm, state, first_guess))
            for repetition in range(repetitions):
                again = program.search(algorithm, state, first_guess) if repetition else found[-1]
                times["search"][repetition] += again.time_s
                times["alphabeta"][repetition] += program.search("alphabeta", state).time_s
    except OutOfMemory:
        return Measured({"out_of_memory": True})
    counts = {name: [each.counters[name] for each in found] for name in SUMMED}
    answer = {"values": [each.value for each in found], "moves": [each.move for each in found]}
    measured = {"out_of_memory": False, **answer, **counts}
    return Measured(measured, times if repetitions else {})


def _first_guess(kind: str, found: Sequence[Found], program: Program, state: State) -> int:
    if kind == "last":
        return found[-2].value if len(found) > 1 else 0
    return program.search("mtdf", state).value if kind == "value" else 0


def deepen_positions(depth: int) -> Measured:
    """MTD(f) depth by depth, as it is meant to be used: the table's move first, the last value f.

    Counts of all depths together.
    """
    game = Program(depth).game
    player = make_machine(ITERATED.format(depth=depth), game, game.initial())
    assert isinstance(player, SearchPlayer)
    limits = Limits(depth=depth, iterate=True)
    found = [search(game, state, player.setup, limits) for state in positions(depth)]
    counts = {name: [each.counters[name] for each in found] for name in SUMMED}
    return Measured({"values": [each.value for each in found], **counts})


# ------------------------------------------------------------------ who moves first, who plays well


def play_openings(depth: int, column: int) -> Measured:
    """The games after two moves, the first one in this column; both sides search alike.

    Mirrored openings are left out: the first column is at most the middle one, and so is the second
    if the first is the middle.
    """
    program = Program(depth)
    last = len(program.game.legal(program.game.initial()))
    middle = last // 2
    results = {}
    for reply in range(middle + 1 if column == middle else last):
        state = program.game.replay(program.game.initial(), (column, reply))
        while not is_over(state):
            state = play(state, program.search("mtdf", state).move)
        results[f"{column + 1}{reply + 1}"] = str(GAME.winner(state))
    return Measured({"results": results})


def duels(depth: int, chosen: Sequence[str], evaluators: Sequence[str]) -> Measured:
    """Two games of MTD(f) from each opening, between two evaluators: points of the first one."""
    programs = [Program(depth, evaluator=name) for name in evaluators]
    played = [_duel(programs, evaluators, opening) for opening in chosen]
    return Measured(
        {"points": [points for points, _ in played]},
        games=[one for _, two in played for one in two],
    )


def _duel(
    programs: Sequence[Program], evaluators: Sequence[str], opening: str
) -> tuple[float, list[GameRecord]]:
    """The points of the first evaluator in two games, sides exchanged, and the games."""
    points, records = 0.0, []
    for exchanged in (0, 1):
        state = GAME.initial()
        told = []
        for move in GAME.parse_moves(state, opening):
            told.append(MoveRecord(GAME.format_move(state, move), int(side(state))))
            state = play(state, move)
        opened = len(told)
        while not is_over(state):
            mover = programs[int(side(state)) ^ exchanged]
            move = mover.search("mtdf", state).move
            told.append(
                MoveRecord(GAME.format_move(state, move), int(side(state)), depth=mover.depth)
            )
            state = play(state, move)
        first = FIRST_POINTS[str(GAME.winner(state))]
        points += 1 - first if exchanged else first
        texts = [f"mtdf:depth={programs[0].depth},eval={name}" for name in evaluators]
        names = (texts[exchanged], texts[1 - exchanged])
        records.append(GameRecord(GAME.name, names, told, first, opening=opened))
    return points, records


def judge_moves(
    plies: int, count: int, seed: int, depths: Sequence[int], evaluators: Sequence[str]
) -> Measured:
    """Solve positions after random moves, and see which moves the evaluators' searches choose.

    Judged, at each depth, where it matters: where some move keeps the outcome that perfect play has
    and some other does not, and the search sees no forced win or loss, whatever its evaluator.
    """
    programs = {
        depth: {name: Program(depth, evaluator=name) for name in evaluators} for depth in depths
    }
    judged = {str(depth): 0 for depth in depths}
    kept = {f"{name} {depth}": 0 for depth in depths for name in evaluators}
    for opening in openings(GAME.name, plies, count, seed):
        state = GAME.replay(GAME.initial(), GAME.parse_moves(GAME.initial(), opening))
        outcomes = {move: -_outcome(play(state, move)) for move in GAME.legal(state)}
        if len(set(outcomes.values())) == 1:
            continue
        for depth, by_name in programs.items():
            found = {name: program.search("mtdf", state) for name, program in by_name.items()}
            if any(abs(each.value) >= WIN for each in found.values()):
                continue
            judged[str(depth)] += 1
            for name, each in found.items():
                kept[f"{name} {depth}"] += outcomes[each.move] == max(outcomes.values())
    return Measured({"judged": judged, "kept": kept})


def _outcome(state: State) -> int:
    """1, 0 or -1 for the side to move, by searching to the end of the game."""
    if is_over(state):
        result = GAME.first_player_outcome(state) or 0
        return result if side(state) == 0 else -result
    player = _solver()
    value = search(GAME, state, player.setup, player.limits).value
    return (value > 0) - (value < 0)


@functools.cache
def _solver() -> SearchPlayer:
    player = make_machine(SOLVER, GAME, GAME.initial())
    assert isinstance(player, SearchPlayer)
    return player


# ------------------------------------------------------------------ the speed of evaluators


def time_evaluations(count: int, rounds: int, repetitions: int, seed: int = 0) -> Measured:
    """Evaluate random positions in each compiled way, in turns: seconds for one."""
    states = _random_states(count, seed)
    words, empty = precomputed.words_of(states), precomputed.empty_board()
    judges = {name: make() for name, make in precomputed.COMPILED.items()}
    sums = {
        name: int(precomputed.sum_of_values(judge, empty, words, count, 1))
        for name, judge in judges.items()
    }
    times: dict[str, list[float]] = {name: [] for name in judges}
    for _ in range(repetitions):
        for name, judge in judges.items():
            started = time.perf_counter()
            precomputed.sum_of_values(judge, empty, words, count, rounds)
            times[name].append((time.perf_counter() - started) / (count * rounds))
    return Measured({"sums": sums}, times)


def time_interpreted(count: int, repetitions: int, seed: int = 0) -> Measured:
    """The same in plain Python."""
    sides = [(int(state.me), int(state.stones ^ state.me)) for state in _random_states(count, seed)]
    judges = precomputed.interpreted()
    sums = {name: sum(judge(*each) for each in sides) for name, judge in judges.items()}
    times: dict[str, list[float]] = {name: [] for name in judges}
    for _ in range(repetitions):
        for name, judge in judges.items():
            started = time.perf_counter()
            for me, other in sides:
                judge(me, other)
            times[name].append((time.perf_counter() - started) / count)
    return Measured({"sums": sums}, times)


def time_searches(depth: int, ways: Sequence[str], repetitions: int) -> Measured:
    """Alpha-beta on the positions of the study's game with each kind of evaluator, in turns."""
    programs = {name: Program(depth, evaluator=precomputed.COMPILED[name]()) for name in ways}
    states = positions(depth)
    for program in programs.values():  # compiled before anything is timed
        program.search("alphabeta", states[-1])
    leaves = dict.fromkeys(ways, 0)
    times: dict[str, list[float]] = {name: [0.0] * repetitions for name in ways}
    for state in states:
        for repetition in range(repetitions):
            for name, program in programs.items():
                _forget_values(program)
                found = program.search("alphabeta", state)
                times[name][repetition] += found.time_s
                leaves[name] += found.counters["leaves"]
    return Measured({"sums": leaves}, times)


def _forget_values(program: Program) -> None:
    judge = program.setup.evaluator
    if isinstance(judge, Remembered):
        judge.slots.array.fill(0)


def _random_states(count: int, seed: int) -> list[State]:
    """As many positions of each of some stages of the game."""
    stages = (8, 12, 16, 20)
    texts = [text for plies in stages for text in openings(GAME.name, plies, count // 4, seed)]
    start = GAME.initial()
    return [GAME.replay(start, GAME.parse_moves(start, text)) for text in texts]
