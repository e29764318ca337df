"""`plyground match`: which of two players is stronger, and how sure that is."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from plyground.cli import contests, options
from plyground.cli.common import load, out, print_json, print_table
from plyground.cli.elo import parse_sprt, signed
from plyground.cli.running import as_job, open_workers, typed
from plyground.core.places import data_folder
from plyground.core.quantities import read_seconds
from plyground.matches.as_data import (
    KINDS,
    record_as_data,
    sprt_as_data,
    tally_as_data,
    verdict_in_words,
)
from plyground.matches.contests import match_terms
from plyground.matches.match import Match
from plyground.matches.ratings import elo, likelihood_of_superiority, normalised_elo
from plyground.matches.summary import Counted, first_move_score, records_of_seats
from plyground.public.contests import check_players, make_plan

IF_COUNTED: dict[Counted, str] = {"leaves": ",.0f", "passes": ".1f"}  # columns and their format
GAMES = 100
GAMES_OF_A_TEST = 20_000  # at most: a test that goes on for ever tells something too


def match(
    first: Annotated[str, typer.Argument(metavar="A", help="A player; see plyground players.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    game: Annotated[str, typer.Option("--game", "-g", help="A game's name, or a path.")],
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=2, max=10**7, help="How many, in pairs; else 100."),
    ] = None,
    time: Annotated[
        str | None, typer.Option(help="For each move, as in 2s; beyond it a game is lost.")
    ] = None,
    openings: Annotated[
        str, typer.Option(metavar="FILE|random:K", help="First moves, by chance or by file.")
    ] = "random:4",
    sprt: Annotated[
        str | None, typer.Option(metavar="elo0=0,elo1=10", help="Stop as soon as this is decided.")
    ] = None,
    jobs: options.Jobs = 1,
    cluster: options.Cluster = None,
    seed: Annotated[
        int, typer.Option(min=0, max=options.MOST_SEED, help="Of openings and of all chance.")
    ] = 0,
    position: options.Position = None,
    set_: options.Settings = None,
    out_: options.Journal = None,
    store: options.Store = None,
    no_store: options.NoStore = False,
    json: options.Json = False,
) -> None:
    """Play a match in pairs of games with sides swapped, and show who is stronger."""
    test = parse_sprt(sprt) if sprt is not None else None
    wanted = games or (GAMES_OF_A_TEST if test else GAMES)
    time_s = read_seconds(time, "--time") if time is not None else None
    begin = load(game, set_, position)  # a user's game is tried in plain Python first
    start = position if begin.origin == position else begin.text  # what a file holds
    plan = make_plan(game, begin.settings, start, openings, wanted, seed, time_s)
    first, second = check_players(plan, [first, second])
    players = first, second
    contest = Match(plan, players, test)
    path = out_ or _new_file(plan.spec.name)
    terms = match_terms(plan, players, test, path)
    words = typed() if out_ else [*typed(), "--out", str(path)]
    with contests.playing(
        contest,
        lambda pair: _news(contest),
        file=path,
        recording=contests.make_recording(store, no_store, terms["event"], cluster),
        workers=open_workers(jobs, cluster),
        job=as_job("match", f"{first} - {second}", terms, words),
    ) as (_, is_interrupted):
        if json:
            print_json(match_as_data(contest, path, is_interrupted))
        else:
            _print(contest, begin.game.title, path, is_interrupted)


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


def _print(contest: Match, title: str, path: Path, is_interrupted: bool) -> None:
    tally, plan = contest.tally, contest.plan
    games = 2 * len(contest.counted)
    out.print(
        f"[bold]{title}[/], {games} games from openings {escape(str(plan.openings))}, "
        f"seed {plan.seed}",
        soft_wrap=True,
    )
    seats = list(zip(map(escape, contest.players), records_of_seats(contest.counted), strict=True))
    counted = [name for name in IF_COUNTED if any(getattr(record, name) for _, record in seats)]
    numbers = ("won", "drawn", "lost", "points", "ms/move", "nodes/move", *counted)
    rows = []
    for name, record in seats:
        *results, ms, nodes = contests.record_cells(record)
        more = [format(record.per_move(what), IF_COUNTED[what]) for what in counted]
        rows.append((name, *results, f"{record.points:g}", ms, nodes, *more))
    print_table(("", *numbers), rows, right=numbers)
    if counted:
        out.print(f"[dim]{' and '.join(counted)} are for each move[/]")
    for name, record in seats:
        contests.print_forfeits(name, record)
        if record.pondered:
            out.print(f"{name} had {record.pondered} of {record.moves} moves ready by pondering")
    facts = [
        ("Elo", f"[bold]{signed(elo(tally))}[/]  (95 %, of pairs)"),
        ("normalised", signed(normalised_elo(tally))),
        ("superiority", f"{likelihood_of_superiority(tally):.1%}"),
        ("pairs", "  ".join(f"{name.upper()} {getattr(tally, name)}" for name in KINDS)),
    ]
    if (share := first_move_score(contest.counted)) is not None:
        facts.append(("moving first", f"{share:.1%} of the points"))
    if test := contest.sprt:
        hypotheses = f"Elo {test.elo0:g} or {test.elo1:g} ({test.model})"
        odds = f"LLR {test.llr(tally):.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
        facts.append(("test", f"{hypotheses}: [bold]{verdict_in_words(test, tally)}, {odds}[/]"))
    print_table((), facts)
    different = len(set(plan.opening_texts(plan.pairs)))
    if different < plan.pairs:
        out.print(f"[dim]{different} different openings for {plan.pairs} pairs: some came again[/]")
    if is_interrupted:
        out.print("[yellow]interrupted[/]; the same command with this --out goes on")
    out.print(f"[dim]games: {escape(str(path))}[/]", soft_wrap=True)


# ------------------------------------------------------------------ what programs see


def match_as_data(contest: Match, path: Path, is_interrupted: bool) -> dict[str, Any]:
    """The result as JSON types; every number is the first player's."""
    plan = contest.plan
    return {
        "game": plan.spec.name,
        "settings": dict(plan.settings),
        "players": contest.players,
        "openings": str(plan.openings),
        "seed": plan.seed,
        **tally_as_data(contest.tally),
        "first_move_score": first_move_score(contest.counted),
        "sprt": sprt_as_data(contest.sprt, contest.tally),
        "records": [record_as_data(record) for record in records_of_seats(contest.counted)],
        "complete": contest.is_complete,
        "interrupted": is_interrupted,
        "file": str(path),
    }
