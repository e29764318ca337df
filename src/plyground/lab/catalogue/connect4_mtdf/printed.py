"""The study's own numbers, checked against each other: which percentages follow, and which do not.

Needs no measurement: what is printed in one place is worked out from what is printed in another.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.lab.published_data import Published, published
from plyground.lab.report import Column, Table

PERCENT_SLACK = 0.005  # half of the last printed digit of a percentage
TIME_SLACK = 0.00005  # and of a time in seconds
WHOLE = 1e-9


@dataclass(frozen=True)
class PublishedRow:
    """One line of the study's Table 1."""

    depth: int
    x_time_s: float
    o_time_s: float
    faster: float
    x_leaves: int
    o_leaves: int
    fewer: float
    passes: int
    results: str


def study() -> Published:
    return published("tommy2017")


def study_rows() -> dict[int, PublishedRow]:
    """Table 1, by depth."""
    rows = study().tables["table 1"].rows
    return {int(str(row[0])): PublishedRow(*row) for row in rows}  # type: ignore[arg-type]


@dataclass(frozen=True)
class Check:
    """Something printed, and what the study's other numbers make of it."""

    where: str
    what: str
    printed: float
    low: float
    high: float
    """Between what the other numbers, rounded as they are, allow."""
    source: str

    @property
    def follows(self) -> bool:
        slack = PERCENT_SLACK + WHOLE
        return self.low - slack <= self.printed <= self.high + slack


def checks() -> list[Check]:
    """All percentages that can be worked out from other printed numbers."""
    found = []
    for row in study_rows().values():
        low = 100 * (1 - (row.o_time_s + TIME_SLACK) / (row.x_time_s - TIME_SLACK))
        high = 100 * (1 - (row.o_time_s - TIME_SLACK) / (row.x_time_s + TIME_SLACK))
        table = f"Table 1, depth {row.depth}"
        found.append(Check(table, "O faster by", row.faster, low, high, "its times"))
        share = 100 * (1 - row.o_leaves / row.x_leaves)
        found.append(Check(table, "O fewer leaves by", row.fewer, share, share, "its leaves"))
    numbers = study().numbers
    for where in ("body", "abstract"):
        found += _check_text(where, numbers[where], numbers["body"], numbers["games"])
    return found


def _check_text(
    where: str, printed: dict[str, float], counts: dict[str, float], games: int
) -> list[Check]:
    won = {"O wins, %": "O wins", "O loses, %": "X wins", "draws, %": "draws"}
    found = []
    for name, count in won.items():
        share = 100 * counts[count] / games
        source = f"{counts[count]:g} of {games} games"
        found.append(Check(where, name.removesuffix(", %"), printed[name], share, share, source))
    row = study_rows()[8]
    for name, value in (
        ("O faster at depth 8, %", row.faster),
        ("O fewer leaves at depth 8, %", row.fewer),
    ):
        what = name.removesuffix(", %")
        found.append(Check(where, what, printed[name], value, value, "Table 1"))
    return found


def check_table() -> Table:
    """What does not follow first."""
    ordered = sorted(checks(), key=lambda check: check.follows)
    return Table(
        "Printed percentages, worked out again",
        [
            Column("where"),
            Column("what"),
            Column("printed, %", 2),
            Column("least, %", 3),
            Column("most, %", 3),
            Column("worked out from"),
            Column("follows"),
        ],
        [
            [
                check.where,
                check.what,
                check.printed,
                check.low,
                check.high,
                check.source,
                "yes" if check.follows else "no",
            ]
            for check in ordered
        ],
        "Least and most differ where the numbers it is worked out from are rounded.",
    )


def games_behind(percent: float, at_most: int = 60) -> int | None:
    """The fewest games of which a printed percentage can be a share."""
    for games in range(1, at_most + 1):
        wins = round(percent * games / 100)
        if abs(100 * wins / games - percent) <= PERCENT_SLACK + WHOLE:
            return games
    return None
