"""What each heuristic adds, and the printed weights against weights from games.

Ablation: one heuristic's weights are set to zero in all stages, and the player with all five plays
the player without it. The report changed weights one at a time and looked whether the result of
a hundred games changed; nothing massive came of it.

Fitted weights: the positions of some games of the printed weights, and how those games ended. The
weights of a stage are those that come nearest to the final scores, by least squares, over the
report's own five heuristics and its own table of squares. The sums are whole numbers and are
solved as fractions, so that the same games give the same weights on every machine. Matches are
played with weights fitted once, by the default parameters; they begin with other openings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from plyground.evaluation.othello_stages import Stages
from plyground.games.catalogue import find_game
from plyground.games.rules import FIRST, play, side
from plyground.kernel import Slab
from plyground.lab.catalogue.reversi_weights.heuristics import HEURISTICS, STAGES, write_heuristics
from plyground.lab.catalogue.reversi_weights.setting import (
    EVEN,
    GAME,
    JUDGE,
    ReversiParameters,
    match_cells,
    player,
    points_of,
    points_share,
    study,
)
from plyground.lab.charts import bars
from plyground.lab.report import Beside, Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.spec import Cell, Measured, Results
from plyground.lab.statistics import Estimate
from plyground.lab.tasks import openings, play_games

NAMES = ("score", "mobility", "stability", "squares", "frontier")
STAGE_NAMES = ("early", "middle", "end", "last")
OPENING_PLIES, FIT_PLIES = 6, 8
FIT_PAIRS_PER_CELL = 10
TEACHER = "alphabeta:depth=2,eval=stages,ties=random,noise=10%"
SCALE = 100  # a disc at the end of the game
OTHER_SEED = 7919  # fitted and played games have nothing in common

FITTED: Mapping[str, Sequence[int]] = {
    "early": (-67, -14, 532, 1, -65),
    "middle": (-45, 27, 230, 1, -24),
    "end": (5, 60, 119, 0, 65),
    "last": (61, 237, 52, -2, 83),
}
"""By stage: what `fit` makes of the default parameters, in hundredths of a disc."""

Sums = list[list[list[int]]]
"""By stage: how often each pair of heuristics, and each heuristic and the final score, agree."""


# ------------------------------------------------------------------ players


def without(name: str) -> str:
    """The evaluator with one heuristic left out."""
    return f"{JUDGE}({','.join(f'{stage}_{name}=0' for stage in STAGE_NAMES)})"


def with_weights(weights: Mapping[str, Sequence[int]]) -> str:
    """The evaluator with these weights."""
    given = [
        f"{stage}_{name}={weight}"
        for stage, row in weights.items()
        for name, weight in zip(NAMES, row, strict=True)
    ]
    return f"{JUDGE}({','.join(given)})"


RIVALS = {
    "fitted weights": with_weights(FITTED),
    "factors": "factors",
    "mobility": "mobility",
    "positional": "positional",
    "discs": "discs",
}


# ------------------------------------------------------------------ cells


def cells(parameters: ReversiParameters) -> list[Cell]:
    """Matches of the report's player against each other one, and the games to fit weights to."""
    own, seed = player(parameters.depth), parameters.seed
    judges = {f"without {name}": without(name) for name in NAMES} | RIVALS
    found = [
        cell
        for name, judge in judges.items()
        for cell in match_cells(
            name, [own, player(parameters.depth, judge)], parameters.pairs, OPENING_PLIES, seed
        )
    ]
    begun = openings(GAME, FIT_PLIES, parameters.fitted_pairs, seed + OTHER_SEED)
    return found + [
        Cell.of(sum_games, openings=begun[at : at + FIT_PAIRS_PER_CELL], number=seed * 100_000 + at)
        for at in range(0, len(begun), FIT_PAIRS_PER_CELL)
    ]


def sum_games(openings: Sequence[str], number: int) -> Measured:
    """What least squares need to know of all positions after the openings."""
    game = find_game(GAME)
    values, judge = Slab(HEURISTICS + 1), Stages()
    sums: Sums = [[[0] * (HEURISTICS + 1) for _ in range(HEURISTICS)] for _ in range(STAGES)]
    positions = [0] * STAGES
    for place, opening in enumerate(openings):
        pair = play_games(GAME, [TEACHER, TEACHER], opening, number=number + place)
        for one in pair.answer["games"]:
            state = game.initial()
            for ply, move in enumerate(game.parse_moves(state, " ".join(one["moves"]))):
                if ply >= FIT_PLIES:
                    stage = int(write_heuristics(judge, state, values))
                    final = one["outcome"] if side(state) == FIRST else -one["outcome"]
                    _add(sums[stage], [values[i] for i in range(HEURISTICS)], final)
                    positions[stage] += 1
                state = play(state, move)
    return Measured({"sums": sums, "positions": positions})


def _add(sums: list[list[int]], values: Sequence[int], final: int) -> None:
    for row, value in zip(sums, values, strict=True):
        for place, other in enumerate((*values, final)):
            row[place] += value * other


# ------------------------------------------------------------------ fitting


def fit(results: Results) -> dict[str, list[int]]:
    """The weights of each stage that come nearest to the final scores, in hundredths of a disc."""
    total: Sums = [[[0] * (HEURISTICS + 1) for _ in range(HEURISTICS)] for _ in range(STAGES)]
    for _, found in results.of(sum_games):
        for stage, rows in enumerate(found.answer["sums"]):
            for mine, other in zip(total[stage], rows, strict=True):
                mine[:] = [one + more for one, more in zip(mine, other, strict=True)]
    return {
        name: [round(SCALE * weight) for weight in solve(total[stage])]
        for stage, name in enumerate(STAGE_NAMES)
    }


def solve(rows: Sequence[Sequence[int]]) -> list[Fraction]:
    """The solution of linear equations, exactly; 0 for what they leave open."""
    left = [[Fraction(number) for number in row] for row in rows]
    pivots: dict[int, list[Fraction]] = {}
    for place in range(len(rows)):
        row = next((one for one in left if one[place]), None)
        if row is None:
            continue
        left.remove(row)
        row = [number / row[place] for number in row]
        left = [_less(one, row, one[place]) for one in left]
        pivots = {at: _less(one, row, one[place]) for at, one in pivots.items()} | {place: row}
    return [pivots[place][-1] if place in pivots else Fraction(0) for place in range(len(rows))]


def _less(row: list[Fraction], other: list[Fraction], times: Fraction) -> list[Fraction]:
    return [one - times * two for one, two in zip(row, other, strict=True)]


# ------------------------------------------------------------------ report


def section(parameters: ReversiParameters, results: Results) -> Section:
    """Ablation, weights from games, and what was claimed."""
    ablated = {name: points_share(points_of(results, f"without {name}")) for name in NAMES}
    rivals = {name: points_share(points_of(results, name)) for name in RIVALS}
    positions = sum(sum(found.answer["positions"]) for _, found in results.of(sum_games))
    return Section(
        "The weights",
        [
            Text(
                f"Matches of {2 * parameters.pairs} games at depth {parameters.depth}, from "
                f"openings of {OPENING_PLIES} random moves, sides exchanged; all players search "
                "the last nine squares out. The points are those of the report's player with its "
                "printed weights: more than half against a player without a heuristic means that "
                "the heuristic helps, less than half that it harms."
            ),
            _table("Without one heuristic", "left out", ablated),
            _chart(ablated, rivals),
            _table("Against other weights and other evaluators", "against", rivals),
            Beside(study().tables["weights"], _weights_table("Weights fitted to games", FITTED)),
            _weights_table(f"Weights fitted in this run, to {positions:,} positions", fit(results)),
            claim_each_helps(ablated),
            claim_stability_and_squares(ablated),
            claim_better_weights(rivals["fitted weights"]),
        ],
    )


def _table(title: str, first: str, found: Mapping[str, Estimate]) -> Table:
    rows: list[list[Value]] = [[name, one.value, one.low, one.high] for name, one in found.items()]
    columns = [Column(first), Column("points of the printed weights", 1, as_percent=True)]
    columns += [Column(end, 1, as_percent=True) for end in ("from", "to")]
    return Table(title, columns, rows, "Intervals of 95 %, by pairs of games.")


def _weights_table(title: str, weights: Mapping[str, Sequence[int]]) -> Table:
    rows: list[list[Value]] = [[stage, *row] for stage, row in weights.items()]
    note = "In hundredths of a disc at the end of the game."
    return Table(title, study().tables["weights"].columns, rows, note)


def _chart(ablated: Mapping[str, Estimate], rivals: Mapping[str, Estimate]) -> Chart:
    named = {f"without {name}": one for name, one in ablated.items()} | dict(rivals)
    rows = [
        {"against": name, "points": one.value, "low": one.low, "high": one.high, "of": JUDGE}
        for name, one in named.items()
    ]
    return Chart(
        "points-by-weights",
        "Points of the printed weights",
        bars(rows, "against", "points", "of", low="low", high="high"),
        "Half of the points means that the change makes no difference.",
    )


def finding(parameters: ReversiParameters, results: Results) -> str:
    """In a sentence."""
    ablated = {name: points_share(points_of(results, f"without {name}")) for name in NAMES}
    most = max(ablated, key=lambda name: ablated[name].value)
    fitted = points_share(points_of(results, "fitted weights"))
    return (
        f"Of the five heuristics {most} adds most ({ablated[most].as_share()} of the points "
        "against a player without it). The printed weights take "
        f"{fitted.as_share()} against weights for the same heuristics that least squares fit to a "
        "few hundred games."
    )


# ------------------------------------------------------------------ claims


def claim_each_helps(found: Mapping[str, Estimate]) -> Claim:
    helps = [name for name, one in found.items() if one.low > EVEN]
    harms = [name for name, one in found.items() if one.high < EVEN]
    if len(helps) == len(found):
        verdict, reason = Verdict.REPRODUCED, "Without any of them the player is weaker."
    elif harms:
        verdict = Verdict.CONTRADICTED
        reason = f"With these weights the player is stronger without {' and '.join(harms)}."
    elif helps:
        verdict, reason = Verdict.IN_DIRECTION, f"For certain {' and '.join(helps)} help."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "The games are too few to tell."
    return Claim(
        "Five heuristics together, weighted by stage, make the player.",
        "sections 2.1 and 2.2, without numbers",
        "points against the player without: "
        + "; ".join(f"{name} {one.as_share()}" for name, one in found.items()),
        verdict,
        reason,
    )


def claim_stability_and_squares(found: Mapping[str, Estimate]) -> Claim:
    both = [found[name] for name in ("stability", "squares")]
    if all(one.low > EVEN for one in both):
        verdict, reason = Verdict.REPRODUCED, "Without either it is weaker."
    elif any(one.low > EVEN for one in both):
        verdict, reason = Verdict.IN_DIRECTION, "For certain that holds of one of them."
    elif all(one.high < EVEN for one in both):
        verdict, reason = Verdict.CONTRADICTED, "Without either it is stronger."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "The games do not tell."
    return Claim(
        "Stability and the worth of squares made the player much stronger.",
        "from then on better-random lost every game (section 3.3.2)",
        f"points against the player without: stability {both[0].as_share()}, squares "
        f"{both[1].as_share()}",
        verdict,
        reason,
    )


def claim_better_weights(found: Estimate) -> Claim:
    if found.high < EVEN:
        verdict = Verdict.REPRODUCED
        reason = (
            "They could: least squares find better ones from games of the printed weights "
            "themselves, without any stronger opponent."
        )
    elif found.low > EVEN:
        verdict, reason = Verdict.CONTRADICTED, "The printed weights are better than fitted ones."
    else:
        verdict, reason = Verdict.NOT_TESTABLE, "The fitted weights are neither better nor worse."
    return Claim(
        "The player could be stronger with other weights, which its opponents could not show.",
        "sections 2.2, 3.3.3 and 5, without numbers",
        f"the printed weights take {found.as_share()} of the points against fitted ones",
        verdict,
        reason,
    )
