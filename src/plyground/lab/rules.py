"""How a claim is judged: a small set of rules, the same for all studies.

A rule takes what we found, what was printed where it needs that, and its thresholds, and gives a
verdict with its reason. Its docstring is the rule as reports print it, thresholds filled in.
Numbers may be estimates: then it is their intervals that decide, and what no interval excludes
cannot be decided. Several numbers are a mapping from names, or a list.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from plyground.core.errors import unknown
from plyground.lab.report import Verdict
from plyground.lab.statistics import Estimate

MOST_NAMED = 6  # in a sentence
SEVERAL = {
    "the whole interval lies": "all intervals lie",
    "if it lies": "if one lies",
    "if outside": "if one is outside",
}
"""How a rule for one number is told of several."""
Number = int | float | Estimate
Show = Callable[[Any], str]
"""How a number of the claim is written."""


class Judgement(NamedTuple):
    """What became of a claim, and why."""

    verdict: Verdict
    reason: str


REPRODUCED, IN_DIRECTION, CONTRADICTED, NOT_TESTABLE = Verdict


def equal(show: Show, ours: Any, published: Any, nearly: float = 0.9) -> Judgement:
    """Reproduced if all are equal, in direction only if at least {nearly:.0%} are."""
    pairs = _pairs(ours, published)
    if not pairs:
        return _nothing()
    wrong = [(name, mine, theirs) for name, mine, theirs in pairs if mine != theirs]
    if len(pairs) == 1:
        _, mine, theirs = pairs[0]
        told = f"Ours is {show(mine)}, printed is {show(theirs)}." if wrong else "They are equal."
        return Judgement(CONTRADICTED if wrong else REPRODUCED, told)
    told = f"{len(pairs) - len(wrong)} of {len(pairs)} are equal"
    if wrong:
        name, mine, theirs = wrong[0]
        told += f"; {name or 'one of the others'} is {show(mine)} and not {show(theirs)}"
    return Judgement(_by_share(len(pairs) - len(wrong), len(pairs), nearly), f"{told}.")


def holds(show: Show, ours: Any, nearly: float = 0.99) -> Judgement:
    """Reproduced if it holds in every case, in direction only if in at least {nearly:.0%}."""
    if isinstance(ours, tuple):
        count, total, wrong = *ours, []
    else:
        cases = _named(ours)
        wrong = [name for name, is_so in cases.items() if not is_so and name]
        count, total = sum(map(bool, cases.values())), len(cases)
    if not total:
        return _nothing()
    told = f"It holds in {count:,} of {total:,}" if total > 1 else "So it is" if count else "Not so"
    if wrong and total > 1:
        told += f"; not for {_listed(wrong)}"
    return Judgement(_by_share(count, total, nearly), f"{told}.")


def within(
    show: Show, ours: Any, published: Any, factor: float, beyond: float | None = None
) -> Judgement:
    """Reproduced if ours and what was printed differ at most by a factor of {factor:g}."""
    pairs = [(n, _value(mine), _value(theirs)) for n, mine, theirs in _pairs(ours, published)]
    if not pairs:
        return _nothing()
    ratios = [mine / theirs for _, mine, theirs in pairs]
    least, most = min(ratios), max(ratios)
    told = f"Ours over what was printed: {least:.2f}"
    told += f" to {most:.2f}." if len(pairs) > 1 else "."
    if 1 / factor <= least and most <= factor:
        return Judgement(REPRODUCED, told)
    sides = (
        {(mine > beyond) == (theirs > beyond) for _, mine, theirs in pairs} if beyond else {False}
    )
    return Judgement(IN_DIRECTION if sides == {True} else CONTRADICTED, told)


def above(
    show: Show, ours: Any, than: float, much: float | None = None, nearly: float | None = None
) -> Judgement:
    """Reproduced if the whole interval lies above {than}, contradicted if it lies below."""
    return _on_one_side(show, ours, than, much, nearly, 1)


def below(
    show: Show, ours: Any, than: float, much: float | None = None, nearly: float | None = None
) -> Judgement:
    """Reproduced if the whole interval lies below {than}, contradicted if it lies above."""
    return _on_one_side(show, ours, than, much, nearly, -1)


def between(show: Show, ours: Any, low: float, high: float, than: float | None = None) -> Judgement:
    """Reproduced if the whole interval lies between {low} and {high}, contradicted if outside."""
    known = {name: _estimate(value) for name, value in _named(ours).items()}
    if not known:
        return _nothing()
    told = _joined([f"{name} {show(value)}".strip() for name, value in known.items()])
    told = f"{_first(told)}; claimed is {show(low)} to {show(high)}."
    if all(low <= value.low and value.high <= high for value in known.values()):
        return Judgement(REPRODUCED, told)
    if than is None:
        is_apart = any(value.high < low or high < value.low for value in known.values())
        return Judgement(CONTRADICTED if is_apart else NOT_TESTABLE, told)
    side = below if high < than else above  # where the claim has them, whatever the amount
    found = side(show, ours, than).verdict
    return Judgement(IN_DIRECTION if found == REPRODUCED else found, told)


def ordered(show: Show, ours: Any) -> Judgement:
    """Reproduced if each interval lies above the one before, contradicted if one lies below it."""
    known = [(name, _estimate(value)) for name, value in _named(ours).items()]
    if len(known) < 2:
        return _nothing()
    steps = list(itertools.pairwise(known))
    falling = [(one, other) for one, other in steps if other[1].high < one[1].low]
    unsure = [(one, other) for one, other in steps if other[1].low <= one[1].high]
    if falling:
        (name, value), (after, lower) = falling[0]
        told = f"{_first(after)} at {show(lower)} lies below {name} at {show(value)}."
        return Judgement(CONTRADICTED, told)
    if unsure:
        (name, value), (after, other) = unsure[0]
        told = f"{_first(name)} at {show(value)} and {after} at {show(other)}: no difference shows."
        return Judgement(NOT_TESTABLE, told)
    told = " < ".join(f"{name} {show(value)}" for name, value in known)
    return Judgement(REPRODUCED, f"{_first(told)}.")


def alike(show: Show, ours: Number, published: Number) -> Judgement:
    """Reproduced if each value lies in the other's interval, contradicted if those are apart."""
    mine, theirs = _estimate(ours), _estimate(published)
    told = f"ours {show(mine)}, printed {show(theirs)}"
    if mine.high < theirs.low or theirs.high < mine.low:
        return Judgement(CONTRADICTED, f"The intervals have nothing in common: {told}.")
    if mine.low <= theirs.value <= mine.high and theirs.low <= mine.value <= theirs.high:
        return Judgement(REPRODUCED, f"Each lies in the interval of the other: {told}.")
    return Judgement(NOT_TESTABLE, f"The intervals overlap, and chance may explain both: {told}.")


def undecided(show: Show, because: str) -> Judgement:
    """Too little was published to repeat it, or too little can be measured."""
    return Judgement(NOT_TESTABLE, because)


RULES: dict[str, Callable[..., Judgement]] = {
    each.__name__: each
    for each in (equal, holds, within, above, below, between, ordered, alike, undecided)
}


def rule_named(name: str) -> Callable[..., Judgement]:
    """A rule by its name. Raises Unsupported."""
    if name not in RULES:
        raise unknown("rule", name, RULES)
    return RULES[name]


def in_words(name: str, thresholds: Mapping[str, Any], show: Show = str, ours: Any = None) -> str:
    """The rule as a report prints it, for one number or for several."""
    rule = rule_named(name)
    usual = {
        each.name: each.default
        for each in inspect.signature(rule).parameters.values()
        if each.default is not inspect.Parameter.empty
    }
    known = usual | dict(thresholds)
    bounds = ("low", "high", "than", "much")
    known |= {key: show(known[key]) for key in bounds if known.get(key) is not None}
    text = " ".join((rule.__doc__ or "").split()).format(**known)
    if known.get("beyond") is not None:
        text += f" In direction only if both lie on the same side of {known['beyond']:g}."
    if known.get("nearly") == 1:
        text = text.partition(", in direction only")[0] + ", contradicted if not."
    if name == "between" and known["than"] is not None:
        text = text.replace("outside", f"it lies on the other side of {known['than']}")
        text += f" In direction only if it lies on the same side of {known['than']} as claimed."
    if known.get("much") is not None:
        text += f" In direction only if {name} {known['than']}, but not {name} {known['much']}."
    if isinstance(ours, Mapping | list) and len(ours) > 1:
        for one, several in SEVERAL.items():
            text = text.replace(one, several)
        if name in ("above", "below") and known["nearly"]:
            text += (
                f" In direction only if at least {known['nearly']:.0%} lie {name}, whatever else."
            )
        elif name in ("above", "below"):
            text += f" In direction only, too, if only some lie {name}."
    return text


# ------------------------------------------------------------------ inside


def _on_one_side(
    show: Show, ours: Any, than: float, much: float | None, nearly: float | None, sign: int
) -> Judgement:
    known = {name: _estimate(value) for name, value in _named(ours).items()}
    if not known:
        return _nothing()
    where, away = ("above", "below") if sign > 0 else ("below", "above")

    def beyond(value: Estimate, bound: float, sign: int) -> bool:
        return value.low > bound if sign > 0 else value.high < bound

    clear = [name for name, value in known.items() if beyond(value, than, sign)]
    against = [name for name, value in known.items() if beyond(value, than, -sign)]
    told = _joined([f"{name} {show(value)}".strip() for name, value in known.items()])
    if len(known) > 1:
        groups = {where: clear, away: against}
        told = "; ".join(f"{side}: {_listed(names)}" for side, names in groups.items() if names)
        told = f"For certain {told}" if told else f"None is for certain {where} or {away}"
        told += f" {show(than)}." if not (clear or against) else f" ({show(than)})."
    else:
        side = where if clear else away if against else f"neither for certain {where} nor {away}"
        told += f" is {side} {show(than)}."
    if len(clear) == len(known):
        is_much = much is None or all(beyond(value, much, sign) for value in known.values())
        return Judgement(REPRODUCED if is_much else IN_DIRECTION, told)
    if against and not (nearly and len(clear) >= nearly * len(known)):
        return Judgement(CONTRADICTED, told)
    return Judgement(IN_DIRECTION if clear else NOT_TESTABLE, told)


def _by_share(count: int, total: int, nearly: float) -> Verdict:
    if count == total:
        return REPRODUCED
    return IN_DIRECTION if count >= nearly * total else CONTRADICTED


def _nothing() -> Judgement:
    return Judgement(NOT_TESTABLE, "Nothing was measured that tells.")


def _named(values: Any) -> dict[str, Any]:
    if isinstance(values, Mapping):
        return {str(name): value for name, value in values.items()}
    if isinstance(values, Sequence) and not isinstance(values, str):
        return {f"number {place}": value for place, value in enumerate(values, 1)}
    return {"": values}


def _pairs(ours: Any, published: Any) -> list[tuple[str, Any, Any]]:
    """What belongs together: by name, or by place."""
    mine, theirs = _named(ours), _named(published)
    if isinstance(ours, Mapping) and not isinstance(published, Mapping | Sequence):
        theirs = dict.fromkeys(mine, published)
    return [(name, mine[name], theirs[name]) for name in theirs if name in mine]


def _first(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]


def _value(number: Number) -> float:
    return number.value if isinstance(number, Estimate) else number


def _estimate(number: Number) -> Estimate:
    return number if isinstance(number, Estimate) else Estimate(number, number, number)


def _joined(parts: Sequence[str]) -> str:
    """With commas, or where they have commas themselves with semicolons."""
    return ("; " if any(", " in part for part in parts) else ", ").join(parts)


def _listed(names: Sequence[str]) -> str:
    shown = _joined(names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown} and {len(names) - MOST_NAMED} more"
