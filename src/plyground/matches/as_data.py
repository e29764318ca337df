"""Results of matches and tournaments as plain data, in the same words for every face.

Numbers that JSON does not have, as the Elo of a perfect score, become null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyground.matches.journal import Memory
from plyground.matches.pair import PlayedPair
from plyground.matches.ratings import (
    Estimate,
    Pairs,
    Sprt,
    Verdict,
    elo,
    likelihood_of_superiority,
    normalised_elo,
)
from plyground.matches.summary import Record, records
from plyground.matches.tournament import cross_table, ratings
from plyground.matches.tournament_file import ReadTournament

KINDS = ("ll", "ld", "wl", "dd", "wd", "ww")
"""The kinds of pairs: what the first player made of the two games."""


def estimate_as_data(estimate: Estimate) -> dict[str, float | None]:
    """An estimate in numbers that JSON has: an infinite one becomes null."""
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {k: round(v, 3) if abs(v) != float("inf") else None for k, v in numbers.items()}


def record_as_data(record: Record) -> dict[str, Any]:
    """A player's record."""
    return {
        "wins": record.wins,
        "draws": record.draws,
        "losses": record.losses,
        "moves": record.moves,
        "time_per_move_s": round(record.time_per_move_s, 6),
        "longest_s": round(record.longest_s, 6),
        "nodes_per_move": round(record.nodes_per_move, 1),
        "leaves_per_move": round(record.per_move("leaves"), 1),
        "passes_per_move": round(record.per_move("passes"), 2),
        "pondered": record.pondered,
        "forfeits": dict(record.forfeits),
    }


# ---------------------------------------------------------------------- matches


def tally_as_data(tally: Pairs) -> dict[str, Any]:
    """What pairs prove; every number is the first player's."""
    games = tally.games
    return {
        "games": games.number,
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "pairs": {name: getattr(tally, name) for name in KINDS},
        "elo": estimate_as_data(elo(tally)),
        "normalised_elo": estimate_as_data(normalised_elo(tally)),
        "superiority": round(likelihood_of_superiority(tally), 6),
    }


def sprt_as_data(test: Sprt | None, tally: Pairs) -> dict[str, Any] | None:
    """A sequential test: its ratio, its bounds, and its verdict."""
    if test is None:
        return None
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "model": test.model,
        "llr": round(test.llr(tally), 4),
        "lower": round(test.lower, 4),
        "upper": round(test.upper, 4),
        "verdict": str(test.verdict(tally)),
    }


def verdict_in_words(test: Sprt, tally: Pairs) -> str:
    """The verdict of a test, for people."""
    words = {
        Verdict.H0: f"no gain of {test.elo1:g} Elo",
        Verdict.H1: f"a gain above {test.elo0:g} Elo",
        Verdict.CONTINUE: "undecided",
    }
    return words[test.verdict(tally)]


# ---------------------------------------------------------------------- tournaments


def tournament_as_data(
    read: ReadTournament, played: Sequence[PlayedPair], journal: Memory
) -> dict[str, Any]:
    """The standing of a tournament."""
    contest = read.tournament
    rating_list, by_player = ratings(played, contest.players), records(played)
    cells = cross_table(played)
    data: dict[str, Any] = {
        "name": read.title,
        "game": read.plan.spec.name,
        "format": contest.format,
        "seed": read.plan.seed,
        "games": 2 * len(played),
        "complete": len(played) == contest.total,
        "players": [
            {
                "name": read.names[rating.player],
                "player": rating.player,
                "elo": estimate_as_data(rating.elo),
                "points": rating.points,
                "games": rating.games,
                **record_as_data(by_player.get(rating.player, Record())),
            }
            for rating in rating_list.ratings
        ],
        "cross_table": [
            {"player": a, "against": b, "points": points, "games": count}
            for (a, b), (points, count) in cells.items()
        ],
        "first_move_elo": estimate_as_data(rating_list.advantage),
        "draw_rate": estimate_as_data(rating_list.draw_rate),
        "file": str(journal.path),
    }
    if contest.format == "swiss":
        data["swiss"] = [
            {
                "player": contest.players[standing.player],
                "points": standing.points,
                "buchholz": standing.buchholz,
            }
            for standing in contest.swiss_standings(journal)
        ]
    return data
