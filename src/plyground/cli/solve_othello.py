"""`plyground solve othello`: the exact score of positions, one or a file of them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli.common import (
    BAD_INPUT,
    INTERRUPTED,
    as_json,
    compiling_shown,
    err,
    leave_interrupted,
    load,
    now_s,
    out,
    print_json,
    print_plain,
    spinning,
)
from plyground.cli.meter import PATIENCE_S, Meter
from plyground.cli.running import interruptible, open_workers
from plyground.cli.solving import MOST_LINE, PositionFile, print_price
from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.quantities import read_bytes
from plyground.core.scores import Score
from plyground.core.ticking import ticking
from plyground.games.othello import Othello
from plyground.games.rules import State, cells_left, is_over
from plyground.public.position import Position
from plyground.solvers.answers import WHO_WINS, Answer, Proved, Question, answer
from plyground.solvers.othello.board import board_of
from plyground.solvers.othello.proof import DEFAULT_MEMORY as PROOF_MEMORY
from plyground.solvers.othello.proof import open_proof, proof_path
from plyground.solvers.othello.solve import DEFAULT_MEMORY, OthelloSolver
from plyground.solvers.spec import NODES

PARTS_FROM = 27  # empty squares: from here on a solve is long enough to be interrupted
MOST_EMPTY = 40  # squares


def othello(
    position: options.Position = None,
    moves: options.Moves = None,
    file: Annotated[
        Path | None,
        typer.Option(metavar="F.obf", help="A position in each line; - is standard input."),
    ] = None,
    size: Annotated[int, typer.Option(help="Squares along an edge: 4, 6 or 8.")] = 8,
    wld: Annotated[bool, typer.Option("--wld", help="Only who wins: 1, 0 or -1.")] = False,
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Score every move.")] = False,
    window: Annotated[
        str | None, typer.Option(metavar="LO,HI", help="Tell no scores apart beyond these.")
    ] = None,
    threads: options.Threads = 1,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="For the table; 64MB if not given.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=1024, help="Parts to solve at the same time.")
    ] = 1,
    cluster: options.Cluster = None,
    json: options.Json = False,
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
    loaded = load("othello", [f"size={size}"], position, moves)
    table = read_bytes(memory, "--memory") if memory is not None else None
    in_parts = jobs != 1 or cluster is not None
    if file is not None:
        if in_parts:
            raise Unsupported("--jobs and --cluster are for a single position, not for a file")
        solver = OthelloSolver(loaded.start, table or DEFAULT_MEMORY, threads)
        _solve_file(PositionFile(file, solver, comment="%"), solver, loaded, question, json)
        return
    check(loaded.state)
    is_plain = question.low is None and not all_moves and threads == 1
    if in_parts and not is_plain:
        raise Unsupported(
            "--jobs and --cluster prove a score; leave out --wld, --window, --all-moves, --threads"
        )
    is_long = cells_left(loaded.state) >= PARTS_FROM
    if in_parts or (is_plain and is_long):
        _solve_in_parts(loaded, jobs, cluster, table or PROOF_MEMORY, json)
        return
    if is_long:
        err.print("--wld, --window, --all-moves and --threads keep nothing: this solves in one go")
    solver = OthelloSolver(loaded.start, table or DEFAULT_MEMORY, threads)
    _solve_one(solver, loaded, question, json)


def check(state: State) -> None:
    """Raise InputError for a position that cannot be solved."""
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


def _solve_one(solver: OthelloSolver, position: Position, question: Question, json: bool) -> None:
    proved = Proved(solver, question)

    def news(spent: float) -> str:
        nodes = solver.nodes + sum(int(work.counts[NODES]) for work in solver.works)
        parts = [bounds_text(proved.low, proved.high)]
        if proved.moves:
            parts.append(f"{len(proved.scores)} of {len(proved.moves)} moves")
        parts += [f"{nodes:,} nodes", f"{nodes / spent / 1e6:.0f} M/s", f"{spent:.0f} s"]
        return ", ".join(parts)

    try:
        with compiling_shown():
            solver.prepare()
        with spinning(err, news, PATIENCE_S):
            found = answer(solver, position.state, question, proved)
    except KeyboardInterrupt:
        if json:
            print_json(_bounds_as_data(position, proved))
        else:
            out.print(f"stopped: {bounds_text(proved.low, proved.high)}")
            _print_scores(position, proved.scores)
        raise SystemExit(INTERRUPTED) from None
    if json:
        print_json(_as_data(position, found))
    else:
        _print(position, found)


def bounds_text(low: int, high: int) -> str:
    """What is proved of a score."""
    return f"score {low:+d}" if low == high else f"score between {low:+d} and {high:+d}"


def _print(position: Position, found: Answer) -> None:
    beyond = {"lower": " or more", "upper": " or less", "exact": ""}[found.proven.bound]
    out.print(f"[bold]{found.score:+d}{beyond}[/]  {cells_left(position.state)} empty squares")
    _print_scores(position, found.scores)
    if found.best:
        out.print("best  " + " ".join(map(position.write_move, found.best)))
    if found.line:
        out.print("line  " + " ".join(position.write_line(found.line)), soft_wrap=True)
    print_price(found)


def _print_scores(position: Position, scores: Mapping[int, int]) -> None:
    if scores:
        ranked = sorted(scores.items(), key=lambda item: -item[1])
        texts = (f"{position.write_move(move)}: {score:+d}" for move, score in ranked)
        out.print("by move  " + "  ".join(texts), soft_wrap=True)


def _position_as_data(position: Position, scores: Mapping[int, int], **more: Any) -> dict[str, Any]:
    cells, side = position.text.split()
    data = {"position": cells, "side": side, "empties": cells_left(position.state)} | more
    named = {position.write_move(move): score for move, score in scores.items()}
    return data | ({"scores": named} if named else {})


def _as_data(position: Position, found: Answer) -> dict[str, Any]:
    return _position_as_data(
        position,
        found.scores,
        score=found.score,
        bound=found.proven.bound,
        best=[position.write_move(move) for move in found.best],
        pv=position.write_line(found.line),
        nodes=found.nodes,
        time_s=round(found.time_s, 6),
    )


def _bounds_as_data(position: Position, proved: Proved) -> dict[str, Any]:
    return _position_as_data(position, proved.scores, bounds=[proved.low, proved.high])


# ---------------------------------------------------------------------- a file


def _solve_file(
    file: PositionFile, solver: OthelloSolver, begun: Position, question: Question, json: bool
) -> None:
    def solve(number: int, line: str) -> str:
        if len(line) > MOST_LINE:
            raise MalformedText(f"{len(line):,} characters; expected at most {MOST_LINE}")
        cells = line.partition(";")[0]  # moves and scores may follow
        position = Position.begin(begun.game, begun.settings, cells)
        check(position.state)
        solver.forget()
        proved = Proved(solver, question)

        def show(_: float) -> None:
            file.show(f"line {number}: {bounds_text(proved.low, proved.high)}")

        try:
            with ticking(show, after_s=0.0):
                found = answer(solver, position.state, question, proved)
        except KeyboardInterrupt:
            if json:
                print_json(_bounds_as_data(position, proved))
            known = bounds_text(proved.low, proved.high)
            print_plain(f"{file.path}:{number}: stopped: {known}", err)
            raise
        if json:
            return as_json(_as_data(position, found))
        best = ",".join(map(position.write_move, found.best))
        return f"{position.text} {found.score:+d} {best}\n"

    file.solve(solve)
    if file.refused:
        raise SystemExit(BAD_INPUT)


# ---------------------------------------------------------------------- in parts


def _solve_in_parts(
    position: Position, jobs: int, cluster: str | None, memory: int, json: bool
) -> None:
    """Solve sub-problems that are stored one by one, so that the same command resumes."""
    state, began = position.state, now_s()
    assert isinstance(state, Othello)
    with open_proof(state, memory_bytes=memory) as proof, open_workers(jobs, cluster) as workers:
        if proof.begun:
            err.print(f"going on: {proof.begun:,} parts are solved, in {proof_path(state)}")
        with compiling_shown():
            with interruptible(workers, "parts"), Meter(None, proof.begun, "parts") as meter:
                for step in proof.run(workers):
                    meter.advance(1, bounds_text(step.low, step.high))
            low, high = proof.windows.low, proof.windows.high
            if low < high:
                if json:
                    print_json(_position_as_data(position, {}, bounds=[low, high]))
                text = f"stopped after {proof.solved:,} parts: {bounds_text(low, high)}"
                leave_interrupted(f"{text}; the same command goes on")
            line: list[int] = []
            with contextlib.suppress(KeyboardInterrupt):  # the score is known without it
                line = proof.line(OthelloSolver(proof.start, DEFAULT_MEMORY))
        best = proof.best or line[:1]
        found = Answer(low, Score(low, "proven"), proof.nodes, proof.time_s, best, line)
    if json:
        print_json(_as_data(position, found) | {"parts": proof.solved})
        return
    _print(position, found)
    new, spent = proof.solved - proof.begun, now_s() - began
    text = f"{proof.solved:,} parts, {new:,} of them now, in {spent:.1f} s"
    out.print(f"[dim]{text}; kept in {proof_path(state)}[/]", soft_wrap=True)
