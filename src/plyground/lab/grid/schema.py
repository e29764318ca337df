"""What may be asked of a grid, field by field.

The description of a field ends the sentence "expected ..." of a complaint about it. Knows what a
field looks like, not whether there is such a game or player: see `making.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, ValidationError
from pydantic_core import ErrorDetails

from plyground.core.errors import InputError, MalformedText, shorten, unknown

MOST_SEED = 2**63 - 1
MOST_OPENINGS = 10_000
MOST_REPETITIONS = 10_000
MOST_NUMBER = 10**15
MOST_ENTRIES = 100  # games, players, charts, tables, values of a blank
NAME = r"[a-z][a-z0-9-]{0,59}"

Text = Annotated[str, Field(min_length=1, max_length=300)]
Line = Annotated[str, Field(max_length=2000)]
Number = Annotated[int, Field(ge=-MOST_NUMBER, le=MOST_NUMBER)]
Scalar = bool | Number | FiniteFloat | Annotated[str, Field(min_length=1, max_length=300)]
Positions = Annotated[list[Line], Field(min_length=1, max_length=MOST_OPENINGS)]

Average = Literal["median", "mean"]

POSITIONS = 'a list of positions, as in ["44", "position: ..."]; "" is the beginning'
OPENINGS = "random:K for K random moves, as in random:4, or a file with an opening per line"
SETTINGS = "settings of the game, as in { width = 8 }"


def _alone(name: str) -> BeforeValidator:
    """A text stands for an entry in which nothing else is said."""
    return BeforeValidator(lambda given: {name: given} if isinstance(given, str) else given)


BLANK = re.compile(r"\{([A-Za-z_]\w*)\}", re.ASCII)


def blanks_in(*texts: object) -> list[str]:
    """The names of all blanks, in their order; only texts have some."""
    found = (name for text in texts if isinstance(text, str) for name in BLANK.findall(text))
    return list(dict.fromkeys(found))


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GameEntry(_Strict):
    """A game, and where it begins if not where all others do."""

    game: Line = Field(description='a game, as in "connect4", or the path of a Python file')
    name: Text | None = Field(None, description="a text")
    settings: dict[str, Scalar] = Field({}, description=SETTINGS)
    positions: Positions | None = Field(None, description=POSITIONS)
    openings: Line | None = Field(None, description=OPENINGS)

    @property
    def label(self) -> str:
        """What reports call it."""
        return self.name or self.game

    @property
    def blanks(self) -> list[str]:
        return blanks_in(*self.settings.values())


class PlayerEntry(_Strict):
    """A player, and a name of its own."""

    player: Line = Field(description='a player\'s text, as in "alphabeta:depth={depth}"')
    name: Text | None = Field(None, description="a text")

    @property
    def label(self) -> str:
        """What reports call it."""
        return self.name or self.player

    @property
    def blanks(self) -> list[str]:
        return blanks_in(self.player)


class ChartEntry(_Strict):
    """A picture."""

    kind: Literal["lines", "bars", "points"] = Field("lines", description="lines, bars or points")
    x: str = Field(description='a name of the grid, "player" or "game"')
    y: str = Field(description='what is measured, as in "leaves", "time" or "points"')
    series: str | None = Field(None, description='"player" or a name of the grid')
    log: bool = Field(False, description="true or false")
    log_x: bool = Field(False, description="true or false")
    average: Average = Field("median", description="median or mean")
    title: Text | None = Field(None, description="a text")


class TableEntry(_Strict):
    """A table."""

    of: str = Field(description='what is measured, as in "leaves", "time" or "points"')
    average: Average = Field("median", description="median or mean")
    title: Text | None = Field(None, description="a text")


class Wanted(_Strict):
    """All that is to be measured and shown."""

    title: Text = Field(description="a text")
    games: list[Annotated[GameEntry, _alone("game")]] = Field(
        min_length=1,
        max_length=MOST_ENTRIES,
        description='a list of games, as in ["connect4"]',
    )
    players: list[Annotated[PlayerEntry, _alone("player")]] = Field(
        min_length=1,
        max_length=MOST_ENTRIES,
        description='a list of players, as in ["alphabeta:depth={depth}"]',
    )
    name: Annotated[str, Field(pattern=f"^{NAME}$")] | None = Field(
        None, description="small letters, digits and hyphens, beginning with a letter"
    )
    question: Annotated[str, Field(max_length=2000)] = Field("", description="a text")
    measure: Literal["search", "match"] = Field("search", description="search or match")
    positions: Positions | None = Field(None, description=POSITIONS)
    openings: Line | None = Field(None, description=OPENINGS)
    count: int | None = Field(
        None,
        ge=1,
        le=MOST_OPENINGS,
        description=f"a whole number of openings, from 1 to {MOST_OPENINGS:,}",
    )
    repetitions: int = Field(
        1, ge=1, le=MOST_REPETITIONS, description=f"a whole number from 1 to {MOST_REPETITIONS:,}"
    )
    seed: int = Field(0, ge=0, le=MOST_SEED, description=f"a whole number from 0 to {MOST_SEED:,}")
    grid: dict[str, Annotated[list[Scalar], Field(min_length=1, max_length=MOST_ENTRIES)]] = Field(
        {}, description="a list of values for each blank, as in depth = [2, 4, 6]"
    )
    quick: dict[str, Scalar | list[Scalar]] | None = Field(
        None, description="other values of parameters, as in depth = [2, 4]"
    )
    charts: list[ChartEntry] = Field(
        [], max_length=MOST_ENTRIES, description="tables [[charts]] with x and y"
    )
    tables: list[TableEntry] = Field(
        [], max_length=MOST_ENTRIES, description='tables [[tables]], as in of = "leaves"'
    )


ENTRIES: dict[str, tuple[type[_Strict], str]] = {
    "games": (
        GameEntry,
        'a game, as in "connect4" or { game = "othello", settings = { size = 6 } }',
    ),
    "players": (PlayerEntry, 'a player\'s text, or { name = "...", player = "..." }'),
    "charts": (ChartEntry, "a table [[charts]] with x and y"),
    "tables": (TableEntry, 'a table [[tables]], as in of = "leaves"'),
}
"""What the entries of a list are, and how that ends a sentence."""
TABLES = ("grid", "quick", "settings")  # whose names are the user's own


# ---------------------------------------------------------------------- what is wrong


def check_fields(data: Any) -> Wanted:
    """What is wanted, as far as its form goes. Raises InputError for the first wrong field."""
    try:
        return Wanted.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    raise _complaint(first)


def _complaint(wrong: ErrorDetails) -> InputError:
    if wrong["type"] in ("extra_forbidden", "missing"):
        *outside, name = wrong["loc"]
        place, _, model = _place(outside)
        prefix = f"{place}: " if outside else ""
        fields = (model or Wanted).model_fields
        if wrong["type"] == "missing":
            expected = fields[str(name)].description
            return MalformedText(f"{prefix}{name} is missing; expected {expected}")
        problem = unknown("field", str(name), fields)
        return type(problem)(f"{prefix}{problem}")
    place, expected, _ = _place(wrong["loc"])
    if "max_length" in (limit := wrong.get("ctx", {})):
        return MalformedText(f"{place} is too long; expected {limit['max_length']:,} at most")
    return MalformedText(f"{place} = {_shown(wrong['input'])}: expected {expected}")


def _place(location: Sequence[int | str]) -> tuple[str, str, type[_Strict] | None]:
    """A place such as `charts, number 2, kind`, what is expected there, and whose fields it has."""
    words, expected = "", "a table"
    model: type[_Strict] | None = Wanted
    for part in location:
        if isinstance(part, int):
            model, expected = ENTRIES.get(words, (None, expected))
            words = f"{words}, number {part + 1}"
        elif model is not None:
            words = f"{words}, {part}" if words else part
            expected, model = model.model_fields[part].description or "", None
        elif words.endswith(TABLES):
            return f"{words} {shorten(part)}", expected, None
    return words, expected, model


def _shown(given: Any) -> str:
    try:
        return shorten(repr(given))
    except (ValueError, RecursionError):  # a number of thousands of digits; lists in lists
        return "that"
