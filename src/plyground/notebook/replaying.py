"""A board to step through games that were played.

The page has all positions of a game at once and steps by itself; it asks only for other games. So a
saved notebook can be stepped through where no kernel runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import traitlets
from rich.text import Text

from plyground.core.errors import Unsupported
from plyground.drawing.terminal import status_line
from plyground.games.view import view
from plyground.notebook.modules import script
from plyground.notebook.widget import Message, Widget
from plyground.public.position import Position
from plyground.public.records import RecordedGame


class GameBoard(Widget):
    """Recorded games: the chosen one, after some of its moves."""

    _esm = script("replay.js")
    at = traitlets.Int(0).tag(sync=True)
    """How many moves of the game have been made."""
    position = traitlets.Instance(Position)

    def __init__(self, games: Sequence[RecordedGame]) -> None:
        self.games = games
        """The games to choose from."""
        super().__init__()
        self.choose(0)

    @property
    def game(self) -> RecordedGame:
        """The chosen game."""
        return self.games[self._chosen]

    @property
    def positions(self) -> list[Position]:
        """All positions of the chosen game."""
        return list(self._positions)

    def choose(self, number: int) -> None:
        """Show another game, from its first position. Raises InputError."""
        if not 0 <= number < len(self.games):
            raise Unsupported(f"there is no game {number + 1}; expected 1 to {len(self.games)}")
        positions = self.games[number].positions
        self._chosen, self._positions, self._trouble = number, positions, ""
        self.at = 0
        self.position = positions[0]
        self._show()

    def __repr__(self) -> str:
        return f"{self.game!r}; {self._line(self.at)}"

    @traitlets.validate("at")
    def _within(self, proposal: Any) -> int:
        return max(0, min(len(self._positions) - 1, int(proposal["value"])))

    @traitlets.observe("at")
    def _stepped(self, _change: object) -> None:
        self.position = self._positions[self.at]

    def _show(self) -> None:
        count = len(self._positions)
        self.shown = {
            # Nobody moves here; what each move would change is most of a view.
            "views": [{**view(each), "legal": []} for each in self._positions],
            "lines": [self._trouble or self._line(at) for at in range(count)],
            "players": [name or "?" for name in self.game.players],
            "chosen": self._chosen,
            "total": len(self.games),
        }

    def _line(self, at: int) -> str:
        here = self._positions[at]
        parts = [f"move {at} of {len(self._positions) - 1}", here.opening or ""]
        if here.is_over:
            parts.append(Text.from_markup(status_line(here)).plain)
        return " · ".join(part for part in parts if part)

    def _tell(self, text: str) -> None:
        self._trouble = text
        self._show()

    def _on_choose(self, message: Message) -> None:
        self.choose(int(message["game"]))

    actions: ClassVar = {"choose": _on_choose}
