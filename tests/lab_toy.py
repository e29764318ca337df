"""A small experiment for tests of the lab: real searches, real games, and steps that can be held.

Workers note each step they begin in the folder `$LAB_TOY_FOLDER`, and wait there as long as a file
`hold-NUMBER` exists, so that a test can interrupt or kill at a moment that it knows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from plyground.lab.charts import lines
from plyground.lab.report import Chart, Claim, Column, Report, Section, Table, Text, Verdict
from plyground.lab.spec import Cell, Citation, Experiment, Measured, Parameters, Results
from plyground.lab.tasks import play_games, search_position

FOLDER = "LAB_TOY_FOLDER"


def step(number: int) -> Measured:
    """Square a number, at our leisure."""
    started_s = time.perf_counter()
    if folder := os.environ.get(FOLDER):
        with open(Path(folder, "begun"), "a", encoding="utf-8") as begun:
            begun.write(f"{number}\n")
        while Path(folder, f"hold-{number}").exists():
            Path(folder, f"waiting-{number}").touch()
            time.sleep(0.01)
    if number == 13:
        raise ValueError("13 brings bad luck")
    answer = {"number": number, "square": number**2, "third": 1 / 3}
    return Measured(answer, {"step": [time.perf_counter() - started_s] * 3})


class ToyParameters(Parameters):
    steps: tuple[Annotated[int, Field(ge=0, le=99)], ...] = Field(
        (5, 4, 3, 2, 1), description="What is squared."
    )
    depths: tuple[Annotated[int, Field(ge=1, le=3)], ...] = Field(
        (2, 1), description="Plies of the searches."
    )
    pairs: int = Field(2, ge=0, le=5, description="Pairs of games.")
    game: Literal["mnk", "connect4"] = Field("mnk", description="What is searched and played.")
    players: tuple[str, ...] = Field(("random", "first"), description="Who plays.")
    verbose: bool = Field(False, description="Whether to say more.")
    share: float = Field(0.5, gt=0, lt=1, description="A share.")
    seed: int = Field(0, ge=0, description="Of the games.")


def cells(parameters: ToyParameters) -> Sequence[Cell]:
    players, game, seed = parameters.players, parameters.game, parameters.seed
    return [
        *[Cell.of(step, number=number) for number in parameters.steps],
        *[
            Cell.of(search_position, game=game, player=f"alphabeta:depth={depth}", repetitions=2)
            for depth in parameters.depths
        ],
        *[
            Cell.of(play_games, game=game, players=list(players), number=number, seed=seed)
            for number in range(parameters.pairs)
        ],
    ]


def report(parameters: ToyParameters, results: Results) -> Report:
    found = [measured for _, measured in results.of(step)]
    rows = [
        [each.answer["number"], each.answer["square"], sum(each.times_s["step"])] for each in found
    ]
    columns = [Column("number"), Column("square"), Column("s", is_timed=True)]
    searches = [
        [given["player"], measured.answer["move"], measured.answer["nodes"]]
        for given, measured in results.of(search_position)
    ]
    points = [sum(measured.answer["points"]) for _, measured in results.of(play_games)]
    is_square = all(row[1] == row[0] ** 2 for row in rows)
    claims = [
        Claim(
            "Squares [are] squares",
            "everywhere",
            f"{len(rows)} squares",
            Verdict.REPRODUCED if is_square else Verdict.CONTRADICTED,
            "All of them." if is_square else "Not all of them.",
        ),
        Claim("It is quick", "in a flash", "so", Verdict.IN_DIRECTION, "It depends.", True),
    ]
    points_drawn = [{"number": number, "square": square, "of": "us"} for number, square, _ in rows]
    chart = lines(points_drawn, "number", "square", "of")
    return Report(
        f"Of {len(rows)} numbers *all* have squares.",
        [
            Section("Squares", [Table("Squares", columns, rows), *claims]),
            Section("Chart", [Chart("squares", "Squares", chart)]),
            Section(
                "Play",
                [
                    Text(f"Points: {points}."),
                    Table("Searches", [Column(n) for n in ("player", "move", "nodes")], searches),
                ],
            ),
        ],
    )


EXPERIMENT = Experiment(
    "toy",
    "Squares of [small] numbers",
    "Is the square of a number its square?",
    ToyParameters,
    {"steps": (2, 1), "depths": (1,), "pairs": 1},
    cells,
    report,
    Citation("Euclid", "Elements", "Alexandria", -300),
)
