"""Matches and tournaments: which player is stronger, and how sure that is."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from math import isinf
from pathlib import Path
from typing import Any, TypeVar

from plyground.core.errors import Unsupported
from plyground.games.catalogue import define
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec, Value
from plyground.matches import match as matches
from plyground.matches import tournament as tournaments
from plyground.matches.as_data import KINDS, tally_as_data, verdict_in_words
from plyground.matches.bradley_terry import RatingList
from plyground.matches.journal import Journal, Memory
from plyground.matches.openings import parse_openings
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import Estimate, Sprt, elo, likelihood_of_superiority
from plyground.matches.summary import Record, records, records_of_seats
from plyground.matches.tournament import cross_table, ratings
from plyground.players.catalogue import name_engines
from plyground.public.checking import seconds_of, whole
from plyground.public.frames import Row, Rows, Table
from plyground.public.interrupting import Interrupted
from plyground.public.position import game_of
from plyground.public.progress import Progress
from plyground.public.records import Games, RecordedGame
from plyground.work import workers as crews
from plyground.work.workers import Workers

MOST_GAMES = 10**7


class Match(Rows):
    """A match, complete or interrupted; numbers are those of the first player. See `match`."""

    def __init__(self, played: matches.Match) -> None:
        self._match = played

    @property
    def players(self) -> tuple[str, str]:
        """Both players as texts."""
        return self._match.players

    @property
    def elo(self) -> Estimate:
        """The Elo difference (`value`) with its 95 % interval (`low`, `high`)."""
        return elo(self._match.tally)

    @property
    def superiority(self) -> float:
        """The probability that the first player is stronger."""
        return likelihood_of_superiority(self._match.tally)

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return self._match.tally.games.wins

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self._match.tally.games.draws

    @property
    def losses(self) -> int:
        """Games that the first player lost."""
        return self._match.tally.games.losses

    @property
    def verdict(self) -> str | None:
        """The verdict of the sequential test in words; None without a test."""
        test = self._match.sprt
        return verdict_in_words(test, self._match.tally) if test else None

    @property
    def is_complete(self) -> bool:
        """Whether all games were played, or the sequential test decided."""
        return self._match.is_complete

    @property
    def games(self) -> Games:
        """The games, each followed by the one with the same opening and sides swapped."""
        return games_of(self._match.counted)

    def as_data(self) -> dict[str, Any]:
        """The result as JSON types."""
        return tally_as_data(self._match.tally)

    def rows(self) -> Sequence[Row]:
        """A row for each game."""
        return self.games.rows()

    @property
    def table(self) -> Table:
        """A row for each player."""
        seats = records_of_seats(self._match.counted)
        return Table(map(record_row, self.players, seats))

    def _shown(self) -> Table:
        return self.table

    @property
    def _caption(self) -> str:
        kinds = "  ".join(f"{kind.upper()} {getattr(self._match.tally, kind)}" for kind in KINDS)
        text = f"Elo {with_error(self.elo)}, superiority {self.superiority:.1%}; pairs {kinds}"
        text += "" if self.is_complete else "; not complete"
        return f"{text}; {self.verdict}" if self.verdict else text


class Tournament(Rows):
    """A tournament, complete or interrupted; see `tournament`."""

    def __init__(self, contest: tournaments.Tournament, journal: Memory) -> None:
        self._contest = contest
        self._played = contest.played(journal)

    @property
    def players(self) -> tuple[str, ...]:
        """The players as texts, in the order given."""
        return tuple(self._contest.players)

    @property
    def is_complete(self) -> bool:
        """Whether all games were played."""
        return len(self._played) == self._contest.total

    @property
    def ratings(self) -> RatingList:
        """The Elo ratings of all players on one scale, the best first."""
        return ratings(self._played, self.players)

    @property
    def games(self) -> Games:
        """All games, in the order in which they were planned."""
        return games_of(self._played)

    @property
    def table(self) -> Table:
        """A row for each player, the best first."""
        by_player = records(self._played)
        return Table(
            {
                "rank": rank,
                "player": each.player,
                "elo": each.elo.value,
                "error": each.elo.error,
                **record_row(each.player, by_player.get(each.player, Record())),
            }
            for rank, each in enumerate(self.ratings.ratings, start=1)
        )

    @property
    def cross_table(self) -> Mapping[tuple[str, str], tuple[float, int]]:
        """For each pair of players: points of the first against the second, and their games."""
        return cross_table(self._played)

    def rows(self) -> Sequence[Row]:
        """A row for each player, as in `table`."""
        return self.table

    @property
    def _caption(self) -> str:
        rest = "" if self.is_complete else ", not complete"
        return f"{2 * len(self._played):,} games, {self._contest.format}{rest}"


def match(
    first: str,
    second: str,
    *,
    game: str | GameSpec | type,
    games: int = 100,
    seconds: float | str | None = None,
    openings: str = "random:4",
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    sprt: tuple[float, float] | None = None,
    position: str | None = None,
    out: str | os.PathLike[str] | None = None,
    **settings: Value,
) -> Match:
    """Play a match: pairs of games from the same opening, with sides swapped.

    Players are texts such as `"mtdf:depth=6"`; see `pg.players`. `seconds` limits each move. `jobs`
    games are played at the same time, or, with `cluster`, on the Dask cluster at that address.
    `sprt=(0, 10)` stops as soon as it is decided whether the first player is not stronger or 10 Elo
    stronger. With `out`, games are stored in a file as they are played, and the same call resumes
    where it was interrupted. `position` is where games begin; all other keywords are settings of
    the game. Raises InputError, or `Interrupted` with the match so far.

    >>> import plyground as pg
    >>> pg.match("first", "random", game="tictactoe", games=2).is_complete
    True
    """
    plan = make_plan(game, settings, position, openings, games, seed, seconds)
    players = check_players(plan, [first, second])
    test = Sprt(*sprt) if sprt is not None else None
    contest = matches.Match(plan, (players[0], players[1]), test)

    def news() -> str:
        tally = contest.tally.games
        return f"+{tally.wins} ={tally.draws} -{tally.losses}"

    who = " - ".join(players)
    return _play(contest, lambda _: Match(contest), who, news, jobs, cluster, out)


def tournament(
    players: Sequence[str],
    *,
    game: str | GameSpec | type,
    format: str = "round-robin",
    games: int = 20,
    heroes: int = 1,
    rounds: int | None = None,
    seconds: float | str | None = None,
    openings: str = "random:4",
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    position: str | None = None,
    out: str | os.PathLike[str] | None = None,
    **settings: Value,
) -> Tournament:
    """Play a tournament among two players or more, `games` between each two that meet.

    In a `round-robin` all players meet; in a `gauntlet` the first `heroes` players meet all others;
    in `swiss` each of the `rounds` pairs players with about equal points. Everything else is as in
    `match`. Raises InputError, or `Interrupted` with the tournament so far.
    """
    if format not in tournaments.FORMATS:
        raise Unsupported(f"format {format!r}: expected {', '.join(tournaments.FORMATS)}")
    if isinstance(players, str):
        raise Unsupported(f"players={players!r:.60}: expected a list of players")
    if len(players) < 2:
        raise Unsupported("a tournament needs two players at least")
    plan = make_plan(game, settings, position, openings, games, seed, seconds)
    texts = check_players(plan, players)
    contest = tournaments.Tournament(plan, texts, format, heroes, rounds)

    def result(journal: Memory) -> Tournament:
        return Tournament(contest, journal)

    return _play(contest, result, f"{len(texts)} players", lambda: "", jobs, cluster, out)


# ---------------------------------------------------------------------- parts


def make_plan(
    game: str | GameSpec | type,
    settings: Mapping[str, Value],
    position: str | None,
    openings: str,
    games: int,
    seed: int,
    seconds: float | str | None,
) -> Plan:
    """The terms of a match or tournament. Raises InputError."""
    spec = game_of(game)
    name = game if isinstance(game, str) else define(spec)
    begun = BasePosition.begin(spec, settings, position)
    plan = Plan(
        name,
        dict(begun.settings),
        position,
        parse_openings(openings),
        (whole(games, "games", 2, MOST_GAMES) + 1) // 2,
        whole(seed, "seed", 0, 2**64 - 1),
        seconds_of(seconds),
    )
    plan.opening_texts(plan.pairs)  # complaints come before any work
    return plan


def check_players(plan: Plan, players: Sequence[str]) -> list[str]:
    """The players' texts as the plan writes them, with their engines named. Raises InputError."""
    for text in players:
        if not isinstance(text, str):
            raise Unsupported(f"a player is a text such as 'mtdf:depth=6', not {text!r:.60}")
        name_engines(text)
    return [plan.check_player(text) for text in players]


Result = TypeVar("Result", Match, Tournament)


def _play(
    contest: matches.Match | tournaments.Tournament,
    result: Callable[[Memory], Result],
    doing: str,
    news: Callable[[], str],
    jobs: int,
    cluster: str | None,
    out: str | os.PathLike[str] | None,
) -> Result:
    """Play a contest with progress; interrupted, it raises `Interrupted` with the result so far."""
    plan, players, total = contest.plan, contest.players, contest.total
    with (
        open_workers(jobs, cluster) as workers,
        contextlib.nullcontext(Memory()) if out is None else Journal(Path(out)) as journal,
        Progress(doing, 2 * total) as progress,
    ):
        plan.prepare(players)
        plan.greet(players, workers)
        done = itertools.count(len(contest.played(journal)) + 1)
        try:
            contest.run(workers, journal, lambda _: progress.report(news(), 2 * next(done)))
        except KeyboardInterrupt:
            so_far = result(journal)
            raise Interrupted(f"{len(so_far.games)} games were played", so_far) from None
        return result(journal)


def open_workers(jobs: int, cluster: str | None) -> Workers:
    """So many processes, or the Dask cluster at an address."""
    if cluster is not None:
        return crews.cluster(cluster)
    return crews.local(whole(jobs, "jobs", 1, 1024))


def games_of(pairs: Sequence[PlayedPair]) -> Games:
    """The games of pairs, in their order."""
    return Games(RecordedGame(game) for pair in pairs for game in pair.games)


def record_row(player: str, record: Record) -> Row:
    """A player's record as a row."""
    return {
        "player": player,
        "won": record.wins,
        "drawn": record.draws,
        "lost": record.losses,
        "points": record.points,
        "ms/move": 1000 * record.time_per_move_s,
        "nodes/move": record.nodes_per_move,
    }


def with_error(estimate: Estimate, digits: int = 1) -> str:
    """`+40.7 ± 30.4`, or one-sided where there is no upper or lower end."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if isinf(value):
        return f"above {low:+.0f}" if value > 0 else f"below {high:+.0f}"
    number = f"{value:+.{digits}f}"
    if not isinf(low) and not isinf(high):
        return f"{number} ± {estimate.error:.{digits}f}"
    if not isinf(high):
        return f"{number}, at most {high:+.{digits}f}"
    return number if isinf(low) else f"{number}, at least {low:+.{digits}f}"
