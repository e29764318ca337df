"""An experiment's parameters, read from texts such as `depths=4,6` and told in words.

Numbers and names in a list are separated by commas; free texts, which may hold commas themselves,
by semicolons. Knows no particular experiment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from plyground.core.errors import Unsupported, shorten, unknown
from plyground.lab.spec import Experiment, Parameters

P = TypeVar("P", bound=Parameters)
Schema = Mapping[str, Any]
Kind = Literal["whole", "number", "yes-no", "choice", "text"]
# By the names that JSON Schema has for them.
KINDS: Mapping[str, Kind] = {"integer": "whole", "number": "number", "boolean": "yes-no"}
WORDS = {
    "integer": ("a whole number", "whole numbers"),
    "number": ("a number", "numbers"),
    "boolean": ("yes or no", "yes or no"),
    "string": ("a text", "texts"),
    "null": ("nothing", "nothing"),
}
BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def read_parameters(experiment: Experiment[P], is_quick: bool, chosen: Mapping[str, str]) -> P:
    """The defaults or the quick parameters, but for what was chosen. Raises InputError."""
    fields = experiment.parameters.model_fields
    values = dict(experiment.quick) if is_quick else {}
    for given, text in chosen.items():
        name = given.replace("-", "_")
        if name not in fields:
            raise (
                unknown("parameter", given, fields)
                if fields
                else Unsupported(f"{experiment.name} has no parameters")
            )
        values[name] = _value_of(text, fields[name])
    return check_parameters(experiment, values)


def check_parameters(experiment: Experiment[P], values: Mapping[str, Any]) -> P:
    """The parameters, if they may be so. Raises Unsupported, naming the first that may not."""
    try:
        return experiment.parameters.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        field = experiment.parameters.model_fields.get(name)
        reason = first["msg"].removeprefix("Value error, ")
        if field is None:
            raise Unsupported(f"{name}: {reason}" if name else reason).at(name) from None
        if first["type"] not in ("value_error", "assertion_error"):
            reason = f"expected {allowed(field)}"
        shown = shorten(as_text(values.get(name), field))
        raise Unsupported(f"{name}={shown}: {reason}").at(name) from None


def list_field(values: Sequence[Any], about: str, *checks: Any) -> tuple[Any, Any]:
    """A parameter that is a list of values like these."""
    kind: Any = tuple[type(values[0]), ...]  # type: ignore[misc]
    return Annotated[(kind, *checks, None)], Field(tuple(values), description=about)


def _value_of(text: str, field: FieldInfo) -> Any:
    element = _element(_schema(field))
    if element is None:
        return text
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except ValueError:
            return text  # the model will not have it, and say what it would have
    return [part.strip() for part in text.split(_separator(element)) if part.strip()]


def as_text(value: Any, field: FieldInfo) -> str:
    """A value as it would be typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        if any(isinstance(each, Sequence) and not isinstance(each, str) for each in value):
            return json.dumps(value)
        separator = _separator(_element(_schema(field)) or {})
        return separator.join(as_text(each, field) for each in value)
    return "" if value is None else str(value)


def options_for(experiment: Experiment[P], parameters: P, is_quick: bool) -> list[str]:
    """What one types after `plyground lab run NAME` for these parameters."""
    usual = check_parameters(experiment, experiment.quick if is_quick else {})
    options = ["--quick"] if is_quick else []
    for name, field in experiment.parameters.model_fields.items():
        value = getattr(parameters, name)
        if value != getattr(usual, name):
            options += ["--set", f"{name}={as_text(value, field)}"]
    return options


def parameters_as_data(experiment: Experiment[Any]) -> list[dict[str, str]]:
    """What can be set, with the usual values and those of a quick run."""
    usual, quick = (read_parameters(experiment, is_quick, {}) for is_quick in (False, True))
    return [
        {
            "name": name,
            "default": as_text(getattr(usual, name), field),
            "quick": as_text(getattr(quick, name), field),
            "allowed": allowed(field),
            "description": field.description or "",
        }
        for name, field in experiment.parameters.model_fields.items()
    ]


# ---------------------------------------------------------------------- for forms


@dataclass(frozen=True)
class Shape:
    """What a form must know of a field to check it before anybody is asked."""

    kind: Kind
    separator: str = ""
    """Between the parts of a list; empty if it is none."""
    choices: Sequence[str] = ()
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None


def shape(field: FieldInfo) -> Shape:
    """The shape of a field; `text` for what only the model itself can judge."""
    told = _schema(field)
    element = _element(told)
    separator = "" if element is None else _separator(element)
    told = told if element is None else element
    if choices := _choices(told):
        return Shape("choice", separator, choices)
    return Shape(KINDS.get(told.get("type", ""), "text"), separator, (), **_bounds(told))


# ---------------------------------------------------------------------- in words


def allowed(field: FieldInfo) -> str:
    """What a field may be: `a whole number from 1 to 12`."""
    return _in_words(_schema(field))


def _in_words(told: Schema, is_many: bool = False) -> str:
    if "anyOf" in told:
        return " or ".join(_in_words(each, is_many) for each in told["anyOf"])
    if choices := _choices(told):
        *others, last = choices
        return f"{', '.join(others)} or {last}" if others else last
    if (element := _element(told)) is not None:
        by = "commas" if _separator(element) == "," else "semicolons"
        return f"{_in_words(element, is_many=True)}, separated by {by}"
    one, many = WORDS.get(told.get("type", ""), WORDS["string"])
    return (many if is_many else one) + _range(_bounds(told))


def _range(bounds: Mapping[str, float]) -> str:
    words = {"ge": "from {}", "gt": "above {}", "le": "to {}", "lt": "below {}"}
    told = [words[name].format(bounds[name]) for name in words if name in bounds]
    if bounds.keys() == {"ge"}:
        told.append("up")
    if bounds.keys() == {"le"}:
        told.insert(0, "up")
    separator = " and " if "gt" in bounds or "lt" in bounds else " "
    return f" {separator.join(told)}" if told else ""


# ---------------------------------------------------------------------- as pydantic tells it


def _schema(field: FieldInfo) -> Schema:
    """A field as JSON Schema."""
    kind: Any = Annotated[field.annotation, field]
    return TypeAdapter(kind).json_schema()


def _element(told: Schema) -> Schema | None:
    """What a list is of; None if it is no list."""
    return told.get("items") or next(iter(told.get("prefixItems", ())), None)


def _choices(told: Schema) -> list[str]:
    found = told.get("enum") or ([told["const"]] if "const" in told else [])
    return list(map(str, found))


def _bounds(told: Schema) -> dict[str, Any]:
    return {name: told[key] for name, key in BOUNDS.items() if key in told}


def _separator(element: Schema) -> str:
    return ";" if element.get("type") == "string" and not _choices(element) else ","
