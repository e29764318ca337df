"""What the cells found, put together: by game and depth, and as ratios with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.lab.catalogue.family.cells import compare_leaves, deepen, portray
from plyground.lab.catalogue.family.setting import ASPIRATION, FamilyParameters, windowed
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate, ratio


@dataclass(frozen=True)
class Searches:
    """All algorithms on some positions of one game."""

    positions: Sequence[Mapping[str, Any]]
    """For each, under "found" what each algorithm found."""
    seconds: Mapping[str, Sequence[float]]
    """By algorithm, those of each position."""
    best: str = ""
    """Which window aspiration NegaScout is at its best with."""

    def counts(self, name: str, what: str) -> list[float]:
        """What one algorithm counted, by position; after deepening, over all depths."""
        found = (each["found"][name][what] for each in self.positions)
        return [one[-1] if isinstance(one, list) else one for one in found]

    def times_as_many(self, name: str, other: str, what: str) -> Estimate:
        """How many times as much an algorithm counts as another."""
        return ratio(zip(self.counts(name, what), self.counts(other, what), strict=True))

    def times_as_long(self, name: str, other: str) -> Estimate:
        return ratio(zip(self.seconds[name], self.seconds[other], strict=True))

    def after(self, depth: int) -> Searches:
        """Of searches that deepen: as if they had ended at a depth."""
        cut = [
            {
                "found": {
                    name: {what: counts[:depth] for what, counts in one.items()}
                    for name, one in each["found"].items()
                }
            }
            for each in self.positions
        ]
        return Searches(cut, {})

    def with_best(self, half_windows: Sequence[int]) -> Searches:
        """With aspiration NegaScout as it is at best: the window that needs the fewest leaves."""
        costs = {half: self._cost(windowed(half)) for half in half_windows}
        best = windowed(min(costs, key=lambda half: costs[half]))
        positions = [
            {"found": {**each["found"], ASPIRATION: each["found"][best]}} for each in self.positions
        ]
        return Searches(positions, {**self.seconds, ASPIRATION: self.seconds[best]}, best)

    def _cost(self, name: str) -> float:
        return ratio((count, 1) for count in self.counts(name, "evaluated")).value

    @property
    def disagreements(self) -> list[str]:
        """The positions on which not all values are the same."""
        return [
            ", ".join(f"{name} {one['value']}" for name, one in each["found"].items())
            for each in self.positions
            if len({str(one["value"]) for one in each["found"].values()}) > 1
        ]


@dataclass(frozen=True)
class Findings:
    """Everything that was measured."""

    portrait: Mapping[tuple[str, int], Searches]
    """By game and depth."""
    compared: Mapping[tuple[str, int], Searches]
    """By game, and how many plies back the guess is from: iterative deepening."""
    kalah: Mapping[tuple[str, str, int], Searches]
    """By evaluator, order and depth."""
    trees: Mapping[tuple[str, int], Sequence[Mapping[str, Any]]]
    """By kind and branching."""


def gather(p: FamilyParameters, results: Results) -> Findings:
    portrait: dict[tuple[str, int], Searches] = {
        (game, depth): _searches(results, game=game, depth=depth, with_fewest=True)
        for game in p.games
        for depth in p.depths(game)
    }
    kalah: dict[tuple[str, str, int], Searches] = {
        (evaluator, order, depth): _searches(
            results, game="kalah", depth=depth, evaluator=evaluator, order=order
        )
        for evaluator in p.kalah_evaluators
        for order in p.kalah_orders
        for depth in p.kalah_depths
    }
    compared: dict[tuple[str, int], Searches] = {
        (game, back): _joined(results.of(deepen, game=game, back=back)).with_best(p.half_windows)
        for game in p.compared_games
        for back in p.guesses
    }
    trees: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for given, measured in results.of(compare_leaves):
        trees.setdefault((given["kind"], given["branching"]), []).extend(measured.answer["trees"])
    return Findings(portrait, compared, kalah, trees)


def _searches(results: Results, **where: Any) -> Searches:
    return _joined(results.of(portray, **where))


def _joined(found: Any) -> Searches:
    """The cells of one game as one."""
    positions: list[Mapping[str, Any]] = []
    seconds: dict[str, list[float]] = {}
    for _, measured in found:
        positions += measured.answer["positions"]
        for name, each in measured.times_s.items():
            seconds.setdefault(name, []).extend(each)
    return Searches(positions, seconds)


def searches_of(findings: Findings) -> Mapping[str, Searches]:
    """All searches of games, by what they belong to."""
    found = {f"{game}, depth {depth}": each for (game, depth), each in findings.portrait.items()}
    found |= {
        f"{game}, deepening, guess {back} back": each
        for (game, back), each in findings.compared.items()
    }
    found |= {
        f"kalah, {evaluator}, {order}, depth {depth}": each
        for (evaluator, order, depth), each in findings.kalah.items()
    }
    return found
