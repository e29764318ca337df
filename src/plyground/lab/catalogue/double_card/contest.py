"""Heuristic 1 against heuristic 2 in matches, and how often cards come to be moved."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from plyground.lab.catalogue.double_card.findings import Match
from plyground.lab.catalogue.double_card.tasks import CARDS, PLIES
from plyground.lab.charts import lines
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.statistics import SURE, Estimate, share
from plyground.matches.ratings import Pairs, elo


def score(match: Match) -> Estimate:
    """The share of the points that heuristic 1 took, with the interval of its pairs."""
    tally = Pairs.of(match.points)
    reach = SURE * tally.standard_error
    return Estimate(tally.score, max(0.0, tally.score - reach), min(1.0, tally.score + reach))


def reaching(match: Match) -> Estimate:
    """The share of games in which cards are moved."""
    return share(sum(plies > CARDS for plies in match.plies), len(match.plies))


def contest_section(matches: Sequence[Match]) -> Section:
    """Matches at several depths."""
    return Section(
        "Heuristic 1 against heuristic 2",
        [
            Text(
                "The report compares the two by one example each. Here they play: alpha-beta with "
                "either heuristic, equal depth, ties broken at random as by the report's program, "
                "pairs of games from openings of two random cards with sides exchanged. Both know "
                "a win by the rules."
            ),
            results(matches),
            Chart(
                "match-score",
                "Points of heuristic 1 against heuristic 2",
                lines(
                    [
                        {
                            "plies ahead": match.depth,
                            "player": "heuristic 1",
                            "share of the points": score(match).value,
                            "low": score(match).low,
                            "high": score(match).high,
                        }
                        for match in matches
                    ],
                    "plies ahead",
                    "share of the points",
                    "player",
                    low="low",
                    high="high",
                ),
                "With 95 % intervals over pairs; one half is even.",
            ),
            informed_claim(matches),
        ],
    )


def results(matches: Sequence[Match]) -> Table:
    """The score of each match."""
    rows: list[list[Value]] = []
    for match in matches:
        tally, found = Pairs.of(match.points), score(match)
        games, rating = tally.games, elo(tally)
        rows.append(
            [
                match.depth,
                2 * tally.number,
                games.wins,
                games.draws,
                games.losses,
                found.value,
                found.low,
                found.high,
                rating.value,
            ]
        )
    columns = [Column(name) for name in ("plies ahead", "games", "wins", "draws", "losses")]
    columns += [Column(name, 0, as_percent=True) for name in ("score", "from", "to")]
    columns.append(Column("Elo", 0))
    return Table("Matches, seen by heuristic 1", columns, rows)


def informed_claim(matches: Sequence[Match]) -> Claim:
    """Heuristic 1 is better informed."""
    found = {match.depth: score(match) for match in matches}
    here = found[PLIES]
    if here.low > 0.5:
        verdict = Verdict.REPRODUCED
    elif here.high < 0.5:
        verdict = Verdict.CONTRADICTED
    else:
        verdict = Verdict.IN_DIRECTION if here.value > 0.5 else Verdict.NOT_TESTABLE
    return Claim(
        "Heuristic 1 is better informed than heuristic 2.",
        "section 3.3, from one example of each",
        "points of heuristic 1: "
        + ", ".join(f"{each.as_share()} at depth {depth}" for depth, each in found.items()),
        verdict,
        "Reproduced if the whole interval of its score at the report's two plies lies above one "
        "half.",
    )


def recycling_section(matches: Sequence[Match]) -> Section:
    """The phase in which cards are moved."""
    rows: list[list[Value]] = []
    for match in matches:
        found = reaching(match)
        rows.append(
            [
                match.depth,
                len(match.plies),
                median(match.plies),
                max(match.plies),
                found.value,
                found.low,
                found.high,
            ]
        )
    columns = [Column("plies ahead"), Column("games"), Column("moves, median", 1)]
    columns.append(Column("moves, most"))
    columns += [Column(name, 1, as_percent=True) for name in ("reach it", "from", "to")]
    return Section(
        "The recycling phase",
        [
            Text(
                f"After {CARDS} cards are laid, cards are moved. The report treats the change as "
                "its *critical point* but prints no such game. How many games between the two "
                "heuristics get there:"
            ),
            Table("Games in which a card is moved", columns, rows),
        ],
    )
