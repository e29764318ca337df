"""How a tournament or match stands: points, ratings, cross-table, and what a match proves.

Everything is computed from the journal, and anew only when pairs were added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plyground.core.records import GameRecord
from plyground.matches.as_data import (
    estimate_as_data,
    record_as_data,
    sprt_as_data,
    tally_as_data,
    tournament_as_data,
    verdict_in_words,
)
from plyground.matches.contests import Contest, match_standing, spec_of, terms_of, written
from plyground.matches.pair import PlayedPair
from plyground.matches.ratings import elo
from plyground.matches.summary import first_move_score, records_of_seats
from plyground.web.answers import Answer, Results
from plyground.web.recent import Recent

_standings = Recent[dict[str, Any]](64)


class EstimateInfo(Answer):
    """A number and its interval of 95 %; null where there is no end."""

    value: float | None
    low: float | None
    high: float | None


class StandingInfo(Results):
    name: str
    player: str
    elo: EstimateInfo
    points: float
    games: int
    time_per_move_s: float
    longest_s: float
    nodes_per_move: float
    time_losses: int
    forfeits: dict[str, int]


class CrossCell(Results):
    points: float


class SprtInfo(Answer):
    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    verdict: str


class MatchInfo(Results):
    """What a match proves; every number is the first player's."""

    games: int
    pairs: dict[str, int]
    elo: EstimateInfo
    normalised_elo: EstimateInfo
    superiority: float
    contains_zero: bool
    sprt: SprtInfo | None
    verdict: str | None


class StandingsInfo(Answer):
    """All of it."""

    standings: list[StandingInfo]
    cross: list[list[CrossCell | None]]
    """Rows and columns in the order of the standings."""
    match: MatchInfo | None
    seconds: float
    """Of thinking, in all games."""


def standing_of(contest: Contest) -> dict[str, Any]:
    """How a contest stands now. Raises InputError."""
    # A file may get another player, a journal only more pairs.
    changed = contest.spec.stat().st_mtime_ns if contest.spec and contest.spec.exists() else 0
    key = contest.id, len(written(contest).played), changed
    return _standings.find_or_make(key, lambda: _compute(contest))


def _compute(contest: Contest) -> dict[str, Any]:
    of_kind = _of_match if contest.kind == "match" else _of_tournament
    played, players, more = of_kind(contest)
    games = [game for pair in played for game in pair.games]
    order = [player["player"] for player in players]
    late = (game for game in games if game.ended == "time")
    lost = Counter(game.players[side] for game in late if (side := game.forfeited_by) is not None)
    return {
        "played": len(games),
        "standings": [{**player, "time_losses": lost[player["player"]]} for player in players],
        "cross": _cross(games, order) if len({*order}) == len(order) else [],
        "seconds": round(sum(move.time_s for game in games for move in game.moves), 3),
        "match": None,
        "swiss": None,
        **more,
    }


Computed = tuple[Sequence[PlayedPair], Sequence[dict[str, Any]], dict[str, Any]]
"""The pairs that count, the players from the best, and what else is known."""


def _of_tournament(contest: Contest) -> Computed:
    read, journal = spec_of(contest), written(contest)
    played = read.tournament.played(journal)
    data = tournament_as_data(read, played, journal)
    more = {name: data.get(name) for name in ("complete", "first_move_elo", "draw_rate", "swiss")}
    return played, data["players"], {"total": 2 * read.tournament.total, **more}


def _of_match(contest: Contest) -> Computed:
    standing = match_standing(terms_of(contest), written(contest).played)
    tally, played, test = standing.tally, standing.counted, standing.sprt
    seats = zip(
        contest.terms["players"],
        records_of_seats(played),
        (tally, tally.swapped()),
        strict=True,
    )
    players = [
        {
            "name": player,
            "player": player,
            "elo": estimate_as_data(elo(side)),
            "points": record.points,
            "games": record.games,
            **record_as_data(record),
        }
        for player, record, side in seats
    ]
    match = {
        **tally_as_data(tally),
        "first_move_score": first_move_score(played),
        "contains_zero": _contains_zero(estimate_as_data(elo(tally))),
        "sprt": sprt_as_data(test, tally),
        "verdict": verdict_in_words(test, tally) if test else None,
    }
    more = {"total": 2 * standing.total, "complete": standing.is_complete, "match": match}
    return played, players, more


def _contains_zero(estimate: Mapping[str, float | None]) -> bool:
    low, high = estimate["low"], estimate["high"]
    return (low is None or low <= 0) and (high is None or high >= 0)


def _cross(games: Iterable[GameRecord], order: Sequence[str]) -> list[list[dict[str, Any] | None]]:
    """What the player of each row made of the games against that of each column."""
    cells: dict[tuple[str, str], Counter[float]] = {}
    for game in games:
        for side in (0, 1):
            pair = game.players[side], game.players[1 - side]
            cells.setdefault(pair, Counter())[game.points_of(side)] += 1
    return [[_cell(cells.get((row, column))) for column in order] for row in order]


def _cell(points: Counter[float] | None) -> dict[str, Any] | None:
    if points is None:
        return None
    wins, draws, losses = points[1.0], points[0.5], points[0.0]
    return {"points": wins + draws / 2, "wins": wins, "draws": draws, "losses": losses}
