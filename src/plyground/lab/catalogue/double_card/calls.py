"""Figures 1 and 2: the time that the machine spends in its heuristic as the board fills."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from plyground.lab.catalogue.double_card.drawing import lines_by_card
from plyground.lab.catalogue.double_card.figures import SECOND_MOVE, after_second_move
from plyground.lab.catalogue.double_card.findings import Searched, by_laid
from plyground.lab.catalogue.double_card.tasks import (
    ALPHA_BETA,
    ALPHA_BETA_SECOND,
    FIRST,
    MINIMAX,
    SECOND,
)
from plyground.lab.report import Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.statistics import Estimate, mean, median, ratio, share

CALLERS = {"heuristic 1": (FIRST, ALPHA_BETA), "heuristic 2": (SECOND, ALPHA_BETA_SECOND)}
SHORTEST_S = 1e-9  # of a call: less is a clock that jumped


def heuristic_section(positions: Sequence[Searched]) -> Section:
    """Figures 1 and 2."""
    return Section(
        "Figures 1 and 2: time of the heuristics",
        [
            Text(
                "The report plots the time that the machine spends in its heuristic for a move. "
                "That is the number of calls, the leaves of alpha-beta at two plies, times the "
                "time of a call. A call is timed in machine code on all positions one move ahead; "
                "playing the moves is taken off. Both heuristics judge all stretches of the board "
                "at once by operations on 64-bit words. So neither the threshold of heuristic 2 "
                "nor a history table has any work to save, and a call should cost the same on "
                "every board."
            ),
            calls_by_card(positions),
            Chart(
                "heuristic-time",
                "Figures 1 and 2: time in the heuristic for one move",
                lines_by_card(
                    positions,
                    CALLERS,
                    lambda one, name: 1e6 * heuristic_time_s(one, name),
                    median,
                    "time in µs",
                    log=False,
                ),
                "Medians with 95 % intervals: calls of alpha-beta times the time of a call.",
                is_timed=True,
            ),
            Chart(
                "calls-per-second",
                "Positions judged in a second",
                lines_by_card(
                    positions,
                    CALLERS,
                    lambda one, name: 1e-6 / max(SHORTEST_S, one.call_s[CALLERS[name][0]]),
                    median,
                    "millions per second",
                    log=False,
                ),
                "The lines are level if a call costs the same on every board.",
                is_timed=True,
            ),
            slower_claim(positions),
            wavering_claim(positions),
            flatness_claim(positions),
        ],
    )


def heuristic_time_s(position: Searched, name: str) -> float:
    """What a move costs in calls of a heuristic."""
    heuristic, caller = CALLERS[name]
    return position.leaves[caller] * position.call_s[heuristic]


def calls_by_card(positions: Iterable[Searched]) -> Table:
    """Calls for a move, and time of a call, by cards."""
    rows: list[list[Value]] = [
        [
            laid,
            len(group),
            *[mean(one.leaves[caller] for one in group).value for _, caller in CALLERS.values()],
            *[
                1e9 * median(one.call_s[name] for one in group).value
                for name, _ in CALLERS.values()
            ],
        ]
        for laid, group in by_laid(positions).items()
    ]
    columns = [Column("cards laid"), Column("positions")]
    columns += [Column(f"calls, {name}", 0) for name in CALLERS]
    columns += [Column(f"ns per call, {name}", 0, is_timed=True) for name in CALLERS]
    return Table("Calls of the heuristics for one move, and what a call takes", columns, rows)


def slower_claim(positions: Iterable[Searched]) -> Claim:
    """Heuristic 1 is slower."""
    found = ratio((one.call_s[FIRST], one.call_s[SECOND]) for one in positions)
    if found.low > 1:
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.CONTRADICTED if found.high < 1 else Verdict.NOT_TESTABLE
    return Claim(
        "Heuristic 1 takes more time than heuristic 2.",
        "section 3.3, figures 1 and 2",
        f"a call of heuristic 1 takes {found} times as long",
        verdict,
        "Compared on the same positions; decided if the interval does not hold 1.",
        is_timed=True,
    )


def wavering_claim(positions: Iterable[Searched]) -> Claim:
    """The time does not always grow with the cards."""
    falls: dict[str, Estimate] = {}
    for name, (_, caller) in CALLERS.items():
        series = [calls for calls in calls_by_player(positions, caller) if len(calls) > 2]
        falling = sum(any(b < a for a, b in pairwise(calls)) for calls in series)
        falls[name] = share(falling, len(series))
    least = min(each.low for each in falls.values())
    if least > 0.5:
        verdict = Verdict.REPRODUCED
    else:
        never = all(each.value == 0 for each in falls.values())
        verdict = Verdict.CONTRADICTED if never else Verdict.IN_DIRECTION
    return Claim(
        "The heuristic's time for a move does not always grow with the cards on the board.",
        "sections 3.1 and 3.2, figures 1 and 2",
        "; ".join(
            f"{name}: from one move to the next the calls fall at least once in {each.as_share()} "
            "of the games"
            for name, each in falls.items()
        ),
        verdict,
        "Counted in calls, since ours cost the same on every board; reproduced if that happens in "
        "most games of three moves or more. Neither a history table nor a threshold is "
        "needed for it.",
    )


def calls_by_player(positions: Iterable[Searched], caller: str) -> list[list[int]]:
    """The calls for each move of a player, game by game."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one in positions:
        if not one.meets_moving:
            found[one.game, one.made % 2].append(one.leaves[caller])
    return list(found.values())


def flatness_claim(positions: Sequence[Searched]) -> Claim:
    """As the board fills there are fewer valid positions to judge."""
    late = [one.leaves[MINIMAX] for one in after_second_move(positions)]
    early = [one.leaves[MINIMAX] for one in positions if one.laid < SECOND_MOVE]
    first, later = mean(early), mean(late)
    if later.high < first.low:
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.CONTRADICTED if later.low > first.high else Verdict.NOT_TESTABLE
    return Claim(
        "As the board fills it is less flat, and fewer positions are left to be judged.",
        "section 3.1, second reason",
        f"leaves of minimax at two plies: {first.as_number(0)} with one card of one's own, "
        f"{later.as_number(0)} later",
        verdict,
        "Decided if the intervals of the two means do not meet.",
    )
