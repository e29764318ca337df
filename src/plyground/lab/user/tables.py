"""The tables of a user's own experiment: a row for each point of the grid, columns for each player.

Without a grid there is a row for each player. Numbers have their intervals beside them. Knows no
sentences.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from plyground.lab.report import Column, Table, Value
from plyground.lab.user.charts import capitalised
from plyground.lab.user.design import Contender, Ground, Point, Scalar, in_words, written
from plyground.lab.user.numbers import Findings, Summed, sum_up, title_of
from plyground.lab.user.schema import TableEntry
from plyground.lab.user.summary import counted

FEW = 6  # of fewer numbers, the interval of a median is all of them
MOST_LISTED = 200  # positions, or values that differ
ENDS = ("from", "to")

Found = Mapping[tuple[int, Contender], Summed | None]
"""By the number of the point and the player."""


def table_of(findings: Findings, ground: Ground, wish: TableEntry) -> Table:
    """What each player needed or took at each point."""
    summed = {
        (number, each): findings.numbers.sum_at(wish.of, ground, each, point, wish.average)
        for number, point in enumerate(findings.points(ground))
        for each in findings.design.contenders
    }
    name = title_of(findings.design.measure, wish.of)
    title = wish.title or capitalised(name if wish.of == "points" else f"{wish.average} {name}")
    what = "position" if findings.design.measure == "search" else "pair of games"
    note = _note(wish, what, summed.values())
    return _laid_out(findings, ground, wish.of, title, name, summed, note)


def ratios_of(findings: Findings, ground: Ground, quantity: str) -> Table:
    """How many times as much as the first player each other needed."""
    first, *others = findings.design.contenders
    found = {
        (number, each): findings.numbers.ratio_at(quantity, ground, (each, first), point)
        for number, point in enumerate(findings.points(ground))
        for each in others
    }
    name = title_of(findings.design.measure, quantity).removesuffix(" (ms)")
    title = capitalised(f"{name}: how many times that of {first.label}")
    note = (
        "Position by position: the geometric mean of ratios, with intervals of 95 %. Below 1 is "
        "less."
    )
    return _laid_out(findings, ground, quantity, title, "ratio", found, note)


def _laid_out(
    findings: Findings,
    ground: Ground,
    quantity: str,
    title: str,
    name: str,
    found: Found,
    note: str,
) -> Table:
    contenders = list(dict.fromkeys(each for _, each in found))
    has_ends = any(each is not None and each.low is not None for each in found.values())

    def columns(first: str) -> list[Column]:
        is_share, is_timed = quantity == "points", findings.is_timed(quantity)
        names = (first, *ENDS) if has_ends else (first,)
        return [Column(each, 1 if is_share else None, is_timed, is_share) for each in names]

    def values(number: int, contender: Contender) -> list[Value]:
        summed = found[number, contender]
        told = [summed.value, summed.low, summed.high] if summed else [None, None, None]
        return list(told if has_ends else told[:1])

    names = findings.design.names_of(ground)
    if not names:
        rows = [[each.label, *values(0, each)] for each in contenders]
        return Table(title, [Column("player"), *columns(name)], rows, note)
    by_player = [columns(each.label) for each in contenders]
    return Table(
        title,
        [*map(Column, names), *itertools.chain(*by_player)],
        [
            [*_values_of(point), *itertools.chain(*(values(number, each) for each in contenders))]
            for number, point in enumerate(findings.points(ground))
        ],
        note,
    )


def _note(wish: TableEntry, what: str, summed: Iterable[Summed]) -> str:
    counts = sorted({each.count for each in summed})
    number = counted(counts[-1], what)
    if len(counts) > 1:
        number = f"{counts[0]:,} to {number}"
    if wish.of == "points":
        return f"Of {number} each, with intervals of 95 %."
    if counts[-1] == 1:
        return f"Of {number}."
    is_range = wish.average == "median" and counts[-1] < FEW
    ends = "with the least and the most" if is_range else "with intervals of 95 %"
    return f"{capitalised(wish.average)}s over {number}, {ends}."


def pairings(findings: Findings, ground: Ground) -> Table:
    """What every two players made of each other."""
    rows: list[list[Value]] = []
    for point, (one, other) in itertools.product(
        findings.points(ground), itertools.combinations(findings.design.contenders, 2)
    ):
        pairs = findings.numbers.at(ground, one, point, other)
        share = sum_up("points", [each.numbers["points"] for each in pairs])
        who: list[Value] = [one.label, other.label, 2 * share.count]
        rows.append([*_values_of(point), *who, share.value, share.low, share.high])
    names = (*findings.design.names_of(ground), "player", "against", "games")
    columns = [Column(name) for name in names]
    for name in ("points of the player", *ENDS):
        columns.append(Column(name, 1, findings.is_timed(), as_percent=True))
    return Table("Who won against whom", columns, rows, "Intervals of 95 %, by pairs of games.")


def differences(findings: Findings) -> Table:
    """Where exact searches found different values."""
    names = list(dict.fromkeys(name for each in findings.different for name in each.values))
    rows: list[list[Value]] = [
        [
            each.ground.label,
            *[_value_of(each.point.get(name, "")) for name in findings.design.grid],
            each.number,
            *[each.values.get(name) for name in names],
        ]
        for each in findings.different[:MOST_LISTED]
    ]
    columns = [Column(name) for name in ("game", *findings.design.grid, "position", *names)]
    return Table("Values that differ", columns, rows, _cut(len(findings.different)))


def players(findings: Findings) -> Table:
    """Labels and texts."""
    rows: list[list[Value]] = [[each.label, each.text] for each in findings.design.contenders]
    return Table("Players", [Column("player"), Column("text")], rows)


def positions(findings: Findings, ground: Ground) -> Table:
    """Where searches or games began, at the last point if settings have blanks."""
    point = findings.last_point(ground)
    place = findings.design.place(ground, point, findings.parameters)
    at = f" with {in_words(point, ground.blanks)}" if ground.blanks else ""
    is_placed = any(opening.position for opening in place.openings)
    names = ("number", "position", "moves") if is_placed else ("number", "moves")
    rows: list[list[Value]] = [
        [number, *([opening.position or ""] if is_placed else []), opening.moves]
        for number, opening in enumerate(place.openings[:MOST_LISTED], start=1)
    ]
    settings = ", ".join(f"{name}={written(value)}" for name, value in place.settings.items())
    notes = [f"Settings: {settings}." if settings else "", _cut(len(place.openings))]
    title = f"Positions of {ground.label}{at}"
    return Table(title, [*map(Column, names)], rows, " ".join(each for each in notes if each))


def _values_of(point: Point) -> list[Value]:
    return [_value_of(value) for value in point.values()]


def _value_of(value: Scalar) -> Value:
    return written(value) if isinstance(value, bool) else value


def _cut(number: int) -> str:
    return f"The first {MOST_LISTED} of {number:,}." if number > MOST_LISTED else ""
