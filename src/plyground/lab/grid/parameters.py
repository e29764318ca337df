"""The parameters of a grid: the lists of its values, and how much is measured.

They are like those of any experiment, so that `--set depth=4,8` is all it takes to measure
something else. Knows no game and no player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import AfterValidator, Field, create_model

from plyground.core.errors import MalformedText, Unsupported, shorten, unknown
from plyground.lab.grid.design import Design, Scalar, blamed_on, written
from plyground.lab.grid.schema import (
    MOST_ENTRIES,
    MOST_OPENINGS,
    MOST_REPETITIONS,
    MOST_SEED,
    Wanted,
)
from plyground.lab.parameters import list_field
from plyground.lab.spec import Parameters
from plyground.matches.openings import RandomOpenings, parse_openings

TAKEN = ("repetitions", "count", "seed", "player", "game")  # what else has a name beside a grid
USUAL_COUNT = 10  # of random openings
QUICK_COUNT = 5
QUICK_VALUES = 2  # of each list of the grid

Values = Mapping[str, Sequence[Scalar]]


def parameters_of(wanted: Wanted, design: Design, grid: Values) -> type[Parameters]:
    """What can be set: the lists of the grid, and how much is measured."""
    checks = AfterValidator(_distinct), Field(min_length=1, max_length=MOST_ENTRIES)
    fields: dict[str, Any] = {
        name: list_field(values, f"Values of {{{name}}}.", *checks) for name, values in grid.items()
    }
    is_search = wanted.measure == "search"
    about = "Of each search, for its time." if is_search else "Pairs of games from each opening."
    most = MOST_REPETITIONS
    fields["repetitions"] = int, Field(wanted.repetitions, ge=1, le=most, description=about)
    begins = [parse_openings(game.openings) for game in design.games if game.openings]
    is_random = any(isinstance(each, RandomOpenings) for each in begins)
    if begins:
        count = wanted.count or (USUAL_COUNT if is_random else MOST_OPENINGS)
        about = "Openings of each game, at most."
        fields["count"] = int, Field(count, ge=1, le=MOST_OPENINGS, description=about)
    fields["seed"] = int, Field(wanted.seed, ge=0, le=MOST_SEED, description="Of all chance.")
    return create_model("GridParameters", __base__=Parameters, **fields)


def checked_grid(grid: Values) -> Values:
    """The values of each name, of one kind. Raises InputError for what cannot be."""
    found = {}
    for name, values in grid.items():
        with blamed_on(f"grid {shorten(name)}"):
            if not re.fullmatch(r"[A-Za-z]\w{0,39}", name, re.ASCII):
                raise MalformedText("expected a short name of letters, digits and underscores")
            if name in TAKEN or hasattr(Parameters, name):
                raise Unsupported("the name is taken; expected another")
            found[name] = _of_one_kind(values)
            try:
                _distinct(values)
            except ValueError as error:
                raise Unsupported(str(error)) from None
    return found


def _of_one_kind(values: Sequence[Scalar]) -> Sequence[Scalar]:
    kinds = {type(value) for value in values}
    if kinds == {int, float}:
        return [float(value) for value in values]
    if len(kinds) > 1:
        raise MalformedText("expected numbers, texts, or true and false, not a mixture of them")
    return values


def _distinct(values: Sequence[Scalar]) -> Sequence[Scalar]:
    for place, value in enumerate(values):
        if value in values[:place]:
            raise ValueError(f"{shorten(written(value))} is there twice")
    return values


def quick_of(wanted: Wanted, parameters: type[Parameters]) -> dict[str, Any]:
    """What is asked for; otherwise less of everything."""
    fields = parameters.model_fields
    if wanted.quick is not None:
        for name, value in wanted.quick.items():
            with blamed_on(f"quick {shorten(name)}"):
                if name not in fields:
                    raise unknown("parameter", name, fields)
                if name in wanted.grid and not isinstance(value, list):
                    raise MalformedText("expected a list of values, as in depth = [2, 4]")
        return dict(wanted.quick)
    less: dict[str, Any] = {name: fields[name].default[:QUICK_VALUES] for name in wanted.grid}
    if "count" in fields:
        less["count"] = min(fields["count"].default, QUICK_COUNT)
    return less | {"repetitions": 1}
