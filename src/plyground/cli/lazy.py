"""Commands that are imported when they are called, so that one does not wait for all the others.

A group holds the name of each command and one line of help, enough to list them. A command is in
the module of its name, or in the one that `modules` gives: an `app` if it is a group, otherwise a
function of its name (`import_` for `import`).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


def load_command(name: str, module: str) -> Any:
    """A command, or a group of them, from a module of this package."""
    imported = importlib.import_module(f"plyground.cli.{module}")
    if hasattr(imported, "app"):
        return get_group(imported.app)
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
    alone.command(name)(getattr(imported, f"{name}_" if iskeyword(name) else name))
    return get_command(alone)


def lazy_group(commands: Mapping[str, str], modules: Mapping[str, str]) -> type[TyperGroup]:
    """The class of a group of these commands with their help, in this order."""

    class LazyGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            for name, help_ in commands.items():
                self.commands[name] = TyperCommand(name, help=help_)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, listed, rest = super().resolve_command(ctx, args)
            loaded = load_command(name, modules.get(name, name)) if name else listed
            return name, loaded, rest

    return LazyGroup
