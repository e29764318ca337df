"""Each rule gives each of its verdicts, says why, and prints its thresholds."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.lab import rules
from plyground.lab.report import Verdict
from plyground.lab.rules import Judgement, in_words, rule_named
from plyground.lab.statistics import Estimate

REPRODUCED, IN_DIRECTION, CONTRADICTED, UNDECIDED = Verdict
LOW, MIDDLE, HIGH = Estimate(0.2, 0.1, 0.3), Estimate(0.5, 0.4, 0.6), Estimate(0.8, 0.7, 0.9)


def judged(rule: str, **arguments: Any) -> Judgement:
    return rule_named(rule)(str, **arguments)


@pytest.mark.parametrize(
    ("rule", "arguments", "verdict"),
    [
        ("equal", {"ours": 5, "published": 5}, REPRODUCED),
        ("equal", {"ours": 5, "published": 6}, CONTRADICTED),
        ("equal", {"ours": {"a": 1, "b": 2}, "published": {"a": 1, "b": 2}}, REPRODUCED),
        ("equal", {"ours": [1] * 9 + [0], "published": [1] * 10}, IN_DIRECTION),
        ("equal", {"ours": [1] * 8 + [0] * 2, "published": [1] * 10}, CONTRADICTED),
        ("equal", {"ours": {"a": 7, "b": 7}, "published": 7}, REPRODUCED),
        ("equal", {"ours": {"a": 1}, "published": {"b": 1}}, UNDECIDED),
        ("holds", {"ours": (40, 40)}, REPRODUCED),
        ("holds", {"ours": (199, 200)}, IN_DIRECTION),
        ("holds", {"ours": (20, 40)}, CONTRADICTED),
        ("holds", {"ours": {"a": True, "b": True}}, REPRODUCED),
        ("holds", {"ours": {"a": True, "b": False}}, CONTRADICTED),
        ("holds", {"ours": (0, 0)}, UNDECIDED),
        ("within", {"ours": 11, "published": 10, "factor": 1.2}, REPRODUCED),
        ("within", {"ours": 13, "published": 10, "factor": 1.2}, CONTRADICTED),
        ("within", {"ours": 7, "published": 10, "factor": 1.2, "beyond": 5}, IN_DIRECTION),
        ("within", {"ours": 3, "published": 10, "factor": 1.2, "beyond": 5}, CONTRADICTED),
        ("above", {"ours": HIGH, "than": 0.5}, REPRODUCED),
        ("above", {"ours": MIDDLE, "than": 0.5}, UNDECIDED),
        ("above", {"ours": LOW, "than": 0.5}, CONTRADICTED),
        ("above", {"ours": HIGH, "than": 0.5, "much": 0.75}, IN_DIRECTION),
        ("above", {"ours": HIGH, "than": 0.5, "much": 0.6}, REPRODUCED),
        ("above", {"ours": {"a": HIGH, "b": MIDDLE}, "than": 0.5}, IN_DIRECTION),
        ("above", {"ours": {"a": HIGH, "b": LOW}, "than": 0.5}, CONTRADICTED),
        ("above", {"ours": {}, "than": 0.5}, UNDECIDED),
        ("below", {"ours": LOW, "than": 0.5}, REPRODUCED),
        ("below", {"ours": 0.4, "than": 0.5, "much": 0.3}, IN_DIRECTION),
        ("below", {"ours": HIGH, "than": 0.5}, CONTRADICTED),
        ("between", {"ours": MIDDLE, "low": 0.4, "high": 0.6}, REPRODUCED),
        ("between", {"ours": MIDDLE, "low": 0.5, "high": 0.7}, UNDECIDED),
        ("between", {"ours": MIDDLE, "low": 0.7, "high": 0.8}, CONTRADICTED),
        ("between", {"ours": MIDDLE, "low": 0.5, "high": 0.7, "than": 0.3}, IN_DIRECTION),
        ("between", {"ours": MIDDLE, "low": 0.7, "high": 0.8, "than": 0.5}, UNDECIDED),
        ("between", {"ours": MIDDLE, "low": 0.7, "high": 0.8, "than": 0.65}, CONTRADICTED),
        ("between", {"ours": LOW, "low": 0.4, "high": 0.5, "than": 0.6}, IN_DIRECTION),
        ("between", {"ours": {}, "low": 0.4, "high": 0.5}, UNDECIDED),
        ("ordered", {"ours": {"a": LOW, "b": HIGH}}, REPRODUCED),
        ("ordered", {"ours": {"a": HIGH, "b": LOW}}, CONTRADICTED),
        ("ordered", {"ours": {"a": LOW, "b": Estimate(0.3, 0.2, 0.4)}}, UNDECIDED),
        ("ordered", {"ours": {"a": LOW}}, UNDECIDED),
        ("alike", {"ours": MIDDLE, "published": Estimate(0.45, 0.35, 0.55)}, REPRODUCED),
        ("alike", {"ours": LOW, "published": HIGH}, CONTRADICTED),
        ("alike", {"ours": LOW, "published": Estimate(0.35, 0.25, 0.45)}, UNDECIDED),
        ("undecided", {"because": "Nobody printed it."}, UNDECIDED),
    ],
)
def test_what_was_found_decides(rule: str, arguments: dict[str, Any], verdict: Verdict) -> None:
    found = judged(rule, **arguments)
    assert found.verdict == verdict
    assert found.reason[0].isupper() or found.reason[0].isdigit()
    assert found.reason.endswith(".")


def test_reasons_name_the_numbers_and_what_fails() -> None:
    wrong = judged(
        "equal", ours={"depth 1": 3, "depth 2": 4}, published={"depth 1": 3, "depth 2": 5}
    )
    assert wrong.reason == "1 of 2 are equal; depth 2 is 4 and not 5."
    assert judged("holds", ours={"a": True, "b": False}).reason == "It holds in 1 of 2; not for b."
    ratio = judged("within", ours=[12, 9], published=[10, 10], factor=2)
    assert ratio.reason == "Ours over what was printed: 0.90 to 1.20."
    order = rule_named("ordered")(lambda each: format(each, ".1f"), ours={"one": HIGH, "two": LOW})
    assert order.reason == "Two at 0.2 (0.1 to 0.3) lies below one at 0.8 (0.7 to 0.9)."


def test_the_thresholds_of_a_rule_are_printed() -> None:
    assert "by a factor of 1.5" in in_words("within", {"factor": 1.5})
    assert "same side of 1" in in_words("within", {"factor": 1.5, "beyond": 1})
    assert "lies above 0.5," in in_words("above", {"than": 0.5})
    assert "if above 0.5, but not above 0.6" in in_words("above", {"than": 0.5, "much": 0.6})
    assert "at least 50% lie above" in in_words("above", {"than": 1, "nearly": 0.5}, ours=[1, 2])
    told = in_words("between", {"low": 5, "high": 10, "than": 1}, lambda each: f"{each} %")
    assert "between 5 % and 10 %" in told and "the same side of 1 % as claimed" in told
    assert in_words("holds", {"nearly": 1}).endswith("holds in every case, contradicted if not.")
    assert "at least 95%" in in_words("holds", {"nearly": 0.95})


def test_every_rule_is_described_and_found() -> None:
    for name, rule in rules.RULES.items():
        needed = [
            each.name
            for each in inspect.signature(rule).parameters.values()
            if each.default is inspect.Parameter.empty
        ]
        assert needed[0] == "show"
        assert in_words(name, dict.fromkeys(needed, 2))
    with pytest.raises(Unsupported, match="unknown rule 'ordred'; did you mean ordered"):
        rule_named("ordred")


values = st.floats(-1e3, 1e3)
estimates = st.tuples(values, values, values).map(
    lambda three: Estimate(sorted(three)[1], sorted(three)[0], sorted(three)[2])
)


@given(estimates, values)
def test_above_and_below_contradict_each_other(found: Estimate, than: float) -> None:
    opposite = {REPRODUCED: CONTRADICTED, CONTRADICTED: REPRODUCED, UNDECIDED: UNDECIDED}
    above, below = (judged(rule, ours=found, than=than).verdict for rule in ("above", "below"))
    assert below == opposite[above]


@given(estimates, estimates)
def test_alike_does_not_depend_on_who_is_named_first(one: Estimate, other: Estimate) -> None:
    first = judged("alike", ours=one, published=other).verdict
    assert first == judged("alike", ours=other, published=one).verdict
