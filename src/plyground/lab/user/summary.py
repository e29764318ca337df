"""What came out of a user's own experiment, in plain sentences made from the numbers.

Of searches: who visited the fewest leaves, how many times as many all others did, and whether exact
searches agreed. Of matches: who took which share of the points. Both at the last point of the grid,
where depths are deepest. Times are left to tables: they differ from run to run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plyground.core.errors import shorten
from plyground.lab.user.design import Contender, Ground, in_words
from plyground.lab.user.numbers import Disagreement, Findings, Summed

FEWEST = "leaves"  # what is compared
MOST_TOLD = 4  # in a sentence
EVEN = 0.5
MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")


def summary(findings: Findings) -> str:
    """A paragraph for each game, and warnings if there is more to know."""
    told = _searches if findings.design.measure == "search" else _matches
    return "\n\n".join([*told(findings), *_warnings(findings)])


def _warnings(findings: Findings) -> Iterator[str]:
    if findings.forfeits:
        games = counted(len(findings.forfeits), "game")
        reason = plain(shorten(findings.forfeits[0], 200))
        yield f"{games} ended other than on the board, the first one by the {reason}."
    if findings.clocked:
        names = [plain(name) for name in findings.clocked]
        yield (
            f"What {listed(names)} found depends on the speed of the machine, and differs from "
            "run to run."
        )


def _opening(findings: Findings, ground: Ground) -> str:
    point = findings.last_point(ground)
    words = f"with {plain(in_words(point))}, " if point else ""
    return f"**{plain(ground.label)}**: {words}"


# ---------------------------------------------------------------------- searches


def _searches(findings: Findings) -> Iterator[str]:
    for ground in findings.design.grounds:
        sentences = [_fewest(findings, ground)]
        if findings.compared:
            sentences.append(_values(findings, ground))
        yield _opening(findings, ground) + " ".join(sentences)


def _fewest(findings: Findings, ground: Ground) -> str:
    """Who visited the fewest leaves, and how many times as many all others did."""
    point, numbers = findings.last_point(ground), findings.numbers
    sums = {
        each: numbers.sum_at(FEWEST, ground, each, point) for each in findings.design.contenders
    }
    searching = [each for each in sums if sums[each].value > 0]
    if not searching:
        return "nobody visited a leaf."
    best = min(searching, key=lambda each: _relative(findings, ground, (each, searching[0])))
    where = counted(sums[best].count, "position")
    if len(searching) == 1:
        return f"{plain(best.label)} visited {estimated(sums[best])} leaves ({where})."
    factors = [
        (found, each)
        for each in searching
        if each is not best and (found := numbers.ratio_at(FEWEST, ground, (each, best), point))
    ]
    factors.sort(key=lambda factor: factor[0].value)
    told = [f"{plain(each.label)} {_factor(found)}" for found, each in factors]
    return (
        f"{plain(best.label)} visited the fewest leaves; {listed(told)}, position by position "
        f"({where})."
    )


def _relative(findings: Findings, ground: Ground, pair: tuple[Contender, Contender]) -> float:
    found = findings.numbers.ratio_at(FEWEST, ground, pair, findings.last_point(ground))
    return found.value if found else float("inf")


def _factor(found: Summed) -> str:
    is_sure = found.low is not None and found.low > 1
    doubt = "" if is_sure or found.count == 1 else " (may be chance)"
    return f"{estimated(found)} times as many{doubt}"


def _values(findings: Findings, ground: Ground) -> str:
    different = [each for each in findings.different if each.ground == ground]
    if not different:
        return "All exact searches found the same values."
    more = f", and in {len(different) - 1:,} more" if len(different) > 1 else ""
    return f"Exact searches found different values: {_difference(different[0])}{more}."


def _difference(found: Disagreement) -> str:
    values = [f"{value:g} by {plain(name)}" for name, value in found.values.items()]
    words = f" with {plain(in_words(found.point))}" if found.point else ""
    return f"position {found.number}{words}: {listed(values)}"


# ---------------------------------------------------------------------- matches


def _matches(findings: Findings) -> Iterator[str]:
    for ground in findings.design.grounds:
        point = findings.last_point(ground)
        shares = {
            each: findings.numbers.sum_at("points", ground, each, point)
            for each in findings.design.contenders
        }
        best, *others = sorted(shares, key=lambda each: -shares[each].value)
        name, share = plain(best.label), percent(shares[best])
        games = 2 * shares[best].count
        if len(others) == 1:
            rival = plain(others[0].label)
            told = f"{name} took {share} of the points against {rival} in {games} games: "
            told += _decision(shares[best])
        else:
            rest = [f"{plain(each.label)} {percent(shares[each])}" for each in others]
            told = f"{name} took the most points, {share} in {games} games; {listed(rest)}."
        yield _opening(findings, ground) + told


def _decision(share: Summed) -> str:
    if share.low is not None and share.low > EVEN:
        return "it is the stronger one here."
    return "that does not show which is stronger."


# ---------------------------------------------------------------------- words


def plain(text: str) -> str:
    """A text that Markdown shows as it is."""
    return MARKUP.sub(r"\\\1", text)


def estimated(found: Summed) -> str:
    """A number, with its interval if there is one."""
    if found.low is None or found.high is None:
        return _number(found.value)
    return f"{_number(found.value)} ({_number(found.low)} to {_number(found.high)})"


def percent(found: Summed) -> str:
    """A share, with its interval."""
    if found.low is None or found.high is None:
        return f"{found.value:.0%}"
    return f"{found.value:.0%} ({found.low:.0%} to {found.high:.0%})"


def counted(number: int, what: str) -> str:
    """`1 position`, `4 pairs of games`."""
    head, _, tail = what.partition(" ")
    noun = head if number == 1 else f"{head}s"
    return " ".join(each for each in (f"{number:,}", noun, tail) if each)


def listed(words: Sequence[str]) -> str:
    """`a, b and c`; a sentence has no room for many."""
    if len(words) > MOST_TOLD:
        return f"{', '.join(words[:MOST_TOLD])} and {len(words) - MOST_TOLD} more"
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
