"""How a tournament or match stands, as its page shows it: tables, games, boards under way.

Everything is computed from the journal, and anew only when pairs were added; games that are being
played are found in the store, where their moves arrive as they are made.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plyground.core.errors import InputError
from plyground.core.json_text import presentable
from plyground.core.records import GameRecord
from plyground.games.catalogue import demand_known, games
from plyground.games.position import BasePosition
from plyground.games.view import view
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
from plyground.store.store import Filter, Order, Store
from plyground.web.answers import game_as_data
from plyground.web.job_routes import job_as_data
from plyground.web.recent import Recent

MOST_BOARDS = 6
_standings = Recent[dict[str, Any]](64)


def summary(contest: Contest) -> dict[str, Any]:
    """A line in a list."""
    job = contest.job
    data: dict[str, Any] = {
        "id": contest.id,
        "kind": contest.kind,
        "title": contest.title,
        "started": contest.moment,
        "job": job_as_data(job) if job else None,
        "game": "",
        "game_title": "",
        "format": contest.kind,
        "players": [],
        "problem": None,
    }
    try:
        data |= _terms(contest)
        if job is None:  # which would say how far it is
            standing = _standing(contest)
            data |= {name: standing[name] for name in ("played", "total", "complete")}
    except InputError as error:
        data["problem"] = str(error)
    shown: dict[str, Any] = presentable(data)
    return shown


def _terms(contest: Contest) -> dict[str, Any]:
    if contest.kind == "match":
        terms = terms_of(contest)
        game = games().get(terms["game"])
        return {
            **{name: terms[name] for name in ("game", "players", "openings", "seed", "time_s")},
            "game_title": game.title if game else terms["game"],
            "total": 2 * terms["pairs"],
        }
    read = spec_of(contest)
    plan = read.plan
    return {
        "game": plan.spec.name,
        "game_title": plan.spec.title,
        "format": read.tournament.format,
        "players": list(read.names.values()),
        "openings": str(plan.openings),
        "seed": plan.seed,
        "time_s": plan.time_s,
        "total": 2 * read.tournament.total,
    }


# ---------------------------------------------------------------------- standings


def details(contest: Contest, store: Store) -> dict[str, Any]:
    """All that the page of a contest shows. Raises InputError."""
    standing = _standing(contest)
    is_running = contest.job is not None and contest.job.state == "running"
    words = contest.job.words if contest.job else ["tournament", str(contest.spec)]
    shown: dict[str, Any] = presentable(
        {
            **standing,
            "boards": _boards(contest, store) if is_running else [],
            "journal": str(contest.journal),
            "spec": str(contest.spec) if contest.spec else None,
            "command": shlex.join(["plyground", *words]),
        }
    )
    return summary(contest) | shown


def _standing(contest: Contest) -> dict[str, Any]:
    # A file may get another player, a journal only more pairs.
    changed = contest.spec.stat().st_mtime_ns if contest.spec and contest.spec.exists() else 0
    key = contest.id, len(written(contest).played), changed
    return _standings.find_or_make(key, lambda: _compute_standing(contest))


def _compute_standing(contest: Contest) -> dict[str, Any]:
    of_kind = _of_match if contest.kind == "match" else _of_tournament
    played, players, more = of_kind(contest)
    order = [player["player"] for player in players]
    lost = _lost_on_time(played)
    return {
        "played": 2 * len(played),
        "standings": [{**player, "time_losses": lost[player["player"]]} for player in players],
        "cross": _cross(played, order) if len({*order}) == len(order) else [],
        "seconds": _seconds(played),
        "match": None,
        "swiss": None,
        **more,
    }


Standing = tuple[Sequence[PlayedPair], Sequence[dict[str, Any]], dict[str, Any]]
"""The pairs that count, the players from the best, and what else is known."""


def _of_tournament(contest: Contest) -> Standing:
    read, journal = spec_of(contest), written(contest)
    played = read.tournament.played(journal)
    data = tournament_as_data(read, played, journal)
    more = {name: data.get(name) for name in ("complete", "first_move_elo", "draw_rate", "swiss")}
    return played, data["players"], {"total": 2 * read.tournament.total, **more}


def _of_match(contest: Contest) -> Standing:
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
    more = {"total": 2 * standing.pairs, "complete": standing.is_complete, "match": match}
    return played, players, more


def _contains_zero(estimate: Mapping[str, float | None]) -> bool:
    low, high = estimate["low"], estimate["high"]
    return (low is None or low <= 0) and (high is None or high >= 0)


def _cross(played: Iterable[PlayedPair], order: Sequence[str]) -> list[list[dict[str, Any] | None]]:
    """What the player of each row made of the games against that of each column."""
    cells: dict[tuple[str, str], Counter[float]] = {}
    for game in _games(played):
        for side in (0, 1):
            pair = game.players[side], game.players[1 - side]
            cells.setdefault(pair, Counter())[game.points_of(side)] += 1
    return [[_cell(cells.get((row, column))) for column in order] for row in order]


def _cell(points: Counter[float] | None) -> dict[str, Any] | None:
    if points is None:
        return None
    wins, draws, losses = points[1.0], points[0.5], points[0.0]
    return {"points": wins + draws / 2, "wins": wins, "draws": draws, "losses": losses}


def _games(played: Iterable[PlayedPair]) -> Iterable[GameRecord]:
    return (game for pair in played for game in pair.games)


def _lost_on_time(played: Iterable[PlayedPair]) -> Counter[str]:
    late = (game for game in _games(played) if game.ended == "time")
    return Counter(game.players[side] for game in late if (side := game.forfeited_by) is not None)


def _seconds(played: Iterable[PlayedPair]) -> float:
    """Of thinking, in all games."""
    return round(sum(move.time_s for game in _games(played) for move in game.moves), 3)


# ---------------------------------------------------------------------- games


def games_of(contest: Contest, between: tuple[str, str] | None) -> list[dict[str, Any]]:
    """The games that are over, the newest first; those between two players if two are named."""
    there = written(contest)
    if contest.kind == "match":
        played = list(match_standing(terms_of(contest), there.played).counted)
        names: Mapping[str, str] = {}
    else:
        read = spec_of(contest)
        names = read.names
        order = {key: place for place, key in enumerate(there.played)}
        played = sorted(read.tournament.played(there), key=lambda each: order[each.pair.key])
    wanted = sorted(between) if between else None
    found = [
        _game(pair, game, number, names)
        for pair in played
        for number, game in enumerate(pair.games)
        if wanted is None or sorted(game.players) == wanted
    ]
    return found[::-1]


def _game(
    played: PlayedPair, game: GameRecord, number: int, names: Mapping[str, str]
) -> dict[str, Any]:
    return {
        **game_as_data(game),
        "key": f"{played.pair.key}-{number}",
        "pair": played.pair.number + 1,
        "names": [names.get(player, player) for player in game.players],
        "reason": game.reason,
        "seconds": round(sum(move.time_s for move in game.moves), 3),
    }


def _boards(contest: Contest, store: Store) -> list[dict[str, Any]]:
    """The games that are being played."""
    begun = contest.job.resumed[:10] if contest.job else None
    which = Filter(result="unfinished", event=contest.event, since=begun)
    done = {*written(contest).played}
    names: Mapping[str, str] = spec_of(contest).names if contest.spec else {}
    boards = []
    for stored in store.games(which, 4 * MOST_BOARDS, 0, Order("number")):
        record, parts = stored.record, stored.uid.split("-")
        if record.event != contest.event or len(parts) < 3 or parts[-2] in done:
            continue
        try:
            demand_known(record.game)
            moves = [move.move for move in record.moves]
            seen = view(BasePosition.begin(record.game, record.settings, record.position, moves))
        except InputError:  # a game of one's own that this server was not started with
            continue
        boards.append(
            {
                "id": stored.id,
                "names": [names.get(player, player) for player in record.players],
                "view": seen,
            }
        )
    return boards[:MOST_BOARDS]
