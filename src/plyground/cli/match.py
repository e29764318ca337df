"""`plyground match`: which of two players is stronger, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from plyground.cli.common import (
    MOST_SEED,
    JsonOption,
    PositionOption,
    SetOption,
    compiling_shown,
    load,
    out,
    parse_settings,
    print_json,
)
from plyground.cli.running import (
    INTERRUPTED,
    ClusterOption,
    JobsOption,
    Meter,
    NoStoreOption,
    StoreOption,
    as_job,
    interruptible,
    make_recording,
    open_workers,
    typed,
    work_of,
)
from plyground.core.errors import MalformedText, shorten, unknown
from plyground.core.places import data_folder
from plyground.core.quantities import read_seconds
from plyground.matches.as_data import (
    KINDS,
    record_as_data,
    sprt_as_data,
    tally_as_data,
    verdict_in_words,
)
from plyground.matches.journal import Journal
from plyground.matches.match import Match
from plyground.matches.openings import parse_openings
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import (
    Estimate,
    Sprt,
    elo,
    likelihood_of_superiority,
    normalised_elo,
)
from plyground.matches.summary import Record, first_move_score, records_of_seats
from plyground.players.catalogue import name_engines

GAMES = 100
GAMES_OF_A_TEST = 20_000  # at most: a test that goes on for ever tells something too
SPRT_FORM = "expected elo0=0,elo1=10, and if wanted alpha=0.05,beta=0.05,model=normalised"

TimeOption = Annotated[
    str | None, typer.Option("--time", help="For each move, as in 2s; beyond it a game is lost.")
]
OpeningsOption = Annotated[
    str,
    typer.Option("--openings", metavar="FILE|random:K", help="First moves, by chance or by file."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=MOST_SEED, help="Of openings and of all chance.")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Where games are kept; goes on if they are there."),
]


def match(
    first: Annotated[str, typer.Argument(metavar="A", help="A player; see plyground players.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    game: Annotated[str, typer.Option("--game", "-g", help="A game's name, or a path.")],
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=2, max=10**7, help="How many, in pairs; else 100."),
    ] = None,
    time: TimeOption = None,
    openings: OpeningsOption = "random:4",
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="elo0=0,elo1=10", help="Stop as soon as this is decided."),
    ] = None,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    set_: SetOption = None,
    out_: OutOption = None,
    store: StoreOption = None,
    no_store: NoStoreOption = False,
    json: JsonOption = False,
) -> None:
    """Let two players meet, in pairs of games with sides swapped, and tell who is stronger."""
    test = parse_sprt(sprt) if sprt is not None else None
    wanted = games or (GAMES_OF_A_TEST if test else GAMES)
    loaded = load(game, set_, position)
    plan = Plan(
        game,
        loaded.game.settings(parse_settings(set_ or [])),
        position,
        parse_openings(openings),
        (wanted + 1) // 2,
        seed,
        read_seconds(time, "--time") if time is not None else None,
    )
    for player in (first, second):
        name_engines(player)
    players = plan.check_player(first), plan.check_player(second)
    plan.opening_texts(plan.pairs)  # complaints about openings come before any work
    contest = Match(plan, players, test)
    path = out_ or _new_file(loaded.game.name)
    event = f"match {path.stem}: {players[0]} - {players[1]}"
    recording = make_recording(store, no_store, event, cluster)
    words = typed() if out_ else [*typed(), "--out", str(path)]
    about = {
        "game": loaded.game.name,
        "settings": dict(plan.settings),
        "position": position,
        "players": list(players),
        "openings": openings,
        "pairs": plan.pairs,
        "seed": seed,
        "time_s": plan.time_s,
        "sprt": asdict(test) if test else None,
        "journal": str(path.absolute()),
        "event": event,
    }
    with (
        open_workers(jobs, cluster) as workers,
        Journal(path) as journal,
        as_job("match", f"{players[0]} - {players[1]}", about, words) as job,
    ):
        done = sum(pair.key in journal.played for pair in plan.pairs_of(players))
        if done < plan.pairs:
            with compiling_shown():
                plan.prepare(players)
            plan.greet(players, workers)
        with interruptible(workers, job=job) as was_interrupted:
            meter = Meter(2 * plan.pairs, 2 * done, "games", hear=job.tell)

            def on_pair(pair: PlayedPair) -> None:
                meter.advance(2, _news(contest))

            with meter:
                contest.run(workers, journal, on_pair, work_of(recording))
        if recording:
            recording.settle()
        if json:
            print_json(match_as_data(contest, path, was_interrupted()))
        else:
            _print(contest, loaded.game.title, path, was_interrupted())
        if was_interrupted():
            raise SystemExit(INTERRUPTED)


def parse_sprt(text: str) -> Sprt:
    """The test that `elo0=0,elo1=10` describes."""
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise MalformedText(f"--sprt {shorten(text)!r}: {SPRT_FORM}")
        if name not in ("elo0", "elo1", "alpha", "beta", "model"):
            raise unknown("part of --sprt", name, ("elo0", "elo1", "alpha", "beta", "model"))
        if name in values:
            raise MalformedText(f"--sprt {shorten(text)!r}: {name} is given twice; {SPRT_FORM}")
        if name != "model" and not re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,9})?", value):
            raise MalformedText(f"--sprt {name}={shorten(value)}: expected a number; {SPRT_FORM}")
        values[name] = (
            value.replace("normalized", "normalised") if name == "model" else float(value)
        )
    if "elo0" not in values or "elo1" not in values:
        raise MalformedText(f"--sprt {shorten(text)!r}: {SPRT_FORM}")
    return Sprt(**values)


def _new_file(game: str) -> Path:
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    folder = data_folder() / "matches"
    path = folder / f"{stamp}-{game}.jsonl"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stamp}-{game}-{number}.jsonl"
    return path


# ------------------------------------------------------------------ what people see


def _news(contest: Match) -> str:
    games = contest.tally.games
    text = f"+{games.wins} ={games.draws} -{games.losses}"
    if contest.sprt:
        return f"{text}  LLR {contest.sprt.llr(contest.tally):.2f}"
    return f"{text}  Elo {signed(elo(contest.tally))}"


def signed(estimate: Estimate, digits: int = 1) -> str:
    """`+40.7 ± 30.4`, or one-sided where there is no upper or lower end."""
    if estimate.value == float("inf"):
        return f"above {estimate.low:+.0f}"
    if estimate.value == -float("inf"):
        return f"below {estimate.high:+.0f}"
    number = f"{estimate.value:+.{digits}f}"
    if estimate.low == -float("inf"):
        end = "" if estimate.high == float("inf") else f", at most {estimate.high:+.{digits}f}"
        return number + end
    if estimate.high == float("inf"):
        return f"{number}, at least {estimate.low:+.{digits}f}"
    sign = "±" if out.encoding.lower().startswith("utf") else "+/-"
    return f"{number} {sign} {estimate.error:.{digits}f}"


def _print(contest: Match, title: str, path: Path, interrupted: bool) -> None:
    tally, plan = contest.tally, contest.plan
    games = 2 * len(contest.counted)
    out.print(
        f"[bold]{title}[/], {games} games from openings {escape(str(plan.openings))}, "
        f"seed {plan.seed}",
        soft_wrap=True,
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    for name in ("won", "drawn", "lost", "points", "ms/move", "nodes/move"):
        table.add_column(name, justify="right", no_wrap=True)
    seats = records_of_seats(contest.counted)
    for text, record in zip(contest.players, seats, strict=True):
        table.add_row(escape(text), *record_cells(record))
    out.print(table)
    for text, record in zip(contest.players, seats, strict=True):
        for reason, count in record.forfeits.most_common():
            out.print(f"[red]{escape(text)} forfeited {count}:[/] {escape(reason)}", soft_wrap=True)
        if record.pondered:
            out.print(
                f"{escape(text)} had {record.pondered} of {record.moves} moves ready by pondering"
            )
    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_row("Elo", f"[bold]{signed(elo(tally))}[/]  (95 %, of pairs)")
    facts.add_row("normalised", signed(normalised_elo(tally)))
    facts.add_row("superiority", f"{likelihood_of_superiority(tally):.1%}")
    facts.add_row("pairs", "  ".join(f"{name.upper()} {getattr(tally, name)}" for name in KINDS))
    if (share := first_move_score(contest.counted)) is not None:
        facts.add_row("moving first", f"{share:.1%} of the points")
    if test := contest.sprt:
        facts.add_row("test", f"{_hypotheses(test)}: [bold]{_verdict(contest)}[/]")
    out.print(facts)
    different = len(set(plan.opening_texts(plan.pairs)))
    if different < plan.pairs:
        out.print(f"[dim]{different} different openings for {plan.pairs} pairs: some came again[/]")
    if interrupted:
        out.print("[yellow]interrupted[/]; the same command with this --out goes on")
    out.print(f"[dim]games: {escape(str(path))}[/]", soft_wrap=True)


def record_cells(record: Record) -> tuple[str, ...]:
    """A player's record as cells of a table."""
    return (
        str(record.wins),
        str(record.draws),
        str(record.losses),
        f"{record.points:g}",
        f"{1000 * record.time_per_move_s:.1f}",
        f"{record.nodes_per_move:,.0f}",
    )


def _hypotheses(test: Sprt) -> str:
    return f"Elo {test.elo0:g} or {test.elo1:g} ({test.model})"


def _verdict(contest: Match) -> str:
    test = contest.sprt
    assert test is not None
    bounds = f"bounds {test.lower:.2f} and {test.upper:.2f}"
    numbers = f"LLR {test.llr(contest.tally):.2f}, {bounds}"
    return f"{verdict_in_words(test, contest.tally)}, {numbers}"


# ------------------------------------------------------------------ what programs see


def match_as_data(contest: Match, path: Path, interrupted: bool) -> dict[str, Any]:
    """The result as JSON types; every number is the first player's."""
    plan = contest.plan
    return {
        "game": plan.spec.name,
        "settings": dict(plan.settings),
        "players": list(contest.players),
        "openings": str(plan.openings),
        "seed": plan.seed,
        **tally_as_data(contest.tally),
        "first_move_score": first_move_score(contest.counted),
        "sprt": sprt_as_data(contest.sprt, contest.tally),
        "records": [record_as_data(record) for record in records_of_seats(contest.counted)],
        "complete": contest.is_complete,
        "interrupted": interrupted,
        "file": str(path),
    }
