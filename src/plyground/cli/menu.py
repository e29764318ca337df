"""The questions before a game: which one, against whom. Return takes what stands in brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.markup import escape
from rich.table import Table

from plyground.cli import saved_game
from plyground.cli.common import out
from plyground.cli.screen import typed_line
from plyground.core.errors import InputError, PlygroundError
from plyground.games.catalogue import games, name_game
from plyground.games.spec import GameSpec
from plyground.players.catalogue import HUMAN, canonical
from plyground.players.levels import NAMES, PERFECT, levels_of

DEFAULT_GAME = "othello"
DEFAULT_LEVEL = "medium"
ABOUT_LEVELS = dict(zip(NAMES, ("makes mistakes", "a real game", "thinks ahead"), strict=True))
ABOUT_LEVELS[PERFECT] = "makes no mistake"
RESUME = "r"

T = TypeVar("T")


def choose_game() -> str | None:
    """The name of a game; None to resume the last one."""
    all_games = list(games().values())
    rows = [(str(n), game.title, game.summary) for n, game in enumerate(all_games, start=1)]
    if unfinished := _unfinished():
        rows.append((RESUME, "Go on", unfinished))
    _print_menu(rows)

    def read(answer: str) -> str | None:
        if unfinished and answer.lower() == RESUME:
            return None
        if not answer:
            return DEFAULT_GAME
        if chosen := _numbered(answer, all_games):
            return chosen.name
        name_game(answer)
        return answer

    default = games()[DEFAULT_GAME].title
    return _ask(f"Which game (1 to {len(all_games)}, or its name) [{default}]: ", read)


def choose_opponent(game: GameSpec) -> str:
    """The text of a player."""
    opponents = [*levels_of(game), HUMAN]
    rows = [
        (str(n), "another person" if name == HUMAN else name, ABOUT_LEVELS.get(name, ""))
        for n, name in enumerate(opponents, start=1)
    ]
    _print_menu(rows)

    def read(answer: str) -> str:
        return _numbered(answer, opponents) or str(canonical(answer or DEFAULT_LEVEL))

    return _ask(f"Against whom (1 to {len(opponents)}, or any player) [{DEFAULT_LEVEL}]: ", read)


def _unfinished() -> str:
    """The last game that was not finished, in words; '' if there is none to resume."""
    try:
        path = saved_game.last_unfinished()
        if path is None:
            return ""
        saved, loaded = saved_game.read_and_restore(path)
    except PlygroundError:
        return ""
    return f"{loaded.game.title}, {' - '.join(saved.players)}, moves played: {len(saved.moves)}"


def _print_menu(rows: Sequence[tuple[str, str, str]]) -> None:
    menu = Table(box=None, show_header=False)
    for key, title, about in rows:
        menu.add_row(f"[bold]{key}[/]", escape(title), f"[dim]{escape(about)}[/]")
    out.print(menu)


def _numbered(answer: str, choices: Sequence[T]) -> T | None:
    if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:9]) <= len(choices):
        return choices[int(answer) - 1]
    return None


def _ask(prompt: str, read: Callable[[str], T]) -> T:
    """Until the answer can be read."""
    while (answer := typed_line(prompt)) is not None:
        try:
            return read(answer.strip())
        except InputError as error:
            out.print(f"[red]{escape(str(error))}[/]")
    raise SystemExit(0)
