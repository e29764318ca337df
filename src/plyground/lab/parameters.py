"""An experiment's parameters, read from texts such as `depths=4,6` and told in words.

Numbers and names in a list are separated by commas; free texts, which may hold commas themselves,
by semicolons. Knows no particular experiment.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo

from plyground.core.errors import Unsupported, shorten, unknown
from plyground.lab.spec import Experiment, Parameters

P = TypeVar("P", bound=Parameters)


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
    element = _element(field.annotation)
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
        separator = _separator(_element(field.annotation))
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


# ---------------------------------------------------------------------- for forms


@dataclass(frozen=True)
class Shape:
    """What a form must know of a field to check it before anybody is asked."""

    kind: Literal["whole", "number", "yes-no", "choice", "text"]
    separator: str = ""
    """Between the parts of a list; empty if it is none."""
    choices: Sequence[str] = ()
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None


def shape(field: FieldInfo) -> Shape:
    """The shape of a field; `text` for what only the model itself can judge."""
    return _shape(field.annotation, field.metadata)


def _shape(annotation: Any, limits: Sequence[Any], separator: str = "") -> Shape:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape(arguments[0], [*limits, *_limits(arguments[1:])], separator)
    if origin is Literal:
        return Shape("choice", separator, [str(each) for each in arguments])
    if not separator and (element := _element(annotation)) is not None:
        return _shape(element, (), _separator(element))
    if annotation is bool:
        return Shape("yes-no", separator)
    if annotation in (int, float):
        return Shape("whole" if annotation is int else "number", separator, (), **_bounds(limits))
    return Shape("text", separator)


# ---------------------------------------------------------------------- in words


def allowed(field: FieldInfo) -> str:
    """What a field may be: `a whole number from 1 to 12`."""
    return _allowed(field.annotation, field.metadata)


def _allowed(annotation: Any, limits: Sequence[Any], is_many: bool = False) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _allowed(arguments[0], [*limits, *_limits(arguments[1:])], is_many)
    if origin in (Union, types.UnionType):
        return " or ".join(
            "nothing" if each is types.NoneType else _allowed(each, limits, is_many)
            for each in arguments
        )
    if origin is Literal:
        return _either(str(each) for each in arguments)
    if (element := _element(annotation)) is not None:
        by = "commas" if _separator(element) == "," else "semicolons"
        return f"{_allowed(element, (), is_many=True)}, separated by {by}"
    if annotation is bool:
        return "yes or no"
    one, many = {int: ("a whole number", "whole numbers"), float: ("a number", "numbers")}.get(
        annotation, ("a text", "texts")
    )
    return (many if is_many else one) + _range(limits)


def _limits(metadata: Iterable[Any]) -> list[Any]:
    """The bounds in an `Annotated`, where pydantic leaves them wrapped up."""
    return [
        limit
        for each in metadata
        for limit in (each.metadata if isinstance(each, FieldInfo) else [each])
    ]


def _bounds(limits: Iterable[Any]) -> dict[str, Any]:
    return {
        name: getattr(each, name)
        for each in limits
        for name in ("ge", "gt", "le", "lt")
        if getattr(each, name, None) is not None
    }


def _range(limits: Iterable[Any]) -> str:
    bounds = _bounds(limits)
    words = {"ge": "from {}", "gt": "above {}", "le": "to {}", "lt": "below {}"}
    told = [words[name].format(bounds[name]) for name in words if name in bounds]
    if bounds.keys() == {"ge"}:
        told.append("up")
    if bounds.keys() == {"le"}:
        told.insert(0, "up")
    separator = " and " if "gt" in bounds or "lt" in bounds else " "
    return f" {separator.join(told)}" if told else ""


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _element(annotation: Any) -> Any:
    """What a list is of; None if it is no list."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _element(arguments[0])
    is_list = isinstance(origin, type) and issubclass(origin, Sequence)
    return arguments[0] if is_list and arguments else None


def _separator(element: Any) -> str:
    if get_origin(element) is Annotated:
        element = get_args(element)[0]
    return ";" if element is str else ","
