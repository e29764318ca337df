"""Commands that are imported when they are called, so that one does not wait for all the others.

A group holds the name of each command and one line of help, enough to list them. A command is in
the module of its name, or in the one that `modules` gives: an `app` if it is a group, otherwise a
function of its name (`import_` for `import`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


def load_command(name: str, module: str) -> Any:
    """A command, or a group of them, from a module of this package, with the option `--with`."""
    imported = importlib.import_module(f"plyground.cli.{module}")
    if hasattr(imported, "app"):
        return _extensible(get_group(imported.app))
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
    alone.command(name)(getattr(imported, f"{name}_" if iskeyword(name) else name))
    return _extensible(get_command(alone))


def use_files(files: Iterable[str] | None) -> None:
    """Have what the user's files offer. Raises PlygroundError."""
    if files:
        from plyground.public.extending import use

        for file in files:
            use(file)


def _extensible(command: Any) -> Any:
    """The command with `--with FILE`, read before all else: other options may need the file."""
    for inner in getattr(command, "commands", {}).values():
        _extensible(inner)
    if not hasattr(command, "commands") and all(each.name != "with_" for each in command.params):
        command.params += get_command(_with).params
    return command


_with = typer.Typer(add_completion=False)


@_with.command()
def _(
    with_: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="FILE.py",
            help="Have what is in this file too: games, evaluators, players ...",
            callback=lambda files: use_files(files),
            is_eager=True,
            expose_value=False,
        ),
    ] = None,
) -> None: ...


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
