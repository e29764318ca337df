"""`plyground new`: a file to begin with, which works, and its test."""

from __future__ import annotations

import ast
import keyword
import re
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.common import out, write_example
from plyground.core.errors import MalformedText, Unsupported, unknown

KINDS = ("game", "evaluator", "algorithm", "player", "experiment")


def new(
    kind: Annotated[str, typer.Argument(help=", ".join(KINDS) + ".")],
    name: Annotated[str, typer.Argument(help="What it is called: letters, digits and hyphens.")],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where to write it.")] = Path(),
) -> None:
    """Write a commented, working file of your own to begin with, and its test."""
    if kind not in KINDS:
        raise unknown("kind", kind, KINDS)
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name, re.ASCII):
        raise MalformedText(
            f"name {name!r}: expected small letters, digits and hyphens, as in my-{kind}"
        )
    function = name.replace("-", "_")
    words = {
        "NAME.py": f"{function}.py",
        "NAME": name.replace("_", "-"),
        "FUNCTION": function,
        "CLASS": "".join(part.capitalize() for part in function.split("_")),
        "TITLE": name.replace("-", " ").replace("_", " ").capitalize(),
    }
    texts = {to / f"{function}.py": _template(kind), to / f"test_{function}.py": _template("test")}
    path, test = texts
    for each in texts:
        if each.exists():
            raise Unsupported(f"{each} exists already; give another name")
    _demand_free(kind, words, texts[path])
    for each, text in texts.items():
        for word, meant in words.items():
            text = text.replace(word, meant)
        write_example(each, text)
    out.print(f"wrote {path} and {test}; check it with:", soft_wrap=True)
    out.print(f"  plyground check {path}", soft_wrap=True)


def _template(name: str) -> str:
    return resources.files("plyground").joinpath(f"templates/{name}.txt").read_text("utf-8")


def _demand_free(kind: str, words: dict[str, str], template: str) -> None:
    """Raise Unsupported for a name with which the file would not work."""
    from plyground.public.extending import CATALOGUES

    name, function = words["NAME"], words["FUNCTION"]
    nodes = [*ast.walk(ast.parse(template))]
    used = {getattr(node, field, "") for node in nodes for field in ("id", "arg", "name", "asname")}
    is_module = getattr(find_spec(function), "origin", None)  # a mere folder has none
    if keyword.iskeyword(function) or is_module or {function, words["CLASS"]} & used:
        raise Unsupported(f"name {name!r} has a meaning in Python or in the file; give another")
    for each in import_module(CATALOGUES[kind]).register.all():
        if name in (each.name, *getattr(each, "aliases", ())):
            raise Unsupported(f"there is another {kind} named {name}; give yours another name")
