"""A small experiment for tests of the lab: real searches, real games, and steps that can be held.

Workers note each step they begin in the folder `$LAB_TOY_FOLDER`, and wait there as long as a file
`hold-NUMBER` exists, so that a test can interrupt or kill at a moment that it knows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from pydantic import Field

from plyground.lab.frames import Measurements
from plyground.lab.published_data import ClaimData, Published
from plyground.lab.spec import Cell, Citation, Experiment, Measured, Parameters
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


def findings(parameters: ToyParameters, run: Measurements) -> dict[str, Any]:
    found = run.frame(step)
    squares = found.select("number", "square", seconds="step_s")
    searches = run.frame(search_position)
    return {
        "squares": squares,
        "is_square": {str(n): n**2 == square for n, square, _ in squares.iter_rows()},
        "drawn": found.select("number", "square", of=pl.lit("us")),
        "points": [sum(each.answer["points"]) for _, each in run.of(play_games)],
        "searches": searches.select("player", "move", "nodes") if len(searches) else searches,
    }


TEMPLATE = """\
Of {{ squares | length }} numbers *all* have squares.

## Squares

{{ table(squares, "Squares") }}
{{ claim("squares", "quick") }}

## Chart

{{ chart(lines(drawn, "number", "square", "of"), "squares", "Squares") }}

## Play

Points: {{ points }}.

{{ table(searches, "Searches") }}
"""
PUBLISHED = Published(
    Citation("Euclid", "Elements", "Alexandria", -300),
    claims={
        "squares": ClaimData(
            claim="Squares [are] squares",
            place="everywhere",
            ours="is_square",
            told="{{ squares | length }} squares",
            rule={"holds": {}},
        ),
        "quick": ClaimData(
            claim="It is quick",
            place="book I",
            printed="in a flash",
            ours="(19, 20)",
            rule={"holds": {"nearly": 0.9}},
            timed=True,
        ),
    },
)
EXPERIMENT = Experiment(
    name="toy",
    title="Squares of [small] numbers",
    question="Is the square of a number its square?",
    parameters=ToyParameters,
    quick={"steps": (2, 1), "depths": (1,), "pairs": 1},
    cells=cells,
    findings=findings,
    template=TEMPLATE,
    source=PUBLISHED.citation,
    published=PUBLISHED,
)
