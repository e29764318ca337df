"""`plyground solve othello`: the exact score of positions, one or a file of them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.common import (
    BAD_INPUT,
    JsonOption,
    MovesOption,
    PositionOption,
    as_json,
    compiling_shown,
    err,
    load,
    out,
    print_json,
)
from plyground.cli.running import INTERRUPTED, ClusterOption, Meter, interruptible, open_workers
from plyground.cli.solving import File, lines_of, told
from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.quantities import read_bytes
from plyground.core.scores import Score
from plyground.games.othello import GAME, Othello
from plyground.games.rules import State, cells_left, is_over, play
from plyground.solvers.answers import WHO_WINS, Answer, Proved, Question, answer
from plyground.solvers.othello.board import board_of
from plyground.solvers.othello.proof import DEFAULT_MEMORY as PROOF_MEMORY
from plyground.solvers.othello.proof import Proof, open_proof, proof_path
from plyground.solvers.othello.solve import DEFAULT_MEMORY, OthelloSolver
from plyground.solvers.spec import NODES

PARTS_FROM = 27  # empty squares: from here on a solve is long enough to be interrupted
MOST_EMPTY = 40  # squares
MOST_LINE = 1000  # characters


def othello(
    position: PositionOption = None,
    moves: MovesOption = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", metavar="F.obf", help="A position in each line; - is standard input."
        ),
    ] = None,
    size: Annotated[int, typer.Option("--size", help="Squares along an edge: 4, 6 or 8.")] = 8,
    wld: Annotated[bool, typer.Option("--wld", help="Only who wins: 1, 0 or -1.")] = False,
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Score every move.")] = False,
    window: Annotated[
        str | None,
        typer.Option("--window", metavar="LO,HI", help="Tell no scores apart beyond these."),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=64, help="Threads that share the table.")
    ] = 1,
    memory: Annotated[
        str | None,
        typer.Option("--memory", metavar="SIZE", help="For the table; 64MB if not given."),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=1, max=1024, help="Parts to solve at the same time."),
    ] = 1,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Solve Othello: the final disc difference for the side to move, empty squares to the winner.

    From 27 empty squares on, or with --jobs or --cluster, a position is solved in parts that are
    kept: the same command goes on after Ctrl-C, a crash or a power cut. Nothing is kept with --wld,
    --window, --all-moves, --threads or --file. Status 2 if a line was refused.
    """
    if sum(given is not None for given in (position, moves, file)) > 1:
        raise Unsupported("--position, --moves and --file exclude each other; give one of them")
    if wld and window is not None:
        raise Unsupported("--wld and --window exclude each other; give one of them")
    question = replace(WHO_WINS if wld else _read_window(window), all_moves=all_moves, best=False)
    start = load("othello", [f"size={size}"]).start
    table = read_bytes(memory, "--memory") if memory is not None else None
    if file is not None:
        if jobs != 1 or cluster is not None:
            raise Unsupported("--jobs and --cluster are for a single position, not for a file")
        solver = OthelloSolver(start, table or DEFAULT_MEMORY, threads)
        _solve_file(solver, start, file, question, json)
        return
    state = load("othello", [f"size={size}"], position, moves).state
    check(state)
    assert isinstance(state, Othello)
    in_parts = jobs != 1 or cluster is not None
    is_plain = question.low is None and not all_moves and threads == 1
    if in_parts and not is_plain:
        raise Unsupported(
            "--jobs and --cluster prove a score; leave out --wld, --window, --all-moves, --threads"
        )
    if in_parts or (is_plain and cells_left(state) >= PARTS_FROM):
        _solve_in_parts(state, jobs, cluster, table or PROOF_MEMORY, json)
        return
    if cells_left(state) >= PARTS_FROM:
        err.print("--wld, --window, --all-moves and --threads keep nothing: this solves in one go")
    _solve_one(OthelloSolver(start, table or DEFAULT_MEMORY, threads), state, question, json)


def check(state: State) -> None:
    """Complain of a position that cannot be solved."""
    board_of(state)
    if not int(state.me) | int(state.opp):
        raise MalformedText("the board has no discs")
    if cells_left(state) > MOST_EMPTY:
        raise Unsupported(
            f"{cells_left(state)} empty squares would take years; expected at most {MOST_EMPTY}"
        )
    if is_over(state):
        raise Unsupported("neither side has a move: the game is over, there is nothing to solve")


def _read_window(text: str | None) -> Question:
    if text is None:
        return Question()
    low, comma, high = text.partition(",")
    try:
        bounds = int(low), int(high)
    except ValueError:
        bounds = 0, 0
    if not comma or not -64 <= bounds[0] < bounds[1] <= 64:
        raise MalformedText(f"--window {shorten(text)}: expected two scores such as -2,2")
    return Question(*bounds)


# ---------------------------------------------------------------------- one position


def _solve_one(solver: OthelloSolver, state: Othello, question: Question, json: bool) -> None:
    proved = Proved(solver, question)
    try:
        with compiling_shown():
            solver.prepare()
        with told(_news(solver, proved)):
            found = answer(solver, state, question, proved)
    except KeyboardInterrupt:
        if json:
            print_json(_as_bounds(state, proved))
        else:
            out.print(f"stopped: {bounds_told(proved.low, proved.high)}")
            _print_scores(state, proved.scores)
        raise SystemExit(INTERRUPTED) from None
    if json:
        print_json(_as_data(state, found))
    else:
        _print(state, found)


def _news(solver: OthelloSolver, proved: Proved) -> Callable[[], str]:
    """What there is to tell of an answer that is on its way."""
    began = time.perf_counter()

    def news() -> str:
        nodes = solver.nodes + sum(int(work.counts[NODES]) for work in solver.works)
        spent = time.perf_counter() - began
        told = [bounds_told(proved.low, proved.high)]
        if proved.moves:
            told.append(f"{len(proved.scores)} of {len(proved.moves)} moves")
        told += [f"{nodes:,} nodes", f"{nodes / spent / 1e6:.0f} M/s", f"{spent:.0f} s"]
        return ", ".join(told)

    return news


def bounds_told(low: int, high: int) -> str:
    """What is proved of a score."""
    return f"score {low:+d}" if low == high else f"score between {low:+d} and {high:+d}"


def _print(state: Othello, found: Answer) -> None:
    beyond = {"lower": " or more", "upper": " or less", "exact": ""}[found.told.bound]
    out.print(f"[bold]{found.score:+d}{beyond}[/]  {cells_left(state)} empty squares")
    _print_scores(state, found.scores)
    if found.best:
        out.print("best  " + " ".join(_names(state, found.best)))
    if found.line:
        out.print("line  " + " ".join(_line_names(state, found.line)), soft_wrap=True)
    speed = found.nodes / found.time_s / 1e6 if found.time_s else 0.0
    out.print(f"[dim]{found.nodes:,} nodes, {found.time_s:.3f} s, {speed:.1f} M/s[/]")


def _print_scores(state: Othello, scores: Mapping[int, int]) -> None:
    if scores:
        ranked = sorted(scores.items(), key=lambda item: -item[1])
        told = (f"{GAME.format_move(state, move)}: {score:+d}" for move, score in ranked)
        out.print("by move  " + "  ".join(told), soft_wrap=True)


def _names(state: Othello, moves: Sequence[int]) -> list[str]:
    return [GAME.format_move(state, move) for move in moves]


def _line_names(state: State, line: Sequence[int]) -> list[str]:
    names = []
    for move in line:
        names.append(GAME.format_move(state, move))
        state = play(state, move)
    return names


def _named(state: Othello) -> dict[str, Any]:
    cells, side = GAME.format_position(state).split()
    return {"position": cells, "side": side, "empties": cells_left(state)}


def _as_data(state: Othello, found: Answer) -> dict[str, Any]:
    data = _named(state) | {
        "score": found.score,
        "bound": found.told.bound,
        "best": _names(state, found.best),
        "pv": _line_names(state, found.line),
        "nodes": found.nodes,
        "time_s": round(found.time_s, 6),
    }
    return data | _scores_as_data(state, found.scores)


def _as_bounds(state: Othello, proved: Proved) -> dict[str, Any]:
    bounds = {"bounds": [proved.low, proved.high]}
    return _named(state) | bounds | _scores_as_data(state, proved.scores)


def _scores_as_data(state: Othello, scores: Mapping[int, int]) -> dict[str, Any]:
    named = {GAME.format_move(state, move): score for move, score in scores.items()}
    return {"scores": named} if named else {}


# ---------------------------------------------------------------------- a file


def _solve_file(
    solver: OthelloSolver, start: State, path: Path, question: Question, json: bool
) -> None:
    file = File(path, solver)

    def one(number: int, line: str) -> str:
        if len(line) > MOST_LINE:
            raise MalformedText(f"{len(line):,} characters; expected at most {MOST_LINE}")
        state = GAME.parse_position(start, line.partition(";")[0])  # moves and scores may follow
        check(state)
        assert isinstance(state, Othello)
        solver.forget()
        proved = Proved(solver, question)

        def news() -> str:
            return f"line {number}: {bounds_told(proved.low, proved.high)}"

        try:
            with told(news, file.show):
                found = answer(solver, state, question, proved)
        except KeyboardInterrupt:
            if json:
                print_json(_as_bounds(state, proved))
            known = bounds_told(proved.low, proved.high)
            err.print(f"{path}:{number}: stopped: {known}", markup=False, soft_wrap=True)
            raise
        if json:
            return as_json(_as_data(state, found))
        best = ",".join(_names(state, found.best))
        return f"{GAME.format_position(state)} {found.score:+d} {best}\n"

    file.solve(lines_of(path, "%"), one)
    if file.refused:
        raise SystemExit(BAD_INPUT)


# ---------------------------------------------------------------------- in parts


def _solve_in_parts(
    state: Othello, jobs: int, cluster: str | None, memory: int, json: bool
) -> None:
    """Solve sub-problems that are kept one by one; the same command goes on."""
    began = time.perf_counter()
    with open_proof(state, memory_bytes=memory) as proof, open_workers(jobs, cluster) as workers:
        if proof.begun:
            err.print(f"going on: {proof.begun:,} parts are solved, in {proof_path(state)}")
        with compiling_shown():
            with (
                interruptible(workers, "parts"),
                Meter(None, proof.begun, "parts") as meter,
            ):
                for step in proof.run(workers):
                    meter.advance(1, bounds_told(step.low, step.high))
            low, high = proof.windows.low, proof.windows.high
            if low < high:
                told = f"stopped after {proof.solved:,} parts: {bounds_told(low, high)}"
                if json:
                    print_json(_named(state) | {"bounds": [low, high]})
                err.print(f"{told}; the same command goes on")
                raise SystemExit(INTERRUPTED)
            line = _line_of(proof)
        best = proof.best or line[:1]
        found = Answer(low, Score(low, "proven"), proof.nodes, proof.time_s, best, line)
    if json:
        print_json(_as_data(state, found) | {"parts": proof.solved})
        return
    _print(state, found)
    new, spent = proof.solved - proof.begun, time.perf_counter() - began
    told = f"{proof.solved:,} parts, {new:,} of them now, in {spent:.1f} s"
    out.print(f"[dim]{told}; kept in {proof_path(state)}[/]", soft_wrap=True)


def _line_of(proof: Proof) -> list[int]:
    """A game of best moves; Ctrl-C does without it, for the score is known."""
    solver = OthelloSolver(proof.start, DEFAULT_MEMORY)
    with contextlib.suppress(KeyboardInterrupt):
        return proof.line(solver)
    return []
