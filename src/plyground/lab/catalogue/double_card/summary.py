"""The report as a whole: its sections, and the findings in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.lab.catalogue.double_card.calls import heuristic_section
from plyground.lab.catalogue.double_card.contest import (
    contest_section,
    reaching,
    recycling_section,
    score,
)
from plyground.lab.catalogue.double_card.decisions import (
    LAST_STEP,
    decision_section,
    decisions_of,
    fate,
)
from plyground.lab.catalogue.double_card.figures import (
    after_second_move,
    search_section,
    share_of_nodes,
)
from plyground.lab.catalogue.double_card.findings import matches, ordered, replays, searched
from plyground.lab.catalogue.double_card.plan import DoubleCardParameters
from plyground.lab.catalogue.double_card.sorting import (
    SORTED,
    by_depth,
    nodes_saved,
    sorting_section,
)
from plyground.lab.catalogue.double_card.tasks import ALPHA_BETA_NEAR, MINIMAX_NEAR, PLIES
from plyground.lab.report import Report
from plyground.lab.spec import Results
from plyground.lab.statistics import mean


def report(parameters: DoubleCardParameters, results: Results) -> Report:
    """All findings beside what the report printed."""
    positions, orders = searched(results), ordered(results)
    games, tables = matches(results), replays(results)
    sections = [
        heuristic_section(positions),
        search_section(positions),
        decision_section(tables),
        contest_section(games),
        sorting_section(orders),
        recycling_section(games),
    ]
    late = after_second_move(positions)
    nodes = mean(one.nodes[ALPHA_BETA_NEAR] for one in late).value
    part = share_of_nodes(late, ALPHA_BETA_NEAR, MINIMAX_NEAR).value
    usual = next(match for match in games if match.depth == PLIES)
    won, moving = score(usual), reaching(usual)
    missed = tables["table 4"].decision(LAST_STEP["table 4"])
    sorted_saves = nodes_saved(by_depth(orders)[PLIES], SORTED).value
    decisions = decisions_of(tables)
    equal = sum(one["printed"] in one["chosen"] for one in decisions)
    return Report(
        f"At two plies alpha-beta visits {nodes:.0f} nodes (the report: 400), 1/{1 / part:.1f} of "
        f"those of minimax (the report: 1/7). Heuristic 1 takes {won.as_share()} of the points "
        "against heuristic 2. As the text defines them, the heuristics choose "
        f"{equal} of the {len(decisions)} printed moves. The block of table 4, "
        f"from which the report concludes that heuristic 1 sees more, {_story(missed)}. Sorted "
        f"by the heuristic, alpha-beta would have visited {sorted_saves:.1f} times fewer nodes. "
        f"Cards come to be moved in {moving.as_share()} of the games.",
        sections,
    )


def _story(decision: Mapping[str, Any]) -> str:
    """What became of a printed move."""
    found = fate(decision, "printed")
    winning = " or ".join(decision["winning"])
    return f"{found}, where {winning} would have won" if winning else found
