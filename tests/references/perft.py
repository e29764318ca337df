"""Counts the leaves of a naive game's tree."""

from typing import Protocol, Self


class Game(Protocol):
    """What perft needs to know of a game."""

    def legal(self) -> list[str]: ...

    def play(self, move: str) -> None: ...

    def copy(self) -> Self: ...


def perft(game: Game, depth: int) -> int:
    """Leaves `depth` plies below: a finished game is one leaf, a pass is a ply."""
    if depth == 0:
        return 1
    leaves = 0
    for move in game.legal():
        child = game.copy()
        child.play(move)
        leaves += perft(child, depth - 1)
    return leaves or 1
