"""Games against the report's three opponents, and of its first heuristic against chance.

`random` plays any legal move. `better-random` plays one of the two moves that look best to the same
heuristics. `random-start` plays some random moves of its own and then as the report's player does;
the report does not say how many, here eight. All games begin at the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground.lab.catalogue.reversi_weights.setting import (
    EVEN,
    JUDGE,
    ReversiParameters,
    match_cells,
    player,
    points_of,
    points_share,
    study,
)
from plyground.lab.report import Beside, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Results
from plyground.lab.statistics import Estimate, share

RANDOM, BETTER, START = "random", "better-random", "random-start"
GREEDY, DEEP = "score alone, one ply", "score alone"
OPPONENTS = (RANDOM, BETTER, START)

Pairs = Sequence[Sequence[float]]


def cells(parameters: ReversiParameters) -> list[Cell]:
    """Random is met most often: losses to it are rare."""
    own, depth, seed = player(parameters.depth), parameters.depth, parameters.seed
    few, many = parameters.chance_pairs, parameters.random_pairs
    matches = {
        START: ([own, f"random-start(moves=8,then={own})"], few),
        RANDOM: ([own, "random"], many),
        DEEP: ([f"alphabeta:depth={depth},eval=discs", "random"], few),
        BETTER: ([own, f"better-random:eval={JUDGE}"], few),
        GREEDY: (["alphabeta:depth=1,eval=discs", "random"], few),
    }
    return [
        cell
        for name, (players, pairs) in matches.items()
        for cell in match_cells(name, players, pairs, 0, seed)
    ]


def lost(pairs: Pairs) -> int:
    return sum(point == 0 for pair in pairs for point in pair)


def losses(pairs: Pairs) -> Estimate:
    """The share of the games that were lost."""
    return share(lost(pairs), 2 * len(pairs))


# ------------------------------------------------------------------ report


def section(parameters: ReversiParameters, results: Results) -> Section:
    """Games beside the report's, and what was claimed."""
    found = {name: points_of(results, name) for name in (*OPPONENTS, DEEP, GREEDY)}
    return Section(
        "Games against chance",
        [
            Text(
                f"The report's player (depth {parameters.depth}, its weights, the last nine "
                "squares searched out) as Black and as White in turn. The last two rows are its "
                "first heuristic, the difference of discs, against random moves."
            ),
            Beside(study().tables["opponents"], _table(found)),
            _shares(found),
            claim_random(found[RANDOM]),
            claim_better_random(found[BETTER]),
            claim_which_is_worse(found[RANDOM], found[BETTER]),
            claim_random_start(found),
            claim_score(found[GREEDY], found[DEEP]),
        ],
    )


def _table(found: Mapping[str, Pairs]) -> Table:
    rows: list[list[Value]] = [
        [name, 2 * len(found[name]), lost(found[name])] for name in OPPONENTS
    ]
    return Table("Games of the report's player", study().tables["opponents"].columns, rows)


def _shares(found: Mapping[str, Pairs]) -> Table:
    rows: list[list[Value]] = []
    for name, pairs in found.items():
        points, bad = points_share(pairs), losses(pairs)
        who = ("the report's player", name) if name in OPPONENTS else (name, RANDOM)
        rows.append([*who, 2 * len(pairs), points.value, points.low, points.high])
        rows[-1] += [bad.value, bad.low, bad.high]
    columns = [Column("player"), Column("against"), Column("games")]
    for what in ("points", "lost"):
        columns += [Column(what, 1, as_percent=True)]
        columns += [Column(end, 1, as_percent=True) for end in ("from", "to")]
    return Table("Shares of points and losses", columns, rows, "Intervals of 95 %.")


def finding(parameters: ReversiParameters, results: Results) -> str:
    """In a sentence."""
    pairs = points_of(results, RANDOM)
    return f"Against random moves its player lost {lost(pairs)} of {2 * len(pairs)} games."


# ------------------------------------------------------------------ claims


def claim_random(pairs: Pairs) -> Claim:
    found = losses(pairs)
    if found.low <= 1 / 70 <= found.high:
        verdict = Verdict.REPRODUCED if lost(pairs) else Verdict.NOT_TESTABLE
        reason = "So it does." if lost(pairs) else "No game was lost, but too few were played."
    elif lost(pairs):
        verdict, reason = Verdict.IN_DIRECTION, "It loses now and then, but not so often."
    else:
        verdict, reason = Verdict.CONTRADICTED, "It does not lose; one loss in 70 would have shown."
    return Claim(
        "The player loses one game in 70 to random moves.",
        "1 of 70 (section 3.3.1)",
        f"{lost(pairs)} of {2 * len(pairs)} games lost: {found.as_share(1)}",
        verdict,
        reason,
    )


def claim_better_random(pairs: Pairs) -> Claim:
    points = points_share(pairs)
    won = sum(point == 1 for pair in pairs for point in pair)
    if won == 2 * len(pairs):
        verdict, reason = Verdict.REPRODUCED, "It wins every game."
    elif points.low > EVEN:
        verdict, reason = Verdict.IN_DIRECTION, "It wins, but not every game."
    else:
        verdict, reason = Verdict.CONTRADICTED, "It does not win."
    return Claim(
        "Better-random loses every game.",
        "100 of 100 (section 3.3.2)",
        f"{won} of {2 * len(pairs)} games won by the report's player",
        verdict,
        reason,
    )


def claim_which_is_worse(random: Pairs, better: Pairs) -> Claim:
    one, other = points_share(random), points_share(better)
    if other.low > one.high:
        verdict, reason = Verdict.REPRODUCED, "Better-random takes fewer points."
    elif other.high < one.low:
        verdict, reason = Verdict.CONTRADICTED, "Better-random takes more points."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "Both lose nearly always; no difference shows."
    return Claim(
        "Better-random does worse than random, since minimax expects good replies.",
        "no win in 100 against one in 70",
        f"the player's points: {one.as_share(1)} against random, {other.as_share(1)} against "
        "better-random",
        verdict,
        reason,
    )


def claim_random_start(found: Mapping[str, Pairs]) -> Claim:
    points = {name: points_share(found[name]) for name in OPPONENTS}
    if all(points[START].high < points[name].low for name in (RANDOM, BETTER)):
        verdict, reason = Verdict.REPRODUCED, "It takes more points than the others."
    elif points[START].value < min(points[name].value for name in (RANDOM, BETTER)):
        verdict, reason = Verdict.IN_DIRECTION, "It takes more points, but the games are few."
    else:
        verdict, reason = Verdict.CONTRADICTED, "It takes no more points than the others."
    return Claim(
        "Random-start is a better opponent than the other two.",
        "section 3.3.3, without numbers",
        "the player's points: "
        + ", ".join(f"{name} {one.as_share(1)}" for name, one in points.items()),
        verdict,
        reason,
    )


def claim_score(greedy: Pairs, deep: Pairs) -> Claim:
    one, other = points_share(greedy), points_share(deep)
    if one.high < EVEN and other.high < EVEN:
        verdict, reason = Verdict.REPRODUCED, "Random moves take more than half of the points."
    elif one.high < EVEN or other.high < EVEN:
        verdict, reason = Verdict.IN_DIRECTION, "At one of the depths they do."
    elif one.value >= EVEN and other.low > EVEN:
        verdict = Verdict.CONTRADICTED
        reason = "The difference of discs is a poor guide, but better than none, and more so deep."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "The games are too few to tell."
    return Claim(
        "Random moves do better than a search by the score alone.",
        "section 3.3.1; the depth is not told",
        f"points of the search: {one.as_share()} at one ply, {other.as_share()} at full depth",
        verdict,
        reason,
    )
