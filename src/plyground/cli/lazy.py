"""Commands that are imported when they are called, so that one does not wait for all the others.

A group knows of each command its name, where it is and one line of help: enough to list them. Knows
no command.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


class Elsewhere(NamedTuple):
    """A command, or a group of them, in a module that is not imported yet."""

    place: str
    """`module:name`."""
    help: str
    """The first line of its own."""

    def load(self, name: str) -> Any:
        """The command itself."""
        module, _, attribute = self.place.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        if isinstance(found, typer.Typer):
            return get_group(found)
        alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
        alone.command(name)(found)
        return get_command(alone)


def lazy_group(commands: Mapping[str, Elsewhere]) -> type[TyperGroup]:
    """The class of a group of these commands, in this order."""

    class LazyGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            for name, command in commands.items():
                self.commands[name] = TyperCommand(name, help=command.help)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, listed, rest = super().resolve_command(ctx, args)
            return name, commands[name].load(name) if name else listed, rest

    return LazyGroup
