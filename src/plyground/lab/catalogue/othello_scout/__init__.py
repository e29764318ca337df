"""SCOUT against alpha-beta at Othello: the study of Hernandez, Daza & Florez (2019).

The study put both algorithms into an app for phones, with one heuristic and depth 8. It shows nodes
and time of 15 moves (Figures 5 and 6) and tells of 30 games of each algorithm against an amateur, a
medium player and an expert. SCOUT is said to visit 76 nodes where alpha-beta visits 26,264, and to
play better.

It does not say which weights its heuristic has, which positions were measured, in which order moves
were tried, or who the three people were. Its TEST as printed has no bound on depth, hands the same
player down, and ends with its answers exchanged.

Repeated here: Figures 5 and 6 with both algorithms on the same positions (`searches.py`,
`figures.py`), and the games, with levels of play for people (`matches.py`). Added: the smallest
trees that any search must see, and what the printed procedure visits (`trees.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from plyground.lab.catalogue.othello_scout import figures, matches, searches
from plyground.lab.catalogue.othello_scout.setting import (
    ALPHA_BETA,
    LEVELS,
    QUICK,
    SCOUT,
    ScoutParameters,
    printed,
    study,
)
from plyground.lab.report import Report
from plyground.lab.spec import Cell, Experiment, Results


def all_cells(parameters: ScoutParameters) -> Sequence[Cell]:
    """The games, which take longest, first."""
    return [*matches.cells(parameters), *searches.cells(parameters)]


def make_report(parameters: ScoutParameters, results: Results) -> Report:
    """Figures and games, and what they come to."""
    sections = [
        figures.section(parameters, results),
        matches.section(parameters, results, same_values(results)),
    ]
    return Report(_summary(results), sections)


def same_values(results: Results) -> tuple[int, int]:
    """In how many searches both algorithms found the same value; of how many."""
    rows = [row for game in searches.searched(results) for row in game]
    return sum(row[SCOUT]["value"] == row[ALPHA_BETA]["value"] for row in rows), len(rows)


def _summary(results: Results) -> str:
    found = figures.scout_over_alpha_beta(searches.searched(results))
    read, proved = searches.readings(results), searches.proofs(results)
    name = figures.nearest_reading(read)
    visits = figures.visits(read, name)
    equal, of = same_values(results)
    games = [matches.same_games(matches.games_of(results, level)) for level in LEVELS]
    return (
        f"SCOUT visits {found.as_number()} times alpha-beta's nodes on the same positions, not 76 "
        f"against 26,264. No search of this depth can do with fewer than "
        f"{min(row['any'] for row in proved):,} nodes there, whatever its heuristic and order; the "
        f"published {printed('scout nodes, least')} to {printed('scout nodes, most')} are what the "
        f"printed TEST visits, which follows a single line ({name}: {min(visits)} to "
        f"{max(visits)}). Both algorithms found the same value in {equal} of {of} searches and "
        f"played the same moves in {sum(same for same, _ in games)} of "
        f"{sum(total for _, total in games)} games: neither plays better."
    )


EXPERIMENT = Experiment(
    name="othello-scout",
    title="SCOUT against alpha-beta at Othello",
    question=(
        "Does SCOUT visit 76 nodes where alpha-beta visits 26,264, does it play better, and can "
        "either be?"
    ),
    parameters=ScoutParameters,
    quick=QUICK,
    cells=all_cells,
    report=make_report,
    source=study().citation,
)
