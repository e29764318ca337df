"""What was claimed, and the rules by which it is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plyground.lab.catalogue.family.findings import Searches
from plyground.lab.catalogue.family.setting import (
    ALPHABETA,
    GAMES,
    RIVALS,
    SCOUT,
    TWINS,
    kalah_study,
    plaat,
)
from plyground.lab.report import Claim, Verdict
from plyground.lab.statistics import Estimate

MOST_SHOWN = 5


# ------------------------------------------------------------------ values


def claim_exact(searches: Mapping[str, Searches], trees: Sequence[Mapping[str, Any]]) -> Claim:
    wrong = [f"{where}: {one}" for where, each in searches.items() for one in each.disagreements]
    wrong += [f"a tree: {tree['value']}" for tree in trees if len(set(tree["value"].values())) > 1]
    total = sum(len(each.positions) for each in searches.values()) + len(trees)
    if wrong:
        verdict = Verdict.CONTRADICTED
        reason = "VALUES DIFFER, which is an error in a program. " + "; ".join(wrong[:MOST_SHOWN])
    else:
        verdict, reason = Verdict.REPRODUCED, "No two values differ."
    return Claim(
        "All these algorithms compute the minimax value.",
        "each was published as such",
        f"{total:,} positions searched by several algorithms; values differ on {len(wrong):,}",
        verdict,
        reason,
    )


def claims_special_cases(trees: Sequence[Mapping[str, Any]]) -> list[Claim]:
    names = {"sss": "SSS*", "dual": "DUAL*"}
    return [_special_case(one, names[one], f"MT-{names[one]}", trees) for one in TWINS]


def _special_case(one: str, title: str, twin: str, trees: Sequence[Mapping[str, Any]]) -> Claim:
    same = sum(tree["same"][one] for tree in trees)
    verdict = Verdict.REPRODUCED if same == len(trees) else Verdict.CONTRADICTED
    return Claim(
        f"{title} is a special case of alpha-beta with memory: {twin} looks at the same leaves.",
        f"{plaat().citation.authors} ({plaat().citation.year})",
        f"the same set of leaves on {same:,} of {len(trees):,} trees",
        verdict,
        "On every tree the two sets of leaves are equal."
        if same == len(trees)
        else "There are trees on which one of them looks at a leaf that the other leaves out.",
    )


# ------------------------------------------------------------------ MTD(f) and its rivals


def claim_fewer_leaves(game: str, found: Estimate) -> Claim:
    low, high = plaat().numbers["leaves of MTD(f), per cent fewer than aspiration NegaScout's"]
    least, most = 1 - high / 100, 1 - low / 100
    verdict, reason = less(found, least, most)
    return Claim(
        f"{_title(game)}: MTD(f) evaluates 5 to 10 % fewer leaves than aspiration NegaScout.",
        f"{low} to {high} % fewer, on average, at {_their_games()}",
        f"times as many as with its best window: {found.as_number(3)}",
        verdict,
        reason,
    )


def claim_faster(game: str, found: Estimate) -> Claim:
    percent = plaat().numbers[
        "time of MTD(f) at checkers and Othello, per cent less than aspiration NegaScout's"
    ]
    verdict, reason = less(found, 1 - percent / 100, 1 - percent / 100)
    return Claim(
        f"{_title(game)}: MTD(f) takes {percent} % less time than aspiration NegaScout (time).",
        f"{percent} %, at checkers and Othello",
        f"times as long: {found.as_number(3)}",
        verdict,
        reason,
        is_timed=True,
    )


def less(found: Estimate, least: float, most: float) -> tuple[Verdict, str]:
    """Whether a ratio is below 1, and as far below as was claimed."""
    if found.low > 1:
        return Verdict.CONTRADICTED, "It is more: the whole interval is above 1."
    if found.high >= 1:
        return Verdict.NOT_TESTABLE, "The interval holds 1; more positions may tell."
    if found.low <= most and found.high >= least:
        return Verdict.REPRODUCED, "It is less, and the interval meets what was claimed."
    side = "more" if found.high < least else "less"
    return Verdict.IN_DIRECTION, f"It is less, but {side} is saved than was claimed."


def claim_fewer_nodes(ratios: Mapping[str, Estimate]) -> Claim:
    verdict, reason = on_all(ratios)
    return Claim(
        "MTD(f) also visits fewer nodes than aspiration NegaScout.",
        f"on average, at {_their_games()}; told by {plaat().numbers['the ranking is told by']}",
        "times as many: "
        + "; ".join(f"{_title(g)} {one.as_number(3)}" for g, one in ratios.items()),
        verdict,
        reason,
    )


def on_all(ratios: Mapping[str, Estimate]) -> tuple[Verdict, str]:
    """Whether several ratios are all below 1."""
    lower = [name for name, one in ratios.items() if one.high < 1]
    higher = [name for name, one in ratios.items() if one.low > 1]
    said = f"Surely fewer in {len(lower)}, surely more in {len(higher)} of {len(ratios)} cases."
    if len(lower) == len(ratios):
        return Verdict.REPRODUCED, said
    if lower:
        return Verdict.IN_DIRECTION, said
    return (Verdict.CONTRADICTED if higher else Verdict.NOT_TESTABLE), said


def claim_ranking(rankings: Mapping[str, Sequence[str]]) -> Claim:
    """`rankings` has the rivals of each game, fewest leaves first."""
    wanted = plaat().numbers["ranking by leaves, the best first"]
    same = [game for game, found in rankings.items() if list(found) == wanted]
    first = [game for game, found in rankings.items() if found[0] == wanted[0]]
    if len(same) == len(rankings):
        verdict, reason = Verdict.REPRODUCED, "The same order on every game."
    elif same or first:
        verdict = Verdict.IN_DIRECTION
        reason = (
            f"The whole order is found on {len(same)} of {len(rankings)} games, "
            f"{wanted[0]} is first on {len(first)}."
        )
    else:
        verdict, reason = Verdict.CONTRADICTED, f"{wanted[0]} is first on no game."
    return Claim(
        "By leaves: " + " before ".join(wanted) + ".",
        f"at {_their_games()}; told by {plaat().numbers['the ranking is told by']}",
        "; ".join(f"{_title(game)}: {', '.join(found)}" for game, found in rankings.items()),
        verdict,
        reason,
    )


def ranking(searches: Searches) -> list[str]:
    """The rivals by how many times alpha-beta's leaves they evaluate."""
    cost = {
        title: searches.times_as_many(name, "abmemory", "evaluated").value
        for name, title in RIVALS.items()
    }
    return sorted(cost, key=lambda title: cost[title])


def _title(game: str) -> str:
    title = GAMES[game].title
    return title[0].upper() + title[1:]


def _their_games() -> str:
    *others, last = plaat().numbers["games"]
    return f"{', '.join(others)} and {last}"


# ------------------------------------------------------------------ SCOUT


def claim_scout(found: Mapping[tuple[str, str], Searches], depth: int) -> Claim:
    """By evaluator and order, the searches at the deepest level."""
    ratios = {
        f"{evaluator}, {order}, {what}": each.times_as_many(SCOUT, ALPHABETA, what)
        for (evaluator, order), each in found.items()
        for what in ("leaves", "nodes")
    }
    verdict, reason = on_all(ratios)
    return Claim(
        "SCOUT is better than alpha-beta at Kalah.",
        f"the conclusion of both; told by {kalah_study().numbers['the comparison is told by']}",
        f"times as many at depth {depth}: "
        + "; ".join(f"{name} {one.as_number(3)}" for name, one in ratios.items()),
        verdict,
        reason,
    )
