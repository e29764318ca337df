"""What the columns of a run and of its cells may hold, whoever wrote them.

A row is checked whole before it goes into a store, and again when it is read: a store can be
anybody's. What does not fit is a `MalformedText` that names the column.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError

from plyground.core.errors import MalformedText
from plyground.core.json_text import read_object
from plyground.store.rows import is_storable_text

MOST_CELLS = 2**31 - 1  # what every database counts


def _plain(text: str) -> str:
    if not is_storable_text(text):
        raise ValueError("a character that no database takes")
    return text


def _moment(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a moment without its time zone")
    return text


def _json(kind: type) -> AfterValidator:
    """For the text of a JSON object of some kind."""
    content: TypeAdapter[Any] = TypeAdapter(kind)

    def check(text: str) -> str:
        content.validate_python(read_object(_plain(text)), strict=True)
        return text

    return AfterValidator(check)


Moment = Annotated[str, Field(max_length=20), AfterValidator(_moment)]
Object = Annotated[str, _json(dict[str, Any])]


class RunColumns(BaseModel):
    """A run, without its number."""

    uid: Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{1,80}$")]
    experiment: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_plain)]
    digest: Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{1,64}$")]
    parameters: Object
    quick: bool
    seed: Annotated[str, Field(pattern=r"^-?[0-9]{1,20}$", max_length=20)] | None
    versions: Annotated[str, _json(dict[str, str])]
    machine: Object
    started: Moment
    finished: Moment | None
    total: Annotated[int, Field(ge=0, le=MOST_CELLS)]


class CellColumns(BaseModel):
    """A cell, without the number of its run."""

    key: Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_plain)]
    task: Annotated[str, AfterValidator(_plain)]
    arguments: Object
    answer: Object
    times: Annotated[str, _json(dict[str, list[float]])]
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    measured: Moment


def checked(model: type[BaseModel], row: Mapping[Any, Any]) -> dict[str, Any]:
    """The columns of a row, all valid. Raises MalformedText."""
    columns = {name: row[name] for name in model.model_fields if name in row}
    try:
        return model.model_validate(columns).model_dump()
    except ValidationError as error:
        wrong = error.errors()[0]
        reason = str(wrong["msg"]).removeprefix("Value error, ").partition("\n")[0]
        raise MalformedText(f"{wrong['loc'][0]}: {reason}") from None
