"""The study's games against an amateur, a medium player and an expert, with both algorithms.

Three people played ten games each against SCOUT; those against alpha-beta are told in sum only. No
person can be asked again, so the levels of play stand for them. Each level meets SCOUT and
alpha-beta in the same games: from the same openings of random moves, as Black and as White, with
the same chance, so that a difference would show. Moves are ordered here, which saves time and
changes no value. The printed procedure, which keeps the first legal move, plays too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from plyground.core.records import GameRecord
from plyground.games.position import BasePosition
from plyground.lab.catalogue.othello_scout.setting import (
    ALPHA_BETA,
    GAME,
    LEVELS,
    NAMES,
    SCOUT,
    ScoutParameters,
    player,
    study,
)
from plyground.lab.charts import bars
from plyground.lab.report import Beside, Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate, mean, share
from plyground.lab.tasks import openings
from plyground.matches.one_game import play_game
from plyground.players.catalogue import make_machine

PRINTED = "first"
PROGRAMS = {**NAMES, PRINTED: "as printed: the first move"}
ORDER = "order=all"  # nine times faster at depth 8; the value, and the move, stay the same
OPENING_PLIES = 4
OPENINGS_PER_CELL = 2
EVEN = 0.5

Games = Mapping[str, list[dict[str, Any]]]
"""By program: its games, two from each opening, in the same order for all programs."""


# ------------------------------------------------------------------ cells


def play_level(level: str, depth: int, openings: Sequence[str], seed: int) -> Measured:
    """The same games of every program: moves, and points of the program."""
    games: dict[str, list[dict[str, Any]]] = {name: [] for name in PROGRAMS}
    records: list[GameRecord] = []
    for number, opening in enumerate(openings):
        for seat in (0, 1):
            for name, told in games.items():
                text = name if name == PRINTED else f"{player(name, depth)},{ORDER}"
                record = _play(text, level, opening, seat, 2 * (seed + number) + seat)
                records.append(record)
                moves = " ".join(move.move for move in record.moves)
                told.append({"points": record.points_of(seat), "moves": moves})
    return Measured({"games": games}, games=records)


def _play(text: str, level: str, opening: str, seat: int, seed: int) -> GameRecord:
    """One game, the program being first in seat 0."""
    begun = BasePosition.begin(GAME, moves=opening)
    names = (text, level) if seat == 0 else (level, text)
    players = [make_machine(name, begun.game, begun.start) for name in names]
    try:
        return play_game(begun, (players[0], players[1]), names, seed=seed)
    finally:
        for one in players:
            one.close()


def cells(parameters: ScoutParameters) -> list[Cell]:
    """All levels meet the programs after the same openings; the expert thinks longest."""
    begun = openings(GAME, OPENING_PLIES, parameters.match_pairs, parameters.seed)
    return [
        Cell.of(
            play_level,
            level=level,
            depth=parameters.match_depth,
            openings=begun[at : at + OPENINGS_PER_CELL],
            seed=parameters.seed * 1_000_003 + at,
        )
        for level in reversed(LEVELS)
        for at in range(0, len(begun), OPENINGS_PER_CELL)
    ]


# ------------------------------------------------------------------ results


def games_of(results: Results, level: str) -> Games:
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in PROGRAMS}
    for _, measured in results.of(play_level, level=level):
        for name, games in measured.answer["games"].items():
            found[name] += games
    return found


def points_share(games: Sequence[Mapping[str, Any]]) -> Estimate:
    """The program's share of the points; the two games of an opening belong together."""
    points = [game["points"] for game in games]
    by_opening = [fmean(points[at : at + 2]) for at in range(0, len(points), 2)]
    found = mean(by_opening)
    if len(by_opening) < 2 or len(set(by_opening)) == 1:
        return share(sum(by_opening), len(by_opening))
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))


def counted(games: Sequence[Mapping[str, Any]]) -> tuple[int, int, int]:
    """Won, drawn and lost."""
    points = [game["points"] for game in games]
    return points.count(1.0), points.count(0.5), points.count(0.0)


def same_games(games: Games) -> tuple[int, int]:
    """How many games of SCOUT are alpha-beta's, move for move; of how many."""
    both = list(zip(games[SCOUT], games[ALPHA_BETA], strict=True))
    return sum(one["moves"] == other["moves"] for one, other in both), len(both)


# ------------------------------------------------------------------ report


def section(parameters: ScoutParameters, results: Results, same_values: tuple[int, int]) -> Section:
    """The games beside the study's, and what was claimed; `same_values` is of the searches."""
    found = {level: games_of(results, level) for level in LEVELS}
    everything = {name: [one for games in found.values() for one in games[name]] for name in NAMES}
    theirs = study().tables["games"]
    drawn, of = sum(row[4] for row in _totals(theirs)), sum(row[2] for row in _totals(theirs))
    ours = sum(counted(games)[1] for games in everything.values())
    first = points_share([one for games in found.values() for one in games[PRINTED]])
    scout = points_share(everything[SCOUT])
    return Section(
        "Games against three classes of players",
        [
            Text(
                f"Every level plays {2 * parameters.match_pairs} games with each program at depth "
                f"{parameters.match_depth}, from openings of {OPENING_PLIES} random moves. The "
                "levels are programs, not people: they say how a program's results change with "
                "the strength of its opponent, and nothing of how strong the study's people were. "
                f"{drawn} of the study's {of} games were drawn, of ours {ours} of "
                f"{sum(map(len, everything.values()))}: at Othello a draw takes 32 discs each.\n\n"
                f"The first legal move, which the printed procedure keeps, takes "
                f"{first.as_share()} of all points, SCOUT {scout.as_share()}. The study's SCOUT "
                "won most of its games; so its results, unlike its counts, are hardly those of the "
                "procedure that it prints."
            ),
            Beside(theirs, _results_table(found)),
            _shares_table(found),
            _chart(found),
            claim_plays_better(everything, same_values),
            claim_beats_experts(found["expert"][SCOUT]),
            claim_beats_others(found["amateur"][SCOUT], found["medium"][SCOUT]),
        ],
    )


def _totals(table: Table) -> list[list[int]]:
    return [[0, 0, *map(int, map(str, row[2:]))] for row in table.rows if row[1] == "all"]


def _results_table(found: Mapping[str, Games]) -> Table:
    rows: list[list[Value]] = []
    for program, name in PROGRAMS.items():
        by_level = {level: games[program] for level, games in found.items()}
        by_level["all"] = [game for games in by_level.values() for game in games]
        rows += [[name, level, len(games), *counted(games)] for level, games in by_level.items()]
    return Table("Games against three levels", study().tables["games"].columns, rows)


def _shares_table(found: Mapping[str, Games]) -> Table:
    rows: list[list[Value]] = []
    for level, games in found.items():
        same, of = same_games(games)
        alike = {SCOUT: None, ALPHA_BETA: same / of, PRINTED: None}
        for program, name in PROGRAMS.items():
            points = points_share(games[program])
            rows.append([level, name, points.value, points.low, points.high, alike[program]])
    columns = [Column("against"), Column("program"), Column("points", 0, as_percent=True)]
    columns += [Column(end, 0, as_percent=True) for end in ("from", "to")]
    columns += [Column("games that are SCOUT's, move for move", 0, as_percent=True)]
    return Table("Shares of the points", columns, rows, "Intervals of 95 %, by openings.")


def _chart(found: Mapping[str, Games]) -> Chart:
    rows = [
        {"against": level, "points": one.value, "low": one.low, "high": one.high, "program": name}
        for level, games in found.items()
        for name, one in [
            *_published_shares(level),
            *((f"{name}, ours", points_share(games[key])) for key, name in NAMES.items()),
        ]
    ]
    spec = bars(rows, "against", "points", "program", low="low", high="high")
    note = "Against people in the study, against levels here. SCOUT and alpha-beta play alike."
    return Chart("points-by-level", "Share of the points by opponent", spec, note)


def _published_shares(level: str) -> list[tuple[str, Estimate]]:
    for name, against, games, won, drawn, _ in study().tables["games"].rows:
        if against == level:
            total = int(str(games))
            return [
                (f"{name}, published", share(int(str(won)) + int(str(drawn)) / 2, total)),
            ]
    return []


# ------------------------------------------------------------------ claims


def claim_plays_better(games: Games, same_values: tuple[int, int]) -> Claim:
    """By whether the two can be told apart at all."""
    same, of = same_games(games)
    scout, alpha_beta = points_share(games[SCOUT]), points_share(games[ALPHA_BETA])
    if same == of and same_values[0] == same_values[1]:
        verdict = Verdict.CONTRADICTED
        reason = (
            "Both compute the minimax value, so at equal depth and heuristic they play the same "
            "moves: every game with one was the game with the other. The study's results differ "
            "by more than chance; so its two programs did not search the same."
        )
    elif scout.low > alpha_beta.high:
        verdict, reason = Verdict.REPRODUCED, "SCOUT takes more points."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "They play differently, and neither plays better."
    return Claim(
        "SCOUT plays better than alpha-beta, with the same heuristic and depth.",
        "20 won, 7 drawn, 3 lost against 6 won, 10 drawn, 14 lost (section 6.2): wins of "
        f"{share(20, 30).as_share()} and {share(6, 30).as_share()}",
        f"{same} of {of} games are the same, move for move; equal values in {same_values[0]} of "
        f"{same_values[1]} searches",
        verdict,
        reason,
    )


def claim_beats_experts(games: Sequence[Mapping[str, Any]]) -> Claim:
    points = points_share(games)
    won, drawn, lost = counted(games)
    if points.low > EVEN:
        verdict, reason = Verdict.REPRODUCED, "It takes more than half of the points."
    elif won:
        verdict = Verdict.IN_DIRECTION
        reason = (
            "It wins some games, as in the study, where the expert won three and lost two; to "
            "beat somebody is to take more than half."
        )
    elif points.high < EVEN:
        verdict, reason = Verdict.CONTRADICTED, "It wins no game."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "It wins no game, but played few."
    return Claim(
        "SCOUT can beat even an expert.",
        "2 won, 5 drawn, 3 lost: 45 % of the points (section 6.2)",
        f"against our expert {won} won, {drawn} drawn, {lost} lost: {points.as_share()}",
        verdict,
        f"{reason} Our expert is a program that looks about as far as SCOUT does.",
    )


def claim_beats_others(
    amateur: Sequence[Mapping[str, Any]], medium: Sequence[Mapping[str, Any]]
) -> Claim:
    shares = points_share(amateur), points_share(medium)
    if all(one.low > EVEN for one in shares):
        verdict, reason = Verdict.REPRODUCED, "It takes most of the points from both."
    elif all(one.value > EVEN for one in shares):
        verdict, reason = Verdict.IN_DIRECTION, "It is ahead, but the games are too few to be sure."
    else:
        verdict, reason = Verdict.CONTRADICTED, "It does not."
    return Claim(
        "SCOUT beats an amateur and a medium player.",
        "10 of 10 won; 8 won and 2 drawn of 10 (section 6.2)",
        f"amateur {shares[0].as_share()}, medium {shares[1].as_share()} of the points",
        verdict,
        reason,
    )
