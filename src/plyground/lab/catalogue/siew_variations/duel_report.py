"""Table 1 as it was printed and as it came out, and what the study concludes from it."""

from __future__ import annotations

from plyground.lab.catalogue.siew_variations.duel import (
    BY_CHANCE,
    EVEN,
    ONCE,
    OPENING_PLIES,
    PRINTED,
    RIVALS,
    TRUE,
    Pairs,
    are_twins,
    first_mover_share,
    pairs_of,
    points_share,
)
from plyground.lab.catalogue.siew_variations.setting import (
    NEARLY_PERFECT_FROM,
    SiewParameters,
    depths,
    study,
)
from plyground.lab.charts import lines
from plyground.lab.report import Beside, Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Results

PLAYER_1 = "player 1"


def section(parameters: SiewParameters, results: Results) -> Section:
    """Table 1 beside ours, the shares with their intervals, and what was claimed."""
    found = {
        match: {
            depth: pairs_of(results, match, [("minimax", depth), (rival, depth)])
            for depth in depths(parameters)
        }
        for match, rival in RIVALS.items()
    }
    return Section(
        "Table 1: minimax against Althöfer's algorithm",
        [
            Text(
                "Algorithm 1 of the study computes the static value of every inner node and never "
                "uses it: what is left is alpha-beta, which plays as minimax does. So the match "
                "is minimax against itself, and only the first move can tell the sides apart. "
                "The bots have no chance in them, so from the empty board there is one game for "
                "each depth; the study does not say how its three came to differ. More games "
                "come from ties broken at random, or from openings of "
                f"{OPENING_PLIES} random moves. Every game is played twice, sides exchanged."
            ),
            Beside(study().tables["table 1"], _games_won(found)),
            _shares(found),
            _chart(found),
            claim_first_wins(found[ONCE], found[BY_CHANCE], found[PRINTED]),
            claim_chance_below(found[BY_CHANCE], found[PRINTED]),
            claim_other_algorithm(found[PRINTED]),
            claim_holds_its_own(found[TRUE]),
        ],
    )


def _games_won(found: dict[str, dict[int, Pairs]]) -> Table:
    """Games with minimax moving first: the one without chance, and the first two with some."""
    names = {1.0: PLAYER_1, 0.0: "player 2", 0.5: "draw"}
    rows: list[list[Value]] = [
        [depth, *[names[pair["points"][0]] for pair in [*found[ONCE][depth], *pairs[:2]]]]
        for depth, pairs in found[BY_CHANCE].items()
    ]
    return Table(
        "three games from the empty board, player 1 being minimax",
        study().tables["table 1"].columns,
        rows,
        "Game 1 is the only one there is without chance; games 2 and 3 break ties at random.",
    )


def _shares(found: dict[str, dict[int, Pairs]]) -> Table:
    rows: list[list[Value]] = []
    for match, by_depth in found.items():
        for depth, pairs in by_depth.items():
            first, minimax = first_mover_share(pairs), points_share(pairs)
            games = [game for pair in pairs for game in pair["games"]]
            twins = sum(are_twins(pair) for pair in pairs)
            rows.append([match, depth, len(games), len(set(games)), twins / len(pairs)])
            rows[-1] += [first.value, first.low, first.high]
            rows[-1] += [minimax.value, minimax.low, minimax.high]
    columns = [Column("Althöfer's algorithm is"), Column("depth"), Column("games")]
    columns += [Column("different"), Column("pairs that are one game twice", 0, as_percent=True)]
    for who in ("who moves first", "minimax"):
        columns += [Column(f"points of {who}", 0, as_percent=True)]
        columns += [Column(end, 0, as_percent=True) for end in ("from", "to")]
    return Table(
        "Who wins: the side that moves first, or the algorithm",
        columns,
        rows,
        "Intervals of 95 %, by pairs of games. If all pairs are one game twice, the algorithm made "
        "no difference at all, and minimax has exactly half of the points.",
    )


def _chart(found: dict[str, dict[int, Pairs]]) -> Chart:
    named = {
        "who moves first, empty board": (BY_CHANCE, first_mover_share),
        "who moves first, random openings": (PRINTED, first_mover_share),
        "minimax against the printed algorithm": (PRINTED, points_share),
        "minimax against the true algorithm": (TRUE, points_share),
    }
    rows = [
        {"depth": depth, "share": one.value, "series": name, "low": one.low, "high": one.high}
        for name, (match, measure) in named.items()
        for depth, one in ((depth, measure(pairs)) for depth, pairs in found[match].items())
    ]
    return Chart(
        "table-1-points",
        "Share of the points by depth",
        lines(rows, "depth", "share", "series", low="low", high="high", y_title="points"),
        "Against the printed algorithm minimax takes exactly half: it meets itself.",
    )


def finding(parameters: SiewParameters, results: Results) -> str:
    """In a sentence."""
    rivals = {
        match: [
            pair
            for depth in depths(parameters)
            for pair in pairs_of(results, match, [("minimax", depth), (RIVALS[match], depth)])
        ]
        for match in (PRINTED, TRUE)
    }
    twins = sum(are_twins(pair) for pair in rivals[PRINTED])
    return (
        "Althöfer's algorithm as the study prints it is alpha-beta: against minimax "
        f"{twins} of {len(rivals[PRINTED])} pairs of games were one game twice, so its Table 1 "
        "shows who moved first, and nothing else. Against the true algorithm minimax takes "
        f"{points_share(rivals[TRUE]).as_share()} of the points over all depths."
    )


# ------------------------------------------------------------------ claims


def claim_first_wins(
    once: dict[int, Pairs], by_chance: dict[int, Pairs], opened: dict[int, Pairs]
) -> Claim:
    """Of the one game there is without chance, and of many with some."""
    single = [pair["points"][0] for pair in _deep(once)]
    start, after_openings = first_mover_share(_deep(by_chance)), first_mover_share(_deep(opened))
    if not single:
        verdict, reason = Verdict.NOT_TESTABLE, "No game was played that deep."
    elif start.value == after_openings.value == 1:
        verdict, reason = Verdict.REPRODUCED, "Whoever moved first won every game."
    elif all(points == 1 for points in single):
        verdict = Verdict.IN_DIRECTION
        reason = (
            "The one game these bots play without chance is won by the first player at each of "
            "these depths, so three games may have been one game three times. With a little chance "
            "the second player wins too: the play is not perfect."
        )
    else:
        verdict = Verdict.CONTRADICTED
        reason = "Neither the game without chance nor those with some are always won by the first."
    return Claim(
        "From depth 4 on whoever moves first wins every game, for both play nearly perfectly.",
        f"{_printed_wins(True)} games at depths 4 to 6 (Table 1)",
        f"without chance {sum(single):g} of {len(single)}; with ties broken at random "
        f"{start.as_share()} of the points; from random openings {after_openings.as_share()}",
        verdict,
        reason,
    )


def claim_chance_below(by_chance: dict[int, Pairs], opened: dict[int, Pairs]) -> Claim:
    shares = {
        f"depth {depth}, {where}": first_mover_share(pairs)
        for where, found in (("empty board", by_chance), ("openings", opened))
        for depth, pairs in found.items()
        if depth < NEARLY_PERFECT_FROM
    }
    lopsided = [name for name, one in shares.items() if not one.low <= EVEN <= one.high]
    if not lopsided:
        verdict, reason = Verdict.REPRODUCED, "Nowhere does moving first, or second, pay."
    elif 2 * len(lopsided) <= len(shares):
        verdict = Verdict.IN_DIRECTION
        reason = f"Not everywhere: one side is favoured at {'; '.join(lopsided)}."
    else:
        verdict = Verdict.CONTRADICTED
        reason = f"One side is favoured at {'; '.join(lopsided)}."
    return Claim(
        "At depths 1 to 3 it is chance who wins.",
        f"player 1 won {_printed_wins(False)} games (Table 1)",
        "points of the first to move: "
        + "; ".join(f"{name}: {one.as_share()}" for name, one in shares.items()),
        verdict,
        reason,
    )


def claim_other_algorithm(printed: dict[int, Pairs]) -> Claim:
    pairs = [pair for each in printed.values() for pair in each]
    twins = sum(are_twins(pair) for pair in pairs)
    if twins == len(pairs):
        verdict = Verdict.CONTRADICTED
        reason = (
            "The printed algorithm never uses the static values it computes: it is alpha-beta, "
            "and chose the same move as minimax in every position of every game."
        )
    else:
        verdict, reason = Verdict.REPRODUCED, "The two do play differently."
    return Claim(
        "Table 1 sets minimax against an algorithm that is free of pathology.",
        "Algorithm 1, player 2 in all 18 games",
        f"{twins} of {len(pairs)} pairs of games are one game twice, with the sides exchanged",
        verdict,
        reason,
    )


def claim_holds_its_own(true: dict[int, Pairs]) -> Claim:
    by_depth = {depth: points_share(pairs) for depth, pairs in true.items()}
    worse = [depth for depth, one in by_depth.items() if one.high < EVEN]
    deep = _deep(true)
    if not deep:
        verdict, reason = Verdict.NOT_TESTABLE, "No game was played that deep."
    elif points_share(deep).high < EVEN:
        verdict, reason = Verdict.CONTRADICTED, "From depth 4 on it takes less than half."
    elif worse:
        verdict = Verdict.IN_DIRECTION
        reason = f"Not on the whole, but at depth {', '.join(map(str, worse))} it does."
    else:
        verdict, reason = Verdict.REPRODUCED, "At no depth does it take less than half for certain."
    return Claim(
        "Minimax does not lose to Althöfer's algorithm at Connect Four.",
        f"{_printed_wins(True)} games won at depths 4 to 6 (Table 1), but against itself",
        "minimax's points against the true algorithm: "
        + "; ".join(f"depth {depth}: {one.as_share()}" for depth, one in by_depth.items()),
        verdict,
        reason,
    )


def _printed_wins(are_deep: bool) -> str:
    """How many games player 1 won in the study, at great or at small depths."""
    results = [
        winner
        for depth, *winners in study().tables["table 1"].rows
        if (isinstance(depth, int) and depth >= NEARLY_PERFECT_FROM) == are_deep
        for winner in winners
    ]
    return f"{results.count(PLAYER_1)} of {len(results)}"


def _deep(found: dict[int, Pairs]) -> Pairs:
    return [
        pair for depth, pairs in found.items() if depth >= NEARLY_PERFECT_FROM for pair in pairs
    ]
