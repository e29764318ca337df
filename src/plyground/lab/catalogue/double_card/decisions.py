"""Tables 2 to 5: what our heuristics decide in the printed positions, beside the printed moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import correlation
from typing import Any, Literal

from plyground.lab.catalogue.double_card.findings import Replay
from plyground.lab.catalogue.double_card.tasks import LOOK_AHEAD, SECOND
from plyground.lab.published_data import published
from plyground.lab.report import Beside, Claim, Column, Part, Section, Table, Text, Value, Verdict

UNITS = {SECOND: 9}  # of ours to one of the report's; others have the same
BLOCKS_OF_TABLE_2 = {"0 4 D 1", "0 8 D 1"}  # which the report rates alike
LAST_STEP = {"table 2": 5, "table 3": 5, "table 4": 9, "table 5": 7}

WHY = f"""
The report's moves and values come from its program, which is not its text. Rebuilt with its slips,
that program prints every value of table 2 and plays every move of tables 4 and 5; of table 3 it
prints every value, if one weight is 12 and not 7. The slips matter more than the text:

* heuristic 1 counts for dots only fours and alive threes; what colour has of other threes and twos
  is credited to the machine, even where that plays dots; the edge of the board blocks nothing;
* heuristic 2 adds up a whole line before it squares, leaves out the last stretch of a line and
  those that begin with an empty cell, and takes some diagonals twice and others never.

Ours follow the text. *By value alone* is the report's way: two plies, all positions judged by the
heuristic, finished games too, so that a four is worth no more than two alive twos. *Knowing wins*
searches the same two plies, but a finished game is won or lost. A move is *safe* if the opponent
cannot force a win within {LOOK_AHEAD} plies of it.
"""


def decision_section(replays: Mapping[str, Replay]) -> Section:
    """All tables, and what the report concludes from them."""
    parts: list[Part] = [Text(WHY.strip()), all_decisions(replays)]
    for table, replay in replays.items():
        parts.append(Beside(published("huang_li").tables[table], ours_like(table, replay)))
    parts.append(agreement(replays))
    parts += [values_beside(replay) for replay in replays.values() if replay.listed]
    parts += [table_2_claim(replays["table 2"]), table_2_saves_claim(replays["table 2"])]
    parts += [table_4_claim(replays["table 4"]), table_5_claim(replays["table 5"])]
    return Section("Tables 2 to 5: decisions", parts)


def ours_like(table: str, replay: Replay) -> Table:
    """A printed table with our moves in the place of the machine's."""
    printed = published("huang_li").tables[table]
    rows: list[Sequence[Value]] = []
    for step, machine, human in printed.rows:
        decided = [one for one in replay.decisions if one["step"] == step]
        rows.append([step, " or ".join(decided[0]["chosen"]) if decided else machine, human])
    return Table(
        f"{printed.title}, by value alone",
        printed.columns,
        rows,
        "Each move is chosen in the printed position, whatever ours would have played before. The "
        "first is given.",
    )


def all_decisions(replays: Mapping[str, Replay]) -> Table:
    """Every decision of the machine beside ours."""
    rows: list[list[Value]] = []
    for table, replay in replays.items():
        for one in replay.decisions:
            rows.append(
                [
                    f"{table}, step {one['step']}",
                    one["printed"],
                    fate(one, "printed"),
                    " or ".join(one["chosen"]),
                    fate(one, "chosen"),
                    " or ".join(one["chosen knowing wins"]),
                    fate(one, "knowing"),
                    f"{one['better'] + 1} of {one['moves']}",
                    one["safe"],
                ]
            )
    names = ["decision", "printed", "fate of the printed", "ours by value alone", "its fate"]
    names += ["ours knowing wins", "fate of that", "place of the printed", "safe moves"]
    equal = sum(one["printed"] in one["chosen"] for one in decisions_of(replays))
    note = f"{equal} of {len(rows)} decisions are equal. The place is that by our values."
    return Table("Decisions", [Column(name) for name in names], rows, note)


def decisions_of(replays: Mapping[str, Replay]) -> list[Mapping[str, Any]]:
    """Those of all tables."""
    return [one for replay in replays.values() for one in replay.decisions]


def fate(decision: Mapping[str, Any], whose: Literal["printed", "chosen", "knowing"]) -> str:
    """What a move leads to, in words; of equal moves, the worst."""
    name = {"printed": "printed", "chosen": "chosen", "knowing": "chosen knowing wins"}[whose]
    moves, losses = decision[name], decision[f"{whose} loses in"]
    moves, losses = ([moves], [losses]) if whose == "printed" else (moves, losses)
    soon = [plies for plies in losses if plies is not None]
    if soon:
        return f"loses in {min(soon)}"
    return "wins" if set(moves) <= set(decision["winning"]) else "safe"


# ------------------------------------------------------------------ lists of values


def values_beside(replay: Replay) -> Table:
    """A printed list and ours, move by move."""
    printed = published("huang_li").tables[f"{replay.table}, values"]
    unit = UNITS.get(replay.heuristic, 1)
    rows = [
        [move, row[0], listed / unit, exact / unit]
        for move, row, listed, exact in zip(
            replay.listed, printed.rows, replay.as_listed, replay.exact, strict=True
        )
    ]
    digits = 2 if unit > 1 else 0
    columns = [Column("move"), Column("printed", digits), Column("ours, cut off", digits)]
    columns.append(Column("ours, exact", digits))
    return Table(
        f"{printed.title}, and ours",
        columns,
        rows,
        "Cut off: by alpha-beta in the report's order of moves, whose values are upper bounds "
        "once a better move is known. In units of the report.",
    )


def agreement(replays: Mapping[str, Replay]) -> Table:
    """How far the printed lists and ours agree."""
    rows: list[list[Value]] = []
    for replay in replays.values():
        if not replay.listed:
            continue
        printed = _printed_values(replay.table)
        unit = UNITS.get(replay.heuristic, 1)
        equal = sum(
            abs(ours / unit - theirs) < 0.01
            for ours, theirs in zip(replay.as_listed, printed, strict=True)
        )
        rows.append(
            [
                replay.table,
                len(printed),
                equal,
                rank_correlation(printed, replay.as_listed),
                rank_correlation(printed, replay.exact),
            ]
        )
    columns = [Column("list"), Column("moves"), Column("equal values")]
    columns += [Column("rank correlation, cut off", 2), Column("rank correlation, exact", 2)]
    return Table("Agreement with the printed lists", columns, rows, "Spearman's correlation.")


def _printed_values(table: str) -> list[float]:
    return [float(str(row[0])) for row in published("huang_li").tables[f"{table}, values"].rows]


def rank_correlation(some: Sequence[float], others: Sequence[float]) -> float:
    """Spearman's: how far two lists agree in their order, from -1 to 1."""
    return correlation(ranks(some), ranks(others))


def ranks(values: Sequence[float]) -> list[float]:
    """The place of each value; equal values share the middle of their places."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


# ------------------------------------------------------------------ claims


def table_2_claim(replay: Replay) -> Claim:
    """Heuristic 1 rates the two blocks best."""
    chosen = replay.decision(LAST_STEP["table 2"])["chosen"]
    hits = BLOCKS_OF_TABLE_2.intersection(chosen)
    if hits and BLOCKS_OF_TABLE_2.issuperset(chosen):
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.IN_DIRECTION if hits else Verdict.CONTRADICTED
    return Claim(
        "In table 2 heuristic 1 chooses a block at D1, by card 4 or card 8.",
        "-300 for both, less than -98000 for all others; table 2",
        " or ".join(chosen),
        verdict,
        "Reproduced if ours chooses among these two, in direction if one of them ties with others.",
    )


def table_2_saves_claim(replay: Replay) -> Claim:
    """And so keeps the human from winning."""
    one = replay.decision(LAST_STEP["table 2"])
    return Claim(
        "The move of table 2 keeps the human from winning.",
        f"{one['printed']}, section 3.1",
        f"{fate(one, 'printed')}; {one['safe']} of {one['moves']} moves are safe",
        _verdict_on_block(one["printed loses in"]),
        f"Contradicted if the human can win with the next move, in direction if he can force it "
        f"within {LOOK_AHEAD} plies.",
    )


def table_4_claim(replay: Replay) -> Claim:
    """Heuristic 1 blocks."""
    one = replay.decision(LAST_STEP["table 4"])
    winning = " or ".join(one["winning"])
    missed = f"; the machine could win at once by {winning}" if winning else ""
    return Claim(
        "In table 4 heuristic 1 keeps the human from winning.",
        f"{one['printed']}, section 3.3",
        f"{one['printed']} {fate(one, 'printed')}{missed}; ours by value alone: "
        f"{' or '.join(one['chosen'])}, knowing wins: {' or '.join(one['chosen knowing wins'])}",
        _verdict_on_block(one["printed loses in"]),
        "It blocks row 2, but contradicted if the human can then win elsewhere with his next move. "
        "Judged by value alone a win is worth no more than a pair of open twos.",
    )


def _verdict_on_block(loses_in: int | None) -> Verdict:
    if loses_in is None:
        return Verdict.REPRODUCED
    return Verdict.IN_DIRECTION if loses_in > 1 else Verdict.CONTRADICTED


def table_5_claim(replay: Replay) -> Claim:
    """Heuristic 2 does not block."""
    one = replay.decision(LAST_STEP["table 5"])
    losses = [plies is not None and plies <= 1 for plies in one["chosen loses in"]]
    if all(losses):
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.IN_DIRECTION if any(losses) else Verdict.CONTRADICTED
    return Claim(
        "In table 5 heuristic 2 lets the human win with his next move.",
        f"{one['printed']}, section 3.3",
        f"{' or '.join(one['chosen'])}: {fate(one, 'chosen')}",
        verdict,
        "Reproduced if the moves that heuristic 2 chooses by the text's definition lose at once. "
        "The printed one comes from the program's slips.",
    )
