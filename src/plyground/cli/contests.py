"""Matches and tournaments in a terminal: played as a job, and what their tables share."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.markup import escape

from plyground.cli.common import INTERRUPTED, compiling_shown, out
from plyground.cli.meter import Meter
from plyground.cli.running import interruptible
from plyground.matches.journal import Journal
from plyground.matches.match import Match
from plyground.matches.pair import PlayedPair
from plyground.matches.run import PLAY, Work
from plyground.matches.summary import Record
from plyground.matches.tournament import Tournament
from plyground.store.database import store_url
from plyground.store.recording import Recording, play_recorded
from plyground.store.shelter import ShelteredStore
from plyground.store.waiting import wait_s
from plyground.work.job_process import RunningJob
from plyground.work.workers import Workers


def make_recording(
    store: str | None, no_store: bool, event: str, cluster: str | None
) -> Recording | None:
    """Where games go while they are played."""
    if no_store:
        return None
    with ShelteredStore(store, wait_s()) as opened:  # complaints come before any work
        is_served = opened.url.get_backend_name() != "sqlite"
    return Recording(store_url(store), event, from_workers=cluster is None or is_served)


@contextlib.contextmanager
def playing(
    contest: Match | Tournament,
    news: Callable[[PlayedPair], str],
    *,
    file: Path,
    workers: Workers,
    job: contextlib.AbstractContextManager[RunningJob],
    recording: Recording | None,
) -> Iterator[tuple[Journal, bool]]:
    """Play a contest, or the rest of it, and leave with 130 if interrupted.

    Yields its journal and whether it was interrupted, for what came of it to be printed.
    """
    plan, players, total = contest.plan, contest.players, contest.total
    with workers, Journal(file) as journal, job as running_job:
        played = len(contest.played(journal))
        if played < total:
            with compiling_shown():
                plan.prepare(players)
            plan.greet(players, workers)
        meter = Meter(2 * total, 2 * played, "games", report=running_job.report)
        work = Work(play_recorded, recording.task, recording.store_pair) if recording else PLAY
        with interruptible(workers, job=running_job) as was_interrupted, meter:
            contest.run(workers, journal, lambda pair: meter.advance(2, news(pair)), work)
        if recording:
            recording.settle()
        yield journal, was_interrupted()
        if was_interrupted():
            raise SystemExit(INTERRUPTED)


# ------------------------------------------------------------------ cells of tables


def record_cells(record: Record) -> tuple[str, ...]:
    """Games won, drawn and lost; milliseconds and nodes for each move."""
    results = str(record.wins), str(record.draws), str(record.losses)
    return *results, f"{1000 * record.time_per_move_s:.1f}", f"{record.nodes_per_move:,.0f}"


def print_forfeits(name: str, record: Record) -> None:
    """Why a player lost games other than on the board."""
    for reason, count in record.forfeits.most_common():
        out.print(f"[red]{name} forfeited {count}:[/] {escape(reason)}", soft_wrap=True)
