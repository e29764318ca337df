"""A line for each series over the cards laid: the form of all four figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from plyground.lab.catalogue.double_card.findings import Searched, by_laid
from plyground.lab.charts import lines
from plyground.lab.statistics import Estimate

FEWEST = 5  # positions behind a point
LOWEST = 0.1  # of a point is where error bars end on a logarithmic scale
AXIS = "cards that the side to move has laid"


def lines_by_card(
    positions: Iterable[Searched],
    names: Iterable[str],
    value: Callable[[Searched, str], float],
    sum_up: Callable[[Iterable[float]], Estimate],
    title: str,
    log: bool = True,
) -> dict[str, Any]:
    """What the positions with so many cards are worth together, with error bars."""
    groups = by_laid(positions)
    rows = []
    for name in names:
        for laid, group in groups.items():
            if len(group) < FEWEST:
                continue
            point = sum_up(value(one, name) for one in group)
            row = {"laid": laid, "series": name, title: point.value, "positions": len(group)}
            low = max(point.low, LOWEST * point.value) if log else point.low
            rows.append(row | {"low": low, "high": point.high})
    return lines(
        rows, "laid", title, "series", log=log, low="low", high="high", x_title=AXIS, y_title=title
    )
