"""`board`: an interactive board in a notebook, for whatever has one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from plyground.core.errors import Unsupported
from plyground.games.spec import GameSpec
from plyground.public.checking import whole
from plyground.public.position import Position
from plyground.public.records import RecordedGame
from plyground.public.tree import Tree

if TYPE_CHECKING:
    from plyground.notebook.looking import TreeBoard
    from plyground.notebook.playing import PlayBoard
    from plyground.notebook.replaying import GameBoard

OPPONENT = "medium"


@overload
def board(
    what: Position | str | GameSpec | type,
    *,
    opponent: str | None = OPPONENT,
    side: str | None = None,
    seed: int | None = None,
) -> PlayBoard: ...
@overload
def board(what: RecordedGame | Sequence[RecordedGame]) -> GameBoard: ...
@overload
def board(what: Tree) -> TreeBoard: ...
def board(
    what: object,
    *,
    opponent: str | None = OPPONENT,
    side: str | None = None,
    seed: int | None = None,
) -> PlayBoard | GameBoard | TreeBoard:
    """A board in a notebook: to play on, to step through games, or to inspect a search.

    `what` is a position or a game, to be played; one recorded game or several; or a tree.
    `opponent` is a player as text, or None to make all moves yourself. `side` is yours: `first`,
    `second` or its name; by default the side to move. `seed` fixes what is random in the opponent's
    moves. Raises InputError.
    """
    try:
        import anywidget  # noqa: F401
    except ModuleNotFoundError:
        raise Unsupported(
            "a board in a notebook needs anywidget: pip install 'plyground[notebook]'"
        ) from None
    from plyground.notebook.looking import TreeBoard
    from plyground.notebook.playing import PlayBoard
    from plyground.notebook.replaying import GameBoard

    if isinstance(what, str | GameSpec | type):
        what = Position(what)
    if isinstance(what, Position):
        return PlayBoard(what, opponent, side, whole(seed, "seed", 0, 2**64 - 1))
    if (opponent, side, seed) != (OPPONENT, None, None):
        raise Unsupported("opponent, side and seed are for playing: give a position")
    if isinstance(what, Tree):
        return TreeBoard(what)
    games = [what] if isinstance(what, RecordedGame) else what
    if isinstance(games, Sequence) and games and all(isinstance(g, RecordedGame) for g in games):
        return GameBoard(games)
    raise Unsupported(f"a board shows a position, recorded games or a tree, not {what!r:.60}")
