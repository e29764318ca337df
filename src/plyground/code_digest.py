"""What a piece of code is, in a few bytes: equal digests compile to the same machine code.

A kernel's machine code is made from functions, from the constants these name, and from the classes
whose verbs they call. All of them are followed here as they are in memory, not in the files they
came from: a cell of a notebook that was run again, a rule that was replaced from outside, or a
source that was edited after it was imported are told apart, and an unchanged function in another
folder is not. Code of libraries counts by name; their versions are the caller's affair.

What cannot be followed has no digest: then nothing may be kept under one.
"""

from __future__ import annotations

import builtins
import enum
import functools
import hashlib
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, GenericAlias, ModuleType, UnionType
from typing import Any, NamedTuple

import numpy as np

from plyground import kernel
from plyground.sources import LIBRARIES

PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
FOLLOWED_HERE = "followed"
FOLLOWED = (FunctionType, type, kernel.Verb, kernel.Kernel)


class Undigestable(Exception):
    """Something that code refers to has no value that another process would recognise."""


def digest_of(*roots: object) -> str | None:
    """A digest of these functions and classes with all that they refer to, if there is one."""
    numbers: dict[int, int] = {}  # of each function and class, in the order of finding
    found: list[Any] = list(roots)
    total = hashlib.sha256(repr([type(root).__name__ for root in roots]).encode())
    try:
        for item in found:  # grows on the way
            if id(item) in numbers:
                continue
            numbers[id(item)] = len(numbers)
            described = _describe(item)
            found += described.followed
            total.update(described.text)
    except (Undigestable, RecursionError):  # the latter of a value that contains itself
        return None
    total.update(repr([numbers[id(item)] for item in found]).encode())  # who refers to whom
    return total.hexdigest()


class _Description(NamedTuple):
    """A function or class in bytes, but for the functions and classes that it refers to."""

    text: bytes
    followed: list[Any]


_described: dict[int, tuple[Any, bytes, list[int]]] = {}


def _describe(item: Any) -> _Description:
    """What an item is. Raises Undigestable if it was something else before.

    What was compiled from it then may become part of what is compiled now.
    """
    followed: list[Any] = []

    def written(part: Any) -> object:
        if type(part) in PLAIN:
            return type(part).__name__, part
        if isinstance(part, FOLLOWED):
            followed.append(part)
            return FOLLOWED_HERE
        return type(part).__name__, [written(each) for each in _parts_of_value(part)]

    text = repr((type(item).__name__, [written(part) for part in _parts(item)])).encode()
    now = (item, text, [id(part) for part in followed])
    if _described.setdefault(id(item), now) != now:
        raise Undigestable(f"{item!r} changed")
    return _Description(text, followed)


def _parts(item: Any) -> Iterable[object]:
    """What a function or class consists of: values, and other functions and classes."""
    if isinstance(item, kernel.Verb):
        return item.default, item.returns_state
    if isinstance(item, kernel.Kernel):
        return (item.function,)
    if isinstance(item, FunctionType):
        return _parts_of_function(item)
    return _parts_of_class(item)


def _parts_of_value(item: Any) -> Iterable[object]:
    """What a value consists of. Raises Undigestable."""
    match item:
        case CodeType():
            return _parts_of_code(item)
        case tuple() | list():
            return type(item), *item
        case frozenset() | set():
            return sorted(item, key=repr)
        case dict():
            return list(item.items())
        case enum.Enum():
            return type(item), item.name, item.value
        case np.ndarray():
            return str(item.dtype), item.shape, item.tobytes()
        case functools.partial():
            return item.func, item.args, item.keywords
        case ModuleType() | BuiltinFunctionType() | np.ufunc():
            return (item.__name__,)  # what is taken from a module is found where it is taken
        case np.generic() | np.dtype() | GenericAlias() | UnionType():
            return (repr(item),)
    if isinstance(function := getattr(item, "py_func", None), FunctionType):  # of Numba's own
        return (function,)
    if type(item).__module__ == "typing":
        return (repr(item),)
    if _is_of_a_library(type(item)) or not hasattr(item, "__dict__"):
        raise Undigestable(f"{item!r} of {type(item)}")
    return type(item), vars(item)


def _parts_of_function(function: FunctionType) -> Iterator[object]:
    if _is_of_a_library(function):
        yield f"{function.__module__}.{function.__qualname__}"
        return
    yield function.__code__
    yield function.__defaults__
    yield function.__kwdefaults__
    helper = _helpers().get(function)
    if helper is not None:
        yield from (helper.instruction, helper.inline, helper.instead)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # empty: a name that was never given a value
            yield None
    names = sorted(set(_names(function.__code__)))
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield from (name, value)
            if isinstance(value, ModuleType) and not _is_of_a_library(value):
                yield from (getattr(value, each) for each in names if hasattr(value, each))
        elif hasattr(builtins, name):
            yield name


def _parts_of_code(code: CodeType) -> Iterator[object]:
    """Line numbers too: machine code names them when it fails."""
    yield from (code.co_name, code.co_code, code.co_linetable, code.co_exceptiontable)
    yield from (code.co_firstlineno, code.co_flags, code.co_argcount)
    yield from (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    yield from code.co_consts


def _parts_of_class(cls: type) -> Iterator[object]:
    """Its fields, and the verbs it implements: compiled code can use nothing else of it."""
    yield f"{cls.__module__}.{cls.__qualname__}"
    if _is_of_a_library(cls) or not hasattr(cls, "_fields"):
        return
    yield cls._fields
    yield getattr(cls, "_field_defaults", None)
    for each in kernel.declared:
        if isinstance(each, kernel.Verb):
            method = each.implementation(cls)
            if method is not each.default:
                yield from (each.default.__name__, method)


def _names(code: CodeType) -> Iterator[str]:
    """Global names and attributes in a function, also in functions that it makes."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_of_a_library(item: Any) -> bool:
    name = item.__name__ if isinstance(item, ModuleType) else item.__module__
    return (name or "").partition(".")[0] in LIBRARIES


_known_helpers: dict[FunctionType, kernel.Helper] = {}
_seen_helpers = 0


def _helpers() -> dict[FunctionType, kernel.Helper]:
    """The helpers declared so far, by function."""
    global _seen_helpers
    for item in kernel.declared[_seen_helpers:]:
        if isinstance(item, kernel.Helper):
            _known_helpers[item.function] = item  # type: ignore[index]
    _seen_helpers = len(kernel.declared)
    return _known_helpers
