"""`plyground learn`: an evaluator for any game, from self-play, and the match that judges it."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape

from plyground.cli import options
from plyground.cli.common import (
    INTERRUPTED,
    compiling_shown,
    err,
    load,
    out,
    print_json,
    print_table,
)
from plyground.cli.meter import Meter
from plyground.cli.running import as_job, interruptible, open_workers, typed
from plyground.core.quantities import read_seconds
from plyground.learning import exam
from plyground.learning.course import Course, Step, forget
from plyground.matches.match import Match
from plyground.public.learning import (
    MOST_GAMES,
    USUAL_NAME,
    Learned,
    course_folder,
    keep,
    limits_of,
    make_recipe,
    opponent_of,
    read_source,
)
from plyground.work.job_process import RunningJob
from plyground.work.workers import Workers

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # of the curve


def learn(
    game: options.Game,
    name: Annotated[str, typer.Option("--name", help="What to call the evaluator.")] = USUAL_NAME,
    time: Annotated[
        str | None, typer.Option(help="How long to learn, as in 30m or 2h; else 15 minutes.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, max=MOST_GAMES, help="Or for so many.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, max=1024, help="Workers; else one for each core."),
    ] = None,
    cluster: options.Cluster = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Of all chance.")] = 0,
    evaluator: Annotated[
        str | None,
        typer.Option("--evaluator", "-e", help="Calibrate the weights of this one instead."),
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Let a small network assign its weights.")
    ] = False,
    normed: Annotated[
        bool, typer.Option("--normed", help="Show weights for a standard deviation of each factor.")
    ] = False,
    stages: Annotated[
        int | None, typer.Option(min=1, max=64, help="Parts of a game with their own weights.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, max=12, help="Plies that self-play looks ahead.")
    ] = None,
    opening: Annotated[
        int | None, typer.Option(min=0, max=100, help="Random first moves, at most.")
    ] = None,
    noise: Annotated[
        int, typer.Option(min=0, max=1000, help="Random moves later, of a thousand.")
    ] = 50,
    trust: Annotated[
        float, typer.Option(min=0, max=1, help="How much games count against searches: lambda.")
    ] = 0.8,
    teacher: Annotated[
        str | None, typer.Option(metavar="solver=N|depth=N", help="Who says what is right.")
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="store|FILE|FOLDER", help="Learn from recorded games."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The evaluator to beat; else the one used so far.")
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=10, max=10**7, help="For each move of the match, on both sides.")
    ] = exam.NODES,
    match: Annotated[bool, typer.Option(help="Play the match that judges it.")] = True,
    again: Annotated[
        bool, typer.Option("--again", help="Forget what was learned under this name before.")
    ] = False,
    set_: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Learn an evaluator for a game by self-play, and let a match judge it.

    The evaluator is called NAME wherever evaluators are: eval=NAME. Stop whenever you like; the
    same command goes on where it was.
    """
    begun = load(game, set_)
    source = read_source(begun, from_) if from_ is not None else None
    if source is not None:
        left_out = f", {source.left_out:,} left out" if source.left_out else ""
        err.print(f"{source.recorded.total:,} games to learn from{left_out}")
    recipe = make_recipe(
        begun,
        game,
        source=source,
        evaluator=evaluator,
        network=network,
        stages=stages,
        depth=depth,
        opening=opening,
        noise=noise,
        trust=trust,
        teacher=teacher,
        seed=seed,
    )
    seconds = read_seconds(time, "--time") if time is not None else None
    most, most_s = limits_of(games, seconds, source)
    folder = course_folder(begun, name)
    with compiling_shown():
        opponent = opponent_of(begun, name, against) if match else None
    if again:
        forget(folder)
    about = {"game": begun.game.name, "name": name, "folder": str(folder)}
    words = [word for word in typed() if word != "--again"]
    if cluster is not None:
        workers = open_workers(jobs or 1, cluster)
    else:
        workers = open_workers(jobs or os.cpu_count() or 1, None)
    with (
        workers,
        as_job("learn", f"{begun.game.title}: {name}", about, words) as job,
        Course(folder, recipe, name, source.recorded if source else None) as course,
    ):
        is_stopped = _learn(course, workers, most, most_s, job)
        learned = keep(course, name)
        if not is_stopped and opponent is not None:
            contest = exam.exam(begun, game, name, opponent, nodes, seed)
            journal = folder / exam.journal_name(learned.path)
            with (
                interruptible(workers, job=job) as was_interrupted,
                Meter(2 * contest.total, 0, "games of the match", report=job.report) as meter,
            ):
                result = exam.sit(
                    contest, workers, journal, lambda _: meter.advance(2, _news(contest))
                )
            is_stopped = was_interrupted()
            learned = keep(course, name, {"against": opponent, "nodes": nodes, **result})
        if json:
            print_json(_as_data(learned, is_stopped))
        else:
            _print(learned, is_stopped, normed)
        if is_stopped:
            raise SystemExit(INTERRUPTED)


def _learn(
    course: Course, workers: Workers, games: int | None, most_s: float | None, job: RunningJob
) -> bool:
    """Learn with a bar that says how long it will still take; whether somebody stopped it."""
    if course.standing.rounds:
        err.print(f"going on after {course.standing.games:,} games")
    total = games if games is not None else round(most_s or 0)
    done = course.standing.games if games is not None else round(course.standing.seconds)
    unit = "games" if games is not None else "s"
    meter = Meter(max(total, done), done, unit, report=job.report)

    def on_step(step: Step, course: Course) -> None:
        now = step.games if games is not None else round(step.seconds)
        news = f"error {step.error:.3f}"
        if games is None:
            news = f"{step.games:,} games, {news}"
        meter.advance(max(0, min(now, meter.total or now) - meter.done), news)

    with interruptible(workers, "games", job) as was_interrupted, meter, compiling_shown():
        began_s = clock.monotonic()
        course.learn(workers, games, most_s, on_step)
        job.report(news=f"learned for {clock.monotonic() - began_s:.0f} s")
    return was_interrupted()


# ------------------------------------------------------------------ what people see


def _news(contest: Match) -> str:
    games = contest.tally.games
    llr = contest.sprt.llr(contest.tally) if contest.sprt else 0.0
    return f"+{games.wins} ={games.draws} -{games.losses}  LLR {llr:.2f}"


def _print(learned: Learned, is_stopped: bool, normed: bool) -> None:
    recipe, steps = learned.recipe, learned.rows()
    out.print(f"[bold]{learned.name}[/]: {escape(recipe['summary'])}")
    errors = [row["error"] for row in steps]
    if len(errors) > 2:
        out.print(f"error {bars(errors)} {errors[-1]:.3f} [dim]points, on games not yet seen[/]")
    if weights := recipe.get("normed" if normed else "weights"):
        _print_weights(weights, recipe["stage_by"])
    if found := learned.match:
        games, elo = found["games"], found["elo"]
        number = "above all measure" if elo["value"] is None else f"{elo['value']:+.0f}"
        low = f", at least {elo['low']:+.0f}" if elo["low"] is not None else ""
        out.print(
            f"against {escape(found['against'])} at {found['nodes']:,} nodes a move: "
            f"+{found['wins']} ={found['draws']} -{found['losses']} in {games:,} games, "
            f"Elo [bold]{number}[/]{low} (95 %)"
        )
        verdict = "better" if found["is_better"] else "not proven better"
        out.print(f"[bold]{verdict}[/]: {found['verdict']} by a sequential test of 5 %")
    if is_stopped:
        out.print("[yellow]stopped[/]; the same command goes on")
    out.print(f"[dim]{escape(str(learned.path))}[/]", soft_wrap=True)
    player = f"abmemory:time=1s,eval={learned.name}"
    out.print(f"[dim]try: plyground play {learned.game} --second {player}[/]", soft_wrap=True)


def _print_weights(rows: Sequence[Mapping[str, Any]], stage_by: str) -> None:
    """A row for each field, a column for each stage: weights with their standard errors."""
    columns = sorted({(row["stage"], row["from"], row["to"]) for row in rows})
    titles = [f"{low}-{high} {stage_by}".strip() for _, low, high in columns]
    cells: dict[str, dict[int, str]] = {}
    for row in rows:
        error = "" if row["error"] is None else f" ±{row['error']:.1g}"
        text = f"{row['weight']:.3g}{error}" if error else "-"  # nothing was seen of it there
        cells.setdefault(row["field"], {})[row["stage"]] = text
    wide = max(map(len, [text for own in cells.values() for text in own.values()] + titles))
    fitting = max(1, (out.width - max(map(len, cells)) - 2) // (wide + 2))
    for first in range(0, len(columns), fitting):
        some, names = columns[first : first + fitting], titles[first : first + fitting]
        lines = [(name, *(own[stage] for stage, *_ in some)) for name, own in cells.items()]
        print_table(("weight", *names), lines, right=names)


def bars(numbers: Sequence[float]) -> str:
    """A curve in one line."""
    step = max(1, -(-len(numbers) // WIDTH))
    means = [
        sum(part) / len(part)
        for part in (numbers[i : i + step] for i in range(0, len(numbers), step))
    ]
    low, high = min(means), max(means)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(BARS[round((mean - low) * scale)] for mean in means)


def _as_data(learned: Learned, is_stopped: bool) -> dict[str, Any]:
    return {
        "name": learned.name,
        "path": str(learned.path),
        "recipe": dict(learned.recipe),
        "curve": list(learned.rows()),
        "stopped": is_stopped,
    }
