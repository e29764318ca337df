"""Matches: the same result on any number of workers, however often they are interrupted."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from match_tools import CountingWorkers, DicedWorkers, games_in, timeless

from plyground.matches.journal import Journal
from plyground.matches.match import Match
from plyground.matches.openings import RandomOpenings
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import Pairs, Sprt, Verdict, elo
from plyground.matches.summary import first_move_score, records, records_of_seats
from plyground.work.workers import Workers, local

RANDOM_AND_FIRST = ("random", "first")
STRONG = {"random": 0.3}  # for dice


plan_of = functools.cache(lambda game, pairs: Plan(game, pairs=pairs))  # finds openings once


def run_match(
    path: Path, workers: object, pairs: int = 12, sprt: Sprt | None = None, game: str = "tictactoe"
) -> Match:
    match = Match(plan_of(game, pairs), RANDOM_AND_FIRST, sprt)
    with Journal(path) as journal:
        match.run(workers, journal)
    return match


def report(match: Match) -> object:
    """All that a match says, but for times."""
    return match.tally, match.verdict, [timeless(pair.as_data()) for pair in match.counted]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


@pytest.fixture(scope="module")
def crew() -> Iterator[Callable[[int], Workers]]:
    """Workers by their number, started once for all tests of this file."""
    crews: dict[int, Workers] = {}
    yield lambda jobs: crews.setdefault(jobs, local(jobs))
    for workers in crews.values():
        workers.close()


# ------------------------------------------------------------------ any number of workers


def test_a_match_is_the_same_on_one_two_and_three_workers(tmp_path, crew):
    results = {}
    for jobs in (1, 2, 3):
        path = tmp_path / f"{jobs}.jsonl"
        results[jobs] = report(run_match(path, crew(jobs))), games_in(path)
    assert results[1] == results[2] == results[3]
    assert len(results[1][1]) == 12


def test_a_test_stops_at_the_same_pair_on_one_two_and_three_workers(tmp_path, crew):
    test = Sprt(0, 50)
    results = {}
    for jobs in (1, 2, 3):
        match = run_match(tmp_path / f"{jobs}", crew(jobs), 500, test, "connect4")
        results[jobs] = report(match)
        assert match.verdict == Verdict.H0
        assert match.is_complete
        assert 2 < len(match.counted) < 100
    assert results[1] == results[2] == results[3]


@settings(max_examples=20)
@given(some.integers(1, 20), some.integers(0, 1000), some.booleans())
def test_the_order_in_which_pairs_get_done_does_not_matter(count, order, has_test):
    test = Sprt(0, 100) if has_test else None
    with tempfile.TemporaryDirectory() as folder:
        alone = run_match(Path(folder, "1"), DicedWorkers(strength=STRONG), 40, test)
        many = run_match(Path(folder, "2"), DicedWorkers(count, order, strength=STRONG), 40, test)
        assert report(many) == report(alone)
        assert games_in(Path(folder, "2")).items() >= games_in(Path(folder, "1")).items()


def test_pairs_are_counted_in_their_order_without_a_gap(path):
    match = Match(Plan("tictactoe", pairs=30), RANDOM_AND_FIRST)
    finished: list[int] = []
    has_waited = False

    def look(pair: PlayedPair) -> None:
        nonlocal has_waited
        finished.append(pair.pair.number)
        gapless = next(n for n in range(31) if n not in finished)
        assert [each.pair.number for each in match.counted] == list(range(gapless))
        assert match.tally == Pairs.of([each.points for each in match.counted])
        assert match.finished == len(finished)
        has_waited |= gapless < len(finished)

    with Journal(path) as journal:
        match.run(DicedWorkers(7, order=1), journal, look)
    assert has_waited, "all were done in order, so nothing was tested"
    assert match.is_complete


# ------------------------------------------------------------------ going on


def test_a_match_that_goes_on_plays_only_what_is_missing(path, crew):
    first = CountingWorkers(crew(1))
    run_match(path, first, pairs=4)
    assert first.done == 4
    second = CountingWorkers(crew(1))
    longer = run_match(path, second, pairs=10)
    assert second.done == 6
    third = CountingWorkers(crew(1))
    again = run_match(path, third, pairs=10)
    assert third.done == 0
    assert report(again) == report(longer)
    assert len(longer.counted) == 10


def test_holes_in_a_file_are_filled(path):
    whole = run_match(path, DicedWorkers(), pairs=12)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[n] for n in (7, 0, 3)))
    workers = DicedWorkers(3)
    again = run_match(path, workers, pairs=12)
    assert workers.done == 9
    assert report(again) == report(whole)


def test_other_games_in_the_same_file_are_kept_and_not_counted(path):
    run_match(path, DicedWorkers(), pairs=5)
    other = Match(Plan("tictactoe", pairs=5, seed=1), RANDOM_AND_FIRST)
    with Journal(path) as journal:
        other.run(DicedWorkers(), journal)
        assert len(journal.played) == 10
    assert {pair.pair.seed for pair in other.counted} == {1}
    assert len(other.counted) == 5


@settings(max_examples=15)
@given(some.lists(some.integers(0, 9), min_size=1, max_size=8), some.booleans())
def test_however_often_it_is_killed_a_match_ends_the_same(deaths, has_test):
    test = Sprt(0, 100) if has_test else None
    with tempfile.TemporaryDirectory() as folder:
        path, straight = Path(folder, "killed"), Path(folder, "straight")
        for order, most in enumerate(deaths):
            run_match(path, DicedWorkers(3, order, most, STRONG), 40, test)
        killed = run_match(path, DicedWorkers(3, 99, strength=STRONG), 40, test)
        alone = run_match(straight, DicedWorkers(strength=STRONG), 40, test)
        assert report(killed) == report(alone)
        assert games_in(path).items() >= games_in(straight).items()


def test_a_stopped_match_reports_what_it_has(path):
    match = run_match(path, DicedWorkers(most=3), pairs=12)
    assert len(match.counted) == 3
    assert not match.is_complete
    nothing = run_match(path.with_name("other"), DicedWorkers(most=0), pairs=12)
    assert nothing.tally == Pairs()
    assert nothing.counted == []
    assert first_move_score(nothing.counted) is None


# ------------------------------------------------------------------ the test


def test_a_test_that_is_decided_needs_no_more_games(path):
    test = Sprt(0, 100)
    first = DicedWorkers(strength=STRONG)
    match = run_match(path, first, 400, test)
    assert match.verdict == Verdict.H1
    assert first.done == len(match.counted) < 100
    again = DicedWorkers(strength=STRONG)
    assert report(run_match(path, again, 400, test)) == report(match)
    assert again.done == 0


def test_a_test_can_run_out_of_games(path):
    match = run_match(path, DicedWorkers(), 5, Sprt(0, 5))
    assert match.verdict == Verdict.CONTINUE
    assert not match.is_decided
    assert match.is_complete
    assert len(match.counted) == 5


def test_without_a_test_there_is_no_verdict(path):
    match = run_match(path, DicedWorkers(), 5)
    assert match.verdict is None
    assert match.is_complete


# ------------------------------------------------------------------ what it says


def test_a_searching_player_beats_a_random_one(path, crew):
    match = Match(Plan("tictactoe", pairs=10), ("alphabeta:depth=2", "random"))
    with Journal(path) as journal:
        match.run(crew(1), journal)
    assert elo(match.tally).low > 100


def test_records_of_both_seats_add_up(path, crew):
    match = run_match(path, crew(1))
    mine, theirs = records_of_seats(match.counted)
    assert (mine.wins, mine.draws, mine.losses) == (theirs.losses, theirs.draws, theirs.wins)
    assert mine.games == 24
    assert mine.points + theirs.points == 24
    games = match.tally.games
    assert (mine.wins, mine.draws, mine.losses) == (games.wins, games.draws, games.losses)
    chosen = [move for pair in match.counted for game in pair.games for move in game.moves[4:]]
    assert mine.moves + theirs.moves == len(chosen)
    assert mine.time_s + theirs.time_s == pytest.approx(sum(move.time_s for move in chosen))
    assert records(match.counted) == {"random": mine, "first": theirs}


def test_a_player_that_meets_itself_has_two_seats(path, crew):
    match = Match(Plan("tictactoe", pairs=6), ("random", "random"))
    with Journal(path) as journal:
        match.run(crew(1), journal)
    mine, theirs = records_of_seats(match.counted)
    assert mine.games == theirs.games == 12
    assert mine.wins == theirs.losses == match.tally.games.wins
    assert records(match.counted)["random"].games == 24


def test_the_share_of_whoever_moves_first(path, crew):
    match = run_match(path, crew(1))
    points = [game.points for pair in match.counted for game in pair.games]
    assert first_move_score(match.counted) == sum(points) / 24


def test_one_opening_for_all_pairs_still_gives_different_games(path, crew):
    plan = Plan("tictactoe", openings=RandomOpenings(0), pairs=5)
    match = Match(plan, ("random", "random"))
    with Journal(path) as journal:
        match.run(crew(1), journal)
    lines = {tuple(m.move for m in game.moves) for pair in match.counted for game in pair.games}
    assert len(lines) == 10
