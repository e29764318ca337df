"""Figures 3 and 4: nodes and time of minimax and alpha-beta as the board fills."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from plyground.lab.catalogue.double_card.drawing import FEWEST, lines_by_card
from plyground.lab.catalogue.double_card.findings import Searched, by_laid
from plyground.lab.catalogue.double_card.tasks import (
    ALPHA_BETA,
    ALPHA_BETA_NEAR,
    ALPHA_BETA_SECOND,
    MINIMAX,
    MINIMAX_NEAR,
    MINIMAX_SECOND,
)
from plyground.lab.published_data import published
from plyground.lab.report import Beside, Chart, Claim, Column, Section, Table, Text, Value, Verdict
from plyground.lab.statistics import Estimate, mean, median, ratio, share

SECOND_MOVE = 2  # cards of the machine from which on the report reads its figures
NEAR_ENOUGH = 1.25  # a factor: closer than one can read off a figure
GREAT = 2.0  # a factor that deserves the word
LEFT_OUT = "isolated cards left out"
PAIRS = {  # what is compared: alpha-beta with minimax
    f"{LEFT_OUT}, as by the report's program": (ALPHA_BETA_NEAR, MINIMAX_NEAR),
    f"{LEFT_OUT} by alpha-beta alone": (ALPHA_BETA_NEAR, MINIMAX),
    "all cards": (ALPHA_BETA, MINIMAX),
    "all cards, heuristic 2": (ALPHA_BETA_SECOND, MINIMAX_SECOND),
}
DRAWN = (MINIMAX, ALPHA_BETA, MINIMAX_NEAR, ALPHA_BETA_NEAR)


def after_second_move(positions: Iterable[Searched]) -> list[Searched]:
    """Where the report compares: from the machine's second card on."""
    return [one for one in positions if one.laid >= SECOND_MOVE and not one.meets_moving]


def share_of_nodes(positions: Iterable[Searched], one: str, other: str) -> Estimate:
    """How many times as many nodes one searcher visits as the other, position by position."""
    return ratio((each.nodes[one], each.nodes[other]) for each in positions)


def share_of_time(positions: Iterable[Searched], one: str, other: str) -> Estimate:
    """The same for times."""
    return ratio((each.time_s[one], each.time_s[other]) for each in positions)


def is_near(found: Estimate, printed: float) -> bool:
    """Whether the interval touches the printed number, give or take what a figure shows."""
    return found.low <= printed * NEAR_ENOUGH and found.high >= printed / NEAR_ENOUGH


def printed_fraction(name: str) -> Fraction:
    """A number that the report gives as a fraction."""
    return Fraction(published("huang_li").numbers[name])


def search_section(positions: Sequence[Searched]) -> Section:
    """Figures 3 and 4."""
    return Section(
        "Figures 3 and 4: minimax and alpha-beta",
        [
            Text(
                "The report's depth of 3 counts the root: what it lists are values of *level 2*, "
                "and 400 nodes are those of two plies; three take thousands. So both algorithms "
                "search two plies, on the same positions: those of games between the two "
                "heuristics, which begin with two random cards. The report's program leaves out "
                "cards far from all others. That is done here as well as not done, since the text "
                "does not say whether minimax did it. Nodes include the root. Times are those of "
                "the search alone; the call from Python, which weighs as much at two plies, is not "
                "in them."
            ),
            Beside(published("huang_li").tables["figures 3 and 4"], summed_up(positions)),
            nodes_by_card(positions),
            Chart(
                "nodes",
                "Figure 3: nodes of a search of two plies",
                lines_by_card(positions, DRAWN, lambda one, name: one.nodes[name], mean, "nodes"),
                "Means with 95 % intervals. The lines meet where every column has a card: then no "
                "place is isolated.",
            ),
            Chart(
                "search-time",
                "Figure 4: time of a search of two plies",
                lines_by_card(
                    positions, DRAWN, lambda one, name: 1e6 * one.time_s[name], median, "time in µs"
                ),
                "Medians with 95 % intervals.",
                is_timed=True,
            ),
            level_claim(positions),
            nodes_claim(positions),
            time_claim(positions),
            isolated_claim(positions),
        ],
    )


def summed_up(positions: Iterable[Searched]) -> Table:
    """What the text says of figures 3 and 4, for each way to compare."""
    late = after_second_move(positions)
    rows: list[list[Value]] = [
        [
            what,
            mean(each.nodes[one] for each in late).value,
            share_of_nodes(late, one, other).value,
            1 - share_of_time(late, one, other).value,
        ]
        for what, (one, other) in PAIRS.items()
    ]
    columns = [
        Column("positions"),
        Column("nodes of alpha-beta", 0),
        Column("alpha-beta / minimax, nodes", 3),
        Column("time saved", 0, is_timed=True, as_percent=True),
    ]
    note = f"{len(late)} positions after the second move. Ratios are geometric means over positions"
    return Table("Figures 3 and 4, in several ways", columns, rows, f"{note}.")


def nodes_by_card(positions: Sequence[Searched]) -> Table:
    """Figure 3 as numbers; the last row holds the searches that meet moves of laid cards."""
    groups: list[tuple[Value, list[Searched]]] = [*by_laid(positions).items()]
    groups.append(("all, or all but one", [one for one in positions if one.meets_moving]))
    rows = [
        [
            laid,
            len(group),
            *[mean(each.nodes[name] for each in group).value for name in DRAWN],
            share_of_nodes(group, ALPHA_BETA, MINIMAX).value,
            share_of_nodes(group, ALPHA_BETA_NEAR, MINIMAX_NEAR).value,
        ]
        for laid, group in groups
        if group
    ]
    columns = [Column("cards laid"), Column("positions"), *[Column(name, 0) for name in DRAWN]]
    columns += [Column("share", 3), Column("share, no isolated cards", 3)]
    return Table(
        "Nodes by the cards that the side to move has laid",
        columns,
        rows,
        "Means; the shares are those of alpha-beta in the nodes of minimax. With all cards laid, "
        "or all but one, the search meets moves of laid cards, of which there are many more.",
    )


def level_claim(positions: Iterable[Searched]) -> Claim:
    """Alpha-beta stays at the level of 400 nodes."""
    printed = published("huang_li").numbers["alpha_beta_nodes"]
    late = after_second_move(positions)
    found = mean(one.nodes[ALPHA_BETA_NEAR] for one in late)
    points = {
        laid: mean(one.nodes[ALPHA_BETA_NEAR] for one in group)
        for laid, group in by_laid(late).items()
        if len(group) >= FEWEST
    }
    leaving = [laid for laid, point in points.items() if not is_near(point, found.value)]
    if is_near(found, printed):
        verdict = Verdict.IN_DIRECTION if leaving else Verdict.REPRODUCED
    else:
        verdict = Verdict.CONTRADICTED
    means = ", ".join(f"{point.value:.0f}" for point in points.values())
    return Claim(
        "After the machine's second move alpha-beta stays at about 400 nodes.",
        "level of 400; figure 3 and section 3.4",
        f"{found.as_number(0)} nodes with {LEFT_OUT}; from 2 cards on: {means}",
        verdict,
        f"Reproduced if the mean is within a factor of {NEAR_ENOUGH} of 400, and no number of "
        "cards has a mean that certainly leaves that range around it; in direction if only the "
        "first is true. Three plies take thousands: the report searched two.",
    )


def nodes_claim(positions: Iterable[Searched]) -> Claim:
    """Alpha-beta visits a seventh of the nodes."""
    late = after_second_move(positions)
    printed = float(printed_fraction("alpha_beta_share_of_nodes"))
    found = {what: share_of_nodes(late, *pair) for what, pair in PAIRS.items()}
    like = [found[what] for what, (one, other) in PAIRS.items() if is_alike(one, other)]
    if all(is_near(each, printed) for each in like):
        verdict = Verdict.REPRODUCED
    else:
        is_less = all(each.high < 1 for each in like)
        verdict = Verdict.IN_DIRECTION if is_less else Verdict.CONTRADICTED
    return Claim(
        "Alpha-beta visits almost 1/7 of the nodes of minimax.",
        "1/7; figure 3 and section 3.4",
        "; ".join(f"{what}: {each}" for what, each in found.items()),
        verdict,
        f"Reproduced if the share is within a factor of {NEAR_ENOUGH} of 1/7 where both look at "
        "the same cards, in direction if it is less than 1. The report may compare unlike things: "
        "on a flat board two plies have some 2800 nodes, of which 400 are 1/7, if minimax looks at "
        "all cards.",
    )


def is_alike(one: str, other: str) -> bool:
    """Whether two searchers look at the same cards."""
    return (one in (ALPHA_BETA_NEAR, MINIMAX_NEAR)) == (other in (ALPHA_BETA_NEAR, MINIMAX_NEAR))


def time_claim(positions: Iterable[Searched]) -> Claim:
    """Alpha-beta saves a third of the time."""
    late = after_second_move(positions)
    printed = 1 - float(printed_fraction("alpha_beta_time_saved"))
    found = share_of_time(late, ALPHA_BETA_NEAR, MINIMAX_NEAR)
    if found.high >= 1:
        verdict = Verdict.CONTRADICTED
    elif is_near(found, printed):
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.IN_DIRECTION
    return Claim(
        "Alpha-beta saves 1/3 of the time of minimax on average.",
        "1/3; figure 4 and section 3.4",
        f"it takes {found} of the time, with {LEFT_OUT}",
        verdict,
        f"Reproduced if what is left is within a factor of {NEAR_ENOUGH} of 2/3, in direction if "
        "it is less than all. Here the time follows the leaves; a program that spends it "
        "elsewhere, or remembers what it has judged, saves less.",
        is_timed=True,
    )


def isolated_claim(positions: Iterable[Searched]) -> Claim:
    """Leaving out isolated cards speeds the search up greatly."""
    laying = [one for one in positions if not one.meets_moving]
    found = share_of_nodes(laying, MINIMAX, MINIMAX_NEAR)
    late = share_of_nodes(after_second_move(laying), MINIMAX, MINIMAX_NEAR)
    changed = share(
        sum(one.value[MINIMAX] != one.value[MINIMAX_NEAR] for one in laying), len(laying)
    )
    if found.low >= GREAT:
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.IN_DIRECTION if found.low > 1 else Verdict.CONTRADICTED
    return Claim(
        "To leave out isolated cards greatly improves the speed.",
        "solution 1, no number",
        f"minimax visits {found} times as many nodes without it, {late} times after the second "
        f"move; the value of the position changes in {changed.as_share()} of all",
        verdict,
        f"Reproduced from a factor of {GREAT:.0f} on. The gain belongs to the first moves: later "
        "every column has a neighbour. It is no pruning in the sense of alpha-beta: values change.",
    )
